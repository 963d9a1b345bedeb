//! A tool call as one line: the tool's name and the most telling of its inputs.

use super::given::Given;
use super::{ToolContext, own};
use std::collections::VecDeque;

/// Inputs by how much they tell, best first.
const TELLING: [&str; 18] = [
    "command",
    "file_path",
    "notebook_path",
    "pattern",
    "url",
    "query",
    "skill",
    "subject",
    "description",
    "prompt",
    "path",
    "title",
    "name",
    "taskId",
    "task_id",
    "bash_id",
    "plan",
    "message",
];

/// Inputs worth showing beside the most telling one.
const BESIDE: [&str; 5] = ["path", "glob", "args", "status", "subagent_type"];

/// The line, whole: it is redacted before it is shortened.
pub(super) fn action(name: &str, input: &Given<'_>) -> String {
    let what = listed(input)
        .or_else(|| telling(input))
        .or_else(|| any(input))
        .unwrap_or_default();
    if what.is_empty() {
        return name.to_owned();
    }
    format!("{name}: {what}")
}

fn telling(input: &Given<'_>) -> Option<String> {
    let (key, best) = TELLING
        .iter()
        .find_map(|key| Some((*key, input.word(key).filter(|t| !t.trim().is_empty())?)))?;
    let beside = BESIDE
        .iter()
        .filter(|other| **other != key)
        .filter_map(|other| Some((*other, input.word(other)?)))
        .map(|(other, value)| format!(" ({other} {value})"));
    Some(best.trim().to_owned() + &beside.collect::<String>())
}

/// To-do lists and questions: what stands in their elements.
fn listed(input: &Given<'_>) -> Option<String> {
    let todo = |item: &Given<'_>| {
        let mark = match item.word("status") {
            Some("completed") => "[x]",
            Some("in_progress") => "[>]",
            _ => "[ ]",
        };
        let what = item.word("content").or_else(|| item.word("step"));
        Some(format!("{mark} {}", what?))
    };
    let question = |item: &Given<'_>| Some(item.word("question")?.to_owned());
    let join = |lines: Vec<String>| (!lines.is_empty()).then(|| lines.join("; "));
    let todos = input.field("todos").or_else(|| input.field("plan"));
    if let Some(todos) = todos.filter(|todos| !todos.elements().is_empty()) {
        return join(todos.elements().iter().filter_map(todo).collect());
    }
    let questions = input.field("questions")?;
    join(questions.elements().iter().filter_map(question).collect())
}

/// The first inputs that are text, for tools nobody knows.
fn any(input: &Given<'_>) -> Option<String> {
    let Given::Fields(fields) = input else {
        return None;
    };
    let shown = fields.iter().filter_map(|(key, value)| match value {
        Given::Text(text) => Some(format!("{key} {text}")),
        Given::Number(number) => Some(format!("{key} {number}")),
        Given::Truth(truth) => Some(format!("{key} {truth}")),
        _ => None,
    });
    Some(shown.take(3).collect::<Vec<_>>().join(", "))
}

/// What a call was about, for its result.
#[derive(Debug, Clone)]
pub(super) struct Call {
    /// The tool and its file.
    pub context: ToolContext,
    /// It runs memd itself.
    pub own: bool,
}

impl Call {
    /// Reads it off a call.
    pub fn of(name: &str, input: &Given<'_>) -> Self {
        const FILES: [&str; 6] = [
            "file_path",
            "notebook_path",
            "path",
            "absolute_path",
            "filePath",
            "target_file",
        ];
        let path = FILES
            .iter()
            .find_map(|key| input.word(key).map(str::to_owned))
            .or_else(|| input.word("command").and_then(printed));
        Self {
            context: ToolContext {
                name: name.to_owned(),
                path,
                command: input.word("command").map(beginning),
            },
            own: own::is_own_tool(name) || input.word("command").is_some_and(own::is_own_command),
        }
    }
}

/// A command that is not long, or so much of a long one.
pub(super) fn beginning(command: &str) -> String {
    command.chars().take(COMMAND * 4).collect()
}

/// The longest command looked at for the file it prints, in bytes.
const COMMAND: usize = 1000;

/// The file that a command prints, if it does nothing else: `cat .env`, `sed -n 1,5p .npmrc`.
pub(super) fn printed(command: &str) -> Option<String> {
    let command = command.trim();
    let command = match command.split_once("&&") {
        Some((before, rest)) if before.starts_with("cd ") => rest,
        _ => command,
    };
    let command = command.trim_end_matches(" 2>/dev/null");
    if command.len() > COMMAND || command.contains(['|', ';', '&', '\n', '`', '<', '>', '(']) {
        return None;
    }
    let words = shell_words::split(command).ok()?;
    let mut words = words.iter().map(String::as_str).peekable();
    words.next_if_eq(&"sudo");
    let tool = words.next()?;
    let tool = tool.rsplit('/').next().unwrap_or(tool);
    // An option's own value comes after it, or a script before the file.
    let (valued, mut script): (&[&str], bool) = match tool {
        "cat" | "bat" | "less" | "more" | "nl" | "tac" | "type" => (&[], false),
        "head" | "tail" => (&["-n", "-c", "--lines", "--bytes"], false),
        "sed" => (&["-e", "--expression"], true),
        _ => return None,
    };
    let mut file = None;
    while let Some(word) = words.next() {
        if valued.contains(&word) {
            words.next()?;
            script = false;
        } else if word.starts_with('-') && word.len() > 1 {
        } else if script {
            script = false;
        } else if file.replace(word).is_some() {
            return None;
        }
    }
    file.map(str::to_owned)
}

/// The latest calls, to be found again by their results.
#[derive(Debug, Default)]
pub(super) struct Calls(VecDeque<(String, Call)>);

/// Calls remembered; more never wait for a result at one time.
const REMEMBERED: usize = 512;

impl Calls {
    /// Remembers a call.
    pub fn add(&mut self, id: &str, call: Call) {
        if self.0.len() == REMEMBERED {
            self.0.pop_front();
        }
        self.0.push_back((id.to_owned(), call));
    }

    /// The call with this id.
    pub fn get(&self, id: &str) -> Option<&Call> {
        self.0
            .iter()
            .rev()
            .find(|(known, _)| known == id)
            .map(|(_, call)| call)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::given::read_input;

    #[test]
    fn the_line_names_the_tool_and_what_it_works_on() {
        let table = [
            (
                "Bash",
                r#"{"command":"cargo test","description":"Run"}"#,
                "Bash: cargo test",
            ),
            (
                "Edit",
                r#"{"file_path":"/a/b.rs","old_string":"x","new_string":"y"}"#,
                "Edit: /a/b.rs",
            ),
            (
                "Grep",
                r#"{"pattern":"fn main","path":"src"}"#,
                "Grep: fn main (path src)",
            ),
            (
                "TodoWrite",
                r#"{"todos":[{"content":"a","status":"completed"},{"content":"b"}]}"#,
                "TodoWrite: [x] a; [ ] b",
            ),
            (
                "AskUserQuestion",
                r#"{"questions":[{"question":"Which?"}]}"#,
                "AskUserQuestion: Which?",
            ),
            (
                "mcp__x__y",
                r#"{"colour":"red","count":3,"deep":{"a":1}}"#,
                "mcp__x__y: colour red, count 3",
            ),
            ("TaskList", "{}", "TaskList"),
            ("Odd", "7", "Odd"),
        ];
        for (name, input, expected) in table {
            let input = read_input(input);
            assert_eq!(action(name, &input), expected);
        }
    }

    #[test]
    fn a_call_keeps_the_beginning_of_its_command() {
        let input = serde_json::json!({ "command": "é".repeat(9000) }).to_string();
        let command = Call::of("Bash", &read_input(&input)).context.command;
        assert_eq!(command.unwrap(), "é".repeat(4000));
    }

    #[test]
    fn a_command_that_prints_one_file_is_about_that_file() {
        let path = |command: &str| {
            let input = serde_json::json!({ "command": command }).to_string();
            Call::of("Bash", &read_input(&input)).context.path
        };
        for (command, file) in [
            ("cat .env", ".env"),
            ("head ~/.aws/credentials", "~/.aws/credentials"),
            ("head -n 5 -q .env", ".env"),
            ("tail -20 'my app/.env'", "my app/.env"),
            ("sed -n 1,5p .npmrc", ".npmrc"),
            ("sed -e 1,5p -n .npmrc", ".npmrc"),
            ("cd /srv/app && cat .env 2>/dev/null", ".env"),
            ("sudo /bin/cat -n /srv/app/.env", "/srv/app/.env"),
        ] {
            assert_eq!(path(command).as_deref(), Some(file), "{command}");
        }
        for command in [
            "cat",
            "cat a .env",
            "cat .env | wc -l",
            "cat .env && ls",
            "cat $(ls)",
            "cat > .env",
            "rm .env",
            "sed -n 1,5p",
            "head -n",
            "cat 'open",
        ] {
            assert_eq!(path(command), None, "{command}");
        }
    }
}
