//! A change that repeats what stands or turns its negation or number, or resembles what was
//! rejected.

use super::{Context, Item, quote, warn};
use crate::memory::{Entry, MemoryFile, title};
use crate::proposal::{Substance, Tombstone, Verdict, opposes};
use crate::text::words;
use std::collections::{BTreeSet, HashSet};

pub(super) const NAME: &str = "duplicate";

/// How many of their words two statements share, each way, to be the same said again.
const SAME: f64 = 0.8;

/// How much of the shorter one's substance must stand in the other to be about the same.
const ABOUT: usize = 60;

/// A text with what it is compared by.
struct Said<'a> {
    text: &'a str,
    substance: Substance,
    words: BTreeSet<String>,
}

impl<'a> Said<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            substance: Substance::of(text),
            words: words(text).into_iter().collect(),
        }
    }

    fn is_same(&self, other: &Said) -> bool {
        let shared = self.words.intersection(&other.words).count() as f64;
        shared >= SAME * self.words.len().max(other.words.len()) as f64
    }

    fn contradicts(&self, other: &Said) -> bool {
        let (own, its) = (self.substance.len(), other.substance.len());
        let shared = self.substance.shared(&other.substance);
        let is_near = own.max(its) <= own.min(its) * 2;
        let is_about_it = shared >= 3 && shared * 100 >= own.min(its) * ABOUT;
        is_near && is_about_it && opposes(self.text, other.text)
    }
}

/// What the changes of one judgement are compared with.
pub(super) struct Index<'a> {
    /// Entries that the chosen changes leave where they are.
    standing: Vec<(&'a Entry, Said<'a>)>,
    /// The chosen additions and edits.
    made: Vec<(u32, MemoryFile, Said<'a>)>,
}

impl<'a> Index<'a> {
    pub(super) fn new(context: &Context<'a>) -> Self {
        let touched: HashSet<(MemoryFile, &str)> = context
            .chosen
            .iter()
            .filter_map(|c| Some((c.change.file, c.change.target.as_ref()?.text.as_str())))
            .collect();
        let made = context.chosen.iter().filter(|c| !c.change.op.takes_away());
        let made: Vec<_> = made
            .map(|c| (c.change.n, c.change.file, Said::new(c.text.trim())))
            .collect();
        let entries = context.memory.entries().filter(|_| !made.is_empty());
        let standing = entries
            .filter(|e| !touched.contains(&(e.file, e.text.as_str())))
            .map(|e| (e, Said::new(&e.text)))
            .collect();
        Self { standing, made }
    }
}

pub(super) fn check(item: &Item, context: &Context, index: &Index) -> Option<Verdict> {
    if item.change.op.takes_away() || item.by_person {
        return None;
    }
    let (.., own) = index.made.iter().find(|(n, ..)| *n == item.change.n)?;
    rejected(item, context)
        .or_else(|| standing(own, context, index))
        .or_else(|| twin(item, own, index))
}

fn rejected(item: &Item, context: &Context) -> Option<Verdict> {
    // What was refused for one file is no better in another.
    let by = |says: &dyn Fn(&Tombstone) -> bool| context.tombstones.iter().find(|t| says(t));
    let same = by(&|t| t.is_said_by(item.text)).map(|t| (t, "was rejected"));
    let (found, how) = same.or_else(|| {
        let like = by(&|t| t.resembles(item.text))?;
        Some((like, "resembles what was rejected"))
    })?;
    Some(warn(NAME, format!("{how} in proposal {}", found.proposal)))
}

fn standing(own: &Said, context: &Context, index: &Index) -> Option<Verdict> {
    index.standing.iter().find_map(|(entry, other)| {
        // An entry that nobody let in may hold a secret: then it is not quoted.
        let what = || match (context.credentials)(&entry.text).is_empty() {
            true => quote(&title(&entry.text)),
            false => "an entry that holds a credential".to_owned(),
        };
        if own.contradicts(other) {
            return Some(warn(
                NAME,
                format!("contradicts {}, which it does not name", what()),
            ));
        }
        own.is_same(other)
            .then(|| warn(NAME, format!("repeats {}", what())))
    })
}

/// Against earlier changes of the same proposal.
fn twin(item: &Item, own: &Said, index: &Index) -> Option<Verdict> {
    let change = item.change;
    let mut others = index
        .made
        .iter()
        .filter(|(n, file, _)| *n < change.n && *file == change.file);
    let (n, ..) = others.find(|(.., other)| own.is_same(other))?;
    Some(warn(NAME, format!("repeats change {n}")))
}
