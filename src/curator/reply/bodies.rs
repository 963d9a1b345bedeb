//! Contract 1, whole bodies, as existing curator commands write them.

use super::{ReplyError, form, one_line};
use crate::curator::{ArchivedText, BodiesReply};
use serde_json::{Map, Value};

/// The keys that tell this contract.
pub(super) const KEYS: [&str; 5] = [
    "state_body",
    "decisions_body",
    "todo_body",
    "mistakes_new_entries",
    "archive_entries",
];

/// Reads the object. An absent or null body means no change.
pub(super) fn read(object: Map<String, Value>) -> Result<BodiesReply, ReplyError> {
    let summary = object.get("summary").and_then(Value::as_str);
    Ok(BodiesReply {
        summary: one_line(summary.unwrap_or_default(), 400),
        state_body: body(&object, "state_body")?,
        decisions_body: body(&object, "decisions_body")?,
        todo_body: body(&object, "todo_body")?,
        mistakes_new_entries: list(&object, "mistakes_new_entries", mistake)?,
        archive_entries: list(&object, "archive_entries", archived)?,
    })
}

/// Hands every text of a reply to `f`.
pub(super) fn each_text(reply: &mut BodiesReply, f: &mut dyn FnMut(&mut String)) {
    f(&mut reply.summary);
    let bodies = [
        &mut reply.state_body,
        &mut reply.decisions_body,
        &mut reply.todo_body,
    ];
    bodies.into_iter().flatten().for_each(&mut *f);
    reply.mistakes_new_entries.iter_mut().for_each(&mut *f);
    for piece in &mut reply.archive_entries {
        f(&mut piece.source);
        f(&mut piece.content);
    }
}

fn body(object: &Map<String, Value>, key: &str) -> Result<Option<String>, ReplyError> {
    match object.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(bare(text)).filter(|body| !body.is_empty())),
        Some(_) => Err(form(format!("{key:?} must be a text or null"))),
    }
}

fn list<T>(
    object: &Map<String, Value>,
    key: &str,
    item: fn(&Value) -> Option<T>,
) -> Result<Vec<T>, ReplyError> {
    match object.get(key) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(items)) => items
            .iter()
            .map(|value| item(value).ok_or_else(|| form(format!("{key:?} holds a wrong item"))))
            .collect(),
        Some(_) => Err(form(format!("{key:?} must be a list"))),
    }
}

fn mistake(value: &Value) -> Option<String> {
    value.as_str().map(bare)
}

fn archived(value: &Value) -> Option<ArchivedText> {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    Some(ArchivedText {
        source: one_line(text("source")?, 60),
        content: bare(text("content")?),
    })
}

/// A body without a fence around the whole of it and without front matter.
fn bare(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    without_front_matter(without_fence(text.trim()))
        .trim()
        .to_owned()
}

fn without_fence(text: &str) -> &str {
    let inner = text
        .strip_prefix("```")
        .and_then(|rest| rest.strip_suffix("```"))
        .and_then(|rest| rest.split_once('\n'));
    match inner {
        // A second fence inside means that the first one belongs to the body.
        Some((tag, body)) if !body.contains("```") && !tag.contains(' ') => body.trim(),
        _ => text,
    }
}

fn without_front_matter(text: &str) -> &str {
    text.strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n").map(|(_, body)| body))
        .unwrap_or(text)
}
