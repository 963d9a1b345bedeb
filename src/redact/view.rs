//! The text as the rules see it: escapes decoded, terminal colours and invisible characters gone.
//!
//! One pass; only the places where view and raw part company are stored, so plain text costs a
//! copy. Rules work on the view, and their spans are mapped back.

mod unseen;

use std::borrow::Cow;
use std::ops::Range;

/// The byte of the view at `view` stands for the `width` raw bytes at `raw`; after it, view and raw
/// text run in step.
#[derive(Debug, Clone, Copy)]
struct Break {
    view: usize,
    raw: usize,
    width: usize,
}

/// A normalised text with the way back. A text without escapes is its own view.
pub(super) struct View<'t> {
    bytes: Cow<'t, [u8]>,
    breaks: Vec<Break>,
}

/// What stands at a special byte: how many raw bytes, and the byte they mean, if any.
struct Escape {
    raw: usize,
    byte: Option<u8>,
}

impl<'t> View<'t> {
    pub fn new(raw: &'t [u8]) -> Self {
        let mut view = Self {
            bytes: Cow::Borrowed(&[]),
            breaks: Vec::new(),
        };
        let (mut copied, mut at) = (0, 0);
        let mut specials = Specials::new(raw);
        while let Some(found) = specials.next(at) {
            let rest = raw.get(found..).unwrap_or(&[]);
            // Most of them, in JSON.
            if let [b'\\', mark, ..] = rest
                && let Some(byte) = short(*mark)
            {
                view.copy(raw, copied..found);
                view.put(found, 2, byte);
                at = found + 2;
                copied = at;
                continue;
            }
            let hidden = || unseen::hidden(raw, found).map(|raw| Escape { raw, byte: None });
            let Some(escape) = escape(rest).or_else(hidden) else {
                at = found + 1;
                continue;
            };
            view.copy(raw, copied..found);
            let after = rest.get(escape.raw..).unwrap_or(&[]);
            view.take(found, &escape, after);
            at = found + escape.raw;
            copied = at;
        }
        if copied == 0 {
            view.bytes = Cow::Borrowed(raw);
        } else {
            view.copy(raw, copied..raw.len());
        }
        view
    }

    /// Appends what means itself; the first time, makes the view one of its own.
    fn copy(&mut self, raw: &[u8], range: Range<usize>) {
        if let Cow::Borrowed(_) = self.bytes {
            // As long as the text, so that it never moves.
            self.bytes = Cow::Owned(Vec::with_capacity(raw.len()));
        }
        if let Cow::Owned(bytes) = &mut self.bytes {
            bytes.extend_from_slice(raw.get(range).unwrap_or(&[]));
        }
    }

    /// `rest` is what follows in the raw text. What is dropped keeps two words apart where the
    /// second one is a token: a colour often stands where a space would.
    fn take(&mut self, raw: usize, escape: &Escape, rest: &[u8]) {
        let view = self.bytes.len();
        let apart = || {
            let after_word = self.bytes.last().is_some_and(u8::is_ascii_alphanumeric);
            (after_word && begins_token(rest)).then_some(b' ')
        };
        match escape.byte.or_else(apart) {
            Some(byte) => self.put(raw, escape.raw, byte),
            None => self.part(view, raw + escape.raw, 1),
        }
    }

    /// A byte that so many raw ones mean.
    #[inline]
    fn put(&mut self, raw: usize, width: usize, byte: u8) {
        let view = self.bytes.len();
        if let Cow::Owned(bytes) = &mut self.bytes {
            bytes.push(byte);
        }
        self.part(view, raw, width);
    }

    #[inline]
    fn part(&mut self, view: usize, raw: usize, width: usize) {
        let here = Break { view, raw, width };
        match self.breaks.last_mut() {
            // Of two at one place, nothing stands between them: the later one says where raw goes on.
            Some(last) if last.view == view => *last = here,
            _ => self.breaks.push(here),
        }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The raw bytes that a range of the view stands for.
    pub fn raw(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.place(range.start).start;
        let end = match range.end.checked_sub(1) {
            Some(last) if range.end > range.start => self.place(last).end,
            _ => start,
        };
        start..end
    }

    /// The raw bytes of one byte of the view.
    fn place(&self, at: usize) -> Range<usize> {
        let after = self.breaks.partition_point(|b| b.view <= at);
        match after.checked_sub(1).and_then(|n| self.breaks.get(n)) {
            Some(b) if b.view == at => b.raw..b.raw + b.width,
            Some(b) => {
                let raw = b.raw + b.width + (at - b.view - 1);
                raw..raw + 1
            }
            None => at..at + 1,
        }
    }
}

/// Whether an escape may begin with this byte, followed by that one: of control characters, of
/// escapes in text, of characters without width and letters in another width, of what was hidden
/// before.
#[inline]
const fn is_special(byte: u8, next: u8) -> bool {
    let digit = next.wrapping_sub(b'0') < 10;
    let word = (next | 0x20).wrapping_sub(b'a') < 26;
    let text = (byte == b'\\')
        | (byte == b'%') & (digit | word)
        | (byte == b'&') & (word | (next == b'#'))
        | (byte == b'^') & (next == b'[')
        | (byte == b'[') & (digit | (next == b'R'));
    let blank = (byte == b'\t') | (byte == b'\n') | (byte == b'\r');
    let control = (byte < 0x20) & !blank | (byte == 0x7f);
    let two = (byte == 0xc2) | (byte == 0xcc) | (byte == 0xcd) | (byte == 0xd8);
    let three = (byte == 0xe1) | (byte == 0xe2) | (byte == 0xef);
    // Most of what begins so is Japanese.
    let kana = (byte == 0xe3) & ((next == 0x80) | (next == 0x85));
    text | control | two | three | kana | (byte == 0xf0) & (next == 0x9d) | (byte == 0xf3)
}

/// Whether a byte is special before some other byte. No branches, so that many are asked at once;
/// most text has none.
#[inline]
const fn may_be_special(byte: u8) -> bool {
    let sign = (byte.wrapping_sub(b'[') < 4) | (byte.wrapping_sub(b'%') < 2);
    let blank = (byte.wrapping_sub(b'\t') < 2) | (byte == b'\r');
    let control = (byte < 0x20) & !blank | (byte == 0x7f);
    sign | control | (byte >= 0xc2)
}

/// The special bytes of a text, one after the other.
struct Specials<'t> {
    raw: &'t [u8],
    /// Where the piece begins that was looked at last.
    piece: usize,
    /// A bit for each of its bytes that may be special.
    marks: u64,
}

/// How many bytes are looked at together.
const PIECE: usize = 64;

impl<'t> Specials<'t> {
    fn new(raw: &'t [u8]) -> Self {
        let mut all = Self {
            raw,
            piece: 0,
            marks: 0,
        };
        all.look(0);
        all
    }

    /// The first one from a place on, which is not before the last one.
    #[inline]
    fn next(&mut self, from: usize) -> Option<usize> {
        if from >= self.piece + PIECE {
            self.look(from);
        }
        self.marks &= u64::MAX << (from - self.piece);
        loop {
            while self.marks == 0 {
                if self.piece >= self.raw.len() {
                    return None;
                }
                self.look(self.piece + PIECE);
            }
            let at = self.piece + self.marks.trailing_zeros() as usize;
            self.marks &= self.marks - 1;
            let byte = |at: usize| self.raw.get(at).copied().unwrap_or(0);
            // Most are the same one, in JSON.
            if byte(at) == b'\\' || is_special(byte(at), byte(at + 1)) {
                return Some(at);
            }
        }
    }

    /// Looks at a piece whole.
    fn look(&mut self, piece: usize) {
        let rest = self.raw.get(piece..).unwrap_or(&[]);
        self.piece = piece;
        self.marks = match rest.first_chunk() {
            Some(bytes) => marks(bytes),
            None => {
                let mut bytes = [b' '; PIECE];
                bytes
                    .iter_mut()
                    .zip(rest)
                    .for_each(|(to, from)| *to = *from);
                marks(&bytes)
            }
        };
    }
}

/// A bit for each byte that may be special.
fn marks(bytes: &[u8; PIECE]) -> u64 {
    /// Takes the lowest bits of eight bytes together, in the highest byte.
    const TOGETHER: u64 = 0x0102_0408_1020_4080;
    let mut marks = [0_u8; PIECE];
    for (mark, byte) in marks.iter_mut().zip(bytes) {
        *mark = u8::from(may_be_special(*byte));
    }
    let eights = marks.as_chunks().0.iter().enumerate();
    let bits = eights
        .map(|(n, eight)| (u64::from_le_bytes(*eight).wrapping_mul(TOGETHER) >> 56) << (8 * n));
    bits.fold(0, |all, bits| all | bits)
}

fn escape(rest: &[u8]) -> Option<Escape> {
    match rest.first()? {
        0x1b => ansi(rest, 1),
        0x00 => between_zeros(rest, 1).or_else(|| ends_entry(rest, 1)),
        // Struck twice, as manual pages print bold.
        0x08 => rest
            .get(1)
            .filter(|b| b.is_ascii_graphic())
            .map(|_| Escape { raw: 2, byte: None }),
        b'\\' => backslash(rest),
        b'%' => percent(rest),
        b'&' => entity(rest),
        b'^' if rest.get(1) == Some(&b'[') => ansi(rest, 2),
        // What is left of a colour where the first byte was taken out.
        b'[' if rest.get(1).is_some_and(u8::is_ascii_digit) => {
            colour(rest, 0).filter(|e| rest.get(e.raw - 1) == Some(&b'm'))
        }
        0xc2 if rest.get(1) == Some(&0x9b) => colour(rest, 1),
        // Pages and columns end with these.
        0x0b | 0x0c if !rest.get(1).is_some_and(u8::is_ascii_alphanumeric) => None,
        0x01..0x20 | 0x7f => Some(Escape { raw: 1, byte: None }),
        _ => unseen(rest),
    }
}

/// `%3D`; also encoded again, `%253D`.
fn percent(rest: &[u8]) -> Option<Escape> {
    let again = rest.get(1..)?.chunks_exact(2).take(8);
    let again = again.take_while(|two| *two == b"25").count() * 2;
    let decoded = |at: usize| {
        let byte = u8::try_from(hex(rest.get(at..at + 2)?)?).ok()?;
        let plain = byte.is_ascii_graphic() && byte != b'%';
        let plain = plain || matches!(byte, b'\n' | b'\r' | b' ');
        plain.then_some(Escape {
            raw: at + 2,
            byte: Some(byte),
        })
    };
    decoded(1 + again)
}

/// Whether a token with a known beginning starts here.
fn begins_token(rest: &[u8]) -> bool {
    super::scan::begins_token(rest)
}

/// A NUL, as long as it is written, that stands between every two characters: UTF-16 as bytes.
fn between_zeros(rest: &[u8], len: usize) -> Option<Escape> {
    let (zero, after) = rest.split_at_checked(len)?;
    let again = after.get(1..)?.starts_with(zero) && after.first() != zero.first();
    again.then_some(Escape {
        raw: len,
        byte: None,
    })
}

/// A NUL between two entries, as `env -0` prints them, is a line's end; another one nothing.
fn ends_entry(rest: &[u8], len: usize) -> Option<Escape> {
    let after = rest.get(len..)?;
    let name = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'_';
    let name = after.iter().take(64).take_while(name).count();
    let entry = name > 0 && after.get(name) == Some(&b'=');
    let word = after.first().is_some_and(|b| b.is_ascii_graphic());
    let byte = entry.then_some(b'\n');
    (entry || word).then_some(Escape { raw: len, byte })
}

/// A character that is not seen, or is another one in another width or face.
fn unseen(rest: &[u8]) -> Option<Escape> {
    let head = rest.get(..rest.len().min(4))?;
    let character = head.utf8_chunks().next()?.valid().chars().next()?;
    let byte = unseen::meant(character)?;
    let raw = character.len_utf8();
    Some(Escape { raw, byte })
}

/// A terminal sequence whose introducer (`ESC` as such or escaped) is `lead` bytes long.
fn ansi(rest: &[u8], lead: usize) -> Option<Escape> {
    let body = rest.get(lead..)?;
    match body.first()? {
        b'[' => colour(rest, lead),
        b']' => command(rest, lead),
        // What these open or close is text: it stays.
        b'P' | b'X' | b'^' | b'_' | b'\\' => Some(Escape {
            raw: lead + 1,
            byte: Some(b' '),
        }),
        _ => {
            let middle = body.iter().take(4);
            let middle = middle.take_while(|b| (0x20..0x30).contains(*b)).count();
            let last = (0x30..=0x7e).contains(body.get(middle)?);
            last.then_some(Escape {
                raw: lead + middle + 1,
                byte: None,
            })
        }
    }
}

/// `[`, numbers, a letter: a colour is dropped, a move of the cursor stands for a space.
fn colour(rest: &[u8], lead: usize) -> Option<Escape> {
    const LONGEST: usize = 64;
    let body = rest.get(lead + 1..)?;
    let len = body
        .iter()
        .take(LONGEST)
        .take_while(|b| (0x20..0x40).contains(*b))
        .count();
    let byte = match body.get(len)? {
        b'H' | b'f' | b'B' | b'E' | b'e' => Some(b'\n'),
        b'C' | b'G' | b'a' | b'd' | b'`' => Some(b' '),
        0x40..=0x7e => None,
        _ => return None,
    };
    Some(Escape {
        raw: lead + len + 2,
        byte,
    })
}

/// `]`, a number, `;`, a text, an end: a title or a link. An empty one is dropped; the text of
/// another stays.
fn command(rest: &[u8], lead: usize) -> Option<Escape> {
    let body = rest.get(lead + 1..)?;
    let digits = body.iter().take(4).take_while(|b| b.is_ascii_digit());
    let mut at = digits.count();
    let link = body.starts_with(b"8;");
    if link {
        at = 2 + body.iter().skip(2).take(64).position(|b| *b == b';')?;
    }
    at += usize::from(body.get(at) == Some(&b';'));
    let empty = match body.get(at..)? {
        [0x07, ..] => 1,
        [0x1b, b'\\', ..] => 2,
        _ => 0,
    };
    Some(Escape {
        raw: lead + 1 + at + empty,
        byte: (empty == 0).then_some(b' '),
    })
}

/// What a mark behind a backslash means by itself.
fn short(mark: u8) -> Option<u8> {
    match mark {
        b'n' => Some(b'\n'),
        b'r' => Some(b'\r'),
        b't' => Some(b'\t'),
        b'"' | b'\'' | b'/' => Some(mark),
        _ => None,
    }
}

fn backslash(rest: &[u8]) -> Option<Escape> {
    let slashes = rest.iter().take(64).take_while(|b| **b == b'\\').count();
    let one = |raw: usize, byte: u8| {
        Some(Escape {
            raw,
            byte: Some(byte),
        })
    };
    let mark = *rest.get(slashes)?;
    let digits = slashes + 1;
    if let Some(byte) = short(mark) {
        return one(digits, byte);
    }
    match mark {
        b'u' if rest.get(digits) == Some(&b'{') => {
            let number = rest.get(digits + 1..)?;
            let len = number.iter().take(7).position(|b| *b == b'}')?;
            coded(rest, digits, hex(number.get(..len)?)?, len + 2)
        }
        b'u' => coded(rest, digits, hex(rest.get(digits..digits + 4)?)?, 4),
        b'x' => coded(rest, digits, hex(rest.get(digits..digits + 2)?)?, 2),
        b'0' if rest.get(digits..)?.starts_with(b"33[") => ansi(rest, digits + 2),
        b'e' if matches!(rest.get(digits), Some(b'[' | b']')) => ansi(rest, digits),
        b'0' if between_zeros(rest, digits).is_some() => between_zeros(rest, digits),
        b'0' | b'1' => {
            let number = rest.get(slashes..slashes + 3)?;
            let octal = number.iter().all(|b| (b'0'..b'8').contains(b));
            let value = number.iter().fold(0, |n, b| n * 8 + u32::from(b & 7));
            coded(rest, digits, value, 2).filter(|_| octal && value > 0x20)
        }
        b'b' | b'f' if begins_token(rest.get(digits..)?) => one(digits, b' '),
        _ => None,
    }
}

/// A character given by its number, which stands at `at` and is `len` digits long.
fn coded(rest: &[u8], at: usize, number: u32, len: usize) -> Option<Escape> {
    let raw = at + len;
    match number {
        0x00 => between_zeros(rest, raw),
        0x1b => ansi(rest, raw),
        0x09 | 0x0a | 0x0d | 0x20..=0x7e => Some(Escape {
            raw,
            byte: u8::try_from(number).ok(),
        }),
        number => {
            let byte = unseen::meant(char::from_u32(number)?)?;
            Some(Escape { raw, byte })
        }
    }
}

fn entity(rest: &[u8]) -> Option<Escape> {
    const NAMED: [(&str, u8); 15] = [
        ("&quot;", b'"'),
        ("&amp;", b'&'),
        ("&lt;", b'<'),
        ("&gt;", b'>'),
        ("&apos;", b'\''),
        ("&nbsp;", b' '),
        ("&equals;", b'='),
        ("&colon;", b':'),
        ("&sol;", b'/'),
        ("&lowbar;", b'_'),
        ("&hyphen;", b'-'),
        ("&period;", b'.'),
        ("&plus;", b'+'),
        ("&NewLine;", b'\n'),
        ("&Tab;", b'\t'),
    ];
    // In code, most are no entities.
    if !rest.iter().take(10).any(|b| *b == b';') {
        return None;
    }
    if let Some((name, byte)) = NAMED.iter().find(|(n, _)| rest.starts_with(n.as_bytes())) {
        return Some(Escape {
            raw: name.len(),
            byte: Some(*byte),
        });
    }
    let body = rest.get(2..).filter(|_| rest.get(1) == Some(&b'#'))?;
    let end = body.iter().take(6).position(|b| *b == b';')?;
    let digits = body.get(..end)?;
    let number = match digits.split_first() {
        Some((b'x' | b'X', hexed)) => hex(hexed)?,
        _ => std::str::from_utf8(digits).ok()?.parse().ok()?,
    };
    coded(rest, 0, number, end + 3)
}

fn hex(digits: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(digits).ok()?;
    text.bytes()
        .all(|b| b.is_ascii_hexdigit())
        .then(|| u32::from_str_radix(text, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(raw: &str) -> String {
        String::from_utf8_lossy(View::new(raw.as_bytes()).bytes()).into_owned()
    }

    #[test]
    fn escapes_are_decoded_and_colours_dropped() {
        assert_eq!(seen(r#"a\nb \\\"c\\\" d"#), "a\nb \"c\" d");
        assert_eq!(seen("x\u{1b}[31my\u{1b}[0m z"), "xy z");
        assert_eq!(seen(r"x\u001b[1my\x41\u0042 \033[0m"), "xyAB ");
        assert_eq!(seen("a%3Db &quot;c&quot; &#61; &#x3d;"), "a=b \"c\" = =");
        assert_eq!(seen("to\u{200b}ken \u{feff}é"), "token é");
        assert_eq!(seen(r"50% \d+ & C:\dir"), r"50% \d+ & C:\dir");
        assert_eq!(seen(r"%253D%25253d \u{3d}\075"), "== ==");
        assert_eq!(seen("a\0b\0c\0 x\\0y\\0z"), "abc\0 xy\\0z");
        assert_eq!(seen("x\u{202e}y\u{e0041}z\u{34f}"), "xyz");
    }

    #[test]
    fn colours_in_all_spellings_are_dropped_and_moves_are_spaces() {
        for text in [
            "a\u{1b}[1;31mb\u{1b}[m\u{1b}[K c",
            "a^[[1mb^[[0m c",
            r"a\e[1mb\033[0m c",
            "a\u{9b}1mb\u{9b}0m c",
            "a[1mb[0m c",
            "a\u{1b}(B\u{1b}[mb c",
            "ab\u{1b}[1Cc",
            "a\u{1b}]8;;\u{7}b c",
        ] {
            assert_eq!(seen(text), "ab c", "{text:?}");
        }
        assert_eq!(seen("a[0] b[i] [m]"), "a[0] b[i] [m]");
        let link = "\u{1b}]8;id=1;http://h/x\u{1b}\\text\u{1b}]8;;\u{1b}\\ y";
        assert_eq!(seen(link), " http://h/x text y");
    }

    #[test]
    fn what_is_not_seen_and_other_faces_of_letters_protect_nothing() {
        for unseen in [
            "\u{1}",
            "\u{7}",
            "\u{b}",
            "\u{c}",
            "\u{1f}",
            "\u{7f}",
            "\u{80}",
            "\u{9f}",
            "\u{301}",
            "\u{3164}",
            "\u{115f}",
            "\u{2800}",
            "\u{e0041}",
            "\u{fe0f}",
            "\u{1d173}",
            r"\u0001",
            r"\u200b",
            r"\u0301",
            "&#8203;",
            "[REDACTED:x#0000]",
        ] {
            let raw = format!("tok{unseen}en=1");
            let view = View::new(raw.as_bytes());
            assert_eq!(seen(&raw), "token=1", "{unseen:?}");
            assert_eq!(view.raw(&(0..5)), 0..raw.len() - 2, "{unseen:?}");
        }
        let wide =
            "\u{ff54}\u{ff4f}\u{ff4b}\u{ff45}\u{ff4e}\u{ff1d}\u{1d402}\u{1d41a}\u{1d7d7}\u{24d0}";
        assert_eq!(seen(wide), "token=Ca9a");
        let view = View::new(wide.as_bytes());
        assert_eq!(view.raw(&(6..8)), 18..26);
        assert_eq!(seen("A=b\0DB_PW=c\0"), "A=b\nDB_PW=c\0");
        assert_eq!(seen("tok\0en 1"), "token 1");
        for kept in [
            "x \u{c}\ny",
            "日本語、テスト。",
            "[REDACTED:x#0000] y",
            "\"[REDACTED:x#0000]\"",
            r"\n[REDACTED:x#0000]",
        ] {
            let decoded = kept.replace(r"\n", "\n");
            assert_eq!(seen(kept), decoded, "{kept:?}");
        }
    }

    #[test]
    fn a_span_maps_back_to_the_raw_bytes() {
        let raw = "k\\u003dA\u{1b}[1mB\u{1b}[0m;";
        let view = View::new(raw.as_bytes());
        assert_eq!(view.bytes(), b"k=AB;");
        assert_eq!(&raw[view.raw(&(1..2))], "\\u003d");
        assert_eq!(&raw[view.raw(&(2..4))], "A\u{1b}[1mB");
        assert_eq!(&raw[view.raw(&(4..5))], ";");
    }
}
