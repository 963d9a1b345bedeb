//! `memd digest`: what a curator would be shown, for a person to look at. Reads only.

use super::{Context, Failure, across, here, look, out};
use crate::digest::{Builder, Coverage, Digest, Line};
use crate::project::Known;
use crate::source::{Reading, Session, discover, unit_of};
use crate::store::Store;
use crate::text::count;
use std::path::{Path, PathBuf};

/// Print the numbered, redacted digest of what sessions hold.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// Read this session file only; without --project, all of it
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,
    /// The project [default: that of the current directory]
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// Shed what is worth least above this many characters [default: digest_cap_chars]
    #[arg(long, value_name = "N")]
    cap: Option<usize>,
    /// Print one JSON object: lines, coverage, hits
    #[arg(long)]
    pub(super) json: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let context = Context::load()?;
    let settings = &context.config.settings;
    let project = project(args, &context)?;
    if let Some(root) = &project {
        of_another(&context, root)?;
    }
    let redactor = context.redactor()?;
    let cap = args.cap.unwrap_or(settings.digest_cap_chars);
    let mut builder = Builder::new(&redactor, cap);
    read(args, &context, project.as_deref(), &mut builder)?;
    let digest = builder.finish().digest;
    if args.json {
        let json = serde_json::to_string(&digest).map_err(Failure::known)?;
        out::data(&json);
    } else {
        print(&digest);
    }
    Ok(())
}

/// The project whose rows are wanted; `None`: all rows.
fn project(args: &Args, context: &Context) -> Result<Option<PathBuf>, Failure> {
    let dir = match (&args.project, &args.transcript) {
        (Some(dir), _) => dir.canonicalize().unwrap_or_else(|_| dir.clone()),
        (None, Some(_)) => return Ok(None),
        (None, None) => here()?,
    };
    let root = known(context)?.root_of(&dir);
    match (root, &args.project) {
        (Some(root), _) => Ok(Some(root)),
        (None, Some(_)) => Ok(Some(dir)),
        (None, None) => Err(look::none_at(context, &dir)
            .hint("go to a project, or name one with --project, or a file with --transcript")),
    }
}

/// Sessions of another project that has a memory are read on record.
fn of_another(context: &Context, root: &Path) -> Result<(), Failure> {
    let Some(store) = Store::open_to_look(&context.places)? else {
        return Ok(());
    };
    match store.project_at(root)? {
        Some(project) => across::on_record(context, &store, &project, "digest"),
        None => Ok(()),
    }
}

/// Whose a directory is; works without a database.
fn known(context: &Context) -> Result<Known, Failure> {
    let settings = &context.config.settings;
    match Store::open_to_look(&context.places).map_err(Failure::known)? {
        Some(store) => store
            .known(settings, &context.places)
            .map_err(Failure::known),
        None => Ok(Known::configured(settings, &context.places)),
    }
}

fn read(
    args: &Args,
    context: &Context,
    project: Option<&Path>,
    builder: &mut Builder<'_>,
) -> Result<(), Failure> {
    let mut known = known(context)?;
    if let Some(root) = project.filter(|root| !known.is_root(root)) {
        known.add_folder(root);
    }
    let belongs =
        |cwd: &Path| project.is_none_or(|root| known.root_of(cwd).as_deref() == Some(root));
    let reading = Reading {
        project: project.is_some().then_some(&belongs),
        own: &context.places,
        seen: &|_| false,
    };
    if let Some(file) = &args.transcript {
        let session = Session::at(context.whereabouts(), file).map_err(Failure::known)?;
        let coverage = session.read(0..session.size, &reading, builder);
        builder.cover(coverage.map_err(Failure::known)?);
        return Ok(());
    }
    let mut found = discover(context.whereabouts());
    for session in found.sessions {
        match session.read(0..session.size, &reading, builder) {
            Ok(coverage) if is_of_interest(&coverage) => builder.cover(coverage),
            Ok(_) => {}
            Err(error) => found.closed.add(&error),
        }
    }
    for source in found.closed.lines() {
        out::problem(&format!("memd: {source}; going on without it"));
    }
    Ok(())
}

/// Sessions of other projects are not worth a line.
fn is_of_interest(coverage: &Coverage) -> bool {
    coverage.found.total() > 0 || coverage.seen > 0 || !coverage.unreadable.is_empty()
}

fn print(digest: &Digest) {
    for line in &digest.lines {
        out::block(&shown(line));
    }
    if digest.lines.is_empty() {
        out::line("nothing to digest");
    }
    for coverage in &digest.coverage {
        out::line("");
        out::block(&summary(coverage));
    }
    if !digest.hits.is_empty() {
        out::line("");
        out::line(&format!(
            "{} redacted",
            count(digest.hits.len(), "secret", "secrets")
        ));
    }
}

fn shown(line: &Line) -> String {
    let text = line.text.as_str().replace('\n', "\n    ");
    let mark = if line.abandoned {
        " (went back from)"
    } else {
        ""
    };
    format!("[{}] {}{mark}: {text}", line.n, line.role.letter())
}

fn summary(coverage: &Coverage) -> String {
    let mut text = format!(
        "{} ({} {} to {}): {} found, {} used, {} shed, {} shortened, {} seen before",
        coverage.source,
        unit_of(&coverage.source).1,
        coverage.start,
        coverage.end,
        count(coverage.found.total() as usize, "turn", "turns"),
        coverage.used.total(),
        coverage.shed.total(),
        coverage.shortened,
        coverage.seen,
    );
    for (what, reasons) in [
        ("left out", &coverage.skipped),
        ("unreadable", &coverage.unreadable),
    ] {
        for (why, n) in reasons {
            text.push_str(&format!("\n  {what}: {n} × {why}"));
        }
    }
    text
}
