//! `memd scan`.

mod advice;

use super::{Context, Failure, gate, look, out};
use crate::id::ProposalId;
use crate::proposal::Decision;
use crate::redact::Redactor;
use crate::scan::{Kind, Place, Report, Scan, Secret};
use crate::store::{AnyProposal, KeptText, Project, Store, StoreError, kept_files};
use crate::text::{count, first_chars, visible_line};
use crate::trust::Trust;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Find secrets that stand in memory already.
///
/// Looks through the memory folder of each project, its inbox and archive, and what the database
/// holds of it; with --history also through every commit of the memory, and what an earlier tool put
/// into the project's own history. Says where they stand and how to get rid of them, never what they
/// are. Changes nothing. Exits with 1 when there are any, or when something could not be read.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// Only the project at or around this directory [default: all projects]
    path: Option<PathBuf>,
    /// Also look through git history: the memory's, and what of memory is in the project's
    #[arg(long)]
    history: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// So many places of one secret are printed.
const SHOWN: usize = 12;

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let context = Context::load()?;
    let store = Store::open_to_look(&context.places)?;
    let targets = targets(args, &context, store.as_ref())?;
    let (redactor, allowed) = finder(&context, store.as_ref())?;
    let mut scan = Scan::new(&redactor, &allowed);
    for target in &targets {
        one(args, store.as_ref(), target, &mut scan);
    }
    beside(args, &context, &targets, &mut scan);
    let report = scan.finish();
    if args.json {
        out::json(&report);
    } else {
        print(args, &targets, &report);
    }
    match report.secrets.is_empty() && report.not_read.is_empty() {
        true => Ok(()),
        false => Err(Failure::silent(1)),
    }
}

/// A memory that is looked through.
struct Target {
    root: PathBuf,
    /// As the database knows it, if it does.
    project: Option<Project>,
}

/// The one that is asked for, else all that memd knows of, in the database or the configuration.
fn targets(args: &Args, context: &Context, store: Option<&Store>) -> Result<Vec<Target>, Failure> {
    if let Some(path) = &args.path {
        return Ok(vec![asked(path, context, store)?]);
    }
    let known = store.map(Store::projects).transpose()?.unwrap_or_default();
    let mut targets: Vec<Target> = known.into_iter().map(Target::of).collect();
    let settings = &context.config.settings;
    let configured = settings.projects.keys().chain([&settings.global_root]);
    for root in configured.filter(|root| root.join(".memory").is_dir()) {
        if !targets.iter().any(|t| t.root == *root) {
            let (root, project) = (root.clone(), None);
            targets.push(Target { root, project });
        }
    }
    Ok(targets)
}

fn asked(path: &Path, context: &Context, store: Option<&Store>) -> Result<Target, Failure> {
    let dir = super::here()?.join(path);
    let none = match store {
        Some(store) => match look::asked_project(context, store, Some(&dir)) {
            Ok(project) => return Ok(Target::of(project)),
            Err(none) => none,
        },
        None => look::none_at(context, &dir),
    };
    // A memory that memd was never told of, such as an earlier tool's.
    let dir = dir.canonicalize().unwrap_or(dir);
    let mut around = dir.ancestors();
    let root = around.find(|root| root.join(".memory").is_dir());
    root.map(|root| Target {
        root: root.to_owned(),
        project: None,
    })
    .ok_or(none)
}

impl Target {
    fn of(project: Project) -> Self {
        Self {
            root: project.root.clone(),
            project: Some(project),
        }
    }
}

/// One that lets nothing through, and what is to be let through. Makes no key.
fn finder(
    context: &Context,
    store: Option<&Store>,
) -> Result<(Redactor, BTreeSet<String>), Failure> {
    if context.places.key().is_file()
        && let Some(store) = store
    {
        let trust = store.trust()?;
        let allowed = store.not_secret(&trust)?.fingerprints();
        let redactor = context.plain_redactor(&trust);
        let also = store.also_secret(&trust)?;
        return Ok((redactor.hiding(also.to_hide()), allowed));
    }
    let patterns = &context.config.settings.redact_extra_patterns;
    let (redactor, problems) = Redactor::new(patterns, &super::redact::random_key()?);
    for problem in problems {
        out::problem(&format!("memd: {problem}"));
    }
    gate::teach(&redactor);
    Ok((redactor, BTreeSet::new()))
}

fn one(args: &Args, store: Option<&Store>, target: &Target, scan: &mut Scan<'_>) {
    let root = &target.root;
    scan.files(root);
    if let (Some(store), Some(project)) = (store, &target.project)
        && let Err(error) = database(store, project, scan)
    {
        scan.not_read(error);
    }
    if args.history {
        for read in [Scan::history, Scan::project_history] {
            if let Err(error) = read(scan, root) {
                scan.not_read(error);
            }
        }
    }
}

/// What is kept beside the database until its user deletes it; of the projects that are meant, as far as
/// a file says whose it is.
fn beside(args: &Args, context: &Context, targets: &[Target], scan: &mut Scan<'_>) {
    let state = &context.places.state;
    let ids: Vec<_> = targets
        .iter()
        .flat_map(|t| &t.project)
        .map(|p| &p.id)
        .collect();
    for file in kept_files(state) {
        let is_of_another = file.project().is_some_and(|id| !ids.contains(&&id));
        if args.path.is_some() && is_of_another {
            continue;
        }
        if file.is_database() {
            let name = state.join(&file.name);
            scan.not_read(format!("{name:?} is a database that was damaged and is kept as it was: it is not looked through, and holds what memd held then; delete it when you need it no more"));
            continue;
        }
        match file.texts() {
            Ok(rows) => scan.kept(state, &file.name, &rows),
            Err(error) => scan.not_read(error),
        }
    }
}

fn database(store: &Store, project: &Project, scan: &mut Scan<'_>) -> Result<(), StoreError> {
    let trust = store.trust()?;
    for AnyProposal { id, waits } in store.all_proposals(&project.id)? {
        if let Err(error) = proposal(store, &trust, project, (&id, waits), scan) {
            scan.not_read(error);
        }
    }
    for KeptText { at, value } in store.kept_texts(&project.id)? {
        scan.noted(&project.root, &at, &value);
    }
    for record in store.all_records(&trust, &project.id)? {
        scan.record(&project.root, &record);
    }
    Ok(())
}

fn proposal(
    store: &Store,
    trust: &Trust,
    project: &Project,
    (id, waits): (&ProposalId, bool),
    scan: &mut Scan<'_>,
) -> Result<(), StoreError> {
    let proposal = store.proposal(trust, id)?;
    let journal = store.decisions(trust, id)?;
    let decided = journal
        .decisions
        .values()
        .chain(journal.settled_as.values());
    let edits: Vec<&str> = decided
        .filter_map(|decision| match decision {
            Decision::Edited(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    scan.proposal(&project.root, &proposal, &edits, waits);
    Ok(())
}

fn print(args: &Args, targets: &[Target], report: &Report) {
    if targets.is_empty() {
        out::line(
            "no project has a memory yet; `memd scan PATH` looks through one that memd does not know",
        );
    }
    for secret in &report.secrets {
        for line in lines(secret) {
            out::line(&line);
        }
        out::line("");
    }
    for what in &report.not_read {
        out::problem(&visible_line(&format!("memd: not read: {what}")));
    }
    out::line(&sum(args, targets, report));
    if !report.secrets.is_empty() {
        out::line("");
        let roots: Vec<&Path> = targets.iter().map(|t| t.root.as_path()).collect();
        out::block(&advice::text(report, &roots));
    }
}

/// Such as `github_pat (32-63 bytes)  #1a2b3c4d  in 3 places`, then the places.
fn lines(secret: &Secret) -> Vec<String> {
    let short = first_chars(&secret.fingerprint, 8).0;
    let places = count(secret.places.len(), "place", "places");
    let (rule, length) = (&secret.rule, &secret.length);
    let mut lines = vec![format!("{rule} ({length} bytes)  #{short}  in {places}")];
    let shown = secret.places.iter().take(SHOWN);
    lines.extend(shown.map(|p| format!("  {}", at(p))));
    if secret.places.len() > SHOWN {
        let more = secret.places.len() - SHOWN;
        lines.push(format!("  and {more} more; --json names all"));
    }
    lines
}

fn at(place: &Place) -> String {
    let line = place.line.map_or(String::new(), |n| format!(":{n}"));
    let (root, what) = (&place.root, &place.place);
    let commit = match (&place.commit, &place.object) {
        (Some(commit), _) => format!("commit {}", first_chars(commit, 12).0),
        (None, Some(object)) => format!("object {}", first_chars(object, 12).0),
        (None, None) => String::new(),
    };
    match place.kind {
        Kind::File => format!("{root}/.memory/{what}{line}"),
        Kind::Staged => format!("{root}: {what}, staged"),
        Kind::Noted => format!("{root}: {what}, in the database"),
        Kind::Accepted => format!("{root}: {what}, accepted, in the database"),
        Kind::Kept => format!("{root}/{what}{line}"),
        Kind::History => format!("{root}/.memory, git history, {commit}: {what}{line}"),
        Kind::ProjectHistory => {
            format!("{root}, the project's own git history, {commit}: {what}{line}")
        }
    }
}

fn sum(args: &Args, targets: &[Target], report: &Report) -> String {
    let memories = count(targets.len(), "memory", "memories");
    let found = match report.secrets.len() {
        0 => "no secret found".to_owned(),
        n => {
            let places = count(report.places() + report.more, "place", "places");
            format!("{} in {places}", count(n, "secret", "secrets"))
        }
    };
    let through = match report.let_through {
        0 => String::new(),
        n => format!(
            "; {} let through as no secret (memd redact --not-secret lists them)",
            count(n, "place", "places")
        ),
    };
    let history = match args.history {
        true => "",
        false => "; git history was not looked at: --history",
    };
    format!("{memories}: {found}{through}{history}")
}
