//! Decisions, journalled as they are made. Append-only: an undo is a step too, so that undo and
//! redo survive a restart and two reviewers notice each other.

use super::audit::{self, Note, append};
use super::error::StoreError;
use super::open::{Store, signed};
use super::projects::{from_json, to_json};
use super::shown::{self, Shown};
use super::{queue, stage};
use crate::id::ProposalId;
use crate::proposal::Decision;
use crate::text::TextHash;
use crate::trust::{Act, Fields, Purpose, Seal, Trust};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Transaction};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// The number of a step in a proposal's journal; 0 before the first.
pub type Seq = u64;

/// What was decided on a proposal so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Journal {
    /// The last step; hand it to the next one, so that a step made elsewhere in between is noticed.
    pub last: Seq,
    /// The decisions on open changes; undecided ones are not in it.
    pub decisions: BTreeMap<u32, Decision>,
    /// What stood where a change goes when it was decided, by the hash of its text: of changes
    /// whose target read otherwise by then than it was made for.
    pub over: BTreeMap<u32, TextHash>,
    /// Changes that an apply or a discard has settled.
    pub settled: BTreeSet<u32>,
    /// What was decided on those: how they were settled.
    pub settled_as: BTreeMap<u32, Decision>,
    /// Those of them that a policy let in: no person decided.
    pub unattended: BTreeSet<u32>,
    /// Those of them that were settled all at once, whatever was decided on each.
    pub discarded: BTreeSet<u32>,
    done: Vec<Done>,
    undone: Vec<Done>,
}

/// An undo or redo that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stepped {
    /// The new last step.
    pub last: Seq,
    /// The change it was about.
    pub n: u32,
    /// What is decided on it now.
    pub decision: Decision,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Done {
    n: u32,
    before: Made,
    after: Made,
}

/// A decision, with what it was made over.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Made {
    decision: Decision,
    over: Option<TextHash>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Decide {
    n: u32,
    decision: Decision,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    over: Option<TextHash>,
}

/// Changes that leave the queue for good, and such as lose their decision and stay.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Settle {
    pub settled: Vec<u32>,
    pub reopened: Vec<u32>,
    /// Whatever was decided: the settled ones are rejected.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub discarded: bool,
    /// A policy settled them; no person decided.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unattended: bool,
}

impl Journal {
    /// What is decided on a change.
    #[must_use]
    pub fn decision(&self, n: u32) -> Decision {
        self.decisions.get(&n).cloned().unwrap_or_default()
    }

    /// How many changes are settled, and how many of the others accepted and rejected.
    pub(super) fn counts(&self) -> [i64; 3] {
        let rejected = |d: &&Decision| **d == Decision::Rejected;
        let rejected = self.decisions.values().filter(rejected).count();
        let accepted = self.decisions.len() - rejected;
        [self.settled.len(), accepted, rejected].map(|n| n as i64)
    }

    fn made(&self, n: u32) -> Made {
        Made {
            decision: self.decision(n),
            over: self.over.get(&n).cloned(),
        }
    }

    fn set(&mut self, n: u32, made: Made) {
        self.over.remove(&n);
        if made.decision == Decision::Undecided {
            self.decisions.remove(&n);
        } else {
            self.decisions.insert(n, made.decision);
            self.over.extend(made.over.map(|over| (n, over)));
        }
    }

    fn replay(&mut self, step: &str, body: &str) -> Result<(), StoreError> {
        match step {
            "decide" => {
                let Decide { n, decision, over } = from_json("decision", body)?;
                let before = self.made(n);
                let after = Made { decision, over };
                self.set(n, after.clone());
                self.undone.clear();
                self.done.push(Done { n, before, after });
            }
            "undo" => {
                if let Some(done) = self.done.pop() {
                    self.set(done.n, done.before.clone());
                    self.undone.push(done);
                }
            }
            "redo" => {
                if let Some(done) = self.undone.pop() {
                    self.set(done.n, done.after.clone());
                    self.done.push(done);
                }
            }
            _ => {
                let settle: Settle = from_json("decision", body)?;
                for n in &settle.settled {
                    let decided = self.decisions.remove(n).unwrap_or_default();
                    let decided = match settle.discarded {
                        true => Decision::Rejected,
                        false => decided,
                    };
                    self.settled_as.insert(*n, decided);
                }
                for n in &settle.reopened {
                    self.decisions.remove(n);
                }
                let gone = settle.settled.iter().chain(&settle.reopened);
                gone.for_each(|n| drop(self.over.remove(n)));
                if settle.unattended {
                    self.unattended.extend(&settle.settled);
                }
                if settle.discarded {
                    self.discarded.extend(&settle.settled);
                }
                self.settled.extend(settle.settled);
                self.done.clear();
                self.undone.clear();
            }
        }
        Ok(())
    }
}

fn fields(id: &ProposalId, seq: Seq, step: &str, body: &str, at: &str) -> Fields {
    Fields::new("decision")
        .shown(id)
        .shown(&seq)
        .text(step)
        .text(body)
        .text(at)
}

pub(super) fn load(
    tx: &Transaction<'_>,
    trust: &Trust,
    id: &ProposalId,
) -> Result<Journal, StoreError> {
    let sql = "SELECT seq, step, body, at, seal FROM journal WHERE proposal = ?1 ORDER BY seq";
    let mut query = tx.prepare_cached(sql)?;
    let rows = query.query_map([id.as_str()], |row| row.try_into())?;
    let mut journal = Journal::default();
    for row in rows {
        let (seq, step, body, at, seal): (i64, String, String, String, String) = row?;
        let expected = journal.last + 1;
        let fields = fields(id, expected, &step, &body, &at);
        let holds = trust.check(Purpose::Proposal, &fields, &Seal::stored(seal));
        if u64::try_from(seq) != Ok(expected) || holds.is_err() {
            let what = format!("decision {seq} on proposal {id}");
            return Err(audit::not_whole(tx, trust, what)?);
        }
        journal.last = expected;
        journal.replay(&step, &body)?;
    }
    Ok(journal)
}

/// Decisions of a journal with another text, where `again` gives one: sealed anew in their places.
/// Whether there was any.
pub(super) fn rewrite(
    tx: &Transaction<'_>,
    trust: &Trust,
    id: &ProposalId,
    again: &dyn Fn(u32, &Decision) -> Option<Decision>,
) -> Result<bool, StoreError> {
    let sql = "SELECT seq, body, at FROM journal WHERE proposal = ?1 AND step = 'decide'";
    let mut query = tx.prepare_cached(sql)?;
    let rows = query.query_map([id.as_str()], |row| row.try_into())?;
    let mut new: Vec<(i64, String, String)> = Vec::new();
    for row in rows {
        let (seq, body, at): (i64, String, String) = row?;
        let decide: Decide = from_json("decision", &body)?;
        if let Some(decision) = again(decide.n, &decide.decision) {
            let body = to_json("decision", &Decide { decision, ..decide })?;
            new.push((seq, body, at));
        }
    }
    if new.is_empty() {
        return Ok(false);
    }
    // The one time that the journal does not only grow: a secret is not kept for its sake.
    let sql = "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = 'journal_no_update'";
    let guard: Option<String> = tx.query_row(sql, [], |row| row.get(0)).optional()?;
    tx.execute_batch("DROP TRIGGER IF EXISTS journal_no_update")?;
    for (seq, body, at) in new {
        let number = u64::try_from(seq).unwrap_or_default();
        let seal = trust.tag(Purpose::Proposal, &fields(id, number, "decide", &body, &at));
        let sql = "UPDATE journal SET body = ?3, seal = ?4 WHERE proposal = ?1 AND seq = ?2";
        tx.execute(sql, (id.as_str(), seq, &body, seal.as_str()))?;
    }
    guard.map_or(Ok(()), |sql| tx.execute_batch(&sql))?;
    Ok(true)
}

/// Takes out decisions on a proposal that is not there any more.
pub(super) fn forget(tx: &Transaction<'_>, id: &ProposalId) -> Result<(), StoreError> {
    let sql = "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = 'journal_no_delete'";
    let guard: Option<String> = tx.query_row(sql, [], |row| row.get(0)).optional()?;
    tx.execute_batch("DROP TRIGGER IF EXISTS journal_no_delete")?;
    tx.execute("DELETE FROM journal WHERE proposal = ?1", [id.as_str()])?;
    guard.map_or(Ok(()), |sql| tx.execute_batch(&sql))?;
    Ok(())
}

/// Seals every decision with the next key: those alone that this one sealed. How many.
pub(super) fn reseal(tx: &Transaction<'_>, old: &Trust, new: &Trust) -> Result<usize, StoreError> {
    let sql = "SELECT proposal, seq, step, body, at, seal FROM journal";
    let mut query = tx.prepare(sql)?;
    let rows = query.query_map([], |row| row.try_into())?;
    type Raw = (String, i64, String, String, String, String);
    let rows = rows.collect::<rusqlite::Result<Vec<Raw>>>()?;
    // A guard of the journal's stops changes; putting a row in the place of its like is none to it.
    let sql = "INSERT OR REPLACE INTO journal (proposal, seq, step, body, at, seal)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let mut put = tx.prepare(sql)?;
    let mut count = 0;
    for (id, seq, step, body, at, seal) in &rows {
        let (Ok(number), Ok(parsed)) = (u64::try_from(*seq), id.parse::<ProposalId>()) else {
            continue;
        };
        let fields = fields(&parsed, number, step, body, at);
        // What does not verify stays as it is.
        if let Ok(seal) = old.reseal(new, Purpose::Proposal, &fields, &Seal::stored(seal)) {
            put.execute((id, seq, step, body, at, seal.as_str()))?;
            count += 1;
        }
    }
    Ok(count)
}

/// Appends a step to a journal, in memory and in the database, and brings the list's counts along.
fn step(
    tx: &Transaction<'_>,
    trust: &Trust,
    id: &ProposalId,
    journal: &mut Journal,
    (step, body): (&str, &str),
    now: Timestamp,
) -> Result<(), StoreError> {
    let (seq, at) = (journal.last + 1, now.to_string());
    let seal = trust.tag(Purpose::Proposal, &fields(id, seq, step, body, &at));
    let sql = "INSERT INTO journal (proposal, seq, step, body, at, seal)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let row = (id.as_str(), signed(seq), step, body, at, seal.as_str());
    tx.prepare_cached(sql)?.execute(row)?;
    journal.last = seq;
    journal.replay(step, body)?;
    let [settled, accepted, rejected] = journal.counts();
    let sql = "UPDATE proposals SET open = max(0, changes) - ?2, accepted = ?3, rejected = ?4
               WHERE id = ?1";
    tx.prepare_cached(sql)?
        .execute((id.as_str(), settled, accepted, rejected))?;
    Ok(())
}

/// Settles changes: nothing before this is undone any more.
pub(super) fn settle(
    tx: &Transaction<'_>,
    trust: &Trust,
    id: &ProposalId,
    changes: &Settle,
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut journal = load(tx, trust, id)?;
    let body = to_json("decision", changes)?;
    step(tx, trust, id, &mut journal, ("settle", &body), now)
}

/// The journal of an open proposal, and sure that it stands as it was `seen` and nobody else made a
/// step after.
fn open_at(
    tx: &Transaction<'_>,
    trust: &Trust,
    id: &ProposalId,
    seen: &Shown,
    now: Timestamp,
) -> Result<Journal, StoreError> {
    queue::open_status(tx, id, now)?;
    let journal = load(tx, trust, id)?;
    if journal.last != seen.last {
        return Err(StoreError::ChangedMeanwhile {
            id: id.clone(),
            now: journal.last,
        });
    }
    shown::check(tx, id, seen)?;
    Ok(journal)
}

fn decision_details(n: u32, decision: &Decision) -> serde_json::Value {
    match decision {
        Decision::Undecided => json!({ "change": n, "decision": "undecided" }),
        Decision::Accepted => json!({ "change": n, "decision": "accepted" }),
        Decision::Rejected => json!({ "change": n, "decision": "rejected" }),
        Decision::Edited(text) => {
            json!({ "change": n, "decision": "edited", "text": TextHash::of(text).as_str() })
        }
    }
}

impl Store {
    /// What was decided on a proposal so far.
    ///
    /// # Errors
    /// When a decision was changed outside memd.
    pub fn decisions(&self, trust: &Trust, id: &ProposalId) -> Result<Journal, StoreError> {
        self.read(|tx| load(tx, trust, id))
    }

    /// Decides on a change. `seen` is what the reviewer was shown.
    ///
    /// # Errors
    /// When the proposal is not open, was changed since it was staged, has no such open change, was
    /// decided on elsewhere after `seen` ([`StoreError::ChangedMeanwhile`]), or reads otherwise by
    /// now ([`StoreError::NotAsShown`]).
    pub fn decide(
        &self,
        trust: &Trust,
        id: &ProposalId,
        n: u32,
        decision: Decision,
        seen: impl Into<Shown>,
        now: Timestamp,
    ) -> Result<Seq, StoreError> {
        self.decide_over(trust, id, n, decision, None, seen, now)
    }

    /// As [`Store::decide`], knowing that the change's target reads otherwise now than the change
    /// was made for: `over` is the hash of the text that was shown. The decision holds for exactly
    /// that text.
    ///
    /// # Errors
    /// As [`Store::decide`].
    #[expect(clippy::too_many_arguments, reason = "a decision is all of these")]
    pub fn decide_over(
        &self,
        trust: &Trust,
        id: &ProposalId,
        n: u32,
        decision: Decision,
        over: Option<TextHash>,
        seen: impl Into<Shown>,
        now: Timestamp,
    ) -> Result<Seq, StoreError> {
        let seen = seen.into();
        self.write(|tx| {
            let mut journal = open_at(tx, trust, id, &seen, now)?;
            let proposal = stage::load(tx, trust, id)?;
            if journal.settled.contains(&n) || !proposal.changes.iter().any(|c| c.n == n) {
                return Err(StoreError::NoChange { id: id.clone(), n });
            }
            let details = decision_details(n, &decision);
            let body = to_json("decision", &Decide { n, decision, over })?;
            step(tx, trust, id, &mut journal, ("decide", &body), now)?;
            let note = Note {
                act: Act::Decide,
                project: Some(&proposal.project),
                subjects: vec![id.as_str()],
                details,
            };
            append(tx, trust, note, now)?;
            Ok(journal.last)
        })
    }

    /// Takes the last decision back; `None`: there is none to take back.
    ///
    /// # Errors
    /// As [`Store::decide`].
    pub fn undo(
        &self,
        trust: &Trust,
        id: &ProposalId,
        seen: impl Into<Shown>,
        now: Timestamp,
    ) -> Result<Option<Stepped>, StoreError> {
        self.turn(trust, id, &seen.into(), now, Turn::Undo)
    }

    /// Makes the decision again that was taken back last; `None`: there is none.
    ///
    /// # Errors
    /// As [`Store::decide`].
    pub fn redo(
        &self,
        trust: &Trust,
        id: &ProposalId,
        seen: impl Into<Shown>,
        now: Timestamp,
    ) -> Result<Option<Stepped>, StoreError> {
        self.turn(trust, id, &seen.into(), now, Turn::Redo)
    }

    fn turn(
        &self,
        trust: &Trust,
        id: &ProposalId,
        seen: &Shown,
        now: Timestamp,
        turn: Turn,
    ) -> Result<Option<Stepped>, StoreError> {
        self.write(|tx| {
            let mut journal = open_at(tx, trust, id, seen, now)?;
            let (next, act) = match turn {
                Turn::Undo => (journal.done.last(), Act::Undo),
                Turn::Redo => (journal.undone.last(), Act::Redo),
            };
            let Some(n) = next.map(|d| d.n) else {
                return Ok(None);
            };
            step(tx, trust, id, &mut journal, (act.name(), "{}"), now)?;
            let decision = journal.decision(n);
            let status = queue::status(tx, id)?;
            let note = Note {
                act,
                project: Some(&status.project),
                subjects: vec![id.as_str()],
                details: decision_details(n, &decision),
            };
            append(tx, trust, note, now)?;
            let last = journal.last;
            Ok(Some(Stepped { last, n, decision }))
        })
    }
}

#[derive(Clone, Copy)]
enum Turn {
    Undo,
    Redo,
}
