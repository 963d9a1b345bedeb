//! A tool call of the model as one line: the tool's name and the most telling of its arguments.

use crate::source::action::{beginning, printed};
use crate::source::{ToolContext, own};
use serde_json::{Map, Value};
use std::collections::VecDeque;

/// Arguments by how much they tell, best first.
const TELLING: [&str; 18] = [
    "CommandLine",
    "AbsolutePath",
    "TargetFile",
    "FilePath",
    "file_path",
    "DirectoryPath",
    "SearchDirectory",
    "Url",
    "url",
    "Query",
    "query",
    "Pattern",
    "Prompt",
    "path",
    "text",
    "toolSummary",
    "toolAction",
    "Description",
];
/// Arguments that name a file.
const FILES: [&str; 5] = [
    "AbsolutePath",
    "TargetFile",
    "FilePath",
    "file_path",
    "path",
];
/// Calls that wait for their answers.
const WAITING: usize = 64;

/// One call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call {
    /// The tool.
    pub name: String,
    /// The line, whole: it is redacted before it is shortened.
    pub line: String,
    /// The file it is about.
    pub path: Option<String>,
    /// The command it runs.
    pub command: Option<String>,
    /// It runs memd itself.
    pub own: bool,
}

impl Call {
    /// Of the arguments as they are written: `quoted` where each is JSON inside a JSON text.
    pub fn of(name: &str, args: &Map<String, Value>, quoted: bool) -> Self {
        let word = |key: &str| args.get(key).and_then(|value| word(value, quoted));
        let command = word("CommandLine");
        let known = TELLING.iter().find_map(|key| word(key));
        let telling = known.or_else(|| args.keys().find_map(|key| word(key)));
        Self {
            line: match &telling {
                Some(telling) => format!("{name}: {telling}"),
                None => name.to_owned(),
            },
            path: FILES
                .iter()
                .find_map(|key| word(key))
                .or_else(|| command.as_deref().and_then(printed)),
            own: own::is_own_tool(name) || command.as_deref().is_some_and(own::is_own_command),
            command: command.as_deref().map(beginning),
            name: name.to_owned(),
        }
    }

    /// Of the arguments as one JSON text; whatever that is.
    pub fn of_json(name: &str, args: &str) -> Self {
        let args = serde_json::from_str(args).unwrap_or_default();
        Self::of(name, &args, false)
    }

    /// The tool and its file.
    pub fn context(&self) -> ToolContext {
        ToolContext {
            name: self.name.clone(),
            path: self.path.clone(),
            command: self.command.clone(),
        }
    }
}

/// The text of an argument, if it is one and says anything.
fn word(value: &Value, quoted: bool) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    let inner = quoted.then(|| serde_json::from_str::<Value>(&text).ok());
    let text = match inner.flatten() {
        Some(Value::String(inner)) => inner,
        _ => text,
    };
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Calls whose answers are still to come, in the order in which they were made.
#[derive(Debug, Default)]
pub(super) struct Waiting(VecDeque<Call>);

impl Waiting {
    /// Adds what the model calls.
    pub fn add(&mut self, calls: &[Call]) {
        self.0.extend(calls.iter().cloned());
        while self.0.len() > WAITING {
            self.0.pop_front();
        }
    }

    /// The call that a tool of this kind answers: the first of its name; of tools that the step
    /// does not name, the first that waits.
    pub fn answered(&mut self, kind: &str) -> Option<Call> {
        let named = self.0.iter().position(|call| call.name == kind);
        let first = ["tool", "mcp_tool", "code_action"]
            .contains(&kind)
            .then_some(0);
        self.0.remove(named.or(first)?)
    }

    /// The user spoke: what was not answered by then never is.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(name: &str, json: &str) -> String {
        Call::of_json(name, json).line
    }

    #[test]
    fn the_line_names_the_tool_and_what_it_works_on() {
        for (name, json, expected) in [
            (
                "run_command",
                r#"{"toolAction":"x","CommandLine":"cargo test","Cwd":"/a"}"#,
                "run_command: cargo test",
            ),
            (
                "view_file",
                r#"{"AbsolutePath":"/a/b.rs"}"#,
                "view_file: /a/b.rs",
            ),
            ("odd", r#"{"deep":{"a":1},"count":3}"#, "odd: 3"),
            ("odd", "{}", "odd"),
            ("odd", "no json", "odd"),
            ("odd", "[1]", "odd"),
        ] {
            assert_eq!(line(name, json), expected);
        }
    }

    #[test]
    fn arguments_that_are_json_in_json_are_read_as_what_they_are() {
        let args = serde_json::json!({ "CommandLine": "\"memd brief\"" });
        let call = Call::of("run_command", args.as_object().unwrap(), true);
        assert_eq!(call.line, "run_command: memd brief");
        assert!(call.own);
        let context = Call::of_json("run_command", r#"{"CommandLine":"cat a .env"}"#).context();
        assert_eq!(context.command.as_deref(), Some("cat a .env"));
        let plain = Call::of("run_command", args.as_object().unwrap(), false);
        assert_eq!(plain.line, "run_command: \"memd brief\"");
    }

    #[test]
    fn an_answer_finds_its_call() {
        let mut waiting = Waiting::default();
        waiting.add(&[
            Call::of_json("view_file", r#"{"AbsolutePath":"/a"}"#),
            Call::of_json("run_command", r#"{"CommandLine":"ls"}"#),
        ]);
        assert_eq!(
            waiting.answered("run_command").unwrap().line,
            "run_command: ls"
        );
        assert_eq!(waiting.answered("run_command"), None);
        assert_eq!(waiting.answered("tool").unwrap().line, "view_file: /a");
        assert_eq!(waiting.answered("tool"), None);
    }
}
