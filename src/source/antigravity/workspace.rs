//! Which directory a conversation was held in. The tool does not write it into the steps.
//!
//! What the tool itself recorded counts, in this order: the prompts it logged, the conversations it
//! goes on with, its index of conversations, what stands in the conversation's database. Records
//! that contradict each other count as none. Nothing is concluded from files that were looked at,
//! and a directory that is gone stays what it is.

use super::database::Database;
use super::uri;
use crate::fs::open_plain;
use crate::source::json::{objects, text};
use crate::source::lines::{Content, Lines};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// At most so much of the log of prompts is read, in bytes.
const HISTORY: u64 = 64 << 20;
/// At most so much of the list of last conversations is read, in bytes.
const LAST: u64 = 4 << 20;
/// Rows of the index that are read.
const ROWS: &str = "100000";

/// What one of the tool's folders tells of its conversations.
#[derive(Debug, Default)]
pub(super) struct Workspaces {
    history: Told,
    last: Told,
    index: Told,
    /// Conversations that others began: an agent's sub-agents.
    inner: BTreeSet<String>,
}

/// The directory of each conversation, as one place tells it.
#[derive(Debug, Default)]
struct Told(BTreeMap<String, Option<PathBuf>>);

impl Told {
    fn add(&mut self, conversation: &str, workspace: &str) {
        let Some(workspace) = uri::path(workspace).filter(|_| !conversation.is_empty()) else {
            return;
        };
        match self.0.get_mut(conversation) {
            None => {
                self.0.insert(conversation.to_owned(), Some(workspace));
            }
            Some(told) if told.as_ref() != Some(&workspace) => *told = None,
            Some(_) => {}
        }
    }

    fn of(&self, conversation: &str) -> Option<PathBuf> {
        self.0.get(conversation).cloned().flatten()
    }
}

impl Workspaces {
    /// Reads what a folder of the tool's tells. What cannot be read tells nothing.
    pub fn of(root: &Path) -> Workspaces {
        let mut all = Workspaces::default();
        all.history(&root.join("history.jsonl"));
        all.last(&root.join("cache/last_conversations.json"));
        all.index(&root.join("conversation_summaries.db"));
        all
    }

    /// The directory of a conversation, by everything but its own database.
    pub fn find(&self, conversation: &str) -> Option<PathBuf> {
        let told = [&self.history, &self.last, &self.index];
        told.iter().find_map(|told| told.of(conversation))
    }

    /// Whether a conversation is a sub-agent's.
    pub fn is_inner(&self, conversation: &str) -> bool {
        self.inner.contains(conversation)
    }

    fn history(&mut self, path: &Path) {
        let Some(file) = plain(path) else { return };
        let mut lines = Lines::new(file.take(HISTORY), 0);
        while let Ok(Some(line)) = lines.next() {
            if let Content::Bytes(bytes) = line.content {
                objects(bytes, &mut |row| {
                    self.history
                        .add(text(&row, "conversationId"), text(&row, "workspace"));
                });
            }
        }
    }

    fn last(&mut self, path: &Path) {
        let mut bytes = Vec::new();
        let read = plain(path).map(|file| file.take(LAST).read_to_end(&mut bytes));
        if let (Some(Ok(_)), Ok(Value::Object(last))) = (read, serde_json::from_slice(&bytes)) {
            for (workspace, conversation) in &last {
                let conversation = conversation.as_str().unwrap_or_default();
                self.last.add(conversation, workspace);
            }
        }
    }

    fn index(&mut self, path: &Path) {
        let Ok(Some(database)) = Database::open(path) else {
            return;
        };
        let ask = |column: &str| {
            let table = "conversation_summaries";
            let sql = format!("SELECT conversation_id, {column} FROM {table} LIMIT {ROWS}");
            database.pairs(table, &sql).unwrap_or_default()
        };
        for (conversation, uris) in ask("workspace_uris") {
            let uris = serde_json::from_str::<Vec<String>>(&uris).unwrap_or_default();
            // Of several folders nobody knows which one was worked in.
            if let [one] = &uris[..] {
                self.index.add(&conversation, one);
            }
        }
        let inner = ask("parent_conversation_id").into_iter();
        let inner = inner.filter(|(_, parent)| !parent.is_empty());
        self.inner = inner.map(|(conversation, _)| conversation).collect();
    }
}

/// A plain file, opened; a pipe would be waited for.
fn plain(path: &Path) -> Option<File> {
    let is_file = std::fs::metadata(path).is_ok_and(|meta| meta.is_file());
    is_file.then(|| open_plain(path).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(root: &Path, name: &str, text: &str) {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    #[test]
    fn the_first_place_that_tells_it_counts_and_contradictions_count_as_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        put(
            root,
            "history.jsonl",
            concat!(
                "{\"display\":\"first\",\"workspace\":\"/p\"}\n",
                "{\"workspace\":\"/home/dev/gone\",\"conversationId\":\"a\"}\n",
                "{\"workspace\":\"/x\",\"conversationId\":\"b\"}\n",
                "{\"workspace\":\"/y\",\"conversationId\":\"b\"}\n",
                "nonsense\n",
            ),
        );
        put(
            root,
            "cache/last_conversations.json",
            r#"{"/other":"a","/z":"b","/w":"c"}"#,
        );
        let index = rusqlite::Connection::open(root.join("conversation_summaries.db")).unwrap();
        index
            .execute_batch(
                r#"CREATE TABLE conversation_summaries (conversation_id TEXT, workspace_uris TEXT, parent_conversation_id TEXT);
                   INSERT INTO conversation_summaries VALUES
                   ('d', '["file:///home/dev/my%20proj"]', ''), ('e', '["file:///a","file:///b"]', ''), ('f', '[]', 'd');"#,
            )
            .unwrap();
        drop(index);

        let all = Workspaces::of(root);
        let find = |conversation| all.find(conversation).map(|p| p.display().to_string());
        assert_eq!(
            find("a").as_deref(),
            Some("/home/dev/gone"),
            "it is gone, and stays so"
        );
        assert_eq!(find("b").as_deref(), Some("/z"));
        assert_eq!(find("c").as_deref(), Some("/w"));
        assert_eq!(find("d").as_deref(), Some("/home/dev/my proj"));
        assert_eq!(find("e"), None);
        assert_eq!(find(""), None);
        assert!(all.is_inner("f") && !all.is_inner("d"));
        assert_eq!(Workspaces::of(&root.join("none")).find("a"), None);
    }
}
