//! Standard output and standard error. All text passes [`visible`]: no foreign control character
//! reaches a terminal. A closed pipe ends the output quietly.

use crate::text::{visible, visible_line};
use std::io::{self, Write};

/// One line on standard output; line feeds in it are shown as a token.
pub(super) fn line(text: &str) {
    write(&mut io::stdout().lock(), &visible_line(text));
}

/// A text of several lines on standard output.
pub(super) fn block(text: &str) {
    write(
        &mut io::stdout().lock(),
        visible(text).trim_end_matches('\n'),
    );
}

/// Bytes for another program, such as JSON: as they are.
pub(super) fn data(text: &str) {
    write(&mut io::stdout().lock(), text);
}

/// A text of several lines on standard error.
pub(super) fn problem(text: &str) {
    write(
        &mut io::stderr().lock(),
        visible(text).trim_end_matches('\n'),
    );
}

fn write(to: &mut dyn Write, text: &str) {
    // Nobody is left to tell when the reader of a pipe has gone.
    let _ = writeln!(to, "{text}").and_then(|()| to.flush());
}
