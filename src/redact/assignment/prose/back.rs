//! A value that stands before its name: `use … as the password`, `… is the root password`, `why does
//! … not work as the password?`, `… (that's our API key)`.
//!
//! Only finds where it stands; looks at one line, and no further than some hundred bytes.

use super::super::super::lexicon::Lexicon;
use super::super::super::{odds, phrase};
use super::before;
use std::ops::Range;
use std::sync::LazyLock;

/// `use … as the password`, `… is the root password`: the value that stands before its name.
///
/// And whether nothing else of a sentence follows: `… is the password hasher`.
pub(in super::super) fn before_name(
    text: &[u8],
    name: &Range<usize>,
) -> Option<(Range<usize>, bool)> {
    let owns = matches!(text.get(name.end..), Some([b'\'', b's', ..]));
    if text.get(..name.start)?.last() != Some(&b' ') || owns {
        return None;
    }
    let line = before(text, name, 160);
    let told = says(line);
    let used = told.then(|| used_as(line)).flatten();
    let closes = || ends_name(text, name.end);
    // `(the simplify pass)`
    let verb = || {
        text.get(name.clone())
            .is_some_and(|name| name.eq_ignore_ascii_case(b"pass"))
    };
    let linked = || linked_to(line).filter(|_| closes() && !verb());
    let said = || told.then(|| said_to_be(line)).flatten();
    let head = used.or_else(said).or_else(linked)?;
    let ends = used.is_some() || closes();
    let len = head
        .iter()
        .rev()
        .take_while(|b| !b.is_ascii_whitespace())
        .count();
    let word = head.get(head.len() - len..)?;
    let quote = |b: &u8| matches!(b, b'"' | b'\'' | b'`' | b'(' | b')' | b',' | b';');
    let marks = word.iter().take_while(|b| quote(b)).count();
    let tail = word.iter().rev().take_while(|b| quote(b)).count();
    let start = name.start - (line.len() - head.len()) - len;
    let inner = word.get(marks..len.checked_sub(tail)?)?;
    let second = second_of(inner);
    let start = start + marks;
    (!inner.is_empty()).then(|| (start + second.start..start + second.end, ends))
}

/// Whether `as` or `is` ends a word of a line.
fn says(line: &[u8]) -> bool {
    let before = |at: usize| at.checked_sub(1).and_then(|n| line.get(n));
    let mut ends = memchr::memchr_iter(b's', line);
    ends.any(|at| matches!(before(at), Some(b'a' | b'i')) && line.get(at + 1) == Some(&b' '))
}

/// `root/…,root`: the second of a pair, up to a comma with words behind it.
fn second_of(word: &[u8]) -> Range<usize> {
    let comma = word.iter().position(|b| *b == b',');
    let after = |at: usize| word.get(at + 1..).unwrap_or(&[]);
    let said = comma.filter(|at| after(*at).iter().all(u8::is_ascii_alphabetic));
    let end = said.unwrap_or(word.len());
    let head = word.get(..end).unwrap_or(word);
    let slash = head.iter().position(|b| *b == b'/').filter(|at| {
        let user = head.get(..*at).unwrap_or(&[]);
        (2..=24).contains(at) && user.iter().all(u8::is_ascii_lowercase) && end - at > 6
    });
    let slash = slash.filter(|_| head.iter().filter(|b| **b == b'/').count() == 1);
    slash.map_or(0, |at| at + 1)..end
}

/// What stands before ` as the `, if it ends with a verb and a word.
fn used_as(line: &[u8]) -> Option<&[u8]> {
    const VERBS: [&[u8]; 11] = [
        b"use", b"using", b"used", b"with", b"set", b"enter", b"put", b"type", b"take", b"try",
        b"tried",
    ];
    let head = before_as(line)?;
    let verb = head.rsplit(|b| *b == b' ').nth(1)?;
    VERBS
        .iter()
        .any(|v| v.eq_ignore_ascii_case(verb))
        .then_some(head)
}

/// What stands before ` as the root `, up to two words between.
fn before_as(line: &[u8]) -> Option<&[u8]> {
    before_words(line, |rest| {
        let bare = without_article(rest);
        bare.strip_suffix(b" as ").or(bare.strip_suffix(b" as"))
    })
}

/// What links a value to the name behind it: `why does … not work as the`, `…, that's our`,
/// `… (that's the`, `… # root`, `put … into`.
const LINKS: [&str; 33] = [
    "als", "ist", "as", "is", "that's", "it's", "thats", "work", "works", "working", "for", "into",
    "at", "when", "asks", "not", "still", "right", "really", "correct", "same", "now", "it", "its",
    "this", "which", "was", "be", "to", "#", "<-", "--", "//",
];
/// What may stand besides between a value and the name behind it.
const BETWEEN: [&str; 40] = [
    "das",
    "dein",
    "mein",
    "unser",
    "neues",
    "altes",
    "neue",
    "the",
    "a",
    "an",
    "my",
    "our",
    "your",
    "their",
    "his",
    "her",
    "new",
    "old",
    "current",
    "default",
    "initial",
    "temporary",
    "please",
    "admin",
    "root",
    "db",
    "database",
    "api",
    "access",
    "wifi",
    "user",
    "login",
    "service",
    "staging",
    "prod",
    "production",
    "test",
    "deploy",
    "client",
    "master",
];
/// The bits of those two lists.
const LINK: u8 = 1;
const OTHER: u8 = 2;

static JOINING: LazyLock<Lexicon> = LazyLock::new(|| {
    let links = LINKS.iter().map(|word| (*word, LINK));
    Lexicon::new(links.chain(BETWEEN.iter().map(|word| (*word, OTHER))))
});

/// The most words between a value and the name behind it.
const LINKED: usize = 8;

/// What a line holds up to the value that is linked to the name at its end, by words that say
/// nothing else.
fn linked_to(line: &[u8]) -> Option<&[u8]> {
    let means = |word: &[u8]| JOINING.get(&[word]);
    let mut rest = line.strip_suffix(b" ")?;
    let (mut linked, mut own) = (false, 0);
    for _ in 0..LINKED {
        let start = rest.iter().rposition(|b| *b == b' ').map_or(0, |at| at + 1);
        let word = rest.get(start..)?;
        let bare = word.strip_prefix(b"(").unwrap_or(word);
        let bare = bare.strip_suffix(b",").unwrap_or(bare);
        let meant = means(bare);
        let link = meant & LINK != 0;
        if meant == 0 {
            // `root/…,root login`
            let listed = word.rsplit(|b| *b == b',').next();
            let said =
                linked || listed != Some(word) && listed.is_some_and(|w| means(w) & OTHER != 0);
            if said && could_be_value(word) {
                return Some(rest);
            }
            // What kind of name it is: `our JWT signing`.
            own += 1;
            let plain = bare.iter().all(u8::is_ascii_alphabetic);
            if linked || own > 2 || !plain {
                return None;
            }
        }
        // `… (slack token)`
        linked |= link || word.starts_with(b"(");
        rest = rest.get(..start.checked_sub(1)?)?;
    }
    None
}

/// A cheap look at a word: most are words of a sentence.
fn could_be_value(word: &[u8]) -> bool {
    let mark = |b: &&u8| b"\"'`,.;():".contains(*b);
    let tail = word.iter().rev().take_while(mark).count();
    let word = word.get(..word.len() - tail).unwrap_or(word);
    let word = word
        .get(word.iter().take_while(mark).count()..)
        .unwrap_or(word);
    // `uses: a/b@…  # token`: which commit of what.
    let last = word
        .rsplit(|b| matches!(b, b'@' | b'/'))
        .next()
        .unwrap_or(word);
    let hex = last.iter().all(u8::is_ascii_hexdigit);
    let commit = hex && (last.len() < word.len() || last.len() < 32 || last.len() == 40);
    // `'app'@'10.0.0.41' (using password: YES)`: who, and from where.
    let host = last.len() < word.len()
        && last.iter().filter(|b| **b == b'.').count() >= 3
        && last.iter().all(|b| b.is_ascii_digit() || *b == b'.');
    let account = host || word.windows(3).any(|w| w == b"'@'");
    (6..=64).contains(&word.len())
        && !commit
        && !account
        && !word.iter().any(|b| b"\"{}\\".contains(b))
        && (word.iter().any(u8::is_ascii_digit)
            || odds::of(word) >= 6.0
            || word.contains(&b'-') && phrase::is_chosen(word))
}

/// Whether a name ends what is said: no `password hasher`.
fn ends_name(text: &[u8], at: usize) -> bool {
    const AFTER: [&[u8]; 14] = [
        b"for", b"on", b"in", b"of", b"at", b"we", b"i", b"now", b"anymore", b"here", b"prompt",
        b"again", b"and", b"but",
    ];
    let Some([b' ', rest @ ..]) = text.get(at..) else {
        return true;
    };
    let len = rest.iter().take(12).take_while(|b| b.is_ascii_alphabetic());
    let word = rest.get(..len.count()).unwrap_or(rest);
    word.is_empty() || AFTER.iter().any(|a| a.eq_ignore_ascii_case(word))
}

/// What stands before ` is the root `, up to two words between.
fn said_to_be(line: &[u8]) -> Option<&[u8]> {
    before_words(line, |rest| {
        let bare = without_article(rest);
        let said = (bare.len() < rest.len()).then_some(bare)?;
        said.strip_suffix(b" is")
    })
}

/// What `ends` finds at a line's end, or before its last word or two.
fn before_words<'t>(
    line: &'t [u8],
    ends: impl Fn(&'t [u8]) -> Option<&'t [u8]>,
) -> Option<&'t [u8]> {
    let mut rest = line.strip_suffix(b" ")?;
    for _ in 0..3 {
        if let Some(head) = ends(rest) {
            return Some(head);
        }
        let space = rest.iter().rposition(|b| *b == b' ')?;
        let word = rest.get(space + 1..)?;
        let plain = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
        if !word.iter().all(plain) {
            return None;
        }
        rest = rest.get(..space)?;
    }
    None
}

fn without_article(line: &[u8]) -> &[u8] {
    const ARTICLES: [&[u8]; 7] = [
        b" the", b" a", b" my", b" your", b" our", b" its", b" their",
    ];
    let line = line.strip_suffix(b" ").unwrap_or(line);
    let article = ARTICLES.iter().find_map(|a| line.strip_suffix(*a));
    article.unwrap_or(line)
}
