//! One step of a conversation, whichever of the tool's two stores it comes from.

use super::call::Call;
use jiff::Timestamp;

/// One step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    /// Its number in the conversation.
    pub index: u64,
    /// When it began.
    pub at: Option<Timestamp>,
    /// What it is.
    pub what: What,
}

/// What a step says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    /// The user's words.
    User(String),
    /// The model: prose, and the tools it calls.
    Model { text: String, calls: Vec<Call> },
    /// The model or the tool failed.
    Error(String),
    /// What a tool of this kind answered.
    Answer {
        kind: &'static str,
        text: String,
        /// The file it is about, where the step itself says so.
        path: Option<String>,
        /// The command it ran, where the step itself says so.
        command: Option<String>,
        failed: bool,
    },
    /// Nothing for memory, and why.
    Nothing(&'static str),
    /// Of a kind nobody has met yet.
    Unknown(String),
    /// It cannot be read.
    Damaged,
}

impl What {
    /// How many bytes of text it holds.
    pub fn weight(&self) -> usize {
        match self {
            What::User(text) | What::Error(text) | What::Answer { text, .. } => text.len(),
            What::Model { text, calls } => {
                text.len() + calls.iter().map(|call| call.line.len()).sum::<usize>()
            }
            What::Nothing(_) | What::Unknown(_) | What::Damaged => 0,
        }
    }

    /// The words of the user or the model: what tells one conversation from another.
    pub fn prose(&self) -> Option<&str> {
        match self {
            What::User(text) | What::Model { text, .. } => Some(text).filter(|t| !t.is_empty()),
            _ => None,
        }
        .map(String::as_str)
    }
}

/// What kind a step is, by its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    User,
    Model,
    Error,
    /// A tool, by the name under which the model calls it.
    Tool(&'static str),
    /// Written by the program; why it is left out.
    Nothing(&'static str),
}

const REMARK: Kind = Kind::Nothing("remark of the tool");
const MEMORY: Kind = Kind::Nothing("memory of the tool");

/// The types: their number in the database, their name in the log. A number of 0 is not known.
const TYPES: [(u64, &str, Kind); 22] = [
    (14, "USER_INPUT", Kind::User),
    (15, "PLANNER_RESPONSE", Kind::Model),
    (17, "ERROR_MESSAGE", Kind::Error),
    (5, "CODE_ACTION", Kind::Tool("code_action")),
    (7, "GREP_SEARCH", Kind::Tool("grep_search")),
    (8, "VIEW_FILE", Kind::Tool("view_file")),
    (9, "LIST_DIRECTORY", Kind::Tool("list_dir")),
    (21, "RUN_COMMAND", Kind::Tool("run_command")),
    (25, "FIND", Kind::Tool("find_by_name")),
    (28, "COMMAND_STATUS", Kind::Tool("command_status")),
    (31, "READ_URL_CONTENT", Kind::Tool("read_url_content")),
    (33, "SEARCH_WEB", Kind::Tool("search_web")),
    (38, "MCP_TOOL", Kind::Tool("mcp_tool")),
    (132, "GENERIC", Kind::Tool("tool")),
    (138, "ASK_QUESTION", Kind::Tool("ask_question")),
    (0, "INVOKE_SUBAGENT", Kind::Tool("invoke_subagent")),
    (23, "CHECKPOINT", REMARK),
    (0, "CONVERSATION_HISTORY", REMARK),
    (0, "SYSTEM_MESSAGE", REMARK),
    (0, "EPHEMERAL_MESSAGE", REMARK),
    (29, "MEMORY", MEMORY),
    (34, "RETRIEVE_MEMORY", MEMORY),
];

impl Kind {
    /// By the number that the database gives.
    pub fn of_number(number: u64) -> Option<Kind> {
        let mut types = TYPES.iter().filter(|(known, ..)| *known != 0);
        types.find(|t| t.0 == number).map(|t| t.2)
    }

    /// By the name that the log gives.
    pub fn of_name(name: &str) -> Option<Kind> {
        TYPES.iter().find(|t| t.1 == name).map(|t| t.2)
    }
}

/// What the user typed, of the text that the tool sent on: the tool puts remarks of its own around
/// it.
pub(super) fn users_words(text: &str) -> &str {
    if let Some((_, rest)) = text.split_once("<USER_REQUEST>") {
        let words = rest.rsplit_once("</USER_REQUEST>");
        return words.map_or(rest, |(words, _)| words).trim();
    }
    let remarks = ["<ADDITIONAL_METADATA>", "<USER_SETTINGS_CHANGE>"];
    let start = remarks.iter().filter_map(|mark| text.find(mark)).min();
    text[..start.unwrap_or(text.len())].trim()
}

/// A tool's answer without the lines about time that the log puts before it.
pub(super) fn without_times(text: &str) -> &str {
    let mut text = text.trim_start();
    while text.starts_with("Created At: ") || text.starts_with("Completed At: ") {
        text = text
            .split_once('\n')
            .map_or("", |(_, rest)| rest)
            .trim_start();
    }
    text.trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_words_are_what_the_user_typed() {
        for (text, words) in [
            ("ok", "ok"),
            (
                "<USER_REQUEST>\nfix it\n</USER_REQUEST>\n<ADDITIONAL_METADATA>x",
                "fix it",
            ),
            (
                "<USER_REQUEST>why </USER_REQUEST> here?</USER_REQUEST>",
                "why </USER_REQUEST> here?",
            ),
            ("<USER_REQUEST>cut off", "cut off"),
            ("do\n<USER_SETTINGS_CHANGE>m</USER_SETTINGS_CHANGE>", "do"),
            ("<ADDITIONAL_METADATA>only</ADDITIONAL_METADATA>", ""),
        ] {
            assert_eq!(users_words(text), words);
        }
    }

    #[test]
    fn search_results_are_a_tools_and_only_planner_responses_are_the_models() {
        assert_eq!(Kind::of_number(33), Some(Kind::Tool("search_web")));
        assert_eq!(Kind::of_number(15), Some(Kind::Model));
        assert_eq!(Kind::of_number(0), None);
        assert_eq!(Kind::of_number(99), None);
        assert_eq!(Kind::of_name("PLANNER_RESPONSE"), Some(Kind::Model));
    }

    #[test]
    fn times_before_an_answer_are_no_part_of_it() {
        let text = "Created At: 1\nCompleted At: 2\n\n\t\tThe command failed";
        assert_eq!(without_times(text), "The command failed");
        assert_eq!(without_times("Created At: 1"), "");
    }
}
