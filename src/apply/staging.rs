//! Staging what no curator proposed: the reverse of an apply, memory as of a commit, a person's own
//! act. Each becomes a proposal like any other; nothing is written before a person has decided.

use super::execute::{ApplyError, Ground};
use super::recover::recover;
use crate::config::Limits;
use crate::guard::{self, Judgement};
use crate::id::{EntryId, ProposalId};
use crate::lock::ProjectLock;
use crate::memory::{Memory, MemoryFile, title};
use crate::proposal::{
    Back, Change, Chosen, Dropped, Kind, KnownEntry, Op, Proposal, Rebased, Target, Usage,
    rebase_all,
};
use crate::redact::Hit;
use crate::redact::first_whole;
use crate::store::StoreError;
use crate::text::TextHash;
use crate::trust::{Matched, Record, match_entries};

/// Finds credentials: the redactor's check.
pub type Credentials<'a> = dyn Fn(&str) -> Vec<Hit> + 'a;

/// Characters of a title in what is said to be left out.
const TITLE: usize = 72;

/// What staging an act came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Staged {
    /// The proposal that waits for `memd review`; `None`: nothing was left to propose.
    pub id: Option<ProposalId>,
    /// How many changes of it are open.
    pub changes: usize,
    /// Numbers of those whose entry reads otherwise by now: shown against what stands, and decided
    /// on that.
    pub conflicts: Vec<u32>,
    /// What is not among them, and why.
    pub dropped: Vec<Dropped>,
    /// Just this had been staged before and still waits; nothing was staged now.
    pub waited: bool,
}

/// A project's memory between two applies, with all that was ever let in.
pub(super) struct Scene {
    pub memory: Memory,
    /// Every version, by entry and version.
    pub records: Vec<Record>,
    pub matched: Matched,
    pub entries: Vec<KnownEntry>,
}

impl Scene {
    /// Reads it, once an apply that was cut short is finished.
    pub fn read(ground: Ground<'_>, lock: &ProjectLock) -> Result<Self, ApplyError> {
        recover(ground, lock)?;
        let memory = Memory::read_made(ground.memory)?;
        let records = ground.store.all_records(ground.trust, lock.project())?;
        let now = ground.store.clock(ground.now)?;
        let matched = match_entries(memory.entries(), &records, ground.trust, now);
        Ok(Self {
            entries: matched.known(),
            memory,
            records,
            matched,
        })
    }

    /// An entry as the target of a change, as it read in this version.
    pub fn target(&self, record: &Record) -> Target {
        let stands = self.matched.find(&record.entry);
        Target {
            entry: Some(record.entry.clone()),
            text: record.text.clone(),
            hash: TextHash::of(&record.text),
            ordinal: stands.map_or(0, |s| s.entry.ordinal),
        }
    }

    /// The newest version of an entry.
    pub fn newest(&self, entry: &EntryId) -> Option<&Record> {
        self.records.iter().rev().find(|r| r.entry == *entry)
    }
}

/// What is to be staged.
pub(super) struct Draft {
    pub kind: Kind,
    pub back: Option<Back>,
    /// One line of ours.
    pub summary: String,
    pub changes: Vec<Change>,
    pub left: Vec<Left>,
}

/// Something that is left out.
pub(super) struct Left {
    pub file: MemoryFile,
    /// Its text, whoever wrote it; empty: the file as a whole.
    pub text: String,
    pub why: String,
}

impl Left {
    pub fn new(file: MemoryFile, text: &str, why: impl Into<String>) -> Self {
        Self {
            file,
            text: text.to_owned(),
            why: why.into(),
        }
    }

    /// Named by its title, unless it holds a credential: the proposal keeps it for good.
    fn named(self, credentials: &Credentials<'_>) -> Dropped {
        let file = self.file.name();
        let what = match (self.text.is_empty(), credentials(&self.text).is_empty()) {
            (true, _) => file.to_owned(),
            (false, true) => first_whole(&title(&self.text), TITLE).0.to_owned(),
            (false, false) => format!("an entry of {file}"),
        };
        Dropped {
            what,
            why: self.why,
        }
    }
}

/// A change of an entry, otherwise empty.
pub(super) fn change(op: Op, record: &Record) -> Change {
    Change {
        n: 0,
        op,
        file: record.file,
        section: record.section.clone(),
        target: None,
        text: String::new(),
        reason: None,
        earlier: None,
        evidence: Vec::new(),
        origin: crate::proposal::Origin::HumanEdit,
        also: Vec::new(),
        verdicts: Vec::new(),
    }
}

/// Numbers changes from 1.
pub(super) fn number(changes: &mut [Change]) {
    for (change, n) in changes.iter_mut().zip(1u32..) {
        change.n = n;
    }
}

/// Takes out what holds a credential: it is named, without a word of it.
pub(super) fn leave_credentials(
    changes: &mut Vec<Change>,
    dropped: &mut Vec<Dropped>,
    credentials: &Credentials<'_>,
    why: &str,
) {
    changes.retain(|c| {
        let reason = c.reason.as_deref().unwrap_or_default();
        let all = [c.text.as_str(), c.said(), c.section.as_str(), reason];
        let holds = all.into_iter().any(|text| !credentials(text).is_empty());
        if holds {
            dropped.push(Dropped {
                what: format!("an entry of {}", c.file.name()),
                why: why.to_owned(),
            });
        }
        !holds
    });
}

/// What the guardrails say of all changes together, against memory as it was let in.
pub(super) fn judged(
    changes: &[Change],
    kind: Kind,
    base: &Memory,
    entries: &[KnownEntry],
    limits: &Limits,
    credentials: &Credentials<'_>,
) -> Judgement {
    let chosen: Vec<Chosen<'_>> = changes.iter().map(Chosen::of).collect();
    guard::judge(&guard::Context {
        kind,
        memory: base,
        entries,
        chosen: &chosen,
        lines: &[],
        tombstones: &[],
        limits,
        credentials,
    })
}

/// Keeps with each change what the guardrails say of all of them together.
pub(super) fn judge(
    proposal: &mut Proposal,
    base: &Memory,
    entries: &[KnownEntry],
    limits: &Limits,
    credentials: &Credentials<'_>,
) {
    let (changes, kind) = (&proposal.changes, proposal.kind);
    let judgement = judged(changes, kind, base, entries, limits, credentials);
    for change in &mut proposal.changes {
        change.verdicts = judgement.of(change.n).to_vec();
    }
}

/// Stages a draft, unless the same waits already. What would change nothing is left out and named.
pub(super) fn stage(
    mut draft: Draft,
    scene: &Scene,
    ground: Ground<'_>,
    lock: &ProjectLock,
    limits: &Limits,
    credentials: &Credentials<'_>,
) -> Result<Staged, ApplyError> {
    leave_what_is_settled(&mut draft, scene);
    let left = draft.left.into_iter();
    let mut dropped: Vec<Dropped> = left.map(|left| left.named(credentials)).collect();
    let why = "it holds what looks like a credential";
    leave_credentials(&mut draft.changes, &mut dropped, credentials, why);
    number(&mut draft.changes);
    let same = |p: &Proposal| p.back == draft.back && is_same(&p.changes, &draft.changes);
    if let Some(mut waits) = waiting(ground, lock, draft.kind, same)? {
        waits.dropped = dropped;
        return Ok(waits);
    }
    if draft.changes.is_empty() {
        return Ok(Staged {
            dropped,
            ..Staged::default()
        });
    }
    let mut proposal = Proposal {
        id: ProposalId::random().map_err(StoreError::from)?,
        project: lock.project().clone(),
        kind: draft.kind,
        back: draft.back,
        created: ground.now,
        trigger: draft.kind.name().to_owned(),
        usage: Usage::default(),
        summary: draft.summary,
        changes: draft.changes,
        spans: Vec::new(),
        notes: Vec::new(),
        lines: Vec::new(),
        coverage: Vec::new(),
        hits: Vec::new(),
        dropped,
    };
    judge(
        &mut proposal,
        &scene.memory,
        &scene.entries,
        limits,
        credentials,
    );
    ground
        .store
        .stage(ground.trust, &proposal, &[], ground.now)?;
    Ok(Staged {
        id: Some(proposal.id.clone()),
        changes: proposal.changes.len(),
        conflicts: conflicts(&proposal.changes, scene),
        dropped: proposal.dropped,
        waited: false,
    })
}

/// A proposal of a kind that waits for a person and is the one looked for.
pub(super) fn waiting(
    ground: Ground<'_>,
    lock: &ProjectLock,
    kind: Kind,
    is_it: impl Fn(&Proposal) -> bool,
) -> Result<Option<Staged>, ApplyError> {
    for item in ground.store.queue(Some(lock.project()), ground.now)? {
        if item.kind != kind {
            continue;
        }
        let proposal = ground.store.proposal(ground.trust, &item.id)?;
        if is_it(&proposal) {
            return Ok(Some(Staged {
                id: Some(item.id),
                changes: item.open as usize,
                conflicts: Vec::new(),
                dropped: proposal.dropped,
                waited: true,
            }));
        }
    }
    Ok(None)
}

fn is_same(waits: &[Change], fresh: &[Change]) -> bool {
    let bare = |c: &Change| Change {
        verdicts: Vec::new(),
        ..c.clone()
    };
    !fresh.is_empty() && waits.iter().map(bare).eq(fresh.iter().map(bare))
}

fn leave_what_is_settled(draft: &mut Draft, scene: &Scene) {
    let changes = std::mem::take(&mut draft.changes);
    let all = rebase_all(&changes, &scene.memory, &scene.entries);
    for (change, rebased) in changes.into_iter().zip(all) {
        let file = change.file;
        let why = match rebased {
            Rebased::Stands(_) | Rebased::Changed { .. } => {
                draft.changes.push(change);
                continue;
            }
            Rebased::Gone => format!("it no longer stands in {}", file.name()),
            Rebased::AlreadyThere(_) => format!("it stands in {} already", file.name()),
        };
        draft.left.push(Left::new(file, change.said(), why));
    }
}

/// Changes whose entry reads otherwise by now.
pub(super) fn conflicts(changes: &[Change], scene: &Scene) -> Vec<u32> {
    let all = rebase_all(changes, &scene.memory, &scene.entries);
    let moved_on = |r: &Rebased| matches!(r, Rebased::Changed { .. });
    let all = changes.iter().zip(all).filter(|(_, r)| moved_on(r));
    all.map(|(c, _)| c.n).collect()
}
