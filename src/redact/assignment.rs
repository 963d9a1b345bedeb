//! A name, an operator, a value: `DB_PASSWORD=…`, `"token": "…"`, `--password …`, `<pw>…</pw>`.
//!
//! The name says how strictly the value is judged; only the value is hidden.

mod answers;
mod apart;
mod argv;
mod asked;
mod bytes;
mod cells;
mod changed;
mod code;
mod compared;
mod extent;
mod fields;
mod harmless;
mod inserted;
mod judging;
mod listed;
mod login;
mod lookalike;
mod mapped;
mod named;
pub(super) mod names;
mod near;
mod operator;
mod parallel;
mod people;
mod prose;
mod reading;
mod record;
mod second;
mod table;
mod wrapped;
mod written;

use super::anchors::Anchor;
use super::command::joined;
use super::rules::{Rule, rules};
use super::scan::Scan;
use super::value;
use judging::Verdict;
pub(super) use judging::names_a_password;
pub(super) use login::in_call as find_login;
pub(super) use lookalike::is_patch;
use names::Kind;
pub(super) use names::words;
use operator::Operator;
pub(super) use people::hide_text as hide_login;
use reading::Value;
use std::ops::Range;
pub(super) use table::head;
use written::{Place, Written};

/// A value longer than this is read once only, in bytes.
const LONG: usize = 256;

/// Whether a name says that its value is a password or a secret.
pub(super) fn says_secret(name: &[u8]) -> bool {
    matches!(
        names::kind(name),
        Some(names::Kind::Password | names::Kind::Secret)
    )
}

/// Whether a name says that its value is a password.
pub(super) fn says_password(name: &[u8]) -> bool {
    names::kind(name) == Some(Kind::Password)
}

/// Whether an environment sets a secret's name to a secret: whatever it is made of, but no common
/// word, reference or placeholder; words only if there are several.
pub(super) fn is_set_to_secret(name: &[u8], found: &[u8]) -> bool {
    let words = found
        .split(u8::is_ascii_whitespace)
        .filter(|w| w.len() >= 3);
    let phrase = words.count() >= 3 && found.len() >= 16;
    let told = !value::is_name_like(found) && value::classes(found) >= 2 && found.len() >= 8;
    says_secret(name)
        && (phrase || told)
        && !rules().is_default_password(found)
        && !names_a_place(found)
        && !value::is_no_password(found)
        && !code::is_path(found)
}

/// `${X}`, `/run/secrets/x`, `op://…`: no code stands in an environment, but this may.
fn names_a_place(found: &[u8]) -> bool {
    let begins = matches!(found.first(), Some(b'$' | b'/' | b'<' | b'%' | b'{'));
    (begins || found.starts_with(b"vault:") || found.windows(3).any(|w| w == b"://"))
        && !value::holds_random(found)
}

pub(super) fn find(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    if anchor.end <= scan.assigned {
        return;
    }
    // `/pw`: the slash joins it to a label before.
    let slash = usize::from(scan.at(anchor.start) == b'/');
    let anchor = &Anchor {
        start: anchor.start + slash,
        ..*anchor
    };
    let name = names::around(scan.text, anchor);
    scan.assigned = name.end;
    if lookalike::is_no_name(scan.text, &name) {
        return;
    }
    let known = scan.kind(&name);
    let label = people::label(scan, anchor, &name, known);
    if people::find_pair(scan, rule, label.as_ref()) {
        return;
    }
    let Some(kind) = known else {
        if people::find_lone(scan, rule, label.as_ref()) {
            return;
        }
        if listed::find(scan, rule, &name) {
            return;
        }
        // What it says stands in another field or column, if anywhere.
        record::find(scan, rule, &name, None);
        return table::find(scan, rule, &name);
    };
    if code::is_in_base64(scan.text, &name) {
        return;
    }
    let before = scan.spans.len();
    let here = names::as_here(scan.text, &name, kind);
    if let Some(value) = parallel::find(scan.text, &name) {
        if let Some((kind, value)) = here.zip(value) {
            offer(scan, rule, kind, value, Place::Text);
        }
        return;
    }
    if kind != Kind::Loose
        && let Some(range) = bytes::find(scan.text, &name)
        && (kind != Kind::Weak || names::words(scan.bytes(name.clone())).len() > 1)
    {
        scan.assigned = range.end;
        return scan.hide(range, rule.id.as_str());
    }
    if login::find_set(scan, rule, &name) {
        return;
    }
    if !changed::find(scan, rule, &name, here)
        && !follows(scan, rule, &name, here)
        && !people::find_lone(scan, rule, label.as_ref())
    {
        record::find(scan, rule, &name, here);
        if !inserted::find(scan, rule, &name) {
            table::find(scan, rule, &name);
        }
        asked::find(scan, rule, &name, here);
        compared(scan, rule, &name, here);
        if scan.spans.len() == before && !listed::find(scan, rule, &name) {
            mapped::find(scan, rule, &name, here);
        }
        answers::find(scan, rule, &name, here);
        if scan.spans.len() == before && !login::find(scan, rule, &name) {
            near::find(scan, rule, &name, here);
        }
    }
}

/// Hides the value that follows its name, if there is one. `here` is what the name says where it
/// stands.
fn follows(
    scan: &mut Scan<'_>,
    rule: &'static Rule,
    name: &Range<usize>,
    here: Option<Kind>,
) -> bool {
    let Some(kind) = here else {
        return false;
    };
    let Some((operator, at)) = operator::after(scan.text, name) else {
        return false;
    };
    let Some(found) = reading::read(scan.text, at, operator) else {
        return false;
    };
    let found = without_call(scan.text, found);
    let value = scan.bytes(found.range.clone());
    if names::is_key_id(scan.text, name, value)
        || names::says_itself(scan.bytes(name.clone()), value)
    {
        return false;
    }
    let sign = scan.bytes(name.end..found.range.start);
    if lookalike::tells_name(scan.bytes(name.clone()), sign, value) {
        // Nothing else near it is its value, either.
        scan.assigned = found.range.end;
        return true;
    }
    if !found.quoted && repeats(scan.bytes(name.clone()), scan.bytes(found.range.clone())) {
        return false;
    }
    let written = written::written(scan.text, name, operator, &found);
    let long = found.text(scan.text).len() > LONG;
    let first = found.range.end;
    let closed = first + usize::from(found.quoted);
    let mut end = found.more.last().map_or(first, |more| more.end);
    let line = found.range.clone();
    let hidden = hide(scan, rule, kind, found, &written);
    if hidden && operator == Operator::Equals && !written.quoted {
        for line in apart::block_lines(scan.text, &line) {
            end = end.max(line.end);
            scan.hide(line, rule.id.as_str());
        }
    }
    // Names inside a long value are not looked at again, so that work stays linear.
    if hidden || long {
        scan.assigned = if hidden { end } else { first };
    }
    if hidden {
        second::find(scan, rule, kind, closed);
    }
    hidden
}

/// Hides the text that a name is expected to hold, before it in the same call.
fn compared(scan: &mut Scan<'_>, rule: &'static Rule, name: &Range<usize>, here: Option<Kind>) {
    if let Some(kind @ (Kind::Password | Kind::Secret)) = here
        && let Some(range) = compared::before(scan.text, name)
    {
        offer(scan, rule, kind, Value::new(range, true), Place::Text);
    }
}

/// `api_key=10a5c92f…).join(sep`: what the string of a key is done with is none of it.
fn without_call(text: &[u8], found: Value) -> Value {
    let bytes = text.get(found.range.clone()).unwrap_or(&[]);
    let len = bytes
        .iter()
        .take_while(|b| b.is_ascii_alphanumeric())
        .count();
    let rest = bytes.get(len..).unwrap_or(&[]);
    let called =
        matches!(rest, [b')', b'.', b, ..] if b.is_ascii_lowercase()) && rest.contains(&b'(');
    match len >= 16 && called {
        true => Value::new(found.range.start..found.range.start + len, false),
        false => found,
    }
}

/// `readpassphrase.3 => readpassphrase.3bsd`: a file, renamed.
fn repeats(name: &[u8], found: &[u8]) -> bool {
    name.len() >= 8 && found.starts_with(name)
}

/// Hides a value that stands apart from its name, if it is a secret.
fn offer(scan: &mut Scan<'_>, rule: &'static Rule, kind: Kind, found: Value, place: Place) -> bool {
    let written = Written {
        operator: Operator::Equals,
        quoted: found.quoted,
        place,
        assigned: false,
        equated: false,
        called_secret: false,
    };
    hide(scan, rule, kind, found, &written)
}

fn hide(
    scan: &mut Scan<'_>,
    rule: &'static Rule,
    kind: Kind,
    found: Value,
    written: &Written,
) -> bool {
    let bytes = found.text(scan.text);
    let verdict = judging::judge(scan.text, &found, &bytes, kind, written);
    if verdict == Verdict::Harmless {
        return false;
    }
    let mut whole = found.whole(scan.text);
    if found.more.is_empty() && written.operator != Operator::Element {
        whole.end = joined(scan.text, &whole);
    }
    for more in found.more {
        scan.hide(more, rule.id.as_str());
    }
    if verdict == Verdict::Remember {
        scan.hide_and_remember(whole, rule.id.as_str());
    } else {
        scan.hide(whole, rule.id.as_str());
    }
    true
}
