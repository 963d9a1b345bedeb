//! Takes secrets out of text, before anything else may happen to it.
//!
//! Pure: text in, [`Redacted`] text and [`Hit`]s out. A hit never holds a byte of the secret. Runs
//! on the whole text of a message; cutting comes after. Works on bytes inside, so that no failure
//! can print text; a failure withholds the part.

pub mod also;
mod anchors;
mod assignment;
mod bigrams;
mod body;
mod camel;
mod class;
mod command;
mod confidence;
mod dump;
mod encoded;
mod extra;
mod files;
mod found;
mod header;
mod hit;
mod jwk;
mod jwt;
mod known;
mod lexicon;
mod lines;
mod measure;
mod odds;
mod pem;
mod phrase;
mod placeholder;
mod redacted;
mod reference;
mod rules;
mod scan;
pub mod score;
mod stream;
mod url;
mod value;
mod vendor;
mod view;
mod work;

pub use also::{Also, NotKept};
pub use confidence::Confidence;
pub use extra::PatternProblem;
pub use hit::{Hit, NO_FINGERPRINT, Pass, WITHHELD};
pub(crate) use measure::from_base64;
pub use redacted::{Redacted, first_whole, has_placeholder, without_placeholders};
pub use stream::LineHit;

use crate::source::{Raw, ToolContext};
use also::AlsoSecret;
use extra::Extra;
use found::{Found, ceil, floor, outside, rewrite, shown};
use hit::{note, withheld};
use hmac::{Hmac, KeyInit, Mac};
use known::Known;
use scan::Span;
use sha2::Sha256;
use std::collections::BTreeSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{PoisonError, RwLock};
use view::View;

/// What is known of a part besides its text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Part<'a> {
    /// The tool that made it or is called by it.
    pub tool: Option<&'a ToolContext>,
    /// It is the call itself: it names a file, and holds only what it writes into one.
    pub call: bool,
}

/// Finds and hides secrets, and remembers, while it lives, the values that were shown with their
/// names: one shown again without is hidden too.
pub struct Redactor {
    key: [u8; 32],
    extra: Extra,
    /// Fingerprints of what a person called no secret.
    allowed: BTreeSet<String>,
    /// What a person called a secret besides.
    also: AlsoSecret,
    known: RwLock<Known>,
    /// Every search of a text with this in it fails, for tests of what becomes of it then.
    #[cfg(test)]
    fails_at: Option<&'static str>,
}

impl Redactor {
    /// A redactor with the user's own patterns besides the built-in rules. A pattern that is no
    /// good is left out and told of; the others work.
    #[must_use]
    pub fn new(extra_patterns: &[String], key: &[u8; 32]) -> (Self, Vec<PatternProblem>) {
        let (extra, problems) = Extra::compile(extra_patterns);
        let redactor = Self {
            key: *key,
            extra,
            allowed: BTreeSet::new(),
            also: AlsoSecret::default(),
            known: RwLock::default(),
            #[cfg(test)]
            fails_at: None,
        };
        (redactor, problems)
    }

    /// The same redactor, letting through what a person called no secret: values with these
    /// fingerprints.
    #[must_use]
    pub fn allowing(mut self, fingerprints: impl IntoIterator<Item = String>) -> Self {
        let real = fingerprints.into_iter().filter(|f| f != NO_FINGERPRINT);
        self.allowed.extend(real);
        self
    }

    /// Whether a value with this fingerprint is let through.
    #[must_use]
    pub fn is_allowed(&self, fingerprint: &str) -> bool {
        self.allowed.contains(fingerprint)
    }

    /// The text with its secrets replaced, and what was replaced, at most 10,000 of it. When the
    /// search itself fails, all of it is withheld.
    #[must_use]
    pub fn redact(&self, raw: &Raw, part: &Part<'_>) -> (Redacted, Vec<Hit>) {
        let text = raw.unredacted();
        if text.len() <= stream::WHOLE {
            return shown(text, self.search(text, part));
        }
        let (mut out, mut hits) = (String::new(), Vec::new());
        let whole = self.large(text, part, &mut |piece, at, found| {
            rewrite(piece, found, &mut out);
            note(&mut hits, found, at);
        });
        whole.map_or_else(|| withheld(text), |()| (Redacted::new(out), hits))
    }

    /// The secrets of a text that is not to be rewritten, at most 10,000 of them.
    #[must_use]
    pub fn check(&self, text: &str) -> Vec<Hit> {
        let mut hits = Vec::new();
        let part = Part::default();
        let whole = if text.len() <= stream::WHOLE {
            let found = self.search(text, &part);
            found.map(|found| note(&mut hits, &found, 0))
        } else {
            self.large(text, &part, &mut |_, at, found| note(&mut hits, found, at))
        };
        whole.map_or_else(|| withheld(text).1, |()| hits)
    }

    /// One whose search fails on every text with this in it.
    #[cfg(test)]
    pub(crate) fn failing_at(text: &'static str) -> Self {
        let (redactor, _) = Self::new(&[], &[3; 32]);
        Self {
            fails_at: Some(text),
            ..redactor
        }
    }

    /// One that remembers so many values only, each with its base64.
    #[cfg(test)]
    pub(crate) fn remembering_at_most(values: usize) -> Self {
        let (redactor, _) = Self::new(&[], &[3; 32]);
        Self {
            known: RwLock::new(Known::at_most(values)),
            ..redactor
        }
    }

    /// Remembers a value that stands under a name elsewhere, such as in the environment, if the name
    /// is one of a secret: it is hidden wherever it comes, whatever it is made of.
    pub fn remember(&self, name: &str, value: &str) {
        const LONGEST: usize = 4096;
        if name.len() + value.len() > LONGEST {
            return;
        }
        if !value.contains(char::is_whitespace) {
            // What is found is remembered; nothing else is wanted.
            let _ = self.check(&format!("{name}={value}"));
        }
        // As it is, and as strings of programs write it.
        let value = value.trim();
        let escaped = value.replace('\\', r"\\");
        for value in [value, &escaped] {
            let seen = View::new(value.as_bytes());
            if assignment::is_set_to_secret(name.as_bytes(), seen.bytes()) {
                self.learn(seen.bytes(), Known::add_any);
            }
        }
    }

    /// How often a value that was shown with its name could not be remembered, as too many were
    /// before: where it comes again without its name, it may be shown.
    #[must_use]
    pub fn not_remembered(&self) -> usize {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.left_out()
    }

    /// A text from disk that nobody has let in, fit to be shown.
    #[must_use]
    pub fn shown(&self, text: &str) -> String {
        let (redacted, _) = self.redact(&Raw::new(text), &Part::default());
        redacted.as_str().to_owned()
    }

    /// Nothing comes back when the search failed.
    fn search(&self, text: &str, part: &Part<'_>) -> Option<Vec<Found>> {
        #[cfg(test)]
        if self.fails_at.is_some_and(|at| text.contains(at)) {
            return None;
        }
        guarded(|| work::within(text.len(), || self.find(text, part)))?
    }

    fn find(&self, text: &str, part: &Part<'_>) -> Vec<Found> {
        let view = View::new(text.as_bytes());
        let (mut spans, signs) = scan::scan_with_signs(view.bytes(), 0);
        spans.extend(self.extra.find(view.bytes()));
        spans.extend(files::find(view.bytes(), part, signs));
        let mut spans = self.with_known(view.bytes(), spans);
        if !self.allowed.is_empty() {
            let print = |s: &Span| self.fingerprint(view.bytes().get(s.range.clone()));
            spans.retain(|s| !self.is_allowed(&print(s)));
        }
        if !self.also.is_empty() {
            spans = self.with_also(view.bytes(), spans);
        }
        self.located(text, &view, &spans)
    }

    /// Spans of the view as findings in the text; what is hidden already stays as it is.
    fn located(&self, text: &str, view: &View<'_>, spans: &[Span]) -> Vec<Found> {
        let keep = redacted::placeholders(text.as_bytes());
        let mut found = Vec::with_capacity(spans.len());
        for span in spans {
            let secret = view.bytes().get(span.range.clone()).unwrap_or(&[]);
            let fingerprint = self.fingerprint(Some(secret));
            let confidence = confidence::judge(&span.rule, secret);
            for piece in outside(view.raw(&span.range), &keep) {
                found.push(Found {
                    range: floor(text, piece.start)..ceil(text, piece.end),
                    rule: span.rule.clone(),
                    fingerprint: fingerprint.clone(),
                    confidence,
                });
            }
        }
        found
    }

    /// Remembers the values worth it, and adds the places where a known one stands bare.
    fn with_known(&self, text: &[u8], spans: Vec<Span>) -> Vec<Span> {
        let mut spans = scan::to_word_ends(text, scan::merge(spans));
        for span in spans.iter().filter(|s| s.remember) {
            self.learn(text.get(span.range.clone()).unwrap_or(&[]), Known::add);
        }
        // A thread that panicked here left at worst one value unremembered.
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let mut found = known.find(text);
        found.extend(known.find_cut(text));
        drop(known);
        if !found.is_empty() {
            spans.extend(found);
            spans = scan::merge(spans);
        }
        spans
    }

    /// How many values are remembered.
    fn count_known(&self) -> usize {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.count()
    }

    fn learn(&self, value: &[u8], add: fn(&mut Known, &[u8])) {
        if !self.allowed.is_empty() && self.is_allowed(&self.fingerprint(Some(value))) {
            return;
        }
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if known.has(value) {
            return;
        }
        drop(known);
        let known = self.known.write();
        add(&mut known.unwrap_or_else(PoisonError::into_inner), value);
    }

    /// What the hashes of a value's ends are keyed with.
    fn mixers(&self) -> [u64; 2] {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.key) else {
            return [1, 1];
        };
        mac.update(b"memd/also/v1");
        let tag = mac.finalize().into_bytes();
        let number = |at: usize| {
            let bytes = tag.get(at..).and_then(|t| t.first_chunk::<8>());
            bytes.map_or(1, |b| u64::from_le_bytes(*b))
        };
        [number(0), number(8)]
    }

    fn fingerprint(&self, secret: Option<&[u8]>) -> String {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.key) else {
            return NO_FINGERPRINT.to_owned();
        };
        mac.update(b"memd/redact/v1");
        mac.update(secret.unwrap_or(&[]));
        let tag = mac.finalize().into_bytes();
        crate::id::hex(tag.get(..16).unwrap_or(&tag))
    }
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Redactor")
    }
}

/// What comes of the work, or nothing if it panics.
fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

#[cfg(test)]
mod tests;
