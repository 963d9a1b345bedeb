//! What can go wrong with the database, in words that say what to do.

use super::journal::Seq;
use crate::fs::FsError;
use crate::id::{NoRandom, ProjectId, ProposalId};
use crate::proposal::State;
use crate::text::on_one_row;
use crate::trust::TrustError;
use rusqlite::ErrorCode;
use std::io;
use std::path::PathBuf;

/// Why the database could not do what was asked. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file around it.
    #[error(transparent)]
    Fs(#[from] FsError),
    /// The key.
    #[error(transparent)]
    Trust(#[from] TrustError),
    /// No random bytes.
    #[error(transparent)]
    Random(#[from] NoRandom),
    /// SQLite cannot make sense of the file.
    #[error(
        "the database {path:?} is damaged ({what}); `memd doctor` builds anew what its tables are enough for. Where it cannot, put a backup of it back, or move it and the files beside it ({name}-wal, {name}-shm) away and run `memd init` in each project: .memory/ and its commits are untouched, and what stands there can be adopted"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Its name.
        name: String,
        /// What SQLite says.
        what: String,
    },
    /// There is something in it that no memd made.
    #[error(
        "the database holds a {object} that memd did not make, and that may change what is written: nothing is written to it. `memd doctor` makes it anew from its rows, and keeps this one"
    )]
    Foreign {
        /// What: its kind and name.
        object: String,
    },
    /// Made by a newer memd.
    #[error("the database {path:?} has {}", newer(*found, *known))]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: usize,
        /// The newest version this memd knows.
        known: usize,
    },
    /// Its tables are not those of the version that it says it has.
    #[error(
        "the database {path:?} is not laid out as its schema version says ({what}): that number, or a table, was changed outside memd; put a backup of it back. Where only the number was changed, `sqlite3 {path:?} 'PRAGMA user_version = {known}'` sets it right, and `memd verify` says whether all else is as it was"
    )]
    OtherSchema {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        what: String,
        /// The newest version this memd knows.
        known: usize,
    },
    /// Another process holds it for longer than anybody should.
    #[error(
        "the database {path:?} is held by another process for over a minute; see which one (`fuser {path:?}`), end it and try again"
    )]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// SQLite refused otherwise.
    #[error("the database {path:?} refused: {}{}", said(source), remedy(source))]
    Database {
        /// The file.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
    /// As SQLite says it, before the path is known; never leaves this room.
    #[error("the database refused: {}", said(.0))]
    Sql(#[from] rusqlite::Error),
    /// Something sealed was changed.
    #[error(
        "{what} was changed outside memd since it was written; nothing was done. `memd verify` names every such place"
    )]
    Tampered {
        /// What.
        what: String,
    },
    /// The records of one project, or the manifest over them, are not those that were sealed.
    #[error(
        "{project}: its entry records were changed outside memd, so nothing of it is given to agents. `memd verify` names what; `memd verify --settle` gives them up and lets you adopt what stands on disk"
    )]
    RecordsChanged {
        /// The project's name.
        project: String,
    },
    /// A value that this memd did not write.
    #[error("{what} in the database cannot be read: {why}; `memd verify` names every such place")]
    Unreadable {
        /// What.
        what: String,
        /// Why.
        why: String,
    },
    /// No such project.
    #[error("there is no project {0} in the database; run `memd init` in it")]
    NoProject(ProjectId),
    /// No such proposal.
    #[error("there is no proposal {0}; `memd status` lists what waits")]
    NoProposal(String),
    /// More than one proposal begins like this.
    #[error("more than one proposal begins with {0:?}; give more digits")]
    Ambiguous(String),
    /// No curator is to be told anything: no material was read.
    #[error("proposal {0} was made without any material that could be read again; discard it")]
    NoMaterial(ProposalId),
    /// No such entry.
    #[error("no entry of this memory has the id {0:?}")]
    NoEntry(String),
    /// More than one entry begins like this.
    #[error("more than one entry begins with {0:?}; give more digits")]
    AmbiguousEntry(String),
    /// The proposal is past this.
    #[error("proposal {id} {}", state_words(*.state))]
    NotOpen {
        /// Which.
        id: ProposalId,
        /// Where it is now.
        state: State,
    },
    /// Its spans are consumed already.
    #[error(
        "part of proposal {0} is applied: what is left can be decided or discarded, not returned"
    )]
    Rest(ProposalId),
    /// Somebody else decided in between.
    #[error("proposal {id} was decided on elsewhere in the meantime; look at it again")]
    ChangedMeanwhile {
        /// Which.
        id: ProposalId,
        /// The last step there is now.
        now: Seq,
    },
    /// It is not what was shown any more.
    #[error("proposal {id}: {what} since it was shown; read it again and decide afresh")]
    NotAsShown {
        /// Which.
        id: ProposalId,
        /// What has changed.
        what: &'static str,
    },
    /// No such change, or settled already.
    #[error("proposal {id} has no open change {n}")]
    NoChange {
        /// Which proposal.
        id: ProposalId,
        /// Which change.
        n: u32,
    },
    /// A span is taken already.
    #[error("bytes {start} to {end} of {source_path:?} are part of another distill; try again")]
    SpanTaken {
        /// The source.
        source_path: String,
        /// First byte.
        start: u64,
        /// One past the last byte.
        end: u64,
    },
    /// An apply of this project was interrupted and is to be finished first.
    #[error("an apply of proposal {0} was interrupted; it is finished first")]
    ApplyPending(ProposalId),
    /// Not what a redactor calls a value by.
    #[error("{0:?} is no fingerprint of a hidden value")]
    NoFingerprint(String),
    /// The list of what a person called a secret is full.
    #[error(
        "{0} values are kept as secrets already; take back what is no longer one: `memd redact --also-secret` lists them"
    )]
    TooManySecrets(usize),
    /// An entry moved on.
    #[error("entry {0} was changed in the meantime; look at the proposal again")]
    EntryMovedOn(String),
    /// No person has given leave for it.
    #[error(
        "project {0} is not trusted to be changed without a person; `memd trust` there allows it"
    )]
    NotTrusted(ProjectId),
    /// What a policy never does.
    #[error("a policy may not {0}; a person can, in `memd review`")]
    NotByPolicy(&'static str),
    /// Another project is registered there.
    #[error("{0:?} belongs to another project already")]
    RootTaken(PathBuf),
}

/// Something sealed that was changed.
pub(super) fn tampered(what: impl Into<String>) -> StoreError {
    StoreError::Tampered { what: what.into() }
}

fn state_words(state: State) -> &'static str {
    match state {
        State::Staged => "waits for a decision",
        State::Applying => "is being applied",
        State::Applied => "is applied",
        State::Discarded => "was discarded",
        State::Returned => "was returned",
        State::Expired => "has expired: revive or return it",
    }
}

/// A version that this memd does not know; none ever wrote one that is no number of theirs.
fn newer(found: usize, known: usize) -> String {
    match found {
        usize::MAX => format!(
            "a schema version that no memd writes: it was changed outside memd. Put a backup back, or set it right with `PRAGMA user_version = {known}`; `memd verify` says then whether all else is as it was"
        ),
        _ => format!(
            "schema version {found}, this memd knows up to {known}; use the newer memd that made it"
        ),
    }
}

/// What SQLite says, on one line and without the text that it was asked.
pub(super) fn said(error: &rusqlite::Error) -> String {
    let said = match error {
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        other => other.to_string(),
    };
    on_one_row(&said)
}

/// What to do about SQLite's refusal, where its own words do not say.
impl StoreError {
    /// Whether it failed because nothing can be written where the database is.
    pub(super) fn is_write_refused(&self) -> bool {
        match self {
            StoreError::Fs(FsError::Io { source, .. }) => matches!(
                source.kind(),
                io::ErrorKind::PermissionDenied
                    | io::ErrorKind::ReadOnlyFilesystem
                    | io::ErrorKind::StorageFull
                    | io::ErrorKind::QuotaExceeded
                    | io::ErrorKind::FileTooLarge
            ),
            StoreError::Database { source, .. } => matches!(
                source.sqlite_error_code(),
                Some(
                    ErrorCode::ReadOnly
                        | ErrorCode::CannotOpen
                        | ErrorCode::DiskFull
                        | ErrorCode::SystemIoFailure
                        | ErrorCode::PermissionDenied
                )
            ),
            _ => false,
        }
    }
}

fn remedy(error: &rusqlite::Error) -> &'static str {
    match error.sqlite_error_code() {
        // In a folder that is read-only SQLite cannot open the files beside it.
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            "; see whether its folder or disk is read-only: it and the files beside it must be writable for you"
        }
        Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure) => "; see whether the disk is full",
        _ => "",
    }
}
