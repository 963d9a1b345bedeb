//! A message and its blocks.

use crate::source::given::{Given, inputs};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// A `user` or `assistant` row's message.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::source::claude) struct Message<'a> {
    #[serde(borrow)]
    pub model: Given<'a>,
    #[serde(borrow)]
    pub content: Content<'a>,
}

/// Blocks read of one message; a row with more counts as damaged.
const BLOCKS: usize = 10_000;

/// What a message holds.
#[derive(Debug, Default)]
pub(in crate::source::claude) enum Content<'a> {
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
pub(in crate::source::claude) struct Block<'a> {
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
    pub content: Joined<'a>,
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
            if blocks.len() == BLOCKS {
                return Err(serde::de::Error::custom("too many blocks"));
            }
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

/// The texts of a tool's result, one below the other.
#[derive(Debug, Default)]
pub(in crate::source::claude) struct Joined<'a>(pub Cow<'a, str>);

struct Texts;

impl<'de> Visitor<'de> for Texts {
    type Value = Joined<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a list of blocks")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Joined<'de>, E> {
        Ok(Joined(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Joined<'de>, E> {
        Ok(Joined(Cow::Owned(text.to_owned())))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Joined<'de>, E> {
        Ok(Joined::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Joined<'de>, E> {
        Ok(Joined::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Joined<'de>, E> {
        Ok(Joined::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Joined<'de>, E> {
        Ok(Joined::default())
    }

    fn visit_unit<E>(self) -> Result<Joined<'de>, E> {
        Ok(Joined::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Joined<'de>, A::Error> {
        let mut all = Cow::Borrowed("");
        while let Some(Joined(text)) = seq.next_element()? {
            if all.is_empty() {
                all = text;
            } else if !text.is_empty() {
                let all = all.to_mut();
                all.push('\n');
                all.push_str(&text);
            }
        }
        Ok(Joined(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Joined<'de>, A::Error> {
        #[derive(Deserialize)]
        struct Part<'a> {
            #[serde(borrow, default)]
            text: Given<'a>,
        }
        let part = Part::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
        Ok(match part.text {
            Given::Text(text) => Joined(text),
            _ => Joined::default(),
        })
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Joined<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Texts)
    }
}
