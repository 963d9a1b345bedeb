//! From a row of the database to a step: the payload is protobuf, its fields known by number.

use super::call::Call;
use super::step::{Kind, Step, What, users_words};
use super::wire::{Damaged, Message};
use jiff::Timestamp;
use std::path::PathBuf;

/// Fields of a step's payload.
mod field {
    pub const METADATA: u64 = 5;
    pub const VIEW_FILE: u64 = 14;
    pub const USER_INPUT: u64 = 19;
    pub const MODEL: u64 = 20;
    pub const ERROR: u64 = 24;
    pub const COMMAND: u64 = 28;
    pub const GENERIC: u64 = 140;
}

/// The status of a step that failed.
const FAILED: i64 = 7;

/// The step of a row.
pub(super) fn step(index: u64, number: u64, status: i64, payload: &[u8]) -> Step {
    let parsed = Message::parse(payload);
    let at = parsed.as_ref().ok().and_then(|message| time(message).ok());
    let what = match Kind::of_number(number) {
        None => What::Unknown(number.to_string()),
        Some(Kind::Nothing(why)) => What::Nothing(why),
        Some(_) if payload.is_empty() => What::Nothing("step without content"),
        Some(kind) => parsed
            .and_then(|message| says(kind, status, &message))
            .unwrap_or(What::Damaged),
    };
    Step {
        index,
        at: at.flatten(),
        what,
    }
}

fn says(kind: Kind, status: i64, step: &Message<'_>) -> Result<What, Damaged> {
    Ok(match kind {
        Kind::User => What::User(user(step)?),
        Kind::Model => model(step)?,
        Kind::Error => What::Error(error(step)?),
        Kind::Tool(tool) => answer(tool, status == FAILED, step)?,
        Kind::Nothing(why) => What::Nothing(why),
    })
}

/// The text itself; failing that, what stands in its items.
fn user(step: &Message<'_>) -> Result<String, Damaged> {
    let input = step.message(field::USER_INPUT)?;
    let text = users_words(input.text(2)?);
    if !text.is_empty() {
        return Ok(text.to_owned());
    }
    let mut items = Vec::new();
    for item in input.all(3) {
        items.push(Message::parse(item)?.texts(&[]));
    }
    Ok(users_words(&items.join("\n")).to_owned())
}

fn model(step: &Message<'_>) -> Result<What, Damaged> {
    let response = step.message(field::MODEL)?;
    let text = match response.text(1)? {
        "" => response.text(8)?,
        text => text,
    };
    let mut calls = Vec::new();
    for call in response.all(7) {
        let call = Message::parse(call)?;
        calls.push(Call::of_json(call.text(2)?, call.text(3)?));
    }
    Ok(What::Model {
        text: text.trim().to_owned(),
        calls,
    })
}

fn error(step: &Message<'_>) -> Result<String, Damaged> {
    let error = step.message(field::ERROR)?;
    let text = error.message(3)?.text(1)?;
    Ok(match text {
        "" => step.texts(&[field::METADATA]),
        text => text.to_owned(),
    })
}

fn answer(kind: &'static str, failed: bool, step: &Message<'_>) -> Result<What, Damaged> {
    let mut path = None;
    let mut command = None;
    let text = match kind {
        "view_file" => {
            let file = step.message(field::VIEW_FILE)?;
            path = super::uri::path(file.text(1)?);
            file.text(2)?.to_owned()
        }
        "run_command" => {
            let run = step.message(field::COMMAND)?;
            command = Some(run.text(1)?.to_owned());
            run.text(2)?.to_owned()
        }
        "tool" => step
            .message(field::GENERIC)?
            .message(2)?
            .text(1)?
            .to_owned(),
        _ => String::new(),
    };
    let text = match text.trim() {
        "" => step.texts(&[field::METADATA, field::USER_INPUT, field::MODEL]),
        _ => text,
    };
    Ok(What::Answer {
        kind,
        text,
        path: path.map(|path| path.to_string_lossy().into_owned()),
        command: command.filter(|command| !command.trim().is_empty()),
        failed,
    })
}

/// When the step began.
fn time(step: &Message<'_>) -> Result<Option<Timestamp>, Damaged> {
    let time = step.message(field::METADATA)?.message(1)?;
    let seconds = time.number(1).and_then(|s| i64::try_from(s).ok());
    Ok(seconds.and_then(|seconds| Timestamp::from_second(seconds).ok()))
}

/// The workspace, of the blob that the tool keeps of a conversation.
pub(super) fn workspace(blob: &[u8]) -> Option<PathBuf> {
    let blob = Message::parse(blob).ok()?;
    let place = blob.message(1).ok()?;
    super::uri::path(place.text(1).ok()?)
}

#[cfg(test)]
pub(super) mod made {
    //! Payloads for tests.

    fn varint(mut value: u64, into: &mut Vec<u8>) {
        while value >= 0x80 {
            into.push(u8::try_from(value & 0x7f).unwrap() | 0x80);
            value >>= 7;
        }
        into.push(u8::try_from(value).unwrap());
    }

    /// A field that holds bytes.
    pub fn field(number: u64, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        varint(number << 3 | 2, &mut out);
        varint(bytes.len() as u64, &mut out);
        out.extend(bytes);
        out
    }

    /// A user's step.
    pub fn user(text: &str) -> Vec<u8> {
        field(19, &field(2, text.as_bytes()))
    }

    /// A step of the model that thinks, says something and calls a tool.
    pub fn model(text: &str, call: Option<(&str, &str)>) -> Vec<u8> {
        let mut inner = field(1, text.as_bytes());
        inner.extend(field(3, b"a thought"));
        if let Some((name, args)) = call {
            let call = [
                field(1, b"c1"),
                field(2, name.as_bytes()),
                field(3, args.as_bytes()),
            ];
            inner.extend(field(7, &call.concat()));
        }
        field(20, &inner)
    }
}

#[cfg(test)]
mod tests {
    use super::made::{field, model, user};
    use super::*;

    fn what(number: u64, payload: &[u8]) -> What {
        step(0, number, 3, payload).what
    }

    #[test]
    fn short_and_non_ascii_prompts_are_whole() {
        for text in ["ok", "retries ≤ 5, Größe, 日本語", "https://go.dev"] {
            assert_eq!(what(14, &user(text)), What::User(text.to_owned()));
        }
        let items = field(19, &field(3, &field(1, b"from an item")));
        assert_eq!(what(14, &items), What::User("from an item".to_owned()));
    }

    #[test]
    fn thoughts_are_not_said() {
        let payload = model("done", Some(("run_command", r#"{"CommandLine":"ls"}"#)));
        let What::Model { text, calls } = what(15, &payload) else {
            panic!("no model");
        };
        assert_eq!(
            (text.as_str(), calls[0].line.as_str()),
            ("done", "run_command: ls")
        );
        let other = field(20, &field(8, b"the other field"));
        assert_eq!(what(15, &other).prose(), Some("the other field"));
    }

    #[test]
    fn a_search_is_a_tools_answer_whatever_its_fields_are() {
        let payload = field(42, &[field(1, b"a query"), field(5, b"a summary")].concat());
        let What::Answer { kind, text, .. } = what(33, &payload) else {
            panic!("no answer");
        };
        assert_eq!((kind, text.as_str()), ("search_web", "a query\na summary"));
    }

    #[test]
    fn what_cannot_be_read_is_damaged_and_never_guessed_at() {
        for payload in [
            &b"\x08\x0e\x20\x03\x9a\x01\xff\xff\xff\xff\x0f"[..],
            b"\xb6H\xb2\xdddG\x07\xb4",
            &field(20, b"\x0a\x01\xff"),
        ] {
            assert_eq!(what(15, payload), What::Damaged);
        }
        assert_eq!(what(15, b""), What::Nothing("step without content"));
        assert_eq!(what(99, &[0; 40]), What::Unknown("99".to_owned()));
    }
}
