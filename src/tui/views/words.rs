//! The words of the screen for values of the core. One place, so that list, stream, drawer and
//! sheet say the same.

use crate::memory::MemoryFile;
use crate::proposal::{Kind, Level, Origin, Verdict};
use crate::review::{Group, Standing};
use crate::source::Role as Speaker;
use crate::tui::theme::Role;
use jiff::Timestamp;

/// What a proposal is, in the outline.
#[must_use]
pub fn kind(kind: Kind, trigger: &str) -> &str {
    match kind {
        Kind::Distill => trigger,
        Kind::ChangedOnDisk => "changed on disk",
        Kind::Revert => "revert",
        Kind::Restore => "restore",
        Kind::Own => "your own change",
        Kind::Unreviewed => "not reviewed",
    }
}

/// What is said of what was let in unattended, before its changes.
pub const UNATTENDED: &str = "applied unattended, not reviewed";

/// What is said of a change that was let in unattended and has lapsed.
pub const LAPSED: &str = "lapsed: no agent is given it any more; accepted, it is given again";

/// A group's name.
#[must_use]
pub fn group(group: Group) -> &'static str {
    match group {
        Group::File(file) => file.name(),
        Group::Archive => "to the archive",
    }
}

/// What is special about a file.
#[must_use]
pub fn rule(group: Group) -> &'static str {
    match group {
        Group::File(MemoryFile::Mistakes) => "only grows",
        _ => "",
    }
}

/// A verdict as a line, with its role.
#[must_use]
pub fn verdict(verdict: &Verdict) -> (Role, String) {
    let (role, mark) = match verdict.level {
        Level::Pass => (Role::Dim, "  pass"),
        Level::Warn => (Role::Warn, "!"),
        Level::Block => (Role::Fail, "x FAIL"),
    };
    (
        role,
        format!("{mark} {}: {}", verdict.guard, verdict.reason),
    )
}

/// How a target stands, in a word and in a sentence.
#[must_use]
pub fn standing(standing: &Standing) -> (&'static str, &'static str) {
    match standing {
        Standing::Changed { .. } => ("CONFLICT", "memory has another text here now"),
        Standing::Gone => ("STALE", "the entry is gone from memory"),
        Standing::AlreadyThere => ("STALE", "this stands in memory already"),
    }
}

/// Who speaks.
#[must_use]
pub fn speaker(role: Speaker) -> &'static str {
    match role {
        Speaker::User => "user",
        Speaker::Assistant => "agent",
        Speaker::ToolCall => "call",
        Speaker::ToolResult => "tool",
        Speaker::Error => "error",
        Speaker::Note => "note",
    }
}

/// Who said it.
#[must_use]
pub fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::HumanEdit => "by hand",
        Origin::User => "user",
        Origin::Inbox => "inbox note",
        Origin::Import => "import",
        Origin::Assistant => "agent",
        Origin::Tool => "tool output",
    }
}

/// How long ago, shortly: `18m`, `2h`, `3d`.
#[must_use]
pub fn short_age(then: Timestamp, now: Timestamp) -> String {
    let seconds = (now.as_second() - then.as_second()).max(0);
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m", seconds / 60),
        3_600..86_400 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}

/// A number with its thousands apart: `12,000`.
#[must_use]
pub fn number(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ages_are_short() {
        assert_eq!(number(0), "0");
        assert_eq!(number(999), "999");
        assert_eq!(number(1_234_567), "1,234,567");
        let at = |s| Timestamp::from_second(s).unwrap();
        assert_eq!(short_age(at(0), at(59)), "59s");
        assert_eq!(short_age(at(0), at(3 * 86_400)), "3d");
        assert_eq!(short_age(at(9), at(0)), "0s");
    }
}
