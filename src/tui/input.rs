//! What a person does at the keyboard, as values, and the one reader of the terminal.
//!
//! Owns the closed set of keys, their names, and the queue between the terminal's bytes and the
//! screen. Everything that came in one read carries the number of the frame that was painted before
//! it, so that a key can never count for what was painted later. Decides nothing.

mod parse;
mod script;
mod tty;

pub use parse::Parser;
pub use script::Script;
pub use tty::Tty;

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::str::FromStr;
use std::time::Duration;

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

/// An input and when it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// What came.
    pub input: Input,
    /// The number of the frame that was painted last before it was read.
    pub after_frame: u64,
}

/// What waiting for bytes came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ready {
    /// There are bytes.
    Bytes,
    /// Time is over, or a signal came.
    Nothing,
    /// The terminal has gone away; there will be no more.
    Gone,
}

/// Where the bytes come from: a terminal, or a script.
pub trait Source {
    /// Waits until there are bytes, no longer than this. A signal ends the wait.
    ///
    /// # Errors
    /// The terminal cannot be waited for.
    fn wait(&mut self, timeout: Duration) -> io::Result<Ready>;

    /// Reads what is there; called only after [`Ready::Bytes`]. 0: nothing after all.
    ///
    /// # Errors
    /// The terminal cannot be read.
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize>;

    /// The size in columns and rows, if it may have changed since this was asked last.
    fn resized(&mut self) -> Option<(u16, u16)>;
}

/// How many inputs are handed over at once.
pub const BATCH: usize = 32;
/// How many inputs may wait; what comes beyond is thrown away.
const MOST: usize = 4096;
/// How many bytes are read at one go; what lies beyond is not newer for being read later.
const GULP: usize = 64 * 1024;
/// How long the rest of a key may take to come after its escape byte.
const REST_OF_KEY: Duration = Duration::from_millis(25);

/// The one reader of the terminal.
pub struct Reader {
    source: Box<dyn Source>,
    parser: Parser,
    waiting: VecDeque<Received>,
    /// The frame of a read that left bytes behind.
    behind: Option<u64>,
    gone: bool,
}

impl Reader {
    /// Reads this source.
    #[must_use]
    pub fn new(source: Box<dyn Source>) -> Self {
        Self {
            source,
            parser: Parser::default(),
            waiting: VecDeque::new(),
            behind: None,
            gone: false,
        }
    }

    /// Waits until there may be something to take, no longer than this. A signal ends the wait.
    ///
    /// # Errors
    /// The terminal cannot be waited for.
    pub fn wait(&mut self, timeout: Duration) -> io::Result<()> {
        if self.waiting.is_empty() && !self.gone {
            self.gone = self.source.wait(timeout)? == Ready::Gone;
        }
        Ok(())
    }

    /// Reads all that is there. `frame` is the frame that was painted last.
    ///
    /// # Errors
    /// The terminal cannot be read.
    pub fn gather(&mut self, frame: u64) -> io::Result<()> {
        let frame = self.behind.take().unwrap_or(frame);
        if !self.read_all()? {
            self.behind = Some(frame);
        }
        if let Some((columns, rows)) = self.source.resized() {
            self.keep(Input::Resize(columns, rows), frame);
        }
        while let Some(input) = self.parser.pop() {
            self.keep(input, frame);
        }
        Ok(())
    }

    /// Feeds the parser; whether there is nothing left.
    fn read_all(&mut self) -> io::Result<bool> {
        let mut bytes = [0; 1024];
        let mut left = GULP;
        while left > 0 {
            let patience = match self.parser.is_undecided() {
                true => REST_OF_KEY,
                false => Duration::ZERO,
            };
            match self.source.wait(patience)? {
                Ready::Bytes => {
                    let n = self.source.read(&mut bytes)?;
                    if n == 0 {
                        return Ok(true);
                    }
                    left = left.saturating_sub(n);
                    self.parser.feed(bytes.get(..n).unwrap_or_default());
                }
                Ready::Nothing => {
                    self.parser.settle();
                    return Ok(true);
                }
                Ready::Gone => {
                    self.gone = true;
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn keep(&mut self, input: Input, after_frame: u64) {
        if self.waiting.len() < MOST {
            self.waiting.push_back(Received { input, after_frame });
        }
    }

    /// The next inputs, at most [`BATCH`].
    pub fn take(&mut self) -> Vec<Received> {
        let n = self.waiting.len().min(BATCH);
        self.waiting.drain(..n).collect()
    }

    /// Whether inputs wait to be taken.
    #[must_use]
    pub fn has_more(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Throws away what waits, but for the last resize; whether there was anything else.
    ///
    /// # Errors
    /// The terminal cannot be read.
    pub fn drain(&mut self) -> io::Result<bool> {
        self.gather(0)?;
        let is_resize = |r: &Received| matches!(r.input, Input::Resize(..));
        let resize = self.waiting.iter().rfind(|r| is_resize(r)).cloned();
        let typed = self.waiting.iter().any(|r| !is_resize(r));
        self.waiting = resize.into_iter().collect();
        self.parser = Parser::default();
        Ok(typed)
    }

    /// Whether the terminal has gone away.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.gone
    }
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

    fn key(c: char) -> Input {
        Input::Key(Chord::plain(Key::Char(c)))
    }

    #[test]
    fn what_came_in_one_read_carries_one_frame_also_beyond_a_batch() {
        let mut script = Script::default();
        script.bytes(&"a".repeat(40));
        script.pause();
        script.bytes("b");
        let mut reader = Reader::new(Box::new(script));
        reader.wait(Duration::ZERO).unwrap();
        reader.gather(7).unwrap();
        assert_eq!(reader.take().len(), BATCH);
        reader.gather(8).unwrap();
        let rest = reader.take();
        let frames: Vec<u64> = rest.iter().map(|r| r.after_frame).collect();
        assert_eq!(frames, [7, 7, 7, 7, 7, 7, 7, 7, 8]);
        assert_eq!(rest.last().unwrap().input, key('b'));
        assert!(!reader.has_more());
    }

    #[test]
    fn a_key_whose_bytes_come_apart_is_one_key_and_a_lone_escape_is_itself() {
        let mut script = Script::default();
        script.bytes("\u{1b}");
        script.late("[A");
        script.pause();
        script.bytes("\u{1b}");
        script.pause();
        script.bytes("[");
        let mut reader = Reader::new(Box::new(script));
        let mut keys = Vec::new();
        for frame in 0..5 {
            reader.gather(frame).unwrap();
            keys.extend(reader.take().into_iter().map(|r| r.input));
        }
        let named = |key| Input::Key(Chord::plain(key));
        assert_eq!(keys, [named(Key::Up), named(Key::Esc), key('[')]);
    }

    #[test]
    fn draining_throws_keys_away_and_keeps_the_size() {
        let mut script = Script::default();
        script.bytes("aaq\u{1b}[200~unfinished");
        script.resize(40, 10);
        let mut reader = Reader::new(Box::new(script));
        assert!(reader.drain().unwrap());
        let left: Vec<Input> = reader.take().into_iter().map(|r| r.input).collect();
        assert_eq!(left, [Input::Resize(40, 10)]);
        assert!(!reader.drain().unwrap());
        assert!(!reader.is_gone());
    }

    #[test]
    fn a_terminal_that_goes_away_ends_the_reading_with_what_it_had_sent() {
        let mut script = Script::default();
        script.bytes("q");
        script.hang_up();
        let mut reader = Reader::new(Box::new(script));
        reader.gather(1).unwrap();
        assert_eq!(reader.take().len(), 1);
        assert!(reader.is_gone());
    }

    #[test]
    fn a_flood_is_bounded() {
        let mut script = Script::default();
        script.bytes(&"j".repeat(MOST + 100));
        let mut reader = Reader::new(Box::new(script));
        reader.gather(1).unwrap();
        assert_eq!(reader.waiting.len(), MOST);
    }
}
