//! What one event did, and the facts around it.

use super::{INDENT, chars, details, selected, short, sums, what};
use crate::browse::{ChangeDetail, FileDetail, Who};
use crate::proposal::{Level, Op};
use crate::text::age;
use crate::tui::app::App;
use crate::tui::lines::{dots, ends, indent, line};
use crate::tui::page::Block;
use crate::tui::rows::{Line, Shape};
use crate::tui::theme::Role;
use crate::tui::views::stream::wrapped;
use crate::tui::views::words;

/// What the selected event did, and the facts, for a page on top.
pub(in crate::tui::shelf) fn whole(app: &App) -> Vec<Block> {
    let width = app.size.0.saturating_sub(3);
    let mut blocks = did(app, width);
    blocks.extend(facts(app, width));
    for block in &mut blocks {
        let rows = block.head.iter_mut().chain(&mut block.tail);
        rows.for_each(|row| row.splice(0..0, indent(2)).for_each(drop));
        if let Some((_, left)) = &mut block.body {
            *left += 2;
        }
    }
    blocks
}

/// What the selected event did.
pub(super) fn did(app: &App, width: u16) -> Vec<Block> {
    let Some(event) = selected(app) else {
        return Vec::new();
    };
    let mut head = Vec::new();
    let dot = app.look.marks.dot;
    let title = format!(
        "{}  {}  {} ago {dot} {}",
        short(event),
        what(event),
        age(event.at, app.now),
        event.at.strftime("%Y-%m-%d %H:%M")
    );
    head.extend(wrapped(app, Role::Strong, &title, width));
    if !event.summary.is_empty() {
        head.extend(wrapped(app, Role::Dim, &event.summary, width));
    }
    if event.broken {
        let said =
            "x its audit record or its proposal is not as it was written; memd verify says more";
        head.extend(wrapped(app, Role::Fail, said, width));
    }
    if let Some(why) = app
        .shelf
        .details
        .fault
        .as_ref()
        .filter(|_| details(app).is_none())
    {
        head.extend(wrapped(app, Role::Fail, why, width));
    }
    head.push(Line::new());
    let mut blocks = vec![Block::of(None, head)];
    let Some(details) = details(app) else {
        if app.shelf.details.fault.is_none() {
            let rows = wrapped(app, Role::Dim, &dots(app, "reading"), width);
            blocks.push(Block::of(None, rows));
        }
        return blocks;
    };
    if let Some(problem) = &details.problem {
        let mut rows = wrapped(app, Role::Fail, problem, width);
        rows.push(Line::new());
        blocks.push(Block::of(None, rows));
    }
    for change in details.changes.iter().filter(|c| c.went_in()) {
        blocks.push(changed(app, change, width));
    }
    for file in &details.files {
        blocks.push(of_file(app, file, width));
    }
    let rejected: Vec<&str> = details.rejected().collect();
    if !rejected.is_empty() {
        let mut rows = wrapped(
            app,
            Role::Plain,
            &format!("{} {}:", rejected.len(), event.what.refused()),
            width,
        );
        for title in rejected {
            rows.extend(deeper(app, Role::Plain, title, width));
        }
        rows.push(Line::new());
        blocks.push(Block::of(None, rows));
    }
    blocks
}

fn deeper(app: &App, role: Role, text: &str, width: u16) -> Vec<Line> {
    let rows = wrapped(app, role, text, width.saturating_sub(INDENT));
    let deeper = |row: Line| indent(INDENT).into_iter().chain(row).collect();
    rows.into_iter().map(deeper).collect()
}

fn shape(app: &App, width: u16) -> Shape {
    Shape {
        width: width.saturating_sub(INDENT),
        style: app.look.style,
        context: app.look.context,
        words: app.look.colour,
        ascii: app.look.ascii,
    }
}

fn compared(app: &App, block: &mut Block, before: &str, after: &str, width: u16) {
    match app.cache.body(before, after, &shape(app, width)) {
        Some(body) => {
            if body.cut_short() {
                let said =
                    "the comparison was cut short after 500 ms: shown as a whole replacement";
                block.head.extend(deeper(app, Role::Warn, said, width));
            }
            block.body = Some((body, INDENT));
        }
        None => block
            .head
            .extend(deeper(app, Role::Dim, &dots(app, "comparing"), width)),
    }
    block.tail.push(Line::new());
}

fn changed(app: &App, change: &ChangeDetail, width: u16) -> Block {
    let path = app.look.marks.path;
    let place = match change.section.as_str() {
        "" => change.file.name().to_owned(),
        section => format!("{} {path} {section}", change.file.name()),
    };
    let did = match (change.op, change.decision) {
        (Op::Archive, _) => "to the archive",
        (Op::Tombstone, _) => "tombstoned",
        (_, Some("edited")) => "in as edited",
        (_, Some("undecided")) => "not decided",
        (Op::Add, _) => "new",
        (Op::Edit, _) if change.before == change.after => "",
        (Op::Edit, _) => "changed",
    };
    let row = ends(
        line(Role::Strong, &place),
        line(Role::Dim, did),
        width,
        app.look.marks.ellipsis,
    );
    let mut block = Block::of(None, vec![row]);
    let before = change.before.as_deref().unwrap_or_default();
    let after = change.after.as_deref().unwrap_or_default();
    compared(app, &mut block, before, after, width);
    if let Some(reason) = &change.reason {
        let why = deeper(app, Role::Dim, &format!("why: {reason}"), width);
        let at = block.tail.len().saturating_sub(1);
        block.tail.splice(at..at, why);
    }
    block
}

fn of_file(app: &App, file: &FileDetail, width: u16) -> Block {
    let mut block = Block::of(None, wrapped(app, Role::Strong, &file.path, width));
    if let Some(why) = &file.left_out {
        block.head.extend(deeper(app, Role::Dim, why, width));
        block.tail.push(Line::new());
        return block;
    }
    let before = file.before.as_deref().unwrap_or_default();
    let after = file.after.as_deref().unwrap_or_default();
    compared(app, &mut block, before, after, width);
    block
}

/// Who decided, what was asked, what the checks said, the commit.
pub(super) fn facts(app: &App, width: u16) -> Vec<Block> {
    let Some(event) = selected(app) else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    let mut say = |role, text: &str| rows.extend(wrapped(app, role, text, width));
    let by = match event.who {
        Who::Person => "decided by a person",
        Who::Policy => "let in by a policy that a person granted",
        Who::Memd => "decided by its age alone",
        Who::Unknown => "by whom is not known",
    };
    let sum = [by.to_owned(), sums(event), chars(app, event)];
    let sum: Vec<String> = sum.into_iter().filter(|s| !s.is_empty()).collect();
    say(Role::Plain, &sum.join("   "));
    if let Some(curator) = &event.curator {
        let model = curator.model.as_deref().unwrap_or(&curator.backend);
        let cost = curator
            .cost_usd
            .map_or(String::new(), |c| format!("   ${c:.4}"));
        let asked = match curator.prompt_chars {
            0 => String::new(),
            n => {
                let n = words::number(usize::try_from(n).unwrap_or(usize::MAX));
                format!("   asked with {n} characters")
            }
        };
        say(Role::Plain, &format!("curator {model}{asked}{cost}"));
    }
    if let Some(details) = details(app) {
        for session in &details.sessions {
            say(Role::Plain, &format!("session {session}"));
        }
        if let Some(why) = &details.despite {
            say(
                Role::Warn,
                &format!("! the loss guard was overridden: {why}"),
            );
        }
        for change in &details.changes {
            for verdict in change.checks.iter().filter(|v| v.level > Level::Pass) {
                let (role, said) = words::verdict(verdict);
                say(role, &format!("{said}   ({})", change.title));
            }
        }
    }
    if let Some(commit) = &event.commit {
        say(Role::Dim, &format!("commit {commit}"));
    }
    let message = details(app).and_then(|d| d.message.as_ref());
    for row in message.iter().flat_map(|m| m.lines()) {
        say(Role::Dim, &format!("  {row}"));
    }
    vec![Block::of(None, rows)]
}
