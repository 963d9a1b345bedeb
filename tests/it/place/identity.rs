//! Siblings, nesting, worktrees: one project each, whatever its folder.

use super::{given, run, said, session};
use crate::seed::Seed;
use crate::support::Home;
use crate::world::git;
use memd::memory::MemoryFile;
use std::path::{Path, PathBuf};

/// A repository with one commit.
fn repository(home: &Home, name: &str) -> PathBuf {
    let root = home.folder(name);
    git(&root, &["init", "-q", "-b", "main"]);
    git(&root, &["commit", "-q", "--allow-empty", "-m", "x"]);
    root
}

/// A linked worktree of it.
fn worktree(home: &Home, of: &Path, name: &str) -> PathBuf {
    let path = home.path().join(name);
    let branch = name.replace('/', "-");
    let text = path.to_str().unwrap();
    git(of, &["worktree", "add", "-q", "-b", &branch, text]);
    assert!(path.is_dir(), "{name}");
    path
}

/// A home with every kind of neighbour: what each directory's project is, if it has one.
struct Neighbours {
    home: Home,
    seeds: Vec<Seed>,
    table: Vec<(PathBuf, Option<PathBuf>)>,
}

impl Neighbours {
    fn new() -> Self {
        let home = Home::new();
        let at = |name: &str| home.path().join(name);
        let app = repository(&home, "code/app");
        repository(&home, "code/app-legacy");
        repository(&home, "code/app/legacy");
        let lib = repository(&home, "code/lib");
        let lib = lib.to_str().unwrap();
        let allow = "protocol.file.allow=always";
        git(&app, &["-c", allow, "submodule", "add", "-q", lib, "sub"]);
        assert!(app.join("sub/.git").is_file());
        git(&app, &["commit", "-qam", "sub"]);
        let bare = home.folder("srv/tool.git");
        git(&bare, &["init", "-q", "--bare", "-b", "main"]);
        git(
            &at("code/lib"),
            &["push", "-q", bare.to_str().unwrap(), "main"],
        );
        for (of, name) in [
            (&app, "code/app-fix"),
            (&app, "code/app/.claude/worktrees/nested"),
            (&app, "elsewhere/app"),
            (&app, "code/app-gone"),
            (&app, "code/app-pruned"),
            (&bare, "srv/one"),
            (&bare, "srv/two"),
        ] {
            worktree(&home, of, name);
        }
        let seeds: Vec<Seed> = [
            "code/app",
            "code/app-legacy",
            "code/app/legacy",
            "code/app.legacy",
            "code/app_legacy",
            "code/app/sub",
            "srv/tool.git",
        ]
        .map(|name| Seed::new(&home, name))
        .into();
        for seed in &seeds {
            let fact = format!("- The fact is {}.", fact(&seed.root));
            seed.write(MemoryFile::State, &fact);
            seed.accept_all();
        }
        // What is read once is remembered for the day when it is gone.
        given(&home, &app);
        std::fs::remove_dir_all(at("code/app-gone")).unwrap();
        let pruned = at("code/app-pruned");
        let text = pruned.to_str().unwrap();
        git(&app, &["worktree", "remove", "--force", text]);
        assert!(!pruned.exists());
        std::os::unix::fs::symlink(at("code/app"), at("code/link")).unwrap();
        let table = [
            ("code/app", "code/app"),
            ("code/app/src", "code/app"),
            ("code/app-legacy", "code/app-legacy"),
            ("code/app/legacy", "code/app/legacy"),
            ("code/app.legacy", "code/app.legacy"),
            ("code/app_legacy", "code/app_legacy"),
            ("code/app/sub", "code/app/sub"),
            ("code/app-fix", "code/app"),
            ("code/app-fix/gone/since", "code/app"),
            ("code/app/.claude/worktrees/nested", "code/app"),
            ("code/app/.claude/worktrees/no-more/src", "code/app"),
            ("elsewhere/app", "code/app"),
            ("code/app-gone/src", "code/app"),
            ("code/app-pruned", "code/app"),
            ("code/link", "code/app"),
            ("srv/one", "srv/tool.git"),
            ("srv/two/src", "srv/tool.git"),
            ("srv/tool.git", "srv/tool.git"),
            ("code", ""),
            ("code/app-legacy2", ""),
            ("code/never/was", ""),
            ("elsewhere", ""),
            ("", ""),
        ];
        for name in ["code/app/src", "srv/two/src"] {
            home.folder(name);
        }
        let whose = |name: &str| (!name.is_empty()).then(|| at(name));
        let mut table: Vec<_> = table.map(|(cwd, root)| (at(cwd), whose(root))).into();
        table.push(("/".into(), None));
        table.push(("/tmp".into(), None));
        Self { home, seeds, table }
    }
}

/// A word that only this root's memory holds.
fn fact(root: &Path) -> String {
    let name: Vec<_> = root.iter().rev().take(2).collect();
    let name = name.iter().map(|n| n.to_string_lossy()).rev();
    format!("<{}>", name.collect::<Vec<_>>().join(":"))
}

#[test]
fn a_session_is_counted_to_exactly_one_project() {
    let all = Neighbours::new();
    for (n, (cwd, _)) in all.table.iter().enumerate() {
        session(&all.home, cwd, &format!("word{n:02}"));
    }
    let mut found = vec![Vec::new(); all.table.len()];
    for seed in &all.seeds {
        let root = seed.root.to_str().unwrap();
        let text = said(&all.home, &all.home.path(), &["digest", "--project", root]);
        for (n, found) in found.iter_mut().enumerate() {
            if text.contains(&format!("the word is word{n:02}")) {
                found.push(seed.root.clone());
            }
        }
    }
    for ((cwd, root), found) in all.table.iter().zip(found) {
        let expected: Vec<_> = root.iter().cloned().collect();
        assert_eq!(found, expected, "{cwd:?}");
    }
    // Status counts the same from the heads of the files.
    let (_, json) = run(&all.home, &all.home.path(), &["status", "--json"]);
    let views: Vec<serde_json::Value> = serde_json::from_str(&json).unwrap();
    for view in views {
        let root = Path::new(view["root"].as_str().unwrap());
        let own = all.table.iter().filter(|(_, r)| r.as_deref() == Some(root));
        assert_eq!(view["pending_sources"], own.count(), "{root:?}");
    }
}

#[test]
fn a_session_is_given_its_own_projects_memory_and_no_others() {
    let all = Neighbours::new();
    for (cwd, root) in &all.table {
        let text = given(&all.home, cwd).replace('‹', "<");
        for seed in &all.seeds {
            let holds = text.contains(&fact(&seed.root));
            let is_its = root.as_ref() == Some(&seed.root);
            assert_eq!(holds, is_its, "{cwd:?} {:?}: {text}", seed.root);
        }
    }
}

#[test]
fn worktrees_share_the_memory_when_a_session_begins_there() {
    let all = Neighbours::new();
    let at = |name: &str| all.home.path().join(name);
    for (tree, root) in [
        ("code/app-fix", "code/app"),
        ("elsewhere/app", "code/app"),
        ("srv/one", "srv/tool.git"),
    ] {
        given(&all.home, &at(tree));
        let link = at(tree).join(".memory");
        assert!(link.is_symlink(), "{tree}");
        assert_eq!(link.canonicalize().unwrap(), at(root).join(".memory"));
        git(&at(tree), &["add", "-A"]);
        assert_eq!(git(&at(tree), &["status", "--porcelain"]), "", "{tree}");
    }
    assert!(!at("srv/two/.memory").exists(), "nobody was there");
    // What leads elsewhere, or holds what is nowhere else, is left as it is.
    let foreign = all.home.folder("foreign");
    std::os::unix::fs::symlink(&foreign, at("srv/two/.memory")).unwrap();
    let own = all.home.folder("code/app/.claude/worktrees/nested/.memory");
    std::fs::write(own.join("state.md"), "only here").unwrap();
    for tree in ["srv/two", "code/app/.claude/worktrees/nested"] {
        let text = given(&all.home, &at(tree));
        assert!(text.contains("The fact is "), "{tree}: {text}");
    }
    assert_eq!(std::fs::read_dir(&foreign).unwrap().count(), 0);
    assert_eq!(std::fs::read_link(at("srv/two/.memory")).unwrap(), foreign);
    let kept = std::fs::read_to_string(own.join("state.md")).unwrap();
    assert_eq!(kept, "only here");
}

#[test]
fn init_in_a_worktree_of_a_bare_repository_makes_one_memory_for_all() {
    let home = Home::new();
    let lib = repository(&home, "lib");
    let hidden = home.path().join("app/.bare");
    home.folder("app");
    let (from, to) = (lib.to_str().unwrap(), hidden.to_str().unwrap());
    git(&home.path(), &["clone", "-q", "--bare", from, to]);
    std::fs::write(home.path().join("app/.git"), "gitdir: ./.bare\n").unwrap();
    let one = worktree(&home, &hidden, "app/one");
    let two = worktree(&home, &hidden, "app/two");
    said(&home, &one, &["init"]);
    assert!(home.path().join("app/.memory/state.md").is_file());
    said(&home, &two, &["init"]);
    for tree in [&one, &two] {
        assert!(tree.join(".memory").is_symlink(), "{tree:?}");
    }
    let status = said(&home, &two, &["status", "--porcelain"]);
    assert_eq!(status.lines().count(), 1, "{status}");
}
