//! Characters that are not seen, or stand for another one: they protect nothing.
//!
//! Knows characters; what they are written as is the view's.

use crate::redact::redacted;

/// What a character stands for: nothing, where it is not seen, or a character of ASCII. None: it is
/// what it is.
pub(super) fn meant(character: char) -> Option<Option<u8>> {
    match character {
        // Blanks that pages set between words.
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
            Some(Some(b' '))
        }
        '\u{85}' | '\u{2028}' | '\u{2029}' => Some(Some(b'\n')),
        '\u{1}'..='\u{8}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => Some(None),
        _ if is_unseen(character) => Some(None),
        _ => in_another_face(character).map(Some),
    }
}

/// Without width, or set upon the character before it.
fn is_unseen(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{300}'..='\u{36f}' | '\u{61c}' | '\u{115f}' | '\u{1160}'
        | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{20d0}'..='\u{20ff}' | '\u{2800}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e01ff}')
}

/// Full-width characters, and the letters and digits of mathematics.
fn in_another_face(character: char) -> Option<u8> {
    let number = u32::from(character);
    let nth = |from: u8, n: u32| Some(from + u8::try_from(n).ok()?);
    match character {
        '\u{ff01}'..='\u{ff5e}' => {
            let byte = nth(b'!', number - 0xff01)?;
            // Commas, brackets and full stops end what is written before them.
            let token = byte.is_ascii_alphanumeric() || b"_-+/=.@#$%&*~".contains(&byte);
            token.then_some(byte)
        }
        '\u{1d400}'..='\u{1d6a3}' => match (number - 0x1d400) % 52 {
            n @ 0..26 => nth(b'A', n),
            n => nth(b'a', n - 26),
        },
        '\u{1d7ce}'..='\u{1d7ff}' => nth(b'0', (number - 0x1d7ce) % 10),
        '\u{24b6}'..='\u{24cf}' => nth(b'A', number - 0x24b6),
        '\u{24d0}'..='\u{24e9}' => nth(b'a', number - 0x24d0),
        _ => None,
    }
}

/// The length of what was hidden before here, if it is glued to more: whoever writes such a text
/// next to a secret does not protect it. Between quotes or blanks it stays.
pub(super) fn hidden(text: &[u8], at: usize) -> Option<usize> {
    let placeholder = redacted::placeholder_at(text, at)?;
    let before = at.checked_sub(1).and_then(|n| text.get(n));
    let after = text.get(placeholder.end);
    let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let glued = after.is_some_and(|b| word(b) || b"+-=".contains(b))
        || before.is_some_and(|b| word(b) && !is_escape(text, at - 1));
    glued.then(|| placeholder.len())
}

/// Whether a letter is the end of an escape: `\n`.
fn is_escape(text: &[u8], at: usize) -> bool {
    at.checked_sub(1).and_then(|n| text.get(n)) == Some(&b'\\')
}
