//! Strings the steps together, up to staging: read, digest, ask, propose, judge, stage.
//!
//! Consumes nothing and writes nothing to memory. A failed curator leaves everything free, but is
//! counted against its material.

mod budget;
mod error;
mod gather;
mod heard;

pub use budget::Asking;
pub use error::DistillError;
pub use gather::{Batch, Material};

use crate::config::{CuratorChoice, Places, Settings};
use crate::curator::{Call, Environment, Limits, PromptEntry, prompt};
use crate::guard::{self, Judgement};
use crate::id::ProposalId;
use crate::lock::{DistillLock, PATIENCE, ProjectLock};
use crate::memory::Memory;
use crate::proposal::{
    Built, Change, Chosen, Dropped, Kind, KnownEntry, Origin, Proposal, Tombstone, Usage, build,
};
use crate::redact::{Hit, Pass, Redactor};
use crate::source::Session;
use crate::store::{Project, Store};
use crate::trust::{Trust, match_entries};
use budget::Budget;
use jiff::Timestamp;
use std::path::Path;
use std::time::Duration;

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The project.
    pub project: &'a Project,
    /// Only this session file; `None`: every session of the project, and its inbox.
    pub transcript: Option<&'a Path>,
    /// These sessions instead of looking for them, for whoever knows which are the project's;
    /// `None`: all that are found are looked into.
    pub among: Option<&'a [Session]>,
    /// What started it: `manual`, `session-end`, ….
    pub trigger: &'a str,
    /// Who proposes.
    pub curator: &'a CuratorChoice,
    /// Read also what counts as read since the project's registration.
    pub from_start: bool,
    /// Show what would be staged, and stage nothing.
    pub dry_run: bool,
}

/// What a distill works with.
#[derive(Clone, Copy)]
pub struct Tools<'a> {
    /// Where things are.
    pub places: &'a Places,
    /// Settings.
    pub settings: &'a Settings,
    /// The database.
    pub store: &'a Store,
    /// The key.
    pub trust: &'a Trust,
    /// The redactor.
    pub redactor: &'a Redactor,
    /// What a curator sees of the environment.
    pub env: &'a Environment,
    /// Bounds of the asking.
    pub limits: &'a Limits,
    /// For whom: a person, or nobody who waits.
    pub asking: Asking,
    /// Now.
    pub now: Timestamp,
    /// Is told what goes on, in one line.
    pub progress: &'a dyn Fn(&str),
    /// Waits between tries.
    pub sleep: &'a dyn Fn(Duration),
}

/// What came of it.
#[derive(Debug)]
pub enum Outcome {
    /// There was nothing new; `unread` tells what could not be read.
    Nothing {
        /// Coverage of sources with unreadable rows, and notes that could not be read.
        unread: Vec<String>,
    },
    /// A proposal, staged unless it was a dry run.
    Proposed {
        /// The proposal, with its verdicts.
        proposal: Box<Proposal>,
        /// Sessions with new material that did not fit under the cap and wait for the next distill.
        waiting: usize,
        /// What could not be read.
        unread: Vec<String>,
    },
}

/// What is new for a project, read, and the proof that nobody else distills it meanwhile.
#[derive(Debug)]
pub struct Gathered {
    _lock: DistillLock,
    batch: Batch,
}

impl Gathered {
    /// Whether there is nothing to ask a curator about.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.batch.material.finished.digest.lines.is_empty()
    }

    /// What was read.
    #[must_use]
    pub fn batch(&self) -> &Batch {
        &self.batch
    }
}

/// Runs one distill.
///
/// # Errors
/// When another distill of the project runs, a file or the database refuses, or the curator fails.
pub fn run(request: &Request, tools: &Tools) -> Result<Outcome, DistillError> {
    ask(read(request, tools)?, request, tools)
}

/// The first half of a distill: reads what is new. Asks nobody.
///
/// # Errors
/// When another distill of the project runs, or a file or the database refuses.
pub fn read(request: &Request, tools: &Tools) -> Result<Gathered, DistillError> {
    let project = request.project;
    let lock = DistillLock::take(&tools.places.locks(), &project.id)?;
    Memory::read_made(&project.memory())?;
    let batch = gather::gather(request, tools)?;
    if !request.dry_run {
        settle(&batch, request, tools)?;
    }
    Ok(Gathered { _lock: lock, batch })
}

/// The second half: asks the curator about it, and stages what it proposes.
///
/// # Errors
/// When the curator fails, or a file or the database refuses.
pub fn ask(gathered: Gathered, request: &Request, tools: &Tools) -> Result<Outcome, DistillError> {
    if gathered.is_empty() {
        return Ok(Outcome::Nothing {
            unread: gathered.batch.unread,
        });
    }
    let Gathered { _lock, batch } = gathered;
    let (memory, known) = as_decided(request, tools)?;
    let (proposal, seen) = propose(request, tools, batch.material, &memory, &known)?;
    if !request.dry_run {
        tools
            .store
            .stage(tools.trust, &proposal, &seen, tools.now)?;
        tracing::info!(project = %request.project.id, proposal = %proposal.id, changes = proposal.changes.len(), "staged");
    }
    Ok(Outcome::Proposed {
        proposal: Box::new(proposal),
        waiting: batch.waiting,
        unread: batch.unread,
    })
}

/// Memory and what is known of its entries, both from between two applies.
fn as_decided(request: &Request, tools: &Tools) -> Result<(Memory, Vec<KnownEntry>), DistillError> {
    let project = request.project;
    let _lock = ProjectLock::take(&tools.places.locks(), &project.id, PATIENCE)?;
    let memory = Memory::read(&project.memory())?;
    let records = tools.store.records(tools.trust, &project.id)?;
    let matched = match_entries(memory.entries(), &records, tools.trust, tools.now);
    Ok((memory, matched.known()))
}

/// What a prompt shows: sealed entries that still stand.
fn prompt_entries(known: &[KnownEntry], memory: &Memory) -> Vec<PromptEntry> {
    let sealed = known
        .iter()
        .filter(|k| k.sealed && k.standing(memory).is_some());
    sealed
        .map(|k| PromptEntry {
            id: k.id.clone(),
            file: k.file,
            section: k.section.clone(),
            text: k.text.clone(),
        })
        .collect()
}

/// Ranges in which nothing of this project stands need no decision: they are not read again.
fn settle(batch: &Batch, request: &Request, tools: &Tools) -> Result<(), DistillError> {
    tools.store.baseline(
        tools.trust,
        &request.project.id,
        &batch.barren,
        &[],
        tools.now,
    )?;
    Ok(())
}

/// Asks the curator and makes a proposal of its reply; also the message ids it rests on.
fn propose(
    request: &Request,
    tools: &Tools,
    material: Material,
    memory: &Memory,
    known: &[KnownEntry],
) -> Result<(Proposal, Vec<String>), DistillError> {
    let digest = &material.finished.digest;
    let project = request.project;
    let notes = tools.store.notes_for_curator(&project.id)?;
    let nonce = format!("{}{}", ProposalId::random()?, ProposalId::random()?);
    let entries = prompt_entries(known, memory);
    let (prompt, prompt_hits) = prompt::build(
        &entries,
        digest,
        &notes,
        &project.name,
        &nonce,
        tools.redactor,
    );
    if prompt.is_withheld() {
        return Err(DistillError::Withheld);
    }
    let budget = Budget {
        store: tools.store,
        caps: &tools.settings.caps,
        asking: tools.asking,
        now: tools.now,
    };
    let call = Call {
        account: &budget,
        wait: tools.asking.wait,
        choice: request.curator,
        settings: tools.settings,
        places: tools.places,
        env: tools.env,
        trigger: request.trigger,
        prompt: &prompt,
        digest,
        entries: &entries,
        limits: tools.limits,
        redactor: tools.redactor,
    };
    let answered = match crate::curator::run(&call, tools.progress, tools.sleep) {
        Ok(answered) => answered,
        Err(failure) => return Err(failed(request, tools, &material, *failure)),
    };
    let tombstones = tools.store.tombstones(&project.id)?;
    let built = build(
        &answered.reply,
        memory,
        known,
        digest,
        &tools.settings.limits.budgets,
        &tombstones,
    );
    let (built, unheard) = heard::told(built, &material, tools);
    let built = without_secrets(built, tools.redactor);
    let built = match material.is_from_elsewhere {
        true => from_elsewhere(built),
        false => built,
    };
    let mut built = judged(built, memory, known, &tombstones, tools);
    heard::hold(&mut built, unheard.as_deref());
    let (prompt, reply) = (Pass::Prompt.of(prompt_hits), Pass::Reply.of(answered.hits));
    let hits = [digest.hits.clone(), prompt, reply].concat();
    let seen = material.finished.ids.iter().collect();
    let summary = answered.reply.summary().to_owned();
    let answer = Answer {
        summary,
        usage: answered.usage,
        hits,
    };
    Ok((proposal(request, tools, material, built, answer)?, seen))
}

/// What a curator's answer adds to a proposal beside its changes.
struct Answer {
    summary: String,
    usage: Usage,
    hits: Vec<Hit>,
}

fn proposal(
    request: &Request,
    tools: &Tools,
    material: Material,
    built: Built,
    answer: Answer,
) -> Result<Proposal, DistillError> {
    Ok(Proposal {
        id: ProposalId::random()?,
        project: request.project.id.clone(),
        back: None,
        kind: Kind::Distill,
        created: tools.now,
        trigger: request.trigger.to_owned(),
        usage: answer.usage,
        summary: answer.summary,
        changes: built.changes,
        spans: material.spans,
        notes: material.notes,
        lines: built.lines,
        coverage: material.finished.digest.coverage,
        hits: answer.hits,
        dropped: built.dropped,
    })
}

/// The same without changes of what stands on disk, unsealed, with a secret in it: a proposal keeps
/// its texts for good. Such an entry is named without a word of it.
fn without_secrets(mut built: Built, redactor: &Redactor) -> Built {
    let holds = |text: &str| !redactor.check(text).is_empty();
    let unread = |c: &Change| {
        let target = c.target.as_ref().filter(|t| t.entry.is_none());
        target.is_some_and(|t| holds(&t.text) || holds(&c.section))
    };
    let (left, kept): (Vec<_>, Vec<_>) = built.changes.into_iter().partition(unread);
    built.changes = kept;
    for (change, n) in built.changes.iter_mut().zip(1..) {
        change.n = n;
    }
    built.dropped.extend(left.iter().map(|c| Dropped {
        what: format!("an entry of {}", c.file.name()),
        why: "it stands there with a credential in it; take that out first".to_owned(),
    }));
    built
}

/// The same, where anybody may have written what is cited: whoever speaks in a file that no tool keeps
/// where it lies is no witness, so a person reads it before an agent does.
fn from_elsewhere(mut built: Built) -> Built {
    let changes = built.changes.iter_mut();
    for change in changes.filter(|change| !change.origin.is_from_outside()) {
        change.origin = Origin::Import;
    }
    built
}

/// The same, with what the guardrails say of each change when all are taken.
fn judged(
    mut built: Built,
    memory: &Memory,
    known: &[KnownEntry],
    tombstones: &[Tombstone],
    tools: &Tools,
) -> Built {
    let chosen: Vec<Chosen> = built.changes.iter().map(Chosen::of).collect();
    let Judgement { mut changes, .. } = guard::judge(&guard::Context {
        memory,
        chosen: &chosen,
        lines: &built.lines,
        entries: known,
        tombstones,
        limits: &tools.settings.limits,
        credentials: &|text| tools.redactor.check(text),
        kind: Kind::Distill,
    });
    for change in &mut built.changes {
        change.verdicts = changes.remove(&change.n).unwrap_or_default();
    }
    built
}

/// Counts a curator's failure against the material, unless the configuration is at fault.
fn failed(
    request: &Request,
    tools: &Tools,
    material: &Material,
    failure: crate::curator::Failure,
) -> DistillError {
    let error = failure.error;
    if error.is_config() || error.is_put_off() || request.dry_run {
        return error.into();
    }
    let notes = material.notes.iter().map(|name| {
        let path = gather::note_path(request.project, name);
        gather::note_span(&path)
    });
    let tried: Vec<_> = material.spans.iter().cloned().chain(notes).collect();
    let counted = tools.store.distill_failed(
        tools.trust,
        &request.project.id,
        &tried,
        &error.to_string(),
        tools.now,
    );
    match counted {
        Ok(tries) if tries.parked => DistillError::Parked {
            error,
            tries: tries.count,
        },
        Ok(_) => error.into(),
        Err(store) => store.into(),
    }
}
