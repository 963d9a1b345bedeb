//! What does not hold, given up by a person: a proposal that was changed outside memd, or the records
//! of one project. On record, and nothing that was not read becomes trusted by it.
//!
//! A proposal's rows stay as they are, as evidence, and are read no more; its material is free again.
//! Where records go is [`records`].

mod records;

pub use records::GivenUp;

use super::audit::{self, Note, append};
use super::error::StoreError;
use super::open::Store;
use super::projects::{Project, ever, parse};
use super::{apply, journal, lives, shown, stage};
use crate::id::{ProjectId, ProposalId};
use crate::trust::{Act, Trust};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Transaction};
use serde_json::json;
use std::collections::BTreeSet;

/// A proposal that is not what memd wrote, or does not stand where the audit chain saw it last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsound {
    /// Which.
    pub id: ProposalId,
    /// Its project.
    pub project: ProjectId,
    /// The project's name.
    pub name: String,
    /// Whether something of it would be to decide.
    pub is_open: bool,
}

impl Store {
    /// Proposals that do not hold, of one project or of all: those of which something is open alone, or
    /// whatever became of them.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn unsound(
        &self,
        trust: &Trust,
        only: Option<&ProjectId>,
        open: bool,
    ) -> Result<Vec<Unsound>, StoreError> {
        self.read(|tx| {
            let mut projects = ever(tx)?;
            projects.retain(|p| only.is_none_or(|id| *id == p.id));
            let mut all = Vec::new();
            for project in projects {
                all.extend(of_project(tx, trust, &project, open)?);
            }
            Ok(all)
        })
    }

    /// Gives up a proposal that does not hold: nothing of it is read any more, and what it was made of
    /// is free to be read again, unless something of it was applied. False: it holds, and nothing was
    /// done.
    ///
    /// # Errors
    /// When the database cannot be written, or the chain's head is not the one that was sealed.
    pub fn give_up_proposal(
        &self,
        trust: &Trust,
        of: &Unsound,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.write(|tx| {
            let project = super::projects::by_id(tx, &of.project)?;
            let found = of_project(tx, trust, &project, false)?;
            let is_unsound = found.iter().any(|one| one.id == of.id);
            if is_unsound {
                give_up(tx, trust, &of.project, &of.id, now)?;
            }
            Ok(is_unsound)
        })
    }
}

fn of_project(
    tx: &Transaction<'_>,
    trust: &Trust,
    project: &Project,
    open: bool,
) -> Result<Vec<Unsound>, StoreError> {
    let given_up = lives::given_up(tx, trust, &project.id)?;
    let sql =
        "SELECT id, state IN ('staged', 'applying', 'expired') OR state = 'applied' AND open > 0
               FROM proposals WHERE project = ?1 ORDER BY created, id";
    let mut query = tx.prepare_cached(sql)?;
    let rows = query.query_map([project.id.as_str()], |row| row.try_into())?;
    let rows = rows.collect::<rusqlite::Result<Vec<(String, bool)>>>()?;
    let mut broken: BTreeSet<String> = astray(tx, trust, project)?;
    broken.extend(unfinished(tx, trust, &project.id)?);
    let is_open = |id: &str| rows.iter().any(|(row, open)| row == id && *open);
    for (id, is_open) in &rows {
        let is_read = !given_up.contains(id) && (*is_open || !open);
        if is_read && !broken.contains(id) && !holds(tx, trust, id)? {
            broken.insert(id.clone());
        }
    }
    let mut all = Vec::new();
    for id in broken {
        let is_open = is_open(&id);
        // What is no id is no proposal of memd's.
        if let Ok(id) = id.parse()
            && (is_open || !open)
        {
            all.push(Unsound {
                id,
                project: project.id.clone(),
                name: project.name.clone(),
                is_open,
            });
        }
    }
    Ok(all)
}

/// Those that stand elsewhere than the chain says, where nothing that is missing of it explains it: a
/// person settles that.
fn astray(
    tx: &Transaction<'_>,
    trust: &Trust,
    project: &Project,
) -> Result<BTreeSet<String>, StoreError> {
    let mut astray = lives::astray(tx, trust, project)?;
    if !astray.is_empty() {
        let (rows, head) = (audit::rows(tx)?, audit::head(tx)?);
        astray.retain(|a| !a.is_explained(&rows, head.as_ref()));
    }
    Ok(astray.into_iter().map(|a| a.proposal).collect())
}

/// Whether a body and the decisions on it are what was written.
fn holds(tx: &Transaction<'_>, trust: &Trust, id: &str) -> Result<bool, StoreError> {
    let loaded = parse::<ProposalId>("proposal id", id).and_then(|id| {
        stage::load(tx, trust, &id)?;
        journal::load(tx, trust, &id).map(drop)
    });
    match loaded {
        Ok(()) => Ok(true),
        Err(StoreError::Tampered { .. } | StoreError::Unreadable { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// The proposal whose unfinished apply is not what was written.
fn unfinished(
    tx: &Transaction<'_>,
    trust: &Trust,
    project: &ProjectId,
) -> Result<Option<String>, StoreError> {
    match apply::coming(tx, trust, project) {
        Ok(_) => Ok(None),
        Err(StoreError::Tampered { .. } | StoreError::Unreadable { .. }) => applying(tx, project),
        Err(error) => Err(error),
    }
}

/// The proposal that an unfinished apply of a project is of.
fn applying(tx: &Transaction<'_>, project: &ProjectId) -> Result<Option<String>, StoreError> {
    let sql = "SELECT proposal FROM intents WHERE project = ?1";
    let mut query = tx.prepare_cached(sql)?;
    let found = query.query_row([project.as_str()], |row| row.get(0));
    Ok(found.optional()?)
}

fn give_up(
    tx: &Transaction<'_>,
    trust: &Trust,
    project: &ProjectId,
    id: &ProposalId,
    now: Timestamp,
) -> Result<(), StoreError> {
    let gone = lives::uncounted(tx, trust, project, id.as_str())?;
    // What is there now, to be told from what somebody makes of it later.
    let row = shown::row(tx, id)?;
    for table in ["spans", "notes"] {
        let sql = format!("DELETE FROM {table} WHERE proposal = ?1 AND state = 'staged'");
        tx.execute(&sql, [id.as_str()])?;
    }
    if gone.is_unused {
        tx.execute("DELETE FROM seen WHERE proposal = ?1", [id.as_str()])?;
    }
    tx.execute("DELETE FROM intents WHERE proposal = ?1", [id.as_str()])?;
    if row.is_none() {
        journal::forget(tx, id)?;
    }
    let sql = "UPDATE proposals SET state = 'discarded', open = 0, note = NULL
               WHERE id = ?1 AND project = ?2";
    tx.execute(sql, [id.as_str(), project.as_str()])?;
    // What its curator was told goes to the next one again.
    let sql = "UPDATE proposals SET told = NULL WHERE told = ?1";
    tx.execute(sql, [id.as_str()])?;
    let note = Note {
        act: Act::GiveUp,
        project: Some(project),
        subjects: vec![id.as_str()],
        details: json!({
            "what": "proposal",
            "row": row.as_ref().map(|hash| hash.as_str()),
            "staged": gone.staged,
            "steps": gone.steps,
        }),
    };
    append(tx, trust, note, now).map(drop)
}
