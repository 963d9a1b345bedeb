//! From what a row says to turns: what the readers of rows share, which each name a directory.
//!
//! Rows of other projects, memd's own briefs and sessions, and what was distilled already are told
//! here and counted; everything else is handed on.

use super::{Place, Raw, Reading, Role, Session, Sink, SourceError, ToolContext, Turn, own};
use crate::digest::Coverage;
use jiff::Timestamp;
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

/// Directories whose belonging is remembered.
const REMEMBERED: usize = 64;
/// Sessions named in a coverage.
const SESSIONS: usize = 64;
/// Types of rows that are named of an unknown format.
const TYPES: usize = 4;
/// Kinds of reasons counted one by one.
const REASONS: usize = 48;

/// What a reader hands its rows to.
pub(super) struct Intake<'r, 's> {
    pub reading: &'r Reading<'r>,
    pub sink: &'s mut dyn Sink,
    /// What became of the material so far.
    pub coverage: Coverage,
    places: VecDeque<(String, Belongs)>,
    /// Where the last row that named a directory belongs.
    belongs: Belongs,
}

/// Whether rows of a directory are material.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Belongs {
    Here,
    Elsewhere,
    Memd,
    Unknown,
}

/// One part of a message.
#[derive(Default)]
pub(super) struct Part<'a> {
    /// Where its row begins.
    pub offset: u64,
    /// The row's own id and the number of the part in it, where it has one.
    pub id: Option<(&'a str, u32)>,
    /// The session.
    pub session: &'a str,
    /// When.
    pub at: Option<Timestamp>,
    /// The directory.
    pub cwd: Option<&'a str>,
    /// Which tool, on what.
    pub tool: Option<ToolContext>,
    /// The user went back from it.
    pub abandoned: bool,
}

impl<'r, 's> Intake<'r, 's> {
    /// For the source that `key` names, read from `from` on.
    pub fn new(key: &str, from: u64, reading: &'r Reading<'r>, sink: &'s mut dyn Sink) -> Self {
        Self {
            reading,
            sink,
            coverage: Coverage {
                source: key.to_owned(),
                start: from,
                end: from,
                ..Coverage::default()
            },
            places: VecDeque::new(),
            belongs: Belongs::Unknown,
        }
    }

    /// Counts material left out on purpose.
    pub fn skip(&mut self, why: &str) {
        note(&mut self.coverage.skipped, why);
    }

    /// Counts material that could not be read.
    pub fn unreadable(&mut self, why: &str) {
        note(&mut self.coverage.unreadable, why);
    }

    /// Why a row is not material, by the directory that it names or else the last one did.
    pub fn is_foreign(&mut self, cwd: Option<&str>) -> Option<&'static str> {
        if let Some(cwd) = cwd {
            self.belongs = self.belongs(cwd);
        }
        match self.belongs {
            Belongs::Memd => Some("memd's own session"),
            Belongs::Elsewhere => Some("row of another project"),
            Belongs::Unknown if self.reading.project.is_some() => Some("row without a directory"),
            Belongs::Here | Belongs::Unknown => None,
        }
    }

    fn belongs(&mut self, cwd: &str) -> Belongs {
        if let Some((_, belongs)) = self.places.iter().rev().find(|(known, _)| known == cwd) {
            return *belongs;
        }
        let path = Path::new(cwd);
        let belongs = match self.reading.project {
            _ if self.reading.own.is_own(path) => Belongs::Memd,
            Some(project) if !project(path) => Belongs::Elsewhere,
            _ => Belongs::Here,
        };
        if self.places.len() == REMEMBERED {
            self.places.pop_front();
        }
        self.places.push_back((cwd.to_owned(), belongs));
        belongs
    }

    /// Notes that a session was met.
    pub fn session(&mut self, session: &str) {
        let sessions = &mut self.coverage.sessions;
        if sessions.len() < SESSIONS && sessions.last().map(String::as_str) != Some(session) {
            let known = sessions.iter().any(|s| s == session);
            if !known {
                sessions.push(session.to_owned());
            }
        }
    }

    /// Hands a part on, if it says anything new.
    pub fn part(&mut self, role: Role, text: &str, part: Part<'_>) {
        let Some(text) = own::without_brief(text) else {
            return self.skip("memd's own brief");
        };
        if text.trim().is_empty() {
            return;
        }
        if part.id.is_some_and(|(id, _)| (self.reading.seen)(id)) {
            self.coverage.seen += 1;
            return;
        }
        self.hand_on(Turn {
            role,
            text: Raw::new(text.trim()),
            place: Place {
                source: self.coverage.source.clone(),
                offset: part.offset,
            },
            session: part.session.to_owned(),
            id: part.id.map(|(id, n)| format!("{id}#{n}")),
            at: part.at,
            cwd: part.cwd.map(PathBuf::from),
            tool: part.tool,
            abandoned: part.abandoned,
        });
    }

    fn hand_on(&mut self, turn: Turn) {
        let role = turn.role;
        if self.sink.take(turn) {
            self.coverage.found.add(role);
        } else {
            self.skip("row that stands twice");
        }
    }

    /// Counts a row of a type that nobody has met yet.
    pub fn unknown_type(&mut self, kind: &str) {
        self.skip(&format!("{UNKNOWN_TYPE}{}", type_name(kind)));
    }
}

/// The error for a session that was read from its start and of which nothing was understood, since
/// all that could say something is of types that nobody has met yet: it is not used up then.
pub(super) fn understood(session: &Session, coverage: Coverage) -> Result<Coverage, SourceError> {
    let nothing = coverage.start == 0 && coverage.found.total() == 0 && coverage.seen == 0;
    let types = coverage.skipped.keys().map(|why| {
        why.strip_prefix(UNKNOWN_TYPE)
            .or_else(|| why.strip_prefix(UNKNOWN_STEP))
    });
    match types.collect::<Option<Vec<_>>>() {
        Some(types) if nothing && !types.is_empty() => Err(SourceError::UnknownFormat {
            path: session.path.clone(),
            tool: session.tool,
            format: format!(
                "with rows of type {}",
                types[..types.len().min(TYPES)].join(", ")
            ),
        }),
        _ => Ok(coverage),
    }
}

/// What stands before the number or name of a step that nobody has met yet.
pub(super) const UNKNOWN_STEP: &str = "step of unknown type ";

/// What stands before the type of a row that nobody has met yet.
pub(super) const UNKNOWN_TYPE: &str = "row of unknown type ";

/// The name of a row's type, which is foreign text: only what such names are made of.
pub(super) fn type_name(kind: &str) -> String {
    let is_usual = |c: &char| c.is_ascii_lowercase() || *c == '-' || *c == '_';
    kind.chars().filter(is_usual).take(24).collect()
}

/// Counts a reason. Some name types of rows, which a file may hold any number of.
fn note(into: &mut BTreeMap<String, u32>, why: &str) {
    let why = if into.len() < REASONS || into.contains_key(why) {
        why
    } else {
        "other reasons"
    };
    if let Some(n) = into.get_mut(why) {
        *n = n.saturating_add(1);
    } else {
        into.insert(why.to_owned(), 1);
    }
}
