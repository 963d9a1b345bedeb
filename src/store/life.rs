//! How a proposal ends without being applied, and comes back.

use super::audit::{Note, append};
use super::error::StoreError;
use super::open::Store;
use super::queue::{ProposalStatus, clock, in_state, status};
use super::{journal, stage, tombstones};
use crate::id::ProposalId;
use crate::proposal::State;
use crate::trust::{Act, Trust};
use jiff::Timestamp;
use rusqlite::Transaction;
use serde_json::{Value, json};

pub(super) fn set_state(
    tx: &Transaction<'_>,
    id: &ProposalId,
    state: State,
) -> Result<(), StoreError> {
    let sql = "UPDATE proposals SET state = ?2 WHERE id = ?1";
    tx.prepare_cached(sql)?
        .execute([id.as_str(), state.name()])?;
    Ok(())
}

/// Consumes the spans and notes of a proposal.
pub(super) fn consume(tx: &Transaction<'_>, id: &ProposalId) -> Result<(), StoreError> {
    for table in ["spans", "notes"] {
        let sql = format!(
            "UPDATE {table} SET state = 'consumed' WHERE proposal = ?1 AND state = 'staged'"
        );
        tx.prepare_cached(&sql)?.execute([id.as_str()])?;
    }
    Ok(())
}

/// A proposal in one of these states, its age counted.
fn in_one_of(
    tx: &Transaction<'_>,
    id: &ProposalId,
    states: &[State],
    now: Timestamp,
) -> Result<ProposalStatus, StoreError> {
    let status = status(tx, id)?.with_age(clock(tx, now)?);
    if states.contains(&status.state) {
        return Ok(status);
    }
    let (id, state) = (status.id, status.state);
    Err(StoreError::NotOpen { id, state })
}

fn note(
    tx: &Transaction<'_>,
    trust: &Trust,
    act: Act,
    status: &ProposalStatus,
    details: Value,
    now: Timestamp,
) -> Result<(), StoreError> {
    let note = Note {
        act,
        project: Some(&status.project),
        subjects: vec![status.id.as_str()],
        details,
    };
    append(tx, trust, note, now).map(drop)
}

/// Ends what is open of a proposal. Only what a person `rejected` leaves tombstones.
pub(super) fn discard(
    tx: &Transaction<'_>,
    trust: &Trust,
    id: &ProposalId,
    rejected: bool,
    now: Timestamp,
) -> Result<(), StoreError> {
    let open = [State::Staged, State::Expired, State::Applied];
    let status = in_one_of(tx, id, &open, now)?;
    if status.state == State::Applied && status.open == 0 {
        let (id, state) = (status.id, status.state);
        return Err(StoreError::NotOpen { id, state });
    }
    let proposal = stage::load(tx, trust, id)?;
    let settled = journal::load(tx, trust, id)?.settled;
    let all = proposal.changes.iter().map(|c| c.n);
    let ended: Vec<u32> = all.filter(|n| !settled.contains(n)).collect();
    if rejected && proposal.kind.is_curated() {
        tombstones::bury(tx, &proposal, &ended, now)?;
    }
    let count = ended.len();
    let all = journal::Settle {
        settled: ended,
        discarded: true,
        ..journal::Settle::default()
    };
    journal::settle(tx, trust, id, &all, now)?;
    consume(tx, id)?;
    if status.state != State::Applied {
        set_state(tx, id, State::Discarded)?;
    }
    let details = json!({ "rejected": count });
    note(tx, trust, Act::Discard, &status, details, now)
}

impl Store {
    /// Rejects everything that is still open: spans and notes are consumed, each rejected text
    /// leaves a tombstone. A rest is rejected the same way and stays applied.
    ///
    /// # Errors
    /// When nothing of it is open, or it was changed since it was staged.
    pub fn discard(
        &self,
        trust: &Trust,
        id: &ProposalId,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(|tx| discard(tx, trust, id, true, now))
    }

    /// Gives the material back: spans, notes and message ids are free again, and `text` goes to the
    /// curator of the next distill.
    ///
    /// # Errors
    /// When it is a rest, or past being returned, or no curator would read the note.
    pub fn return_(
        &self,
        trust: &Trust,
        id: &ProposalId,
        text: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(|tx| {
            let open = [State::Staged, State::Expired, State::Applied];
            let status = in_one_of(tx, id, &open, now)?;
            if status.state == State::Applied {
                return Err(StoreError::Rest(status.id));
            }
            if !text.is_empty() && !status.kind.is_curated() {
                return Err(StoreError::NoMaterial(status.id));
            }
            for table in ["spans", "seen", "notes"] {
                tx.execute(
                    &format!("DELETE FROM {table} WHERE proposal = ?1"),
                    [id.as_str()],
                )?;
            }
            let sql = "UPDATE proposals SET state = 'returned', note = ?2 WHERE id = ?1";
            tx.execute(sql, [id.as_str(), text])?;
            // What its own curator was told goes to the next one again.
            tx.execute(
                "UPDATE proposals SET told = NULL WHERE told = ?1",
                [id.as_str()],
            )?;
            let details = json!({ "note_chars": text.chars().count() });
            note(tx, trust, Act::Return, &status, details, now)
        })
    }

    /// Takes an offer of what was let in unattended out of the queue: memory is no longer as it says.
    /// It holds no material, and nothing of it counts as decided.
    ///
    /// # Errors
    /// When it is not open, or it was changed since it was staged.
    pub fn withdraw(
        &self,
        trust: &Trust,
        id: &ProposalId,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let status = self.status(id, now)?;
        if status.state != State::Applied {
            return self.return_(trust, id, "", now);
        }
        self.write(|tx| {
            let status = in_one_of(tx, id, &[State::Applied], now)?;
            let proposal = stage::load(tx, trust, id)?;
            let settled = journal::load(tx, trust, id)?.settled;
            let all = proposal.changes.iter().map(|c| c.n);
            let all = journal::Settle {
                settled: all.filter(|n| !settled.contains(n)).collect(),
                discarded: true,
                ..journal::Settle::default()
            };
            journal::settle(tx, trust, id, &all, now)?;
            note(
                tx,
                trust,
                Act::Return,
                &status,
                json!({ "note_chars": 0 }),
                now,
            )
        })
    }

    /// Takes what is 14 days old out of the queue; nothing is freed. Lists count the age themselves,
    /// so this only makes it lasting and audited.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn expire(&self, trust: &Trust, now: Timestamp) -> Result<Vec<ProposalId>, StoreError> {
        if !self.has_expired(now)? {
            return Ok(Vec::new());
        }
        self.write(|tx| {
            let counted = clock(tx, now)?;
            let mut expired = Vec::new();
            for status in in_state(tx, State::Staged)? {
                let status = status.with_age(counted);
                if status.state == State::Expired {
                    set_state(tx, &status.id, State::Expired)?;
                    note(tx, trust, Act::Expire, &status, json!({}), now)?;
                    expired.push(status.id);
                }
            }
            Ok(expired)
        })
    }

    fn has_expired(&self, now: Timestamp) -> Result<bool, StoreError> {
        self.read(|tx| {
            let now = clock(tx, now)?;
            let staged = in_state(tx, State::Staged)?;
            let mut aged = staged.into_iter().map(|s| s.with_age(now));
            Ok(aged.any(|s| s.state == State::Expired))
        })
    }

    /// Puts an expired proposal back into the queue; its age counts from now.
    ///
    /// # Errors
    /// When it has not expired.
    pub fn revive(&self, trust: &Trust, id: &ProposalId, now: Timestamp) -> Result<(), StoreError> {
        self.write(|tx| {
            let status = in_one_of(tx, id, &[State::Expired], now)?;
            let queued = clock(tx, now)?.to_string();
            let sql = "UPDATE proposals SET state = 'staged', queued = ?2 WHERE id = ?1";
            tx.execute(sql, [id.as_str(), &queued])?;
            note(tx, trust, Act::Revive, &status, json!({}), now)
        })
    }
}
