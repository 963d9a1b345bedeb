//! Key, seals, manifest, audit chain: proof that what an agent is given passed a person.
//!
//! Pure but for the key file: values in, values and verdicts out. Owns what a seal covers and how
//! it is encoded, how entries on disk find their records, and what counts as a break. Never reads
//! the database and never decides what is done about a break.
//!
//! Whatever cannot be verified is untrusted: a missing or empty seal, an unknown format, another
//! key. No message and no `Debug` form holds key material.

mod audit;
mod commits;
mod export;
mod grant;
mod key;
mod known;
mod lapse;
mod manifest;
mod matching;
mod newest;
mod pending;
mod record;
mod said;
mod seal;
mod settled;
mod verify;

pub use audit::{Act, AuditHead, AuditRow};
pub use commits::CommitEvidence;
pub use export::{Export, ExportError};
pub use grant::{Grant, Mode, Occasion};
pub use key::{
    Purpose, Retired, Settled, Successor, Trust, TrustError, is_laid_down, leftovers, settle,
};
pub use lapse::{PROPOSAL_DAYS, effective_now, is_expired, lapse_after};
pub use manifest::{Manifest, ManifestError};
pub use matching::{Broken, Matched, Reason, SealedEntry, match_entries};
pub use newest::Newest;
pub use record::{Record, RecordState, evidence_hash};
pub use said::{AlsoSecret, Harmless, NotSecret, Said, Word};
pub use seal::{FORMAT, Fields, Seal, SealError};
pub use settled::{AT_ONCE, Astray, Cause, Life, Loose, Piece, SettledBreak, settling};
pub use verify::{Break, BreakKind, Counts, Evidence, ProjectEvidence, Report, verify_all};
