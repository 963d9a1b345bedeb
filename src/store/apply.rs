//! The two transactions around the writing of files: what is about to be written, and that it is.
//!
//! The intent holds all that the second transaction needs, so that an apply which was interrupted
//! is finished by whoever starts next.

use super::audit::{self, Note, append};
use super::error::{StoreError, tampered};
use super::open::Store;
use super::projects::{from_json, parse, to_json};
use super::queue::{open_status, state_from, status};
use super::shown::{self, Shown};
use super::{commits, grants, journal, life, lives, records, stage, tombstones};
use crate::id::{ProjectId, ProposalId};
use crate::proposal::{Back, Kind, Op, Proposal, State};
use crate::text::TextHash;
use crate::trust::{Act, AuditHead, Fields, Manifest, Occasion, Purpose, Record, Seal, Trust};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Transaction};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// One file that an apply writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileIntent {
    /// Its path in the memory folder, such as `state.md` or `archive/2026-11.md`.
    pub path: String,
    /// The hash of what must stand there; `None`: no file.
    pub before: Option<TextHash>,
    /// What will stand there; `None`: no file.
    pub after: Option<String>,
}

impl FileIntent {
    /// The hash of what will stand there.
    #[must_use]
    pub fn after_hash(&self) -> Option<TextHash> {
        self.after.as_ref().map(TextHash::of)
    }
}

/// All that an apply is about to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intent {
    /// The proposal.
    pub proposal: ProposalId,
    /// Its project.
    pub project: ProjectId,
    /// The last step of the journal that this was made from.
    pub decided: journal::Seq,
    /// The files to write.
    pub files: Vec<FileIntent>,
    /// New record versions; sealed when they are let in.
    pub records: Vec<Record>,
    /// Numbers of the changes that go in.
    pub applied: Vec<u32>,
    /// Numbers of the changes that were rejected: each leaves a tombstone.
    pub rejected: Vec<u32>,
    /// Numbers of changes that are settled without doing anything: they stand there already.
    pub dropped: Vec<u32>,
    /// Numbers of changes whose decision is void: they are to be decided afresh.
    pub reopened: Vec<u32>,
    /// What the commit says; `None`: no commit is made.
    pub message: Option<String>,
    /// Why the loss guard was overridden.
    pub despite: Option<String>,
    /// What asked for it, where no person decides but a policy that one granted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unattended: Option<Occasion>,
    /// When it was made.
    pub at: Timestamp,
}

/// What an apply came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// The manifest over the records now.
    pub manifest: Manifest,
    /// The audit chain's head after it.
    pub audit: AuditHead,
    /// Whether changes stay open.
    pub rest: bool,
}

fn fields(project: &ProjectId, before: &str, body: &str) -> Fields {
    Fields::new("intent").shown(project).text(before).text(body)
}

struct Pending {
    intent: Intent,
    before: State,
}

/// What the unfinished apply of a project, if any, will seal.
pub(super) fn coming(
    tx: &Transaction<'_>,
    trust: &Trust,
    project: &ProjectId,
) -> Result<Vec<Record>, StoreError> {
    Ok(pending(tx, trust, project)?.map_or_else(Vec::new, |p| p.intent.records))
}

fn pending(
    tx: &Transaction<'_>,
    trust: &Trust,
    project: &ProjectId,
) -> Result<Option<Pending>, StoreError> {
    let sql = "SELECT proposal, before, body, seal FROM intents WHERE project = ?1";
    let row: Option<(String, String, String, String)> = tx
        .prepare_cached(sql)?
        .query_row([project.as_str()], |row| row.try_into())
        .optional()?;
    let Some((proposal, before, body, seal)) = row else {
        return Ok(None);
    };
    let fields = fields(project, &before, &body);
    let holds = trust.check(Purpose::Proposal, &fields, &Seal::stored(seal));
    let what = || format!("the unfinished apply of proposal {proposal}");
    if holds.is_err() {
        return Err(audit::not_whole(tx, trust, what())?);
    }
    let intent: Intent = from_json("apply", &body)?;
    if intent.proposal.as_str() != proposal || intent.project != *project {
        return Err(tampered(what()));
    }
    // A row that was seen once and put back is no apply that was begun.
    if !lives::is_begun(tx, trust, &intent, &TextHash::of(&body))? {
        return Err(tampered(what()));
    }
    let before = state_from(&before)?;
    Ok(Some(Pending { intent, before }))
}

/// Seals what is about to be written with the next key: what this one sealed alone. How many.
pub(super) fn reseal(tx: &Transaction<'_>, old: &Trust, new: &Trust) -> Result<usize, StoreError> {
    let sql = "SELECT proposal, project, before, body, seal FROM intents";
    let mut query = tx.prepare(sql)?;
    let rows = query.query_map([], |row| row.try_into())?;
    let rows = rows.collect::<rusqlite::Result<Vec<(String, String, String, String, String)>>>()?;
    let mut update = tx.prepare("UPDATE intents SET seal = ?2 WHERE proposal = ?1")?;
    let mut count = 0;
    for (proposal, project, before, body, seal) in &rows {
        let Ok(project) = project.parse() else {
            continue;
        };
        let fields = fields(&project, before, body);
        // What does not verify stays as it is.
        if let Ok(seal) = old.reseal(new, Purpose::Proposal, &fields, &Seal::stored(seal)) {
            update.execute([proposal, seal.as_str()])?;
            count += 1;
        }
    }
    Ok(count)
}

/// The pending apply of this proposal.
fn pending_of(tx: &Transaction<'_>, trust: &Trust, id: &ProposalId) -> Result<Pending, StoreError> {
    let status = status(tx, id)?;
    let pending = pending(tx, trust, &status.project)?;
    pending
        .filter(|p| p.intent.proposal == *id)
        .ok_or(StoreError::NotOpen {
            id: status.id,
            state: status.state,
        })
}

fn note(intent: &Intent, act: Act, details: Value) -> Note<'_> {
    Note {
        act,
        project: Some(&intent.project),
        subjects: vec![intent.proposal.as_str()],
        details,
    }
}

/// File names and hashes, for the audit record.
fn file_details(intent: &Intent) -> Value {
    let file = |f: &FileIntent| {
        let before = f.before.as_ref().map(TextHash::as_str);
        json!({ "path": f.path, "before": before, "after": f.after_hash() })
    };
    intent.files.iter().map(file).collect()
}

/// That no person decided, where a policy did.
fn say_who(details: &mut Value, intent: &Intent) {
    if let Some(occasion) = intent.unattended {
        details["by"] = "policy".into();
        details["occasion"] = occasion.name().into();
    }
}

/// What no policy may do, whoever planned it: decide where a person has begun to, on anything but
/// what a curator proposed, reject, override a guardrail, let in what came from outside, or touch
/// what a person let in.
fn unattended(proposal: &Proposal, intent: &Intent, records: &[Record]) -> Result<(), StoreError> {
    let refuse = |what| Err(StoreError::NotByPolicy(what));
    if !proposal.kind.is_curated() {
        return refuse("decide on what no curator proposed");
    }
    if intent.decided != 0 {
        return refuse("decide where a person has begun to");
    }
    if !intent.rejected.is_empty() || intent.despite.is_some() {
        return refuse("reject a change or override a guardrail");
    }
    let mut applied = proposal
        .changes
        .iter()
        .filter(|c| intent.applied.contains(&c.n));
    if applied.any(|c| c.origin.is_from_outside()) {
        return refuse("let in what came from outside");
    }
    let touched = |r: &&Record| intent.records.iter().any(|new| new.entry == r.entry);
    let by_person = |r: &Record| r.accepted.is_some() || r.confirmed.is_some();
    if records.iter().filter(touched).any(by_person) || intent.records.iter().any(by_person) {
        return refuse("touch what a person accepted");
    }
    if intent.records.iter().any(|r| r.lapses.is_none()) {
        return refuse("let anything in for good");
    }
    Ok(())
}

/// Which entries an apply takes back, and why, for the audit record.
fn taken_back(proposal: &Proposal, intent: &Intent) -> Vec<Value> {
    let mut all = proposal.changes.iter();
    let all = all.by_ref().filter(|c| c.op == Op::Tombstone);
    let applied = all.filter(|c| intent.applied.contains(&c.n));
    let told = applied.map(|c| {
        let entry = c.target.as_ref().and_then(|t| t.entry.as_ref());
        json!({ "entry": entry, "reason": c.reason })
    });
    told.collect()
}

/// What was let in unattended, with the material of the distill that brought it: a tombstone names
/// its sources.
pub(super) fn with_material(tx: &Transaction<'_>, trust: &Trust, proposal: &Proposal) -> Proposal {
    let mut of = proposal.clone();
    if let Some(Back::Apply(id)) = &proposal.back
        && let Ok(made) = stage::load(tx, trust, id)
    {
        (of.spans, of.notes) = (made.spans, made.notes);
    }
    of
}

impl Store {
    /// First transaction: the proposal becomes `applying`, and all that is to be written is kept.
    ///
    /// # Errors
    /// When the proposal is not open, was changed since it was staged, was decided on after
    /// `intent.decided`, or an apply of the project is unfinished.
    pub fn begin_apply(
        &self,
        trust: &Trust,
        intent: &Intent,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.begin_apply_of(trust, intent, &intent.decided.into(), now)
    }

    /// As [`Store::begin_apply`], of a proposal that reads as it was `shown`.
    ///
    /// # Errors
    /// As [`Store::begin_apply`], and [`StoreError::NotAsShown`].
    pub fn begin_apply_of(
        &self,
        trust: &Trust,
        intent: &Intent,
        shown: &Shown,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(|tx| {
            let id = &intent.proposal;
            let unfinished = "SELECT proposal FROM intents WHERE project = ?1";
            let unfinished: Option<String> = tx
                .query_row(unfinished, [intent.project.as_str()], |row| row.get(0))
                .optional()?;
            if let Some(other) = unfinished {
                return Err(StoreError::ApplyPending(parse("proposal id", &other)?));
            }
            let status = open_status(tx, id, now)?;
            let proposal = stage::load(tx, trust, id)?;
            let decided = journal::load(tx, trust, id)?.last;
            if decided != intent.decided || status.project != intent.project {
                let (id, now) = (id.clone(), decided);
                return Err(StoreError::ChangedMeanwhile { id, now });
            }
            shown::check(tx, id, shown)?;
            let (records, _) = records::checked(tx, trust, &intent.project)?;
            records::could_follow(trust, &intent.project, &records, &intent.records)?;
            if let Some(occasion) = intent.unattended {
                if !grants::mode(tx, trust, &intent.project)?.allows(occasion) {
                    return Err(StoreError::NotTrusted(intent.project.clone()));
                }
                unattended(&proposal, intent, &records)?;
            }
            let (body, before) = (to_json("apply", intent)?, status.state.name());
            let seal = trust.tag(Purpose::Proposal, &fields(&intent.project, before, &body));
            let sql = "INSERT INTO intents (proposal, project, before, body, seal)
                       VALUES (?1, ?2, ?3, ?4, ?5)";
            let project = intent.project.as_str();
            tx.execute(sql, [id.as_str(), project, before, &body, seal.as_str()])?;
            life::set_state(tx, id, State::Applying)?;
            let mut details = json!({ "applied": intent.applied, "rejected": intent.rejected });
            details["files"] = file_details(intent);
            details["intent"] = TextHash::of(&body).as_str().into();
            say_who(&mut details, intent);
            append(tx, trust, note(intent, Act::BeginApply, details), now).map(drop)
        })
    }

    /// The apply of this project that was begun and not finished.
    ///
    /// # Errors
    /// When it was changed outside memd.
    pub fn pending_apply(
        &self,
        trust: &Trust,
        project: &ProjectId,
    ) -> Result<Option<Intent>, StoreError> {
        self.read(|tx| Ok(pending(tx, trust, project)?.map(|p| p.intent)))
    }

    /// Whether an apply of this project was begun and is not finished.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn is_applying(&self, project: &ProjectId) -> Result<bool, StoreError> {
        self.read(|tx| {
            let sql = "SELECT EXISTS (SELECT 1 FROM intents WHERE project = ?1)";
            let mut query = tx.prepare_cached(sql)?;
            Ok(query.query_row([project.as_str()], |row| row.get(0))?)
        })
    }

    /// Second transaction, once the files are written: spans and notes consumed, records and manifest
    /// sealed, tombstones left, changes settled, `applied`, the commit owed.
    ///
    /// # Errors
    /// When no apply of it is pending, or what is there does not verify.
    pub fn finish_apply(
        &self,
        trust: &Trust,
        id: &ProposalId,
        now: Timestamp,
    ) -> Result<Applied, StoreError> {
        self.write(|tx| {
            let intent = pending_of(tx, trust, id)?.intent;
            let proposal = stage::load(tx, trust, id)?;
            life::consume(tx, id)?;
            let manifest = records::add(tx, trust, &intent.project, intent.records.clone(), now)?;
            if proposal.kind.is_curated() {
                tombstones::bury(tx, &proposal, &intent.rejected, now)?;
            }
            if proposal.kind == Kind::Unreviewed {
                let of = with_material(tx, trust, &proposal);
                tombstones::bury(tx, &of, &intent.rejected, now)?;
            }
            tombstones::bury_taken_back(tx, &proposal, &intent.records, now)?;
            let parts = [&intent.applied, &intent.rejected, &intent.dropped];
            let settled: Vec<u32> = parts.into_iter().flatten().copied().collect();
            let changes = journal::Settle {
                settled,
                reopened: intent.reopened.clone(),
                discarded: false,
                unattended: intent.unattended.is_some(),
            };
            journal::settle(tx, trust, id, &changes, now)?;
            life::set_state(tx, id, State::Applied)?;
            tx.execute("DELETE FROM intents WHERE proposal = ?1", [id.as_str()])?;
            let taken_back = taken_back(&proposal, &intent);
            let act = match proposal.kind {
                Kind::Own if !taken_back.is_empty() => Act::Tombstone,
                Kind::Distill | Kind::Own => Act::Apply,
                Kind::ChangedOnDisk => Act::Adopt,
                Kind::Revert => Act::Revert,
                Kind::Restore => Act::Restore,
                Kind::Unreviewed => Act::AcceptedAfter,
            };
            let mut more = json!({
                "kind": proposal.kind.name(),
                "back": proposal.back,
                "taken_back": taken_back,
                "applied": intent.applied,
                "rejected": intent.rejected,
                "despite": intent.despite,
                "files": file_details(&intent),
            });
            say_who(&mut more, &intent);
            let details = records::manifest_details(&manifest, more);
            let audit = append(tx, trust, note(&intent, act, details), now)?;
            if let Some(message) = &intent.message {
                commits::owe(tx, &intent, message, &manifest, &audit, now)?;
            }
            let rest = status(tx, id)?.open > 0;
            Ok(Applied {
                manifest,
                audit,
                rest,
            })
        })
    }

    /// Gives an apply up before its files were written, or after a person has put them right: the
    /// proposal is what it was before.
    ///
    /// # Errors
    /// When no apply of it is pending.
    pub fn abort_apply(
        &self,
        trust: &Trust,
        id: &ProposalId,
        why: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(|tx| abort(tx, trust, id, why, now))
    }
}

/// As [`Store::abort_apply`], as a part of another act.
pub(super) fn abort(
    tx: &Transaction<'_>,
    trust: &Trust,
    id: &ProposalId,
    why: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Pending { intent, before } = pending_of(tx, trust, id)?;
    tx.execute("DELETE FROM intents WHERE proposal = ?1", [id.as_str()])?;
    life::set_state(tx, id, before)?;
    let note = note(&intent, Act::AbortApply, json!({ "why": why }));
    append(tx, trust, note, now).map(drop)
}
