//! What a row holds besides a person's and the model's own prose: what tools, hooks and the program
//! said, also where it is no material.

use super::row::{Block, Body, Content, Row};
use super::words::{is_typed, is_typed_mode, users_words};
use super::wrapped::{Said, said};
use crate::source::action::Calls;
use crate::source::given::Given;
use crate::source::strings::each_string;
use serde::Deserialize;
use serde_json::value::RawValue;

/// Blocks in the model's words.
const MODELS: [&str; 6] = [
    "text",
    "tool_use",
    "server_tool_use",
    "mcp_tool_use",
    "thinking",
    "redacted_thinking",
];

/// A message whose content is not taken apart yet.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Whole<'a> {
    #[serde(borrow)]
    model: Given<'a>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

impl<'a> Row<'a> {
    /// Hands it on, with the calls that results may answer.
    pub fn heard(&self, calls: &Calls, hear: &mut dyn FnMut(&str)) {
        match self.kind.text().unwrap_or_default() {
            "user" if is_typed(self) => self.heard_of_user(calls, hear),
            "assistant" if self.whole().model.text() != Some("<synthetic>") => {
                self.heard_of_model(hear);
            }
            "attachment" if self.is_typed_prompt() => {}
            // It repeats what a person typed.
            "queue-operation" => {}
            _ => {
                let bodies = [self.message, self.attachment, self.content];
                for body in bodies.into_iter().chain([self.tool_use_result]) {
                    each_string(body, hear);
                }
            }
        }
    }

    fn heard_of_model(&self, hear: &mut dyn FnMut(&str)) {
        for raw in self.blocks() {
            let is_models = |kind: &str| MODELS.contains(&kind);
            if !block(raw).kind.text().is_some_and(is_models) {
                each_string(Some(raw), hear);
            }
        }
    }

    fn heard_of_user(&self, calls: &Calls, hear: &mut dyn FnMut(&str)) {
        let mut is_answer = false;
        for raw in self.blocks() {
            let block = block(raw);
            match block.kind.text() {
                Some("text") => around(block.text.text().unwrap_or_default(), hear),
                Some("tool_result") if self.is_users_answer(calls, &block) => is_answer = true,
                _ => each_string(Some(raw), hear),
            }
        }
        if !is_answer {
            each_string(self.tool_use_result, hear);
        }
    }

    fn is_users_answer(&self, calls: &Calls, block: &Block<'_>) -> bool {
        let call = block.tool_use_id.text().and_then(|id| calls.get(id));
        let tool = call.map(|call| &call.context);
        users_words(self, tool, &block.content.0).is_some()
    }

    fn is_typed_prompt(&self) -> bool {
        matches!(self.body(), Ok(Body::Queued { mode, .. }) if is_typed_mode(&mode))
    }

    fn whole(&self) -> Whole<'a> {
        let message = self.message.map(|raw| serde_json::from_str(raw.get()));
        message.and_then(Result::ok).unwrap_or_default()
    }

    /// The blocks of its message; a text that is no list is one.
    fn blocks(&self) -> Vec<&'a RawValue> {
        let content = self.whole().content;
        let list = content.map(|raw| serde_json::from_str(raw.get()).unwrap_or_else(|_| vec![raw]));
        list.unwrap_or_default()
    }
}

fn block(raw: &RawValue) -> Block<'_> {
    match serde_json::from_str(raw.get()).unwrap_or_default() {
        Content::Nothing => Block::default(),
        Content::Text(words) => Block {
            kind: Given::Text("text".into()),
            text: Given::Text(words),
            ..Block::default()
        },
        Content::Blocks(blocks) => blocks.into_iter().next().unwrap_or_default(),
    }
}

/// What stands around a person's words in one text, or instead of them.
fn around(text: &str, hear: &mut dyn FnMut(&str)) {
    match said(text) {
        Said::Prompt(prompt) => {
            if let Some((before, behind)) = text.split_once(&*prompt) {
                hear(before);
                hear(behind);
            }
        }
        Said::Slash(_) | Said::Shell(_) => {}
        Said::ShellOutput(_) | Said::Nothing(_) => hear(text),
    }
}
