//! One conversation: where its stores lie, which of them is read, and its steps.

use super::database::Database;
use super::log::Log;
use super::step::Step;
use crate::source::session::Session;
use crate::source::{Fingerprint, SourceError};
use crate::text::TextHash;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Bytes of text held at once; a longer conversation is read in several turns.
const HELD: usize = 64 << 20;
/// Steps at each end of a range that its fingerprint looks at, and how many with words it takes.
const REACH: u64 = 64;
const TAKEN: usize = 4;

/// A conversation's files.
#[derive(Debug, Clone)]
pub(super) struct Conversation {
    /// Its name: that of its files.
    pub id: String,
    database: PathBuf,
    /// Its logs, best first, each with whether arguments are quoted in it.
    logs: Vec<(PathBuf, bool)>,
}

/// The store that a conversation is read from.
#[derive(Debug)]
pub(super) enum Steps {
    Log(Log),
    Database(Database, u64),
}

impl Conversation {
    /// The conversation of this name below one of the tool's folders.
    pub fn at(root: &Path, id: &str) -> Self {
        let logs = root.join("brain").join(id).join(".system_generated/logs");
        Self {
            id: id.to_owned(),
            database: root.join("conversations").join(format!("{id}.db")),
            logs: vec![
                (logs.join("transcript_full.jsonl"), false),
                (logs.join("transcript.jsonl"), true),
            ],
        }
    }

    /// A file outside the tool's folders.
    pub fn of_file(path: &Path) -> Self {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let is_database = path.extension().is_some_and(|e| e == "db") || Database::is_one(path);
        let log = (!is_database).then(|| (path.to_owned(), name == "transcript"));
        Self {
            id: name.into_owned(),
            database: path.to_owned(),
            logs: log.into_iter().collect(),
        }
    }

    /// A session's conversation.
    pub fn of(session: &Session) -> Self {
        let key = Path::new(&session.key);
        let root = key.parent().and_then(Path::parent);
        let is_placed = key
            .parent()
            .is_some_and(|dir| dir.ends_with("conversations"));
        match (root, key.file_stem()) {
            (Some(root), Some(id)) if is_placed => Self::at(root, &id.to_string_lossy()),
            _ => Self::of_file(key),
        }
    }

    /// The path that names it, whether there is a file or not.
    pub fn key(&self) -> &Path {
        &self.database
    }

    /// The file that is likely to be read.
    pub fn path(&self) -> PathBuf {
        let mut files = self.logs.iter().map(|(path, _)| path);
        let is_filled = |path: &&PathBuf| std::fs::metadata(path).is_ok_and(|m| m.len() > 0);
        files.find(is_filled).unwrap_or(&self.database).clone()
    }

    /// When any of its files was last written to.
    pub fn modified(&self) -> SystemTime {
        let mut wal = self.database.clone().into_os_string();
        wal.push("-wal");
        let logs = self.logs.iter().map(|(path, _)| path.clone());
        let files = logs.chain([self.database.clone(), wal.into()]);
        let times = files.filter_map(|path| std::fs::metadata(path).ok()?.modified().ok());
        times.max().unwrap_or(SystemTime::UNIX_EPOCH)
    }

    /// The conversation as a session, with what is known of its directory.
    ///
    /// # Errors
    /// As [`Conversation::open`].
    pub fn session(&self, told: Option<PathBuf>) -> Result<Session, SourceError> {
        let steps = self.open()?;
        let root = match told {
            Some(told) => Some(told),
            None => self.workspace()?,
        };
        Ok(Session {
            size: steps.size(),
            ..Session::of_conversation(self, root)
        })
    }

    /// The directory that stands in its database, if there is one.
    fn workspace(&self) -> Result<Option<PathBuf>, SourceError> {
        let is_log = self.logs.iter().any(|(log, _)| *log == self.database);
        if is_log || !self.database.exists() {
            return Ok(None);
        }
        match Database::open(&self.database)? {
            Some(database) => database.workspace(),
            None => Ok(None),
        }
    }

    /// Opens the store to read: the first log that holds steps, all of them whole; else the database;
    /// else what there is of the log.
    ///
    /// # Errors
    /// When none of them can be read.
    pub fn open(&self) -> Result<Steps, SourceError> {
        let mut best: Option<Log> = None;
        let mut failed = None;
        for (path, quoted) in &self.logs {
            match Log::open(path, *quoted) {
                Ok(log) if log.steps > 0 && log.damaged == 0 => return Ok(Steps::Log(log)),
                Ok(log) if log.steps > best.as_ref().map_or(0, |best| best.steps) => {
                    best = Some(log);
                }
                Ok(_) => {}
                Err(error) if error.is_missing() => {}
                Err(error) => failed = Some(error),
            }
        }
        let is_log = self.logs.iter().any(|(log, _)| *log == self.database);
        if is_log {
            let empty = || Log::open(&self.database, false);
            return Ok(Steps::Log(best.map_or_else(empty, Ok)?));
        }
        let database = Database::open(&self.database).and_then(|database| match database {
            Some(database) => {
                let size = database.size()?;
                Ok(Some(Steps::Database(database, size)))
            }
            None => Ok(None),
        });
        match (database, best) {
            (Ok(Some(database)), _) => Ok(database),
            (Err(error @ SourceError::Locked { .. }), _) => Err(error),
            (_, Some(log)) => Ok(Steps::Log(log)),
            (Ok(None), None) => Err(failed.unwrap_or_else(|| self.nothing())),
            (Err(error), None) => Err(failed.filter(|_| error.is_missing()).unwrap_or(error)),
        }
    }

    /// There is nothing to read yet: as if it were not there.
    fn nothing(&self) -> SourceError {
        SourceError::io(&self.database)(std::io::ErrorKind::NotFound.into())
    }
}

impl Steps {
    /// One past the last step that may be read.
    pub fn size(&self) -> u64 {
        match self {
            Steps::Log(log) => log.size,
            Steps::Database(_, size) => *size,
        }
    }

    /// Lines that could not be read.
    pub fn damaged(&self) -> u64 {
        match self {
            Steps::Log(log) => log.damaged,
            Steps::Database(..) => 0,
        }
    }

    /// The steps of a range in order, and where they end: earlier than the range where that is too
    /// much to hold.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn of(&self, range: Range<u64>) -> Result<(Vec<Step>, u64), SourceError> {
        let mut held = Held::new(range.clone());
        match self {
            Steps::Log(log) => log.each(&mut |step| {
                held.add(step);
            })?,
            Steps::Database(database, _) => {
                database.each(range.start, range.end, &mut |step| held.add(step))?;
            }
        }
        Ok((held.steps.into_values().collect(), held.end))
    }

    /// What tells that the conversation up to `end` is still the same, whichever store it is read
    /// from: the words of its first and of its last steps.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn fingerprint(&self, end: u64) -> Result<Fingerprint, SourceError> {
        let end = end.min(self.size());
        let prose = |range: Range<u64>| -> Result<Vec<String>, SourceError> {
            let (steps, _) = self.of(range)?;
            let prose = steps.iter().filter_map(|step| step.what.prose());
            Ok(prose.map(str::to_owned).collect())
        };
        let head = prose(0..end.min(REACH))?;
        let tail = prose(end.saturating_sub(REACH)..end)?;
        let head = &head[..head.len().min(TAKEN)];
        let tail = &tail[tail.len().saturating_sub(TAKEN)..];
        Ok(Fingerprint {
            head: hash(head),
            head_len: head.len() as u64,
            tail: hash(tail),
            tail_len: tail.len() as u64,
        })
    }
}

fn hash(texts: &[String]) -> String {
    TextHash::of(texts.join("\0")).as_str().to_owned()
}

/// Steps that are held, and no more than fit.
struct Held {
    range: Range<u64>,
    steps: BTreeMap<u64, Step>,
    bytes: usize,
    end: u64,
}

impl Held {
    fn new(range: Range<u64>) -> Self {
        Self {
            end: range.end,
            range,
            steps: BTreeMap::new(),
            bytes: 0,
        }
    }

    /// Holds a step; of two with one number the later. Says whether there is room for the next.
    fn add(&mut self, step: Step) -> bool {
        if !self.range.contains(&step.index) || step.index >= self.end {
            return true;
        }
        self.bytes += step.what.weight();
        if let Some(old) = self.steps.insert(step.index, step) {
            self.bytes -= old.what.weight();
        }
        while self.bytes > HELD && self.steps.len() > 1 {
            if let Some((index, last)) = self.steps.pop_last() {
                self.bytes -= last.what.weight();
                self.end = index;
            }
        }
        self.end == self.range.end
    }
}
