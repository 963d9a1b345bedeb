//! A value on the line below its name: what a prompt answers (`>>> token⏎'…'`, `$ echo $TOKEN⏎…`,
//! `1) "token"⏎2) "…"`), a key and its value in a store's answer, `the key below:⏎⏎…`.

use super::super::lines;
use super::super::rules::Rule;
use super::super::scan::Scan;
use super::fields::blanks;
use super::names::Kind;
use super::operator::Operator;
use super::reading;
use super::written::Place;
use std::ops::Range;

/// What may stand on a name's line before and after it, in bytes.
const LINE: usize = 80;

/// `here` is what the name says where it stands.
pub(super) fn find(
    scan: &mut Scan<'_>,
    rule: &'static Rule,
    name: &Range<usize>,
    here: Option<Kind>,
) {
    let Some((kind, (at, sure))) = here.zip(below(scan.text, name)) else {
        return;
    };
    let Some(found) = reading::read(scan.text, at, Operator::Equals) else {
        return;
    };
    let end = blanks(scan.text, found.range.end + usize::from(found.quoted));
    let whole = matches!(scan.text.get(end), None | Some(b'\n' | b'\r'));
    if !whole || !(sure || found.quoted) {
        return;
    }
    let place = match found.quoted {
        true => Place::Text,
        false => Place::Alone,
    };
    super::offer(scan, rule, kind, found, place);
}

/// Where the line below begins that answers, and whether it may stand without quotes.
fn below(text: &[u8], name: &Range<usize>) -> Option<(usize, bool)> {
    let rest = text.get(name.end..)?;
    let rest = rest.get(..LINE).unwrap_or(rest);
    // Nothing but what closes the name or ends a question may stand on its line.
    if !matches!(
        rest,
        [b'"' | b'\'' | b')' | b']' | b'}' | b'?' | b'\t'..=b'\r', ..]
            | [b' ', b' ' | b'b' | b'\t'..=b'\r', ..]
            | [
                b' ',
                b'f' | b'o' | b't' | b'i' | b'a',
                b'o' | b'f' | b'n' | b't' | b's',
                ..
            ]
    ) {
        return None;
    }
    let feed = memchr::memchr(b'\n', rest)?;
    let tail = rest.get(..feed)?.trim_ascii_end();
    let next = name.end + feed + 1;
    if tail == b" below:" {
        let blank = usize::from(text.get(next) == Some(&b'\n'));
        return Some((blanks(text, next + blank), true));
    }
    let head = text.get(name.start.saturating_sub(LINE)..name.start)?;
    let head = lines::last(head);
    if let Some(at) = asked(text, head, tail, next) {
        return Some((at, true));
    }
    let closed = tail.len() <= 3 && tail.iter().all(|b| b"\"'])}".contains(b));
    if !closed {
        return None;
    }
    let sure = asks(head)?;
    Some((answered(text, blanks(text, next)), sure))
}

/// `what's the password for staging?`: where the answer begins on the line below, behind who says
/// it and `it's`.
fn asked(text: &[u8], head: &[u8], tail: &[u8], next: usize) -> Option<usize> {
    const SAYS: [&[u8]; 9] = [
        b"it's ", b"its ", b"it is ", b"It's ", b"It is ", b"that's ", b"use ", b"Use ", b"try ",
    ];
    const OTHERS: [&[u8]; 6] = [
        b"orgot",
        b"orget",
        b"ost ",
        b"eset ",
        b"hange ",
        b"emember ",
    ];
    let owner = tail.strip_suffix(b"?")?;
    if OTHERS
        .iter()
        .any(|w| memchr::memmem::find(head, w).is_some())
    {
        return None;
    }
    let plain = |b: &u8| b.is_ascii_alphanumeric() || b" -_.@'".contains(b);
    if !owner.iter().all(plain) {
        return None;
    }
    let blank = usize::from(text.get(next) == Some(&b'\n'));
    let mut at = blanks(text, next + blank);
    let rest = text.get(at..)?;
    let marks = rest.iter().take(4).take_while(|b| b" >-*".contains(b));
    at += marks.count();
    let rest = text.get(at..)?;
    let who = rest.iter().take(24);
    let who = who.take_while(|b| b.is_ascii_alphabetic()).count();
    if who > 0 && rest.get(who..)?.starts_with(b": ") {
        at += who + 2;
    }
    let rest = text.get(at..)?;
    let says = SAYS.iter().find(|says| rest.starts_with(says));
    Some(at + says.map_or(0, |says| says.len()))
}

/// Whether a line asks for a name's value, and whether the answer may stand without quotes.
fn asks(head: &[u8]) -> Option<bool> {
    const PROMPTS: [&[u8]; 8] = [
        b"$ ",
        b">>> ",
        b"In [",
        b"irb",
        b"(Pdb) ",
        b"(gdb) ",
        b"127.0.0.1:",
        b"redis",
    ];
    let head = head.trim_ascii_start();
    // What git answers are its own numbers.
    let git = memchr::memmem::find(head, b"git ").is_some();
    if PROMPTS.iter().any(|p| head.starts_with(p)) {
        return (!git).then_some(true);
    }
    // A key of a store, as it is answered.
    if head.starts_with(b"/") && !head.iter().any(u8::is_ascii_whitespace) {
        return Some(true);
    }
    let listed = head
        .strip_suffix(b") \"")
        .is_some_and(|n| n.iter().all(u8::is_ascii_digit));
    (listed || head.starts_with(b"> ")).then_some(false)
}

/// After what marks an answer: `=> `, `Out[3]: `, `2) `.
fn answered(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or(&[]);
    let digits = rest
        .iter()
        .take(4)
        .take_while(|b| b.is_ascii_digit())
        .count();
    let len = match rest {
        [b'=', b'>', b' ', ..] => 3,
        // A debugger's: `$1 = 0x55d0c8 "…"`.
        [b'$', b'0'..=b'9', ..] => rest.iter().take(32).position(|b| *b == b'"').unwrap_or(0),
        [b'O', b'u', b't', b'[', ..] => {
            let close = rest.iter().take(12).position(|b| *b == b':');
            close.map_or(0, |n| n + 2)
        }
        _ if digits > 0 && rest.get(digits..).is_some_and(|r| r.starts_with(b") ")) => digits + 2,
        _ => 0,
    };
    at + len
}
