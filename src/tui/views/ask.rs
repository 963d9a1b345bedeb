//! What is asked before something large is done: the question with all it means, and the sheet.

use super::stream::hanging;
use super::words;
use crate::review::{Ask, ChangeRef, Item, Sheet, SheetFile, said};
use crate::text::count;
use crate::tui::app::App;
use crate::tui::lines::{ends, indent, line};
use crate::tui::page::{Block, Page};
use crate::tui::rows::Line;
use crate::tui::theme::Role;

/// Columns left of a question.
const INDENT: u16 = 3;

/// Rows with their roles and their further indent.
struct Rows<'a> {
    app: &'a App,
    rows: Vec<Line>,
}

impl Rows<'_> {
    fn say(&mut self, role: Role, deeper: u16, text: &str) {
        let left = INDENT + deeper;
        let width = self.app.size.0.saturating_sub(left + 2);
        for row in hanging(self.app, role, text, width, 2) {
            let mut all = indent(left);
            all.extend(row);
            self.rows.push(all);
        }
    }

    fn gap(&mut self) {
        self.rows.push(Line::new());
    }
}

/// The rows of what is asked.
#[must_use]
pub fn page(app: &App) -> Page {
    let mut rows = Rows {
        app,
        rows: vec![Line::new()],
    };
    match &app.review.ask {
        Some((Ask::Apply { sheet, because, .. }, _)) => {
            apply(&mut rows, sheet, because.as_deref());
        }
        Some((ask, _)) => question(&mut rows, ask, app.item()),
        None => {}
    }
    Page::new(vec![Block::of(None, rows.rows)])
}

fn question(rows: &mut Rows<'_>, ask: &Ask, item: Option<&Item>) {
    match ask {
        Ask::AcceptAll {
            proposal,
            numbers,
            passed_over,
            ..
        } => {
            let (seen, unseen) = rows.app.review.by_seen(proposal, numbers);
            accept_all(rows, &titles(item, &seen), &titles(item, &unseen));
            if !passed_over.is_empty() {
                rows.gap();
                let n = passed_over.len();
                rows.say(
                    Role::Warn,
                    0,
                    &format!("{n} flagged, to be decided one by one:"),
                );
            }
            for (title, why) in passed_over {
                rows.say(Role::Plain, 2, &format!("! {title} ({why})"));
            }
        }
        Ask::RejectAll {
            numbers, decided, ..
        } => {
            let what = count(numbers.len(), "change", "changes");
            rows.say(Role::Strong, 0, &format!("Reject {what}?"));
            rows.gap();
            if *decided > 0 {
                rows.say(
                    Role::Warn,
                    0,
                    &format!("{decided} of them are accepted so far"),
                );
            }
            let what = said::rejecting_all(item);
            rows.say(Role::Plain, 0, what);
        }
        Ask::Discard(id) => {
            rows.say(
                Role::Strong,
                0,
                &format!("Discard proposal {id}? Nothing of it is kept."),
            );
            rows.gap();
            rows.say(Role::Plain, 0, said::discarding(item));
        }
        Ask::Return(id, note) => {
            rows.say(Role::Strong, 0, &format!("Give proposal {id} back?"));
            rows.gap();
            rows.say(
                Role::Plain,
                0,
                "Its material is read again by the next distill, with this note to the curator:",
            );
            rows.gap();
            rows.say(Role::Plain, 2, note);
        }
        Ask::Apply { .. } => {}
    }
}

/// What a yes accepts, and what it does not since nobody can have read it yet.
fn accept_all(rows: &mut Rows<'_>, seen: &[String], unseen: &[String]) {
    let asked = match seen.len() {
        0 => "Nothing to accept yet.".to_owned(),
        n => format!(
            "Accept {}?",
            count(n, "undecided change", "undecided changes")
        ),
    };
    rows.say(Role::Strong, 0, &asked);
    rows.gap();
    for title in seen {
        rows.say(Role::Plain, 0, title);
    }
    if unseen.is_empty() {
        return;
    }
    if !seen.is_empty() {
        rows.gap();
    }
    let (n, stays) = match unseen.len() {
        1 => (1, "has not been on screen to its end and stays undecided:"),
        n => (
            n,
            "have not been on screen to their end and stay undecided:",
        ),
    };
    rows.say(Role::Warn, 0, &format!("{n} {stays}"));
    for title in unseen {
        rows.say(Role::Plain, 2, title);
    }
}

fn titles(item: Option<&Item>, changes: &[ChangeRef]) -> Vec<String> {
    let title = |c: &ChangeRef| item.map_or_else(String::new, |i| i.title(c.n));
    changes.iter().map(title).collect()
}

fn apply(rows: &mut Rows<'_>, sheet: &Sheet, because: Option<&str>) {
    rows.say(Role::Strong, 0, "Apply this proposal?");
    rows.gap();
    for file in &sheet.files {
        file_row(rows, file);
        for (title, edited) in &file.goes_in {
            let mark = if *edited { "[e]" } else { "[a]" };
            rows.say(Role::Plain, 2, &format!("{mark} {title}"));
            if let Some(guards) = over(sheet, title) {
                rows.say(Role::Warn, 6, &format!("! over a warning: {guards}"));
            }
        }
        for verdict in &file.verdicts {
            let (role, said) = words::verdict(verdict);
            rows.say(role, 2, &said);
        }
    }
    rows.gap();
    for (what, titles) in sheet.refused() {
        let said = format!("{} {what}: {}", titles.len(), titles.join("; "));
        rows.say(Role::Plain, 0, &said);
    }
    let left = match sheet.undecided {
        0 => "0 undecided".to_owned(),
        n => format!("{n} undecided: the proposal stays with them"),
    };
    rows.say(Role::Plain, 0, &left);
    if !sheet.warned.is_empty() {
        let said = format!("! {} accepted over a warning", sheet.warned.len());
        rows.say(Role::Warn, 0, &said);
    }
    // Each is named where it goes in, or else here.
    let named = |title: &str| {
        let mut going = sheet.files.iter().flat_map(|f| &f.goes_in);
        going.any(|(goes, _)| is_called(goes, title))
    };
    for (title, guards) in sheet.warned.iter().filter(|(title, _)| !named(title)) {
        rows.say(Role::Warn, 2, &format!("{title} ({guards})"));
    }
    for note in &sheet.notes {
        rows.say(Role::Plain, 0, note);
    }
    rows.gap();
    let commit = match sheet.is_quiet {
        true => "No commit: no text changes.".to_owned(),
        false => format!("Commit: {}", sheet.subject),
    };
    rows.say(Role::Plain, 0, &commit);
    match (sheet.blocked(), because) {
        (Some(_), Some(why)) => rows.say(
            Role::Warn,
            0,
            &format!("The loss guard is overridden: {why}"),
        ),
        (Some(_), None) if sheet.only_loss_blocks() => rows.say(
            Role::Fail,
            0,
            "A file would lose most of its text. If that is right: o, then type why.",
        ),
        (Some(_), None) => rows.say(Role::Fail, 0, "This cannot be applied as it is."),
        (None, _) => later(rows, sheet),
    }
}

/// Whether what goes in under a name has this title, behind what becomes of it.
fn is_called(goes: &str, title: &str) -> bool {
    let before = goes.strip_suffix(title);
    before.is_some_and(|what| what.is_empty() || what.ends_with(": "))
}

/// The guardrails that warn of what goes in under this name.
fn over<'a>(sheet: &'a Sheet, goes: &str) -> Option<&'a str> {
    let mut all = sheet.warned.iter();
    let found = all.find(|(title, _)| is_called(goes, title));
    found.map(|(_, guards)| guards.as_str())
}

/// How it is undone later.
fn later(rows: &mut Rows<'_>, sheet: &Sheet) {
    let gives_way = !sheet.restored.is_empty() || !sheet.taken_out.is_empty();
    if sheet.files.iter().any(|f| !f.goes_in.is_empty()) || !gives_way {
        let revert = "Undo later from 4 Log, or with `memd revert`.";
        rows.say(Role::Dim, 0, revert);
    }
    if gives_way {
        let restore = "`memd restore FILE --at COMMIT` brings back what stood there: with the commit by hand before this one (`memd log`).";
        rows.say(Role::Dim, 0, restore);
    }
}

/// A file with what happens to it; its sizes stand at the right, or below on a narrow screen.
fn file_row(rows: &mut Rows<'_>, file: &SheetFile) {
    let width = rows.app.size.0.saturating_sub(INDENT + 2);
    let marks = &rows.app.look.marks;
    let counts = file.counts().join("  ");
    let left = format!("{:<19}  {counts}", file.name);
    let sizes = sizes(file, marks.arrow);
    if crate::text::width(&left) + crate::text::width(&sizes) + 2 > usize::from(width) {
        rows.say(Role::Plain, 0, &format!("{}  {counts}", file.name));
        return rows.say(Role::Dim, 2, &sizes);
    }
    let line = ends(
        line(Role::Plain, &left),
        line(Role::Dim, &sizes),
        width,
        marks.ellipsis,
    );
    let mut all = indent(INDENT);
    all.extend(line);
    rows.rows.push(all);
}

fn sizes(file: &SheetFile, arrow: &str) -> String {
    let of = file
        .budget
        .map_or(String::new(), |b| format!(" of {}", words::number(b)));
    format!(
        "{} {arrow} {}{of}",
        words::number(file.before),
        words::number(file.after)
    )
}
