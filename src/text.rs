//! Text: what is shown, what is compared, what is hashed.
//!
//! Owns how foreign text is shown ([`visible`] in a stream of lines, [`pieces`] in rows of a
//! screen), how many columns it takes ([`width()`]) and where it is broken ([`wrap()`]), the normal
//! form in which statements are compared ([`statement`]), and content hashes ([`TextHash`]).

mod age;
mod hidden;
mod pieces;
mod runs;
mod statement;
mod width;
mod wrap;

pub use age::age;
pub use hidden::{Danger, Hidden, hidden, visible, visible_line};
pub use pieces::{Piece, PieceKind, is_plain, pieces, pieces_of, shown, shown_part};
pub use runs::{runs, word_hashes};
pub use statement::{shared_words, statement, words};
pub use width::{cluster_width, clusters, cut, width};
pub use wrap::{wrap, wrap_into};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// SHA-256 of a text's bytes, as 64 lower-case hex digits. Not keyed: for telling versions of our
/// own files and entries apart, never for secrets.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TextHash(String);

impl TextHash {
    /// The hash of these bytes.
    #[must_use]
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        Self(crate::id::hex(&Sha256::digest(bytes.as_ref())))
    }

    /// The hex digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The first `max` characters of a text, and whether that was all of it.
#[must_use]
pub fn first_chars(text: &str, max: usize) -> (&str, bool) {
    match text.char_indices().nth(max) {
        Some((end, _)) => (&text[..end], false),
        None => (text, true),
    }
}

/// A count with its noun: "1 change", "3 changes".
#[must_use]
pub fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// The first `max` characters of a foreign text in quotes, as they may be painted; for messages.
///
/// ```
/// assert_eq!(memd::text::quoted("a\u{1b}[2Jb", 60), "\"a<U+001B ESC>[2Jb\"");
/// ```
#[must_use]
pub fn quoted(text: &str, max: usize) -> String {
    let (cut, whole) = first_chars(text, max);
    let more = if whole { "" } else { "…" };
    format!("\"{}\"{more}", visible_line(cut))
}

/// A text on one row: spaces, tabs and line ends become one space. Other white space stays, so
/// that it is shown for what it is.
#[must_use]
pub fn on_one_row(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let words = text.split([' ', '\t', '\n']).filter(|w| !w.is_empty());
    words.collect::<Vec<_>>().join(" ")
}
