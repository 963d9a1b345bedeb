//! What people put between a label and its value, and between the two values of a pair.

use super::super::operator::spaces;

/// How a value is set apart from its label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// `:`, `=`, an arrow, a word for "is".
    Plain,
    /// `(` or `[`, to be closed after the value.
    Bracket,
    /// `-`, or the end of a bracket: `(PW)…`.
    Dash,
    /// A blank and nothing else.
    Blank,
}

/// Words for "is", in small letters.
const IS: [&str; 18] = [
    "is", "are", "was", "ist", "lautet", "sind", "es", "son", "est", "sont", "é", "è", "sono",
    "jest", "to", "är", "er", "это",
];
const SIGNS: [&str; 16] = [
    "：", ":", "==>", "=>", "->", "→", "⇒", "=", "は", "是", "＝", "는", "은", "가", "为", "為",
];

/// The sign that begins here, and where the value does.
pub(super) fn sign(text: &[u8], at: usize) -> Option<(Sign, usize)> {
    let gap = spaces(text, at, 4);
    let rest = text.get(gap..)?;
    let drawn = matches!(rest.first()?, b':' | b'=' | b'-' | 0x80..);
    let mut signs = SIGNS.iter().filter(|_| drawn);
    if let Some(sign) = signs.find(|s| rest.starts_with(s.as_bytes())) {
        let value = spaces(text, gap + sign.len(), 4);
        let again = rest.get(sign.len()) == Some(&b':') || rest.get(sign.len()) == Some(&b'=');
        return (!again).then(|| past_open(text, value, Sign::Plain));
    }
    match rest.first()? {
        b'(' | b'[' => Some((Sign::Bracket, gap + 1)),
        b')' | b']' => Some((Sign::Dash, spaces(text, gap + 1, 4))),
        b'-' if rest.get(1) != Some(&b'-') => {
            let value = spaces(text, gap + 1, 4);
            let even = (gap > at) == (value > gap + 1);
            even.then_some((Sign::Dash, value))
        }
        _ if gap == at => None,
        _ => Some(match is_word(rest) {
            Some(len) => past_open(text, spaces(text, gap + len, 4), Sign::Plain),
            None => past_open(text, gap, Sign::Blank),
        }),
    }
}

/// The length of a word for "is" with a blank or a colon after it.
pub(super) fn is_word(rest: &[u8]) -> Option<usize> {
    let len = rest
        .iter()
        .take(16)
        .take_while(|b| b.is_ascii_alphabetic() || !b.is_ascii())
        .count();
    let word = rest.get(..len)?;
    let ends = matches!(rest.get(len), Some(b' ' | b':'));
    let colon = usize::from(rest.get(len) == Some(&b':'));
    (ends && IS.iter().any(|is| is.as_bytes() == word)).then_some(len + colon)
}

/// Past a quote or backtick before the value, or the end of bold; a bracket after another sign.
fn past_open(text: &[u8], at: usize, sign: Sign) -> (Sign, usize) {
    let bold = text.get(at..).is_some_and(|rest| rest.starts_with(b"**"));
    let at = if bold { spaces(text, at + 2, 2) } else { at };
    match text.get(at) {
        Some(b'(' | b'[') if sign == Sign::Plain => (Sign::Bracket, at + 1),
        Some(b'`' | b'"' | b'\'') => (sign, at + 1),
        _ => (sign, at),
    }
}

/// The sign between the two values of a pair, and where the second begins.
pub(super) fn between(text: &[u8], at: usize) -> Option<(Sign, usize)> {
    let gap = spaces(text, at, 2);
    let (first, next) = (text.get(gap)?, text.get(gap + 1));
    match first {
        b'/' | b',' | b':' | b'|' | b'&' if next != Some(first) => {
            let value = spaces(text, gap + 1, 2);
            Some(past_open(text, value, Sign::Plain))
        }
        b'(' | b'[' => Some((Sign::Bracket, gap + 1)),
        b'-' if gap > at && next == Some(&b' ') => Some((Sign::Plain, gap + 2)),
        b'`' | b'"' | b'\'' if gap == at => {
            let (sign, value) = between(text, at + 1)?;
            Some((sign, value))
        }
        _ if gap > at => Some(past_open(text, gap, Sign::Blank)),
        _ => None,
    }
}
