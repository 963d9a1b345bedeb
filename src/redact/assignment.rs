//! A name, an operator, a value: `DB_PASSWORD=…`, `"token": "…"`, `--password …`, `<pw>…</pw>`.
//!
//! The name says how strictly the value is judged; only the value is hidden.

mod apart;
mod code;
mod harmless;
mod judging;
mod names;
mod operator;
mod prose;
mod reading;
mod written;

use super::anchors::Anchor;
use super::rules::Rule;
use super::scan::Scan;
use judging::Verdict;
pub(super) use names::words;

/// A value longer than this is read once only, in bytes.
const LONG: usize = 256;

/// Whether a name says that its value is a password or a secret.
pub(super) fn says_secret(name: &[u8]) -> bool {
    matches!(
        names::kind(name),
        Some(names::Kind::Password | names::Kind::Secret)
    )
}

pub(super) fn find(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    if anchor.end <= scan.assigned {
        return;
    }
    let name = names::around(scan.text, anchor);
    scan.assigned = name.end;
    let Some((operator, at)) = operator::after(scan.text, &name) else {
        return;
    };
    let Some(kind) = names::kind_here(scan.text, &name) else {
        return;
    };
    let Some(found) = reading::read(scan.text, at, operator) else {
        return;
    };
    let bytes = found.text(scan.text);
    let written = written::written(scan.text, &name, operator, &found);
    let verdict = judging::judge(scan.text, &found, &bytes, kind, &written);
    // Names inside a long value are not looked at again, so that work stays linear.
    if verdict != Verdict::Harmless || bytes.len() > LONG {
        scan.assigned = found.range.end;
    }
    if verdict != Verdict::Harmless {
        for more in found.more {
            scan.assigned = more.end;
            scan.hide(more, rule.id.as_str());
        }
    }
    match verdict {
        Verdict::Harmless => {}
        Verdict::Hide => scan.hide(found.range, rule.id.as_str()),
        Verdict::Remember => scan.hide_and_remember(found.range, rule.id.as_str()),
    }
}
