//! Over its budget, a file's oldest entries go to the archive, as changes like any other.

use super::outcome::{self, Chosen};
use super::{Change, KnownEntry, OVER_BUDGET, Op, Origin, Target};
use crate::config::Budgets;
use crate::memory::{Entry, Memory, MemoryFile};
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// The archive changes that bring each file under its budget once `changes` are applied. Only
/// files that a change makes longer are touched.
pub(super) fn changes(
    memory: &Memory,
    entries: &[KnownEntry],
    changes: &[Change],
    budgets: &Budgets,
) -> Vec<Change> {
    MemoryFile::ALL
        .into_iter()
        .filter(|file| {
            changes
                .iter()
                .any(|c| c.file == *file && !c.op.takes_away())
        })
        .flat_map(|file| of_file(memory, entries, changes, file, budgets.of(file)))
        .collect()
}

fn of_file(
    memory: &Memory,
    entries: &[KnownEntry],
    changes: &[Change],
    file: MemoryFile,
    budget: usize,
) -> Vec<Change> {
    let chosen: Vec<Chosen> = changes.iter().map(Chosen::of).collect();
    let mut chars = outcome::outcome(memory, &chosen)
        .doc(memory, file)
        .body_chars();
    let mut out = Vec::new();
    for (entry, known) in oldest_first(memory, entries, file) {
        if chars <= budget {
            break;
        }
        let is_taken = changes.iter().any(|c| {
            c.section == entry.section
                && c.target
                    .as_ref()
                    .is_some_and(|t| t.text == entry.text && t.ordinal == entry.ordinal)
        });
        if is_taken {
            continue;
        }
        chars = chars.saturating_sub(entry.text.chars().count() + 1);
        out.push(Change {
            n: 0,
            op: Op::Archive,
            file,
            section: entry.section.clone(),
            target: Some(Target::of(entry, known.map(|k| k.id.clone()))),
            text: String::new(),
            reason: Some(OVER_BUDGET.to_owned()),
            evidence: Vec::new(),
            // The budget is the user's own setting.
            origin: Origin::User,
            earlier: None,
            also: Vec::new(),
            verdicts: Vec::new(),
        });
    }
    out
}

/// By the date in the heading, else of acceptance; without one, as they stand in the file.
fn oldest_first<'a>(
    memory: &'a Memory,
    entries: &'a [KnownEntry],
    file: MemoryFile,
) -> Vec<(&'a Entry, Option<&'a KnownEntry>)> {
    let mut all: Vec<_> = memory
        .doc(file)
        .entries()
        .iter()
        .map(|e| (e, entries.iter().find(|k| k.is(e))))
        .collect();
    let mut last = Date::MIN;
    let mut dated: Vec<(Date, _)> = all
        .drain(..)
        .map(|(e, known)| {
            let accepted = known
                .and_then(|k| k.accepted)
                .map(|at| TimeZone::UTC.to_datetime(at).date());
            let date = heading_date(&e.text).or(accepted).unwrap_or(last);
            last = date;
            (date, (e, known))
        })
        .collect();
    dated.sort_by_key(|(date, _)| *date);
    dated.into_iter().map(|(_, item)| item).collect()
}

/// The first ISO date in a heading.
fn heading_date(text: &str) -> Option<Date> {
    let line = text.lines().next().filter(|l| l.starts_with('#'))?;
    line.split(|c: char| !c.is_ascii_digit() && c != '-')
        .find_map(|word| word.parse::<Date>().ok())
}
