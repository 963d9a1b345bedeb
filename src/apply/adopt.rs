//! "Changed on disk": what stands in memory, or left it, and nobody let in here.
//!
//! Hand edits, a pulled commit, a store of memd 0.3's, a cloned folder, a lost database: all become
//! one proposal, whose acceptance seals what stands there and writes nothing.

use super::execute::{ApplyError, Ground};
use super::staging::{judge, leave_credentials, number};
use crate::config::Budgets;
use crate::id::{ProjectId, ProposalId};
use crate::lock::ProjectLock;
use crate::memory::{Document, Entry, Memory, MemoryFile, Splice};
use crate::proposal::{Change, Dropped, Kind, Op, Origin, Proposal, State, Target, Usage};
use crate::redact::{Hit, NO_FINGERPRINT, Redactor, has_placeholder};
use crate::store::StoreError;
use crate::text::{TextHash, count};
use crate::trust::{Act, Matched, Record, RecordState, match_entries};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// A proposal of everything that is not trusted, for a person to decide on; `None` when disk and
/// records agree.
///
/// An entry that is new is an addition; one that was changed, moved or put back to an older version
/// is an edit of what was let in; one that is gone is an archiving. Rejecting the latter two puts
/// back what was let in.
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
            "it was accepted for {} under {section:?}",
            record.file.name()
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
        reason: Some("taken out by hand".to_owned()),
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

/// Where an entry that is offered stands; each of equal twins is found once.
pub(super) fn locate(change: &Change, doc: &Document, used: &mut [bool]) -> Option<usize> {
    let at = doc.entries().iter().enumerate().position(|(n, e)| {
        let free = used.get(n) == Some(&false);
        free && e.section == change.section && e.text == change.text
    })?;
    *used.get_mut(at)? = true;
    Some(at)
}

/// Puts placeholders in the place of secrets: what is staged holds none. Accepted, they stand in the
/// file as well. What cannot be searched stays as it is, and is left out. Gives what was hidden, each
/// with the text that is offered.
fn hide_secrets(changes: &mut [Change], redactor: &Redactor) -> Vec<(String, Vec<Hit>)> {
    let mut hidden = Vec::new();
    for change in changes {
        let hits = redactor.check(&change.text);
        let is_found = |h: &Hit| h.fingerprint != NO_FINGERPRINT;
        if let Some(hit) = hits.first()
            && hits.iter().all(is_found)
        {
            let said = format!(
                "it holds what looks like a credential ({}), hidden here: accepted, the placeholder stands in the file too. Revoke it where it was issued; `memd scan --history` says whether history has it, and how to purge that",
                hit.rule
            );
            change.text = redactor.shown(&change.text);
            change.reason = Some(match change.reason.take() {
                Some(reason) => format!("{reason}; {said}"),
                None => said,
            });
            hidden.push((change.text.clone(), hits));
        }
        if let Some(target) = &mut change.target {
            target.text = redactor.shown(&target.text);
        }
    }
    hidden
}

/// An offer in the words that stand on disk and in the records, where it shows placeholders; and
/// the numbers of the changes whose own text that is true of. Memory is searched by it; it is never
/// staged or shown.
#[must_use]
pub fn exact(
    proposal: &Proposal,
    memory: &Memory,
    matched: &Matched,
    redactor: &Redactor,
) -> (Proposal, BTreeSet<u32>) {
    let (mut exact, mut hidden) = (proposal.clone(), BTreeSet::new());
    if proposal.kind != Kind::ChangedOnDisk {
        return (exact, hidden);
    }
    let docs = memory.docs();
    let free = docs.map(|d| (d.file(), vec![false; d.entries().len()]));
    let mut used: BTreeMap<MemoryFile, Vec<bool>> = free.collect();
    for change in &mut exact.changes {
        let used = used.entry(change.file).or_default();
        let doc = memory.doc(change.file);
        if has_placeholder(&change.text)
            && locate(change, doc, used).is_none()
            && let Some(text) = behind(change, doc, used, redactor)
        {
            change.text = text;
            hidden.insert(change.n);
        }
        if let Some(target) = &mut change.target
            && TextHash::of(&target.text) != target.hash
        {
            let all = matched.missing.iter();
            let mut all = all.chain(matched.broken.iter().map(|b| &b.record));
            let same = all.find(|r| TextHash::of(&r.text) == target.hash);
            target.text = same.map_or_else(|| target.text.clone(), |r| r.text.clone());
        }
    }
    (exact, hidden)
}

/// The text of the entry that a change shows with placeholders.
fn behind(
    change: &Change,
    doc: &Document,
    used: &mut [bool],
    redactor: &Redactor,
) -> Option<String> {
    let mut all = doc.entries().iter().zip(used);
    let is_it = |e: &Entry| e.section == change.section && redactor.shown(&e.text) == change.text;
    let (entry, used) = all.find(|(e, used)| !**used && is_it(e))?;
    *used = true;
    Some(entry.text.clone())
}

/// Stages what stands on disk and is not trusted, unless a proposal of just that waits already; one
/// that no longer fits gives way, a rest is settled first. What a person has rejected is not
/// offered again while it reads the same. Returns the proposal that waits, with the number of its
/// open changes.
///
/// An entry that holds a credential is offered with a placeholder in its stead. One that cannot be, as
/// where its heading holds it, is named, for a person to take it out.
///
/// # Errors
/// When memory or the database cannot be read or written.
pub fn offer(
    ground: Ground<'_>,
    lock: &ProjectLock,
    budgets: &Budgets,
    credentials: &dyn Fn(&str) -> Vec<Hit>,
) -> Result<Option<(ProposalId, usize)>, ApplyError> {
    let Ground {
        store, trust, now, ..
    } = ground;
    let project = lock.project();
    let memory = Memory::read(ground.memory)?;
    let records = store.all_records(trust, project)?;
    let matched = match_entries(memory.entries(), &records, trust, store.clock(now)?);
    let id = ProposalId::random().map_err(StoreError::from)?;
    let mut fresh = adopt(project, id, &matched, now);
    if let Some(proposal) = &mut fresh {
        let base = base(proposal, &memory);
        let mut hidden = hide_secrets(&mut proposal.changes, ground.redactor);
        let rejected = rejected_before(ground, project)?;
        proposal.changes.retain(|c| !rejected.contains(&said(c)));
        let why = "it holds what looks like a credential: take it out by hand";
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
        judge(proposal, &base, &[], budgets, credentials);
    }
    let fresh = fresh.filter(|p| !p.changes.is_empty());
    for item in store.queue(Some(project), now)? {
        if item.kind != Kind::ChangedOnDisk {
            continue;
        }
        let waits = store.proposal(trust, &item.id)?;
        let settled = store.decisions(trust, &item.id)?.settled;
        let open: Vec<_> = waits
            .changes
            .iter()
            .filter(|c| !settled.contains(&c.n))
            .collect();
        if item.is_rest() || fresh.as_ref().is_some_and(|f| same(&f.changes, &open)) {
            return Ok(Some((item.id, open.len())));
        }
        if item.state == State::Staged {
            store.return_(trust, &item.id, "", now)?;
        }
    }
    let Some(proposal) = fresh else {
        return Ok(None);
    };
    store.stage(trust, &proposal, &[], now)?;
    Ok(Some((proposal.id, proposal.changes.len())))
}

/// Files with an entry that nobody let in and that cannot be offered, since its heading holds a secret
/// or it cannot be searched: a person takes it out by hand.
#[must_use]
pub fn not_offered(matched: &Matched, redactor: &Redactor) -> BTreeSet<MemoryFile> {
    let withheld = |text: &str| {
        let hits = redactor.check(text);
        hits.iter().any(|h| h.fingerprint == NO_FINGERPRINT)
    };
    let untrusted = matched.untrusted().into_iter();
    let kept = untrusted.filter(|e| !redactor.check(&e.section).is_empty() || withheld(&e.text));
    kept.map(|e| e.file).collect()
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

/// What makes an offer the same: it reads the same, in the same place.
type Said = (MemoryFile, String, String);

fn said(change: &Change) -> Said {
    (
        change.file,
        change.section.clone(),
        change.said().to_owned(),
    )
}

/// What a person has rejected of earlier offers.
fn rejected_before(ground: Ground<'_>, project: &ProjectId) -> Result<BTreeSet<Said>, ApplyError> {
    let mut rejected = BTreeSet::new();
    for row in ground.store.audit_rows()? {
        let adopted = row.act == Act::Adopt.name();
        let ours = row.project == project.as_str();
        if !ours || !(adopted || row.act == Act::Discard.name()) {
            continue;
        }
        let Ok(id) = row.subjects.parse::<ProposalId>() else {
            continue;
        };
        let Ok(proposal) = ground.store.proposal(ground.trust, &id) else {
            continue;
        };
        let details: serde_json::Value = serde_json::from_str(&row.details).unwrap_or_default();
        let numbers = details.get("rejected").and_then(|r| r.as_array());
        let is_rejected = |c: &&Change| match numbers {
            Some(numbers) => numbers.iter().any(|n| n.as_u64() == Some(u64::from(c.n))),
            None => !adopted,
        };
        if proposal.kind == Kind::ChangedOnDisk {
            // What had a record was put back: the same edit made again is a new one.
            let left = proposal.changes.iter().filter(|c| c.target.is_none());
            rejected.extend(left.filter(is_rejected).map(said));
        }
    }
    Ok(rejected)
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
