//! Holds the module boundaries: who may use which crate, print, spawn, or import the edge.

use std::path::{Path, PathBuf};

/// A text that may stand only in files below the named paths of src/.
struct Rule {
    needle: &'static str,
    allowed: &'static [&'static str],
    why: &'static str,
}

const RULES: &[Rule] = &[
    Rule {
        needle: "git2::",
        allowed: &["git"],
        why: "only git knows libgit2",
    },
    Rule {
        needle: "rusqlite::",
        allowed: &["store", "source/antigravity", "recall"],
        why: "only the database rooms know SQLite",
    },
    Rule {
        needle: "ratatui::",
        allowed: &["tui"],
        why: "only the screen draws",
    },
    Rule {
        needle: "crossterm::",
        allowed: &["tui"],
        why: "only the screen talks to the terminal",
    },
    Rule {
        needle: "Command::new(",
        allowed: &["curator", "cli/editor.rs", "cli/detach.rs"],
        why: "only the curator, the editor and memd itself are started",
    },
    Rule {
        needle: "File::open(",
        allowed: &["fs", "git/record.rs"],
        why: "fs::open_plain waits for no pipe and reads no device",
    },
    Rule {
        needle: "println!",
        allowed: &[],
        why: "printing goes through cli/out.rs",
    },
    Rule {
        needle: "print!",
        allowed: &[],
        why: "printing goes through cli/out.rs",
    },
    Rule {
        needle: "io::stdout()",
        allowed: &["cli"],
        why: "only the edge prints",
    },
    Rule {
        needle: "io::stderr()",
        // When the screen panics nobody else says any more where typed text was kept.
        allowed: &["cli", "tui/runtime.rs"],
        why: "only the edge prints",
    },
    Rule {
        needle: "crate::cli",
        allowed: &["cli"],
        why: "nothing in the core imports the edge",
    },
    Rule {
        needle: "crate::tui",
        allowed: &["cli", "tui"],
        why: "nothing in the core imports the edge",
    },
    Rule {
        needle: "Timestamp::now(",
        allowed: &["cli"],
        why: "only the edge asks the clock",
    },
    Rule {
        needle: "SystemTime::now(",
        allowed: &["cli"],
        why: "only the edge asks the clock",
    },
    Rule {
        needle: "env::var",
        allowed: &["cli"],
        why: "only the edge reads the environment",
    },
    Rule {
        needle: "env::current_dir",
        allowed: &["cli"],
        why: "only the edge reads the environment",
    },
    Rule {
        needle: "source::claude",
        allowed: &["source"],
        why: "only source knows which tools there are",
    },
    Rule {
        needle: "source::codex",
        allowed: &["source"],
        why: "only source knows which tools there are",
    },
    Rule {
        needle: "ruzstd::",
        allowed: &["source/codex"],
        why: "only Codex's sessions are compressed",
    },
    Rule {
        needle: "std::net",
        allowed: &[],
        why: "memd makes no network call",
    },
];

/// The rooms in the order data flows, what a room stands on before it.
const ORDER: &[&str] = &[
    "fs",
    "id",
    "lock",
    "text",
    "config",
    "project",
    "source",
    "redact",
    "digest",
    "memory",
    "curator",
    "proposal",
    "guard",
    "review",
    "trust",
    "store",
    "git",
    "apply",
    "browse",
    "scan",
    "brief",
    "distill",
    "init",
    "sweep",
    "hook",
    "integrations",
    "tui",
    "cli",
];

/// A name that a room knows although its home comes later: plain values, no rules.
const KNOWN_AHEAD: &[(&str, &str)] = &[
    ("config", "memory::MemoryFile"),
    ("source", "digest::Coverage"),
    ("source", "redact::Redacted"),
];

fn sources(dir: &Path, into: &mut Vec<PathBuf>) {
    for item in std::fs::read_dir(dir).unwrap() {
        let path = item.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|e| e == "rs") {
            into.push(path);
        }
    }
}

/// The lines that count: no comments, nothing from the file's tests on. Tests in a file of their
/// own are one line here.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let next = text.lines().skip(1).chain([""]);
    let is_test = |line: &str, next: &str| line.starts_with("#[cfg(test)]") && next.ends_with('{');
    text.lines()
        .zip(next)
        .take_while(move |(line, next)| !is_test(line, next))
        .map(|(line, _)| line)
        .enumerate()
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// Every file of src/, by its name there.
fn files() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    sources(&root, &mut paths);
    let files = paths.iter().map(|path| {
        let name = path.strip_prefix(&root).unwrap().to_string_lossy();
        (name.into_owned(), std::fs::read_to_string(path).unwrap())
    });
    files.collect()
}

/// What the repository's folder holds besides dotfiles; what is not kept in git may lie there too.
const TOP: &[&str] = &[
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "assets",
    "contrib",
    "docs",
    "src",
    "tests",
];

fn is_inside(file: &str, room: &str) -> bool {
    file == room || file == format!("{room}.rs") || file.starts_with(&format!("{room}/"))
}

/// Tests may know every room.
fn is_tests(name: &str) -> bool {
    name.ends_with("tests.rs") || name.contains("/tests/") || name == "review/samples.rs"
}

#[test]
fn the_top_level_is_what_it_is_said_to_be() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let unkept = std::fs::read_to_string(root.join(".gitignore")).unwrap();
    let names = std::fs::read_dir(root).unwrap();
    let mut names: Vec<String> = names
        .map(|n| n.unwrap().file_name().into_string().unwrap())
        .filter(|n| !n.starts_with('.') && !unkept.lines().any(|l| l == format!("/{n}")))
        .collect();
    names.sort();
    assert_eq!(names, TOP);
}

#[test]
fn each_room_keeps_to_its_own_tools() {
    let mut broken = Vec::new();
    for (name, text) in files() {
        assert!(
            text.starts_with("//!"),
            "src/{name} does not say what it is for"
        );
        for (n, line) in code(&text) {
            for rule in RULES.iter().filter(|r| line.contains(r.needle)) {
                if !rule.allowed.iter().any(|room| is_inside(&name, room)) {
                    let (needle, why) = (rule.needle, rule.why);
                    broken.push(format!("src/{name}:{}: {needle} ({why})", n + 1));
                }
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn each_room_knows_only_those_before_it() {
    let place = |room: &str| ORDER.iter().position(|known| *known == room);
    let mut broken = Vec::new();
    for (name, text) in files() {
        let room = name.split(['/', '.']).next().unwrap_or_default();
        if room == "lib" || room == "main" || is_tests(&name) {
            continue;
        }
        let here = place(room).unwrap_or_else(|| panic!("src/{name}: no room of the map"));
        for (n, line) in code(&text) {
            for used in line.split("crate::").skip(1) {
                let other = used
                    .split(|c: char| !c.is_alphanumeric() && c != '_')
                    .next();
                let is_before = other.and_then(place).is_none_or(|there| there <= here);
                let is_known =
                    |(from, what): &(&str, &str)| *from == room && used.starts_with(what);
                if !is_before && !KNOWN_AHEAD.iter().any(is_known) {
                    broken.push(format!("src/{name}:{}: {room} knows {used}", n + 1));
                }
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// The tests that a page names in the last column of its tables.
fn named_tests(page: &str) -> Vec<&str> {
    let rows = page.lines().filter(|line| line.starts_with("| "));
    let last = rows.filter_map(|row| row.trim_end_matches([' ', '|']).rsplit(" | ").next());
    let names = last.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    names.filter(|name| name.contains('_')).collect()
}

#[test]
fn every_test_that_the_security_pages_name_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    sources(&root.join("src"), &mut paths);
    sources(&root.join("tests/it"), &mut paths);
    let mut tests = String::new();
    for path in paths {
        tests.push_str(&std::fs::read_to_string(path).unwrap());
    }
    for page in ["SECURITY.md", "docs/threat-model.md"] {
        let text = std::fs::read_to_string(root.join(page)).unwrap();
        let names = named_tests(&text);
        assert!(names.len() > 20, "{page} names {names:?}");
        for name in names {
            let is_test = tests
                .match_indices(&format!("fn {name}("))
                .any(|(at, _)| tests[..at].trim_end().ends_with("#[test]"));
            assert!(is_test, "{page}: no test is named {name}");
        }
    }
}
