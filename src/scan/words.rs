//! Where in the database a text stands, in words a person knows: which change of which proposal and the
//! file and section it is for, which line of a session, what the database notes and why.
//!
//! Never says a text itself; what it names of one (a section) went through the redactor.

use crate::proposal::{Change, Proposal};
use crate::redact::{Redactor, first_whole};
use crate::trust::Record;

/// Characters of a section that are named.
const SECTION: usize = 60;

/// A place in memory: the file, and the section below it.
fn spot(file: &str, section: &str, redactor: &Redactor) -> String {
    let shown = redactor.shown(section);
    let (section, whole) = first_whole(&shown, SECTION);
    match (section, whole) {
        ("", _) => file.to_owned(),
        (section, true) => format!("{file} › {section}"),
        (section, false) => format!("{file} › {section}…"),
    }
}

/// What was accepted once.
pub(super) fn record(record: &Record, redactor: &Redactor) -> String {
    let spot = spot(record.file.name(), &record.section, redactor);
    let (entry, version) = (&record.entry, record.version);
    format!("an entry of {spot} (entry {entry}, version {version})")
}

/// The text of a proposal that this way of names leads to.
pub(super) fn proposal(proposal: &Proposal, way: &[String], redactor: &Redactor) -> String {
    let way: Vec<&str> = way.iter().map(String::as_str).collect();
    let number = |n: &str| n.parse::<usize>().ok();
    let what = match way.as_slice() {
        ["changes", n, rest @ ..] => {
            let of = number(n).and_then(|n| proposal.changes.get(n));
            of.map(|change| of_change(change, rest, redactor))
        }
        ["lines", n, ..] => number(n)
            .and_then(|n| proposal.lines.get(n))
            .map(|line| format!("line {} of what was read, quoted as evidence", line.n)),
        ["summary", ..] => Some("the curator's summary".to_owned()),
        ["coverage" | "spans", ..] => Some("the names of the sessions that were read".to_owned()),
        ["notes", ..] => Some("the name of an inbox note".to_owned()),
        ["dropped", ..] => Some("what is said of a change that was left out".to_owned()),
        ["usage", ..] => Some("the name of the curator or its model".to_owned()),
        ["trigger", ..] => Some("what started the distill".to_owned()),
        _ => None,
    };
    let what = what.unwrap_or_else(|| way.join(" "));
    format!("proposal {}: {what}", proposal.id)
}

fn of_change(change: &Change, way: &[&str], redactor: &Redactor) -> String {
    let spot = spot(change.file.name(), &change.section, redactor);
    let what = match way.first() {
        Some(&"text") => "the text proposed",
        Some(&"section") => "the section's name",
        Some(&"target" | &"earlier") => "the entry it works on",
        Some(&"reason") => "why it was proposed",
        Some(&"verdicts") => "what a guardrail says",
        _ => "what is kept with it",
    };
    format!("change {}, {what}, for {spot}", change.n)
}

/// A text that a person edited of a proposal.
pub(super) fn edited(proposal: &Proposal) -> String {
    format!("proposal {}: a change as you edited it", proposal.id)
}

/// What the database notes besides, by its column.
pub(super) fn noted(at: &str) -> String {
    let known = match at {
        "proposals note" => "your note to the curator",
        "tries reason" => "why a distill failed",
        "commits_owed message" => "the message of a commit that is owed",
        "commits_owed error" => "why a commit failed",
        "tombstones text" => "a statement that was rejected",
        "intents body" => "what an unfinished apply is about to write",
        "audit details" => "details in the audit chain",
        other => return other.to_owned(),
    };
    known.to_owned()
}
