//! A person's word on what is gone for good: one record of the audit chain and nothing else.

use super::audit::{Note, append, head};
use super::error::StoreError;
use super::open::Store;
use crate::redact::Redacted;
use crate::trust::{Act, AuditHead, Loose, Trust, settling};
use jiff::Timestamp;

impl Store {
    /// Puts on record that a person knows why these are gone. Each is settled as it is named and no
    /// other; [`crate::trust::verify_all`] tells them apart from then on. `None`: the chain has gone on
    /// since `seen`, its head when they were looked for, and nothing was settled.
    ///
    /// # Errors
    /// When the database cannot be written, or the chain's head is not the one that was sealed.
    pub fn settle_breaks(
        &self,
        trust: &Trust,
        loose: &[Loose],
        why: &Redacted,
        seen: Option<&AuditHead>,
        now: Timestamp,
    ) -> Result<Option<AuditHead>, StoreError> {
        let mut projects = loose.iter().map(|l| l.project.as_ref());
        let first = projects.next().flatten();
        let note = Note {
            act: Act::Settle,
            // Of one project, where all of it is one's.
            project: first.filter(|_| projects.all(|p| p == first)),
            subjects: Vec::new(),
            details: settling(loose, why),
        };
        self.write(|tx| {
            if head(tx)?.as_ref() != seen {
                return Ok(None);
            }
            append(tx, trust, note, now).map(Some)
        })
    }
}
