//! How much of the sessions nobody has read yet, by project: from file sizes and the first rows,
//! without reading whole transcripts. The distill itself decides row by row.

use crate::cli::{Context, Failure};
use crate::id::ProjectId;
use crate::project::root_of;
use crate::source::{claude, free_ranges};
use crate::store::{Project, Store};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// How much of a session is looked at for its directory.
const LOOK: u64 = 64 * 1024;

/// Sessions with unread material, and its bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Pending {
    pub sources: usize,
    pub bytes: u64,
}

/// What is unread, by project.
pub(super) fn pending(
    context: &Context,
    store: &Store,
    projects: &[Project],
) -> Result<BTreeMap<ProjectId, Pending>, Failure> {
    let roots: Vec<PathBuf> = projects.iter().map(|p| p.root.clone()).collect();
    let mut all: BTreeMap<ProjectId, Pending> = BTreeMap::new();
    for session in claude::discover(&context.places.claude, &context.places.state) {
        let root = directory(&session.path).and_then(|d| root_of(&d, &roots, &context.places.home));
        let Some(project) = projects.iter().find(|p| Some(&p.root) == root.as_ref()) else {
            continue;
        };
        let source = session.path.to_string_lossy();
        let spans = store.spans(&project.id, &source).map_err(Failure::known)?;
        let taken: Vec<_> = spans.iter().map(|s| (s.span.start, s.span.end)).collect();
        let free: u64 = free_ranges(&taken, session.size)
            .iter()
            .map(|r| r.end - r.start)
            .sum();
        if free > 0 {
            let pending = all.entry(project.id.clone()).or_default();
            pending.sources += 1;
            pending.bytes += free;
        }
    }
    Ok(all)
}

/// The first directory that a session names.
fn directory(session: &Path) -> Option<PathBuf> {
    let mut head = Vec::new();
    File::open(session)
        .ok()?
        .take(LOOK)
        .read_to_end(&mut head)
        .ok()?;
    let text = String::from_utf8_lossy(&head);
    text.lines().find_map(|line| {
        let (_, rest) = line.split_once("\"cwd\":")?;
        let mut value = serde_json::Deserializer::from_str(rest).into_iter::<String>();
        Some(PathBuf::from(value.next()?.ok()?))
    })
}
