//! What happened: the list of events; [`details`] has what one of them did.

mod details;

pub(super) use details::whole;
use details::{did, facts};

use super::kinds;
use super::{columns, only};
use crate::browse::{Details, Event, What, Who};
use crate::text::{age, first_chars};
use crate::tui::app::App;
use crate::tui::lines::{dots, ends, fit, line, segment};
use crate::tui::page::{Block, Entry, Key, List, Page};
use crate::tui::rows::Line;
use crate::tui::theme::Role;
use crate::tui::views::stream::GUTTER;
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
        What::Lapsed => "lapsed".into(),
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
        What::GiveUp => "given up".into(),
        What::Init => "first commit".into(),
        What::Commit => "commit".into(),
    }
}

/// How much went in and how much was rejected.
fn sums(event: &Event) -> String {
    let part = event.parts.map(|n| format!("  1 of {n} parts"));
    match (event.applied, event.rejected) {
        (0, 0) => String::new(),
        (n, m) => format!("{n} in  {m} out{}", part.unwrap_or_default()),
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
