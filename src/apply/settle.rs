//! What follows a decision that holds already: its commit, and the notes that it consumed.
//!
//! Nothing here can undo it. What fails is owed, said, and tried again at the next start.

use super::by_hand::Keeper;
use super::execute::{ApplyError, Ground, Step, Watch, step};
use super::files;
use super::message::{
    TRAILER_AUDIT, TRAILER_KEY_AFTER, TRAILER_MANIFEST, TRAILER_PROPOSAL, TRAILER_SEALED_BY,
};
use crate::git::{Files, GitError, Message, Repo};
use crate::id::{ProjectId, ProposalId};
use crate::store::{Intent, NoteState, OwedCommit};

/// How many commits back an owed one is looked for: it may have been made just before a crash.
const DEPTH: usize = 200;

/// What was made up for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Settled {
    /// Commits, with the proposals they hold.
    pub commits: Vec<(ProposalId, String)>,
    /// What is still owed, for the user to read.
    pub warnings: Vec<String>,
}

/// Makes every commit of a project that is owed and deletes the notes it has consumed. `just` is
/// the intent whose bytes are at hand: its commit holds exactly those.
///
/// # Errors
/// Only when a test stops it.
pub(super) fn settle(
    ground: Ground<'_>,
    project: &ProjectId,
    just: Option<&Intent>,
    watch: &mut Watch<'_>,
) -> Result<Settled, ApplyError> {
    let mut settled = Settled::default();
    let owed = match ground.store.commits_owed(Some(project)) {
        Ok(owed) if ground.git_commit => owed,
        Ok(_) => Vec::new(),
        Err(e) => {
            settled.warnings.push(e.to_string());
            Vec::new()
        }
    };
    for owed in owed {
        let just = just.filter(|intent| intent.proposal == owed.proposal);
        let keeper = Keeper::new(ground.redactor);
        let made = commit(ground, &owed, just, &keeper);
        let held = keeper.held().into_iter().map(|h| h.said);
        settled.warnings.extend(held);
        if made.is_ok() {
            step(watch, Step::Committed)?;
        }
        if let Err(why) = note_commit(ground, &owed, made, &mut settled) {
            settled.warnings.push(why);
            break;
        }
    }
    if let Err(e) = clean_notes(ground, project) {
        settled.warnings.push(format!("a consumed note stays: {e}"));
    }
    step(watch, Step::Cleaned)?;
    Ok(settled)
}

/// The commit of a decision; the one that was made before a crash, if there is one.
fn commit(
    ground: Ground<'_>,
    owed: &OwedCommit,
    just: Option<&Intent>,
    keeper: &Keeper<'_>,
) -> Result<String, GitError> {
    let repo = Repo::open_or_init(ground.memory)?;
    if let Some(made) = repo.find_trailer(TRAILER_AUDIT, &owed.audit, DEPTH)? {
        repo.align()?;
        return Ok(made);
    }
    let mut message = Message::parse(&owed.message);
    message.trailers = vec![
        (TRAILER_PROPOSAL.to_owned(), owed.proposal.to_string()),
        (TRAILER_MANIFEST.to_owned(), owed.sequence.to_string()),
        (TRAILER_AUDIT.to_owned(), owed.audit.clone()),
        (
            TRAILER_SEALED_BY.to_owned(),
            ground.trust.key_id().to_owned(),
        ),
    ];
    let after = ground.trust.said_to_follow();
    let after = after.map(|said| (TRAILER_KEY_AFTER.to_owned(), said));
    message.trailers.extend(after);
    let files = just.map(|intent| -> Files {
        let files = intent.files.iter();
        let bytes = |text: &String| text.clone().into_bytes();
        files
            .map(|f| (f.path.clone(), f.after.as_ref().map(bytes)))
            .collect()
    });
    let instead = |path: &str, text: &str, last: Option<&str>| keeper.instead(path, text, last);
    repo.commit_decision_with(files.as_ref(), &instead, &message, ground.now)
}

/// Tells the database how it went. An error is what the user reads; no further commit is tried.
fn note_commit(
    ground: Ground<'_>,
    owed: &OwedCommit,
    made: Result<String, GitError>,
    settled: &mut Settled,
) -> Result<(), String> {
    let (store, id) = (ground.store, &owed.proposal);
    match made {
        Ok(commit) => {
            let noted = store.commit_made(ground.trust, id, Some(&commit), ground.now);
            settled.commits.push((id.clone(), commit));
            noted.map_err(|e| e.to_string())
        }
        Err(e) => {
            let why = e.to_string();
            store.commit_failed(id, &why).map_err(|e| e.to_string())?;
            Err(format!(
                "memory is written and sealed, but its commit is owed and will be made with the next review, distill or doctor: {why}"
            ))
        }
    }
}

fn clean_notes(ground: Ground<'_>, project: &ProjectId) -> Result<(), ApplyError> {
    let notes = ground.store.notes(project)?;
    let consumed = notes.into_iter().filter(|(_, s)| *s == NoteState::Consumed);
    for (name, _) in consumed {
        files::delete_note(ground.memory, &name)?;
        ground.store.forget_note(project, &name)?;
    }
    Ok(())
}
