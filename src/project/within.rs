//! Whether memd's own folders lie where a project could have brought them.
//!
//! Who can put a database and a key together can seal what they like, and a configuration names the
//! program that is run as curator: neither may come with a tree that somebody else made. Looks at
//! folders only; refuses nothing by itself.

use super::SHARED;
use super::path::{lexical, resolve};
use crate::config::Places;
use std::path::{Path, PathBuf};

/// A folder of memd's that the environment puts into a project.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{variable} puts memd's {what} into a project: {place:?} lies in {tree:?}, where an agent or whoever made it can write; nothing in there is read"
)]
pub struct Within {
    /// The variable that does.
    pub variable: &'static str,
    /// `state` or `configuration`.
    pub what: &'static str,
    /// The folder, as named.
    pub place: PathBuf,
    /// The project's.
    pub tree: PathBuf,
}

impl Within {
    /// What an agent is told in the place of a brief: no path, which may have been made up for it.
    #[must_use]
    pub fn told(&self) -> String {
        format!(
            "{} puts memd's {} into a project, where whoever made it can write: nothing is read there, and you are given no memory; `memd doctor` in this environment says more",
            self.variable, self.what
        )
    }

    /// What to do about it.
    #[must_use]
    pub fn way_out(&self) -> String {
        format!(
            "unset {}, or name a folder outside of every project; if you did not set it, see what did (the settings of an AI tool in that folder, for one)",
            self.variable
        )
    }
}

/// Refuses places of memd's that the environment puts into a project: a git work tree, or a folder
/// with a memory. `dirs` is where somebody works now. What lies where it does by default below the
/// home is the user's own, also where `~/.config` is a repository (as with dotfiles). The home itself
/// may be one where it is `own`, the one that the system knows for the user; another that is a git work
/// tree could have come with the database in it.
///
/// The configuration may lie in a repository that nobody works in now: people keep theirs in one.
///
/// # Errors
/// The first of them.
pub fn refuse_within(places: &Places, dirs: &[PathBuf], own: Option<&Path>) -> Result<(), Within> {
    let home = &places.home;
    let refused = |variable, what, place: &Path, tree: Option<PathBuf>| {
        let place = place.to_owned();
        tree.map_or(Ok(()), |tree| {
            Err(Within {
                variable,
                what,
                place,
                tree,
            })
        })
    };
    // A memory alone may be the one of all projects, which lies in the home.
    let own = own.is_some_and(|own| is_same(own, home)) || !is_work_tree(home);
    let is_own = |tree: &Path| is_shared(tree) || own && is_same(tree, home);
    let tree = trees(home).find(|tree| is_tree(tree) && !is_own(tree));
    refused("HOME", "state and configuration", home, tree)?;
    if places.state != home.join(".local/state/memd") {
        let tree = moved(&places.state, home).find(|tree| is_tree(tree));
        refused("XDG_STATE_HOME", "state", &places.state, tree)?;
    }
    let config = places.config.parent().unwrap_or(&places.config);
    if config != home.join(".config/memd") {
        let dirs: Vec<_> = dirs.iter().map(|dir| resolve(dir)).collect();
        let is_here = |tree: &Path| dirs.iter().any(|dir| dir.starts_with(tree));
        let tree = moved(config, home)
            .find(|tree| has_memory(tree) || is_tree(tree) && is_here(&resolve(tree)));
        refused("XDG_CONFIG_HOME", "configuration", config, tree)?;
    }
    Ok(())
}

/// The folders that hold a place of memd's and do not hold the home as well.
fn moved(place: &Path, home: &Path) -> impl Iterator<Item = PathBuf> {
    let homes = [lexical(home), resolve(home)];
    trees(place).filter(move |tree| !homes.iter().any(|home| home.starts_with(tree)))
}

/// A folder and all above it, as they are named and as they are: a link in a project leads out of it,
/// and one outside leads in.
fn trees(place: &Path) -> impl Iterator<Item = PathBuf> {
    let above = |path: PathBuf| path.ancestors().map(Path::to_owned).collect::<Vec<_>>();
    let mut all = above(lexical(place));
    all.extend(above(resolve(place)));
    all.into_iter()
}

/// Whether a project could be here.
fn is_tree(dir: &Path) -> bool {
    is_work_tree(dir) || has_memory(dir)
}

fn is_work_tree(dir: &Path) -> bool {
    dir.join(".git").symlink_metadata().is_ok()
}

fn has_memory(dir: &Path) -> bool {
    dir.join(".memory").symlink_metadata().is_ok()
}

fn is_same(dir: &Path, home: &Path) -> bool {
    resolve(dir) == resolve(home)
}

/// Where things lie that are no project's, whatever else stands there.
fn is_shared(dir: &Path) -> bool {
    SHARED.iter().any(|shared| dir == Path::new(shared))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;

    /// What is refused with these variables, by somebody who works in `cwd` and whose home is the one
    /// that they name: the variable.
    fn refused(env: &[(&str, PathBuf)], cwd: &Path) -> Option<&'static str> {
        let home = &env.iter().find(|(name, _)| *name == "HOME").unwrap().1;
        refused_to(Some(home), env, cwd)
    }

    /// As [`refused`], of the user whose home is `own`.
    fn refused_to(own: Option<&Path>, env: &[(&str, PathBuf)], cwd: &Path) -> Option<&'static str> {
        let value = |name: &str| -> Option<OsString> {
            let found = env.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.clone().into())
        };
        let places = Places::from_env(value).unwrap();
        let refused = refuse_within(&places, &[cwd.to_owned()], own);
        refused.err().map(|within| within.variable)
    }

    fn made(dir: &Path, below: &str) -> PathBuf {
        let path = dir.join(below);
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn what_a_project_could_have_brought_is_refused_and_a_home_in_git_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        let home = made(dir, "home");
        let app = made(dir, "home/work/app");
        made(&app, ".git");
        made(&app, "sub/.git");
        let remembered = made(dir, "elsewhere");
        made(&remembered, ".memory");
        let dotfiles = made(dir, "home/dotfiles");
        made(&dotfiles, ".git");
        std::os::unix::fs::symlink(&app, dir.join("in")).unwrap();
        std::os::unix::fs::symlink(dir.join("out"), app.join("out")).unwrap();
        let state = |place: PathBuf| {
            let env = [("HOME", home.clone()), ("XDG_STATE_HOME", place)];
            refused(&env, Path::new("/"))
        };
        let config = |place: PathBuf, cwd: &Path| {
            let env = [("HOME", home.clone()), ("XDG_CONFIG_HOME", place)];
            refused(&env, cwd)
        };
        let (is_state, is_config) = (Some("XDG_STATE_HOME"), Some("XDG_CONFIG_HOME"));
        for place in [
            app.clone(),
            app.join(".x/y"),
            app.join("sub/.x"),
            app.join("out"),
            dir.join("in/.x"),
            dir.join("none/../in/.x"),
            remembered.join(".x"),
            dotfiles.join("state"),
        ] {
            assert_eq!(state(place.clone()), is_state, "{place:?}");
        }
        assert_eq!(config(app.join(".x"), &app), is_config);
        assert_eq!(config(app.join(".x"), &app.join("sub")), is_config);
        assert_eq!(config(dir.join("in/.x"), &app), is_config);
        assert_eq!(config(remembered.join(".x"), Path::new("/")), is_config);
        assert_eq!(config(dotfiles.join("config"), &dotfiles), is_config);
        assert_eq!(refused(&[("HOME", app.join(".h"))], &app), Some("HOME"));

        // The user's own.
        assert_eq!(state(dir.join("state")), None);
        assert_eq!(state(home.join(".state")), None);
        assert_eq!(config(dotfiles.join("config"), &app), None);
        for repository in ["home/.git", "home/.config/.git", "home/.memory", ".git"] {
            made(dir, repository);
            if repository == ".git" {
                continue;
            }
            let env = [("HOME", home.clone())];
            assert_eq!(refused(&env, &app), None);
            // A home of somebody else's making is none of the user's.
            for own in [Some(dir), None] {
                assert_eq!(refused_to(own, &env, &app), Some("HOME"));
            }
            assert_eq!(state(home.join(".state")), None, "{repository}");
            assert_eq!(state(home.join(".local/state")), None, "{repository}");
            assert_eq!(config(home.join(".config"), &home), None, "{repository}");
        }
        // A home below somebody's tree is one that the tree could have brought.
        assert_eq!(refused(&[("HOME", home)], &app), Some("HOME"));
    }
}
