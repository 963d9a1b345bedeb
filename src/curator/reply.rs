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
    if text.len() > LIMIT {
        return Err(ReplyError::TooLarge { size: text.len() });
    }
    if text.trim().is_empty() {
        return Err(ReplyError::Empty);
    }
    let object = object::only(text)?;
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

/// Takes secrets out of every text of a reply, as out of anything else that is stored.
#[must_use]
pub fn redact(mut reply: Reply, redactor: &Redactor) -> (Reply, Vec<Hit>) {
    let mut hits = Vec::new();
    let mut clean = |text: &mut String| {
        let (redacted, found) = redactor.redact(&Raw::new(std::mem::take(text)), &Part::default());
        *text = redacted.as_str().to_owned();
        hits.extend(found);
    };
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
