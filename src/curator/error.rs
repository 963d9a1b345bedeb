//! What can go wrong when a curator is asked, in words for people.
//!
//! Nothing of a program's own words stands in a message before it was redacted.

use super::Usage;
use super::process::Output;
use super::reply::ReplyError;
use crate::config::Reached;
use crate::fs::FsError;
use crate::redact::{Part, Redactor};
use crate::source::Raw;
use std::io;
use std::process::ExitStatus;
use std::time::Duration;

/// Characters of a program's own words that a message shows.
const SHOWN: usize = 600;

/// Why there is no reply. Nothing is consumed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CuratorError {
    /// The program is not there. A matter of configuration; not tried again.
    #[error(
        "the curator program {program:?} was not found {looked}; install it, or name another \
         program in \"curator_cmd\" of the configuration, or choose the curator without a model: \
         \"curator\": \"builtin\" there, or --curator builtin"
    )]
    Missing {
        /// As configured.
        program: String,
        /// Where it was looked for: "on PATH".
        looked: &'static str,
    },
    /// Its working directory cannot be made.
    #[error(transparent)]
    Folder(#[from] FsError),
    /// The system did not start it, or lost it.
    #[error("cannot run {program:?} to ask for changes to memory: {source}")]
    Start {
        /// The program's path.
        program: String,
        /// Why.
        source: io::Error,
    },
    /// It ended with an error.
    #[error("{program:?}, asked for changes to memory, ended with {status}{stderr}")]
    Failed {
        /// The program's path.
        program: String,
        /// How it ended.
        status: ExitStatus,
        /// `; it wrote: "…"`, redacted, or empty.
        stderr: String,
    },
    /// It took too long.
    #[error("{program:?}, asked for changes to memory, was ended after {} s{stderr}", .after.as_secs_f32())]
    TimedOut {
        /// The program's path.
        program: String,
        /// The limit.
        after: Duration,
        /// As for [`CuratorError::Failed`].
        stderr: String,
    },
    /// It wrote more than is read.
    #[error("{program:?}, asked for changes to memory, wrote over {limit} bytes and was ended")]
    TooMuch {
        /// The program's path.
        program: String,
        /// The limit in bytes.
        limit: usize,
    },
    /// It ran, and says itself that it failed: a login, a limit, an overloaded service.
    #[error("{program:?}, asked for changes to memory, reports {what}: {said}")]
    Reports {
        /// The program's path.
        program: String,
        /// The kind it gives, such as `error_max_turns`.
        what: String,
        /// Its words, redacted.
        said: String,
    },
    /// What it wrote is not what it should write.
    #[error("{program:?}, asked for changes to memory, wrote no answer that can be read: {why}")]
    Garbled {
        /// The program's path.
        program: String,
        /// What was met instead, redacted.
        why: String,
    },
    /// It answered, but not with a reply.
    #[error("{program:?}, asked for changes to memory, gave a reply that cannot be used: {source}")]
    BadReply {
        /// The program's path.
        program: String,
        /// Why.
        source: ReplyError,
    },
    /// Another one is being asked, on this machine.
    #[error("another curator runs, and one is asked at a time; nothing was consumed")]
    Busy,
    /// The day has no room for an unattended call.
    #[error("{0}; nothing was consumed, and what is new is read when there is room again")]
    Capped(Reached),
    /// What it costs cannot be counted, so it is not asked.
    #[error("the curator was not asked, since what it costs cannot be counted: {0}")]
    NoAccount(String),
    /// memd was told to end.
    #[error("interrupted; the curator was ended, nothing was consumed")]
    Interrupted,
}

impl CuratorError {
    /// Whether the configuration is to be mended (exit code 2, not 3).
    #[must_use]
    pub fn is_config(&self) -> bool {
        matches!(self, CuratorError::Missing { .. })
    }

    /// Whether it says nothing of the material: the curator was not asked, is not logged in, or memd
    /// was told to end.
    #[must_use]
    pub fn is_put_off(&self) -> bool {
        use CuratorError as E;
        let is_asked = !matches!(
            self,
            E::Busy | E::Capped(_) | E::NoAccount(_) | E::Interrupted
        );
        !is_asked || self.is_login()
    }

    /// Whether the program waits for a person to log in.
    fn is_login(&self) -> bool {
        matches!(self, CuratorError::Reports { said, .. }
            if said.contains("/login") || said.contains("API key"))
    }

    /// Whether another try may go better. A timeout is not tried again: three times ten minutes
    /// would hold the project's lock for half an hour.
    pub(super) fn may_pass(&self) -> bool {
        use CuratorError as E;
        match self {
            E::Missing { .. } | E::Folder(_) | E::TimedOut { .. } => false,
            E::Busy | E::Capped(_) | E::NoAccount(_) | E::Interrupted => false,
            E::Reports { .. } => !self.is_login(),
            _ => true,
        }
    }
}

/// A distill's asking that came to nothing, with what it cost.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct Failure {
    /// The last try's error.
    pub error: CuratorError,
    /// Calls made and what they cost, as far as it was told.
    pub usage: Usage,
}

/// The end of a program's standard error as a part of a message: redacted, whole lines, on one
/// line.
pub(super) fn stderr(output: &Output, redactor: &Redactor) -> String {
    match quote(output.stderr.clone(), redactor, Side::End) {
        words if words.is_empty() => words,
        words => format!("; it wrote: {words}"),
    }
}

/// Which side of a long text is shown.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Start,
    End,
}

/// A program's words for a message: redacted whole, then shortened, on one line.
pub(super) fn quote(words: Raw, redactor: &Redactor, side: Side) -> String {
    let (words, _) = redactor.redact(&words, &Part::default());
    let lines = words.as_str().lines().map(str::trim);
    let flat = lines
        .filter(|l| !l.is_empty())
        .collect::<Vec<_>>()
        .join(" | ");
    let over = flat.chars().count().saturating_sub(SHOWN);
    match side {
        _ if over == 0 => flat,
        Side::Start => format!("{}…", crate::text::first_chars(&flat, SHOWN).0),
        Side::End => format!("…{}", flat.chars().skip(over).collect::<String>()),
    }
}
