//! The one reader of the terminal: bytes in, inputs out in batches, each with the frame before it.
//!
//! Owns the queue between the terminal and the screen. Bounded: what floods in is thrown away.

use super::{Input, Parser};
use std::collections::VecDeque;
use std::io;
use std::time::Duration;

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
    use super::super::{Chord, Key, Script};
    use super::*;

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
