//! What words a row's parts hold, and whose they are.

use super::row::{Content, Row};
use super::wrapped::{Said, said};
use crate::source::ToolContext;
use crate::source::action::beginning;
use crate::source::given::{Deep, Given};
use jiff::Timestamp;

/// Whether the content is something a person typed.
pub(super) fn is_prompt(content: &Content<'_>) -> bool {
    let words = |text: &str| matches!(said(text), Said::Prompt(_) | Said::Slash(_));
    match content {
        Content::Nothing => false,
        Content::Text(text) => words(text),
        Content::Blocks(blocks) => blocks
            .iter()
            .filter(|block| block.kind.text() == Some("text"))
            .any(|block| block.text.text().is_some_and(words)),
    }
}

/// Whether the prose of a user row is a person's: the program writes rows of that type too, and
/// says where they came from.
pub(super) fn is_typed(row: &Row<'_>) -> bool {
    let is_persons = row.origin.is_none_or(|raw| {
        let origin = serde_json::from_str::<Deep<'_>>(raw.get()).unwrap_or_default();
        origin.0.word("kind") == Some("human")
    });
    is_persons && !row.is_meta.is_true() && row.prompt_source.text() != Some("system")
}

/// Whether a prompt that was queued in this mode was typed by a person.
pub(super) fn is_typed_mode(mode: &Given<'_>) -> bool {
    mode.text().is_none_or(|m| m == "prompt" || m == "bash")
}

/// What the user said in a tool's result: the answers to a tool's questions, or why a call was
/// refused. Told by the row's structure, as any tool could print such words.
pub(super) fn users_words(row: &Row<'_>, tool: Option<&ToolContext>, text: &str) -> Option<String> {
    if tool.is_some_and(|tool| tool.name == "AskUserQuestion") {
        let answers = row.answers();
        let line = |(question, answer): &(String, String)| format!("{question} → {answer}");
        let lines: Vec<_> = answers.iter().map(line).collect();
        return (!lines.is_empty()).then(|| lines.join("\n"));
    }
    let (_, words) = text.split_once("the user said:\n")?;
    row.is_refusal().then(|| words.trim().to_owned())
}

/// The shell that a person used from within the session, and the line typed into it.
pub(super) fn shell(typed: &str) -> ToolContext {
    ToolContext {
        name: "Bash".to_owned(),
        command: Some(beginning(typed.trim_start_matches("$ "))),
        ..ToolContext::default()
    }
}

/// When a row was written: RFC 3339, or milliseconds since 1970.
pub(super) fn instant(given: &Given<'_>) -> Option<Timestamp> {
    match given {
        Given::Text(text) => text.parse().ok(),
        #[expect(clippy::cast_possible_truncation, reason = "out of range is no time")]
        Given::Number(ms) => Timestamp::from_millisecond(*ms as i64).ok(),
        _ => None,
    }
}
