//! The reverse of an apply, shown before it is applied: what goes in, what is left to decide.

use super::wish::Reverse;
use crate::proposal::{Change, Kind};
use crate::review::said;
use crate::review::{Item, Standing};
use crate::text::count;
use crate::tui::app::{App, Look};
use crate::tui::cache::Cache;
use crate::tui::lines::{dots, ends, indent, line};
use crate::tui::page::Block;
use crate::tui::rows::{Line, Shape};
use crate::tui::theme::Role;
use crate::tui::views::stream::wrapped;
use crate::tui::views::words;

/// Columns left of the rows, and of a difference.
const INDENT: (u16, u16) = (2, 4);

fn shape(look: &Look, width: u16) -> Shape {
    Shape {
        width: width.saturating_sub(INDENT.1 + 1),
        style: look.style,
        context: look.context,
        words: look.colour,
        ascii: look.ascii,
    }
}

/// What a change is compared with: what stands where it goes.
fn old<'i>(item: &'i Item, change: &'i Change) -> &'i str {
    match item.standing(change.n) {
        Some(Standing::Changed { now }) => now,
        Some(Standing::Gone) => "",
        _ => change.target.as_ref().map_or("", |t| t.text.as_str()),
    }
}

/// Whether every difference of it was compared.
pub(super) fn is_laid_out(reverse: &Reverse, cache: &Cache, look: &Look, width: u16) -> bool {
    let shape = shape(look, width);
    let item = &reverse.item;
    let mut changes = item.changes();
    changes.all(|c| cache.body(old(item, c), item.text(c.n), &shape).is_some())
}

/// Why it cannot be applied as it is shown.
pub(super) fn objection(reverse: &Reverse) -> Option<String> {
    if reverse.parts().0.is_empty() {
        return Some("all of it is yours to decide".to_owned());
    }
    let verdicts = reverse.item.judged.files.values().flatten();
    let mut blocks = verdicts.filter(|v| v.level == crate::proposal::Level::Block);
    blocks.next().map(|v| format!("{}: {}", v.guard, v.reason))
}

/// The rows; gives the title.
pub(super) fn rows(app: &App, reverse: &Reverse, blocks: &mut Vec<Block>) -> String {
    let item = &reverse.item;
    let (goes_in, left) = reverse.parts();
    let say = |role, text: &str| -> Vec<Line> { below(app, role, text, INDENT.0) };
    let parts = reverse.applied_in.map_or_else(String::new, |n| {
        format!(", all {n} parts in which it was applied")
    });
    let asked = format!("Take {} back{parts}?  What came later stays.", reverse.of);
    let mut head = say(Role::Strong, &asked);
    head.push(Line::new());
    blocks.push(Block::of(None, head));
    for n in &goes_in {
        blocks.extend(item.change(*n).map(|c| changed(app, item, c)));
    }
    if !left.is_empty() {
        let said = format!(
            "{} left to you, in 1 Review:",
            count(left.len(), "change is", "changes are")
        );
        let mut rows = say(Role::Warn, &said);
        rows.push(Line::new());
        blocks.push(Block::of(None, rows));
    }
    for n in &left {
        blocks.extend(item.change(*n).map(|c| changed(app, item, c)));
    }
    let mut rows = Vec::new();
    for gone in &reverse.dropped {
        rows.extend(say(
            Role::Dim,
            &format!("left as it is: {} ({})", gone.what, gone.why),
        ));
    }
    for verdict in item.judged.files.values().flatten() {
        if verdict.level > crate::proposal::Level::Pass {
            let (role, said) = words::verdict(verdict);
            rows.extend(say(role, &said));
        }
    }
    if reverse.waited {
        let said = "It was staged before: it stays in 1 Review when you leave it here.";
        rows.extend(say(Role::Warn, said));
    }
    if !rows.is_empty() {
        rows.push(Line::new());
    }
    let end = match objection(reverse) {
        Some(why) => {
            format!("It cannot be applied as it is: {why}. y takes you to it in 1 Review.")
        }
        None => format!(
            "y applies {} as one commit. Esc leaves everything as it is.",
            count(goes_in.len(), "change", "changes")
        ),
    };
    rows.extend(say(Role::Plain, &end));
    blocks.push(Block::of(None, rows));
    format!(
        " revert of {}   {} in   {} to decide",
        reverse.of,
        goes_in.len(),
        left.len()
    )
}

fn below(app: &App, role: Role, text: &str, left: u16) -> Vec<Line> {
    let width = app.size.0.saturating_sub(left + 1);
    let rows = wrapped(app, role, text, width).into_iter();
    rows.map(|row| indent(left).into_iter().chain(row).collect())
        .collect()
}

fn changed(app: &App, item: &Item, change: &Change) -> Block {
    let path = app.look.marks.path;
    let place = match change.section.as_str() {
        "" => change.file.name().to_owned(),
        section => format!("{} {path} {section}", change.file.name()),
    };
    let does = said::does(change.op, Kind::Revert);
    let title = format!("{place} {path} {}", item.title(change.n));
    let width = app.size.0.saturating_sub(INDENT.0 + 1);
    let ellipsis = app.look.marks.ellipsis;
    let row = ends(
        line(Role::Strong, &title),
        line(Role::Dim, does),
        width,
        ellipsis,
    );
    let head = indent(INDENT.0).into_iter().chain(row).collect();
    let mut block = Block::of(None, vec![head]);
    for flag in item.flags(change.n) {
        let (role, said) = words::verdict(flag);
        block.head.extend(below(app, role, &said, INDENT.1));
    }
    if let Some(standing) = item.standing(change.n) {
        let (word, said) = words::standing(standing);
        let said = format!("{word}: {said}; now (-) and as before (+):");
        block.head.extend(below(app, Role::Warn, &said, INDENT.1));
    }
    match app.cache.body(
        old(item, change),
        item.text(change.n),
        &shape(&app.look, app.size.0),
    ) {
        Some(body) => block.body = Some((body, INDENT.1)),
        None => block
            .head
            .extend(below(app, Role::Dim, &dots(app, "comparing"), INDENT.1)),
    }
    block.tail.push(Line::new());
    block
}
