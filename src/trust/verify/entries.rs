//! Entries on disk that are not what was accepted, as breaks.

use super::super::key::Trust;
use super::super::matching::{Broken, Reason, match_entries};
use super::super::record::Record;
use super::{BreakKind, ProjectEvidence, Shown};
use crate::memory::{Entry, title};
use crate::text;
use jiff::Timestamp;

pub(super) fn record_place(record: &Record, shown: &Shown<'_>) -> String {
    format!(
        "record {} version {} ({}, {})",
        record.entry,
        record.version,
        record.file.name(),
        text::quoted(&title(&shown(&record.text)), 60)
    )
}

fn entry_place(entry: &Entry, shown: &Shown<'_>) -> String {
    let title = title(&shown(&entry.text));
    format!("{}, {}", entry.file.name(), text::quoted(&title, 60))
}

pub(super) fn entry_breaks(
    project: &ProjectEvidence,
    trust: &Trust,
    now: Timestamp,
    shown: &Shown<'_>,
) -> Vec<(BreakKind, String, String)> {
    let Some(entries) = &project.entries else {
        return Vec::new();
    };
    let matched = match_entries(entries, &project.records, trust, now);
    let matched = matched.before(&project.coming, now);
    let broken = matched.broken.iter().filter_map(|b| broken_entry(b, shown));
    let unsealed = matched.unsealed.iter().map(|e| {
        let what = "it has no record; review it to adopt it".to_owned();
        (BreakKind::EntryUnsealed, entry_place(e, shown), what)
    });
    let missing = matched.missing.iter().map(|r| {
        let what = "it was accepted and no longer stands in its file".to_owned();
        (BreakKind::EntryMissing, record_place(r, shown), what)
    });
    broken.chain(unsealed).chain(missing).collect()
}

/// Which line below its first one, which names the entry, reads otherwise than it was accepted.
fn first_other_line(stands: &str, accepted: &str, shown: &Shown<'_>) -> String {
    let ends = |text: &str| {
        text.lines()
            .map(|l| l.trim_end().to_owned())
            .collect::<Vec<_>>()
    };
    if ends(stands) == ends(accepted) {
        return ": only blanks at the ends of its lines differ".to_owned();
    }
    let mut lines = stands.lines().zip(accepted.lines());
    let same = lines.by_ref().take_while(|(a, b)| a == b).count();
    let line = stands.lines().nth(same);
    let line = line.map(|line| text::quoted(shown(line).trim(), 60));
    match (same, line) {
        (0, _) => {
            let read = title(&shown(accepted));
            format!(": it began {:?}", text::first_chars(&read, 60).0)
        }
        (n, Some(line)) => format!(": its line {} now reads {line}", n + 1),
        (n, None) => format!(": it ends after line {n} now"),
    }
}

/// A broken entry; broken records are reported with the records.
fn broken_entry(broken: &Broken, shown: &Shown<'_>) -> Option<(BreakKind, String, String)> {
    let place = entry_place(broken.entry.as_ref()?, shown);
    let id = &broken.record.entry;
    let (kind, what) = match &broken.reason {
        Reason::Seal(_) => return None,
        Reason::Edited => (
            BreakKind::EntryEdited,
            format!(
                "entry {id} was accepted with another text{}",
                first_other_line(&broken.entry.as_ref()?.text, &broken.record.text, shown)
            ),
        ),
        Reason::Moved { file, section } => {
            let under = if section.is_empty() {
                String::new()
            } else {
                format!(" under {}", text::quoted(&shown(section), 60))
            };
            let what = format!("entry {id} was accepted for {}{under}", file.name());
            (BreakKind::EntryMoved, what)
        }
        Reason::Duplicated => (
            BreakKind::EntryDuplicated,
            format!("entry {id} was accepted once and stands there more often"),
        ),
        Reason::RolledBack { version } => (
            BreakKind::EntryRolledBack,
            format!("it is version {version} of entry {id}, which was replaced"),
        ),
        Reason::CameBack => (BreakKind::EntryCameBack, format!("entry {id} was archived")),
    };
    Some((kind, place, what))
}
