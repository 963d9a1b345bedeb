//! A secret's name near a value that is plainly random, whatever stands between them: the general
//! rule for what no described form reads.
//!
//! Finds the values; [`link`] says whether one is the name's, [`chance`] how random it is. The
//! weaker the link, the more random it must be. Looks no further than a fixed distance, and at
//! nothing twice where nothing random is.

mod below;
mod chance;
mod link;
mod run;

pub(super) use link::names_a_secret;

use super::super::rules::Rule;
use super::super::scan::Scan;
use super::code;
use super::names::{self, Kind};
use super::second;
use super::written::Place;
use std::ops::Range;

/// How far behind its name a value may stand on the same line, in bytes.
const REACH: usize = 160;
/// The most values that are looked at behind a name.
const TRIES: usize = 4;

/// Hides the first value near a name that is linked to it and random enough. `here` is what the
/// name says where it stands.
pub(super) fn find(
    scan: &mut Scan<'_>,
    rule: &'static Rule,
    name: &Range<usize>,
    here: Option<Kind>,
) {
    let Some(kind @ (Kind::Password | Kind::Secret)) = here else {
        return;
    };
    let text = scan.text;
    let line = line_end(text, name.end, REACH);
    let mut at = name.end.max(scan.plain);
    let mut named = None;
    for tries in 0..TRIES {
        let Some(run) = run::next(text, at, line) else {
            if tries == 0 {
                scan.plain = scan.plain.max(line);
            }
            break;
        };
        let Some(kind) = *named.get_or_insert_with(|| strong(text, name, kind)) else {
            return;
        };
        if take(scan, rule, name, kind, &run) {
            return;
        }
        at = run.end;
    }
    if let Some(run) = below::below(text, name, line)
        && let Some(kind) = *named.get_or_insert_with(|| strong(text, name, kind))
    {
        take(scan, rule, name, kind, &run);
    }
}

/// What the name says of its value, if that is a secret without a doubt.
fn strong(text: &[u8], name: &Range<usize>, kind: Kind) -> Option<Kind> {
    let sure = link::names_a_secret(text, name) && !code::is_encoded(text, name);
    sure.then_some(kind)
}

fn take(
    scan: &mut Scan<'_>,
    rule: &'static Rule,
    name: &Range<usize>,
    kind: Kind,
    run: &Range<usize>,
) -> bool {
    let text = scan.text;
    let value = run::whole(text, run, name.end);
    if names::is_key_id(text, name, scan.bytes(value.range.clone())) {
        return false;
    }
    if value.quoted && link::is_default(text, name, &value) {
        let end = value.range.end;
        let hidden = super::offer(scan, rule, kind, value, Place::Text);
        scan.assigned = if hidden { end } else { scan.assigned };
        return hidden;
    }
    let Some(link) = link::between(text, name, &value) else {
        return false;
    };
    if !chance::is_enough(text, &value, kind, link) {
        return false;
    }
    let end = value.range.end;
    scan.assigned = scan.assigned.max(end);
    second::find(scan, rule, kind, end + usize::from(value.quoted));
    scan.hide(value.range, rule.id.as_str());
    true
}

/// Where a line ends, or as far as is looked.
fn line_end(text: &[u8], at: usize, most: usize) -> usize {
    let rest = text.get(at..).unwrap_or(&[]);
    let rest = rest.get(..most).unwrap_or(rest);
    at + memchr::memchr(b'\n', rest).unwrap_or(rest.len())
}
