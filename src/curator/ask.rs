//! Asks the chosen curator, again if it fails, and reads its reply.

use super::account::Account;
use super::error::{CuratorError, Failure, stderr};
use super::process::{self, End, Environment, Job, Output};
use super::reply::{self, ReplyError};
use super::{Prompt, PromptEntry, Reply, Usage, builtin, claude, command};
use crate::config::{CuratorChoice, Places, Settings};
use crate::digest::Digest;
use crate::fs;
use crate::lock::{CuratorLock, LockError};
use crate::redact::{Hit, Redactor};
use crate::text::count;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The bounds of one asking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// How long one call may take.
    pub timeout: Duration,
    /// How long a program has to end after it was told to.
    pub grace: Duration,
    /// Waits before further tries; as many tries follow the first.
    pub retries: Vec<Duration>,
    /// How many bytes a program may write on standard output.
    pub max_output: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(600),
            grace: Duration::from_secs(2),
            retries: vec![Duration::from_secs(5), Duration::from_secs(15)],
            max_output: 8 << 20,
        }
    }
}

/// Everything one asking needs.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// Which curator.
    pub choice: &'a CuratorChoice,
    /// Models, programs.
    pub settings: &'a Settings,
    /// Where it runs.
    pub places: &'a Places,
    /// What it sees of memd's environment.
    pub env: &'a Environment,
    /// What started the distill: `manual`, `session-end`, ….
    pub trigger: &'a str,
    /// What it is asked.
    pub prompt: &'a Prompt,
    /// The same material as a value, for the builtin curator.
    pub digest: &'a Digest,
    /// The same memory.
    pub entries: &'a [PromptEntry],
    /// Time, bytes, tries.
    pub limits: &'a Limits,
    /// For what a program writes on standard error and in its reply.
    pub redactor: &'a Redactor,
    /// Counts each call, and may refuse it.
    pub account: &'a dyn Account,
    /// How long another curator is waited for.
    pub wait: Duration,
}

/// A reply that can be used, and what it took.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// The reply, redacted.
    pub reply: Reply,
    /// All calls together.
    pub usage: Usage,
    /// Secrets that stood in the reply.
    pub hits: Vec<Hit>,
}

/// What one call cost, as far as it is told.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Cost {
    pub input_tokens: Option<u64>,
    pub output_tokens: Option<u64>,
    pub cost_usd: Option<f64>,
}

/// What a program answered. Its text is not redacted yet: it is in no output for developers.
pub(super) struct Answer {
    /// The program's path.
    pub program: String,
    /// The reply's text, not redacted.
    pub text: String,
    /// What it cost.
    pub cost: Cost,
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Answer({:?}, {} bytes)", self.program, self.text.len())
    }
}

/// A call that came to nothing.
#[derive(Debug)]
pub(super) struct Lost {
    error: CuratorError,
    cost: Cost,
}

impl From<CuratorError> for Lost {
    fn from(error: CuratorError) -> Self {
        (error, Cost::default()).into()
    }
}

impl From<(CuratorError, Cost)> for Lost {
    fn from((error, cost): (CuratorError, Cost)) -> Self {
        Self { error, cost }
    }
}

/// One call's outcome.
pub(super) type Tried = Result<Answer, Lost>;

/// Asks the curator. `progress` is told what goes on, in one line; `sleep` waits between tries.
///
/// # Errors
/// When no try gives a usable reply; nothing is consumed then.
pub fn run(
    call: &Call,
    progress: &dyn Fn(&str),
    sleep: &dyn Fn(Duration),
) -> Result<Answered, Box<Failure>> {
    let mut usage = begin(call);
    // A program that is not there costs nothing, and is no call.
    if let Err(error) = program(call.choice, call.settings, call.places, call.env) {
        return Err(Box::new(Failure { error, usage }));
    }
    let _alone = match alone(call, progress) {
        Ok(lock) => lock,
        Err(error) => return Err(Box::new(Failure { error, usage })),
    };
    let mut waits = call.limits.retries.iter();
    let mut failed = None;
    loop {
        if is_model(call)
            && let Err(refused) = call.account.open(usage.prompt_chars)
        {
            // A try that failed says more than the one that was not made.
            let error = failed.unwrap_or(refused);
            return Err(Box::new(Failure { error, usage }));
        }
        usage.calls += 1;
        let lost = match once(call, progress) {
            Ok((reply, mut hits, cost)) => {
                pay(call, &mut usage, cost);
                let (reply, more) = reply::redact(reply, call.redactor);
                hits.extend(more);
                return Ok(Answered { reply, usage, hits });
            }
            Err(lost) => lost,
        };
        pay(call, &mut usage, lost.cost);
        let error = lost.error;
        match waits.next().filter(|_| error.may_pass()) {
            Some(wait) => {
                progress(&format!("{error}; trying again in {} s", wait.as_secs()));
                sleep(*wait);
                failed = Some(error);
            }
            None => return Err(Box::new(Failure { error, usage })),
        }
    }
}

/// The builtin one asks nobody, and costs nothing.
fn is_model(call: &Call) -> bool {
    !matches!(call.choice, CuratorChoice::Builtin)
}

/// One curator runs at a time on this machine, whatever starts them: the last bound of anything
/// that goes round in circles.
fn alone(call: &Call, progress: &dyn Fn(&str)) -> Result<Option<CuratorLock>, CuratorError> {
    if !is_model(call) {
        return Ok(None);
    }
    let locks = call.places.locks();
    let at_once = CuratorLock::take(&locks, Duration::ZERO);
    let taken = match at_once {
        Err(LockError::Held { .. }) if !call.wait.is_zero() => {
            progress("another curator runs; waiting for its end");
            CuratorLock::take(&locks, call.wait)
        }
        at_once => at_once,
    };
    match taken {
        Ok(lock) => {
            process::end_leftover(&call.places.curator());
            Ok(Some(lock))
        }
        Err(LockError::Held { .. }) => Err(CuratorError::Busy),
        Err(LockError::Fs(error)) => Err(error.into()),
    }
}

/// Ends what curators left behind that were killed together with memd. Nothing is done while one runs.
pub fn end_leftover(places: &Places) {
    // One that is at it looks itself.
    if let Ok(_alone) = CuratorLock::take(&places.locks(), Duration::ZERO) {
        process::end_leftover(&places.curator());
    }
}

/// Whether what is asked is told which model to ask: a command that does not name it asks one of its
/// own.
fn is_told_model(call: &Call) -> bool {
    match call.choice {
        CuratorChoice::Claude => true,
        CuratorChoice::Command(argv) => argv.iter().any(|arg| arg.contains("{model}")),
        CuratorChoice::Builtin => false,
    }
}

fn begin(call: &Call) -> Usage {
    let asked = is_model(call);
    let backend = match call.choice {
        CuratorChoice::Claude => "claude",
        CuratorChoice::Command(_) => "command",
        CuratorChoice::Builtin => "builtin",
    };
    Usage {
        backend: backend.to_owned(),
        model: (asked && is_told_model(call)).then(|| claude::model(call).to_owned()),
        prompt_chars: if asked { call.prompt.chars() } else { 0 },
        ..Usage::default()
    }
}

fn pay(call: &Call, usage: &mut Usage, cost: Cost) {
    if let Some(usd) = cost.cost_usd {
        call.account.close(usd);
    }
    add(usage, cost);
}

fn add(usage: &mut Usage, cost: Cost) {
    let sum = |a: Option<u64>, b: Option<u64>| match (a, b) {
        (Some(a), Some(b)) => Some(a.saturating_add(b)),
        (a, b) => a.or(b),
    };
    usage.input_tokens = sum(usage.input_tokens, cost.input_tokens);
    usage.output_tokens = sum(usage.output_tokens, cost.output_tokens);
    usage.cost_usd = match (usage.cost_usd, cost.cost_usd) {
        (Some(a), Some(b)) => Some(a + b),
        (a, b) => a.or(b),
    };
}

/// A reply, the secrets that stood in it, and what it cost.
type Given = (Reply, Vec<Hit>, Cost);

fn once(call: &Call, progress: &dyn Fn(&str)) -> Result<Given, Lost> {
    let chars = || {
        count(
            usize::try_from(call.prompt.chars()).unwrap_or(usize::MAX),
            "character",
            "characters",
        )
    };
    let answer = match call.choice {
        CuratorChoice::Builtin => {
            let reply = builtin::curate(call.digest, call.entries);
            return Ok((Reply::Changes(reply), Vec::new(), Cost::default()));
        }
        CuratorChoice::Claude => {
            progress(&format!(
                "asking claude ({}), {}",
                claude::model(call),
                chars()
            ));
            claude::ask(call, progress)?
        }
        CuratorChoice::Command(argv) => {
            let name = argv.first().map_or("", String::as_str);
            progress(&format!("asking {name}, {}", chars()));
            command::ask(call, argv)?
        }
    };
    match reply::read(&answer.text, call.redactor) {
        Ok((reply, hits)) => Ok((reply, hits, answer.cost)),
        Err(source) => Err(bad_reply(answer, source)),
    }
}

fn bad_reply(answer: Answer, source: ReplyError) -> Lost {
    let program = answer.program;
    (CuratorError::BadReply { program, source }, answer.cost).into()
}

/// Finds a program: a path as it is (`~` and relative ones never depend on where memd was called),
/// a name on PATH.
pub(super) fn find_program(places: &Places, env: &Environment, name: &str) -> Option<PathBuf> {
    let name = match name.strip_prefix("~/") {
        Some(rest) => places.home.join(rest).into_os_string(),
        None => OsString::from(name),
    };
    which::which_in(name, env.get("PATH"), places.curator()).ok()
}

/// The program that would be asked; `None` for the curator that is none.
///
/// # Errors
/// When it is not there.
pub fn program(
    choice: &CuratorChoice,
    settings: &Settings,
    places: &Places,
    env: &Environment,
) -> Result<Option<PathBuf>, CuratorError> {
    match choice {
        CuratorChoice::Builtin => Ok(None),
        CuratorChoice::Claude => claude::find(settings, places, env).map(Some),
        CuratorChoice::Command(argv) => {
            let name = argv.first().map_or("", String::as_str);
            command::find(places, env, name).map(Some)
        }
    }
}

/// Runs a program with the prompt on its standard input.
pub(super) fn run_program(
    call: &Call,
    program: &Path,
    args: &[OsString],
    input: &str,
) -> Result<Output, CuratorError> {
    let cwd = call.places.curator();
    fs::private_dir(&cwd)?;
    let job = Job {
        program,
        args,
        input,
        env: call.env,
        cwd: &cwd,
        timeout: call.limits.timeout,
        grace: call.limits.grace,
        max_output: call.limits.max_output,
    };
    let output = process::run(&job);
    // A holder that was killed has ended nothing.
    process::end_leftover(&cwd);
    output.map_err(|source| CuratorError::Start {
        program: program.to_string_lossy().into_owned(),
        source,
    })
}

/// Whether a program ended by itself and without an error.
pub(super) fn ended_well(call: &Call, program: &str, output: &Output) -> Result<(), CuratorError> {
    let program = program.to_owned();
    match output.end {
        End::Exited(status) if status.success() => Ok(()),
        End::Exited(status) => Err(CuratorError::Failed {
            program,
            status,
            stderr: stderr(output, call.redactor),
        }),
        End::TimedOut => Err(CuratorError::TimedOut {
            program,
            after: call.limits.timeout,
            stderr: stderr(output, call.redactor),
        }),
        End::TooMuch => Err(CuratorError::TooMuch {
            program,
            limit: call.limits.max_output,
        }),
        End::Interrupted => Err(CuratorError::Interrupted),
    }
}
