//! The literals that lead to rules, all searched in one pass.
//!
//! Four bytes tell whether a literal may begin near a place, and every second place is enough: a
//! literal is filed under its first four bytes and, for odd places, under the four after its first;
//! a short one under what it has. The table fits the nearest cache, which a state machine of all
//! literals does not.

use std::ops::ControlFlow;

/// How many rows the table has.
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
    literal: u32,
    /// What eight bytes must be, from one before the window on.
    head: Head,
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
    /// For each row, a bit for each column.
    windows: Box<[u64; ROWS]>,
    /// For each row, the number of its first cell: the cells are its columns that have a bit.
    cells: Box<[u32; ROWS]>,
    /// For each cell, its entries, from `first[cell]` up to `first[cell + 1]`.
    first: Vec<u32>,
    entries: Vec<Entry>,
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
                for codes in every(begins.window(&literal.text)) {
                    let (row, column) = (row(codes), column(codes));
                    windows[row] |= 1_u64 << column;
                    let entry = Entry {
                        begins,
                        literal: count(number),
                        head,
                    };
                    entries.push(((row, column), entry));
                }
            }
        }
        entries.sort_unstable();
        entries.dedup();
        let (mut cells, mut first) = (Box::new([0; ROWS]), Vec::new());
        let mut all = 0;
        for (before, columns) in cells.iter_mut().zip(windows.iter()) {
            *before = all;
            all += columns.count_ones();
        }
        let mut last = None;
        for (at, (cell, _)) in entries.iter().enumerate() {
            if last.replace(*cell) != Some(*cell) {
                first.push(count(at));
            }
        }
        first.push(count(entries.len()));
        Ok(Self {
            windows,
            cells,
            first,
            entries: entries.into_iter().map(|(_, entry)| entry).collect(),
            literals,
        })
    }

    /// Hands over all literals in a text, also where they overlap, in order of their starts, until
    /// it is told to stop.
    pub fn each(&self, text: &[u8], mut found: impl FnMut(Anchor) -> ControlFlow<()>) {
        let (mut at, mut last) = (0, false);
        while !last {
            let bytes = match text.get(at..).and_then(<[u8]>::first_chunk) {
                Some(eight) => u64::from_le_bytes(*eight),
                None => {
                    last = true;
                    word(text, at)
                }
            };
            let codes = codes(bytes);
            // Three windows.
            for n in [0, 2, 4] {
                let codes = codes >> (CODE * n);
                let (row, column) = (row(codes), column(codes));
                if self.windows[row] >> column & 1 == 1
                    && self
                        .compare(text, at + n, (row, column), &mut found)
                        .is_break()
                {
                    return;
                }
            }
            at += STRIDE;
        }
    }

    #[inline(never)]
    fn compare(
        &self,
        text: &[u8],
        at: usize,
        cell: (usize, u64),
        found: &mut impl FnMut(Anchor) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let before = at.checked_sub(1);
        let head = before.map_or_else(|| head_here(text, at), |at| word(text, at));
        for entry in self.entries(cell).iter().filter(|e| e.head.fits(head)) {
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

    /// The entries of a row and column, which has its bit.
    #[inline]
    fn entries(&self, (row, column): (usize, u64)) -> &[Entry] {
        let before = (self.windows[row] & ((1 << column) - 1)).count_ones();
        let cell = (self.cells[row] + before) as usize;
        match self.first.get(cell..cell + 2) {
            Some([from, to]) => self.entries.get(*from as usize..*to as usize),
            _ => None,
        }
        .unwrap_or(&[])
    }

    /// The literal, if it stands here: its head does.
    fn anchor(&self, text: &[u8], start: usize, entry: &Entry) -> Option<Anchor> {
        let literal = self.literals.get(entry.literal as usize)?;
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
        let codes = codes(word(text, at));
        let (row, column) = (row(codes), column(codes));
        let has = self.windows[row] >> column & 1 == 1;
        let entries = has.then(|| self.entries((row, column))).unwrap_or(&[]);
        let here = entries.iter().filter(|e| e.begins == Begins::Here);
        let fitting = here.filter(move |e| e.head.fits(head));
        fitting.filter_map(move |entry| self.anchor(text, at, entry))
    }
}

/// A number that no table comes near.
fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
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

/// The codes of all windows with these bytes.
fn every(window: [Option<u8>; 4]) -> Vec<u64> {
    let mut all = vec![0];
    for (n, byte) in window.iter().enumerate() {
        let here = match byte {
            Some(byte) => codes((*byte).into())..=codes((*byte).into()),
            None => 0..=(1 << CODE) - 1,
        };
        let longer = |codes: &u64| {
            let codes = *codes;
            here.clone().map(move |code| codes | code << (CODE * n))
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// How many bits of a byte count.
const CODE: usize = 5;

/// The lowest five bits of each of eight bytes, one after the other: the same for letters of either
/// case.
#[inline]
fn codes(bytes: u64) -> u64 {
    let one = bytes & 0x1f1f_1f1f_1f1f_1f1f;
    let two = one & 0x001f_001f_001f_001f | one >> 3 & 0x03e0_03e0_03e0_03e0;
    let four = two & 0x0000_03ff_0000_03ff | two >> 6 & 0x000f_fc00_000f_fc00;
    four & 0x000f_ffff | four >> 12 & 0x00ff_fff0_0000
}

/// Of a window's codes, all of the last two and what is left of the second; less than [`ROWS`].
#[inline]
fn row(codes: u64) -> usize {
    (codes >> 8 & 0xfff) as usize
}

/// Of a window's codes, most of the first two; less than 64.
#[inline]
fn column(codes: u64) -> u64 {
    codes >> 2 & 0x3f
}

#[cfg(test)]
mod tests;
