//! How a selection is shown: the selected part of a line is always in sight, however long the line
//! and however small the screen.

use super::marking::Marking;
use crate::text::{cut, visible_line, width};
use crate::tui::app::App;
use crate::tui::arrange::overlay_height;
use crate::tui::lines::{fit, indent, line};
use crate::tui::page::Block;
use crate::tui::rows::{Line, Segment};
use crate::tui::theme::Role;
use crate::tui::views::stream::wrapped;
use unicode_segmentation::UnicodeSegmentation;

/// Rows below which only the selection and what follows it is shown.
const LOW: usize = 9;
/// Columns left of the lines.
const LEFT: u16 = 4;
const HOW: &str = "w b another word   l h its end on and back   H L its beginning   W one word more   j k another line";

/// The rows of the page. Each line takes one: what is selected of it, with what stands around.
pub(super) fn blocks(app: &App, marking: &Marking) -> Vec<Block> {
    let height = overlay_height(app);
    let is_low = height < LOW;
    let (lines, at) = marking.around(if is_low { 0 } else { height / 3 }, height);
    let mut rows: Vec<Line> = Vec::new();
    if !is_low {
        rows.extend(paragraph(app, Role::Dim, 2, HOW));
        rows.push(Line::new());
    }
    for (n, text) in lines.iter().enumerate() {
        if n == at {
            rows.push(excerpt(app, marking.parts()));
            rows.extend(paragraph(app, Role::Accent, LEFT + 2, &marking.told()));
        } else {
            let columns = usize::from(columns(app));
            let row = fit(line(Role::Plain, text), columns, app.look.marks.ellipsis);
            rows.push(deeper(LEFT, row));
        }
    }
    vec![Block::of(None, rows)]
}

fn columns(app: &App) -> u16 {
    app.size.0.saturating_sub(LEFT + 1)
}

fn deeper(left: u16, row: Line) -> Line {
    let mut all = indent(left);
    all.extend(row);
    all
}

fn paragraph(app: &App, role: Role, left: u16, text: &str) -> Vec<Line> {
    let rows = wrapped(app, role, text, app.size.0.saturating_sub(left + 1));
    rows.into_iter().map(|row| deeper(left, row)).collect()
}

/// The selected part with what fits of the line around it, in one row.
fn excerpt(app: &App, (before, selected, after): (&str, &str, &str)) -> Line {
    let room = usize::from(columns(app));
    let sign = app.look.marks.ellipsis;
    let (before, selected, after) = (
        visible_line(before),
        visible_line(selected),
        visible_line(after),
    );
    let selected = both_ends(&selected, room, sign);
    let left = room.saturating_sub(width(&selected));
    let (wide_before, wide_after) = (width(&before), width(&after));
    // Half of what is left for each, and to one what the other does not need.
    let for_before = wide_before.min((left / 2).max(left.saturating_sub(wide_after)));
    let before = match for_before < wide_before {
        true => format!(
            "{sign}{}",
            tail(&before, for_before.saturating_sub(width(sign)))
        ),
        false => before,
    };
    let for_after = left.saturating_sub(width(&before));
    let piece = |text: &str, role| Segment {
        text: text.to_owned(),
        role,
    };
    let mut row = vec![piece(&before, Role::Plain), piece(&selected, Role::Select)];
    row.extend(fit(vec![piece(&after, Role::Plain)], for_after, sign));
    row.retain(|s| !s.text.is_empty());
    deeper(LEFT, row)
}

/// Beginning and end of what is too wide.
fn both_ends(text: &str, room: usize, sign: &str) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let left = room.saturating_sub(width(sign));
    let end = tail(text, left / 3);
    let start = cut(text, left.saturating_sub(width(end)), "");
    format!("{start}{sign}{end}")
}

/// The end of a text that takes at most so many columns.
fn tail(text: &str, columns: usize) -> &str {
    let mut left = columns;
    let mut from = text.len();
    for (at, grapheme) in text.grapheme_indices(true).rev() {
        match left.checked_sub(width(grapheme)) {
            Some(rest) => (left, from) = (rest, at),
            None => break,
        }
    }
    text.get(from..).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_cut_between_characters_as_they_are_seen() {
        assert_eq!(tail("ab\u{65e5}\u{672c}", 3), "\u{672c}");
        assert_eq!(tail("abcdef", 3), "def");
        assert_eq!(tail("abc", 0), "");
        assert_eq!(both_ends("abcdefghij", 7, "~"), "abcd~ij");
        assert_eq!(both_ends("abc", 7, "~"), "abc");
    }
}
