//! A memory for a project that was seen for the first time, without a person.

use super::{Enlisted, InitError, Made, Plan, Request, Tools, enlist, execute, moved_here, plan};
use crate::config::{Config, Settings};
use crate::project::seen_new;
use crate::store::{Store, StoreError};
use std::iter;
use std::path::Path;

/// A project that got its memory.
#[derive(Debug)]
pub struct Scaffolded {
    /// What was decided.
    pub plan: Plan,
    /// What was made.
    pub made: Made,
    /// What the database and the configuration know now.
    pub enlisted: Enlisted,
}

/// Gives the project that a directory lies in its memory, in one call and without asking: makes it,
/// registers it, counts its sessions so far as read (but for `tools.except`, one that began just
/// now). `None` when there is nothing to do: `auto_scaffold` is off, the project is known, was
/// forgotten or moved, or the directory lies in no repository, or where memd is kept away from.
///
/// # Errors
/// As [`plan`], [`execute`] and [`enlist`].
pub fn scaffold(
    dir: &Path,
    config: &mut Config,
    tools: &Tools<'_>,
) -> Result<Option<Scaffolded>, InitError> {
    let known = tools.store.known(&config.settings, tools.places)?;
    let Some(root) = seen_new(iter::once(dir), &known).into_iter().next() else {
        return Ok(None);
    };
    if !config.settings.auto_scaffold || moved_here(tools.store, &root)?.is_some() {
        return Ok(None);
    }
    // The folder's name, which the user chose: what a file there says would be in every brief without
    // that anybody had seen it.
    let folder = root.file_name().map(|n| n.to_string_lossy().into_owned());
    let request = Request {
        name: folder,
        path: root,
        named: true,
        global: false,
    };
    let plan = named_safely(request, &config.settings, tools)?;
    let made = execute(&plan, &config.settings, tools.redactor, tools.now)?;
    let enlisted = enlist(&plan, config, tools)?;
    Ok(Some(Scaffolded {
        plan,
        made,
        enlisted,
    }))
}

/// What a project is called whose every name holds a secret.
const NAMELESS: &str = "project";

/// As [`plan`]; where no name is asked for or configured, a project that the database knows keeps the
/// one it has, also in another folder. A name that holds a secret is not taken, wherever it stands: as
/// asked for, as kept, or as the folder's.
///
/// # Errors
/// As [`plan`], and when the database cannot be read.
pub fn named_safely(
    mut request: Request,
    settings: &Settings,
    tools: &Tools<'_>,
) -> Result<Plan, InitError> {
    let first = plan(&request, settings, tools.places, tools.now)?;
    let configured = settings.project(&first.root).and_then(|p| p.name.as_ref());
    let kept = match request.name.is_some() || configured.is_some() {
        true => None,
        false => registered(tools.store, &first.root)?,
    };
    let is_safe = |name: &String| (tools.credentials)(name).is_empty();
    let folder = || {
        let name = first.root.file_name();
        name.map(|n| n.to_string_lossy().into_owned())
    };
    let name = kept.unwrap_or_else(|| first.name.clone());
    let mut safe = Some(name).into_iter().chain(folder()).filter(is_safe);
    request.name = safe.next().or(Some(NAMELESS.to_owned()));
    plan(&request, settings, tools.places, tools.now)
}

/// The name that the database has of the project in this folder, or of the one that was moved here.
fn registered(store: &Store, root: &Path) -> Result<Option<String>, StoreError> {
    let moved = moved_here(store, root)?;
    let root = moved.as_ref().map_or(root, |moved| &moved.root);
    Ok(store.ever_at(root)?.map(|known| known.name))
}
