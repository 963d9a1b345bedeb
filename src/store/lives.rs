//! Whether proposals stand where the audit chain saw them last, with all the decisions that it saw.
//!
//! Their state, and that a row is there at all, is no part of their seals: the chain holds it. Where
//! records of it are missing, a person's word says where they stand ([`Life::settled`]).

use super::apply::Intent;
use super::audit;
use super::error::StoreError;
use super::newest::{Standing, standing};
use super::projects::Project;
use crate::id::ProjectId;
use crate::proposal::State;
use crate::text::{self, TextHash};
use crate::trust::{Act, Astray, AuditRow, Life, Trust};
use rusqlite::Transaction;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

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
    /// A person gave it up.
    is_given_up: bool,
    /// The record that staged it, or the word of a person on it.
    base: u64,
    /// The record that left it in its state.
    newest: u64,
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
pub(super) fn astray(
    tx: &Transaction<'_>,
    trust: &Trust,
    project: &Project,
) -> Result<Vec<Astray>, StoreError> {
    let told = told(tx, trust, &project.id)?;
    let mut all = all(tx, &project.id)?;
    for id in told.keys() {
        all.entry(id.clone()).or_default();
    }
    let nothing = Told::default();
    let astray = |(id, stands): (String, Stands)| {
        let told = told.get(&id).unwrap_or(&nothing);
        let what = against(told, &stands)?.to_owned();
        Some(Astray {
            project: project.id.clone(),
            place: format!("{}: proposal {id}", project.name),
            proposal: id.clone(),
            what,
            after: after(told, &stands),
            life: explained(told, &stands, id),
        })
    };
    Ok(all.into_iter().filter_map(astray).collect())
}

/// What is gone of a project's proposals and decisions together with what the chain said of it, if
/// anything.
pub(super) fn gone(
    tx: &Transaction<'_>,
    trust: &Trust,
    project: &ProjectId,
) -> Result<Option<String>, StoreError> {
    let Standing::Sealed(newest) = standing(tx, trust)? else {
        return Ok(None);
    };
    let (staged, steps) = newest.lives(project.as_str());
    let mut all = self::all(tx, project)?;
    let given_up = given_up(tx, trust, project)?;
    all.retain(|id, _| !given_up.contains(id));
    let there = (all.len() as u64, all.values().map(|s| s.steps).sum::<u64>());
    let is_whole = there.0 >= staged && there.1 >= steps;
    Ok((!is_whole).then(|| {
        format!(
            "{} and {} are there, and the sealed head of the audit chain says {staged} and {steps}: some were taken out",
            text::count(all.len(), "proposal", "proposals"),
            text::count(usize::try_from(there.1).unwrap_or(usize::MAX), "decision", "decisions"),
        )
    }))
}

/// Proposals of a project that a person gave up: nothing of them is read any more.
pub(super) fn given_up(
    tx: &Transaction<'_>,
    trust: &Trust,
    project: &ProjectId,
) -> Result<BTreeSet<String>, StoreError> {
    let which = "WHERE project = ?1 AND act = ?2 AND length(subjects) = 8";
    let rows = audit::select(tx, which, [project.as_str(), Act::GiveUp.name()])?;
    let rows = rows.into_iter().filter(|row| trust.is_written(row));
    Ok(rows.map(|row| row.subjects).collect())
}

/// What is no longer missed of a proposal that is given up.
#[derive(Debug, Default)]
pub(super) struct Uncounted {
    /// Proposals that were staged.
    pub staged: u64,
    /// Decisions, and turns of them.
    pub steps: u64,
    /// Whether nothing of it was ever applied or ended: its material is free again.
    pub is_unused: bool,
}

/// What the chain and the database have of a proposal that is to be given up.
pub(super) fn uncounted(
    tx: &Transaction<'_>,
    trust: &Trust,
    project: &ProjectId,
    id: &str,
) -> Result<Uncounted, StoreError> {
    let told = told(tx, trust, project)?;
    let Some(told) = told.get(id).filter(|told| !told.is_given_up) else {
        return Ok(Uncounted::default());
    };
    let steps = all(tx, project)?.get(id).map_or(0, |stands| stands.steps);
    Ok(Uncounted {
        staged: u64::from(told.is_staged),
        steps: told.steps.max(steps),
        is_unused: told.settled.1 == 0,
    })
}

/// Whether all proposals of a project stand as the chain says; the first that does not.
pub(super) fn first_astray(
    tx: &Transaction<'_>,
    trust: &Trust,
    project: &ProjectId,
) -> Result<Option<String>, StoreError> {
    if let Some(gone) = gone(tx, trust, project)? {
        return Ok(Some(gone));
    }
    let project = super::projects::by_id(tx, project)?;
    Ok(astray(tx, trust, &project)?
        .into_iter()
        .next()
        .map(|a| a.place))
}

/// Whether the newest act on a proposal's life began just this apply.
pub(super) fn is_begun(
    tx: &Transaction<'_>,
    trust: &Trust,
    intent: &Intent,
    body: &TextHash,
) -> Result<bool, StoreError> {
    let which = "WHERE project = ?1 AND subjects = ?2 ORDER BY seq DESC";
    let of = [intent.project.as_str(), intent.proposal.as_str()];
    let acts = audit::select(tx, which, of)?.into_iter();
    let mut acts = acts.filter(|row| states(&row.act).is_some() || row.act == Act::GiveUp.name());
    Ok(acts.next().is_some_and(|row| {
        let details: Value = serde_json::from_str(&row.details).unwrap_or_default();
        // Older records do not say which.
        let is_it = |said: &Value| *said == body.as_str();
        row.act == Act::BeginApply.name()
            && trust.is_written(&row)
            && details.get("intent").is_none_or(is_it)
    }))
}

/// Behind which record others have to be missing, so that they explain it.
fn after(told: &Told, stands: &Stands) -> u64 {
    let state = stands.state.as_deref().unwrap_or_default();
    match told.is_staged {
        false => 0,
        true if told.states.contains(&state) => told.base,
        true => told.newest,
    }
}

/// Where it stands, where the chain may just have lost records: then there is more than it says, and
/// nothing less.
fn explained(told: &Told, stands: &Stands, proposal: String) -> Option<Life> {
    let name = stands.state.as_deref()?;
    let state = State::ALL.into_iter().find(|state| state.name() == name)?;
    let is_more = stands.steps >= told.steps && stands.settled >= told.settled.0;
    let fits = is_more && (state == State::Applying) == stands.is_pending;
    fits.then_some(Life {
        proposal,
        state,
        steps: stands.steps,
        settled: stands.settled,
    })
}

fn against(told: &Told, stands: &Stands) -> Option<&'static str> {
    if told.is_given_up {
        let is_ended = stands
            .state
            .as_deref()
            .is_none_or(|state| state == "discarded");
        return (!is_ended || stands.is_pending).then_some("it was given up, and is there again");
    }
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

fn told(
    tx: &Transaction<'_>,
    trust: &Trust,
    project: &ProjectId,
) -> Result<BTreeMap<String, Told>, StoreError> {
    let mut words = words(tx, trust, project)?.into_iter().peekable();
    // Ids of proposals have eight digits, those of entries more.
    let sql = "SELECT seq, subjects, act FROM audit WHERE project = ?1 AND length(subjects) = 8
               ORDER BY seq";
    let mut query = tx.prepare_cached(sql)?;
    let rows = query.query_map([project.as_str()], |row| {
        Ok((super::open::unsigned(row, 0)?, row.get(1)?, row.get(2)?))
    })?;
    let mut all: BTreeMap<String, Told> = BTreeMap::new();
    for row in rows {
        let (seq, id, act): (u64, String, String) = row?;
        while let Some((said, life)) = words.next_if(|(said, _)| *said < seq) {
            all.insert(life.proposal.clone(), as_settled(said, &life));
        }
        take(&mut all, seq, id, &act);
    }
    all.extend(words.map(|(said, life)| (life.proposal.clone(), as_settled(said, &life))));
    Ok(all)
}

/// Takes in what an act says of a proposal.
fn take(all: &mut BTreeMap<String, Told>, seq: u64, id: String, act: &str) {
    let steps = [Act::Decide, Act::Undo, Act::Redo].map(Act::name);
    if act == Act::GiveUp.name() {
        let told = all.entry(id).or_default();
        (told.is_given_up, told.newest) = (true, seq);
    } else if let Some(states) = states(act) {
        let told = all.entry(id).or_default();
        let (least, most) = settles(act, told.states);
        told.settled.0 += least;
        told.settled.1 += most;
        if act == Act::Stage.name() {
            (told.is_staged, told.base) = (true, seq);
        }
        (told.states, told.newest, told.is_given_up) = (states, seq, false);
    } else if steps.contains(&act) {
        all.entry(id).or_default().steps += 1;
    }
}

/// What people said of where proposals stand, by the number of the record, in its order.
fn words(
    tx: &Transaction<'_>,
    trust: &Trust,
    project: &ProjectId,
) -> Result<Vec<(u64, Life)>, StoreError> {
    let rows = audit::select(tx, "WHERE act = ?1 ORDER BY seq", [Act::Settle.name()])?;
    let rows = rows.iter().filter(|row| trust.is_written(row));
    let lives = |row: &AuditRow| {
        let seq = row.seq;
        Life::settled(row, project)
            .into_iter()
            .map(move |life| (seq, life))
    };
    Ok(rows.flat_map(lives).collect())
}

fn as_settled(seq: u64, life: &Life) -> Told {
    let state = life.state.name();
    let states = STATES.iter().find(|among| **among == [state]);
    Told {
        is_staged: true,
        is_given_up: false,
        states: states.copied().unwrap_or_default(),
        steps: life.steps,
        settled: (life.settled, life.settled),
        base: seq,
        newest: seq,
    }
}

/// Each state by itself.
const STATES: [&[&str]; 6] = [
    &["staged"],
    &["applying"],
    &["applied"],
    &["discarded"],
    &["returned"],
    &["expired"],
];

fn all(tx: &Transaction<'_>, project: &ProjectId) -> Result<BTreeMap<String, Stands>, StoreError> {
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
