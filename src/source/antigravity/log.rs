//! The log that the tool writes of a conversation: JSON lines, one step each.

use super::call::Call;
use super::step::{Kind, Step, What, users_words, without_times};
use crate::fs::open_plain;
use crate::source::SourceError;
use crate::source::frame::{Health, Took, each_object, is_complete};
use crate::source::given::Given;
use crate::source::json::text;
use crate::source::lines::{Content, Lines};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Steps that are remembered as begun.
const BEGUN: usize = 100_000;

/// One log.
#[derive(Debug)]
pub(super) struct Log {
    path: PathBuf,
    /// Arguments are JSON inside JSON texts.
    quoted: bool,
    /// Steps that were begun and never finished before the user spoke again.
    left: BTreeSet<u64>,
    /// One past the last step that may be read.
    pub size: u64,
    /// Lines that are steps.
    pub steps: u64,
    /// Lines that cannot be read.
    pub damaged: u64,
}

/// What tells which step a line is, and whether it is finished; the rest is passed over.
#[derive(Deserialize)]
struct Head<'a> {
    #[serde(default)]
    step_index: Value,
    #[serde(borrow, default, rename = "type")]
    kind: Given<'a>,
    #[serde(borrow, default)]
    status: Given<'a>,
}

/// A line of the log.
struct Row(Map<String, Value>);

impl Log {
    /// Looks the log through once, for what of it may be read.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn open(path: &Path, quoted: bool) -> Result<Log, SourceError> {
        let mut log = Log {
            path: path.to_owned(),
            quoted,
            left: BTreeSet::new(),
            size: 0,
            steps: 0,
            damaged: 0,
        };
        let mut begun = BTreeSet::new();
        let mut left = BTreeSet::new();
        let (mut steps, mut size) = (0, 0);
        log.damaged = log.lines(&mut |line| {
            let head: Head<'_> = serde_json::from_slice(line)?;
            let Some(index) = head.step_index.as_u64() else {
                return Ok(());
            };
            steps += 1;
            size = size.max(index.saturating_add(1));
            if !is_finished(head.status.text().unwrap_or_default()) {
                if begun.len() < BEGUN {
                    begun.insert(index);
                }
                return Ok(());
            }
            begun.remove(&index);
            left.remove(&index);
            if head.kind.text().and_then(Kind::of_name) == Some(Kind::User) {
                // The tool hears the user only when it is done with what it was doing.
                let after = begun.split_off(&index);
                left.append(&mut begun);
                begun = after;
            }
            Ok(())
        })?;
        log.size = begun.first().copied().unwrap_or(size);
        (log.steps, log.left) = (steps, left);
        Ok(log)
    }

    /// Hands on every finished step, in the order of the file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn each(&self, take: &mut dyn FnMut(Step)) -> Result<(), SourceError> {
        self.lines(&mut |line| {
            let row = Row(serde_json::from_slice(line)?);
            let index = row.0.get("step_index").and_then(Value::as_u64);
            let is_wanted = |n: &u64| is_finished(text(&row.0, "status")) || self.left.contains(n);
            if let Some(index) = index.filter(is_wanted) {
                take(row.step(index, self.quoted));
            }
            Ok(())
        })?;
        Ok(())
    }

    /// Hands on the objects of each line; says how many lines could not be read.
    fn lines(
        &self,
        take: &mut dyn FnMut(&[u8]) -> Result<(), serde_json::Error>,
    ) -> Result<u64, SourceError> {
        let io = |e| SourceError::io(&self.path)(e);
        let mut lines = Lines::new(open_plain(&self.path).map_err(io)?, 0);
        let mut damaged = 0;
        while let Some(line) = lines.next().map_err(io)? {
            let (Content::Bytes(bytes) | Content::Cut(bytes)) = line.content else {
                damaged += 1;
                continue;
            };
            if !line.terminated && !is_complete(bytes) {
                break;
            }
            let health = each_object(bytes, &mut |object, _| {
                take(object)?;
                Ok(Took::Row)
            });
            damaged += u64::from(!matches!(health, Health::Fine | Health::Blank));
        }
        Ok(damaged)
    }
}

/// Whether nothing more of a step will come.
fn is_finished(status: &str) -> bool {
    let ends = ["DONE", "ERROR", "CLEARED", "CANCELED", "CANCELLED", ""];
    ends.contains(&status)
}

impl Row {
    fn kind(&self) -> Option<Kind> {
        Kind::of_name(text(&self.0, "type"))
    }

    fn step(&self, index: u64, quoted: bool) -> Step {
        Step {
            index,
            at: text(&self.0, "created_at").parse().ok(),
            what: self.says(quoted),
        }
    }

    fn says(&self, quoted: bool) -> What {
        let content = text(&self.0, "content");
        match self.kind() {
            None => What::Unknown(self.unknown()),
            Some(Kind::Nothing(why)) => What::Nothing(why),
            Some(Kind::User) if text(&self.0, "source") == "SYSTEM" => {
                What::Nothing("remark of the tool")
            }
            Some(Kind::User) => What::User(users_words(content).to_owned()),
            Some(Kind::Model) => What::Model {
                text: content.trim().to_owned(),
                calls: self.calls(quoted),
            },
            Some(Kind::Error) => What::Error(without_times(content).to_owned()),
            Some(Kind::Tool(kind)) => What::Answer {
                kind,
                text: without_times(content).to_owned(),
                path: None,
                command: None,
                failed: text(&self.0, "status") == "ERROR",
            },
        }
    }

    fn calls(&self, quoted: bool) -> Vec<Call> {
        let calls = self.0.get("tool_calls").and_then(Value::as_array);
        let call = |call: &Value| {
            let args = call.get("args").and_then(Value::as_object);
            let none = Map::new();
            let name = call.get("name")?.as_str()?;
            Some(Call::of(name, args.unwrap_or(&none), quoted))
        };
        calls.into_iter().flatten().filter_map(call).collect()
    }

    /// The name of a type is foreign text: only what such a name is made of is told.
    fn unknown(&self) -> String {
        let name = text(&self.0, "type").chars();
        let name = name.filter(|c| c.is_ascii_uppercase() || *c == '_');
        name.take(24).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(text: &str) -> (tempfile::TempDir, Log) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("transcript_full.jsonl");
        std::fs::write(&path, text).unwrap();
        let log = Log::open(&path, false).unwrap();
        (dir, log)
    }

    fn row(index: u64, kind: &str, status: &str, content: &str) -> String {
        let row = serde_json::json!({
            "step_index": index, "type": kind, "status": status, "content": content,
        });
        format!("{row}\n")
    }

    fn read(log: &Log) -> Vec<(u64, String)> {
        let mut all = Vec::new();
        log.each(&mut |step| {
            all.push((step.index, step.what.prose().unwrap_or_default().to_owned()));
        })
        .unwrap();
        all
    }

    #[test]
    fn reading_stops_before_a_step_that_is_still_being_written() {
        let text =
            row(0, "USER_INPUT", "DONE", "go") + &row(2, "PLANNER_RESPONSE", "GENERATING", "I thi");
        let (_dir, open) = log(&text);
        assert_eq!((open.size, open.steps), (2, 2));
        assert_eq!(read(&open), [(0, "go".to_owned())]);
        let (_dir, done) = log(&(text.clone() + &row(2, "PLANNER_RESPONSE", "DONE", "I think")));
        assert_eq!(done.size, 3);
        assert_eq!(read(&done)[1].1, "I think");
        // A step that the tool never finished does not hold up what the user said afterwards.
        let (_dir, left) = log(&(text + &row(3, "USER_INPUT", "DONE", "again")));
        assert_eq!(left.size, 4);
        assert_eq!(read(&left).len(), 3);
    }

    #[test]
    fn damage_is_counted_and_a_last_line_without_its_end_is_not_damage() {
        let good = row(0, "USER_INPUT", "DONE", "a");
        let (_dir, log_) = log(&format!("nonsense\n{good}{{\"step_index\": 1, \"ty"));
        assert_eq!((log_.damaged, log_.steps, log_.size), (1, 1, 1));
        let (_dir, whole) = log(good.trim_end());
        assert_eq!((whole.damaged, whole.steps), (0, 1));
        let (_dir, empty) = log("");
        assert_eq!((empty.damaged, empty.steps, empty.size), (0, 0, 0));
    }
}
