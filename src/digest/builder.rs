//! Makes a digest while turns arrive.
//!
//! Each turn is redacted whole, then shortened, then kept. While more arrive at most twice the cap
//! is held, so that what is shed at the end is shed by value and not by the order of arrival.

use super::cut::shorten;
use super::{Counts, Coverage, Digest, Ids, Line};
use crate::redact::{Hit, Part, Redacted, Redactor};
use crate::source::{Place, Raw, Role, Sink, Turn, row_id};
use jiff::Timestamp;
use std::collections::{BTreeMap, HashMap, VecDeque};

/// What is shed first when there is too much, oldest first within each.
const SHED: [Role; 6] = [
    Role::ToolResult,
    Role::ToolCall,
    Role::Error,
    Role::Assistant,
    Role::Note,
    Role::User,
];
/// Characters that a line takes besides its text: number, role, line feed.
const FRAME: usize = 12;
/// Hits that are listed; more are hidden all the same.
const MOST_HITS: usize = 2000;

/// Takes turns and makes a digest of them.
pub struct Builder<'r> {
    redactor: &'r Redactor,
    cap: usize,
    lines: BTreeMap<u64, Kept>,
    next: u64,
    size: usize,
    /// Keys of `lines`, oldest first, by place in [`SHED`].
    queues: [VecDeque<u64>; 6],
    /// Where the part with this id is kept.
    parts: HashMap<String, u64>,
    ids: Ids,
    /// The last session's name, as it came and as it is shown.
    label: (String, String),
    hits: Vec<Hit>,
    /// Turns of this reading that could not be searched for secrets.
    withheld: u32,
    /// How many values the redactor could not remember, as far as was told.
    not_remembered: usize,
    coverage: Vec<Coverage>,
    /// What was shed of each reading; the last is the one going on.
    shed: Vec<Counts>,
}

/// A digest, and the ids of all messages that were read for it, shed ones included.
#[derive(Debug)]
pub struct Finished {
    /// The digest.
    pub digest: Digest,
    /// Ids of rows, as [`crate::source::Reading::seen`] is asked for them.
    pub ids: Ids,
}

struct Kept {
    role: Role,
    text: Redacted,
    place: Place,
    session: String,
    at: Option<Timestamp>,
    id: Option<String>,
    abandoned: bool,
    /// Equal turns in a row.
    times: u32,
    reading: usize,
    shortened: bool,
    /// Bytes of the text before redaction.
    length: usize,
    chars: usize,
}

impl<'r> Builder<'r> {
    /// A digest of at most `cap` characters, however much arrives.
    #[must_use]
    pub fn new(redactor: &'r Redactor, cap: usize) -> Self {
        Self {
            redactor,
            cap,
            lines: BTreeMap::new(),
            next: 0,
            size: 0,
            queues: Default::default(),
            parts: HashMap::new(),
            ids: Ids::default(),
            label: Default::default(),
            hits: Vec::new(),
            withheld: 0,
            not_remembered: redactor.not_remembered(),
            coverage: Vec::new(),
            shed: vec![Counts::default()],
        }
    }

    /// Characters held so far.
    #[must_use]
    pub fn chars(&self) -> usize {
        self.size
    }

    /// Ends the reading of one source or range: what was taken since the last one belongs to it.
    pub fn cover(&mut self, mut coverage: Coverage) {
        // A reason may name what stands in a row, such as its type.
        for session in &mut coverage.sessions {
            *session = self.redactor.shown(session);
        }
        self.tell_withheld(&mut coverage);
        for reasons in [&mut coverage.skipped, &mut coverage.unreadable] {
            let all = std::mem::take(reasons).into_iter();
            *reasons = all.map(|(why, n)| (self.redactor.shown(&why), n)).collect();
        }
        self.coverage.push(coverage);
        self.shed.push(Counts::default());
    }

    /// The digest of all that was taken.
    #[must_use]
    pub fn finish(mut self) -> Finished {
        self.shed_to(self.cap);
        self.hide_again();
        let mut lines = Vec::with_capacity(self.lines.len());
        for (n, kept) in (1..).zip(self.lines.into_values()) {
            if let Some(coverage) = self.coverage.get_mut(kept.reading) {
                coverage.used.add_many(kept.role, kept.times);
                coverage.shortened += u32::from(kept.shortened);
            }
            lines.push(kept.line(n));
        }
        for (coverage, shed) in self.coverage.iter_mut().zip(&self.shed) {
            coverage.shed = *shed;
        }
        let digest = Digest {
            lines,
            coverage: self.coverage,
            hits: self.hits,
        };
        Finished {
            digest,
            ids: self.ids,
        }
    }

    /// The turn's text, redacted, then shortened; its hits are noted.
    fn hide(&mut self, turn: &Turn) -> (Redacted, bool) {
        let part = Part {
            tool: turn.tool.as_ref(),
            call: turn.role == Role::ToolCall,
        };
        let (text, hits) = self.redactor.redact(&turn.text, &part);
        self.withheld += u32::from(hits.iter().any(Hit::is_withheld));
        for mut hit in hits {
            if self.hits.len() < MOST_HITS {
                hit.place = Some(turn.place.clone());
                self.hits.push(hit);
            }
        }
        shorten(text, turn.role)
    }

    /// Adds to a reading what of it was withheld, once, and what may be shown where it comes again.
    pub fn tell_withheld(&mut self, coverage: &mut Coverage) {
        let mut tell = |n: u32, why: &str| {
            if n > 0 {
                *coverage.unreadable.entry(why.to_owned()).or_default() += n;
            }
        };
        tell(
            std::mem::take(&mut self.withheld),
            "turn withheld: the search for secrets in it failed",
        );
        let all = self.redactor.not_remembered();
        let more = all.saturating_sub(std::mem::replace(&mut self.not_remembered, all));
        tell(
            u32::try_from(more).unwrap_or(u32::MAX),
            "value of a secret too many to remember: it is hidden with its name only",
        );
    }

    /// What stood bare before it was shown with its name is hidden now that this is known.
    fn hide_again(&mut self) {
        for kept in self.lines.values_mut() {
            let raw = Raw::new(kept.text.as_str());
            let (text, hits) = self.redactor.redact(&raw, &Part::default());
            kept.text = text;
            for mut hit in hits {
                if self.hits.len() < MOST_HITS {
                    hit.place = Some(kept.place.clone());
                    self.hits.push(hit);
                }
            }
        }
    }

    /// A session's name as it is shown: a tool's file or row gave it.
    fn label(&mut self, session: String) -> String {
        if self.label.0 != session {
            let shown = self.redactor.shown(&session);
            self.label = (session, shown);
        }
        self.label.1.clone()
    }

    fn keep(&mut self, mut turn: Turn) {
        turn.session = self.label(std::mem::take(&mut turn.session));
        let (text, shortened) = self.hide(&turn);
        if self.repeats_last(&turn, &text) {
            return;
        }
        let kept = Kept {
            role: turn.role,
            chars: text.chars() + FRAME,
            text,
            length: turn.text.unredacted().len(),
            place: turn.place,
            session: turn.session,
            at: turn.at,
            id: turn.id,
            abandoned: turn.abandoned,
            times: 1,
            reading: self.shed.len() - 1,
            shortened,
        };
        let key = self.next;
        self.next += 1;
        self.size += kept.chars;
        self.queues[order(kept.role)].push_back(key);
        if let Some(id) = &kept.id {
            self.parts.insert(id.clone(), key);
        }
        self.lines.insert(key, kept);
        self.shed_to(self.cap.saturating_mul(2));
    }

    /// Counts a turn onto the last line, when it says the same again.
    fn repeats_last(&mut self, turn: &Turn, text: &Redacted) -> bool {
        let reading = self.shed.len() - 1;
        let Some(mut last) = self.lines.last_entry() else {
            return false;
        };
        let last = last.get_mut();
        let same = last.role == turn.role
            && last.text == *text
            && last.session == turn.session
            && last.reading == reading;
        last.times += u32::from(same);
        same
    }

    /// A longer version of a part that was taken before stands in its place.
    fn replace(&mut self, turn: &Turn) {
        let key = turn.id.as_ref().and_then(|id| self.parts.get(id)).copied();
        let Some(key) = key else { return };
        let length = turn.text.unredacted().len();
        let role = turn.role;
        if !self
            .lines
            .get(&key)
            .is_some_and(|old| old.role == role && old.length < length)
        {
            return;
        }
        let (text, shortened) = self.hide(turn);
        if let Some(old) = self.lines.get_mut(&key) {
            let chars = text.chars() + FRAME;
            self.size = self.size - old.chars + chars;
            (old.text, old.shortened) = (text, shortened);
            (old.length, old.chars) = (length, chars);
        }
    }

    fn shed_to(&mut self, cap: usize) {
        while self.size > cap {
            let Some(key) = self.queues.iter_mut().find_map(VecDeque::pop_front) else {
                return;
            };
            self.shed(key);
        }
    }

    fn shed(&mut self, key: u64) {
        let Some(kept) = self.lines.remove(&key) else {
            return;
        };
        self.size -= kept.chars;
        if let Some(id) = &kept.id {
            self.parts.remove(id);
        }
        if let Some(shed) = self.shed.get_mut(kept.reading) {
            shed.add_many(kept.role, kept.times);
        }
    }
}

impl Kept {
    fn line(self, n: u32) -> Line {
        let mut text = self.text;
        if self.times > 1 {
            text.push_literal(" (");
            text.push_number(self.times.into());
            text.push_literal(" times)");
        }
        Line {
            n,
            role: self.role,
            text,
            place: self.place,
            session: self.session,
            at: self.at,
            abandoned: self.abandoned,
        }
    }
}

impl Sink for Builder<'_> {
    fn take(&mut self, turn: Turn) -> bool {
        if self.ids.add(turn.id.as_deref()) {
            self.keep(turn);
            return true;
        }
        self.replace(&turn);
        false
    }

    fn abandon(&mut self, source: &str, is_abandoned: &dyn Fn(&str) -> bool) {
        for kept in self
            .lines
            .values_mut()
            .filter(|kept| kept.place.source == source)
        {
            let id = kept.id.as_deref().map(row_id);
            kept.abandoned |= id.is_some_and(is_abandoned);
        }
    }
}

fn order(role: Role) -> usize {
    SHED.iter().position(|r| *r == role).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Raw;

    fn turn(text: &str) -> Turn {
        Turn {
            role: Role::User,
            text: Raw::new(text),
            place: Place {
                source: "/s.jsonl".to_owned(),
                offset: 0,
            },
            session: "s".to_owned(),
            id: None,
            at: None,
            cwd: None,
            tool: None,
            abandoned: false,
        }
    }

    #[test]
    fn a_turn_that_could_not_be_searched_is_withheld_and_told_in_its_readings_coverage() {
        let redactor = Redactor::failing_at("bad part");
        let mut builder = Builder::new(&redactor, 1000);
        for text in ["a good part", "a bad part"] {
            builder.take(turn(text));
        }
        builder.cover(Coverage::default());
        builder.cover(Coverage::default());
        let digest = builder.finish().digest;
        let lines: Vec<_> = digest.lines.iter().map(|l| l.text.as_str()).collect();
        assert_eq!(lines, ["a good part", "[part withheld]"]);
        let told: Vec<u32> = digest
            .coverage
            .iter()
            .map(|c| c.unreadable.values().sum())
            .collect();
        assert_eq!(told, [1, 0]);
    }

    #[test]
    fn values_too_many_to_remember_are_told_in_their_readings_coverage() {
        let redactor = Redactor::remembering_at_most(2);
        let mut builder = Builder::new(&redactor, 1000);
        for (n, text) in [
            "DB_PASSWORD=x8Kq2mP!z7Rw",
            "DB_PASSWORD=y9Lr3nQ!a8Sx",
            "a good part",
        ]
        .into_iter()
        .enumerate()
        {
            builder.take(turn(text));
            let mut coverage = Coverage::default();
            builder.tell_withheld(&mut coverage);
            let told = coverage
                .unreadable
                .keys()
                .any(|why| why.contains("too many to remember"));
            assert_eq!(told, n == 1, "{text}");
        }
    }
}
