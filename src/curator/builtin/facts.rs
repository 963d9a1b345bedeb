//! Facts about the project as it stands: its checks, ports, versions, places, limits.

use super::candidate::Candidate;
use super::commands;
use super::cues;
use super::prose::Sentence;
use super::quote::{self, is_quotable, is_statement};
use super::session::{Said, Session};
use crate::memory::MemoryFile;
use crate::source::Role;
use regex::Regex;
use std::sync::LazyLock;

const QUOTE: usize = 300;
/// More commands than this are a log, not a fact.
const MAX_CHECKS: usize = 4;

pub(super) fn find(session: &Session) -> Vec<Candidate> {
    let mut found = Vec::new();
    for message in &session.said {
        for sentence in &message.sentences {
            found.extend(match message.line.role {
                Role::User => of_user(message, sentence),
                Role::Assistant => of_model(message, sentence),
                _ => None,
            });
        }
    }
    found.extend(checks(session));
    found
}

fn fact(section: &str, text: &str, n: u32, score: i32) -> Candidate {
    Candidate {
        file: MemoryFile::State,
        section: Some(section.to_owned()),
        text: format!("- {}", quote::capital(&quote::trim_to(text, QUOTE))),
        gist: text.to_owned(),
        evidence: vec![n],
        score,
    }
}

/// The heading a fact goes under: like stands with like.
fn section(words: &str) -> &'static str {
    let words = words.to_lowercase();
    let has = |(marks, _): &&(&[&str], &str)| marks.iter().any(|m| words.contains(m));
    SECTIONS
        .iter()
        .find(has)
        .map_or("Facts", |(_, section)| section)
}

const SECTIONS: &[(&[&str], &str)] = &[
    (
        &[" port ", "listens on", "localhost:", "served at"],
        "Services",
    ),
    (
        &[" lives in ", " is in ", " live in ", " located in "],
        "Places",
    ),
    (&["≥", ">=", " version", "since v"], "Versions"),
];

fn of_user(message: &Said, sentence: &Sentence) -> Option<Candidate> {
    let words = quote::without_filler(&sentence.text);
    let weight = cues::FACT.weight(words);
    let fit = weight >= 26
        && (4..=35).contains(&words.split(' ').count())
        && !cues::STEERING.finds(words)
        && !cues::TROUBLE.finds(words)
        && !words.ends_with(':');
    let pasted = if message.pasted { 16 } else { 0 };
    fit.then(|| fact(section(words), words, message.line.n, 42 + weight - pasted))
}

fn of_model(message: &Said, sentence: &Sentence) -> Option<Candidate> {
    let words = quote::without_filler(&sentence.text);
    let weight = cues::FACT.weight(&sentence.text);
    let fit = weight > 0
        && is_statement(words)
        && is_quotable(&sentence.text)
        && cues::ANCHOR.finds(words)
        && !cues::SELF.finds(words)
        && !cues::PAST.finds(words)
        && !words.contains("/tmp/");
    let closing = if message.closing { 12 } else { 0 };
    let unsettled = if message.asks { 14 } else { 0 };
    fit.then(|| {
        fact(
            section(words),
            words,
            message.line.n,
            18 + weight + closing - unsettled,
        )
    })
}

/// Commands by which a project checks itself.
static CHECK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^(cargo (test|nextest|clippy|fmt|check|build)|go (test|vet|build)|golangci-lint run|mise run|",
        r"(npm|pnpm|yarn|bun) (run [\w:.-]+|test\b|lint\b)|npx [\w@/-]*lint[\w-]*|npx tsc|(uv run |poetry run |python3? -m )?pytest|",
        r"(uv run )?(ruff|mypy|black)\b|make [a-z]|just [a-z]|tox\b|gradlew?|\./gradlew|mvn |dotnet (test|build)|",
        r"bundle exec|mix test|deno (test|lint|fmt)|swift test|ctest|markdownlint)"
    ))
    .ok()
});

/// The project's checks: what was run and passed, the most general form of each.
fn checks(session: &Session) -> Option<Candidate> {
    let check = CHECK.as_ref()?;
    let mut seen: Vec<Check> = Vec::new();
    for run in commands::runs(session).into_iter().filter(|r| r.passed) {
        for command in commands::simple(&run) {
            if check.is_match(&command) && is_general(&command) {
                Check::count(&mut seen, command, run.line.n);
            }
        }
    }
    seen.retain(|c| PROVES.iter().any(|p| c.command.contains(p)));
    seen.sort_by_key(|c| (std::cmp::Reverse(c.times), c.n));
    seen.truncate(MAX_CHECKS);
    let list: Vec<String> = seen.iter().map(|c| format!("`{}`", c.command)).collect();
    let mut evidence: Vec<u32> = seen.iter().map(|c| c.n).collect();
    evidence.sort_unstable();
    evidence.dedup();
    let text = format!("Checks (run here, passed): {}", list.join(", "));
    let made = Candidate {
        evidence,
        ..fact("Checks", &text, 0, 72)
    };
    (!seen.is_empty()).then_some(made)
}

/// What makes a command a check rather than a build.
const PROVES: &[&str] = &[
    "test", "lint", "vet", "clippy", "fmt", "check", "tsc", "mypy", "ruff",
];

struct Check {
    command: String,
    times: usize,
    n: u32,
}

impl Check {
    /// Counts a run; of two forms of one command the more general stays.
    fn count(seen: &mut Vec<Check>, command: String, n: u32) {
        let Some(known) = seen.iter_mut().find(|c| kind(&c.command) == kind(&command)) else {
            seen.push(Check {
                command,
                times: 1,
                n,
            });
            return;
        };
        known.times += 1;
        if rank(&command) <= rank(&known.command) {
            (known.command, known.n) = (command, n);
        }
    }
}

/// What a check is: the words before its first argument.
fn kind(command: &str) -> String {
    let words = command
        .split(' ')
        .take_while(|w| !w.starts_with(['-', '.', '/', '@']));
    words.take(3).collect::<Vec<_>>().join(" ")
}

/// Lower is more general.
fn rank(command: &str) -> usize {
    let narrow = command.contains('/') && !command.contains(" ./...");
    command.len() + if narrow { 100 } else { 0 }
}

/// Not about one test, one file or one machine.
fn is_general(command: &str) -> bool {
    let foreign = [
        "-run",
        "\"",
        "'",
        "$",
        "/Users/",
        "/home/",
        "/tmp",
        " -o ",
        "\\",
        "`",
        "--help",
        "--version",
    ];
    let narrow = command.starts_with("go") && command.contains('/') && !command.contains(" ./...");
    command.split(' ').count() <= 6 && !narrow && !foreign.iter().any(|f| command.contains(f))
}
