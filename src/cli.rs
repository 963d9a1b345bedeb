//! The command line: the only room that prints, reads the environment or asks the clock.
//!
//! One command a file, each with `Args` and `run`. A command calls the pipeline and holds no rules
//! of its own.

mod brief;
mod demo;
mod digest;
mod distill;
mod editor;
mod failure;
mod hook;
mod init;
mod log;
mod note;
mod out;
mod redact;
mod review;
mod show;
mod status;
mod verify;

use failure::Failure;

use crate::config::{Config, Places};
use clap::{Parser, Subcommand};
use jiff::Timestamp;
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
    Review(review::Args),
    Status(status::Args),
    Show(show::Args),
    Log(log::Args),
    Brief(brief::Args),
    Note(note::Args),
    Verify(verify::Args),
    Hook(hook::Args),
    Demo(demo::Args),
}

/// What every command starts from.
struct Context {
    places: Places,
    config: Config,
    now: Timestamp,
}

impl Context {
    fn load() -> Result<Self, Failure> {
        let places = Places::from_env(|name| std::env::var_os(name))?;
        let config = Config::load(&places)?;
        Ok(Self {
            places,
            config,
            now: Timestamp::now(),
        })
    }
}

/// Runs memd with this process's arguments.
#[must_use]
pub fn main() -> ExitCode {
    // clap prints usage errors itself and leaves with 2.
    match run(Cli::parse()
        .command
        .unwrap_or_else(|| Command::Review(review::Args::default())))
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Init(args) => init::run(&args),
        Command::Digest(args) => digest::run(&args),
        Command::Redact(args) => redact::run(&args),
        Command::Distill(args) => distill::run(&args),
        Command::Review(args) => review::run(&args),
        Command::Status(args) => status::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Log(args) => log::run(&args),
        Command::Brief(args) => brief::run(&args),
        Command::Note(args) => note::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Hook(args) => hook::run(&args),
        Command::Demo(args) => demo::run(&args),
    }
}
