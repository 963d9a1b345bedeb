//! The database: schema, migrations, spans, proposals, decisions, records, audit. The only user of
//! SQLite here.
//!
//! One file for all projects, private to its user. Every act on memory and its audit record are one
//! transaction; writers wait for each other. What was sealed is verified when it is read. Holds no
//! rules of review or apply: it keeps what they decide, all or nothing.
//!
//! Markdown and git stay the truth: a lost database loses no memory, only the proof of who let it
//! in.

mod aliases;
mod also_secret;
mod apply;
mod audit;
mod beside;
mod commits;
mod error;
mod evidence;
mod forget;
mod give_up;
mod grants;
mod imported;
mod installed;
mod integrity;
mod journal;
mod kept;
mod last;
mod life;
mod lives;
mod newest;
mod not_secret;
mod notes;
mod open;
mod projects;
mod queue;
mod records;
mod refusals;
mod refused_file;
mod roots;
mod rotate;
mod said;
mod schema;
mod settled;
mod shown;
mod spans;
mod spent;
mod stage;
mod tombstones;
mod tries;

#[cfg(test)]
mod tests;

pub use aliases::OtherFolder;
pub use also_secret::{AlsoHidden, Rewritten};
pub use apply::{Applied, FileIntent, Intent};
pub use beside::{KeptFile, kept_files};
pub use commits::OwedCommit;
pub use error::StoreError;
pub use forget::Forgotten;
pub use give_up::{GivenUp, Unsound};
pub use imported::Before;
pub use integrity::{Integrity, MadeAnew};
pub use journal::{Journal, Seq, Stepped};
pub use kept::{AnyProposal, KeptText};
pub use last::LastApplied;
pub use not_secret::{Allowed, HiddenValue};
pub use notes::NoteState;
pub use open::Store;
pub use projects::Project;
pub use queue::{ProposalStatus, QueueItem};
pub use rotate::{Rotated, RotationStep, SealedCounts};
pub use shown::{Opened, Shown};
pub use spans::{SeenIds, SpanState, StoredSpan};
pub use tries::{Parked, Tries};
