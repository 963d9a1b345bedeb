//! What is shown instead of a hidden character. ASCII only.

use super::class::is_selector;
use std::fmt::Write;

/// The letter that a tag character stands for.
pub(super) fn tag_letter(c: char) -> Option<char> {
    let code = (c as u32).checked_sub(0xE0000)?;
    char::from_u32(code).filter(|c| (' '..='~').contains(c))
}

pub(super) fn tag_token(tags: &str) -> String {
    let letters: String = tags.chars().filter_map(tag_letter).collect();
    format!("<TAG {letters:?}>")
}

/// A run of variation selectors, as the bytes it carries: the first 16 are of one block, the rest
/// of the other.
pub(super) fn selector_token(selectors: &str) -> String {
    let byte = |c: char| match c as u32 {
        code @ 0xFE00..=0xFE0F => code - 0xFE00,
        code => code - 0xE0100 + 16,
    };
    let mut out = String::from("<VS \"");
    for c in selectors.chars().filter(|c| is_selector(*c)) {
        match char::from_u32(byte(c)) {
            Some(letter @ ('"' | '\\')) => out.extend(['\\', letter]),
            Some(letter @ ' '..='~') => out.push(letter),
            // Writing to a String cannot fail.
            _ => drop(write!(out, "\\x{:02x}", byte(c))),
        }
    }
    out + "\">"
}

/// So many marks on one character.
pub(super) fn marks_token(marks: &str) -> String {
    format!("<{} more marks>", marks.chars().count())
}

/// A character's token.
pub(in crate::text) fn token(c: char) -> String {
    let mut out = format!("<U+{:04X}", c as u32);
    if let Some(name) = name(c) {
        // Writing to a String cannot fail.
        let _ = write!(out, " {name}");
    }
    out.push('>');
    out
}

fn name(c: char) -> Option<&'static str> {
    Some(match c {
        '\0' => "NUL",
        '\u{7}' => "BEL",
        '\u{8}' => "BS",
        '\n' => "LF",
        '\u{B}' => "VT",
        '\u{C}' => "FF",
        '\r' => "CR",
        '\u{1B}' => "ESC",
        '\u{7F}' => "DEL",
        '\u{85}' => "NEL",
        '\u{90}' => "DCS",
        '\u{9B}' => "CSI",
        '\u{9D}' => "OSC",
        '\u{AD}' => "SHY",
        '\u{34F}' => "CGJ",
        '\u{61C}' => "ALM",
        '\u{200B}' => "ZWSP",
        '\u{200C}' => "ZWNJ",
        '\u{200D}' => "ZWJ",
        '\u{200E}' => "LRM",
        '\u{200F}' => "RLM",
        '\u{2028}' => "LS",
        '\u{2029}' => "PS",
        '\u{202A}' => "LRE",
        '\u{202B}' => "RLE",
        '\u{202C}' => "PDF",
        '\u{202D}' => "LRO",
        '\u{202E}' => "RLO",
        '\u{2060}' => "WJ",
        '\u{2066}' => "LRI",
        '\u{2067}' => "RLI",
        '\u{2068}' => "FSI",
        '\u{2069}' => "PDI",
        '\u{3164}' => "HANGUL FILLER",
        '\u{2800}' => "BLANK",
        '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' => "VS",
        '\u{FEFF}' => "BOM",
        _ => return None,
    })
}
