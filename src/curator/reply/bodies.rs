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

/// A body without a fence around the whole of it and without front matter, whichever stands outside.
fn bare(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let mut text = text.trim_start_matches('\u{FEFF}').trim();
    for _ in 0..2 {
        text = without_front_matter(without_fence(text)).trim();
    }
    text.to_owned()
}

/// Without a fence around all of it. Where fences stand inside, the outer one must say that it
/// holds markdown or be longer than they are: else it is the body's own first code block.
fn without_fence(text: &str) -> &str {
    let marks = text.len() - text.trim_start_matches('`').len();
    let mark = &text[..marks];
    let inner = text
        .strip_suffix(mark)
        .filter(|_| marks >= 3)
        .and_then(|rest| rest.get(marks..))
        .and_then(|rest| rest.split_once('\n'));
    let Some((tag, body)) = inner else {
        return text;
    };
    let body = body.trim_end();
    let inside = body.lines().filter(|l| l.starts_with(mark)).count();
    let is_markdown = matches!(tag.trim(), "markdown" | "md");
    let is_outer = inside == 0 || (is_markdown && inside.is_multiple_of(2));
    if is_outer && !tag.trim().contains(' ') {
        body
    } else {
        text
    }
}

/// Without front matter: lines of keys between two `---`, not a text between two rules.
fn without_front_matter(text: &str) -> &str {
    let split = text
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---"));
    let is_key = |line: &str| {
        let key = line.split_once(':').map(|(key, _)| key);
        key.is_some_and(|k| !k.is_empty() && !k.contains(char::is_whitespace))
    };
    match split {
        Some((front, body))
            if front.lines().next().is_some_and(is_key)
                && (body.is_empty() || body.starts_with('\n')) =>
        {
            body
        }
        _ => text,
    }
}
