//! What the records tell of what is offered: which version of its entry stands there, that it came
//! back from the archive, that it stands twice. `memd verify` says the same.

use super::say;
use crate::memory::Entry;
use crate::proposal::{Change, Op};
use crate::trust::{Broken, Matched, Reason, Record, RecordState};
use jiff::Timestamp;

/// Says of each change what is known of it. `records` are all versions of all entries.
pub(super) fn tell(changes: &mut [Change], matched: &Matched, records: &[Record]) {
    for change in changes {
        let known = match change.op {
            Op::Archive | Op::Tombstone => gone(change, matched),
            Op::Add | Op::Edit => broken(change, matched).and_then(|b| standing(b, records)),
        };
        if let Some(known) = known {
            say(change, known);
        }
    }
}

/// What the records know an entry on disk as.
fn broken<'a>(change: &Change, matched: &'a Matched) -> Option<&'a Broken> {
    let is_it =
        |e: &Entry| (e.file, &e.section, &e.text) == (change.file, &change.section, &change.text);
    let mut all = matched.broken.iter();
    all.find(|b| b.entry.as_ref().is_some_and(is_it))
}

fn standing(broken: &Broken, records: &[Record]) -> Option<String> {
    let of = |r: &&Record| r.entry == broken.record.entry;
    match broken.reason {
        Reason::RolledBack { version } => {
            let newest = records.iter().filter(of).max_by_key(|r| r.version)?;
            let mut all = records.iter().filter(of);
            let was = all.find(|r| r.version == version)?;
            let mut said = format!(
                "older version of this entry: version {version} of {}, {}",
                newest.version,
                let_in(was)
            );
            if newest.state == RecordState::Archived {
                said.push_str(&format!("; it went to the archive on {}", day(newest.at)));
            }
            Some(said)
        }
        Reason::CameBack => Some(format!(
            "came back from the archive, where it went on {}",
            day(broken.record.at)
        )),
        Reason::Duplicated => Some("a copy of an entry that stands as it was let in".to_owned()),
        // The difference shows it; what was moved is said with the change itself.
        Reason::Edited | Reason::Moved { .. } | Reason::Seal(_) => None,
    }
}

/// Of what is no longer in its file: when it was let in.
fn gone(change: &Change, matched: &Matched) -> Option<String> {
    let entry = change.entry()?;
    let record = matched.missing.iter().find(|r| r.entry == *entry)?;
    Some(match record.version {
        1 => let_in(record),
        version => format!("version {version}, {}", let_in(record)),
    })
}

fn let_in(record: &Record) -> String {
    match record.accepted {
        Some(at) => format!("accepted on {}", day(at)),
        None => format!("applied unattended on {}", day(record.at)),
    }
}

fn day(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d").to_string()
}
