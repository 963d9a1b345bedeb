//! One proposal in full, as text and as JSON.

use crate::browse::Event;
use crate::cli::log;
use crate::cli::review::page;
use crate::cli::review::screen::{Screen, Style};
use crate::digest::{Counts, Coverage};
use crate::proposal::{Decision, State};
use crate::review::diff::{self, Row};
use crate::review::{Item, Standing};
use crate::store::ProposalStatus;
use crate::text::count;
use jiff::Timestamp;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;

/// For people: the header, coverage, and every change as the review shows it.
pub(super) fn text(
    screen: &mut Screen<'_>,
    item: &Item,
    status: &ProposalStatus,
    events: &[Event],
    now: Timestamp,
) -> io::Result<()> {
    page::header(screen, item, now)?;
    if status.open > 0 {
        page::on_disk(screen, item)?;
    }
    screen.say(&format!("  state: {}", state(status)))?;
    for event in events {
        screen.say(&format!("  {}", log::when(event)))?;
    }
    if let Some(note) = &status.note {
        screen.say(&format!("  note to the curator: {note}"))?;
    }
    let usage = &item.proposal.usage;
    let tokens = |n: Option<u64>| n.map_or("?".to_owned(), |n| n.to_string());
    screen.say(&format!(
        "  asked: {}, {} characters, {} tokens in, {} out",
        count(usage.calls as usize, "call", "calls"),
        usage.prompt_chars,
        tokens(usage.input_tokens),
        tokens(usage.output_tokens)
    ))?;
    for coverage in &item.proposal.coverage {
        covered(screen, coverage)?;
    }
    for hit in &item.proposal.hits {
        let place = hit
            .place
            .as_ref()
            .map_or(String::new(), |p| format!(" in {}", p.source));
        screen.say(&format!(
            "  redacted: {} ({} bytes){place}",
            hit.rule, hit.length
        ))?;
    }
    let numbers = item.order.clone();
    for n in numbers {
        page::change(screen, item, n, usize::MAX)?;
    }
    if item.order.is_empty() {
        screen.line(Style::Plain, &page::nothing(item))?;
    }
    Ok(())
}

/// Where it is in its life, and what of an applied one is still to be decided.
fn state(status: &ProposalStatus) -> String {
    match (status.state, status.open) {
        (State::Applied, 0) => "applied".to_owned(),
        (State::Applied, 1) => "applied, 1 waits".to_owned(),
        (State::Applied, n) => format!("applied, {n} wait"),
        (state, _) => state.name().to_owned(),
    }
}

fn covered(screen: &mut Screen<'_>, c: &Coverage) -> io::Result<()> {
    let mut parts = vec![format!(
        "{} of {} turns used",
        c.used.total(),
        c.found.total()
    )];
    let mut more = |n: u32, what: &str| {
        if n > 0 {
            parts.push(format!("{n} {what}"));
        }
    };
    more(c.shed.total(), "left out for space");
    more(c.shortened, "shortened");
    more(c.seen, "already distilled");
    for (why, n) in c.skipped.iter().chain(&c.unreadable) {
        more(*n, why);
    }
    screen.say(&format!(
        "  read: {} {} {}-{}: {}",
        c.source,
        crate::source::unit_of(&c.source).1,
        c.start,
        c.end,
        parts.join(", ")
    ))?;
    if c.shed != Counts::default() {
        screen.say(&format!(
            "    left out: {} user, {} agent, {} tool calls, {} tool results",
            c.shed.user, c.shed.assistant, c.shed.tool_call, c.shed.tool_result
        ))?;
    }
    Ok(())
}

/// For programs: the proposal as staged, and what stands now beside it.
pub(super) fn json(item: &Item, status: &ProposalStatus, events: &[Event]) -> Value {
    let open: BTreeMap<String, Value> = item
        .changes()
        .map(|c| (c.n.to_string(), now(item, c.n)))
        .collect();
    json!({
        "project": item.project,
        "state": status.state.name(),
        "waiting": status.open,
        "proposal": item.proposal,
        "open": open,
        "note": status.note,
        "events": events,
    })
}

fn now(item: &Item, n: u32) -> Value {
    let base = item
        .change(n)
        .and_then(|c| c.target.as_ref())
        .map_or("", |t| t.text.as_str());
    let rows: Vec<Value> = diff::compare(base, item.text(n))
        .rows()
        .map(|r| row(&r))
        .collect();
    let standing = item.standing(n).map(|s| match s {
        Standing::Changed { now } => json!({"is": "changed", "now": now}),
        Standing::Gone => json!({"is": "gone"}),
        Standing::AlreadyThere => json!({"is": "already_there"}),
    });
    let decision = item.decision(n);
    json!({
        "title": item.title(n),
        "decision": match decision {
            Decision::Undecided => "undecided",
            Decision::Accepted => "accepted",
            Decision::Edited(_) => "edited",
            Decision::Rejected => "rejected",
        },
        "text": item.text(n),
        "verdicts": item.judged.changes.get(&n),
        "standing": standing,
        "diff": rows,
    })
}

fn row(row: &Row) -> Value {
    let pieces: Vec<Value> = row
        .pieces
        .iter()
        .map(|p| json!({"text": p.text, "changed": p.changed}))
        .collect();
    json!({"side": row.side.mark().to_string(), "pieces": pieces})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposal::Level;
    use crate::review::samples;

    #[test]
    fn the_whole_proposal_is_there_in_both_forms() {
        let mut item = samples::item("0000000a", 0, &[Level::Pass, Level::Warn]);
        let mut coverage = Coverage {
            source: "/t.jsonl".to_owned(),
            end: 900,
            ..Coverage::default()
        };
        coverage.found.user = 3;
        coverage.used.user = 2;
        coverage.shed.user = 1;
        coverage
            .skipped
            .insert("row of another project".to_owned(), 4);
        item.proposal.coverage.push(coverage);
        item.decisions.insert(1, Decision::Accepted);
        let mut out = Vec::new();
        let now = "2026-10-01T12:00:00Z".parse().unwrap();
        let status = ProposalStatus {
            id: item.proposal.id.clone(),
            project: item.proposal.project.clone(),
            kind: item.proposal.kind,
            state: State::Staged,
            created: item.proposal.created,
            queued: item.proposal.created,
            changes: 2,
            open: 2,
            note: None,
            commit: None,
        };
        text(&mut Screen::new(&mut out, false), &item, &status, &[], now).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert!(out.contains("  state: staged\n"), "{out}");
        let read = "  read: /t.jsonl bytes 0-900: 2 of 3 turns used, 1 left out for space, 4 row of another project\n";
        assert!(out.contains(read), "{out}");
        assert!(out.contains("[a] new: Fact 1"), "{out}");

        let json = json(&item, &status, &[]);
        assert_eq!(json["open"]["1"]["decision"], "accepted");
        assert_eq!(json["open"]["2"]["verdicts"][0]["level"], "warn");
        assert_eq!(json["open"]["2"]["diff"][0]["side"], "+");
        assert_eq!(json["proposal"]["id"], "0000000a");
    }
}
