//! Memory as it stood in a commit, staged: one entry, one file, or all four.
//!
//! A commit is foreign text, whoever made it: it is only proposed. Entries that were let in once
//! keep their identity; the others are imports. The order within a section is left as it is.

use super::TRAILER_PROPOSAL;
use super::execute::{ApplyError, Ground};
use super::reverse::earlier;
use super::staging::{self, Credentials, Draft, Left, Scene, Staged};
use crate::config::Limits;
use crate::git::{GitError, Repo};
use crate::id::EntryId;
use crate::lock::ProjectLock;
use crate::memory::{Document, Entry, MAX_FILE_BYTES, MemoryFile, title};
use crate::proposal::{Back, Change, Kind, Op, Origin, Target};
use crate::text::{first_chars, shared_words};
use crate::trust::{Record, Trust};
use std::collections::BTreeMap;

/// How alike two texts are that count as one entry, where no record tells.
const ALIKE: f64 = 0.5;

/// So many pairs are compared by likeness at most; what is more is taken out and put in.
const MAX_PAIRS: usize = 40_000;

/// So many commits are looked through for that of a proposal.
const DEPTH: usize = 100_000;

/// What is to stand as it did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// All four files.
    All,
    /// One file.
    File(MemoryFile),
    /// One entry.
    Entry(EntryId),
}

/// The commit that is meant: by the beginning of its id, or by the proposal whose apply made it, which is
/// what the log shows of that.
fn find(
    repo: &Repo,
    ground: Ground<'_>,
    lock: &ProjectLock,
    named: &str,
) -> Result<String, ApplyError> {
    let none = match repo.find(named) {
        Err(none @ GitError::NoCommit { .. }) => none,
        found => return Ok(found?),
    };
    let Ok(id) = ground.store.find_proposal(named) else {
        return Err(none.into());
    };
    if ground.store.status(&id, ground.now)?.project != *lock.project() {
        return Err(none.into());
    }
    let made = repo.find_trailer(TRAILER_PROPOSAL, id.as_str(), DEPTH)?;
    made.ok_or_else(|| none.into())
}

/// Stages what makes memory, a file or an entry stand as it did in a commit (the beginning of its
/// id); the same that waits already, if there is one.
///
/// # Errors
/// When there is no such commit, the entry did not stand there, or memory, repository or database
/// cannot be read or written.
pub fn restore(
    ground: Ground<'_>,
    lock: &ProjectLock,
    wanted: &Wanted,
    commit: &str,
    limits: &Limits,
    credentials: &Credentials<'_>,
) -> Result<Staged, ApplyError> {
    let scene = Scene::read(ground, lock)?;
    let repo = Repo::open(ground.memory)?;
    let commit = find(&repo, ground, lock, commit)?;
    let short = first_chars(&commit, 8).0.to_owned();
    let mut draft = Draft {
        kind: Kind::Restore,
        back: Some(Back::Commit(commit.clone())),
        summary: format!("{} as it stood in commit {short}", what(wanted)),
        changes: Vec::new(),
        left: Vec::new(),
    };
    let old = |file: MemoryFile| -> Result<Option<Document>, ApplyError> {
        let bytes = repo.file_at(&commit, file.name(), MAX_FILE_BYTES)?;
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        Ok(text.map(|text| Document::parse(file, &text)))
    };
    let mut compare = Comparison {
        scene: &scene,
        trust: ground.trust,
        commit: &short,
        draft: &mut draft,
    };
    match wanted {
        Wanted::All => {
            for file in MemoryFile::ALL {
                compare.file(file, old(file)?.as_ref());
            }
        }
        Wanted::File(file) => compare.file(*file, old(*file)?.as_ref()),
        Wanted::Entry(entry) => {
            let mut docs = Vec::new();
            for file in MemoryFile::ALL {
                docs.extend(old(file)?);
            }
            compare.entry(entry, &docs)?;
        }
    }
    staging::stage(draft, &scene, ground, lock, limits, credentials)
}

fn what(wanted: &Wanted) -> String {
    match wanted {
        Wanted::All => "all of memory".to_owned(),
        Wanted::File(file) => file.name().to_owned(),
        Wanted::Entry(entry) => format!("entry {entry}"),
    }
}

/// What stands, against what stood.
struct Comparison<'a> {
    scene: &'a Scene,
    trust: &'a Trust,
    /// The beginning of the commit's id.
    commit: &'a str,
    draft: &'a mut Draft,
}

impl<'a> Comparison<'a> {
    fn file(&mut self, file: MemoryFile, old: Option<&Document>) {
        let Some(old) = old else {
            let why = format!("commit {} holds no readable file of this name", self.commit);
            self.draft.left.push(Left::new(file, "", why));
            return;
        };
        let mut left: Vec<&'a Entry> = self.scene.memory.doc(file).entries().iter().collect();
        let mut came: Vec<&Entry> = old.entries().iter().collect();
        take_pairs(&mut left, &mut came, |l, c| {
            l.section == c.section && l.text == c.text
        });
        for (entry, _) in take_pairs(&mut left, &mut came, |l, c| l.text == c.text) {
            let why = "it stands under another heading by now; move it by hand";
            self.draft.left.push(Left::new(file, &entry.text, why));
        }
        let mut edits = self.known_pairs(&mut left, &mut came);
        if left.len() * came.len() <= MAX_PAIRS {
            edits.extend(take_pairs(&mut left, &mut came, is_alike));
        }
        let edits = edits.into_iter().map(|(now, then)| self.edit(now, then));
        let adds = came.into_iter().map(|then| self.add(then));
        let gone = left.into_iter().map(|now| self.take_out(now));
        let changes: Vec<Change> = edits.chain(adds).chain(gone).collect();
        self.draft.changes.extend(changes);
    }

    /// Takes out what the records know as one entry, in two versions of it.
    fn known_pairs<'t>(
        &self,
        left: &mut Vec<&'a Entry>,
        came: &mut Vec<&'t Entry>,
    ) -> Vec<(&'a Entry, &'t Entry)> {
        let ids = left.iter().filter_map(|now| Some((self.id_of(now)?, *now)));
        let mut ids: BTreeMap<&EntryId, &'a Entry> = ids.collect();
        let mut pairs = Vec::new();
        came.retain(|then| {
            let stands = self.record_of(then).and_then(|r| ids.remove(&r.entry));
            pairs.extend(stands.map(|now| (now, *then)));
            stands.is_none()
        });
        left.retain(|now| !pairs.iter().any(|(paired, _)| std::ptr::eq(*paired, *now)));
        pairs
    }

    /// The newest version of an entry that stood there.
    fn entry(&mut self, entry: &EntryId, docs: &[Document]) -> Result<(), ApplyError> {
        let versions = self.scene.records.iter().rev();
        let mut versions = versions.filter(|r| r.entry == *entry && self.trust.verify(r).is_ok());
        let found = versions.find_map(|record| {
            let entries = docs.iter().flat_map(Document::entries);
            let mut entries = entries.filter(|e| e.file == record.file && e.text == record.text);
            Some((record, entries.next()?))
        });
        let Some((record, then)) = found else {
            return Err(ApplyError::NotThere {
                entry: entry.clone(),
                commit: self.commit.to_owned(),
            });
        };
        let all = self.scene.memory.entries();
        let change = match all.into_iter().find(|e| self.id_of(e) == Some(entry)) {
            Some(now) if now.file == then.file && now.text == then.text => {
                let why = "it stands like that already";
                self.draft.left.push(Left::new(then.file, &then.text, why));
                return Ok(());
            }
            Some(now) => self.edit_to(now, then, Some(record)),
            None => self.add_as(then, Some(record)),
        };
        self.draft.changes.push(change);
        Ok(())
    }

    /// The newest version of any entry that reads like this.
    fn record_of(&self, then: &Entry) -> Option<&'a Record> {
        let all = self.scene.records.iter();
        let same = all.filter(|r| r.file == then.file && r.text == then.text);
        let sound = same.filter(|r| self.trust.verify(r).is_ok());
        sound.max_by_key(|r| (r.section == then.section, r.at, r.version))
    }

    /// Which entry stands there, changed by hand or not.
    fn id_of(&self, entry: &Entry) -> Option<&'a EntryId> {
        let matched = &self.scene.matched;
        let sound = [&matched.sealed, &matched.lapsed, &matched.withheld];
        let mut sound = sound.into_iter().flatten();
        let mut broken = matched.broken.iter().filter(|b| b.is_displaced());
        let sound = sound.find(|s| s.entry == *entry).map(|s| &s.record.entry);
        sound.or_else(|| {
            let found = broken.find(|b| b.entry.as_ref() == Some(entry));
            found.map(|b| &b.record.entry)
        })
    }

    fn edit(&self, now: &Entry, then: &Entry) -> Change {
        let record = self.record_of(then);
        self.edit_to(now, then, record)
    }

    fn edit_to(&self, now: &Entry, then: &Entry, record: Option<&Record>) -> Change {
        Change {
            op: Op::Edit,
            file: now.file,
            section: now.section.clone(),
            target: Some(Target::of(now, self.id_of(now).cloned())),
            earlier: record.map(earlier),
            ..put_back(then, record)
        }
    }

    fn add(&self, then: &Entry) -> Change {
        self.add_as(then, self.record_of(then))
    }

    /// An addition goes on with the record of what left; one that stands elsewhere keeps its own.
    fn add_as(&self, then: &Entry, record: Option<&Record>) -> Change {
        let matched = &self.scene.matched;
        let mut left = matched.gone.iter().chain(&matched.missing);
        let gone = record.filter(|record| left.any(|r| r.entry == record.entry));
        Change {
            earlier: gone.map(earlier),
            ..put_back(then, record)
        }
    }

    fn take_out(&self, now: &Entry) -> Change {
        Change {
            op: Op::Archive,
            target: Some(Target::of(now, self.id_of(now).cloned())),
            text: String::new(),
            reason: Some(format!("not there in commit {}", self.commit)),
            origin: Origin::HumanEdit,
            ..put_back(now, None)
        }
    }
}

/// What stood there, with who said it, as far as a record tells.
fn put_back(then: &Entry, record: Option<&Record>) -> Change {
    let origin = record.map_or(Origin::Import, |r| r.origin);
    Change {
        n: 0,
        op: Op::Add,
        file: then.file,
        section: then.section.clone(),
        target: None,
        text: then.text.clone(),
        reason: None,
        earlier: None,
        evidence: Vec::new(),
        origin,
        also: Vec::new(),
        verdicts: Vec::new(),
    }
}

fn is_alike(now: &Entry, then: &Entry) -> bool {
    title(&now.text) == title(&then.text)
        || shared_words(&now.text, &then.text) >= ALIKE
            && shared_words(&then.text, &now.text) >= ALIKE
}

/// Takes the entries out of both lists that belong together, in order.
fn take_pairs<'n, 't>(
    left: &mut Vec<&'n Entry>,
    came: &mut Vec<&'t Entry>,
    is_pair: impl Fn(&Entry, &Entry) -> bool,
) -> Vec<(&'n Entry, &'t Entry)> {
    let mut pairs = Vec::new();
    came.retain(
        |then| match left.iter().position(|now| is_pair(now, then)) {
            Some(at) => {
                pairs.push((left.remove(at), *then));
                false
            }
            None => true,
        },
    );
    pairs
}
