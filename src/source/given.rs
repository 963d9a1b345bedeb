//! JSON values of no fixed shape, kept as far as they are of use.

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
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
/// Fields kept of an object, and elements of a list; the rest is passed over.
const FIELDS: usize = 32;
const ELEMENTS: usize = 64;

/// Reads any value. Lists and objects are kept to this depth, and passed over below it.
struct Anything {
    depth: u8,
    without: &'static [&'static str],
}

impl Anything {
    fn inside(&self) -> Self {
        Self {
            depth: self.depth - 1,
            without: &[],
        }
    }
}

impl<'de> DeserializeSeed<'de> for Anything {
    type Value = Given<'de>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Given<'de>, D::Error> {
        from.deserialize_any(self)
    }
}

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
        while self.depth > 0 && list.len() < ELEMENTS {
            match seq.next_element_seed(self.inside())? {
                Some(element) => list.push(element),
                None => return Ok(Given::List(list)),
            }
        }
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Given::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Given<'de>, A::Error> {
        let mut fields = Vec::new();
        while self.depth > 0 && fields.len() < FIELDS {
            let Some(Key(key)) = map.next_key()? else {
                return Ok(Given::Fields(fields));
            };
            if self.without.contains(&&*key) {
                map.next_value::<IgnoredAny>()?;
            } else {
                fields.push((key, map.next_value_seed(self.inside())?));
            }
        }
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Given::Fields(fields))
    }
}

/// A value of its own, not in depth.
impl<'de: 'a, 'a> Deserialize<'de> for Given<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let flat = Anything {
            depth: 0,
            without: &[],
        };
        flat.deserialize(from)
    }
}

/// Reads a tool's input, as deep as to-do lists go, without what is bulky.
pub(super) fn inputs<'de: 'a, 'a, D: Deserializer<'de>>(from: D) -> Result<Given<'a>, D::Error> {
    let input = Anything {
        depth: 3,
        without: &BULKY,
    };
    input.deserialize(from)
}

/// A tool's input, for tests.
#[cfg(test)]
pub(super) fn read_input(json: &str) -> Given<'_> {
    inputs(&mut serde_json::Deserializer::from_str(json)).unwrap()
}

/// A value with what is in it.
#[derive(Default)]
pub(super) struct Deep<'a>(pub Given<'a>);

impl<'de: 'a, 'a> Deserialize<'de> for Deep<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let deep = Anything {
            depth: 3,
            without: &[],
        };
        deep.deserialize(from).map(Self)
    }
}

/// An object's key, borrowed where it can be.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);
