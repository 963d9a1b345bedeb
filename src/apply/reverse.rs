//! The reverse of one applied proposal, staged. What came later stays.
//!
//! Made from the records: each entry that the apply touched goes back to the version before it. An
//! entry that was changed since is a conflict, shown against what stands and decided by a person;
//! one that is as before already, or gone, is left out by name. Frees no material.

use super::execute::{ApplyError, Ground};
use super::staging::{self, Credentials, Draft, Left, Scene, Staged, change};
use crate::config::Limits;
use crate::id::ProposalId;
use crate::lock::ProjectLock;
use crate::proposal::{Back, Change, Earlier, Kind, Op, State};
use crate::trust::{Record, RecordState, Trust};
use std::collections::BTreeSet;

/// Stages the reverse of an applied proposal; the one that waits already, if there is one.
///
/// # Errors
/// When the proposal is none of this project's or was not applied, or when memory or the database
/// cannot be read or written.
pub fn reverse(
    ground: Ground<'_>,
    lock: &ProjectLock,
    id: &ProposalId,
    limits: &Limits,
    credentials: &Credentials<'_>,
) -> Result<Staged, ApplyError> {
    let scene = Scene::read(ground, lock)?;
    let status = ground.store.status(id, ground.now)?;
    if status.project != *lock.project() {
        return Err(ApplyError::WrongLock);
    }
    if status.state != State::Applied {
        let (id, state) = (id.clone(), status.state);
        return Err(ApplyError::NotApplied { id, state });
    }
    let back = Some(Back::Apply(id.clone()));
    if let Some(mut waits) = staging::waiting(ground, lock, Kind::Revert, |p| p.back == back)? {
        if let Some(id) = &waits.id {
            let changes = ground.store.proposal(ground.trust, id)?.changes;
            waits.conflicts = staging::conflicts(&changes, &scene);
        }
        return Ok(waits);
    }
    let mut draft = Draft {
        kind: Kind::Revert,
        back,
        summary: format!(
            "the reverse of proposal {id}{}; what came later stays",
            in_parts(&scene.records, id)
        ),
        changes: Vec::new(),
        left: Vec::new(),
    };
    for step in touched(&scene.records, id) {
        match step.reverse(id, &scene, ground.trust) {
            Ok(change) => draft.changes.push(change),
            Err(why) => draft.left.push(why),
        }
    }
    draft.changes.sort_by_key(|c| (c.file, c.op.takes_away()));
    staging::stage(draft, &scene, ground, lock, limits, credentials)
}

/// Says of a proposal that was applied in parts that all of them go back.
fn in_parts(records: &[Record], id: &ProposalId) -> String {
    let of_it = records.iter().filter(|r| r.proposal.as_ref() == Some(id));
    match of_it.map(|r| r.at).collect::<BTreeSet<_>>().len() {
        0 | 1 => String::new(),
        n => format!(", of all {n} parts in which it was applied"),
    }
}

/// What one apply did to one entry.
struct Step<'a> {
    /// The version before; `None`: it was new.
    before: Option<&'a Record>,
    /// The version it left.
    after: &'a Record,
    /// The version that counts now.
    newest: &'a Record,
}

/// The entries that an apply touched. Where it was applied in parts, with others in between, the
/// last part counts.
fn touched<'a>(records: &'a [Record], id: &ProposalId) -> Vec<Step<'a>> {
    let of_it = |r: &Record| r.proposal.as_ref() == Some(id);
    let entries = records.chunk_by(|a, b| a.entry == b.entry);
    let steps = entries.filter_map(|versions| {
        let last = versions.iter().rposition(of_it)?;
        let first = versions[..last].iter().rposition(|r| !of_it(r));
        Some(Step {
            before: first.and_then(|at| versions.get(at)),
            after: versions.get(last)?,
            newest: versions.last()?,
        })
    });
    steps.collect()
}

impl Step<'_> {
    /// The change that undoes it, or why there is none.
    fn reverse(&self, id: &ProposalId, scene: &Scene, trust: &Trust) -> Result<Change, Left> {
        use RecordState::{Archived, Live, Tombstoned};
        let versions = self.before.into_iter().chain([self.after, self.newest]);
        for record in versions {
            if let Err(error) = trust.verify(record) {
                return Err(self.left(format!("its record: {error}")));
            }
        }
        match (self.before, self.after.state) {
            (Some(before), Live) if before.state == Tombstoned => {
                self.take_away(Op::Tombstone, id, scene)
            }
            (Some(before), Live) if before.state == Live => self.put_back(before, scene),
            (_, Live) => self.take_away(Op::Archive, id, scene),
            (Some(before), Archived | Tombstoned) if before.state == Live => {
                self.bring_back(before, scene)
            }
            (_, Archived | Tombstoned) => Err(self.left("nothing of it to undo")),
        }
    }

    fn left(&self, why: impl Into<String>) -> Left {
        Left::new(self.newest.file, &self.after.text, why)
    }

    /// What it let in leaves.
    fn take_away(&self, op: Op, id: &ProposalId, scene: &Scene) -> Result<Change, Left> {
        if self.newest.state != RecordState::Live {
            let why = "it has left its file since";
            return Err(self.left(why));
        }
        Ok(Change {
            target: Some(scene.target(self.after)),
            reason: Some(format!("revert of {id}")),
            ..change(op, self.newest)
        })
    }

    /// What it edited reads as before.
    fn put_back(&self, before: &Record, scene: &Scene) -> Result<Change, Left> {
        let place = |r: &Record| (r.file, r.section.clone());
        let why = if self.newest.state != RecordState::Live {
            "it has left its file since"
        } else if before.text == self.after.text {
            match place(before) == place(self.after) {
                true => "its text was not changed",
                false => "it was only moved; move it back by hand",
            }
        } else if self.newest.text == before.text {
            "it reads as before already"
        } else {
            return Ok(Change {
                target: Some(scene.target(self.after)),
                text: before.text.clone(),
                earlier: Some(earlier(before)),
                origin: before.origin,
                ..change(Op::Edit, self.newest)
            });
        };
        Err(self.left(why))
    }

    /// What it took away stands again where it stood.
    fn bring_back(&self, before: &Record, scene: &Scene) -> Result<Change, Left> {
        if self.newest.state != self.after.state {
            let why = match self.newest.state {
                RecordState::Live => "it stands in its file again",
                _ => "a person has taken it back since",
            };
            return Err(self.left(why));
        }
        let stands = scene.matched.withheld.iter();
        let mut stands = stands.filter(|s| s.record.entry == before.entry);
        let back = Change {
            text: before.text.clone(),
            earlier: Some(earlier(before)),
            origin: before.origin,
            ..change(Op::Add, before)
        };
        Ok(match stands.next() {
            None => back,
            // Its text never left: what changes is that agents are given it again.
            Some(_) => Change {
                op: Op::Edit,
                target: Some(scene.target(self.after)),
                reason: Some("agents are given it again".to_owned()),
                ..back
            },
        })
    }
}

/// A version to put back.
pub(super) fn earlier(record: &Record) -> Earlier {
    Earlier {
        entry: record.entry.clone(),
        version: record.version,
        evidence: record.evidence.clone(),
        let_in: None,
    }
}
