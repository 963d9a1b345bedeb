//! Whether each project's memory, and its history, is there and can be written.

use super::{Findings, room};
use crate::cli::{Context, Failure, lost};
use crate::git::{GitError, Repo, refuse_under_way};
use crate::memory::{Memory, MemoryError};
use crate::store::{Project, Store};
use crate::text::count;

pub(super) fn look(context: &Context, store: &Store, found: &mut Findings) -> Result<(), Failure> {
    let projects = store.projects()?;
    let before = found.all.len();
    // What lies on a disk that is away is for `memd status` to name.
    for project in projects.iter().filter(|p| p.root.is_dir()) {
        of(context, project, found);
    }
    for root in lost::without_records(context, store)? {
        found.wrong(lost::told_of(&root), lost::INIT_THERE);
    }
    if found.all.len() == before && !projects.is_empty() {
        let memories = count(projects.len(), "memory", "memories");
        found.ok(format!("{memories}, with a history that can be read"));
    }
    Ok(())
}

fn of(context: &Context, project: &Project, found: &mut Findings) {
    let (name, dir) = (&project.name, project.memory());
    if let Err(error) = refuse_under_way(&dir) {
        return found.wrong(
            format!("{name}: {error}"),
            format!("git -C {dir:?} status says how"),
        );
    }
    let (memory, unread) = Memory::read_some(&dir);
    if memory.is_gone() && unread.is_empty() {
        let gone = MemoryError::Gone { dir };
        return found.wrong(format!("{name}: {gone}"), "docs/state.md, \"Recovering\"");
    }
    for (file, why) in memory.without_front() {
        let file = file.name();
        let way_out = format!(
            "mend it by hand in {:?}; else the next change of it that you accept puts a fresh one there",
            dir.join(file)
        );
        found.wrong(format!("{name}: {file}: {why}"), way_out);
    }
    let written = [dir.clone(), dir.join(".git")].into_iter();
    let mut lacks = written
        .filter(|dir| dir.is_dir())
        .filter_map(|dir| room::lacks(&dir));
    if let Some((what, advice)) = lacks.next() {
        found.wrong(format!("{name}: {what}"), advice);
    }
    match Repo::open(&dir).and_then(|repo| repo.look_through()) {
        _ if !context.config.settings.git_commit => {}
        Ok(()) => {}
        Err(GitError::Missing { path }) => found.wrong(
            format!("{name}: its history is gone: {path:?} is not there"),
            "put it back from a backup; without one the next apply begins a new history, and what only the old one held is lost",
        ),
        Err(error) => found.wrong(
            format!("{name}: {error}"),
            "until then commits are owed, and nothing is restored from history",
        ),
    }
}
