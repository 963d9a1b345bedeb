//! A project enters the database and the configuration: its sessions so far count as read, and
//! what stands on its disk is offered for adoption.

use super::{Baselined, InitError, Plan, baseline, moved_here};
use crate::apply::{Ground, Recovered, adopt, recover};
use crate::config::{Config, Limits, Places};
use crate::git;
use crate::id::ProposalId;
use crate::lock::{PATIENCE, ProjectLock};
use crate::redact::{Hit, Redactor};
use crate::source::Where;
use crate::store::{Project, Store};
use crate::trust::Trust;
use jiff::Timestamp;
use std::path::{Path, PathBuf};

/// What the database and the configuration know now.
#[derive(Debug, Clone)]
pub struct Enlisted {
    /// The project.
    pub project: Project,
    /// Whether it is new to the database.
    pub is_new: bool,
    /// Sessions that count as read.
    pub baselined: Baselined,
    /// The proposal that offers what stands on disk, with the number of its changes.
    pub adoptable: Option<(ProposalId, usize)>,
    /// What an earlier command had left unfinished.
    pub recovered: Recovered,
    /// Whether its user had taken it off the books before.
    pub is_back: bool,
    /// Where the project lay before it was moved here.
    pub moved_from: Option<PathBuf>,
}

/// What it takes to enlist a project.
pub struct Tools<'a> {
    /// memd's places.
    pub places: &'a Places,
    /// The database.
    pub store: &'a Store,
    /// The key.
    pub trust: &'a Trust,
    /// Finds credentials: the redactor's check.
    pub credentials: &'a dyn Fn(&str) -> Vec<Hit>,
    /// The redactor itself.
    pub redactor: &'a Redactor,
    /// A session that does not count as read: it began just now.
    pub except: Option<&'a Path>,
    /// The moment.
    pub now: Timestamp,
}

/// Registers a project whose memory was made. May be repeated; sessions are baselined once.
///
/// # Errors
/// When the database or the configuration cannot be written, or memory cannot be read.
pub fn enlist(plan: &Plan, config: &mut Config, tools: &Tools<'_>) -> Result<Enlisted, InitError> {
    let Tools {
        store, trust, now, ..
    } = *tools;
    let moved_from = take_over(plan, config, tools)?;
    let registered = config.settings.project(&plan.root).is_some();
    let is_back = store.forgotten_roots()?.contains(&plan.root);
    let is_new = store.project_at(&plan.root)?.is_none();
    let project = store.ensure_project(trust, &plan.root, &plan.name, now)?;
    let cut_short = || {
        store
            .sources(&project.id)
            .map(|s| !registered && s.is_empty())
    };
    let mut baselined = Baselined::default();
    if is_new || cut_short()? {
        let known = store.known(&config.settings, tools.places)?;
        let belongs = |dir: &Path| known.root_of(dir).as_ref() == Some(&plan.root);
        let roots = store.roots()?;
        let at = Where {
            roots: &roots,
            ..Where::new(tools.places, &config.settings)
        };
        baselined = baseline(at, registered, tools.except, &belongs);
        store.baseline(trust, &project.id, &baselined.spans, &baselined.seen, now)?;
    }
    config.change(tools.places, |config| match plan.global {
        true => config.register_global(&plan.root, &plan.name),
        false => config.register(&plan.root, &plan.name),
    })?;
    git::set_identity(&plan.memory(), &project.id)?;
    store.remember_worktrees(&store.known(&config.settings, tools.places)?, now)?;
    let lock = ProjectLock::take(&tools.places.locks(), &project.id, PATIENCE)?;
    let ground = Ground {
        store,
        trust,
        memory: &plan.memory(),
        git_commit: config.settings.git_commit,
        redactor: tools.redactor,
        now,
    };
    let recovered = recover(ground, &lock)?;
    let limits: &Limits = &config.settings.limits;
    let adoptable = adopt::offer(ground, &lock, limits, tools.credentials)?;
    Ok(Enlisted {
        project,
        is_new,
        baselined,
        adoptable,
        recovered,
        is_back,
        moved_from,
    })
}

/// Takes a project over whose memory was moved here with its folder: the same project in another
/// place. Where it lay before.
fn take_over(
    plan: &Plan,
    config: &mut Config,
    tools: &Tools<'_>,
) -> Result<Option<PathBuf>, InitError> {
    let store = tools.store;
    let Some(moved) = moved_here(store, &plan.root)?.filter(|_| !plan.global) else {
        return Ok(None);
    };
    store.move_project(tools.trust, &moved.id, &plan.root, tools.now)?;
    config.change(tools.places, |config| {
        config.move_project(&moved.root, &plan.root);
    })?;
    Ok(Some(moved.root))
}
