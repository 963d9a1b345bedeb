//! What a verification found, as lines or for programs.

use super::super::out;
use super::Args;
use crate::text;
use crate::trust::{Break, BreakKind, Counts, Report, SettledBreak};
use serde::Serialize;

/// What is printed as JSON.
#[derive(Serialize)]
struct Shown<'a> {
    ok: bool,
    breaks: &'a [Break],
    settled: &'a [SettledBreak],
    counts: Counts,
    skipped: &'a [String],
}

pub(super) fn print(args: &Args, report: &Report, skipped: &[String]) {
    let Report {
        breaks, settled, ..
    } = report;
    if args.json {
        out::json(&Shown {
            ok: breaks.is_empty(),
            breaks,
            settled,
            counts: report.counts,
            skipped,
        });
        return;
    }
    by_kind(breaks);
    if !settled.is_empty() {
        out::line(&format!("settled by you ({})", settled.len()));
    }
    for SettledBreak {
        found,
        at,
        why,
        record,
    } in settled
    {
        let (title, place, what) = (found.kind.title(), &found.place, &found.what);
        out::line(&format!("  {title}: {place}: {what}"));
        let day = at.strftime("%Y-%m-%d");
        out::line(&format!(
            "    settled on {day} (audit record {record}): {why}"
        ));
    }
    for line in skipped {
        out::line(line);
    }
}

/// As many breaks of a kind are named in lines.
const NAMED: usize = 20;

/// Each kind once, in the order in which its first break was found.
pub(in super::super) fn by_kind(breaks: &[Break]) {
    let mut kinds: Vec<BreakKind> = Vec::new();
    for found in breaks {
        if !kinds.contains(&found.kind) {
            kinds.push(found.kind);
        }
    }
    for kind in kinds {
        let of_kind: Vec<_> = breaks.iter().filter(|b| b.kind == kind).collect();
        out::line(&format!("{} ({})", kind.title(), of_kind.len()));
        for found in of_kind.iter().take(NAMED) {
            out::line(&format!("  {}: {}", found.place, found.what));
        }
        if let more @ 1.. = of_kind.len().saturating_sub(NAMED) {
            out::line(&format!("  and {more} more: memd verify --json names all"));
        }
    }
}

pub(super) fn all_good(report: &Report) -> String {
    let counts = &report.counts;
    let but = match report.settled.len() {
        0 => String::new(),
        n => format!(" but for what you settled ({n})"),
    };
    format!(
        "all good{but}: {}, {}, {}, {}",
        text::count(counts.audit, "audit record", "audit records"),
        text::count(counts.projects, "project", "projects"),
        text::count(counts.records, "entry record", "entry records"),
        text::count(counts.entries, "entry on disk", "entries on disk"),
    )
}
