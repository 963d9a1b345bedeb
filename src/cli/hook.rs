//! `memd hook`: what AI tools run at points of a session. Never breaks one: whatever goes wrong, the
//! exit code is 0, standard output holds one JSON object or nothing, and nothing is waited for.
//!
//! `session-start` gives the brief. The others leave a job and are gone; a worker does it later.

use super::{Context, Failure, brief, detach, lost, out};
use crate::config::Places;
use crate::hook::{Event, Job, Jobs, Payload, What};
use crate::project::{Known, seen_new};
use crate::source::Tool;
use crate::store::{Store, StoreError};
use jiff::Timestamp;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Answer a hook of an AI tool.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// The event: session-start, session-end, pre-compact, stop
    // Everything is taken, so that no spelling of a tool's settings ends in a usage error.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    event: Vec<OsString>,
}

/// At most this many bytes of a tool's JSON are read.
const LIMIT: usize = 4 << 20;
/// How long a tool has to write it: less than Claude Code gives a session's end.
const DEADLINE: Duration = Duration::from_millis(1_000);
/// Environment variables that move a tool's folder.
const MOVED: [(&str, Tool); 3] = [
    ("CLAUDE_CONFIG_DIR", Tool::Claude),
    ("CODEX_HOME", Tool::Codex),
    ("GEMINI_CLI_HOME", Tool::Gemini),
];

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    // Also a fault of memd's own is no fault of the session's; it was reported where it happened.
    let answered = std::panic::catch_unwind(|| answer(args));
    if let Ok(Err(failure)) = answered {
        tracing::warn!("a hook was not answered: {failure}");
    }
    Ok(())
}

fn answer(args: &Args) -> Result<(), Failure> {
    // A curator that memd started is no session of the user's.
    if std::env::var_os("MEMD_CURATOR").is_some() {
        return Ok(());
    }
    let places = super::named_places()?;
    let payload = Payload::read(&read_stdin(), &places.home);
    let named = args.event.first().map(|name| name.to_string_lossy());
    let event = match named {
        Some(name) => Event::from_name(&name),
        None => payload.event,
    };
    // Also by the folder that the session runs in, wherever the tool starts its hooks.
    if let Err(within) = super::outside_of_projects(&places, payload.cwd.as_deref()) {
        if event == Some(Event::SessionStart) {
            give_brief(brief::notice(&within.told()));
        }
        return Err(within.into());
    }
    let hook = Hook {
        jobs: Jobs::at(places.jobs()),
        cwd: payload.cwd.clone().or_else(|| std::env::current_dir().ok()),
        now: Timestamp::now(),
        places,
        payload,
    };
    if hook.is_own() {
        return Ok(());
    }
    match event {
        Some(Event::SessionStart) => hook.session_start(),
        Some(event) => hook.leave(event),
        None => Ok(()),
    }
}

struct Hook {
    places: Places,
    jobs: Jobs,
    payload: Payload,
    /// Where the session runs.
    cwd: Option<PathBuf>,
    now: Timestamp,
}

impl Hook {
    /// Whether the session is memd's own.
    fn is_own(&self) -> bool {
        let is_own = |dir: &PathBuf| {
            let real = |dir: &Path| dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
            self.places.is_own(dir) || real(dir).starts_with(real(&self.places.state))
        };
        self.cwd.as_ref().is_some_and(is_own)
    }

    /// Leaves what the event asks for, and has it done.
    fn leave(&self, event: Event) -> Result<(), Failure> {
        let quiet = event == Event::Stop;
        let Payload {
            transcript,
            session,
            ..
        } = &self.payload;
        // What a helper did is in the session that asked for it.
        if quiet && self.payload.inside_agent || transcript.is_none() && session.is_none() {
            return Ok(());
        }
        let what = |quiet| What::Distill {
            trigger: event.name().to_owned(),
            transcript: transcript.clone(),
            session: session.clone(),
            cwd: self.cwd.clone(),
            quiet,
        };
        self.put(what(quiet))?;
        if !quiet {
            // What waited for the session to be quiet is done with it.
            self.jobs.cancel(&Job::new(what(true), self.now));
            start_worker();
        }
        Ok(())
    }

    fn put(&self, what: What) -> Result<(), Failure> {
        let mut job = Job::new(what, self.now);
        job.roots = self.moved();
        self.jobs.put(&job).map_err(Failure::known)
    }

    /// The folders that the environment names: a worker that somebody else starts has another one.
    fn moved(&self) -> Vec<(String, PathBuf)> {
        let named = MOVED
            .iter()
            .filter(|(name, _)| std::env::var_os(name).is_some());
        let folder = |tool: Tool| match tool {
            Tool::Codex => &self.places.codex,
            Tool::Gemini => &self.places.gemini,
            _ => &self.places.claude,
        };
        let moved = named.map(|(_, tool)| (tool.name().to_owned(), folder(*tool).clone()));
        moved.collect()
    }

    /// Gives the brief, and starts what is to be done. The brief first: the session waits for it.
    fn session_start(&self) -> Result<(), Failure> {
        let context = Context::load()?;
        let settings = &context.config.settings;
        let store = Store::open_in_passing(&context.places);
        let store = self.told_of_damage(&context, store)?;
        // What comes now would hide the loss.
        if lost::is_lost(&context, store.as_ref())? {
            give_brief(self.lost(&context));
            return Ok(());
        }
        let known = match &store {
            Some(store) => {
                let known = store.known(settings, &context.places);
                self.told_of_damage(&context, known)?
            }
            None => Known::configured(settings, &context.places),
        };
        if let (Some(cwd), Some(store)) = (&self.cwd, &store) {
            give_brief(brief::for_hook(&context, store, &known, cwd));
            brief::settle_in(&context, store, &known, cwd);
        }
        // A repository that memd does not know is to get a memory.
        if settings.auto_scaffold
            && let Some(cwd) = &self.cwd
            && !seen_new([cwd.as_path()], &known).is_empty()
        {
            self.put(What::Scaffold {
                cwd: cwd.clone(),
                transcript: self.payload.transcript.clone(),
            })?;
        }
        if self.jobs.any_due(settings.quiet_seconds, self.now) {
            start_worker();
        }
        Ok(())
    }
}

impl Hook {
    /// What a session of a project is told whose database was lost; nothing elsewhere.
    fn lost(&self, context: &Context) -> Result<String, Failure> {
        self.notice(context, &format!("{}; {}", lost::WHAT, lost::WAY_OUT))
    }

    /// As it is, after the session was told where the database cannot be read.
    fn told_of_damage<T>(
        &self,
        context: &Context,
        read: Result<T, StoreError>,
    ) -> Result<T, Failure> {
        // What another process holds is there again in a moment.
        if let Err(error) = &read
            && !matches!(error, StoreError::Busy { .. })
        {
            give_brief(self.notice(context, &error.to_string()));
        }
        Ok(read?)
    }

    fn notice(&self, context: &Context, what: &str) -> Result<String, Failure> {
        let known = Known::configured(&context.config.settings, &context.places);
        let root = self.cwd.as_ref().and_then(|cwd| known.root_of(cwd));
        match root.is_some_and(|root| known.is_root(&root)) {
            true => brief::notice(what),
            false => Ok(String::new()),
        }
    }
}

fn give_brief(brief: Result<String, Failure>) {
    match brief {
        Ok(text) if text.is_empty() => {}
        Ok(text) => out::json(&serde_json::json!({
            "hookSpecificOutput": {
                "hookEventName": "SessionStart",
                "additionalContext": text,
            }
        })),
        Err(failure) => tracing::warn!("session-start gave no brief: {failure}"),
    }
}

/// Without a worker the job waits for the next one.
fn start_worker() {
    if let Err(error) = detach::start_worker() {
        tracing::warn!("no worker could be started: {error}");
    }
}

/// What the tool wrote, as far as it comes in time: a pipe that nobody closes holds nothing up.
fn read_stdin() -> Vec<u8> {
    let stdin = io::stdin();
    let mut bytes = Vec::new();
    if stdin.is_terminal() {
        return bytes;
    }
    let deadline = Instant::now() + DEADLINE;
    let mut chunk = vec![0; 64 << 10];
    while bytes.len() < LIMIT {
        let left = deadline.saturating_duration_since(Instant::now());
        let wait = Timespec {
            tv_sec: left.as_secs().try_into().unwrap_or(0),
            tv_nsec: i64::from(left.subsec_nanos()),
        };
        let mut ready = [PollFd::new(&stdin, PollFlags::IN)];
        match poll(&mut ready, Some(&wait)) {
            Ok(1..) => {}
            Err(rustix::io::Errno::INTR) => continue,
            // Time is over, or there is nothing to read from.
            _ => break,
        }
        match rustix::io::read(&stdin, &mut chunk) {
            Ok(n) if n > 0 => bytes.extend(&chunk[..n]),
            Err(rustix::io::Errno::INTR) => continue,
            _ => break,
        }
        if Payload::is_whole(&bytes) {
            break;
        }
    }
    bytes
}
