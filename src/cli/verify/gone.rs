//! Of commits that a history does not hold any more: which of them are not gone for good, since another
//! branch leads to them, or nothing does and git has not cleared them away yet.

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
    gone.filter_map(|loose| of(store, loose)).collect()
}

fn of(store: &Store, loose: &Loose) -> Option<String> {
    let project = store.project(loose.project.as_ref()?).ok()?;
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
