//! Pages on top: a transcript, the final files, and what is asked before something is done.

mod questions;
mod transcript;

use self::questions::asked;
use self::transcript::transcript;
use super::marking::Marking;
use super::wish::{Hidden, Reverse, Side, Spoken, Wish};
use crate::browse::{EntryView, Excerpt, Redaction};
use crate::id::{ProjectId, ProposalId};
use crate::trust::AlsoSecret;
use crate::tui::app::{App, View};
use crate::tui::arrange::overlay_height;
use crate::tui::input::{Chord, Key as Pressed};
use crate::tui::lines::{indent, line, segment};
use crate::tui::msg::Effect;
use crate::tui::overlay::Overlay;
use crate::tui::page::{Block, Key, Page};
use crate::tui::rows::Line;
use crate::tui::theme::Role;
use crate::tui::update::{is_quit, leave, scroll_overlay, scrolling};
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

/// A key on a page on top; none: it has no meaning of its own there.
pub fn page_key(app: &mut App, chord: Chord, frame: u64) -> Option<Vec<Effect>> {
    let Some(Overlay::Pages { of, top }) = app.overlays.last() else {
        return None;
    };
    match of.as_ref() {
        Shown::Ask { read, .. } => answer(app, chord, frame, *read),
        Shown::Transcript { .. } if is_star(chord) => Some(super::marking::start(app)),
        Shown::Transcript { proposal, excerpt } => {
            let by = scrolling(chord, overlay_height(app))?;
            let last = app.arranged.overlay.last_top(overlay_height(app));
            let side = match by {
                ..=-1 if *top == 0 && excerpt.is_more_before => Side::Before,
                1.. if *top >= last && excerpt.is_more_after => Side::After,
                _ => return None,
            };
            let excerpt = Box::new(excerpt.clone());
            let wish = Wish::ReadOn(proposal.clone(), excerpt, side);
            Some(vec![Effect::Shelf(wish)])
        }
        Shown::Under(at) => {
            let at = *at;
            under_key(app, chord, at)
        }
        Shown::Mark(_) => super::marking::key(app, chord),
        Shown::Files(_) | Shown::Details if is_star(chord) => Some(super::marking::start(app)),
        Shown::Files(_) | Shown::Details => None,
    }
}

/// Whether it is the key that says that a text is a secret.
fn is_star(chord: Chord) -> bool {
    chord.key == Pressed::Char('*') && !chord.ctrl
}

/// In the drawer's page a row is selected, and Enter opens it.
fn under_key(app: &mut App, chord: Chord, at: usize) -> Option<Vec<Effect>> {
    let last = app.arranged.overlay.blocks().len().saturating_sub(1);
    let to = match chord.key {
        Pressed::Char('j') | Pressed::Down => (at + 1).min(last),
        Pressed::Char('k') | Pressed::Up => at.saturating_sub(1),
        Pressed::Enter => return Some(super::open_cited(app, at)),
        Pressed::Char('!') if app.view == View::Review => {
            return Some(super::hidden::say(app, at));
        }
        _ => return None,
    };
    let height = overlay_height(app);
    let span = app.arranged.overlay.span(&Key::Row(to));
    if let Some(Overlay::Pages { of, top }) = app.overlays.last_mut() {
        **of = Shown::Under(to);
        if let Some((from, end)) = span {
            *top = crate::tui::page::scrolled(*top, from, end, height);
        }
    }
    Some(Vec::new())
}

fn answer(app: &mut App, chord: Chord, frame: u64, read: Option<u64>) -> Option<Vec<Effect>> {
    let is_no = matches!(chord.key, Pressed::Esc | Pressed::Char('q' | 'n')) && !chord.ctrl;
    match chord.key {
        _ if is_quit(chord) => {
            let mut effects = closed(app);
            effects.extend(leave(app));
            Some(effects)
        }
        Pressed::Char('y') if !chord.ctrl => match read {
            Some(at) if at <= frame && !app.is_inert() => Some(confirmed(app)),
            None => {
                app.notice = Some("y counts at its end: Space reads on".to_owned());
                let by = isize::try_from(overlay_height(app) - 1).unwrap_or(1).max(1);
                Some(scroll_overlay(app, by))
            }
            _ => {
                app.notice = Some("ignored: it was typed before this was on screen".to_owned());
                Some(Vec::new())
            }
        },
        _ if is_no => {
            app.notice = Some("nothing was done".to_owned());
            Some(closed(app))
        }
        // Enter closes what is only read; here it does nothing.
        Pressed::Enter | Pressed::Backspace => Some(Vec::new()),
        Pressed::Char('d') if !chord.ctrl => {
            app.look.style = app.look.style.next();
            app.notice = Some(format!("differences as {}", app.look.style.name()));
            Some(Vec::new())
        }
        _ => None,
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

/// A question is left without a yes.
fn closed(app: &mut App) -> Vec<Effect> {
    let question = taken(app);
    match question {
        Some(Question::Reverse(reverse)) if !reverse.waited => {
            vec![Effect::Shelf(Wish::DropReverse(reverse.item.proposal.id))]
        }
        _ => Vec::new(),
    }
}

fn taken(app: &mut App) -> Option<Question> {
    match app.overlays.pop() {
        Some(Overlay::Pages { of, .. }) => match *of {
            Shown::Ask { question, .. } => Some(question),
            _ => None,
        },
        _ => None,
    }
}

fn confirmed(app: &mut App) -> Vec<Effect> {
    let wish = match taken(app) {
        Some(Question::Confirm { project, entry }) => match entry.id {
            Some(id) => Wish::Confirm(project, id),
            None => return Vec::new(),
        },
        Some(Question::NotSecret { hidden, found }) => {
            return super::hidden::confirmed(app, hidden, &found);
        }
        Some(Question::AlsoSecret(text)) => Wish::AlsoSecret(text),
        Some(Question::NoLongerSecret(said)) => Wish::NoLongerSecret(said.value.fingerprint),
        Some(Question::Reverse(reverse)) => match super::reverse::objection(&reverse) {
            Some(why) => return super::hear::to_review(app, &reverse.item.proposal.id, why),
            None => Wish::ApplyReverse(reverse),
        },
        None => return Vec::new(),
    };
    vec![Effect::Shelf(wish)]
}

/// The footer of a page on top.
#[must_use]
pub fn page_keys(app: &App, of: &Shown) -> Vec<(String, String)> {
    // What does not count yet is not offered.
    let is_early =
        |read: &Option<u64>| app.is_inert() || read.is_none() && !crate::tui::update::is_read(app);
    let pairs: &[(&str, &str)] = match of {
        Shown::Ask { read, .. } if is_early(read) => &[("Space", "read on"), ("Esc", "back")],
        Shown::Ask { question, .. } => match question {
            Question::Confirm { .. } => &[("y", "confirm"), ("Esc", "back"), ("Space", "read on")],
            Question::NotSecret { .. } | Question::NoLongerSecret(_) => {
                &[("y", "yes"), ("Esc", "back"), ("Space", "read on")]
            }
            Question::AlsoSecret(_) => &[("y", "hide it"), ("Esc", "back"), ("Space", "read on")],
            Question::Reverse(reverse) if super::reverse::objection(reverse).is_some() => &[
                ("y", "to Review"),
                ("Esc", "leave it"),
                ("Space", "read on"),
                ("d", "style"),
            ],
            Question::Reverse(_) => &[
                ("y", "apply"),
                ("Esc", "leave it"),
                ("Space", "read on"),
                ("d", "style"),
            ],
        },
        Shown::Transcript { .. } => &[
            ("j k", "scroll"),
            ("Space", "read on"),
            ("Esc", "back"),
            ("*", "a secret"),
        ],
        Shown::Mark(_) => &[
            ("Enter", "this one"),
            ("Esc", "back"),
            ("w b", "word"),
            ("l h", "end"),
        ],
        Shown::Under(_) if app.look.page == crate::tui::app::Drawer::Redactions => &[
            ("j k", "row"),
            ("Enter", "places"),
            ("Esc", "back"),
            ("!", "no secret"),
        ],
        Shown::Under(_) => &[("j k", "row"), ("Enter", "transcript"), ("Esc", "back")],
        Shown::Files(_) | Shown::Details => &[("Space", "read on"), ("Esc", "back")],
    };
    let own = |(key, label): &(&str, &str)| ((*key).to_owned(), (*label).to_owned());
    pairs.iter().map(own).collect()
}
