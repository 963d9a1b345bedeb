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
        allowed: &["curator", "cli/editor.rs"],
        why: "only the curator and the editor are started",
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
        allowed: &["cli"],
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
        needle: "env::var",
        allowed: &["cli"],
        why: "only the edge reads the environment",
    },
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

/// The lines that count: no comments, nothing from the file's tests on.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .take_while(|(_, line)| !line.starts_with("#[cfg(test)]"))
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

fn is_inside(file: &str, room: &str) -> bool {
    file == room || file == format!("{room}.rs") || file.starts_with(&format!("{room}/"))
}

#[test]
fn each_room_keeps_to_its_own_tools() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut broken = Vec::new();
    for path in &files {
        let name = path
            .strip_prefix(&root)
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let text = std::fs::read_to_string(path).unwrap();
        assert!(
            text.starts_with("//!"),
            "src/{name} does not say what it is for"
        );
        for (n, line) in code(&text) {
            for rule in RULES.iter().filter(|r| line.contains(r.needle)) {
                if !rule.allowed.iter().any(|room| is_inside(&name, room)) {
                    broken.push(format!(
                        "src/{name}:{}: {} ({})",
                        n + 1,
                        rule.needle,
                        rule.why
                    ));
                }
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
