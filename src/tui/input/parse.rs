//! A terminal's bytes to keys and pastes.
//!
//! Pure. Knows the sequences of the common terminals in their ordinary mode; what it does not know
//! is passed over whole, so that no byte of a sequence is ever taken for a letter. Bounded: a
//! sequence, a reply and a paste each have a limit, and one that is not gone on with can be given up.

use super::{Chord, Input, Key};
use std::collections::VecDeque;

const ESC: u8 = 0x1b;
/// A longer sequence is no key of any terminal.
const SEQUENCE: usize = 64;
/// A longer reply of a terminal is cut off here.
const REPLY: usize = 4096;
/// How many bytes of a paste are kept; of a longer one nothing is taken.
pub const PASTE: usize = 256 * 1024;
const PASTE_END: &[u8] = b"\x1b[201~";

/// Where in a sequence the last byte left off.
#[derive(Debug, Clone, Default)]
enum State {
    #[default]
    Ground,
    /// The first bytes of a character.
    Utf8(Vec<u8>),
    /// An escape byte, and whether another one stood before it.
    Escape,
    /// After `ESC O`.
    Function,
    /// After `ESC [`: the bytes so far.
    Sequence(Vec<u8>),
    /// After `ESC [ M`: so many bytes of a click are to come.
    Click(u8),
    /// A reply to a question nobody of us asked: its opener, how much of it was passed over,
    /// whether the last byte was an escape.
    Reply(u8, usize, bool),
    /// Inside a paste: the bytes so far, and how many there were.
    Paste(Vec<u8>, usize),
}

/// Bytes in, inputs out.
#[derive(Debug, Clone, Default)]
pub struct Parser {
    state: State,
    out: VecDeque<Input>,
}

impl Parser {
    /// Takes bytes in.
    pub fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.state = match std::mem::take(&mut self.state) {
                State::Ground => self.ground(byte),
                State::Utf8(mut bytes) => {
                    if byte & 0xc0 == 0x80 {
                        bytes.push(byte);
                        self.character(bytes)
                    } else {
                        self.ground(byte)
                    }
                }
                State::Escape => self.escape(byte),
                State::Function => self.function(byte),
                State::Sequence(bytes) => self.sequence(bytes, byte),
                State::Click(left) if left > 1 => State::Click(left - 1),
                State::Click(_) => State::Ground,
                State::Reply(opener, n, escaped) => reply(opener, n, escaped, byte),
                State::Paste(bytes, n) => self.paste(bytes, n, byte),
            };
        }
    }

    /// The next input.
    pub fn pop(&mut self) -> Option<Input> {
        self.out.pop_front()
    }

    /// Whether time decides what the last bytes were: an escape byte may be a key or begin one.
    #[must_use]
    pub fn is_undecided(&self) -> bool {
        matches!(self.state, State::Escape | State::Reply(_, 0, false))
    }

    /// Nothing more came: an escape byte was the key, and one before a letter was Alt.
    pub fn settle(&mut self) {
        match self.state {
            State::Escape => self.press(Chord::plain(Key::Esc)),
            State::Reply(opener, 0, false) => self.alt(Key::Char(char::from(opener))),
            _ => return,
        }
        self.state = State::Ground;
    }

    /// Whether the last bytes are the beginning of something longer.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        !matches!(self.state, State::Ground)
    }

    /// What was begun is not gone on with: its bytes are lost, and keys are keys again. Half of a
    /// paste is none; that there was one is told.
    pub fn give_up(&mut self) {
        if let State::Paste(..) = std::mem::take(&mut self.state) {
            self.out.push_back(Input::Paste(String::new()));
        }
    }

    /// How many inputs wait to be popped.
    #[must_use]
    pub fn ready(&self) -> usize {
        self.out.len()
    }

    fn press(&mut self, chord: Chord) {
        self.out.push_back(Input::Key(chord));
    }

    fn alt(&mut self, key: Key) {
        self.press(Chord {
            alt: true,
            ..Chord::plain(key)
        });
    }

    fn ground(&mut self, byte: u8) -> State {
        if byte == ESC {
            return State::Escape;
        }
        if byte >= 0x80 {
            return self.character(vec![byte]);
        }
        self.press(ascii(byte));
        State::Ground
    }

    /// A character of several bytes, once it is whole. What is no character is passed over.
    fn character(&mut self, bytes: Vec<u8>) -> State {
        match std::str::from_utf8(&bytes) {
            Ok(text) => {
                if let Some(c) = text.chars().next().filter(|c| !c.is_control()) {
                    self.press(Chord::plain(Key::Char(c)));
                }
                State::Ground
            }
            Err(e) if e.error_len().is_none() => State::Utf8(bytes),
            Err(_) => State::Ground,
        }
    }

    fn escape(&mut self, byte: u8) -> State {
        match byte {
            b'[' => return State::Sequence(Vec::new()),
            b'O' => return State::Function,
            b']' | b'P' | b'_' | b'^' | b'X' => return State::Reply(byte, 0, false),
            ESC => {
                self.press(Chord::plain(Key::Esc));
                return State::Escape;
            }
            byte if byte >= 0x80 => return self.character(vec![byte]),
            byte => {
                let chord = ascii(byte);
                self.press(Chord { alt: true, ..chord });
            }
        }
        State::Ground
    }

    fn function(&mut self, byte: u8) -> State {
        if byte == ESC {
            return State::Escape;
        }
        if let Some(key) = arrow(byte) {
            self.press(Chord::plain(key));
        } else if byte == b'M' {
            self.press(Chord::plain(Key::Enter));
        }
        State::Ground
    }

    fn sequence(&mut self, mut bytes: Vec<u8>, byte: u8) -> State {
        match byte {
            ESC => State::Escape,
            0x20..=0x3f if bytes.len() < SEQUENCE => {
                bytes.push(byte);
                State::Sequence(bytes)
            }
            // The Linux console names its function keys by `[` and a letter.
            b'[' if bytes.is_empty() => {
                bytes.push(byte);
                State::Sequence(bytes)
            }
            b'M' if bytes.is_empty() => State::Click(3),
            b'~' if bytes == b"200" => State::Paste(Vec::new(), 0),
            0x40..=0x7e => {
                if let Some(chord) = known(&bytes, byte) {
                    self.press(chord);
                }
                State::Ground
            }
            // A control byte or too long: no sequence of a key.
            _ => State::Ground,
        }
    }

    fn paste(&mut self, mut bytes: Vec<u8>, n: usize, byte: u8) -> State {
        bytes.push(byte);
        if bytes.ends_with(PASTE_END) {
            let keep = bytes.len() - PASTE_END.len();
            if n + 1 - PASTE_END.len() > PASTE {
                // Half of a text is worse than none; that there was one is still told.
                bytes.clear();
            }
            bytes.truncate(keep.min(bytes.len()));
            let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
            self.out.push_back(Input::Paste(text.replace('\r', "\n")));
            return State::Ground;
        }
        if bytes.len() > PASTE + PASTE_END.len() {
            // Only its end is looked for from here on.
            let tail = bytes.len() - PASTE_END.len();
            bytes.drain(..tail);
        }
        State::Paste(bytes, n + 1)
    }
}

/// Passes over a terminal's reply, up to its end.
fn reply(opener: u8, n: usize, escaped: bool, byte: u8) -> State {
    match byte {
        0x07 => State::Ground,
        b'\\' if escaped => State::Ground,
        // What a person types is no part of a reply.
        0x03 | 0x0d => State::Ground,
        _ if n >= REPLY => State::Ground,
        _ => State::Reply(opener, n + 1, byte == ESC),
    }
}

/// A byte below 0x80 outside of any sequence.
fn ascii(byte: u8) -> Chord {
    match byte {
        b'\r' => Chord::plain(Key::Enter),
        b'\t' => Chord::plain(Key::Tab),
        0x08 | 0x7f => Chord::plain(Key::Backspace),
        ESC => Chord::plain(Key::Esc),
        0 => Chord::ctrl(' '),
        0x01..=0x1a => Chord::ctrl(char::from(byte - 1 + b'a')),
        0x1c..=0x1f => Chord::ctrl(char::from(byte + 0x40)),
        _ => Chord::plain(Key::Char(char::from(byte))),
    }
}

fn arrow(byte: u8) -> Option<Key> {
    Some(match byte {
        b'A' => Key::Up,
        b'B' => Key::Down,
        b'C' => Key::Right,
        b'D' => Key::Left,
        b'H' => Key::Home,
        b'F' => Key::End,
        _ => return None,
    })
}

/// The key of a sequence: its parameters and its last byte.
fn known(bytes: &[u8], last: u8) -> Option<Chord> {
    let text = std::str::from_utf8(bytes).ok()?;
    let mut parts = text.split(';');
    let first = parts.next().unwrap_or_default();
    let mut held = parts.next().unwrap_or_default().split(':');
    let modifiers: u8 = match held.next().unwrap_or_default() {
        "" => 1,
        digits => digits.parse().ok()?,
    };
    // A terminal that tells of releases and repeats: only a press counts.
    if held.next().is_some_and(|kind| kind != "1") {
        return None;
    }
    let modifiers = modifiers.checked_sub(1)?;
    let (shift, alt, ctrl) = (modifiers & 1 != 0, modifiers & 2 != 0, modifiers & 4 != 0);
    // Super, Hyper and Meta mean nothing here; locks do not matter.
    if modifiers & 0b0011_1000 != 0 {
        return None;
    }
    let key = match last {
        b'Z' => Key::BackTab,
        b'~' => numbered(first)?,
        b'u' => coded(first, shift)?,
        _ if matches!(first, "" | "1") => arrow(last)?,
        _ => return None,
    };
    Some(Chord { ctrl, alt, key })
}

fn numbered(number: &str) -> Option<Key> {
    Some(match number {
        "1" | "7" => Key::Home,
        "4" | "8" => Key::End,
        "3" => Key::Delete,
        "5" => Key::PageUp,
        "6" => Key::PageDown,
        _ => return None,
    })
}

/// A key named by its code point, as a terminal sends it that another program left in that mode.
fn coded(code: &str, shift: bool) -> Option<Key> {
    let code = code.split(':').next()?.parse().ok()?;
    Some(match char::from_u32(code)? {
        '\u{1b}' => Key::Esc,
        '\r' => Key::Enter,
        '\t' if shift => Key::BackTab,
        '\t' => Key::Tab,
        '\u{8}' | '\u{7f}' => Key::Backspace,
        c if c.is_control() || ('\u{e000}'..='\u{f8ff}').contains(&c) => return None,
        c if shift => Key::Char(c.to_uppercase().next().unwrap_or(c)),
        c => Key::Char(c),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parsed(bytes: &[u8]) -> String {
        let mut parser = Parser::default();
        parser.feed(bytes);
        parser.settle();
        let names = std::iter::from_fn(|| parser.pop()).map(|input| match input {
            Input::Key(chord) => chord.to_string(),
            Input::Paste(text) => format!("paste {text:?}"),
            Input::Resize(..) => unreachable!(),
        });
        names.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn keys_by_their_bytes() {
        for (bytes, names) in [
            ("aA]é日👍", "a A ] é 日 👍"),
            ("\r\t\x7f\x08 ", "Enter Tab Backspace Backspace Space"),
            (
                "\x01\x12\x1a\x00\x1f",
                "Ctrl-a Ctrl-r Ctrl-z Ctrl-Space Ctrl-_",
            ),
            ("\x1b", "Esc"),
            ("\x1b\x1b", "Esc Esc"),
            ("\x1ba\x1b\r", "Alt-a Alt-Enter"),
            ("\x1b]", "Alt-]"),
            ("\x1b[A\x1b[B\x1b[C\x1b[D", "Up Down Right Left"),
            ("\x1bOA\x1bOH\x1bOF", "Up Home End"),
            ("\x1b[H\x1b[F\x1b[1~\x1b[4~", "Home End Home End"),
            ("\x1b[3~\x1b[5~\x1b[6~\x1b[Z", "Delete PgUp PgDn Shift-Tab"),
            ("\x1b[1;5A\x1b[5;3~\x1b[1;2B", "Ctrl-Up Alt-PgUp Down"),
            (
                "\x1b[97;5u\x1b[97;2u\x1b[9;2u\x1b[27u",
                "Ctrl-a A Shift-Tab Esc",
            ),
            // A release and a repeat are no press.
            ("\x1b[97;1:1ua\x1b[97;1:3u\x1b[97;1:2u", "a a"),
        ] {
            assert_eq!(parsed(bytes.as_bytes()), names, "{bytes:?}");
        }
    }

    #[test]
    fn what_is_no_key_is_passed_over_whole() {
        for bytes in [
            "\x1b[?62;22c",
            "\x1b[24;80R",
            "\x1b[I\x1b[O",
            "\x1b[<0;10;10M\x1b[<0;10;10m",
            "\x1b[Maaa",
            "\x1b[15~\x1b[2~\x1b[[A",
            "\x1b]11;rgb:aaaa/rrrr/AAAA\x1b\\",
            "\x1b]11;rgb:aaaa/rrrr/AAAA\x07",
            "\x1bP1$r0m\x1b\\",
            "\x1b[57358u",
            "\x1b[97;9u",
        ] {
            assert_eq!(parsed(bytes.as_bytes()), "", "{bytes:?}");
        }
        assert_eq!(parsed(b"\xff\xfea\xe6\x97b"), "a b");
        assert_eq!(
            parsed(&[b"\x1b[".as_slice(), &[b'1'; 200], b"q"].concat()),
            "1".repeat(135)
                .chars()
                .map(|c| c.to_string())
                .collect::<Vec<_>>()
                .join(" ")
                + " q"
        );
    }

    #[test]
    fn a_paste_is_one_input_whatever_is_in_it() {
        assert_eq!(
            parsed(b"a\x1b[200~aaRRy\rw\r\n\x1b[31mq\x1b[201~b"),
            "a paste \"aaRRy\\nw\\n\\u{1b}[31mq\" b"
        );
        assert_eq!(parsed(b"\x1b[200~unfinished yyy"), "");
    }

    #[test]
    fn a_paste_that_is_too_long_is_told_and_not_taken() {
        let of = |n: usize| [b"\x1b[200~", "x".repeat(n).as_bytes(), b"\x1b[201~a"].concat();
        let whole = parsed(&of(PASTE));
        assert_eq!(whole.len(), PASTE + r#"paste "" a"#.len());
        for more in [1, 5, 6, 7, 8, PASTE, 3 * PASTE + 11] {
            assert_eq!(parsed(&of(PASTE + more)), r#"paste "" a"#, "{more}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_break_it_and_a_person_gets_through_again(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut parser = Parser::default();
            parser.feed(&bytes);
            parser.feed(b"\x1b[201~");
            parser.feed(b"\r\r\r\r\x1b\\");
            parser.settle();
            while parser.pop().is_some() {}
            parser.feed(b"q");
            prop_assert_eq!(parser.pop(), Some(Input::Key(Chord::plain(Key::Char('q')))));
        }

        #[test]
        fn where_the_bytes_are_parted_makes_no_difference(text in "(a|é|日|\x1b\\[[ABHZ]|\x1b\\[5~|\x1b\\[200~ab\x1b\\[201~|\r){0,12}", at in 0usize..40) {
            let bytes = text.as_bytes();
            let at = at.min(bytes.len());
            let mut parser = Parser::default();
            parser.feed(&bytes[..at]);
            parser.feed(&bytes[at..]);
            parser.settle();
            let mut whole = Parser::default();
            whole.feed(bytes);
            whole.settle();
            prop_assert_eq!(parser.out, whole.out);
        }
    }
}
