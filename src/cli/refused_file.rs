//! Memory files that are refused (a pipe, a link, a device, too large, no text) go on record, whoever
//! looks at them. Where nothing can be written they are refused all the same.

use super::{Context, Failure};
use crate::memory::{Memory, MemoryError};
use crate::store::{Project, Store};
use std::collections::BTreeMap;

/// Puts on record what of a project's memory is refused now.
pub(super) fn on_record(context: &Context, store: &Store, project: &Project) {
    if let Err(failure) = record(context, store, project) {
        tracing::warn!("a refused memory file is not on record: {failure}");
    }
}

fn record(context: &Context, store: &Store, project: &Project) -> Result<(), Failure> {
    let refused = refused(project);
    if refused.is_empty() || store.is_only_looked_at()? || !store.has_sealed_data()? {
        return Ok(());
    }
    let trust = store.trust()?;
    for (file, why) in refused {
        store.refuse_file(&trust, &project.id, (&file, why), context.now)?;
    }
    Ok(())
}

/// The names of what is refused, and what each is. The folder's own name where that is no folder.
pub(super) fn refused(project: &Project) -> BTreeMap<String, &'static str> {
    let (_, unread) = Memory::read_some(&project.memory());
    let of = |(_, error)| match error {
        MemoryError::Fs(error) => {
            let (path, why) = error.refused()?;
            Some((path.file_name()?.to_str()?.to_owned(), why))
        }
        MemoryError::Gone { .. } => None,
    };
    unread.into_iter().filter_map(of).collect()
}
