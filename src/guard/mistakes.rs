//! mistakes.md only grows. That binds curators: a person may edit, revert, restore and tombstone,
//! and a budget moves verbatim.

use super::{Context, Item, block, quote};
use crate::memory::{MemoryFile, title};
use crate::proposal::{Change, Chosen, Kind, Op, Outcome, Verdict};

const NAME: &str = "mistakes-append-only";

/// Whether a change takes something out of mistakes.md on a curator's word.
fn takes_away(kind: Kind, chosen: &Chosen) -> bool {
    let change = chosen.change;
    change.file == MemoryFile::Mistakes
        && kind.is_curated()
        && !chosen.is_edited()
        && !change.is_overflow()
        && match (change.op, &change.target) {
            (Op::Add, _) | (_, None) => false,
            (Op::Archive | Op::Tombstone, _) => true,
            (Op::Edit, Some(target)) => !keeps(&target.text, chosen.text),
        }
}

/// Whether every line of the old text stands in the new one, in order.
fn keeps(old: &str, new: &str) -> bool {
    let mut new = new.lines().map(str::trim);
    old.lines()
        .map(str::trim)
        .all(|line| new.any(|n| n == line))
}

pub(super) fn check_change(item: &Item) -> Option<Verdict> {
    let chosen = Chosen {
        change: item.change,
        text: if item.by_person {
            ""
        } else {
            &item.change.text
        },
    };
    (!item.by_person && takes_away(Kind::Distill, &chosen)).then(|| {
        let what = if item.change.op.takes_away() {
            "archive"
        } else {
            "rewrite"
        };
        block(
            NAME,
            format!(
                "a curator may not {what} an entry of mistakes.md; reject it, or write it yourself"
            ),
        )
    })
}

pub(super) fn check_file(
    context: &Context,
    outcome: &Outcome,
    file: MemoryFile,
) -> Option<Verdict> {
    let taken: Vec<&Change> = context
        .chosen
        .iter()
        .filter(|c| c.change.file == file && takes_away(context.kind, c))
        .filter(|c| !outcome.stale.contains_key(&c.change.n))
        .map(|c| c.change)
        .collect();
    let names: Vec<String> = taken
        .iter()
        .filter_map(|c| Some(quote(&title(&c.target.as_ref()?.text))))
        .collect();
    (!names.is_empty()).then(|| {
        block(
            NAME,
            format!(
                "mistakes.md only grows, but would lose {}",
                names.join(", ")
            ),
        )
    })
}
