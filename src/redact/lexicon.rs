//! Words and what they mean, looked up without a copy, in whatever case.
//!
//! Knows no rules: a meaning is a bit of whoever fills it.

/// Words, each with the bits of what it means.
pub(super) struct Lexicon {
    /// A power of two of places, at most a quarter of them taken; a word stands at the place of its
    /// hash or behind it.
    places: Vec<Option<(Box<[u8]>, u8)>>,
    /// The length of the longest word, in bytes.
    longest: usize,
}

impl Lexicon {
    /// Words in small letters; a word may come more than once.
    pub fn new<'w>(words: impl IntoIterator<Item = (&'w str, u8)>) -> Self {
        let words: Vec<_> = words.into_iter().collect();
        let size = (words.len() * 4).next_power_of_two();
        let mut lexicon = Self {
            places: vec![None; size],
            longest: words.iter().map(|(w, _)| w.len()).max().unwrap_or(0),
        };
        for (word, bits) in words {
            let word_hash = hash(&[word.as_bytes()]);
            let place = lexicon.place(word_hash, &[word.as_bytes()]);
            if let Some(place) = lexicon.places.get_mut(place) {
                let entry = place.get_or_insert_with(|| (word.as_bytes().into(), 0));
                entry.1 |= bits;
            }
        }
        lexicon
    }

    /// A list of words, to be asked with [`Self::has`].
    pub fn of(words: &[&str]) -> Self {
        Self::new(words.iter().map(|word| (*word, 1)))
    }

    /// Whether a word is one of the list.
    pub fn has(&self, word: &[u8]) -> bool {
        self.get(&[word]) != 0
    }

    /// What a word means, which may be given in parts; no bits if it is none.
    pub fn get(&self, parts: &[&[u8]]) -> u8 {
        let len = parts.iter().map(|part| part.len()).sum::<usize>();
        if len > self.longest {
            return 0;
        }
        self.meaning(hash(parts), parts)
    }

    /// What all words of three letters and more mean that a text ends with.
    pub fn ends(&self, text: &[u8]) -> u8 {
        let (mut all, mut hash) = (0, EMPTY);
        for (start, byte) in text.iter().enumerate().rev().take(self.longest) {
            hash = mix(hash, *byte);
            if let Some(end @ [_, _, _, ..]) = text.get(start..) {
                all |= self.meaning(hash, &[end]);
            }
        }
        all
    }

    fn meaning(&self, hash: u64, parts: &[&[u8]]) -> u8 {
        let place = self.places.get(self.place(hash, parts));
        place.and_then(Option::as_ref).map_or(0, |(_, bits)| *bits)
    }

    /// The place of a word with this hash, or the free one where it would be.
    fn place(&self, hash: u64, parts: &[&[u8]]) -> usize {
        let last = self.places.len() - 1;
        let mut place = (hash ^ hash >> 29) as usize & last;
        while let Some(Some((word, _))) = self.places.get(place)
            && !is_same(word, parts)
        {
            place = (place + 1) & last;
        }
        place
    }
}

fn is_same(word: &[u8], parts: &[&[u8]]) -> bool {
    let mut rest = word;
    for part in parts {
        let Some((head, tail)) = rest.split_at_checked(part.len()) else {
            return false;
        };
        if !head.eq_ignore_ascii_case(part) {
            return false;
        }
        rest = tail;
    }
    rest.is_empty()
}

/// From the last byte to the first, so that what a text ends with is hashed once.
fn hash(parts: &[&[u8]]) -> u64 {
    let bytes = parts.iter().rev().flat_map(|part| part.iter().rev());
    bytes.fold(EMPTY, |hash, byte| mix(hash, *byte))
}

const EMPTY: u64 = 0;

#[inline]
fn mix(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte | 0x20)).wrapping_mul(0x0100_0000_01b3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_means_all_it_was_given_for_in_any_case_and_in_parts() {
        let all = Lexicon::new([("key", 1), ("apikey", 2), ("key", 4), ("a_b", 8)]);
        assert_eq!(all.get(&[b"Key"]), 5);
        assert_eq!(all.get(&[b"API", b"key"]), 2);
        assert_eq!(all.get(&[b"a\x7fb"]), 0);
        for none in ["", "ke", "keys", "apike", "b"] {
            assert_eq!(all.get(&[none.as_bytes()]), 0, "{none}");
        }
        assert_eq!(all.ends(b"my_APIkey"), 7);
        assert_eq!(all.ends(b"ey"), 0);
        assert_eq!(Lexicon::new([]).get(&[b"key"]), 0);
    }
}
