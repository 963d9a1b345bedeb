//! Files with texts of others in them that memd keeps beside the database until their user deletes
//! them: for a look through all that is kept. Reads only.

use crate::fs::{self, FsError};
use crate::id::ProjectId;
use crate::redact::Redactor;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// More than memd writes into one.
const LARGEST: u64 = 256 << 20;

/// Names by how they begin and end, and what is in such a file.
const KEPT: [(&str, &str, Holds); 5] = [
    ("given-up-", ".jsonl", Holds::Rows),
    ("damaged-", ".db", Holds::Database),
    ("kept-", ".md", Holds::Text),
    ("edit-", ".md", Holds::Text),
    ("memd.log", "", Holds::Text),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    Text,
    /// A JSON object a line.
    Rows,
    Database,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptFile {
    /// Its name in the state folder.
    pub name: String,
    path: PathBuf,
    holds: Holds,
}

/// All of them, by name.
#[must_use]
pub fn kept_files(state: &Path) -> Vec<KeptFile> {
    let items = std::fs::read_dir(state).into_iter().flatten().flatten();
    let of = |item: std::fs::DirEntry| {
        let name = item.file_name().into_string().ok()?;
        let is_it =
            |(start, end, _): &&(&str, &str, Holds)| name.starts_with(start) && name.ends_with(end);
        let (_, _, holds) = *KEPT.iter().find(is_it)?;
        let path = item.path();
        path.is_file().then_some(KeptFile { name, path, holds })
    };
    let mut all: Vec<_> = items.filter_map(of).collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

impl KeptFile {
    /// Whether it is a database, which nobody looks through.
    #[must_use]
    pub fn is_database(&self) -> bool {
        self.holds == Holds::Database
    }

    /// The project it is of, where its name says so.
    #[must_use]
    pub fn project(&self) -> Option<ProjectId> {
        let rest = self.name.strip_prefix("given-up-")?;
        rest.split('-').next()?.parse().ok()
    }

    /// The texts in it: values that hold them, a row each.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn texts(&self) -> Result<Vec<Value>, FsError> {
        if self.is_database() {
            return Ok(Vec::new());
        }
        let bytes = fs::read_plain(&self.path, LARGEST)?;
        let text = String::from_utf8_lossy(&bytes);
        let row = |line: &str| serde_json::from_str(line).unwrap_or_else(|_| line.into());
        Ok(match self.holds {
            Holds::Rows => text.lines().map(row).collect(),
            _ => vec![text.into()],
        })
    }

    /// Whether it holds what a person called a secret; none: nobody can say.
    fn holds_also(&self, redactor: &Redactor) -> Option<bool> {
        let texts = self.texts().ok().filter(|_| !self.is_database())?;
        Some(texts.iter().any(|value| holds(value, redactor)))
    }
}

fn holds(value: &Value, redactor: &Redactor) -> bool {
    match value {
        Value::String(text) => redactor.without_also(text).is_some(),
        Value::Array(items) => items.iter().any(|item| holds(item, redactor)),
        Value::Object(map) => map.values().any(|item| holds(item, redactor)),
        _ => false,
    }
}

/// Names of those that hold what a person called a secret, and of those of which nobody can say.
pub(super) fn holding(state: &Path, redactor: &Redactor) -> (Vec<String>, Vec<String>) {
    let (mut holding, mut unseen) = (Vec::new(), Vec::new());
    for file in kept_files(state) {
        match file.holds_also(redactor) {
            Some(false) => {}
            Some(true) => holding.push(file.name),
            None => unseen.push(file.name),
        }
    }
    (holding, unseen)
}
