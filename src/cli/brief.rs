//! `memd brief`.

use super::look::{self, Look};
use super::{Context, Failure, gate, lost, out, refused_file};
use crate::brief::{self, Facts, Global, Limits, Piece};
use crate::init::{self, Shared};
use crate::memory::MemoryFile;
use crate::project::Known;
use crate::store::{Project, Store};
use std::path::{Path, PathBuf};

/// Print what the next session's agent is given.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// The project (default: the one around the current directory)
    path: Option<PathBuf>,
    /// The same, as other commands take it
    #[arg(short, long, value_name = "PATH", conflicts_with = "path")]
    project: Option<PathBuf>,
    /// A hard cap on everything, in characters
    #[arg(long, value_name = "N")]
    max_chars: Option<usize>,
    /// Only entries that mention this
    #[arg(long, value_name = "WORD")]
    topic: Option<String>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let context = Context::load()?;
    let here = std::env::current_dir().unwrap_or_default();
    let asked = args.path.as_ref().or(args.project.as_ref());
    let dir = asked.map_or(here.clone(), |p| here.join(p));
    let Some(store) = lost::opened(&context)? else {
        return Err(look::none_at(&context, &dir));
    };
    let project = match look::asked_project(&context, &store, asked.map(PathBuf::as_path)) {
        Ok(project) => project,
        Err(none) if asked.is_none() => {
            let known = look::known(&context, &store)?;
            outside(&context, &store, &known, &dir)?.ok_or(none)?
        }
        Err(none) => return Err(none),
    };
    let topic = args.topic.as_deref();
    let text = build(&context, &store, &project, args.max_chars, topic)?;
    out::block(&text);
    if let Some(max) = args.max_chars
        && !text.contains("\n| ")
        && !text.contains("\n(left out: ")
    {
        let whole = build(&context, &store, &project, None, topic)?;
        if whole.contains("\n| ") {
            let fits = whole.chars().count();
            out::problem(&format!(
                "memd: {max} characters hold no entry, nor the line that counts what is left out: {fits} hold the whole brief"
            ));
        }
    }
    Ok(())
}

/// Where no project is and memd is not kept away, it is the memory of all projects that a session is
/// given.
fn outside(
    context: &Context,
    store: &Store,
    known: &Known,
    dir: &Path,
) -> Result<Option<Project>, Failure> {
    let is_some_project = known.root_of(dir).is_some_and(|root| known.is_root(&root));
    if is_some_project || known.is_kept_away(dir) || look::moved_to(context, store, dir)?.is_some()
    {
        return Ok(None);
    }
    look::global_project(context, store)
}

/// The brief for a session that starts here; empty when there is nothing to give.
pub(super) fn for_hook(
    context: &Context,
    store: &Store,
    known: &Known,
    dir: &Path,
) -> Result<String, Failure> {
    if let Some(project) = look::project_in(store, known, dir)? {
        return build(context, store, &project, None, None);
    }
    if let Some((_, moved)) = look::moved_to(context, store, dir)? {
        return notice(&look::goes_on(&moved));
    }
    if let Some(stray) = look::stray(context, store, dir)? {
        return notice(&format!("{}; {}", stray.told(), stray.way_out()));
    }
    match outside(context, store, known, dir)? {
        Some(global) => build(context, store, &global, None, None),
        None => Ok(String::new()),
    }
}

/// A worktree that is seen for the first time shares its project's memory, and is remembered for the
/// day when it is gone. That writes: it is done once the session has its brief, and what fails is for
/// the log.
pub(super) fn settle_in(context: &Context, store: &Store, known: &Known, dir: &Path) {
    let settle = || -> Result<Shared, Failure> {
        store.remember_worktrees(known, context.now)?;
        Ok(init::share_with(dir, known)?)
    };
    match settle() {
        Ok(Shared::Left(warning)) => tracing::warn!("{warning}"),
        Ok(_) => {}
        Err(failure) => tracing::warn!("a worktree was not settled in: {failure}"),
    }
}

/// What a session is told in the place of a brief.
pub(super) fn notice(what: &str) -> Result<String, Failure> {
    Ok(brief::notice(what, &nonce()?))
}

fn nonce() -> Result<String, Failure> {
    let nonce = crate::id::ProjectId::random().map_err(Failure::known)?;
    Ok(nonce.as_str().to_owned())
}

fn build(
    context: &Context,
    store: &Store,
    project: &Project,
    max_chars: Option<usize>,
    topic: Option<&str>,
) -> Result<String, Failure> {
    let now = store.clock(context.now)?;
    let look = Look::at(store, project, now)?;
    if !look.unread.is_empty() {
        refused_file::on_record(context, store, project);
    }
    let settings = &context.config.settings;
    let limits = Limits {
        content_chars: settings.brief_chars,
        max_chars,
        decision_days: settings.brief_decisions_days,
    };
    let facts = Facts {
        global: global(context, store, project)?,
        ..facts(context, store, project, &look)?
    };
    let pieces = pieces(&look);
    Ok(brief::build(
        &pieces,
        &facts,
        &limits,
        topic,
        &nonce()?,
        now,
    ))
}

fn pieces(look: &Look) -> Vec<Piece> {
    let sealed = look.matched.sealed.iter();
    sealed
        .map(|s| Piece {
            file: s.entry.file,
            // A rule that came later may know a secret in what was let in before.
            section: gate::hide(&s.entry.section).into_owned(),
            text: gate::hide(&s.entry.text).into_owned(),
            since: s.record.created,
            unreviewed: look::is_unreviewed(&s.record),
        })
        .collect()
}

/// What a project's brief says of the memory of all projects.
fn global(context: &Context, store: &Store, project: &Project) -> Result<Option<Global>, Failure> {
    let chars = context.config.settings.global_brief_chars;
    let Ok(chars) = usize::try_from(chars) else {
        return Ok(None);
    };
    let Some(global) = look::global_project(context, store)? else {
        return Ok(None);
    };
    if global.id == project.id {
        return Ok(None);
    }
    let mut pieces = match chars {
        0 => Vec::new(),
        _ => pieces(&Look::at(store, &global, context.now)?),
    };
    pieces.retain(|piece| piece.file == MemoryFile::State);
    Ok(Some(Global {
        root: global.root.to_string_lossy().into_owned(),
        pieces,
        chars,
    }))
}

fn facts(
    context: &Context,
    store: &Store,
    project: &Project,
    look: &Look,
) -> Result<Facts, Failure> {
    let queue = store.queue(Some(&project.id), context.now)?;
    let (updated, status) = look::state_front(&look.memory);
    let last = store.last_applied(&project.id)?;
    Ok(Facts {
        project: project.name.clone(),
        last_distill: last.map(|l| (l.at, l.trigger)),
        updated,
        status,
        // Without the key nothing can be told of an entry, not even that nobody accepted it.
        untrusted: match look.problem {
            Some(_) => 0,
            None => look.matched.untrusted().len(),
        },
        missing: match look.problem {
            Some(_) => 0,
            None => look.matched.missing.len(),
        },
        unread: look
            .unread
            .iter()
            .cloned()
            .chain(unverified(look))
            .chain(look.under_way.clone())
            .collect(),
        inbox: look::inbox(project),
        waiting: look::waiting(&queue, Some(look)),
        capped: look::capped(context, store),
        global: None,
    })
}

fn unverified(look: &Look) -> Option<String> {
    let problem = look.problem.as_ref()?;
    Some(format!(
        "all entries, since nothing can be verified: {problem}"
    ))
}
