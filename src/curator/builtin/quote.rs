//! A sentence made fit to be quoted: shortened, without filler, as a title; and whether it may be.

use super::cues;
use crate::redact::first_whole;
use crate::text::words;

/// At most `max` characters, cut at a word and closed with an ellipsis; back ticks stay in pairs.
pub(super) fn trim_to(text: &str, max: usize) -> String {
    let (head, whole) = first_whole(text, max);
    if whole {
        return text.to_owned();
    }
    let head = head.rsplit_once(' ').map_or(head, |(head, _)| head);
    let head = if head.matches('`').count() % 2 == 1 {
        head.rsplit_once('`').map_or(head, |(head, _)| head)
    } else {
        head
    };
    let head = head.trim_end_matches(|c: char| c.is_whitespace() || ",;:—–-(".contains(c));
    format!("{head}…")
}

/// Without the words people start with.
pub(super) fn without_filler(text: &str) -> &str {
    let mut text = text.trim();
    'again: loop {
        for filler in FILLERS {
            let n = filler.len();
            if text
                .get(..n)
                .is_some_and(|h| h.eq_ignore_ascii_case(filler))
                && text.len() > n
            {
                text = text[n..].trim_start_matches([' ', ',', ':', '-', '—', '.', '!']);
                continue 'again;
            }
        }
        return text;
    }
}

const FILLERS: &[&str] = &[
    "also relevant:",
    "ok ",
    "ok,",
    "okay ",
    "okay,",
    "yes,",
    "yes ",
    "yeah,",
    "no,",
    "hmm,",
    "well,",
    "great,",
    "perfect,",
    "done.",
    "done —",
    "done:",
    "confirmed —",
    "confirmed:",
    "also,",
    "also ",
    "and ",
    "but ",
    "so ",
    "so,",
    "please ",
    "actually,",
    "right,",
    "one heads-up:",
    "heads-up:",
    "✅",
    "❌",
    "⚠️",
    "📌",
    "🎉",
    "note:",
    "note that ",
    "side note from the investigation:",
    "side note:",
    "the reason:",
    "the root cause:",
    "root cause:",
    "the cause:",
    "the fix:",
    "root cause found:",
    "one caveat:",
    "one note:",
    "tip:",
    "fixed:",
    "important:",
];

/// Without the marks at its beginning that would make it more than a line of text.
pub(super) fn without_marks(text: &str) -> &str {
    let text = text.trim();
    let bare = MARKS
        .iter()
        .find_map(|mark| text.strip_prefix(mark))
        .or_else(|| text.trim_start_matches('#').strip_prefix(' '));
    match bare {
        Some(bare) => without_marks(bare),
        None if text.chars().all(|c| "#-=_*`~".contains(c)) => "",
        None => text.strip_suffix("```").unwrap_or(text).trim_end(),
    }
}

/// Beginnings that are markup.
const MARKS: &[&str] = &[
    "```", "~~~", "|", ">", "- ", "* ", "+ ", "--- ", "=== ", "<!--", "[ ] ", "[x] ",
];

/// A title made of the beginning of a sentence: one line, at most 72 characters.
pub(super) fn headline(text: &str) -> String {
    let text = without_filler(text);
    let end = [
        " — ",
        "; ",
        ": ",
        ", so ",
        " because ",
        " since ",
        ", because ",
        " (",
        ", which ",
    ]
    .iter()
    .filter_map(|stop| text.find(stop))
    .filter(|at| *at >= 30)
    .min()
    .unwrap_or(text.len());
    let cut = trim_to(&text[..end], 72);
    let cut = cut.trim_end_matches(['.', ',', ':', ';', ' ', '!']);
    let even = cut.matches('`').count().is_multiple_of(2);
    capital(&if even {
        cut.to_owned()
    } else {
        cut.replace('`', "")
    })
}

/// The distinct words that carry a statement: the longer ones, and those with digits.
pub(super) fn content_words(text: &str) -> Vec<String> {
    let mut words = words(text);
    words.retain(|w| w.chars().count() >= 5 || w.contains(|c: char| c.is_ascii_digit()));
    words.sort_unstable();
    words.dedup();
    words
}

/// Long enough to say something, short enough to be one statement, and whole: neither cut off nor
/// with the gap inside that the digest leaves in a long text.
pub(super) fn is_statement(text: &str) -> bool {
    let n = text.split(' ').count();
    let is_cut = text.starts_with('…') || text.ends_with('…') || text.contains("… …");
    (5..=70).contains(&n) && text.chars().count() <= 420 && !is_cut
}

/// A statement of the model that stands on its own.
pub(super) fn is_quotable(text: &str) -> bool {
    let own = without_filler(text);
    is_statement(own) && !own.ends_with([':', '?']) && !cues::NOISE.finds(own) && !dangles(own)
}

/// Begins with a word that points at something outside the sentence.
pub(super) fn dangles(text: &str) -> bool {
    let starts = |d: &&str| {
        text.get(..d.len())
            .is_some_and(|h| h.eq_ignore_ascii_case(d))
    };
    DANGLING.iter().any(starts)
}

/// Beginnings that point at something outside the sentence.
const DANGLING: &[&str] = &[
    "this ",
    "that ",
    "that's ",
    "it ",
    "it's ",
    "its ",
    "they ",
    "these ",
    "those ",
    "there ",
    "he ",
    "she ",
    "both ",
    "which ",
    "then ",
    "same ",
    "and ",
    "or ",
    "but ",
    "so ",
    "also ",
    "your ",
    "in your ",
    "you ",
    "here ",
    "what ",
    "not ",
    "no ",
    "no —",
    "while fixing",
];

/// With a capital first letter, where the text begins with a plain word.
pub(super) fn capital(text: &str) -> String {
    let first_word = text.split(' ').next().unwrap_or_default();
    let plain_word = first_word
        .chars()
        .all(|c| c.is_alphabetic() || "'’,-".contains(c));
    let mut chars = text.chars();
    match chars.next() {
        Some(c) if plain_word => c.to_uppercase().chain(chars).collect(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_leaves_whole_words_and_paired_ticks() {
        assert_eq!(trim_to("use `cargo nextest run` always", 12), "use…");
        assert_eq!(trim_to("short", 12), "short");
        assert_eq!(
            headline("ok, the cap for one request stays at 25,000: it protects us"),
            "The cap for one request stays at 25,000"
        );
    }
}
