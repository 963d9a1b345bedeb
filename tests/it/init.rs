//! A project gets its memory: what is missing is made, what exists stays.

use crate::support::Home;
use crate::world::git;
use jiff::Timestamp;
use memd::config::{Places, Settings};
use memd::init::{InitError, Made, Plan, Request, execute, plan};
use std::path::{Path, PathBuf};

fn now() -> Timestamp {
    Timestamp::from_second(1_790_000_000).unwrap()
}

/// A home with a project folder in it.
struct World {
    _dir: tempfile::TempDir,
    home: PathBuf,
    settings: Settings,
    places: Places,
}

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().canonicalize().unwrap();
        let value = home.clone().into_os_string();
        let places = Places::from_env(|name| (name == "HOME").then(|| value.clone())).unwrap();
        Self {
            settings: Settings::defaults(&home),
            places,
            home,
            _dir: dir,
        }
    }

    fn folder(&self, name: &str) -> PathBuf {
        let path = self.home.join(name);
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    fn plan(&self, path: &Path) -> Result<Plan, InitError> {
        let request = Request {
            path: path.to_owned(),
            named: true,
            name: None,
            global: false,
        };
        plan(&request, &self.settings, &self.places, now())
    }

    fn plan_from(&self, cwd: &Path) -> Result<Plan, InitError> {
        let request = Request {
            path: cwd.to_owned(),
            named: false,
            name: None,
            global: false,
        };
        plan(&request, &self.settings, &self.places, now())
    }

    fn init(&self, path: &Path) -> (Plan, Made) {
        let plan = self.plan(path).unwrap();
        let redactor = memd::redact::Redactor::new(&[], &[7; 32]).0;
        let made = execute(&plan, &self.settings, &redactor, now()).unwrap();
        (plan, made)
    }
}

/// Every file below, with its text; the repository's inside left out.
fn files(dir: &Path) -> Vec<(PathBuf, String)> {
    let mut all = Vec::new();
    for item in std::fs::read_dir(dir).unwrap() {
        let path = item.unwrap().path();
        if path.ends_with(".git") {
            continue;
        }
        if path.is_dir() {
            all.extend(files(&path));
        } else {
            let text = std::fs::read_to_string(&path).unwrap();
            all.push((path, text));
        }
    }
    all.sort();
    all
}

#[test]
fn a_second_init_changes_nothing() {
    let world = World::new();
    let project = world.folder("app");
    let (plan, made) = world.init(&project);
    assert_eq!((plan.name.as_str(), made.files), ("app", 6));
    assert!(made.commit.is_some() && made.warnings.is_empty());
    let first = files(&project);
    assert_eq!(first.len(), 6);
    let (plan, made) = world.init(&project);
    assert_eq!((plan.files.len(), made), (0, Made::default()));
    assert_eq!(files(&project), first);
    let log = git(&project.join(".memory"), &["log", "--format=%s"]);
    assert_eq!(log.trim(), "memory of app");
}

#[test]
fn what_a_person_wrote_is_kept_and_only_the_rest_is_made() {
    let world = World::new();
    let project = world.folder("app");
    let memory = project.join(".memory");
    std::fs::create_dir_all(&memory).unwrap();
    let text = "- the port is 8080\n";
    std::fs::write(memory.join("state.md"), text).unwrap();
    let (plan, made) = world.init(&project);
    assert_eq!((plan.entries, made.files), (1, 5));
    let stands = std::fs::read_to_string(memory.join("state.md")).unwrap();
    assert_eq!(stands, text);
    let log = git(&memory, &["log", "--format=%s"]);
    assert_eq!(log.trim(), "memory of app\nby hand, not adopted");
}

#[test]
fn homes_excluded_folders_and_memories_are_refused() {
    let mut world = World::new();
    let secret = world.folder("secret/inner");
    world.settings.exclude = vec![world.home.join("secret")];
    let inside = world.folder("app/.memory/archive");
    let state = world.folder(".local/state/memd/x");
    let many = [Path::new("/"), Path::new("/tmp")];
    for path in [&*world.home, &secret, &inside, &state]
        .into_iter()
        .chain(many)
    {
        let refused = world.plan(path).unwrap_err();
        assert!(matches!(refused, InitError::Refused { .. }), "{path:?}");
    }
    assert!(!world.home.join(".memory").exists());
}

#[test]
fn a_link_in_the_place_of_the_memory_is_refused() {
    let world = World::new();
    let project = world.folder("app");
    let other = world.folder("other");
    std::os::unix::fs::symlink(&other, project.join(".memory")).unwrap();
    assert!(matches!(
        world.plan(&project),
        Err(InitError::NotAFolder { .. })
    ));
    std::fs::remove_file(project.join(".memory")).unwrap();
    std::fs::create_dir(project.join(".memory")).unwrap();
    std::os::unix::fs::symlink(&other, project.join(".memory/archive")).unwrap();
    assert!(matches!(
        world.plan(&project),
        Err(InitError::NotAFolder { .. })
    ));
    assert_eq!(std::fs::read_dir(&other).unwrap().count(), 0);
}

#[test]
fn without_a_path_the_work_tree_around_is_the_project() {
    let mut world = World::new();
    let project = world.folder("app");
    git(&project, &["init", "-q"]);
    let deep = world.folder("app/src/deep");
    assert_eq!(world.plan_from(&deep).unwrap().root, project);
    assert_eq!(world.plan(&deep).unwrap().root, deep);
    let nested = world.home.join("app/src");
    world
        .settings
        .projects
        .insert(nested.clone(), Default::default());
    assert_eq!(world.plan_from(&deep).unwrap().root, nested);
    // A home kept in git is no project; the folder in it is.
    git(&world.home, &["init", "-q"]);
    let plain = world.folder("plain");
    assert_eq!(world.plan_from(&plain).unwrap().root, plain);
}

#[test]
fn a_linked_worktree_shares_the_memory_of_the_main_one() {
    let world = World::new();
    let project = world.folder("app");
    git(&project, &["init", "-q", "-b", "main"]);
    git(&project, &["commit", "-q", "--allow-empty", "-m", "x"]);
    git(&project, &["worktree", "add", "-q", "../linked"]);
    let linked = world.home.join("linked");
    let (plan, made) = world.init(&linked);
    assert_eq!(plan.root, project);
    assert_eq!(made.warnings, Vec::<String>::new());
    let shared = linked.join(".memory").canonicalize().unwrap();
    assert_eq!(shared, project.join(".memory"));
    git(&linked, &["add", "-A"]);
    assert_eq!(git(&linked, &["status", "--porcelain"]), "");
    assert_eq!(world.init(&linked).1, Made::default());
}

#[test]
fn a_worktrees_own_memory_is_replaced_only_when_nothing_is_lost() {
    let world = World::new();
    let project = world.folder("app");
    git(&project, &["init", "-q", "-b", "main"]);
    // As memd 0.3.0 left it: memory in the project's history, so in every work tree.
    let memory = world.folder("app/.memory");
    std::fs::write(memory.join("state.md"), "- a fact\n").unwrap();
    git(&project, &["add", "-A"]);
    git(&project, &["commit", "-qm", "x"]);
    git(&project, &["worktree", "add", "-q", "../linked"]);
    world.init(&project);
    let linked = world.home.join("linked");
    let own = linked.join(".memory/state.md");
    assert!(own.exists());
    std::fs::write(&own, "only here").unwrap();
    let (_, made) = world.init(&linked);
    assert_eq!(made.warnings.len(), 1);
    assert_eq!(std::fs::read_to_string(&own).unwrap(), "only here");

    std::fs::copy(project.join(".memory/state.md"), &own).unwrap();
    let (_, made) = world.init(&linked);
    assert_eq!(made.warnings, Vec::<String>::new());
    assert!(linked.join(".memory").is_symlink());
}

#[test]
fn folder_names_are_never_understood_as_anything_else() {
    let world = World::new();
    for name in ["$(touch x)", "it's;x", "-n", "a\nb", "x\u{1b}[2J"] {
        let project = world.folder(name);
        let (plan, _) = world.init(&project);
        assert_eq!(plan.name, name);
        let memory = memd::memory::Memory::read(&project.join(".memory")).unwrap();
        let front = memory.doc(memd::memory::MemoryFile::State).front().unwrap();
        assert_eq!(front.project, name);
        let raw = git(&project.join(".memory"), &["log", "--format=%B"]);
        assert!(!raw.contains('\u{1b}'), "{raw:?}");
        assert_eq!(raw.trim().lines().count(), 3, "{raw:?}");
    }
    assert!(!world.home.join("x").exists() && !Path::new("x").exists());
}

#[test]
fn without_commits_there_is_no_repository() {
    let mut world = World::new();
    world.settings.git_commit = false;
    let project = world.folder("app");
    let (_, made) = world.init(&project);
    assert_eq!((made.files, made.commit), (6, None));
    assert!(!project.join(".memory/.git").exists());
}

/// One session of a project, as Claude Code writes it.
fn session(home: &Home, project: &Path, name: &str) -> PathBuf {
    let dir = home.folder(".claude/projects/-app");
    let cwd = project.to_str().unwrap();
    let row = format!(
        "{{\"type\":\"user\",\"uuid\":\"{name}\",\"sessionId\":\"{name}\",\"cwd\":{cwd:?},\
         \"timestamp\":\"2026-11-29T10:00:00.000Z\",\"version\":\"2.0.0\",\
         \"message\":{{\"role\":\"user\",\"content\":\"we decided to use port 9090 for the api\"}}}}\n"
    );
    let path = dir.join(format!("{name}.jsonl"));
    std::fs::write(&path, row).unwrap();
    path
}

fn said(home: &Home, cwd: &Path, args: &[&str]) -> String {
    let run = home.memd(cwd).args(args).assert().success();
    let out = run.get_output();
    String::from_utf8([out.stdout.clone(), out.stderr.clone()].concat()).unwrap()
}

#[test]
fn sessions_that_exist_count_as_read_and_later_ones_do_not() {
    let home = Home::new();
    let project = home.folder("app");
    session(&home, &project, "6f1e0c52-0000-4000-8000-000000000001");
    // Its last row is whole, although nothing ended its line.
    let path = session(&home, &project, "6f1e0c52-0000-4000-8000-000000000003");
    let row = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, row.trim_end()).unwrap();
    // Another project's sessions are not this one's to count.
    let other = home.folder("other");
    session(&home, &other, "6f1e0c52-0000-4000-8000-000000000009");
    let text = said(&home, &project, &["init"]);
    assert!(text.contains("2 sessions so far count as read"), "{text}");
    let text = said(&home, &project, &["status"]);
    assert!(!text.contains("to read"), "{text}");
    let text = said(&home, &project, &["distill", "--curator", "builtin"]);
    assert!(text.contains("nothing new"), "{text}");
    session(&home, &project, "6f1e0c52-0000-4000-8000-000000000002");
    // A second init does not count it as read.
    let text = said(&home, &project, &["init"]);
    assert!(text.contains("nothing was made"), "{text}");
    let text = said(&home, &project, &["distill", "--curator", "builtin"]);
    assert!(!text.contains("nothing new"), "{text}");
    let config = std::fs::read_to_string(home.config()).unwrap();
    assert!(config.contains("\"name\": \"app\""), "{config}");
}

#[test]
fn a_store_that_exists_is_offered_and_nothing_of_it_enters_by_itself() {
    let home = Home::new();
    let project = home.folder("app");
    let memory = home.folder("app/.memory");
    let token = ["gh", "p_", &"a1B2c3D4e5F6".repeat(3)].concat();
    let text = format!("# State\n\n- a planted fact\n- another one\n- token {token}\n");
    std::fs::write(memory.join("state.md"), &text).unwrap();
    let first = said(&home, &project, &["init"]);
    assert!(first.contains("3 entries stand there"), "{first}");
    assert!(!first.contains(&token));
    let id = first
        .split("(proposal ")
        .nth(1)
        .and_then(|rest| rest.split(')').next())
        .unwrap()
        .to_owned();
    let again = said(&home, &project, &["init"]);
    assert!(
        again.contains(&format!("memd review (proposal {id})")),
        "the same one: {again}"
    );
    let verified = home
        .memd(&project)
        .args(["verify", "--json"])
        .assert()
        .code(1);
    let verified: serde_json::Value =
        serde_json::from_slice(&verified.get_output().stdout).unwrap();
    assert_eq!(verified["counts"]["records"], 0, "nothing was let in");
    let stands = std::fs::read_to_string(memory.join("state.md")).unwrap();
    assert_eq!(stands, text);
    // What changes on disk changes the offer.
    std::fs::write(memory.join("state.md"), "# State\n\n- another one\n").unwrap();
    let third = said(&home, &project, &["init"]);
    assert!(
        third.contains("1 entry stands there") && !third.contains(&id),
        "{third}"
    );
}

#[test]
fn a_lost_database_loses_no_memory_and_everything_is_offered_again() {
    let home = Home::new();
    let project = home.folder("app");
    said(&home, &project, &["init"]);
    let state = project.join(".memory/state.md");
    let text = std::fs::read_to_string(&state).unwrap() + "\n- a fact\n- another one\n";
    std::fs::write(&state, &text).unwrap();
    assert!(said(&home, &project, &["init"]).contains("2 entries stand there"));
    std::fs::remove_dir_all(home.state()).unwrap();
    let again = said(&home, &project, &["init"]);
    assert!(again.contains("2 entries stand there"), "{again}");
    assert_eq!(std::fs::read_to_string(&state).unwrap(), text);
    let status = said(&home, &project, &["status"]);
    assert!(status.contains("2 entries on disk"), "{status}");
    let waits = said(&home, &project, &["review"]);
    assert!(waits.contains("2 changes"), "{waits}");
}

#[test]
fn a_secret_in_the_name_of_a_store_is_neither_shown_nor_kept() {
    let home = Home::new();
    let project = home.folder("app");
    let memory = home.folder("app/.memory");
    let token = ["gh", "p_", &"a1B2c3D4e5F6".repeat(3)].concat();
    let text = format!(
        "---\ntype: state\nproject: {token}\nlast_updated: 2026-01-01\nstatus: active\n---\n\n# State\n"
    );
    std::fs::write(memory.join("state.md"), text).unwrap();
    let out = said(&home, &project, &["init"]);
    assert!(out.starts_with("app: made"), "{out}");
    let config = std::fs::read_to_string(home.config()).unwrap();
    assert!(
        !out.contains(&token) && !config.contains(&token),
        "{out}{config}"
    );
    let todo = std::fs::read_to_string(memory.join("todo.md")).unwrap();
    assert!(!todo.contains(&token), "{todo}");
}

#[test]
fn a_memory_that_came_with_a_folder_does_not_name_the_project() {
    let home = Home::new();
    let foreign = home.folder("foreign");
    let memory = home.folder("foreign/.memory");
    let text =
        "---\ntype: state\nproject: app\nlast_updated: 2026-01-01\nstatus: active\n---\n\n- old\n";
    std::fs::write(memory.join("state.md"), text).unwrap();
    let out = said(&home, &foreign, &["init"]);
    assert!(out.starts_with("foreign: made"), "{out}");
    let status = said(&home, &foreign, &["status"]);
    assert!(status.starts_with("foreign  "), "{status}");
    let todo = std::fs::read_to_string(memory.join("todo.md")).unwrap();
    assert!(todo.contains("project: foreign"), "{todo}");
}

#[test]
fn a_project_keeps_its_name_where_the_configuration_is_lost() {
    let home = Home::new();
    let project = home.folder("app");
    said(&home, &project, &["init", "--name", "shop"]);
    std::fs::remove_file(home.config()).unwrap();
    said(&home, &project, &["init"]);
    let status = said(&home, &project, &["status"]);
    assert!(status.starts_with("shop  "), "{status}");
}

#[test]
fn the_home_is_refused_with_exit_code_2() {
    let home = Home::new();
    let run = home.memd(&home.path()).arg("init").assert().code(2);
    let text = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(text.contains("no project"), "{text}");
    assert!(!home.path().join(".memory").exists());
}

#[test]
fn a_name_that_a_person_could_not_read_is_refused_with_exit_code_2() {
    let home = Home::new();
    let project = home.folder("app");
    let long = "n".repeat(81);
    for name in [
        "a\u{1b}[2Jb",
        "a\nb",
        "a\tb",
        "a\u{9b}b",
        "a\u{202E}b",
        "a\u{200B}b",
        " ",
        "",
        &long,
    ] {
        let run = home.memd(&project).args(["init", "--name", name]).assert();
        let err = String::from_utf8(run.code(2).get_output().stderr.clone()).unwrap();
        assert!(
            err.contains("cannot be a project's name"),
            "{name:?}: {err}"
        );
        assert!(!project.join(".memory").exists(), "{name:?}");
    }
    let fine = "Größe \u{1F468}\u{200D}\u{1F469} 5\u{FE0F}\u{20E3}".to_owned() + &"n".repeat(60);
    said(&home, &project, &["init", "--name", &fine]);
}

#[test]
fn memd_03s_cursors_are_taken_over() {
    let home = Home::new();
    let project = home.folder("app");
    let read = session(&home, &project, "6f1e0c52-0000-4000-8000-000000000001");
    session(&home, &project, "6f1e0c52-0000-4000-8000-000000000002");
    let size = std::fs::metadata(&read).unwrap().len();
    std::fs::create_dir_all(home.state()).unwrap();
    let cursors = format!("{{{:?}: {size}}}", read.to_str().unwrap());
    std::fs::write(home.state().join("cursors.json"), cursors).unwrap();
    std::fs::create_dir_all(home.config().parent().unwrap()).unwrap();
    let config = format!(
        "{{\"projects\": {{{:?}: {{\"name\": \"old\"}}}}}}",
        project.to_str().unwrap()
    );
    std::fs::write(home.config(), config).unwrap();
    let text = said(&home, &project, &["init"]);
    assert!(text.contains("1 session goes on where memd 0.3"), "{text}");
    let text = said(
        &home,
        &project,
        &["distill", "--curator", "builtin", "--dry-run"],
    );
    assert!(!text.contains("nothing new"), "{text}");
}

#[test]
fn the_log_tells_what_happened() {
    let home = Home::new();
    let project = home.folder("app");
    said(&home, &project, &["init"]);
    let text = said(&home, &project, &["log", "--json"]);
    let events: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(events[0]["what"], "init");
    assert_eq!(events[0]["commit"].as_str().unwrap().len(), 40);
    // A commit that somebody made without memd may say anything.
    let token = ["gh", "p_", &"a1B2c3D4e5F6".repeat(3)].concat();
    let subject = format!("use {token}");
    let memory = project.join(".memory");
    git(
        &memory,
        &[
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
            "commit",
            "--allow-empty",
            "-m",
            &subject,
        ],
    );
    for args in [&["log"][..], &["log", "--json"]] {
        let text = said(&home, &project, args);
        assert!(text.contains("use ") && !text.contains(&token), "{text}");
    }
}
