//! Why a distill came to nothing.

use crate::curator::CuratorError;
use crate::fs::FsError;
use crate::id::NoRandom;
use crate::lock::LockError;
use crate::memory::MemoryError;
use crate::source::SourceError;
use crate::store::StoreError;

/// A distill that failed. Nothing is consumed then.
#[derive(Debug, thiserror::Error)]
pub enum DistillError {
    /// Another distill of this project runs.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The named transcript cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The memory files cannot be read.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The inbox cannot be read.
    #[error(transparent)]
    Fs(#[from] FsError),
    /// The database refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No random bytes.
    #[error(transparent)]
    NoRandom(#[from] NoRandom),
    /// Nothing may leave that was not searched.
    #[error(
        "the prompt could not be searched for secrets, so that nobody was asked; nothing was consumed"
    )]
    Withheld,
    /// The curator failed.
    #[error(transparent)]
    Curator(#[from] CuratorError),
    /// The curator failed once too often on this material.
    #[error("{error}; it failed {tries} times on this material, which is set aside now")]
    Parked {
        /// The last failure.
        error: CuratorError,
        /// How many there were.
        tries: u32,
    },
}
