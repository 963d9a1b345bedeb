//! What a person called a secret besides: found by its keyed fingerprint, for the value itself is
//! kept nowhere.
//!
//! Linear: at each place one table says whether a value may begin there, by a keyed hash of four
//! bytes; the last four are asked next, and only then is the whole value hashed. Both together are
//! 16 bits that nobody without the key learns anything from.

use super::redacted;
use super::scan::{Span, merge};
use super::view::View;
use super::{Hit, Redacted, Redactor};
use std::collections::BTreeMap;

/// The rule's name.
pub const RULE: &str = "also_secret";

/// The fewest characters. A shorter one stands in too many ordinary texts, and could be guessed from
/// its fingerprint by whoever has the key.
pub const SHORTEST: usize = 6;

/// The most bytes: what is hashed at one place is bounded.
pub const LONGEST: usize = 256;

/// The most values.
pub const MOST: usize = 200;

/// Bytes of an end that is hashed by itself.
const END: usize = 4;

/// A value as it is kept: nothing of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Also {
    /// Its keyed fingerprint, 32 hex digits, as in hits.
    pub fingerprint: String,
    /// Its length in bytes, once its escapes are decoded.
    pub bytes: usize,
    /// Its length in characters.
    pub chars: usize,
    /// Keyed hashes of its first and last four bytes.
    pub ends: (u8, u8),
}

/// Why a text cannot be kept as a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotKept {
    /// Too short to be hidden everywhere.
    #[error(
        "a secret must have at least {SHORTEST} characters here: a shorter one stands in too many ordinary words, which would all be hidden"
    )]
    Short,
    /// Too long to be looked for at every place.
    #[error(
        "at most {LONGEST} bytes can be looked for; a part of it of {SHORTEST} characters or more will do"
    )]
    Long,
    /// A placeholder, or a text that holds one.
    #[error("this is hidden already")]
    Hidden,
    /// More than one line.
    #[error("a secret of several lines is told line by line")]
    Lines,
}

/// The values, ready to be looked for.
#[derive(Default)]
pub(super) struct AlsoSecret {
    /// By the hash of the first bytes.
    by_start: BTreeMap<u8, Vec<Also>>,
    starts: Vec<bool>,
    /// Two odd numbers that the hashes of ends are made with.
    mixers: [u64; 2],
}

impl AlsoSecret {
    pub fn has(&self, fingerprint: &str) -> bool {
        let mut all = self.by_start.values().flatten();
        all.any(|a| a.fingerprint == fingerprint)
    }

    pub fn is_empty(&self) -> bool {
        self.by_start.is_empty()
    }
}

/// Eight keyed bits of four bytes.
fn end(mixer: u64, bytes: [u8; END]) -> u8 {
    let word = u64::from(u32::from_le_bytes(bytes)) ^ (mixer >> 32);
    let mixed = word.wrapping_mul(mixer | 1);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(mixer.rotate_left(17) | 1);
    u8::try_from(mixed >> 56).unwrap_or(0)
}

impl Redactor {
    /// The same redactor, hiding besides what a person called a secret. It is hidden also where it
    /// was called none.
    #[must_use]
    pub fn hiding(mut self, values: impl IntoIterator<Item = Also>) -> Self {
        let mut also = AlsoSecret {
            starts: vec![false; 256],
            mixers: self.mixers(),
            ..AlsoSecret::default()
        };
        let real = |v: &Also| (END..=LONGEST).contains(&v.bytes);
        for value in values.into_iter().filter(real).take(MOST) {
            if let Some(start) = also.starts.get_mut(usize::from(value.ends.0)) {
                *start = true;
            }
            also.by_start.entry(value.ends.0).or_default().push(value);
        }
        self.also = also;
        self
    }

    /// Whether a value with this fingerprint is hidden because a person said so.
    #[must_use]
    pub fn is_also_secret(&self, fingerprint: &str) -> bool {
        self.also.has(fingerprint)
    }

    /// What is kept of a text that a person calls a secret.
    ///
    /// # Errors
    /// When it is too short or too long, has several lines, or is hidden already.
    pub fn also(&self, text: &str) -> Result<Also, NotKept> {
        let text = text.trim();
        if text.contains(['\n', '\r']) {
            return Err(NotKept::Lines);
        }
        if redacted::has_placeholder(text) {
            return Err(NotKept::Hidden);
        }
        let view = View::new(text.as_bytes());
        let bytes = view.bytes();
        let chars = String::from_utf8_lossy(bytes).chars().count();
        if chars < SHORTEST {
            return Err(NotKept::Short);
        }
        let (Some(first), Some(last)) = (bytes.first_chunk::<END>(), bytes.last_chunk::<END>())
        else {
            return Err(NotKept::Short);
        };
        if bytes.len() > LONGEST {
            return Err(NotKept::Long);
        }
        let [start, stop] = self.mixers();
        Ok(Also {
            fingerprint: self.fingerprint(Some(bytes)),
            bytes: bytes.len(),
            chars,
            ends: (end(start, *first), end(stop, *last)),
        })
    }

    /// A text without what a person called a secret, and nothing else; none: it holds none of it.
    #[must_use]
    pub fn without_also(&self, text: &str) -> Option<(Redacted, Vec<Hit>)> {
        if self.also.is_empty() {
            return None;
        }
        let view = View::new(text.as_bytes());
        let found = self.located(text, &view, &self.also_spans(view.bytes()));
        (!found.is_empty()).then(|| super::found::shown(text, Some(found)))
    }

    /// Spans, in order, with those of what a person called a secret; what stands inside another one is
    /// hidden with it as before.
    pub(super) fn with_also(&self, view: &[u8], mut spans: Vec<Span>) -> Vec<Span> {
        let mut also = self.also_spans(view);
        also.retain(|one| {
            let at = spans.partition_point(|s| s.range.end <= one.range.start);
            let around = spans.get(at).map(|s| &s.range);
            around.is_none_or(|r| r.start > one.range.start || r.end < one.range.end)
        });
        if also.is_empty() {
            return spans;
        }
        spans.extend(also);
        merge(spans)
    }

    fn also_spans(&self, text: &[u8]) -> Vec<Span> {
        let [start, stop] = self.also.mixers;
        let mut spans = Vec::new();
        let mut at = 0;
        for (place, window) in text.windows(END).enumerate() {
            let Some(first) = window.first_chunk::<END>().filter(|_| place >= at) else {
                continue;
            };
            let head = end(start, *first);
            if self.also.starts.get(usize::from(head)) != Some(&true) {
                continue;
            }
            let values = self.also.by_start.get(&head).into_iter().flatten();
            let fits = |value: &&Also| self.stands(value, text, place, stop);
            if let Some(value) = values.filter(fits).max_by_key(|v| v.bytes) {
                at = place + value.bytes;
                spans.push(Span {
                    range: place..at,
                    rule: RULE.into(),
                    remember: false,
                });
            }
        }
        spans
    }

    /// Whether a value stands in a text at a place.
    fn stands(&self, value: &Also, text: &[u8], place: usize, stop: u64) -> bool {
        let Some(here) = text.get(place..place + value.bytes) else {
            return false;
        };
        here.last_chunk::<END>()
            .is_some_and(|last| end(stop, *last) == value.ends.1)
            && self.fingerprint(Some(here)) == value.fingerprint
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::{NO_FINGERPRINT, Part};
    use crate::source::Raw;

    fn plain() -> Redactor {
        Redactor::new(&[], &[7; 32]).0
    }

    fn told(values: &[&str]) -> Redactor {
        let known = values.iter().map(|v| plain().also(v).unwrap());
        plain().hiding(known.collect::<Vec<_>>())
    }

    fn shown(redactor: &Redactor, text: &str) -> String {
        let (text, _) = redactor.redact(&Raw::new(text), &Part::default());
        text.as_str().to_owned()
    }

    #[test]
    fn a_value_is_hidden_wherever_and_however_it_stands() {
        let value = "blaue Gans im M\u{e4}rz";
        let redactor = told(&[value]);
        let mark = &redactor.also(value).unwrap().fingerprint[..4];
        let mark = format!("[REDACTED:also_secret#{mark}]");
        for text in [
            value.to_owned(),
            format!("x{value}x"),
            format!("-p{value} {value}"),
            value.replace('a', "%61"),
            value.replace("G", "\u{1b}[1mG\u{1b}[0m"),
            value.replace("au", "a\u{200b}u"),
        ] {
            let shown = shown(&redactor, &text);
            assert!(shown.contains(&mark) && !shown.contains("Gans"), "{shown}");
        }
        assert_eq!(shown(&redactor, "blaue Gans im Mai"), "blaue Gans im Mai");
        assert_eq!(shown(&plain(), value), value);
    }

    #[test]
    fn a_value_in_both_lists_is_a_secret() {
        let redactor = told(&["kranich"]);
        let print = redactor.also("kranich").unwrap().fingerprint;
        let redactor = redactor.allowing([print.clone()]);
        assert!(redactor.is_allowed(&print) && redactor.is_also_secret(&print));
        assert!(!shown(&redactor, "der kranich zieht").contains("kranich"));
        // Also within a longer value that was called none.
        let text = "password=kranich7X9q2";
        let hits = plain().check(text);
        assert_eq!(hits.len(), 1);
        let redactor = told(&["kranich"]).allowing([hits[0].fingerprint.clone()]);
        assert!(shown(&redactor, text).ends_with("]7X9q2"));
    }

    #[test]
    fn inside_what_is_hidden_anyway_nothing_changes() {
        let text = "password=kranich7X9q2 and more";
        assert_eq!(shown(&told(&["kranich"]), text), shown(&plain(), text));
        let (hidden, _) = told(&["and more"]).without_also(text).unwrap();
        assert!(
            hidden
                .as_str()
                .starts_with("password=kranich7X9q2 [REDACTED:also_secret#")
        );
        assert_eq!(told(&["and more"]).without_also("and less"), None);
    }

    #[test]
    fn what_is_too_short_too_long_or_hidden_is_refused() {
        let refused = |text: &str| plain().also(text).unwrap_err();
        assert_eq!(refused(" five5 "), NotKept::Short);
        assert_eq!(refused("%61%61%61"), NotKept::Short);
        assert_eq!(refused(&"x".repeat(LONGEST + 1)), NotKept::Long);
        assert_eq!(refused("[REDACTED:jwt#0a1b]"), NotKept::Hidden);
        assert_eq!(refused("one line\nand another"), NotKept::Lines);
        let kept = plain().also(" \u{fc}ber-6 ").unwrap();
        assert_eq!((kept.chars, kept.bytes), (6, 7));
        assert_ne!(kept.fingerprint, NO_FINGERPRINT);
    }

    #[test]
    fn the_longest_of_two_that_begin_alike_is_hidden_and_the_next_one_is_found_after_it() {
        let redactor = told(&["kranich", "kranichfeder"]);
        let text = shown(&redactor, "kranichfederkranich");
        assert_eq!(text.matches("[REDACTED:also_secret#").count(), 2, "{text}");
        assert!(!text.contains("feder"));
    }

    #[test]
    fn a_made_up_length_hides_nothing_and_breaks_nothing() {
        let mut value = plain().also("kranich").unwrap();
        for bytes in [0, 3, 6, 8, usize::MAX] {
            value.bytes = bytes;
            let redactor = plain().hiding([value.clone()]);
            assert_eq!(shown(&redactor, "kranich kranich"), "kranich kranich");
        }
    }
}
