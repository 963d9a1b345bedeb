//! Tests of the database: each drives the real file in a temporary home.

mod also_secret;
mod chain;
mod damaged;
mod decide;
mod files;
mod foreign;
mod forget;
mod give_up;
mod grants;
mod intent;
mod life;
mod mutation;
mod not_secret;
mod refused_file;
mod rotate;
mod rows;

use super::{FileIntent, Intent, Project, Store, StoreError};
use crate::config::Places;
use crate::id::{EntryId, ProposalId};
use crate::memory::MemoryFile;
use crate::proposal::{
    Change, Decision, Fingerprint, Kind, Op, Origin, Proposal, Span, State, Usage,
};
use crate::text::TextHash;
use crate::trust::{Record, Trust};
use jiff::{SignedDuration, Timestamp};
use std::path::Path;

/// A home with a database, a key and one project in it.
struct Case {
    dir: tempfile::TempDir,
    store: Store,
    trust: Trust,
    project: Project,
}

fn day(n: i64) -> Timestamp {
    let start: Timestamp = "2026-01-01T12:00:00.25Z".parse().unwrap();
    start
        .checked_add(SignedDuration::from_hours(24 * n))
        .unwrap()
}

fn places(dir: &Path) -> Places {
    let home = dir.to_owned();
    Places::from_env(|name| (name == "HOME").then(|| home.clone().into())).unwrap()
}

fn id(n: u32) -> ProposalId {
    format!("{n:08x}").parse().unwrap()
}

fn change(n: u32, text: &str) -> Change {
    Change {
        n,
        op: Op::Add,
        file: MemoryFile::State,
        section: String::new(),
        target: None,
        text: text.to_owned(),
        reason: None,
        evidence: vec![],
        origin: Origin::User,
        earlier: None,
        also: vec![],
        verdicts: vec![],
    }
}

fn span(source: &str, start: u64, end: u64) -> Span {
    Span {
        source: source.to_owned(),
        start,
        end,
        fingerprint: Fingerprint::default(),
    }
}

impl Case {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(&places(dir.path())).unwrap();
        let trust = store.trust().unwrap();
        let root = Path::new("/p");
        let project = store.ensure_project(&trust, root, "p", day(0)).unwrap();
        Self {
            dir,
            store,
            trust,
            project,
        }
    }

    fn places(&self) -> Places {
        places(self.dir.path())
    }

    fn make(&self, n: u32, texts: &[&str]) -> Proposal {
        let changes = texts.iter().zip(1..).map(|(text, n)| change(n, text));
        Proposal {
            id: id(n),
            project: self.project.id.clone(),
            kind: Kind::Distill,
            back: None,
            created: day(0),
            trigger: "manual".into(),
            usage: Usage::default(),
            summary: "s".into(),
            changes: changes.collect(),
            spans: vec![span(&format!("/t/{n}"), 0, 100)],
            notes: vec![format!("{n}.md")],
            lines: vec![],
            coverage: vec![],
            hits: vec![],
            dropped: vec![],
        }
    }

    fn stage(&self, n: u32, texts: &[&str]) -> ProposalId {
        let proposal = self.make(n, texts);
        let seen = [format!("message {n}")];
        self.store
            .stage(&self.trust, &proposal, &seen, day(0))
            .unwrap();
        proposal.id
    }

    fn decide(&self, id: &ProposalId, n: u32, decision: Decision) {
        let seen = self.store.decisions(&self.trust, id).unwrap().last;
        let trust = &self.trust;
        self.store
            .decide(trust, id, n, decision, seen, day(0))
            .unwrap();
    }

    fn record(&self, entry: u32, text: &str) -> Record {
        let entry: EntryId = format!("{entry:012x}").parse().unwrap();
        let (project, file) = (self.project.id.clone(), MemoryFile::State);
        Record::new(project, entry, file, "", text, Origin::User, day(0))
    }

    fn intent(&self, id: &ProposalId, applied: &[u32], rejected: &[u32]) -> Intent {
        let record = |n: &u32| self.record(*n, &format!("- {n}"));
        Intent {
            proposal: id.clone(),
            project: self.project.id.clone(),
            decided: self.store.decisions(&self.trust, id).unwrap().last,
            files: vec![FileIntent {
                path: "state.md".into(),
                before: Some(TextHash::of("a")),
                after: Some("b".into()),
            }],
            records: applied.iter().map(record).collect(),
            applied: applied.to_vec(),
            rejected: rejected.to_vec(),
            dropped: vec![],
            reopened: vec![],
            message: Some("memory: one entry".into()),
            despite: None,
            unattended: None,
            at: day(0),
        }
    }

    fn state(&self, id: &ProposalId, now: Timestamp) -> State {
        self.store.status(id, now).unwrap().state
    }

    fn span_states(&self, n: u32) -> Vec<super::SpanState> {
        let source = format!("/t/{n}");
        let spans = self.store.spans(&self.project.id, &source).unwrap();
        spans.into_iter().map(|s| s.state).collect()
    }

    /// Begins and finishes an apply.
    fn apply(&self, intent: &Intent) {
        let (store, trust) = (&self.store, &self.trust);
        store.begin_apply(trust, intent, day(0)).unwrap();
        store.finish_apply(trust, &intent.proposal, day(0)).unwrap();
    }

    fn acts(&self) -> Vec<String> {
        let rows = self.store.audit_rows().unwrap();
        rows.into_iter().map(|r| r.act).collect()
    }

    fn breaks(&self) -> Vec<crate::trust::BreakKind> {
        let evidence = self.store.evidence(&self.trust, None).unwrap();
        let report = crate::trust::verify_all(&evidence, &self.trust, day(0), &str::to_owned);
        report.breaks.into_iter().map(|b| b.kind).collect()
    }

    /// SQL as somebody with write access to the file would run it.
    fn attack(&self, sql: &str) {
        let conn = rusqlite::Connection::open(self.store.path()).unwrap();
        conn.pragma_update(None, "foreign_keys", false).unwrap();
        for trigger in ["audit", "journal", "records"] {
            for what in ["update", "delete"] {
                conn.execute_batch(&format!("DROP TRIGGER IF EXISTS {trigger}_no_{what}"))
                    .unwrap();
            }
        }
        assert!(conn.execute(sql, []).unwrap() > 0, "{sql}");
        put_guards_back(&conn);
    }
}

/// As whoever wants to leave no trace would: what is gone of memd's own schema is made again.
fn put_guards_back(conn: &rusqlite::Connection) {
    for object in super::schema::missing(conn).unwrap() {
        conn.execute_batch(&object.sql).unwrap();
    }
}

#[test]
fn a_database_that_cannot_be_opened_for_writing_says_that_its_folder_may_be_read_only() {
    for code in [
        rusqlite::ffi::SQLITE_CANTOPEN,
        rusqlite::ffi::SQLITE_READONLY,
        rusqlite::ffi::SQLITE_PERM,
    ] {
        let source = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None);
        let path = "memd.db".into();
        let said = super::StoreError::Database { path, source }.to_string();
        assert!(said.contains("its folder or disk is read-only"), "{said}");
    }
}
