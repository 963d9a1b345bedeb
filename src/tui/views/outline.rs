//! The review's list: project, proposal, file, change.

use super::words;
use crate::proposal::Level;
use crate::review::said;
use crate::review::{ChangeRef, Group, Item, Waiting};
use crate::tui::app::App;
use crate::tui::lines::{fit, segment};
use crate::tui::page::{Entry, Key, List};
use crate::tui::rows::{Line, foreign};
use crate::tui::theme::Role;

/// The rows of the list.
#[must_use]
pub fn list(app: &App) -> List {
    let mut entries = Vec::new();
    let queue = &app.review.queue;
    let mut at = 0;
    while let Some(first) = queue.get(at) {
        let len = queue[at..]
            .iter()
            .take_while(|w| w.project == first.project)
            .count();
        project(app, &queue[at..at + len], &mut entries);
        at += len;
    }
    List { entries }
}

fn is_folded(app: &App, key: &Key, by_itself: bool) -> bool {
    let folds = &app.places[crate::tui::app::View::Review as usize].folds;
    folds.get(key).copied().unwrap_or(by_itself)
}

fn project(app: &App, waiting: &[Waiting], into: &mut Vec<Entry>) {
    let Some(first) = waiting.first() else { return };
    let key = Key::Project(first.project.clone());
    let is_open = waiting
        .iter()
        .any(|w| Some(&w.id) == app.review.open.as_ref());
    let few = app.review.queue.len() <= 12;
    let folded = is_folded(app, &key, !is_open && !few);
    let worst = waiting
        .iter()
        .map(Waiting::level)
        .max()
        .unwrap_or(Level::Pass);
    let right = match folded {
        true => format!("{} {}", waiting.len(), flag(worst)),
        false => String::new(),
    };
    into.push(entry(
        app,
        key,
        0,
        Some(folded),
        (Role::Strong, &first.name),
        right.trim_end(),
    ));
    if !folded {
        for one in waiting {
            proposal(app, one, into);
        }
    }
}

fn proposal(app: &App, waiting: &Waiting, into: &mut Vec<Entry>) {
    let key = Key::Proposal(waiting.id.clone());
    let is_open = app.review.open.as_ref() == Some(&waiting.id);
    let folded = is_folded(app, &key, !is_open) || waiting.item.is_none();
    let what = words::kind(waiting.kind, &waiting.trigger);
    let title = format!("{:<4} {what}", words::short_age(waiting.created, app.now));
    let state = match (waiting.is_stale(), waiting.level()) {
        (_, Level::Block) => "FAIL",
        (true, _) => "STALE",
        (_, Level::Warn) => "!",
        _ => "",
    };
    let right = format!("{state} {}/{}", waiting.decided(), waiting.open());
    into.push(entry(
        app,
        key,
        1,
        Some(folded),
        (Role::Plain, &title),
        right.trim(),
    ));
    if let (Some(item), false) = (&waiting.item, folded) {
        changes(app, item, into);
    }
}

fn changes(app: &App, item: &Item, into: &mut Vec<Entry>) {
    let id = &item.proposal.id;
    let mut last = None;
    for change in item.changes() {
        if !app.shows(item, change.n) {
            continue;
        }
        let group = Group::of(change);
        if last != Some(group) {
            last = Some(group);
            let of: Vec<u32> = item
                .changes()
                .filter(|c| Group::of(c) == group)
                .map(|c| c.n)
                .collect();
            let open = item.undecided();
            let decided = of.iter().filter(|n| !open.contains(n)).count();
            let key = Key::Group(id.clone(), group);
            let right = format!("{decided}/{}", of.len());
            into.push(entry(
                app,
                key,
                2,
                None,
                (Role::Dim, words::group(group)),
                &right,
            ));
        }
        let key = Key::Change(ChangeRef {
            proposal: id.clone(),
            n: change.n,
        });
        let title = format!(
            "{} {}",
            said::mark(item.decision(change.n)),
            item.title(change.n)
        );
        let state = match item.standing(change.n) {
            Some(standing) => words::standing(standing).0,
            None => flag(item.level(change.n)),
        };
        into.push(entry(app, key, 3, None, (Role::Plain, &title), state));
    }
}

fn flag(level: Level) -> &'static str {
    match level {
        Level::Pass => "",
        Level::Warn => "!",
        Level::Block => "FAIL",
    }
}

/// One row: a fold mark, a title that is cut so that what stands at the right fits.
pub(in crate::tui) fn entry(
    app: &App,
    key: Key,
    depth: usize,
    folded: Option<bool>,
    (role, title): (Role, &str),
    right: &str,
) -> Entry {
    let marks = &app.look.marks;
    let fold = match folded {
        Some(true) => marks.folded,
        Some(false) => marks.open,
        None => "",
    };
    let indent = " ".repeat(depth * 2 - usize::from(depth == 3));
    let mut left: Line = vec![segment(Role::Dim, &format!("{indent}{fold} "))];
    if folded.is_none() {
        left = vec![segment(Role::Plain, &indent)];
    }
    left.extend(foreign(title, role, app.look.ascii));
    let width = app.arranged.areas.list.width.saturating_sub(2);
    let state = match right.split(' ').next() {
        Some("FAIL") => Role::Fail,
        Some("!" | "STALE" | "CONFLICT") => Role::Warn,
        _ => Role::Dim,
    };
    let line = crate::tui::lines::ends(left, vec![segment(state, right)], width, marks.ellipsis);
    Entry {
        key,
        line: fit(line, usize::from(width), marks.ellipsis),
        depth,
        folded,
    }
}
