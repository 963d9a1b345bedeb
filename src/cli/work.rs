//! `memd work`: memd's own, hidden. Does what hooks left: one worker at a time, one job after the
//! other, none of which can stop the next.
//!
//! Stages only. What it does and cannot do is in the log: it has no terminal.

use super::detach::{self, Session};
use super::{Context, Failure, begun, look, lost, refused_file, unattended};
use crate::config::CuratorChoice;
use crate::curator::{CuratorError, Environment, Limits, end_leftover};
use crate::distill::{self, Asking, DistillError, Outcome, Request, Tools};
use crate::hook::{Job, Jobs, Taken, What};
use crate::lock::{LockError, WorkLock};
use crate::source::{Session as Source, Tool, discover};
use crate::store::{Project, Store, StoreError};
use crate::trust::{Occasion, Trust};
use jiff::{SignedDuration, Timestamp};
use std::path::{Path, PathBuf};

/// Do what hooks left.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// In this process, instead of in one that has left the session
    #[arg(long)]
    here: bool,
}

/// So many jobs are done by one worker; the others wait for the next.
const JOBS: usize = 64;
/// A worker takes no new job after so long.
const TIME: SignedDuration = SignedDuration::from_mins(60);
/// A job whose project or curator was in use waits so long.
const PAUSE: SignedDuration = SignedDuration::from_mins(5);

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    // A curator leaves no work, and does none.
    if std::env::var_os("MEMD_CURATOR").is_some() {
        return Ok(());
    }
    if !args.here && detach::leave_session().map_err(Failure::known)? == Session::Elsewhere {
        return Ok(());
    }
    work(&mut Context::load()?)
}

/// Does what is due, unless another worker does. What was left while the last one was finishing is
/// seen once the lock is free again: whoever left it either got the lock, or left it before that.
pub(super) fn work(context: &mut Context) -> Result<(), Failure> {
    let jobs = Jobs::at(context.places.jobs());
    let quiet = context.config.settings.quiet_seconds;
    let until = context.now + TIME;
    let (mut left, mut idle) = (JOBS, 0);
    // What can be neither taken nor set aside is left where it is.
    while left > 0 && idle < 3 && context.now < until && jobs.any_due(quiet, context.now) {
        let before = left;
        let _lock = match WorkLock::take(&context.places.locks()) {
            Ok(lock) => lock,
            Err(LockError::Held { .. }) => return Ok(()),
            Err(error) => return Err(Failure::known(error)),
        };
        end_leftover(&context.places);
        while left > 0
            && context.now < until
            && let Some(taken) = jobs.take(quiet, context.now, &warn)
        {
            left -= 1;
            attempt(context, &jobs, taken);
            context.now = Timestamp::now();
        }
        idle = if left == before { idle + 1 } else { 0 };
    }
    Ok(())
}

fn warn(what: &str) {
    tracing::warn!("{what}");
}

/// How an attempt came out.
enum Done {
    /// It is over, whatever came of it.
    Over,
    /// It was none: somebody else was at it, or the day has no room.
    Later(Timestamp),
}

/// One job. A fault in it is its own: it was reported where it happened, and the next one is done.
fn attempt(context: &mut Context, jobs: &Jobs, taken: Taken) {
    let job = taken.job.clone();
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| once(context, &job)));
    let done = match caught {
        Ok(Ok(done)) => done,
        Ok(Err(failure)) => {
            tracing::warn!("a job came to nothing: {failure}");
            Done::Over
        }
        Err(_) => Done::Over,
    };
    match done {
        Done::Over => jobs.done(taken, &warn),
        Done::Later(until) => {
            if let Err(error) = jobs.put_off(taken, until) {
                tracing::warn!("{error}");
            }
        }
    }
}

fn once(context: &mut Context, job: &Job) -> Result<Done, Failure> {
    // Without a database, or with one that was emptied, it was no attempt.
    let store = match lost::opened(context).and_then(|_| context.store()) {
        Ok(store) => store,
        Err(failure) => {
            tracing::warn!("a job waits: {failure}");
            return Ok(Done::Later(context.now + PAUSE));
        }
    };
    note_roots(context, &store, job)?;
    match &job.what {
        What::Distill {
            trigger,
            transcript,
            session,
            cwd,
            ..
        } => {
            let named = transcript.clone().filter(|path| path.exists());
            let found = named.or_else(|| by_id(context, session.as_deref()?));
            let Some(path) = found else {
                tracing::info!("{trigger}: the session is nowhere to be found");
                return Ok(Done::Over);
            };
            distill(context, &store, trigger, &path, cwd.as_deref())
        }
        What::Scaffold { cwd, transcript } => {
            scaffold(context, &store, cwd, transcript.as_deref())?;
            Ok(Done::Over)
        }
    }
}

/// Remembers where tools keep their sessions, for whoever has another environment.
fn note_roots(context: &mut Context, store: &Store, job: &Job) -> Result<(), Failure> {
    let usual = |tool| match tool {
        Tool::Claude => Some(context.places.home.join(".claude")),
        Tool::Codex => Some(context.places.home.join(".codex")),
        Tool::Gemini => Some(context.places.home.join(".gemini")),
        Tool::Antigravity | Tool::Text => None,
    };
    for (tool, root) in &job.roots {
        let tool = Tool::from_name(tool);
        if let Some(tool) = tool.filter(|t| usual(*t).is_some_and(|usual| usual != *root)) {
            store.note_root(tool, root, context.now)?;
        }
    }
    // They are read again.
    context.roots.take();
    Ok(())
}

/// The session with this id, which is the name of its file or the end of it.
fn by_id(context: &Context, id: &str) -> Option<PathBuf> {
    let sessions = discover(context.whereabouts()).sessions.into_iter();
    let named = |path: &Path| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        stem.strip_suffix(id)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('-'))
    };
    let mut found = sessions.filter(|s| named(Path::new(&s.key)) || named(&s.path));
    found.next_back().map(|session| session.path)
}

/// Distills one session for the projects in which it ran.
fn distill(
    context: &Context,
    store: &Store,
    trigger: &str,
    path: &Path,
    cwd: Option<&Path>,
) -> Result<Done, Failure> {
    if context.places.is_own(path) {
        return Ok(Done::Over);
    }
    let session = Source::at(context.whereabouts(), path).map_err(Failure::known)?;
    let first = session.first_dir().ok().flatten();
    let mut projects: Vec<Project> = Vec::new();
    for dir in [cwd, first.as_deref(), session.root.as_deref()]
        .into_iter()
        .flatten()
    {
        if let Some(project) = look::project_at(context, store, dir)?
            && !projects.iter().any(|p| p.id == project.id)
        {
            projects.push(project);
        }
    }
    let mut done = Done::Over;
    for project in &projects {
        let trust = store.trust()?;
        match of_project(context, store, &trust, project, trigger, path) {
            Ok(()) => {}
            Err(Stopped::Later(until)) => done = Done::Later(until),
            Err(Stopped::Over(why)) => {
                tracing::warn!(project = %project.id, "{trigger}: nothing was staged: {why}");
            }
        }
    }
    Ok(done)
}

/// Why a project got no proposal.
enum Stopped {
    /// It is tried again.
    Later(Timestamp),
    /// It is not; what is new stays free.
    Over(String),
}

impl From<StoreError> for Stopped {
    fn from(error: StoreError) -> Self {
        Self::Over(error.to_string())
    }
}

fn of_project(
    context: &Context,
    store: &Store,
    trust: &Trust,
    project: &Project,
    trigger: &str,
    path: &Path,
) -> Result<(), Stopped> {
    let over = |why: Failure| Stopped::Over(why.to_string());
    for line in begun::finish(context, store, trust, project).map_err(over)? {
        tracing::info!("{line}");
    }
    let redactor = context.redactor_with(store, trust);
    let env = Environment::for_curator(std::env::vars_os()).through(std::env::current_exe().ok());
    let settings = &context.config.settings;
    let tools = Tools {
        places: &context.places,
        settings,
        store,
        trust,
        redactor: &redactor,
        env: &env,
        limits: &Limits::default(),
        asking: Asking::UNATTENDED,
        now: context.now,
        progress: &|_| {},
        sleep: &std::thread::sleep,
    };
    let curator: &CuratorChoice = &settings.curator;
    let request = Request {
        project,
        transcript: Some(path),
        among: None,
        trigger,
        curator,
        from_start: false,
        dry_run: false,
    };
    match distill::run(&request, &tools) {
        Ok(Outcome::Proposed { proposal, .. }) => {
            let (id, hook) = (&proposal.id, Occasion::Hook);
            // What it came to is in the log.
            let _: usize = unattended::logged(context, store, trust, project, id, hook);
            Ok(())
        }
        Ok(Outcome::Nothing { .. }) => Ok(()),
        Err(error) => {
            refused_file::on_record(context, store, project);
            Err(stopped(&error, context.now))
        }
    }
}

fn stopped(error: &DistillError, now: Timestamp) -> Stopped {
    match error {
        DistillError::Lock(_)
        | DistillError::Store(StoreError::Busy { .. })
        | DistillError::Curator(CuratorError::Busy | CuratorError::Interrupted) => {
            Stopped::Later(now + PAUSE)
        }
        DistillError::Curator(CuratorError::Capped(_)) => Stopped::Later(tomorrow(now)),
        // What a curator wrote is not for the log; status shows what was set aside, and why.
        DistillError::Curator(e) if e.is_config() => Stopped::Over(error.to_string()),
        DistillError::Curator(_) => Stopped::Over("the curator failed".to_owned()),
        DistillError::Parked { tries, .. } => Stopped::Over(format!(
            "the curator failed {tries} times on the material, which is set aside"
        )),
        error => Stopped::Over(error.to_string()),
    }
}

/// When the next day begins, in UTC.
fn tomorrow(now: Timestamp) -> Timestamp {
    const DAY: i64 = 24 * 60 * 60;
    let left = DAY - now.as_second().rem_euclid(DAY);
    now + SignedDuration::from_secs(left)
}

/// Gives a project that was seen for the first time its memory. The session that began there is
/// material; those before it count as read.
fn scaffold(
    context: &mut Context,
    store: &Store,
    cwd: &Path,
    transcript: Option<&Path>,
) -> Result<(), Failure> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let transcript = transcript.map(real);
    if let Some(made) = unattended::scaffold(context, store, cwd, transcript.as_deref())? {
        let project = made.project.id;
        tracing::info!(project = %project, "seen for the first time; it has a memory now");
        for said in made.said {
            tracing::warn!(project = %project, "{said}");
        }
    }
    Ok(())
}
