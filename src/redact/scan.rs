//! Finds the secrets of one text: anchors first, then each rule's method around its anchors.
//!
//! Work is proportional to the anchors; where a run of bytes is measured again and again, its end
//! is remembered, so that no input makes a scan quadratic.

mod merge;

use super::anchors::{Anchor, eight};
use super::assignment::names;
use super::class::Class;
use super::files::signs::Signs;
use super::rules::{Method, Rule, rules};
use super::{
    assignment, body, command, dump, encoded, header, jwk, jwt, pem, url, value, vendor, work,
};
pub(super) use merge::{merge, to_word_ends};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::{ControlFlow, Range};

/// What looking at an anchor's nearest surroundings costs, in bytes.
const ANCHOR: usize = 32;

/// A secret in the view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Span {
    pub range: Range<usize>,
    pub rule: Cow<'static, str>,
    /// Worth hiding wherever it comes again, without its name.
    pub remember: bool,
}

/// One text being searched.
pub(super) struct Scan<'t> {
    pub text: &'t [u8],
    pub spans: Vec<Span>,
    /// The last run measured, for each rule.
    runs: HashMap<usize, Range<usize>>,
    /// Up to where each rule has read that reads far.
    reads: HashMap<usize, usize>,
    /// What the text has that may say it shows secrets.
    signs: Signs,
    /// How deep in encoded text this is.
    pub depth: usize,
    /// Up to where assignments were read.
    pub assigned: usize,
    /// Up to where tables, and lines that could head one, were read.
    pub tables: usize,
    /// The end of the last row above which no header was found.
    pub headless: usize,
    /// Before where no value begins that is random enough to be one far from its name.
    pub plain: usize,
    /// Up to where key objects were read.
    pub objects: usize,
    /// Up to where cookies were read.
    pub cookies: usize,
    /// Up to where vendors' keys were found.
    pub vendored: usize,
    /// Up to where dumps of bytes were read.
    pub dumps: usize,
    /// What was judged as a command's password, and whether as one that may be a word: many commands
    /// on one line share it.
    pub commanded: HashSet<(Range<usize>, bool)>,
    /// The values of lists that were judged, and whether as passwords.
    pub listed: HashSet<(Range<usize>, bool)>,
    /// What names were read last, by their first letters: most come again soon.
    names: [(&'t [u8], Option<names::Kind>); NAMES],
}

/// How many names are kept.
const NAMES: usize = 64;

/// All secrets of a text, in order, without overlaps.
pub(super) fn scan(text: &[u8], depth: usize) -> Vec<Span> {
    scan_with_signs(text, depth).0
}

/// The same, and what the text has that may say it shows secrets.
pub(super) fn scan_with_signs(text: &[u8], depth: usize) -> (Vec<Span>, Signs) {
    let mut scan = Scan {
        text,
        spans: Vec::new(),
        runs: HashMap::new(),
        reads: HashMap::new(),
        signs: Signs::default(),
        depth,
        assigned: 0,
        tables: 0,
        headless: 0,
        plain: 0,
        objects: 0,
        cookies: 0,
        vendored: 0,
        dumps: 0,
        commanded: HashSet::new(),
        listed: HashSet::new(),
        names: [(&[], None); NAMES],
    };
    rules().anchors.each(text, |anchor| {
        work::spend(ANCHOR);
        if work::is_spent() {
            return ControlFlow::Break(());
        }
        scan.look(&anchor);
        ControlFlow::Continue(())
    });
    encoded::find(&mut scan);
    (merge(scan.spans), scan.signs)
}

/// Whether a token with a known beginning starts a text.
pub(super) fn begins_token(text: &[u8]) -> bool {
    rules().anchors.at(text, 0).any(|found| {
        rules().all.get(found.rule).is_some_and(|rule| {
            matches!(rule.method, Method::Prefix | Method::Jwt) && rule.before.is_none()
        })
    })
}

impl<'t> Scan<'t> {
    fn look(&mut self, anchor: &Anchor) {
        let all = &rules().all;
        let Some(rule) = all.get(anchor.rule) else {
            if self.depth == 0 {
                let number = anchor.rule - all.len();
                self.signs.note(self.text, number, anchor.start);
            }
            return;
        };
        match rule.method {
            Method::Prefix => body::prefix(self, rule, anchor),
            Method::Assignment => assignment::find(self, rule, anchor),
            Method::Url => url::find(self, rule, anchor),
            Method::Jwt => jwt::find(self, rule, anchor),
            Method::Pem => pem::find(self, rule, anchor),
            Method::PemEnd => pem::find_end(self, rule, anchor),
            Method::Cookie => header::cookie(self, rule, anchor),
            Method::Authorization => header::authorization(self, rule, anchor),
            Method::Jwk => jwk::find(self, rule, anchor),
            Method::Command => command::find(self, rule, anchor),
            Method::Quoted => command::quoted(self, rule, anchor),
            Method::Sent => command::sent(self, rule, anchor),
            Method::AnyScheme => header::any_scheme(self, rule, anchor),
            Method::Vendor => vendor::find(self, rule, anchor),
            Method::VendorValue => vendor::bare(self, rule, anchor),
            Method::AwsSecret => self.aws_secret(rule, anchor),
            Method::Dump => dump::find(self, rule, anchor),
            Method::Regex => self.regex(rule, anchor),
        }
    }

    pub fn hide(&mut self, range: Range<usize>, rule: impl Into<Cow<'static, str>>) {
        self.add(range, rule.into(), false);
    }

    /// Hides a value here and, later, everywhere.
    pub fn hide_and_remember(&mut self, range: Range<usize>, rule: impl Into<Cow<'static, str>>) {
        self.add(range, rule.into(), true);
    }

    fn add(&mut self, range: Range<usize>, rule: Cow<'static, str>, remember: bool) {
        if range.end > range.start && !assignment::is_patch(self.text, range.start) {
            self.spans.push(Span {
                range,
                rule,
                remember,
            });
        }
    }

    /// What a name says of its value.
    pub fn kind(&mut self, name: &Range<usize>) -> Option<names::Kind> {
        let name = self.bytes(name.clone());
        let mixed = u64::from_le_bytes(eight(name, 0)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let place = (mixed >> 32) as usize ^ name.len();
        let Some(known) = self.names.get_mut(place % NAMES) else {
            return names::kind(name);
        };
        if known.0 != name {
            *known = (name, names::kind(name));
        }
        known.1
    }

    pub fn bytes(&self, range: Range<usize>) -> &'t [u8] {
        self.text.get(range).unwrap_or(&[])
    }

    pub fn at(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    /// Whether a token may begin here: the byte before is no letter or digit, or the last of what
    /// is hidden already.
    pub fn is_start(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| self.at(before));
        let free = before.is_none_or(|before| !before.is_ascii_alphanumeric());
        free || self.spans.iter().rev().take(4).any(|s| s.range.end == at)
    }

    /// Whether what stands here was hidden by the same rule just before.
    pub fn is_hidden(&self, rule: &Rule, at: usize) -> bool {
        let last = self.spans.iter().rev().take(4);
        last.filter(|s| s.range.contains(&at))
            .any(|s| s.rule == rule.id)
    }

    /// Whether a rule has read over this place already, as it said with [`Self::has_read`].
    pub fn was_read(&self, rule: usize, at: usize) -> bool {
        self.reads.get(&rule).is_some_and(|end| at < *end)
    }

    /// A rule has read up to here, and need not again from any place before.
    pub fn has_read(&mut self, rule: usize, end: usize) {
        self.reads.insert(rule, end);
    }

    /// The end of the run of a class that holds `at`; remembered under `slot`.
    pub fn run(&mut self, slot: usize, class: &Class, at: usize) -> usize {
        if let Some(known) = self.runs.get(&slot).filter(|r| r.contains(&at)) {
            return known.end;
        }
        let end = at + class.run(self.text, at, usize::MAX);
        self.runs.insert(slot, at..end);
        end
    }

    /// Whether a line that could go on with a token begins with a token of its own.
    pub fn is_other(&self, at: usize) -> bool {
        begins_token(self.text.get(at..).unwrap_or(&[]))
    }

    /// A bare key of 40 characters near a key id.
    fn aws_secret(&mut self, rule: &'static Rule, anchor: &Anchor) {
        const REACH: usize = 250;
        const KEY: usize = 40;
        let Some(class) = rule.class.as_ref().filter(|_| self.is_start(anchor.start)) else {
            return;
        };
        let mut at = anchor.end + class.run(self.text, anchor.end, REACH);
        if at - anchor.end != 16 {
            return;
        }
        while at < anchor.end + REACH && at < self.text.len() {
            let run = class.run(self.text, at, REACH);
            let found = self.bytes(at..at + run);
            let mixed = value::classes(found) >= 3 && value::entropy(found) >= 4.0;
            if run == KEY && mixed && !value::is_placeholder(found) {
                self.hide_and_remember(at..at + run, rule.id.as_str());
            }
            at += run.max(1);
        }
    }

    fn regex(&mut self, rule: &'static Rule, anchor: &Anchor) {
        const WINDOW: usize = 2048;
        let is_word = self.at(anchor.start).is_ascii_alphanumeric();
        if is_word && !self.is_start(anchor.start) || self.is_hidden(rule, anchor.start) {
            return;
        }
        // Most patterns fail soon; those that match go no further than the secret.
        work::spend(WINDOW / 8);
        let window = self.bytes(anchor.start..(anchor.start + WINDOW).min(self.text.len()));
        let regex = rules().regex(anchor.rule);
        if let Some(found) = regex.and_then(|r| r.captures(window)) {
            let group = found.get(1).or(found.get(0)).map(|m| m.range());
            let head = |r: &Range<usize>| r.start..r.end.min(r.start + WINDOW / 8);
            let real = |r: &Range<usize>| {
                window
                    .get(head(r))
                    .is_none_or(|head| !value::is_placeholder(head))
            };
            let short = anchor.end - anchor.start <= body::SHORT;
            let coded = || short && body::is_in_encoded(self.text, anchor.start);
            if let Some(range) = group.filter(real).filter(|_| !coded()) {
                self.hide(
                    anchor.start + range.start..anchor.start + range.end,
                    rule.id.as_str(),
                );
            }
        }
    }
}
