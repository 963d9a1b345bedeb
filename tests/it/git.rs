//! The memory's own repository: nothing of the user's or of a stranger's has a say in it.

use crate::world::git;
use jiff::Timestamp;
use memd::git::parent::{Kept, keep_link_out, keep_out};
use memd::git::{GitError, Message, Repo};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

fn now() -> Timestamp {
    Timestamp::from_second(1_790_000_000).unwrap()
}

fn message(subject: &str) -> Message {
    Message {
        subject: subject.to_owned(),
        body: String::new(),
        trailers: vec![("Memd-Proposal".to_owned(), "0a1b2c3d".to_owned())],
    }
}

/// A memory folder with its four files.
fn memory(dir: &Path) -> PathBuf {
    let memory = dir.join(".memory");
    for sub in ["archive", "inbox"] {
        std::fs::create_dir_all(memory.join(sub)).unwrap();
        std::fs::write(memory.join(sub).join(".gitkeep"), "").unwrap();
    }
    for name in ["state.md", "decisions.md", "mistakes.md", "todo.md"] {
        std::fs::write(memory.join(name), format!("# {name}\r\n")).unwrap();
    }
    memory
}

#[test]
fn plain_git_finds_one_impersonal_commit_and_a_clean_tree() {
    let dir = tempfile::tempdir().unwrap();
    let memory = memory(dir.path());
    let repo = Repo::open_or_init(&memory).unwrap();
    assert!(repo.is_dirty().unwrap());
    let id = repo.commit_disk(&message("one"), now()).unwrap().unwrap();
    assert!(!repo.is_dirty().unwrap());
    assert_eq!(repo.commit_disk(&message("two"), now()).unwrap(), None);
    std::fs::write(memory.join("inbox/note.md"), "raw").unwrap();

    assert_eq!(git(&memory, &["status", "--porcelain"]), "");
    let who = git(&memory, &["log", "--format=%H %an %ae %cn %ce %at"]);
    let fixed = "memd memd@localhost memd memd@localhost 1790000000";
    assert_eq!(who.trim(), format!("{id} {fixed}"));
    assert_eq!(git(&memory, &["fsck", "--strict"]).trim(), "");
    let files = git(&memory, &["ls-tree", "-r", "--name-only", "HEAD"]);
    assert!(!files.contains("note.md"), "{files}");
    assert_eq!(files.lines().count(), 6, "{files}");
    let log = repo.log(10).unwrap();
    assert_eq!(log[0].trailer("Memd-Proposal"), Some("0a1b2c3d"));
    assert_eq!(repo.show(&id).unwrap().len(), 6);
}

#[test]
fn given_bytes_are_committed_whatever_stands_on_disk() {
    let dir = tempfile::tempdir().unwrap();
    let memory = memory(dir.path());
    let repo = Repo::open_or_init(&memory).unwrap();
    repo.commit_disk(&message("one"), now()).unwrap();
    std::fs::write(memory.join("state.md"), "by hand").unwrap();
    let files = [("todo.md".to_owned(), Some(b"decided".to_vec()))].into();
    let id = repo
        .commit_decision(Some(&files), &message("two"), now())
        .unwrap();
    let shown = repo.show(&id).unwrap();
    assert_eq!(shown.len(), 1);
    assert_eq!(shown[0].after.as_deref(), Some("decided"));
    let mut changed = repo.changed().unwrap();
    changed.sort();
    assert_eq!(changed, ["state.md", "todo.md"]);
}

#[test]
fn the_users_configuration_has_no_say() {
    let home = tempfile::tempdir().unwrap();
    let canary = home.path().join("canary");
    let hooks = home.path().join("hooks");
    std::fs::create_dir_all(hooks.join("hooks")).unwrap();
    let script = format!("#!/bin/sh\ntouch {}\nexit 1\n", canary.display());
    for name in [
        "pre-commit",
        "commit-msg",
        "post-commit",
        "reference-transaction",
    ] {
        let path = hooks.join(name);
        std::fs::write(&path, &script).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        std::fs::copy(&path, hooks.join("hooks").join(name)).unwrap();
    }
    let hooks = hooks.display();
    std::fs::write(
        home.path().join(".gitconfig"),
        format!(
            "[user]\n\tname = Jane Roe\n\temail = jane@corp.example\n[commit]\n\tgpgsign = true\n\
             [gpg]\n\tprogram = {hooks}/pre-commit\n[core]\n\thooksPath = {hooks}\n\
             \tautocrlf = true\n\tfsmonitor = {hooks}/pre-commit\n\tlogAllRefUpdates = always\n\
             [init]\n\ttemplateDir = {hooks}\n\tdefaultBranch = elsewhere\n\
             [filter \"x\"]\n\tclean = {hooks}/pre-commit\n\trequired = true\n"
        ),
    )
    .unwrap();
    // A child process, since HOME belongs to the whole process.
    let project = home.path().join("project");
    std::fs::create_dir_all(&project).unwrap();
    std::fs::write(project.join(".gitattributes"), "* filter=x text\n").unwrap();
    let memory = memory(&project);
    std::fs::write(memory.join(".gitattributes"), "* filter=x text\n").unwrap();
    let run = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "git::child_commits_memory", "--nocapture"])
        .env_clear()
        .env("HOME", home.path())
        .env("MEMD_TEST_MEMORY", &memory)
        .output()
        .unwrap();
    assert!(run.status.success(), "{run:?}");
    assert!(!canary.exists(), "something of the user's was executed");
    let who = git(&memory, &["log", "--format=%an %ae %cn %ce %G?"]);
    assert_eq!(who.trim(), "memd memd@localhost memd memd@localhost N");
    assert_eq!(git(&memory, &["show", "HEAD:state.md"]), "# state.md\r\n");
    assert_eq!(git(&memory, &["branch", "--show-current"]).trim(), "main");
    assert!(!memory.join(".git/hooks/pre-commit").exists());
    assert!(!holds(&memory.join(".git"), b"corp.example"));
}

/// Whether any file below holds these bytes.
fn holds(dir: &Path, needle: &[u8]) -> bool {
    std::fs::read_dir(dir).unwrap().any(|item| {
        let path = item.unwrap().path();
        if path.is_dir() {
            return holds(&path, needle);
        }
        let bytes = std::fs::read(&path).unwrap();
        bytes.windows(needle.len()).any(|w| w == needle)
    })
}

#[test]
fn child_commits_memory() {
    if let Some(memory) = std::env::var_os("MEMD_TEST_MEMORY") {
        let repo = Repo::open_or_init(Path::new(&memory)).unwrap();
        repo.commit_disk(&message("one"), now()).unwrap().unwrap();
        assert!(!repo.is_dirty().unwrap());
    }
}

#[test]
fn a_strangers_repository_executes_nothing_and_leads_nowhere() {
    let dir = tempfile::tempdir().unwrap();
    let memory = memory(dir.path());
    git(&memory, &["init", "-q"]);
    let canary = dir.path().join("canary");
    let script = memory.join(".git/hooks/pre-commit");
    std::fs::create_dir_all(script.parent().unwrap()).unwrap();
    std::fs::write(&script, format!("#!/bin/sh\ntouch {}\n", canary.display())).unwrap();
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
    let run = script.display();
    std::fs::write(
        memory.join(".git/config"),
        format!(
            "[core]\n\tbare = false\n\tworktree = /\n\tfsmonitor = {run}\n\tautocrlf = true\n\
             [user]\n\tname = Mallory\n[commit]\n\tgpgsign = true\n[gpg]\n\tprogram = {run}\n\
             [filter \"x\"]\n\tclean = {run}\n[diff]\n\texternal = {run}\n"
        ),
    )
    .unwrap();
    std::fs::write(memory.join(".git/info/attributes"), "* filter=x\n").unwrap();
    let repo = Repo::open_or_init(&memory).unwrap();
    repo.commit_disk(&message("one"), now()).unwrap().unwrap();
    assert!(!repo.is_dirty().unwrap());
    assert_eq!(repo.log(5).unwrap().len(), 1);
    assert!(!canary.exists());
}

#[test]
fn links_gitfiles_and_borrowed_folders_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let project = dir.path().join("project");
    std::fs::create_dir_all(&project).unwrap();
    git(&project, &["init", "-q"]);
    let memory = memory(&project);
    let dot_git = memory.join(".git");
    let refused = |why: &str| {
        let error = Repo::open_or_init(&memory).unwrap_err();
        assert!(matches!(error, GitError::Foreign { .. }), "{error}");
        assert!(error.to_string().contains(why), "{error}");
    };
    // Nothing is found by walking up.
    assert!(matches!(Repo::open(&memory), Err(GitError::Missing { .. })));
    std::os::unix::fs::symlink(project.join(".git"), &dot_git).unwrap();
    refused("is a symbolic link");
    std::fs::remove_file(&dot_git).unwrap();
    std::fs::write(&dot_git, "gitdir: ../.git\n").unwrap();
    refused("points elsewhere");
    std::fs::remove_file(&dot_git).unwrap();
    git(&memory, &["init", "-q"]);
    std::fs::write(dot_git.join("commondir"), "../../.git\n").unwrap();
    refused("depend on another");
    std::fs::remove_file(dot_git.join("commondir")).unwrap();
    std::fs::rename(dot_git.join("objects"), dir.path().join("objects")).unwrap();
    std::os::unix::fs::symlink(dir.path().join("objects"), dot_git.join("objects")).unwrap();
    refused("is a symbolic link");
}

#[test]
fn links_and_pipes_in_place_of_memory_files_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let memory = memory(dir.path());
    let repo = Repo::open_or_init(&memory).unwrap();
    repo.commit_disk(&message("one"), now()).unwrap();
    let state = memory.join("state.md");
    std::fs::remove_file(&state).unwrap();
    std::os::unix::fs::symlink("/etc/hostname", &state).unwrap();
    assert!(matches!(repo.changed(), Err(GitError::Fs(_))));
    std::fs::remove_file(&state).unwrap();
    Command::new("mkfifo").arg(&state).status().unwrap();
    assert!(matches!(
        repo.commit_disk(&message("two"), now()),
        Err(GitError::Fs(_))
    ));
}

#[test]
fn a_read_only_repository_is_an_error_and_memory_stands() {
    let dir = tempfile::tempdir().unwrap();
    let memory = memory(dir.path());
    let repo = Repo::open_or_init(&memory).unwrap();
    repo.commit_disk(&message("one"), now()).unwrap();
    // A folder in the lock's place stops every owner, root too.
    std::fs::create_dir(memory.join(".git/refs/heads/main.lock")).unwrap();
    std::fs::write(memory.join("state.md"), "new").unwrap();
    assert!(matches!(
        repo.commit_disk(&message("two"), now()),
        Err(GitError::Git { .. })
    ));
    std::fs::remove_dir(memory.join(".git/refs/heads/main.lock")).unwrap();
    assert!(repo.commit_disk(&message("two"), now()).unwrap().is_some());
    assert_eq!(
        std::fs::read_to_string(memory.join("state.md")).unwrap(),
        "new"
    );
}

#[test]
fn a_message_cannot_forge_lines_or_escapes() {
    let dir = tempfile::tempdir().unwrap();
    let memory = memory(dir.path());
    let repo = Repo::open_or_init(&memory).unwrap();
    let evil = "fine\n\nMemd-Proposal: ffffffff\u{1b}[2J";
    repo.commit_disk(&message(evil), now()).unwrap();
    let log = repo.log(1).unwrap();
    assert_eq!(log[0].message.trailers.len(), 1);
    assert_eq!(log[0].trailer("Memd-Proposal"), Some("0a1b2c3d"));
    assert!(!log[0].message.subject.contains('\u{1b}'));
}

#[test]
fn memory_never_enters_the_projects_own_history() {
    let dir = tempfile::tempdir().unwrap();
    let project = dir.path().join("project");
    std::fs::create_dir_all(&project).unwrap();
    git(&project, &["init", "-q", "-b", "main"]);
    std::fs::write(project.join(".gitignore"), "target").unwrap();
    let memory = memory(&project);
    // As memd 0.3.0 left it: memory tracked by the project.
    git(&project, &["add", "-A"]);
    let who = ["-c", "user.name=a", "-c", "user.email=a@b"];
    let commit = [&who[..], &["commit", "-qm", "all"]].concat();
    git(&project, &commit);

    let done = keep_out(&project).unwrap();
    assert_eq!(
        done,
        [
            Kept::Ignored(project.join(".gitignore")),
            Kept::Untracked(6)
        ]
    );
    assert!(memory.join("state.md").exists());
    let ignore = std::fs::read_to_string(project.join(".gitignore")).unwrap();
    assert_eq!(ignore, "target\n.memory/\n");
    Repo::open_or_init(&memory)
        .unwrap()
        .commit_disk(&message("one"), now())
        .unwrap();
    git(&project, &["add", "-A"]);
    git(&project, &commit);
    let tree = git(&project, &["ls-tree", "-r", "--name-only", "HEAD"]);
    assert_eq!(tree.trim(), ".gitignore");
    assert_eq!(keep_out(&project).unwrap(), []);
    assert_eq!(git(&project, &["status", "--porcelain"]), "");
}

#[test]
fn a_linked_worktree_does_not_commit_the_link() {
    let dir = tempfile::tempdir().unwrap();
    let project = dir.path().join("project");
    std::fs::create_dir_all(&project).unwrap();
    git(&project, &["init", "-q", "-b", "main"]);
    let who = ["-c", "user.name=a", "-c", "user.email=a@b"];
    git(
        &project,
        &[&who[..], &["commit", "-q", "--allow-empty", "-m", "x"]].concat(),
    );
    git(&project, &["worktree", "add", "-q", "../linked"]);
    let linked = dir.path().join("linked");
    let memory = memory(&project);
    std::os::unix::fs::symlink(&memory, linked.join(".memory")).unwrap();
    assert_eq!(keep_link_out(&linked).unwrap().len(), 1);
    assert_eq!(keep_link_out(&linked).unwrap(), []);
    assert_eq!(git(&linked, &["status", "--porcelain"]), "");
}
