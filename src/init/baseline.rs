//! Sessions that exist when a project gets its memory: they count as read, up to their end.

use super::import::Cursors;
use crate::proposal::Span;
use crate::source::{Rows, Session, Where, discover};
use std::path::Path;

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
    // Cursors that cannot be understood are named by the import; here they tell nothing.
    let cursors = match kept_before {
        true => Cursors::read(at.places).ok().flatten(),
        false => None,
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
        let mark = Cursors::mark_of(cursors.as_ref(), &session).map(|read| read.mark);
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
