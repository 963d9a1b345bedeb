//! One row of a Claude Code session, as far as memd reads it.
//!
//! Tolerant by construction: a field of an unexpected type counts as absent, unknown fields and
//! whole bodies of other row types are passed over without being held.

mod message;

pub(super) use message::{Block, Content, Message};

use crate::source::given::{self, Given};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// A row's own fields. Its body stays unread until the type is known.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Row<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Given<'a>,
    #[serde(borrow)]
    pub subtype: Given<'a>,
    #[serde(borrow)]
    pub uuid: Given<'a>,
    #[serde(borrow)]
    pub parent_uuid: Given<'a>,
    #[serde(borrow)]
    pub logical_parent_uuid: Given<'a>,
    #[serde(borrow)]
    pub session_id: Given<'a>,
    #[serde(borrow)]
    pub cwd: Given<'a>,
    #[serde(borrow)]
    pub timestamp: Given<'a>,
    #[serde(borrow)]
    pub is_sidechain: Given<'a>,
    #[serde(borrow)]
    pub is_meta: Given<'a>,
    #[serde(borrow)]
    pub prompt_source: Given<'a>,
    #[serde(borrow)]
    pub origin: Option<&'a RawValue>,
    #[serde(borrow)]
    pub is_compact_summary: Given<'a>,
    #[serde(borrow)]
    pub is_visible_in_transcript_only: Given<'a>,
    #[serde(borrow)]
    pub team_name: Given<'a>,
    #[serde(borrow)]
    pub leaf_uuid: Given<'a>,
    #[serde(borrow)]
    pub ai_title: Given<'a>,
    #[serde(borrow)]
    pub custom_title: Given<'a>,
    #[serde(borrow)]
    summary: Option<&'a RawValue>,
    #[serde(borrow)]
    pub message: Option<&'a RawValue>,
    #[serde(borrow)]
    pub attachment: Option<&'a RawValue>,
    #[serde(borrow)]
    pub content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub tool_use_result: Option<&'a RawValue>,
}

/// What a row says, by its type.
#[derive(Debug)]
pub(super) enum Body<'a> {
    /// Of a `user` row.
    User(Message<'a>),
    /// Of an `assistant` row.
    Assistant(Message<'a>),
    /// A prompt that was typed while the agent was busy.
    Queued {
        /// The prompt.
        prompt: Content<'a>,
        /// `prompt`, `task-notification`, ….
        mode: Given<'a>,
    },
    /// A recap that the tool wrote when the user came back.
    Recap(Given<'a>),
    /// A title of the session.
    Title(Given<'a>),
    /// The leaf of the branch that is active now.
    Leaf,
    /// A row type that holds nothing for memory.
    Passed,
    /// A row type nobody has met yet.
    Unknown,
    /// An object that is no row.
    NoRow,
}

/// Row types that hold nothing for memory.
const PASSED: [&str; 31] = [
    "progress",
    "attachment",
    "file-history-snapshot",
    "file-history-delta",
    "system",
    "permission-mode",
    "mode",
    "agent-name",
    "agent-color",
    "queue-operation",
    "pr-link",
    "bridge-session",
    "frame-link",
    "tag",
    "agent_metadata",
    "agent-setting",
    "cost-state",
    "tools-used",
    "api-request",
    "api-request-shape",
    "api-request-blob",
    "attribution-snapshot",
    "content-replacement",
    "marble-origami-commit",
    "marble-origami-snapshot",
    "speculation-accept",
    "task-summary",
    "worktree-state",
    "session-mode",
    "tool-decision",
    "started",
];

#[derive(Default, Deserialize)]
#[serde(default)]
struct Attachment<'a> {
    #[serde(borrow, rename = "type")]
    kind: Given<'a>,
    #[serde(borrow)]
    prompt: Content<'a>,
    #[serde(borrow, rename = "commandMode")]
    mode: Given<'a>,
}

impl<'a> Row<'a> {
    /// Reads the body, for the types that have one of interest.
    ///
    /// # Errors
    /// When the body is damaged.
    pub fn body(&self) -> Result<Body<'a>, serde_json::Error> {
        let Some(kind) = self.kind.text() else {
            return Ok(Body::NoRow);
        };
        Ok(match kind {
            "user" => Body::User(read(self.message)?),
            "assistant" => Body::Assistant(read(self.message)?),
            "attachment" => self.attachment()?,
            "system" if self.subtype.text() == Some("away_summary") => {
                Body::Recap(read(self.content)?)
            }
            "ai-title" => Body::Title(self.ai_title.clone()),
            "custom-title" => Body::Title(self.custom_title.clone()),
            "summary" => Body::Title(read(self.summary)?),
            "last-prompt" => Body::Leaf,
            kind if PASSED.contains(&kind) => Body::Passed,
            _ => Body::Unknown,
        })
    }

    /// Whether it is a message of the conversation.
    pub fn is_talk(&self) -> bool {
        matches!(self.kind.text(), Some("user" | "assistant"))
    }

    /// Whether it is Claude Code's beyond doubt: nobody else's rows have such fields beside a type.
    pub fn is_recognised(&self) -> bool {
        let names = [&self.uuid, &self.session_id, &self.leaf_uuid];
        let is_named = names.iter().any(|name| name.text().is_some());
        let is_snapshot = self.kind.text() == Some("file-history-snapshot");
        self.kind.text().is_some() && (is_named || is_snapshot)
    }

    /// What the user answered to the questions of a tool, and to which.
    pub fn answers(&self) -> Vec<(String, String)> {
        let Ok(given::Deep(result)) = read(self.tool_use_result) else {
            return Vec::new();
        };
        let Some(Given::Fields(answers)) = result.field("answers") else {
            return Vec::new();
        };
        let answer = |(question, answer): &(Cow<'_, str>, Given<'_>)| {
            Some((question.to_string(), answer.text()?.to_owned()))
        };
        answers.iter().filter_map(answer).collect()
    }

    /// Whether the user refused the tool call that this row answers. A tool cannot say so: what
    /// the tool itself reports begins with another word.
    pub fn is_refusal(&self) -> bool {
        self.tool_use_result
            .is_some_and(|raw| raw.get() == r#""User rejected tool use""#)
    }

    fn attachment(&self) -> Result<Body<'a>, serde_json::Error> {
        // Most attachments repeat whole files: look at the type before reading the rest.
        let is_queued = self.attachment.is_some_and(|raw| {
            memchr::memmem::find(raw.get().as_bytes(), b"\"queued_command\"").is_some()
        });
        if !is_queued {
            return Ok(Body::Passed);
        }
        let attachment: Attachment = read(self.attachment)?;
        Ok(match attachment.kind.text() {
            Some("queued_command") => Body::Queued {
                prompt: attachment.prompt,
                mode: attachment.mode,
            },
            _ => Body::Passed,
        })
    }
}

fn read<'a, T: Default + Deserialize<'a>>(
    raw: Option<&'a RawValue>,
) -> Result<T, serde_json::Error> {
    raw.map_or_else(|| Ok(T::default()), |raw| serde_json::from_str(raw.get()))
}
