//! Sets of bytes, and the end of a run of them.

use super::work;
use serde::Deserialize;
use std::fmt;

/// A set of bytes, written as ranges: `A-Za-z0-9_-` (a `-` at the end is itself), or by name.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub(super) struct Class([bool; 256]);

impl From<String> for Class {
    fn from(spec: String) -> Self {
        Self::new(&spec)
    }
}

impl fmt::Debug for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Class({} bytes)", self.0.iter().filter(|b| **b).count())
    }
}

impl Class {
    pub fn new(spec: &str) -> Self {
        let spec = match spec {
            "alnum" => "A-Za-z0-9",
            "word" => "A-Za-z0-9_",
            "url" => "A-Za-z0-9_-",
            "token" => "A-Za-z0-9_.-",
            "base64" => "A-Za-z0-9+/=",
            "hex" => "0-9a-fA-F",
            "uuid" => "0-9a-f-",
            "lower" => "a-z0-9",
            "upper" => "A-Z0-9",
            "base32" => "A-Z2-7",
            "digit" => "0-9",
            own => own,
        };
        let mut set = [false; 256];
        let mut rest = spec.as_bytes();
        while let Some((first, tail)) = rest.split_first() {
            let last = match tail {
                [b'-', last, ..] => *last,
                _ => *first,
            };
            for byte in *first..=last {
                set[usize::from(byte)] = true;
            }
            rest = tail
                .get(if last == *first { 0 } else { 2 }..)
                .unwrap_or(&[]);
        }
        Self(set)
    }

    #[inline]
    pub fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte)]
    }

    /// How many bytes from `at` on are in the set, at most `max`.
    pub fn run(&self, text: &[u8], at: usize, max: usize) -> usize {
        let rest = text.get(at..).unwrap_or(&[]);
        self.count(rest.iter().take(max))
    }

    /// How many bytes before `at` are in the set, at most `max`.
    pub fn run_back(&self, text: &[u8], at: usize, max: usize) -> usize {
        let head = text.get(..at).unwrap_or(text);
        self.count(head.iter().rev().take(max))
    }

    fn count<'b>(&self, bytes: impl Iterator<Item = &'b u8>) -> usize {
        let count = bytes.take_while(|b| self.has(**b)).count();
        work::spend(count + 1);
        count
    }
}
