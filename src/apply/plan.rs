//! What an apply will do, as a value.

use super::adopt;
use super::message::{self, Counts};
use super::over;
use super::records;
use super::restore::{self, Rejected, Restore, TakeOut};
use super::splices::{self, Fit, Placement};
use super::take_back::{self, TakeBack};
use crate::config::{Lapses, Limits};
use crate::git::Message;
use crate::guard::{self, Judgement, LOSS};
use crate::id::{NoRandom, ProjectId, ProposalId};
use crate::memory::{ArchivePiece, Entry, Memory, MemoryFile, archive};
use crate::proposal::{
    Change, Chosen, Decision, Kind, KnownEntry, Level, Op, Proposal, Rebased, Tombstone, Verdict,
    rebase,
};
use crate::redact::Hit;
use crate::text::TextHash;
use crate::trust::{Matched, Occasion, Record};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// Who lets the changes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// A person, on a terminal.
    Person,
    /// A policy that a person granted; the entries are unreviewed and lapse.
    Policy(Policy),
}

/// How a policy lets changes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// What asked for it.
    pub occasion: Occasion,
    /// How long the entries stand without a person.
    pub lapses: Lapses,
}

/// What a plan is made from.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// What was proposed.
    pub proposal: &'a Proposal,
    /// What was decided, by change number.
    pub decisions: &'a BTreeMap<u32, Decision>,
    /// The hash of what stood there when a change was decided whose target reads otherwise than it
    /// was made for; see [`crate::store::Journal::over`].
    pub over: &'a BTreeMap<u32, TextHash>,
    /// Numbers that an earlier apply of this proposal has settled.
    pub settled: &'a BTreeSet<u32>,
    /// The four files as they stand.
    pub memory: &'a Memory,
    /// This month's archive file as it stands; see [`Plan::archive_path`].
    pub archive: Option<&'a str>,
    /// Which entry has which record.
    pub matched: &'a Matched,
    /// What is known of the entries that have a record.
    pub entries: &'a [KnownEntry],
    /// What was rejected before.
    pub tombstones: &'a [Tombstone],
    /// Sizes.
    pub limits: &'a Limits,
    /// Finds credentials: the redactor's check.
    pub credentials: &'a dyn Fn(&str) -> Vec<Hit>,
    /// Why the loss guard is overridden, as the person typed it.
    pub despite: Option<&'a str>,
    /// Who lets them in.
    pub by: By,
    /// The moment.
    pub now: Timestamp,
}

/// One file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileWrite {
    /// Its path in the memory folder.
    pub path: String,
    /// What must stand there; `None`: nothing.
    pub before: Option<String>,
    /// What will stand there.
    pub after: String,
}

impl FileWrite {
    /// The hash of what must stand there.
    #[must_use]
    pub fn before_hash(&self) -> Option<TextHash> {
        self.before.as_ref().map(TextHash::of)
    }
}

/// A chosen change that is not applied, because its target is not what it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The change's number.
    pub n: u32,
    /// What stands now: `None` when the target is gone.
    pub now: Option<String>,
}

/// What forbids an apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blocked {
    /// The change it is about; `None`: a file as a whole.
    pub change: Option<u32>,
    /// The file.
    pub file: MemoryFile,
    /// What the guardrail says.
    pub verdict: Verdict,
}

/// All that an apply does. Nothing is written while it is made.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What it applies.
    pub proposal: ProposalId,
    /// Whose memory it is.
    pub project: ProjectId,
    /// Files that change, by path.
    pub files: Vec<FileWrite>,
    /// New record versions, not sealed yet.
    pub records: Vec<Record>,
    /// Numbers of the changes that go in.
    pub applied: Vec<u32>,
    /// Numbers of the changes that a person rejected.
    pub rejected: Vec<u32>,
    /// Those of them that put back what was accepted.
    pub restored: Vec<u32>,
    /// Those of them that take out of its file what nobody let in.
    pub taken_out: Vec<u32>,
    /// Those of them that take back what was let in unattended.
    pub taken_back: Vec<u32>,
    /// Whether nothing is written and no commit is due: it only vouches for what was let in, or all
    /// that was decided is to be decided afresh.
    pub is_quiet: bool,
    /// Whether it puts a text in the place of one that a person wrote and nobody let in: history
    /// must keep that first.
    pub replaces_by_hand: bool,
    /// Numbers of chosen changes that stand there already: nothing is left to do.
    pub already_there: Vec<u32>,
    /// Chosen changes whose target moved on: they stay, to be decided afresh.
    pub conflicts: Vec<Conflict>,
    /// Numbers of changes nobody has decided on: they stay as a rest.
    pub undecided: Vec<u32>,
    /// Why it cannot be applied as it is; empty: it can.
    pub blocked: Vec<Blocked>,
    /// What the guardrails say of just what goes in.
    pub judgement: Judgement,
    /// Who lets it in.
    pub by: By,
    /// Why the loss guard was overridden.
    pub despite: Option<String>,
    /// What the commit says, without the audit trailer.
    pub message: Message,
    /// Sums for people.
    pub counts: Counts,
    /// How many pieces move into the archive.
    pub moved_in: usize,
    /// When it was made; what is written carries this date.
    pub at: Timestamp,
}

impl Plan {
    /// The archive file that an apply at this moment may write, as a path in the memory folder.
    #[must_use]
    pub fn archive_path(now: Timestamp) -> String {
        format!("archive/{}", archive::file_name(now))
    }

    /// Numbers of the changes that stay: undecided ones and conflicts.
    #[must_use]
    pub fn rest(&self) -> Vec<u32> {
        let conflicts = self.conflicts.iter().map(|c| c.n);
        let mut rest: Vec<u32> = self.undecided.iter().copied().chain(conflicts).collect();
        rest.sort_unstable();
        rest
    }

    /// Whether it puts something in the place of what a person wrote, or takes that out.
    #[must_use]
    pub fn goes_over_by_hand(&self) -> bool {
        !self.restored.is_empty() || !self.taken_out.is_empty() || self.replaces_by_hand
    }

    /// Numbers that this apply settles, rejections included.
    #[must_use]
    pub fn settled(&self) -> Vec<u32> {
        let all = self.applied.iter().chain(&self.rejected);
        let mut all: Vec<u32> = all.chain(&self.already_there).copied().collect();
        all.sort_unstable();
        all
    }
}

/// Why there is no plan.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// A decided text would not stand as one entry.
    #[error("change {n} would not stand as one entry in {}: edit it or reject it", file.name())]
    NotOneEntry {
        /// The change's number.
        n: u32,
        /// The file.
        file: MemoryFile,
    },
    /// What was accepted cannot stand again as it was.
    #[error(
        "change {n}: what was accepted would not stand in {} as it did; adopt what stands there, or put it right by hand",
        file.name()
    )]
    NotRestored {
        /// The change's number.
        n: u32,
        /// The file.
        file: MemoryFile,
    },
    /// No identity for a new entry.
    #[error(transparent)]
    NoRandom(#[from] NoRandom),
}

/// Plans an apply. Pure but for new entries' random ids.
///
/// # Errors
/// When a chosen text would not stand as one entry, or the system gives no random bytes.
pub fn plan(inputs: &Inputs<'_>) -> Result<Plan, PlanError> {
    match over::retargeted(inputs) {
        None => plan_as_made(inputs),
        Some(proposal) => plan_as_made(&Inputs {
            proposal: &proposal,
            ..*inputs
        }),
    }
}

fn plan_as_made(inputs: &Inputs<'_>) -> Result<Plan, PlanError> {
    let sorted = Sorted::of(inputs);
    let fits = &sorted.fits;
    let kind = inputs.proposal.kind;
    let going = splices::Going {
        fits,
        restores: &sorted.restores,
        take_outs: &sorted.take_outs,
        take_backs: &sorted.take_backs,
        kind,
    };
    let memory = splices::with_fronts(inputs.memory, going, inputs.now);
    let mut placement = splices::place(&memory, going, inputs.now)?;
    placement.pieces.retain(|piece| !is_archived(piece, inputs));
    let mut records = records::records(inputs, &placement)?;
    records.extend(sorted.take_backs.iter().map(|t| t.record(inputs)));
    let mut files = splices::file_writes(inputs.memory, &placement);
    files.extend(archive_write(inputs, &placement));
    let judgement = judge(inputs, &memory, &placement);
    let blocked = blocked(inputs, &judgement);
    let restored: Vec<u32> = sorted.restores.iter().map(|r| r.n).collect();
    let counts = Counts::of(&placement, going, sorted.rejected.len());
    Ok(Plan {
        proposal: inputs.proposal.id.clone(),
        project: inputs.proposal.project.clone(),
        message: message::message(inputs, &placement, going, &counts),
        taken_back: sorted.take_backs.iter().map(|t| t.change.n).collect(),
        is_quiet: files.is_empty() && (kind == Kind::Unreviewed || counts.is_none()),
        restored,
        taken_out: sorted.take_outs.iter().map(|t| t.change.n).collect(),
        replaces_by_hand: replaces_by_hand(inputs, &placement),
        moved_in: placement.pieces.len(),
        applied: fits.iter().map(|f| f.chosen.change.n).collect(),
        rejected: sorted.rejected,
        already_there: sorted.already_there,
        conflicts: sorted.conflicts,
        undecided: sorted.undecided,
        despite: overridden(inputs, &judgement),
        by: inputs.by,
        judgement,
        at: inputs.now,
        files,
        records,
        blocked,
        counts,
    })
}

/// The proposal's changes, by what becomes of them.
#[derive(Default)]
struct Sorted<'a> {
    fits: Vec<Fit<'a>>,
    rejected: Vec<u32>,
    restores: Vec<Restore<'a>>,
    take_outs: Vec<TakeOut<'a>>,
    take_backs: Vec<TakeBack<'a>>,
    already_there: Vec<u32>,
    conflicts: Vec<Conflict>,
    undecided: Vec<u32>,
}

impl<'a> Sorted<'a> {
    fn of(inputs: &Inputs<'a>) -> Self {
        let mut sorted = Self::default();
        let mut finder = Finder::new(inputs);
        let open = |n: &u32| !inputs.settled.contains(n);
        for change in inputs.proposal.changes.iter().filter(|c| open(&c.n)) {
            let text = match inputs.decisions.get(&change.n) {
                None | Some(Decision::Undecided) => {
                    sorted.undecided.push(change.n);
                    continue;
                }
                Some(Decision::Rejected) => {
                    sorted.reject(change, inputs, &mut finder);
                    continue;
                }
                Some(Decision::Accepted) => change.text.as_str(),
                Some(Decision::Edited(text)) => text.as_str(),
            };
            let chosen = Chosen { change, text };
            match finder.find(change) {
                Rebased::Stands(Some(at)) if is_reviewed(change, at, inputs) => {
                    sorted.reviewed(chosen);
                }
                // It was decided on as an addition; its entry is back.
                Rebased::Stands(Some(_))
                    if inputs.over.get(&change.n) == Some(&over::nothing()) =>
                {
                    let now = change.target.as_ref().map(|t| t.text.clone());
                    sorted.conflict(change.n, now);
                }
                Rebased::Stands(target) => sorted.fits.push(Fit { chosen, target }),
                Rebased::AlreadyThere(_) => sorted.already_there.push(change.n),
                // What is to leave has left: the decision holds, and nothing is to be written.
                Rebased::Gone if change.leaves() => sorted.already_there.push(change.n),
                Rebased::Gone => sorted.conflict(change.n, None),
                Rebased::Changed { now, .. } => sorted.conflict(change.n, Some(now)),
            }
        }
        sorted
    }

    /// A person has accepted it meanwhile: there is nothing left to accept.
    fn reviewed(&mut self, chosen: Chosen<'_>) {
        match chosen.is_edited() {
            false => self.already_there.push(chosen.change.n),
            true => self.conflict(chosen.change.n, Some(chosen.change.text.clone())),
        }
    }

    fn reject(&mut self, change: &'a Change, inputs: &Inputs<'a>, finder: &mut Finder<'a>) {
        if inputs.proposal.kind == Kind::Unreviewed {
            let at = finder.locate(change);
            match TakeBack::of(change, at, inputs) {
                Some(back) => {
                    self.rejected.push(change.n);
                    self.take_backs.push(back);
                }
                None => self.conflict(change.n, at.map(|_| change.text.clone())),
            }
            return;
        }
        match restore::reject(change, inputs, || finder.locate(change)) {
            Rejected::Left => self.rejected.push(change.n),
            Rejected::Restored(restore) => {
                self.rejected.push(change.n);
                self.restores.push(restore);
            }
            Rejected::TakenOut(out) => {
                self.rejected.push(change.n);
                self.take_outs.push(out);
            }
            Rejected::MovedOn(now) => self.conflict(change.n, now),
        }
    }

    fn conflict(&mut self, n: u32, now: Option<String>) {
        self.conflicts.push(Conflict { n, now });
    }
}

/// Whether a person has accepted meanwhile what was let in unattended.
fn is_reviewed(change: &Change, at: usize, inputs: &Inputs<'_>) -> bool {
    let entries = inputs.memory.doc(change.file).entries();
    let stands = |e: &Entry| take_back::unreviewed(change, e, inputs).is_some();
    inputs.proposal.kind == Kind::Unreviewed && !entries.get(at).is_some_and(stands)
}

/// Finds what a change is about in memory as it stands.
struct Finder<'a> {
    memory: &'a Memory,
    entries: &'a [KnownEntry],
    kind: Kind,
    used: BTreeMap<MemoryFile, Vec<bool>>,
}

impl<'a> Finder<'a> {
    fn new(inputs: &Inputs<'a>) -> Self {
        let kind = inputs.proposal.kind;
        Self {
            memory: inputs.memory,
            entries: inputs.entries,
            kind,
            used: adopt::taken(kind, inputs.memory, inputs.matched),
        }
    }

    fn find(&mut self, change: &Change) -> Rebased {
        if !self.kind.is_on_disk() {
            return rebase(change, self.memory, self.entries);
        }
        if change.op == Op::Archive && self.kind == Kind::ChangedOnDisk {
            return Rebased::Stands(None);
        }
        match self.locate(change) {
            Some(entry) => Rebased::Stands(Some(entry)),
            None => Rebased::Gone,
        }
    }

    /// Where an entry that was found on disk stands.
    fn locate(&mut self, change: &Change) -> Option<usize> {
        let used = self.used.entry(change.file).or_default();
        adopt::locate(change, self.memory.doc(change.file), used)
    }
}

/// The guardrails on just what goes in, against memory as it was let in.
fn judge(inputs: &Inputs<'_>, memory: &Memory, placement: &Placement<'_>) -> Judgement {
    let chosen: Vec<Chosen<'_>> = placement.changes.iter().map(|p| p.chosen).collect();
    guard::judge(&guard::Context {
        kind: inputs.proposal.kind,
        memory: &adopt::base(inputs.proposal, memory),
        entries: &inputs.matched.known_ever(),
        chosen: &chosen,
        lines: &inputs.proposal.lines,
        tombstones: inputs.tombstones,
        limits: inputs.limits,
        credentials: inputs.credentials,
    })
}

/// The typed reason, where there is a loss that it goes over.
fn overridden(inputs: &Inputs<'_>, judgement: &Judgement) -> Option<String> {
    let all = judgement.changes.values().chain(judgement.files.values());
    let is_lost = |v: &Verdict| v.level == Level::Block && v.guard == LOSS;
    let why = inputs.despite.filter(|_| all.flatten().any(is_lost))?;
    (!why.trim().is_empty()).then(|| why.to_owned())
}

/// The verdicts that forbid an apply. A typed reason overrides the loss guard, and no other.
fn blocked(inputs: &Inputs<'_>, judgement: &Judgement) -> Vec<Blocked> {
    let despite = overridden(inputs, judgement).is_some();
    let forbids = |v: &&Verdict| v.level == Level::Block && !(despite && v.guard == LOSS);
    let file_of = |n: u32| {
        let found = inputs.proposal.changes.iter().find(|c| c.n == n);
        found.map_or(MemoryFile::State, |c| c.file)
    };
    let changes = judgement.changes.iter().flat_map(|(n, verdicts)| {
        verdicts.iter().filter(forbids).map(|verdict| Blocked {
            change: Some(*n),
            file: file_of(*n),
            verdict: verdict.clone(),
        })
    });
    let files = judgement.files.iter().flat_map(|(file, verdicts)| {
        verdicts.iter().filter(forbids).map(|verdict| Blocked {
            change: None,
            file: *file,
            verdict: verdict.clone(),
        })
    });
    changes.chain(files).collect()
}

fn replaces_by_hand(inputs: &Inputs<'_>, placement: &Placement<'_>) -> bool {
    let edits = placement.changes.iter();
    let edits = edits.filter(|p| p.chosen.change.op == Op::Edit);
    let mut replaced = edits.filter_map(|p| p.before.as_ref());
    let is = |a: &Entry, b: &Entry| (a.file, &a.section, &a.text) == (b.file, &b.section, &b.text);
    !inputs.proposal.kind.is_on_disk()
        && replaced.any(|before| inputs.matched.untrusted().iter().any(|e| is(e, before)))
}

/// Whether what left its file stands in the archive by now, word for word: a newer memory than the
/// database knows holds what was archived since.
fn is_archived(piece: &ArchivePiece, inputs: &Inputs<'_>) -> bool {
    let is_gone = inputs.proposal.kind == Kind::ChangedOnDisk;
    is_gone
        && inputs
            .archive
            .is_some_and(|text| archive::holds(text, piece))
}

fn archive_write(inputs: &Inputs<'_>, placement: &Placement<'_>) -> Option<FileWrite> {
    let (pieces, now) = (&placement.pieces, inputs.now);
    (!pieces.is_empty()).then(|| FileWrite {
        path: Plan::archive_path(now),
        before: inputs.archive.map(str::to_owned),
        after: archive::append(inputs.archive, &archive::month(now), pieces, now),
    })
}
