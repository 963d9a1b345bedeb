//! The redactor over input of any size: windows that overlap.
//!
//! A window is cut at a line's end outside everything hidden, well before its own end, and the next
//! one begins well before the cut: a secret is always seen whole, with what stands around it.

use super::{Found, Hit, Part, Redactor, floor, hit, redacted, rewrite, withheld};
use std::io::{self, Read, Write};
use std::ops::Range;

/// A part up to this size is searched as one, in bytes.
pub(super) const WHOLE: usize = 8 << 20;

/// How input is taken apart, in bytes.
struct Sizes {
    /// What is read at a time.
    window: usize,
    /// How much of a window's end is looked at again with the next one.
    overlap: usize,
    /// How much before a cut is looked at again: what may stand around a secret.
    context: usize,
    /// The largest window: one that cannot be cut, because one secret fills it, grows up to this.
    most: usize,
}

const USUAL: Sizes = Sizes {
    window: 4 << 20,
    overlap: 64 << 10,
    context: 32 << 10,
    most: 64 << 20,
};

/// The most findings of a part that are kept while all of it is read for the first time.
const MOST_KEPT: usize = 100_000;

/// A hit in a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineHit {
    /// The line, from 1.
    pub line: usize,
    /// What was hidden; its offset counts from the start of a piece of the input.
    pub hit: Hit,
}

/// A piece of the input, and what was found in it; nothing if it is to be withheld.
struct Piece<'p> {
    text: &'p str,
    found: Option<Vec<Found>>,
}

type Sink<'s> = dyn FnMut(Piece<'_>) -> io::Result<()> + 's;

impl Redactor {
    /// Copies text with its secrets replaced. Bytes that are no UTF-8 become `U+FFFD`. Holds a few
    /// windows of 4 MiB, whatever the input's size. What cannot be searched is withheld, up to a
    /// line's end, and the rest goes on. Each hit is handed over once its piece was copied.
    ///
    /// # Errors
    /// When reading or writing fails; what was read before is copied.
    pub fn filter(
        &self,
        from: &mut dyn Read,
        to: &mut dyn Write,
        told: &mut dyn FnMut(LineHit),
    ) -> io::Result<()> {
        self.filter_by(&USUAL, from, to, told)
    }

    fn filter_by(
        &self,
        sizes: &Sizes,
        from: &mut dyn Read,
        to: &mut dyn Write,
        told: &mut dyn FnMut(LineHit),
    ) -> io::Result<()> {
        let (mut line, mut out) = (1, String::new());
        self.pieces(sizes, from, &Part::default(), &mut |piece| {
            out.clear();
            let mut gone = Vec::new();
            if let Some(found) = &piece.found {
                rewrite(piece.text, found, &mut out);
            } else {
                let (part, hits) = withheld(piece.text);
                out.push_str(part.as_str());
                out.push_str(if piece.text.ends_with('\n') { "\n" } else { "" });
                gone = hits;
            }
            to.write_all(out.as_bytes())?;
            gone.into_iter().for_each(|hit| told(LineHit { line, hit }));
            let found = piece.found.as_deref().unwrap_or(&[]);
            line = number(piece.text, found, line, told);
            Ok(())
        })
    }

    /// Searches a large part, and hands its pieces over with their offsets and what was found in
    /// them. Nothing comes back when a search failed.
    pub(super) fn large(
        &self,
        text: &str,
        part: &Part<'_>,
        sink: &mut dyn FnMut(&str, usize, &[Found]),
    ) -> Option<()> {
        // The first time to learn the values that are named anywhere in it; where there are none,
        // that was all.
        let before = self.count_known();
        let (mut kept, mut most) = (Vec::new(), MOST_KEPT);
        self.each_piece(text, part, &mut |piece, _, found| {
            most = most.saturating_sub(found.len() + 1);
            match most {
                0 => kept = Vec::new(),
                _ => kept.push((piece.len(), found)),
            }
        })?;
        if most == 0 || self.count_known() > before {
            return self.each_piece(text, part, &mut |piece, at, found| sink(piece, at, &found));
        }
        let mut at = 0;
        for (len, found) in kept {
            sink(text.get(at..at + len)?, at, &found);
            at += len;
        }
        Some(())
    }

    fn each_piece(
        &self,
        text: &str,
        part: &Part<'_>,
        sink: &mut dyn FnMut(&str, usize, Vec<Found>),
    ) -> Option<()> {
        let mut at = 0;
        let searched = self.pieces(&USUAL, &mut text.as_bytes(), part, &mut |piece| {
            let found = piece.found.ok_or_else(|| io::Error::other("withheld"))?;
            sink(piece.text, at, found);
            at += piece.text.len();
            Ok(())
        });
        searched.ok()
    }

    /// Searches input window by window, and hands over all of it in pieces.
    fn pieces(
        &self,
        sizes: &Sizes,
        from: &mut dyn Read,
        part: &Part<'_>,
        sink: &mut Sink<'_>,
    ) -> io::Result<()> {
        let mut window = Window::default();
        loop {
            let read = window.fill(from, sizes.window);
            let last = !matches!(read, Ok(1..));
            let found = self.search(&window.text, part);
            let cut = if last {
                window.text.len()
            } else {
                cut(&window.text, found.as_deref().unwrap_or(&[]), sizes)
            };
            if cut > window.done {
                let found = found.map(|found| within(found, &(window.done..cut)));
                let text = window.text.get(window.done..cut).unwrap_or("");
                sink(Piece { text, found })?;
                let head = super::assignment::head(window.text.as_bytes(), cut);
                window.pass(cut, sizes.context, head);
            } else if window.text.len() >= sizes.most {
                let text = window.text.get(window.done..).unwrap_or("");
                sink(Piece { text, found: None })?;
                window.skip();
            }
            if last {
                return read.map(drop);
            }
        }
    }
}

/// The part of the input that is held.
#[derive(Default)]
struct Window {
    text: String,
    /// Up to where the text was handed over; it stays as what stands before the rest.
    done: usize,
    /// The beginning of a character.
    bytes: Vec<u8>,
    /// Whether the rest of a line is to be passed over.
    skips: bool,
}

impl Window {
    /// Reads on, as much as is held already or more.
    fn fill(&mut self, from: &mut dyn Read, window: usize) -> io::Result<usize> {
        let more = window.max(self.text.len()) as u64;
        let read = Read::take(from, more).read_to_end(&mut self.bytes);
        let last = !matches!(read, Ok(1..));
        let whole = if last {
            self.bytes.len()
        } else {
            complete(&self.bytes)
        };
        let rest = self.bytes.split_off(whole);
        let bytes = std::mem::replace(&mut self.bytes, rest);
        match std::str::from_utf8(&bytes) {
            Ok(text) => self.text.push_str(text),
            Err(_) => self.text.push_str(&String::from_utf8_lossy(&bytes)),
        }
        if self.skips {
            let line = memchr::memchr(b'\n', self.text.as_bytes());
            self.skips = line.is_none();
            self.text.drain(..line.unwrap_or(self.text.len()));
        }
        read
    }

    /// Notes that all up to `cut` was handed over, and lets go of what is not needed any more. The
    /// header of a table that goes on stays.
    fn pass(&mut self, cut: usize, context: usize, head: Option<Range<usize>>) {
        let from = floor(&self.text, cut.saturating_sub(context));
        let before = self.text.as_bytes().get(from..cut).unwrap_or(&[]);
        // Half a line tells nothing; at the very start it is a whole one.
        let line = match from {
            0 => 0,
            _ => memchr::memchr(b'\n', before).map_or(0, |at| at + 1),
        };
        let gone = from + line;
        let head = head.filter(|head| head.start < gone);
        let head = head.and_then(|head| self.text.get(head)).unwrap_or("");
        let head = if head.is_empty() {
            String::new()
        } else {
            format!("{head}\n")
        };
        self.text.replace_range(..gone, &head);
        self.done = cut - gone + head.len();
    }

    /// Lets go of everything, up to the line's end.
    fn skip(&mut self) {
        self.text.clear();
        self.done = 0;
        self.skips = true;
    }
}

/// What was found in a range, its places counted from there.
fn within(found: Vec<Found>, range: &Range<usize>) -> Vec<Found> {
    let inside = found.into_iter().filter_map(|mut one| {
        let start = one.range.start.clamp(range.start, range.end);
        let end = one.range.end.clamp(range.start, range.end);
        one.range = start - range.start..end - range.start;
        (!one.range.is_empty()).then_some(one)
    });
    inside.collect()
}

/// How many bytes end with a whole character.
fn complete(bytes: &[u8]) -> usize {
    let tail = bytes
        .iter()
        .rev()
        .take(4)
        .position(|b| *b >= 0xc0)
        .map_or(0, |n| n + 1);
    let lead = bytes.len() - tail;
    let needed = match bytes.get(lead) {
        Some(0xf0..) => 4,
        Some(0xe0..) => 3,
        Some(0xc0..) => 2,
        _ => 0,
    };
    if tail > 0 && tail < needed {
        lead
    } else {
        bytes.len()
    }
}

/// The last place to cut: after a line, or failing that a character, outside everything hidden.
fn cut(text: &str, found: &[Found], sizes: &Sizes) -> usize {
    let goal = floor(text, text.len().saturating_sub(sizes.overlap));
    let inside = |at: usize| {
        let before = found.partition_point(|f| f.range.start < at);
        before
            .checked_sub(1)
            .and_then(|n| found.get(n))
            .filter(|f| f.range.end > at)
            .map(|f| f.range.start)
            .or_else(|| redacted::around(text.as_bytes(), at).map(|p| p.start))
    };
    let head = text.as_bytes().get(..goal).unwrap_or(&[]);
    memchr::memrchr_iter(b'\n', head)
        .take(2000)
        .map(|at| at + 1)
        .find(|at| inside(*at).is_none())
        .unwrap_or_else(|| inside(goal).unwrap_or(goal))
}

/// Hands over the hits with their lines, and gives the number of the line that follows.
fn number(text: &str, found: &[Found], first: usize, told: &mut dyn FnMut(LineHit)) -> usize {
    let (mut line, mut at) = (first, 0);
    let count = |from: usize, to: usize| {
        memchr::memchr_iter(b'\n', text.as_bytes().get(from..to).unwrap_or(&[])).count()
    };
    for one in found {
        line += count(at, one.range.start);
        at = one.range.start;
        told(LineHit {
            line,
            hit: hit(one),
        });
    }
    line + count(at, text.len())
}

#[cfg(test)]
mod tests {
    use super::super::rules::rules;
    use super::*;
    use proptest::strategy::Strategy;

    #[test]
    fn a_secret_across_windows_is_hidden_whole_and_its_line_named() {
        let secret = "g\u{68}p_BbrSK29CZTux1KMoBFeJDPYhgFy5pb20n4fa";
        let filler = "an ordinary line of text, é, nothing in it\n";
        for shift in [0, 17] {
            let lines = USUAL.window / filler.len();
            let before = format!("{}{}", "x".repeat(shift), filler.repeat(lines));
            let text = format!("{before}token {secret} end\n{}", filler.repeat(4000));
            let mut out = Vec::new();
            let mut hits = Vec::new();
            let redactor = Redactor::new(&[], &[1; 32]).0;
            redactor
                .filter(&mut text.as_bytes(), &mut out, &mut |hit| hits.push(hit))
                .unwrap();
            let out = String::from_utf8(out).unwrap();
            assert_eq!(hits.len(), 1);
            assert_eq!(hits[0].line, lines + 1);
            assert!(!out.contains(&secret[4..12]));
            assert_eq!(
                out.len(),
                text.len() - secret.len() + "[REDACTED:github_pat#0000]".len()
            );
        }
    }

    const SMALL: Sizes = Sizes {
        window: 700,
        overlap: 3000,
        context: 3000,
        most: 1 << 20,
    };

    /// Reads so many bytes at a time, and fails in the end if it is told to.
    struct Drip<'t> {
        text: &'t [u8],
        step: usize,
        fails: bool,
    }

    impl Read for Drip<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let most = to.len().min(self.step).min(self.text.len());
            let (now, later) = self.text.split_at(most);
            to[..most].copy_from_slice(now);
            self.text = later;
            if most == 0 && self.fails {
                return Err(io::Error::other("the cable was pulled"));
            }
            Ok(most)
        }
    }

    fn filtered(sizes: &Sizes, text: &[u8], step: usize) -> (String, Vec<(usize, String)>) {
        let (mut out, mut from) = (
            Vec::new(),
            Drip {
                text,
                step,
                fails: false,
            },
        );
        let redactor = Redactor::new(&[], &[1; 32]).0;
        let mut hits = Vec::new();
        let told = &mut |h: LineHit| hits.push((h.line, h.hit.rule));
        redactor
            .filter_by(sizes, &mut from, &mut out, told)
            .unwrap();
        (String::from_utf8(out).unwrap(), hits)
    }

    /// Lines of all kinds: ordinary ones, each rule's example, a key block, broken characters.
    fn lines() -> impl Strategy<Value = Vec<u8>> {
        let examples = rules().all.iter().flat_map(|r| r.pos.iter().take(1));
        let examples: Vec<Vec<u8>> = examples.map(|e| e.clone().into_bytes()).collect();
        let key = "q83Jd02mzKq81LmZxK7fT4wBvR2nYcE9hAqU5oPsM1iD6gFjL0tXzWkNbVeHrCy3\n".repeat(20);
        let mark = |what: &str| format!("-----{what} RSA PRIVATE {}-----\n", "KEY");
        let block = format!("{}{key}{}", mark("BEGIN"), mark("END")).into_bytes();
        let odd = vec![
            b"caf\xc3".to_vec(),
            b"\xf0\x9f\x98".to_vec(),
            vec![0xff],
            "→é".into(),
        ];
        let line = proptest::prop_oneof![
            6 => "[a-z ,.é→{}();=]{0,120}".prop_map(String::into_bytes),
            3 => proptest::sample::select(examples),
            1 => proptest::strategy::Just(block),
            1 => proptest::sample::select(odd),
        ];
        proptest::collection::vec(line, 0..120).prop_map(|lines| lines.join(&b'\n'))
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config::with_cases(24))]
        #[test]
        fn windows_do_not_show(text in lines(), step in 1..2000_usize) {
            let whole = filtered(&USUAL, &text, usize::MAX);
            proptest::prop_assert_eq!(filtered(&SMALL, &text, step), whole);
        }
    }

    #[test]
    fn what_stands_in_the_first_line_is_still_known_in_the_second_window() {
        let body = "q83Jd02mzKq81LmZxK7fT4wBvR2nYcE9hAqU5oPsM1iD6gFjL0tXzWkNbVeHrCy3\n";
        let begin = format!("-----BEGIN RSA PRIVATE {}-----\n", "KEY");
        for blank in 2900..3100 {
            let text = format!("{begin}{}{}", body.repeat(20), " x\n".repeat(blank / 3));
            let (out, _) = filtered(&SMALL, text.as_bytes(), 700);
            assert!(!out.contains(&body[8..16]), "{blank}");
        }
    }

    #[test]
    fn the_rows_of_a_table_know_its_header_in_every_window() {
        let row = |n: usize| format!("{n},user{n},kettle{}\n", 1000 + n);
        let rows: String = (0..2000).map(row).collect();
        let text = format!("a line before\n\nid,name,password\n{rows}\nafter,it,x\n");
        let (out, hits) = filtered(&SMALL, text.as_bytes(), 500);
        assert_eq!(hits.len(), 2000);
        assert!(!out.contains("kettle"));
        assert!(out.starts_with("a line before\n\nid,name,password\n0,user0,[REDACTED:"));
        assert_eq!(out.matches("id,name,password").count(), 1);
    }

    #[test]
    fn what_was_read_before_an_error_is_copied() {
        let text = b"one\npassword=x8Kq2mPz7Rw\ntwo caf\xc3";
        let (mut out, mut from) = (
            Vec::new(),
            Drip {
                text,
                step: 5,
                fails: true,
            },
        );
        let redactor = Redactor::new(&[], &[1; 32]).0;
        let copied = redactor.filter(&mut from, &mut out, &mut drop);
        assert_eq!(copied.unwrap_err().to_string(), "the cable was pulled");
        let out = String::from_utf8(out).unwrap();
        assert!(out.starts_with("one\npassword=[REDACTED:"), "{out}");
        assert!(out.ends_with("\ntwo caf\u{fffd}"), "{out}");
    }

    #[test]
    fn one_secret_that_fills_all_windows_is_withheld_and_the_rest_goes_on() {
        let sizes = Sizes {
            most: 20_000,
            ..SMALL
        };
        let token = format!("gh{}_{}", 'p', "x8Kq2mPz7RwQ41bN".repeat(4000));
        let text = format!("one\n{token}\ntwo\n{}", "three\n".repeat(2000));
        let (out, hits) = filtered(&sizes, text.as_bytes(), usize::MAX);
        assert!(
            out.starts_with("one\n[part withheld]\ntwo\nthree\n"),
            "{:.60}",
            out
        );
        assert!(out.ends_with("three\n") && out.len() > 12_000);
        assert_eq!(hits, [(2, "withheld".to_owned())]);
    }

    #[test]
    fn a_large_part_is_searched_as_one() {
        let redactor = Redactor::new(&[], &[1; 32]).0;
        let filler = "an ordinary line of text, nothing in it\n".repeat(WHOLE / 40 + 1);
        let secret = "x8Kq2mPz7RwQ41";
        let text = format!("{secret}\n{filler}password={secret}\n");
        let (shown, hits) =
            redactor.redact(&crate::source::Raw::new(text.as_str()), &Part::default());
        assert!(!shown.as_str().contains(secret));
        let places: Vec<usize> = hits.iter().map(|h| h.offset).collect();
        assert_eq!(places, [0, text.len() - secret.len() - 1]);
        assert_eq!(redactor.check(&text), hits);
    }

    #[test]
    fn a_half_character_waits_for_its_other_half() {
        assert_eq!(complete("aé".as_bytes()), 3);
        assert_eq!(complete(&"aé".as_bytes()[..2]), 1);
        assert_eq!(complete(&"a→".as_bytes()[..3]), 1);
        assert_eq!(complete(b"abc"), 3);
    }
}
