//! `memd restore`.

use super::staged::Work;
use super::{Context, Failure, look, revert};
use crate::apply::{self, Wanted};
use crate::memory::MemoryFile;
use std::path::PathBuf;

/// Stage memory, one file or one entry as it stood in a commit.
///
/// `memd log` lists commits and proposals. What came later is taken out, to the archive. Nothing is written
/// before you have decided in `memd review`.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// A file such as `state.md`, or an entry: the beginning of its id, or words only it holds
    #[arg(
        value_name = "FILE|ENTRY",
        required_unless_present = "all",
        conflicts_with = "all"
    )]
    what: Option<String>,
    /// All four files
    #[arg(long)]
    all: bool,
    /// The commit, or the proposal whose apply made it, by the beginning of its id
    #[arg(long, value_name = "ID|COMMIT")]
    at: String,
    /// The project (default: the one around the current directory)
    #[arg(short, long, value_name = "PATH")]
    project: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let context = Context::load()?;
    let store = revert::existing(&context)?;
    let trust = store.trust()?;
    let project = look::asked_project(&context, &store, args.project.as_deref())?;
    let work = Work::new(&context, &store, &trust, project, "restore")?;
    let wanted = match &args.what {
        None => Wanted::All,
        Some(name) => match file(name) {
            Some(file) => Wanted::File(file),
            None => Wanted::Entry(work.entry(name)?),
        },
    };
    let limits = &context.config.settings.limits;
    let credentials = |text: &str| work.redactor.check(text);
    let (ground, lock) = (work.ground(), work.lock()?);
    let staged = apply::restore(ground, &lock, &wanted, &args.at, limits, &credentials)?;
    let what = match &wanted {
        Wanted::All => "all of memory".to_owned(),
        Wanted::File(file) => file.name().to_owned(),
        Wanted::Entry(entry) => format!("entry {entry}"),
    };
    work.tell(&format!("{what} as of {}", args.at), &staged);
    Ok(())
}

/// A memory file, with or without its ending.
fn file(name: &str) -> Option<MemoryFile> {
    MemoryFile::from_name(name).or_else(|| MemoryFile::from_name(&format!("{name}.md")))
}
