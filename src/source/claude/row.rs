//! One row of a Claude Code session, as far as memd reads it.
//!
//! Tolerant by construction: a field of an unexpected type counts as absent, unknown fields and
//! whole bodies of other row types are passed over without being held.

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// Any JSON value, kept only as far as it is text or a truth.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) enum Given<'a> {
    /// Absent, null, or of no interest.
    #[default]
    Nothing,
    /// A string.
    Text(Cow<'a, str>),
    /// A truth value.
    Truth(bool),
    /// A number, as it is written in JSON.
    Number(f64),
    /// A list.
    List(Vec<Given<'a>>),
    /// An object, in file order.
    Fields(Vec<(Cow<'a, str>, Given<'a>)>),
}

impl<'a> Given<'a> {
    /// The string, when it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Given::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it is `true`.
    pub fn is_true(&self) -> bool {
        *self == Given::Truth(true)
    }

    /// A field of an object.
    pub fn field(&self, name: &str) -> Option<&Given<'a>> {
        match self {
            Given::Fields(fields) => fields.iter().find(|(key, _)| key == name).map(|(_, v)| v),
            _ => None,
        }
    }

    /// A field of an object that is a string.
    pub fn word(&self, name: &str) -> Option<&str> {
        self.field(name)?.text()
    }

    /// The elements of a list.
    pub fn elements(&self) -> &[Given<'a>] {
        match self {
            Given::List(list) => list,
            _ => &[],
        }
    }
}

/// Fields that may hold whole files and that no action line shows.
const BULKY: [&str; 5] = ["content", "old_string", "new_string", "new_source", "edits"];

struct Anything;

impl<'de> Visitor<'de> for Anything {
    type Value = Given<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Given<'de>, E> {
        Ok(Given::Truth(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Given<'de>, E> {
        #[expect(clippy::cast_precision_loss, reason = "numbers are only shown")]
        Ok(Given::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Given<'de>, E> {
        #[expect(clippy::cast_precision_loss, reason = "numbers are only shown")]
        Ok(Given::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Given<'de>, E> {
        Ok(Given::Number(value))
    }

    fn visit_unit<E>(self) -> Result<Given<'de>, E> {
        Ok(Given::Nothing)
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Given<'de>, E> {
        Ok(Given::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Given<'de>, E> {
        Ok(Given::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Given<'de>, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = seq.next_element()? {
            list.push(element);
        }
        Ok(Given::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Given<'de>, A::Error> {
        let mut fields = Vec::new();
        while let Some((Key(key), value)) = map.next_entry()? {
            fields.push((key, value));
        }
        Ok(Given::Fields(fields))
    }
}

/// A tool's input, without what is bulky.
struct Inputs;

impl<'de> Visitor<'de> for Inputs {
    type Value = Given<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a tool's input")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Given<'de>, A::Error> {
        let mut fields = Vec::new();
        while let Some(Key(key)) = map.next_key()? {
            if BULKY.contains(&&*key) {
                map.next_value::<IgnoredAny>()?;
            } else {
                fields.push((key, map.next_value()?));
            }
        }
        Ok(Given::Fields(fields))
    }
}

fn inputs<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Given<'a>, D::Error> {
    let raw = <&RawValue>::deserialize(deserializer)?;
    if !raw.get().starts_with('{') {
        return Ok(Given::Nothing);
    }
    serde_json::Deserializer::from_str(raw.get())
        .deserialize_map(Inputs)
        .map_err(serde::de::Error::custom)
}

impl<'de: 'a, 'a> Deserialize<'de> for Given<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Anything)
    }
}

/// An object's key, borrowed where it can be.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

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
    message: Option<&'a RawValue>,
    #[serde(borrow)]
    attachment: Option<&'a RawValue>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    tool_use_result: Option<&'a RawValue>,
}

/// A `user` or `assistant` row's message.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Message<'a> {
    #[serde(borrow)]
    pub model: Given<'a>,
    #[serde(borrow)]
    pub content: Content<'a>,
}

/// What a message or a tool result holds.
#[derive(Debug, Default)]
pub(super) enum Content<'a> {
    /// Neither text nor blocks.
    #[default]
    Nothing,
    /// One text.
    Text(Cow<'a, str>),
    /// Blocks in order.
    Blocks(Vec<Block<'a>>),
}

/// One block of a message. `thinking`, `source` and the rest are passed over.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Block<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Given<'a>,
    #[serde(borrow)]
    pub text: Given<'a>,
    #[serde(borrow)]
    pub id: Given<'a>,
    #[serde(borrow)]
    pub name: Given<'a>,
    #[serde(borrow, deserialize_with = "inputs")]
    pub input: Given<'a>,
    #[serde(borrow)]
    pub tool_use_id: Given<'a>,
    #[serde(borrow)]
    pub is_error: Given<'a>,
    #[serde(borrow)]
    pub content: Content<'a>,
}

struct Contents;

impl<'de> Visitor<'de> for Contents {
    type Value = Content<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a list of blocks")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Content<'de>, E> {
        Ok(Content::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Content<'de>, E> {
        Ok(Content::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Content<'de>, E> {
        Ok(Content::Nothing)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Content<'de>, E> {
        Ok(Content::Nothing)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Content<'de>, E> {
        Ok(Content::Nothing)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Content<'de>, E> {
        Ok(Content::Nothing)
    }

    fn visit_unit<E>(self) -> Result<Content<'de>, E> {
        Ok(Content::Nothing)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Content<'de>, A::Error> {
        let mut blocks = Vec::new();
        while let Some(Element(block)) = seq.next_element()? {
            blocks.push(block);
        }
        Ok(Content::Blocks(blocks))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Content<'de>, A::Error> {
        let block = Block::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
        Ok(Content::Blocks(vec![block]))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Content<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Contents)
    }
}

/// A block, or a bare string in a list of blocks.
struct Element<'a>(Block<'a>);

impl<'de: 'a, 'a> Deserialize<'de> for Element<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(match Content::deserialize(deserializer)? {
            Content::Text(text) => Block {
                kind: Given::Text(Cow::Borrowed("text")),
                text: Given::Text(text),
                ..Block::default()
            },
            Content::Blocks(blocks) => blocks.into_iter().next().unwrap_or_default(),
            Content::Nothing => Block::default(),
        }))
    }
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

    /// What the user answered to the questions of a tool, and to which.
    pub fn answers(&self) -> Vec<(String, String)> {
        let Ok(result) = read::<Given>(self.tool_use_result) else {
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
