//! Confirming an entry: a separate act of a person, counted and dated. Its text stays; its record
//! goes on.

use super::execute::{ApplyError, Ground};
use super::staging::Scene;
use crate::id::EntryId;
use crate::lock::ProjectLock;
use crate::text::TextHash;
use crate::trust::{Act, AuditHead, Reason, Record, RecordState};
use serde_json::json;

/// A confirmation that was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confirmed {
    /// The record's new version, as it was before it was sealed.
    pub record: Record,
    /// The audit chain's head after it.
    pub audit: AuditHead,
}

/// What is known of an entry that stands as it was let in: what a person is asked to confirm.
///
/// # Errors
/// [`ApplyError::NotSound`] when no valid seal vouches for what stands there, with the reason.
pub fn sound(
    ground: Ground<'_>,
    lock: &ProjectLock,
    entry: &EntryId,
) -> Result<Record, ApplyError> {
    let scene = Scene::read(ground, lock)?;
    Ok(scene.sound(entry)?.record.clone())
}

/// Confirms an entry that stands as it was let in, a lapsed one included.
///
/// # Errors
/// [`ApplyError::NotSound`] when no valid seal vouches for what stands there, with the reason.
pub fn confirm(
    ground: Ground<'_>,
    lock: &ProjectLock,
    entry: &EntryId,
) -> Result<Confirmed, ApplyError> {
    let scene = Scene::read(ground, lock)?;
    record(&scene, ground, lock, entry)
}

/// As [`confirm`], of just the text that a person was shown.
///
/// # Errors
/// As [`confirm`], and when it reads otherwise than it was shown.
pub fn confirm_shown(
    ground: Ground<'_>,
    lock: &ProjectLock,
    entry: &EntryId,
    shown: &TextHash,
) -> Result<Confirmed, ApplyError> {
    let scene = Scene::read(ground, lock)?;
    if scene.sound(entry)?.record.hash() != *shown {
        return Err(ApplyError::NotSound {
            entry: entry.clone(),
            why: "it was changed meanwhile; look at it again".to_owned(),
        });
    }
    record(&scene, ground, lock, entry)
}

fn record(
    scene: &Scene,
    ground: Ground<'_>,
    lock: &ProjectLock,
    entry: &EntryId,
) -> Result<Confirmed, ApplyError> {
    let record = scene.sound(entry)?.record.confirm(ground.now);
    let details = json!({ "confirmations": record.confirmations });
    let (trust, project) = (ground.trust, lock.project());
    let records = vec![record.clone()];
    let put = ground
        .store
        .put_records(trust, project, Act::Confirm, records, details, ground.now);
    Ok(Confirmed {
        record,
        audit: put?,
    })
}

impl Scene {
    /// The entry as it stands, when a seal vouches for it and no person has taken it back.
    pub fn sound(&self, entry: &EntryId) -> Result<&crate::trust::SealedEntry, ApplyError> {
        let all = self.matched.sealed.iter().chain(&self.matched.lapsed);
        let found = all.into_iter().find(|s| s.record.entry == *entry);
        found.ok_or_else(|| ApplyError::NotSound {
            entry: entry.clone(),
            why: self.why_not_sound(entry),
        })
    }

    fn why_not_sound(&self, entry: &EntryId) -> String {
        let matched = &self.matched;
        if let Some(broken) = matched.broken.iter().find(|b| b.record.entry == *entry) {
            return match &broken.reason {
                Reason::Seal(error) => error.to_string(),
                Reason::Edited => {
                    "its text was changed on disk; adopt or restore it in `memd review` first"
                        .to_owned()
                }
                Reason::Moved { .. } => {
                    "it was moved on disk; adopt or restore it in `memd review` first".to_owned()
                }
                Reason::Duplicated => {
                    "it stands more than once on disk; decide on the copies in `memd review` first"
                        .to_owned()
                }
                Reason::RolledBack { version } => format!(
                    "version {version} of it stands on disk; adopt or restore it in `memd review` first"
                ),
                Reason::CameBack => {
                    "it was archived and is back on disk; decide on it in `memd review` first"
                        .to_owned()
                }
            };
        }
        match self.newest(entry).map(|r| r.state) {
            None => "there is no such entry".to_owned(),
            Some(RecordState::Archived) => "it is in the archive".to_owned(),
            Some(RecordState::Tombstoned) => "a person has taken it back".to_owned(),
            Some(RecordState::Live) => {
                "it no longer stands in its file; decide on that in `memd review` first".to_owned()
            }
        }
    }
}
