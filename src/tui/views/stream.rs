//! The review's content: the open proposal's changes, one below the other.

use super::words;
use crate::digest;
use crate::memory::MemoryFile;
use crate::proposal::{Back, Change, Kind, Level, Op};
use crate::review::said;
use crate::review::{ChangeRef, Group, Item, Standing};
use crate::text::{hidden, on_one_row, visible_line, width};
use crate::tui::app::App;
use crate::tui::lines::{self, ends, fit, indent, line, segment};
use crate::tui::page::{Block, Key, Page};
use crate::tui::rows::{Line, Shape, foreign, told, told_below};
use crate::tui::theme::Role;
use std::collections::BTreeSet;

/// A longer change is folded at first, in rows and in bytes.
const LONG: (usize, usize) = (400, 64 * 1024);
/// So is one with a longer line, in bytes.
const WIDE: usize = 16 * 1024;
/// Columns of a section's name that stands beside the title.
const BESIDE: usize = 24;
/// Rows of a folded change.
const BEGINNING: usize = 20;
/// Columns before a change's text: the bar, a space, and the indent below the title.
const INDENT: u16 = 2;
/// How much further in a foreign text goes on.
const HANG: u16 = 2;
/// Columns left of everything: the bar and a space.
pub const GUTTER: u16 = 2;

/// The blocks of the stream.
#[must_use]
pub fn page(app: &App) -> Page {
    let Some(item) = app.item() else {
        return nothing(app);
    };
    let mut blocks = lead(app, item);
    let mut last = None;
    for change in item.changes().filter(|c| app.shows(item, c.n)) {
        let group = Group::of(change);
        if last != Some(group) {
            last = Some(group);
            blocks.push(title(app, item, group));
        }
        blocks.push(block(app, item, change));
    }
    Page::new(blocks)
}

/// Columns that text may take.
fn columns(app: &App) -> u16 {
    app.arranged.areas.content.width.saturating_sub(GUTTER)
}

/// Without a proposal: what there is to know and to do.
fn nothing(app: &App) -> Page {
    let told = match app.review.open.is_some() {
        true => vec![lines::dots(app, "reading")],
        false => {
            let mut told = vec!["Nothing to review.".to_owned(), String::new()];
            told.extend(app.farewell.last().cloned());
            told.extend(crate::tui::shelf::last(app));
            told.push(String::new());
            told.push(
                "2 read the memory    3 search the archive    4 past distills    q quit".to_owned(),
            );
            told
        }
    };
    let rows = told
        .iter()
        .flat_map(|text| wrapped(app, Role::Plain, text, columns(app)));
    let mut head = vec![Line::new()];
    head.extend(rows);
    Page::new(vec![Block::of(None, head)])
}

/// What is said of the proposal before its changes.
fn lead(app: &App, item: &Item) -> Vec<Block> {
    let proposal = &item.proposal;
    let mut head = Vec::new();
    if proposal.kind == Kind::ChangedOnDisk {
        let what = "what stands on disk and no review let in; agents are given none of it as it stands (w, y: adopt what was read and nothing flags)";
        head.extend(wrapped(app, Role::Dim, what, columns(app)));
    }
    if proposal.kind == Kind::Unreviewed {
        let of = match &proposal.back {
            Some(Back::Apply(id)) => format!(" ({id})"),
            _ => String::new(),
        };
        let said = format!("{}{of}: {}", words::UNATTENDED, said::unattended(proposal));
        head.extend(wrapped(app, Role::Warn, &said, columns(app)));
    }
    if proposal.kind != Kind::ChangedOnDisk && !proposal.summary.is_empty() {
        let said = match proposal.kind {
            kind if kind.is_by_curator() => format!("curator: {}", proposal.summary),
            _ => proposal.summary.clone(),
        };
        head.extend(hanging(app, Role::Dim, &said, columns(app), HANG));
    }
    for gone in &proposal.dropped {
        let said = format!("left out: {} ({})", gone.what, gone.why);
        head.extend(hanging(app, Role::Dim, &said, columns(app), HANG));
    }
    if item.order.is_empty() {
        let turns = crate::text::count(proposal.turns(), "turn", "turns");
        let said = format!(
            "the curator proposes nothing from {turns}; D lets the material go, B gives it back with a note"
        );
        head.extend(wrapped(app, Role::Strong, &said, columns(app)));
    }
    if head.is_empty() {
        return Vec::new();
    }
    head.push(Line::new());
    vec![Block::of(None, head)]
}

/// The title row of a file.
fn title(app: &App, item: &Item, group: Group) -> Block {
    let of: Vec<u32> = item
        .changes()
        .filter(|c| Group::of(c) == group)
        .map(|c| c.n)
        .collect();
    let open = item.undecided();
    let decided = of.iter().filter(|n| !open.contains(n)).count();
    let mut left = line(Role::Strong, words::group(group));
    let rule = words::rule(group);
    if !rule.is_empty() {
        left.push(segment(Role::Dim, &format!("   {rule}")));
    }
    let right = line(Role::Dim, &format!("{decided} of {} decided", of.len()));
    if let Group::File(file) = group
        && let Some(size) = item.judged.sizes.get(&file)
    {
        let text = format!(
            "   {} of {} characters",
            words::number(size.chars),
            words::number(size.budget)
        );
        let size = segment(Role::Dim, &text);
        let used = lines::columns(&left) + text.len() + lines::columns(&right);
        // A narrow screen has no room for it.
        if used < usize::from(columns(app)) {
            left.push(size);
        }
    }
    let mut head = vec![ends(left, right, columns(app), app.look.marks.ellipsis)];
    let files = files_under(item, group);
    for verdict in files.iter().filter_map(|f| item.judged.files.get(f)) {
        for verdict in verdict.iter().filter(|v| v.level > Level::Pass) {
            let (role, said) = words::verdict(verdict);
            head.extend(hanging(app, role, &said, columns(app), HANG));
        }
    }
    head.push(Line::new());
    Block::of(None, head)
}

/// The files of which a title tells what the guardrails say: its own, or those that entries leave
/// for the archive and that have no title of their own.
fn files_under(item: &Item, group: Group) -> BTreeSet<MemoryFile> {
    let of = |c: &Change| match group {
        Group::File(file) => c.file == file && Group::of(c) == group,
        Group::Archive => !item.changes().any(|o| Group::of(o) == Group::File(c.file)),
    };
    item.changes().filter(|c| of(c)).map(|c| c.file).collect()
}

/// A text over as many rows as it takes.
pub(in crate::tui) fn wrapped(app: &App, role: Role, text: &str, width: u16) -> Vec<Line> {
    told(text, width, role, app.look.ascii)
}

/// The same for a text that is not ours: what follows the first row stands further in than any row
/// of ours begins.
pub(in crate::tui) fn hanging(app: &App, role: Role, text: &str, width: u16, by: u16) -> Vec<Line> {
    told_below(text, (width, by), role, app.look.ascii)
}

/// The shape in which differences are laid out.
fn shape(app: &App) -> Shape {
    Shape {
        width: columns(app).saturating_sub(INDENT),
        style: app.look.style,
        context: app.look.context,
        words: app.look.colour,
        ascii: app.look.ascii,
    }
}

/// One change: its title, what speaks against it, its text, what it rests on.
fn block(app: &App, item: &Item, change: &Change) -> Block {
    let key = ChangeRef {
        proposal: item.proposal.id.clone(),
        n: change.n,
    };
    let mut block = Block::of(
        Some(Key::Change(key.clone())),
        vec![heading(app, item, change)],
    );
    let below = columns(app).saturating_sub(INDENT);
    let under = |role, text: &str, rows: &mut Vec<Line>| {
        for row in hanging(app, role, text, below, HANG) {
            let mut all = indent(INDENT);
            all.extend(row);
            rows.push(all);
        }
    };
    if !stands_beside(app, &change.section) && !change.op.takes_away() {
        let section = format!("{} {}", app.look.marks.path, change.section);
        under(Role::Dim, &section, &mut block.head);
    }
    for flag in item.flags(change.n) {
        let (role, said) = words::verdict(flag);
        under(role, &said, &mut block.head);
    }
    if item.is_lapsed(change.n) && !change.leaves() {
        under(Role::Warn, words::LAPSED, &mut block.head);
    }
    let base = change.target.as_ref().map_or("", |t| t.text.as_str());
    let mut old = base;
    match item.standing(change.n) {
        Some(Standing::Changed { now }) => {
            under(Role::Dim, THEN, &mut block.head);
            for row in base.split('\n') {
                under(Role::Plain, &format!("| {row}"), &mut block.head);
            }
            under(Role::Dim, "now (-) and as proposed (+):", &mut block.head);
            old = now;
        }
        Some(standing) => {
            let what = said::standing(change, item.proposal.kind, standing);
            under(Role::Warn, what, &mut block.head);
            if is_added_anew(item, change) {
                under(Role::Dim, THEN, &mut block.head);
                for row in base.split('\n') {
                    under(Role::Plain, &format!("| {row}"), &mut block.head);
                }
                old = "";
            }
        }
        None => {}
    }
    let new = item.text(change.n);
    match app.cache.body(old, new, &shape(app)) {
        None => {
            block.pending = true;
            under(Role::Dim, &lines::dots(app, "comparing"), &mut block.head);
        }
        Some(body) => {
            if body.cut_short() {
                let said =
                    "the comparison was cut short after 500 ms: shown as a whole replacement";
                under(Role::Warn, said, &mut block.head);
            }
            let wide = new.lines().any(|line| line.len() > WIDE);
            let is_long = wide || body.len() > LONG.0 || old.len() + new.len() > LONG.1;
            if is_long && body.len() > BEGINNING && !app.unfolded.contains(&key) {
                block.limit = Some(BEGINNING);
                let more = words::number(body.len() - BEGINNING);
                let dots = app.look.marks.ellipsis;
                under(
                    Role::Accent,
                    &format!("{dots} {more} more rows: Enter shows all"),
                    &mut block.tail,
                );
            }
            block.body = Some((body, INDENT));
        }
    }
    if let Some(reason) = &change.reason {
        under(Role::Dim, &format!("why: {reason}"), &mut block.tail);
    }
    if item.proposal.kind.is_on_disk() {
        let choice = said::choice(change, item.proposal.kind, item.block(change.n).is_some());
        under(Role::Dim, choice, &mut block.tail);
    }
    if item.block(change.n).is_some() {
        let dot = app.look.marks.dot;
        let strip = match hidden(new).is_empty() {
            true => String::new(),
            false => format!(" {dot} : strip-hidden"),
        };
        let said = format!("Cannot be accepted while a check fails. e edit {dot} r reject{strip}");
        under(Role::Fail, &said, &mut block.tail);
    }
    if !app.has_drawer()
        && let Some(quote) = first_evidence(item, change)
    {
        let mut row = indent(INDENT);
        row.extend(foreign(&quote, Role::Dim, app.look.ascii));
        block
            .tail
            .push(fit(row, usize::from(columns(app)), app.look.marks.ellipsis));
    }
    block.tail.push(Line::new());
    block
}

/// Above what stood where a change goes when it was proposed.
const THEN: &str = "when it was proposed, this stood here:";

/// Whether it is an edit whose entry is gone: nothing of it stands.
fn is_added_anew(item: &Item, change: &Change) -> bool {
    let is_gone = item.standing(change.n) == Some(&Standing::Gone);
    is_gone && change.op == Op::Edit && !item.proposal.kind.is_on_disk()
}

/// Whether a section's name stands whole beside the title.
fn stands_beside(app: &App, section: &str) -> bool {
    section.is_empty() || (columns(app) >= 60 && width(&visible_line(section)) <= BESIDE)
}

fn heading(app: &App, item: &Item, change: &Change) -> Line {
    let mark = format!("{} ", said::mark(item.decision(change.n)));
    let mut left = line(Role::Plain, &mark);
    left.extend(foreign(&item.title(change.n), Role::Strong, app.look.ascii));
    let mut right = Line::new();
    if let Some(standing) = item.standing(change.n) {
        right.push(segment(
            Role::Warn,
            &format!("{}  ", words::standing(standing).0),
        ));
    }
    if item.is_lapsed(change.n) {
        right.push(segment(Role::Warn, "LAPSED  "));
    }
    let section = match change.section.as_str() {
        "" => String::new(),
        _ if change.op.takes_away() => String::new(),
        // Another has a row of its own.
        section if !stands_beside(app, section) => String::new(),
        section => format!("{} {section}  ", app.look.marks.path),
    };
    let what = format!("{section}{:<8}", said::does(change.op, item.proposal.kind));
    right.push(segment(Role::Dim, &what));
    if item.proposal.kind.is_by_curator() {
        let text = format!("  evidence {}", change.evidence.len());
        right.push(segment(Role::Dim, &text));
    }
    ends(left, right, columns(app), app.look.marks.ellipsis)
}

/// The first line that a change rests on, on one row.
fn first_evidence(item: &Item, change: &Change) -> Option<String> {
    let n = *change.evidence.first()?;
    let line = item.proposal.lines.iter().find(|l| l.n == n)?;
    Some(format!("\" {}", quoted(line)))
}

/// A digest line on one row: when, who, what.
#[must_use]
pub fn quoted(line: &digest::Line) -> String {
    let at = line
        .at
        .map_or(String::new(), |t| t.strftime("%H:%M ").to_string());
    let text = on_one_row(line.text.as_str());
    format!("{at}{:<6} {text}", words::speaker(line.role))
}
