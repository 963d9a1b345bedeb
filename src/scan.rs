//! Secrets that stand already where memory is kept: its files, its history, what is staged. An
//! earlier tool, another program or a person may have put them there.
//!
//! Reads only. Tells where a secret stands, of which kind and how long it is, and a keyed
//! fingerprint by which equal ones are counted as one; never a character of it.

mod files;
mod words;

use crate::git::{self, GitError, Passed, Repo, TextPlace};
use crate::proposal::Proposal;
use crate::redact::{Hit, LineHit, Redactor};
use crate::trust::Record;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::Path;

/// Places that are named; more are counted, besides the first of each secret.
const MOST: usize = 20_000;
/// The rule of a value that was first seen with its name: the name's rule says more.
const KNOWN: &str = "known_value";

/// What kind of place it is: each is cleaned in another way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A file of the memory folder.
    File,
    /// A proposal that waits.
    Staged,
    /// A proposal that was decided or left the queue, or what the database notes besides.
    Noted,
    /// What was accepted once, in the database.
    Accepted,
    /// A file that is kept beside the database until its user deletes it.
    Kept,
    /// The memory's own git history.
    History,
    /// The history of the project's own repository.
    ProjectHistory,
}

/// Where a secret stands. Names of files are foreign text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    /// What kind of place it is.
    pub kind: Kind,
    /// The project's root.
    pub root: String,
    /// A file's path in the memory folder or repository; `message of a commit` or `of a tag`; of
    /// what the database holds, which text it is, in words.
    pub place: String,
    /// The line, from 1; none: the name itself, or a text without lines.
    pub line: Option<usize>,
    /// The newest commit that holds it; in a history, none: no commit does any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The git object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
}

/// One secret, wherever it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Secret {
    /// Keyed hash: equal secrets have equal ones.
    pub fingerprint: String,
    /// The rule that found it.
    pub rule: String,
    /// Its length in bytes, as a bucket.
    pub length: String,
    /// Where it stands.
    pub places: Vec<Place>,
}

/// What a scan found.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// The secrets, in the order they were found in.
    pub secrets: Vec<Secret>,
    /// Places of values that a person called no secret.
    pub let_through: usize,
    /// Places beyond those that are named.
    pub more: usize,
    /// What could not be read or searched, and why.
    pub not_read: Vec<String>,
}

impl Report {
    /// How many places are named.
    #[must_use]
    pub fn places(&self) -> usize {
        self.secrets.iter().map(|s| s.places.len()).sum()
    }

    /// Whether a secret stands in such a place.
    #[must_use]
    pub fn has(&self, kind: Kind, root: &str) -> bool {
        let mut all = self.secrets.iter().flat_map(|s| &s.places);
        all.any(|p| p.kind == kind && p.root == root)
    }
}

/// Looks through one place after the other.
pub struct Scan<'a> {
    /// Lets nothing through: what is let through is counted here.
    redactor: &'a Redactor,
    allowed: &'a BTreeSet<String>,
    by_fingerprint: HashMap<String, usize>,
    places: usize,
    most: usize,
    report: Report,
}

impl<'a> Scan<'a> {
    /// Begins one. The redactor must let nothing through; `allowed` are the fingerprints of what a
    /// person called no secret.
    #[must_use]
    pub fn new(redactor: &'a Redactor, allowed: &'a BTreeSet<String>) -> Self {
        Self {
            redactor,
            allowed,
            by_fingerprint: HashMap::new(),
            places: 0,
            most: MOST,
            report: Report::default(),
        }
    }

    /// What was found.
    #[must_use]
    pub fn finish(self) -> Report {
        self.report
    }

    /// Notes what could not be read.
    pub fn not_read(&mut self, what: impl ToString) {
        self.report.not_read.push(what.to_string());
    }

    /// The files of a project's memory folder, the inbox and whatever else lies there included.
    pub fn files(&mut self, root: &Path) {
        let found = match files::below(&root.join(".memory")) {
            Ok(found) => found,
            Err(error) => return self.not_read(error),
        };
        self.report.not_read.extend(found.passed);
        for (name, read) in found.files {
            match read() {
                Ok(bytes) => self.text(&place(Kind::File, root, &name), &name, &bytes),
                Err(error) => self.not_read(error),
            }
        }
    }

    /// A proposal, whether it waits or not, and texts that a person edited of it.
    pub fn proposal(&mut self, root: &Path, proposal: &Proposal, edits: &[&str], waits: bool) {
        // What was hidden already is no finding.
        let proposal = Proposal {
            hits: Vec::new(),
            ..proposal.clone()
        };
        let what = format!("proposal {}", proposal.id);
        let kind = if waits { Kind::Staged } else { Kind::Noted };
        match serde_json::to_value(&proposal) {
            Ok(value) => {
                let redactor = self.redactor;
                let at = place(kind, root, &what);
                let name = |way: &[String]| words::proposal(&proposal, way, redactor);
                self.value(&at, &mut Vec::new(), &value, &name);
            }
            Err(error) => self.not_read(format!("{what}: {error}")),
        }
        let edited = place(kind, root, &words::edited(&proposal));
        for text in edits {
            let hits = self.redactor.check(text);
            self.hits(&edited, hits);
        }
    }

    /// What the database notes besides: a text, or a value with texts in it.
    pub fn noted(&mut self, root: &Path, what: &str, value: &Value) {
        let name = |_: &[String]| words::noted(what);
        let at = place(Kind::Noted, root, what);
        self.value(&at, &mut Vec::new(), value, &name);
    }

    /// A file that is kept beside the database: its name and the texts in it, a row each.
    pub fn kept(&mut self, state: &Path, name: &str, rows: &[Value]) {
        for (n, row) in rows.iter().enumerate() {
            let at = Place {
                line: (rows.len() > 1).then_some(n + 1),
                ..place(Kind::Kept, state, name)
            };
            self.value(&at, &mut Vec::new(), row, &|_| name.to_owned());
        }
    }

    /// What was accepted once.
    pub fn record(&mut self, root: &Path, record: &Record) {
        let what = words::record(record, self.redactor);
        let at = place(Kind::Accepted, root, &what);
        for text in [&record.text, &record.section] {
            let hits = self.redactor.check(text);
            self.hits(&at, hits);
        }
    }

    /// All that the memory's repository holds.
    ///
    /// # Errors
    /// When its history cannot be read. What was found before is kept.
    pub fn history(&mut self, root: &Path) -> Result<(), GitError> {
        let repo = match Repo::open(&root.join(".memory")) {
            Err(GitError::Missing { .. }) => return Ok(()),
            other => other?,
        };
        let look = &mut |at: &TextPlace, text: &[u8]| self.stored(Kind::History, root, at, text);
        let passed = repo.each_text(look)?;
        self.passed(&passed);
        Ok(())
    }

    /// What of memory stands in the history of the project's own repository.
    ///
    /// # Errors
    /// When it cannot be read. What was found before is kept.
    pub fn project_history(&mut self, root: &Path) -> Result<(), GitError> {
        let kind = Kind::ProjectHistory;
        let look = &mut |at: &TextPlace, text: &[u8]| self.stored(kind, root, at, text);
        let passed = git::each_text_around(root, look)?;
        self.passed(&passed);
        Ok(())
    }

    fn stored(&mut self, kind: Kind, root: &Path, at: &TextPlace, text: &[u8]) {
        let name = match (&at.path, &at.commit) {
            (Some(path), _) => path.clone(),
            (None, Some(_)) => "message of a commit".to_owned(),
            (None, None) => "an object that no commit holds any more".to_owned(),
        };
        let at = Place {
            commit: at.commit.clone(),
            object: Some(at.object.clone()),
            ..place(kind, root, &name)
        };
        self.text(&at, &name, text);
    }

    fn passed(&mut self, passed: &[Passed]) {
        for Passed { place, why } in passed {
            let (path, object) = (place.path.as_deref().unwrap_or_default(), &place.object);
            self.not_read(format!("git object {object} {path}: {why}"));
        }
    }

    /// A file: its name and its text.
    fn text(&mut self, at: &Place, name: &str, text: &[u8]) {
        let hits = self.redactor.check(name);
        self.hits(at, hits);
        let redactor = self.redactor;
        let found = redactor.filter(&mut &*text, &mut io::sink(), &mut |found| {
            let LineHit { line, hit } = found;
            let line = Some(line);
            self.hit(Place { line, ..at.clone() }, hit);
        });
        if let Err(error) = found {
            self.not_read(format!("{name}: {error}"));
        }
    }

    /// The texts of a value. `name` says in words where the text stands that a way leads to.
    fn value(
        &mut self,
        at: &Place,
        way: &mut Vec<String>,
        value: &Value,
        name: &dyn Fn(&[String]) -> String,
    ) {
        match value {
            Value::String(text) => {
                let hits = self.redactor.check(text);
                if !hits.is_empty() {
                    let place = name(way);
                    self.hits(
                        &Place {
                            place,
                            ..at.clone()
                        },
                        hits,
                    );
                }
            }
            Value::Array(items) => {
                for (n, item) in items.iter().enumerate() {
                    way.push(n.to_string());
                    self.value(at, way, item, name);
                    way.pop();
                }
            }
            Value::Object(map) => {
                for (key, item) in map {
                    way.push(key.clone());
                    self.value(at, way, item, name);
                    way.pop();
                }
            }
            _ => {}
        }
    }

    fn hits(&mut self, at: &Place, hits: Vec<Hit>) {
        for hit in hits {
            self.hit(at.clone(), hit);
        }
    }

    fn hit(&mut self, at: Place, hit: Hit) {
        if hit.is_withheld() {
            return self.not_read(format!(
                "{} in {}: the search failed; look at it yourself",
                at.place, at.root
            ));
        }
        if self.allowed.contains(&hit.fingerprint) {
            self.report.let_through += 1;
            return;
        }
        let secrets = &mut self.report.secrets;
        let n = *self
            .by_fingerprint
            .entry(hit.fingerprint.clone())
            .or_insert(secrets.len());
        match secrets.get_mut(n) {
            Some(secret) => {
                if secret.rule == KNOWN {
                    secret.rule = hit.rule;
                }
                if secret.places.last() == Some(&at) {
                    return;
                }
                if self.places >= self.most {
                    self.report.more += 1;
                    return;
                }
                secret.places.push(at);
            }
            // Where a secret stands first is always named.
            None => secrets.push(Secret {
                fingerprint: hit.fingerprint,
                rule: hit.rule,
                length: hit.length,
                places: vec![at],
            }),
        }
        self.places += 1;
    }
}

fn place(kind: Kind, root: &Path, what: &str) -> Place {
    Place {
        kind,
        root: root.to_string_lossy().into_owned(),
        place: what.to_owned(),
        line: None,
        commit: None,
        object: None,
    }
}

#[cfg(test)]
mod tests;
