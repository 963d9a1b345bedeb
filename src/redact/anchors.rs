//! The literals that lead to rules, all searched in one pass.
//!
//! Four bytes tell whether a literal may begin near a place, and every second place is enough: a
//! literal is filed under its first four bytes and, for odd places, under the four after its first;
//! a short one under what it has. The table fits the nearest cache, which a state machine of all
//! literals does not.

mod codes;

pub(super) use codes::eight;
use codes::{CODE, Cell, ROWS, codes, column, every, head_here, row, word};
use std::ops::ControlFlow;

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
#[derive(Clone, Copy)]
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
#[derive(Clone, Copy)]
struct Head {
    bits: u64,
    mask: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begins {
    Before,
    Here,
    After,
}

impl Begins {
    /// Whether a literal is looked for so: each in two ways.
    fn fits(self, literal: &[u8]) -> bool {
        match self {
            Self::Before => literal.len() > 4,
            Self::Here => true,
            Self::After => literal.len() <= 4,
        }
    }

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
        let short = |literal: &&Literal| literal.text.len() < 2;
        if let Some(literal) = literals.iter().find(short) {
            let text = String::from_utf8_lossy(&literal.text);
            return Err(format!("the anchor {text:?} is too short"));
        }
        let mut places: Vec<(Cell, Entry)> = Vec::new();
        for begins in [Begins::Before, Begins::Here, Begins::After] {
            let fits = literals.iter().enumerate();
            for (number, literal) in fits.filter(|(_, l)| begins.fits(&l.text)) {
                let entry = Entry {
                    begins,
                    literal: count(number),
                    head: Head::of(literal, begins),
                };
                let cells = every(begins.window(&literal.text)).into_iter();
                places.extend(cells.map(|cell| (cell, entry)));
            }
        }
        let mut new = Self {
            windows: Box::new([0; ROWS]),
            cells: Box::new([0; ROWS]),
            first: Vec::new(),
            entries: Vec::new(),
            literals,
        };
        new.fill(&places);
        Ok(new)
    }

    /// Puts entries into their cells, each cell's in the order they are given in.
    fn fill(&mut self, places: &[(Cell, Entry)]) {
        for ((row, column), _) in places {
            self.windows[*row] |= 1 << column;
        }
        let mut all = 0;
        for (before, columns) in self.cells.iter_mut().zip(self.windows.iter()) {
            *before = all;
            all += columns.count_ones();
        }
        let mut next = vec![0_u32; all as usize + 1];
        for (cell, _) in places {
            next[self.cell(*cell) + 1] += 1;
        }
        for cell in 1..next.len() {
            next[cell] += next[cell - 1];
        }
        self.first.clone_from(&next);
        let mut order = vec![0; places.len()];
        for (n, (cell, _)) in places.iter().enumerate() {
            let place = &mut next[self.cell(*cell)];
            order[*place as usize] = n;
            *place += 1;
        }
        let entries = order.into_iter().filter_map(|n| places.get(n));
        self.entries = entries.map(|(_, entry)| *entry).collect();
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
        cell: Cell,
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

    /// The number of a cell, which has its bit.
    #[inline]
    fn cell(&self, (row, column): Cell) -> usize {
        let before = (self.windows[row] & ((1 << column) - 1)).count_ones();
        (self.cells[row] + before) as usize
    }

    /// The entries of a cell, which has its bit.
    #[inline]
    fn entries(&self, cell: Cell) -> &[Entry] {
        let cell = self.cell(cell);
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
        let entries = match self.windows[row] >> column & 1 {
            1 => self.entries((row, column)),
            _ => &[],
        };
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

#[cfg(test)]
mod tests;
