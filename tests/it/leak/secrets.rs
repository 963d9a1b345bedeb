//! Secrets to look for: every example of the rule table, and of the shared vectors where there are
//! any. What is searched for is what the redactor hides of each alone, without its public beginning.

use crate::support::shared;
use memd::redact::{Part, Redactor, score};
use memd::source::Raw;
use serde_json::Value;
use std::collections::HashMap;

/// The shortest fragment that counts as a leak, in bytes.
const FRAGMENT: usize = score::FRAGMENT;

/// The shortest fragment of hex digits alone that counts: memd writes hashes by the thousand, and eight
/// digits of one are those of some secret by chance once in a while.
const DIGITS: usize = FRAGMENT + 4;

/// A text with a secret in it.
pub struct Bait {
    pub rule: String,
    pub text: String,
    hidden: Vec<String>,
    /// Without its secrets.
    shown: String,
}

/// The rule table's positive examples, and those of the shared vectors.
pub fn baits() -> Vec<Bait> {
    let table = include_str!("../../../assets/redact/rules.yaml");
    let table: Value = serde_yaml::from_str(table).unwrap();
    let rules = table["rules"].as_array().unwrap();
    let examples = rules.iter().flat_map(|rule| {
        let pos = rule["pos"].as_array().into_iter().flatten();
        pos.map(|text| {
            (
                rule["id"].as_str().unwrap(),
                text.as_str().unwrap().to_owned(),
            )
        })
    });
    let mut texts: Vec<(String, String)> =
        examples.map(|(id, text)| (id.to_owned(), text)).collect();
    if let Some(shared) = shared() {
        let path = shared.join("cases/redaction/vectors.tsv");
        let vectors = score::vectors(&std::fs::read_to_string(path).unwrap()).unwrap();
        let secret = vectors.into_iter().filter(|v| v.secret);
        texts.extend(secret.map(|v| (v.id, v.text.unredacted().to_owned())));
    }
    let mut baits: Vec<Bait> = texts
        .into_iter()
        .map(|(rule, text)| bait(rule, text))
        .collect();
    // What the rules miss of a text that stands alone is another test's matter.
    let net = Net::new(&baits);
    baits.retain(|bait| net.catches("", bait.shown.as_bytes()).is_empty());
    baits
}

/// A text and what of it is secret: what the redactor takes out of it.
pub fn bait(rule: impl Into<String>, text: impl Into<String>) -> Bait {
    let (rule, text) = (rule.into(), text.into());
    let redactor = Redactor::new(&[], &[3; 32]).0;
    let (shown, hits) = redactor.redact(&Raw::new(text.as_str()), &Part::default());
    let mut hidden = Vec::new();
    let (mut rest, mut left) = (text.as_str(), shown.as_str());
    for hit in hits {
        let (kept, after) = left.split_once(&hit.placeholder()).unwrap();
        rest = rest.strip_prefix(kept).unwrap();
        left = after;
        let next = after.split("[REDACTED:").next().unwrap();
        let end = match next {
            "" => rest.len(),
            next => rest.find(next).unwrap(),
        };
        hidden.push(rest[..end].to_owned());
        rest = &rest[end..];
    }
    let shown = shown.as_str().to_owned();
    Bait {
        rule,
        text,
        hidden,
        shown,
    }
}

/// Fragments of secrets, as they are and in the usual encodings.
pub struct Net {
    /// By the fragment: whose it is.
    plain: HashMap<[u8; FRAGMENT], usize>,
    /// As `plain`, of hex digits alone.
    digits: HashMap<[u8; DIGITS], usize>,
    base64: HashMap<[u8; 11], usize>,
    hex: HashMap<[u8; 16], usize>,
    rules: Vec<String>,
}

impl Net {
    pub fn new<'a>(baits: impl IntoIterator<Item = &'a Bait>) -> Self {
        let mut net = Self {
            plain: HashMap::new(),
            digits: HashMap::new(),
            base64: HashMap::new(),
            hex: HashMap::new(),
            rules: Vec::new(),
        };
        for bait in baits {
            net.rules.push(bait.rule.clone());
            bait.hidden.iter().for_each(|secret| net.add(secret));
        }
        net
    }

    fn add(&mut self, secret: &str) {
        let owner = self.rules.len() - 1;
        let secret = &secret.as_bytes()[public(secret)..];
        let of_chance = |w: &[u8]| secret.len() >= DIGITS && is_hash(w);
        for window in secret.windows(FRAGMENT).filter(|w| is_telling(w)) {
            if !of_chance(window) {
                self.plain.insert(window.try_into().unwrap(), owner);
            }
            self.hex.insert(hex(window), owner);
        }
        for window in secret.windows(DIGITS).filter(|w| is_hash(w)) {
            self.digits.insert(window.try_into().unwrap(), owner);
        }
        // Each alignment of three bytes to four characters.
        for start in 0..3.min(secret.len()) {
            let coded = base64(&secret[start..]);
            let whole = &coded[..coded.len() / 4 * 4];
            for window in whole.windows(11).filter(|w| is_telling(w)) {
                self.base64.insert(window.try_into().unwrap(), owner);
            }
        }
    }

    /// Whose fragments stand in what was written there.
    pub fn catches(&self, place: &str, bytes: &[u8]) -> Vec<String> {
        let mut caught = Vec::new();
        let mut note = |owner: usize, how: &str, at: usize| {
            let line = format!("{place}: {} {how}", self.rules[owner]);
            if !caught.iter().any(|c: &String| c.starts_with(&line)) {
                let before = String::from_utf8_lossy(&bytes[at.saturating_sub(40)..at]);
                caught.push(format!("{line} after {before:?}"));
            }
        };
        for (at, w) in bytes.windows(FRAGMENT).enumerate() {
            if let Some(owner) = self.plain.get(w) {
                note(*owner, "", at);
            }
        }
        for (at, w) in bytes.windows(DIGITS).enumerate() {
            if let Some(owner) = self.digits.get(w) {
                note(*owner, "", at);
            }
        }
        for (at, w) in bytes.windows(11).enumerate() {
            if let Some(owner) = self.base64.get(w) {
                note(*owner, "as base64", at);
            }
        }
        for (at, w) in bytes.windows(16).enumerate() {
            if let Some(owner) = self.hex.get(w) {
                note(*owner, "as hex", at);
            }
        }
        caught
    }
}

/// How much of a token's beginning everybody knows: `sk-ant-api03-`, `-----BEGIN … KEY-----`.
fn public(secret: &str) -> usize {
    if secret.starts_with("-----BEGIN") {
        return secret.find('\n').or(secret.find("\\n")).unwrap_or(0);
    }
    let head = secret.len().min(24);
    let is_part = |b: &u8| b.is_ascii_lowercase() || b"-_.".contains(b);
    let word = secret.bytes().take(head).take_while(|b| is_part(b)).count();
    // Up to the last separator: the letters after it may be the secret's own.
    let known = secret.as_bytes()[..word].iter();
    known
        .rev()
        .position(|b| b"-_.".contains(b))
        .map_or(0, |n| word - n)
}

/// Not a rule, a row of dashes, or the end of a key block.
fn is_telling(window: &[u8]) -> bool {
    let mut seen = window.to_vec();
    seen.sort_unstable();
    seen.dedup();
    let is_words = |b: &u8| b.is_ascii_uppercase() || b" -\\n/\"'".contains(b);
    seen.len() > 3 && !window.iter().all(is_words)
}

/// Whether it could be a piece of a hash that memd writes.
fn is_hash(window: &[u8]) -> bool {
    let digit = |b: &u8| b.is_ascii_digit() || (b'a'..=b'f').contains(b);
    is_telling(window) && window.iter().all(digit)
}

fn hex(window: &[u8]) -> [u8; 16] {
    let text: String = window.iter().map(|b| format!("{b:02x}")).collect();
    text.as_bytes().try_into().unwrap()
}

fn base64(bytes: &[u8]) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let coded = bytes.chunks_exact(3).flat_map(|c| {
        let n = usize::from(c[0]) << 16 | usize::from(c[1]) << 8 | usize::from(c[2]);
        [18, 12, 6, 0].map(|shift| DIGITS[n >> shift & 63])
    });
    coded.collect()
}
