//! What the beginning of a rollout says of all of it. Read again with every range: a range may
//! begin anywhere.

use super::row::{Item, Kind, Row};
use super::said::{Said, directory, said};
use crate::source::intake::type_name;
use crate::source::lines::{Content, Lines};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Bytes of the beginning that are looked at.
const HEAD: u64 = 1 << 20;
/// Types of rows that are named of an unknown format.
const TYPES: usize = 4;

/// What a rollout is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Head {
    /// The session: that of the first description. Later ones are of sessions whose history was
    /// copied into this one.
    pub id: Option<String>,
    /// The first session of which this is a copy of a copy, itself where it is none. Messages that
    /// belong to no turn are told by it.
    pub root: Option<String>,
    /// The directory it began in.
    pub cwd: Option<String>,
    /// Another agent's work: its result stands in that one's session.
    pub is_subagent: bool,
    /// The file is named after another session than it describes: what asked for this agent's work
    /// left no file of its own, so that its result stands nowhere else.
    pub is_lone: bool,
    /// Rows stand without an envelope.
    pub is_bare: bool,
    /// Whether what a person said stands in items; else it is read from events, which double it.
    pub has_prompts: bool,
    /// The same of what the model said.
    pub has_replies: bool,
    /// Anything in it is Codex's.
    pub is_known: bool,
    /// The types of its first rows, where nothing in it is known.
    pub unknown: Vec<String>,
}

impl Head {
    /// Reads it off a session's bytes.
    pub fn of(bytes: impl Read) -> std::io::Result<Self> {
        let mut head = Self::default();
        let mut in_front = true;
        let mut lines = Lines::new(bytes.take(HEAD), 0);
        while let Some(line) = lines.next()? {
            if let Content::Bytes(bytes) | Content::Cut(bytes) = line.content
                && let Ok(row) = serde_json::from_slice::<Row<'_>>(bytes.trim_ascii())
            {
                head.row(&row, bytes.trim_ascii(), &mut in_front);
            }
        }
        Ok(head)
    }

    /// Tells by the name of its file whether it stands alone.
    pub fn named(mut self, path: &Path) -> Self {
        let name = path.file_name().and_then(|name| name.to_str());
        let plain = name.map(|name| name.trim_end_matches(".zst").trim_end_matches(".jsonl"));
        let is_own = |id: &String| plain.is_some_and(|name| name.ends_with(id.as_str()));
        let is_rollout = plain.is_some_and(|name| name.contains("rollout-"));
        self.is_lone = is_rollout && !self.id.as_ref().is_some_and(is_own);
        self
    }

    /// The directory that only a message of the oldest format names.
    pub fn bare_dir(&self) -> Option<PathBuf> {
        let bare = self.is_bare.then_some(self.cwd.as_ref()).flatten();
        bare.map(PathBuf::from)
    }

    fn row(&mut self, row: &Row<'_>, bytes: &[u8], in_front: &mut bool) {
        let payload = row
            .payload
            .map_or(bytes, |payload| payload.get().as_bytes());
        let item = || serde_json::from_slice::<Item<'_>>(payload).unwrap_or_default();
        match row.kind() {
            Kind::Meta | Kind::BareMeta => {
                self.is_bare |= row.kind() == Kind::BareMeta;
                self.meta(&item(), *in_front);
            }
            Kind::Item | Kind::BareItem => {
                *in_front = false;
                self.is_bare |= row.kind() == Kind::BareItem && self.id.is_none();
                self.item(&item());
            }
            Kind::Turn | Kind::Event | Kind::Compacted => {
                self.is_known = true;
            }
            Kind::Unknown(kind) if self.unknown.len() < TYPES => {
                let name = type_name(kind);
                if !self.unknown.contains(&name) {
                    self.unknown.push(name);
                }
            }
            Kind::Passed | Kind::Unknown(_) | Kind::NoRow => {}
        }
    }

    /// What is known of a format that memd does not know.
    pub fn unknown_format(&self) -> Option<String> {
        let is_unknown = !self.is_known && !self.unknown.is_empty();
        is_unknown.then(|| format!("with rows of type {}", self.unknown.join(", ")))
    }

    fn meta(&mut self, meta: &Item<'_>, in_front: bool) {
        self.is_known = true;
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let id = owned(meta.id.text());
        if self.id.is_none() {
            self.cwd = owned(meta.cwd.text());
            self.is_subagent = meta.is_subagent();
            self.root = owned(meta.forked_from_id.text()).or_else(|| id.clone());
            self.id = id;
        } else if in_front && id.is_some() && id != self.id {
            self.root = id;
        }
    }

    fn item(&mut self, item: &Item<'_>) {
        self.is_known = true;
        if item.kind.text() != Some("message") {
            return;
        }
        match item.role.text() {
            Some("user") => {
                let is_prompt = |text| !matches!(said(text), Said::Nothing(_));
                self.has_prompts |= item.content.texts().any(is_prompt);
                if self.is_bare && self.cwd.is_none() {
                    let dir = item.content.texts().find_map(directory);
                    self.cwd = dir.map(str::to_owned);
                }
            }
            Some("assistant") => self.has_replies = true,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn head(rows: &[Value]) -> Head {
        let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
        Head::of(text.as_bytes()).unwrap()
    }

    fn meta(id: &str, more: Value) -> Value {
        let mut payload = json!({"id": id, "cwd": format!("/{id}")});
        payload
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        json!({"timestamp": "2026-01-01T00:00:00Z", "type": "session_meta", "payload": payload})
    }

    fn message(role: &str, text: &str) -> Value {
        let content = json!([{"type": "input_text", "text": text}]);
        json!({"type": "response_item", "payload": {"type": "message", "role": role, "content": content}})
    }

    #[test]
    fn the_first_description_counts_and_the_last_in_front_names_the_root() {
        let plain = head(&[
            meta("a", json!({})),
            message("user", "hi"),
            meta("b", json!({})),
        ]);
        assert_eq!(
            (plain.id.as_deref(), plain.root.as_deref()),
            (Some("a"), Some("a"))
        );
        assert!(plain.has_prompts && !plain.has_replies && !plain.is_subagent);
        let fork = head(&[
            meta("a", json!({"forked_from_id": "b"})),
            message("user", "<environment_context>"),
        ]);
        assert_eq!(
            (fork.cwd.as_deref(), fork.root.as_deref()),
            (Some("/a"), Some("b"))
        );
        assert!(!fork.has_prompts);
        let copy = head(&[
            meta("a", json!({})),
            meta("b", json!({})),
            meta("c", json!({})),
        ]);
        assert_eq!(
            (copy.id.as_deref(), copy.root.as_deref()),
            (Some("a"), Some("c"))
        );
    }

    #[test]
    fn sessions_of_other_agents_are_told_by_their_source() {
        for source in [
            json!({"subagent": "review"}),
            json!({"subagent": {"thread_spawn": {"depth": 1}}}),
        ] {
            assert!(head(&[meta("a", json!({"source": source}))]).is_subagent);
        }
        assert!(head(&[meta("a", json!({"thread_source": "subagent"}))]).is_subagent);
        assert!(!head(&[meta("a", json!({"source": "exec"}))]).is_subagent);
    }

    #[test]
    fn the_oldest_format_names_its_directory_in_the_first_message() {
        let text = "<environment_context>\nCurrent working directory: /old\n</environment_context>";
        let old = head(&[
            json!({"id": "a", "timestamp": "2025-05-01T00:00:00Z", "instructions": null, "git": {}}),
            json!({"record_type": "state"}),
            json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}),
            json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]}),
        ]);
        assert!(old.is_bare && old.has_prompts);
        assert_eq!(
            (old.id.as_deref(), old.cwd.as_deref()),
            (Some("a"), Some("/old"))
        );
        assert!(!head(&[json!({"a": 1})]).is_known);
    }
}
