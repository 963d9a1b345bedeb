//! memd's own traces in a session: the brief it gave, what its commands printed. No material.

use std::borrow::Cow;

/// Stands in the first line of every brief that memd gives to an agent.
pub const BRIEF_MARK: &str = "memd-brief:begin";
/// Stands in the last line of every brief that memd gives to an agent.
pub const BRIEF_END: &str = "memd-brief:end";

/// The text without the briefs in it. `None` when nothing else is there.
pub(super) fn without_brief(text: &str) -> Option<Cow<'_, str>> {
    let Some(at) = text.find(BRIEF_MARK) else {
        return Some(Cow::Borrowed(text));
    };
    let start = text[..at].rfind('\n').map_or(0, |n| n + 1);
    let mut rest = text[..start].to_owned();
    // A brief that was cut has no end: then nothing behind its first line is anybody else's.
    if let Some(end) = text[at..].find(BRIEF_END) {
        let after = &text[at + end..];
        if let Some(line) = after.find('\n') {
            rest.push_str(&without_brief(&after[line + 1..]).unwrap_or_default());
        }
    }
    let blank = rest.trim().is_empty();
    (!blank).then_some(Cow::Owned(rest))
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
