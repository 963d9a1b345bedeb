//! From segments to cells: the only place where text reaches the screen's buffer.

use super::rows::Segment;
use super::theme::Theme;
use crate::text::{hidden, width};
use ratatui::buffer::Buffer;

/// Paints segments from column `x` of row `y` on, over at most `columns` columns; returns the
/// columns used. What does not fit is not painted: rows are laid out to fit.
pub fn paint(
    buffer: &mut Buffer,
    x: u16,
    y: u16,
    columns: u16,
    segments: &[Segment],
    theme: Theme,
) -> u16 {
    let area = buffer.area;
    if y < area.top() || y >= area.bottom() || x < area.left() || x >= area.right() {
        return 0;
    }
    debug_assert!(is_safe(segments), "{segments:?}");
    let end = x.saturating_add(columns).min(area.right());
    let mut at = x;
    for segment in segments {
        let style = theme.style(segment.role);
        let room = usize::from(end - at);
        at = buffer.set_stringn(at, y, &segment.text, room, style).0;
        if width(&segment.text) > room {
            break;
        }
    }
    at - x
}

/// Whether a row holds nothing that a terminal hides or obeys.
fn is_safe(segments: &[Segment]) -> bool {
    let row: String = segments.iter().map(|s| s.text.as_str()).collect();
    hidden(&row).is_empty() && !row.contains(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{clusters, pieces};
    use crate::tui::theme::Role;
    use proptest::prelude::*;
    use ratatui::layout::Rect;

    fn row(buffer: &Buffer, y: u16) -> String {
        let area = buffer.area;
        let mut out = String::new();
        let mut x = area.left();
        while x < area.right() {
            let symbol = buffer[(x, y)].symbol();
            out.push_str(symbol);
            x += u16::try_from(width(symbol).max(1)).unwrap();
        }
        out
    }

    fn segment(text: &str, role: Role) -> Segment {
        Segment {
            text: text.to_owned(),
            role,
        }
    }

    #[test]
    fn segments_are_painted_side_by_side_and_within_their_columns() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 2));
        let line = [segment("- ", Role::Del), segment("日本語", Role::Token)];
        assert_eq!(paint(&mut buffer, 1, 0, 8, &line, Theme::Ansi), 8);
        assert_eq!(paint(&mut buffer, 1, 1, 7, &line, Theme::Ansi), 6);
        assert_eq!(row(&buffer, 0), " - 日本語   ");
        assert_eq!(row(&buffer, 1), " - 日本     ");
        assert_eq!(paint(&mut buffer, 12, 0, 3, &line, Theme::Ansi), 0);
        assert_eq!(paint(&mut buffer, 0, 2, 3, &line, Theme::Ansi), 0);
    }

    proptest! {
        #[test]
        fn our_columns_are_those_of_the_buffer(text in "\\PC{0,20}|[ﾊﾞﾟ日👩é\u{301}🇫🇷\u{FE0F}\u{200D}a-c]{0,20}") {
            for piece in pieces(&text, false) {
                for (_, cluster, columns) in clusters(&piece.text) {
                    let mut buffer = Buffer::empty(Rect::new(0, 0, 20, 1));
                    let (x, _) = buffer.set_stringn(0, 0, cluster, 20, ratatui::style::Style::new());
                    prop_assert_eq!(usize::from(x), columns, "{:?}", cluster);
                }
            }
        }
    }
}
