//! What tools said in the sessions of a distill, from their beginning to where the digest ends.

use super::{Material, Tools};
use crate::proposal::{Built, Listener, Origin, Span, is_assistants};
use crate::source::{Reading, Session, SourceError};
use crate::{guard, text};

/// The same, where the origin of what the assistant only repeats after a tool is the tool; and what
/// could not be listened to, if anything.
pub(super) fn told(
    mut built: Built,
    material: &Material,
    tools: &Tools,
) -> (Built, Option<String>) {
    let mut listener = Listener::of(&built.changes, &material.finished.digest);
    if listener.is_idle() {
        return (built, None);
    }
    let mut unheard: Option<String> = None;
    for session in once_each(&material.sessions) {
        let why = listen(session, &material.spans, &mut listener, tools);
        unheard = unheard.or(why.unwrap_or_else(|error| Some(error.to_string())));
    }
    let unheard = unheard.map(|why| tools.redactor.shown(&why));
    let heard = listener.heard();
    for change in built.changes.iter_mut().filter(|c| heard.contains(&c.n)) {
        change.origin = Origin::Tool;
    }
    (built, unheard)
}

/// Flags what the assistant said where not all could be listened to: a person reads it first.
pub(super) fn hold(built: &mut Built, unheard: Option<&str>) {
    let Some(why) = unheard else { return };
    for change in built.changes.iter_mut().filter(|c| is_assistants(c)) {
        change.verdicts.push(guard::unheard(why));
    }
}

fn once_each(sessions: &[Session]) -> impl Iterator<Item = &Session> {
    let keys = |n: usize| sessions.iter().take(n).map(|s| &s.key);
    let all = sessions.iter().enumerate();
    all.filter(move |(n, s)| !keys(*n).any(|key| *key == s.key))
        .map(|(_, session)| session)
}

/// Listens to a session up to where its last span ends; why not to all of it.
fn listen(
    session: &Session,
    spans: &[Span],
    listener: &mut Listener,
    tools: &Tools,
) -> Result<Option<String>, SourceError> {
    let spans = spans.iter().filter(|s| s.source == session.key);
    let Some(last) = spans.max_by_key(|s| s.end) else {
        return Ok(None);
    };
    let path = session.path.display();
    if !session.matches(&last.fingerprint, last.end)? {
        return Ok(Some(format!("{path} was rewritten meanwhile")));
    }
    let reading = Reading {
        project: None,
        own: tools.places,
        seen: &|_| false,
    };
    let coverage = session.read(0..last.end, &reading, listener)?;
    let unread: u32 = coverage.unreadable.values().sum();
    let unread = text::count(unread as usize, "row", "rows");
    Ok(match coverage {
        _ if coverage.end < last.end => Some(format!("{path} was cut off meanwhile")),
        _ if !coverage.unreadable.is_empty() => Some(format!("{unread} of {path} cannot be read")),
        _ => None,
    })
}
