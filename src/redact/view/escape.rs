//! What an escape means: of programs' strings, of JSON, of addresses, of HTML, of terminals.
//!
//! Reads one at a time, from its first byte on; keeps nothing.

use super::unseen;

/// What stands at a special byte: how many raw bytes, and the byte they mean, if any.
pub(super) struct Escape {
    pub raw: usize,
    pub byte: Option<u8>,
}

/// What stands at the beginning of a text, if it is no byte that means itself.
pub(super) fn escape(rest: &[u8]) -> Option<Escape> {
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
pub(super) fn begins_token(rest: &[u8]) -> bool {
    super::super::scan::begins_token(rest)
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
#[inline]
pub(super) fn short(mark: u8) -> Option<u8> {
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
