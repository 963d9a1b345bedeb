//! Sessions that exist when a project gets its memory: they count as read, up to their end.

use crate::config::Places;
use crate::proposal::Span;
use crate::source::{Mark, Rows, Session, Where, discover};
use std::collections::BTreeMap;
use std::path::Path;

/// At most this many bytes of memd 0.3's `cursors.json` are read.
const LIMIT: u64 = 64 << 20;

/// What counts as read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baselined {
    /// From the start of each source to its end, or to where memd 0.3 had come.
    pub spans: Vec<Span>,
    /// Ids of messages in them, of formats whose files are rewritten as a whole.
    pub seen: Vec<String>,
    /// Sources, and folders of them, that cannot be read now; they will be new when they can.
    pub unreadable: usize,
    /// Whether memd 0.3's cursors were taken over.
    pub from_cursors: bool,
}

/// The spans of the project's sessions that are there now: those with a row whose directory
/// `belongs` to it. A project that memd 0.3 kept (`kept_before`) goes
/// on where its cursors stand: what 0.3 had not read yet stays to be read. The session `except` is left
/// out: it began just now.
#[must_use]
pub fn baseline(
    at: Where<'_>,
    kept_before: bool,
    except: Option<&Path>,
    belongs: &dyn Fn(&Path) -> bool,
) -> Baselined {
    let mut rows = Rows::of(belongs);
    let cursors = if kept_before {
        cursors(at.places)
    } else {
        None
    };
    let found = discover(at);
    let mut done = Baselined {
        unreadable: found.closed.count(),
        from_cursors: cursors.is_some(),
        ..Baselined::default()
    };
    let is_new = |s: &Session| except.is_some_and(|e| s.path == e || Path::new(&s.key) == e);
    for session in found.sessions.into_iter().filter(|s| !is_new(s)) {
        match session.any_in(&mut rows) {
            Some(true) => {}
            Some(false) => continue,
            None => {
                done.unreadable += 1;
                continue;
            }
        }
        let mark = match &cursors {
            None => session.mark(),
            Some(cursors) => {
                let at = cursors.get(&session.key).copied().unwrap_or(0);
                Some(Mark {
                    end: at.min(session.size),
                    seen: Vec::new(),
                })
            }
        };
        match mark.map(|mark| (span(&session, mark.end), mark.seen)) {
            Some((Some(span), seen)) => {
                done.spans.extend((span.end > 0).then_some(span));
                done.seen.extend(seen);
            }
            _ => done.unreadable += 1,
        }
    }
    done
}

fn span(session: &Session, end: u64) -> Option<Span> {
    Some(Span {
        source: session.key.clone(),
        start: 0,
        end,
        fingerprint: session.fingerprint(end).ok()?,
    })
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
