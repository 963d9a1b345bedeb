//! Reads a shell's command line: its simple commands, their words without quotes, what goes into
//! files, and the texts that stand below it (`<<EOF`). Runs nothing, expands nothing; one pass.

use std::ops::Range;

/// The longest script read, in bytes.
const LONGEST: usize = 1 << 20;
/// The most simple commands of one script.
const MOST: usize = 4096;

/// A word as the command gets it, with what stands in it that the shell fills in.
#[derive(Debug, Default, Clone)]
pub(super) struct Word {
    /// Without quotes; a variable as it is written, nothing for `$(…)`.
    pub text: String,
    /// Where it stands in the script, with its quotes.
    pub range: Range<usize>,
    /// Variables in it.
    pub vars: Vec<String>,
    /// Scripts in it whose output it takes: `$(…)`, `` `…` ``.
    pub scripts: Vec<String>,
}

/// One command and where its output goes.
#[derive(Debug, Default, Clone)]
pub(super) struct Simple {
    pub words: Vec<Word>,
    /// Files it writes.
    pub into: Vec<String>,
    /// Files it reads from (`<`).
    pub from: Vec<String>,
    /// Where the text stands that it is given: below it (`<<`), or beside (`<<<`).
    pub given: Vec<Range<usize>>,
    /// The lines that end the texts below it.
    pub until: Vec<String>,
    /// A `|` follows: the next one reads what it prints.
    pub pipes: bool,
}

impl Simple {
    pub fn texts(&self) -> Vec<&str> {
        self.words.iter().map(|w| w.text.as_str()).collect()
    }
}

/// The simple commands of a script, in order.
pub(super) fn read(script: &[u8]) -> Vec<Simple> {
    let script = script.get(..LONGEST).unwrap_or(script);
    let mut reader = Reader {
        script,
        at: 0,
        done: Vec::new(),
        now: Simple::default(),
        ends: Vec::new(),
    };
    while reader.at < script.len() && reader.done.len() < MOST {
        reader.step();
    }
    reader.finish(false);
    reader.done
}

struct Reader<'s> {
    script: &'s [u8],
    at: usize,
    done: Vec<Simple>,
    now: Simple,
    /// The ends of the texts that begin below this line, and of which command they are.
    ends: Vec<(usize, Vec<u8>)>,
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.script.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn step(&mut self) {
        match (self.peek(0), self.peek(1)) {
            (b'\n', _) => {
                self.at += 1;
                self.finish(false);
                self.below();
            }
            (b'\\', b'\n') => self.at += 2,
            (b' ' | b'\t' | b'\r', _) => self.at += 1,
            (b'#', _) => self.at = self.line_end(self.at),
            (b'&', b'>') => self.at += 1,
            (b'|', b'|') | (b'&', b'&') => {
                self.at += 2;
                self.finish(false);
            }
            (b'|', next) => {
                self.at += 1 + usize::from(next == b'&');
                self.finish(true);
            }
            (b';' | b'&' | b'(' | b')', _) => {
                self.at += 1;
                self.finish(false);
            }
            (b'<', _) => self.input(),
            (b'>', _) => self.output(),
            _ => {
                let word = self.word();
                let number = word.text.bytes().all(|b| b.is_ascii_digit());
                match self.peek(0) {
                    // `2>`: what it says besides.
                    b'>' if number && word.text != "1" => {
                        self.output();
                        self.now.into.pop();
                    }
                    b'>' | b'<' if number => {}
                    _ => self.now.words.push(word),
                }
            }
        }
    }

    fn line_end(&self, from: usize) -> usize {
        let rest = self.script.get(from..).unwrap_or(&[]);
        from + memchr::memchr(b'\n', rest).unwrap_or(rest.len())
    }

    fn finish(&mut self, pipes: bool) {
        let mut simple = std::mem::take(&mut self.now);
        simple.pipes = pipes;
        self.done.push(simple);
    }

    /// The texts that begin on this line.
    fn below(&mut self) {
        for (of, end) in std::mem::take(&mut self.ends) {
            let start = self.at;
            let mut last = self.script.len();
            let mut at = start;
            while at < self.script.len() {
                let stop = self.line_end(at);
                let line = self.script.get(at..stop).unwrap_or(&[]);
                let line = line.trim_ascii();
                let line = line.strip_prefix(b"> ").unwrap_or(line);
                at = stop + 1;
                if line == end.as_slice() {
                    last = at - line.len() - 1;
                    break;
                }
            }
            self.at = at.min(self.script.len());
            if let Some(simple) = self.done.get_mut(of) {
                simple
                    .given
                    .push(start..last.clamp(start, self.script.len()));
            }
        }
    }

    fn blanks(&mut self) {
        while matches!(self.peek(0), b' ' | b'\t') {
            self.at += 1;
        }
    }

    fn input(&mut self) {
        let signs = (0..3).take_while(|n| self.peek(*n) == b'<').count();
        self.at += signs;
        if signs == 2 && self.peek(0) == b'-' {
            self.at += 1;
        }
        // `<(…)`: a command's output as a file.
        if signs == 1 && self.peek(0) == b'(' {
            return;
        }
        self.blanks();
        let word = self.word();
        match signs {
            1 => self.now.from.push(word.text),
            2 => {
                self.now.until.push(word.text.clone());
                self.ends.push((self.done.len(), word.text.into_bytes()));
            }
            _ => {
                self.now.given.push(word.range.clone());
                self.now.words.push(word);
            }
        }
    }

    fn output(&mut self) {
        while matches!(self.peek(0), b'>' | b'|') {
            self.at += 1;
        }
        if self.peek(0) == b'&' {
            self.at += 1;
        }
        self.blanks();
        let word = self.word();
        self.now.into.push(word.text);
    }

    /// A word from here on. Takes at least one byte, but for the end of a line.
    fn word(&mut self) -> Word {
        let (start, mut text) = (self.at, Vec::new());
        let mut word = Word::default();
        let mut quoted = false;
        while let Some(byte) = self.script.get(self.at).copied() {
            match byte {
                b'"' => {
                    // One that nothing closes is a mark of its own.
                    quoted = !quoted && self.closes(b'"');
                    self.at += 1;
                }
                b'\'' if !quoted && self.closes(b'\'') => {
                    let rest = self.script.get(self.at + 1..).unwrap_or(&[]);
                    let len = memchr::memchr(b'\'', rest).unwrap_or(rest.len());
                    text.extend_from_slice(rest.get(..len).unwrap_or(rest));
                    self.at += len + 2;
                }
                b'\\' if self.peek(1) != b'\n' => {
                    text.push(self.peek(1));
                    self.at += 2;
                }
                b'\\' => self.at += 2,
                b'$' if self.peek(1) == b'(' => self.script_in(&mut word, b')', 2),
                b'`' => self.script_in(&mut word, b'`', 1),
                b' ' | b'\t' | b'\n' | b'\r' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')'
                    if !quoted =>
                {
                    break;
                }
                _ => {
                    if byte == b'$' {
                        word.vars.extend(self.var());
                    }
                    text.push(byte);
                    self.at += 1;
                }
            }
        }
        if self.at == start && !matches!(self.peek(0), 0 | b'\n') {
            self.at += 1;
        }
        word.range = start..self.at.min(self.script.len());
        word.text = match String::from_utf8(text) {
            Ok(text) => text,
            Err(bytes) => String::from_utf8_lossy(bytes.as_bytes()).into_owned(),
        };
        word
    }

    fn closes(&self, quote: u8) -> bool {
        let rest = self.script.get(self.at + 1..).unwrap_or(&[]);
        memchr::memchr(quote, rest).is_some()
    }

    /// The name behind a `$`: `$X`, `${X…}`, `$env:X`.
    fn var(&self) -> Option<String> {
        let rest = self.script.get(self.at + 1..)?;
        let rest = rest.strip_prefix(b"{").unwrap_or(rest);
        let rest = rest.strip_prefix(b"!").unwrap_or(rest);
        let rest = match rest.get(..4) {
            Some(head) if head.eq_ignore_ascii_case(b"env:") => rest.get(4..)?,
            _ => rest,
        };
        let name = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'_';
        let len = rest.iter().take(100).take_while(name).count();
        let name = rest.get(..len).filter(|n| !n.is_empty())?;
        Some(String::from_utf8_lossy(name).into_owned())
    }

    fn script_in(&mut self, word: &mut Word, close: u8, open: usize) {
        let start = self.at + open;
        let rest = self.script.get(start..).unwrap_or(&[]);
        let mut depth = 0_usize;
        let len = rest.iter().position(|b| match b {
            b if *b == close && depth == 0 => true,
            b'(' if close == b')' => {
                depth += 1;
                false
            }
            b')' if close == b')' => {
                depth -= 1;
                false
            }
            _ => false,
        });
        let len = len.unwrap_or(rest.len());
        let script = rest.get(..len).unwrap_or(rest);
        word.scripts
            .push(String::from_utf8_lossy(script).into_owned());
        self.at = (start + len + 1).min(self.script.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_come_apart_as_a_shell_takes_them() {
        let words = |script: &str| {
            let all = read(script.as_bytes());
            let all = all.iter().filter(|s| !s.words.is_empty());
            all.map(|s| s.texts().join(" "))
                .collect::<Vec<_>>()
                .join(" | ")
        };
        for (script, expected) in [
            ("a 'b c' \"d;e\" && f | g", "a b c d;e | f | g"),
            ("it's a; b", "it's a | b"),
            ("a \\\n  b # c\nd", "a b | d"),
            ("a 2>/dev/null > f b", "a b"),
            ("cat > f <<EOF; b\nx | y\nEOF\nc", "cat | b | c"),
            ("echo \"$(a | b) c\" d", "echo  c d"),
            ("(cd x; a)", "cd x | a"),
        ] {
            assert_eq!(words(script), expected, "{script}");
        }
    }

    #[test]
    fn what_goes_into_a_file_is_told() {
        let script = "a\ncat <<'E' >> .env\nX=1\nE\necho \"Y=$Z ${PW:-a}\" > b";
        let all = read(script.as_bytes());
        let cat = all.iter().find(|s| s.into == [".env"]).unwrap();
        assert_eq!(script[cat.given[0].clone()].trim(), "X=1");
        let echo = all.iter().find(|s| s.into == ["b"]).unwrap();
        assert_eq!(echo.words[1].vars, ["Z", "PW"]);
    }

    #[test]
    fn hostile_scripts_are_read_in_one_pass() {
        for piece in ["$(", "'", "\"", "<<a ", "`", "((", "> ", "|", "<<<'"] {
            let script = piece.repeat(20_000);
            assert!(read(script.as_bytes()).len() <= MOST + 1);
        }
    }
}
