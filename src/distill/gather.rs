//! What is new for a project: the free ranges of its sessions, oldest first, and its inbox.

use super::{DistillError, Request, Tools};
use crate::digest::{Builder, Coverage, Digest, Finished};
use crate::project::Known;
use crate::proposal::Span;
use crate::source::{
    Closed, Fingerprint, Reading, Rows, Session, Sink, Tool, Turn, Where, discover, free_ranges,
    inbox,
};
use crate::store::{Project, SeenIds, SpanState, Store};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// What one distill rests on.
#[derive(Debug)]
pub struct Material {
    /// The digest and the message ids in it.
    pub finished: Finished,
    /// The ranges read in which something of this project stands.
    pub spans: Vec<Span>,
    /// The sessions that these are ranges of.
    pub sessions: Vec<Session>,
    /// Names of the notes in the digest.
    pub notes: Vec<String>,
    /// Whether it is of a file that somebody named and no tool keeps there.
    pub is_from_elsewhere: bool,
}

/// What a look at all sources gave.
#[derive(Debug)]
pub struct Batch {
    /// What the curator is asked about.
    pub material: Material,
    /// Ranges read in which nothing of this project stands.
    pub barren: Vec<Span>,
    /// Sessions with free ranges that were not read, since the digest was full.
    pub waiting: usize,
    /// What could not be read, for people.
    pub unread: Vec<String>,
}

/// Reads what is free, until the digest is full.
pub(super) fn gather(request: &Request, tools: &Tools) -> Result<Batch, DistillError> {
    let cap = tools.settings.digest_cap_chars;
    let known = tools.store.known(tools.settings, tools.places)?;
    if !request.dry_run {
        tools.store.remember_worktrees(&known, tools.now)?;
    }
    let mut gatherer = Gatherer {
        request,
        tools,
        builder: Builder::new(tools.redactor, cap),
        spans: Vec::new(),
        read: Vec::new(),
        barren: Vec::new(),
        unread: Vec::new(),
        closed: Closed::default(),
        seen: match request.from_start {
            true => tools.store.distilled(&request.project.id)?,
            false => tools.store.seen(&request.project.id)?,
        },
        known,
        roots: tools.store.roots()?,
    };
    let alone = gatherer.suspect()?;
    let is_other = |path: &Path| alone.as_deref().is_some_and(|alone| alone != path);
    let notes = match request.transcript {
        None => gatherer.notes(&is_other)?,
        Some(_) => Notes::default(),
    };
    let mut waiting = notes.waiting;
    let (root, whose) = (request.project.root.clone(), gatherer.known.clone());
    let belongs = |dir: &Path| whose.root_of(dir).as_ref() == Some(&root);
    let mut rows = Rows::of(&belongs);
    for session in gatherer.sessions()? {
        let waits = is_other(Path::new(&session.key)) || gatherer.builder.chars() >= cap;
        let met = if waits {
            // Only what is this project's: most sessions of a home are another one's.
            let mut is_ours =
                |s: &Session| s.is_named_by(&root) || s.any_in(&mut rows) == Some(true);
            let free = gatherer.free(&session);
            free.map(|free| !free.is_empty() && is_ours(&session))
        } else {
            gatherer.session(&session).map(|()| false)
        };
        match met {
            Ok(is_waiting) => waiting += usize::from(is_waiting),
            Err(DistillError::Source(error)) if request.transcript.is_none() => {
                gatherer.closed.add(&error);
            }
            Err(error) => return Err(error),
        }
    }
    gatherer.unread.extend(gatherer.closed.lines());
    let named = request.transcript;
    let is_from_elsewhere =
        named.is_some_and(|path| !Session::is_placed(gatherer.whereabouts(), path));
    let finished = gatherer.builder.finish();
    let (used, shed) = notes.used(&finished.digest);
    let material = Material {
        notes: used,
        finished,
        spans: gatherer.spans,
        sessions: gatherer.read,
        is_from_elsewhere,
    };
    waiting += shed;
    Ok(Batch {
        material,
        barren: gatherer.barren,
        waiting,
        unread: gatherer.unread,
    })
}

/// Notes of the inbox, as far as the digest had room.
#[derive(Default)]
struct Notes {
    taken: Vec<inbox::Note>,
    waiting: usize,
}

impl Notes {
    /// The names of those that a digest still holds, and how many it shed: these wait for the next
    /// one, since a note that nobody was shown is not to be consumed.
    fn used(&self, digest: &Digest) -> (Vec<String>, usize) {
        let shown: BTreeSet<&str> = digest
            .lines
            .iter()
            .map(|l| l.place.source.as_str())
            .collect();
        let is_shown = |note: &&inbox::Note| shown.contains(&*note.path.to_string_lossy());
        let used = self.taken.iter().filter(is_shown).map(|n| n.name.clone());
        let used: Vec<String> = used.collect();
        let shed = self.taken.len() - used.len();
        (used, shed)
    }
}

struct Gatherer<'a> {
    request: &'a Request<'a>,
    tools: &'a Tools<'a>,
    builder: Builder<'a>,
    spans: Vec<Span>,
    read: Vec<Session>,
    barren: Vec<Span>,
    unread: Vec<String>,
    closed: Closed,
    seen: SeenIds,
    /// Whose a directory is.
    known: Known,
    /// Further folders of tools.
    roots: Vec<(Tool, PathBuf)>,
}

impl Gatherer<'_> {
    fn sessions(&mut self) -> Result<Vec<Session>, DistillError> {
        if let Some(path) = self.request.transcript {
            return Ok(vec![Session::at(self.whereabouts(), path)?]);
        }
        if let Some(sessions) = self.request.among {
            return Ok(sessions.to_vec());
        }
        let mut found = discover(self.whereabouts());
        self.closed = found.closed;
        // One that is another project's as a whole gets no span here: what is known of its directory
        // may change.
        found.sessions.retain(|session| {
            let dir = session.root.as_deref();
            dir.is_none_or(|dir| self.is_ours(session, dir))
        });
        Ok(found.sessions)
    }

    /// Whether what a session holds of this directory is this project's.
    fn is_ours(&self, session: &Session, dir: &Path) -> bool {
        is_of(&self.request.project.root, &self.known, session, dir)
    }

    fn whereabouts(&self) -> Where<'_> {
        Where {
            roots: &self.roots,
            ..Where::new(self.tools.places, self.tools.settings)
        }
    }

    /// A source that failed with others and would be set aside the next time: it is tried alone, so
    /// that what only stood beside it is not set aside too.
    fn suspect(&self) -> Result<Option<PathBuf>, DistillError> {
        if self.request.transcript.is_some() {
            return Ok(None);
        }
        let inbox = self.request.project.memory().join("inbox");
        let set_aside = self.set_aside()?;
        for (source, start) in self.tools.store.failing(&self.request.project.id)? {
            let path = PathBuf::from(&source);
            let is_free = if path.starts_with(&inbox) {
                path.exists() && !set_aside.contains(&source)
            } else {
                let session = Session::at(self.whereabouts(), &path);
                let free = session.ok().and_then(|session| self.free(&session).ok());
                let free = free.unwrap_or_default();
                free.iter().any(|range| range.start == start)
            };
            if is_free {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    /// Sources of which something is set aside.
    fn set_aside(&self) -> Result<BTreeSet<String>, DistillError> {
        let parked = self.tools.store.parked(&self.request.project.id)?;
        Ok(parked.into_iter().map(|p| p.source).collect())
    }

    /// Notes that no proposal holds yet, as turns of the digest.
    fn notes(&mut self, is_other: &dyn Fn(&Path) -> bool) -> Result<Notes, DistillError> {
        let taken = self.tools.store.notes(&self.request.project.id)?;
        let set_aside = self.set_aside()?;
        let inbox = match inbox::read(&self.request.project.memory()) {
            Ok(inbox) => inbox,
            Err(error) => {
                self.unread.push(error.to_string());
                return Ok(Notes::default());
            }
        };
        for (name, error) in inbox.unreadable {
            self.unread.push(format!("note {name}: {error}"));
        }
        let mut notes = Notes::default();
        let is_free = |note: &&inbox::Note| {
            let source = note.path.to_string_lossy();
            !taken.contains_key(&note.name) && !set_aside.contains(&*source)
        };
        let free = inbox.notes.iter().filter(is_free);
        for note in free.filter(|n| !is_other(&n.path)) {
            if note.text.unredacted().is_empty() {
                self.unread.push(format!("note {}: it is empty", note.name));
            } else if self.builder.chars() >= self.tools.settings.digest_cap_chars / 2 {
                notes.waiting += 1;
            } else {
                self.builder.take(self.turn(note));
                self.builder.cover(covered(note));
                notes.taken.push(note.clone());
            }
        }
        Ok(notes)
    }

    /// A note as a turn; a label with a secret in it names nobody.
    fn turn(&self, note: &inbox::Note) -> Turn {
        let mut turn = note.turn();
        if !self.tools.redactor.check(&turn.session).is_empty() {
            "inbox".clone_into(&mut turn.session);
        }
        turn
    }

    fn session(&mut self, session: &Session) -> Result<(), DistillError> {
        (self.tools.progress)(&format!("reading {}", session.path.display()));
        for range in self.free(session)? {
            let coverage = self.read(session, range)?;
            self.keep(session, coverage)?;
        }
        Ok(())
    }

    /// The ranges of a source that no span covers. A source that was rewritten is free again, but
    /// for what waits in a proposal; one that cannot be read now keeps all its spans.
    fn free(&self, session: &Session) -> Result<Vec<Range<u64>>, DistillError> {
        let store: &Store = self.tools.store;
        let project = &self.request.project.id;
        let source = &session.key;
        let mut spans = store.spans(project, source)?;
        let mut is_rewritten = false;
        for known in spans.iter().map(|s| &s.span) {
            is_rewritten |= !session.matches(&known.fingerprint, known.end)?;
        }
        if is_rewritten {
            if !self.request.dry_run {
                store.forget_source(self.tools.trust, project, source, self.tools.now)?;
            }
            spans.retain(|s| s.state == SpanState::Staged);
        }
        if self.request.from_start {
            spans.retain(|s| s.state != SpanState::Baseline);
        }
        let taken: Vec<_> = spans.iter().map(|s| (s.span.start, s.span.end)).collect();
        Ok(free_ranges(&taken, session.size))
    }

    fn read(&mut self, session: &Session, range: Range<u64>) -> Result<Coverage, DistillError> {
        let places = self.tools.places;
        let (root, known) = (&self.request.project.root, &self.known);
        let belongs = |cwd: &Path| is_of(root, known, session, cwd);
        let seen = |id: &str| self.seen.has(id);
        let reading = Reading {
            project: Some(&belongs),
            own: places,
            seen: &seen,
        };
        Ok(session.read(range, &reading, &mut self.builder)?)
    }

    /// Files a range that was read under what it held.
    fn keep(&mut self, session: &Session, mut coverage: Coverage) -> Result<(), DistillError> {
        self.builder.tell_withheld(&mut coverage);
        for (what, n) in &coverage.unreadable {
            let what = crate::text::count(*n as usize, what, &format!("× {what}"));
            let path = session.path.display();
            self.unread.push(format!("{path}: {what}"));
        }
        let is_barren = coverage.found.total() == 0;
        if is_barren && self.request.transcript.is_some() {
            self.explain(&session.path, &coverage);
        }
        if coverage.start < coverage.end {
            let span = Span {
                source: session.key.clone(),
                start: coverage.start,
                end: coverage.end,
                fingerprint: session.fingerprint(coverage.end)?,
            };
            let to = if is_barren {
                &mut self.barren
            } else {
                &mut self.spans
            };
            to.push(span);
        }
        if !is_barren {
            self.read.push(session.clone());
            self.builder.cover(coverage);
        }
        Ok(())
    }

    /// Why a session that was asked for by name gives nothing.
    fn explain(&mut self, path: &Path, coverage: &Coverage) {
        let skipped = coverage
            .skipped
            .iter()
            .map(|(why, n)| format!("{n} × {why}"));
        let seen = (coverage.seen > 0).then(|| format!("{} × already distilled", coverage.seen));
        let why: Vec<_> = skipped.chain(seen).collect();
        if !why.is_empty() {
            self.unread
                .push(format!("{}: {}", path.display(), why.join(", ")));
        }
    }
}

/// Whether what a session holds of a directory is the material of the project at `root`.
fn is_of(root: &Path, known: &Known, session: &Session, dir: &Path) -> bool {
    session.is_named_by(root) || known.root_of(dir).as_deref() == Some(root)
}

/// Where a note of the inbox stands.
pub(super) fn note_path(project: &Project, name: &str) -> PathBuf {
    project.memory().join("inbox").join(name)
}

/// A note as a span, by which failures on it are counted.
pub(super) fn note_span(path: &Path) -> Span {
    Span {
        source: path.to_string_lossy().into_owned(),
        start: 0,
        end: 1,
        fingerprint: Fingerprint::default(),
    }
}

fn covered(note: &inbox::Note) -> Coverage {
    let mut coverage = Coverage {
        source: note.path.to_string_lossy().into_owned(),
        ..Coverage::default()
    };
    coverage.found.add(crate::source::Role::Note);
    coverage
}
