//! The place in a session where something was said: read there, redacted, a window at a time.
//!
//! Nothing is read but the window (and, to number its lines, the line feeds before it). A message
//! goes through the redactor whole before anything of it is shortened. What the distill hid and this
//! smaller reading would not recognise is withheld.

mod window;

use crate::digest::Line;
use crate::proposal::{Proposal, Span};
use crate::redact::Redactor;
use crate::source::{Place, Reading, Role, Session, SourceError, Where, inbox};
use jiff::Timestamp;
use std::path::{Path, PathBuf};
use window::{Window, is_cited};

/// Bytes of a session that are read before the cited row, and after it, at once.
pub const WINDOW: u64 = 64 * 1024;
/// Characters of one message that are shown.
pub const TURN_CHARS: usize = 20_000;
/// Turns from which on a reading that goes on below begins: answers are told by their calls.
const CALLS: usize = 40;

/// A window of a session around a cited row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The source: an absolute path. Foreign text.
    pub source: String,
    /// The session. Foreign text.
    pub session: String,
    /// What was said, in file order.
    pub turns: Vec<Said>,
    /// Which of them is the cited one.
    pub cited: usize,
    /// Why only the stored excerpt is here.
    pub gone: Option<Gone>,
    /// Whether something stands before the window.
    pub is_more_before: bool,
    /// Whether something stands after it.
    pub is_more_after: bool,
    /// The bytes of the source that were read.
    from: u64,
    to: u64,
}

/// One message, fit to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// Who.
    pub role: Role,
    /// What, redacted.
    pub text: String,
    /// When, as the source says.
    pub at: Option<Timestamp>,
    /// Where its row begins, in bytes.
    pub offset: u64,
    /// The row's line, from 1.
    pub line: Option<u64>,
    /// Characters that were left out.
    pub cut: usize,
    /// On a branch that the user went back from; known of the cited one only.
    pub abandoned: bool,
    /// It is the stored excerpt, not what the source holds.
    pub is_stored: bool,
}

/// Why a source is not there any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gone {
    /// It is there, and only cannot be opened at a place.
    pub is_there: bool,
    /// As the rest of "source no longer available: ". Foreign text.
    pub why: String,
    /// The first digits of the hash of what was read, where there is one.
    pub sha: Option<String>,
}

/// What a transcript is read with.
#[derive(Debug, Clone, Copy)]
pub struct Glass<'a> {
    /// Takes the secrets out.
    pub redactor: &'a Redactor,
    /// Where sessions are; memd's own places hold none.
    pub at: Where<'a>,
    /// The proposal whose evidence is looked at.
    pub proposal: &'a Proposal,
}

/// The place in its source where a digest line of a proposal was said; none when the proposal holds
/// no such line.
#[must_use]
pub fn transcript(glass: Glass<'_>, n: u32) -> Option<Excerpt> {
    let line = glass.proposal.lines.iter().find(|l| l.n == n)?;
    let path = PathBuf::from(&line.place.source);
    let span = span_of(glass.proposal, line);
    let sha = span.map(|s| s.fingerprint.tail.chars().take(8).collect());
    let sha = sha.filter(|s: &String| !s.is_empty());
    let read = match is_note(glass.proposal, &path) && span.is_none() {
        true => note(glass, line, &path),
        false => around(glass, line, &path, span),
    };
    Some(read.unwrap_or_else(|why| {
        let is_there = is_without_places(glass, line);
        stored(line, Some(Gone { is_there, why, sha }))
    }))
}

/// The place in a source where something was hidden. `mark` is the end of its placeholder, such as
/// `#3f9a]`: of several turns of that row, the one that has it is the cited one.
///
/// # Errors
/// When the source is gone or was rewritten, as a sentence.
pub fn hidden_at(glass: Glass<'_>, place: &Place, mark: &str) -> Result<Excerpt, String> {
    let path = PathBuf::from(&place.source);
    let told = |why: String| format!("source no longer available: {why}");
    if is_note(glass.proposal, &path) {
        return hidden_in_note(glass, place, &path).map_err(told);
    }
    let session = Session::at(glass.at, &path).map_err(|e| told(why(e)))?;
    let holds = |s: &&Span| s.source == place.source && (s.start..s.end).contains(&place.offset);
    if let Some(span) = glass.proposal.spans.iter().find(holds) {
        let same = session.matches(&span.fingerprint, span.end);
        if !same.map_err(|e| told(why(e)))? {
            return Err(told(rewritten()));
        }
    }
    let (window, range) = near(glass, &session, place.offset, None).map_err(told)?;
    let mut turns = window.turns;
    let here = |t: &Said| t.offset == place.offset;
    let marked = turns.iter().position(|t| here(t) && t.text.contains(mark));
    let cited = marked.or_else(|| turns.iter().position(here));
    let cited = cited.ok_or_else(|| told(rewritten()))?;
    number(&session, &mut turns);
    let of = |c: &&crate::digest::Coverage| c.source == place.source;
    let coverage = glass.proposal.coverage.iter().find(of);
    Ok(Excerpt {
        source: place.source.clone(),
        session: coverage
            .and_then(|c| c.sessions.first().cloned())
            .unwrap_or_default(),
        turns,
        cited,
        gone: None,
        is_more_before: range.start > 0 && range.start < place.offset,
        is_more_after: !window.is_last,
        from: range.start,
        to: window.end,
    })
}

fn hidden_in_note(glass: Glass<'_>, place: &Place, path: &Path) -> Result<Excerpt, String> {
    let note = inbox::read_note(path).map_err(|e| e.to_string())?;
    let (text, _) = glass.redactor.redact(&note.text, &Default::default());
    let said = Said {
        role: Role::Note,
        text: text.as_str().to_owned(),
        at: None,
        offset: place.offset,
        line: Some(1),
        cut: 0,
        abandoned: false,
        is_stored: false,
    };
    Ok(Excerpt {
        source: place.source.clone(),
        session: String::new(),
        turns: vec![said],
        cited: 0,
        gone: None,
        is_more_before: false,
        is_more_after: false,
        from: place.offset,
        to: place.offset,
    })
}

/// A window around a row, and the bytes it was asked for.
fn near(
    glass: Glass<'_>,
    session: &Session,
    offset: u64,
    line: Option<&Line>,
) -> Result<(Read, std::ops::Range<u64>), String> {
    let begin = session.before(offset, WINDOW).map_err(why)?;
    let row = session.after(offset, 0).map_err(why)?;
    let end = session.after(row, WINDOW).map_err(why)?;
    Ok((read(glass, session, begin..end, line)?, begin..end))
}

impl Excerpt {
    /// A window without a source, for the tests of what shows it.
    #[cfg(test)]
    pub(crate) fn sample(turns: Vec<Said>, cited: usize, gone: Option<Gone>) -> Self {
        Self {
            source: "/home/user/.claude/projects/demo/7f3a91c2.jsonl".to_owned(),
            session: "7f3a91c2".to_owned(),
            is_more_before: gone.is_none(),
            is_more_after: gone.is_none(),
            turns,
            cited,
            gone,
            from: 0,
            to: 0,
        }
    }

    /// The line that is cited.
    #[must_use]
    pub fn cited(&self) -> Option<&Said> {
        self.turns.get(self.cited)
    }

    /// Reads on above; gives how many turns came. What has changed meanwhile ends it.
    pub fn more_before(&mut self, glass: Glass<'_>) -> usize {
        if !self.is_more_before {
            return 0;
        }
        let session = Session::at(glass.at, Path::new(&self.source));
        let begin = session.and_then(|s| Ok((s.before(self.from, WINDOW)?, s)));
        let Ok((begin, session)) = begin else {
            self.is_more_before = false;
            return 0;
        };
        let window = read(glass, &session, begin..self.from, None);
        let mut turns = window.map(|w| w.turns).unwrap_or_default();
        number(&session, &mut turns);
        self.is_more_before = begin > 0 && begin < self.from;
        self.from = begin;
        let came = turns.len();
        self.cited += came;
        self.turns.splice(0..0, turns);
        came
    }

    /// Reads on below; gives how many turns came.
    pub fn more_after(&mut self, glass: Glass<'_>) -> usize {
        if !self.is_more_after {
            return 0;
        }
        let session = Session::at(glass.at, Path::new(&self.source));
        let end = session.and_then(|s| Ok((s.after(self.to, WINDOW)?, s)));
        let Ok((end, session)) = end else {
            self.is_more_after = false;
            return 0;
        };
        // Begins at calls that the answers below may belong to.
        let back = self.turns.len().saturating_sub(CALLS);
        let begin = self.turns.get(back).map_or(self.to, |t| t.offset);
        let Ok(window) = read(glass, &session, begin..end, None) else {
            self.is_more_after = false;
            return 0;
        };
        let to = self.to;
        let mut turns: Vec<Said> = window.turns;
        turns.retain(|t| t.offset >= to);
        number(&session, &mut turns);
        self.is_more_after = window.end > self.to && !window.is_last;
        self.to = window.end.max(self.to);
        let came = turns.len();
        self.turns.extend(turns);
        came
    }
}

/// The range that a line was read in.
fn span_of<'a>(proposal: &'a Proposal, line: &Line) -> Option<&'a Span> {
    let place = &line.place;
    let holds = |s: &&Span| s.source == place.source && (s.start..s.end).contains(&place.offset);
    proposal.spans.iter().find(holds)
}

fn is_note(proposal: &Proposal, path: &Path) -> bool {
    let name = path.file_name().and_then(|n| n.to_str());
    name.is_some_and(|name| proposal.notes.iter().any(|n| n == name))
}

/// Only what was stored of a line.
fn stored(line: &Line, gone: Option<Gone>) -> Excerpt {
    Excerpt {
        source: line.place.source.clone(),
        session: line.session.clone(),
        turns: vec![stored_turn(line)],
        cited: 0,
        gone,
        is_more_before: false,
        is_more_after: false,
        from: line.place.offset,
        to: line.place.offset,
    }
}

fn stored_turn(line: &Line) -> Said {
    Said {
        role: line.role,
        text: line.text.as_str().to_owned(),
        at: line.at,
        offset: line.place.offset,
        line: None,
        cut: 0,
        abandoned: line.abandoned,
        is_stored: true,
    }
}

/// A note, which is one turn.
fn note(glass: Glass<'_>, line: &Line, path: &Path) -> Result<Excerpt, String> {
    let note = inbox::read_note(path).map_err(|e| match e.is_missing() {
        true => "the note is gone, as notes are once they were applied".to_owned(),
        false => e.to_string(),
    })?;
    let (text, _) = glass.redactor.redact(&note.text, &Default::default());
    let said = Said {
        text: text.as_str().to_owned(),
        line: Some(1),
        is_stored: false,
        ..stored_turn(line)
    };
    if !is_cited(&said, line) {
        return Err("the note was rewritten since it was read".to_owned());
    }
    let turns = vec![said];
    Ok(Excerpt {
        turns,
        ..stored(line, None)
    })
}

/// The window around a row of a session.
fn around(
    glass: Glass<'_>,
    line: &Line,
    path: &Path,
    span: Option<&Span>,
) -> Result<Excerpt, String> {
    let session = Session::at(glass.at, path).map_err(why)?;
    if let Some(span) = span {
        let same = session.matches(&span.fingerprint, span.end);
        if !same.map_err(why)? {
            return Err(rewritten());
        }
    }
    let offset = line.place.offset;
    let (window, range) = near(glass, &session, offset, Some(line))?;
    let begin = range.start;
    let mut turns = window.turns;
    let here = |t: &Said| t.offset == offset && is_cited(t, line);
    let cited = match turns.iter().position(here) {
        Some(found) => found,
        // The reader tells some rows by what stood before them: then what was stored stands here.
        None if span.is_some() => {
            let at = turns.partition_point(|t| t.offset < offset);
            turns.insert(at, stored_turn(line));
            at
        }
        None => return Err(rewritten()),
    };
    if let Some(said) = turns.get_mut(cited) {
        said.abandoned = line.abandoned;
    }
    number(&session, &mut turns);
    Ok(Excerpt {
        source: line.place.source.clone(),
        session: line.session.clone(),
        turns,
        cited,
        gone: None,
        is_more_before: begin > 0 && begin < offset,
        is_more_after: !window.is_last,
        from: begin,
        to: window.end,
    })
}

/// Whether a session is there, and only cannot be opened at a place.
fn is_without_places(glass: Glass<'_>, line: &Line) -> bool {
    let session = Session::at(glass.at, Path::new(&line.place.source));
    let before = session.and_then(|s| s.before(line.place.offset, WINDOW));
    matches!(before, Err(SourceError::NoPlaces(_)))
}

/// Why a session cannot be opened, as the rest of "source no longer available: ".
fn why(error: SourceError) -> String {
    match error {
        error if error.is_missing() => "the file is gone".to_owned(),
        SourceError::NotAFile { .. } => "it is no plain file any more".to_owned(),
        SourceError::NoKnownFormat { .. } => rewritten(),
        error => error.to_string(),
    }
}

fn rewritten() -> String {
    "it was rewritten since it was read".to_owned()
}

/// Gives each turn the number of its row; none where they cannot be counted.
fn number(session: &Session, turns: &mut [Said]) {
    let places: Vec<u64> = turns.iter().map(|t| t.offset).collect();
    for (turn, line) in turns.iter_mut().zip(session.numbers(&places)) {
        turn.line = Some(line);
    }
}

/// What was read of a window.
struct Read {
    turns: Vec<Said>,
    /// One past the last row read.
    end: u64,
    /// Whether nothing stands after it.
    is_last: bool,
}

fn read(
    glass: Glass<'_>,
    session: &Session,
    range: std::ops::Range<u64>,
    line: Option<&Line>,
) -> Result<Read, String> {
    let reading = Reading {
        project: None,
        own: glass.at.places,
        seen: &|_| false,
    };
    let mut window = Window::new(
        glass,
        line.map_or(session.key.as_str(), |l| &l.place.source),
        line,
    );
    let end = range.end;
    let coverage = session.read(range, &reading, &mut window).map_err(why)?;
    Ok(Read {
        turns: window.finish(),
        end: coverage.end,
        is_last: coverage.end >= session.size || coverage.end < end,
    })
}
