//! How much of the sessions nobody has read yet, by project: from file sizes and the first rows,
//! without reading whole transcripts. The distill itself decides row by row.

use crate::cli::{Context, Failure};
use crate::fs::FsError;
use crate::id::ProjectId;
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

/// What a look at all sessions gave.
#[derive(Debug, Default)]
pub(super) struct Unread {
    /// What is unread, by project.
    pub by_project: BTreeMap<ProjectId, Pending>,
    /// What cannot be read, and so may be any project's.
    pub closed: Vec<String>,
}

/// What is unread.
pub(super) fn pending(
    context: &Context,
    store: &Store,
    projects: &[Project],
) -> Result<Unread, Failure> {
    let places = &context.places;
    let known = store
        .known(&context.config.settings, places)
        .map_err(Failure::known)?;
    let (sessions, closed) = claude::discover(&places.claude, &places.state);
    let mut unread = Unread {
        by_project: BTreeMap::new(),
        closed: closed.iter().map(ToString::to_string).collect(),
    };
    for session in sessions {
        let dir = match directory(&session.path) {
            Ok(dir) => dir,
            Err(error) => {
                unread.closed.push(error.to_string());
                continue;
            }
        };
        let root = dir.and_then(|d| known.root_of(&d));
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
            let pending = unread.by_project.entry(project.id.clone()).or_default();
            pending.sources += 1;
            pending.bytes += free;
        }
    }
    Ok(unread)
}

/// The first directory that a session names.
fn directory(session: &Path) -> Result<Option<PathBuf>, FsError> {
    let mut head = Vec::new();
    File::open(session)
        .and_then(|file| file.take(LOOK).read_to_end(&mut head))
        .map_err(FsError::io("read", session))?;
    let text = String::from_utf8_lossy(&head);
    Ok(text.lines().find_map(|line| {
        let (_, rest) = line.split_once("\"cwd\":")?;
        let mut value = serde_json::Deserializer::from_str(rest).into_iter::<String>();
        Some(PathBuf::from(value.next()?.ok()?))
    }))
}
