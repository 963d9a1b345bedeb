//! What stands beside the database: memory files and their history, read to be verified.

use super::super::{Failure, lost};
use crate::apply;
use crate::git::{GitError, Repo, refuse_under_way};
use crate::id::ProjectId;
use crate::memory::Memory;
use crate::store::Store;
use crate::text;
use crate::trust::{
    Act, AuditRow, Break, BreakKind, CommitEvidence, Evidence, ProjectEvidence, Trust,
};
use std::path::Path;

/// What there is to say beside breaks.
pub(super) struct Around {
    /// What could not be looked at, since it is not there, and where the user's git is in the middle of
    /// something.
    pub skipped: Vec<String>,
    /// How many projects are off the books.
    pub off: usize,
}

/// Adds what stands on disk.
pub(super) fn look(
    store: &Store,
    trust: &Trust,
    evidence: &mut Evidence,
) -> Result<Around, Failure> {
    let (mut skipped, mut off) = (Vec::new(), 0);
    let mut found: Vec<Break> = Vec::new();
    let audit = &evidence.audit;
    for project in &mut evidence.projects {
        let root = store.project(&project.project)?.root;
        let memory = root.join(".memory");
        // No review offers what stands there, and no agent is given it.
        if is_off_the_books(&project.project, audit) {
            off += 1;
            skipped.push(format!(
                "{}: taken off the books (memd forget): only its records were looked at",
                project.name
            ));
            continue;
        }
        if !root.exists() {
            let root = root.display();
            skipped.push(format!(
                "{}: {root} is not there; its files were not looked at",
                project.name
            ));
            continue;
        }
        if let Err(under_way) = refuse_under_way(&memory) {
            skipped.push(format!("{}: {under_way}", project.name));
        }
        match Memory::read(&memory) {
            Ok(memory) => project.entries = Some(memory.entries().cloned().collect()),
            Err(e) => found.push(Break {
                kind: BreakKind::FileUnreadable,
                project: Some(project.project.clone()),
                place: format!("{}: memory", project.name),
                what: e.to_string(),
            }),
        }
        match commits(&memory) {
            Ok(commits) => {
                skipped.extend(of_others(&project.name, &commits, trust));
                project.commits = Some(commits);
            }
            Err(e) => found.push(unreadable(project, &e)),
        }
    }
    // One cause, however many histories it keeps from being read.
    let mut is_told = false;
    found.retain(|b| b.project.is_some() || !std::mem::replace(&mut is_told, true));
    evidence.found.extend(found);
    Ok(Around { skipped, off })
}

/// Whether the chain's last word on a project is that its user took it off the books.
fn is_off_the_books(project: &ProjectId, audit: &[AuditRow]) -> bool {
    let (on, off) = (Act::Register.name(), Act::ForgetProject.name());
    let of_it =
        |row: &&AuditRow| row.project == project.as_str() && (row.act == on || row.act == off);
    let last = audit.iter().rev().find(of_it);
    last.is_some_and(|row| row.act == off)
}

/// Commits that another memd made: they came with a pull, say. What stands in the files because of
/// them is named by itself until it is adopted.
fn of_others(name: &str, commits: &[CommitEvidence], trust: &Trust) -> Option<String> {
    let of_others: Vec<_> = commits.iter().filter(|c| c.is_of_another(trust)).collect();
    let newest = text::first_chars(&of_others.first()?.id, 10).0;
    let n = text::count(of_others.len(), "commit", "commits");
    Some(format!(
        "{name}: {n} in its history (the newest is {newest}) of a memd with another key, a colleague's or an earlier one (or your own of later, where an older state folder was put back: then put the newer one back). The chain here says nothing of them; memd review offers what they changed"
    ))
}

/// A history that git cannot read. What keeps it from reading any is no project's.
fn unreadable(project: &ProjectEvidence, error: &GitError) -> Break {
    let (of, place, what) = match error {
        GitError::Configuration { .. } => (
            None,
            "your git configuration".to_owned(),
            format!("no commit could be looked at: {error}"),
        ),
        error => (
            Some(project.project.clone()),
            format!("{}: history", project.name),
            error.to_string(),
        ),
    };
    Break {
        kind: BreakKind::HistoryUnreadable,
        project: of,
        place,
        what,
    }
}

fn commits(memory: &Path) -> Result<Vec<CommitEvidence>, GitError> {
    let repo = match Repo::open(memory) {
        Ok(repo) => repo,
        Err(GitError::Missing { .. }) => return Ok(Vec::new()),
        Err(e) => return Err(e),
    };
    let commits = repo.log(lost::COMMITS)?;
    Ok(commits.iter().map(apply::said_by).collect())
}
