//! Characters that a terminal hides, reorders or obeys, and how they are shown instead.
//!
//! Every one becomes a token such as `<U+202E RLO>`; a run of Unicode tag characters or of variation
//! selectors is decoded (`<TAG "ignore">`). Joiners and variation selectors stay where an emoji or a
//! script needs them.

mod class;
mod token;

use class::{danger, is_flag, is_lone, is_mark, is_selector, is_tag, joins};
pub(super) use token::token;
use token::{marks_token, selector_token, tag_token};

/// More marks than this on one character are no writing: they would be painted over other rows.
const MARKS: usize = 8;

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
    let mut marks = 0;
    while let Some((offset, c)) = chars.next() {
        if c.is_ascii() && danger(c).is_none() {
            (before, marks) = (Some(c), 0);
            continue;
        }
        marks = if is_mark(c) { marks + 1 } else { 0 };
        let run = |is: fn(char) -> bool| {
            let rest = text.get(offset..).unwrap_or_default();
            &rest[..rest.find(|c| !is(c)).unwrap_or(rest.len())]
        };
        let place = if is_tag(c) {
            let tags = run(is_tag);
            let hostile = !is_flag(before, tags);
            Some((tags, hostile.then(|| (Danger::Hostile, tag_token(tags)))))
        } else if is_selector(c)
            && run(is_selector).chars().nth(1).is_some()
            && !joins(c, text, offset)
        {
            let selectors = run(is_selector);
            Some((
                selectors,
                Some((Danger::Hostile, selector_token(selectors))),
            ))
        } else if marks > MARKS {
            let marks = run(is_mark);
            Some((marks, Some((Danger::Invisible, marks_token(marks)))))
        } else {
            let danger = danger(c).filter(|_| !joins(c, text, offset));
            let danger = danger.or(is_lone(c, before).then_some(Danger::Invisible));
            danger.map(|danger| {
                (
                    &text[offset..offset + c.len_utf8()],
                    Some((danger, token(c))),
                )
            })
        };
        before = Some(c);
        let Some((run, shown)) = place else { continue };
        while chars.next_if(|(at, _)| *at < offset + run.len()).is_some() {}
        found.extend(shown.map(|(danger, token)| Hidden {
            offset,
            len: run.len(),
            danger,
            token,
        }));
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
            ("a\u{E0100}", "a<U+E0100 VS>"),
            ("😊\u{E0158}\u{E0159}\u{FE00}", "😊<VS \"hi\\x00\">"),
            ("❤\u{FE0F}\u{E0158}\u{E0159}", "❤\u{FE0F}<VS \"hi\">"),
            ("\u{301}a\n\u{301}", "<U+0301>a\n<U+0301>"),
            ("a\u{1161}\u{1100}\u{1161}", "a<U+1161>\u{1100}\u{1161}"),
            ("a\u{2800}b", "a<U+2800 BLANK>b"),
            ("\u{378}\u{FFFF}\u{E123}", "<U+0378><U+FFFF><U+E123>"),
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
            "⠓⠑⠀⠇⠇⠕",
            "żółć, naïve, Ελληνικά, עברית, ไทย, 한국어, ａｂｃ, ½ ≠ ∞ → ✓ №",
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
