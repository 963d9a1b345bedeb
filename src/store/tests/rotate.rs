//! A rotated key: all of it sealed anew or none, whatever it is killed in; and what is left to
//! somebody who has the old one.

mod left_out;
mod meanwhile;
mod retired;

use super::*;
use crate::lock::Stillness;
use crate::redact::Redactor;
use crate::store::{HiddenValue, Rotated};
use crate::trust::{BreakKind, verify_all};
use rusqlite::Connection;

/// A database with at least one row in every table that is sealed.
pub(super) fn full() -> Case {
    let case = Case::new();
    let applied = case.stage(1, &["- one", "- two"]);
    case.decide(&applied, 1, Decision::Accepted);
    case.decide(&applied, 2, Decision::Rejected);
    let intent = case.intent(&applied, &[1], &[2]);
    case.store
        .begin_apply(&case.trust, &intent, day(0))
        .unwrap();
    case.store
        .finish_apply(&case.trust, &applied, day(0))
        .unwrap();
    let pending = case.stage(2, &["- three"]);
    case.decide(&pending, 1, Decision::Accepted);
    let mut intent = case.intent(&pending, &[1], &[]);
    intent.records = vec![case.record(3, "- three")];
    case.store
        .begin_apply(&case.trust, &intent, day(0))
        .unwrap();
    let value = HiddenValue {
        fingerprint: &"ab".repeat(16),
        rule: "keyword",
        length: "8-15",
    };
    case.store
        .set_not_secret(&case.trust, value, day(0))
        .unwrap();
    let redactor = || Redactor::new(&[], case.trust.redaction_key()).0;
    let also = redactor().also("the blue horse of 1987").unwrap();
    case.store
        .set_also_secret(&case.trust, &also, redactor(), day(0))
        .unwrap();
    case.store
        .grant(&case.trust, &case.project.id, true, day(0))
        .unwrap();
    assert_eq!(case.breaks(), []);
    case
}

impl Case {
    fn rotate(&self) -> Result<Rotated, StoreError> {
        let still = Stillness::take(&self.places().locks(), [&self.project.id]).unwrap();
        let trust = self.store.trust()?;
        self.store.rotate_key(still.key(), &trust, day(1))
    }

    fn breaks_with(&self, trust: &Trust) -> Vec<BreakKind> {
        let evidence = self.store.evidence(trust, None).unwrap();
        let report = verify_all(&evidence, trust, day(1), &str::to_owned);
        report.breaks.into_iter().map(|b| b.kind).collect()
    }

    /// The files of the state folder that a kill could leave half done.
    fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.places().state.join(name)).unwrap()
    }

    /// The database as one file, nothing left beside it.
    pub(super) fn whole_database(&self) -> Vec<u8> {
        let conn = Connection::open(self.store.path()).unwrap();
        conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
            .unwrap();
        std::fs::read(self.store.path()).unwrap()
    }
}

#[test]
fn a_rotated_key_seals_everything_and_the_chain_goes_on() {
    let case = full();
    let before = case.store.audit_rows().unwrap();
    let rotated = case.rotate().unwrap();
    let trust = case.store.trust().unwrap();
    assert_eq!(rotated.old, case.trust.key_id());
    assert_eq!(rotated.new, trust.key_id());
    assert_eq!(rotated.counts, {
        let mut counts = case.store.sealed_counts().unwrap();
        counts.audit -= 2;
        counts
    });
    let counts = rotated.counts;
    let all = [
        counts.records,
        counts.manifests,
        counts.proposals,
        counts.decisions,
        counts.applies,
        counts.words,
        counts.grants,
        counts.audit,
    ];
    assert!(all.iter().all(|n| *n > 0), "{counts:?}");
    assert_eq!(case.breaks_with(&trust), []);
    // What was hidden keeps its name.
    assert_eq!(trust.redaction_key(), case.trust.redaction_key());
    // Commits and copies name records by their MACs.
    let after = case.store.audit_rows().unwrap();
    assert_eq!(after[..before.len()], before);
    let last = &after[rotated.last as usize - 1];
    let first = &after[rotated.last as usize];
    assert_eq!((last.act.as_str(), first.act.as_str()), ("key", "key"));
    assert!(case.trust.is_written(last) && !case.trust.is_written(first));
    for row in [last, first] {
        assert!(row.details.contains(&rotated.old) && row.details.contains(&rotated.new));
    }
    assert!(!case.places().next_key().exists());
    // Guards of the tables stand.
    let conn = Connection::open(case.store.path()).unwrap();
    for sql in [
        "UPDATE records SET text = ''",
        "DELETE FROM journal",
        "UPDATE audit SET act = ''",
    ] {
        assert!(conn.execute(sql, []).is_err(), "{sql}");
    }
    // And it goes on from there.
    assert_eq!(
        case.store.mode(&trust, &case.project.id).unwrap(),
        crate::trust::Mode::AppliesFromHooks
    );
    let pending = case
        .store
        .pending_apply(&trust, &case.project.id)
        .unwrap()
        .unwrap();
    case.store
        .finish_apply(&trust, &pending.proposal, day(1))
        .unwrap();
    assert_eq!(case.breaks_with(&trust), []);
}

#[test]
fn a_key_is_rotated_again_and_again() {
    let case = full();
    let mut ids = vec![case.trust.key_id().to_owned()];
    for n in 1..=4 {
        ids.push(case.rotate().unwrap().new);
        let trust = case.store.trust().unwrap();
        assert_eq!(case.breaks_with(&trust), [], "{n}");
        let retired: Vec<_> = trust.retired().iter().map(|k| k.id.clone()).collect();
        assert_eq!(retired, ids[..n]);
        assert_eq!(trust.redaction_key(), case.trust.redaction_key());
    }
}
