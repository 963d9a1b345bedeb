//! A change rests on lines of the digest that share its substance and say the same.

use super::{Item, quote, warn};
use crate::digest::Line;
use crate::proposal::{Contrary, Substance, Verdict, contrary};

const NAME: &str = "evidence";

pub(super) fn check(item: &Item, lines: &[Line]) -> Option<Verdict> {
    let change = item.change;
    if item.by_person || change.is_overflow() {
        return None;
    }
    if change.evidence.is_empty() {
        return Some(warn(NAME, "rests on no line of the material"));
    }
    let cited = lines.iter().filter(|l| change.evidence.contains(&l.n));
    let cited: Vec<&Line> = cited.collect();
    let substance = change.substance();
    let is_borne = cited
        .iter()
        .any(|l| substance.rests_on(&Substance::of(l.text.as_str())));
    if !is_borne {
        return Some(warn(NAME, "the cited lines do not speak of it"));
    }
    contrary(change, &cited).map(|said| warn(NAME, reason(&said)))
}

fn reason(contrary: &Contrary) -> String {
    match contrary {
        Contrary::TooLong => "is too long to be compared with the lines that it cites".to_owned(),
        Contrary::Misquoted(text) => {
            format!("quotes {}, which stands in no cited line", quote(text))
        }
        Contrary::Denied(n) => format!("line {n} says the opposite: a negation differs"),
        Contrary::Changed { line, said, heard } => {
            format!("line {line} says {heard:?}, not {said:?}")
        }
    }
}
