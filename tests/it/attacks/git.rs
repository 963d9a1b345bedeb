//! Repositories that others have laid: around the project, in the memory, in the user's own
//! configuration. Nothing of them runs, nothing waits for a pipe, and what is refused is named.

use super::lost::accepted;
use super::scene::{Scene, both};
use crate::load::copy;
use crate::world::git;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// No command waits for so long; one that waits for a pipe waits for ever.
const LONG: Duration = Duration::from_secs(60);
const COMMANDS: [&[&str]; 7] = [
    &["init"],
    &["log"],
    &["verify"],
    &["doctor"],
    &["hook", "session-start"],
    &["distill", "--dry-run"],
    &["scan", "--history"],
];

/// What was laid, and how: with a pipe or another repository.
type Laid<'a> = (&'a str, &'a dyn Fn(&Scene, &Path));

fn pipe(path: &Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
}

/// A project with a git of its own around its memory, in which a person accepted an entry.
fn project() -> (Scene, PathBuf) {
    let scene = accepted();
    git(&scene.root, &["init", "-q", "-b", "main"]);
    assert!(scene.memd(&["init"]).status.success());
    let pipe_at = scene.home.path().join("a pipe");
    pipe(&pipe_at);
    (scene, pipe_at)
}

/// What every command says, none of which may wait.
fn all_say(scene: &Scene) -> String {
    let mut said = String::new();
    for args in COMMANDS {
        let mut memd = scene.home.memd(&scene.root);
        let run = memd.args(args).timeout(LONG).output().unwrap();
        let text = both(&run);
        assert!(run.status.code().is_some(), "{args:?} waited: {text}");
        said.push_str(&format!("--- {args:?} {:?}\n{text}", run.status.code()));
    }
    assert!(scene.brief().contains("port 9090"), "{said}");
    said
}

#[test]
fn a_pipe_that_any_configuration_names_is_refused_and_not_waited_for() {
    let include = |to: &Path| format!("[include]\n\tpath = {}\n", to.display());
    let excludes = |to: &Path| format!("[core]\n\texcludesfile = {}\n", to.display());
    let makes: [Laid<'_>; 7] = [
        ("the user's includes one", &|scene, to| {
            std::fs::write(scene.home.path().join(".gitconfig"), include(to)).unwrap();
        }),
        ("the user's is one", &|scene, _| {
            pipe(&scene.home.path().join(".gitconfig"));
        }),
        ("the project's includes one", &|scene, to| {
            let config = scene.root.join(".git/config");
            let text = std::fs::read_to_string(&config).unwrap();
            std::fs::write(config, text + &include(to)).unwrap();
        }),
        ("the project's names ignored files by one", &|scene, to| {
            let config = scene.root.join(".git/config");
            let text = std::fs::read_to_string(&config).unwrap();
            std::fs::write(config, text + &excludes(to)).unwrap();
        }),
        ("the project's index is one", &|scene, _| {
            pipe(&scene.root.join(".git/index"));
        }),
        ("memory's ignored files are named by one", &|scene, _| {
            pipe(&scene.root.join(".memory/.gitignore"));
        }),
        ("memory's history is one", &|scene, _| {
            let head = scene.root.join(".memory/.git/HEAD");
            std::fs::remove_file(&head).unwrap();
            pipe(&head);
        }),
    ];
    let (scene, to) = project();
    let keep =
        |from: &str, to: &str| copy(&scene.home.path().join(from), &scene.home.path().join(to));
    keep("app", "kept");
    for (what, make) in makes {
        make(&scene, &to);
        let said = all_say(&scene);
        let is_named = said.contains("is a named pipe, not a plain file");
        assert!(is_named, "{what}: {said}");
        let _ = std::fs::remove_file(scene.home.path().join(".gitconfig"));
        std::fs::remove_dir_all(&scene.root).unwrap();
        keep("kept", "app");
    }
}

#[test]
fn a_git_configuration_that_cannot_be_read_is_named_and_fails_no_decision() {
    let scene = accepted();
    let config = scene.home.path().join(".gitconfig");
    std::fs::write(&config, "[user]\n\tname = a\n[core\n").unwrap();
    for args in [&["log"][..], &["doctor"], &["verify"]] {
        let said = both(&scene.memd(args));
        let named = format!(".gitconfig:{}", 3);
        assert!(
            said.contains("reads your git configuration first") && said.contains(&named),
            "{args:?}: {said}"
        );
    }
    scene.user("s", "The queue is SQLite.");
    scene.staged(&serde_json::json!([super::scene::add(
        "state.md",
        "- The queue is SQLite."
    )]));
    scene.review(&["a"]);
    assert!(scene.brief().contains("The queue is SQLite"));
    assert!(
        scene
            .says(&["status"])
            .contains("1 commit, made with the next review, distill or doctor")
    );
    std::fs::remove_file(&config).unwrap();
    scene.review_nothing();
    let log = git(&scene.root.join(".memory"), &["log", "-p", "-1"]);
    assert!(log.contains("+- The queue is SQLite."), "{log}");
    assert!(scene.says(&["verify"]).starts_with("all good"));
}

#[test]
fn nothing_of_the_projects_own_git_is_run() {
    let (scene, _) = project();
    let (root, canary) = (&scene.root, scene.home.path().join("canary"));
    let trap = root.join("trap.sh");
    std::fs::write(&trap, format!("#!/bin/sh\ntouch {canary:?}\ncat\n")).unwrap();
    std::fs::set_permissions(&trap, PermissionsExt::from_mode(0o755)).unwrap();
    // As memd 0.3 left it: memory tracked, so that its index has to be written.
    std::fs::remove_file(root.join(".gitignore")).unwrap();
    git(root, &["add", "-f", "-A"]);
    let command = trap.to_str().unwrap();
    for key in [
        "core.fsmonitor",
        "core.hooksPath",
        "core.editor",
        "core.askPass",
        "core.sshCommand",
        "filter.trap.clean",
        "filter.trap.smudge",
        "filter.trap.process",
        "diff.external",
        "diff.trap.textconv",
        "gpg.program",
        "credential.helper",
        "uploadpack.packObjectsHook",
    ] {
        git(root, &["config", key, command]);
    }
    git(root, &["config", "--unset", "core.hooksPath"]);
    for hook in ["post-index-change", "reference-transaction", "pre-commit"] {
        std::fs::copy(&trap, root.join(".git/hooks").join(hook)).unwrap();
    }
    std::fs::write(root.join(".gitattributes"), "* filter=trap diff=trap\n").unwrap();
    std::fs::write(
        root.join(".gitmodules"),
        "[submodule \"x\"]\n\tpath = .memory\n\turl = ext::sh\n\tupdate = !touch canary\n",
    )
    .unwrap();
    let many = (1..200_000).map(|n| format!("{n:040x} refs/tags/t{n:07}\n"));
    std::fs::write(root.join(".git/packed-refs"), many.collect::<String>()).unwrap();
    let said = all_say(&scene);
    assert!(said.contains("tracked 1 file of memory"), "{said}");
    assert!(!canary.exists() && !root.join("canary").exists(), "{said}");
}

#[test]
fn a_git_folder_that_leads_elsewhere_leads_nothing_of_memd_there() {
    let makes: [Laid<'_>; 5] = [
        ("another work tree", &|scene, other| {
            git(
                &scene.root,
                &["config", "core.worktree", other.to_str().unwrap()],
            );
        }),
        ("a link to itself", &|scene, _| {
            let dot_git = scene.root.join(".git");
            std::fs::remove_dir_all(&dot_git).unwrap();
            std::os::unix::fs::symlink(".git", dot_git).unwrap();
        }),
        ("a link to another", &|scene, other| {
            let dot_git = scene.root.join(".git");
            std::fs::remove_dir_all(&dot_git).unwrap();
            std::os::unix::fs::symlink(other.join(".git"), dot_git).unwrap();
        }),
        ("a file that names another", &|scene, other| {
            let dot_git = scene.root.join(".git");
            std::fs::remove_dir_all(&dot_git).unwrap();
            std::fs::write(
                dot_git,
                format!("gitdir: {}\n", other.join(".git").display()),
            )
            .unwrap();
        }),
        ("objects of another", &|scene, other| {
            let info = scene.root.join(".git/objects/info");
            std::fs::create_dir_all(&info).unwrap();
            let objects = other.join(".git/objects").display().to_string();
            std::fs::write(info.join("alternates"), objects).unwrap();
        }),
    ];
    let (scene, _) = project();
    let other = scene.home.folder("other");
    git(&other, &["init", "-q", "-b", "main"]);
    std::fs::write(other.join("a"), "a").unwrap();
    git(&other, &["add", "a"]);
    git(&other, &["commit", "-qm", "a"]);
    let before = listed(&other);
    let kept = scene.home.path().join("kept");
    copy(&scene.root, &kept);
    for (what, make) in makes {
        make(&scene, &other);
        let said = all_say(&scene);
        assert_eq!(listed(&other), before, "{what}: {said}");
        std::fs::remove_dir_all(&scene.root).unwrap();
        copy(&kept, &scene.root);
    }
}

/// Every file below a folder.
fn listed(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for item in std::fs::read_dir(dir).unwrap() {
        let path = item.unwrap().path();
        if path.is_dir() {
            all.extend(listed(&path));
        } else {
            let bytes = std::fs::read(&path).unwrap();
            all.push((path, bytes));
        }
    }
    all.sort();
    all
}
