//! `memd status`.

pub(super) mod pending;
mod view;

use super::archive_word::Archives;
use super::look::{self, Look};
use super::lost::Stray;
use super::review::page;
use super::{Context, Failure, across, editor, give_up, here, lost, out, refused_file};
use crate::apply::{adopt, unreviewed};
use crate::config::usd;
use crate::store::{Project, ProposalStatus, Store};
use crate::text::count;
use crate::trust::{Matched, Mode, Reason};
use pending::Unread;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use view::{Last, Refused, View};

/// Show every project, its sources and what waits.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// Only the project at or around this directory
    #[arg(short, long, value_name = "PATH")]
    project: Option<PathBuf>,
    /// For programs: one JSON array
    #[arg(long, conflicts_with = "porcelain")]
    pub(super) json: bool,
    /// For shell prompts: one line of key=value for each project
    #[arg(long)]
    porcelain: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let context = Context::load()?;
    let Some(store) = lost::opened(&context)? else {
        print(args, &context, &[]);
        return stands_in_nobodys(args, &context, None);
    };
    let projects = match &args.project {
        Some(dir) => {
            let project = look::asked_project(&context, &store, Some(dir))?;
            across::on_record(&context, &store, &project, "status")?;
            vec![project]
        }
        None => store.projects()?,
    };
    let unread = pending::pending(&context, &store, &store.projects()?)?;
    let archives = Archives::new(&context, &store);
    let mut views = projects
        .iter()
        .map(|p| view(&context, &store, p, (&unread, &archives)))
        .collect::<Result<Vec<_>, _>>()?;
    if args.project.is_none() {
        counts_only(&context, &store, &projects, &mut views)?;
        views.extend(strays(&context, &store)?);
    }
    print(args, &context, &views);
    if !args.json && !args.porcelain {
        proof(&context, &store);
        curators(&context, &store)?;
        typed(&context);
        if store.is_only_looked_at()? {
            let state = context.places.state.display();
            out::line(&format!(
                "state: {state} takes nothing, its folder or disk is read-only or full: what was accepted is given as before, and nothing is read, decided or committed until it can be written"
            ));
        }
    }
    stands_in_nobodys(args, &context, Some(&store))
}

/// Says that a memory lies around the current directory which is no project's: none of those above is
/// this one. A program reads which there are, and a prompt goes by that.
fn stands_in_nobodys(args: &Args, context: &Context, store: Option<&Store>) -> Result<(), Failure> {
    if args.project.is_some() || args.json || args.porcelain {
        return Ok(());
    }
    match look::nobodys(context, store)? {
        Some(failure) => Err(failure),
        None => Ok(()),
    }
}

/// Takes out of what is said of other projects than the one around here the words of their memory:
/// counts are left, for which nothing is put on record.
fn counts_only(
    context: &Context,
    store: &Store,
    projects: &[Project],
    views: &mut [View],
) -> Result<(), Failure> {
    let (known, here) = (look::known(context, store)?, here()?);
    for (project, view) in projects.iter().zip(views) {
        if let Some(last) = &mut view.last_distill
            && across::is_elsewhere(store, (&known, &here), project)?
        {
            last.summary.clear();
        }
    }
    Ok(())
}

/// Whether what is sealed holds; what stands on disk is said by project.
fn proof(context: &Context, store: &Store) {
    let broken = store
        .trust()
        .and_then(|trust| store.unsealed(&trust, context.now));
    out::line(&match broken.as_ref().map(|all| (all.len(), all.first())) {
        Err(error) => format!("proof: nothing can be verified: {error}; memd doctor"),
        Ok((n, Some(first))) => format!(
            "proof: broken in {}, the first: {}; memd verify names each, and what ends it",
            count(n, "place", "places"),
            first.kind.title()
        ),
        Ok(_) => "proof: all that is sealed holds, and so does the audit chain".to_owned(),
    });
}

/// What a person typed and no review took.
fn typed(context: &Context) {
    let kept = editor::kept(&context.places.state);
    if let Some(newest) = kept.last() {
        let texts = count(kept.len(), "text", "texts");
        out::line(&format!(
            "typed: {texts} of yours that no review took, the newest {}; use it and remove it",
            newest.display()
        ));
    }
}

/// Projects that were let in with another database, or with a newer state of this one.
fn strays(context: &Context, store: &Store) -> Result<Vec<View>, Failure> {
    let strays = lost::strays(context, store)?.into_iter();
    let view = |stray: Stray| View {
        project: name_of(&stray.root),
        problems: vec![format!("{}: {}", stray.told(), stray.way_out())],
        is_unknown: true,
        root: stray.root.to_string_lossy().into_owned(),
        ..View::default()
    };
    Ok(strays.map(view).collect())
}

fn name_of(root: &Path) -> String {
    let name = root.file_name().unwrap_or(root.as_os_str());
    name.to_string_lossy().into_owned()
}

/// What curators took today, on this machine.
fn curators(context: &Context, store: &Store) -> Result<(), Failure> {
    let spent = store.spent(context.now)?;
    if spent.calls > 0 {
        let calls = count(
            usize::try_from(spent.calls).unwrap_or(usize::MAX),
            "call",
            "calls",
        );
        let (chars, cost) = (spent.chars, usd(spent.micros));
        out::line(&format!(
            "curators today: {calls}, {chars} characters, {cost} as far as told"
        ));
    }
    if let Some(capped) = look::capped(context, store) {
        out::line(&format!(
            "{capped}: sessions are not distilled by themselves until then; `memd distill` goes on"
        ));
    }
    Ok(())
}

fn print(args: &Args, context: &Context, views: &[View]) {
    if args.json {
        out::json(&views);
    } else if args.porcelain {
        for view in views {
            out::line(&view::porcelain(view, context.now));
        }
    } else if views.is_empty() {
        out::line("no project has a memory yet; `memd init` in one makes it");
    } else {
        for view in views {
            for line in view::lines(view, context.now) {
                out::line(&line);
            }
        }
    }
}

fn view(
    context: &Context,
    store: &Store,
    project: &Project,
    (unread, archives): (&Unread, &Archives<'_>),
) -> Result<View, Failure> {
    let mut queue = store.queue(Some(&project.id), context.now)?;
    // Without a key nothing is told apart.
    let broken = store
        .trust()
        .and_then(|trust| store.unsound(&trust, Some(&project.id), true));
    let broken = broken.unwrap_or_default();
    queue.retain(|q| broken.iter().all(|of| of.id != q.id));
    let parked = store.parked(&project.id)?;
    let owed = store.commits_owed(Some(&project.id))?;
    let pending = unread.by_project.get(&project.id);
    let pending = pending.copied().unwrap_or_default();
    let mut view = View {
        project: project.name.clone(),
        id: project.id.to_string(),
        root: project.root.to_string_lossy().into_owned(),
        gone: !project.root.is_dir(),
        mode: mode(store, project),
        last_distill: last(store, project)?,
        pending_sources: pending.sources,
        pending_bytes: pending.bytes,
        before: pending.before,
        unread: unread.closed.clone(),
        inbox: look::inbox(project),
        commits_owed: owed.len(),
        cut_short: store.is_applying(&project.id)?,
        parked: parked
            .iter()
            .map(|p| {
                let unit = crate::source::unit_of(&p.source).0;
                format!("{} from {unit} {}: {}", p.source, p.start, p.reason)
            })
            .collect(),
        ..View::default()
    };
    let cost = store.cost_of_accepted(&project.id)?;
    view.usd_per_accepted = cost.map(|(usd, changes)| usd / changes as f64);
    view.capped = look::capped(context, store);
    let expired = store.expired(Some(&project.id), context.now)?;
    // What stands on disk or was let in unattended is offered anew by itself.
    let is_sound = |p: &&ProposalStatus| broken.iter().all(|of| of.id != p.id);
    let expired = expired.iter().filter(|p| !p.kind.is_on_disk());
    let expired: Vec<_> = expired.filter(is_sound).collect();
    let broken = broken.iter().map(|of| {
        let told = give_up::told(&of.id);
        format!("{told}; memd review, on a terminal, asks whether to give it up")
    });
    view.problems.extend(broken);
    if !expired.is_empty() {
        let what = count(expired.len(), "proposal", "proposals");
        view.problems.push(format!(
            "{what} left the queue after 14 days: memd review --expired"
        ));
    }
    // One project that cannot be read does not hide the others.
    let look = Look::at(store, project, context.now);
    if look.as_ref().is_ok_and(|look| !look.unread.is_empty()) {
        refused_file::on_record(context, store, project);
        let refused = refused_file::refused(project).into_iter();
        view.refused_files = refused.map(|(file, why)| Refused { file, why }).collect();
    }
    let waiting = look::waiting(&queue, look.as_ref().ok().filter(|_| !view.gone));
    view.staged = waiting.map_or(0, |(n, _)| n);
    view.oldest_staged = waiting.map(|(_, oldest)| oldest);
    match look {
        Ok(_) if view.gone => {}
        Ok(look) => {
            told_of_disk(context, store, &look, &mut view);
            let of = unreviewed::unreviewed(&look.matched);
            view.unreviewed = of.iter().map(|u| u.entries).sum();
            view.lapsed = of.iter().map(|u| u.lapsed).sum();
            view.oldest_unreviewed = of.iter().map(|u| u.at).min();
            view.problems.extend(look::without_front(&look.memory));
            if look.under_way.is_none() {
                view.problems.extend(look::marks(&look.matched));
                view.problems.extend(look::history(context, project));
            }
            view.problems.extend(archives.told(project));
            view.problems.extend(look.unread);
            view.problems.extend(look.problem);
            view.problems.extend(look.under_way);
        }
        Err(failure) => view.problems.push(failure.to_string()),
    }
    Ok(view)
}

/// What stands on disk and nobody accepted. Where nothing can be verified that is not known.
fn told_of_disk(context: &Context, store: &Store, look: &Look, view: &mut View) {
    if look.problem.is_some() || look.left_out() == 0 {
        return;
    }
    view.untrusted = look.left_out();
    view.missing = look.matched.missing.len();
    view.on_disk = by_kind(&look.matched);
    view.is_hindered = look.to_decide() == 0;
    if view.is_hindered {
        view.not_offered = view.untrusted - view.missing;
        view.not_offered_why = "mend first what is named as a problem".to_owned();
        return;
    }
    let Ok(trust) = store.trust() else { return };
    let redactor = context.redactor_with(store, &trust);
    let by_file = adopt::not_offered(&look.matched, &redactor);
    view.not_offered = by_file.values().sum();
    let files: Vec<_> = by_file.keys().map(|f| f.name()).collect();
    view.not_offered_why = format!(
        "it cannot be searched for secrets; take it out of {} by hand",
        files.join(", ")
    );
}

/// In which ways what stands on disk differs from what was let in, and how often.
fn by_kind(matched: &Matched) -> BTreeMap<&'static str, usize> {
    let broken = matched.broken.iter().filter(|b| b.entry.is_some());
    let broken = broken.map(|b| match b.reason {
        Reason::Edited => "edited",
        Reason::Moved { .. } => "moved",
        Reason::Duplicated => "doubled",
        Reason::RolledBack { .. } => "older",
        Reason::CameBack => "came_back",
        Reason::Seal(_) => "seal",
    });
    let unsealed = matched.unsealed.iter().map(|_| "unsealed");
    let missing = matched.missing.iter().map(|_| "missing");
    let mut kinds = BTreeMap::new();
    for kind in broken.chain(unsealed).chain(missing) {
        *kinds.entry(kind).or_default() += 1;
    }
    kinds
}

/// Without a key that can be read nothing is applied.
fn mode(store: &Store, project: &Project) -> Mode {
    let mode = store.trust().and_then(|t| store.mode(&t, &project.id));
    mode.unwrap_or_default()
}

fn last(store: &Store, project: &Project) -> Result<Option<Last>, Failure> {
    let Some(last) = store.last_applied(&project.id)? else {
        let before = store.before(&project.id)?;
        return Ok(before.map(|before| Last {
            at: before.at,
            trigger: before.trigger,
            curator: format!("memd 0.3 {}", before.model).trim_end().to_owned(),
            summary: before.summary,
        }));
    };
    // A proposal whose seal does not hold says nothing of its curator.
    let usage = store
        .trust()
        .and_then(|t| store.proposal(&t, &last.id))
        .map(|p| p.usage);
    Ok(Some(Last {
        at: last.at,
        trigger: last.trigger,
        curator: usage.map_or_else(|_| "curator unknown".to_owned(), |u| page::curator(&u)),
        summary: last.summary,
    }))
}
