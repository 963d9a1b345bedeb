//! The one reader of the terminal: bytes in, inputs out in batches, each with the frame before it.
//!
//! Owns the queue between the terminal and the screen. Bounded: what floods in is thrown away. Knows
//! keys that came all at once, as no person types: a paste that the terminal did not mark, or the
//! rest of one. They carry no frame, so that nothing is decided by them.

use super::{Input, Parser};
use std::collections::VecDeque;
use std::io;
use std::time::Duration;

/// An input and when it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// What came.
    pub input: Input,
    /// The number of the frame that was painted last before it was read; [`AT_ONCE`] for one of many
    /// that came all at once.
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

    /// A clock that only goes on.
    fn now(&self) -> Duration;

    /// The size in columns and rows, if it may have changed since this was asked last.
    fn resized(&mut self) -> Option<(u16, u16)>;
}

/// Before any frame: what carries it was typed for none.
pub const AT_ONCE: u64 = 0;
/// How many inputs are handed over at once.
pub const BATCH: usize = 32;
/// How many inputs may wait; what comes beyond is thrown away.
const MOST: usize = 4096;
/// How many bytes are read at one go; what lies beyond is not newer for being read later.
const GULP: usize = 64 * 1024;
/// How long the rest of a key may take to come after its escape byte.
const REST_OF_KEY: Duration = Duration::from_millis(25);
/// How long the rest of a paste, or of a terminal's reply, may take to come.
const REST: Duration = Duration::from_secs(1);
/// More inputs than a person has typed by the time they are read came all at once.
const TYPED: usize = 16;
/// Many that came at once are over when nothing has come for so long.
const QUIET: Duration = Duration::from_millis(50);
/// How long one read goes on while more comes: a key that is held down is still answered.
const LONGEST: Duration = Duration::from_millis(200);

/// The one reader of the terminal.
pub struct Reader {
    source: Box<dyn Source>,
    parser: Parser,
    waiting: VecDeque<Received>,
    /// The frame of a read that left bytes behind.
    behind: Option<u64>,
    /// When bytes were read last.
    heard: Duration,
    /// What comes belongs to many that came at once.
    burst: bool,
    /// Something was given up half way: what comes next may be its rest.
    broken: bool,
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
            heard: Duration::ZERO,
            burst: false,
            broken: false,
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
        let nothing_left = self.read_all()?;
        if !nothing_left {
            self.behind = Some(frame);
        }
        if let Some((columns, rows)) = self.source.resized() {
            self.keep(Input::Resize(columns, rows), frame);
        }
        let frame = if self.burst { AT_ONCE } else { frame };
        while let Some(input) = self.parser.pop() {
            self.keep(input, frame);
        }
        // A signal ends a wait early: only the clock tells.
        self.burst &= !nothing_left || self.quiet() < QUIET;
        Ok(())
    }

    /// How long no byte has come.
    fn quiet(&self) -> Duration {
        self.source.now().saturating_sub(self.heard)
    }

    /// Feeds the parser; whether there is nothing left.
    fn read_all(&mut self) -> io::Result<bool> {
        let mut bytes = [0; 1024];
        let mut left = GULP;
        let until = self.source.now() + LONGEST;
        while left > 0 && self.source.now() <= until {
            match self.source.wait(self.patience())? {
                Ready::Bytes => {
                    let n = self.source.read(&mut bytes)?;
                    if n == 0 {
                        return Ok(true);
                    }
                    left = left.saturating_sub(n);
                    self.heard = self.source.now();
                    self.parser.feed(bytes.get(..n).unwrap_or_default());
                    self.burst |= self.broken || self.parser.ready() > TYPED;
                    self.broken = false;
                }
                Ready::Nothing => {
                    self.rest();
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

    /// How long to wait for what belongs to what was read.
    fn patience(&self) -> Duration {
        match self.parser.is_undecided() {
            _ if self.burst => QUIET,
            true => REST_OF_KEY,
            false => Duration::ZERO,
        }
    }

    /// Nothing more has come: what was begun may have been all, or never be finished.
    fn rest(&mut self) {
        self.parser.settle();
        if self.parser.is_unfinished() && self.quiet() >= REST {
            self.parser.give_up();
            self.broken = true;
        }
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
        self.broken |= self.parser.is_unfinished();
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

    /// The frames of what is read until nothing is left.
    fn frames(reader: &mut Reader) -> Vec<u64> {
        let taken = std::iter::repeat_with(|| reader.take());
        let taken = taken.take_while(|batch| !batch.is_empty()).flatten();
        taken.map(|r| r.after_frame).collect()
    }

    #[test]
    fn what_came_in_one_read_carries_one_frame_also_beyond_a_batch() {
        let mut script = Script::default();
        script.bytes(&"\u{1b}[200~x\u{1b}[201~".repeat(TYPED));
        script.pause();
        script.bytes("b");
        let mut reader = Reader::new(Box::new(script));
        reader.gather(7).unwrap();
        reader.gather(8).unwrap();
        let all = frames(&mut reader);
        assert_eq!(all, [[7].repeat(TYPED), vec![8]].concat());
    }

    #[test]
    fn keys_that_came_all_at_once_carry_no_frame_and_neither_does_what_follows_at_once() {
        let mut script = Script::default();
        script.bytes(&"a".repeat(TYPED + 1));
        script.late("w");
        script.late("y");
        script.pause();
        script.bytes("b");
        let mut reader = Reader::new(Box::new(script));
        reader.gather(7).unwrap();
        assert_eq!(frames(&mut reader), [AT_ONCE].repeat(TYPED + 3));
        reader.gather(8).unwrap();
        assert_eq!(frames(&mut reader), [8]);
    }

    #[test]
    fn a_flood_beyond_one_read_stays_one() {
        let mut script = Script::default();
        script.bytes(&"a".repeat(GULP));
        script.bytes("wy");
        let mut reader = Reader::new(Box::new(script));
        reader.gather(7).unwrap();
        reader.gather(8).unwrap();
        assert!(frames(&mut reader).iter().all(|frame| *frame == AT_ONCE));
    }

    #[test]
    fn what_is_never_finished_is_given_up_and_keys_are_keys_again() {
        for begun in [
            "\u{1b}[200~awy",
            "\u{1b}]52;c;AAAA",
            "\u{1b}P1",
            "\u{1b}[1;",
        ] {
            let mut script = Script::default();
            script.bytes(begun);
            script.wait(REST);
            script.bytes("Q");
            script.wait(QUIET);
            script.bytes("a");
            let mut reader = Reader::new(Box::new(script));
            let mut all = Vec::new();
            for frame in 1..9 {
                reader.gather(frame).unwrap();
                all.extend(reader.take());
            }
            all.retain(|r| r.input != Input::Paste(String::new()));
            let inputs: Vec<&Input> = all.iter().map(|r| &r.input).collect();
            assert_eq!(inputs, [&key('Q'), &key('a')], "{begun:?}");
            // The first may still be the rest of what broke off.
            assert_eq!(all[0].after_frame, AT_ONCE);
            assert!(all[1].after_frame > AT_ONCE);
        }
    }

    #[test]
    fn what_comes_on_slowly_is_not_given_up() {
        let mut script = Script::default();
        script.bytes("\u{1b}[200~aw");
        script.wait(REST / 2);
        script.bytes("y");
        script.wait(REST / 2);
        script.bytes("\u{1b}[201~");
        let mut reader = Reader::new(Box::new(script));
        for frame in 1..9 {
            reader.gather(frame).unwrap();
        }
        let [pasted] = reader.take().try_into().unwrap();
        assert_eq!(pasted.input, Input::Paste("awy".to_owned()));
    }

    #[test]
    fn many_are_handed_over_in_batches() {
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
