//! A place in a session, as rows of a page.

use super::{INDENT, Rows};
use crate::browse::{Excerpt, Said};
use crate::tui::lines::segment;
use crate::tui::page::{Block, Key};
use crate::tui::rows::Line;
use crate::tui::theme::Role;
use crate::tui::views::stream::wrapped;
use crate::tui::views::words;

pub(super) fn transcript(rows: &mut Rows<'_>, excerpt: &Excerpt) {
    if let Some(gone) = &excerpt.gone {
        let sha = gone.sha.as_ref();
        let sha = sha.map_or(String::new(), |s| format!(" (sha {s})"));
        rows.gap();
        let said = match gone.is_there {
            true => gone.why.clone(),
            false => format!("source no longer available{sha}: {}", gone.why),
        };
        rows.say(Role::Warn, 0, &said);
        rows.say(Role::Dim, 0, "What the distill kept of it:");
    } else {
        let said = match excerpt.is_more_before {
            true => "more before this: k reads on",
            false => "the beginning of the session",
        };
        rows.say(Role::Dim, 0, said);
    }
    rows.gap();
    for (n, turn) in excerpt.turns.iter().enumerate() {
        said(rows, n, turn, n == excerpt.cited);
    }
    if excerpt.gone.is_none() {
        let said = match excerpt.is_more_after {
            true => "more after this: j reads on",
            false => "the end of the session",
        };
        rows.say(Role::Dim, 0, said);
    }
}

/// One message: when, who, where; then what.
fn said(rows: &mut Rows<'_>, n: usize, turn: &Said, is_cited: bool) {
    let at = turn
        .at
        .map_or(String::new(), |at| at.strftime("%H:%M  ").to_string());
    let at_line = turn.line.map_or(String::new(), |n| format!("   line {n}"));
    let mut head = format!("{at}{:<6}{at_line}", words::speaker(turn.role));
    if turn.abandoned {
        head.push_str("   (on a branch that was left)");
    }
    if turn.is_stored {
        head.push_str("   (as the distill kept it)");
    }
    let marks = rows.app.look.marks;
    let (role, bar) = match is_cited {
        true => (Role::Select, marks.bar),
        false => (Role::Accent, " "),
    };
    if is_cited {
        head.push_str("   this is what is cited");
    }
    let mut block = Block::of(Some(Key::Row(n)), Vec::new());
    let width = rows.app.size.0.saturating_sub(INDENT + 1);
    for row in wrapped(rows.app, role, &head, width) {
        let mut all = vec![segment(Role::Select, bar), segment(Role::Plain, " ")];
        all.extend(row);
        block.head.push(all);
    }
    let width = rows.app.size.0.saturating_sub(INDENT + 3);
    let body = rows.app.cache.text(&turn.text, width, rows.app.look.ascii);
    block.body = Some((body, INDENT + 2));
    if turn.cut > 0 {
        let left = format!("{} more characters are not shown", words::number(turn.cut));
        block.tail.extend(rows.rows(Role::Dim, 2, &left));
    }
    block.tail.push(Line::new());
    rows.blocks.push(block);
}
