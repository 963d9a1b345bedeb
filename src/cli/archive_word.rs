//! What status, doctor and review say in a word of an archive that is not as memd wrote it.

use super::Context;
use crate::browse::{Sight, differences};
use crate::store::{Project, Store};
use crate::text::count;

/// Where to look, and what to do; none where nothing differs. What cannot be looked at, verify names.
pub(super) fn told(context: &Context, store: &Store, project: &Project) -> Option<String> {
    let trust = store.trust().ok()?;
    let redactor = context.redactor_with(store, &trust);
    let sight = Sight {
        store,
        trust: &trust,
        redactor: &redactor,
        now: context.now,
    };
    let found = differences(sight, project).ok()?;
    let first = found.all.first()?;
    let n = count(found.all.len(), "text", "texts");
    Some(format!(
        "its archive is not as memd wrote it ({n}, the first in {}): memd verify names each and what ends it; no agent is given it",
        first.path
    ))
}
