//! Where memd may apply without a person: read by whoever would, written when a person says so on a
//! terminal.
//!
//! A row alone grants nothing: its seal must hold, the newest act on the project's trust must speak
//! of just this row, and the audit chain must be whole from that act to its end.

use super::audit::{self, Note, append};
use super::error::StoreError;
use super::open::{Store, has_table};
use super::projects::by_id;
use crate::id::ProjectId;
use crate::trust::{Act, AuditHead, AuditRow, Grant, Mode, Seal, Trust};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Transaction};
use serde_json::{Value, json};

/// The acts that say who may apply: each ends what the one before said.
const ACTS: [Act; 3] = [Act::Trust, Act::ForgetProject, Act::MoveProject];

/// A row that grants nothing.
pub(super) struct Broken {
    /// The project it is about, as stored.
    pub project: String,
    /// Why.
    pub why: String,
}

/// What may be applied in a project without a person. Whatever cannot be verified grants nothing.
pub(super) fn mode(
    tx: &Transaction<'_>,
    trust: &Trust,
    project: &ProjectId,
) -> Result<Mode, StoreError> {
    if !has_table(tx, "grants")? {
        return Ok(Mode::Stages);
    }
    let Some(row) = row(tx, project.as_str())? else {
        return Ok(Mode::Stages);
    };
    Ok(holds(tx, trust, row)?.map_or(Mode::Stages, |grant| grant.mode()))
}

/// Every row that grants nothing.
pub(super) fn broken(tx: &Transaction<'_>, trust: &Trust) -> Result<Vec<Broken>, StoreError> {
    if !has_table(tx, "grants")? {
        return Ok(Vec::new());
    }
    let mut query = tx.prepare_cached("SELECT project FROM grants ORDER BY project")?;
    let all = query.query_map([], |row| row.get::<_, String>(0))?;
    let mut broken = Vec::new();
    for project in all.collect::<rusqlite::Result<Vec<_>>>()? {
        if let Some(row) = row(tx, &project)?
            && let Err(why) = holds(tx, trust, row)?
        {
            broken.push(Broken { project, why });
        }
    }
    Ok(broken)
}

/// Seals every leave with the next key: what this one sealed alone. How many.
pub(super) fn reseal(tx: &Transaction<'_>, old: &Trust, new: &Trust) -> Result<usize, StoreError> {
    let mut query = tx.prepare_cached("SELECT project FROM grants")?;
    let all = query.query_map([], |row| row.get::<_, String>(0))?;
    let all = all.collect::<rusqlite::Result<Vec<_>>>()?;
    let mut count = 0;
    for project in &all {
        let Some(raw) = row(tx, project)? else {
            continue;
        };
        // What does not hold stays as it is.
        if let Ok(grant) = holds(tx, old, raw)? {
            remove(tx, &grant.project)?;
            insert(tx, &new.seal_grant(grant))?;
            count += 1;
        }
    }
    Ok(count)
}

/// A row as stored.
type Raw = (String, u32, i64, String, String, String);

fn row(tx: &Transaction<'_>, project: &str) -> Result<Option<Raw>, StoreError> {
    let sql = "SELECT project, format, hooks, at, key, seal FROM grants WHERE project = ?1";
    let mut query = tx.prepare_cached(sql)?;
    Ok(query
        .query_row([project], |row| row.try_into())
        .optional()?)
}

/// A row as a grant, or why it is none.
fn holds(
    tx: &Transaction<'_>,
    trust: &Trust,
    raw: Raw,
) -> Result<Result<Grant, String>, StoreError> {
    let (project, format, hooks, at, key, seal) = raw;
    let hooks = match hooks {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    };
    let (Ok(project), Ok(at), Some(hooks)) = (project.parse(), at.parse(), hooks) else {
        return Ok(Err("it cannot be read".to_owned()));
    };
    let grant = Grant {
        format,
        project,
        hooks,
        at,
        key,
        seal: Seal::stored(seal),
    };
    if let Err(why) = trust.verify_grant(&grant) {
        return Ok(Err(why.to_string()));
    }
    Ok(is_said(tx, trust, &grant)?.map(|()| grant))
}

/// Whether the newest act on the project's trust gave just this grant, and nothing after it was
/// taken out of the chain: a later word may have been.
fn is_said(
    tx: &Transaction<'_>,
    trust: &Trust,
    grant: &Grant,
) -> Result<Result<(), String>, StoreError> {
    let said = newest(tx, &grant.project)?;
    let is_it = |row: &AuditRow| {
        let details: Value = serde_json::from_str(&row.details).unwrap_or_default();
        row.act == Act::Trust.name() && details == details_of(grant, &details)
    };
    match said.filter(is_it) {
        None => Ok(Err("the audit chain does not say so".to_owned())),
        Some(row) if audit::is_whole_from(tx, trust, row.seq)? => Ok(Ok(())),
        Some(_) => Ok(Err(
            "the audit chain is broken since it was granted".to_owned()
        )),
    }
}

/// What the audit record of a grant holds. The time of a clock that was set back may be in it too.
fn details_of(grant: &Grant, found: &Value) -> Value {
    let mut details = json!({
        "granted": true,
        "hooks": grant.hooks,
        "since": grant.at.to_string(),
    });
    if let Some(clock) = found.get("clock") {
        details["clock"] = clock.clone();
    }
    details
}

fn newest(tx: &Transaction<'_>, project: &ProjectId) -> Result<Option<AuditRow>, StoreError> {
    let names = ACTS.map(Act::name);
    let which = "WHERE project = ?1 AND act IN (?2, ?3, ?4) ORDER BY seq DESC LIMIT 1";
    let params = (project.as_str(), names[0], names[1], names[2]);
    Ok(audit::select(tx, which, params)?.pop())
}

/// Takes the row away, in the transaction of an act that ends the trust; whether there was one.
pub(super) fn remove(tx: &Transaction<'_>, project: &ProjectId) -> Result<bool, StoreError> {
    let sql = "DELETE FROM grants WHERE project = ?1";
    Ok(tx.prepare_cached(sql)?.execute([project.as_str()])? > 0)
}

impl Store {
    /// What may be applied in a project without a person. Whatever cannot be verified grants
    /// nothing.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn mode(&self, trust: &Trust, project: &ProjectId) -> Result<Mode, StoreError> {
        self.read(|tx| mode(tx, trust, project))
    }

    /// Keeps a person's leave, given on a terminal, to apply in a project without them; with
    /// `hooks` also from hooks and sweeps. It replaces an earlier one.
    ///
    /// # Errors
    /// When there is no such project, or the database cannot be written.
    pub fn grant(
        &self,
        trust: &Trust,
        project: &ProjectId,
        hooks: bool,
        now: Timestamp,
    ) -> Result<AuditHead, StoreError> {
        let grant = trust.seal_grant(Grant {
            format: 0,
            project: project.clone(),
            hooks,
            at: now,
            key: String::new(),
            seal: Seal::default(),
        });
        self.write(|tx| {
            by_id(tx, project)?;
            remove(tx, project)?;
            insert(tx, &grant)?;
            append(
                tx,
                trust,
                note(project, details_of(&grant, &Value::Null)),
                now,
            )
        })
    }

    /// Takes the leave away; whether there was one.
    ///
    /// # Errors
    /// When there is no such project, or the database cannot be written.
    pub fn revoke(
        &self,
        trust: &Trust,
        project: &ProjectId,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.write(|tx| {
            by_id(tx, project)?;
            let removed = remove(tx, project)?;
            let last = newest(tx, project)?.filter(|row| row.act == Act::Trust.name());
            let granted = |row: AuditRow| {
                let details: Value = serde_json::from_str(&row.details).unwrap_or_default();
                details.get("granted").and_then(Value::as_bool) != Some(false)
            };
            // Also when only the row is gone: it could be put there again.
            let revoked = removed || last.is_some_and(granted);
            if revoked {
                append(tx, trust, note(project, json!({ "granted": false })), now)?;
            }
            Ok(revoked)
        })
    }
}

fn note(project: &ProjectId, details: Value) -> Note<'_> {
    Note {
        act: Act::Trust,
        project: Some(project),
        subjects: vec![],
        details,
    }
}

fn insert(tx: &Transaction<'_>, grant: &Grant) -> Result<(), StoreError> {
    let sql = "INSERT INTO grants (project, format, hooks, at, key, seal)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    tx.prepare_cached(sql)?.execute((
        grant.project.as_str(),
        grant.format,
        grant.hooks,
        grant.at.to_string(),
        &grant.key,
        grant.seal.as_str(),
    ))?;
    Ok(())
}
