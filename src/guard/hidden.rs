//! Characters that a reader does not see, and words whose letters only look alike.

use super::normal::latin;
use super::{block, quote, warn};
use crate::proposal::Verdict;
use crate::text::{Danger, hidden, visible_line};
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

pub(super) const NAME: &str = "hidden-characters";

/// Places that a reason lists at most.
const LISTED: usize = 5;

pub(super) fn check(text: &str) -> Vec<Verdict> {
    let found = hidden(text);
    let tokens = |danger: Danger| {
        let all: Vec<&str> = found
            .iter()
            .filter(|h| h.danger == danger)
            .map(|h| h.token.as_str())
            .collect();
        let more = if all.len() > LISTED { ", …" } else { "" };
        (!all.is_empty()).then(|| format!("{}{more}", all[..all.len().min(LISTED)].join(", ")))
    };
    let mut said = Vec::new();
    if let Some(tokens) = tokens(Danger::Hostile) {
        said.push(block(
            NAME,
            format!("holds characters that reorder, control or smuggle text: {tokens}"),
        ));
    }
    if let Some(tokens) = tokens(Danger::Invisible) {
        said.push(warn(NAME, format!("holds invisible characters: {tokens}")));
    }
    if let Some(word) = mixed_word(text) {
        let shown = quote(&visible_line(word));
        said.push(warn(
            NAME,
            format!(
                "mixes scripts within a word: {shown} holds {}",
                strange(word)
            ),
        ));
    }
    if let Some(form) = unusual_form(text) {
        said.push(warn(NAME, form));
    }
    said
}

/// The first character that is put together where one that looks the same is usual (Unicode's
/// form C): two texts that nobody can tell apart would not be equal.
fn unusual_form(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let differs = |c: &&str| c.nfc().ne(c.chars());
    let cluster = text.graphemes(true).find(differs)?;
    let codes = |chars: &mut dyn Iterator<Item = char>| {
        let all: Vec<String> = chars.map(|c| format!("U+{:04X}", c as u32)).collect();
        all.join(" ")
    };
    let (written, usual) = (codes(&mut cluster.chars()), codes(&mut cluster.nfc()));
    let shown = quote(&visible_line(cluster));
    Some(format!(
        "writes {shown} as {written} where {usual} is usual"
    ))
}

/// The first word of Latin letters with look-alikes from another script among them.
fn mixed_word(text: &str) -> Option<&str> {
    text.split(|c: char| !c.is_alphanumeric() && !"-_.".contains(c))
        .flat_map(|host| host.split(['-', '_', '.']))
        .find(|word| word.chars().any(|c| c.is_ascii_alphabetic()) && word.chars().any(is_strange))
}

fn is_strange(c: char) -> bool {
    c.to_lowercase()
        .any(|c| latin(c).is_some() && !"βμı".contains(c))
}

fn strange(word: &str) -> String {
    let all: Vec<String> = word
        .chars()
        .filter(|c| is_strange(*c))
        .take(LISTED)
        .map(|c| format!("U+{:04X}", c as u32))
        .collect();
    all.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposal::Level;

    #[test]
    fn hidden_places_block_or_warn_and_scripts_that_need_them_pass() {
        let cases = [
            ("a\u{202E}b", Some(Level::Block)),
            ("a\u{1b}[2Jb", Some(Level::Block)),
            ("a\rb", Some(Level::Block)),
            ("x\u{E0069}\u{E0067}y", Some(Level::Block)),
            ("sk-ant\u{200B}-x", Some(Level::Warn)),
            ("paypаl.example", Some(Level::Warn)),
            ("lоdash", Some(Level::Warn)),
            ("caf\u{65}\u{301}", Some(Level::Warn)),
            ("café, naïve, ñ, 한글", None),
            ("plain text, 日本語, می‌خواهم, 👩‍👩‍👧", None),
            ("Привет, мир; npm для всех", None),
            ("5 µs, Δx, α-test, β2, 10μm", None),
        ];
        for (text, level) in cases {
            let worst = check(text).iter().map(|v| v.level).max();
            assert_eq!(worst, level, "{text:?}");
        }
        assert!(check("lоdash")[0].reason.contains("U+043E"));
        assert!(
            check("caf\u{65}\u{301}")[0]
                .reason
                .contains("U+0065 U+0301 where U+00E9")
        );
        assert!(check("a\u{202E}")[0].reason.contains("<U+202E RLO>"));
    }
}
