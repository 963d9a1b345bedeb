//! Who keeps the account of what curators take.

use super::CuratorError;

/// Counts calls, and says whether there is room for one more.
pub trait Account {
    /// Before a call with a prompt of so many characters: counts it.
    ///
    /// # Errors
    /// When it is not to be made: a cap is reached, or it cannot be counted.
    fn open(&self, chars: u64) -> Result<(), CuratorError>;

    /// After a call, however it ended: what it cost in US dollars.
    fn close(&self, usd: f64);
}

/// Counts nothing and allows everything.
#[derive(Debug, Clone, Copy)]
pub struct Free;

impl Account for Free {
    fn open(&self, _: u64) -> Result<(), CuratorError> {
        Ok(())
    }

    fn close(&self, _: f64) {}
}
