//! A text cut into words, with where clauses and sentences end.
//!
//! Sees words through markup, hyphens and letters that are spelled one by one.

use super::address::address;
use crate::guard::lexicon::{Concepts, is_known};
use std::ops::Range;

/// A sentence's end parts as much as so many words.
const SENTENCE: u32 = 4;

/// A new line's text parts more.
const LINE: u32 = 6;

/// A word as it stands, before its meaning is known.
pub(super) struct Word {
    pub text: String,
    pub at: Range<usize>,
    pub place: u32,
    pub clause: u32,
    pub sentence: u32,
    pub means: Concepts,
}

struct Splitter<'a> {
    words: Vec<Word>,
    text: &'a str,
    place: u32,
    clause: u32,
    sentence: u32,
}

pub(super) fn words(text: &str) -> Vec<Word> {
    let mut out = Splitter {
        words: Vec::new(),
        text,
        place: 0,
        clause: 0,
        sentence: 0,
    };
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        out.line(line, at);
        at += line.len();
    }
    out.words
}

impl Splitter<'_> {
    fn line(&mut self, line: &str, at: usize) {
        let bare = line.trim_start_matches([' ', '\t', '>']);
        let begins_anew = bare.trim().is_empty() || bare.starts_with(['-', '*', '+', '#', '|']);
        if begins_anew {
            // What ends with a colon goes on in the list below it.
            let goes_on = self.text[..at].trim_end().ends_with(':');
            self.part(if goes_on { 0 } else { LINE });
        }
        let mut from = 0;
        for chunk in line.split_inclusive(char::is_whitespace) {
            self.chunk(chunk.trim_end(), at + from);
            from += chunk.len();
        }
    }

    fn part(&mut self, by: u32) {
        self.place += by;
        self.clause += 1;
        self.sentence += u32::from(by > 0);
    }

    /// What stands between blanks: an address, or words and marks.
    fn chunk(&mut self, chunk: &str, at: usize) {
        if chunk == "&" || chunk == "&&" {
            return;
        }
        match address(chunk) {
            Some(means) => self.push(chunk.to_owned(), at..at + chunk.len(), means),
            None => self.parts(chunk, at),
        }
        let end = chunk.trim_end_matches(['"', '\'', '`', ')', '*', '_', '»', '”']);
        if end.ends_with(['.', '!', '?', ';']) {
            self.part(SENTENCE);
        } else if end.ends_with([',', ':', '—', '–']) || chunk == "-" || chunk.starts_with('(')
        {
            self.clause += 1;
        }
    }

    fn parts(&mut self, chunk: &str, at: usize) {
        let (mut word, mut start) = (String::new(), 0);
        let mut last_hyphen = None;
        for (offset, c) in chunk.char_indices() {
            if c.is_alphanumeric() || (matches!(c, '@' | '$') && !word.is_empty()) {
                if word.is_empty() {
                    start = offset;
                }
                word.push(match c {
                    '@' => '4',
                    '$' => '5',
                    _ => c,
                });
                continue;
            }
            let is_mark = |c: char| matches!(c, '*' | '`' | '~' | '\u{b7}');
            let mut behind = chunk[offset + c.len_utf8()..].chars();
            let next = behind.find(|c| !is_mark(*c));
            let is_inside = !word.is_empty() && next.is_some_and(char::is_alphanumeric);
            // Marks that a reader does not see, or hardly.
            if is_inside && is_mark(c) {
                continue;
            }
            if matches!(c, '\'' | '’') && is_inside && chunk[offset..].trim_start_matches(c) == "t"
            {
                continue;
            }
            self.word(
                &mut word,
                at + start..at + offset,
                &mut last_hyphen,
                c == '-' && is_inside,
            );
        }
        self.word(
            &mut word,
            at + start..at + chunk.len(),
            &mut last_hyphen,
            false,
        );
    }

    /// Ends a word. One behind a hyphen is one with the word before, where that is known.
    fn word(
        &mut self,
        word: &mut String,
        at: Range<usize>,
        hyphen: &mut Option<usize>,
        is_hyphen: bool,
    ) {
        if word.is_empty() {
            *hyphen = None;
            return;
        }
        let text = std::mem::take(word).replace('ß', "ss");
        let before = hyphen.and_then(|n| self.words.get_mut(n));
        let joined = before.filter(|b| is_known(&format!("{}{text}", b.text)));
        match joined {
            Some(before) => {
                before.text.push_str(&text);
                before.at.end = at.end;
            }
            None => self.push(text, at, 0),
        }
        *hyphen = is_hyphen.then(|| self.words.len() - 1);
    }

    fn push(&mut self, text: String, at: Range<usize>, means: Concepts) {
        self.place += 1;
        self.words.push(Word {
            text,
            at,
            place: self.place,
            clause: self.clause,
            sentence: self.sentence,
            means,
        });
    }
}

/// Letters that are spelled one by one, from four on, are one word.
pub(super) fn join_letters(words: &mut Vec<Word>, text: &str) {
    let is_letter =
        |w: &Word| w.means == 0 && w.text.len() == 1 && w.text.starts_with(char::is_alphabetic);
    // More than one blank between letters parts words.
    let goes_on = |a: &Word, b: &Word| {
        is_letter(a)
            && is_letter(b)
            && b.at.start - a.at.end == 1
            && text.is_char_boundary(b.at.start)
    };
    let mut out: Vec<Word> = Vec::with_capacity(words.len());
    let mut rest = std::mem::take(words).into_iter().peekable();
    while let Some(first) = rest.next() {
        let mut run = vec![first];
        while let Some(next) =
            rest.next_if(|next| run.last().is_some_and(|last| goes_on(last, next)))
        {
            run.push(next);
        }
        if run.len() < 4 {
            out.append(&mut run);
            continue;
        }
        let spelled = run.iter().map(|w| w.text.as_str()).collect();
        let end = run.last().map_or(0, |w| w.at.end);
        out.extend(run.into_iter().next().map(|first| Word {
            text: spelled,
            at: first.at.start..end,
            ..first
        }));
    }
    *words = out;
}
