//! Selecting a text that is a secret: a line of what was on screen, and a part of it that grows and
//! shrinks by words and characters. Decides nothing; what is selected is asked about first.

use super::acts::{ask, selected_text};
use super::pages::{Question, Shown};
use super::wish::Spoken;
use crate::redact::{also, has_placeholder};
use crate::text::count;
use crate::tui::app::{App, Drawer, Pane, View};
use crate::tui::input::{Chord, Key as Pressed};
use crate::tui::msg::Effect;
use crate::tui::overlay::Overlay;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// Lines that can be selected from.
const MOST: usize = 5_000;

/// Characters that are told of either end of what is too long.
const TOLD: usize = 40;

/// A part of a line.
#[derive(Debug, Clone)]
pub struct Marking {
    lines: Vec<String>,
    /// The line that is selected.
    line: usize,
    /// What of it is: bytes, at the bounds of characters as they are seen.
    part: Range<usize>,
}

impl Marking {
    /// The lines of some texts; none when there is nothing in them.
    fn of<'t>(texts: impl IntoIterator<Item = &'t str>, first: usize) -> Option<Self> {
        let lines = texts.into_iter().flat_map(str::lines).take(MOST);
        let lines: Vec<String> = lines.map(str::to_owned).collect();
        let has_words = |line: &String| first_word(line).is_some();
        let at = lines.iter().skip(first).position(has_words);
        let line = at.map(|at| at + first);
        let line = line.or_else(|| lines.iter().position(has_words))?;
        let part = first_word(lines.get(line)?)?;
        Some(Self { lines, line, part })
    }

    fn text(&self) -> &str {
        self.lines.get(self.line).map_or("", String::as_str)
    }

    /// What is selected.
    #[must_use]
    pub fn selected(&self) -> &str {
        self.text().get(self.part.clone()).unwrap_or("")
    }

    /// The selected line: before what is selected, that, and after it.
    #[must_use]
    pub fn parts(&self) -> (&str, &str, &str) {
        let text = self.text();
        let before = text.get(..self.part.start).unwrap_or("");
        let after = text.get(self.part.end..).unwrap_or("");
        (before, self.selected(), after)
    }

    /// The lines around the selected one, and which of them it is.
    #[must_use]
    pub fn around(&self, above: usize, below: usize) -> (&[String], usize) {
        let from = self.line.saturating_sub(above);
        let to = (self.line + below).min(self.lines.len());
        (self.lines.get(from..to).unwrap_or(&[]), self.line - from)
    }

    /// The nearest line with a word, up or down.
    fn go_line(&mut self, by: isize) {
        let mut at = self.line;
        while let Some(next) = at.checked_add_signed(by).filter(|n| *n < self.lines.len()) {
            at = next;
            if let Some(part) = self.lines.get(at).and_then(|line| first_word(line)) {
                (self.line, self.part) = (at, part);
                return;
            }
        }
    }

    /// The word after or before, instead of what is selected.
    fn go_word(&mut self, on: bool) {
        let words = words(self.text());
        let next = match on {
            true => words.into_iter().find(|w| w.start >= self.part.end),
            false => words.into_iter().rfind(|w| w.end <= self.part.start),
        };
        if let Some(next) = next {
            self.part = next;
        }
    }

    /// The word after, besides what is selected.
    fn grow(&mut self) {
        let end = self.part.end;
        if let Some(next) = words(self.text()).into_iter().find(|w| w.end > end) {
            self.part.end = next.end;
        }
    }

    /// One end, a character on or back; something stays selected.
    fn move_end(&mut self, is_start: bool, on: bool) {
        let bounds: Vec<usize> = self
            .text()
            .grapheme_indices(true)
            .map(|(at, _)| at)
            .chain([self.text().len()])
            .collect();
        let from = match is_start {
            true => self.part.start,
            false => self.part.end,
        };
        let to = match on {
            true => bounds.iter().find(|b| **b > from),
            false => bounds.iter().rfind(|b| **b < from),
        };
        let (Some(to), part) = (to, self.part.clone()) else {
            return;
        };
        let moved = match is_start {
            true => *to..part.end,
            false => part.start..*to,
        };
        if moved.start < moved.end {
            self.part = moved;
        }
    }

    /// Whether what is selected can be kept, as far as can be told from here.
    fn check(&self) -> Result<(), also::NotKept> {
        let text = self.selected();
        match text.trim().chars().count() {
            _ if has_placeholder(text) => Err(also::NotKept::Hidden),
            ..also::SHORTEST => Err(also::NotKept::Short),
            _ if text.len() > also::LONGEST => Err(also::NotKept::Long),
            _ => Ok(()),
        }
    }

    /// What is selected, in words: foreign text, not escaped yet.
    #[must_use]
    pub fn told(&self) -> String {
        let text = self.selected();
        let long = text.chars().count();
        let chars = count(long, "character", "characters");
        let ends;
        let text = match long > also::LONGEST {
            true => {
                let start: String = text.chars().take(TOLD).collect();
                let end: String = text.chars().skip(long - TOLD).collect();
                ends = format!("{start} \u{2026} {end}");
                ends.as_str()
            }
            false => text,
        };
        match self.check() {
            Ok(()) => format!("selected: {text}   {chars}"),
            Err(why) => format!("selected: {text}   {chars}: {why}"),
        }
    }
}

/// Where words stand in a line: what stands between spaces, quotes and brackets.
fn words(line: &str) -> Vec<Range<usize>> {
    let is_between = |c: char| c.is_whitespace() || "\"'`,;()[]{}<>=".contains(c);
    let mut words: Vec<Range<usize>> = Vec::new();
    for (at, c) in line.char_indices().filter(|(_, c)| !is_between(*c)) {
        let end = at + c.len_utf8();
        match words.last_mut() {
            Some(word) if word.end == at => word.end = end,
            _ => words.push(at..end),
        }
    }
    // The sentence's own mark: a value chosen with it would be found at a sentence's end only.
    for word in &mut words {
        let bare = line
            .get(word.clone())
            .unwrap_or("")
            .trim_end_matches(['.', ':']);
        if !bare.is_empty() {
            word.end = word.start + bare.len();
        }
    }
    words
}

/// The word that is selected first: not what only leads in, as a bullet, a number of a list, a box to
/// tick, or an id; unless there is nothing else.
fn first_word(line: &str) -> Option<Range<usize>> {
    let all = words(line);
    let text = |word: &Range<usize>| line.get(word.clone()).unwrap_or("");
    let is_id = |t: &str| t.len() == 8 && t.bytes().all(|b| b.is_ascii_hexdigit());
    let has_letters = |t: &str| t.chars().any(char::is_alphanumeric);
    let leads_in = |t: &str| {
        let is_number = t.len() < 4 && t.bytes().all(|b| b.is_ascii_digit());
        !has_letters(t) || is_number || matches!(t, "x" | "X") || is_id(t)
    };
    let first = all.iter().find(|word| !leads_in(text(word)));
    let any = || all.iter().find(|word| has_letters(text(word)));
    first.or_else(any).or(all.first()).cloned()
}

/// `*`: selects in what has the keys.
pub fn start(app: &mut App) -> Vec<Effect> {
    match from_screen(app) {
        Some(marking) => {
            let of = Box::new(Shown::Mark(marking));
            app.overlays.push(Overlay::Pages { top: 0, of });
            app.notice = None;
        }
        None => app.notice = Some("there is no text here to select from".to_owned()),
    }
    Vec::new()
}

fn from_screen(app: &App) -> Option<Marking> {
    if let Some(Overlay::Pages { of, top }) = app.overlays.last()
        && !matches!(of.as_ref(), Shown::Details | Shown::Under(_))
    {
        return match of.as_ref() {
            Shown::Transcript { excerpt, .. } => {
                let block = app.arranged.overlay.at(*top).map(|(b, _)| b.key.clone());
                let turn = match block.flatten() {
                    Some(crate::tui::page::Key::Row(n)) => n,
                    _ => 0,
                };
                let before = excerpt.turns.iter().take(turn);
                let first = before.map(|t| t.text.lines().count()).sum();
                Marking::of(excerpt.turns.iter().map(|t| t.text.as_str()), first)
            }
            Shown::Files(files) => Marking::of(files.iter().map(|(_, t)| t.as_str()), 0),
            _ => None,
        };
    }
    if app.view != View::Review {
        let texts = browsed(app);
        return Marking::of(texts.iter().map(String::as_str), 0);
    }
    let item = app.item()?;
    let current = app.review.current.as_ref();
    let Some(change) = current.and_then(|c| item.change(c.n)) else {
        let all = item.order.iter().map(|&n| item.text(n));
        return Marking::of(all.chain([item.proposal.summary.as_str()]), 0);
    };
    let lines = crate::tui::views::drawer::lines(item, change);
    let mut texts = vec![item.text(change.n)];
    texts.extend(change.target.as_ref().map(|t| t.text.as_str()));
    texts.extend(change.reason.as_deref());
    let is_there = app.place().focus == Pane::Drawer && app.look.page == Drawer::Evidence;
    let before: usize = match is_there {
        true => {
            let above = lines.iter().take(app.place().row);
            let above = above.map(|l| l.text.as_str());
            texts
                .iter()
                .copied()
                .chain(above)
                .map(|t| t.lines().count())
                .sum()
        }
        false => 0,
    };
    texts.extend(lines.iter().map(|l| l.text.as_str()));
    texts.push(&item.proposal.summary);
    Marking::of(texts, before)
}

/// What the other views show: what is selected, or all that is listed where nothing is.
fn browsed(app: &App) -> Vec<String> {
    let one = match app.view {
        View::Log => None,
        _ => selected_text(app),
    };
    if let Some(text) = one {
        return vec![text];
    }
    match app.view {
        View::Review => Vec::new(),
        View::Memory => {
            let project = super::memory::project(app);
            let view = project.and_then(|id| super::memory::view(app, &id));
            let files = view.map_or(&[][..], |v| &v.files);
            let file = match &app.place().cursor {
                Some(crate::tui::page::Key::File(_, file)) => Some(*file),
                _ => None,
            };
            let listed = files
                .iter()
                .filter(|f| file.is_none_or(|only| only == f.file));
            let entries = listed.flat_map(|f| &f.entries);
            entries.map(|e| e.text.clone()).collect()
        }
        View::Archive => {
            let pieces = super::archive::pieces(app).unwrap_or_default();
            pieces.iter().map(|p| p.text.clone()).collect()
        }
        View::Log => super::log::details(app).map_or_else(Vec::new, told),
    }
}

/// The texts of what happened.
fn told(details: &crate::browse::Details) -> Vec<String> {
    let changes = details.changes.iter();
    let texts = changes.flat_map(|c| [c.after.clone(), c.before.clone(), c.reason.clone()]);
    let more = [details.message.clone(), details.despite.clone()];
    let texts = texts.chain(more).flatten();
    texts.chain(details.sessions.iter().cloned()).collect()
}

/// A key while something is selected; none: it has no meaning of its own there.
pub(super) fn key(app: &mut App, chord: Chord) -> Option<Vec<Effect>> {
    let Some(Overlay::Pages { of, top }) = app.overlays.last_mut() else {
        return None;
    };
    let Shown::Mark(marking) = of.as_mut() else {
        return None;
    };
    match chord.key {
        _ if chord.ctrl => return None,
        Pressed::Char('j') | Pressed::Down => marking.go_line(1),
        Pressed::Char('k') | Pressed::Up => marking.go_line(-1),
        Pressed::Char('w') | Pressed::Tab => marking.go_word(true),
        Pressed::Char('b') | Pressed::BackTab => marking.go_word(false),
        Pressed::Char('W') => marking.grow(),
        Pressed::Char('l') | Pressed::Right => marking.move_end(false, true),
        Pressed::Char('h') | Pressed::Left => marking.move_end(false, false),
        Pressed::Char('L') => marking.move_end(true, true),
        Pressed::Char('H') => marking.move_end(true, false),
        Pressed::Enter => {
            let (text, checked) = (Spoken::new(marking.selected()), marking.check());
            return Some(match checked {
                Ok(()) => ask(app, Question::AlsoSecret(text)),
                Err(why) => {
                    app.notice = Some(why.to_string());
                    Vec::new()
                }
            });
        }
        _ => return None,
    }
    *top = 0;
    Some(Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_what_one_would_copy() {
        let all = |line: &'static str| -> Vec<&str> {
            words(line).into_iter().map(|w| &line[w]).collect()
        };
        assert_eq!(
            all("PASS='geheim wort' {\"k\": \"日本語ab\"}"),
            ["PASS", "geheim", "wort", "k", ":", "日本語ab"]
        );
        assert_eq!(
            all("It is karli77. a.b: ..."),
            ["It", "is", "karli77", "a.b", "..."]
        );
    }

    #[test]
    fn what_is_selected_first_is_a_word() {
        let first = |line: &'static str| first_word(line).map(|w| &line[w]);
        assert_eq!(first("- [ ] Fact one"), Some("Fact"));
        assert_eq!(first("* [x] done"), Some("done"));
        assert_eq!(first("12. the twelfth"), Some("the"));
        assert_eq!(first("a4f5e9b1  state.md"), Some("state.md"));
        assert_eq!(first("- 123456"), Some("123456"));
        assert_eq!(first("- 7"), Some("7"));
        assert_eq!(first("---"), Some("---"));
        assert_eq!(first("  "), None);
    }

    #[test]
    fn a_selection_moves_by_words_and_characters_as_they_are_seen() {
        let mut marking =
            Marking::of(["", "der ki\u{308}\u{200d}wi ist 日本語", "ende hier"], 0).unwrap();
        assert_eq!(marking.selected(), "der");
        marking.go_word(true);
        assert_eq!(marking.selected(), "ki\u{308}\u{200d}wi");
        marking.move_end(true, true);
        marking.move_end(true, true);
        assert_eq!(marking.selected(), "wi");
        for _ in 0..4 {
            marking.move_end(false, false);
        }
        assert_eq!(marking.selected(), "w");
        marking.grow();
        marking.grow();
        marking.grow();
        assert_eq!(marking.selected(), "wi ist 日本語");
        marking.move_end(false, false);
        assert_eq!(marking.selected(), "wi ist 日本");
        assert_eq!(marking.check(), Ok(()));
        marking.go_line(1);
        marking.go_line(1);
        assert_eq!(marking.selected(), "ende");
        assert_eq!(marking.check(), Err(also::NotKept::Short));
        marking.go_word(false);
        marking.go_line(-1);
        assert_eq!(marking.selected(), "der");
        assert!(Marking::of(["", "  "], 0).is_none());
    }
}
