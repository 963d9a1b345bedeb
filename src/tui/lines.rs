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

/// A word of ours that goes on: something is being done.
#[must_use]
pub fn dots(app: &super::app::App, word: &str) -> String {
    format!("{word}{}", app.look.marks.ellipsis)
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

/// A line cut to so many columns; where it is cut, that is said.
#[must_use]
pub fn fit(line: Line, columns: usize, ellipsis: &str) -> Line {
    if self::columns(&line) <= columns {
        return line;
    }
    let sign = if width(ellipsis) <= columns {
        width(ellipsis)
    } else {
        0
    };
    let mut left = columns - sign;
    let mut out = Line::new();
    for piece in line {
        let wide = width(&piece.text);
        if wide <= left {
            left -= wide;
            out.push(piece);
            continue;
        }
        let mut text = cut(&piece.text, left, "").trim_end().to_owned();
        if sign > 0 {
            text.push_str(ellipsis);
        }
        let role = piece.role;
        out.push(Segment { text, role });
        break;
    }
    out
}

/// A line with the places set off where a text stands, whatever its case. `query` is lower case.
#[must_use]
pub fn marked(line: Line, query: &str) -> Line {
    let mut out = Line::new();
    for piece in line {
        let mut rest = piece.text.as_str();
        while let Some((at, len)) = place(rest, query) {
            let (before, from) = rest.split_at(at);
            let (found, after) = from.split_at(len);
            for (text, role) in [(before, piece.role), (found, Role::Match)] {
                if !text.is_empty() {
                    let text = text.to_owned();
                    out.push(Segment { text, role });
                }
            }
            rest = after;
        }
        if !rest.is_empty() {
            let text = rest.to_owned();
            out.push(Segment {
                text,
                role: piece.role,
            });
        }
    }
    out
}

/// Where a text stands first: its byte, and how many it takes.
fn place(text: &str, query: &str) -> Option<(usize, usize)> {
    if query.is_empty() {
        return None;
    }
    text.char_indices().find_map(|(at, _)| {
        let mut wanted = query.chars();
        let mut end = at;
        for c in text.get(at..)?.chars() {
            if wanted.as_str().is_empty() {
                break;
            }
            if !c.to_lowercase().all(|c| wanted.next() == Some(c)) {
                return None;
            }
            end += c.len_utf8();
        }
        wanted.as_str().is_empty().then_some((at, end - at))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_looked_for_is_set_off_in_either_case() {
        let told = |text: &str, query: &str| -> Vec<(String, bool)> {
            let line = marked(line(Role::Plain, text), query);
            let piece = |s: Segment| (s.text, s.role == Role::Match);
            line.into_iter().map(piece).collect()
        };
        let pairs = |all: &[(&str, bool)]| -> Vec<(String, bool)> {
            all.iter().map(|(t, m)| ((*t).to_owned(), *m)).collect()
        };
        let found = pairs(&[("a ", false), ("PORT", true), (", ", false), ("port", true)]);
        assert_eq!(told("a PORT, port", "port"), found);
        assert_eq!(told("Größe", "grö"), pairs(&[("Grö", true), ("ße", false)]));
        assert_eq!(told("por", "port"), pairs(&[("por", false)]));
        assert_eq!(told("x", ""), pairs(&[("x", false)]));
    }

    #[test]
    fn a_cut_is_said_wherever_it_falls() {
        let pieces = ["ab", "cd", "日本", "e"].map(|text| segment(Role::Plain, text));
        let all = [
            "…",
            "a…",
            "ab…",
            "abc…",
            "abcd…",
            "abcd…",
            "abcd日…",
            "abcd日…",
        ];
        for (columns, told) in (1..).zip(all) {
            let cut = fit(pieces.to_vec(), columns, "…");
            let text: String = cut.iter().map(|s| s.text.as_str()).collect();
            assert_eq!(text, told, "{columns}");
        }
        assert_eq!(fit(pieces.to_vec(), 9, "…"), pieces);
    }
}
