//! Commands as lists of their arguments: `["curl", "-u", "…"]`, `Command::new("curl").arg("-u")`,
//! `- curl⏎- -u⏎- …`, `<string>curl</string>⏎<string>-u</string>`.
//!
//! Turns such a list into the line a shell would take, so that what is known of the command holds
//! for it; judges nothing.

use super::super::scan::Scan;
use super::COMMANDS;
use std::ops::Range;

/// What may stand behind a command's first word where it is an item of a list.
const CLOSES: [&str; 5] = ["\"", "'", ",", "</string>", "\n"];
/// The most items of one list.
const ITEMS: usize = 64;
/// The longest that stands between two items, in bytes.
const GAP: usize = 120;
/// The longest path before a command's name, in bytes.
const PATH: usize = 100;
/// What adds an item to a list, with the parenthesis behind it.
const ADDS: [&[u8]; 6] = [
    b".arg(",
    b".args(",
    b".args(&",
    b".Add(",
    b".add(",
    b".addArgument(",
];
/// Words that are no commands where they stand in a list, or too common.
const NONE: [&str; 9] = [
    "server",
    "password",
    "dns",
    "security",
    "login",
    "secret",
    "secrets",
    "authtoken",
    "upload-process",
];

/// The first words of the commands as items: the anchors of their rule.
pub(super) fn names() -> impl Iterator<Item = String> {
    let mut words: Vec<&str> = COMMANDS.iter().filter_map(|(n, _)| first_word(n)).collect();
    words.sort_unstable();
    words.dedup();
    let all = words.into_iter();
    all.flat_map(|word| CLOSES.iter().map(move |close| format!("{word}{close}")))
}

/// The word that a command begins with, if it is one.
fn first_word(name: &str) -> Option<&str> {
    let word = name.split(' ').next()?;
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'.');
    let fits = word.len() >= 2 && word.bytes().all(plain) && !word.starts_with('-');
    (fits && !NONE.contains(&word)).then_some(word)
}

/// How the items of a list are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    /// In quotes.
    Quoted,
    /// As they are, between commas.
    Bare,
    /// A line each, behind a dash.
    Lines,
    /// As elements.
    Elements,
}

/// A list as a line: each byte of it stands for one of the text.
pub(super) struct Line {
    /// The words with blanks between them; what would end a word or a command stands for itself
    /// only in the text.
    pub bytes: Vec<u8>,
    /// Where each word begins, in the line and, if it is a string, in the text.
    words: Vec<(usize, Option<usize>)>,
    /// Up to where the text was read.
    pub end: usize,
}

impl Line {
    /// Where a range of the line stands in the text.
    pub fn of(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let (word, text) = self.words.iter().rfind(|(at, _)| *at <= range.start)?;
        let start = (*text)? + range.start - word;
        Some(start..start + range.len())
    }

    /// An item that is a name of the program.
    fn push_name(&mut self) {
        self.bytes.push(b' ');
        self.words.push((self.bytes.len(), None));
        self.bytes.extend_from_slice(b"$name");
    }

    fn push(&mut self, text: &[u8], item: Range<usize>) {
        if !self.bytes.is_empty() {
            self.bytes.push(b' ');
        }
        self.words.push((self.bytes.len(), Some(item.start)));
        let item = text.get(item).unwrap_or(&[]);
        self.bytes.extend(item.iter().map(|b| match b {
            b'"' | b'\'' | b'`' | b'|' | b';' | b'<' | b'>' | b'&' | b'#' | b')' => b'_',
            b if b.is_ascii_whitespace() => b'_',
            b => *b,
        }));
    }
}

/// The line of the list whose first item ends with these bytes, from its command's name on.
pub(super) fn line(scan: &Scan<'_>, name: &Range<usize>) -> Option<Line> {
    let text = scan.text;
    let bytes = scan.bytes(name.clone());
    let close = CLOSES.iter().find(|c| bytes.ends_with(c.as_bytes()))?;
    let word = name.start..name.end - close.len();
    let written = match *close {
        "," => Written::Bare,
        "\n" => Written::Lines,
        "\"" | "'" => Written::Quoted,
        _ => Written::Elements,
    };
    if !begins(text, &word, written, bytes.last().copied()?) {
        return None;
    }
    let mut line = Line {
        bytes: Vec::new(),
        words: Vec::new(),
        end: name.end,
    };
    line.push(text, word.clone());
    let mut at = word.end;
    while let Some((names, item)) = next(text, at, written).filter(|_| line.words.len() < ITEMS) {
        at = item.end;
        line.end = at;
        // A command of more words is told by its first items.
        if line.words.len() <= 3 && !may_be(&line.bytes) {
            return None;
        }
        for _ in 0..names {
            line.push_name();
        }
        line.push(text, item);
    }
    (line.words.len() > 1).then_some(line)
}

/// Whether a command may begin so.
fn may_be(line: &[u8]) -> bool {
    let fits = |name: &[u8]| line.starts_with(name) || name.starts_with(line);
    COMMANDS.iter().any(|(name, _)| fits(name.as_bytes()))
}

/// Whether an item of a list begins before this word, or a path that it ends.
fn begins(text: &[u8], word: &Range<usize>, written: Written, close: u8) -> bool {
    let head = text.get(word.start.saturating_sub(PATH)..word.start);
    let head = head.unwrap_or(&[]);
    let path = |b: &&u8| b.is_ascii_alphanumeric() || b"/._-\\:".contains(b);
    let len = head.iter().rev().take_while(path).count();
    let before = |len: usize| head.get(..head.len() - len).unwrap_or(&[]);
    match written {
        Written::Quoted => before(len).last() == Some(&close),
        Written::Bare => {
            let opens = before(len).trim_ascii_end().last();
            matches!(opens, Some(b'[' | b','))
        }
        Written::Lines => before(len).ends_with(b"- "),
        Written::Elements => before(len).ends_with(b"<string>"),
    }
}

/// The item behind one that ends here, before its quote, and how many names stand between them.
fn next(text: &[u8], end: usize, written: Written) -> Option<(usize, Range<usize>)> {
    let quoted = usize::from(matches!(text.get(end), Some(b'"' | b'\'')));
    let item = match written {
        Written::Quoted => return in_quotes(text, end, end + quoted),
        Written::Bare => {
            let comma = end + quoted;
            let at = (text.get(comma) == Some(&b',')).then(|| blanks(text, comma + 1))?;
            string(text, at).or_else(|| bare(text, at, b",]\n"))
        }
        Written::Lines => {
            let at = below(text, end)?;
            string(text, at).or_else(|| bare(text, at, b"\n"))
        }
        Written::Elements => {
            let at = blanks(text, end + "</string>".len());
            let rest = text.get(at..)?.strip_prefix(b"<string>")?;
            let len = memchr::memchr2(b'<', b'\n', rest)?;
            let start = at + "<string>".len();
            Some(start..start + len)
        }
    };
    Some((0, item?))
}

/// The string behind one that is closed at `after`.
fn in_quotes(text: &[u8], end: usize, after: usize) -> Option<(usize, Range<usize>)> {
    let Some(start) = gap(text, after) else {
        return Some((0, string(text, below(text, end)?)?));
    };
    let (names, at) = past_names(text, start);
    string(text, opened(text, at)).map(|item| (names, item))
}

/// Where the item behind a string begins: after a comma, in the next call, or in a list of its own.
fn gap(text: &[u8], at: usize) -> Option<usize> {
    let start = blanks(text, at);
    let rest = text.get(start..)?;
    match rest.first()? {
        b'"' | b'\'' => Some(start),
        b',' => Some(blanks(text, start + 1)),
        b')' | b']' => added(text, start),
        // `a1="-u"`: as a kernel's audit writes it.
        b'a' => {
            let digits = rest.iter().skip(1).take(3);
            let digits = digits.take_while(|b| b.is_ascii_digit()).count();
            (rest.get(1 + digits) == Some(&b'=')).then_some(start + digits + 2)
        }
        _ => None,
    }
}

/// After items that are no strings, `app_id, `, and how many they are.
fn past_names(text: &[u8], at: usize) -> (usize, usize) {
    let (mut names, mut at) = (0, at);
    for _ in 0..4 {
        let rest = text.get(at..).unwrap_or(&[]).iter().take(GAP);
        let name = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'*');
        let len = rest.take_while(name).count();
        if len == 0 || text.get(at + len) != Some(&b',') {
            break;
        }
        at = blanks(text, at + len + 1);
        names += 1;
    }
    (names, at)
}

/// Inside the bracket that opens a list of arguments: `[`, `&[`, `[]string{`, `"args": [`.
fn opened(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or(&[]);
    let rest = rest.get(..GAP).unwrap_or(rest);
    let named = [&b"\"args\""[..], b"'args'", b"args"];
    let named = named.iter().find(|n| rest.starts_with(n));
    let from = named.map_or(0, |n| n.len());
    let fits = |b: &&u8| b.is_ascii_alphanumeric() || b" :=&@.![](){}\r\n\t".contains(b);
    let body = rest.get(from..).unwrap_or(&[]);
    let len = body.iter().take_while(fits).count();
    let head = body.get(..len).unwrap_or(&[]).trim_ascii_end();
    let opens = matches!(head.last(), Some(b'[' | b'(' | b'{'));
    if opens { at + from + len } else { at }
}

/// Inside the next call that adds an item: `).arg(`, `);⏎cmd.ArgumentList.Add(`, `], args: [`.
fn added(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let rest = rest.get(..GAP).unwrap_or(rest);
    let quote = rest.iter().position(|b| matches!(b, b'"' | b'\''))?;
    let head = rest.get(..quote)?;
    let call = head.strip_suffix(b"[").unwrap_or(head);
    let plain = |b: &u8| b.is_ascii_alphanumeric() || b" \t\r\n.;()[]&_".contains(b);
    if head.iter().all(plain) && ADDS.iter().any(|add| call.ends_with(add)) {
        return Some(at + quote);
    }
    let listed = head.trim_ascii_end().strip_suffix(b"[")?.trim_ascii_end();
    let named = listed.strip_suffix(b":")?.trim_ascii_end();
    let close = named.strip_suffix(b"args")?.trim_ascii();
    matches!(close, b"]" | b"],").then_some(at + quote)
}

/// What stands in the quotes that begin here.
fn string(text: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let quote = *rest.first().filter(|b| matches!(b, b'"' | b'\''))?;
    let body = rest.get(1..)?;
    let mut ends = memchr::memchr2_iter(quote, b'\n', body);
    let len = ends.find(|n| !body.get(..*n).is_some_and(|b| b.ends_with(b"\\")));
    let len = len.unwrap_or(body.len());
    (body.get(len) != Some(&b'\n')).then_some(at + 1..at + 1 + len)
}

/// What stands here without quotes.
fn bare(text: &[u8], at: usize, ends: &[u8]) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let len = rest.iter().position(|b| ends.contains(b));
    let item = rest.get(..len.unwrap_or(rest.len()))?.trim_ascii_end();
    (!item.is_empty()).then_some(at..at + item.len())
}

/// Where the next line's item begins, behind its dash.
fn below(text: &[u8], end: usize) -> Option<usize> {
    let rest = text.get(end..)?;
    let quoted = usize::from(matches!(rest.first(), Some(b'"' | b'\'')));
    let feed = usize::from(rest.get(quoted) == Some(&b'\r')) + quoted;
    (rest.get(feed) == Some(&b'\n')).then_some(())?;
    let line = rest.get(feed + 1..)?;
    let column = line.iter().take(GAP).take_while(|b| **b == b' ').count();
    let item = line.get(column..)?.strip_prefix(b"- ")?;
    let gap = item.iter().take(4).take_while(|b| **b == b' ').count();
    Some(end + feed + 1 + column + 2 + gap)
}

/// After the blanks and line ends that stand here.
fn blanks(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or(&[]).iter().take(GAP);
    at + rest.take_while(|b| b.is_ascii_whitespace()).count()
}
