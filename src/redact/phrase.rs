//! Words that a person joins to a password: `cobalt-anchor-tiger-mint`, `BlueKettle`,
//! `river stone lamp fog`, `summer-Rain7`. Told from names and sentences by their words: those of
//! code, pages and messages are well known, and a password is made of others.
//!
//! The known words are the commonest of some 90 MB of source and documentation. Bytes in, an answer
//! out; nothing is kept.

use super::lexicon::Lexicon;
use super::odds;
use super::work;
use std::sync::LazyLock;

static COMMON: LazyLock<Lexicon> = LazyLock::new(|| {
    let words = include_str!("../../assets/redact/common.txt");
    Lexicon::new(words.split_whitespace().map(|word| (word, 1)))
});

static FOREIGN: LazyLock<Lexicon> = LazyLock::new(|| {
    let words: Vec<_> = OF_SENTENCES.split_whitespace().collect();
    Lexicon::of(&words)
});

/// Words that many sentences in other languages have, such as those for readers.
const OF_SENTENCES: &str = "una une uno der die das den dem ein eine einen einer votre vos les los las del des \
    per para por con mit und oder nicht kein non pas nuova nuovo nueva nuevo nouveau nouvelle neue neues \
    neuen novo nova bitte tuo tua suo sua ihr ihre dein deine sie mot clave chiave senha che que qui est \
    sono een het voor vul hier jouw geen din ditt det och att ange skriv angi indtast ikke nie prosz \
    entrez saisissez ingrese introduzca inserisci digite geben ihren este esta questo questa";

/// The most words, and the longest one and the shortest, in letters.
const MOST: usize = 7;
const LETTERS: std::ops::RangeInclusive<usize> = 3..=12;

/// Words joined to one text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Phrase {
    pub words: usize,
    /// How many of the words are those of code, pages and messages.
    pub common: usize,
    /// How many figures stand at the end.
    pub figures: usize,
    /// Whether blanks join the words.
    pub spaced: bool,
    /// Whether each word begins with a capital.
    pub capitals: bool,
    /// Whether a word is one of a sentence in another language.
    foreign: bool,
}

/// The words a text is made of and nothing else, but for a number and a mark at its end.
pub(super) fn read(value: &[u8]) -> Option<Phrase> {
    work::spend(value.len());
    if !(7..=80).contains(&value.len()) || !value.is_ascii() {
        return None;
    }
    let mark = value.last().filter(|b| b"!?#*$%&@".contains(b)).is_some();
    let body = value.get(..value.len() - usize::from(mark))?;
    let figures = body.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let body = body.get(..body.len() - figures)?;
    let body = match body.split_last() {
        Some((b'-' | b'_' | b'.' | b' ', rest)) if figures > 0 => rest,
        _ => body,
    };
    let mut phrase = Phrase {
        figures,
        capitals: true,
        ..Phrase::default()
    };
    if figures > 4 {
        return None;
    }
    let joint = body.iter().find(|b| !b.is_ascii_alphabetic()).copied();
    phrase.spaced = joint == Some(b' ');
    if joint.is_some_and(|joint| !matches!(joint, b'-' | b'_' | b'.' | b' ')) {
        return None;
    }
    for part in body.split(|b| Some(*b) == joint) {
        let mut rest = part;
        while !rest.is_empty() {
            let len = 1 + rest
                .iter()
                .skip(1)
                .take_while(|b| b.is_ascii_lowercase())
                .count();
            let (word, after) = rest.split_at(len);
            phrase.push(word)?;
            rest = after;
        }
        if part.is_empty() {
            return None;
        }
    }
    Some(phrase)
}

impl Phrase {
    fn push(&mut self, word: &[u8]) -> Option<()> {
        let vowel = |b: &u8| b"aeiouy".contains(&b.to_ascii_lowercase());
        let plain = word.iter().all(u8::is_ascii_alphabetic) && word.iter().any(vowel);
        if !plain || !LETTERS.contains(&word.len()) || self.words == MOST {
            return None;
        }
        self.words += 1;
        self.common += usize::from(COMMON.get(&[word]));
        self.foreign |= FOREIGN.has(word);
        self.capitals &= word.first().is_some_and(u8::is_ascii_uppercase);
        Some(())
    }

    /// Whether a person chose the words: two or three of which none is common, or more of which
    /// one is.
    pub fn is_chosen(&self) -> bool {
        match self.words {
            0 | 1 => false,
            2 | 3 => self.common == 0 && !self.spaced,
            _ => self.common <= 1 && !(self.spaced && self.foreign),
        }
    }
}

/// Whether a word is one of code, pages and messages.
pub(super) fn is_common(word: &[u8]) -> bool {
    COMMON.get(&[word]) != 0
}

/// Whether a text is two common words in one: `textfield`.
pub(super) fn is_glued(text: &[u8]) -> bool {
    let two = |at: usize| {
        text.split_at_checked(at)
            .is_some_and(|(a, b)| is_common(a) && is_common(b))
    };
    text.len() <= 32 && (3..text.len()).any(two)
}

/// Whether a text is four groups of four small letters that chance made, as an application's password
/// is printed: `abcd efgh ijkl mnop`.
pub(super) fn is_grouped(value: &[u8]) -> bool {
    const BITS: f64 = 8.0;
    let fits = |(at, b): (usize, &u8)| match at % 5 {
        4 => *b == b' ',
        _ => b.is_ascii_lowercase(),
    };
    let letters = || value.iter().copied().filter(|b| *b != b' ');
    value.len() == 19
        && value.iter().enumerate().all(fits)
        && odds::of(&letters().collect::<Vec<_>>()) >= BITS
}

/// Whether a text is words that a person chose and joined.
pub(super) fn is_chosen(value: &[u8]) -> bool {
    read(value).is_some_and(|phrase| phrase.is_chosen())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_words_are_told_from_names_and_sentences() {
        for chosen in [
            "cobalt-willow-otter-lantern",
            "river copper lamp thistle",
            "WillowKettle",
            "summer-Raven7",
            "violet.Ladder3",
            "marble_Oyster1!",
        ] {
            assert!(is_chosen(chosen.as_bytes()), "{chosen}");
        }
        for name in [
            "user-profile-settings-page",
            "SecretString",
            "enter your new password",
            "config.Secret1",
            "three-bounce-spinner-loading",
            "AuthService",
            "bert-base-uncased",
            "willow",
            "ubuntu-22.04",
            "a-b-c-d",
        ] {
            assert!(!is_chosen(name.as_bytes()), "{name}");
        }
    }
}
