//! One row of a Codex rollout, as far as memd reads it.
//!
//! A row is an envelope of a type and a payload; in the oldest format the payload stands bare.
//! Tolerant by construction: a field of an unexpected type counts as absent.

use crate::source::given::{Deep, Given};
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::value::RawValue;
use std::fmt;

/// Pieces read of one message; a row with more counts as damaged.
const PIECES: usize = 10_000;

/// A row's envelope.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Row<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Given<'a>,
    #[serde(borrow)]
    pub timestamp: Given<'a>,
    #[serde(borrow)]
    pub payload: Option<&'a RawValue>,
    #[serde(borrow)]
    pub record_type: Given<'a>,
    #[serde(borrow)]
    id: Given<'a>,
    #[serde(borrow)]
    instructions: Option<&'a RawValue>,
    #[serde(borrow)]
    git: Option<&'a RawValue>,
}

/// What kind of row it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind<'a> {
    /// The session's own description, or that of one whose history was copied into it.
    Meta,
    /// What a turn begins with: its id and directory.
    Turn,
    /// A message, a call or its result.
    Item,
    /// What the tool showed.
    Event,
    /// A summary that stands for what was said before.
    Compacted,
    /// The first row of the oldest format.
    BareMeta,
    /// A message, call or result without an envelope.
    BareItem,
    /// A row that holds nothing for memory.
    Passed,
    /// A row of a type nobody has met yet.
    Unknown(&'a str),
    /// An object that is no row.
    NoRow,
}

/// Row types that hold nothing for memory.
const PASSED: [&str; 5] = [
    "world_state",
    "inter_agent_communication_metadata",
    "inter_agent_communication",
    "ghost_snapshot",
    "state",
];
/// Types of items that stood without an envelope.
const BARE: [&str; 8] = [
    "message",
    "reasoning",
    "function_call",
    "function_call_output",
    "local_shell_call",
    "custom_tool_call",
    "custom_tool_call_output",
    "web_search_call",
];

impl Row<'_> {
    /// What it is.
    pub fn kind(&self) -> Kind<'_> {
        match (self.kind.text(), self.payload) {
            (Some("session_meta"), Some(_)) => Kind::Meta,
            (Some("turn_context"), Some(_)) => Kind::Turn,
            (Some("response_item"), Some(_)) => Kind::Item,
            (Some("event_msg"), Some(_)) => Kind::Event,
            (Some("compacted"), Some(_)) => Kind::Compacted,
            (Some(kind), None) if BARE.contains(&kind) => Kind::BareItem,
            (Some(kind), _) if PASSED.contains(&kind) => Kind::Passed,
            (Some(kind), _) => Kind::Unknown(kind),
            (None, _) if self.is_bare_meta() => Kind::BareMeta,
            (None, _) if self.record_type.text().is_some() => Kind::Passed,
            (None, _) => Kind::NoRow,
        }
    }

    fn is_bare_meta(&self) -> bool {
        let is_named = self.id.text().is_some() && self.timestamp.text().is_some();
        is_named && (self.instructions.is_some() || self.git.is_some())
    }
}

/// The payload of a row. Each type has some of the fields.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Item<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Given<'a>,
    #[serde(borrow)]
    pub id: Given<'a>,
    #[serde(borrow)]
    pub cwd: Given<'a>,
    #[serde(borrow)]
    pub forked_from_id: Given<'a>,
    #[serde(borrow)]
    pub source: Deep<'a>,
    #[serde(borrow)]
    pub thread_source: Given<'a>,
    #[serde(borrow)]
    pub turn_id: Given<'a>,
    #[serde(borrow)]
    pub num_turns: Given<'a>,
    #[serde(borrow)]
    pub role: Given<'a>,
    #[serde(borrow)]
    pub phase: Given<'a>,
    #[serde(borrow)]
    pub content: Pieces<'a>,
    #[serde(borrow)]
    pub message: Given<'a>,
    #[serde(borrow)]
    pub name: Given<'a>,
    #[serde(borrow)]
    pub namespace: Given<'a>,
    #[serde(borrow)]
    pub arguments: Given<'a>,
    #[serde(borrow)]
    pub input: Given<'a>,
    #[serde(borrow)]
    pub action: Deep<'a>,
    #[serde(borrow)]
    pub call_id: Given<'a>,
    #[serde(borrow)]
    pub output: Option<&'a RawValue>,
}

impl Item<'_> {
    /// Whether a session's own description says that another agent started it.
    pub fn is_subagent(&self) -> bool {
        let source = &self.source.0;
        source.field("subagent").is_some()
            || source.text() == Some("subagent")
            || self.thread_source.text() == Some("subagent")
    }
}

/// The pieces of a message, in order: a text is one piece.
#[derive(Default)]
pub(super) struct Pieces<'a>(pub Vec<Piece<'a>>);

/// One piece of a message.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Piece<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Given<'a>,
    #[serde(borrow)]
    pub text: Given<'a>,
}

impl Pieces<'_> {
    /// The texts of all pieces.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|piece| piece.text.text())
    }

    /// Whether one of them is a picture.
    pub fn has_image(&self) -> bool {
        let is_image = |piece: &Piece<'_>| piece.kind.text() == Some("input_image");
        self.0.iter().any(is_image)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Pieces<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(AnyPieces)
    }
}

struct AnyPieces;

impl<'de> Visitor<'de> for AnyPieces {
    type Value = Pieces<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a list of pieces")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Pieces<'de>, E> {
        Ok(one(Given::Text(text.into())))
    }

    fn visit_str<E>(self, text: &str) -> Result<Pieces<'de>, E> {
        Ok(one(Given::Text(text.to_owned().into())))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Pieces<'de>, E> {
        Ok(Pieces::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Pieces<'de>, E> {
        Ok(Pieces::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Pieces<'de>, E> {
        Ok(Pieces::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Pieces<'de>, E> {
        Ok(Pieces::default())
    }

    fn visit_unit<E>(self) -> Result<Pieces<'de>, E> {
        Ok(Pieces::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Pieces<'de>, A::Error> {
        let mut pieces = Vec::new();
        while let Some(OnePiece(piece)) = seq.next_element()? {
            if pieces.len() == PIECES {
                return Err(A::Error::custom("too many pieces"));
            }
            pieces.push(piece);
        }
        Ok(Pieces(pieces))
    }

    fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Pieces<'de>, A::Error> {
        let piece = Piece::deserialize(de::value::MapAccessDeserializer::new(map))?;
        Ok(Pieces(vec![piece]))
    }
}

fn one(text: Given<'_>) -> Pieces<'_> {
    let kind = Given::Nothing;
    Pieces(vec![Piece { kind, text }])
}

/// A piece of a list, whatever stands there.
struct OnePiece<'a>(Piece<'a>);

impl<'de: 'a, 'a> Deserialize<'de> for OnePiece<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let Pieces(mut pieces) = Pieces::deserialize(from)?;
        Ok(Self(match pieces.len() {
            1 => pieces.remove(0),
            _ => Piece::default(),
        }))
    }
}

/// The object as a row, if it is one of Codex's beyond doubt.
pub(super) fn is_recognised(object: &[u8]) -> bool {
    let row: Row<'_> = match serde_json::from_slice(object) {
        Ok(row) => row,
        Err(_) => return false,
    };
    !matches!(
        row.kind(),
        Kind::Passed | Kind::Unknown(_) | Kind::NoRow | Kind::BareItem
    )
}
