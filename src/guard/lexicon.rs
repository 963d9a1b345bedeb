//! Words by what they mean to a guardrail, in English, German, French and Spanish: data, and the
//! look-up.
//!
//! Owns how a word is known again when it is mistyped or written with digits. Never
//! says what a combination of them means (`orders`).

mod concepts;
mod english;
mod french;
mod german;
mod leave;
mod occasions;
mod records;
mod spanish;
mod telling;

pub(super) use concepts::*;

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// The words of a language, or of a topic in all languages: concepts, and phrases that mean all of them, separated by `|`. Lower case,
/// without accents; a `*` ends what a word may begin with.
pub(super) type Words = &'static [(Concepts, &'static str)];

const TABLES_OF_WORDS: [Words; 8] = [
    english::WORDS,
    german::WORDS,
    french::WORDS,
    spanish::WORDS,
    leave::WORDS,
    records::WORDS,
    telling::WORDS,
    occasions::WORDS,
];

/// Shorter words are not looked for with a letter too many or too few.
const FUZZY_FROM: usize = 6;

/// Phrases by their first word, longest first.
struct Lexicon {
    phrases: HashMap<&'static str, Vec<(Vec<&'static str>, Concepts)>>,
    beginnings: HashMap<&'static str, Concepts>,
    longest_beginning: usize,
    /// Words with one inner letter left out, and which of them they are.
    shortened: HashMap<String, &'static str>,
    words: HashSet<&'static str>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::new);

impl Lexicon {
    fn new() -> Self {
        let mut new = Self {
            phrases: HashMap::new(),
            beginnings: HashMap::new(),
            longest_beginning: 0,
            shortened: HashMap::new(),
            words: HashSet::new(),
        };
        let all = TABLES_OF_WORDS.iter().flat_map(|words| words.iter());
        for (concepts, phrases) in all {
            phrases.split('|').for_each(|p| new.add(p, *concepts));
        }
        for phrases in new.phrases.values_mut() {
            phrases.sort_by_key(|(rest, _)| std::cmp::Reverse(rest.len()));
        }
        new
    }

    fn add(&mut self, phrase: &'static str, concepts: Concepts) {
        if let Some(beginning) = phrase.strip_suffix('*') {
            *self.beginnings.entry(beginning).or_default() |= concepts;
            self.longest_beginning = self.longest_beginning.max(beginning.len());
            return;
        }
        let mut words = phrase.split(' ');
        let Some(first) = words.next() else { return };
        let rest: Vec<&str> = words.collect();
        if rest.is_empty() && first.len() >= FUZZY_FROM {
            self.shortened
                .extend(shortened(first).map(|short| (short, first)));
        }
        self.words.insert(first);
        let known = self.phrases.entry(first).or_default();
        match known.iter_mut().find(|(r, _)| *r == rest) {
            Some((_, all)) => *all |= concepts,
            None => known.push((rest, concepts)),
        }
    }

    fn word(&self, word: &str) -> Option<Concepts> {
        let phrases = self.phrases.get(word);
        let alone = phrases.and_then(|p| p.iter().find(|(rest, _)| rest.is_empty()));
        if let Some((_, concepts)) = alone {
            return Some(*concepts);
        }
        let ends = word.char_indices().map(|(at, c)| at + c.len_utf8());
        let ends = ends.take_while(|end| *end <= self.longest_beginning);
        let found = ends.filter_map(|end| self.beginnings.get(&word[..end]));
        found.last().copied()
    }

    /// A word that a person would take for one of ours: digits for letters, an inner letter too
    /// many, too few, or two in the wrong order.
    fn mistyped(&self, word: &str) -> Option<Concepts> {
        let digits = word.chars().filter(char::is_ascii_digit).count();
        if digits > 0 && digits * 2 < word.len() {
            let read = |one: char| -> String {
                let letters = word.chars().map(|c| letter(c, one));
                letters.collect()
            };
            return self.word(&read('i')).or_else(|| self.word(&read('l')));
        }
        if word.len() + 1 < FUZZY_FROM || word.len() > 24 || !word.is_ascii() {
            return None;
        }
        let missing = self.shortened.get(word).copied();
        let missing = missing.filter(|meant| !meant.starts_with(word));
        let meant = missing.or_else(|| {
            shortened(word).find_map(|short| {
                let extra = self.words.get(short.as_str()).copied();
                let extra = extra.filter(|w| w.len() >= FUZZY_FROM && !word.starts_with(w));
                let swapped = || {
                    let meant = self.shortened.get(&short).copied()?;
                    is_swapped(word, meant).then_some(meant)
                };
                extra.or_else(swapped)
            })
        });
        self.word(meant?)
    }
}

/// The word with each of its letters but the first left out in turn.
fn shortened(word: &str) -> impl Iterator<Item = String> + '_ {
    (1..word.len())
        .filter(|at| word.is_char_boundary(*at) && word.is_char_boundary(at + 1))
        .map(|at| format!("{}{}", &word[..at], &word[at + 1..]))
}

fn is_swapped(a: &str, b: &str) -> bool {
    let differing: Vec<usize> = (0..a.len().min(b.len()))
        .filter(|at| a.as_bytes()[*at] != b.as_bytes()[*at])
        .collect();
    let (a, b) = (a.as_bytes(), b.as_bytes());
    match differing[..] {
        [x, y] => a.len() == b.len() && y == x + 1 && a[x] == b[y] && a[y] == b[x],
        _ => false,
    }
}

fn letter(c: char, one: char) -> char {
    match c {
        '0' => 'o',
        '1' => one,
        '3' => 'e',
        '4' => 'a',
        '5' => 's',
        '7' => 't',
        _ => c,
    }
}

/// What the longest known phrase at the beginning of these words means, and how many words it has;
/// of no known one, one word that means nothing.
pub(super) fn phrase(words: &[&str]) -> (Concepts, usize) {
    let Some(first) = words.first() else {
        return (0, 1);
    };
    let phrases = LEXICON.phrases.get(first).into_iter().flatten();
    let found = phrases
        .filter(|(rest, _)| !rest.is_empty())
        .find(|(rest, _)| words.len() > rest.len() && words[1..=rest.len()] == rest[..]);
    if let Some((rest, concepts)) = found {
        return (*concepts, rest.len() + 1);
    }
    let known = LEXICON.word(first);
    (known.or_else(|| LEXICON.mistyped(first)).unwrap_or(0), 1)
}

/// Whether a word by itself is known, as it is written.
pub(super) fn is_known(word: &str) -> bool {
    LEXICON.word(word).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_known_again_mistyped_and_others_are_not_taken_for_them() {
        for (word, concept) in [
            ("review", REVIEW),
            ("revew", REVIEW),
            ("reveiw", REVIEW),
            ("r3view", REVIEW),
            ("aproval", REVIEW),
            ("disabel", OFF),
            ("d1sable", OFF),
            ("verifcation", CHECK),
            ("cert1ficate", SEALED),
        ] {
            assert!(phrase(&[word]).0 & concept != 0, "{word}");
        }
        for word in [
            "preview", "contest", "revenue", "employ", "sha256", "utf8", "x86", "i18n",
        ] {
            assert_eq!(phrase(&[word]), (0, 1), "{word}");
        }
        assert_eq!(phrase(&["two", "factor", "x"]).1, 2);
    }

    #[test]
    fn every_phrase_is_written_as_texts_are_read() {
        let all = TABLES_OF_WORDS.iter().flat_map(|words| words.iter());
        for phrase in all.flat_map(|(_, phrases)| phrases.split('|')) {
            let plain =
                |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == ' ' || c == '*';
            assert!(
                !phrase.is_empty() && phrase.chars().all(plain),
                "{phrase:?}"
            );
            assert!(
                phrase.trim() == phrase && !phrase.contains("  "),
                "{phrase:?}"
            );
        }
    }
}
