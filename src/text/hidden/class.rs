//! Which characters are hidden, and where a joiner or a selector does honest work.

use super::Danger;
use regex::Regex;
use std::sync::LazyLock;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthChar;

/// A tag character: letters that nothing paints.
pub(super) fn is_tag(c: char) -> bool {
    ('\u{E0000}'..='\u{E007F}').contains(&c)
}

/// A black flag followed by a well-formed tag sequence (England, Scotland, Wales) is an emoji.
pub(super) fn is_flag(before: Option<char>, tags: &str) -> bool {
    let letters: String = tags.chars().filter_map(super::token::tag_letter).collect();
    before == Some('\u{1F3F4}')
        && tags.ends_with('\u{E007F}')
        && matches!(letters.as_str(), "gbeng" | "gbsct" | "gbwls")
}

/// A variation selector, of either block.
pub(super) fn is_selector(c: char) -> bool {
    matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

/// A mark that is painted over the character before it.
pub(super) fn is_mark(c: char) -> bool {
    !c.is_ascii() && c.width() == Some(0) && danger(c).is_none()
}

/// Sources: Unicode's Default_Ignorable_Code_Point property (`DerivedCoreProperties.txt`), the
/// bidirectional controls of UAX 9, C0 and C1 of ISO 6429.
pub(super) fn danger(c: char) -> Option<Danger> {
    match c {
        '\n' | '\t' => None,
        '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}' => Some(Danger::Hostile),
        '\u{061C}' | '\u{200E}' | '\u{200F}' => Some(Danger::Hostile),
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => Some(Danger::Hostile),
        '\u{2028}' | '\u{2029}' | '\u{FFF9}'..='\u{FFFB}' => Some(Danger::Hostile),
        '\u{00AD}' | '\u{034F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' => {
            Some(Danger::Invisible)
        }
        '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200D}' | '\u{2060}'..='\u{2065}' => {
            Some(Danger::Invisible)
        }
        '\u{206A}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' => Some(Danger::Invisible),
        '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFF8}' => Some(Danger::Invisible),
        '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' => Some(Danger::Invisible),
        // Variation selectors supplement and the unassigned ignorables: used to smuggle bytes. One
        // by itself may choose the form of a Chinese character.
        '\u{E0100}'..='\u{E01EF}' => Some(Danger::Invisible),
        '\u{E0080}'..='\u{E0FFF}' => Some(Danger::Hostile),
        // Private use renders as anything.
        '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFF}' => Some(Danger::Invisible),
        // Signs that are painted as nothing.
        '\u{2800}' | '\u{1D159}' => Some(Danger::Invisible),
        _ => is_unassigned(c).then_some(Danger::Invisible),
    }
}

/// A code point that has no character: it is painted as anything or nothing.
fn is_unassigned(c: char) -> bool {
    static UNASSIGNED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\p{Cn}").ok());
    // What most texts are made of is not looked up.
    let is_usual = matches!(c, '\0'..='\u{377}' | '\u{400}'..='\u{52F}' | '\u{2010}'..='\u{2063}'
        | '\u{2190}'..='\u{2426}' | '\u{2500}'..='\u{27FF}' | '\u{3000}'..='\u{3029}'
        | '\u{3041}'..='\u{3096}' | '\u{30A0}'..='\u{30FF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7A3}' | '\u{FF01}'..='\u{FF5E}'
        | '\u{1F300}'..='\u{1F64F}' | '\u{1F680}'..='\u{1F6D7}' | '\u{1F900}'..='\u{1F9FF}');
    let text = &mut [0; 4];
    !is_usual && (UNASSIGNED.as_ref()).is_some_and(|is| is.is_match(c.encode_utf8(text)))
}

/// Whether a mark stands where nothing is before it that it could be painted over.
pub(super) fn is_lone(c: char, before: Option<char>) -> bool {
    let is_jamo = |c: char| matches!(c, '\u{1161}'..='\u{11FF}' | '\u{D7B0}'..='\u{D7FB}');
    let is_hangul = |c: char| {
        is_jamo(c)
            || matches!(c, '\u{1100}'..='\u{115F}' | '\u{A960}'..='\u{A97C}' | '\u{AC00}'..='\u{D7A3}')
    };
    match before {
        None | Some('\n' | '\t') => is_mark(c),
        Some(before) => is_jamo(c) && !is_hangul(before),
    }
}

/// Whether a joiner or a variation selector does honest work between its neighbours.
pub(super) fn joins(c: char, text: &str, offset: usize) -> bool {
    let before = text.get(..offset).and_then(|t| t.chars().next_back());
    let after = text
        .get(offset + c.len_utf8()..)
        .and_then(|t| t.chars().next());
    let Some(before) = before else { return false };
    match c {
        '\u{FE0E}' | '\u{FE0F}' => {
            is_pictograph(before) || before.is_ascii_digit() || "#*".contains(before)
        }
        '\u{200D}' => {
            is_joining_script(before)
                || (after.is_some_and(is_pictograph) && joins_emoji(text, offset))
        }
        // A row of a screen may end after it.
        '\u{200C}' => is_joining_script(before) && after.is_none_or(is_joining_script),
        '\u{2800}' => is_braille(before) || after.is_some_and(is_braille),
        '\u{180B}'..='\u{180F}' => ('\u{1820}'..='\u{18AA}').contains(&before),
        _ => false,
    }
}

/// Whether a joiner makes one emoji of those beside it, by the rules for grapheme clusters.
fn joins_emoji(text: &str, offset: usize) -> bool {
    // An emoji, its skin tone and a variation selector.
    let start = text[..offset].char_indices().rev().take(3).last();
    let end = text[offset..].char_indices().nth(2);
    let start = start.map_or(offset, |(at, _)| at);
    let end = end.map_or(text.len(), |(at, _)| offset + at);
    let around = &text[start..end];
    let last = around.graphemes(true).next_back().unwrap_or_default();
    end - last.len() < offset
}

fn is_braille(c: char) -> bool {
    ('\u{2801}'..='\u{28FF}').contains(&c)
}

fn is_pictograph(c: char) -> bool {
    matches!(c,
        '\u{00A9}' | '\u{00AE}' | '\u{203C}' | '\u{2049}' | '\u{2122}' | '\u{2139}'
        | '\u{2190}'..='\u{21FF}' | '\u{2300}'..='\u{23FF}' | '\u{24C2}'
        | '\u{25A0}'..='\u{27BF}' | '\u{2900}'..='\u{297F}' | '\u{2B00}'..='\u{2BFF}'
        | '\u{3030}' | '\u{303D}' | '\u{3297}' | '\u{3299}' | '\u{1F000}'..='\u{1FAFF}')
}

/// Arabic, and the Indic scripts in which a joiner chooses the form of a cluster.
fn is_joining_script(c: char) -> bool {
    matches!(c, '\u{0600}'..='\u{06FF}' | '\u{0750}'..='\u{077F}' | '\u{08A0}'..='\u{08FF}'
        | '\u{0900}'..='\u{0DFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_looked_up_is_assigned() {
        let unassigned = Regex::new(r"\p{Cn}").unwrap();
        for c in ('\0'..=char::MAX).filter(|c| danger(*c).is_none()) {
            assert!(!unassigned.is_match(c.encode_utf8(&mut [0; 4])), "{c:?}");
        }
    }
}
