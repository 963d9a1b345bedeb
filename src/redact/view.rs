//! The text as the rules see it: escapes decoded, terminal colours and invisible characters gone.
//!
//! One pass; only the places where view and raw part company are stored, so plain text costs a
//! copy. Rules work on the view, and their spans are mapped back.

use std::ops::Range;

/// From `view` on, the raw text runs in step, beginning at `raw`; the first byte of the view
/// stands for `width` raw bytes.
#[derive(Debug, Clone, Copy)]
struct Break {
    view: usize,
    raw: usize,
    width: usize,
}

/// A normalised text with the way back.
pub(super) struct View {
    bytes: Vec<u8>,
    breaks: Vec<Break>,
}

/// What stands at a special byte: how many raw bytes, and the byte they mean, if any.
struct Escape {
    raw: usize,
    byte: Option<u8>,
}

impl View {
    pub fn new(raw: &[u8]) -> Self {
        let mut view = Self {
            bytes: Vec::with_capacity(raw.len()),
            breaks: Vec::new(),
        };
        let mut at = 0;
        while let Some(rest) = raw.get(at..).filter(|rest| !rest.is_empty()) {
            let plain = rest
                .iter()
                .position(|b| SPECIAL[usize::from(*b)])
                .unwrap_or(rest.len());
            view.bytes
                .extend_from_slice(rest.get(..plain).unwrap_or(rest));
            at += plain;
            let Some(rest) = raw.get(at..).filter(|rest| !rest.is_empty()) else {
                break;
            };
            match escape(rest) {
                Some(escape) => {
                    view.take(at, &escape);
                    at += escape.raw;
                }
                None => {
                    view.bytes.extend(rest.first());
                    at += 1;
                }
            }
        }
        view
    }

    fn take(&mut self, raw: usize, escape: &Escape) {
        if let Some(byte) = escape.byte {
            self.breaks.push(Break {
                view: self.bytes.len(),
                raw,
                width: escape.raw,
            });
            self.bytes.push(byte);
        }
        self.breaks.push(Break {
            view: self.bytes.len(),
            raw: raw + escape.raw,
            width: 1,
        });
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
                let raw = b.raw + (at - b.view);
                raw..raw + 1
            }
            None => at..at + 1,
        }
    }
}

const SPECIAL: [bool; 256] = {
    let mut table = [false; 256];
    let bytes = [0x1b, b'\\', b'%', b'&', 0xc2, 0xe2, 0xef];
    let mut n = 0;
    while n < bytes.len() {
        table[bytes[n] as usize] = true;
        n += 1;
    }
    table
};

fn escape(rest: &[u8]) -> Option<Escape> {
    match rest.first()? {
        0x1b => ansi(rest, 1),
        b'\\' => backslash(rest),
        b'%' => {
            let byte = hex(rest.get(1..3)?)?;
            let byte = u8::try_from(byte).ok().filter(u8::is_ascii_graphic)?;
            (byte != b'%').then_some(Escape {
                raw: 3,
                byte: Some(byte),
            })
        }
        b'&' => entity(rest),
        _ => invisible(rest),
    }
}

/// Characters without width that can be hidden inside a token.
fn invisible(rest: &[u8]) -> Option<Escape> {
    const ALL: [&str; 8] = [
        "\u{ad}", "\u{200b}", "\u{200c}", "\u{200d}", "\u{200e}", "\u{200f}", "\u{2060}",
        "\u{feff}",
    ];
    let found = ALL.iter().find(|c| rest.starts_with(c.as_bytes()))?;
    Some(Escape {
        raw: found.len(),
        byte: None,
    })
}

/// A terminal sequence whose introducer (`ESC` as such or escaped) is `lead` bytes long.
fn ansi(rest: &[u8], lead: usize) -> Option<Escape> {
    const LONGEST: usize = 64;
    let body = rest.get(lead..)?;
    let raw = match body.first()? {
        b'[' => {
            let len = body
                .iter()
                .skip(1)
                .take(LONGEST)
                .position(|b| (0x40..=0x7e).contains(b))?;
            lead + len + 2
        }
        b']' => {
            let len = body
                .iter()
                .take(LONGEST * 32)
                .position(|b| matches!(b, 0x07 | 0x1b))?;
            lead + len + 1
        }
        _ => return None,
    };
    Some(Escape { raw, byte: None })
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
    match mark {
        b'n' => one(digits, b'\n'),
        b'r' => one(digits, b'\r'),
        b't' => one(digits, b'\t'),
        b'"' | b'\'' | b'/' => one(digits, mark),
        b'u' => coded(rest, digits, hex(rest.get(digits..digits + 4)?)?, 4),
        b'x' => coded(rest, digits, hex(rest.get(digits..digits + 2)?)?, 2),
        b'0' if rest.get(digits..)?.starts_with(b"33[") => ansi(rest, digits + 2),
        b'e' if rest.get(digits) == Some(&b'[') => ansi(rest, digits),
        _ => None,
    }
}

/// A character given by its number, which stands at `at` and is `len` digits long.
fn coded(rest: &[u8], at: usize, number: u32, len: usize) -> Option<Escape> {
    let raw = at + len;
    match number {
        0x1b => ansi(rest, raw),
        0x09 | 0x0a | 0x0d | 0x20..=0x7e => Some(Escape {
            raw,
            byte: u8::try_from(number).ok(),
        }),
        0xad | 0x200b..=0x200f | 0x2060 | 0xfeff => Some(Escape { raw, byte: None }),
        _ => None,
    }
}

fn entity(rest: &[u8]) -> Option<Escape> {
    const NAMED: [(&str, u8); 6] = [
        ("&quot;", b'"'),
        ("&amp;", b'&'),
        ("&lt;", b'<'),
        ("&gt;", b'>'),
        ("&apos;", b'\''),
        ("&nbsp;", b' '),
    ];
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
