//! A name in one field of a record and its value in another: `"name": "DB_PASSWORD", "value": …`,
//! `<key>Token</key><string>…`, `--name api-key --value …`, in either order.
//!
//! Looks at no more than the record, and no further than a fixed distance from the name.

use super::super::lines;
use super::super::rules::Rule;
use super::super::scan::Scan;
use super::extent::{self, REACH, TAG};
use super::fields::{self, Field};
use super::named::{self, Named, Style};
use super::names::{self, Kind};
use super::operator::Operator;
use super::reading;
use super::second;
use super::written::{Place, is_variable};
use std::ops::Range;

/// Hides what a field beside the name's holds, or a field below it. `here` is what the name says
/// where it stands.
pub(super) fn find(
    scan: &mut Scan<'_>,
    rule: &'static Rule,
    name: &Range<usize>,
    here: Option<Kind>,
) {
    if let Some(named) = named::named(scan.text, name) {
        if let Some(kind) = kind(scan.text, &named.whole) {
            beside(scan, rule, kind, &named);
        }
    } else if let Some(kind) = here
        && let Some(window) = extent::below(scan.text, name)
    {
        let text = scan.text;
        // `{"S": "…"}`: a text, as DynamoDB types it.
        let typed = |f: &Field| text.get(f.label.clone()) == Some(b"S");
        let held = fields::fields(text, window).filter(|f| holds(text, f) || typed(f));
        let held: Vec<_> = held.collect();
        for field in held {
            take(scan, rule, kind, &field, false);
        }
    }
}

/// A name of several words says more than its last one: `AWS Secret Access Key`.
fn kind(text: &[u8], whole: &Range<usize>) -> Option<Kind> {
    let whole = text.get(whole.clone())?;
    let last = whole.rsplit(|b| matches!(b, b'/' | b':')).next()?;
    names::kind(last)
}

/// Hides the values beside a name: after it, or else before it.
fn beside(scan: &mut Scan<'_>, rule: &'static Rule, kind: Kind, named: &Named) {
    let text = scan.text;
    let label = &named.label;
    let start = named.whole.end;
    let end = extent::again(text, label, start, (start + REACH).min(text.len()));
    let after = match named.style {
        Style::Attribute(tag) => return attribute(scan, rule, kind, named, tag),
        Style::Flag => return flags(scan, rule, kind, named),
        Style::Element => start + 2..end,
        Style::Quoted | Style::Bare => start..extent::close(text, start, end),
    };
    let fits = |f: &Field| holds(text, f) && is_beside(text, named, f);
    let mut held: Vec<_> = fields::fields(text, after).filter(fits).collect();
    if held.is_empty() && named.style != Style::Element {
        let from = extent::before(text, label, label.start.saturating_sub(REACH));
        let open = extent::open(text, from, label.start);
        held = fields::fields(text, open..label.start)
            .filter(fits)
            .collect();
    }
    for field in &held {
        let variable = text.get(named.whole.clone()).is_some_and(is_variable);
        match named.style {
            Style::Bare if variable && is_value(text, field) => set(scan, rule, kind, field),
            style => take(scan, rule, kind, field, style == Style::Bare),
        }
    }
}

/// `- name: KAGGLE_KEY⏎  value: "…"`: what a variable of an environment is set to.
fn set(scan: &mut Scan<'_>, rule: &'static Rule, kind: Kind, field: &Field) {
    if let Some(found) = reading::read(scan.text, field.at, field.operator) {
        super::offer(scan, rule, kind, found, Place::Certain);
    }
}

fn is_value(text: &[u8], field: &Field) -> bool {
    text.get(field.label.clone()) == Some(b"value")
}

fn holds(text: &[u8], field: &Field) -> bool {
    text.get(field.label.clone()).is_some_and(fields::holds)
}

fn holding(text: &[u8], window: Range<usize>) -> impl Iterator<Item = Field> {
    fields::fields(text, window).filter(|f| holds(text, f))
}

/// Whether a field belongs to the name's record: on its line, or right under its label.
fn is_beside(text: &[u8], named: &Named, field: &Field) -> bool {
    let (first, last) = if field.label.start < named.label.start {
        (&field.label, &named.label)
    } else {
        (&named.label, &field.label)
    };
    let between = text.get(first.start..last.start).unwrap_or(&[]);
    let apart = between.contains(&b'\n');
    let is_quoted = |label: &Range<usize>| matches!(text.get(label.end), Some(b'"' | b'\''));
    if !apart || named.style == Style::Element || is_quoted(&named.label) && is_quoted(&field.label)
    {
        return true;
    }
    let column = extent::column(text, first.start);
    let under = extent::lines_of(between).all(|line| Some(line) >= column);
    column.is_some() && column == extent::column(text, last.start) && under
}

/// Hides a field's value, if it is a secret. A bare one is a text as well where the name is.
fn take(scan: &mut Scan<'_>, rule: &'static Rule, kind: Kind, field: &Field, bare: bool) {
    let Some(found) = reading::read(scan.text, field.at, field.operator) else {
        return;
    };
    let ends = matches!(scan.text.get(found.range.end), None | Some(b'\n' | b'\r'));
    let glued = bare && scan.text.get(field.label.end..field.at) == Some(b"=");
    let place = match (found.quoted || glued, ends) {
        (true, _) => Place::Text,
        (_, true) => Place::Alone,
        _ => Place::Code,
    };
    let end = found.range.end + usize::from(found.quoted);
    if super::offer(scan, rule, kind, found, place) {
        second::find(scan, rule, kind, end);
    }
}

/// The values of a tag's attributes, or its text.
fn attribute(scan: &mut Scan<'_>, rule: &'static Rule, kind: Kind, named: &Named, tag: usize) {
    let text = scan.text;
    let rest = text.get(named.whole.end..).unwrap_or(&[]);
    let rest = rest.get(..REACH).unwrap_or(rest);
    let Some(end) = rest.iter().position(|b| *b == b'>') else {
        return;
    };
    let end = named.whole.end + end;
    let held: Vec<_> = holding(text, tag..end).collect();
    for field in &held {
        take(scan, rule, kind, field, false);
    }
    let closed = matches!(text.get(end - 1), Some(b'/' | b'?'));
    if !held.is_empty() || closed {
        return;
    }
    let inner = fields::space(text, end + 1);
    let element = text.get(inner) == Some(&b'<');
    let at = if element {
        let window = inner..(inner + TAG).min(text.len());
        let first = fields::fields(text, window).next();
        first
            .filter(|f| holds(text, f) && f.label.start == inner + 1)
            .map(|f| f.at)
    } else {
        Some(inner)
    };
    let Some(mut found) = at.and_then(|at| reading::read(text, at, Operator::Element)) else {
        return;
    };
    // Resources of an application are texts for people.
    found.quoted = text.get(tag + 1..tag + 8) != Some(b"string ");
    let place = match found.quoted {
        true => Place::Text,
        false => Place::Code,
    };
    super::offer(scan, rule, kind, found, place);
}

/// The values of a command's other options.
fn flags(scan: &mut Scan<'_>, rule: &'static Rule, kind: Kind, named: &Named) {
    let text = scan.text;
    let label = &named.label;
    let from = extent::before(text, label, label.start.saturating_sub(REACH));
    let head = text.get(from..label.start).unwrap_or(&[]);
    let start = from + extent::line_before(head);
    let behind = named.whole.end;
    let to = extent::again(text, label, behind, (behind + REACH).min(text.len()));
    let end = behind + lines::joined_end(text.get(behind..to).unwrap_or(&[]));
    let line = text.get(start..end).unwrap_or(&[]);
    let ends = memchr::memchr2_iter(b' ', b'=', line).map(|n| start + n);
    let held: Vec<_> = ends
        .filter_map(|at| {
            let label = fields::label(text, at)?;
            let holds = fields::holds(text.get(label.clone())?);
            let option = named::is_flag(text, &label) && label.end == at;
            (option && holds).then(|| fields::blanks(text, at + 1))
        })
        .collect();
    for at in held {
        if let Some(found) = reading::read(text, at, Operator::Space) {
            super::offer(scan, rule, kind, found, Place::Text);
        }
    }
}
