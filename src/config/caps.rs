//! What curators may take on one day, what they took, and where one meets the other.

use serde::Serialize;
use std::fmt;

/// What unattended curators may take on one day (UTC); 0 is no cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    /// Calls: `daily_calls`.
    pub calls: u64,
    /// Characters of prompts: `daily_chars`.
    pub chars: u64,
    /// Millionths of a US dollar: `daily_usd`.
    pub micros: u64,
}

impl Default for Caps {
    fn default() -> Self {
        Self {
            calls: 60,
            chars: 3_000_000,
            micros: 3_000_000,
        }
    }
}

/// What one day took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Spent {
    /// Calls, failed ones too.
    pub calls: u64,
    /// Characters of prompts.
    pub chars: u64,
    /// Millionths of a US dollar, as far as curators told.
    pub micros: u64,
}

/// A cap that a day has reached; says which, and until when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reached {
    /// `daily_calls`.
    Calls(u64),
    /// `daily_chars`.
    Chars(u64),
    /// `daily_usd`, in millionths.
    Money(u64),
}

impl fmt::Display for Reached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("today's cap of ")?;
        match self {
            Reached::Calls(n) => write!(f, "{n} curator calls is reached (daily_calls")?,
            Reached::Chars(n) => write!(f, "{n} characters to curators is reached (daily_chars")?,
            Reached::Money(n) => write!(f, "{} for curators is reached (daily_usd", usd(*n))?,
        }
        f.write_str("; the day ends at midnight UTC)")
    }
}

/// Money for people: `$0.42`.
#[must_use]
pub fn usd(micros: u64) -> String {
    let cents = micros.div_ceil(10_000);
    format!("${}.{:02}", cents / 100, cents % 100)
}

impl Spent {
    /// The cap that one more call of so many characters would go over; a cap of 0 is none.
    #[must_use]
    pub fn reached(&self, caps: &Caps, chars: u64) -> Option<Reached> {
        if caps.calls > 0 && self.calls >= caps.calls {
            Some(Reached::Calls(caps.calls))
        } else if caps.chars > 0 && self.chars.saturating_add(chars) > caps.chars {
            Some(Reached::Chars(caps.chars))
        } else if caps.micros > 0 && self.micros >= caps.micros {
            Some(Reached::Money(caps.micros))
        } else {
            None
        }
    }
}
