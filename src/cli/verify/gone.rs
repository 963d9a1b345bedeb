//! Of commits that a history does not hold any more: which of them are not gone for good, since another
//! branch leads to them, or nothing does and git has not cleared them away yet; and which of them stand
//! there rewritten.

use crate::git::{Elsewhere, Repo};
use crate::store::{Project, Store};
use crate::text::{count, first_chars};
use crate::trust::{Cause, Loose, Report};

/// What there is to say of them, a line for each project.
pub(super) fn still_there(store: &Store, report: &Report) -> Vec<String> {
    let gone = report
        .loose
        .iter()
        .filter(|l| l.cause == Cause::NotInHistory);
    gone.filter_map(|loose| of(store, report, loose)).collect()
}

fn of(store: &Store, report: &Report, loose: &Loose) -> Option<String> {
    let project = store.project(loose.project.as_ref()?).ok()?;
    let mut others = report.loose.iter().filter(|l| l.project == loose.project);
    // To take up with the old ones again would only double them.
    if let Some(other) = others.find(|l| l.cause == Cause::AnotherCommit) {
        let n = count(other.pieces.len(), "commit stands", "commits stand");
        return Some(format!(
            "{}: {n} there rewritten, under another id, as a rebase or a purge leaves them: no memory is lost by that. `git pull --no-rebase` keeps the ids",
            project.name
        ));
    }
    let commits: Vec<String> = loose.pieces.iter().map(|p| p.id.clone()).collect();
    let found = Repo::open(&project.memory()).and_then(|repo| repo.elsewhere(&commits));
    Some(said(&project, &found.ok().flatten()?))
}

fn said(project: &Project, found: &Elsewhere) -> String {
    let (name, memory) = (&project.name, project.memory());
    let stand = |n: usize| {
        count(
            n,
            "of the commits that are gone stands",
            "of the commits that are gone stand",
        )
    };
    match (&found.branch, &found.loose) {
        (Some((branch, n)), _) => format!(
            "{name}: {} on the branch {branch:?}, and {:?} is checked out: `git -C {memory:?} switch {}` goes back there",
            stand(*n),
            found.head,
            shell_words::quote(branch)
        ),
        (None, Some((last, n))) => format!(
            "{name}: {} on no branch, and git may clear up there any day: `git -C {memory:?} merge {}` brings the last one back, and what it follows",
            stand(*n),
            first_chars(last, 10).0
        ),
        (None, None) => String::new(),
    }
}
