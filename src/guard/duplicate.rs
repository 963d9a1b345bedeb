//! A change that repeats or contradicts what stands, or resembles what was rejected.

use super::turned::opposes;
use super::{Context, Item, quote, warn};
use crate::memory::{MemoryFile, title};
use crate::proposal::{Op, Substance, Verdict};
use crate::text::shared_words;

const NAME: &str = "duplicate";

/// How many of their words two statements share, each way, to be the same said again.
const SAME: f64 = 0.8;

/// How much of the shorter one's substance must stand in the other to be about the same.
const ABOUT: usize = 60;

pub(super) fn check(item: &Item, context: &Context) -> Option<Verdict> {
    if item.change.op == Op::Archive || item.by_person {
        return None;
    }
    rejected(item, context)
        .or_else(|| standing(item, context))
        .or_else(|| twin(item, context))
}

fn rejected(item: &Item, context: &Context) -> Option<Verdict> {
    let mut tombstones = context
        .tombstones
        .iter()
        .filter(|t| t.file == item.change.file);
    let found = tombstones.find(|t| t.is_said_by(item.text) || t.resembles(item.text))?;
    let how = if found.is_said_by(item.text) {
        "was rejected"
    } else {
        "resembles what was rejected"
    };
    Some(warn(NAME, format!("{how} in proposal {}", found.proposal)))
}

/// Against entries of memory that the chosen changes leave where they are.
fn standing(item: &Item, context: &Context) -> Option<Verdict> {
    let is_touched = |file: MemoryFile, text: &str| {
        context.chosen.iter().any(|c| {
            c.change.file == file && c.change.target.as_ref().is_some_and(|t| t.text == text)
        })
    };
    let own = Substance::of(item.text);
    context
        .memory
        .entries()
        .filter(|e| !is_touched(e.file, &e.text))
        .find_map(|entry| {
            let other = Substance::of(&entry.text);
            let shared = own.shared(&other);
            let about_same = shared >= 3 && shared * 100 >= own.len().min(other.len()) * ABOUT;
            let near = own.len().max(other.len()) <= own.len().min(other.len()) * 2;
            let what = quote(&title(&entry.text));
            if about_same && near && opposes(item.text, &entry.text) {
                return Some(warn(
                    NAME,
                    format!("contradicts {what}, which it does not name"),
                ));
            }
            is_same(item.text, &entry.text).then(|| warn(NAME, format!("repeats {what}")))
        })
}

/// Against earlier additions of the same proposal.
fn twin(item: &Item, context: &Context) -> Option<Verdict> {
    let mut others = context.chosen.iter().filter(|c| {
        c.change.op != Op::Archive
            && c.change.n < item.change.n
            && c.change.file == item.change.file
    });
    let twin = others.find(|c| is_same(item.text, c.text))?;
    Some(warn(NAME, format!("repeats change {}", twin.change.n)))
}

fn is_same(a: &str, b: &str) -> bool {
    shared_words(a, b) >= SAME && shared_words(b, a) >= SAME
}
