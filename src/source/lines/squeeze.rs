//! Takes out of one long JSON line what nobody reads: base64, and the rest of a huge string.
//!
//! Works on bytes as they arrive; what comes out is JSON whenever what went in was.

/// The longest run of base64 characters in a string that is kept.
const RUN_LIMIT: usize = 16 * 1024;
/// The longest string that is kept, in bytes.
const STRING_LIMIT: usize = 4 * 1024 * 1024;
/// What stands where a run was left out.
const LEFT_OUT: &[u8] = b"[base64 left out]";
/// What stands where a string was cut.
const CUT: &[u8] = b"[the rest of a very long text was not read]";

/// Where in a line the last byte was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Inside {
    /// Between strings.
    #[default]
    Structure,
    /// In a string.
    Text,
    /// Behind a backslash.
    Escape,
    /// In the digits of `\u`; so many are to come.
    Digits(u8),
}

/// The state between two pieces of a line.
#[derive(Debug, Default)]
pub(super) struct Squeeze {
    inside: Inside,
    /// Where in the output the current string begins.
    string: usize,
    /// Length of the current run of base64 characters.
    run: usize,
    /// The rest of this string is left out.
    cutting: bool,
    has_cut: bool,
}

impl Squeeze {
    /// Appends what is kept of the next piece of the line.
    pub fn push(&mut self, piece: &[u8], out: &mut Vec<u8>) {
        for &byte in piece {
            match self.inside {
                Inside::Structure => self.structure(byte, out),
                Inside::Text => self.text(byte, out),
                Inside::Escape => {
                    self.inside = if byte == b'u' {
                        Inside::Digits(4)
                    } else {
                        Inside::Text
                    };
                    self.keep(byte, out);
                }
                Inside::Digits(left) => {
                    self.inside = if left > 1 {
                        Inside::Digits(left - 1)
                    } else {
                        Inside::Text
                    };
                    self.keep(byte, out);
                }
            }
        }
    }

    /// Whether a string was cut, base64 apart.
    pub fn has_cut(&self) -> bool {
        self.has_cut
    }

    fn structure(&mut self, byte: u8, out: &mut Vec<u8>) {
        out.push(byte);
        if byte == b'"' {
            self.inside = Inside::Text;
            self.string = out.len();
            self.run = 0;
        }
    }

    fn text(&mut self, byte: u8, out: &mut Vec<u8>) {
        match byte {
            b'"' => {
                self.inside = Inside::Structure;
                self.cutting = false;
                out.push(byte);
            }
            b'\\' => {
                self.inside = Inside::Escape;
                self.keep(byte, out);
            }
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' | b'-' | b'_' | b'=' => {
                self.base64(byte, out);
            }
            _ => self.keep(byte, out),
        }
    }

    fn base64(&mut self, byte: u8, out: &mut Vec<u8>) {
        let run = self.run + 1;
        if run <= RUN_LIMIT {
            self.keep(byte, out);
        } else if run == RUN_LIMIT + 1 && !self.cutting {
            out.truncate(out.len() - RUN_LIMIT);
            out.extend(LEFT_OUT);
        }
        self.run = run;
    }

    fn keep(&mut self, byte: u8, out: &mut Vec<u8>) {
        self.run = 0;
        if self.cutting {
            return;
        }
        out.push(byte);
        if out.len() - self.string > STRING_LIMIT && self.inside == Inside::Text {
            self.cut(out);
        }
    }

    /// Cuts at the last space, so that neither an escape nor a word is split: half a secret would
    /// not be recognised as one.
    fn cut(&mut self, out: &mut Vec<u8>) {
        let kept = &out[self.string..];
        let space = kept.iter().rposition(|b| *b == b' ').unwrap_or_default();
        out.truncate(self.string + space);
        out.extend(CUT);
        self.cutting = true;
        self.has_cut = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squeeze(text: &str) -> (String, bool) {
        // Odd pieces, so that every state is carried over.
        let mut state = Squeeze::default();
        let mut out = Vec::new();
        for piece in text.as_bytes().chunks(7) {
            state.push(piece, &mut out);
        }
        (String::from_utf8(out).unwrap(), state.has_cut())
    }

    #[test]
    fn ordinary_json_comes_through_unchanged() {
        let json = r#"{"a":"b \" c \\","d":["\u00e9\n",1,true,{"e":"ü"}]}"#;
        assert_eq!(squeeze(json), (json.to_owned(), false));
    }

    #[test]
    fn base64_is_left_out_and_escapes_before_it_stay_whole() {
        let image = "iVBORw0KGgo".repeat(10_000);
        let json = format!(r#"{{"data":"{image}==","t":"x\n{image}","u":"\u0041{image}"}}"#);
        assert_eq!(
            squeeze(&json).0,
            r#"{"data":"[base64 left out]","t":"x\n[base64 left out]","u":"\u0041[base64 left out]"}"#
        );
    }

    #[test]
    fn a_huge_string_is_cut_between_words_and_what_follows_is_kept() {
        let json = format!(
            r#"{{"a":"{}","b":"kept"}}"#,
            "word\\n word ".repeat(600_000)
        );
        let (out, cut) = squeeze(&json);
        assert!(cut);
        assert!(out.len() <= STRING_LIMIT + 100);
        let value: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!(value["b"], "kept");
        assert!(
            value["a"]
                .as_str()
                .unwrap()
                .ends_with(std::str::from_utf8(CUT).unwrap())
        );
    }
}
