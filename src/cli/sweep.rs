//! `memd sweep`: every project at once.

mod account;
mod project;
mod run;

use super::{Context, Failure, gate, lost, out, unattended};
use crate::init;
use crate::lock::{LockError, SweepLock};
use crate::source::Where;
use crate::store::{Project, Store};
use crate::sweep::{self, Scan, Todo};
use crate::text::count;
use account::{Account, Result as Ending};
use std::time::{Duration, SystemTime};

/// Read what is new in all projects and stage it for review.
///
/// One distill a project at most, one curator at a time. A project that fails does not stop the
/// others. New repositories that a session was held in get a memory (`auto_scaffold`).
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// So many projects are read at a time (default: `sweep_jobs` of the configuration)
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: Option<u16>,
    /// Say what would be done; ask no curator and make nothing
    #[arg(long)]
    dry_run: bool,
    /// Say only what failed
    #[arg(short, long)]
    quiet: bool,
    /// For programs: one JSON object at the end
    #[arg(long)]
    pub(super) json: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    // A curator starts no sweep.
    if std::env::var_os("MEMD_CURATOR").is_some() {
        return Ok(());
    }
    let mut context = Context::load()?;
    let _lock = match SweepLock::take(&context.places.locks()) {
        Ok(lock) => lock,
        Err(LockError::Held { .. }) => {
            out::problem("memd: another sweep runs; nothing was done");
            return Ok(());
        }
        Err(error) => return Err(Failure::known(error)),
    };
    let mut account = Account::new(args.quiet, args.json, args.dry_run);
    let jobs = match args.jobs {
        Some(jobs) => usize::from(jobs),
        None => context.config.settings.sweep_jobs.min(64),
    };
    lost::opened(&context)?;
    let store = context.store()?;
    let scan = look(&context, &store, jobs, args.dry_run)?;
    account.closed(&scan.closed);
    welcome(&mut context, &store, &scan, args.dry_run, &mut account)?;
    let todos = todos(&context, &store, &scan, &mut account)?;
    let redactor = context.redactor_with(&store, &store.trust()?);
    let end = run::all(&context, &todos, jobs, args.dry_run, &redactor, &account);
    if !args.dry_run {
        index(&context, &store, &account);
    }
    account.finish(end)
}

fn look(context: &Context, store: &Store, jobs: usize, dry_run: bool) -> Result<Scan, Failure> {
    let roots = store.roots()?;
    let at = Where {
        roots: &roots,
        ..Where::new(&context.places, &context.config.settings)
    };
    Ok(sweep::scan(at, jobs, !dry_run))
}

/// Gives new projects their memory. Their sessions so far count as read.
fn welcome(
    context: &mut Context,
    store: &Store,
    scan: &Scan,
    dry_run: bool,
    account: &mut Account,
) -> Result<(), Failure> {
    if !context.config.settings.auto_scaffold {
        return Ok(());
    }
    let known = store.known(&context.config.settings, &context.places)?;
    for root in sweep::new_projects(scan, &known, SystemTime::now()) {
        if dry_run {
            let name = root.file_name().unwrap_or_default().to_string_lossy();
            account.add(&name, &root, Ending::New { warnings: vec![] });
            continue;
        }
        match unattended::scaffold(context, store, &root, None) {
            Ok(Some(made)) => {
                let warnings = made.said;
                account.add(&made.project.name, &root, Ending::New { warnings });
            }
            Ok(None) => {}
            Err(failure) => account.add("", &root, Ending::failed(failure)),
        }
    }
    Ok(())
}

/// What there is to do; a project whose row cannot be read has failed already.
fn todos(
    context: &Context,
    store: &Store,
    scan: &Scan,
    account: &mut Account,
) -> Result<Vec<Todo>, Failure> {
    for (root, error) in store.unreadable_projects()? {
        account.add("", &root, Ending::failed(error));
    }
    let settings = &context.config.settings;
    let known = store.known(settings, &context.places)?;
    let (there, gone): (Vec<Project>, Vec<Project>) = store
        .projects()?
        .into_iter()
        .filter(|p| !known.is_excluded(&p.root))
        .partition(|project| project.root.is_dir());
    for project in gone {
        account.add(&project.name, &project.root, Ending::Gone);
    }
    let quiet = Duration::from_secs(settings.quiet_seconds);
    let now = SystemTime::now();
    Ok(sweep::todos(scan, there, &known, store, quiet, now)?)
}

/// The global memory's list of all projects.
fn index(context: &Context, store: &Store, account: &Account) {
    let (settings, locks) = (&context.config.settings, context.places.locks());
    if let Err(error) = init::write_index(store, settings, &locks, &gate::shown_text, context.now) {
        account.add(init::INDEX, &settings.global_root, Ending::failed(error));
    }
}

/// "3 sessions", "1 session and 2 notes".
fn material(sessions: usize, notes: usize) -> String {
    let sessions = (sessions > 0).then(|| count(sessions, "session", "sessions"));
    let notes = (notes > 0).then(|| count(notes, "note", "notes"));
    let all: Vec<String> = sessions.into_iter().chain(notes).collect();
    all.join(" and ")
}
