//! The literals that lead to rules, all searched in one pass, whatever their case.
//!
//! Three bytes tell whether a literal may begin at a place; a bit for each hash of three bytes
//! fits the nearest cache, which a state machine of all literals does not.

/// Bits of a hash.
const BITS: u32 = 14;

/// A literal in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Anchor {
    /// The number of its rule.
    pub rule: usize,
    pub start: usize,
    pub end: usize,
}

/// A literal and the number of its rule.
struct Literal {
    text: Vec<u8>,
    rule: usize,
}

/// The literals of all rules.
pub(super) struct Anchors {
    /// A bit for each hash: some literal begins so.
    begins: Vec<u64>,
    /// For each hash, the numbers of literals, from `first[hash]` up to `first[hash + 1]`.
    first: Vec<u32>,
    numbers: Vec<u16>,
    literals: Vec<Literal>,
}

impl Anchors {
    /// Literals of at least two bytes, each with the number of its rule.
    ///
    /// # Errors
    /// When a literal is shorter, or there are too many.
    pub fn new<'a>(all: impl Iterator<Item = (usize, &'a str)>) -> Result<Self, String> {
        let (mut literals, mut begun) = (Vec::new(), Vec::new());
        for (rule, text) in all {
            let number = u16::try_from(literals.len()).map_err(|_| "too many anchors")?;
            match text.as_bytes() {
                [a, b, c, ..] => begun.push((hash([*a, *b, *c]), number)),
                [a, b] => begun.extend((0..=u8::MAX).map(|c| (hash([*a, *b, c]), number))),
                _ => return Err(format!("the anchor {text:?} is too short")),
            }
            let text = text.as_bytes().to_vec();
            literals.push(Literal { text, rule });
        }
        begun.sort_unstable();
        begun.dedup();
        let mut begins = vec![0_u64; 1 << (BITS - 6)];
        let mut first = vec![0_u32; (1 << BITS) + 1];
        for (hash, _) in &begun {
            if let Some(word) = begins.get_mut(hash / 64) {
                *word |= 1 << (hash % 64);
            }
            if let Some(count) = first.get_mut(hash + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for count in &mut first {
            sum += *count;
            *count = sum;
        }
        Ok(Self {
            begins,
            first,
            numbers: begun.into_iter().map(|(_, number)| number).collect(),
            literals,
        })
    }

    /// All literals in a text, also where they overlap, in order of their ends.
    pub fn find(&self, text: &[u8]) -> Vec<Anchor> {
        let mut found = Vec::new();
        for (start, three) in text.windows(3).enumerate() {
            let &[a, b, c] = three else { break };
            let hash = hash([a, b, c]);
            let begins = self.begins.get(hash / 64).copied().unwrap_or(0);
            if begins >> (hash % 64) & 1 == 1 {
                self.at(text, start, hash, &mut found);
            }
        }
        // The last two bytes: no third one tells them apart.
        if let Some(start) = text.len().checked_sub(2) {
            let last = text.get(start..).unwrap_or(&[]);
            let short = self.literals.iter().filter(|l| l.text.len() == 2);
            let here = short.filter(|l| l.text.eq_ignore_ascii_case(last));
            found.extend(here.map(|l| Anchor {
                rule: l.rule,
                start,
                end: text.len(),
            }));
        }
        found.sort_by_key(|a| (a.end, a.start, a.rule));
        found
    }

    #[inline(never)]
    fn at(&self, text: &[u8], start: usize, hash: usize, found: &mut Vec<Anchor>) {
        let number = |n: usize| self.first.get(n).map_or(0, |n| *n as usize);
        let candidates = self.numbers.get(number(hash)..number(hash + 1));
        for number in candidates.unwrap_or(&[]) {
            let Some(literal) = self.literals.get(usize::from(*number)) else {
                continue;
            };
            let end = start + literal.text.len();
            let here = text.get(start..end);
            if here.is_some_and(|here| here.eq_ignore_ascii_case(&literal.text)) {
                found.push(Anchor {
                    rule: literal.rule,
                    start,
                    end,
                });
            }
        }
    }
}

/// The same for letters of either case.
fn hash(three: [u8; 3]) -> usize {
    let [a, b, c] = three;
    let bytes = u32::from_le_bytes([a, b, c, 0]) | 0x0020_2020;
    (bytes.wrapping_mul(0x9e37_79b1) >> (32 - BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(literals: &[&str], text: &str) -> Vec<(usize, usize)> {
        let anchors = Anchors::new(literals.iter().copied().enumerate()).unwrap();
        let found = anchors.find(text.as_bytes());
        found.iter().map(|a| (a.rule, a.start)).collect()
    }

    #[test]
    fn literals_are_found_in_any_case_where_they_overlap_and_at_the_ends() {
        let all = ["pass", "SK", "password", "_x-", "word"];
        assert_eq!(find(&all, "PassWord"), [(0, 0), (2, 0), (4, 4)]);
        assert_eq!(find(&all, "sk"), [(1, 0)]);
        assert_eq!(find(&all, "a_X-sk1 task"), [(3, 1), (1, 4), (1, 10)]);
        assert_eq!(find(&all, "pas"), []);
        assert_eq!(find(&all, "é p"), []);
        assert_eq!(find(&all, ""), []);
        assert!(Anchors::new([(0, "x")].into_iter()).is_err());
    }

    proptest::proptest! {
        #[test]
        fn it_finds_what_a_plain_search_finds(text in "[abAB_\\-]{0,40}") {
            let all = &["ab", "aba", "b_a", "bab-"];
            let low = text.to_ascii_lowercase();
            let mut plain: Vec<_> = all
                .iter()
                .enumerate()
                .flat_map(|(n, l)| {
                    let low = low.as_bytes();
                    (0..low.len()).filter(move |at| low[*at..].starts_with(l.as_bytes())).map(move |at| (at + l.len(), at, n))
                })
                .collect();
            plain.sort_unstable();
            let plain: Vec<_> = plain.into_iter().map(|(_, at, n)| (n, at)).collect();
            proptest::prop_assert_eq!(find(all, &text), plain);
        }
    }
}
