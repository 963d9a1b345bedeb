//! A history that begins anew: where `.git` was moved away or lost, what was accepted enters the new
//! one as such, before anything else does.
//!
//! What else stands in the files is for the commit of what was changed by hand. Never decides and never
//! writes a file.

use super::adopt;
use super::by_hand::Keeper;
use super::execute::{ApplyError, Ground};
use crate::git::{self, Files, GitError, Message, Repo};
use crate::id::{ProjectId, ProposalId};
use crate::memory::{Document, Memory};
use crate::store::StoreError;
use crate::text::{count, first_chars};
use crate::trust::match_entries;

/// A history that has begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Begun {
    /// Its first commit.
    pub commit: String,
    /// What there is to say of secrets that were kept out of it.
    pub warnings: Vec<String>,
}

impl Begun {
    /// What there is to say of it.
    #[must_use]
    pub fn said(&self) -> String {
        format!(
            "there was no history of this memory: began a new one with what was accepted, committed as {}; the old `.git`, if there is a copy, can still be put in its place",
            first_chars(&self.commit, 8).0
        )
    }
}

/// Begins the history of a memory that has none, with what was let in here as it was let in. `None`:
/// it has one, or nothing was let in.
///
/// # Errors
/// When memory, records or the repository cannot be read, or git refuses.
pub fn begin(ground: Ground<'_>, project: &ProjectId) -> Result<Option<Begun>, ApplyError> {
    if !ground.git_commit || !has_no_history(ground)? {
        return Ok(None);
    }
    let Some((accepted, entries)) = as_accepted(ground, project)? else {
        return Ok(None);
    };
    let on_disk = git::tracked(ground.memory)?.into_iter();
    let mut files: Files = on_disk.map(|(path, bytes)| (path, Some(bytes))).collect();
    files.extend(accepted);
    let keeper = Keeper::new(ground.redactor);
    let instead = |path: &str, text: &str, last: Option<&str>| keeper.instead(path, text, last);
    let repo = Repo::open_or_init(ground.memory)?;
    let commit =
        repo.commit_decision_with(Some(&files), &instead, &message(entries), ground.now)?;
    // It went with the old one, and says whose memory this is where its folder moves.
    git::set_identity(ground.memory, project)?;
    let warnings = keeper.held().into_iter().map(|held| held.said).collect();
    Ok(Some(Begun { commit, warnings }))
}

fn has_no_history(ground: Ground<'_>) -> Result<bool, GitError> {
    match Repo::open(ground.memory) {
        Ok(repo) => repo.is_empty(),
        Err(GitError::Missing { .. }) => Ok(ground.memory.is_dir()),
        Err(error) => Err(error),
    }
}

/// The files that are there as they were let in, and how many entries that are; `None` where nothing
/// was.
fn as_accepted(
    ground: Ground<'_>,
    project: &ProjectId,
) -> Result<Option<(Files, usize)>, ApplyError> {
    let Ground {
        store, trust, now, ..
    } = ground;
    let memory = Memory::read(ground.memory)?;
    let records = store.all_records(trust, project)?;
    let matched = match_entries(memory.entries(), &records, trust, store.clock(now)?);
    let displaced = matched.broken.iter().filter(|b| b.is_displaced()).count();
    let stand = matched.sealed.len() + matched.lapsed.len() + matched.withheld.len();
    let entries = stand + matched.missing.len() + displaced;
    if entries == 0 || memory.is_gone() {
        return Ok(None);
    }
    let id = ProposalId::random().map_err(StoreError::from)?;
    let accepted = match adopt::adopt(project, id, &matched, now) {
        Some(others) => adopt::base(&others, &memory),
        None => memory.clone(),
    };
    let there = accepted.docs().filter(|doc| !memory.is_missing(doc.file()));
    let text = |doc: &Document| Some(doc.text().as_bytes().to_vec());
    let files = there.map(|doc| (doc.file().name().to_owned(), text(doc)));
    Ok(Some((files.collect(), entries)))
}

fn message(entries: usize) -> Message {
    let what = count(entries, "entry", "entries");
    Message {
        subject: "a new history, with what was accepted".to_owned(),
        body: format!("{what}. What came before is not in this history."),
        trailers: vec![("Memd-By".to_owned(), "init".to_owned())],
    }
}
