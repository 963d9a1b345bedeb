//! Pages on top: a transcript, the final files, and what is asked before something is done.

mod keys;
mod questions;
mod transcript;

pub use self::keys::{page_key, page_keys};
use self::questions::asked;
use self::transcript::transcript;
use super::marking::Marking;
use super::wish::{Hidden, Reverse, Side, Spoken};
use crate::browse::{EntryView, Excerpt, Redaction};
use crate::id::{ProjectId, ProposalId};
use crate::trust::AlsoSecret;
use crate::tui::app::{App, View};
use crate::tui::lines::{indent, line, segment};
use crate::tui::overlay::Overlay;
use crate::tui::page::{Block, Key, Page};
use crate::tui::rows::Line;
use crate::tui::theme::Role;
use crate::tui::update::scroll_overlay;
use crate::tui::views::stream::wrapped;

/// What a page on top is of.
#[derive(Debug, Clone)]
pub enum Shown {
    /// A place in a session.
    Transcript {
        /// The proposal whose evidence it is.
        proposal: ProposalId,
        /// The window that was read.
        excerpt: Excerpt,
    },
    /// Files as they would be: names and texts.
    Files(Vec<(String, String)>),
    /// What the selected event did, on a screen that has no room for it beside the list.
    Details,
    /// The drawer, on a screen that has no room for it; and its selected row.
    Under(usize),
    /// A text being selected that is a secret.
    Mark(Marking),
    /// Something that is done after a `y`.
    Ask {
        /// What.
        question: Question,
        /// The first frame on which its end was, once there is one.
        read: Option<u64>,
    },
}

/// What is asked before it is done.
#[derive(Debug, Clone)]
pub enum Question {
    /// That an entry is still true.
    Confirm {
        /// Whose.
        project: ProjectId,
        /// The entry.
        entry: Box<EntryView>,
    },
    /// That a hidden value is no secret, or is one after all.
    NotSecret {
        /// What is said of it.
        hidden: Hidden,
        /// Where it stood.
        found: Redaction,
    },
    /// That a text is a secret from now on.
    AlsoSecret(Spoken),
    /// That a value is not kept as a secret any more.
    NoLongerSecret(AlsoSecret),
    /// That an apply is taken back.
    Reverse(Box<Reverse>),
    /// That the review ends with what was typed and cannot be kept; and why it cannot.
    Leave(String),
}

/// Columns left of a page's text.
const INDENT: u16 = 2;

/// Rows that are put together to a page.
struct Rows<'a> {
    app: &'a App,
    blocks: Vec<Block>,
}

impl Rows<'_> {
    fn say(&mut self, role: Role, deeper: u16, text: &str) {
        let rows = self.rows(role, deeper, text);
        self.blocks.push(Block::of(None, rows));
    }

    fn rows(&self, role: Role, deeper: u16, text: &str) -> Vec<Line> {
        let left = INDENT + deeper;
        let width = self.app.size.0.saturating_sub(left + 1);
        let rows = wrapped(self.app, role, text, width).into_iter();
        rows.map(|row| {
            let mut all = indent(left);
            all.extend(row);
            all
        })
        .collect()
    }

    fn gap(&mut self) {
        self.blocks.push(Block::of(None, vec![Line::new()]));
    }

    /// A text of several lines, as it is.
    fn text(&mut self, deeper: u16, text: &str) {
        let left = INDENT + deeper;
        let width = self.app.size.0.saturating_sub(left + 1);
        let body = self.app.cache.text(text, width, self.app.look.ascii);
        self.blocks.push(Block {
            body: Some((body, left)),
            ..Block::default()
        });
    }
}

/// The title and the rows of a page on top.
#[must_use]
pub fn shown(app: &App, of: &Shown) -> (Line, Page) {
    let mut rows = Rows {
        app,
        blocks: Vec::new(),
    };
    let title = match of {
        Shown::Transcript { excerpt, .. } => {
            transcript(&mut rows, excerpt);
            format!(
                " transcript   session {}   {}",
                excerpt.session, excerpt.source
            )
        }
        Shown::Files(files) => {
            rows.gap();
            final_files(&mut rows, files);
            " the files as they would be".to_owned()
        }
        Shown::Details => {
            rows.blocks = super::log::whole(app);
            " what it did".to_owned()
        }
        Shown::Under(at) => {
            drawer(&mut rows, *at);
            let of = (app.view, app.look.page);
            match of == (View::Review, crate::tui::app::Drawer::Redactions) {
                true => " what was redacted".to_owned(),
                false => " what it rests on".to_owned(),
            }
        }
        Shown::Mark(marking) => {
            rows.blocks = super::marked::blocks(app, marking);
            " which text is a secret".to_owned()
        }
        Shown::Ask { question, .. } => {
            rows.gap();
            asked(&mut rows, question)
        }
    };
    let title = line(Role::Strong, &title);
    let width = usize::from(app.size.0);
    let title = crate::tui::lines::fit(title, width, app.look.marks.ellipsis);
    (title, Page::new(rows.blocks))
}

/// The rows of the drawer, the selected one with the bar.
fn drawer(rows: &mut Rows<'_>, at: usize) {
    let page = match rows.app.view {
        View::Review => crate::tui::views::drawer::page(rows.app),
        _ => super::arrange(rows.app).2,
    };
    let marks = rows.app.look.marks;
    for block in page.blocks() {
        let bar = if block.key == Some(Key::Row(at)) {
            marks.bar
        } else {
            " "
        };
        let lines = (0..block.rows()).map(|i| {
            let mut all = vec![segment(Role::Select, bar), segment(Role::Plain, " ")];
            all.extend(block.line(i));
            all
        });
        rows.blocks
            .push(Block::of(block.key.clone(), lines.collect()));
    }
}

fn final_files(rows: &mut Rows<'_>, files: &[(String, String)]) {
    if files.is_empty() {
        rows.say(Role::Dim, 0, "no file is written");
    }
    for (name, text) in files {
        rows.say(Role::Strong, 0, name);
        rows.gap();
        rows.text(2, text.trim_end());
        rows.gap();
    }
}

/// The line that a row of the review's drawer cites.
pub(super) fn evidence(app: &App, row: usize) -> Option<(ProposalId, u32)> {
    let item = app.item()?;
    let current = app.review.current.as_ref()?;
    let change = item.change(current.n)?;
    let lines = crate::tui::views::drawer::lines(item, change);
    let line = lines.get(row).or(lines.first())?;
    let is_shown = app.look.page == crate::tui::app::Drawer::Evidence;
    is_shown.then(|| (item.proposal.id.clone(), line.n))
}

/// More of a transcript came: what was on screen stays where it was.
pub(super) fn read_on(app: &mut App, id: &ProposalId, new: Excerpt, side: Side, came: usize) {
    let before = app.arranged.overlay.rows();
    match app.overlays.last_mut() {
        Some(Overlay::Pages { of, .. }) => match of.as_mut() {
            Shown::Transcript { proposal, excerpt } if proposal == id => *excerpt = new,
            _ => return,
        },
        _ => return,
    }
    crate::tui::arrange::lay_out(app);
    let grown = app.arranged.overlay.rows().saturating_sub(before);
    match (app.overlays.last_mut(), side) {
        (Some(Overlay::Pages { top, .. }), Side::Before) => *top += grown,
        (Some(_), Side::After) if came > 0 => {
            scroll_overlay(app, 1);
        }
        _ => {}
    }
}

/// The end of the page on top is on screen.
pub fn read_to_its_end(app: &mut App, frame: u64) {
    if let Some(Overlay::Pages { of, .. }) = app.overlays.last_mut()
        && let Shown::Ask { read, question } = of.as_mut()
        && question.is_laid_out(&app.cache, &app.look, app.size.0)
    {
        read.get_or_insert(frame);
    }
}

impl Question {
    /// Whether all of it can be shown already.
    fn is_laid_out(
        &self,
        cache: &crate::tui::cache::Cache,
        look: &crate::tui::app::Look,
        width: u16,
    ) -> bool {
        match self {
            Question::Reverse(reverse) => super::reverse::is_laid_out(reverse, cache, look, width),
            _ => true,
        }
    }
}

/// The reverse that was staged to be looked at, and is not decided on yet.
#[must_use]
pub fn open_reverse(app: &App) -> Option<ProposalId> {
    app.overlays.iter().find_map(|overlay| match overlay {
        Overlay::Pages { of, .. } => match of.as_ref() {
            Shown::Ask {
                question: Question::Reverse(reverse),
                ..
            } if !reverse.waited => Some(reverse.item.proposal.id.clone()),
            _ => None,
        },
        _ => None,
    })
}
