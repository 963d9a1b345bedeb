//! What happened: the list of events, what one of them did, and the facts around it.

use super::kinds;
use super::{columns, only};
use crate::browse::{ChangeDetail, Details, Event, FileDetail, What, Who};
use crate::proposal::{Level, Op};
use crate::text::{age, first_chars};
use crate::tui::app::App;
use crate::tui::lines::{dots, ends, fit, indent, line, segment};
use crate::tui::page::{Block, Entry, Key, List, Page};
use crate::tui::rows::{Line, Shape};
use crate::tui::theme::Role;
use crate::tui::views::stream::{GUTTER, wrapped};
use crate::tui::views::words;

/// Columns that a difference is indented by.
const INDENT: u16 = 2;

/// The events that were read.
pub(super) fn events(app: &App) -> &[Event] {
    let events = app.shelf.events.value.as_ref();
    events.map_or(&[], |e| e.events.as_slice())
}

/// The event that is selected.
pub(super) fn selected(app: &App) -> Option<&Event> {
    let event = events(app).get(app.shelf.event);
    event.filter(|event| app.shelf.kind.has(event))
}

/// What the selected event did, once it was read.
pub(super) fn details(app: &App) -> Option<&Details> {
    let (of, details) = app.shelf.details.value.as_ref()?;
    (Some(of) == selected(app)).then_some(details)
}

/// The beginning of what an event is found by: its proposal, else its commit.
pub(super) fn short(event: &Event) -> String {
    let proposal = event.proposal.as_ref().map(ToString::to_string);
    let commit = || {
        event
            .commit
            .as_ref()
            .map(|c| first_chars(c, 8).0.to_owned())
    };
    proposal.or_else(commit).unwrap_or_default()
}

/// What happened, in words.
pub(super) fn what(event: &Event) -> String {
    let short = |id: &str| first_chars(id, 8).0.to_owned();
    match event.what {
        What::Apply => event.trigger.clone().unwrap_or_else(|| "distill".into()),
        What::Adopt => "changed on disk".into(),
        What::AcceptedAfter => "accepted after".into(),
        What::Discard => "discarded".into(),
        What::Return => "given back".into(),
        What::Expire => "expired".into(),
        What::Revive => "revived".into(),
        What::Confirm => "confirmed".into(),
        What::Tombstone => "tombstone".into(),
        What::Revert => {
            let of = event.reverts.as_ref().map(|id| format!(" of {id}"));
            format!("revert{}", of.unwrap_or_default())
        }
        What::Restore => {
            let to = event
                .restores
                .as_ref()
                .map(|id| format!(" to {}", short(id)));
            format!("restore{}", to.unwrap_or_default())
        }
        What::Own => "your own change".into(),
        What::ByHand => "by hand".into(),
        What::Trust => "leave".into(),
        What::Key => "key".into(),
        What::NotSecret => "no secret".into(),
        What::AlsoSecret => "a secret".into(),
        What::Settle => "settled".into(),
        What::Init => "first commit".into(),
        What::Commit => "commit".into(),
    }
}

/// How much went in and how much was rejected.
fn sums(event: &Event) -> String {
    match (event.applied, event.rejected) {
        (0, 0) => String::new(),
        (n, m) => format!("{n} in  {m} out"),
    }
}

/// Who decided, in a word.
fn who(event: &Event) -> &'static str {
    match (event.who, event.applied, event.rejected) {
        (_, 0, 1..) if event.what.refused() == "rejected" => "all rejected",
        (Who::Person, ..) if event.proposal.is_some() => "reviewed",
        (Who::Policy, ..) => "auto",
        (Who::Memd, ..) => "by its age",
        _ => "",
    }
}

fn chars(app: &App, event: &Event) -> String {
    match event.chars {
        Some(chars) if chars != Default::default() => format!(
            "+{} {}{}",
            words::number(chars.added),
            app.look.marks.minus,
            words::number(chars.removed)
        ),
        _ => String::new(),
    }
}

/// Whether a text stands in what is said of an event, whatever its case.
pub(super) fn holds(app: &App, event: &Event, query: &str) -> bool {
    let name = app.shelf.name(&event.project);
    let commit = event.commit.as_deref().unwrap_or_default();
    let (short, what) = (short(event), what(event));
    let said = [&short, &what, &event.summary, who(event), name, commit];
    said.iter().any(|text| text.to_lowercase().contains(query))
}

/// Whose memory an event is about, in a list of all.
fn whose<'a>(app: &'a App, event: &Event) -> &'a str {
    match event.everywhere {
        true => "every project",
        false => app.shelf.name(&event.project),
    }
}

/// One event on one row as wide as the screen.
fn long_row(app: &App, event: &Event, width: u16) -> Line {
    let age = format!("{} ago", age(event.at, app.now));
    let mut left = vec![
        segment(Role::Accent, &format!("{:<8}  ", short(event))),
        segment(Role::Dim, &format!("{age:<15} ")),
    ];
    if app.shelf.scope().is_none() {
        left.push(segment(Role::Plain, &format!("{}  ", whose(app, event))));
    }
    left.push(segment(Role::Plain, &format!("{:<15} ", what(event))));
    if event.broken {
        left.push(segment(Role::Fail, "BROKEN  "));
    }
    let told = [sums(event).as_str(), who(event)].join("  ");
    let told = match told.trim() {
        "" => event.summary.clone(),
        told => told.to_owned(),
    };
    left.push(segment(Role::Plain, &told));
    let right = line(Role::Dim, &chars(app, event));
    ends(left, right, width, app.look.marks.ellipsis)
}

/// One event on one row.
fn row(app: &App, event: &Event, width: u16) -> Line {
    match width {
        ..60 => short_row(app, event, width),
        _ => long_row(app, event, width),
    }
}

/// One event on a row of the narrow list.
fn short_row(app: &App, event: &Event, width: u16) -> Line {
    let mut left = vec![segment(
        Role::Dim,
        &format!("{:<4} ", words::short_age(event.at, app.now)),
    )];
    // What happened comes first: the name of its project is what may be cut.
    left.push(segment(Role::Plain, &what(event)));
    if app.shelf.scope().is_none() {
        left.push(segment(Role::Dim, &format!("  {}", whose(app, event))));
    }
    let right = match event.broken {
        true => line(Role::Fail, "BROKEN"),
        false => line(Role::Dim, &sums(event)),
    };
    let line = ends(left, right, width, app.look.marks.ellipsis);
    fit(line, usize::from(width), app.look.marks.ellipsis)
}

/// The list of events.
pub(super) fn list(app: &App) -> List {
    let width = app.arranged.areas.list.width.saturating_sub(2);
    let (from, to) = super::in_sight(app, app.place().list_top, app.arranged.areas.list.height);
    let shown = kinds::shown(app).enumerate();
    let entries = shown.map(|(at, (n, event))| Entry {
        key: Key::Event(n),
        line: match at {
            _ if at < from || at > to => Line::new(),
            _ => row(app, event, width),
        },
        depth: 0,
        folded: None,
    });
    List {
        entries: entries.collect(),
    }
}

/// The content: what the selected event did; on a narrow screen the events.
pub(super) fn page(app: &App) -> Page {
    let slot = &app.shelf.events;
    match (&slot.value, &slot.fault) {
        (_, Some(why)) => return only(app, why),
        (None, None) => return only(app, &dots(app, "reading")),
        (Some(read), None) if read.events.is_empty() => {
            let said = read.problem.as_deref();
            return only(app, said.unwrap_or("Nothing has happened here yet."));
        }
        (Some(read), None) if kinds::shown(app).next().is_none() => {
            return only(app, &none_shown(app, read.is_end));
        }
        _ => {}
    }
    if app.is_wide() {
        return Page::new(did(app, columns(app)));
    }
    let (from, to) = super::in_sight(app, app.place().top, app.arranged.areas.content.height);
    let shown = kinds::shown(app).enumerate();
    let rows = shown.map(|(at, (n, event))| {
        let row = match at {
            _ if at < from || at > to => Line::new(),
            _ => row(app, event, columns(app)),
        };
        Block::of(Some(Key::Event(n)), vec![row])
    });
    Page::new(rows.collect())
}

/// Nothing that was read is of the kind that is shown.
fn none_shown(app: &App, is_end: bool) -> String {
    let kind = app.shelf.kind.name();
    match is_end {
        true => format!("No event of this kind: {kind}. f shows the next kind."),
        false => dots(app, "reading on"),
    }
}

/// The drawer: the facts; on a narrow screen what was done comes first.
pub(super) fn drawer(app: &App) -> Page {
    let width = app.arranged.areas.drawer.width.saturating_sub(GUTTER);
    let mut blocks = Vec::new();
    if !app.is_wide() {
        blocks.extend(did(app, width));
    }
    blocks.extend(facts(app, width));
    Page::new(blocks)
}

/// What the selected event did, and the facts, for a page on top.
pub(super) fn whole(app: &App) -> Vec<Block> {
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
fn did(app: &App, width: u16) -> Vec<Block> {
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
fn facts(app: &App, width: u16) -> Vec<Block> {
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

/// Whether an apply can be taken back.
pub(super) fn can_revert(app: &App) -> Result<(), String> {
    let Some(event) = selected(app) else {
        return Err("select what is to be taken back".to_owned());
    };
    let applied = matches!(
        event.what,
        What::Apply | What::Adopt | What::Revert | What::Restore | What::Own | What::Tombstone
    );
    match event.proposal {
        Some(_) if applied && event.applied > 0 => Ok(()),
        _ => Err("it let nothing in that could be taken back".to_owned()),
    }
}

/// What happened last, for a screen on which nothing waits.
pub(super) fn last(app: &App) -> Vec<String> {
    let Some(last) = &app.shelf.last.value else {
        return Vec::new();
    };
    let mut told = Vec::new();
    if let Some((event, name)) = &last.event {
        let sums = match (event.applied, event.rejected) {
            (0, 0) => String::new(),
            (n, m) => format!(": {n} accepted, {m} {}", event.what.refused()),
        };
        let ago = age(event.at, app.now);
        told.push(format!(
            "Last: {} {ago} ago in {name}{sums} ({}).",
            what(event),
            short(event)
        ));
    }
    let projects = crate::text::count(last.projects, "project has", "projects have");
    told.push(format!("{projects} a memory."));
    told
}
