//! Every break of everything that is sealed, by kind, first one first. Pure.

mod entries;
mod kind;
mod standing;

pub use kind::BreakKind;

use entries::{entry_breaks, record_place};

use super::audit::{AuditHead, AuditRow};
use super::commits::{self, CommitEvidence};
use super::key::Trust;
use super::manifest::Manifest;
use super::newest::Newest;
use super::record::Record;
use super::settled::{Astray, Loose, SettledBreak, Settlements, last_missing};
use crate::id::ProjectId;
use crate::memory::Entry;
use jiff::Timestamp;
use serde::Serialize;

/// One break.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Break {
    /// Its kind.
    pub kind: BreakKind,
    /// The project it concerns.
    pub project: Option<ProjectId>,
    /// Where, for people; foreign text in it is not escaped.
    pub place: String,
    /// What is wrong there, as a lower-case fragment; foreign text in it is not escaped.
    pub what: String,
}

/// Everything that is verified, as it was read.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    /// The audit chain in the order of its numbers.
    pub audit: Vec<AuditRow>,
    /// Its head as sealed.
    pub head: Option<AuditHead>,
    /// What the head is sealed with, as it is kept beside it.
    pub newest: Newest,
    /// The projects.
    pub projects: Vec<ProjectEvidence>,
    /// Proposals that do not stand where the chain saw them last.
    pub astray: Vec<Astray>,
    /// What of the archives is not as memd wrote it.
    pub archive: Vec<Loose>,
    /// Breaks that were found while reading (proposals, rows that cannot be read).
    pub found: Vec<Break>,
}

/// One project's records and files.
#[derive(Debug, Clone)]
pub struct ProjectEvidence {
    /// The project.
    pub project: ProjectId,
    /// Its name for people.
    pub name: String,
    /// All record versions.
    pub records: Vec<Record>,
    /// What an apply that is not finished will seal.
    pub coming: Vec<Record>,
    /// The manifest over them.
    pub manifest: Option<Manifest>,
    /// The entries of its four files in file order; `None`: not looked at.
    pub entries: Option<Vec<Entry>>,
    /// The memory repository's commits, newest first; `None`: not looked at.
    pub commits: Option<Vec<CommitEvidence>>,
}

/// How much was verified.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Audit records.
    pub audit: usize,
    /// Projects.
    pub projects: usize,
    /// Record versions.
    pub records: usize,
    /// Entries on disk.
    pub entries: usize,
}

/// What a verification found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Every break, the chain's first, each in its order.
    pub breaks: Vec<Break>,
    /// Those that a person has settled: breaks no more.
    pub settled: Vec<SettledBreak>,
    /// What of the breaks a person can settle, in their order.
    pub loose: Vec<Loose>,
    /// How much was verified.
    pub counts: Counts,
}

/// One break as it was found.
#[derive(Debug, Clone)]
pub(super) enum Told {
    /// One that stays until what it is about holds again.
    Hard(Break),
    /// One that a person can settle.
    Loose(Loose),
}

impl Report {
    /// Of everything that was found, by what the chain says that a person has settled.
    pub(super) fn of(
        trust: &Trust,
        rows: &[AuditRow],
        chain: Vec<Told>,
        more: Vec<Told>,
        counts: Counts,
    ) -> Self {
        let holds = chain.iter().all(|t| matches!(t, Told::Loose(_)));
        let settlements = Settlements::read(trust, rows, holds);
        let mut report = Self {
            counts,
            ..Self::default()
        };
        for told in chain.into_iter().chain(more) {
            let loose = match told {
                Told::Hard(found) => {
                    report.breaks.push(found);
                    continue;
                }
                Told::Loose(loose) => loose,
            };
            let (open, settled) = settlements.part(&loose);
            report.settled.extend(settled);
            report.breaks.extend(open.as_ref().map(Loose::found));
            report.loose.extend(open.filter(|_| holds));
        }
        report
    }
}

/// Makes text that nobody let in fit to be shown: without its secrets.
pub type Shown<'a> = dyn Fn(&str) -> String + 'a;

/// Verifies everything. What is quoted of entries has passed `shown`.
#[must_use]
pub fn verify_all(evidence: &Evidence, trust: &Trust, now: Timestamp, shown: &Shown<'_>) -> Report {
    let mut chain = trust.audit_breaks(&evidence.audit, evidence.head.as_ref());
    chain.extend(unchained(evidence).map(Told::Hard));
    let (standing, changed) = standing::standing(evidence, trust);
    let found = changed.iter().chain(&evidence.found);
    let mut more: Vec<_> = found.cloned().map(Told::Hard).collect();
    let last_missing = last_missing(&evidence.audit, evidence.head.as_ref());
    more.extend(evidence.astray.iter().map(|a| a.told(last_missing)));
    let mut counts = Counts {
        audit: evidence.audit.len(),
        projects: evidence.projects.len(),
        ..Counts::default()
    };
    for project in &evidence.projects {
        counts.records += project.records.len();
        counts.entries += project.entries.as_ref().map_or(0, Vec::len);
        let against = standing::against(project, &standing, &evidence.audit);
        more.extend(project_breaks(
            project, against, evidence, trust, now, shown,
        ));
    }
    more.extend(evidence.archive.iter().cloned().map(Told::Loose));
    Report::of(trust, &evidence.audit, chain, more, counts)
}

/// Records without any chain: it was wiped together with its head.
fn unchained(evidence: &Evidence) -> Option<Break> {
    let sealed = evidence.projects.iter().any(|p| !p.records.is_empty());
    let gone = evidence.audit.is_empty() && evidence.head.as_ref().is_none_or(|h| h.seq == 0);
    (sealed && gone).then(|| Break {
        kind: BreakKind::AuditWiped,
        project: None,
        place: "audit chain".to_owned(),
        what: "there are sealed records, but neither a chain nor its head".to_owned(),
    })
}

fn project_breaks(
    project: &ProjectEvidence,
    against: Option<String>,
    evidence: &Evidence,
    trust: &Trust,
    now: Timestamp,
    shown: &Shown<'_>,
) -> Vec<Told> {
    let found = |kind, place: String, what: String| {
        Told::Hard(Break {
            kind,
            project: Some(project.project.clone()),
            place: format!("{}: {place}", project.name),
            what,
        })
    };
    let mut breaks = Vec::new();
    for record in &project.records {
        if let Err(e) = trust.verify(record) {
            breaks.push(found(
                BreakKind::RecordSeal,
                record_place(record, shown),
                e.to_string(),
            ));
        }
    }
    if let Err(e) = trust.verify_manifest(project.manifest.as_ref(), &project.records) {
        breaks.push(found(
            BreakKind::Manifest,
            "records".to_owned(),
            e.to_string(),
        ));
    }
    if let Some(what) = against {
        breaks.push(found(
            BreakKind::ManifestAgainstChain,
            "records".to_owned(),
            what,
        ));
    }
    if let Some(commits) = &project.commits {
        let place = format!("{}: commits", project.name);
        let loose = commits::breaks(&project.project, &place, commits, &evidence.audit, trust);
        breaks.extend(loose.into_iter().map(Told::Loose));
    }
    let entry_breaks = entry_breaks(project, trust, now, shown);
    breaks.extend(
        entry_breaks
            .into_iter()
            .map(|(k, place, what)| found(k, place, what)),
    );
    breaks
}
