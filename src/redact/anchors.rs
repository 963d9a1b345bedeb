//! The literals that lead to rules, all searched in one pass.
//!
//! Four bytes tell whether a literal may begin near a place, and every second place is enough: a
//! literal is filed under its first four bytes and, for odd places, under the four after its first;
//! a short one under what it has. The table fits the nearest cache, which a state machine of all
//! literals does not.

use std::ops::{ControlFlow, RangeInclusive};

/// How many rows the table has: one for what counts of a window's last three bytes.
const ROWS: usize = 1 << 12;
/// How far apart the places are at which eight bytes are loaded: three windows of four are in them.
const STRIDE: usize = 6;

/// How much of a literal is in its head at least, in bytes, if it is not shorter.
const HEAD: usize = 7;

/// A literal in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Anchor {
    /// The number of its rule.
    pub rule: usize,
    pub start: usize,
    pub end: usize,
}

/// A literal to be found.
#[derive(Debug, Clone)]
pub(super) struct Literal {
    /// The number of its rule.
    pub rule: usize,
    /// At least two bytes.
    pub text: Vec<u8>,
    /// Found in exactly this case only.
    pub exact: bool,
}

/// A literal that may begin where a window is seen.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    /// Where it begins: before the window's first byte, with it, or after it.
    begins: Begins,
    /// The number of the literal.
    literal: usize,
}

/// Eight bytes with a literal's beginning, and which bits of them count: most literals that look
/// alike in a window are told apart by them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Head {
    bits: u64,
    mask: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Begins {
    Before,
    Here,
    After,
}

impl Begins {
    /// What a literal that begins so says of a window.
    fn window(self, literal: &[u8]) -> [Option<u8>; 4] {
        std::array::from_fn(|n| {
            let at = match self {
                Self::Before => Some(n + 1),
                Self::Here => Some(n),
                Self::After => n.checked_sub(1),
            };
            literal.get(at?).copied()
        })
    }
}

/// The literals of all rules.
pub(super) struct Anchors {
    /// For each row, a bit for what counts of a window's first two bytes.
    windows: Box<[u64; ROWS]>,
    /// For each row, its entries, from `first[row]` up to `first[row + 1]`.
    first: Vec<usize>,
    entries: Vec<Entry>,
    /// For each entry, what eight bytes must be, from one before the window on: apart, as most of
    /// them are looked at for nothing.
    heads: Vec<Head>,
    literals: Vec<Literal>,
}

impl Anchors {
    /// # Errors
    /// When a literal is too short.
    pub fn new(all: impl IntoIterator<Item = Literal>) -> Result<Self, String> {
        let literals: Vec<Literal> = all.into_iter().collect();
        let (mut windows, mut entries) = (Box::new([0_u64; ROWS]), Vec::new());
        for (number, literal) in literals.iter().enumerate() {
            let odd = match literal.text.len() {
                0 | 1 => {
                    let text = String::from_utf8_lossy(&literal.text);
                    return Err(format!("the anchor {text:?} is too short"));
                }
                2..=4 => Begins::After,
                _ => Begins::Before,
            };
            for begins in [Begins::Here, odd] {
                let head = Head::of(literal, begins);
                let [a, b, c, d] = begins.window(&literal.text).map(any);
                let all = b.flat_map(|b| c.clone().map(move |c| (b, c)));
                for (b, c) in all {
                    let columns = a.clone().map(|a| column(window([a, b, c, 0])));
                    let bits = columns.fold(0, |bits, column| bits | 1_u64 << column);
                    for row in d.clone().map(|d| row(window([0, b, c, d]))) {
                        windows[row] |= bits;
                        let entry = Entry {
                            begins,
                            literal: number,
                        };
                        entries.push((row, entry, head));
                    }
                }
            }
        }
        entries.sort_unstable();
        entries.dedup();
        let first = (0..=ROWS).map(|row| entries.partition_point(|(r, ..)| *r < row));
        Ok(Self {
            windows,
            first: first.collect(),
            heads: entries.iter().map(|(_, _, head)| *head).collect(),
            entries: entries.into_iter().map(|(_, entry, _)| entry).collect(),
            literals,
        })
    }

    /// Hands over all literals in a text, also where they overlap, in order of their starts, until
    /// it is told to stop.
    pub fn each(&self, text: &[u8], mut found: impl FnMut(Anchor) -> ControlFlow<()>) {
        let mut at = 0;
        while let Some(eight) = text.get(at..).and_then(<[u8]>::first_chunk) {
            if self.probe(text, at, *eight, &mut found).is_break() {
                return;
            }
            at += STRIDE;
        }
        let _ = self.probe(text, at, eight(text, at), &mut found);
    }

    /// Three windows.
    #[inline]
    fn probe(
        &self,
        text: &[u8],
        at: usize,
        bytes: [u8; 8],
        found: &mut impl FnMut(Anchor) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let bytes = u64::from_le_bytes(bytes);
        for n in [0, 2, 4] {
            let window = bytes >> (8 * n);
            let row = row(window);
            if self.windows[row] >> column(window) & 1 == 1 {
                self.compare(text, at + n, row, found)?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(never)]
    fn compare(
        &self,
        text: &[u8],
        at: usize,
        row: usize,
        found: &mut impl FnMut(Anchor) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let before = at.checked_sub(1);
        let head = before.map_or_else(|| head_here(text, at), |at| word(text, at));
        for entry in self.fitting(row, head) {
            let start = match entry.begins {
                Begins::Before => before,
                Begins::Here => Some(at),
                Begins::After => Some(at + 1),
            };
            if let Some(anchor) = start.and_then(|start| self.anchor(text, start, entry)) {
                found(anchor)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The entries of a row whose heads fit.
    #[inline]
    fn fitting(&self, row: usize, eight: u64) -> impl Iterator<Item = &Entry> {
        let first = |n: usize| self.first.get(n).copied().unwrap_or(0);
        let range = first(row)..first(row + 1);
        let heads = self.heads.get(range.clone()).unwrap_or(&[]).iter();
        let fitting = heads.zip(range).filter(move |(head, _)| head.fits(eight));
        fitting.filter_map(|(_, entry)| self.entries.get(entry))
    }

    /// The literal, if it stands here: its head does.
    fn anchor(&self, text: &[u8], start: usize, entry: &Entry) -> Option<Anchor> {
        let literal = self.literals.get(entry.literal)?;
        let end = start + literal.text.len();
        let here = text.get(start..end)?;
        let same = literal.text.len() <= HEAD
            || if literal.exact {
                here == literal.text
            } else {
                here.eq_ignore_ascii_case(&literal.text)
            };
        let rule = literal.rule;
        same.then_some(Anchor { rule, start, end })
    }

    /// The literals that stand at one place.
    pub fn at(&self, text: &[u8], at: usize) -> impl Iterator<Item = Anchor> {
        let head = head_here(text, at);
        let entries = self.fitting(row(word(text, at)), head);
        let here = entries.filter(|e| e.begins == Begins::Here);
        here.filter_map(move |entry| self.anchor(text, at, entry))
    }
}

impl Head {
    fn of(literal: &Literal, begins: Begins) -> Self {
        let mask = |byte: &u8| match byte {
            b if literal.exact || !b.is_ascii_alphabetic() => 0xff,
            _ => 0xdf,
        };
        let masks: Vec<u8> = literal.text.iter().map(mask).collect();
        let shift = match begins {
            Begins::Before => 0,
            Begins::Here => 8,
            Begins::After => 16,
        };
        let mask = word(&masks, 0) << shift;
        let bits = word(&literal.text, 0) << shift & mask;
        Self { bits, mask }
    }

    #[inline]
    fn fits(self, eight: u64) -> bool {
        eight & self.mask == self.bits
    }
}

/// What stands at a place, as if nothing stood before it.
#[inline]
fn head_here(text: &[u8], at: usize) -> u64 {
    word(text, at) << 8
}

#[inline]
fn word(text: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(eight(text, at))
}

/// The bytes from a place on, with zeros after the text's end.
#[inline]
pub(super) fn eight(text: &[u8], at: usize) -> [u8; 8] {
    let rest = text.get(at..).unwrap_or(&[]);
    match rest.first_chunk() {
        Some(eight) => *eight,
        None => {
            let mut eight = [0; 8];
            eight
                .iter_mut()
                .zip(rest)
                .for_each(|(to, from)| *to = *from);
            eight
        }
    }
}

fn any(byte: Option<u8>) -> RangeInclusive<u8> {
    byte.map_or(0..=u8::MAX, |byte| byte..=byte)
}

fn window(bytes: [u8; 4]) -> u64 {
    u32::from_le_bytes(bytes).into()
}

/// What counts of a window's last three bytes, less than [`ROWS`]. Like [`column`], it is the same
/// for letters of either case, and takes from each byte alone: any may be unknown.
#[inline]
fn row(window: u64) -> usize {
    (window >> 16 & 0x1f | window >> 19 & 0x3e0 | window >> 1 & 0xc00) as usize
}

/// What counts of a window's first two bytes, less than 64: of each its lowest bits, one of them
/// changed for letters, so that a space is not as some of them.
#[inline]
fn column(window: u64) -> u64 {
    let mixed = window ^ window >> 4 & 0x0404;
    mixed & 7 | mixed >> 5 & 0x38
}

#[cfg(test)]
mod tests;
