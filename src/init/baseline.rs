//! Sessions that exist when a project gets its memory: they count as read, up to their end.

use super::rows::Rows;
use crate::config::Places;
use crate::proposal::Span;
use crate::source::{claude, fingerprint};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// At most this many bytes of memd 0.3's `cursors.json` are read.
const LIMIT: u64 = 64 << 20;
/// The step in which the last line's end is looked for, in bytes.
const STEP: u64 = 64 << 10;

/// What counts as read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baselined {
    /// From the start of each source to its end, or to where memd 0.3 had come.
    pub spans: Vec<Span>,
    /// Sources, and folders of them, that cannot be read now; they will be new when they can.
    pub unreadable: usize,
    /// Whether memd 0.3's cursors were taken over.
    pub from_cursors: bool,
}

/// The spans of the project's sessions that are there now: those with a row whose directory
/// `belongs` to it. A project that memd 0.3 kept (`kept_before`) goes
/// on where its cursors stand: what 0.3 had not read yet stays to be read.
#[must_use]
pub fn baseline(places: &Places, kept_before: bool, belongs: &dyn Fn(&Path) -> bool) -> Baselined {
    let mut rows = Rows::of(belongs);
    let cursors = if kept_before { cursors(places) } else { None };
    let (sessions, closed) = claude::discover(&places.claude, &places.state);
    let mut done = Baselined {
        unreadable: closed.len(),
        from_cursors: cursors.is_some(),
        ..Baselined::default()
    };
    for session in sessions {
        match rows.any(&session.path) {
            Some(true) => {}
            Some(false) => continue,
            None => {
                done.unreadable += 1;
                continue;
            }
        }
        let end = match &cursors {
            None => last_line_end(&session.path),
            Some(cursors) => {
                let name = session.path.to_string_lossy();
                Some(
                    cursors
                        .get(name.as_ref())
                        .map_or(0, |at| session.size.min(*at)),
                )
            }
        };
        match end.map(|end| span(&session.path, end)) {
            Some(Some(span)) => done.spans.extend((span.end > 0).then_some(span)),
            _ => done.unreadable += 1,
        }
    }
    done
}

fn span(path: &Path, end: u64) -> Option<Span> {
    Some(Span {
        source: path.to_str()?.to_owned(),
        start: 0,
        end,
        fingerprint: fingerprint(path, end).ok()?,
    })
}

/// One past the last line feed; what follows it is still being written.
fn last_line_end(path: &Path) -> Option<u64> {
    let mut file = File::open(path).ok()?;
    let mut end = file.metadata().ok()?.len();
    let mut bytes = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(STEP);
        bytes.clear();
        file.seek(SeekFrom::Start(start)).ok()?;
        (&file).take(end - start).read_to_end(&mut bytes).ok()?;
        if let Some(at) = memchr::memrchr(b'\n', &bytes) {
            return Some(start + at as u64 + 1);
        }
        end = start;
    }
    Some(0)
}

/// memd 0.3's cursors: a source's path to the bytes it had read.
fn cursors(places: &Places) -> Option<BTreeMap<String, u64>> {
    let text = crate::fs::read_text(&places.state.join("cursors.json"), LIMIT).ok()?;
    let values: BTreeMap<String, serde_json::Value> = serde_json::from_str(&text).ok()?;
    let numbers = values.into_iter().filter_map(|(path, at)| {
        let at = at.as_u64()?;
        path.ends_with(".jsonl").then_some((path, at))
    });
    Some(numbers.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_still_being_written_is_not_passed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.jsonl");
        let long = "x".repeat(3 * STEP as usize);
        for (text, end) in [
            (String::new(), 0),
            ("{}\n{}\n".to_owned(), 6),
            ("{}\n{\"a".to_owned(), 3),
            (format!("{{}}\n{long}"), 3),
            (long, 0),
        ] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(last_line_end(&path), Some(end));
        }
        assert_eq!(last_line_end(&dir.path().join("none")), None);
    }
}
