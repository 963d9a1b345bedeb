//! What a project's brief says of the memory of all projects: where it is, and an excerpt of it.

use super::select::mentions;
use super::{Piece, Room, quote};
use crate::text::{count, visible_line};

/// The memory of all projects.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Global {
    /// The folder it is in, for `memd brief`.
    pub root: String,
    /// The accepted entries of its state.md, in their order.
    pub pieces: Vec<Piece>,
    /// Characters of the excerpt; none: only where it is.
    pub chars: usize,
}

impl Global {
    /// The line that says where it is.
    pub(super) fn pointer(&self) -> String {
        let root = quote::neutral(&visible_line(&self.root));
        let root = match root.contains(char::is_whitespace) {
            true => format!("\"{root}\""),
            false => root,
        };
        format!("Memory of all projects: memd brief {root}\n")
    }

    /// Whole entries of its state.md, as many as fit, and how many do not.
    pub(super) fn excerpt(&self, topic: Option<&str>, room: &mut Room) -> String {
        if self.chars == 0 {
            return String::new();
        }
        let mut own = Room {
            chars: self.chars.min(room.chars),
            bytes: room.bytes,
        };
        let topic = topic.map(str::to_lowercase);
        let topic = topic.as_deref();
        let (mut text, mut left_out) = (String::new(), 0);
        for piece in self.pieces.iter().filter(|p| mentions(p, topic)) {
            let block = super::select::block(piece);
            if own.take(&block) {
                text.push_str(&block);
                room.take(&block);
            } else {
                left_out += 1;
            }
        }
        let rest = format!(
            "(left out: {} of it)\n",
            count(left_out, "entry", "entries")
        );
        if left_out > 0 && room.take(&rest) {
            text.push_str(&rest);
        }
        text
    }
}
