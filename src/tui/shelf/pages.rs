//! Pages on top: a transcript, the final files, and what is asked before something is done.

use super::marking::Marking;
use super::wish::{Hidden, Reverse, Side, Spoken, Wish};
use crate::browse::{EntryView, Excerpt, Redaction, Said};
use crate::id::{ProjectId, ProposalId};
use crate::text::count;
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
use crate::tui::views::words;

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
                true => " what was hidden".to_owned(),
                false => " what it rests on".to_owned(),
            }
        }
        Shown::Mark(marking) => {
            marked(&mut rows, marking);
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

fn transcript(rows: &mut Rows<'_>, excerpt: &Excerpt) {
    if let Some(gone) = &excerpt.gone {
        let sha = gone.sha.as_ref();
        let sha = sha.map_or(String::new(), |s| format!(" (sha {s})"));
        rows.gap();
        let said = match gone.is_there {
            true => gone.why.clone(),
            false => format!("source no longer available{sha}: {}", gone.why),
        };
        rows.say(Role::Warn, 0, &said);
        rows.say(Role::Dim, 0, "What the distill kept of it:");
    } else {
        let said = match excerpt.is_more_before {
            true => "more before this: k reads on",
            false => "the beginning of the session",
        };
        rows.say(Role::Dim, 0, said);
    }
    rows.gap();
    for (n, turn) in excerpt.turns.iter().enumerate() {
        said(rows, n, turn, n == excerpt.cited);
    }
    if excerpt.gone.is_none() {
        let said = match excerpt.is_more_after {
            true => "more after this: j reads on",
            false => "the end of the session",
        };
        rows.say(Role::Dim, 0, said);
    }
}

/// One message: when, who, where; then what.
fn said(rows: &mut Rows<'_>, n: usize, turn: &Said, is_cited: bool) {
    let at = turn
        .at
        .map_or(String::new(), |at| at.strftime("%H:%M  ").to_string());
    let at_line = turn.line.map_or(String::new(), |n| format!("   line {n}"));
    let mut head = format!("{at}{:<6}{at_line}", words::speaker(turn.role));
    if turn.abandoned {
        head.push_str("   (on a branch that was left)");
    }
    if turn.is_stored {
        head.push_str("   (as the distill kept it)");
    }
    let marks = rows.app.look.marks;
    let (role, bar) = match is_cited {
        true => (Role::Select, marks.bar),
        false => (Role::Accent, " "),
    };
    if is_cited {
        head.push_str("   this is what is cited");
    }
    let mut block = Block::of(Some(Key::Row(n)), Vec::new());
    let width = rows.app.size.0.saturating_sub(INDENT + 1);
    for row in wrapped(rows.app, role, &head, width) {
        let mut all = vec![segment(Role::Select, bar), segment(Role::Plain, " ")];
        all.extend(row);
        block.head.push(all);
    }
    let width = rows.app.size.0.saturating_sub(INDENT + 3);
    let body = rows.app.cache.text(&turn.text, width, rows.app.look.ascii);
    block.body = Some((body, INDENT + 2));
    if turn.cut > 0 {
        let left = format!("{} more characters are not shown", words::number(turn.cut));
        block.tail.extend(rows.rows(Role::Dim, 2, &left));
    }
    block.tail.push(Line::new());
    rows.blocks.push(block);
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

fn asked(rows: &mut Rows<'_>, question: &Question) -> String {
    match question {
        Question::Confirm { entry, .. } => confirm(rows, entry),
        Question::NotSecret { hidden, found } => not_secret(rows, hidden, found),
        Question::AlsoSecret(text) => also_secret(rows, text),
        Question::NoLongerSecret(said) => no_longer_secret(rows, said),
        Question::Reverse(reverse) => {
            return super::reverse::rows(rows.app, reverse, &mut rows.blocks);
        }
    }
    String::new()
}

fn confirm(rows: &mut Rows<'_>, entry: &EntryView) {
    rows.say(Role::Strong, 0, "Is this still true?");
    rows.gap();
    let place = match entry.section.as_str() {
        "" => entry.file.name().to_owned(),
        section => format!(
            "{} {} {section}",
            entry.file.name(),
            rows.app.look.marks.path
        ),
    };
    rows.say(Role::Dim, 0, &place);
    rows.text(2, &entry.text);
    rows.gap();
    let times = match entry.confirmations {
        0 => "It was never confirmed so far.".to_owned(),
        n => format!(
            "It was confirmed {} so far.",
            count(n as usize, "time", "times")
        ),
    };
    rows.say(Role::Plain, 0, &times);
    let what =
        "y confirms it: counted and dated, recorded in the audit chain. Its text stays as it is.";
    rows.say(Role::Plain, 0, what);
}

/// Places that are listed where something is asked.
const PLACES: usize = 20;

/// The lines one can select in, with what is selected said below the selected one.
fn marked(rows: &mut Rows<'_>, marking: &Marking) {
    let how = "w b another word   l h its end on and back   H L its beginning   W one word more   j k another line";
    rows.say(Role::Dim, 0, how);
    rows.gap();
    let height = overlay_height(rows.app);
    let (lines, at) = marking.around(height / 3, height);
    for (n, text) in lines.iter().enumerate() {
        let role = if n == at { Role::Select } else { Role::Plain };
        rows.say(role, 2, text);
        if n == at {
            rows.say(Role::Accent, 4, &marking.told());
        }
    }
}

fn also_secret(rows: &mut Rows<'_>, text: &Spoken) {
    rows.say(Role::Strong, 0, "Is this a secret?");
    rows.gap();
    rows.say(Role::Select, 2, text.text());
    rows.gap();
    for what in [
        "From now on it is hidden wherever it stands, in every project: in what is read, in prompts and answers, on screens. Not the text is kept, but a keyed hash of it and its length.",
        "Everything staged loses it at once; a proposed text that held it cannot be accepted any more.",
        "What stands in memory, in its history or in the sessions themselves stays there: `memd scan --history` says where. Whoever may have read it has it: change it where it is used.",
        "Recorded in the audit chain; ! on its row in the drawer's redactions takes it back.",
    ] {
        rows.say(Role::Plain, 0, what);
    }
}

fn no_longer_secret(rows: &mut Rows<'_>, said: &AlsoSecret) {
    rows.say(Role::Strong, 0, "Is this no longer to be hidden?");
    rows.gap();
    rows.say(Role::Plain, 0, &super::hidden::also_said(said));
    rows.gap();
    let what = "From now on it is shown again where no rule hides it. What was hidden so far stays hidden. Recorded in the audit chain.";
    rows.say(Role::Plain, 0, what);
}

fn not_secret(rows: &mut Rows<'_>, hidden: &Hidden, found: &Redaction) {
    let (asked, what) = match hidden.is_secret {
        false => (
            "Is this value no secret?",
            "From now on a value with this fingerprint is no longer hidden, in any project: curators are given it, and it may stand in memory. What was hidden so far stays hidden. Recorded in the audit chain; ! on the same row takes it back.",
        ),
        true => (
            "Is this value a secret after all?",
            "From now on it is hidden again, in every project. What was shown meanwhile stays as it is. Recorded in the audit chain.",
        ),
    };
    rows.say(Role::Strong, 0, asked);
    rows.gap();
    let said = format!(
        "{}  {}  {}  {} bytes  {}",
        found.mark(),
        found.rule,
        found.confidence.name(),
        found.length,
        found.seen(),
    );
    rows.say(Role::Plain, 2, &said);
    for place in found.places.iter().take(PLACES) {
        rows.say(Role::Dim, 2, &super::hidden::place_of(place));
    }
    if let Some(more) = found.places.len().checked_sub(PLACES).filter(|n| *n > 0) {
        rows.say(Role::Dim, 2, &format!("and {more} more"));
    }
    rows.gap();
    let objection = found.confidence.objection(&found.rule);
    if let Some(why) = objection.filter(|_| !hidden.is_secret) {
        rows.say(
            Role::Warn,
            0,
            &format!("! {why}. A word is asked for after the y."),
        );
        rows.gap();
    }
    rows.say(Role::Plain, 0, what);
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
        Shown::Files(_) if is_star(chord) => Some(super::marking::start(app)),
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
