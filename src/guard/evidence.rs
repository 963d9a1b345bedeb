//! A change rests on lines of the digest that share its substance.

use super::{Item, warn};
use crate::digest::Line;
use crate::proposal::{Op, Substance, Verdict};

const NAME: &str = "evidence";

pub(super) fn check(item: &Item, lines: &[Line]) -> Option<Verdict> {
    if item.by_person || item.change.is_overflow() {
        return None;
    }
    if item.change.evidence.is_empty() {
        return Some(warn(NAME, "rests on no line of the material"));
    }
    let substance = substance(item);
    let mut cited = lines.iter().filter(|l| item.change.evidence.contains(&l.n));
    let is_borne = cited.any(|l| substance.rests_on(&Substance::of(l.text.as_str())));
    (!is_borne).then(|| warn(NAME, "the cited lines do not speak of it"))
}

/// What a change is about: its new words, or what it archives and why.
pub(super) fn substance(item: &Item) -> Substance {
    match (item.change.op, &item.change.target) {
        (Op::Archive, Some(target)) => Substance::of(&format!("{}\n{}", item.all, target.text)),
        _ => Substance::of(&item.fresh),
    }
}
