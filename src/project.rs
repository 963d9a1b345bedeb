//! From a directory to a project: worktrees, nesting, identity.
//!
//! A project is a folder: the one that holds the repository a directory is in, or a registered one
//! above it, whichever is deeper. All worktrees of a repository are one project; a submodule is
//! its own. Reads `.git` files as text, bounded; never opens a repository and never runs git.

mod new;
mod path;
#[cfg(test)]
mod tests;
mod within;
mod worktree;

pub use new::seen_new;
pub use path::resolve as without_links;
pub use within::{Within, refuse_within};
pub use worktree::Worktree;

use crate::config::{Places, Settings};
use path::{lexical, resolve, windows, windows_root};
use std::path::{Path, PathBuf};
use worktree::{Place, main_place};

/// Folders for temporary files.
const TEMPORARY: [&str; 5] = [
    "/tmp",
    "/var/tmp",
    "/dev/shm",
    "/private/tmp",
    "/private/var/tmp",
];
/// Other folders that things lie in but that are no project by themselves.
const SHARED: [&str; 5] = ["/", "/home", "/Users", "/root", "/mnt"];

/// Everything by which a directory is told to be a project's: the roots of known projects, the other
/// folders that are or were theirs, and what is none.
///
/// `Store::known` makes it with all that the database knows; [`Known::configured`] knows the
/// configuration only.
#[derive(Debug, Clone, Default)]
pub struct Known {
    home: PathBuf,
    real_home: PathBuf,
    /// memd's own folder.
    own: PathBuf,
    /// The root of the global memory: no directory belongs to it.
    global: PathBuf,
    /// How its project is called, where there is one.
    global_name: Option<PathBuf>,
    excluded: Vec<PathBuf>,
    /// Roots of projects that were taken off the books.
    forgotten: Vec<PathBuf>,
    roots: Vec<Root>,
    aliases: Vec<Alias>,
    /// Worktrees that repositories list now, with the name of the project.
    trees: Vec<(Worktree, PathBuf)>,
}

#[derive(Debug, Clone)]
struct Root {
    /// The folder, links resolved.
    at: PathBuf,
    /// How the project is called that lies there.
    name: PathBuf,
}

#[derive(Debug, Clone)]
struct Alias {
    at: PathBuf,
    /// The folder that it stands for, links resolved.
    of: PathBuf,
}

/// Whose a directory is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The project's root.
    pub root: PathBuf,
    /// The folder that stands for the root in the linked worktree that the directory lies in.
    pub worktree: Option<PathBuf>,
}

impl Known {
    /// Knows nothing but the user's home.
    #[must_use]
    pub fn new(home: &Path) -> Self {
        Self {
            home: home.to_owned(),
            real_home: resolve(home),
            ..Self::default()
        }
    }

    /// Knows what the configuration says.
    #[must_use]
    pub fn configured(settings: &Settings, places: &Places) -> Self {
        let mut known = Self::new(&places.home);
        known.own = resolve(&places.state);
        known.global = resolve(&settings.global_root);
        known.excluded = settings.exclude.iter().map(|dir| resolve(dir)).collect();
        for (root, project) in &settings.projects {
            if !project.global {
                known.add_folder(root);
            }
        }
        known
    }

    /// Adds a folder that is a project's, called as it is without links.
    pub fn add_folder(&mut self, root: &Path) {
        let name = match windows(root) {
            Some(_) => root.to_owned(),
            None => resolve(root),
        };
        self.add(root, name);
    }

    /// Adds a project that is called exactly so, with the worktrees that its repository knows.
    pub fn add_project(&mut self, root: &Path) {
        self.add(root, root.to_owned());
        let trees = worktree::worktrees(root, &|dir| self.is_never(dir));
        for tree in trees {
            self.add_alias(&tree.path, root);
            self.trees.push((tree, root.to_owned()));
        }
    }

    /// The worktrees that the repositories of projects list now, each with the project's root.
    pub fn worktrees(&self) -> impl Iterator<Item = (&Worktree, &Path)> {
        let trees = self.trees.iter();
        trees.map(|(tree, root)| (tree, root.as_path()))
    }

    fn add(&mut self, root: &Path, name: PathBuf) {
        let at = resolve(root);
        self.roots.retain(|known| known.at != at);
        if at == self.global {
            self.global_name = Some(name.clone());
        }
        if !self.is_never(&at) {
            self.roots.push(Root { at, name });
        }
    }

    /// Adds a project that its user took off the books: it is none, and not new either.
    pub fn add_forgotten(&mut self, root: &Path) {
        self.forgotten.push(resolve(root));
    }

    /// Adds another folder of a project: a worktree, or where it lay before. It is asked only for
    /// directories that are gone.
    pub fn add_alias(&mut self, folder: &Path, root: &Path) {
        let (at, of) = (resolve(folder), resolve(root));
        if at != of && !self.is_never(&at) {
            self.aliases.push(Alias { at, of });
        }
    }

    /// The root of the project that a directory belongs to. `None`: it belongs to none.
    ///
    /// A directory that is gone belongs to the deepest known folder whose path leads to it, and to
    /// nothing else: no parent takes it over.
    #[must_use]
    pub fn root_of(&self, cwd: &Path) -> Option<PathBuf> {
        self.find(cwd).map(|found| found.root)
    }

    /// The root of the project that a user names by this folder, such as in `extra_sources`: the
    /// global memory too, to which no directory of a session belongs.
    #[must_use]
    pub fn named(&self, folder: &Path) -> Option<PathBuf> {
        match &self.global_name {
            Some(name) if resolve(folder) == self.global => Some(name.clone()),
            _ => self.root_of(folder),
        }
    }

    /// As [`Known::root_of`], with the worktree that the directory lies in.
    #[must_use]
    pub fn find(&self, cwd: &Path) -> Option<Found> {
        if let Some(cwd) = windows(cwd) {
            let names = self.roots.iter().map(|root| root.name.as_path());
            let root = windows_root(&cwd, names)?;
            return Some(Found {
                root,
                worktree: None,
            });
        }
        if !cwd.is_absolute() {
            return None;
        }
        let place = self.place(cwd)?;
        let at = self.deepest(&place)?;
        let worktree = || {
            let below = at.strip_prefix(place.repository.as_ref()?).ok()?;
            // Joining nothing leaves a slash at the end.
            Some(place.linked.as_ref()?.join(below).components().collect())
        };
        Some(Found {
            worktree: worktree(),
            root: self.name_of(&at).unwrap_or(&at).to_owned(),
        })
    }

    /// Where a directory lies, unless memd is kept away from there.
    fn place(&self, cwd: &Path) -> Option<Place> {
        let (real, place) = match cwd.canonicalize() {
            Ok(real) => (real.clone(), self.there(&real)),
            Err(_) => (resolve(cwd), self.gone(cwd)),
        };
        let is_out = self.is_excluded(&real) || self.is_excluded(&place.place);
        (!is_out).then_some(place)
    }

    /// Whether the user keeps memd away from a directory: it is excluded, or the folder that it
    /// stands for in the main working tree is.
    #[must_use]
    pub fn is_kept_away(&self, cwd: &Path) -> bool {
        self.place(cwd).is_none()
    }

    /// The folder of a place's project: its repository or a registered one, whichever is deeper.
    fn deepest(&self, place: &Place) -> Option<PathBuf> {
        let registered = self.roots.iter().map(|root| &root.at);
        // Compares whole components: `app-legacy` is not in `app`.
        let around = registered.filter(|root| place.place.starts_with(root));
        let all = place.repository.iter().chain(around);
        let deepest = all.max_by_key(|root| root.components().count())?;
        (!self.is_never(deepest)).then(|| deepest.clone())
    }

    fn name_of(&self, at: &Path) -> Option<&Path> {
        let mut roots = self.roots.iter();
        Some(&roots.find(|root| root.at == at)?.name)
    }

    /// The place of a directory that exists.
    fn there(&self, real: &Path) -> Place {
        let place = main_place(real, &|dir| self.is_never(dir));
        // A worktree of a repository that was moved is still the project's.
        let alias = || {
            let top = place.broken.as_ref()?;
            self.aliases.iter().find(|alias| alias.at == *top)
        };
        match alias() {
            Some(alias) => moved(real, alias),
            None => place,
        }
    }

    /// The place of a directory that is gone: what of its path still exists, links resolved, and
    /// the rest as it is written; by the deepest folder that is known to be a project's.
    fn gone(&self, cwd: &Path) -> Place {
        let at = resolve(cwd);
        let depth = |path: &Path| path.components().count();
        let roots = self.roots.iter().filter(|root| at.starts_with(&root.at));
        let root = roots.map(|root| depth(&root.at)).max().unwrap_or(0);
        let aliases = self.aliases.iter().filter(|a| at.starts_with(&a.at));
        let alias = aliases.max_by_key(|alias| depth(&alias.at));
        if let Some(alias) = alias.filter(|alias| depth(&alias.at) > root) {
            return moved(&at, alias);
        }
        if let Some((place, repository)) = worktree::usual_place(&lexical(cwd)) {
            return Place {
                place,
                repository: Some(repository),
                ..Place::default()
            };
        }
        let existing = at.ancestors().find(|dir| dir.is_dir());
        let around = existing.map(|dir| (dir, self.there(dir)));
        // A folder that went from a worktree lay in the project; else no repository around it is.
        match around {
            Some((dir, around)) if around.linked.is_some() => Place {
                place: around.place.join(at.strip_prefix(dir).unwrap_or(&at)),
                repository: None,
                ..around
            },
            _ => Place {
                place: at,
                ..Place::default()
            },
        }
    }

    /// Whether a folder is one that many things lie in: `/`, the home, a folder for temporary
    /// files, the root of the global memory.
    #[must_use]
    pub fn is_never(&self, dir: &Path) -> bool {
        let is = |other: &PathBuf| dir == other;
        is(&self.home)
            || is(&self.real_home)
            || is(&self.global)
            || self.home.parent() == Some(dir)
            || TEMPORARY.iter().chain(&SHARED).any(|s| dir == Path::new(s))
            || dir.starts_with("/private/var/folders") && dir.components().count() <= 7
    }

    /// Whether the user keeps memd away from there.
    #[must_use]
    pub fn is_excluded(&self, dir: &Path) -> bool {
        self.excluded.iter().any(|out| dir.starts_with(out))
    }

    /// Where a directory (existing) of a linked worktree lies in the main one.
    #[must_use]
    pub fn in_main(&self, dir: &Path) -> Option<PathBuf> {
        let place = main_place(&dir.canonicalize().ok()?, &|dir| self.is_never(dir));
        place.linked?;
        Some(place.place.components().collect())
    }

    /// Whether a folder is another one of the project at this root.
    #[must_use]
    pub fn is_other(&self, folder: &Path, root: &Path) -> bool {
        let (at, of) = (resolve(folder), resolve(root));
        self.aliases.iter().any(|a| a.at == at && a.of == of)
    }

    /// How the project is called whose root this folder is.
    #[must_use]
    pub fn root_at(&self, dir: &Path) -> Option<&Path> {
        self.name_of(&resolve(dir))
    }

    /// Whether a folder is a known project's root.
    #[must_use]
    pub fn is_root(&self, dir: &Path) -> bool {
        let at = resolve(dir);
        self.roots.iter().any(|root| root.at == at)
    }
}

/// Where a path lies that is in another folder of a project.
fn moved(path: &Path, alias: &Alias) -> Place {
    let below = path.strip_prefix(&alias.at).unwrap_or(Path::new(""));
    Place {
        place: alias.of.join(below).components().collect(),
        ..Place::default()
    }
}
