//! Which commands of a tool's settings are memd's.

use super::json::{Member, Node, SyntaxError, parse};
use crate::hook::Event;
use std::path::Path;

/// The command that a tool runs, through a shell: the whole path, quoted. `None` for a path that no
/// text can hold.
#[must_use]
pub fn command(binary: &Path, event: Event) -> Option<String> {
    let path = binary.to_str().filter(|p| !p.contains('\n'))?;
    let quoted = path.replace('\'', r"'\''");
    Some(format!("'{quoted}' hook {}", event.name()))
}

/// What a command asks memd, where it is a plain call of memd: by name or path, or through Python as
/// memd 0.3 was. The program comes first.
pub(super) fn parts(command: &str) -> Option<(Vec<String>, Event)> {
    let words = shell_words::split(command).ok()?;
    let [program @ .., hook, event] = words.as_slice() else {
        return None;
    };
    let event = Event::from_name(event).filter(|_| hook == "hook")?;
    let name = |word: &String| {
        let name = Path::new(word).file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    };
    let is_memd = |word: &String| matches!(name(word).as_str(), "memd" | "memd.py" | "memd.exe");
    let is_python = |word: &String| name(word).starts_with("python");
    let is_ours = match program {
        [memd] => is_memd(memd),
        [python, memd] => is_python(python) && is_memd(memd),
        [python, m, memd] => is_python(python) && m == "-m" && memd == "memd",
        _ => false,
    };
    is_ours.then(|| (program.to_vec(), event))
}

/// A call of memd that stands in a tool's settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnHook {
    /// Under which event of the tool.
    pub name: String,
    /// What it asks.
    pub event: Event,
    /// The whole command.
    pub command: String,
    /// The program, with an interpreter before it.
    pub program: Vec<String>,
}

/// Every call of memd in the settings of a tool, and whether all hooks are turned off there.
///
/// # Errors
/// When the text is no JSON.
pub fn own_hooks(text: &str) -> Result<(Vec<OwnHook>, bool), SyntaxError> {
    if text.trim().is_empty() {
        return Ok((Vec::new(), false));
    }
    let root = parse(text)?;
    let mut found = Vec::new();
    let hooks = root.get("hooks");
    let events = hooks.map(Node::members).unwrap_or_default();
    // Of twins only the last counts.
    let counts = |event: &&Member| {
        let last = hooks.and_then(|hooks| hooks.member(&event.key));
        last.is_some_and(|last| last.start == event.start)
    };
    for event in events.iter().filter(counts) {
        for command in event.value.items().iter().flat_map(commands) {
            if let Some((program, asks)) = parts(command) {
                found.push(OwnHook {
                    name: event.key.clone(),
                    event: asks,
                    command: command.to_owned(),
                    program,
                });
            }
        }
    }
    let off = root
        .get("disableAllHooks")
        .is_some_and(|v| v.kind == super::json::Kind::True);
    Ok((found, off))
}

fn commands(group: &Node) -> impl Iterator<Item = &str> {
    let handlers = group.get("hooks").map(Node::items).unwrap_or_default();
    handlers.iter().filter_map(|h| h.get("command")?.text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_calls_of_memd_are_ours_and_nothing_else_is() {
        let path = command(Path::new("/o'h my/bin/memd"), Event::SessionEnd).unwrap();
        assert_eq!(path, r"'/o'\''h my/bin/memd' hook session-end");
        for ours in [
            path.as_str(),
            "memd hook session-start",
            "~/.local/bin/memd hook session-start",
            "\"/usr/bin/python3\" /opt/memd/memd.py hook pre-compact",
            "python3 -m memd hook session-end",
        ] {
            assert!(parts(ours).is_some(), "{ours}");
        }
        for other in [
            "cd x && memd hook session-start",
            "memd hook session-start | tee log",
            "memd-old hook session-start",
            "notify hook stop",
            "memd brief",
            "'unclosed memd hook stop",
            "",
        ] {
            assert!(parts(other).is_none(), "{other}");
        }
    }
}
