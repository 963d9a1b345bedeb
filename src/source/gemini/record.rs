//! A session file as the list of its messages, in the order in which each first stood.
//!
//! The tool appends: a message again when more of it is known, marks that say how far the user went
//! back, and now and then the whole history as it goes on with it. Before that it rewrote one JSON
//! object on every turn; both files may stand beside each other. Only where a message stands is
//! held here, not what it says, except for messages inside larger objects.

use crate::fs::open_plain;
use crate::source::SourceError;
use crate::source::frame::{Took, each_object, is_complete};
use crate::source::lines::{Content, Lines};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The largest file that is one object, in bytes.
const WHOLE: u64 = 64 << 20;
/// Messages of one session.
const MOST: usize = 200_000;

/// One message.
#[derive(Debug)]
pub(super) struct Entry {
    /// Its own id.
    pub id: String,
    /// `user`, `gemini`, `info`, …
    pub kind: String,
    /// The user went back from it.
    pub abandoned: bool,
    /// Nothing more of it will come, as far as it says itself.
    is_done: bool,
    has_tokens: bool,
    body: Body,
}

/// Where a message stands.
#[derive(Debug)]
enum Body {
    /// In this file, in the line that begins here.
    At(usize, u64),
    /// In a larger object.
    Held(Box<RawValue>),
}

/// Takes a message and what it says; nothing where that cannot be read any more.
pub(super) type Take<'t> = dyn FnMut(&Entry, Option<Map<String, Value>>) + 't;

/// A session, from its files.
#[derive(Debug, Default)]
pub(super) struct Record {
    files: Vec<PathBuf>,
    entries: Vec<Entry>,
    by_id: HashMap<String, usize>,
    /// The session's own id.
    pub session: String,
    /// SHA-256 of the project's root, as the tool tells it.
    pub hash: String,
    /// Directories that the session says it works in.
    pub directories: Vec<String>,
    /// A sub-agent's.
    pub is_inner: bool,
    /// Lines that could not be read.
    pub damaged: u64,
}

/// An object of a session file. Which kind it is, is told by what it holds.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Row<'a> {
    #[serde(borrow)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "type")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "$set")]
    set: Option<&'a RawValue>,
    #[serde(borrow, rename = "$rewindTo")]
    rewind: Option<Cow<'a, str>>,
    #[serde(rename = "sessionId")]
    session: Option<String>,
    #[serde(rename = "projectHash")]
    hash: Option<String>,
    #[serde(borrow, rename = "kind")]
    of: Option<Cow<'a, str>>,
    directories: Option<Vec<String>>,
    #[serde(borrow)]
    messages: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    tokens: Option<&'a RawValue>,
    #[serde(borrow, rename = "toolCalls")]
    calls: Option<Vec<Status<'a>>>,
}

#[derive(Deserialize)]
struct Status<'a> {
    #[serde(borrow, default)]
    status: Cow<'a, str>,
}

impl Record {
    /// Reads a session from its files: of a message that stands in several, the last one counts.
    ///
    /// # Errors
    /// When none of them can be read.
    pub fn of(files: &[PathBuf]) -> Result<Record, SourceError> {
        let mut record = Record {
            files: files.to_vec(),
            ..Record::default()
        };
        let mut failed = None;
        let mut is_read = false;
        for (file, path) in files.iter().enumerate() {
            match record.file(file, path) {
                Ok(()) => is_read = true,
                Err(error) if failed.is_none() || !error.is_missing() => failed = Some(error),
                Err(_) => {}
            }
        }
        match failed {
            Some(error) if !is_read => Err(error),
            _ => Ok(record),
        }
    }

    /// Whether lines stand there and none of them is a session's.
    pub fn is_strange(&self) -> bool {
        self.damaged > 0 && self.session.is_empty() && self.entries.is_empty()
    }

    /// The messages of which nothing more will come.
    pub fn done(&self) -> &[Entry] {
        // The tool says how many tokens an answer took when it is whole.
        let counts_tokens = self.entries.iter().any(|e| e.has_tokens);
        let is_open = |last: &Entry| {
            let is_whole = last.is_done && (last.has_tokens || !counts_tokens);
            last.kind == "gemini" && !last.abandoned && !is_whole
        };
        match self.entries.split_last() {
            Some((last, before)) if is_open(last) => before,
            _ => &self.entries,
        }
    }

    /// Hands on what each of these messages says, in order. One that cannot be read any more is
    /// counted.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn each(&self, entries: &[Entry], take: &mut Take<'_>) -> Result<(), SourceError> {
        let mut open: Vec<Option<File>> = self.files.iter().map(|_| None).collect();
        for entry in entries {
            let message = match &entry.body {
                Body::Held(raw) => serde_json::from_str(raw.get()).ok(),
                Body::At(file, offset) => {
                    let path = &self.files[*file];
                    let io = |e| SourceError::io(path)(e);
                    let slot = &mut open[*file];
                    let file = match slot {
                        Some(file) => file,
                        None => slot.insert(open_plain(path).map_err(io)?),
                    };
                    file.seek(SeekFrom::Start(*offset)).map_err(io)?;
                    message_in(&mut Lines::new(file, *offset), &entry.id).map_err(io)?
                }
            };
            take(entry, message);
        }
        Ok(())
    }

    fn file(&mut self, file: usize, path: &Path) -> Result<(), SourceError> {
        let io = |e| SourceError::io(path)(e);
        // Asked before it is opened: opening a pipe would wait for a writer.
        let meta = std::fs::metadata(path).map_err(io)?;
        if !meta.is_file() {
            return Err(SourceError::NotAFile {
                path: path.to_owned(),
            });
        }
        let input = open_plain(path).map_err(io)?;
        match path.extension().is_some_and(|e| e == "json") {
            true => self.whole(path, input, meta.len()),
            false => self.lines(file, input).map_err(io),
        }
    }

    /// One object, rewritten on every turn: it may be met half written.
    fn whole(&mut self, path: &Path, input: File, size: u64) -> Result<(), SourceError> {
        let refused = |why: &str| SourceError::Refused {
            path: path.to_owned(),
            why: why.to_owned(),
        };
        if size > WHOLE {
            return Err(refused("it is one JSON object of more than 64 MiB"));
        }
        let mut bytes = Vec::new();
        let read = input.take(WHOLE).read_to_end(&mut bytes);
        read.map_err(SourceError::io(path))?;
        let mut is_read = false;
        each_object(&bytes, &mut |object, _| {
            let row: Row<'_> = serde_json::from_slice(object)?;
            if !is_read && row.messages.is_some() {
                is_read = true;
                self.row(row, None);
            }
            Ok(Took::Row)
        });
        match is_read {
            true => Ok(()),
            false => Err(refused(
                "it is half written, or no session of Gemini CLI; it is tried again next time",
            )),
        }
    }

    fn lines(&mut self, file: usize, input: File) -> std::io::Result<()> {
        let mut lines = Lines::new(input, 0);
        while let Some(line) = lines.next()? {
            let (Content::Bytes(bytes) | Content::Cut(bytes)) = line.content else {
                self.damaged += 1;
                continue;
            };
            if !line.terminated && !is_complete(bytes) {
                break;
            }
            let health = each_object(bytes, &mut |object, _| {
                let row: Row<'_> = serde_json::from_slice(object)?;
                let is_row = self.row(row, Some((file, line.offset)));
                Ok(if is_row { Took::Row } else { Took::NoRow })
            });
            use crate::source::frame::Health::{Blank, Fine};
            self.damaged += u64::from(!matches!(health, Fine | Blank));
        }
        Ok(())
    }

    /// Takes an object in; says whether it is of this format.
    fn row(&mut self, row: Row<'_>, at: Option<(usize, u64)>) -> bool {
        if let Some(id) = &row.rewind {
            self.rewind(id);
        } else if let Some(set) = row.set {
            if let Ok(set) = serde_json::from_str::<Row<'_>>(set.get()) {
                self.session_of(&set);
                self.history(set.messages.unwrap_or_default());
            }
        } else if row.session.is_some() {
            self.session_of(&row);
            self.history(row.messages.unwrap_or_default());
        } else if let (Some((file, offset)), true) = (at, row.is_message()) {
            self.add(&row, Body::At(file, offset));
        } else {
            return false;
        }
        true
    }

    fn session_of(&mut self, row: &Row<'_>) {
        if let Some(session) = &row.session {
            self.session.clone_from(session);
        }
        if let Some(hash) = &row.hash {
            self.hash.clone_from(hash);
        }
        if let Some(directories) = &row.directories {
            self.directories.clone_from(directories);
        }
        self.is_inner |= row.of.as_deref() == Some("subagent");
    }

    /// The history as the tool goes on with it: what it shortened in messages that are known is not
    /// what was said.
    fn history(&mut self, messages: Vec<&RawValue>) {
        for raw in messages {
            let Ok(row) = serde_json::from_str::<Row<'_>>(raw.get()) else {
                self.damaged += 1;
                continue;
            };
            let is_known = row
                .id
                .as_deref()
                .is_some_and(|id| self.by_id.contains_key(id));
            if row.is_message() && !is_known {
                self.add(&row, Body::Held(raw.to_owned()));
            }
        }
    }

    fn add(&mut self, row: &Row<'_>, body: Body) {
        let (Some(id), Some(kind)) = (&row.id, &row.kind) else {
            return;
        };
        let ends = ["success", "error", "cancelled", ""];
        let calls = row.calls.as_deref().unwrap_or_default();
        let entry = Entry {
            id: id.to_string(),
            kind: kind.to_string(),
            abandoned: false,
            is_done: calls.iter().all(|call| ends.contains(&&*call.status)),
            has_tokens: row.tokens.is_some_and(|tokens| tokens.get() != "null"),
            body,
        };
        match self.by_id.get(&entry.id) {
            Some(at) => self.entries[*at] = entry,
            None if self.entries.len() < MOST => {
                self.by_id.insert(entry.id.clone(), self.entries.len());
                self.entries.push(entry);
            }
            None => self.damaged += 1,
        }
    }

    /// The user went back to before this message; one that is not known means the beginning.
    fn rewind(&mut self, id: &str) {
        let from = self.by_id.get(id).copied().unwrap_or(0);
        for entry in self.entries.iter_mut().skip(from) {
            entry.abandoned = true;
        }
    }
}

impl Row<'_> {
    fn is_message(&self) -> bool {
        self.id.is_some() && self.kind.is_some()
    }
}

/// The message with this id in the first of these lines.
fn message_in(
    lines: &mut Lines<&mut File>,
    id: &str,
) -> std::io::Result<Option<Map<String, Value>>> {
    let mut found = None;
    if let Some(line) = lines.next()?
        && let Content::Bytes(bytes) | Content::Cut(bytes) = line.content
    {
        each_object(bytes, &mut |object, _| {
            let message: Map<String, Value> = serde_json::from_slice(object)?;
            if message.get("id").and_then(Value::as_str) == Some(id) {
                found = Some(message);
            }
            Ok(Took::Row)
        });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(name: &str, text: &str) -> Result<Record, SourceError> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        Record::of(&[path])
    }

    fn ids(entries: &[Entry]) -> String {
        let mark = |e: &Entry| e.id.clone() + if e.abandoned { "-" } else { "" };
        entries.iter().map(mark).collect::<Vec<_>>().join(" ")
    }

    const META: &str = "{\"sessionId\":\"s\",\"projectHash\":\"h\",\"kind\":\"main\"}\n";

    #[test]
    fn the_last_of_a_message_counts_and_what_was_gone_back_from_is_marked() {
        let text = META.to_owned()
            + "{\"id\":\"1\",\"type\":\"user\",\"content\":\"a\"}\n"
            + "{\"id\":\"2\",\"type\":\"gemini\",\"content\":\"b\"}\n"
            + "{\"$set\":{\"lastUpdated\":\"x\"}}\n"
            + "{\"id\":\"2\",\"type\":\"gemini\",\"content\":\"b\",\"tokens\":{\"total\":1}}\n"
            + "{\"$rewindTo\":\"2\"}\n"
            + "{\"id\":\"3\",\"type\":\"user\",\"content\":\"c\"}\n"
            + "{\"id\":\"4\",\"type\":\"gemini\",\"content\":\"half";
        let record = record("s.jsonl", &text).unwrap();
        assert_eq!((record.session.as_str(), record.damaged), ("s", 0));
        assert_eq!(ids(record.done()), "1 2- 3");
    }

    #[test]
    fn an_answer_is_done_when_its_tokens_and_its_tools_are() {
        let gemini = |id: &str, rest: &str| {
            format!("{{\"id\":\"{id}\",\"type\":\"gemini\",\"content\":\"x\"{rest}}}\n")
        };
        let done = |rows: String| {
            ids(record("s.jsonl", &(META.to_owned() + &rows))
                .unwrap()
                .done())
        };
        let tokens = ",\"tokens\":{\"total\":1}";
        let running = ",\"tokens\":{\"total\":1},\"toolCalls\":[{\"status\":\"executing\"}]";
        assert_eq!(done(gemini("1", tokens)), "1");
        assert_eq!(done(gemini("1", tokens) + &gemini("2", "")), "1");
        assert_eq!(done(gemini("1", tokens) + &gemini("2", running)), "1");
        // Where nothing ever tells tokens, their absence tells nothing.
        assert_eq!(done(gemini("1", ",\"tokens\":null")), "1");
    }

    #[test]
    fn a_history_adds_what_is_new_and_changes_nothing_that_is_known() {
        let text = META.to_owned()
            + "{\"id\":\"1\",\"type\":\"user\",\"content\":\"as typed\"}\n"
            + "{\"$set\":{\"messages\":[{\"id\":\"1\",\"type\":\"user\",\"content\":\"shortened\"},{\"id\":\"2\",\"type\":\"user\",\"content\":\"new\"}]}}\n";
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.jsonl");
        std::fs::write(&path, text).unwrap();
        let record = Record::of(&[path]).unwrap();
        let mut said = Vec::new();
        record
            .each(record.done(), &mut |_, message| {
                said.push(message.unwrap()["content"].as_str().unwrap().to_owned());
            })
            .unwrap();
        assert_eq!(said, ["as typed", "new"]);
    }

    #[test]
    fn a_half_written_object_is_refused_and_a_whole_one_is_read() {
        let whole = "{\"sessionId\":\"s\",\"projectHash\":\"h\",\"messages\":[{\"id\":\"1\",\"type\":\"user\",\"content\":\"a\"}]}";
        for cut in [1, 20, whole.len() - 1] {
            assert!(record("s.json", &whole[..cut]).is_err(), "{cut}");
        }
        let read = record("s.json", &whole.replace("},", "},\n  ")).unwrap();
        assert_eq!(ids(read.done()), "1");
    }
}
