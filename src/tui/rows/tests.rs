//! Rows of a screen, as text.

use super::*;
use crate::review::diff::compare;
use crate::text::{hidden, width};

fn shape(width: u16, style: DiffStyle) -> Shape {
    Shape {
        width,
        style,
        context: None,
        words: true,
        ascii: false,
    }
}

/// A row as text, changed words and tokens in brackets.
fn drawn(line: &Line) -> String {
    line.iter()
        .map(|s| match s.role {
            Role::AddWord | Role::DelWord => format!("[{}]", s.text),
            Role::Token => format!("⟦{}⟧", s.text),
            _ => s.text.clone(),
        })
        .collect()
}

fn rows(old: &str, new: &str, shape: &Shape) -> Vec<String> {
    let body = Body::new(&Arc::new(compare(old, new)), shape);
    (0..body.len()).map(|i| drawn(&body.line(i))).collect()
}

fn plain(line: &Line) -> String {
    line.iter().map(|s| s.text.as_str()).collect()
}

#[test]
fn lines_are_marked_and_go_on_under_their_text() {
    let old = "Outbound calls.\nRetry budget is 5 attempts, then it is parked.";
    let new = "Outbound calls.\nRetry budget is 3 attempts, then it is parked.\n- A list item that is wrapped";
    assert_eq!(
        rows(old, new, &shape(30, DiffStyle::Lines)),
        [
            "  Outbound calls.",
            "- Retry budget is [5] attempts, ",
            "  then it is parked.",
            "+ Retry budget is [3] attempts, ",
            "  then it is parked.",
            "+ - A list item that is ",
            "    wrapped",
        ]
    );
}

#[test]
fn the_words_style_puts_both_words_into_one_line() {
    let (old, new) = (
        "Retry budget is 5 attempts, then it is parked.\ngone altogether",
        "Retry budget is 3 attempts, then it is parked.\nnothing alike 1 2 3",
    );
    let shape = shape(60, DiffStyle::Words);
    assert_eq!(
        rows(old, new, &shape),
        [
            "~ Retry budget is [5][3] attempts, then it is parked.",
            "- gone altogether",
            "+ nothing alike 1 2 3",
        ]
    );
    let words = Shape {
        words: false,
        ..shape
    };
    assert_eq!(
        rows(old, new, &words)[0],
        "~ Retry budget is [[-5-]][{+3+}] attempts, then it is parked."
    );
}

#[test]
fn the_final_style_counts_what_goes() {
    let old = "one stays as it is\ntwo is here in full\nthree\nfour\nfive\n";
    let new = "one stays as it is\ntwo was here in full\nfive\nsix";
    assert_eq!(
        rows(old, new, &shape(60, DiffStyle::Final)),
        [
            "  one stays as it is",
            "~ two [was] here in full",
            "- 2 lines",
            "  five",
            "+ six",
        ]
    );
}

#[test]
fn unchanged_lines_far_from_a_change_are_folded_whole() {
    let text = |word: &str| {
        let line = |n: usize| {
            if n == 20 {
                word.to_owned()
            } else {
                format!("line {n}")
            }
        };
        (0..60).map(|n| line(n) + "\n").collect::<String>()
    };
    let (old, new) = (text("old"), text("new"));
    let mut shape = shape(40, DiffStyle::Lines);
    shape.context = Some(2);
    let folded = [
        "  … 18 lines as before",
        "  line 18",
        "  line 19",
        "- old",
        "+ new",
        "  line 21",
        "  line 22",
        "  … 37 lines as before",
    ];
    assert_eq!(rows(&old, &new, &shape), folded);
    shape.ascii = true;
    assert_eq!(rows(&old, &new, &shape)[0], "  ... 18 lines as before");
    shape.context = Some(19);
    assert_eq!(rows(&old, &new, &shape)[0], "  line 0");
    // What was read to is the same place whatever is folded.
    let diff = Arc::new(compare(&old, &new));
    let (narrow, all) = (
        Body::new(
            &diff,
            &Shape {
                context: Some(2),
                ..shape
            },
        ),
        Body::new(
            &diff,
            &Shape {
                context: None,
                ..shape
            },
        ),
    );
    assert_eq!(narrow.end(4), all.end(21));
    assert_eq!(all.row_at(narrow.start(4)), 21);
    assert_eq!(narrow.row_at(all.start(5)), 0);
    assert_eq!(narrow.end(narrow.len() - 1), all.end(all.len() - 1));
}

#[test]
fn headings_bold_and_code_keep_their_marks() {
    let body = text_rows(
        "### Title\nsee `a b` **now**\n```\n**x**\n```\n**y**",
        40,
        false,
    );
    let roles = |i: usize| body.line(i).iter().map(|s| s.role).collect::<Vec<_>>();
    assert_eq!(roles(0), [Role::Strong]);
    assert_eq!(
        roles(1),
        [Role::Plain, Role::Code, Role::Plain, Role::Strong]
    );
    assert_eq!(roles(3), [Role::Code]);
    assert_eq!(roles(5), [Role::Strong]);
    assert_eq!(plain(&body.line(1)), "see `a b` **now**");
}

#[test]
fn tokens_stand_apart_in_every_style() {
    let old = "Deploys go through make release, as ever.";
    let new = "Deploys go through make release\u{202E}live\u{202C}\r, as ever.\u{E0069}\u{E0067}";
    for style in [DiffStyle::Lines, DiffStyle::Words, DiffStyle::Final] {
        let all = rows(old, new, &shape(200, style)).join("\n");
        assert!(all.contains("⟦<U+202E RLO>⟧"), "{all}");
        for token in ["<U+202C PDF>", "<U+000D CR>", "<TAG \"ig\">"] {
            assert!(all.contains(token), "{token} in {all}");
        }
    }
}

#[test]
fn every_edit_of_a_long_paragraph_is_set_off_and_none_is_cut() {
    let filler = "and the paragraph goes on with the same words for long ".repeat(32);
    let old = format!("always {filler} port 500 {filler} a == b {filler}");
    let new = format!("never {filler} port 5000 {filler} a != b {filler}");
    assert!(new.len() > 5_000);
    for style in [DiffStyle::Lines, DiffStyle::Words, DiffStyle::Final] {
        let rows = rows(&old, &new, &shape(80, style));
        for word in ["[never]", "[5000]", "[!=]"] {
            assert!(rows.iter().any(|r| r.contains(word)), "{word}, {style:?}");
        }
        assert!(
            rows.iter()
                .all(|row| !row.contains('…') && width(row) <= 88)
        );
    }
}

#[test]
fn a_token_or_a_blank_that_goes_is_not_taken_for_one_that_comes() {
    let shape = shape(90, DiffStyle::Words);
    let seen = |old: &str, new: &str| rows(old, new, &shape).concat();
    assert_eq!(
        seen("see the\u{200B} run book", "see the run book"),
        "~ see the[[-]⟦<U+200B ZWSP>⟧[-]] run book"
    );
    assert_eq!(
        seen("see the run book", "see the  run book"),
        "~ see the[[- -]][{+  +}]run book"
    );
}

#[test]
fn what_a_terminal_would_obey_is_a_token_of_the_row() {
    let text = "a\u{1b}[31mb\u{1b}]52;c;eA==\u{7}c\u{1b}]0;t\u{9c}d\u{9b}2Je\0f\u{8}g visible\rHIDDEN x\u{E0069}\u{E0067}";
    let all = rows("", text, &shape(60, DiffStyle::Lines))
        .concat()
        .replace("  ", "");
    for token in [
        "⟦<U+001B ESC>⟧[31m",
        "⟦<U+0007 BEL>⟧",
        "⟦<U+009C>⟧",
        "⟦<U+009B CSI>⟧2J",
        "⟦<U+0000 NUL>⟧",
        "⟦<U+0008 BS>⟧",
        "visible⟦<U+000D CR>⟧HIDDEN",
        "x⟦<TAG \"ig\">⟧",
    ] {
        assert!(all.contains(token), "{token} in {all}");
    }
}

#[test]
fn wide_and_joined_characters_are_whole_wherever_a_row_ends() {
    for what in ["日本語の文字", "👩‍👩‍👧‍👦", "🇫🇷", "e\u{301}"] {
        for offset in 0..80 {
            let text = format!("{}{}", "x".repeat(offset), what.repeat(100));
            let body = text_rows(&text, 80, false);
            let rows: Vec<_> = (0..body.len()).map(|i| plain(&body.line(i))).collect();
            assert!(rows.iter().all(|row| width(row) <= 80), "{rows:?}");
            assert!(
                rows[..rows.len() - 1].iter().all(|row| width(row) >= 79),
                "{rows:?}"
            );
            assert_eq!(rows.concat(), text);
        }
    }
}

#[test]
fn what_is_said_of_content_is_safe_and_fits() {
    let text = "holds\u{202E} places\nof a longer reason";
    let marks = Marks::new(false);
    assert_eq!(
        drawn(&chrome(text, 18, Role::Warn, &marks)),
        "holds⟦<U+202E RLO>⟧…"
    );
    let told: Vec<_> = told(text, 20, Role::Warn, false)
        .iter()
        .map(drawn)
        .collect();
    assert_eq!(
        told,
        [
            "holds⟦<U+202E RLO>⟧ ",
            "places⟦<U+000A LF>⟧of ",
            "a longer reason"
        ]
    );
}

/// Bodies are laid out beside the screen.
#[test]
fn a_body_can_be_handed_over() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Body>();
}

mod all_texts {
    use super::*;
    use crate::tui::paint::paint;
    use crate::tui::theme::Theme;
    use proptest::prelude::*;
    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;

    const TEXT: &str = "([a-c ]{0,12}[ab`*# -]?|[日本👩é\u{301}🇫🇷\u{200D}\u{FE0F}\u{200B}\u{202E}\t\r]{0,5}|می\u{200C}خواهم|👩‍👩‍👧‍👦|क्‍ष|\n){0,20}";

    fn any_shape() -> impl Strategy<Value = Shape> {
        let styles = [DiffStyle::Lines, DiffStyle::Words, DiffStyle::Final];
        let style = proptest::sample::select(styles.to_vec());
        let context = proptest::option::of(0usize..3);
        // A cluster that no font joins may take six columns.
        (12u16..40, style, context, any::<bool>(), any::<bool>()).prop_map(
            |(width, style, context, words, ascii)| Shape {
                width,
                style,
                context,
                words,
                ascii,
            },
        )
    }

    proptest! {
        #[test]
        fn rows_fit_are_safe_and_follow_each_other(old in TEXT, new in TEXT, shape in any_shape()) {
            let body = Body::new(&Arc::new(compare(&old, &new)), &shape);
            for i in 0..body.len() {
                let line = body.line(i);
                let text = plain(&line);
                prop_assert!(hidden(&text).is_empty() && !text.contains(char::is_control), "{:?}", text);
                let mut buffer = Buffer::empty(Rect::new(0, 0, shape.width + 2, 1));
                let painted = paint(&mut buffer, 1, 0, shape.width, &line, Theme::Ansi);
                prop_assert_eq!(usize::from(painted), width(&text), "{:?}", line);
                let columns: usize = line.iter().map(|s| width(&s.text)).sum();
                prop_assert!(columns <= usize::from(shape.width), "{:?}", line);
                prop_assert_eq!(columns, width(&text), "{:?}", line);
                let (start, end) = (body.start(i), body.end(i));
                prop_assert!(start <= end, "{:?} {:?}", start, end);
                // Rows within one token begin at the same place.
                prop_assert!(start == end || body.row_at(start) == i);
            }
        }

        #[test]
        fn lines_shown_as_one_hold_both(old in "([a-d]{1,3}[ =.]){0,12}", new in "([a-d]{1,3}[ =.]){0,12}", columns in 4u16..30) {
            let body = Body::new(&Arc::new(compare(&old, &new)), &shape(columns, DiffStyle::Words));
            let without = |other: Role, mark: &str| {
                let rows = (0..body.len()).map(|i| body.line(i));
                let rows = rows.filter(|row| !row[0].text.starts_with(mark));
                let segments = rows.flat_map(|mut row| {
                    row[0].text.drain(..2);
                    row
                });
                let kept = segments.filter(|s| s.role != other).map(|s| s.text);
                ["[-", "-]", "{+", "+}"].iter().fold(kept.collect::<String>(), |t, sign| t.replace(sign, ""))
            };
            if !body.is_empty() && body.line(0)[0].text.starts_with('~') {
                prop_assert_eq!(without(Role::AddWord, "+"), old);
                prop_assert_eq!(without(Role::DelWord, "-"), new);
            }
        }

        #[test]
        fn rows_of_a_text_are_the_text(text in TEXT, columns in 4u16..40) {
            let body = text_rows(&text, columns, false);
            let mut all = String::new();
            for i in 0..body.len() {
                let row = plain(&body.line(i));
                all.push_str(&row);
                if body.row(i).unwrap().2.is_none() {
                    all.push('\n');
                }
            }
            let seen: String = text.split_inclusive('\n').map(|l| crate::text::shown(l.trim_end_matches('\n'), false) + "\n").collect();
            let no_blanks = |t: &str| t.replace(' ', "");
            prop_assert_eq!(no_blanks(&all), no_blanks(&seen));
        }
    }
}
