//! From what a curator wrote to a [`Reply`]: exactly one JSON object, within bounds.
//!
//! Pure. Prose and fences around the object are tolerated. A whole that cannot be read is an
//! error; a single change that cannot be used is left out and named in `stripped`, so that the
//! rest still reaches a person. Nothing a curator says about trust survives.

mod bodies;
mod changes;
mod object;

use super::Reply;
use crate::redact::{Hit, Part, Redactor};
use crate::source::Raw;
use serde_json::{Map, Value};

/// At most this many bytes of a reply are read.
pub const LIMIT: usize = 1 << 20;

/// Why a reply cannot be used as a whole. Nothing is consumed then.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ReplyError {
    /// Nothing was written.
    #[error("the reply is empty")]
    Empty,
    /// More than [`LIMIT`].
    #[error("the reply has {size} bytes; at most {LIMIT} are read")]
    TooLarge {
        /// Its size in bytes.
        size: usize,
    },
    /// There is no JSON object in it.
    #[error("the reply holds no JSON object")]
    NoObject,
    /// The object has no end.
    #[error("the reply ends inside its JSON object")]
    Unfinished,
    /// There are several, and no way to tell which one is meant.
    #[error("the reply holds more than one JSON object; exactly one is read")]
    Several,
    /// It could not be searched for secrets, so that nothing of it may be kept.
    #[error("the reply could not be searched for secrets; nothing of it is kept")]
    Withheld,
    /// It is an object, but of neither contract.
    #[error("the reply's object is of no known form: {why}")]
    Form {
        /// What is missing or wrong in it.
        why: String,
    },
}

/// Reads a reply of contract 2 (changes) or contract 1 (bodies).
///
/// # Errors
/// When there is not exactly one readable object of a known form within the bounds.
pub fn parse(text: &str) -> Result<Reply, ReplyError> {
    interpret(object(text)?)
}

/// As [`parse`], of a reply from which the secrets were taken out before anything of it was read,
/// shortened or quoted; also what was taken out.
///
/// # Errors
/// As [`parse`], and when it could not be searched.
pub fn read(text: &str, redactor: &Redactor) -> Result<(Reply, Vec<Hit>), ReplyError> {
    let mut hits = Vec::new();
    let object = object(text)?.into_iter();
    let clean = object.map(|(key, value)| {
        let key = hide(&key, redactor, &mut hits);
        (key, hide_all(value, redactor, &mut hits))
    });
    let object = clean.collect();
    if hits.iter().any(Hit::is_withheld) {
        return Err(ReplyError::Withheld);
    }
    Ok((interpret(object)?, hits))
}

fn hide(text: &str, redactor: &Redactor, hits: &mut Vec<Hit>) -> String {
    let (redacted, found) = redactor.redact(&Raw::new(text), &Part::default());
    hits.extend(found);
    redacted.as_str().to_owned()
}

/// Every text of a value, names included. As deep as the parser went.
fn hide_all(value: Value, redactor: &Redactor, hits: &mut Vec<Hit>) -> Value {
    match value {
        Value::String(text) => Value::String(hide(&text, redactor, hits)),
        Value::Array(items) => {
            let items = items.into_iter();
            Value::Array(items.map(|v| hide_all(v, redactor, hits)).collect())
        }
        Value::Object(map) => {
            let clean = map.into_iter().map(|(key, value)| {
                let key = hide(&key, redactor, hits);
                (key, hide_all(value, redactor, hits))
            });
            Value::Object(clean.collect())
        }
        other => other,
    }
}

fn object(text: &str) -> Result<Map<String, Value>, ReplyError> {
    if text.len() > LIMIT {
        return Err(ReplyError::TooLarge { size: text.len() });
    }
    if text.trim().is_empty() {
        return Err(ReplyError::Empty);
    }
    object::only(text)
}

fn interpret(object: Map<String, Value>) -> Result<Reply, ReplyError> {
    match version(&object)? {
        2 => changes::read(object).map(Reply::Changes),
        _ => bodies::read(object).map(Reply::Bodies),
    }
}

/// Which contract an object follows: as it says, else as its keys show.
fn version(object: &Map<String, Value>) -> Result<u64, ReplyError> {
    let said = match object.get("version") {
        None | Some(Value::Null) => None,
        Some(Value::Number(n)) => Some(n.as_u64().unwrap_or(u64::MAX)),
        Some(Value::String(s)) => Some(s.trim().parse().unwrap_or(u64::MAX)),
        Some(_) => Some(u64::MAX),
    };
    match said {
        Some(n @ (1 | 2)) => Ok(n),
        Some(_) => Err(form("\"version\" must be 1 or 2")),
        None if object.contains_key("changes") => Ok(2),
        None if bodies::KEYS.iter().any(|key| object.contains_key(*key)) => Ok(1),
        None => Err(form(
            "it has neither \"changes\" nor the bodies of version 1",
        )),
    }
}

fn form(why: impl Into<String>) -> ReplyError {
    ReplyError::Form { why: why.into() }
}

/// Takes secrets out of every text of a reply as it was understood: flattening and unwrapping may
/// have brought one together.
#[must_use]
pub fn redact(mut reply: Reply, redactor: &Redactor) -> (Reply, Vec<Hit>) {
    let mut hits = Vec::new();
    let mut clean = |text: &mut String| *text = hide(text, redactor, &mut hits);
    match &mut reply {
        Reply::Changes(changes) => changes::each_text(changes, &mut clean),
        Reply::Bodies(bodies) => bodies::each_text(bodies, &mut clean),
    }
    (reply, hits)
}

/// A text on one line, at most `max` characters.
fn one_line(text: &str, max: usize) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match crate::text::first_chars(&flat, max) {
        (all, true) => all.to_owned(),
        (start, false) => format!("{start}…"),
    }
}

#[cfg(test)]
mod tests;
