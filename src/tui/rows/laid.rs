//! A line as it is shown: its visible text, what each part of it is, and which byte of the source
//! each part stands for. Made when a row of it is looked at.

use super::layout::{Kind, Place, small};
use super::{Body, Role};
use crate::review::{Marked, Spans};
use crate::text::{Piece, PieceKind, clusters, count, cut, pieces, pieces_of, width};
use crate::tui::markdown::{self, Emphasis};
use crate::tui::theme::Marks;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// Lines that are kept as they were made. More than a screen has.
const LINES: usize = 96;
/// Bytes of their texts; the last one is kept whatever its size.
const BYTES: usize = 1 << 20;
/// Compared blocks that are kept.
const BLOCKS: usize = 32;

/// A line's visible text and what its parts are.
#[derive(Debug, Default)]
pub(super) struct Laid {
    pub(super) text: String,
    /// Where each run of one role ends.
    runs: Vec<(usize, Role)>,
    /// Parts of the text and of the source: visible byte, source byte, whether they go on
    /// together.
    sources: Vec<(usize, usize, bool)>,
    /// Tokens, which are not broken where they fit.
    pub(super) solid: Vec<Range<usize>>,
    /// Columns before each row but the first.
    pub(super) hang: usize,
}

impl Laid {
    /// Makes a line; `marked`: the changed words of its own side.
    pub(super) fn new(body: &Body, place: &Place, marked: Option<&Spans>) -> Self {
        let mut laid = Self::default();
        let none = Spans::new();
        let spans = marked.unwrap_or(&none);
        match place.kind {
            Kind::Fold => laid.said(body, &folded(place.count as usize)),
            Kind::Gone => laid.said(body, &count(place.count as usize, "line", "lines")),
            Kind::Pair => laid.pair(body, place),
            kind => {
                let line = body.plain(place).unwrap_or_default();
                let roles = roles(body, place, kind, line, spans);
                laid.pieces(pieces(line, body.shape.ascii), &roles, 0);
            }
        }
        laid.hang = hang(&laid.text, body.columns());
        laid
    }

    /// A text in one role, line feeds as tokens.
    pub(super) fn told(text: &str, role: Role, ascii: bool) -> Self {
        let mut laid = Self::default();
        laid.pieces(pieces(text, ascii), &[(text.len(), role)], 0);
        laid
    }

    /// Something of our own, on one row.
    fn said(&mut self, body: &Body, text: &str) {
        let marks = Marks::new(body.shape.ascii);
        let text = match body.shape.ascii {
            true => text.replace('…', marks.ellipsis),
            false => text.to_owned(),
        };
        self.text = cut(&text, body.columns(), marks.ellipsis).into_owned();
        self.runs.push((self.text.len(), Role::Dim));
    }

    /// A stretch of source; `roles`: where each role ends in it; `from`: its first byte in the
    /// line's source.
    fn pieces(&mut self, pieces: Vec<Piece<'_>>, roles: &[(usize, Role)], from: usize) {
        let mut roles = roles.iter().copied().peekable();
        for piece in pieces {
            let own = piece.kind == PieceKind::Text;
            let start = self.text.len();
            self.sources.push((start, from + piece.source.start, own));
            self.text.push_str(&piece.text);
            match piece.kind {
                PieceKind::Token => {
                    self.solid.push(start..self.text.len());
                    self.run(self.text.len(), Role::Token);
                }
                PieceKind::Tab => self.run(self.text.len(), Role::Dim),
                PieceKind::Text => {
                    while roles
                        .next_if(|(end, _)| *end <= piece.source.start)
                        .is_some()
                    {}
                    while let Some(&(end, role)) = roles.peek() {
                        self.run(start + end.min(piece.source.end) - piece.source.start, role);
                        if end >= piece.source.end {
                            break;
                        }
                        roles.next();
                    }
                }
            }
        }
    }

    fn run(&mut self, end: usize, role: Role) {
        match self.runs.last_mut() {
            Some(last) if last.0 >= end => {}
            Some(last) if last.1 == role => last.0 = end,
            _ => self.runs.push((end, role)),
        }
    }

    /// Both lines as one: what stands in both, what goes and what comes.
    fn pair(&mut self, body: &Body, place: &Place) {
        let Some(pair) = body.pair(place) else {
            return;
        };
        let old = body.diff.old.get(place.old as usize);
        let new = body.diff.new.get(place.new as usize);
        let shape = body.shape;
        // Bytes passed of both lines together: grows, whatever is passed.
        let (mut i, mut j) = (0, 0);
        let mut gone = pair.gone.iter().peekable();
        let mut come = pair.come.iter().peekable();
        while i < old.len() || j < new.len() {
            let (text, role) = if let Some(span) = gone.next_if(|s| s.start == i) {
                (old.get(span.clone()), Role::DelWord)
            } else if let Some(span) = come.next_if(|s| s.start == j) {
                (new.get(span.clone()), Role::AddWord)
            } else {
                let to_gone = gone.peek().map_or(old.len(), |s| s.start) - i;
                let to_come = come.peek().map_or(new.len(), |s| s.start) - j;
                let both = to_gone.min(to_come);
                let stays = old.get(i..i + both) == new.get(j..j + both) && both > 0;
                match stays {
                    true => (new.get(j..j + both), Role::Plain),
                    // What is not the same is shown of both, whatever was marked.
                    false if i < old.len() => (old.get(i..), Role::DelWord),
                    false => (new.get(j..), Role::AddWord),
                }
            };
            let text = text.unwrap_or_default();
            let signs = match role {
                _ if shape.words && is_seen(text) => ("", ""),
                Role::DelWord => ("[-", "-]"),
                Role::AddWord => ("{+", "+}"),
                _ => ("", ""),
            };
            self.sign(signs.0, i + j, role);
            let from = i + j;
            i += if role == Role::AddWord { 0 } else { text.len() };
            j += if role == Role::DelWord { 0 } else { text.len() };
            let ends = signs.1.is_empty() && i >= old.len() && j >= new.len();
            let pieces = pieces_of(text, shape.ascii, ends);
            self.pieces(pieces, &[(text.len(), role)], from);
            self.sign(signs.1, from + text.len(), role);
        }
    }

    fn sign(&mut self, sign: &str, source: usize, role: Role) {
        if !sign.is_empty() {
            self.sources.push((self.text.len(), source, false));
            self.text.push_str(sign);
            self.run(self.text.len(), role);
        }
    }

    /// The parts of a range of the visible text. Nothing is parted within a cluster.
    pub(super) fn cut(&self, range: Range<usize>, mut part: impl FnMut(&str, Role)) {
        let first = self.runs.partition_point(|(end, _)| *end <= range.start);
        let mut from = range.start;
        for &(end, role) in self.runs.get(first..).unwrap_or_default() {
            if from >= range.end {
                return;
            }
            let end = self.whole(from, end.min(range.end), range.end);
            part(self.text.get(from..end).unwrap_or_default(), role);
            from = end.max(from);
        }
    }

    /// The end of the cluster that a part's end falls into.
    fn whole(&self, from: usize, end: usize, last: usize) -> usize {
        let is_apart = |at: usize| self.text.as_bytes().get(at).is_none_or(u8::is_ascii);
        if end >= last || end <= from || (is_apart(end) && is_apart(end - 1)) {
            return end;
        }
        let text = self.text.get(from..last).unwrap_or_default();
        let ends = clusters(text).map(|(at, cluster, _)| from + at + cluster.len());
        ends.into_iter().find(|&at| at >= end).unwrap_or(last)
    }

    /// The byte of the source that a byte of the visible text stands for.
    pub(super) fn source(&self, visible: usize) -> u32 {
        let after = self.sources.partition_point(|(at, ..)| *at <= visible);
        let part = after.checked_sub(1).and_then(|at| self.sources.get(at));
        small(part.map_or(0, |&(at, source, together)| {
            source + if together { visible - at } else { 0 }
        }))
    }
}

/// Whether the look of a changed word tells that it goes or comes. Tokens and blanks look alike.
fn is_seen(text: &str) -> bool {
    let all = pieces_of(text, true, false);
    all.iter().all(|p| p.kind == PieceKind::Text) && !text.chars().all(char::is_whitespace)
}

fn folded(lines: usize) -> String {
    format!("… {} as before", count(lines, "line", "lines"))
}

/// Where each role ends in a line.
fn roles(body: &Body, place: &Place, kind: Kind, line: &str, marked: &Spans) -> Vec<(usize, Role)> {
    let (base, strong, code, word) = match kind {
        Kind::Removed => return mix(line.len(), Role::Del, &[], marked, Role::DelWord),
        Kind::Added => (Role::Add, Role::AddStrong, Role::AddCode, Role::AddWord),
        _ => (Role::Plain, Role::Strong, Role::Code, Role::AddWord),
    };
    let fences = body.fences.partition_point(|&n| n < place.new as usize);
    let parts: Vec<(Range<usize>, Role)> = markdown::parts(line, fences % 2 == 1)
        .into_iter()
        .map(|(range, emphasis)| match emphasis {
            Emphasis::Strong => (range, strong),
            Emphasis::Code => (range, code),
        })
        .collect();
    mix(line.len(), base, &parts, marked, word)
}

/// Changed words over set-off parts over the rest.
fn mix(
    len: usize,
    base: Role,
    parts: &[(Range<usize>, Role)],
    marked: &Spans,
    word: Role,
) -> Vec<(usize, Role)> {
    let mut out = Vec::new();
    let (mut parts, mut words) = (parts.iter().peekable(), marked.iter().peekable());
    let mut at = 0;
    while at < len {
        while parts.next_if(|(p, _)| p.end <= at).is_some() {}
        while words.next_if(|w| w.end <= at).is_some() {}
        let part = parts.peek();
        let below = match part {
            Some((p, role)) if p.start <= at => (p.end, *role),
            Some((p, _)) => (p.start, base),
            None => (len, base),
        };
        let (end, role) = match words.peek() {
            Some(w) if w.start <= at => (w.end, word),
            Some(w) => (w.start.min(below.0), below.1),
            None => below,
        };
        at = end.min(len);
        out.push((at, role));
    }
    out
}

/// Columns under which a line goes on: those of its indent and list mark.
pub(super) fn hang(line: &str, columns: usize) -> usize {
    let text = line.trim_start_matches(' ');
    let indent = line.len() - text.len();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let after = |at: usize| text.as_bytes().get(at..at + 2).unwrap_or_default();
    let mark = match after(digits) {
        b"- " | b"* " | b"+ " if digits == 0 => 2,
        b". " | b") " if (1..=3).contains(&digits) => digits + 2,
        _ => 0,
    };
    let hang = indent + mark;
    debug_assert_eq!(width(line.get(..hang).unwrap_or_default()), hang);
    if hang * 3 <= columns { hang } else { 0 }
}

/// The changed words of a part, if its sides are alike.
type Compared = Arc<Option<Marked>>;

/// What was made lately.
#[derive(Debug, Default)]
pub(super) struct Cache {
    lines: VecDeque<(u32, Arc<Laid>)>,
    bytes: usize,
    /// By block and part of it.
    blocks: VecDeque<((u32, usize), Compared)>,
}

impl Cache {
    pub(super) fn line(&mut self, body: &Body, place: &Place) -> Arc<Laid> {
        if let Some((_, laid)) = self.lines.iter().find(|(n, _)| *n == place.row) {
            return Arc::clone(laid);
        }
        let marked = self.marked(body, place);
        let spans = marked.as_ref().and_then(|(marked, n)| {
            let marked = marked.as_ref().as_ref()?;
            match place.kind {
                Kind::Removed => marked.old.get(*n),
                _ => marked.new.get(*n),
            }
        });
        let laid = Arc::new(Laid::new(body, place, spans));
        self.bytes += laid.text.len();
        self.lines.push_back((place.row, Arc::clone(&laid)));
        while self.lines.len() > LINES || (self.bytes > BYTES && self.lines.len() > 1) {
            let Some((_, old)) = self.lines.pop_front() else {
                break;
            };
            self.bytes -= old.text.len();
        }
        laid
    }

    /// The changed words of the part that a line stands in, and its number there.
    fn marked(&mut self, body: &Body, place: &Place) -> Option<(Compared, usize)> {
        let block = body.diff.blocks.get(place.block as usize)?;
        let n = match place.kind {
            Kind::Removed => (place.old as usize).checked_sub(block.old.start)?,
            Kind::Added | Kind::Changed => (place.new as usize).checked_sub(block.new.start)?,
            _ => return None,
        };
        let part = body.diff.part_of(block, n);
        let lines = body.diff.part(block, part);
        let first = match place.kind {
            Kind::Removed => lines.old.start - block.old.start,
            _ => lines.new.start - block.new.start,
        };
        let key = (place.block, part);
        if let Some((_, marked)) = self.blocks.iter().find(|(k, _)| *k == key) {
            return Some((Arc::clone(marked), n - first));
        }
        let marked = Arc::new(body.diff.marked(&lines));
        self.blocks.push_back((key, Arc::clone(&marked)));
        if self.blocks.len() > BLOCKS {
            self.blocks.pop_front();
        }
        Some((marked, n - first))
    }
}
