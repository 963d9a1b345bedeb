//! The digest: what is kept of many turns, and what `memd digest` prints.

use crate::support::{Home, fixture, redactor, shared, turn};
use memd::digest::{Builder, Coverage, Finished};
use memd::source::{Role, Sink, ToolContext, Turn};
use serde_json::Value;
use std::path::Path;

fn digest(turns: impl IntoIterator<Item = Turn>, cap: usize) -> Finished {
    let redactor = redactor();
    let mut builder = Builder::new(&redactor, cap);
    let mut coverage = Coverage::default();
    for turn in turns {
        let role = turn.role;
        if builder.take(turn) {
            coverage.found.add(role);
        }
    }
    builder.cover(coverage);
    builder.finish()
}

fn roles(finished: &Finished) -> String {
    finished
        .digest
        .lines
        .iter()
        .map(|line| line.role.letter())
        .collect()
}

/// Forty words that no line shares.
fn words(n: u64) -> String {
    (0..40).map(|word| format!("w{n}x{word} ")).collect()
}

#[test]
fn what_is_worth_least_is_shed_first_and_every_turn_is_accounted_for() {
    let cycle = [
        Role::User,
        Role::Assistant,
        Role::ToolCall,
        Role::ToolResult,
        Role::Error,
    ];
    let turns = || (0..500u64).map(|n| turn(cycle[n as usize % 5], n, &words(n)));
    let size = words(100).chars().count() + 20;
    for (kept, expected) in [
        (450, "UATRE"),
        (350, "UATE"),
        (250, "UAE"),
        (150, "UA"),
        (80, "U"),
    ] {
        let finished = digest(turns(), kept * size);
        let mut left: Vec<char> = roles(&finished).chars().collect();
        left.sort_unstable();
        left.dedup();
        let mut expected: Vec<char> = expected.chars().collect();
        expected.sort_unstable();
        assert_eq!(left, expected, "room for {kept}");
        let coverage = &finished.digest.coverage[0];
        assert_eq!(coverage.found.total(), 500);
        assert_eq!(coverage.used.total() + coverage.shed.total(), 500);
        assert_eq!(
            finished.ids.iter().count(),
            500,
            "shed messages were read as well"
        );
        let chars: usize = finished.digest.lines.iter().map(|l| l.text.chars()).sum();
        assert!(chars <= kept * size);
    }
    // Oldest first within a role, and numbers without gaps.
    let finished = digest(turns(), 80 * size);
    let lines = &finished.digest.lines;
    assert_eq!(lines.last().unwrap().place.offset, 495);
    assert!(lines.iter().zip(1..).all(|(line, n)| line.n == n));
}

#[test]
fn repeats_are_one_line_and_later_versions_stand_where_the_first_one_stood() {
    let mut longer = turn(Role::Assistant, 2, "the whole answer");
    longer.place.offset = 99;
    let finished = digest(
        [
            turn(Role::ToolResult, 1, "ok"),
            turn(Role::Assistant, 2, "the whole"),
            turn(Role::Error, 3, "no route"),
            turn(Role::Error, 4, "no route"),
            turn(Role::Error, 5, "no route"),
            turn(Role::User, 6, "no route"),
            longer,
            turn(Role::Assistant, 2, "the"),
        ],
        10_000,
    );
    let texts: Vec<_> = finished
        .digest
        .lines
        .iter()
        .map(|l| l.text.as_str())
        .collect();
    assert_eq!(
        texts,
        ["ok", "the whole answer", "no route (3 times)", "no route"]
    );
    let coverage = &finished.digest.coverage[0];
    assert_eq!((coverage.found.error, coverage.used.error), (3, 3));
}

/// A token of a well-known shape, put together here so that it stands in no file.
fn token() -> String {
    ["gh", "p_", "x7Kd02mQvT9sLbZcR4eYw1", "NhUa6FjPg8Xi3o"].concat()
}

#[test]
fn a_secret_across_a_cut_or_in_what_is_shed_is_hidden_and_counted() {
    for before in 270..360 {
        let text = format!(
            "{} {} {}",
            "x ".repeat(before / 2),
            token(),
            "y ".repeat(2000)
        );
        let finished = digest([turn(Role::ToolResult, 1, &text)], 10_000);
        let shown = finished.digest.lines[0].text.as_str();
        assert!(!shown.contains(&token()[4..12]), "{before}: {shown}");
        assert_eq!(finished.digest.hits.len(), 1);
        assert_eq!(finished.digest.coverage[0].shortened, 1);
    }
    let finished = digest(
        [turn(Role::ToolResult, 5, &format!("token {}", token()))],
        1,
    );
    assert!(finished.digest.lines.is_empty());
    assert_eq!(finished.digest.hits[0].place.as_ref().unwrap().offset, 5);
}

#[test]
fn a_file_of_secrets_keeps_its_name_and_loses_its_values() {
    let tool = ToolContext {
        name: "Read".to_owned(),
        path: Some("/app/.env".to_owned()),
        command: None,
    };
    let about = |turn: Turn| Turn {
        tool: Some(tool.clone()),
        ..turn
    };
    let finished = digest(
        [
            about(turn(Role::ToolCall, 1, "Read: /app/.env")),
            about(turn(Role::ToolResult, 2, "STALL=kranich-haus\nPORT=8080")),
            turn(Role::Assistant, 3, "STALL stands in /app/.env"),
        ],
        10_000,
    );
    let lines = &finished.digest.lines;
    assert_eq!(lines[0].text.as_str(), "Read: /app/.env");
    assert!(
        lines[1]
            .text
            .as_str()
            .starts_with("STALL=[REDACTED:secret_file#")
    );
    assert_eq!(lines[2].text.as_str(), "STALL stands in /app/.env");
}

#[test]
fn what_is_held_is_bounded_by_the_cap() {
    // Twenty megabytes of tool output through a cap of 10,000 characters.
    let big = |n| {
        turn(
            Role::ToolResult,
            n,
            &format!("{n} {}", "line of output\n".repeat(1400)),
        )
    };
    let finished = digest((0..1000).map(big), 10_000);
    let chars: usize = finished.digest.lines.iter().map(|l| l.text.chars()).sum();
    assert!(chars <= 10_000 && chars > 8_000, "{chars}");
}

/// A home with a project and a session of it, and what digest prints there.
struct World {
    home: Home,
}

impl World {
    fn new() -> Self {
        let home = Home::new();
        home.folder("code/bakery/.git");
        home.folder("code/bakery/src");
        home.folder("code/bakery-old/.git");
        Self { home }
    }

    /// The session of the fixtures, as if it had run in this folder of the home.
    fn session(&self, name: &str, cwd: &Path) {
        let text = std::fs::read_to_string(fixture("claude/session.jsonl")).unwrap();
        let text = text.replace("/home/dev/bakery\"", &format!("{}\"", cwd.display()));
        let text = text.replace("c0ffee00", &format!("{:08x}", name.len()));
        // All lie in one folder: its name tells nothing.
        let dir = self.home.folder(".claude/projects/-collides");
        std::fs::write(dir.join(format!("{name}.jsonl")), text).unwrap();
    }

    fn digest(&self, cwd: &Path, args: &[&str]) -> String {
        let mut command = self.home.memd(cwd);
        let output = command.arg("digest").args(args).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn json(&self, cwd: &Path, args: &[&str]) -> Value {
        let args = [&["--json"], args].concat();
        serde_json::from_str(&self.digest(cwd, &args)).unwrap()
    }
}

fn keys(value: &Value) -> Vec<&str> {
    value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

#[test]
fn the_digest_as_json_has_its_three_parts() {
    let world = World::new();
    let file = fixture("claude/session.jsonl");
    let json = world.json(
        &world.home.path(),
        &["--transcript", file.to_str().unwrap()],
    );
    assert_eq!(keys(&json), ["lines", "coverage", "hits"]);
    let line = &json["lines"][0];
    assert_eq!(
        keys(line),
        ["n", "role", "text", "source", "offset", "session", "at"]
    );
    assert_eq!(line["n"], 1);
    assert_eq!(line["role"], "user");
    assert_eq!(
        line["source"],
        file.canonicalize().unwrap().to_str().unwrap()
    );
    let roles: Vec<_> = json["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|l| &l["role"])
        .collect();
    for role in [
        "user",
        "assistant",
        "tool_call",
        "tool_result",
        "error",
        "note",
    ] {
        assert!(roles.iter().any(|r| *r == role), "{role}");
    }
    assert_eq!(json["coverage"][0]["used"], json["coverage"][0]["found"]);
}

#[test]
fn the_digest_for_people() {
    let world = World::new();
    let file = fixture("claude/session.jsonl");
    let text = world.digest(
        &world.home.path(),
        &["--transcript", file.to_str().unwrap()],
    );
    let text = text.replace(file.canonicalize().unwrap().to_str().unwrap(), "[path]");
    insta::assert_snapshot!(text);
}

#[test]
fn a_project_is_found_by_what_rows_say_and_not_by_the_name_of_a_folder() {
    let world = World::new();
    let project = world.home.path().join("code/bakery");
    world.session("a", &project.join("src"));
    world.session("bb", &world.home.path().join("code/bakery-old"));
    world.session("ccc", &world.home.path().join("code/bakery/gone"));
    // A worktree elsewhere.
    let tree = world.home.folder("code/bakery/.git/worktrees/w");
    let worktree = world.home.folder("trees/w");
    std::fs::write(tree.join("commondir"), "../..").unwrap();
    std::fs::write(tree.join("gitdir"), worktree.join(".git").to_str().unwrap()).unwrap();
    std::fs::write(worktree.join(".git"), format!("gitdir: {}", tree.display())).unwrap();
    world.session("dddd", &worktree);

    let sources = |cwd: &Path, args: &[&str]| -> Vec<String> {
        let json = world.json(cwd, args);
        let coverage = json["coverage"].as_array().unwrap();
        let name = |c: &Value| {
            let path = Path::new(c["source"].as_str().unwrap())
                .file_stem()
                .unwrap()
                .to_owned();
            path.into_string().unwrap()
        };
        let mut names: Vec<_> = coverage.iter().map(name).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(sources(&project, &[]), ["a", "ccc", "dddd"]);
    assert_eq!(sources(&worktree, &[]), ["a", "ccc", "dddd"]);
    let old = world.home.path().join("code/bakery-old");
    assert_eq!(
        sources(&project, &["--project", old.to_str().unwrap()]),
        ["bb"]
    );
}

#[test]
fn outside_of_a_project_it_says_what_to_do() {
    let world = World::new();
    let mut command = world.home.memd(&world.home.path());
    let output = command.arg("digest").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.contains("belongs to no project") && error.contains("--transcript"),
        "{error}"
    );
}

#[test]
fn another_folder_of_claude_code_is_honoured() {
    let world = World::new();
    let project = world.home.path().join("code/bakery");
    let dir = world.home.folder("elsewhere/projects/-p");
    let text = std::fs::read_to_string(fixture("claude/session.jsonl")).unwrap();
    let text = text.replace("/home/dev/bakery\"", &format!("{}\"", project.display()));
    std::fs::write(dir.join("s.jsonl"), text).unwrap();
    let mut command = world.home.memd(&project);
    command.env("CLAUDE_CONFIG_DIR", world.home.path().join("elsewhere"));
    let output = command.arg("digest").output().unwrap();
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .starts_with("[1] U: The oven service")
    );
    assert_eq!(world.digest(&project, &[]), "nothing to digest\n");
}

#[test]
fn edge_cases_of_secrets_and_injection() {
    let Some(shared) = shared() else { return };
    let dir = shared.join("cases/transcripts/claude-edge");
    let world = World::new();
    let home = world.home.path();
    let path = dir.join("26_secrets.jsonl");
    let raw = std::fs::read_to_string(&path).unwrap();
    let output = world.digest(&home, &["--json", "--transcript", path.to_str().unwrap()]);
    for start in ["sk-proj-", "AKIA", "ghp_", "Bearer ", "KEY-----\\n"] {
        assert!(raw.contains(start), "{start}");
        for (at, _) in raw.match_indices(start) {
            let rest = raw[at + start.len()..].chars();
            let secret: String = rest.take(12).take_while(|c| *c != '\\').collect();
            assert!(!output.contains(&secret), "{start}{secret}");
        }
    }
    let path = dir.join("27_prompt_injection.jsonl");
    let json = world.json(&home, &["--transcript", path.to_str().unwrap()]);
    assert_eq!(json["lines"][1]["role"], "tool_result");
    assert_eq!(json["lines"].as_array().unwrap().len(), 2);
}
