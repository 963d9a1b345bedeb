//! A change to what a person has confirmed.

use super::{Item, warn};
use crate::proposal::{Kind, KnownEntry, Op, Verdict, turned};

const NAME: &str = "confirmed";

pub(super) fn check(item: &Item, kind: Kind, entries: &[KnownEntry]) -> Option<Verdict> {
    let target = item.change.target.as_ref()?;
    let is_confirmed = entries.iter().any(|e| {
        let by_id = target.entry.as_ref() == Some(&e.id);
        let by_text = e.file == item.change.file && e.text == target.text;
        e.confirmed && (by_id || (target.entry.is_none() && by_text))
    });
    if !is_confirmed {
        return None;
    }
    if item.change.op.takes_away() {
        let what = match item.change.op {
            Op::Tombstone => "takes back what a person confirmed",
            _ if kind == Kind::ChangedOnDisk => "takes out what a person confirmed",
            _ => "archives what a person confirmed",
        };
        return Some(warn(NAME, what));
    }
    let reason = match turned(&target.text, item.text) {
        Some((went, came)) => format!(
            "edits what a person confirmed, and turns {} to {}",
            listed(&went),
            listed(&came)
        ),
        None => "edits what a person confirmed".to_owned(),
    };
    Some(warn(NAME, reason))
}

fn listed(words: &[String]) -> String {
    if words.is_empty() {
        return "nothing".to_owned();
    }
    let shown: Vec<String> = words.iter().take(4).map(|w| format!("{w:?}")).collect();
    shown.join(" ")
}
