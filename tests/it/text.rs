//! Files that a project's `extra_sources` name.

use crate::support::Home;
use crate::world::git;
use memd::config::{Places, ProjectSettings, Settings};
use memd::digest::Coverage;
use memd::source::{Found, Reading, Session, Turn, Where, discover};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A home with a project in it.
struct World {
    _dir: TempDir,
    places: Places,
    settings: Settings,
}

impl World {
    fn new(globs: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().canonicalize().unwrap();
        let places = Places::from_env(|n| (n == "HOME").then(|| home.clone().into())).unwrap();
        let mut settings = Settings::defaults(&home);
        let project = ProjectSettings {
            extra_sources: globs.iter().map(|glob| (*glob).to_owned()).collect(),
            ..ProjectSettings::default()
        };
        std::fs::create_dir_all(home.join("app")).unwrap();
        settings.projects.insert(home.join("app"), project);
        Self {
            _dir: dir,
            places,
            settings,
        }
    }

    fn home(&self) -> &Path {
        &self.places.home
    }

    fn put(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.home().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    fn at(&self) -> Where<'_> {
        Where::new(&self.places, &self.settings)
    }

    fn found(&self) -> Found {
        discover(self.at())
    }

    /// The names of what is read, below the home, and what is said of the rest.
    fn names(&self) -> (Vec<String>, Vec<String>) {
        let found = self.found();
        let name = |s: &Session| {
            let name = s.path.strip_prefix(self.home()).unwrap();
            name.to_string_lossy().into_owned()
        };
        let mut names: Vec<_> = found.sessions.iter().map(name).collect();
        names.sort();
        (names, found.closed.lines())
    }

    fn read(&self, path: &Path, from: u64) -> (Vec<String>, Coverage) {
        let session = Session::at(self.at(), path).unwrap();
        let app = self.home().join("app");
        let belongs = |dir: &Path| dir == app;
        let reading = Reading {
            project: Some(&belongs),
            own: &self.places,
            seen: &|_| false,
        };
        let mut turns: Vec<Turn> = Vec::new();
        let coverage = session
            .read(from..session.size, &reading, &mut turns)
            .unwrap();
        let line = |t: &Turn| format!("{}: {}", t.role.letter(), t.text.unredacted());
        (turns.iter().map(line).collect(), coverage)
    }
}

#[test]
fn rows_of_an_agent_that_nobody_knows_are_the_projects_that_names_them() {
    let world = World::new(&["~/agents/*.jsonl"]);
    let own = world.places.curator().display().to_string();
    let rows = [
        r#"{"role":"user","text":"use port 8080","ts":"2026-08-01T10:00:00Z","cwd":"/elsewhere","session":"s1"}"#.to_owned(),
        r#"{"role":"assistant","text":"done"}"#.to_owned(),
        r#"{"role":"tool","text":"output"}"#.to_owned(),
        r#"{"role":"wizard","text":"?"}"#.to_owned(),
        r#"{"other":1}"#.to_owned(),
        format!("{{\"role\":\"user\",\"text\":\"mine\",\"cwd\":{own:?}}}"),
        "damaged".to_owned(),
    ];
    let path = world.put(
        "agents/a.jsonl",
        rows.join("\n") + "\n{\"role\":\"user\",\"te",
    );
    let (lines, coverage) = world.read(&path, 0);
    assert_eq!(lines, ["U: use port 8080", "A: done", "R: output"]);
    assert_eq!(coverage.end, rows.join("\n").len() as u64 + 1);
    assert_eq!(coverage.skipped["row of unknown type wizard"], 1);
    assert_eq!(coverage.skipped["JSON that is no row"], 1);
    assert_eq!(coverage.skipped["memd's own session"], 1);
    assert_eq!(coverage.unreadable["damaged line"], 1);
    assert_eq!(coverage.sessions, ["s1", "a"]);
}

#[test]
fn text_is_a_note_and_only_what_is_new_of_it_is_read() {
    let world = World::new(&["notes/*.md", "~/logs/*.log"]);
    let path = world.put("app/notes/a.md", "The port is 8080.\n");
    let (lines, coverage) = world.read(&path, 0);
    assert_eq!(lines, ["N: The port is 8080."]);
    let session = Session::at(world.at(), &path).unwrap();
    let print = session.fingerprint(coverage.end).unwrap();
    world.put("app/notes/a.md", "The port is 8080.\nThe host is db1");
    assert!(session.matches(&print, coverage.end).unwrap());
    assert_eq!(world.read(&path, coverage.end).0, ["N: The host is db1"]);
    let log = world.put("logs/a.log", "one\nhalf a li");
    let (lines, coverage) = world.read(&log, 0);
    assert_eq!((lines[0].as_str(), coverage.end), ("N: one", 4));
    assert_eq!(world.names().0, ["app/notes/a.md", "logs/a.log"]);
}

#[test]
fn what_is_of_no_known_format_is_said_and_what_is_memds_own_is_not_read() {
    let world = World::new(&["**/*", "~/x/*.jsonl", ".memory/*.md", "["]);
    world.put("app/.memory/state.md", "own");
    world.put("app/a.docx", "x");
    world.put("app/b.docx", "x");
    world.put("app/fine.txt", "x");
    world.put("x/other.jsonl", "{\"type\":\"event\"}\n");
    let (names, lines) = world.names();
    assert_eq!(names, ["app/fine.txt"]);
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[0].contains("extra_sources \"[\""), "{lines:?}");
    assert!(lines[1].contains("unknown format; known is"), "{lines:?}");
    assert!(
        lines[2].contains("cannot read 2 files of unknown format (\"docx\")"),
        "{lines:?}"
    );
}

#[test]
fn links_pipes_and_patterns_that_lead_everywhere_are_refused() {
    let world = World::new(&["notes/*.md", "deep/**/*.md", "~/**/*.md", "pipe.log"]);
    let secret = world.put("secret/key.md", "private");
    world.put("app/notes/fine.md", "x");
    world.put("app/deep/a/b/fine.md", "x");
    std::os::unix::fs::symlink(&secret, world.home().join("app/notes/link.md")).unwrap();
    let folder = world.home().join("secret");
    std::os::unix::fs::symlink(folder, world.home().join("app/deep/link")).unwrap();
    let pipe = world.home().join("app/pipe.log");
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let (names, lines) = world.names();
    assert_eq!(names, ["app/deep/a/b/fine.md", "app/notes/fine.md"]);
    let all = lines.join("\n");
    assert!(all.contains("link.md\" is a link"), "{all}");
    assert!(all.contains("walk through everything"), "{all}");
    assert!(all.contains("pipe.log\" is not a plain file"), "{all}");
    assert!(Session::at(world.at(), &world.home().join("app/pipe.log")).is_err());

    // The folder itself is swapped for a link to elsewhere: it is the project's to change.
    std::fs::remove_dir_all(world.home().join("app/notes")).unwrap();
    let folder = world.home().join("secret");
    std::os::unix::fs::symlink(folder, world.home().join("app/notes")).unwrap();
    assert_eq!(world.names().0, ["app/deep/a/b/fine.md"]);
}

#[test]
fn so_many_files_are_read_and_no_more() {
    let world = World::new(&["many/*.txt"]);
    for n in 0..1002 {
        world.put(&format!("app/many/{n}.txt"), "x");
    }
    let (names, lines) = world.names();
    assert_eq!(names.len(), 1000);
    assert!(lines[0].contains("more than 1000 files"));
}

/// Configures what a project names, and the curator without a model.
fn home_with(sources: &serde_json::Value, root: &Path, home: &Home) {
    let config = serde_json::json!({
        "curator": "builtin",
        "projects": { root.to_str().unwrap(): { "extra_sources": sources } },
    });
    std::fs::create_dir_all(home.config().parent().unwrap()).unwrap();
    std::fs::write(home.config(), config.to_string()).unwrap();
}

#[test]
fn what_a_project_names_is_distilled_once_and_no_other_project_gets_it() {
    let home = Home::new();
    let (app, other) = (home.folder("app"), home.folder("other"));
    for folder in [&app, &other] {
        git(folder, &["init", "-q"]);
    }
    home_with(&serde_json::json!(["~/agent/*.jsonl"]), &app, &home);
    let log = home.folder("agent").join("a.jsonl");
    let row =
        |text: &str| format!("{{\"role\":\"user\",\"text\":\"{text}\",\"cwd\":\"/elsewhere\"}}\n");
    std::fs::write(&log, row("We decided to use Redis 6 for the cache.")).unwrap();
    let run = |dir: &Path, args: &[&str]| {
        let output = home.memd(dir).args(args).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    run(&app, &["init"]);
    run(&other, &["init"]);
    assert!(
        run(&app, &["distill"]).contains("nothing new"),
        "it counts as read"
    );
    let more = row("We decided to use Redis 6 for the cache.")
        + &row("We decided to use port 8443 for the API.");
    std::fs::write(&log, more).unwrap();
    assert!(run(&other, &["distill"]).contains("nothing new"));
    let said = run(&app, &["distill"]);
    assert!(said.contains("staged 1 change"), "{said}");
    let list = run(&app, &["review"]);
    let id = list
        .split_whitespace()
        .find(|w| w.len() == 8 && w.chars().all(|c| c.is_ascii_hexdigit()));
    let shown = run(&app, &["show", id.unwrap()]);
    assert!(
        shown.contains("port 8443") && !shown.contains("Redis"),
        "{shown}"
    );
    assert!(run(&app, &["distill"]).contains("nothing new"));
}

#[test]
fn a_text_that_counts_as_read_and_is_edited_gives_only_the_section_that_changed() {
    let world = World::new(&["notes/*.md"]);
    let path = world.put("app/notes/a.md", "# One\nport 8080\n\n# Two\nhost db1");
    let session = Session::at(world.at(), &path).unwrap();
    let mark = session.mark().unwrap();
    assert_eq!(mark.end, session.size, "its last line needs no end");
    world.put(
        "app/notes/a.md",
        "# Zero\nnew\n\n# One\nport 8080\n\n# Two\nhost db2\n",
    );
    let session = Session::at(world.at(), &path).unwrap();
    let seen = |id: &str| mark.seen.iter().any(|known| known == id);
    let reading = Reading {
        project: None,
        own: &world.places,
        seen: &seen,
    };
    let mut turns: Vec<Turn> = Vec::new();
    let coverage = session.read(0..session.size, &reading, &mut turns).unwrap();
    let said: Vec<_> = turns.iter().map(|t| t.text.unredacted()).collect();
    assert_eq!(said, ["# Zero\nnew", "# Two\nhost db2"]);
    assert_eq!(coverage.seen, 1);
}
