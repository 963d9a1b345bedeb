//! What `claude -p --output-format json` writes around an answer.
//!
//! Usually one object. With `verbose` on it is a list, with another output format one object a
//! line; an update notice or a proxy's page may stand before or instead. `is_error` counts, not
//! `subtype`: an overloaded service is a "success" there.

use crate::curator::ask::Cost;
use serde_json::{Deserializer, Value};

/// At most this many places are tried as the beginning of an envelope.
const TRIES: usize = 64;

/// The answer and what stands beside it.
#[derive(Debug, PartialEq)]
pub(super) struct Envelope {
    /// The call failed; `text` says why.
    pub is_error: bool,
    /// `success`, or the kind of error.
    pub kind: String,
    /// The structured answer as JSON, else the answer's text.
    pub text: String,
    /// What the call cost.
    pub cost: Cost,
}

/// There is no envelope.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum EnvelopeError {
    /// Nothing was written, though the program may have ended well.
    Empty,
    /// Something else was written.
    Other(String),
}

/// Reads standard output.
pub(super) fn read(stdout: &[u8]) -> Result<Envelope, EnvelopeError> {
    let text = String::from_utf8_lossy(stdout);
    let text = text.trim().trim_start_matches('\u{FEFF}');
    if text.is_empty() {
        return Err(EnvelopeError::Empty);
    }
    let result = starts(text).find_map(|at| last_result(&text[at..]));
    result
        .map(|object| open(&object))
        .ok_or_else(|| EnvelopeError::Other(text.to_owned()))
}

/// Where an envelope may begin: lines that begin with a brace or a bracket.
fn starts(text: &str) -> impl Iterator<Item = usize> {
    let mut at = 0;
    text.split_inclusive('\n')
        .filter_map(move |line| {
            let start = at;
            at += line.len();
            line.starts_with(['{', '[']).then_some(start)
        })
        .take(TRIES)
}

/// The last object of type "result" among the values that follow each other here.
fn last_result(text: &str) -> Option<Value> {
    let mut last = None;
    for value in Deserializer::from_str(text).into_iter::<Value>() {
        match value {
            Ok(Value::Array(items)) => last = items.into_iter().rfind(is_result).or(last),
            Ok(value) if is_result(&value) => last = Some(value),
            Ok(_) => {}
            Err(_) => break,
        }
    }
    last
}

fn is_result(value: &Value) -> bool {
    value.get("type").and_then(Value::as_str) == Some("result")
}

fn open(object: &Value) -> Envelope {
    let text = |key: &str| object.get(key).and_then(Value::as_str);
    let kind = text("subtype").unwrap_or("success").to_owned();
    let flagged = object.get("is_error").and_then(Value::as_bool);
    let is_error = flagged.unwrap_or(false) || kind.starts_with("error");
    let structured = object.get("structured_output").filter(|v| v.is_object());
    let answer = match structured {
        Some(value) if !is_error => value.to_string(),
        _ => text("result").unwrap_or_default().to_owned(),
    };
    let errors = object.get("errors").and_then(Value::as_array);
    let errors = errors.into_iter().flatten().filter_map(Value::as_str);
    let kind = if is_error && kind == "success" {
        "an error"
    } else {
        &kind
    };
    Envelope {
        is_error,
        kind: kind.to_owned(),
        text: if is_error && answer.is_empty() {
            errors.collect::<Vec<_>>().join("; ")
        } else {
            answer
        },
        cost: cost(object),
    }
}

fn cost(object: &Value) -> Cost {
    let usage = object.get("usage");
    let tokens = |key: &str| usage?.get(key)?.as_u64();
    let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"];
    let cached: u64 = cached.iter().filter_map(|key| tokens(key)).sum();
    Cost {
        input_tokens: tokens("input_tokens").map(|n| n.saturating_add(cached)),
        output_tokens: tokens("output_tokens"),
        cost_usd: object.get("total_cost_usd").and_then(Value::as_f64),
    }
}
