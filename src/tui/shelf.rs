//! The views other than the review: memory as it stands, the archive, the log.

use super::action::Action;
use super::app::App;
use super::msg::Effect;
use super::page::{Key, List, Page};
use super::rows::Line;

/// What was read for them.
#[derive(Debug, Clone, Default)]
pub struct Shelf {}

impl Shelf {
    /// Memory was written: what was read is to be read again.
    pub fn stale(&mut self) {}
}

/// What they hear.
#[derive(Debug, Clone)]
pub enum Heard {}

/// What they ask of the shell.
#[derive(Debug, Clone)]
pub enum Wish {
    /// Put proposals that left the queue by age back into it.
    Revive,
}

/// What they want typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asking {}

/// What a page on top is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// Something to read.
    Text,
}

/// Answers what the shell found out.
pub fn hear(_app: &mut App, heard: Heard) -> Vec<Effect> {
    match heard {}
}

/// Does what a key means that decides.
pub fn act(_app: &mut App, _action: Action, _frame: u64) -> Vec<Effect> {
    Vec::new()
}

/// A view came up.
pub fn enter(_app: &mut App) -> Vec<Effect> {
    Vec::new()
}

/// Whether an action can be done.
///
/// # Errors
/// Why it cannot be done now.
pub fn check(_app: &App, _action: Action) -> Result<(), String> {
    Ok(())
}

/// This project, or all.
pub fn all_projects(_app: &mut App) -> Vec<Effect> {
    Vec::new()
}

/// The text of what is selected.
#[must_use]
pub fn selected_text(_app: &App) -> Option<String> {
    None
}

/// Another row was selected.
pub fn selected(_app: &mut App) -> Vec<Effect> {
    Vec::new()
}

/// To the next file.
pub fn step_file(_app: &mut App, _by: isize) -> Vec<Effect> {
    Vec::new()
}

/// Enter on the content.
pub fn open(_app: &mut App) -> Vec<Effect> {
    Vec::new()
}

/// Enter in the drawer.
pub fn open_drawer(_app: &mut App) -> Vec<Effect> {
    Vec::new()
}

/// The files as they would be.
pub fn final_files(_app: &mut App) -> Vec<Effect> {
    Vec::new()
}

/// A search goes on while one types.
pub fn searching(app: &mut App, text: &str) -> Vec<Effect> {
    find(app, text);
    Vec::new()
}

/// A search was typed.
pub fn search(app: &mut App, text: &str) -> Vec<Effect> {
    find(app, text);
    if text.is_empty() {
        return Vec::new();
    }
    super::update::matched(app, 0)
}

/// Rows of the content in which a text stands, whatever its case.
fn find(app: &mut App, text: &str) {
    let query = text.to_lowercase();
    if query.is_empty() {
        app.search = None;
        return;
    }
    let page = &app.arranged.page;
    let has = |row: &usize| {
        page.at(*row).is_some_and(|(block, i)| {
            let line: String = block.line(i).iter().map(|s| s.text.as_str()).collect();
            line.to_lowercase().contains(&query)
        })
    };
    let rows: Vec<usize> = (0..page.rows()).filter(has).collect();
    let top = app.place().top;
    let at = rows.iter().position(|row| *row >= top).unwrap_or(0);
    app.search = Some(super::app::Search { query, rows, at });
}

/// What was typed.
pub fn typed(_app: &mut App, asking: &Asking, _text: String) -> Vec<Effect> {
    match *asking {}
}

/// What is asked to be typed, and what it is for.
#[must_use]
pub fn asked(asking: &Asking) -> (&'static str, &'static str) {
    match *asking {}
}

/// A key on a page on top; none: it has no meaning of its own there.
pub fn page_key(_app: &mut App, _chord: super::input::Chord, _frame: u64) -> Option<Vec<Effect>> {
    None
}

/// The footer of a page on top.
#[must_use]
pub fn page_keys(_app: &App, _of: &Shown) -> Vec<(String, String)> {
    vec![
        ("Space".to_owned(), "read on".to_owned()),
        ("Esc".to_owned(), "back".to_owned()),
    ]
}

/// List, content and drawer.
#[must_use]
pub fn arrange(_app: &App) -> (List, Page, Page) {
    Default::default()
}

/// The right end of the title row.
#[must_use]
pub fn title(_app: &App) -> String {
    String::new()
}

/// The row above the content.
#[must_use]
pub fn header(_app: &App) -> Line {
    Line::new()
}

/// The list's title.
#[must_use]
pub fn list_title(_app: &App, _width: u16) -> Line {
    Line::new()
}

/// The drawer's title.
#[must_use]
pub fn drawer_title(_app: &App) -> Line {
    Line::new()
}

/// What is selected.
#[must_use]
pub fn cursor(app: &App) -> Option<Key> {
    app.place().cursor.clone()
}
