//! What the commands share that stage an act of a person's: what they work on, which entry is meant,
//! what they say.

use super::{Context, Failure, across, begun, out};
use crate::apply::{Ground, Staged};
use crate::browse::Look;
use crate::id::EntryId;
use crate::lock::{PATIENCE, ProjectLock};
use crate::memory::title;
use crate::redact::Redactor;
use crate::redact::first_whole;
use crate::store::{Project, Store, StoreError};
use crate::text::count;
use crate::trust::{Record, Trust};
use std::path::PathBuf;

/// The fewest digits that name an entry.
const MIN_ID: usize = 4;
/// Entries that are listed when several are meant.
const LISTED: usize = 8;
/// Characters of a title.
const TITLE: usize = 60;

/// A project and what is needed to stage for it.
pub(super) struct Work<'a> {
    pub context: &'a Context,
    pub store: &'a Store,
    pub trust: &'a Trust,
    pub redactor: Redactor,
    pub project: Project,
    memory: PathBuf,
}

impl<'a> Work<'a> {
    /// Finishes what was begun in this project, and tells of it: for this command, which may name
    /// entries of it.
    pub fn new(
        context: &'a Context,
        store: &'a Store,
        trust: &'a Trust,
        project: Project,
        command: &str,
    ) -> Result<Self, Failure> {
        across::on_record(context, store, &project, command)?;
        for line in begun::finish(context, store, trust, &project)? {
            out::problem(&format!("memd: {line}"));
        }
        Ok(Self {
            redactor: context.redactor_with(store, trust),
            memory: project.memory(),
            context,
            store,
            trust,
            project,
        })
    }

    pub fn ground(&self) -> Ground<'_> {
        Ground {
            store: self.store,
            trust: self.trust,
            memory: &self.memory,
            git_commit: self.context.config.settings.git_commit,
            redactor: &self.redactor,
            now: self.context.now,
        }
    }

    pub fn lock(&self) -> Result<ProjectLock, Failure> {
        let locks = self.context.places.locks();
        ProjectLock::take(&locks, &self.project.id, PATIENCE).map_err(Failure::known)
    }

    /// The entry that is meant, of those that stand, were withheld or are gone from disk.
    pub fn entry(&self, named: &str) -> Result<EntryId, Failure> {
        let look = || Look::at(self.store, &self.project, self.context.now);
        let standing = || {
            let matched = look().map_err(Failure::known)?.matched;
            let standing = [matched.sealed, matched.lapsed, matched.withheld];
            let standing = standing.into_iter().flatten().map(|s| s.record);
            Ok(standing.chain(matched.gone).collect())
        };
        entry_of(self.store, &self.project, &self.redactor, named, standing)
    }

    /// Says what staging came to. `what` is such as "the reverse of 9f8e7d12".
    pub fn tell(&self, what: &str, staged: &Staged) {
        let name = &self.project.name;
        match (&staged.id, staged.waited) {
            (None, _) => out::line(&format!("{name}: {what}: nothing is left to change")),
            (Some(id), true) => {
                out::line(&format!("{name}: {what} waits already, as proposal {id}"))
            }
            (Some(id), false) => {
                let changes = count(staged.changes, "change", "changes");
                out::line(&format!("{name}: staged {what} as {id}: {changes}"));
            }
        }
        if !staged.conflicts.is_empty() {
            let n = count(staged.conflicts.len(), "entry was", "entries were");
            out::line(&format!(
                "{n} changed since: shown against what stands now, for you to decide"
            ));
        }
        for left in &staged.dropped {
            let title = self.redactor.shown(&left.what);
            out::line(&format!("left as it is: {title} ({})", left.why));
        }
        if staged.id.is_some() {
            out::line("nothing is written yet; to decide on it: memd review");
        }
    }
}

/// The entry that is meant: by the beginning of its id, else by words that only it holds of those
/// that are listed.
pub(super) fn entry_of(
    store: &Store,
    project: &Project,
    redactor: &Redactor,
    named: &str,
    listed: impl FnOnce() -> Result<Vec<Record>, Failure>,
) -> Result<EntryId, Failure> {
    let is_id = named.len() >= MIN_ID && named.bytes().all(|b| b.is_ascii_hexdigit());
    match store.find_entry(&project.id, &named.to_ascii_lowercase()) {
        Ok(entry) if is_id => return Ok(entry),
        Err(error @ StoreError::AmbiguousEntry(_)) if is_id => return Err(error.into()),
        Ok(_) | Err(StoreError::NoEntry(_) | StoreError::AmbiguousEntry(_)) => {}
        Err(error) => return Err(error.into()),
    }
    let words = named.to_lowercase();
    let mut found = listed()?;
    found.retain(|r| !words.is_empty() && r.text.to_lowercase().contains(&words));
    found.sort_by(|a, b| (a.file, &a.entry).cmp(&(b.file, &b.entry)));
    found.dedup_by(|a, b| a.entry == b.entry);
    match found.as_slice() {
        [] => Err(Failure::known(format!(
            "no entry of {} has an id that begins with {named:?}, or holds these words",
            project.name
        ))
        .hint("name it by four or more digits of its id, or by words that it alone holds; `memd brief` shows what stands")),
        [one] => Ok(one.entry.clone()),
        several => Err(which(redactor, named, several)),
    }
}

fn which(redactor: &Redactor, named: &str, several: &[Record]) -> Failure {
    let lines = several.iter().take(LISTED).map(|r| {
        let title = title(&redactor.shown(&r.text));
        let title = first_whole(&title, TITLE).0;
        format!("{}  {}: {title}", r.entry, r.file.name())
    });
    let lines: Vec<String> = lines.collect();
    let what = count(several.len(), "entry holds", "entries hold");
    Failure::known(format!("{what} {named:?}; say which by its id")).hint(lines.join("\n  "))
}
