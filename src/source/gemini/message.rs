//! What a message says: words, calls of tools, answers of tools.

use crate::source::action::{Call, action};
use crate::source::given;
use crate::source::id::message_id;
use crate::source::json::text;
use crate::source::{Role, ToolContext};
use serde_json::{Map, Value};

/// How texts begin that the tool itself writes into the user's turns.
const INJECTED: [&str; 4] = [
    "<session_context>",
    "<state_snapshot>",
    "This is the Gemini CLI. We are setting up the context",
    "[SYSTEM: ",
];
/// What stands around files that a prompt names: the tool puts them behind the prompt.
const FILES: &str = "--- Content from referenced files ---";
const FILES_END: &str = "--- End of content ---";

/// One part of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    /// An id of its own: more of a message may come after the rest was read.
    pub id: String,
    /// Who.
    pub role: Role,
    /// What.
    pub text: String,
    /// Which tool, on what.
    pub tool: Option<ToolContext>,
}

/// What became of a message.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Message {
    /// It says this.
    Said(Vec<Said>),
    /// It is left out; why.
    Nothing(&'static str),
    /// Its kind is none that is known.
    Unknown,
}

/// Reads a message of this id and kind.
pub(super) fn message(id: &str, kind: &str, message: &Map<String, Value>) -> Message {
    match kind {
        "user" => user(id, message),
        "gemini" => Message::Said(gemini(id, message)),
        "error" => {
            let words = words(message.get("content"));
            Message::Said(vec![said(id, Role::Error, &words)])
        }
        "info" | "warning" => Message::Nothing("remark of the tool"),
        _ => Message::Unknown,
    }
}

/// The words of a message, for telling it from another.
pub(super) fn mark(id: &str, message: &Map<String, Value>) -> String {
    let calls = calls(message).map(|call| text(call, "id"));
    let calls: Vec<_> = calls.collect();
    format!(
        "{id}\0{}\0{}",
        words(message.get("content")),
        calls.join(" ")
    )
}

fn user(id: &str, message: &Map<String, Value>) -> Message {
    // What was typed, where it differs from what was sent.
    let shown = words(message.get("displayContent"));
    let sent = words(message.get("content"));
    let typed = if shown.trim().is_empty() { sent } else { shown };
    let typed = without_files(&without_element(&typed, "hook_context"));
    let typed = typed.trim();
    if INJECTED.iter().any(|start| typed.starts_with(start)) {
        return Message::Nothing("remark of the tool");
    }
    Message::Said(vec![said(id, Role::User, typed)])
}

fn gemini(id: &str, message: &Map<String, Value>) -> Vec<Said> {
    let mut all = vec![said(id, Role::Assistant, &words(message.get("content")))];
    for call in calls(message) {
        all.extend(call_and_answer(id, call));
    }
    all
}

fn said(id: &str, role: Role, text: &str) -> Said {
    Said {
        id: message_id(&["gemini", id, "text", text.trim()]),
        role,
        text: text.to_owned(),
        tool: None,
    }
}

fn calls(message: &Map<String, Value>) -> impl Iterator<Item = &Map<String, Value>> {
    let calls = message.get("toolCalls").and_then(Value::as_array);
    calls.into_iter().flatten().filter_map(Value::as_object)
}

/// A call and what came of it. What memd itself printed is left out.
fn call_and_answer(id: &str, call: &Map<String, Value>) -> Vec<Said> {
    let name = match text(call, "name") {
        "" => "tool",
        name => name,
    };
    let args = call.get("args").map(Value::to_string).unwrap_or_default();
    let input = given::inputs(&mut serde_json::Deserializer::from_str(&args)).unwrap_or_default();
    let about = Call::of(name, &input);
    let own = text(call, "id");
    let part = |what: &str, role, text: String| Said {
        id: message_id(&["gemini", id, own, what]),
        role,
        text,
        tool: Some(about.context.clone()),
    };
    let made = part("call", Role::ToolCall, action(name, &input));
    let answer = match call.get("result") {
        None | Some(Value::Null) => words(call.get("resultDisplay")),
        Some(result) => answers(result),
    };
    let role = match text(call, "status") {
        "error" | "cancelled" => Role::Error,
        _ => Role::ToolResult,
    };
    let is_own = about.own || answer.trim().is_empty();
    let answer = (!is_own).then(|| part("answer", role, answer));
    std::iter::once(made).chain(answer).collect()
}

/// The words in a content: a text, a part, or a list of parts. Thoughts and what tools answered are
/// none.
fn words(content: Option<&Value>) -> String {
    let part = |part: &Value| match part {
        Value::String(text) => Some(text.clone()),
        Value::Object(part) if part.get("thought") != Some(&Value::Bool(true)) => {
            Some(text(part, "text").to_owned())
        }
        _ => None,
    };
    match content {
        Some(Value::Array(parts)) => {
            let parts = parts.iter().filter_map(part);
            parts
                .filter(|text| !text.is_empty())
                .collect::<Vec<_>>()
                .join("\n")
        }
        Some(content) => part(content).unwrap_or_default(),
        None => String::new(),
    }
}

/// What a tool answered: the response under each function, whatever it is called there.
fn answers(result: &Value) -> String {
    let parts = match result {
        Value::Array(parts) => parts.as_slice(),
        part => std::slice::from_ref(part),
    };
    let answer = |part: &Value| {
        let response = part.get("functionResponse").and_then(|f| f.get("response"));
        match response {
            Some(Value::Object(response)) => {
                let texts = response.values().filter_map(Value::as_str);
                texts.collect::<Vec<_>>().join("\n")
            }
            _ => words(Some(part)),
        }
    };
    let answers = parts.iter().map(answer).filter(|text| !text.is_empty());
    answers.collect::<Vec<_>>().join("\n")
}

/// The text without what the tool read of the files that it names.
fn without_files(text: &str) -> String {
    let Some((before, rest)) = text.split_once(FILES) else {
        return text.to_owned();
    };
    let after = rest.rsplit_once(FILES_END).map_or("", |(_, after)| after);
    format!("{}{after}", before.trim_end())
}

/// The text without the elements of this name.
fn without_element(text: &str, name: &str) -> String {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once(&open) {
        out.push_str(before);
        rest = inside.split_once(&close).map_or("", |(_, after)| after);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn lines(kind: &str, value: &Value) -> String {
        match message("m", kind, value.as_object().unwrap()) {
            Message::Said(said) => {
                let line = |s: &Said| format!("{}: {}", s.role.letter(), s.text);
                said.iter().map(line).collect::<Vec<_>>().join(" | ")
            }
            Message::Nothing(why) => why.to_owned(),
            Message::Unknown => "?".to_owned(),
        }
    }

    #[test]
    fn words_are_found_in_every_shape_of_content() {
        for (kind, value, expected) in [
            ("user", json!({"content": "a"}), "U: a"),
            ("user", json!({"content": {"text": "a"}}), "U: a"),
            (
                "user",
                json!({"content": [{"text": "a"}, "b", {"inlineData": {}}]}),
                "U: a\nb",
            ),
            (
                "user",
                json!({"content": "a\n--- Content from referenced files ---\nsecret\n--- End of content ---"}),
                "U: a",
            ),
            (
                "user",
                json!({"content": "sent", "displayContent": "typed"}),
                "U: typed",
            ),
            (
                "user",
                json!({"content": "<hook_context>x</hook_context>go"}),
                "U: go",
            ),
            (
                "user",
                json!({"content": [{"functionResponse": {}}]}),
                "U: ",
            ),
            (
                "user",
                json!({"content": "<state_snapshot>x"}),
                "remark of the tool",
            ),
            (
                "gemini",
                json!({"content": [{"text": "t", "thought": true}, {"text": "a"}]}),
                "A: a",
            ),
            ("error", json!({"content": "failed"}), "E: failed"),
            ("info", json!({"content": "x"}), "remark of the tool"),
            ("later", json!({}), "?"),
        ] {
            assert_eq!(lines(kind, &value), expected, "{value}");
        }
    }

    #[test]
    fn a_call_is_a_line_and_its_answer_is_the_tools() {
        let call = |command: &str, status: &str| {
            json!({
                "content": "",
                "toolCalls": [{
                    "id": "c", "name": "run_shell_command", "args": {"command": command}, "status": status,
                    "result": [{"functionResponse": {"response": {"output": "out"}}}],
                }],
            })
        };
        assert_eq!(
            lines("gemini", &call("make", "success")),
            "A:  | T: run_shell_command: make | R: out"
        );
        assert_eq!(
            lines("gemini", &call("make", "error")),
            "A:  | T: run_shell_command: make | E: out"
        );
        assert_eq!(
            lines("gemini", &call("memd brief", "success")),
            "A:  | T: run_shell_command: memd brief"
        );
    }

    #[test]
    fn what_comes_later_has_an_id_of_its_own() {
        let ids = |value: Value| match message("m", "gemini", value.as_object().unwrap()) {
            Message::Said(said) => said.into_iter().map(|s| s.id).collect::<Vec<_>>(),
            _ => Vec::new(),
        };
        let first = ids(json!({"content": "a"}));
        let later = ids(json!({"content": "a", "toolCalls": [{"id": "c", "name": "x"}]}));
        assert_eq!((first[0] == later[0], later.len()), (true, 2));
        assert_ne!(ids(json!({"content": "ab"}))[0], first[0]);
    }
}
