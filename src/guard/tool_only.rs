//! A change that only a tool's output speaks of: a web page, a file, a command.

use super::{Item, warn};
use crate::digest::Line;
use crate::proposal::{Origin, Substance, Verdict, origin_of};

pub(super) const NAME: &str = "tool-only";

pub(super) fn check(item: &Item, lines: &[Line]) -> Option<Verdict> {
    if item.by_person || item.change.op.takes_away() || item.change.origin != Origin::Tool {
        return None;
    }
    let substance = item.change.substance();
    let is_shared = lines.iter().any(|l| {
        let said = substance.shared(&Substance::of(l.text.as_str()));
        origin_of(l.role) < Origin::Tool && said >= 2 && said * 4 >= substance.len().min(16)
    });
    (!is_shared).then(|| {
        warn(
            NAME,
            "rests on a tool's output only; neither you nor the model speak of it",
        )
    })
}

/// Of what the assistant said, where nobody can tell whether a tool said it before.
#[must_use]
pub fn unheard(why: &str) -> Verdict {
    warn(
        NAME,
        format!("whether a tool's output said it first cannot be told: {why}"),
    )
}
