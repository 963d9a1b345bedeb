//! Line ends and the gutters that tools put before and after lines: numbers, diff marks, boxes,
//! file names; and the joints between the strings that a text is put together from.

/// The longest gutter, in bytes.
const GUTTER: usize = 256;
/// How far a line's beginning is looked for, in bytes.
const BACK: usize = 512;

/// The last line of a text, or what there is of it.
pub(super) fn last(text: &[u8]) -> &[u8] {
    let feed = memchr::memrchr(b'\n', text);
    let start = feed.map_or(0, |feed| feed + 1);
    text.get(start..).unwrap_or(&[])
}

/// Where a text that was interrupted goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Next {
    pub at: usize,
    /// After a comma on the same line: it may be another text of a list.
    pub listed: bool,
}

/// Where the next line's text begins, if nothing but a gutter separates it from `at`.
pub(super) fn continuation(text: &[u8], at: usize) -> Option<usize> {
    let end = skip_trail(text, at);
    let feed = end + usize::from(text.get(end) == Some(&b'\r'));
    if text.get(feed) != Some(&b'\n') {
        return None;
    }
    let next = under(text, begin(text, at), feed + 1);
    // `…\n" +` above `"…`: a line end that stands in the string itself.
    let between = text.get(feed + 1..next)?;
    let closed = between.iter().any(|b| matches!(b, b'"' | b'\''));
    let again = text.get(next) == Some(&b'\n') && closed;
    Some(if again { gutter(text, next + 1) } else { next })
}

/// As [`continuation`]; or after the joint between two strings: `"…" + "…"`, `'…' . '…'`.
pub(super) fn next(text: &[u8], at: usize) -> Option<Next> {
    let plain = |at| Next { at, listed: false };
    let rest = text.get(at..).unwrap_or(&[]);
    let tag = ["<wbr>", "<br>", "<br/>", "<br />"];
    let tag = tag.iter().find(|t| rest.starts_with(t.as_bytes()));
    joint(text, at)
        .or_else(|| tag.map(|t| plain(at + t.len())))
        .or_else(|| continuation(text, at).map(plain))
}

/// After the joint between the string that ends at `at` and the next one.
pub(super) fn joint(text: &[u8], at: usize) -> Option<Next> {
    let quote = *text.get(at).filter(|b| matches!(b, b'"' | b'\''))?;
    let blank = |at: usize| skip_of(text, at, b" \t\r\n");
    let sign = blank(at + 1);
    let rest = text.get(sign..)?;
    let len = [&b".."[..], b"+", b".", b"&", b","]
        .iter()
        .find(|s| rest.starts_with(s))
        .map_or(0, |s| s.len());
    let open = blank(sign + len);
    let glued = open == at + 1;
    (text.get(open) == Some(&quote) && !glued).then(|| Next {
        at: open + 1,
        listed: rest.first() == Some(&b','),
    })
}

/// Where the line above ends, if `at` is where a line's text begins after its gutter.
pub(super) fn above(text: &[u8], at: usize) -> Option<usize> {
    let start = begin(text, at);
    let feed = start.checked_sub(1)?;
    let end = feed - usize::from(feed > 0 && text.get(feed - 1) == Some(&b'\r'));
    let end = skip_back(text, end);
    (under(text, begin(text, end), start) == at).then_some(end)
}

/// Whether only a gutter, or what closes a statement, stands between `at` and the line's end.
pub(super) fn ends_line(text: &[u8], at: usize) -> bool {
    let after = skip(text, skip_trail(text, at), b" \t;)]}.,");
    matches!(text.get(after), None | Some(b'\n' | b'\r' | b'`' | b'<'))
}

/// After the gutter that begins a line: spaces, quotes, `+`, `>`, box bars, `12→`, `12|`.
pub(super) fn gutter(text: &[u8], at: usize) -> usize {
    let at = skip(text, at, MARKS);
    skip(text, numbered(text, at, false).unwrap_or(at), b" \t|>\"'")
}

/// As [`gutter`], of a line whose neighbour above begins at `head`: marks that are so only where
/// both lines have them count as well.
fn under(text: &[u8], head: usize, at: usize) -> usize {
    let first = text.get(head..).unwrap_or(&[]);
    if let Some(after) = found_in(first, text, at) {
        return skip(text, after, b" \t");
    }
    let mut at = skip(text, at, b" \t");
    let mark = skip_of(first, 0, b" \t");
    let mark = first.get(mark..).unwrap_or(&[]);
    for sign in [&b"// "[..], b"-- ", b"; ", b"% ", b"-"] {
        let rest = text.get(at..).unwrap_or(&[]);
        if mark.starts_with(sign) && rest.starts_with(sign) {
            at += sign.len();
            break;
        }
    }
    let at = skip(text, at, MARKS);
    let spaced = numbered(first, skip(first, 0, MARKS), true).is_some();
    skip(text, numbered(text, at, spaced).unwrap_or(at), b" \t|>\"'")
}

const MARKS: &[u8] = b" \t|>+\"'#*";
const TRAIL: &[u8] = b" \t|\"'+\\,.&_=";

/// After a line's number and its mark, or with `spaced` the spaces behind it.
fn numbered(text: &[u8], at: usize, spaced: bool) -> Option<usize> {
    let at = at + usize::from(text.get(at) == Some(&b'L'));
    let line = text.get(at..)?.iter().take(8);
    let digits = line.take_while(|b| b.is_ascii_digit()).count();
    let after = skip_of(text, at + digits, b" ");
    let marked = after < skip(text, after, b"|\t:");
    let bare = spaced && after > at + digits;
    ((1..8).contains(&digits) && (marked || bare)).then(|| skip(text, after, b"|\t: "))
}

/// After `file:12:`, where the line above begins so too.
fn found_in(first: &[u8], text: &[u8], at: usize) -> Option<usize> {
    let is_number = |text: &[u8]| {
        let digits = text
            .iter()
            .skip(1)
            .take(8)
            .take_while(|b| b.is_ascii_digit());
        let end = 1 + digits.count();
        let mark = |b: Option<&u8>| matches!(b, Some(b':' | b'-'));
        (end > 1 && mark(text.first()) && mark(text.get(end))).then_some(end + 1)
    };
    let path = first.iter().take(BACK);
    let path = path.take_while(|b| !b.is_ascii_whitespace()).count();
    let name = (1..path).find(|at| first.get(*at..).and_then(is_number).is_some())?;
    let (name, number) = first.split_at_checked(name)?;
    is_number(number)?;
    let rest = text.get(at..)?.strip_prefix(name)?;
    (!name.is_empty()).then_some(at + name.len() + is_number(rest)?)
}

/// Where the line that holds `at` begins, or as far back as is looked.
fn begin(text: &[u8], at: usize) -> usize {
    let from = at.saturating_sub(BACK);
    let head = text.get(from..at).unwrap_or(&[]);
    from + memchr::memrchr(b'\n', head).map_or(0, |n| n + 1)
}

fn skip_trail(text: &[u8], at: usize) -> usize {
    skip(text, at, TRAIL)
}

/// Skips the trail of a line backwards.
fn skip_back(text: &[u8], mut end: usize) -> usize {
    for _ in 0..GUTTER {
        match text.get(..end).unwrap_or(&[]) {
            [.., b] if TRAIL.contains(b) => end -= 1,
            [.., 0xe2, 0x94..=0x97, _] => end -= 3,
            _ => break,
        }
    }
    end
}

fn skip_of(text: &[u8], at: usize, set: &[u8]) -> usize {
    let rest = text.get(at..).unwrap_or(&[]).iter();
    at + rest.take(GUTTER).take_while(|b| set.contains(b)).count()
}

/// Skips these bytes, and what draws: arrows, boxes, bullets.
fn skip(text: &[u8], mut at: usize, set: &[u8]) -> usize {
    let last = at + GUTTER;
    while at < last {
        match text.get(at..).unwrap_or(&[]) {
            [b, ..] if set.contains(b) => at += 1,
            [0xe2, 0x80, 0xa2, ..]
            | [0xe2, 0x86 | 0x87 | 0x8e | 0x8f | 0x94..=0x97, _, ..]
            | [0xe2, 0x9d, 0xaf, ..] => at += 3,
            [0xc2, 0xa0, ..] => at += 2,
            _ => break,
        }
    }
    at
}

/// Where a line ends that no backslash continues.
pub(super) fn joined_end(rest: &[u8]) -> usize {
    let mut feeds = memchr::memchr_iter(b'\n', rest);
    let first = feeds.find(|n| !rest.get(..*n).is_some_and(|h| h.ends_with(b"\\")));
    first.unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines below the first, as they are taken for parts of one text.
    fn pieces(text: &str) -> Vec<&str> {
        let word = |at: usize| {
            let rest = &text[at..];
            let len = rest.find(|c: char| !c.is_alphanumeric());
            &rest[..len.unwrap_or(rest.len())]
        };
        let mut at = text.find("AB").unwrap() + 2;
        let mut found = Vec::new();
        while let Some(next) = next(text.as_bytes(), at) {
            found.push(word(next.at));
            at = next.at + word(next.at).len();
        }
        found
    }

    #[test]
    fn a_text_goes_on_after_gutters_of_all_kinds() {
        for text in [
            "AB\nx1\nx2",
            "AB\r\nx1\r\nx2",
            "  8→AB\n  9→x1\n 10→x2",
            "  8 │ AB\n  9 │ x1\n 10 │ x2",
            "  8\tAB\n  9\tx1\n 10\tx2",
            "8: AB\n9: x1\n10: x2",
            "  8 AB\n  9 x1\n 10 x2",
            "+AB\n+x1\n+x2",
            "-AB\n-x1\n-x2",
            "// AB\n// x1\n// x2",
            "> > AB\n> > x1\n> > x2",
            "│ AB   │\n│ x1   │\n│ x2   │",
            "  ⎿  AB\n     x1\n     x2",
            "● AB\n  x1\n  x2",
            "a/b.txt:8:AB\na/b.txt:9:x1\na/b.txt:10:x2",
            "a-b.txt:8:AB\na-b.txt-9-x1\na-b.txt-10-x2",
            "k = \"AB\" + \"x1\" + \"x2\";",
            "k = 'AB' .\n  'x1' .\n  'x2';",
            "k = (\"AB\"\n     \"x1\"\n     \"x2\")",
            "AB\\\nx1\\\nx2",
        ] {
            assert_eq!(pieces(text), ["x1", "x2"], "{text}");
        }
        assert_eq!(pieces("AB then\nx1"), [""; 0]);
        assert_eq!(pieces("AB\n-x1"), [""], "an option is no line of a diff");
        assert_eq!(pieces("AB\n12 x1"), ["12"]);
    }

    #[test]
    fn the_line_above_is_found_again() {
        let text = "  8→ABCD\n  9→x1";
        let at = text.find("x1").unwrap();
        assert_eq!(above(text.as_bytes(), at), text.find('\n'));
        assert_eq!(above(text.as_bytes(), at + 1), None);
        assert_eq!(above(b"x1", 0), None);
    }
}
