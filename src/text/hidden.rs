//! Characters that a terminal hides, reorders or obeys, and how they are shown instead.
//!
//! Every one becomes a token such as `<U+202E RLO>`; a run of Unicode tag characters is decoded
//! (`<TAG "ignore">`). Joiners and variation selectors stay where an emoji or a script needs them.

use std::fmt::Write;
use unicode_segmentation::UnicodeSegmentation;

/// How bad a hidden character is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Danger {
    /// Invisible, but found in honest text: a zero-width space, a soft hyphen, a stray joiner.
    Invisible,
    /// Reorders text, talks to the terminal, or carries hidden words. Never honest in memory.
    Hostile,
}

/// One place where a text holds something a reader would not see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hidden {
    /// Byte offset in the text.
    pub offset: usize,
    /// Length in bytes; a run of tag characters is one place.
    pub len: usize,
    /// How bad.
    pub danger: Danger,
    /// What is shown instead, such as `<U+200B ZWSP>`.
    pub token: String,
}

/// Every hidden place of a text, in order. Line feed and tab are plain text.
#[must_use]
pub fn hidden(text: &str) -> Vec<Hidden> {
    let mut found = Vec::new();
    let mut chars = text.char_indices().peekable();
    let mut before = None;
    while let Some((offset, c)) = chars.next() {
        if is_tag(c) {
            let mut end = offset + c.len_utf8();
            while let Some(&(at, next)) = chars.peek().filter(|(_, n)| is_tag(*n)) {
                end = at + next.len_utf8();
                chars.next();
            }
            if !is_flag(before, &text[offset..end]) {
                let token = tag_token(&text[offset..end]);
                found.push(Hidden {
                    offset,
                    len: end - offset,
                    danger: Danger::Hostile,
                    token,
                });
            }
        } else if let Some(danger) = danger(c)
            && !joins(c, text, offset)
        {
            found.push(Hidden {
                offset,
                len: c.len_utf8(),
                danger,
                token: token(c),
            });
        }
        before = Some(c);
    }
    found
}

/// A text as it may be painted: every hidden place is its token; line feeds stay, a tab becomes
/// spaces.
///
/// ```
/// assert_eq!(memd::text::visible("a\u{202E}b\rc"), "a<U+202E RLO>b<U+000D CR>c");
/// ```
#[must_use]
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for place in hidden(text) {
        push_plain(&mut out, &text[from..place.offset]);
        out.push_str(&place.token);
        from = place.offset + place.len;
    }
    push_plain(&mut out, &text[from..]);
    out
}

/// As [`visible`], on one line: a line feed is shown as `<U+000A LF>`. For names, paths, subjects
/// and messages.
#[must_use]
pub fn visible_line(text: &str) -> String {
    visible(text).replace('\n', "<U+000A LF>")
}

fn push_plain(out: &mut String, text: &str) {
    for c in text.chars() {
        if c == '\t' {
            out.push_str("    ");
        } else {
            out.push(c);
        }
    }
}

fn is_tag(c: char) -> bool {
    ('\u{E0000}'..='\u{E007F}').contains(&c)
}

/// A black flag followed by a well-formed tag sequence (England, Scotland, Wales) is an emoji.
fn is_flag(before: Option<char>, tags: &str) -> bool {
    let letters: String = tags.chars().filter_map(tag_letter).collect();
    before == Some('\u{1F3F4}')
        && tags.ends_with('\u{E007F}')
        && matches!(letters.as_str(), "gbeng" | "gbsct" | "gbwls")
}

fn tag_letter(c: char) -> Option<char> {
    let code = (c as u32).checked_sub(0xE0000)?;
    char::from_u32(code).filter(|c| (' '..='~').contains(c))
}

fn tag_token(tags: &str) -> String {
    let letters: String = tags.chars().filter_map(tag_letter).collect();
    format!("<TAG {letters:?}>")
}

/// Sources: Unicode's Default_Ignorable_Code_Point property (`DerivedCoreProperties.txt`), the
/// bidirectional controls of UAX 9, C0 and C1 of ISO 6429.
fn danger(c: char) -> Option<Danger> {
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
        // Variation selectors supplement and the unassigned ignorables: used to smuggle bytes.
        '\u{E0080}'..='\u{E0FFF}' => Some(Danger::Hostile),
        // Private use renders as anything.
        '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFF}' => Some(Danger::Invisible),
        _ => None,
    }
}

/// Whether a joiner or a variation selector does honest work between its neighbours.
fn joins(c: char, text: &str, offset: usize) -> bool {
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
        '\u{200C}' => is_joining_script(before) && after.is_some_and(is_joining_script),
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

/// A character's token.
pub(super) fn token(c: char) -> String {
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
        '\u{FE00}'..='\u{FE0F}' => "VS",
        '\u{FEFF}' => "BOM",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_a_terminal_would_hide_is_a_token() {
        let cases = [
            ("visible\rHIDDEN", "visible<U+000D CR>HIDDEN"),
            ("a\u{202E}b\u{202C}", "a<U+202E RLO>b<U+202C PDF>"),
            ("zw\u{200B}sp", "zw<U+200B ZWSP>sp"),
            ("x\u{E0069}\u{E0067}\u{E006E}y", "x<TAG \"ign\">y"),
            (
                "\u{1b}[2J\u{9b}31m\u{7}",
                "<U+001B ESC>[2J<U+009B CSI>31m<U+0007 BEL>",
            ),
            (
                "\u{FEFF}a\u{AD}\u{3164}",
                "<U+FEFF BOM>a<U+00AD SHY><U+3164 HANGUL FILLER>",
            ),
            ("a\u{E0100}", "a<U+E0100>"),
            ("a\tb\nc", "a    b\nc"),
        ];
        for (text, shown) in cases {
            assert_eq!(visible(text), shown, "{text:?}");
        }
        assert_eq!(visible_line("a\nb"), "a<U+000A LF>b");
    }

    #[test]
    fn emoji_families_flags_and_scripts_stay_whole() {
        for text in [
            "👩‍👩‍👧‍👦",
            "🇫🇷",
            "❤️",
            "1️⃣",
            "👍🏽",
            "می‌خواهم",
            "क्‍ष",
            "日本語",
            "e\u{301}",
            "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
        ] {
            assert_eq!(visible(text), text);
        }
    }

    #[test]
    fn a_joiner_that_joins_nothing_is_a_token() {
        for text in [
            "👩\u{200D}🇷",
            "1\u{FE0F}\u{200D}👩",
            "👩\u{200D}",
            "a\u{200D}👩",
            "👩\u{200D}x",
        ] {
            assert!(visible(text).contains("<U+200D ZWJ>"), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_that_a_terminal_obeys_gets_through(text in "\\PC*|[\\x00-\\x1f\\x7f-\\u{9f}\\u{200b}-\\u{206f}a-z]{0,40}") {
            let shown = visible(&text);
            let obeyed = |c: char| c != '\n' && (c.is_control() || ('\u{202A}'..='\u{202E}').contains(&c));
            let through = shown.chars().any(obeyed);
            prop_assert!(!through);
            prop_assert_eq!(visible(&shown), shown);
        }
    }
}
