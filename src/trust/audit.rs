//! The audit chain: every act on memory, in one sequence, each record bound to the one before.
//!
//! A record's MAC covers every column as it is stored, and the MAC of the record before: nothing is
//! parsed to verify, so nothing is reported that was not changed. The sealed head says which record
//! is the last one, so that a cut tail shows. Pure; the database appends.

use super::key::{Purpose, Trust};
use super::seal::{Fields, Seal, check};
use super::settled;
use super::verify::{Break, BreakKind, Told};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each act is named after what it does")]
pub enum Act {
    Register,
    MoveProject,
    ForgetProject,
    Baseline,
    ForgetSource,
    Stage,
    CuratorCall,
    CuratorFailed,
    Park,
    Unpark,
    Decide,
    Undo,
    Redo,
    BeginApply,
    AbortApply,
    Apply,
    Commit,
    Discard,
    Return,
    Expire,
    Revive,
    Confirm,
    Adopt,
    AcceptedAfter,
    Tombstone,
    Restore,
    Revert,
    Override,
    Trust,
    Recall,
    Key,
    NotSecret,
    AlsoSecret,
    Hooks,
    Refuse,
    Settle,
}

impl Act {
    /// Its stable name, as stored.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Act::Register => "register",
            Act::MoveProject => "move-project",
            Act::ForgetProject => "forget-project",
            Act::Baseline => "baseline",
            Act::ForgetSource => "forget-source",
            Act::Stage => "stage",
            Act::CuratorCall => "curator-call",
            Act::CuratorFailed => "curator-failed",
            Act::Park => "park",
            Act::Unpark => "unpark",
            Act::Decide => "decide",
            Act::Undo => "undo",
            Act::Redo => "redo",
            Act::BeginApply => "begin-apply",
            Act::AbortApply => "abort-apply",
            Act::Apply => "apply",
            Act::Commit => "commit",
            Act::Discard => "discard",
            Act::Return => "return",
            Act::Expire => "expire",
            Act::Revive => "revive",
            Act::Confirm => "confirm",
            Act::Adopt => "adopt",
            Act::AcceptedAfter => "accepted-after",
            Act::Tombstone => "tombstone",
            Act::Restore => "restore",
            Act::Revert => "revert",
            Act::Override => "override",
            Act::Trust => "trust",
            Act::Recall => "recall",
            Act::Key => "key",
            Act::NotSecret => "not-secret",
            Act::AlsoSecret => "also-secret",
            Act::Hooks => "hooks",
            Act::Refuse => "refuse",
            Act::Settle => "settle",
        }
    }
}

/// One record of the chain, every column as it is stored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditRow {
    /// From 1, without gaps, over all projects.
    pub seq: u64,
    /// The MAC of the record before; empty for the first.
    pub prev: String,
    /// When, RFC 3339.
    pub at: String,
    /// The act's name.
    pub act: String,
    /// The project's id; empty when it concerns none.
    pub project: String,
    /// Ids of what it concerns, separated by spaces.
    pub subjects: String,
    /// A JSON object.
    pub details: String,
    /// The keyed MAC over all of the above.
    pub mac: Seal,
}

/// The last record of the chain, as sealed beside it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditHead {
    /// Its number; 0 when the chain is empty.
    pub seq: u64,
    /// Its MAC.
    pub mac: Seal,
    /// The hash of [`super::Newest`]; `None`: of a memd that did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub newest: Option<String>,
    /// The keyed seal over all of the above.
    pub seal: Seal,
}

impl AuditHead {
    fn fields(&self) -> Fields {
        let fields = Fields::new("audit head").shown(&self.seq).shown(&self.mac);
        match &self.newest {
            Some(newest) => fields.text(newest),
            None => fields,
        }
    }
}

impl AuditRow {
    fn fields(&self, seq: u64) -> Fields {
        Fields::new("audit")
            .shown(&seq)
            .text(&self.prev)
            .text(&self.at)
            .text(&self.act)
            .text(&self.project)
            .text(&self.subjects)
            .text(&self.details)
    }

    /// When it was made, where that can be read.
    #[must_use]
    pub fn time(&self) -> Option<Timestamp> {
        self.at.parse().ok()
    }
}

impl Trust {
    /// Numbers, links and seals a record that follows `head`, and gives the new head: sealed with the
    /// hash of what stands that `head` has by now.
    #[must_use]
    pub fn append(&self, head: &AuditHead, mut row: AuditRow) -> (AuditRow, AuditHead) {
        row.seq = head.seq + 1;
        head.mac.as_str().clone_into(&mut row.prev);
        row.mac = self.tag(Purpose::Audit, &row.fields(row.seq));
        let mut head = AuditHead {
            seq: row.seq,
            mac: row.mac.clone(),
            newest: head.newest.clone(),
            seal: Seal::default(),
        };
        head.seal = self.tag(Purpose::Audit, &head.fields());
        (row, head)
    }

    /// Whether a head is the one that was sealed.
    #[must_use]
    pub fn is_head(&self, head: &AuditHead) -> bool {
        self.check(Purpose::Audit, &head.fields(), &head.seal)
            .is_ok()
    }

    /// Whether a record is as it was written. Whether it is in its place, only the whole chain
    /// tells.
    #[must_use]
    pub fn is_written(&self, row: &AuditRow) -> bool {
        self.was_number(row, row.seq)
    }

    /// Whether a record was written with this number.
    fn was_number(&self, row: &AuditRow, seq: u64) -> bool {
        check(self.audit_key(seq), &row.fields(seq), &row.mac).is_ok()
    }

    /// Seals a head anew with this key, where it was the one that ended the chain.
    #[must_use]
    pub fn reseal_head(&self, mut head: AuditHead) -> AuditHead {
        head.seal = self.tag(Purpose::Audit, &head.fields());
        head
    }

    /// Every break of the chain, in its order.
    #[must_use]
    pub(super) fn audit_breaks(&self, rows: &[AuditRow], head: Option<&AuditHead>) -> Vec<Told> {
        self.breaks_of(rows, head.filter(|h| self.is_head(h)))
    }

    /// As [`Trust::audit_breaks`], of a copy: it may end with a key that is retired by now.
    #[must_use]
    pub(super) fn copied_breaks(&self, rows: &[AuditRow], head: Option<&AuditHead>) -> Vec<Told> {
        let was_head = |h: &&AuditHead| check(self.audit_key(h.seq), &h.fields(), &h.seal).is_ok();
        self.breaks_of(rows, head.filter(was_head))
    }

    fn breaks_of(&self, rows: &[AuditRow], head: Option<&AuditHead>) -> Vec<Told> {
        let bad: Vec<bool> = rows.iter().map(|r| !self.is_written(r)).collect();
        let recomputed = recomputed_from(rows, &bad, head);
        let mut breaks = self.walk(rows, &bad, recomputed);
        breaks.extend(end_break(rows, head));
        breaks
    }

    fn walk(&self, rows: &[AuditRow], bad: &[bool], recomputed: Option<usize>) -> Vec<Told> {
        let mut breaks = Vec::new();
        let mut shift = 0;
        let mut before: Option<&AuditRow> = None;
        for (i, row) in rows.iter().enumerate() {
            // What follows a lost record names it.
            let begins = before.is_none() && row.prev.is_empty() && self.may_begin_with(row.seq);
            breaks.extend(if begins { None } else { gap(before, row) });
            if recomputed == Some(i) {
                let what = "from here on the chain was written without the key";
                breaks.push(Told::Hard(at(BreakKind::AuditRecomputed, row.seq, what)));
                break;
            }
            if bad[i] {
                breaks.push(Told::Hard(self.changed(row, &mut shift)));
            }
            let linked = before.map_or(String::new(), |b| b.mac.to_string());
            if row.prev != linked && !bad[i] && before.is_none_or(|b| b.seq + 1 == row.seq) {
                let what = "it does not follow the record before it";
                breaks.push(Told::Hard(at(BreakKind::AuditLink, row.seq, what)));
            }
            before = Some(row);
        }
        breaks
    }

    /// A record whose MAC does not fit: renumbered when the MAC fits another number close by.
    fn changed(&self, row: &AuditRow, shift: &mut i64) -> Break {
        let fits = |by: i64| {
            let seq = row.seq.checked_add_signed(by);
            seq.is_some_and(|seq| self.was_number(row, seq))
        };
        let near = (1..=16).flat_map(|n| [n, -n]);
        match std::iter::once(*shift)
            .chain(near)
            .find(|by| *by != 0 && fits(*by))
        {
            Some(by) => {
                *shift = by;
                let was = row.seq.saturating_add_signed(by);
                let what = format!("it was record {was} and has been renumbered");
                at(BreakKind::AuditRenumbered, row.seq, &what)
            }
            None => at(
                BreakKind::AuditEdited,
                row.seq,
                "it was changed after it was written",
            ),
        }
    }
}

pub(super) fn at(kind: BreakKind, seq: u64, what: &str) -> Break {
    Break {
        kind,
        project: None,
        place: format!("audit record {seq}"),
        what: what.to_owned(),
    }
}

fn gap(before: Option<&AuditRow>, row: &AuditRow) -> Option<Told> {
    let last = before.map_or(0, |b| b.seq);
    if row.seq > last {
        return settled::gap(before, row).map(Told::Loose);
    }
    let what = format!("the record before it is {last}");
    Some(Told::Hard(at(BreakKind::AuditGap, row.seq, &what)))
}

/// Where a rewriting of the chain without the key begins: the start of the bad records that reach
/// its end, when the sealed head does not know the last one.
fn recomputed_from(rows: &[AuditRow], bad: &[bool], head: Option<&AuditHead>) -> Option<usize> {
    let last = rows.last()?;
    let known = head.is_some_and(|h| h.mac == last.mac);
    if known || !*bad.last()? {
        return None;
    }
    let from = bad.iter().rposition(|b| !b).map_or(0, |i| i + 1);
    // One bad record where the tail was cut may as well have been edited.
    let is_cut = head.is_some_and(|h| h.seq > last.seq);
    (!is_cut || rows.len() - from > 1).then_some(from)
}

fn end_break(rows: &[AuditRow], head: Option<&AuditHead>) -> Option<Told> {
    let last = rows.last();
    let number = last.map_or(0, |r| r.seq);
    let hard = |kind, seq, what: &str| Some(Told::Hard(at(kind, seq, what)));
    match (head, last) {
        (None, None) => None,
        (None, Some(_)) => {
            let what = "nothing sealed says that it is the last one";
            hard(BreakKind::AuditHead, number, what)
        }
        (Some(head), _) if head.seq == 0 || last.is_some_and(|r| r.mac == head.mac) => None,
        (Some(head), None) => {
            let what = "it is the last one, and no record is there at all";
            hard(BreakKind::AuditWiped, head.seq, what)
        }
        (Some(head), Some(last)) if last.seq < head.seq => {
            settled::tail(last, head).map(Told::Loose)
        }
        (Some(head), Some(_)) => {
            let what = format!("the sealed head is record {}, not this one", head.seq);
            hard(BreakKind::AuditHead, number, &what)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(trust: &Trust, n: u64) -> (Vec<AuditRow>, AuditHead) {
        let mut head = AuditHead::default();
        let mut rows = Vec::new();
        for i in 0..n {
            let row = AuditRow {
                at: "2026-01-01T00:00:00Z".into(),
                act: "decide".into(),
                project: "0123456789abcdef".into(),
                subjects: format!("{i:08x}"),
                details: r#"{"n":1}"#.into(),
                ..AuditRow::default()
            };
            let (row, next) = trust.append(&head, row);
            rows.push(row);
            head = next;
        }
        (rows, head)
    }

    fn found(all: Vec<Told>) -> Vec<Break> {
        let found = |told| match told {
            Told::Hard(found) => found,
            Told::Loose(loose) => loose.found(),
        };
        all.into_iter().map(found).collect()
    }

    fn kinds(trust: &Trust, rows: &[AuditRow], head: &AuditHead) -> Vec<(BreakKind, String)> {
        let breaks = found(trust.audit_breaks(rows, Some(head)));
        breaks.into_iter().map(|b| (b.kind, b.place)).collect()
    }

    #[test]
    fn changing_any_column_is_told() {
        let trust = Trust::for_tests(1);
        let (rows, head) = chain(&trust, 5);
        assert_eq!(kinds(&trust, &rows, &head), []);
        type Mutation = (&'static str, fn(&mut AuditRow));
        let mutations: [Mutation; 7] = [
            ("prev", |r| r.prev = "0".repeat(64)),
            ("at", |r| r.at.push('0')),
            ("act", |r| r.act = "expire".into()),
            ("project", |r| r.project.clear()),
            ("subjects", |r| r.subjects.push(' ')),
            ("details", |r| r.details = r#"{"n": 1}"#.into()),
            ("mac", |r| r.mac = Seal::default()),
        ];
        for at in [0, 2, 4] {
            for (name, mutate) in mutations {
                let mut bad = rows.clone();
                mutate(&mut bad[at]);
                let found = kinds(&trust, &bad, &head);
                assert!(!found.is_empty(), "{name} at {at}");
                assert_eq!(found[0].1, format!("audit record {}", at + 1), "{name}");
            }
        }
    }

    #[test]
    fn each_attack_is_reported_by_its_kind() {
        use BreakKind::{
            AuditEdited, AuditGap, AuditHead as Head, AuditRecomputed, AuditRenumbered, AuditTail,
            AuditWiped,
        };
        let trust = Trust::for_tests(1);
        let (rows, head) = chain(&trust, 6);
        let first = |rows: &[AuditRow], head: &AuditHead| {
            let all = kinds(&trust, rows, head);
            all.first().map(|(k, _)| *k)
        };
        let mut edited = rows.clone();
        edited[2].details = "{}".into();
        edited[5].details = "{}".into();
        let all: Vec<_> = kinds(&trust, &edited, &head);
        assert_eq!(
            all,
            [
                (AuditEdited, "audit record 3".into()),
                (AuditEdited, "audit record 6".into())
            ]
        );
        let mut cut = rows.clone();
        cut.remove(3);
        assert_eq!(
            kinds(&trust, &cut, &head),
            [(AuditGap, "audit record 5".into())]
        );
        let mut closed = cut.clone();
        closed.iter_mut().skip(3).for_each(|r| r.seq -= 1);
        assert_eq!(first(&closed, &head), Some(AuditRenumbered));
        assert_eq!(first(&rows[..4], &head), Some(AuditTail));
        assert_eq!(first(&[], &head), Some(AuditWiped));
        let (forged, forged_head) = chain(&Trust::for_tests(2), 6);
        assert_eq!(first(&forged, &forged_head), Some(AuditRecomputed));
        let tail = [&rows[..3], &forged[3..]].concat();
        assert_eq!(
            kinds(&trust, &tail, &head)[0],
            (AuditRecomputed, "audit record 4".into())
        );
        assert_eq!(first(&rows, &forged_head), Some(Head));
        let all = trust.audit_breaks(&rows, None);
        assert_eq!(found(all)[0].kind, Head);
    }

    #[test]
    fn swapped_and_repeated_records_do_not_pass() {
        let trust = Trust::for_tests(1);
        let (rows, head) = chain(&trust, 4);
        let mut swapped = rows.clone();
        swapped.swap(1, 2);
        assert!(!kinds(&trust, &swapped, &head).is_empty());
        let mut repeated = rows.clone();
        repeated.insert(2, rows[1].clone());
        assert!(!kinds(&trust, &repeated, &head).is_empty());
        assert_eq!(kinds(&trust, &[], &AuditHead::default()), []);
    }
}
