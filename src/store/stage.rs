//! Staging a proposal, and reading it back as it was staged.

use super::audit::{self, Note, append};
use super::error::StoreError;
use super::open::{Store, signed};
use super::projects::{by_id, from_json, to_json};
use super::spans::{self, SpanState};
use super::{also_secret, notes, queue};
use crate::id::ProposalId;
use crate::proposal::{Change, Level, Proposal};
use crate::trust::{Act, Fields, Purpose, Seal, Trust};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Transaction};
use serde_json::json;

fn fields(id: &ProposalId, project: &str, kind: &str, body: &str) -> Fields {
    Fields::new("proposal")
        .shown(id)
        .text(project)
        .text(kind)
        .text(body)
}

/// How many of its changes a guardrail flagged.
pub(super) fn flagged(proposal: &Proposal) -> i64 {
    let warned = |c: &&Change| c.verdicts.iter().any(|v| v.level > Level::Pass);
    proposal.changes.iter().filter(warned).count() as i64
}

fn insert(
    tx: &Transaction<'_>,
    trust: &Trust,
    proposal: &Proposal,
    now: Timestamp,
) -> Result<(), StoreError> {
    let body = to_json("proposal", proposal)?;
    let kind = proposal.kind.name();
    let fields = fields(&proposal.id, proposal.project.as_str(), kind, &body);
    let sql = "INSERT INTO proposals (id, project, kind, state, created, queued, source, summary,
                   changes, open, flagged, body, seal)
               VALUES (?1, ?2, ?3, 'staged', ?4, ?5, ?6, ?7, ?8, ?8, ?9, ?10, ?11)";
    tx.prepare_cached(sql)?.execute((
        proposal.id.as_str(),
        proposal.project.as_str(),
        kind,
        proposal.created.to_string(),
        now.to_string(),
        &proposal.trigger,
        &proposal.summary,
        proposal.changes.len() as i64,
        flagged(proposal),
        &body,
        trust.tag(Purpose::Proposal, &fields).as_str(),
    ))?;
    Ok(())
}

/// Puts a body in the place of the one that was staged, sealed anew. Its changes stay the same ones.
pub(super) fn replace(
    tx: &Transaction<'_>,
    trust: &Trust,
    proposal: &Proposal,
) -> Result<(), StoreError> {
    let body = to_json("proposal", proposal)?;
    let (id, project) = (&proposal.id, proposal.project.as_str());
    let fields = fields(id, project, proposal.kind.name(), &body);
    let seal = trust.tag(Purpose::Proposal, &fields);
    let sql = "UPDATE proposals SET body = ?2, seal = ?3, summary = ?4 WHERE id = ?1";
    let row = (id.as_str(), &body, seal.as_str(), &proposal.summary);
    tx.prepare_cached(sql)?.execute(row)?;
    Ok(())
}

/// A proposal as it was staged; one that was changed since is refused.
pub(super) fn load(
    tx: &Transaction<'_>,
    trust: &Trust,
    id: &ProposalId,
) -> Result<Proposal, StoreError> {
    let sql = "SELECT project, kind, body, seal FROM proposals WHERE id = ?1";
    let row: Option<(String, String, String, String)> = tx
        .prepare_cached(sql)?
        .query_row([id.as_str()], |row| row.try_into())
        .optional()?;
    let (project, kind, body, seal) = row.ok_or_else(|| StoreError::NoProposal(id.to_string()))?;
    let fields = fields(id, &project, &kind, &body);
    match trust.check(Purpose::Proposal, &fields, &Seal::stored(seal)) {
        Ok(()) => from_json("proposal", &body),
        Err(_) => Err(audit::not_whole(tx, trust, format!("proposal {id}"))?),
    }
}

/// Seals every proposal with the next key: those alone that this one sealed. How many.
pub(super) fn reseal(tx: &Transaction<'_>, old: &Trust, new: &Trust) -> Result<usize, StoreError> {
    let sql = "SELECT id, project, kind, body, seal FROM proposals";
    let mut query = tx.prepare(sql)?;
    let rows = query.query_map([], |row| row.try_into())?;
    let mut seals: Vec<(String, Seal)> = Vec::new();
    for row in rows {
        let (id, project, kind, body, seal): (String, String, String, String, String) = row?;
        let Ok(parsed) = id.parse::<ProposalId>() else {
            continue;
        };
        let fields = fields(&parsed, &project, &kind, &body);
        let seal = old.reseal(new, Purpose::Proposal, &fields, &Seal::stored(seal));
        // What does not verify stays as it is.
        seals.extend(seal.ok().map(|seal| (id.clone(), seal)));
    }
    let mut update = tx.prepare("UPDATE proposals SET seal = ?2 WHERE id = ?1")?;
    for (id, seal) in &seals {
        update.execute([id, seal.as_str()])?;
    }
    Ok(seals.len())
}

impl Store {
    /// Stages a proposal: the sealed body, its spans, notes and message ids, and its audit record,
    /// all or nothing. Notes of reviewers count as passed on to its curator.
    ///
    /// # Errors
    /// When a span is taken already, or the database cannot be written.
    pub fn stage(
        &self,
        trust: &Trust,
        proposal: &Proposal,
        seen: &[String],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(|tx| {
            let project = &proposal.project;
            by_id(tx, project)?;
            insert(tx, trust, proposal, queue::clock(tx, now)?)?;
            for span in &proposal.spans {
                spans::insert(tx, project, span, SpanState::Staged, Some(&proposal.id))?;
                let sql = "DELETE FROM tries WHERE project = ?1 AND source = ?2 AND start = ?3";
                tx.execute(sql, (project.as_str(), &span.source, signed(span.start)))?;
            }
            spans::insert_seen(tx, project, seen, Some(&proposal.id))?;
            notes::take(tx, project, &proposal.notes, &proposal.id)?;
            if proposal.kind.is_curated() {
                let sql = "UPDATE proposals SET told = ?2
                           WHERE project = ?1 AND state = 'returned' AND told IS NULL";
                tx.execute(sql, [project.as_str(), proposal.id.as_str()])?;
            }
            also_secret::clean(tx, trust)?;
            append(tx, trust, stage_note(proposal), now).map(drop)
        })
    }

    /// A proposal as it was staged.
    ///
    /// # Errors
    /// When there is none, or it was changed since it was staged ([`StoreError::Tampered`]).
    pub fn proposal(&self, trust: &Trust, id: &ProposalId) -> Result<Proposal, StoreError> {
        self.read(|tx| load(tx, trust, id))
    }
}

fn stage_note(proposal: &Proposal) -> Note<'_> {
    Note {
        act: Act::Stage,
        project: Some(&proposal.project),
        subjects: vec![proposal.id.as_str()],
        details: json!({
            "kind": proposal.kind.name(),
            "changes": proposal.changes.len(),
            "spans": proposal.spans.len(),
            "notes": proposal.notes.len(),
            "backend": proposal.usage.backend,
            "model": proposal.usage.model,
            "prompt_chars": proposal.usage.prompt_chars,
            "calls": proposal.usage.calls,
            "cost_usd": proposal.usage.cost_usd,
        }),
    }
}
