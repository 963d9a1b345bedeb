//! `memd brief`.

use super::look::{self, Look};
use super::{Context, Failure, out};
use crate::brief::{self, Facts, Limits, Piece};
use crate::store::{Project, Store};
use std::path::{Path, PathBuf};

/// Print what the next session's agent is given.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// The project (default: the one around the current directory)
    path: Option<PathBuf>,
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
    let dir = args.path.as_ref().map_or(here.clone(), |p| here.join(p));
    let Some(store) = Store::open_to_look(&context.places).map_err(Failure::known)? else {
        return Err(look::none_at(&dir));
    };
    let project = look::asked_project(&context, &store, args.path.as_deref())?;
    let text = build(
        &context,
        &store,
        &project,
        args.max_chars,
        args.topic.as_deref(),
    )?;
    out::block(&text);
    Ok(())
}

/// The brief for a session that starts here; empty when there is nothing to give.
pub(super) fn for_hook(dir: &Path) -> Result<String, Failure> {
    let context = Context::load()?;
    if context.places.is_own(dir) {
        return Ok(String::new());
    }
    let Some(store) = Store::open_to_look(&context.places).map_err(Failure::known)? else {
        return Ok(String::new());
    };
    match look::project_at(&context, &store, dir)? {
        Some(project) => build(&context, &store, &project, None, None),
        None => Ok(String::new()),
    }
}

fn build(
    context: &Context,
    store: &Store,
    project: &Project,
    max_chars: Option<usize>,
    topic: Option<&str>,
) -> Result<String, Failure> {
    let now = store.clock(context.now).map_err(Failure::known)?;
    let look = Look::at(store, project, now)?;
    let pieces: Vec<Piece> = look
        .matched
        .sealed
        .iter()
        .map(|s| Piece {
            file: s.entry.file,
            section: s.entry.section.clone(),
            text: s.entry.text.clone(),
            since: s.record.created,
            unreviewed: look::is_unreviewed(&s.record),
        })
        .collect();
    let settings = &context.config.settings;
    let limits = Limits {
        content_chars: settings.brief_chars,
        max_chars,
        decision_days: settings.brief_decisions_days,
    };
    let facts = facts(context, store, project, &look)?;
    let nonce = crate::id::ProjectId::random().map_err(Failure::known)?;
    Ok(brief::build(
        &pieces,
        &facts,
        &limits,
        topic,
        nonce.as_str(),
        now,
    ))
}

fn facts(
    context: &Context,
    store: &Store,
    project: &Project,
    look: &Look,
) -> Result<Facts, Failure> {
    let queue = store
        .queue(Some(&project.id), context.now)
        .map_err(Failure::known)?;
    let (updated, status) = look::state_front(&look.memory);
    let last = store.last_applied(&project.id).map_err(Failure::known)?;
    Ok(Facts {
        project: project.name.clone(),
        last_distill: last.map(|l| (l.at, l.trigger)),
        updated,
        status,
        // Without the key nothing can be told of an entry, not even that nobody accepted it.
        untrusted: match look.problem {
            Some(_) => 0,
            None => look.untrusted(),
        },
        unread: look
            .unread
            .iter()
            .cloned()
            .chain(unverified(look))
            .collect(),
        inbox: look::inbox(project),
        waiting: look::waiting(&queue),
    })
}

fn unverified(look: &Look) -> Option<String> {
    let problem = look.problem.as_ref()?;
    Some(format!(
        "all entries, since nothing can be verified: {problem}"
    ))
}
