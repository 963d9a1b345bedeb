//! The account of what curators take: in the database, with the caps of a day.

use crate::config::Caps;
use crate::curator::{Account, CuratorError};
use crate::store::Store;
use jiff::Timestamp;
use std::time::Duration;

/// How a distill may ask: for a person who waits, or by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asking {
    /// Whether a day's caps hold. A person's own distill goes on over them.
    pub capped: bool,
    /// How long another curator is waited for.
    pub wait: Duration,
}

impl Asking {
    /// For a person.
    pub const ATTENDED: Self = Self {
        capped: false,
        wait: Duration::from_secs(120),
    };
    /// For a worker: it does not wait, since what it would read stays free.
    pub const UNATTENDED: Self = Self {
        capped: true,
        wait: Duration::ZERO,
    };
}

/// Counts in the database.
pub(super) struct Budget<'a> {
    pub store: &'a Store,
    pub caps: &'a Caps,
    pub asking: Asking,
    pub now: Timestamp,
}

impl Account for Budget<'_> {
    fn open(&self, chars: u64) -> Result<(), CuratorError> {
        let caps = self.asking.capped.then_some(self.caps);
        match self.store.count_call(chars, caps, self.now) {
            Ok(None) => Ok(()),
            Ok(Some(reached)) => Err(CuratorError::Capped(reached)),
            Err(error) => Err(CuratorError::NoAccount(error.to_string())),
        }
    }

    fn close(&self, usd: f64) {
        if let Err(error) = self.store.count_cost(usd, self.now) {
            tracing::warn!("what a curator cost was not counted: {error}");
        }
    }
}
