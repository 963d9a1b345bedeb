//! A hook's JSON: Claude Code's, Codex's, Gemini CLI's, whatever is in it.
//!
//! Only a few texts are taken; a payload that is cut off, broken or no object gives what stands
//! before the fault. Paths are taken only as what they are here: absolute, without a way up.

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use std::fmt;
use std::path::{Component, Path, PathBuf};

/// Longer texts are no ids and no paths.
const TEXT_BYTES: usize = 4096;
/// A session's id is no longer.
const ID_BYTES: usize = 128;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A session begins, goes on or was compacted.
    SessionStart,
    /// A session ended.
    SessionEnd,
    /// A session's history is about to be replaced by a summary.
    PreCompact,
    /// The agent has finished an answer; more may follow.
    Stop,
}

impl Event {
    /// The event of this name, in any tool's spelling.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let letters = name.chars().filter(char::is_ascii_alphanumeric).take(32);
        let folded: String = letters.map(|c| c.to_ascii_lowercase()).collect();
        match folded.as_str() {
            "sessionstart" => Some(Event::SessionStart),
            "sessionend" => Some(Event::SessionEnd),
            "precompact" | "precompress" => Some(Event::PreCompact),
            "stop" | "afteragent" => Some(Event::Stop),
            _ => None,
        }
    }

    /// The name of the hook's command, which is also the trigger of what comes of it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Event::SessionStart => "session-start",
            Event::SessionEnd => "session-end",
            Event::PreCompact => "pre-compact",
            Event::Stop => "stop",
        }
    }
}

/// What is taken of a payload.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Payload {
    /// The session's id; a plain word.
    pub session: Option<String>,
    /// Its transcript, which may not be there yet, or not any more.
    pub transcript: Option<PathBuf>,
    /// The session's directory.
    pub cwd: Option<PathBuf>,
    /// The event, as the tool names it.
    pub event: Option<Event>,
    /// Whether it is about a helper inside the session.
    pub inside_agent: bool,
}

impl Payload {
    /// Reads it; `~` in a path is this home.
    #[must_use]
    pub fn read(bytes: &[u8], home: &Path) -> Self {
        let mut fields = Fields::default();
        // What stands before a fault is taken all the same.
        let _ = serde_json::Deserializer::from_slice(bytes).deserialize_map(&mut fields);
        let path = |text: Option<String>| path(&text?, home);
        Self {
            session: fields.session_id.filter(|id| is_word(id)),
            transcript: path(fields.transcript_path),
            cwd: path(fields.cwd),
            event: fields.hook_event_name.as_deref().and_then(Event::from_name),
            inside_agent: fields.agent_id.is_some(),
        }
    }

    /// Whether these bytes are a whole JSON value: nothing more has to be waited for.
    #[must_use]
    pub fn is_whole(bytes: &[u8]) -> bool {
        let ends = bytes.trim_ascii_end().last();
        ends.is_some_and(|b| matches!(b, b'}' | b']'))
            && serde_json::from_slice::<IgnoredAny>(bytes).is_ok()
    }
}

fn is_word(id: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    (1..=ID_BYTES).contains(&id.len()) && id.bytes().all(plain)
}

/// A path as it can be used here.
fn path(text: &str, home: &Path) -> Option<PathBuf> {
    let path = match text.strip_prefix("~/") {
        Some(rest) => home.join(rest),
        None => PathBuf::from(text),
    };
    let is_plain = path.is_absolute()
        && !text.contains('\0')
        && !path.components().any(|c| c == Component::ParentDir);
    is_plain.then_some(path)
}

/// The texts looked for, filled as they come.
#[derive(Default)]
struct Fields {
    session_id: Option<String>,
    transcript_path: Option<String>,
    cwd: Option<String>,
    hook_event_name: Option<String>,
    agent_id: Option<String>,
}

impl<'de> Visitor<'de> for &mut Fields {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            let field = match key.as_str() {
                "session_id" => &mut self.session_id,
                "transcript_path" => &mut self.transcript_path,
                "cwd" => &mut self.cwd,
                "hook_event_name" => &mut self.hook_event_name,
                "agent_id" => &mut self.agent_id,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            // A value of another kind is as good as none.
            *field = match map.next_value::<serde_json::Value>()? {
                serde_json::Value::String(text) if text.len() <= TEXT_BYTES => Some(text),
                _ => None,
            };
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Payload {
        Payload::read(text.as_bytes(), Path::new("/home/dev"))
    }

    #[test]
    fn what_is_plain_is_taken_and_nothing_else() {
        let whole = read(
            r#"{"session_id": "a-1", "transcript_path": "~/.claude/projects/p/x.jsonl", "cwd": "/p",
                "hook_event_name": "PreCompress", "agent_id": null, "effort": {"level": [1]}}"#,
        );
        assert_eq!(whole.session.as_deref(), Some("a-1"));
        let transcript = Path::new("/home/dev/.claude/projects/p/x.jsonl");
        assert_eq!(whole.transcript.as_deref(), Some(transcript));
        assert_eq!(whole.event, Some(Event::PreCompact));
        assert!(!whole.inside_agent);
        for bad in [
            "",
            "hello",
            "[]",
            "null",
            "{}",
            r#"{"cwd": 7, "session_id": "../../etc/cron.d/x", "transcript_path": null}"#,
            r#"{"cwd": "c:\\Users\\Dev", "transcript_path": "relative.jsonl"}"#,
            r#"{"cwd": "/a/../../etc", "transcript_path": "~other/x"}"#,
        ] {
            assert_eq!(read(bad), Payload::default(), "{bad}");
        }
    }

    #[test]
    fn a_payload_that_is_cut_off_gives_what_stands_before() {
        let cut = read(r#"{"session_id": "s", "cwd": "/p", "last_assistant_message": "and th"#);
        assert_eq!(cut.session.as_deref(), Some("s"));
        assert_eq!(cut.cwd.as_deref(), Some(Path::new("/p")));
        assert!(!Payload::is_whole(br#"{"a": {"b": 1}"#));
        assert!(Payload::is_whole(b" {\"a\": {\"b\": 1}}\n") && Payload::is_whole(b"[]"));
    }

    #[test]
    fn every_spelling_of_an_event_is_known() {
        for (name, event) in [
            ("session-start", Event::SessionStart),
            ("SessionEnd", Event::SessionEnd),
            ("session_end", Event::SessionEnd),
            ("PreCompact", Event::PreCompact),
            ("pre-compress", Event::PreCompact),
            ("AfterAgent", Event::Stop),
            ("STOP", Event::Stop),
        ] {
            assert_eq!(Event::from_name(name), Some(event), "{name}");
        }
        assert_eq!(Event::from_name("PostCompact"), None);
        assert_eq!(Event::from_name("SubagentStop"), None);
    }
}
