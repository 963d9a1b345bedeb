//! A tool call of Codex as what the other tools' calls are: a name and an input.

use super::output::patch;
use super::row::Item;
use crate::source::action::{Call, action};
use crate::source::given::{Given, inputs};
use crate::source::own;
use std::borrow::Cow;

/// A call: what is shown of it, and what its result is told by.
pub(super) struct Called {
    /// The line, whole.
    pub line: String,
    /// For its result.
    pub call: Call,
}

/// Reads a call; none where it only waits for a command that runs.
pub(super) fn called(item: &Item<'_>) -> Option<Called> {
    let name = full_name(item);
    match item.kind.text()? {
        "custom_tool_call" => Some(custom(&name, item.input.text().unwrap_or_default())),
        "local_shell_call" => Some(shell("shell", &item.action.0)),
        "web_search_call" => {
            let query = item.action.0.word("query").unwrap_or_default();
            Some(of("web_search", &fields("query", query)))
        }
        _ => function(&name, item.arguments.text().unwrap_or_default()),
    }
}

/// A tool's name with that of the server that offers it.
fn full_name(item: &Item<'_>) -> String {
    let name = item.name.text().unwrap_or("tool");
    match item.namespace.text() {
        Some(space) if !name.starts_with(space) => format!("{space}{name}"),
        _ => name.to_owned(),
    }
}

fn function(name: &str, arguments: &str) -> Option<Called> {
    let input = inputs(&mut serde_json::Deserializer::from_str(arguments));
    let input = input.unwrap_or_else(|_| fields("arguments", arguments));
    if name == "write_stdin" && input.word("chars").is_some_and(|chars| chars.is_empty()) {
        return None;
    }
    let is_shell = input.field("command").is_some() || input.word("cmd").is_some();
    Some(match is_shell {
        true => shell(name, &input),
        false => of(name, &input),
    })
}

/// A shell call: the command as one text.
fn shell(name: &str, input: &Given<'_>) -> Called {
    let listed = |list: &Given<'_>| {
        let words: Vec<&str> = list.elements().iter().filter_map(Given::text).collect();
        match &words[..] {
            // A shell that runs one line: the line.
            [_, flags, line] if flags.starts_with('-') => (*line).to_owned(),
            words => words.join(" "),
        }
    };
    let command = match input.field("command") {
        Some(Given::Text(text)) => text.to_string(),
        Some(list) => listed(list),
        None => input.word("cmd").unwrap_or_default().to_owned(),
    };
    of(name, &fields("command", &command))
}

fn custom(name: &str, input: &str) -> Called {
    if let Some((line, file)) = patch(input) {
        let call = Call::of(name, &fields("path", file));
        let line = format!("{name}: {line}");
        return Called { line, call };
    }
    let mut called = of(name, &fields("input", input));
    // A script that runs commands.
    let mut commands = input.split("\"cmd\":\"").skip(1);
    called.call.own |= commands.any(own::is_own_command);
    called.line = format!("{name}: {}", input.trim());
    called
}

fn of(name: &str, input: &Given<'_>) -> Called {
    Called {
        line: action(name, input),
        call: Call::of(name, input),
    }
}

fn fields<'a>(key: &'static str, value: &'a str) -> Given<'a> {
    Given::Fields(vec![(
        Cow::Borrowed(key),
        Given::Text(Cow::Borrowed(value)),
    )])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn line(item: &serde_json::Value) -> Option<(String, bool, Option<String>)> {
        let text = item.to_string();
        let item: Item<'_> = serde_json::from_str(&text).unwrap();
        let called = called(&item)?;
        Some((called.line, called.call.own, called.call.context.path))
    }

    #[test]
    fn a_shell_call_says_what_it_runs() {
        for (name, arguments) in [
            ("shell", r#"{"command":["bash","-lc","cat a .env"]}"#),
            ("exec_command", r#"{"cmd":"cat a .env"}"#),
        ] {
            let item = json!({"type": "function_call", "name": name, "arguments": arguments});
            let item = item.to_string();
            let called = called(&serde_json::from_str(&item).unwrap()).unwrap();
            let command = called.call.context.command;
            assert_eq!(command.as_deref(), Some("cat a .env"), "{name}");
        }
    }

    #[test]
    fn every_kind_of_call_is_one_line() {
        let call = |name: &str, arguments: serde_json::Value| json!({"type": "function_call", "name": name, "arguments": arguments.to_string()});
        let path = |text: &str| Some(text.to_owned());
        for (item, expected, own, file) in [
            (
                call("exec_command", json!({"cmd": "cat .env", "workdir": "/a"})),
                "exec_command: cat .env",
                false,
                path(".env"),
            ),
            (
                call("shell", json!({"command": ["bash", "-lc", "ls -a"]})),
                "shell: ls -a",
                false,
                None,
            ),
            (
                call("shell", json!({"command": ["git", "status"]})),
                "shell: git status",
                false,
                None,
            ),
            (
                call("exec_command", json!({"cmd": "memd brief"})),
                "exec_command: memd brief",
                true,
                None,
            ),
            (
                call("view_image", json!({"path": "a.png"})),
                "view_image: a.png",
                false,
                path("a.png"),
            ),
            (
                call(
                    "update_plan",
                    json!({"plan": [{"step": "a", "status": "completed"}, {"step": "b", "status": "pending"}]}),
                ),
                "update_plan: [x] a; [ ] b",
                false,
                None,
            ),
            (
                json!({"type": "function_call", "namespace": "mcp__memd__", "name": "search", "arguments": "{\"query\":\"x\"}"}),
                "mcp__memd__search: x",
                true,
                None,
            ),
            (
                json!({"type": "custom_tool_call", "name": "apply_patch", "input": "*** Begin Patch\n*** Add File: n.rs\n+x\n"}),
                "apply_patch: Add n.rs",
                false,
                path("n.rs"),
            ),
            (
                json!({"type": "custom_tool_call", "name": "exec", "input": "await tools.exec_command({\"cmd\":\"memd show\"});"}),
                "exec: await tools.exec_command({\"cmd\":\"memd show\"});",
                true,
                None,
            ),
            (
                json!({"type": "local_shell_call", "action": {"type": "exec", "command": ["ls"]}}),
                "shell: ls",
                false,
                None,
            ),
            (
                json!({"type": "web_search_call", "action": {"type": "search", "query": "zstd"}}),
                "web_search: zstd",
                false,
                None,
            ),
        ] {
            assert_eq!(line(&item), Some((expected.to_owned(), own, file)));
        }
        let wait = call("write_stdin", json!({"session_id": 1, "chars": ""}));
        assert_eq!(line(&wait), None);
        let broken = json!({"type": "function_call", "name": "f", "arguments": "{\"a"});
        assert_eq!(line(&broken).unwrap().0, "f: arguments {\"a");
    }
}
