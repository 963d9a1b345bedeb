//! What a commit did that no act made, from its files.

use super::{ChangeDetail, Details, FileDetail};
use crate::browse::acts::{act, made_by};
use crate::browse::event::{Event, What, Who};
use crate::browse::{BrowseError, Sight};
use crate::git::{Commit, FileChange, GitError, Repo};
use crate::memory::{Document, Entry, MemoryFile, title};
use crate::proposal::Op;
use crate::store::Project;
use crate::text::shared_words;

/// Bytes of a file's text that are given.
const MOST: usize = 1 << 20;
/// Files of one commit that are told of.
const FILES: usize = 200;
/// Entries of one file that are paired by their likeness.
const PAIRED: usize = 400;

/// The event of the one commit of a project whose id begins like this: of the act that made it, or
/// its own.
///
/// # Errors
/// When more than one begins like this, or the history cannot be read.
pub fn find_commit(
    sight: Sight<'_>,
    project: &Project,
    beginning: &str,
) -> Result<Option<Event>, BrowseError> {
    let repo = match Repo::open(&project.memory()) {
        Ok(repo) => repo,
        Err(GitError::Missing { .. }) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let ids = repo.commits_like(beginning)?;
    let id = match ids.as_slice() {
        [] => return Ok(None),
        [id] => id,
        _ => return Err(BrowseError::Ambiguous(beginning.to_owned())),
    };
    let commit = repo.commit(id)?;
    let made = made_by(sight, project, &commit)?;
    let event = made.and_then(|row| act(sight, None, &row, Some(&commit)));
    Ok(Some(event.unwrap_or_else(|| bare(sight, project, &commit))))
}

/// A commit that no act made. What it says of itself proves nothing: of a person's edit nobody knows
/// whose it was, and only the first commit can be the one that memory began with.
pub(in crate::browse) fn bare(sight: Sight<'_>, project: &Project, commit: &Commit) -> Event {
    let (what, who) = match commit.trailer("Memd-By") {
        Some("hand") => (What::ByHand, Who::Unknown),
        Some("init") if commit.parents == 0 => (What::Init, Who::Person),
        _ => (What::Commit, Who::Unknown),
    };
    Event {
        at: commit.at,
        what,
        who,
        project: project.id.clone(),
        proposal: None,
        reverts: None,
        restores: None,
        entries: Vec::new(),
        commit: Some(commit.id.clone()),
        commit_gone: false,
        trigger: None,
        summary: sight.redactor.shown(&commit.message.subject),
        applied: 0,
        rejected: 0,
        parts: None,
        chars: None,
        curator: None,
        audit: None,
        everywhere: false,
        broken: false,
    }
}

/// Adds what a commit did.
pub(super) fn fill(
    sight: Sight<'_>,
    project: &Project,
    id: &str,
    details: &mut Details,
) -> Result<(), BrowseError> {
    let repo = Repo::open(&project.memory())?;
    let commit = repo.commit(id)?;
    details.message = Some(sight.redactor.shown(commit.message.text().trim_end()));
    let all = repo.show(id)?;
    if all.len() > FILES {
        let more = all.len() - FILES;
        details.problem = Some(format!("{more} more files are not told of"));
    }
    for change in all.into_iter().take(FILES) {
        match MemoryFile::from_name(&change.path) {
            Some(file) => entries(sight, file, &change, details),
            None => details.files.push(whole(sight, change)),
        }
    }
    Ok(())
}

fn whole(sight: Sight<'_>, change: FileChange) -> FileDetail {
    let size = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let most = size(&change.before).max(size(&change.after));
    let left_out = match most > MOST {
        true => Some(format!("it holds {most} bytes; at most {MOST} are shown")),
        false if most == 0 && change.before == change.after => {
            Some("it is no text, or too large".to_owned())
        }
        false => None,
    };
    let shown = |text: Option<String>| {
        let text = text.filter(|_| left_out.is_none());
        text.map(|t| sight.redactor.shown(&t))
    };
    FileDetail {
        path: sight.redactor.shown(&change.path),
        before: shown(change.before),
        after: shown(change.after),
        left_out: left_out.clone(),
    }
}

/// The entries that tell two states of a memory file apart; the file as a whole where none does.
fn entries(sight: Sight<'_>, file: MemoryFile, change: &FileChange, details: &mut Details) {
    let doc = |text: &Option<String>| Document::parse(file, text.as_deref().unwrap_or_default());
    let (before, after) = (doc(&change.before), doc(&change.after));
    let (mut gone, mut come) = unlike(before.entries(), after.entries());
    let mut found = Vec::new();
    for old in std::mem::take(&mut gone) {
        let near = come.iter().take(PAIRED).position(|new| is_alike(old, new));
        match near.map(|at| come.remove(at)) {
            Some(new) => found.push(detail(sight, Op::Edit, Some(old), Some(new))),
            None => found.push(detail(sight, Op::Archive, Some(old), None)),
        }
    }
    found.extend(
        come.iter()
            .map(|new| detail(sight, Op::Add, None, Some(new))),
    );
    let came_or_went = change.before.is_none() || change.after.is_none();
    if found.is_empty() || came_or_went {
        details.files.push(whole(sight, change.clone()));
    } else {
        details.changes.extend(found);
    }
}

/// What stands in only one of two lists; equal ones go out one for one.
fn unlike<'a>(before: &'a [Entry], after: &'a [Entry]) -> (Vec<&'a Entry>, Vec<&'a Entry>) {
    let key = |e: &Entry| (e.section.clone(), e.text.clone());
    let mut counts = std::collections::HashMap::new();
    for entry in after {
        *counts.entry(key(entry)).or_insert(0_usize) += 1;
    }
    let mut gone = Vec::new();
    for entry in before {
        match counts.get_mut(&key(entry)).filter(|n| **n > 0) {
            Some(n) => *n -= 1,
            None => gone.push(entry),
        }
    }
    let mut come: Vec<&Entry> = Vec::new();
    // The last of equal ones are those that came.
    for entry in after.iter().rev() {
        if let Some(n) = counts.get_mut(&key(entry)).filter(|n| **n > 0) {
            *n -= 1;
            come.push(entry);
        }
    }
    come.reverse();
    (gone, come)
}

fn is_alike(old: &Entry, new: &Entry) -> bool {
    old.text == new.text
        || title(&old.text) == title(&new.text)
        || shared_words(&old.text, &new.text) >= 0.5
}

fn detail(sight: Sight<'_>, op: Op, before: Option<&Entry>, after: Option<&Entry>) -> ChangeDetail {
    let shown = |text: &str| sight.redactor.shown(text);
    let it = after.or(before);
    ChangeDetail {
        n: None,
        op,
        file: it.map_or(MemoryFile::State, |e| e.file),
        section: it.map_or_else(String::new, |e| shown(&e.section)),
        title: it.map_or_else(String::new, |e| title(&shown(&e.text))),
        before: before.map(|e| shown(&e.text)),
        after: after.map(|e| shown(&e.text)),
        decision: None,
        reason: None,
        origin: None,
        checks: Vec::new(),
        entry: None,
    }
}
