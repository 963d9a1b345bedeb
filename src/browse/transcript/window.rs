//! Turns of a window, redacted and shortened as they arrive.

use super::{Glass, Said, TURN_CHARS, stored_turn};
use crate::digest::Line;
use crate::redact::{Part, Redacted};
use crate::source::{Raw, Role, Sink, ToolContext, Turn};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Turns of one window; more are not kept.
const MOST: usize = 10_000;
/// Characters by which a message is told to be the cited one.
const TOLD: usize = 60;

/// Takes turns and keeps them fit to be shown.
pub(super) struct Window<'a> {
    glass: Glass<'a>,
    line: Option<&'a Line>,
    said: Vec<Said>,
    /// Where the part with this id is, and how long its whole text was.
    parts: HashMap<String, (usize, usize)>,
    /// What the distill hid in each row of this source, by its offset.
    hidden: BTreeMap<u64, BTreeSet<&'a str>>,
    /// What was hidden here.
    found: BTreeMap<u64, BTreeSet<String>>,
}

impl<'a> Window<'a> {
    /// A window of this source; `line` is the cited one.
    pub fn new(glass: Glass<'a>, source: &str, line: Option<&'a Line>) -> Self {
        let mut hidden: BTreeMap<u64, BTreeSet<&str>> = BTreeMap::new();
        for hit in &glass.proposal.hits {
            let place = hit.place.as_ref().filter(|p| p.source == source);
            let is_secret = !glass.redactor.is_allowed(&hit.fingerprint);
            if let Some(place) = place.filter(|_| is_secret) {
                let row = hidden.entry(place.offset).or_default();
                row.insert(&hit.fingerprint);
            }
        }
        Self {
            glass,
            line,
            said: Vec::new(),
            parts: HashMap::new(),
            hidden,
            found: BTreeMap::new(),
        }
    }

    /// The turns. A row in which the distill hid more than was recognised here is withheld: a value
    /// that was named elsewhere may stand in it bare.
    pub fn finish(mut self) -> Vec<Said> {
        let empty = BTreeSet::new();
        let mut line = self.line;
        for said in &mut self.said {
            let Some(hidden) = self.hidden.get(&said.offset) else {
                continue;
            };
            let found = self.found.get(&said.offset).unwrap_or(&empty);
            if hidden.iter().all(|h| found.contains(*h)) {
                continue;
            }
            match line.filter(|l| is_same_row(said, l)) {
                Some(stored) => {
                    *said = stored_turn(stored);
                    line = None;
                }
                None => {
                    said.text = "[withheld: a secret that was named elsewhere stands in it]".into();
                    said.cut = 0;
                }
            }
        }
        self.said
    }

    /// The whole text without its secrets.
    fn hide(&mut self, turn: &Turn) -> Redacted {
        let redactor = self.glass.redactor;
        let is_answer = matches!(turn.role, Role::ToolResult | Role::Error);
        let part = Part {
            tool: turn.tool.as_ref(),
            call: turn.role == Role::ToolCall,
        };
        let (mut text, mut hits) = redactor.redact(&turn.text, &part);
        // The call stands above the window: it may have shown a file of secrets.
        if is_answer && turn.tool.is_none() {
            for path in [".env", "id_rsa"] {
                let tool = ToolContext {
                    path: Some(path.to_owned()),
                    ..ToolContext::default()
                };
                let part = Part {
                    tool: Some(&tool),
                    call: false,
                };
                let (hidden, more) = redactor.redact(&Raw::new(text.as_str()), &part);
                text = hidden;
                hits.extend(more);
            }
        }
        let row = self.found.entry(turn.place.offset).or_default();
        row.extend(hits.into_iter().map(|h| h.fingerprint));
        text
    }
}

impl Sink for Window<'_> {
    fn take(&mut self, turn: Turn) -> bool {
        // A window has no title, but where that is cited.
        let is_title = turn
            .id
            .as_deref()
            .is_some_and(|id| id.starts_with("title:"));
        let is_cited = self
            .line
            .is_some_and(|l| l.place.offset == turn.place.offset);
        if is_title && !is_cited {
            return true;
        }
        let length = turn.text.unredacted().len();
        let known = turn.id.as_ref().and_then(|id| self.parts.get(id)).copied();
        let same = known.filter(|(at, _)| self.said.get(*at).is_some_and(|s| s.role == turn.role));
        if same.is_some_and(|(_, before)| before >= length) || self.said.len() >= MOST {
            return known.is_none();
        }
        let text = self.hide(&turn);
        let kept = text.shorten(TURN_CHARS);
        let cut = match kept == text {
            true => 0,
            false => text.chars() - (TURN_CHARS - 1),
        };
        let said = Said {
            role: turn.role,
            text: kept.as_str().to_owned(),
            at: turn.at,
            offset: turn.place.offset,
            line: None,
            cut,
            abandoned: false,
            is_stored: false,
        };
        let at = match same {
            Some((at, _)) => {
                if let Some(old) = self.said.get_mut(at) {
                    // It stays where the first one stood.
                    let offset = old.offset;
                    *old = Said { offset, ..said };
                }
                at
            }
            None => {
                self.said.push(said);
                self.said.len() - 1
            }
        };
        if let Some(id) = turn.id {
            self.parts.insert(id, (at, length));
        }
        known.is_none()
    }

    fn abandon(&mut self, _source: &str, _is_abandoned: &dyn Fn(&str) -> bool) {
        // A window does not see where the conversation went on.
    }
}

/// Whether a turn is of the row that a line cites.
fn is_same_row(said: &Said, line: &Line) -> bool {
    said.offset == line.place.offset && said.role == line.role
}

/// Whether a turn is what a line cites: the line is it, or its shortened form.
pub(super) fn is_cited(said: &Said, line: &Line) -> bool {
    let begins = |text: &str| {
        let text: String = text.trim().chars().take(TOLD).collect();
        text.trim_end_matches('…').to_owned()
    };
    let stored = begins(line.text.as_str());
    is_same_row(said, line) && (said.is_stored || begins(&said.text).starts_with(&stored))
}
