//! Without a terminal: what waits, one proposal a line, and the commands to use. Decides nothing.

use crate::cli::{Failure, out};
use crate::store::{Project, QueueItem, Store};
use crate::text::{age, count};
use jiff::Timestamp;

pub(super) fn list(
    store: &Store,
    project: Option<&Project>,
    now: Timestamp,
) -> Result<(), Failure> {
    let queue = store
        .queue(project.map(|p| &p.id), now)
        .map_err(Failure::known)?;
    if queue.is_empty() {
        out::line(super::NOTHING);
        return Ok(());
    }
    for item in &queue {
        let name = store.project(&item.project).map_err(Failure::known)?.name;
        out::line(&line(item, &name, now));
    }
    out::line("to look at one: memd show ID");
    out::line("to decide: memd review, on a terminal");
    Ok(())
}

fn line(item: &QueueItem, project: &str, now: Timestamp) -> String {
    let mut parts = vec![count(item.open as usize, "change", "changes")];
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
