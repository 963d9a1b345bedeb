//! Standard output and standard error. All text passes [`visible`], so that no foreign control
//! character reaches a terminal, and the [`gate`], so that no secret does. A closed pipe ends the
//! output quietly.

use super::gate::{self, hide};
use crate::text::{hidden, visible, visible_line};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// One line on standard output; line feeds in it are shown as a token.
pub(super) fn line(text: &str) {
    write(&mut io::stdout().lock(), &visible_line(&hide(text)));
}

/// A text of several lines on standard output.
pub(super) fn block(text: &str) {
    write(
        &mut io::stdout().lock(),
        visible(&hide(text)).trim_end_matches('\n'),
    );
}

/// A JSON text for another program. Characters that a terminal hides or obeys are written as `\u`
/// escapes, so that the text is the same to a parser and harmless to a screen.
pub(super) fn data(json: &str) {
    DATA.store(true, Ordering::Relaxed);
    write(&mut io::stdout().lock(), &escaped(&gate::hide_json(json)));
}

/// A line of JSON as it is, but for characters that a terminal hides or obeys: another memd reads the
/// same. Not for what anybody else wrote: it does not pass the gate.
pub(super) fn copied(json: &str) {
    write(&mut io::stdout().lock(), &escaped(json));
}

/// Whether JSON was printed: whoever reads it has their answer.
pub(super) fn has_data() -> bool {
    DATA.load(Ordering::Relaxed)
}

static DATA: AtomicBool = AtomicBool::new(false);

/// A value as JSON for another program, on one line.
pub(super) fn json(value: &impl serde::Serialize) {
    // Values made of strings and numbers always serialize.
    let text = serde_json::to_string(value).unwrap_or_default();
    data(&text);
}

fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        let mut utf8 = [0; 4];
        if c.is_ascii() && !c.is_ascii_control() || hidden(c.encode_utf8(&mut utf8)).is_empty() {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    out
}

/// A text of several lines on standard error.
pub(super) fn problem(text: &str) {
    write(
        &mut io::stderr().lock(),
        visible(&hide(text)).trim_end_matches('\n'),
    );
}

/// Why something could not be written, but for a pipe whose reader has gone: the first time.
static LOST: Mutex<Option<String>> = Mutex::new(None);

/// Why not all of the output was written, if so.
pub(super) fn lost() -> Option<String> {
    LOST.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Whether the reader of a pipe has gone.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether nobody reads what is printed any more.
pub(super) fn is_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

fn write(to: &mut dyn Write, text: &str) {
    match writeln!(to, "{text}").and_then(|()| to.flush()) {
        // Nobody is left to tell.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            CLOSED.store(true, Ordering::Relaxed);
        }
        Err(error) => {
            let mut lost = LOST.lock().unwrap_or_else(PoisonError::into_inner);
            lost.get_or_insert_with(|| error.to_string());
        }
        Ok(()) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_the_same_to_a_parser_and_harmless_to_a_screen() {
        let text = "a\u{1b}[2J\u{9b}\u{202E}\u{E0041}\u{7f} 日本 👍 \" \\ \n";
        let json = escaped(&serde_json::to_string(text).unwrap());
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
        assert!(crate::text::hidden(&json).is_empty(), "{json}");
        assert!(json.contains("日本"));
    }
}
