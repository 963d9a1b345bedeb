//! Made-up proposals for the tests of the review.

use super::Item;
use crate::id::ProjectId;
use crate::memory::MemoryFile;
use crate::proposal::{Change, Kind, Level, Op, Origin, Proposal, Usage, Verdict};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) fn verdict(level: Level) -> Verdict {
    Verdict {
        guard: "near-duplicate".to_owned(),
        level,
        reason: "repeats \"One writer\"".to_owned(),
    }
}

pub(crate) fn change(n: u32, level: Level) -> Change {
    Change {
        n,
        op: Op::Add,
        file: MemoryFile::State,
        section: String::new(),
        target: None,
        text: format!("- Fact {n}"),
        reason: None,
        evidence: vec![n],
        origin: Origin::User,
        earlier: None,
        also: Vec::new(),
        verdicts: match level {
            Level::Pass => Vec::new(),
            level => vec![verdict(level)],
        },
    }
}

pub(crate) fn proposal(id: &str, minute: i64, levels: &[Level]) -> Proposal {
    Proposal {
        id: id.parse().unwrap(),
        project: ProjectId::random().unwrap(),
        back: None,
        kind: Kind::Distill,
        created: jiff::Timestamp::from_second(1_790_000_000 + minute * 60).unwrap(),
        trigger: "manual".to_owned(),
        usage: Usage::default(),
        summary: String::new(),
        changes: levels
            .iter()
            .zip(1..)
            .map(|(level, n)| change(n, *level))
            .collect(),
        spans: Vec::new(),
        notes: Vec::new(),
        lines: Vec::new(),
        coverage: Vec::new(),
        hits: Vec::new(),
        dropped: Vec::new(),
    }
}

pub(crate) fn item(id: &str, minute: i64, levels: &[Level]) -> Item {
    Item::new(
        proposal(id, minute, levels),
        "demo-api".to_owned(),
        &BTreeSet::new(),
        BTreeMap::new(),
    )
}
