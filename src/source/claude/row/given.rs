//! JSON values of no fixed shape, kept as far as they are of use.

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// Any JSON value, kept only as far as it is text or a truth.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::source::claude) enum Given<'a> {
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

/// Reads a tool's input.
pub(super) fn inputs<'de: 'a, 'a, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Given<'a>, D::Error> {
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
