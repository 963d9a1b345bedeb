//! Lines put together of pieces. Every foreign text becomes visible here, before it is a cell.

use super::rows::{Line, Segment};
use super::theme::Role;
use crate::text::{cut, visible_line, width};

/// So many columns of nothing.
#[must_use]
pub fn indent(columns: u16) -> Line {
    match columns {
        0 => Line::new(),
        n => vec![Segment {
            text: " ".repeat(usize::from(n)),
            role: Role::Plain,
        }],
    }
}

/// A line of one piece.
#[must_use]
pub fn line(role: Role, text: &str) -> Line {
    vec![segment(role, text)]
}

/// A piece; foreign text in it is made visible.
#[must_use]
pub fn segment(role: Role, text: &str) -> Segment {
    Segment {
        text: visible_line(text),
        role,
    }
}

/// How many columns a line takes.
#[must_use]
pub fn columns(line: &Line) -> usize {
    line.iter().map(|s| width(&s.text)).sum()
}

/// A line with something at its right edge, cut on the left so that both fit. For titles, never
/// for content.
#[must_use]
pub fn ends(left: Line, right: Line, columns: u16, ellipsis: &str) -> Line {
    let room = usize::from(columns);
    let right_width = self::columns(&right);
    if right_width == 0 || right_width + 4 > room {
        return fit(left, room, ellipsis);
    }
    let mut line = fit(left, room - right_width - 1, ellipsis);
    let gap = room - self::columns(&line) - right_width;
    line.push(segment(Role::Plain, &" ".repeat(gap)));
    line.extend(right);
    line
}

/// A line cut to so many columns.
#[must_use]
pub fn fit(line: Line, columns: usize, ellipsis: &str) -> Line {
    if self::columns(&line) <= columns {
        return line;
    }
    let mut left = columns;
    let mut out = Line::new();
    for piece in line {
        let wide = width(&piece.text);
        if wide <= left {
            left -= wide;
            out.push(piece);
            continue;
        }
        let text = cut(&piece.text, left, ellipsis).into_owned();
        let role = piece.role;
        out.push(Segment { text, role });
        break;
    }
    out
}
