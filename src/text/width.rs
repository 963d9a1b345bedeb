//! How many columns a text takes on a screen.
//!
//! Pure. A column is counted by grapheme cluster, the unit a terminal paints: wrapping, cutting
//! and placing a cursor all ask here. The text is visible already: a control character has no
//! width that two terminals agree on.

use std::borrow::Cow;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Columns of a visible text on one row.
#[must_use]
pub fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    clusters(text).map(|(_, _, columns)| columns).sum()
}

/// Columns of one grapheme cluster; 0 for one that nothing is painted for.
#[must_use]
pub fn cluster_width(cluster: &str) -> usize {
    if cluster.len() == 1 {
        return 1;
    }
    // Terminals paint the halfwidth sound marks in a cell of their own.
    let marks = cluster
        .chars()
        .filter(|c| matches!(c, '\u{FF9E}' | '\u{FF9F}'));
    cluster.width() + marks.count()
}

/// The clusters of a visible text: byte offset, cluster, columns.
pub fn clusters(text: &str) -> impl Iterator<Item = (usize, &str, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        let (len, columns) = first_cluster(rest);
        let here = at;
        at += len;
        Some((here, rest.get(..len)?, columns))
    })
}

/// The bytes and the columns of the first cluster. Most characters are one by themselves, if the
/// next one is of their kind as well; only the rest is looked up.
fn first_cluster(text: &str) -> (usize, usize) {
    let mut chars = text.chars();
    let (first, next) = (chars.next().map(plain), chars.next().map(plain));
    match (first.flatten(), next) {
        (Some(columns), None | Some(Some(_))) => {
            (text.chars().next().map_or(0, char::len_utf8), columns)
        }
        _ => {
            let cluster = text.graphemes(true).next().unwrap_or(text);
            (cluster.len(), cluster_width(cluster))
        }
    }
}

/// The columns of a character that joins neither another of these nor is joined by one.
fn plain(c: char) -> Option<usize> {
    match c {
        ' '..='~' => Some(1),
        '\u{3001}'..='\u{3029}' | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' => Some(2),
        '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{FF01}'..='\u{FF5E}' => Some(2),
        _ => None,
    }
}

/// A visible text on one row of so many columns: cut at a cluster, and the cut shown by
/// `ellipsis`. For what we say ourselves (titles, names in an outline); what a person decides on
/// is wrapped, never cut.
#[must_use]
pub fn cut<'t>(text: &'t str, columns: usize, ellipsis: &str) -> Cow<'t, str> {
    if width(text) <= columns {
        return Cow::Borrowed(text);
    }
    let sign = width(ellipsis);
    let sign = if sign <= columns { sign } else { 0 };
    let mut used = 0;
    let end = clusters(text)
        .find(|(_, _, columns_of)| {
            used += columns_of;
            used > columns - sign
        })
        .map_or(text.len(), |(at, _, _)| at);
    let mut out = text[..end].trim_end().to_owned();
    if sign > 0 {
        out.push_str(ellipsis);
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn columns_are_those_of_a_terminal() {
        for (text, columns) in [
            ("", 0),
            ("plain", 5),
            ("日本語", 6),
            ("e\u{301}", 1),
            ("👩‍👩‍👧‍👦", 2),
            ("🇫🇷", 2),
            ("1️⃣", 2),
            ("a\u{301}b日", 4),
        ] {
            assert_eq!(width(text), columns, "{text:?}");
        }
    }

    #[test]
    fn a_title_is_cut_at_a_cluster_and_says_so() {
        for (text, columns, shown) in [
            ("short", 5, "short"),
            ("a longer title", 8, "a longe…"),
            ("a longer title", 9, "a longer…"),
            ("日本語です", 5, "日本…"),
            ("日本語です", 6, "日本…"),
            ("ae\u{301}io", 3, "ae\u{301}…"),
            ("any", 0, ""),
        ] {
            assert_eq!(cut(text, columns, "…"), shown, "{text:?} at {columns}");
        }
        assert_eq!(cut("a longer title", 8, "..."), "a lon...");
        assert_eq!(cut("a longer title", 2, "..."), "a");
    }

    #[test]
    fn what_is_not_looked_up_is_what_would_be_found() {
        for c in ('\0'..='\u{FFFF}').filter(|c| plain(*c).is_some()) {
            let text = format!("{c}{c}a");
            assert_eq!(
                plain(c),
                Some(cluster_width(&text[..c.len_utf8()])),
                "{c:?}"
            );
            assert_eq!(text.graphemes(true).count(), 3, "{c:?}");
        }
    }

    proptest! {
        #[test]
        fn clusters_are_the_text_and_those_of_the_standard(text in "[a-c \u{301}日한\u{11A8}か\u{3099}、！👩🇫🇷\u{200D}é\u{FE0F}0]{0,20}") {
            let ours: Vec<&str> = clusters(&text).map(|(_, cluster, _)| cluster).collect();
            let theirs: Vec<&str> = text.graphemes(true).collect();
            prop_assert_eq!(ours, theirs);
        }

        #[test]
        fn what_is_cut_fits(text in "[a-c 日é👩\u{301}]{0,20}", columns in 0usize..12) {
            prop_assert!(width(&cut(&text, columns, "…")) <= columns);
        }
    }
}
