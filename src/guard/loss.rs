//! A file does not lose most of itself unless what leaves stands, word for word, in the archive.
//!
//! What counts is the text itself: filler in the archive does not make up for it, and an emptied
//! entry is a lost one. An entry that a whole-body reply left out, or of which it kept another
//! wording, is no consented loss, although memd archives what it held.

use super::{Context, Item, block, quote, warn};
use crate::memory::{MemoryFile, title};
use crate::proposal::{COPY_DIFFERS, Change, Chosen, LEFT_OUT, Op, Outcome, Verdict};
use crate::text::{count, words};
use std::collections::HashMap;

/// The guardrail's name: the only one that a person may overrule on the apply sheet.
pub const NAME: &str = "loss";

/// Bodies up to this many characters may lose anything.
const SMALL: usize = 800;

/// More than this share of a body, or of its entries, is too much.
const SHARE: f64 = 0.6;

/// From this many entries on, more than half of them is too much.
const MANY: usize = 5;

/// One entry that a file loses, in part or whole.
struct Lost {
    title: String,
    chars: usize,
    is_most: bool,
    kept: Kept,
}

/// What the archive has of it.
enum Kept {
    Verbatim,
    Otherwise,
    Nothing,
}

pub(super) fn check_change(item: &Item) -> Option<Verdict> {
    let reason = item.change.reason.as_deref();
    let said = match reason {
        Some(LEFT_OUT) => "the reply leaves it out without archiving it",
        Some(COPY_DIFFERS) => "the reply's archived copy does not match it",
        _ => return None,
    };
    (item.change.op.takes_away()).then(|| warn(NAME, said))
}

pub(super) fn check_file(
    context: &Context,
    outcome: &Outcome,
    file: MemoryFile,
) -> Option<Verdict> {
    let doc = context.memory.doc(file);
    let body = doc.body_chars();
    let lost: Vec<Lost> = context
        .chosen
        .iter()
        .filter(|c| c.change.file == file && !outcome.stale.contains_key(&c.change.n))
        .filter_map(|c| lost(c, outcome))
        .collect();
    let chars: usize = lost.iter().map(|l| l.chars).sum();
    let gone = lost.iter().filter(|l| l.is_most).count();
    let too_much =
        chars as f64 > body as f64 * SHARE || (gone >= MANY && gone * 2 > doc.entries().len());
    let missing: Vec<&Lost> = lost
        .iter()
        .filter(|l| l.is_most && !matches!(l.kept, Kept::Verbatim))
        .collect();
    if body <= SMALL || !too_much || missing.is_empty() {
        return None;
    }
    Some(block(
        NAME,
        reason(file, chars * 100 / body.max(1), &missing),
    ))
}

fn reason(file: MemoryFile, percent: usize, missing: &[&Lost]) -> String {
    let differ = missing
        .iter()
        .filter(|l| matches!(l.kept, Kept::Otherwise))
        .count();
    let names: Vec<String> = missing.iter().map(|l| quote(&l.title)).collect();
    let entries = count(missing.len(), "entry", "entries");
    let copies = match differ {
        0 => String::new(),
        1 => "; 1 archived copy does not match".to_owned(),
        n => format!("; {n} archived copies do not match"),
    };
    format!(
        "{} would lose {percent} % of its text, {entries} of it without a place in the archive{copies}: {}",
        file.name(),
        names.join(", ")
    )
}

/// What a change takes out of its file.
fn lost(chosen: &Chosen, outcome: &Outcome) -> Option<Lost> {
    let change = chosen.change;
    let target = change.target.as_ref()?;
    let old = target.text.chars().count();
    let chars = match change.op {
        Op::Add => return None,
        Op::Archive | Op::Tombstone => match change.stays() {
            true => return None,
            false => old,
        },
        Op::Edit => missing_chars(&target.text, chosen.text).min(old),
    };
    let in_archive = outcome.pieces.iter().any(|p| p.text == target.text);
    Some(Lost {
        title: title(&target.text),
        chars,
        is_most: chars as f64 > old as f64 * SHARE,
        kept: kept(change, in_archive),
    })
}

fn kept(change: &Change, in_archive: bool) -> Kept {
    match change.reason.as_deref() {
        Some(COPY_DIFFERS) => Kept::Otherwise,
        Some(LEFT_OUT) => Kept::Nothing,
        _ if in_archive => Kept::Verbatim,
        _ => Kept::Nothing,
    }
}

/// Characters of the words of `old` that `new` does not hold as often.
fn missing_chars(old: &str, new: &str) -> usize {
    let mut have: HashMap<String, usize> = HashMap::new();
    for word in words(new) {
        *have.entry(word).or_default() += 1;
    }
    words(old)
        .into_iter()
        .filter(|word| match have.get_mut(word) {
            Some(n) if *n > 0 => {
                *n -= 1;
                false
            }
            _ => true,
        })
        .map(|word| word.chars().count() + 1)
        .sum()
}
