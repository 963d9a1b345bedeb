//! From a directory to a project: worktrees, nesting, identity.
//!
//! A project is a folder: the one that holds the repository a directory is in, or a registered one
//! above it, whichever is deeper. All worktrees of a repository are one project; a submodule is
//! its own. Reads `.git` files as text, bounded; never opens a repository and never runs git.

mod worktree;

use std::path::{Component, Path, PathBuf};

/// Folders that things lie in but that are no project by themselves.
const SHARED: [&str; 10] = [
    "/",
    "/tmp",
    "/var/tmp",
    "/dev/shm",
    "/private/tmp",
    "/private/var/tmp",
    "/home",
    "/Users",
    "/root",
    "/mnt",
];

/// The root of the project that a directory belongs to. `None`: it belongs to none.
///
/// `registered` are the roots of known projects. A directory that is gone belongs to the deepest
/// registered project whose path leads to it, and to nothing else: no parent takes it over.
#[must_use]
pub fn root_of(cwd: &Path, registered: &[PathBuf], home: &Path) -> Option<PathBuf> {
    if let Some(cwd) = windows(cwd) {
        return windows_root(&cwd, registered);
    }
    if !cwd.is_absolute() {
        return None;
    }
    let (place, repository) = match cwd.canonicalize() {
        Ok(real) => worktree::main_place(&real, &|dir| is_never_project(dir, home)),
        Err(_) => gone(cwd),
    };
    let known = longest_prefix(&place, registered, home);
    let root = known
        .into_iter()
        .chain(repository)
        .max_by_key(|root| root.components().count());
    root.filter(|root| !is_never_project(root, home))
}

/// Whether a folder is one that many things lie in: `/`, the home, a folder for temporary files.
#[must_use]
pub fn is_never_project(dir: &Path, home: &Path) -> bool {
    let real_home = home.canonicalize();
    dir == home
        || real_home.is_ok_and(|real| real == dir)
        || SHARED.iter().any(|shared| Path::new(shared) == dir)
        || home.parent() == Some(dir)
        || dir.starts_with("/private/var/folders") && dir.components().count() <= 7
}

/// The deepest registered root that a place is in. Compares whole components: `app-legacy` is not
/// in `app`.
fn longest_prefix(place: &Path, registered: &[PathBuf], home: &Path) -> Option<PathBuf> {
    registered
        .iter()
        .map(|root| root.canonicalize().unwrap_or_else(|_| lexical(root)))
        .filter(|root| place.starts_with(root) && !is_never_project(root, home))
        .max_by_key(|root| root.components().count())
}

/// The place of a directory that is gone: what of its path still exists, links resolved, and the
/// rest as it is written. A worktree in its usual place counts as its repository.
fn gone(cwd: &Path) -> (PathBuf, Option<PathBuf>) {
    let cwd = lexical(cwd);
    if let Some(repository) = worktree::usual_place(&cwd) {
        let repository = repository.canonicalize().unwrap_or(repository);
        return (repository.clone(), Some(repository));
    }
    let existing = cwd
        .ancestors()
        .find_map(|dir| Some((dir, dir.canonicalize().ok()?)));
    match existing.and_then(|(dir, real)| Some(real.join(cwd.strip_prefix(dir).ok()?))) {
        Some(place) => (place, None),
        None => (cwd, None),
    }
}

/// A path without `.` and `..`.
fn lexical(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                clean.pop();
            }
            Component::CurDir => {}
            part => clean.push(part),
        }
    }
    clean
}

/// A path in a Windows spelling, with slashes and a capital drive letter.
fn windows(path: &Path) -> Option<String> {
    let text = path.to_str()?;
    let bytes = text.as_bytes();
    let drive = bytes.len() >= 3
        && bytes[0].is_ascii_alphabetic()
        && bytes[1] == b':'
        && matches!(bytes[2], b'\\' | b'/');
    if !drive && !text.starts_with(r"\\") {
        return None;
    }
    let mut clean: String = text.replace('\\', "/");
    if drive {
        clean[..1].make_ascii_uppercase();
    }
    while clean.len() > 3 && clean.ends_with('/') {
        clean.pop();
    }
    Some(clean)
}

/// A Windows path cannot be looked at from here: by its registered root, else it stands for
/// itself. Case does not tell such paths apart.
fn windows_root(cwd: &str, registered: &[PathBuf]) -> Option<PathBuf> {
    let folded = cwd.to_lowercase();
    let holds = |root: &str| {
        folded
            .strip_prefix(&root.to_lowercase())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let known = registered
        .iter()
        .filter_map(|root| windows(root))
        .filter(|root| holds(root))
        .max_by_key(String::len);
    let root = known.unwrap_or_else(|| cwd.to_owned());
    let is_drive = root.len() <= 3;
    (!is_drive).then(|| PathBuf::from(root))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    struct World {
        dir: tempfile::TempDir,
    }

    impl World {
        fn new() -> Self {
            Self {
                dir: tempfile::tempdir().unwrap(),
            }
        }

        fn at(&self, path: &str) -> PathBuf {
            self.dir.path().canonicalize().unwrap().join(path)
        }

        fn folder(&self, path: &str) -> PathBuf {
            fs::create_dir_all(self.at(path)).unwrap();
            self.at(path)
        }

        fn file(&self, path: &str, text: &str) {
            self.folder(Path::new(path).parent().unwrap().to_str().unwrap());
            fs::write(self.at(path), text).unwrap();
        }

        /// What a directory belongs to, with these roots registered, below the world.
        fn root(&self, cwd: &str, registered: &[&str]) -> Option<String> {
            let registered: Vec<_> = registered.iter().map(|r| self.at(r)).collect();
            let root = root_of(&self.at(cwd), &registered, &self.at("home"))?;
            Some(
                root.strip_prefix(self.at(""))
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned(),
            )
        }
    }

    #[test]
    fn a_repository_is_a_project_and_so_is_what_lies_in_it() {
        let world = World::new();
        world.folder("home/code/app/.git");
        world.folder("home/code/app/src/deep");
        world.folder("home/code/app-legacy");
        world.folder("home/code/plain");
        assert_eq!(
            world.root("home/code/app/src/deep", &[]).unwrap(),
            "home/code/app"
        );
        assert_eq!(world.root("home/code/app-legacy", &["home/code/app"]), None);
        assert_eq!(world.root("home/code/plain", &[]), None);
        assert_eq!(
            world.root("home/code/plain", &["home/code/plain"]).unwrap(),
            "home/code/plain"
        );
    }

    #[test]
    fn the_home_and_folders_for_temporary_files_are_no_projects() {
        let world = World::new();
        world.folder("home/.git");
        world.folder("home/notes");
        assert_eq!(world.root("home", &["home"]), None);
        assert_eq!(world.root("home/notes", &["home"]), None);
        for shared in ["/", "/tmp"] {
            assert_eq!(
                root_of(Path::new(shared), &[shared.into()], Path::new("/h")),
                None
            );
        }
        assert_eq!(root_of(Path::new("relative"), &[], Path::new("/h")), None);
    }

    #[test]
    fn nested_projects_are_told_apart() {
        let world = World::new();
        world.folder("mono/.git");
        world.folder("mono/packages/one/src");
        world.folder("mono/vendor/lib/.git");
        let known = ["mono", "mono/packages/one"];
        assert_eq!(
            world.root("mono/packages/one/src", &known).unwrap(),
            "mono/packages/one"
        );
        assert_eq!(world.root("mono/packages", &known).unwrap(), "mono");
        assert_eq!(
            world.root("mono/vendor/lib", &known).unwrap(),
            "mono/vendor/lib"
        );
    }

    #[test]
    fn worktrees_are_their_repository_and_submodules_are_their_own() {
        let world = World::new();
        let tree = world.folder("app/.git/worktrees/fix");
        world.file("app/.git/worktrees/fix/commondir", "../..\n");
        world.file(
            "app/.git/worktrees/fix/gitdir",
            &format!("{}\n", world.at("fix/.git").display()),
        );
        world.file("fix/.git", &format!("gitdir: {}\n", tree.display()));
        world.folder("fix/packages/one");
        world.folder("app/packages/one");
        assert_eq!(world.root("fix", &[]).unwrap(), "app");
        assert_eq!(
            world
                .root("fix/packages/one", &["app/packages/one"])
                .unwrap(),
            "app/packages/one"
        );

        world.folder("app/.git/modules/sub");
        world.file("app/sub/.git", "gitdir: ../.git/modules/sub\n");
        assert_eq!(world.root("app/sub", &["app"]).unwrap(), "app/sub");

        // A folder that only claims to be a worktree of another repository is not.
        world.file("evil/.git", &format!("gitdir: {}\n", tree.display()));
        assert_eq!(world.root("evil", &[]).unwrap(), "evil");
        world.file("broken/.git", "gitdir: /nowhere/at/all\n");
        assert_eq!(world.root("broken", &[]).unwrap(), "broken");
    }

    #[test]
    fn a_folder_that_is_gone_never_becomes_its_parent() {
        let world = World::new();
        world.folder("home/code/.git");
        world.folder("home/code/app/.git");
        assert_eq!(world.root("home/code/gone/src", &[]), None);
        assert_eq!(
            world
                .root("home/code/gone/src", &["home/code/gone"])
                .unwrap(),
            "home/code/gone"
        );
        assert_eq!(
            world
                .root("home/code/app/.claude/worktrees/x/src", &["home/code/app"])
                .unwrap(),
            "home/code/app"
        );
        assert_eq!(
            world
                .root("home/code/app/.claude/worktrees/x", &[])
                .unwrap(),
            "home/code/app"
        );
    }

    #[test]
    fn a_link_to_a_project_is_the_project() {
        let world = World::new();
        world.folder("real/.git");
        std::os::unix::fs::symlink(world.at("real"), world.at("link")).unwrap();
        assert_eq!(world.root("link", &[]).unwrap(), "real");
        assert_eq!(world.root("real", &["link"]).unwrap(), "real");
    }

    #[test]
    fn windows_spellings_are_one_project() {
        let root = |cwd: &str, known: &[&str]| {
            let known: Vec<_> = known.iter().map(PathBuf::from).collect();
            root_of(Path::new(cwd), &known, Path::new("/h"))
        };
        for cwd in [r"C:\Users\Dev\p", r"c:\Users\Dev\p\", "C:/Users/Dev/p"] {
            assert_eq!(root(cwd, &[]), Some("C:/Users/Dev/p".into()), "{cwd}");
        }
        assert_eq!(
            root(r"c:\users\dev\p\src", &[r"C:\Users\Dev\p"]),
            Some("C:/Users/Dev/p".into())
        );
        assert_eq!(
            root(r"C:\Users\Dev\p-old", &[r"C:\Users\Dev\p"]),
            Some("C:/Users/Dev/p-old".into())
        );
        assert_eq!(
            root(r"\\wsl$\Ubuntu\home\dev\p", &[]),
            Some("//wsl$/Ubuntu/home/dev/p".into())
        );
        assert_eq!(root(r"C:\", &[]), None);
    }
}
