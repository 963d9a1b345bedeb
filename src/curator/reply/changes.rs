//! Contract 2, change by change.

use super::{ReplyError, form, one_line};
use crate::curator::{ChangesReply, ProposedChange};
use crate::memory::MemoryFile;
use serde_json::{Map, Value};

/// At most this many changes of one reply are read.
const MAX_CHANGES: usize = 200;
/// At most this many characters of text one entry may have: well under the smallest budget.
const MAX_TEXT: usize = 8_000;
/// At most this many evidence lines are kept per change.
const MAX_EVIDENCE: usize = 40;
/// Characters of a one-line field: the summary, a section, a reason.
const MAX_LINE: usize = 400;

/// What only memd itself, or a person, may say of a change.
const RESERVED: &[&str] = &[
    "accepted",
    "applied",
    "approved",
    "audit",
    "author",
    "confirmed",
    "confirmed_at",
    "decision",
    "hash",
    "human",
    "id",
    "key",
    "lapses",
    "level",
    "manifest",
    "origin",
    "pinned",
    "project",
    "reviewed",
    "role",
    "seal",
    "sealed",
    "state",
    "status",
    "supersedes",
    "target",
    "trust",
    "trusted",
    "verdict",
    "verdicts",
];

/// Reads the object. A change that cannot be used is named in `stripped` with its reason.
pub(super) fn read(object: Map<String, Value>) -> Result<ChangesReply, ReplyError> {
    let mut stripped = reserved(&object, "");
    let summary = object.get("summary").and_then(Value::as_str);
    let list = match object.get("changes") {
        Some(Value::Array(list)) => list.as_slice(),
        Some(Value::Null) | None => &[],
        Some(_) => return Err(form("\"changes\" must be a list")),
    };
    let mut changes = Vec::new();
    for (n, value) in list.iter().enumerate().take(MAX_CHANGES) {
        match change(value, n + 1, &mut stripped) {
            Ok(change) => changes.push(change),
            Err(why) => stripped.push(format!("change {} left out: {why}", n + 1)),
        }
    }
    if list.len() > MAX_CHANGES {
        let more = list.len() - MAX_CHANGES;
        stripped.push(format!(
            "{more} more changes left out: at most {MAX_CHANGES} are read"
        ));
    }
    Ok(ChangesReply {
        summary: one_line(summary.unwrap_or_default(), MAX_LINE),
        changes,
        stripped,
    })
}

/// Hands every text of a reply to `f`.
pub(super) fn each_text(reply: &mut ChangesReply, f: &mut dyn FnMut(&mut String)) {
    f(&mut reply.summary);
    reply.stripped.iter_mut().for_each(&mut *f);
    for change in &mut reply.changes {
        match change {
            ProposedChange::Add { section, text, .. } => {
                section.iter_mut().for_each(&mut *f);
                f(text);
            }
            ProposedChange::Edit { text, .. } => f(text),
            ProposedChange::Archive { reason, .. } => f(reason),
        }
    }
}

fn reserved(object: &Map<String, Value>, place: &str) -> Vec<String> {
    let keys = object.keys().filter(|key| {
        RESERVED
            .iter()
            .any(|r| key.trim().eq_ignore_ascii_case(r) || key.trim().starts_with('_'))
    });
    keys.map(|key| format!("{place}{}", one_line(key, 40)))
        .collect()
}

fn change(value: &Value, n: usize, stripped: &mut Vec<String>) -> Result<ProposedChange, String> {
    let Value::Object(object) = value else {
        return Err("it is no object".to_owned());
    };
    stripped.extend(reserved(object, &format!("change {n}: ")));
    let evidence = evidence(object.get("evidence"));
    match string(object, "op")?.trim() {
        "add" => Ok(ProposedChange::Add {
            file: file(object)?,
            section: section(object)?,
            text: text(object)?,
            evidence,
        }),
        "edit" => Ok(ProposedChange::Edit {
            entry: entry(object)?,
            text: text(object)?,
            evidence,
        }),
        "archive" => Ok(ProposedChange::Archive {
            entry: entry(object)?,
            reason: reason(object),
            evidence,
        }),
        other => Err(format!(
            "op {:?} is not add, edit or archive",
            one_line(other, 40)
        )),
    }
}

fn string<'a>(object: &'a Map<String, Value>, key: &str) -> Result<&'a str, String> {
    match object.get(key) {
        Some(Value::String(text)) => Ok(text),
        Some(_) => Err(format!("{key:?} is no text")),
        None => Err(format!("it has no {key:?}")),
    }
}

fn file(object: &Map<String, Value>) -> Result<MemoryFile, String> {
    let name = string(object, "file")?.trim();
    MemoryFile::from_name(name)
        .ok_or_else(|| format!("file {:?} is none of the four", one_line(name, 60)))
}

/// A heading is one line without its marks; none, or an empty one, is the top of the file.
fn section(object: &Map<String, Value>) -> Result<Option<String>, String> {
    let Some(Value::String(name)) = object.get("section") else {
        return Ok(None);
    };
    let name = name.trim().trim_start_matches('#').trim();
    if name.contains(['\n', '\r']) || name.chars().count() > MAX_LINE {
        return Err("its section is not one short line".to_owned());
    }
    Ok(Some(name.to_owned()).filter(|name| !name.is_empty()))
}

fn text(object: &Map<String, Value>) -> Result<String, String> {
    let text = string(object, "text")?;
    let text = text.replace("\r\n", "\n");
    let text = text.trim_matches('\n').trim_end();
    match text.chars().count() {
        0 => Err("its text is empty".to_owned()),
        n if n > MAX_TEXT => Err(format!("its text has {n} characters, over {MAX_TEXT}")),
        _ => Ok(text.to_owned()),
    }
}

fn reason(object: &Map<String, Value>) -> String {
    let reason = object.get("reason").and_then(Value::as_str);
    one_line(reason.unwrap_or_default(), MAX_LINE)
}

/// An entry's id or the beginning of one, out of the brackets in which prompts show it.
fn entry(object: &Map<String, Value>) -> Result<String, String> {
    let said = string(object, "entry")?;
    let id = said
        .trim()
        .trim_matches(|c| "[]#`\"'".contains(c))
        .to_ascii_lowercase();
    let good = (6..=12).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_hexdigit());
    if good {
        Ok(id)
    } else {
        Err(format!("{:?} is no entry's id", one_line(said, 40)))
    }
}

/// Line numbers as cited: numbers, or numbers as text; each once, in the order given.
fn evidence(value: Option<&Value>) -> Vec<u32> {
    let one = |value: &Value| match value {
        Value::Number(n) => n.as_u64().and_then(|n| u32::try_from(n).ok()),
        Value::String(s) => s.trim().trim_matches(['[', ']']).parse().ok(),
        _ => None,
    };
    let cited: Vec<u32> = match value {
        Some(Value::Array(list)) => list.iter().filter_map(one).collect(),
        Some(single) => one(single).into_iter().collect(),
        None => Vec::new(),
    };
    let mut lines = Vec::new();
    for n in cited {
        if n > 0 && lines.len() < MAX_EVIDENCE && !lines.contains(&n) {
            lines.push(n);
        }
    }
    lines
}
