//! The command line: the only room that prints, reads the environment or asks the clock.
//!
//! One command a file, each with `Args` and `run`. A command calls the pipeline and holds no rules
//! of its own.

mod across;
mod archive_word;
mod audit;
mod begun;
mod brief;
mod confirm;
mod demo;
mod detach;
mod digest;
mod distill;
mod doctor;
mod editor;
mod exclude;
mod failure;
mod fault;
mod forget;
mod gate;
mod give_up;
mod guards;
mod history;
mod hold;
mod hook;
mod init;
mod install_hooks;
mod install_timer;
mod key;
mod log;
mod logging;
mod look;
mod lost;
mod note;
mod out;
mod person;
mod private;
mod progress;
mod redact;
mod refused_file;
mod restore;
mod revert;
mod review;
mod scan;
mod show;
mod stage;
mod staged;
mod status;
mod sweep;
mod switch;
mod trust;
mod unattended;
mod uninstall_hooks;
mod untrust;
mod verify;
mod work;

use failure::{Failure, once_more};
use stage::Stage;

use crate::config::{Config, Places};
use crate::curator::HOLD;
use crate::project::{Within, refuse_within};
use crate::redact::Redactor;
use crate::source::{Tool, Where};
use crate::store::{Project, Store};
use crate::trust::Trust;
use clap::{Parser, Subcommand};
use jiff::Timestamp;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A memory for AI coding tools that a human has read.
#[derive(Debug, Parser)]
#[command(name = "memd", version, about, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Init(init::Args),
    Digest(digest::Args),
    Redact(redact::Args),
    #[command(alias = "sync")]
    Distill(distill::Args),
    Sweep(sweep::Args),
    Review(review::Args),
    Status(status::Args),
    Show(show::Args),
    Log(log::Args),
    History(history::Args),
    Revert(revert::Args),
    Restore(restore::Args),
    Confirm(confirm::Args),
    Brief(brief::Args),
    Note(note::Args),
    Verify(verify::Args),
    Audit(audit::Args),
    Key(key::Args),
    Guards(guards::Args),
    Scan(scan::Args),
    Trust(trust::Args),
    Untrust(untrust::Args),
    Exclude(exclude::Args),
    Forget(forget::Args),
    InstallHooks(install_hooks::Args),
    UninstallHooks(uninstall_hooks::Args),
    Doctor(doctor::Args),
    InstallTimer(install_timer::Args),
    Hook(hook::Args),
    #[command(hide = true)]
    Work(work::Args),
    #[command(name = HOLD, hide = true)]
    Hold(hold::Args),
    Demo(demo::Args),
}

impl Command {
    /// Whether JSON was asked for.
    fn is_json(&self) -> bool {
        match self {
            Command::Status(args) => args.json,
            Command::Show(args) => args.json,
            Command::Log(args) => args.json,
            Command::History(args) => args.json,
            Command::Verify(args) => args.json,
            Command::Audit(args) => args.json,
            Command::Doctor(args) => args.json,
            Command::Digest(args) => args.json,
            Command::Distill(args) => args.json,
            Command::Guards(args) => args.json,
            Command::Scan(args) => args.json,
            Command::Sweep(args) => args.json,
            _ => false,
        }
    }
}

/// What every command starts from.
struct Context {
    places: Places,
    config: Config,
    now: Timestamp,
    /// Further folders of tools; read when they are first asked for.
    roots: OnceCell<Vec<(Tool, PathBuf)>>,
}

impl Context {
    fn load() -> Result<Self, Failure> {
        let places = places()?;
        let config = Config::load(&places)?;
        gate::set_up(&places, &config.settings.redact_extra_patterns);
        logging::start(&places);
        Ok(Self {
            places,
            config,
            now: Timestamp::now(),
            roots: OnceCell::new(),
        })
    }

    /// The same for another thread.
    fn again(&self) -> Self {
        Self {
            places: self.places.clone(),
            config: self.config.clone(),
            now: self.now,
            roots: OnceCell::new(),
        }
    }

    /// Where sessions are looked for.
    fn whereabouts(&self) -> Where<'_> {
        // Without them the usual folders are looked at, as without a database.
        let roots = self.roots.get_or_init(|| {
            let store = Store::open_to_look(&self.places).ok().flatten();
            store.and_then(|s| s.roots().ok()).unwrap_or_default()
        });
        Where {
            roots,
            ..Where::new(&self.places, &self.config.settings)
        }
    }

    /// The database, made where there is none.
    fn store(&self) -> Result<Store, Failure> {
        Ok(Store::open(&self.places)?)
    }

    /// As [`Context::store`], for whoever only reads it.
    fn store_to_look(&self) -> Result<Store, Failure> {
        match Store::open_to_look(&self.places)? {
            Some(store) => Ok(store),
            None => self.store(),
        }
    }

    /// The redactor with this machine's key, so that equal secrets have equal fingerprints.
    fn redactor(&self) -> Result<Redactor, Failure> {
        Ok(match Store::open_to_look(&self.places)? {
            Some(store) => self.redactor_with(&store, &store.trust()?),
            None => self.plain_redactor(&Store::trust_of(&self.places)?),
        })
    }

    /// As [`Context::redactor`], which lets through what a person called no secret, and hides what they called
    /// one.
    fn redactor_with(&self, store: &Store, trust: &Trust) -> Redactor {
        let mut redactor = self.plain_redactor(trust);
        match store.not_secret(trust) {
            Ok(allowed) => redactor = redactor.allowing(allowed.fingerprints()),
            Err(error) => out::problem(&format!("memd: {error}; nothing is let through")),
        }
        match store.also_secret(trust) {
            Ok(also) => {
                for broken in &also.broken {
                    out::problem(&format!(
                        "memd: a word on a secret counts for nothing: {broken}"
                    ));
                }
                redactor.hiding(also.to_hide())
            }
            Err(error) => {
                out::problem(&format!(
                    "memd: {error}; what was called a secret besides is not hidden"
                ));
                redactor
            }
        }
    }

    /// One that lets nothing through. A broken pattern of the user's is named and disables nothing
    /// else.
    fn plain_redactor(&self, trust: &Trust) -> Redactor {
        let patterns = &self.config.settings.redact_extra_patterns;
        let (redactor, problems) = Redactor::new(patterns, trust.redaction_key());
        for problem in problems {
            out::problem(&format!("memd: {problem}"));
        }
        gate::teach(&redactor);
        redactor
    }

    /// The project at or around a directory (default: the current one); it must have a memory.
    fn project(&self, dir: Option<&Path>) -> Result<Project, Failure> {
        look::asked_project(self, &self.store_to_look()?, dir)
    }
}

/// Where things are, by the environment; none that it puts into a project.
fn places() -> Result<Places, Failure> {
    let places = named_places()?;
    if Stage::places().is_none() {
        outside_of_projects(&places, None)?;
    }
    Ok(places)
}

/// Where things are by the environment, wherever that is.
fn named_places() -> Result<Places, Failure> {
    Ok(match Stage::places() {
        Some(places) => places,
        None => Places::from_env(|name| std::env::var_os(name))?,
    })
}

/// Refuses places in a project; the one that somebody works in is told by the current directory and
/// this one.
fn outside_of_projects(places: &Places, cwd: Option<&Path>) -> Result<(), Within> {
    let here = std::env::current_dir().ok();
    let dirs: Vec<_> = cwd.map(Path::to_owned).into_iter().chain(here).collect();
    refuse_within(places, &dirs, own_home().as_deref())
}

/// The user's home, whatever the environment says it is.
fn own_home() -> Option<PathBuf> {
    let user = nix::unistd::User::from_uid(nix::unistd::getuid());
    user.ok().flatten().map(|user| user.dir)
}

/// The current directory.
fn here() -> Result<PathBuf, Failure> {
    std::env::current_dir()
        .map_err(|e| Failure::known(format!("the current directory cannot be found: {e}")))
}

/// Runs memd with this process's arguments.
#[must_use]
pub fn main() -> ExitCode {
    fault::report_places_only();
    let command = match Cli::try_parse() {
        Ok(cli) => cli.command,
        Err(usage) => return misused(&usage),
    };
    let is_hook = matches!(command, Some(Command::Hook(_)));
    let is_json = command.as_ref().is_some_and(Command::is_json);
    let ended = run(command.unwrap_or_else(|| Command::Review(review::Args::alone())));
    if is_hook {
        // Whatever happened: a tool's session does not depend on memd.
        return ExitCode::SUCCESS;
    }
    match ended {
        Ok(()) => match out::lost() {
            None => ExitCode::SUCCESS,
            Some(why) => Failure::known(format!("not all output was written: {why}")).report(),
        },
        Err(failure) => {
            // A program that asked for JSON reads why there is none.
            if let Some(told) = failure.as_json().filter(|_| is_json && !out::has_data()) {
                out::json(&told);
            }
            failure.report()
        }
    }
}

/// clap prints help, version and usage errors itself, unless it would repeat a secret.
fn misused(usage: &clap::Error) -> ExitCode {
    let text = usage.to_string();
    let shown = gate::hide(&text);
    if shown == text {
        // Nobody is left to tell when it cannot be printed.
        let _ = usage.print();
    } else {
        out::problem(&shown);
    }
    ExitCode::from(u8::try_from(usage.exit_code()).unwrap_or(2))
}

/// Whether a command works on what a person's projects are: it takes over first what memd 0.3 left.
/// Hooks have no time for that.
fn needs_projects(command: &Command) -> bool {
    !matches!(
        command,
        Command::Redact(_)
            | Command::Verify(_)
            | Command::Audit(_)
            | Command::Key(_)
            | Command::Scan(_)
            | Command::Hook(_)
            | Command::Hold(_)
            | Command::Demo(_)
    )
}

fn run(command: Command) -> Result<(), Failure> {
    // Doctor names it first.
    if !matches!(
        command,
        Command::Doctor(_) | Command::Hold(_) | Command::Demo(_)
    ) {
        private::mend();
    }
    // A hook has no time, what is held is no memd, and a stage is made anew.
    if !matches!(
        command,
        Command::Hook(_) | Command::Hold(_) | Command::Demo(_)
    ) {
        key::settle();
    }
    if needs_projects(&command) {
        switch::first_run()?;
    }
    match command {
        Command::Init(args) => init::run(&args),
        Command::Digest(args) => digest::run(&args),
        Command::Redact(args) => redact::run(&args),
        Command::Distill(args) => distill::run(&args),
        Command::Sweep(args) => sweep::run(&args),
        Command::Review(args) => review::run(&args),
        Command::Status(args) => once_more(|| status::run(&args)),
        Command::Show(args) => once_more(|| show::run(&args)),
        Command::Log(args) => once_more(|| log::run(&args)),
        Command::History(args) => once_more(|| history::run(&args)),
        Command::Revert(args) => revert::run(&args),
        Command::Restore(args) => restore::run(&args),
        Command::Confirm(args) => confirm::run(&args),
        Command::Brief(args) => once_more(|| brief::run(&args)),
        Command::Note(args) => note::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Audit(args) => audit::run(&args),
        Command::Key(args) => key::run(&args),
        Command::Guards(args) => guards::run(&args),
        Command::Scan(args) => scan::run(&args),
        Command::Trust(args) => trust::run(&args),
        Command::Untrust(args) => untrust::run(&args),
        Command::Exclude(args) => exclude::run(&args),
        Command::Forget(args) => forget::run(&args),
        Command::InstallHooks(args) => install_hooks::run(&args),
        Command::UninstallHooks(args) => uninstall_hooks::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::InstallTimer(args) => install_timer::run(&args),
        Command::Hook(args) => hook::run(&args),
        Command::Work(args) => work::run(&args),
        Command::Hold(args) => hold::run(&args),
        Command::Demo(args) => demo::run(&args),
    }
}
