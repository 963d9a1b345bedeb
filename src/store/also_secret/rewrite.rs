//! Takes a value that a person called a secret out of all that is staged or was: evidence, proposed
//! texts, edits, notes. What stands in memory stays there, for its person to take out; so does what
//! finds a place in memory, is written by an apply that has begun, or is chained: that is counted.

use super::super::error::StoreError;
use super::super::journal::{self, Journal};
use super::super::kept::{PLAIN, SEALED};
use super::super::open::Store;
use super::super::projects::parse;
use super::super::stage;
use crate::id::ProposalId;
use crate::proposal::{Change, Decision, Kind, Op, Proposal};
use crate::redact::{Hit, Redactor};
use crate::text;
use crate::trust::Trust;
use rusqlite::Transaction;
use std::collections::BTreeSet;

/// What was done about a value that was called a secret.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rewritten {
    /// Proposals it was taken out of, whatever became of them.
    pub proposals: Vec<ProposalId>,
    /// Proposed texts that wait for a decision and held it: they cannot be accepted as they are.
    pub blocked: usize,
    /// Texts changed on disk that wait for a decision and held it: accepted, they go in with the
    /// placeholder.
    pub on_disk: usize,
    /// Versions of entries whose text holds it. They stay.
    pub records: usize,
    /// Texts besides that hold it and stay: what a change replaces, was accepted as, or stands under;
    /// names of inbox notes; what an unfinished apply writes; details of the audit chain.
    pub stays: usize,
    /// Proposals that were changed outside memd: nothing was taken out of these.
    pub broken: usize,
    /// Files beside the database that hold it, and are kept until their user deletes them.
    pub beside: Vec<String>,
    /// Files beside the database of which nobody can say whether they hold it.
    pub unseen: Vec<String>,
    /// Old pages of the database were wiped; not while another memd reads it.
    pub is_wiped: bool,
}

/// Takes it out of every row that is not memory's own.
pub(super) fn staged(
    tx: &Transaction<'_>,
    trust: &Trust,
    redactor: &Redactor,
) -> Result<Rewritten, StoreError> {
    let mut done = Rewritten::default();
    for id in column(tx, "SELECT id FROM proposals ORDER BY created, id")? {
        let id: ProposalId = parse("proposal id", &id)?;
        match one(tx, trust, redactor, &id, &mut done) {
            // To seal it anew would hide that somebody changed it.
            Err(StoreError::Tampered { .. } | StoreError::Unreadable { .. }) => done.broken += 1,
            other => other?,
        }
    }
    plain(tx, redactor)?;
    for text in column(tx, "SELECT text FROM records")? {
        done.records += usize::from(redactor.without_also(&text).is_some());
    }
    for (table, name) in SEALED {
        for text in column(tx, &format!("SELECT {name} FROM {table}"))? {
            done.stays += usize::from(redactor.without_also(&text).is_some());
        }
    }
    Ok(done)
}

fn column(tx: &Transaction<'_>, sql: &str) -> Result<Vec<String>, StoreError> {
    let mut query = tx.prepare_cached(sql)?;
    let rows = query.query_map([], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn one(
    tx: &Transaction<'_>,
    trust: &Trust,
    redactor: &Redactor,
    id: &ProposalId,
    done: &mut Rewritten,
) -> Result<(), StoreError> {
    let mut proposal = stage::load(tx, trust, id)?;
    let journal = journal::load(tx, trust, id)?;
    let kept = let_in(&journal);
    let mut changed = hide(&mut proposal, &kept, redactor);
    let waits = |n: &u32| !journal.settled.contains(n);
    done.stays += stays(&proposal, redactor);
    done.stays += edits_that_stay(&journal, &kept, redactor);
    let waiting = changed.texts.iter().filter(|n| waits(n)).count();
    match proposal.kind == Kind::ChangedOnDisk {
        true => done.on_disk += waiting,
        false => done.blocked += waiting,
    }
    if changed.any {
        stage::replace(tx, trust, &proposal)?;
    }
    let text = |text: &str| {
        redactor
            .without_also(text)
            .map(|(t, _)| t.as_str().to_owned())
    };
    let again = |n: u32, decision: &Decision| match decision {
        Decision::Edited(edited) if !kept.contains(&n) => text(edited).map(Decision::Edited),
        _ => None,
    };
    changed.any |= journal::rewrite(tx, trust, id, &again)?;
    if changed.any {
        done.proposals.push(id.clone());
    }
    Ok(())
}

/// Texts of a proposal that hold it still: memory's own, and names by which something is found.
fn stays(proposal: &Proposal, redactor: &Redactor) -> usize {
    let of = |c: &Change| {
        let target = c.target.as_ref().map(|t| t.text.clone());
        [c.text.clone(), c.section.clone()]
            .into_iter()
            .chain(target)
    };
    let texts = proposal.changes.iter().flat_map(of);
    let texts = texts.chain(proposal.notes.iter().cloned());
    texts
        .filter(|text| redactor.without_also(text).is_some())
        .count()
}

fn edits_that_stay(journal: &Journal, kept: &BTreeSet<u32>, redactor: &Redactor) -> usize {
    let edits = journal.settled_as.iter().filter(|(n, _)| kept.contains(n));
    edits
        .filter(
            |(_, d)| matches!(d, Decision::Edited(text) if redactor.without_also(text).is_some()),
        )
        .count()
}

/// Changes whose text stands in memory: what it was is needed to take it back.
fn let_in(journal: &Journal) -> BTreeSet<u32> {
    let settled = journal.settled_as.iter();
    let stands = |d: &Decision| matches!(d, Decision::Accepted | Decision::Edited(_));
    settled
        .filter(|(_, d)| stands(d))
        .map(|(n, _)| *n)
        .collect()
}

#[derive(Default)]
struct Changed {
    any: bool,
    /// Changes whose proposed text held it.
    texts: Vec<u32>,
}

fn hide(proposal: &mut Proposal, kept: &BTreeSet<u32>, redactor: &Redactor) -> Changed {
    let mut changed = Changed::default();
    let mut found: Vec<Hit> = Vec::new();
    let covered = proposal.coverage.iter_mut().flat_map(|c| &mut c.sessions);
    let mut sessions: Vec<&mut String> = covered.collect();
    for line in &mut proposal.lines {
        sessions.push(&mut line.session);
        if let Some((text, hits)) = redactor.without_also(line.text.as_str()) {
            line.text = text;
            let here = |hit| Hit {
                place: Some(line.place.clone()),
                ..hit
            };
            found.extend(hits.into_iter().map(here));
        }
    }
    let mut text = |text: &mut String| {
        let Some((hidden, _)) = redactor.without_also(text) else {
            return false;
        };
        hidden.as_str().clone_into(text);
        changed.any = true;
        true
    };
    text(&mut proposal.summary);
    // The same name becomes the same placeholder in both.
    for session in sessions {
        text(session);
    }
    for dropped in &mut proposal.dropped {
        text(&mut dropped.what);
        text(&mut dropped.why);
    }
    let mut held = Vec::new();
    for change in &mut proposal.changes {
        for verdict in &mut change.verdicts {
            text(&mut verdict.reason);
        }
        change.reason.as_mut().map(&mut text);
        if kept.contains(&change.n) {
            continue;
        }
        // Where something stands already is memory's own; where it is to go was proposed.
        let section = change.op == Op::Add && text(&mut change.section);
        if text(&mut change.text) || section {
            held.push(change.n);
        }
    }
    changed.any |= !found.is_empty();
    changed.texts = held;
    proposal.hits.extend(found);
    changed
}

fn plain(tx: &Transaction<'_>, redactor: &Redactor) -> Result<(), StoreError> {
    for (table, name) in PLAIN {
        let sql = format!("SELECT DISTINCT {name} FROM {table} WHERE {name} IS NOT NULL");
        for old in column(tx, &sql)? {
            let Some((new, _)) = redactor.without_also(&old) else {
                continue;
            };
            let new = new.as_str();
            if table == "tombstones" {
                let sql = "UPDATE tombstones SET statement = ?2 WHERE text = ?1";
                tx.execute(sql, (&old, text::statement(new)))?;
            }
            let sql = format!("UPDATE {table} SET {name} = ?2 WHERE {name} = ?1");
            tx.execute(&sql, (&old, new))?;
        }
    }
    Ok(())
}

impl Store {
    /// Writes the file anew without what was deleted or overwritten, and empties the log beside it.
    /// Whether that was done: another process that reads keeps it from being done.
    pub(super) fn wipe(&self) -> bool {
        let vacuumed = self.connection().execute_batch("VACUUM");
        let emptied = self
            .connection()
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| {
                row.get::<_, i64>(0)
            });
        vacuumed.is_ok() && emptied.is_ok_and(|busy| busy == 0)
    }
}
