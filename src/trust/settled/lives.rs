//! Proposals whose life the chain has lost: records of it are missing. A person's word says where each
//! stands from then on; what becomes of it later is on record again.

use super::super::audit::{Act, AuditHead, AuditRow};
use super::super::verify::{Break, BreakKind, Told};
use super::word::groups;
use super::{Cause, Loose, Piece, last_missing};
use crate::id::ProjectId;
use crate::proposal::State;

/// Where a proposal stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Life {
    /// Its id.
    pub proposal: String,
    /// Its state.
    pub state: State,
    /// Decisions, and turns of them, in its journal.
    pub steps: u64,
    /// How often something of it was settled there.
    pub settled: u64,
}

/// A proposal that does not stand where the audit chain saw it last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Astray {
    /// The project.
    pub project: ProjectId,
    /// Which one, for people.
    pub place: String,
    /// Its id.
    pub proposal: String,
    /// What is wrong.
    pub what: String,
    /// Where it stands, where records that are missing would explain it; `None`: nothing does.
    pub life: Option<Life>,
    /// What is missing has to be behind this record: no other may say otherwise. 0: none says that it was
    /// staged.
    pub after: u64,
}

impl Life {
    fn piece(&self) -> Piece {
        let Self {
            proposal,
            state,
            steps,
            settled,
        } = self;
        let state = state.name();
        Piece {
            id: format!("{proposal} {state} {steps} {settled}"),
            shown: match steps {
                0 => format!("{state}, without a decision on it"),
                1 => format!("{state}, with 1 decision on it"),
                n => format!("{state}, with {n} decisions on it"),
            },
        }
    }

    /// From the id of a piece.
    fn read(id: &str) -> Option<Self> {
        let mut parts = id.split(' ');
        let proposal = parts.next()?.to_owned();
        let name = parts.next()?;
        Some(Self {
            proposal,
            state: State::ALL.into_iter().find(|s| s.name() == name)?,
            steps: parts.next()?.parse().ok()?,
            settled: parts.next()?.parse().ok()?,
        })
    }

    /// Where a person's word says that proposals of a project stand, if the record is one.
    #[must_use]
    pub fn settled(row: &AuditRow, project: &ProjectId) -> Vec<Self> {
        if row.act != Act::Settle.name() {
            return Vec::new();
        }
        let ids = groups(row, BreakKind::ProposalLife, project);
        ids.iter().filter_map(|id| Self::read(id)).collect()
    }
}

impl Astray {
    /// Whether what is missing of the chain may explain it: a person can settle it.
    #[must_use]
    pub fn is_explained(&self, rows: &[AuditRow], head: Option<&AuditHead>) -> bool {
        self.life.is_some() && last_missing(rows, head) > self.after
    }

    /// As a break: one that can be settled where what is missing of the chain explains it.
    pub(in super::super) fn told(&self, last_missing: u64) -> Told {
        let (project, place) = (self.project.clone(), self.place.clone());
        let life = self.life.as_ref().filter(|_| last_missing > self.after);
        let loose = life.and_then(|life| {
            let pieces = vec![life.piece()];
            Loose::new(
                Cause::LifeInGap,
                Some(project.clone()),
                place.clone(),
                pieces,
            )
        });
        match loose {
            Some(loose) => Told::Loose(loose),
            None => Told::Hard(Break {
                kind: BreakKind::ProposalSeal,
                project: Some(project),
                place,
                what: self.what.clone(),
            }),
        }
    }
}
