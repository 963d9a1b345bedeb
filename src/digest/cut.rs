//! How long a line of the digest may be, by who speaks, and what of a longer one is kept.

use crate::redact::Redacted;
use crate::source::Role;

/// Characters kept of a text.
struct Limit {
    /// From its beginning.
    head: usize,
    /// From its end.
    tail: usize,
}

/// People say what they want at the end of what they paste, models conclude at the end, and a
/// command's last lines say how it went.
fn limit(role: Role) -> Limit {
    let (head, tail) = match role {
        Role::User | Role::Note => (3000, 1000),
        Role::Assistant => (1700, 800),
        Role::ToolCall => (300, 0),
        Role::ToolResult => (350, 250),
        Role::Error => (300, 300),
    };
    Limit { head, tail }
}

/// The text as it goes into the digest, and whether something was left out.
pub(super) fn shorten(text: Redacted, role: Role) -> (Redacted, bool) {
    let Limit { head, tail } = limit(role);
    if text.as_str().len() <= head + tail || text.chars() <= head + tail {
        return (text, false);
    }
    let mut kept = text.shorten(head);
    if tail > 0 {
        kept.push_literal("\n");
        kept.push(&text.ending(tail));
    }
    (kept, true)
}
