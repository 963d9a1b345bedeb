//! The literals that lead to rules, all searched in one pass.
//!
//! Three bytes tell whether a literal may begin near a place, and every second place is enough: a
//! literal is filed under its first three bytes and, for odd places, under the three after its
//! first. The table fits the nearest cache, which a state machine of all literals does not.

use std::ops::ControlFlow;

/// Bits of a hash of two bytes.
const BITS: u32 = 11;
const WORDS: usize = 1 << BITS;
/// How far apart the places are at which eight bytes are loaded: three windows are in them.
const STRIDE: usize = 6;

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

/// A literal that may begin where a window of three bytes is seen.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    /// Of the window's last two bytes.
    hash: usize,
    /// Where it begins: before the window's first byte, with it, or after it.
    begins: Begins,
    /// The number of the literal.
    literal: usize,
    /// Its first eight bytes, and which bits of them count.
    head: Head,
}

/// The beginning of a literal: most that look alike from three bytes are told apart by eight.
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

/// The literals of all rules.
pub(super) struct Anchors {
    /// For each hash of a window's last two bytes, a bit for each first byte.
    windows: Box<[u64; WORDS]>,
    /// For each hash, its entries, from `first[hash]` up to `first[hash + 1]`.
    first: Vec<usize>,
    entries: Vec<Entry>,
    literals: Vec<Literal>,
}

impl Anchors {
    /// # Errors
    /// When a literal is too short.
    pub fn new(all: impl IntoIterator<Item = Literal>) -> Result<Self, String> {
        let literals: Vec<Literal> = all.into_iter().collect();
        let (mut windows, mut entries) = (Box::new([0_u64; WORDS]), Vec::new());
        for (number, literal) in literals.iter().enumerate() {
            let head = Head::of(literal);
            let [a, b, rest @ ..] = literal.text.as_slice() else {
                let text = String::from_utf8_lossy(&literal.text);
                return Err(format!("the anchor {text:?} is too short"));
            };
            let mut add = |first: Option<u8>, last: [u8; 2], begins| {
                let hash = hash(last);
                windows[hash] |= first.map_or(u64::MAX, |byte| 1 << bit(byte));
                entries.push(Entry {
                    hash,
                    begins,
                    literal: number,
                    head,
                });
            };
            match rest {
                [] => (0..=u8::MAX).for_each(|any| add(Some(*a), [*b, any], Begins::Here)),
                [c, ..] => add(Some(*a), [*b, *c], Begins::Here),
            }
            match rest {
                [c, d, ..] => add(Some(*b), [*c, *d], Begins::Before),
                _ => add(None, [*a, *b], Begins::After),
            }
        }
        entries.sort_unstable();
        entries.dedup();
        let first = (0..=WORDS).map(|hash| entries.partition_point(|e| e.hash < hash));
        Ok(Self {
            windows,
            first: first.collect(),
            entries,
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
        for n in [0, 2, 4] {
            let [first, second, third, ..] = (u64::from_le_bytes(bytes) >> (8 * n)).to_le_bytes();
            let hash = hash([second, third]);
            if self.windows[hash] >> bit(first) & 1 == 1 {
                self.compare(text, at + n, hash, found)?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(never)]
    fn compare(
        &self,
        text: &[u8],
        at: usize,
        hash: usize,
        found: &mut impl FnMut(Anchor) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for entry in self.entries(hash) {
            let start = match entry.begins {
                Begins::Before => at.checked_sub(1),
                Begins::Here => Some(at),
                Begins::After => Some(at + 1),
            };
            let Some(start) = start.filter(|start| entry.head.fits(eight(text, *start))) else {
                continue;
            };
            if let Some(anchor) = self.anchor(text, start, entry.literal) {
                found(anchor)?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn entries(&self, hash: usize) -> &[Entry] {
        let first = |n: usize| self.first.get(n).copied().unwrap_or(0);
        let range = first(hash)..first(hash + 1);
        self.entries.get(range).unwrap_or(&[])
    }

    /// The literal, if it stands here.
    fn anchor(&self, text: &[u8], start: usize, literal: usize) -> Option<Anchor> {
        let literal = self.literals.get(literal)?;
        let end = start + literal.text.len();
        let here = text.get(start..end)?;
        let same = if literal.exact {
            here == literal.text
        } else {
            here.eq_ignore_ascii_case(&literal.text)
        };
        let rule = literal.rule;
        same.then_some(Anchor { rule, start, end })
    }

    /// The literals that stand at one place.
    pub fn at(&self, text: &[u8], at: usize) -> impl Iterator<Item = Anchor> {
        let [_, second, third, ..] = eight(text, at);
        let here = |e: &&Entry| e.begins == Begins::Here;
        let entries = self.entries(hash([second, third])).iter().filter(here);
        entries.filter_map(move |entry| self.anchor(text, at, entry.literal))
    }
}

impl Head {
    fn of(literal: &Literal) -> Self {
        let mask = |byte: &u8| match byte {
            b if literal.exact || !b.is_ascii_alphabetic() => 0xff,
            _ => 0xdf,
        };
        let masks: Vec<u8> = literal.text.iter().map(mask).collect();
        let mask = u64::from_le_bytes(eight(&masks, 0));
        let bits = u64::from_le_bytes(eight(&literal.text, 0)) & mask;
        Self { bits, mask }
    }

    #[inline]
    fn fits(self, eight: [u8; 8]) -> bool {
        u64::from_le_bytes(eight) & self.mask == self.bits
    }
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

/// The same for letters of either case.
#[inline]
fn hash(two: [u8; 2]) -> usize {
    let bytes = u32::from(u16::from_le_bytes(two) | 0x2020);
    (bytes.wrapping_mul(0x9e37_79b1) >> (u32::BITS - BITS)) as usize
}

/// The place of a byte in a word of 64 bits, the same for letters of either case.
#[inline]
fn bit(byte: u8) -> u8 {
    byte & 0x1f | byte >> 1 & 0x20
}

#[cfg(test)]
mod tests {
    use super::*;

    fn anchors(literals: &[&str], exact: bool) -> Anchors {
        let all = literals.iter().enumerate().map(|(rule, text)| Literal {
            rule,
            text: text.as_bytes().to_vec(),
            exact,
        });
        Anchors::new(all).unwrap()
    }

    fn find(anchors: &Anchors, text: &str) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        anchors.each(text.as_bytes(), |a| {
            found.push((a.start, a.rule));
            ControlFlow::Continue(())
        });
        assert!(found.is_sorted_by_key(|(start, _)| *start));
        found.sort_unstable();
        found
    }

    #[test]
    fn literals_are_found_in_any_case_where_they_overlap_and_at_the_ends() {
        let all = anchors(&["pass", "SK", "password", "_x-", "word"], false);
        assert_eq!(find(&all, "PassWord"), [(0, 0), (0, 2), (4, 4)]);
        assert_eq!(find(&all, "sk"), [(0, 1)]);
        assert_eq!(find(&all, "a_X-sk1 task"), [(1, 3), (4, 1), (10, 1)]);
        assert_eq!(find(&all, "pas"), []);
        assert_eq!(find(&all, "é p"), []);
        assert_eq!(find(&all, ""), []);
        let exact = anchors(&["pass", "SK"], true);
        assert_eq!(find(&exact, "Pass pass sk SK"), [(5, 0), (13, 1)]);
        let short = Literal {
            rule: 0,
            text: b"x".to_vec(),
            exact: false,
        };
        assert!(Anchors::new([short]).is_err());
    }

    #[test]
    fn the_search_stops_when_told_to() {
        let mut seen = 0;
        anchors(&["key"], false).each("key ".repeat(100).as_bytes(), |_| {
            seen += 1;
            if seen == 3 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        assert_eq!(seen, 3);
    }

    proptest::proptest! {
        #[test]
        fn it_finds_what_a_plain_search_finds(text in "[abAB_\\-é]{0,40}", exact: bool) {
            let all = ["ab", "aba", "b_a", "bab-", "_-_-ba"];
            let fold = |text: &str| if exact { text.to_owned() } else { text.to_ascii_lowercase() };
            let low = fold(&text);
            let mut plain: Vec<_> = all
                .iter()
                .enumerate()
                .flat_map(|(n, l)| {
                    let low = low.as_bytes();
                    (0..low.len()).filter(move |at| low[*at..].starts_with(l.as_bytes())).map(move |at| (at, n))
                })
                .collect();
            plain.sort_unstable();
            let anchors = anchors(&all, exact);
            proptest::prop_assert_eq!(find(&anchors, &text), plain);
            for at in 0..=text.len() {
                let mut here: Vec<_> = anchors.at(text.as_bytes(), at).map(|a| (a.start, a.rule)).collect();
                here.sort_unstable();
                let all = find(&anchors, &text);
                let expected: Vec<_> = all.into_iter().filter(|(start, _)| *start == at).collect();
                proptest::prop_assert_eq!(here, expected);
            }
        }
    }
}
