//! A todo is closed only when the material says that it is done or given up.

use super::{Item, normal::normal, warn};
use crate::digest::Line;
use crate::memory::MemoryFile;
use crate::proposal::{Op, Substance, Verdict};

const NAME: &str = "todo-closed";

/// Beginnings of words that say that something is done or given up.
const DONE: &[&str] = &[
    "done",
    "finish",
    "complet",
    "fixed",
    "fixes",
    "merged",
    "landed",
    "implement",
    "shipped",
    "released",
    "deployed",
    "closed",
    "closes",
    "resolved",
    "solved",
    "added",
    "removed",
    "committed",
    "commited",
    "pushed",
    "passed",
    "passes",
    "passing",
    "pass",
    "works",
    "working",
    "succe",
    "abandon",
    "dropped",
    "cancel",
    "obsolete",
    "superseded",
    "already",
    "created",
    "updated",
    "wrote",
    "written",
    "erledigt",
    "fertig",
    "behoben",
    "green",
    "✓",
    "✅",
];

const PHRASES: &[&str] = &[
    "no longer",
    "won't",
    "not needed",
    "given up",
    "in place",
    "set up",
];

pub(super) fn check(item: &Item, lines: &[Line]) -> Option<Verdict> {
    let change = item.change;
    if change.file != MemoryFile::Todo || item.by_person || change.is_overflow() {
        return None;
    }
    let target = change.target.as_ref()?;
    let is_open = |text: &str| !text.trim_start().to_lowercase().starts_with("- [x]");
    let closes = match change.op {
        Op::Archive | Op::Tombstone => is_open(&target.text),
        Op::Edit => is_open(&target.text) && !is_open(item.text),
        Op::Add => false,
    };
    let todo = Substance::of(&target.text);
    let why = Substance::of(&format!("{}\n{}", target.text, item.all));
    let is_said = || {
        let mut cited = lines.iter().filter(|l| change.evidence.contains(&l.n));
        cited.any(|l| {
            let line = Substance::of(l.text.as_str());
            says_done(l.text.as_str()) && todo.shared(&line) > 0 && why.rests_on(&line)
        })
    };
    (closes && !is_said()).then(|| {
        warn(
            NAME,
            "closes a todo that the cited lines do not say is done",
        )
    })
}

fn says_done(text: &str) -> bool {
    let text = normal(text);
    PHRASES.iter().any(|p| text.contains(p))
        || text
            .split(|c: char| !c.is_alphanumeric() && !"✓✅".contains(c))
            .any(|word| is_commit(word) || DONE.iter().any(|d| word.starts_with(d)))
}

/// A commit's abbreviated or full hash, as a log or a commit message shows it.
fn is_commit(word: &str) -> bool {
    (7..=40).contains(&word.len())
        && word.chars().all(|c| c.is_ascii_hexdigit())
        && word.chars().any(|c| c.is_ascii_digit())
        && word.chars().any(|c| c.is_ascii_alphabetic())
}
