//! "Changed on disk": what stands in memory, or left it, and nobody let in here.
//!
//! Hand edits, a pulled commit, a store of memd 0.3's, a cloned folder, a lost database: all become
//! one proposal, whose acceptance seals what stands there and writes nothing.

mod known;
mod place;

use super::execute::{ApplyError, Ground};
use super::staging::{judge, leave_credentials, number};
use crate::config::Limits;
use crate::git::refuse_under_way;
use crate::id::{ProjectId, ProposalId};
use crate::lock::ProjectLock;
use crate::memory::{Document, Entry, Memory, MemoryFile, Splice};
use crate::proposal::{Change, Dropped, Kind, Op, Origin, Proposal, State, Target, Usage};
use crate::redact::{Hit, NO_FINGERPRINT, Redactor};
use crate::store::StoreError;
use crate::text::{TextHash, count};
use crate::trust::{Matched, Record, RecordState, match_entries};
use jiff::Timestamp;
use std::collections::BTreeMap;

pub use place::{exact, standing_of};
pub(super) use place::{locate, taken};

/// A proposal of everything that is not trusted, for a person to decide on; `None` when disk and
/// records agree.
///
/// An entry that is new is an addition; one that was changed, moved or put back to an older version
/// is an edit of what was let in; one that is gone is an archiving. Rejecting any of them makes the
/// file say what was let in: the new one leaves it, the other two are put back.
#[must_use]
pub fn adopt(
    project: &ProjectId,
    id: ProposalId,
    matched: &Matched,
    now: Timestamp,
) -> Option<Proposal> {
    let first =
        matched.sealed.is_empty() && matched.missing.is_empty() && matched.broken.is_empty();
    let origin = match first {
        true => Origin::Import,
        false => Origin::HumanEdit,
    };
    let mut changes: Vec<Change> = matched
        .untrusted()
        .into_iter()
        .map(|entry| standing(entry, changed_from(matched, entry), origin))
        .collect();
    changes.extend(matched.missing.iter().map(gone));
    number(&mut changes);
    let what = count(changes.len(), "entry", "entries");
    (!changes.is_empty()).then(|| Proposal {
        id,
        project: project.clone(),
        kind: Kind::ChangedOnDisk,
        back: None,
        created: now,
        trigger: "disk".to_owned(),
        usage: Usage::default(),
        summary: format!("{what} on disk that no review let in here"),
        changes,
        spans: Vec::new(),
        notes: Vec::new(),
        lines: Vec::new(),
        coverage: Vec::new(),
        hits: Vec::new(),
        dropped: Vec::new(),
    })
}

/// What is said of an entry on disk that a person took back in another form.
const TAKEN_BACK: &str = "a person took it back; adopted, agents are given it again";

/// The record that an entry is a changed form of.
fn changed_from<'a>(matched: &'a Matched, entry: &Entry) -> Option<&'a Record> {
    let mut all = matched.broken.iter();
    let found = all.find(|b| b.is_displaced() && b.entry.as_ref() == Some(entry));
    found.map(|b| &b.record)
}

/// Where an entry was accepted, when it stands elsewhere now.
fn moved_from(entry: &Entry, record: &Record) -> Option<String> {
    let stays = (entry.file, &entry.section) == (record.file, &record.section);
    (!stays).then(|| match record.section.as_str() {
        "" => format!("it was accepted for {}", record.file.name()),
        section => format!(
            "it was accepted for {} under {}",
            record.file.name(),
            crate::text::quoted(section, 60)
        ),
    })
}

fn standing(entry: &Entry, from: Option<&Record>, origin: Origin) -> Change {
    Change {
        n: 0,
        op: if from.is_some() { Op::Edit } else { Op::Add },
        file: entry.file,
        section: entry.section.clone(),
        target: from.map(target),
        text: entry.text.clone(),
        reason: from.and_then(|record| match record.state {
            RecordState::Tombstoned => Some(TAKEN_BACK.to_owned()),
            _ => moved_from(entry, record),
        }),
        evidence: Vec::new(),
        origin,
        earlier: None,
        also: Vec::new(),
        verdicts: Vec::new(),
    }
}

fn gone(record: &Record) -> Change {
    Change {
        n: 0,
        op: Op::Archive,
        file: record.file,
        section: record.section.clone(),
        target: Some(target(record)),
        text: String::new(),
        reason: Some("it was gone from its file".to_owned()),
        evidence: Vec::new(),
        origin: Origin::HumanEdit,
        earlier: None,
        also: Vec::new(),
        verdicts: Vec::new(),
    }
}

fn target(record: &Record) -> Target {
    Target {
        entry: Some(record.entry.clone()),
        text: record.text.clone(),
        hash: TextHash::of(&record.text),
        ordinal: 0,
    }
}

/// Memory as it was let in, for the guardrails to judge a proposal against: for one of what stands
/// on disk, the same without what it offers; for any other, memory as it is.
#[must_use]
pub fn base(proposal: &Proposal, memory: &Memory) -> Memory {
    if !proposal.kind.is_on_disk() {
        return memory.clone();
    }
    let texts = memory.docs().map(|doc| {
        let file = doc.file();
        let mut used = vec![false; doc.entries().len()];
        let here = proposal.changes.iter().filter(|c| c.file == file);
        // What lapsed still stands.
        let here = here.filter(|c| proposal.kind == Kind::ChangedOnDisk || !c.leaves());
        let splices: Vec<Splice> = here.filter_map(|c| undo(c, doc, &mut used)).collect();
        (file, doc.apply(&splices, None))
    });
    Memory::from_texts(&texts.collect())
}

fn undo(change: &Change, doc: &Document, used: &mut [bool]) -> Option<Splice> {
    match change.op {
        Op::Add => Some(Splice::Remove {
            entry: locate(change, doc, used)?,
        }),
        Op::Edit => Some(Splice::Replace {
            entry: locate(change, doc, used)?,
            text: change.target.as_ref()?.text.clone(),
        }),
        Op::Archive | Op::Tombstone => Some(Splice::Add {
            section: change.section.clone(),
            text: change.target.as_ref()?.text.clone(),
        }),
    }
}

/// Puts placeholders in the place of secrets: what is staged holds none. Accepted, they stand in the
/// file as well. What cannot be searched stays as it is, and is left out. Gives what was hidden, each
/// with the text that is offered.
fn hide_secrets(changes: &mut [Change], redactor: &Redactor) -> Vec<(String, Vec<Hit>)> {
    let mut hidden = Vec::new();
    let is_found = |h: &Hit| h.fingerprint != NO_FINGERPRINT;
    for change in changes {
        let hits = redactor.check(&change.section);
        if let Some(hit) = hits.first()
            && hits.iter().all(is_found)
        {
            change.section = redactor.shown(&change.section);
            if change.op != Op::Archive {
                say(
                    change,
                    format!(
                        "its heading holds what looks like a credential ({}), hidden here: r takes the entry out of its file; to keep it, change the heading by hand",
                        hit.rule
                    ),
                );
            }
        }
        let hits = redactor.check(&change.text);
        if let Some(hit) = hits.first()
            && hits.iter().all(is_found)
        {
            let said = format!(
                "it holds what looks like a credential ({}), hidden here: accepted, the placeholder stands in the file too. Revoke it where it was issued; `memd scan --history` says whether history has it, and how to purge that",
                hit.rule
            );
            change.text = redactor.shown(&change.text);
            say(change, said);
            hidden.push((change.text.clone(), hits));
        }
        if let Some(target) = &mut change.target {
            target.text = redactor.shown(&target.text);
        }
    }
    hidden
}

fn say(change: &mut Change, said: String) {
    change.reason = Some(match change.reason.take() {
        Some(reason) => format!("{reason}; {said}"),
        None => said,
    });
}

/// Stages what stands on disk and is not trusted, unless a proposal of just that waits already; one
/// that no longer fits gives way, a rest is settled first. What a person has rejected is not
/// offered again while it reads the same. Returns the proposal that waits, with the number of its
/// open changes.
///
/// A credential is offered with a placeholder in its stead: one in an entry is adopted so, one in its
/// heading keeps it from being adopted. What cannot be searched is named, for a person to take it out.
///
/// # Errors
/// When memory or the database cannot be read or written.
pub fn offer(
    ground: Ground<'_>,
    lock: &ProjectLock,
    limits: &Limits,
    credentials: &dyn Fn(&str) -> Vec<Hit>,
) -> Result<Option<(ProposalId, usize)>, ApplyError> {
    let Ground {
        store, trust, now, ..
    } = ground;
    let project = lock.project();
    refuse_under_way(ground.memory)?;
    let memory = Memory::read(ground.memory)?;
    let records = store.all_records(trust, project)?;
    let matched = match_entries(memory.entries(), &records, trust, store.clock(now)?);
    let id = ProposalId::random().map_err(StoreError::from)?;
    let mut fresh = adopt(project, id, &matched, now);
    if let Some(proposal) = &mut fresh {
        let base = base(proposal, &memory);
        known::tell(&mut proposal.changes, &matched, &records);
        let mut hidden = hide_secrets(&mut proposal.changes, ground.redactor);
        let why = "it cannot be searched for secrets: take it out by hand";
        leave_credentials(
            &mut proposal.changes,
            &mut proposal.dropped,
            credentials,
            why,
        );
        shorten(proposal);
        hidden.retain(|(text, _)| proposal.changes.iter().any(|c| c.text == *text));
        proposal.hits = hidden.into_iter().flat_map(|(_, hits)| hits).collect();
        number(&mut proposal.changes);
        let entries = matched.known_ever();
        judge(proposal, &base, &entries, limits, credentials);
    }
    let fresh = fresh.filter(|p| !p.changes.is_empty());
    let mut found = None;
    for item in store.queue(Some(project), now)? {
        if item.kind != Kind::ChangedOnDisk || item.state == State::Applying {
            continue;
        }
        let waits = store.proposal(trust, &item.id)?;
        let settled = store.decisions(trust, &item.id)?.settled;
        let all = waits.changes.iter();
        let open: Vec<_> = all.filter(|c| !settled.contains(&c.n)).collect();
        let fits = fresh.as_ref().is_some_and(|f| same(&f.changes, &open));
        match (&found, fits) {
            (None, true) => found = Some((item.id, open.len())),
            _ => store.withdraw(trust, &item.id, now)?,
        }
    }
    if found.is_some() {
        return Ok(found);
    }
    let Some(proposal) = fresh else {
        return Ok(None);
    };
    store.stage(trust, &proposal, &[], now)?;
    Ok(Some((proposal.id, proposal.changes.len())))
}

/// How many entries of each file nobody let in and cannot be offered, since they cannot be searched for
/// secrets: a person takes them out by hand.
#[must_use]
pub fn not_offered(matched: &Matched, redactor: &Redactor) -> BTreeMap<MemoryFile, usize> {
    let withheld = |text: &str| {
        let hits = redactor.check(text);
        hits.iter().any(|h| h.fingerprint == NO_FINGERPRINT)
    };
    let mut kept = BTreeMap::new();
    for entry in matched.untrusted() {
        if withheld(&entry.section) || withheld(&entry.text) {
            *kept.entry(entry.file).or_default() += 1;
        }
    }
    kept
}

/// So many changes are offered at once: what a person can read, and the guardrails can judge while
/// they wait. The rest is offered once these are decided on.
const AT_ONCE: usize = 400;

fn shorten(proposal: &mut Proposal) {
    let more = proposal.changes.len().saturating_sub(AT_ONCE);
    if more > 0 {
        proposal.changes.truncate(AT_ONCE);
        proposal.dropped.push(Dropped {
            what: count(more, "more entry", "more entries"),
            why: "offered once these are decided on".to_owned(),
        });
    }
}

/// Whether a fresh offer is what is open of one that waits.
pub(super) fn same(fresh: &[Change], open: &[&Change]) -> bool {
    let key = |c: &Change| {
        (
            c.op,
            c.file,
            c.section.clone(),
            c.text.clone(),
            c.said().to_owned(),
        )
    };
    fresh.len() == open.len() && fresh.iter().zip(open).all(|(a, b)| key(a) == key(b))
}
