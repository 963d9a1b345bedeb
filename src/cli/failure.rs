//! From errors to what a person reads, and the exit code.
//!
//! 0 ok or nothing to do; 1 known error; 2 usage or configuration; 3 curator or distill failure;
//! 128 and a signal's number after that signal.

use super::out;
use crate::apply::ApplyError;
use crate::browse::BrowseError;
use crate::config::{ConfigError, NoHome};
use crate::curator::CuratorError;
use crate::distill::DistillError;
use crate::init::InitError;
use crate::project::Within;
use crate::source::inbox::InboxError;
use crate::store::StoreError;
use crate::trust::TrustError;
use serde_json::{Value, json};
use std::process::ExitCode;

/// What kind of end a command came to; the number is the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A known error.
    Known = 1,
    /// Wrong usage or configuration.
    Usage = 2,
    /// The curator or the distill failed; nothing was consumed.
    Curator = 3,
}

/// A command's failure: what, where, and what to do.
#[derive(Debug)]
pub(super) struct Failure {
    code: u8,
    message: String,
    hint: Option<String>,
    /// It came of nothing but a key that was rotated meanwhile.
    is_rotated: bool,
}

impl Failure {
    /// A known error (exit code 1).
    pub fn known(message: impl ToString) -> Self {
        Self {
            code: Kind::Known as u8,
            message: message.to_string(),
            hint: None,
            is_rotated: false,
        }
    }

    /// Wrong usage or configuration (exit code 2).
    pub fn usage(message: impl ToString) -> Self {
        Self {
            code: Kind::Usage as u8,
            message: message.to_string(),
            hint: None,
            is_rotated: false,
        }
    }

    /// The curator or the distill failed (exit code 3).
    pub fn curator(message: impl ToString) -> Self {
        Self {
            code: Kind::Curator as u8,
            message: message.to_string(),
            hint: None,
            is_rotated: false,
        }
    }

    /// Ended by a person's Ctrl-C.
    pub fn interrupted(message: impl ToString) -> Self {
        Self {
            code: 130,
            message: message.to_string(),
            hint: None,
            is_rotated: false,
        }
    }

    /// An end that needs no words: whoever sent a signal knows of it.
    pub fn silent(code: u8) -> Self {
        Self {
            code,
            message: String::new(),
            hint: None,
            is_rotated: false,
        }
    }

    /// With what to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl ToString) -> Self {
        self.hint = Some(hint.to_string());
        self
    }

    /// In other words, and else as it is.
    #[must_use]
    pub fn told(mut self, message: impl ToString) -> Self {
        self.message = message.to_string();
        self
    }

    /// As it is, where the database has another key than this memd began with.
    fn rotated(mut self, is_rotated: bool) -> Self {
        self.is_rotated = is_rotated;
        self
    }

    /// For programs: `{"error", "hint", "exit"}`; none where there are no words for it.
    pub(super) fn as_json(&self) -> Option<Value> {
        let hint = self.hint.as_deref();
        let told = json!({ "error": self.message, "hint": hint, "exit": self.code });
        (!self.message.is_empty()).then_some(told)
    }

    /// Prints it and gives the exit code.
    pub(super) fn report(&self) -> ExitCode {
        if !self.message.is_empty() {
            out::problem(&format!("memd: {}", self.message));
        }
        if let Some(hint) = &self.hint {
            out::problem(&format!("  {hint}"));
        }
        ExitCode::from(self.code)
    }
}

/// Does it, and once more with the new key where the key was rotated meanwhile: nothing was done then.
/// For what opens the key itself, and has told nobody anything before it fails.
pub(super) fn once_more<T>(mut act: impl FnMut() -> Result<T, Failure>) -> Result<T, Failure> {
    match act() {
        Err(failure) if failure.is_rotated => act(),
        ended => ended,
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<NoHome> for Failure {
    fn from(error: NoHome) -> Self {
        Self::usage(error)
    }
}

impl From<Within> for Failure {
    fn from(within: Within) -> Self {
        Self::usage(&within).hint(within.way_out())
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::usage(error).hint("nothing was changed; mend the file and try again")
    }
}

impl From<InitError> for Failure {
    fn from(error: InitError) -> Self {
        match error {
            InitError::Refused { .. } | InitError::BadName { .. } => Self::usage(error),
            InitError::Config(error) => error.into(),
            _ => Self::known(error),
        }
    }
}

impl From<ApplyError> for Failure {
    fn from(error: ApplyError) -> Self {
        match error {
            ApplyError::Store(error) => error.into(),
            _ => Self::known(error),
        }
    }
}

impl From<BrowseError> for Failure {
    fn from(error: BrowseError) -> Self {
        Self::known(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let is_rotated = matches!(
            error,
            StoreError::Trust(TrustError::RotatedMeanwhile { .. })
        );
        Self::known(error).rotated(is_rotated)
    }
}

impl From<InboxError> for Failure {
    fn from(error: InboxError) -> Self {
        match error {
            InboxError::Empty | InboxError::BadLabel { .. } => Self::usage(error),
            InboxError::Fs(_) | InboxError::NoRandom(_) => Self::known(error),
        }
    }
}

impl From<DistillError> for Failure {
    fn from(error: DistillError) -> Self {
        let kept = "nothing was consumed; what is new is read again by the next distill";
        match error {
            DistillError::Store(error) => error.into(),
            DistillError::Curator(ref e) if e.is_config() => Self::usage(error),
            DistillError::Curator(CuratorError::Busy | CuratorError::Capped(_)) => Self::known(error),
            DistillError::Curator(_) => Self::curator(error).hint(kept),
            DistillError::Parked { .. } => Self::curator(error)
                .hint("later material goes on; `memd status` lists what is set aside, `memd distill --retry` tries it again"),
            _ => Self::known(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rotated() -> StoreError {
        let (began, sealed) = ("a".to_owned(), "b".to_owned());
        TrustError::RotatedMeanwhile { began, sealed }.into()
    }

    #[test]
    fn what_met_a_rotation_is_tried_again_once_and_nothing_else_is() {
        let tries = |errors: Vec<Failure>| {
            let (mut left, mut tries) = (errors.into_iter(), 0);
            let ended = once_more(|| {
                tries += 1;
                left.next().map_or(Ok(()), Err)
            });
            (tries, ended.is_ok())
        };
        assert_eq!(tries(vec![]), (1, true));
        assert_eq!(tries(vec![rotated().into()]), (2, true));
        assert_eq!(tries(vec![ApplyError::Store(rotated()).into()]), (2, true));
        let distilled = || Failure::from(DistillError::Store(rotated()));
        assert_eq!(tries(vec![distilled(), distilled()]), (2, false));
        assert_eq!(tries(vec![Failure::known("x")]), (1, false));
    }
}
