//! From directories to projects.

use super::*;
use std::fs;

/// These folders are projects.
fn known(roots: &[PathBuf], home: &Path) -> Known {
    let mut known = Known::new(home);
    roots.iter().for_each(|root| known.add_folder(root));
    known
}

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
        let root = known(&registered, &self.at("home")).root_of(&self.at(cwd))?;
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
            known(&[shared.into()], Path::new("/h")).root_of(Path::new(shared)),
            None
        );
    }
    assert_eq!(
        known(&[], Path::new("/h")).root_of(Path::new("relative")),
        None
    );
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
        super::tests::known(&known, Path::new("/h")).root_of(Path::new(cwd))
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
