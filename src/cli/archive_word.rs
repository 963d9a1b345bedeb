//! What status and doctor say in a word of an archive that is not as memd wrote it.

use super::Context;
use crate::browse::{Sight, differences};
use crate::redact::Redactor;
use crate::store::{Project, Store};
use crate::text::count;
use crate::trust::Trust;
use std::cell::OnceCell;

/// What is needed to look at archives: made with the first, for all projects.
pub(super) struct Archives<'a> {
    context: &'a Context,
    store: &'a Store,
    /// None where the key cannot be used.
    eyes: OnceCell<Option<(Trust, Redactor)>>,
}

impl<'a> Archives<'a> {
    pub(super) fn new(context: &'a Context, store: &'a Store) -> Self {
        Self {
            context,
            store,
            eyes: OnceCell::new(),
        }
    }

    fn eyes(&self) -> Option<(Trust, Redactor)> {
        let trust = self.store.trust().ok()?;
        let redactor = self.context.redactor_with(self.store, &trust);
        Some((trust, redactor))
    }

    /// Where to look, and what to do; none where nothing differs. What cannot be looked at, verify names.
    pub(super) fn told(&self, project: &Project) -> Option<String> {
        let (trust, redactor) = self.eyes.get_or_init(|| self.eyes()).as_ref()?;
        let sight = Sight {
            store: self.store,
            trust,
            redactor,
            now: self.context.now,
        };
        let found = differences(sight, project).ok()?;
        let first = found.all.first()?;
        let n = count(found.all.len(), "text", "texts");
        Some(format!(
            "its archive is not as memd wrote it ({n}, the first in {}): memd verify names each and what ends it; no agent is given it",
            first.path
        ))
    }
}
