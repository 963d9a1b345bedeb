//! What a person does at the keyboard, as values, and the one reader of the terminal.
//!
//! Owns the closed set of keys, their names, and the queue between the terminal's bytes and the
//! screen. Everything that came in one read carries the number of the frame that was painted before
//! it, so that a key can never count for what was painted later. Decides nothing.

mod parse;
mod reader;
mod script;
mod tty;

pub use parse::Parser;
pub use reader::{AT_ONCE, BATCH, Reader, Ready, Received, Source};
pub use script::Script;
pub use tty::Tty;

use std::fmt;
use std::str::FromStr;

/// A key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is named as on a keyboard")]
pub enum Key {
    Char(char),
    Enter,
    Esc,
    Tab,
    BackTab,
    Backspace,
    Delete,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
}

/// Every key that has a name of its own, as it is printed.
const NAMES: [(&str, Key); 15] = [
    ("Space", Key::Char(' ')),
    ("Enter", Key::Enter),
    ("Esc", Key::Esc),
    ("Tab", Key::Tab),
    ("Shift-Tab", Key::BackTab),
    ("Backspace", Key::Backspace),
    ("Delete", Key::Delete),
    ("Up", Key::Up),
    ("Down", Key::Down),
    ("Left", Key::Left),
    ("Right", Key::Right),
    ("Home", Key::Home),
    ("End", Key::End),
    ("PgUp", Key::PageUp),
    ("PgDn", Key::PageDown),
];

/// A key with what was held down. Shift is part of the character, or of `BackTab`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chord {
    /// Ctrl was held.
    pub ctrl: bool,
    /// Alt was held.
    pub alt: bool,
    /// The key.
    pub key: Key,
}

impl Chord {
    /// A key with nothing held down.
    #[must_use]
    pub const fn plain(key: Key) -> Self {
        Self {
            ctrl: false,
            alt: false,
            key,
        }
    }

    /// A character with Ctrl held down.
    #[must_use]
    pub const fn ctrl(c: char) -> Self {
        Self {
            ctrl: true,
            alt: false,
            key: Key::Char(c),
        }
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("Ctrl-")?;
        }
        if self.alt {
            f.write_str("Alt-")?;
        }
        match NAMES.iter().find(|(_, key)| *key == self.key) {
            Some((name, _)) => f.write_str(name),
            None => match self.key {
                Key::Char(c) => write!(f, "{c}"),
                other => write!(f, "{other:?}"),
            },
        }
    }
}

/// A name that is no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no key; write it as a, Ctrl-r, Alt-x, Space, Enter, Esc, Tab, PgDn")]
pub struct NoKey(pub String);

impl FromStr for Chord {
    type Err = NoKey;

    fn from_str(name: &str) -> Result<Self, NoKey> {
        let mut rest = name;
        let mut chord = Chord::plain(Key::Esc);
        // A single character is itself, also `-`.
        while rest.chars().count() > 1 {
            if let Some(after) = rest.strip_prefix("Ctrl-").filter(|_| !chord.ctrl) {
                (chord.ctrl, rest) = (true, after);
            } else if let Some(after) = rest.strip_prefix("Alt-").filter(|_| !chord.alt) {
                (chord.alt, rest) = (true, after);
            } else {
                break;
            }
        }
        let named = NAMES.iter().find(|(name, _)| *name == rest);
        let mut chars = rest.chars();
        chord.key = match (named, chars.next(), chars.next()) {
            (Some((_, key)), ..) => *key,
            (None, Some(c), None) => Key::Char(c),
            _ => return Err(NoKey(name.to_owned())),
        };
        Ok(chord)
    }
}

/// How many keys are played at most.
const PLAYED: usize = 10_000;

/// Keys as they are written for a rehearsal: characters for themselves, others by name in angle
/// brackets, as in `]]a<Ctrl-d><Enter>`.
///
/// # Errors
/// A name that is no key, or too many of them.
pub fn keys(text: &str) -> Result<Vec<Chord>, NoKey> {
    let mut keys = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (name, after) = match rest.strip_prefix('<').map(|r| r.split_once('>')) {
            Some(Some((name, after))) => (name, after),
            Some(None) => return Err(NoKey(rest.to_owned())),
            None => rest.split_at(c.len_utf8()),
        };
        keys.push(name.parse()?);
        if keys.len() > PLAYED {
            return Err(NoKey(format!("more than {PLAYED} keys")));
        }
        rest = after;
    }
    Ok(keys)
}

/// What comes from a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A key was pressed.
    Key(Chord),
    /// A text was pasted, whole.
    Paste(String),
    /// The terminal has this many columns and rows now.
    Resize(u16, u16),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_read_back_from_its_name() {
        for name in [
            "a",
            "A",
            "-",
            "+",
            " ",
            "Ctrl-r",
            "Alt-x",
            "Ctrl-Alt-x",
            "Ctrl--",
            "Alt-Enter",
            "日",
        ] {
            let chord: Chord = name.parse().unwrap();
            let printed = chord.to_string();
            assert_eq!(printed.parse(), Ok(chord), "{name}");
            if name != " " {
                assert_eq!(printed, name);
            }
        }
        for (name, key) in NAMES {
            assert_eq!(name.parse(), Ok(Chord::plain(key)));
            assert_eq!(Chord::plain(key).to_string(), name);
        }
        for name in ["", "Ctrl-", "ab", "Hyper-x", "Ctrl-Ctrl-x"] {
            assert_eq!(name.parse::<Chord>(), Err(NoKey(name.to_owned())));
        }
    }

    #[test]
    fn keys_for_a_rehearsal_are_characters_and_names() {
        let names = |text: &str| {
            let keys = keys(text)?;
            Ok::<_, NoKey>(keys.iter().map(Chord::to_string).collect::<Vec<_>>())
        };
        let played = ["]", "]", "a", "Ctrl-d", "Enter", "é", ">"];
        assert_eq!(names("]]a<Ctrl-d><Enter>é>").unwrap(), played);
        for text in ["a<", "<>", "<Nope>", &"j".repeat(PLAYED + 1)] {
            assert!(keys(text).is_err(), "{text:.9}");
        }
    }
}
