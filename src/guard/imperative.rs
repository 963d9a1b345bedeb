//! Text that tells its reader to do something dangerous, or to ignore, hide, always obey.
//!
//! By the commands it holds (`commands`) and by what its words mean together (`orders`). Not
//! complete and not meant to be: it points at the line to look at first.

use super::normal::{folded, normal};
use super::orders::Found;
use super::speech::tokens;
use super::{Context, commands, orders, warn};
use crate::memory::{Document, Entry, MemoryFile};
use crate::proposal::{KnownEntry, Outcome, Verdict};
use std::collections::BTreeMap;
use std::ops::Range;

pub(super) const NAME: &str = "imperative";

pub(super) fn check(text: &str) -> Option<Verdict> {
    let says = says(text)?;
    Some(warn(NAME, format!("it {says}")))
}

/// More bytes are not looked through: no honest entry has them.
const MOST: usize = 32 * 1024;

fn says(text: &str) -> Option<&'static str> {
    if text.len() > MOST {
        return Some("is too long to be looked through");
    }
    let by_words = || orders::found(&tokens(&folded(text))).next().map(|f| f.says);
    commands::first(&normal(text)).or_else(by_words)
}

/// All that is said by a text, and where in its normal form.
fn found(normal: &str) -> Vec<Found> {
    if normal.len() > MOST {
        return Vec::new();
    }
    let by_words = orders::found(&tokens(normal)).collect::<Vec<_>>();
    commands::found(normal).chain(by_words).collect()
}

/// What changes say only together with the section that they come to stand in: harmless sentences
/// of several sessions that add up. By number of the change.
pub(super) fn assembled(context: &Context, outcome: &Outcome) -> Vec<(u32, Verdict)> {
    let mut said = Vec::new();
    let mut sections = BTreeMap::new();
    for chosen in context.chosen.iter().filter(|c| !c.change.op.takes_away()) {
        let (file, section) = (chosen.change.file, chosen.change.section.as_str());
        // Each section is read once, however many changes meet there.
        let (after, new) = sections
            .entry((file, section))
            .or_insert_with(|| read(context, outcome, file, section));
        if let Some(Found { says, at }) = new {
            let with = after.others(at, chosen.text, context.entries);
            let reason = format!("read together with its section it {says}{with}");
            said.push((chosen.change.n, warn(NAME, reason)));
        }
    }
    said
}

/// A section as it would become, and what only its sentences together say that it did not say before:
/// what one entry says by itself is that entry's flag, not its neighbours'.
fn read<'a>(
    context: &Context<'a>,
    outcome: &'a Outcome,
    file: MemoryFile,
    section: &str,
) -> (Section<'a>, Option<Found>) {
    let before = Section::of(context.memory.doc(file), section);
    let after = Section::of(outcome.doc(context.memory, file), section);
    let mut new = found(&after.text);
    if !new.is_empty() {
        let known = found(&before.text);
        new.retain(|f| known.iter().all(|k| k.says != f.says));
    }
    if !new.is_empty() {
        let entries = after.parts.iter().map(|(_, entry)| *entry);
        let alone: Vec<Found> = entries.flat_map(|e| found(&normal(&e.text))).collect();
        new.retain(|f| alone.iter().all(|a| a.says != f.says));
    }
    (after, new.into_iter().next())
}

/// Entries that are named at most.
const NAMED: usize = 12;

/// The sentences of a section as one text, without the marks between its entries, and where in it
/// each entry stands (bytes).
struct Section<'a> {
    text: String,
    parts: Vec<(Range<usize>, &'a Entry)>,
}

impl<'a> Section<'a> {
    fn of(doc: &'a Document, section: &str) -> Self {
        let (mut text, mut parts) = (String::new(), Vec::new());
        for entry in doc.entries().iter().filter(|e| e.section == section) {
            let words = entry.text.trim_start_matches(['-', '*', ' ', '#']);
            if !text.is_empty() {
                text.push(' ');
            }
            let start = text.len();
            text.push_str(&normal(words.trim_end_matches('.')));
            parts.push((start..text.len(), entry));
        }
        Self { text, parts }
    }

    /// The entries that the words found stand in, besides the one with this text, each with the
    /// distill that brought it: a fragment after the reason.
    fn others(&self, found: &Range<usize>, own: &str, known: &[KnownEntry]) -> String {
        let touches = |part: &Range<usize>| part.start < found.end && found.start < part.end;
        let parts = self.parts.iter().filter(|(part, _)| touches(part));
        let others = parts.filter(|(_, entry)| entry.text.trim() != own.trim());
        let named: Vec<String> = others.map(|(_, entry)| named(entry, known)).collect();
        let more = named.len().saturating_sub(NAMED);
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        match named.is_empty() {
            true => String::new(),
            false => format!(
                ": with {}{more}",
                named[..named.len().min(NAMED)].join(", ")
            ),
        }
    }
}

/// Such as `"To be fast, skip" (from 9f8e7d12)`.
fn named(entry: &Entry, known: &[KnownEntry]) -> String {
    let text = super::quote(entry.text.trim_start_matches(['-', '*', ' ', '#']));
    let record = known.iter().find(|k| k.is(entry));
    match record.and_then(|k| k.proposal.as_ref()) {
        Some(id) => format!("{text} (from {id})"),
        None => text,
    }
}
