//! Whether each project's memory, and its history, is there and can be written.

use super::{Findings, Health, room};
use crate::cli::archive_word::Archives;
use crate::cli::look::{self, Look};
use crate::cli::{Context, Failure, begun, lost, refused_file};
use crate::git::{GitError, Repo, refuse_under_way};
use crate::memory::{Memory, MemoryError};
use crate::store::{Project, Store};
use crate::text::count;

pub(super) fn look(context: &Context, store: &Store, found: &mut Findings) -> Result<(), Failure> {
    let projects = store.projects()?;
    let archives = Archives::new(context, store);
    // What lies on a disk that is away is for `memd status` to name.
    for project in projects.iter().filter(|p| p.root.is_dir()) {
        of(context, store, (project, &archives), found);
    }
    for gone in projects.iter().filter(|p| !p.root.is_dir()) {
        found.add(
            Health::Note,
            format!("{}: its folder {:?} is not there", gone.name, gone.root),
            "`memd init` in its new place if it moved, `memd forget` if it is no more",
        );
    }
    for stray in lost::strays(context, store)? {
        found.wrong(stray.told(), stray.way_out());
    }
    let mut of_memory = found.all.iter().filter(|f| f.area == "memory");
    let is_wrong = of_memory.any(|f| f.health == Health::Wrong);
    let there = projects.iter().filter(|p| p.root.is_dir()).count();
    if there == 0 && !projects.is_empty() {
        found.add(
            Health::Note,
            "no memory could be looked at: the folder of every project is gone, as named above",
            "mount the disk they lie on, if it is away; each by itself else",
        );
    } else if there > 0 && !is_wrong {
        let memories = count(there, "memory", "memories");
        found.ok(format!("{memories}, with a history that can be read"));
    }
    Ok(())
}

fn of(
    context: &Context,
    store: &Store,
    (project, archives): (&Project, &Archives<'_>),
    found: &mut Findings,
) {
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
    if !unread.is_empty() {
        refused_file::on_record(context, store, project);
    }
    let mut refused: Vec<_> = unread.iter().map(|(_, why)| why.to_string()).collect();
    // A folder that is none keeps all four from being read.
    refused.dedup();
    for why in refused {
        found.wrong(
            format!("{name}: {why}"),
            "put a plain file there, by hand or from a backup; until then nothing of it is given, and nothing of this memory decided",
        );
    }
    if let Ok(look) = Look::at(store, project, context.now) {
        for marks in look::marks(&look.matched) {
            found.wrong(format!("{name}: {marks}"), "");
        }
        if look.to_decide() > 0 {
            let what = count(look.to_decide(), "entry", "entries");
            found.add(
                Health::Note,
                format!("{name}: {what} on disk that nobody accepted, or gone from it"),
                "`memd review` offers each; no agent is given them",
            );
        }
    }
    if let Some(told) = archives.told(project) {
        found.add(Health::Note, format!("{name}: {told}"), "");
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
    let history = Repo::open(&dir).and_then(|repo| repo.look_through());
    if history.is_ok() || !context.config.settings.git_commit {
        owed(context, store, project, found);
    }
    match history {
        _ if !context.config.settings.git_commit => {}
        Ok(()) => {}
        Err(GitError::Missing { path }) => found.wrong(
            format!("{name}: its history is gone: {path:?} is not there"),
            "put it back from a backup; without one `memd init` or the next apply begins a new history, and what only the old one held is lost",
        ),
        Err(error) => found.wrong(
            format!("{name}: {error}"),
            "until then commits are owed, and nothing is restored from history",
        ),
    }
}

/// What an apply left to be done is done here: it was decided, and only git had failed.
fn owed(context: &Context, store: &Store, project: &Project, found: &mut Findings) {
    let name = &project.name;
    let owed = || store.commits_owed(Some(&project.id)).unwrap_or_default();
    let before = owed().len();
    if before == 0 {
        return;
    }
    let what = |n: usize| count(n, "commit was owed", "commits were owed");
    let finished = store
        .trust()
        .map_err(Failure::from)
        .and_then(|trust| begun::finish(context, store, &trust, project));
    match (finished, owed().len()) {
        (Ok(_), 0) => found.add(
            Health::Note,
            format!("{name}: {}, and is made now", what(before)),
            "",
        ),
        (Ok(said), left) => found.wrong(
            format!(
                "{name}: {}, {left} still: {}",
                what(before),
                said.join("; ")
            ),
            "mend what git names, then run this again",
        ),
        (Err(failure), _) => found.wrong(
            format!("{name}: {}: {failure}", what(before)),
            "the next review, distill or doctor makes them",
        ),
    }
}
