//! Everything that is sealed, read for verification: nothing is left out because it is broken.

use super::error::StoreError;
use super::open::Store;
use super::rows::StrayValue;
use super::{audit, journal, projects, records, stage};
use crate::id::{ProjectId, ProposalId};
use crate::trust::{Break, BreakKind, Evidence, ProjectEvidence, Trust};
use rusqlite::Transaction;

impl Store {
    /// What `memd verify` looks at: the audit chain, and the records of one or all projects, staged
    /// bodies and decisions included. The caller adds entries and commits.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn evidence(
        &self,
        trust: &Trust,
        only: Option<&ProjectId>,
    ) -> Result<Evidence, StoreError> {
        self.read(|tx| evidence(tx, trust, only))
    }
}

/// As [`Store::evidence`], as a transaction sees it.
pub(super) fn evidence(
    tx: &Transaction<'_>,
    trust: &Trust,
    only: Option<&ProjectId>,
) -> Result<Evidence, StoreError> {
    // Nothing verifies then, and nothing of it is broken.
    if let rotated @ StoreError::Trust(_) = audit::not_whole(tx, trust, String::new())? {
        return Err(rotated);
    }
    let mut evidence = Evidence {
        audit: audit::rows(tx)?,
        head: audit::head(tx)?,
        newest: super::newest::kept(tx)?,
        ..Evidence::default()
    };
    let words = super::not_secret::all(tx, trust)?.broken.into_iter();
    evidence.found.extend(words.map(|place| {
        let (place, what) = match place.split_once(": ") {
            Some((place, what)) => (place.to_owned(), what.to_owned()),
            None => (place, String::new()),
        };
        Break {
            kind: BreakKind::NotSecret,
            project: None,
            place,
            what,
        }
    }));
    let words = super::also_secret::broken(tx, trust)?.into_iter();
    evidence.found.extend(words.map(|place| {
        let (place, what) = place.split_once(": ").unwrap_or((&place, ""));
        Break {
            kind: BreakKind::AlsoSecret,
            project: None,
            place: place.to_owned(),
            what: what.to_owned(),
        }
    }));
    let grants = super::grants::broken(tx, trust)?.into_iter();
    evidence.found.extend(grants.map(|broken| Break {
        kind: BreakKind::Grant,
        project: broken.project.parse().ok(),
        place: format!("project {}: trust", broken.project),
        what: broken.why,
    }));
    let foreign = super::schema::foreign(tx)?;
    // What refers to what is asked of memd's own tables alone.
    let orphans = match foreign.is_empty() {
        true => super::lives::orphans(tx)?,
        false => Vec::new(),
    };
    evidence
        .found
        .extend(orphans.into_iter().map(|table| Break {
            kind: BreakKind::ProposalSeal,
            project: None,
            place: format!("table {table}"),
            what: "it has rows of a project or proposal that is not there".to_owned(),
        }));
    let strays = super::rows::look(tx, trust, only)?;
    evidence.found.extend(strays.iter().map(StrayValue::found));
    evidence
        .found
        .extend(foreign.into_iter().map(|place| Break {
            kind: BreakKind::ForeignObject,
            project: None,
            place,
            what: "memd did not make it as it is, and it may change what memd reads or writes; `memd doctor` makes the database anew from its rows".to_owned(),
        }));
    let gone = super::schema::missing(tx)?.into_iter();
    let guards = gone.filter(|object| object.kind == "trigger");
    evidence.found.extend(guards.map(|object| Break {
        kind: BreakKind::GuardGone,
        project: None,
        place: format!("trigger {:?}", object.name),
        what: "memd made it to keep what only grows from being changed, and it was taken out; `memd doctor` makes it again".to_owned(),
    }));
    if super::open::meta(tx, "key")?.is_none() && !evidence.audit.is_empty() {
        evidence.found.push(Break {
            kind: BreakKind::AuditHead,
            project: None,
            place: "database".to_owned(),
            what: "it does not say any more which key sealed it".to_owned(),
        });
    }
    for project in projects::ever(tx)? {
        if only.is_some_and(|id| *id != project.id) {
            continue;
        }
        let stored = records::all(tx, &project.id)?;
        let unreadable = stored.unreadable.into_iter().map(|what| Break {
            kind: BreakKind::RecordUnreadable,
            project: Some(project.id.clone()),
            place: format!("{}: records", project.name),
            what,
        });
        evidence.found.extend(unreadable);
        evidence.found.extend(staged(tx, trust, &project)?);
        let astray = super::lives::astray(tx, trust, &project)?;
        evidence.astray.extend(astray);
        let gone = super::lives::gone(tx, trust, &project.id)?;
        evidence.found.extend(gone.map(|what| Break {
            kind: BreakKind::ProposalSeal,
            project: Some(project.id.clone()),
            place: format!("{}: proposals", project.name),
            what,
        }));
        let coming = match super::apply::coming(tx, trust, &project.id) {
            Ok(coming) => coming,
            Err(StoreError::Tampered { what } | StoreError::Unreadable { what, .. }) => {
                evidence.found.push(Break {
                    kind: BreakKind::ProposalSeal,
                    project: Some(project.id.clone()),
                    place: format!("{}: {what}", project.name),
                    what: "it was changed".to_owned(),
                });
                Vec::new()
            }
            Err(e) => return Err(e),
        };
        evidence.projects.push(ProjectEvidence {
            coming,
            manifest: records::manifest(tx, &project.id)?,
            records: stored.records,
            project: project.id,
            name: project.name,
            entries: None,
            commits: None,
        });
    }
    Ok(evidence)
}

/// Staged bodies and decisions of a project that are not what was written.
fn staged(
    tx: &Transaction<'_>,
    trust: &Trust,
    project: &projects::Project,
) -> Result<Vec<Break>, StoreError> {
    let sql = "SELECT id FROM proposals WHERE project = ?1 ORDER BY created, id";
    let mut query = tx.prepare_cached(sql)?;
    let ids = query
        .query_map([project.id.as_str()], |row| row.get::<_, String>(0))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let mut breaks = Vec::new();
    let given_up = super::lives::given_up(tx, trust, &project.id)?;
    for id in ids.into_iter().filter(|id| !given_up.contains(id)) {
        let broken = match projects::parse::<ProposalId>("proposal id", &id) {
            Ok(id) => stage::load(tx, trust, &id)
                .map(drop)
                .and_then(|()| journal::load(tx, trust, &id).map(drop)),
            Err(e) => Err(e),
        };
        match broken {
            Ok(()) => {}
            Err(StoreError::Tampered { .. } | StoreError::Unreadable { .. }) => {
                breaks.push(Break {
                    kind: BreakKind::ProposalSeal,
                    project: Some(project.id.clone()),
                    place: format!("{}: proposal {id}", project.name),
                    what: "its body or a decision on it was changed".to_owned(),
                });
            }
            Err(e) => return Err(e),
        }
    }
    Ok(breaks)
}
