//! A person's own act on one entry, staged as a small proposal of its own.

use super::execute::{ApplyError, Ground};
use super::reverse::earlier;
use super::staging::{self, Credentials, Draft, Scene, Staged, change};
use crate::config::Limits;
use crate::id::EntryId;
use crate::lock::ProjectLock;
use crate::memory::{MemoryFile, title};
use crate::proposal::{Change, Kind, Level, Op, Origin};
use crate::redact::first_whole;
use crate::text::visible_line;
use crate::trust::Record;

/// What a person wants of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// It is to read like this.
    Edit {
        /// The entry.
        entry: EntryId,
        /// Its new text.
        text: String,
    },
    /// It is to move to the archive.
    Archive {
        /// The entry.
        entry: EntryId,
        /// Why; stands in the archive.
        reason: String,
    },
    /// No agent is to be given it any more, and it is not to be proposed again.
    Tombstone {
        /// The entry.
        entry: EntryId,
        /// Why; stands in the audit chain.
        reason: String,
    },
    /// What stands in the archive is to stand in its file again.
    BringBack {
        /// The file it stood in.
        file: MemoryFile,
        /// The section it stood in; empty at the top.
        section: String,
        /// Its text, as the archive has it.
        text: String,
    },
}

/// Stages a person's wish; the same one that waits already, if there is one. Nothing is staged of an
/// edit that changes nothing.
///
/// # Errors
/// [`ApplyError::NotSound`] when no valid seal vouches for the entry; [`ApplyError::Credential`] and
/// [`ApplyError::Blocked`] when what was written cannot go in; otherwise when memory or the
/// database cannot be read or written.
pub fn own(
    ground: Ground<'_>,
    lock: &ProjectLock,
    wish: Wish,
    limits: &Limits,
    credentials: &Credentials<'_>,
) -> Result<Staged, ApplyError> {
    let scene = Scene::read(ground, lock)?;
    let change = change_of(wish, &scene)?;
    let target = change.target.as_ref();
    if change.op == Op::Edit && target.is_some_and(|t| t.text == change.text) {
        return Ok(Staged::default());
    }
    let reason = change.reason.as_deref().unwrap_or_default();
    for text in [change.text.as_str(), change.section.as_str(), reason] {
        if let Some(hit) = credentials(text).first() {
            let rule = hit.rule.clone();
            return Err(ApplyError::Credential { rule });
        }
    }
    let draft = Draft {
        kind: Kind::Own,
        back: None,
        summary: summary(&change),
        changes: vec![change],
        left: Vec::new(),
    };
    check(&draft, &scene, limits, credentials)?;
    staging::stage(draft, &scene, ground, lock, limits, credentials)
}

fn summary(change: &Change) -> String {
    let what = match change.op {
        Op::Add => "brought back from the archive",
        Op::Edit => "edited",
        Op::Archive => "to the archive",
        Op::Tombstone => "taken back",
    };
    let title = title(change.said());
    format!("your own: {what}: {}", first_whole(&title, 72).0)
}

fn change_of(wish: Wish, scene: &Scene) -> Result<Change, ApplyError> {
    Ok(match wish {
        Wish::Edit { entry, text } => Change {
            text: text.replace("\r\n", "\n").trim().to_owned(),
            ..on(Op::Edit, &entry, scene)?
        },
        Wish::Archive { entry, reason } => Change {
            reason: Some(one_line(&reason, "archived by hand")),
            ..on(Op::Archive, &entry, scene)?
        },
        Wish::Tombstone { entry, reason } => Change {
            reason: Some(one_line(&reason, "taken back by hand")),
            ..on(Op::Tombstone, &entry, scene)?
        },
        Wish::BringBack {
            file,
            section,
            text,
        } => brought_back(file, section, &text, scene),
    })
}

/// A change of an entry that stands as it was let in.
fn on(op: Op, entry: &EntryId, scene: &Scene) -> Result<Change, ApplyError> {
    let record = &scene.sound(entry)?.record;
    Ok(Change {
        target: Some(scene.target(record)),
        ..change(op, record)
    })
}

/// An addition with the origin and the identity of the entry that left, when its record is known.
fn brought_back(file: MemoryFile, section: String, text: &str, scene: &Scene) -> Change {
    let text = text.trim().to_owned();
    let gone = scene.matched.gone.iter();
    // Under another heading than it was let in for, or with another text, it is not what was let in.
    let is_it = |r: &&Record| {
        (r.file, visible_line(&r.section), r.text.trim())
            == (file, visible_line(&section), text.as_str())
    };
    let record = gone.filter(is_it).max_by_key(|r| r.at);
    let change = Change {
        n: 0,
        op: Op::Add,
        file,
        section,
        target: None,
        text,
        reason: Some("brought back from the archive".to_owned()),
        earlier: None,
        evidence: Vec::new(),
        origin: Origin::HumanEdit,
        also: Vec::new(),
        verdicts: Vec::new(),
    };
    match record {
        // Nothing that was let in: words of the person's own, to be read.
        None => Change {
            reason: Some(
                "brought back from the archive, where nothing that was accepted reads so"
                    .to_owned(),
            ),
            ..change
        },
        Some(record) => Change {
            earlier: Some(earlier(record)),
            origin: record.origin,
            ..change
        },
    }
}

fn one_line(reason: &str, without: &str) -> String {
    let words: Vec<&str> = reason.split_whitespace().collect();
    match words.is_empty() {
        true => without.to_owned(),
        false => first_whole(&words.join(" "), 300).0.to_owned(),
    }
}

/// What a guardrail blocks cannot be decided on but by a no: it is said at once.
fn check(
    draft: &Draft,
    scene: &Scene,
    limits: &Limits,
    credentials: &Credentials<'_>,
) -> Result<(), ApplyError> {
    let mut changes = draft.changes.clone();
    staging::number(&mut changes);
    let judged = staging::judged(
        &changes,
        draft.kind,
        &scene.memory,
        &scene.entries,
        limits,
        credentials,
    );
    let mut all = judged.changes.values().flatten();
    match all.find(|v| v.level == Level::Block) {
        None => Ok(()),
        Some(block) => Err(ApplyError::Blocked {
            reason: block.reason.clone(),
        }),
    }
}
