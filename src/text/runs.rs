//! Words in a row, by which a text is known again inside another one however it was laid out there.

use super::hidden;
use std::hash::{DefaultHasher, Hash, Hasher};
use unicode_normalization::UnicodeNormalization;

/// Letters from here on belong to scripts many of which put no space between words: each counts as a
/// word.
const UNSPACED: char = '\u{e00}';
/// The longest tag that is passed over, and the longest character reference, in bytes.
const TAG: usize = 300;
const REFERENCE: usize = 12;

/// Hashes of a text's words, in order: without case, punctuation, markup, escapes, hidden characters
/// and the numbers that a listing puts before lines.
#[must_use]
pub fn word_hashes(text: &str) -> Vec<u64> {
    let folded = folded(&bare(text));
    let is_letter = |c: char| c.is_alphanumeric() && c < UNSPACED;
    let mut all = Vec::new();
    let mut rest = folded.as_str();
    while let Some(first) = rest.chars().next() {
        let end = match is_letter(first) {
            true => rest.find(|c| !is_letter(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        if first.is_alphanumeric() {
            all.push(hash(&rest[..end]));
        }
        rest = &rest[end..];
    }
    all
}

/// One hash for each `length` words in a row.
pub fn runs(words: &[u64], length: usize) -> impl Iterator<Item = u64> {
    words.windows(length.max(1)).map(hash)
}

fn hash(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let is_shown = |c: &char| c.is_ascii() || hidden(c.encode_utf8(&mut [0; 4])).is_empty();
    let folded = text.nfkc().flat_map(char::to_lowercase);
    folded.filter(is_shown).collect()
}

/// The text with a space for each tag, character reference, escape and line number.
fn bare(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    for line in text.split('\n') {
        let mut rest = unnumbered(line);
        while let Some(at) = rest.find(['<', '&', '\\', '\u{1b}']) {
            bare.push_str(&rest[..at]);
            bare.push(' ');
            rest = &rest[at + passed(&rest[at..])..];
        }
        bare.push_str(rest);
        bare.push('\n');
    }
    bare
}

/// A line of a listing without its number: `12→`, `12:`, `12|`, `12` and a tab.
fn unnumbered(line: &str) -> &str {
    let after = line
        .trim_start()
        .trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = after.len() < line.trim_start().len();
    match after.strip_prefix(['→', '\t', ':', '|']) {
        Some(rest) if is_numbered => rest,
        _ => line,
    }
}

/// How many bytes of what begins here are no words.
fn passed(text: &str) -> usize {
    let bytes = text.as_bytes();
    let until = |end: u8, most: usize| {
        let found = bytes.iter().take(most).skip(1).position(|b| *b == end);
        found.map_or(1, |at| at + 2)
    };
    match bytes {
        [b'<', b'/' | b'!' | b'a'..=b'z' | b'A'..=b'Z', ..] => until(b'>', TAG),
        [b'&', b'#' | b'a'..=b'z' | b'A'..=b'Z', ..] => until(b';', REFERENCE),
        [b'\\', b'n' | b'r' | b't', ..] => 2,
        [0x1b, b'[', ..] => {
            let end = bytes.iter().skip(2).position(u8::is_ascii_alphabetic);
            end.map_or(1, |at| at + 3)
        }
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_are_the_same_however_they_are_laid_out() {
        let plain = word_hashes("The nightly job uploads build logs.");
        assert_eq!(plain.len(), 6);
        for same in [
            "the NIGHTLY job,\nuploads (build) logs",
            "The <b class=\"x\">nightly</b> job uploads&nbsp;build &#32; logs",
            "  12→The nightly job\n  13→uploads build logs",
            "7:the nightly\n8:job uploads build logs",
            "**The** nightly\\njob \u{1b}[1muploads\u{1b}[0m build_logs",
            "The night\u{ad}ly job up\u{200b}loads build logs",
            "Ｔhe nightly job uploads build logs",
        ] {
            assert_eq!(word_hashes(same), plain, "{same}");
        }
        assert_ne!(word_hashes("The nightly job uploads no logs."), plain);
        assert_eq!(word_hashes("夜間ジョブ").len(), 5);
        assert_eq!(word_hashes("a < b && c").len(), 3);
        assert_eq!(word_hashes("port 8080: <"), word_hashes("port 8080"));
    }

    #[test]
    fn runs_are_as_long_as_asked_for() {
        let words = word_hashes("one two three four");
        assert_eq!(runs(&words, 3).count(), 2);
        assert_eq!(runs(&words, 5).count(), 0);
        let again = word_hashes("and one two three");
        assert!(runs(&again, 3).any(|run| runs(&words, 3).any(|r| r == run)));
    }
}
