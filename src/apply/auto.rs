//! An apply without a person: what passes every guardrail without a warning and no tool's output or
//! note said, where a person has given leave for it.
//!
//! Everything else stays staged, as a rest. What goes in is judged as just what goes in, again and
//! again until nothing of it warns. It stays unreviewed and lapses. What a person accepted is never
//! touched, nor what stands there without a seal. The leave is asked for once more in the
//! transaction that begins the apply.

use super::eligible::eligible;
use super::execute::{ApplyError, Done, Ground, Watch, execute, go_on};
use super::files::archive_of;
use super::plan::{By, Inputs, Plan, PlanError, Policy, plan};
use super::staging::{Credentials, Scene};
use crate::config::{Lapses, Limits};
use crate::id::ProposalId;
use crate::lock::ProjectLock;
use crate::proposal::{Change, Decision, Level, Origin, Proposal, State, Tombstone, Verdict};
use crate::store::{Journal, Opened, StoreError};
use crate::trust::{Mode, Occasion};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What an apply without a person goes by.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    /// Sizes of the files.
    pub limits: &'a Limits,
    /// How long what goes in stands without a person.
    pub lapses: Lapses,
    /// Finds credentials: the redactor's check.
    pub credentials: &'a Credentials<'a>,
}

/// What an apply without a person came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unattended {
    /// Changes that are in memory now, unreviewed.
    pub applied: usize,
    /// Changes that wait for `memd review`.
    pub staged: usize,
    /// Why they wait; `None`: none does.
    pub why: Option<Waits>,
    /// The apply; `None`: nothing went in.
    pub done: Option<Done>,
}

/// Why changes wait for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waits {
    /// No person has given leave for this project.
    NotTrusted,
    /// The leave does not go for hooks and sweeps.
    NotFromHooks,
    /// Whether a person refused the same before cannot be told.
    Unsure,
    /// A person has begun to decide on it, or it has left the queue.
    Decided,
    /// It was read from a file that no tool keeps its sessions in, which anybody may have written.
    Elsewhere,
    /// A guardrail has something to say, a tool's output or a note said it too, or they touch
    /// what a person accepted.
    Held,
}

impl fmt::Display for Waits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Waits::NotTrusted => "the project is not trusted to be changed without you (memd trust)",
            Waits::NotFromHooks => {
                "the project is not trusted to be changed from hooks and sweeps (memd trust --hooks)"
            }
            Waits::Unsure => "what was decided before does not verify (memd verify)",
            Waits::Decided => "a person has begun to decide on it",
            Waits::Elsewhere => {
                "it was read from a file that is not where the tool keeps its sessions, which anybody may have written"
            }
            Waits::Held => {
                "a guardrail has a say, a tool's output or a note said it, or it touches what a person accepted"
            },
        })
    }
}

/// Applies of a staged proposal what may go in without a person, and leaves the rest staged. Takes
/// milliseconds; call it right after staging, with the project's lock and no curator running.
///
/// Where there is no leave for this occasion nothing happens, and the answer says so: that is no
/// error.
///
/// # Errors
/// As [`super::execute`]: the proposal stays as it was, or is finished at the next start.
pub fn auto(
    ground: Ground<'_>,
    lock: &ProjectLock,
    id: &ProposalId,
    occasion: Occasion,
    rules: Rules<'_>,
) -> Result<Unattended, ApplyError> {
    auto_watched(ground, lock, id, occasion, rules, &mut go_on)
}

/// As [`auto`]; `watch` may stop it after each step, as a crash would.
///
/// # Errors
/// As [`auto`].
pub fn auto_watched(
    ground: Ground<'_>,
    lock: &ProjectLock,
    id: &ProposalId,
    occasion: Occasion,
    rules: Rules<'_>,
    watch: &mut Watch<'_>,
) -> Result<Unattended, ApplyError> {
    let scene = Scene::read(ground, lock)?;
    let Opened {
        proposal,
        journal,
        shown,
    } = ground.store.opened(ground.trust, id)?;
    if proposal.project != *lock.project() {
        return Err(ApplyError::WrongLock);
    }
    if let Some(why) = forbidden(ground, lock, occasion)? {
        return waits(ground, id, why);
    }
    let status = ground.store.status(id, ground.now)?;
    if status.state != State::Staged || journal.last != 0 || !proposal.kind.is_curated() {
        return waits(ground, id, Waits::Decided);
    }
    let refused = match ground.store.refusals(ground.trust, lock.project()) {
        Err(
            StoreError::Tampered { .. }
            | StoreError::RecordsChanged { .. }
            | StoreError::Unreadable { .. },
        ) => {
            return waits(ground, id, Waits::Unsure);
        }
        refused => refused?,
    };
    let work = Work {
        proposal: &proposal,
        journal: &journal,
        tombstones: &refused,
        archive: archive_of(ground.memory, ground.now)?,
        policy: Policy {
            occasion,
            lapses: rules.lapses,
        },
        scene: &scene,
        ground,
        rules,
    };
    let Some(plan) = work.settle()? else {
        return waits(ground, id, held(&proposal));
    };
    match execute(&plan, shown, ground, lock, watch) {
        Ok(done) => {
            let staged = ground.store.status(id, ground.now)?.open as usize;
            Ok(Unattended {
                applied: plan.applied.len(),
                staged,
                why: (staged > 0).then_some(Waits::Held),
                done: Some(done),
            })
        }
        // A person was faster.
        Err(ApplyError::Store(StoreError::NotTrusted(_))) => {
            let why = forbidden(ground, lock, occasion)?;
            waits(ground, id, why.unwrap_or(Waits::NotTrusted))
        }
        Err(ApplyError::Store(
            StoreError::ChangedMeanwhile { .. }
            | StoreError::NotAsShown { .. }
            | StoreError::NotOpen { .. },
        )) => waits(ground, id, Waits::Decided),
        Err(error) => Err(error),
    }
}

/// Why nothing of it goes in.
fn held(proposal: &Proposal) -> Waits {
    let is_elsewhere = |change: &Change| change.origin == Origin::Import;
    match proposal.changes.iter().any(is_elsewhere) {
        true => Waits::Elsewhere,
        false => Waits::Held,
    }
}

fn forbidden(
    ground: Ground<'_>,
    lock: &ProjectLock,
    occasion: Occasion,
) -> Result<Option<Waits>, ApplyError> {
    let mode = ground.store.mode(ground.trust, lock.project())?;
    Ok(match mode {
        _ if mode.allows(occasion) => None,
        Mode::Stages => Some(Waits::NotTrusted),
        Mode::Applies | Mode::AppliesFromHooks => Some(Waits::NotFromHooks),
    })
}

fn waits(ground: Ground<'_>, id: &ProposalId, why: Waits) -> Result<Unattended, ApplyError> {
    let status = ground.store.status(id, ground.now)?;
    let staged = if status.is_open() {
        status.open as usize
    } else {
        0
    };
    Ok(Unattended {
        applied: 0,
        staged,
        why: (staged > 0).then_some(why),
        done: None,
    })
}

/// A proposal and all that it is judged with.
struct Work<'a> {
    proposal: &'a Proposal,
    journal: &'a Journal,
    tombstones: &'a [Tombstone],
    archive: Option<String>,
    policy: Policy,
    scene: &'a Scene,
    ground: Ground<'a>,
    rules: Rules<'a>,
}

impl Work<'_> {
    /// The plan of what may go in, once nothing of it warns; `None`: nothing may.
    fn settle(&self) -> Result<Option<Plan>, ApplyError> {
        let mut chosen = eligible(self.proposal, self.scene, self.rules.credentials);
        // Each round takes at least one away.
        loop {
            self.drop_needless(&mut chosen);
            if chosen.is_empty() {
                return Ok(None);
            }
            let plan = match self.plan(&chosen) {
                Ok(plan) => plan,
                Err(PlanError::NotOneEntry { n, .. } | PlanError::NotRestored { n, .. }) => {
                    chosen.remove(&n);
                    continue;
                }
                Err(PlanError::NoRandom(e)) => return Err(StoreError::from(e).into()),
            };
            let objected = self.objected(&plan, &chosen);
            if objected.is_empty() {
                return Ok(Some(plan));
            }
            chosen.retain(|n| !objected.contains(n));
        }
    }

    /// What makes room in a file goes only with what needs it.
    fn drop_needless(&self, chosen: &mut BTreeSet<u32>) {
        let all = || self.proposal.changes.iter();
        let grows: BTreeSet<_> = all()
            .filter(|c| chosen.contains(&c.n) && c.stays())
            .map(|c| c.file)
            .collect();
        let needless = all().filter(|c| c.is_overflow() && !grows.contains(&c.file));
        for change in needless {
            chosen.remove(&change.n);
        }
    }

    fn plan(&self, chosen: &BTreeSet<u32>) -> Result<Plan, PlanError> {
        let accepted = chosen.iter().map(|n| (*n, Decision::Accepted));
        let decisions: BTreeMap<u32, Decision> = accepted.collect();
        plan(&Inputs {
            proposal: self.proposal,
            decisions: &decisions,
            over: &BTreeMap::new(),
            settled: &self.journal.settled,
            memory: &self.scene.memory,
            archive: self.archive.as_deref(),
            matched: &self.scene.matched,
            entries: &self.scene.entries,
            tombstones: self.tombstones,
            limits: self.rules.limits,
            credentials: self.rules.credentials,
            despite: None,
            by: By::Policy(self.policy),
            now: self.ground.now,
        })
    }

    /// What is not to go in after all: a guardrail speaks of it or of its file, or it would do
    /// nothing as memory stands.
    fn objected(&self, plan: &Plan, chosen: &BTreeSet<u32>) -> BTreeSet<u32> {
        let speaks = |all: &[Verdict]| all.iter().any(|v| v.level != Level::Pass);
        let of_file = |n: u32| {
            let change = self.proposal.changes.iter().find(|c| c.n == n);
            change
                .and_then(|c| plan.judgement.files.get(&c.file))
                .is_some_and(|all| speaks(all))
        };
        let objected =
            |n: &u32| !plan.applied.contains(n) || speaks(plan.judgement.of(*n)) || of_file(*n);
        chosen.iter().copied().filter(objected).collect()
    }
}
