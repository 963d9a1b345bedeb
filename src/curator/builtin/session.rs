//! One session of a digest, as the finders look at it: who said what, in sentences, and where the
//! exchanges begin and end.

use super::prose::{self, Sentence};
use crate::digest::{Digest, Line};
use crate::source::Role;
use std::collections::BTreeMap;

/// One session's lines, in order.
pub(super) struct Session<'d> {
    /// Every line, in order.
    pub(super) lines: Vec<&'d Line>,
    /// What people and the model said.
    pub(super) said: Vec<Said<'d>>,
}

/// One message in prose.
pub(super) struct Said<'d> {
    pub(super) line: &'d Line,
    /// Its place in [`Session::lines`].
    pub(super) at: usize,
    pub(super) sentences: Vec<Sentence>,
    /// The model's last words before the user speaks again, or at the end.
    pub(super) closing: bool,
    /// A pasted plan, log or document rather than somebody's own words.
    pub(super) pasted: bool,
    /// It ends with a question: what it says may not be settled.
    pub(super) asks: bool,
}

/// Longer than this is nobody's spontaneous prompt.
const SPONTANEOUS: usize = 1_200;

impl<'d> Session<'d> {
    /// The digest's sessions, in the order in which they begin. Inbox notes are in none.
    pub(super) fn all(digest: &'d Digest) -> Vec<Session<'d>> {
        let mut order: Vec<&str> = Vec::new();
        let mut by: BTreeMap<&str, Vec<&Line>> = BTreeMap::new();
        for line in &digest.lines {
            if line.abandoned || super::notes::is_inbox(line) {
                continue;
            }
            let lines = by.entry(&line.session).or_default();
            if lines.is_empty() {
                order.push(&line.session);
            }
            lines.push(line);
        }
        order
            .iter()
            .filter_map(|id| by.remove(id))
            .map(Session::new)
            .collect()
    }

    fn new(lines: Vec<&'d Line>) -> Self {
        let mut said: Vec<Said> = Vec::new();
        for (at, &line) in lines.iter().enumerate() {
            if matches!(line.role, Role::User | Role::Assistant | Role::Note) {
                said.push(Said::new(line, at));
            }
        }
        let mut before_user = true;
        for message in said.iter_mut().rev() {
            match message.line.role {
                Role::User => before_user = true,
                Role::Assistant => message.closing = std::mem::take(&mut before_user),
                _ => {}
            }
        }
        Self { lines, said }
    }

    /// What the model said between this message and the user's next words.
    pub(super) fn answers(&self, message: &Said) -> impl Iterator<Item = &Said<'d>> {
        let from = message.at;
        self.said
            .iter()
            .filter(move |s| s.at > from)
            .take_while(|s| s.line.role != Role::User)
            .filter(|s| s.line.role == Role::Assistant)
    }

    /// The user's words that this message answers.
    pub(super) fn asked(&self, message: &Said) -> Option<&Said<'d>> {
        let user = |s: &&Said| s.line.role == Role::User && s.at < message.at;
        self.said.iter().rev().find(user)
    }

    /// Nothing was said by the user after this message.
    pub(super) fn is_last_exchange(&self, message: &Said) -> bool {
        !self
            .said
            .iter()
            .any(|s| s.line.role == Role::User && s.at > message.at)
    }

    /// The day of a line, as `2026-01-31`.
    pub(super) fn day(line: &Line) -> Option<String> {
        line.at.map(|at| at.strftime("%Y-%m-%d").to_string())
    }

    /// `### 2026-01-31 — title`, or without the day where the source gives none.
    pub(super) fn heading(line: &Line, title: &str) -> String {
        match Self::day(line) {
            Some(day) => format!("### {day} — {title}"),
            None => format!("### {title}"),
        }
    }
}

impl<'d> Said<'d> {
    fn new(line: &'d Line, at: usize) -> Self {
        let text = line.text.as_str();
        let sentences = prose::sentences(text);
        Self {
            line,
            at,
            asks: sentences.last().is_some_and(|s| s.text.ends_with('?')),
            sentences,
            closing: false,
            pasted: text.len() > SPONTANEOUS || text.matches("\n#").count() > 2,
        }
    }
}
