//! `memd verify`.

mod archive;
mod disk;
mod export;
mod gone;
mod settle;
mod steady;
mod told;

use disk::{Around, look};
pub(super) use told::by_kind;
use told::{all_good, print};

use super::failure::once_more;
use super::look::asked_project;
use super::lost::Stray;
use super::{Context, Failure, lost, out, refused_file};
use crate::browse::Sight;
use crate::git::refuse_under_way;
use crate::id::ProjectId;
use crate::lock::ProjectLock;
use crate::store::{Project, Store};
use crate::text;
use crate::trust::{Break, BreakKind, Report, Trust, verify_all};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Check everything that is sealed: records, manifest, audit chain, memory on disk, its archive, commits.
///
/// Names every break, by kind. Exits with 1 when there is one. What you settled is told apart.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// Only the project of this folder (the audit chain is always checked as a whole).
    #[arg(short, long, value_name = "PATH")]
    project: Option<PathBuf>,
    /// Only a copy of the audit chain that `memd audit --export` wrote, and whether the chain here still holds it.
    #[arg(long, value_name = "FILE", conflicts_with = "project")]
    file: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub(super) json: bool,
    /// Say why something is gone for good (an older backup was put back, history was purged), so that it is no
    /// break any more. Asks on a terminal
    ///
    /// Only what is gone can be settled (commits, records of the audit chain), and how the archive reads, of
    /// which no agent is given anything. Each is named before
    /// you are asked, and no other is settled with it. What was changed or forged never is.
    #[arg(long, conflicts_with_all = ["file", "json"])]
    settle: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    // Who was asked something is not asked it again unasked.
    match args.settle {
        true => verify(args),
        false => once_more(|| verify(args)),
    }
}

fn verify(args: &Args) -> Result<(), Failure> {
    let context = Context::load()?;
    if let Some(file) = &args.file {
        return export::run(args, file, &context);
    }
    let Some(store) = sealed_store(&context)? else {
        return unsealed(args, &context);
    };
    let trust = store.trust()?;
    let only = match &args.project {
        Some(path) => Some(asked(&context, &store, path)?),
        None => None,
    };
    if args.settle {
        return settle::run(&context, &store, &trust, only.as_ref());
    }
    let only = only.as_ref().map(|p| &p.id);
    let (mut report, skipped) = whole(&context, &store, &trust, only)?;
    refused(&context, &store, &report)?;
    if only.is_none() {
        let strays = lost::strays(&context, &store)?;
        report.breaks.extend(strays.iter().map(unknown));
    }
    let ends = ends(&store, &report);
    show(args, &report, &skipped, &ends)
}

/// Memory files that could not be read go on record, once everything was looked at: that is a record of
/// the chain too.
fn refused(context: &Context, store: &Store, report: &Report) -> Result<(), Failure> {
    let of_files = report
        .breaks
        .iter()
        .filter(|b| b.kind == BreakKind::FileUnreadable);
    for project in of_files.filter_map(|b| b.project.as_ref()) {
        refused_file::on_record(context, store, &store.project(project)?);
    }
    Ok(())
}

/// How long it waits for whoever writes a project's memory all the while.
const A_WHILE: Duration = Duration::from_secs(2);

/// Everything that is sealed, and what stands on disk; and what was not looked at. What another memd
/// changes meanwhile is no break.
pub(super) fn whole(
    context: &Context,
    store: &Store,
    trust: &Trust,
    only: Option<&ProjectId>,
) -> Result<(Report, Vec<String>), Failure> {
    let redactor = context.redactor_with(store, trust);
    let shown = |text: &str| redactor.shown(text);
    let once = || -> steady::Looked {
        let mut evidence = store.evidence(trust, only)?;
        let Around { mut skipped, off } = look(store, trust, &mut evidence)?;
        let now = store.clock(context.now)?;
        let sight = Sight {
            store,
            trust,
            redactor: &redactor,
            now,
        };
        archive::look(sight, &mut evidence)?;
        let mut report = verify_all(&evidence, trust, now, &shown);
        report.counts.projects = report.counts.projects.saturating_sub(off);
        skipped.extend(gone::still_there(store, &report));
        Ok((report, skipped))
    };
    let version = || Ok(store.version()?);
    let locks = context.places.locks();
    // Where it cannot be had, what was found last stands.
    let alone = |project: &ProjectId| ProjectLock::take(&locks, project, A_WHILE).ok();
    steady::look(once, version, alone)
}

/// The database, if anything in it was ever sealed. Makes none, and no key.
fn sealed_store(context: &Context) -> Result<Option<Store>, Failure> {
    let Some(store) = Store::open_to_look(&context.places)? else {
        return Ok(None);
    };
    let sealed = store.has_sealed_data()?;
    Ok(sealed.then_some(store))
}

/// Nothing in the database is sealed: either nothing ever was, or it is not the database any more.
fn unsealed(args: &Args, context: &Context) -> Result<(), Failure> {
    if !lost::is_lost(context, None)? {
        nothing(args, context);
        return Ok(());
    }
    let lost = Break {
        kind: BreakKind::DatabaseLost,
        project: None,
        place: context.places.database().display().to_string(),
        what: "it holds nothing sealed, though projects have a memory that memd wrote".into(),
    };
    let report = Report {
        breaks: vec![lost],
        ..Report::default()
    };
    print(args, &report, &[]);
    Err(Failure::known(lost::WHAT).hint(lost::WAY_OUT))
}

fn nothing(args: &Args, context: &Context) {
    if args.json {
        print(args, &Report::default(), &[]);
    } else {
        let path = context.places.database();
        out::line(&format!(
            "nothing to verify: nothing was ever accepted here (no sealed data in {})",
            path.display()
        ));
    }
}

/// A memory of which the database holds nothing.
fn unknown(stray: &Stray) -> Break {
    Break {
        kind: BreakKind::MemoryUnknown,
        project: None,
        place: stray.root.join(".memory").display().to_string(),
        what: format!("{}: {}", stray.told(), stray.way_out()),
    }
}

/// The project of a folder that a person named.
fn asked(context: &Context, store: &Store, path: &Path) -> Result<Project, Failure> {
    asked_project(context, store, Some(path))
}

fn show(args: &Args, report: &Report, skipped: &[String], ends: &[String]) -> Result<(), Failure> {
    print(args, report, skipped);
    if report.breaks.is_empty() && !args.json {
        out::line(&all_good(report));
    }
    let way_out = format!(
        "what does not verify is given to no agent\n  {}",
        ends.join("\n  ")
    );
    verdict(&report.breaks, &way_out)
}

/// Which command or act ends which of the breaks: what stands on disk a review offers, what is gone for
/// good a person settles, all else is mended where it is.
pub(super) fn ends(store: &Store, report: &Report) -> Vec<String> {
    let under_way = |b: &Break| {
        let project = b.project.as_ref().filter(|_| b.kind.is_on_disk());
        let memory = project
            .and_then(|id| store.project(id).ok())
            .map(|p| p.memory());
        memory.is_some_and(|memory| refuse_under_way(&memory).is_err())
    };
    let is_loose = |b: &Break| report.loose.iter().any(|l| l.found() == *b);
    let mut ways: Vec<(&str, Vec<&str>)> = Vec::new();
    for found in &report.breaks {
        let (title, way) = (
            found.kind.title(),
            match under_way(found) {
                true => settle::FINISH_FIRST,
                false => settle::ends(found.kind, is_loose(found)),
            },
        );
        match ways.iter_mut().find(|(known, _)| *known == way) {
            Some((_, titles)) if titles.contains(&title) => {}
            Some((_, titles)) => titles.push(title),
            None => ways.push((way, vec![title])),
        }
    }
    let line = |(way, titles): (&str, Vec<&str>)| format!("{}: {way}", titles.join(", "));
    ways.into_iter().map(line).collect()
}

/// An error where there is a break.
fn verdict(breaks: &[Break], hint: &str) -> Result<(), Failure> {
    if breaks.is_empty() {
        return Ok(());
    }
    let count = text::count(breaks.len(), "break", "breaks");
    Err(Failure::known(format!("{count} found")).hint(hint))
}
