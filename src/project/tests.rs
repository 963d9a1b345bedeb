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

    /// A linked worktree, as git makes it: its name in the repository, and its folder.
    fn worktree(&self, repository: &str, common: &str, tree: &str) {
        let name = tree.replace('/', "-");
        let folder = self.folder(&format!("{repository}/{common}/worktrees/{name}"));
        let at = folder.strip_prefix(self.at("")).unwrap().to_str().unwrap();
        self.file(&format!("{at}/commondir"), "../..\n");
        let back = format!("{}\n", self.at(tree).join(".git").display());
        self.file(&format!("{at}/gitdir"), &back);
        let text = format!("gitdir: {}\n", folder.display());
        self.file(&format!("{tree}/.git"), &text);
    }

    /// A path below the world.
    fn below(&self, path: &Path) -> String {
        let below = path.strip_prefix(self.at("")).unwrap();
        below.to_str().unwrap().to_owned()
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

#[test]
fn a_repository_without_a_working_tree_is_one_project_of_all_its_worktrees() {
    let world = World::new();
    world.worktree("srv/tool.git", "", "srv/one");
    world.worktree("srv/tool.git", "", "srv/two");
    world.file("hidden/.git", "gitdir: ./.bare\n");
    world.worktree("hidden", ".bare", "hidden/main");
    world.folder("hidden/main/src");
    for (cwd, root) in [
        ("srv/one", "srv/tool.git"),
        ("srv/two", "srv/tool.git"),
        ("hidden/main/src", "hidden"),
        ("hidden", "hidden"),
    ] {
        assert_eq!(world.root(cwd, &[]).as_deref(), Some(root), "{cwd}");
    }
}

#[test]
fn a_submodule_in_a_worktree_is_the_submodule_of_the_repository() {
    let world = World::new();
    world.worktree("app", ".git", "fix");
    world.folder("app/.git/modules/sub");
    world.file("app/sub/.git", "gitdir: ../.git/modules/sub\n");
    world.folder("app/.git/worktrees/fix/modules/sub");
    world.file(
        "fix/sub/.git",
        "gitdir: ../../app/.git/worktrees/fix/modules/sub\n",
    );
    assert_eq!(world.root("app/sub", &[]).unwrap(), "app/sub");
    assert_eq!(world.root("fix/sub", &[]).unwrap(), "app/sub");
    // A repository that only lies in the worktree is its own.
    world.folder("fix/other/.git");
    assert_eq!(world.root("fix/other", &[]).unwrap(), "fix/other");
}

#[test]
fn a_memorys_own_repository_is_no_project() {
    let world = World::new();
    world.folder("app/.git");
    world.folder("app/.memory/.git");
    world.folder("app/.memory/archive");
    assert_eq!(world.root("app/.memory/archive", &[]).unwrap(), "app");
}

#[test]
fn folders_that_are_gone_are_found_by_what_was_known_of_them() {
    let world = World::new();
    world.worktree("app", ".git", "listed");
    world.worktree("app", ".git", "taken");
    let mut known = Known::new(&world.at("home"));
    world.folder("app/packages/one");
    known.add_project(&world.at("app"));
    known.add_project(&world.at("app/packages/one"));
    known.add_alias(&world.at("before"), &world.at("app"));
    known.add_alias(&world.at("before/inner"), &world.at("other"));
    let root = |known: &Known, cwd: &str| known.root_of(&world.at(cwd)).map(|r| world.below(&r));
    std::fs::remove_dir_all(world.at("listed")).unwrap();
    for (cwd, whose) in [
        ("listed/src", Some("app")),
        ("listed/packages/one/src", Some("app/packages/one")),
        ("before", Some("app")),
        ("before/packages/one", Some("app/packages/one")),
        ("before/inner/x", None),
        ("before2", None),
        ("app/gone", Some("app")),
        ("taken/gone", Some("app")),
        ("listed2/src", None),
    ] {
        assert_eq!(root(&known, cwd).as_deref(), whose, "{cwd}");
    }
    // What is there now is what it is now.
    world.folder("before/.git");
    world.folder("before/inner");
    assert_eq!(root(&known, "before").as_deref(), Some("before"));
    // A worktree that another repository has taken is not claimed by the list of the first.
    std::fs::remove_dir_all(world.at("taken")).unwrap();
    world.folder("taken/.git");
    let mut known = Known::new(&world.at("home"));
    known.add_project(&world.at("app"));
    let listed: Vec<_> = known
        .worktrees()
        .map(|(t, _)| world.below(&t.path))
        .collect();
    assert_eq!(listed, ["listed"]);
}

#[test]
fn a_worktree_of_a_repository_that_was_moved_is_still_its() {
    let world = World::new();
    world.worktree("app", ".git", "fix");
    fs::rename(world.at("app"), world.at("renamed")).unwrap();
    let mut known = Known::new(&world.at("home"));
    known.add_project(&world.at("renamed"));
    assert_eq!(known.root_of(&world.at("fix")), Some(world.at("fix")));
    known.add_alias(&world.at("fix"), &world.at("renamed"));
    assert_eq!(known.root_of(&world.at("fix")), Some(world.at("renamed")));
}

#[test]
fn nothing_in_an_excluded_folder_is_anybodys() {
    let world = World::new();
    world.worktree("out/app", ".git", "fix");
    world.worktree("in", ".git", "out/tree");
    world.folder("in/private/x");
    let mut settings = Settings::defaults(&world.at("home"));
    settings.exclude = vec![world.at("out"), world.at("in/private")];
    settings
        .projects
        .insert(world.at("out/app"), Default::default());
    settings.projects.insert(world.at("in"), Default::default());
    let env = |name: &str| (name == "HOME").then(|| world.at("home").into_os_string());
    let places = Places::from_env(env).unwrap();
    let known = Known::configured(&settings, &places);
    for (cwd, whose) in [
        ("out/app", None),
        ("fix", None),
        ("out/tree", None),
        ("in/private/x", None),
        ("out/gone", None),
        ("in", Some("in")),
    ] {
        let root = known.root_of(&world.at(cwd)).map(|r| world.below(&r));
        assert_eq!(root.as_deref(), whose, "{cwd}");
        assert_eq!(known.is_kept_away(&world.at(cwd)), whose.is_none(), "{cwd}");
    }
}

#[test]
fn no_directory_is_the_global_memorys_but_a_user_may_name_it() {
    let world = World::new();
    world.folder("home/brain/.git");
    world.folder("home/brain/src");
    world.folder("home/brain/app/.git");
    let mut settings = Settings::defaults(&world.at("home"));
    settings.global_root = world.at("home/brain");
    let env = |name: &str| (name == "HOME").then(|| world.at("home").into_os_string());
    let mut known = Known::configured(&settings, &Places::from_env(env).unwrap());
    let (brain, app) = (world.at("home/brain"), world.at("home/brain/app"));
    assert_eq!(known.named(&brain), None, "there is no such memory yet");
    known.add_project(&brain);
    assert_eq!(known.named(&brain).as_ref(), Some(&brain));
    for dir in ["home/brain", "home/brain/src", "home/brain/gone"] {
        assert_eq!(known.root_of(&world.at(dir)), None, "{dir}");
    }
    assert_eq!(known.root_of(&app).as_ref(), Some(&app));
    assert_eq!(known.named(&app), Some(app));
}

#[test]
fn only_repositories_nobody_knows_are_new() {
    let world = World::new();
    for name in [
        "home/new",
        "home/known",
        "home/was",
        "home/out",
        "home/.local/state/memd/x",
    ] {
        world.folder(&format!("{name}/.git"));
    }
    world.worktree("home/new", ".git", "home/tree");
    world.folder("home/plain/deep");
    world.folder("home/.git");
    let mut settings = Settings::defaults(&world.at("home"));
    settings.exclude = vec![world.at("home/out")];
    let env = |name: &str| (name == "HOME").then(|| world.at("home").into_os_string());
    let mut known = Known::configured(&settings, &Places::from_env(env).unwrap());
    known.add_project(&world.at("home/known"));
    known.add_forgotten(&world.at("home/was"));
    let dirs = [
        "home",
        "home/new",
        "home/tree",
        "home/known",
        "home/was",
        "home/out",
        "home/plain/deep",
        "home/gone/.git",
        "home/.local/state/memd/x",
    ];
    let mut dirs: Vec<_> = dirs.map(|dir| world.at(dir)).into();
    dirs.push("/".into());
    dirs.push("relative".into());
    let new = seen_new(dirs.iter().map(PathBuf::as_path), &known);
    assert_eq!(new, [world.at("home/new")]);
    // Where the home is no folder for temporary files, what is in one is nobody's project.
    let elsewhere = Known::new(Path::new("/home/dev"));
    assert_eq!(
        seen_new([world.at("home/new").as_path()], &elsewhere),
        [] as [PathBuf; 0]
    );
}
