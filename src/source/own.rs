//! memd's own traces in a session: the brief it gave, what its commands printed. No material.

use std::borrow::Cow;

/// Stands in the first line of every brief that memd gives to an agent.
pub const BRIEF_MARK: &str = "memd-brief:begin";
/// Stands in the last line of every brief that memd gives to an agent.
pub const BRIEF_END: &str = "memd-brief:end";

/// The text without the briefs in it. `None` when nothing else is there.
pub(super) fn without_brief(text: &str) -> Option<Cow<'_, str>> {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(BRIEF_MARK) {
        let start = rest[..at].rfind('\n').map_or(0, |n| n + 1);
        kept.push_str(&rest[..start]);
        // A brief that was cut has no end: then nothing behind its first line is anybody else's.
        let end = rest[at..].find(BRIEF_END).map(|end| &rest[at + end..]);
        rest = end
            .and_then(|end| end.split_once('\n'))
            .map_or("", |(_, rest)| rest);
    }
    if rest.len() == text.len() {
        return Some(Cow::Borrowed(text));
    }
    kept.push_str(rest);
    let blank = kept.trim().is_empty();
    (!blank).then_some(Cow::Owned(kept))
}

/// Whether a shell command runs memd itself: what it prints is known already.
pub(super) fn is_own_command(command: &str) -> bool {
    let first = command.split_whitespace().next().unwrap_or_default();
    first.rsplit('/').next() == Some("memd")
}

/// Whether a tool is memd's own, offered over MCP.
pub(super) fn is_own_tool(name: &str) -> bool {
    let own = ["mcp__memd__", "mcp__plugin_memd_", "memd__"];
    own.iter().any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brief_is_cut_out_and_what_stands_around_it_is_kept() {
        let text =
            format!("before\n<!-- {BRIEF_MARK} n1 -->\nfacts\n<!-- {BRIEF_END} n1 -->\nafter");
        assert_eq!(without_brief(&text).unwrap(), "before\nafter");
        assert_eq!(without_brief("plain").unwrap(), "plain");
        assert_eq!(without_brief(&format!("{BRIEF_MARK}\ncut off")), None);
    }

    #[test]
    fn any_number_of_briefs_is_cut_out() {
        let text = format!(
            "a\n{}b",
            format!("{BRIEF_MARK}\n{BRIEF_END}\n").repeat(200_000)
        );
        assert_eq!(without_brief(&text).unwrap(), "a\nb");
    }

    #[test]
    fn only_memd_is_memd() {
        assert!(is_own_command("/usr/local/bin/memd brief"));
        assert!(is_own_command("memd status --json"));
        assert!(!is_own_command("cargo test -p memd"));
        assert!(!is_own_command("memdump x"));
        assert!(is_own_tool("mcp__memd__search"));
        assert!(is_own_tool("memd__search"));
        assert!(!is_own_tool("mcp__other__memd"));
    }
}
