//! Whether proposals stand where the audit chain saw them last, with all the decisions that it saw.
//!
//! Their state, and that a row is there at all, is no part of their seals: the chain holds it.

use super::error::StoreError;
use crate::id::ProjectId;
use crate::trust::Act;
use rusqlite::Transaction;
use std::collections::BTreeMap;

/// What the chain says of one proposal.
#[derive(Default)]
struct Told {
    is_staged: bool,
    /// States that the newest act on its life leaves it in.
    states: &'static [&'static str],
    /// Decisions, and turns of them, in the journal.
    steps: u64,
    /// How often what was applied or ended was settled there: at least, and at most.
    settled: (u64, u64),
}

/// What stands in the database of one.
#[derive(Default)]
struct Stands {
    state: Option<String>,
    steps: u64,
    settled: u64,
    is_pending: bool,
}

/// Proposals of a project that do not stand as the chain says, and what is wrong.
pub(super) fn broken(
    tx: &Transaction<'_>,
    project: &ProjectId,
) -> Result<Vec<(String, &'static str)>, StoreError> {
    let told = told(tx, project)?;
    let mut all = standing(tx, project)?;
    for id in told.keys() {
        all.entry(id.clone()).or_default();
    }
    let nothing = Told::default();
    let what = |(id, stands): (String, Stands)| {
        let what = against(told.get(&id).unwrap_or(&nothing), &stands)?;
        Some((id, what))
    };
    Ok(all.into_iter().filter_map(what).collect())
}

fn against(told: &Told, stands: &Stands) -> Option<&'static str> {
    match &stands.state {
        _ if !told.is_staged => Some("no audit record says that it was staged"),
        None => Some("it was staged, and is gone"),
        Some(state) if !told.states.contains(&state.as_str()) => {
            Some("the audit chain says that it is past this, or was never there")
        }
        Some(state) if (state == "applying") != stands.is_pending => {
            Some("what its unfinished apply is about to write is gone, or was finished already")
        }
        Some(_) if told.steps != stands.steps => {
            Some("there are other decisions on it than the audit chain has")
        }
        Some(_) if !(told.settled.0..=told.settled.1).contains(&stands.settled) => {
            Some("what was applied or ended of it is not what the audit chain has")
        }
        Some(_) => None,
    }
}

/// The states that an act leaves a proposal in; `None`: it has none to do with its life.
fn states(act: &str) -> Option<&'static [&'static str]> {
    let is = |among: &[Act]| among.iter().any(|a| a.name() == act);
    if is(&[Act::Stage, Act::Revive]) {
        Some(&["staged"])
    } else if is(&[Act::BeginApply]) {
        Some(&["applying"])
    } else if is(&[Act::AbortApply]) {
        Some(&["staged", "applied", "expired"])
    } else if is(&[
        Act::Apply,
        Act::Adopt,
        Act::Revert,
        Act::Restore,
        Act::Tombstone,
        Act::AcceptedAfter,
    ]) {
        Some(&["applied"])
    } else if is(&[Act::Discard]) {
        // What is left of an applied one stays applied.
        Some(&["discarded", "applied"])
    } else if is(&[Act::Return]) {
        Some(&["returned", "applied"])
    } else if is(&[Act::Expire]) {
        Some(&["expired"])
    } else {
        None
    }
}

/// How often an act settles something, where a proposal stood in one of these states.
fn settles(act: &str, before: &[&str]) -> (u64, u64) {
    let of_applied = act == Act::Return.name() && before.contains(&"applied");
    match states(act) {
        // Of what is applied only the rest is given back, which settles it.
        _ if of_applied => (u64::from(before.len() == 1), 1),
        Some(["applied"] | ["discarded", "applied"]) => (1, 1),
        _ => (0, 0),
    }
}

fn told(tx: &Transaction<'_>, project: &ProjectId) -> Result<BTreeMap<String, Told>, StoreError> {
    // Ids of proposals have eight digits, those of entries more.
    let sql = "SELECT subjects, act FROM audit WHERE project = ?1 AND length(subjects) = 8
               ORDER BY seq";
    let mut query = tx.prepare_cached(sql)?;
    let rows = query.query_map([project.as_str()], |row| row.try_into())?;
    let mut all: BTreeMap<String, Told> = BTreeMap::new();
    let steps = [Act::Decide, Act::Undo, Act::Redo].map(Act::name);
    for row in rows {
        let (id, act): (String, String) = row?;
        let is_stage = act == Act::Stage.name();
        if let Some(states) = states(&act) {
            let told = all.entry(id).or_default();
            let (least, most) = settles(&act, told.states);
            told.settled.0 += least;
            told.settled.1 += most;
            told.is_staged |= is_stage;
            told.states = states;
        } else if steps.contains(&act.as_str()) {
            all.entry(id).or_default().steps += 1;
        }
    }
    Ok(all)
}

fn standing(
    tx: &Transaction<'_>,
    project: &ProjectId,
) -> Result<BTreeMap<String, Stands>, StoreError> {
    let sql = "SELECT id, state,
                   (SELECT count(*) FROM journal WHERE proposal = id AND step <> 'settle'),
                   EXISTS (SELECT 1 FROM intents WHERE proposal = id AND intents.project = ?1),
                   (SELECT count(*) FROM journal WHERE proposal = id AND step = 'settle')
               FROM proposals WHERE project = ?1";
    let mut query = tx.prepare_cached(sql)?;
    let rows = query.query_map([project.as_str()], |row| {
        let stands = Stands {
            state: row.get(1)?,
            steps: super::open::unsigned(row, 2)?,
            is_pending: row.get(3)?,
            settled: super::open::unsigned(row, 4)?,
        };
        Ok((row.get(0)?, stands))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Tables with rows that belong to a project or proposal which is not there. memd never leaves one.
pub(super) fn orphans(tx: &Transaction<'_>) -> Result<Vec<&'static str>, StoreError> {
    let sealed = [
        "proposals",
        "journal",
        "intents",
        "records",
        "manifests",
        "grants",
    ];
    let mut found = Vec::new();
    for table in sealed {
        if !super::open::has_table(tx, table)? {
            continue;
        }
        let mut query = tx.prepare(&format!("PRAGMA foreign_key_check({table})"))?;
        found.extend(query.exists([])?.then_some(table));
    }
    Ok(found)
}
