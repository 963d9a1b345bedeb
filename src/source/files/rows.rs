//! Rows for agents that memd does not know: a JSON object a line with `role` and `text`, and `ts`,
//! `cwd`, `session` and `id` where there are any.

use crate::digest::Coverage;
use crate::fs::open_plain;
use crate::source::frame::{Spot, Took, any_object};
use crate::source::id::message_id;
use crate::source::intake::{Intake, Part};
use crate::source::session::Session;
use crate::source::walk::{Walker, walk};
use crate::source::{Reading, Role, Sink, SourceError};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use std::borrow::Cow;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

/// How much of a file is looked at for a row, in bytes.
const HEAD: u64 = 256 * 1024;

#[derive(Deserialize)]
struct Row<'a> {
    #[serde(borrow)]
    role: Cow<'a, str>,
    #[serde(borrow)]
    text: Cow<'a, str>,
    #[serde(default)]
    ts: Value,
    #[serde(borrow, default)]
    cwd: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    session: Option<Cow<'a, str>>,
    #[serde(default)]
    id: Value,
}

/// Whether an object is such a row.
pub(super) fn is_row(object: &[u8]) -> bool {
    serde_json::from_slice::<Row<'_>>(object).is_ok()
}

/// Whether a file begins with such rows.
///
/// # Errors
/// When it cannot be read.
pub(super) fn is_known(path: &Path) -> Result<bool, SourceError> {
    let mut head = Vec::new();
    let read = open_plain(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    read.map_err(SourceError::io(path))?;
    Ok(any_object(&head, &is_row))
}

/// Hands on the rows of a range.
///
/// # Errors
/// When they cannot be read.
pub(super) fn read(
    session: &Session,
    bytes: Box<dyn Read>,
    range: Range<u64>,
    reading: &Reading<'_>,
    sink: &mut dyn Sink,
) -> Result<Coverage, SourceError> {
    let root = session.root.as_ref().map(|dir| dir.to_string_lossy());
    let name = session
        .path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
    let mut reader = Reader {
        intake: Intake::new(&session.key, range.start, reading, sink),
        key: &session.key,
        root: root.as_deref(),
        name: &name,
    };
    let length = range.end.saturating_sub(range.start);
    walk(&session.path, bytes.take(length), range.start, &mut reader)?;
    Ok(reader.intake.coverage)
}

struct Reader<'a, 'r, 's> {
    intake: Intake<'r, 's>,
    key: &'a str,
    root: Option<&'a str>,
    name: &'a str,
}

impl<'r, 's> Walker<'r, 's> for Reader<'_, 'r, 's> {
    fn intake(&mut self) -> &mut Intake<'r, 's> {
        &mut self.intake
    }

    fn object(&mut self, offset: u64, object: &[u8], _: Spot) -> Result<Took, serde_json::Error> {
        if !is_row(object) {
            // Told from damage: what is no object at all is an error of its own.
            serde_json::from_slice::<serde::de::IgnoredAny>(object)?;
            return Ok(Took::NoRow);
        }
        self.row(offset, &serde_json::from_slice(object)?);
        Ok(Took::Row)
    }
}

impl Reader<'_, '_, '_> {
    fn row(&mut self, offset: u64, row: &Row<'_>) {
        let cwd = row.cwd.as_deref().filter(|cwd| !cwd.is_empty());
        let is_own = cwd.is_some_and(|cwd| self.intake.reading.own.is_own(Path::new(cwd)));
        if is_own {
            return self.intake.skip("memd's own session");
        }
        // They are the project's that names them, wherever they were written.
        if let Some(why) = self.intake.is_foreign(self.root.or(cwd)) {
            return self.intake.skip(why);
        }
        let Some(role) = role(&row.role) else {
            self.intake.unknown_type(&row.role);
            return;
        };
        let session = row.session.as_deref().unwrap_or(self.name);
        self.intake.session(session);
        let (ts, id) = (plain(&row.ts), plain(&row.id));
        // Where nothing tells two equal rows apart, their place does.
        let place = match ts.is_empty() && id.is_empty() {
            true => offset.to_string(),
            false => String::new(),
        };
        let id = message_id(&[self.key, session, &id, &ts, &place, &row.role, &row.text]);
        let part = Part {
            offset,
            id: Some((&id, 0)),
            session,
            at: time(&row.ts),
            cwd: cwd.or(self.root),
            ..Part::default()
        };
        self.intake.part(role, &row.text, part);
    }
}

fn role(name: &str) -> Option<Role> {
    match name {
        "user" | "human" => Some(Role::User),
        "assistant" | "model" | "agent" => Some(Role::Assistant),
        "tool_call" => Some(Role::ToolCall),
        "tool" | "tool_result" => Some(Role::ToolResult),
        "error" => Some(Role::Error),
        "note" => Some(Role::Note),
        _ => None,
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

/// RFC 3339, or seconds or milliseconds since 1970.
fn time(value: &Value) -> Option<Timestamp> {
    /// As milliseconds later than the year 5000, as seconds the year 1973 and later.
    const SECONDS: i64 = 100_000_000_000;
    match value {
        Value::String(text) => text.parse().ok(),
        Value::Number(number) => {
            #[expect(clippy::cast_possible_truncation, reason = "out of range is no time")]
            let number = number.as_i64().or(number.as_f64().map(|n| n as i64))?;
            match number.abs() < SECONDS {
                true => Timestamp::from_second(number).ok(),
                false => Timestamp::from_millisecond(number).ok(),
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_a_role_and_a_text() {
        assert!(is_row(br#"{"role":"user","text":"a\nb","more":[1]}"#));
        for other in [
            &b"{}"[..],
            b"{\"role\":\"user\"}",
            b"{\"role\":1,\"text\":\"a\"}",
            b"[]",
        ] {
            assert!(!is_row(other));
        }
    }

    #[test]
    fn times_are_read_in_the_usual_forms() {
        let read = |json: &str| time(&serde_json::from_str(json).unwrap()).map(|t| t.to_string());
        let second = Some("2026-08-01T16:00:00Z".to_owned());
        assert_eq!(read("\"2026-08-01T18:00:00+02:00\""), second);
        assert_eq!(read("1785600000"), second);
        assert_eq!(read("1785600000000"), second);
        assert_eq!(read("1785600000.4"), second);
        assert_eq!(read("\"yesterday\""), None);
        assert_eq!(read("null"), None);
    }
}
