//! Finds the one JSON object in a text that may hold prose and fences around it.

use super::ReplyError;
use serde_json::{Deserializer, Map, Value};

/// At most this many opening braces are tried: prose holds a few, a hostile reply a million.
const TRIES: usize = 2_000;

/// The only object of a text.
pub(super) fn only(text: &str) -> Result<Map<String, Value>, ReplyError> {
    let mut found = None;
    let mut from = 0;
    for _ in 0..TRIES {
        let Some(at) = text[from..].find('{').map(|n| from + n) else {
            return found.ok_or(ReplyError::NoObject);
        };
        from = match first(&text[at..]) {
            Tried::Object(..) if found.is_some() => return Err(ReplyError::Several),
            Tried::Object(object, len) => {
                found = Some(object);
                at + len
            }
            Tried::Unfinished => return Err(ReplyError::Unfinished),
            Tried::Nothing => at + 1,
        };
    }
    Err(ReplyError::NoObject)
}

enum Tried {
    /// An object, and how many bytes it takes.
    Object(Map<String, Value>, usize),
    /// The text ends inside it.
    Unfinished,
    /// A brace of something else. Nesting deeper than 128 ends here too.
    Nothing,
}

fn first(text: &str) -> Tried {
    let mut values = Deserializer::from_str(text).into_iter::<Value>();
    match values.next() {
        Some(Ok(Value::Object(object))) => Tried::Object(object, values.byte_offset()),
        Some(Err(error)) if error.is_eof() => Tried::Unfinished,
        _ => Tried::Nothing,
    }
}
