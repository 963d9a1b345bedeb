//! Memory while an apply is under way: what was sealed before is still what agents are given.

use super::matching::{Matched, Reason, place};
use super::record::{Record, RecordState};
use crate::memory::Entry;
use jiff::Timestamp;
use std::collections::BTreeSet;

impl Matched {
    /// As it was before an apply that is not finished. `coming` are the record versions that the
    /// apply will seal: whatever of its files is written already, the entries that they concern
    /// are given as they were sealed, and what they bring is not there yet.
    #[must_use]
    pub fn before(self, coming: &[Record], now: Timestamp) -> Self {
        let ids: BTreeSet<_> = coming.iter().map(|r| &r.entry).collect();
        let is_coming = |entry: &Entry| {
            let mut live = coming.iter().filter(|r| r.state == RecordState::Live);
            live.any(|r| (r.file, &r.section, &r.text) == (entry.file, &entry.section, &entry.text))
        };
        let mut before = self;
        let all_broken = std::mem::take(&mut before.broken);
        let all_missing = std::mem::take(&mut before.missing);
        before.unsealed.retain(|entry| !is_coming(entry));
        for broken in all_broken {
            let sealed = !matches!(broken.reason, Reason::Seal(_));
            let written = sealed && broken.entry.as_ref().is_some_and(is_coming);
            if written && broken.is_displaced() && ids.contains(&broken.record.entry) {
                place(&entry_of(&broken.record), &broken.record, &mut before, now);
            } else if !written {
                before.broken.push(broken);
            } else if broken.is_displaced() {
                before.missing.push(broken.record);
            }
        }
        for record in all_missing {
            if ids.contains(&record.entry) {
                place(&entry_of(&record), &record, &mut before, now);
            } else {
                before.missing.push(record);
            }
        }
        before
    }
}

/// The entry that a record vouches for, as it stood.
fn entry_of(record: &Record) -> Entry {
    Entry {
        file: record.file,
        section: record.section.clone(),
        text: record.text.clone(),
        range: 0..0,
        ordinal: 0,
    }
}
