//! How much of the sessions nobody has read yet, by project: from file sizes and the first rows,
//! without reading whole transcripts. The distill itself decides row by row.

use crate::cli::{Context, Failure};
use crate::id::ProjectId;
use crate::source::{discover, free_ranges};
use crate::store::{Project, SpanState, Store, StoredSpan};
use std::collections::BTreeMap;

/// Sessions with unread material, and its bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::cli) struct Pending {
    pub sources: usize,
    pub bytes: u64,
    /// Sessions that only count as read: they were there before the project had a memory.
    pub before: usize,
}

/// What a look at all sessions gave.
#[derive(Debug, Default)]
pub(in crate::cli) struct Unread {
    /// What is unread, by project.
    pub by_project: BTreeMap<ProjectId, Pending>,
    /// What cannot be read, and so may be any project's.
    pub closed: Vec<String>,
}

/// What is unread.
pub(in crate::cli) fn pending(
    context: &Context,
    store: &Store,
    projects: &[Project],
) -> Result<Unread, Failure> {
    let places = &context.places;
    let known = store.known(&context.config.settings, places)?;
    let mut found = discover(context.whereabouts());
    let mut unread = Unread::default();
    for session in found.sessions {
        let dir = match session.first_dir() {
            Ok(dir) => dir,
            Err(error) => {
                found.closed.add(&error);
                continue;
            }
        };
        let root = match &session.root {
            Some(root) => known.named(root),
            None => dir.and_then(|dir| known.root_of(&dir)),
        };
        let Some(project) = projects.iter().find(|p| Some(&p.root) == root.as_ref()) else {
            continue;
        };
        let spans = store.spans(&project.id, &session.key);
        let spans = spans?;
        let taken: Vec<_> = spans.iter().map(|s| (s.span.start, s.span.end)).collect();
        let free: u64 = free_ranges(&taken, session.size)
            .iter()
            .map(|r| r.end - r.start)
            .sum();
        let is_before = |s: &StoredSpan| s.state == SpanState::Baseline;
        if !spans.is_empty() && spans.iter().all(is_before) {
            let pending = unread.by_project.entry(project.id.clone()).or_default();
            pending.before += 1;
        }
        if free > 0 {
            let pending = unread.by_project.entry(project.id.clone()).or_default();
            pending.sources += 1;
            pending.bytes += session.weight(free);
        }
    }
    unread.closed = found.closed.lines();
    Ok(unread)
}
