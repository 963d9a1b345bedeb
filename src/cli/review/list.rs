//! Without a terminal: what waits, one proposal a line, and the commands to use. Decides nothing.

use super::start;
use crate::apply::unreviewed;
use crate::cli::look::Look;
use crate::cli::{Context, Failure, give_up, out};
use crate::id::{ProjectId, ProposalId};
use crate::proposal::Kind;
use crate::store::{Project, QueueItem, Store, Unsound};
use crate::text::{age, count};
use jiff::Timestamp;

pub(super) fn list(
    context: &Context,
    store: &Store,
    project: Option<&Project>,
    broken: &[Unsound],
) -> Result<(), Failure> {
    let now = context.now;
    let mut queue = store
        .queue(project.map(|p| &p.id), now)
        .map_err(Failure::known)?;
    // As a review on a terminal has them.
    queue.retain(|q| q.is_undecided_text() && broken.iter().all(|of| of.id != q.id));
    queue.sort_by_key(|q| (q.flagged == 0, q.created, q.id.clone()));
    let (mut unstaged, hindered) = on_disk(context, store, project, &queue)?;
    let unattended = unattended(store, project, now, &queue)?;
    let to_show = !queue.is_empty() || !unattended.is_empty();
    unstaged.extend(unattended);
    unstaged.extend(
        broken
            .iter()
            .map(|of| format!("{}: {}", of.name, give_up::told(&of.id))),
    );
    if queue.is_empty() && unstaged.is_empty() && hindered.is_empty() {
        out::line(super::NOTHING);
        return elsewhere(store, project, now);
    }
    for item in &queue {
        let name = store.project(&item.project).map_err(Failure::known)?.name;
        out::line(&line(item, &name, now));
    }
    for line in unstaged.iter().chain(hindered.iter().map(|(_, line)| line)) {
        out::line(line);
    }
    if to_show {
        out::line("to look at one: memd show ID");
    }
    let is_hindered = |item: &QueueItem| hindered.iter().any(|(id, _)| *id == item.project);
    if !unstaged.is_empty() || !queue.iter().all(is_hindered) {
        out::line("to decide: memd review, on a terminal");
    }
    elsewhere(store, project, now)
}

/// What a review on a terminal would offer first, and nothing has staged yet: what is only looked at
/// does not show it.
pub(super) fn unstaged(
    context: &Context,
    store: &Store,
    project: Option<&Project>,
) -> Result<(), Failure> {
    let queue = store.queue(project.map(|p| &p.id), context.now);
    let queue = queue.map_err(Failure::known)?;
    for line in on_disk(context, store, project, &queue)?.0 {
        out::problem(&format!(
            "memd: {line}: `memd review` on a terminal offers it"
        ));
    }
    Ok(())
}

/// How many proposals wait in other projects than this one.
pub(super) fn elsewhere(
    store: &Store,
    project: Option<&Project>,
    now: Timestamp,
) -> Result<(), Failure> {
    let Some(project) = project else {
        return Ok(());
    };
    let mut all = store.queue(None, now).map_err(Failure::known)?;
    all.retain(|q| q.project != project.id && q.is_undecided_text());
    if !all.is_empty() {
        let what = count(all.len(), "proposal waits", "proposals wait");
        out::line(&format!("{what} in other projects: memd review --all"));
    }
    Ok(())
}

/// A project in which nothing can be decided now, and the line that says why.
type Hindered = (ProjectId, String);

/// What a review on a terminal would offer besides: entries on disk that nobody let in. And where it
/// could not.
fn on_disk(
    context: &Context,
    store: &Store,
    only: Option<&Project>,
    queue: &[QueueItem],
) -> Result<(Vec<String>, Vec<Hindered>), Failure> {
    let waits = |p: &Project| {
        let mut offers = queue.iter().filter(|q| q.kind == Kind::ChangedOnDisk);
        offers.any(|q| q.project == p.id)
    };
    let (mut lines, mut hindered) = (Vec::new(), Vec::new());
    for project in start::projects(store, only)? {
        let n = match start::look_at(context, store, &project) {
            Ok(look) => look.to_decide(),
            Err(line) => {
                hindered.push((project.id, line));
                continue;
            }
        };
        if n > 0 && !waits(&project) {
            let what = count(n, "entry", "entries");
            lines.push(format!(
                "{}: {what} on disk that no review let in, or gone from it",
                project.name
            ));
        }
    }
    Ok((lines, hindered))
}

/// What was let in unattended and nobody reviewed, one apply a line, the newest first.
fn unattended(
    store: &Store,
    only: Option<&Project>,
    now: Timestamp,
    queue: &[QueueItem],
) -> Result<Vec<String>, Failure> {
    let mut lines = Vec::new();
    let is_listed = |apply: &ProposalId| queue.iter().any(|q| q.id == *apply);
    for project in start::projects(store, only)? {
        let Ok(look) = Look::at_all(store, &project, now) else {
            continue;
        };
        for of in unreviewed::unreviewed(&look.matched) {
            let lapsed = match of.lapsed {
                0 => String::new(),
                n => format!(", {n} lapsed"),
            };
            // What of the same proposal waits is in the list by its id already.
            let id = match is_listed(&of.apply) {
                true => "        ".to_owned(),
                false => of.apply.to_string(),
            };
            lines.push(format!(
                "{id}  {}  {} ago  applied unattended, not reviewed  {}{lapsed}",
                project.name,
                age(of.at, now),
                count(of.entries, "entry", "entries"),
            ));
        }
    }
    Ok(lines)
}

fn line(item: &QueueItem, project: &str, now: Timestamp) -> String {
    let mut parts = vec![match item.changes {
        0 => "nothing proposed".to_owned(),
        _ => count(item.open as usize, "change", "changes"),
    }];
    let decided = item.open.saturating_sub(item.undecided);
    if decided > 0 {
        parts.push(format!("{decided} decided"));
    }
    if item.flagged > 0 {
        parts.push(format!("{} flagged", item.flagged));
    }
    format!(
        "{}  {project}  {} ago  {}  {}",
        item.id,
        age(item.created, now),
        item.trigger,
        parts.join(", ")
    )
}
