//! Passwords in command lines: `curl -u user:pw`, `mysql -ppw`, `echo pw | sudo -S`; a `.pgpass`
//! line; what protocols and scripts send.

mod arguments;
mod call;
mod calls;
mod dsn;
mod hosted;
mod judge;
mod listed;
mod piped;
mod sent;
mod system;
mod table;
mod told;
mod words;

pub(super) use arguments::{arguments, string};
pub(super) use call::quoted;
pub(super) use sent::sent;

use super::anchors::Anchor;
use super::assignment::names_a_password;
use super::header;
use super::lines;
use super::rules::Rule;
use super::scan::Scan;
use super::value;
use judge::{is_chance, is_of_person, is_password, is_word};
use piped::{here, pgpass, piped};
use std::ops::Range;
use table::{COMMANDS, How};
use words::{
    Glue, clustered, each, halved, is_option, named, options, sets, share, slashed, split_at, words,
};
pub(super) use words::{joined, word};

/// How far a command's password may stand from its name, in bytes.
const REACH: usize = 400;

/// What the calls begin with whose secret is told by its place: anchors of their rule.
pub(super) fn calls() -> impl Iterator<Item = &'static str> {
    calls::names()
}

/// What the commands begin with, as they are typed and as items of a list: the anchors of their
/// rule.
pub(super) fn names() -> impl Iterator<Item = String> {
    let typed = COMMANDS.iter().map(|(name, _)| (*name).to_owned());
    typed.chain(listed::names())
}

/// The anchor is a command and a space, or the port of a `.pgpass` line.
pub(super) fn find(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    let name = scan.bytes(anchor.start..anchor.end);
    if name.starts_with(b":") {
        if scan.was_read(anchor.rule, anchor.start) {
            return;
        }
        let (line, found) = pgpass(scan.text, anchor.start);
        scan.has_read(anchor.rule, line.end);
        match found {
            Some(range) if is_word(scan.bytes(range.clone())) => scan.hide(range, rule.id.as_str()),
            Some(range) => hide(scan, rule, range),
            None => {}
        }
        return;
    }
    if !scan.is_start(anchor.start) {
        return;
    }
    let known = COMMANDS.iter().find(|(n, _)| n.as_bytes() == name);
    if known.is_none() {
        return in_list(scan, rule, anchor);
    }
    let line = anchor.end..own_end(scan.text, anchor);
    // Behind it stands another command.
    let next = memchr::memchr3(b'|', b';', b'&', scan.bytes(line.clone()));
    let next = next.map_or(line.end, |at| line.start + at);
    for how in known.map_or(&[][..], |(_, hows)| hows) {
        for range in places(scan.text, *how, anchor.start, &line) {
            let free = takes_words(*how) && range.start <= next;
            if !scan.commanded.insert((range.clone(), free)) {
                continue;
            }
            let whole = range.start..joined(scan.text, &word_of(scan.text, &line, &range));
            if free && is_free_word(scan.bytes(range.clone())) {
                scan.hide(whole, rule.id.as_str());
            } else if is_password(scan.bytes(range)) {
                scan.hide_and_remember(whole, rule.id.as_str());
            }
        }
    }
}

/// The anchor is a command's first word as an item of a list: what is known of the command holds
/// for its items.
fn in_list(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    if scan.was_read(anchor.rule, anchor.start) {
        return;
    }
    let Some(list) = listed::line(scan, &(anchor.start..anchor.end)) else {
        return;
    };
    scan.has_read(anchor.rule, list.end);
    let text = &list.bytes;
    let begins = |name: &str| text.starts_with(name.as_bytes());
    for (name, hows) in COMMANDS.iter().filter(|(name, _)| begins(name)) {
        let line = name.len()..text.len();
        for how in *hows {
            for range in places(text, *how, 0, &line) {
                let Some(range) = list.of(&range) else {
                    continue;
                };
                if takes_words(*how) && is_word(scan.bytes(range.clone())) {
                    scan.hide(range, rule.id.as_str());
                } else {
                    hide(scan, rule, range);
                }
            }
        }
    }
}

/// `curl -u …:`: a key that is a user without a password.
fn keyed(body: &[u8], word: &Range<usize>, sign: char) -> Option<Range<usize>> {
    let user = body
        .get(word.clone())?
        .strip_suffix(&[u8::try_from(sign).ok()?])?;
    is_chance(user).then(|| word.start..word.start + user.len())
}

/// Whether what is written into `base64` is a password, or stands for one.
fn turned(text: &[u8], range: &Range<usize>, options: &[u8]) -> bool {
    let written = text.get(range.clone()).unwrap_or(&[]);
    let back = [&b" -d"[..], b" -D", b" --decode"];
    let is = |secret: &[u8]| {
        value::is_password(secret, true) && value::classes(secret) >= 3
            || value::is_chosen(secret, true) && !value::is_wordy(secret)
            || is_chance(secret)
    };
    match back.iter().any(|option| options.starts_with(option)) {
        true => {
            let plain = value::base64(written);
            plain.iter().all(u8::is_ascii_graphic)
                && (is(&plain) || is_of_person(&plain) || is_word(&plain))
        }
        false => is(written),
    }
}

fn hide(scan: &mut Scan<'_>, rule: &'static Rule, range: Range<usize>) {
    let secret = scan.bytes(range.clone());
    if scan.commanded.insert((range.clone(), false)) && is_password(secret) {
        scan.hide_and_remember(range, rule.id.as_str());
    }
}

/// The piece of a word that a place in it ends with: what it is quoted by stands before the word.
fn word_of(text: &[u8], line: &Range<usize>, range: &Range<usize>) -> Range<usize> {
    let head = text.get(line.start..range.start).unwrap_or(&[]);
    let edge = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'');
    let from = head.iter().rposition(edge).map_or(0, |n| n + 1);
    line.start + from..range.end
}

/// Whether what stands there is a password even if it is a word. The words of a command that are
/// told by their place may be a sentence's.
fn takes_words(how: How) -> bool {
    matches!(
        how,
        How::After(_)
            | How::Glued(_)
            | How::Pair(..)
            | How::Cluster(..)
            | How::LastPair(_)
            | How::FirstPair(_)
            | How::Sets
            | How::Named
            | How::Source(_)
            | How::Slash
            | How::Piped
    )
}

/// A word that is a password where it stands, in the same command as its name.
fn is_free_word(found: &[u8]) -> bool {
    // `-password` is an option of its own.
    !found.starts_with(b"assw") && is_word(found)
}

fn line_end(text: &[u8], from: usize) -> usize {
    let rest = text.get(from..).unwrap_or(&[]);
    from + lines::joined_end(rest.get(..REACH).unwrap_or(rest))
}

/// Where a command's own words end: at its line's end, or where the same command begins again.
fn own_end(text: &[u8], anchor: &Anchor) -> usize {
    let end = line_end(text, anchor.end);
    let name = text.get(anchor.start..anchor.end).unwrap_or(&[]);
    let body = text.get(anchor.end..end).unwrap_or(&[]);
    let begins = |n: &usize| {
        let before = n.checked_sub(1).and_then(|n| body.get(n));
        before.is_none_or(|b| b.is_ascii_whitespace() || b";|&(\"'`:=".contains(b))
    };
    let again = memchr::memmem::find_iter(body, name).find(begins);
    again.map_or(end, |n| anchor.end + n)
}

fn places(text: &[u8], how: How, start: usize, line: &Range<usize>) -> Vec<Range<usize>> {
    let body = text.get(line.clone()).unwrap_or(&[]);
    let shift = |range: Range<usize>| line.start + range.start..line.start + range.end;
    let one = |range: Option<Range<usize>>| range.map(shift).into_iter().collect();
    match how {
        How::After(flags) => options(body, flags, Glue::No).map(shift).collect(),
        How::Glued(flags) => options(body, flags, Glue::Yes).map(shift).collect(),
        How::Pair(flags, sign) => options(body, flags, Glue::Either)
            .filter_map(|word| keyed(body, &word, sign).or_else(|| split_at(body, word, sign)))
            .map(shift)
            .collect(),
        How::Cluster(letter, sign) => clustered(body, letter)
            .filter_map(|word| split_at(body, word, sign))
            .map(shift)
            .collect(),
        How::Source(flags) => options(body, flags, Glue::No)
            .filter(|word| {
                body.get(word.clone())
                    .is_some_and(|w| w.starts_with(b"pass:"))
            })
            .map(|word| shift(word.start + 5..word.end))
            .collect(),
        How::Cookies(flags) => options(body, flags, Glue::No)
            .flat_map(|word| header::session_values(body, word))
            .map(shift)
            .collect(),
        How::Word(nth) => {
            let word = words(body).filter(|w| !is_option(body, w)).nth(nth - 1);
            // `wpa_passphrase and wpa_cli`: another program.
            let program = |w: &Range<usize>| {
                let word = body.get(w.clone()).unwrap_or(&[]);
                word.contains(&b'_') && value::digits(word) == 0 && value::is_name_like(word)
            };
            one(word.filter(|w| !program(w)))
        }
        How::Last => one(words(body).last()),
        How::LastPair(sign) => {
            let last = words(body).last();
            one(last.and_then(|word| split_at(body, word, sign)))
        }
        How::Sets => sets(body).into_iter().map(shift).collect(),
        How::Named => one(named(body)),
        How::LastWith(flags) => {
            let given = flags.iter().any(|f| body.starts_with(f.as_bytes()));
            one(words(body).last().filter(|_| given))
        }
        How::Turned => {
            let written = piped(text, start + "| ".len());
            written
                .filter(|r| turned(text, r, body))
                .into_iter()
                .collect()
        }
        How::Chance(nth) => {
            let word = words(body).filter(|w| !is_option(body, w)).nth(nth - 1);
            one(word.filter(|w| body.get(w.clone()).is_some_and(is_chance)))
        }
        How::Each => each(body).into_iter().map(shift).collect(),
        How::FirstPair(sign) => {
            let first = words(body).next();
            one(first.and_then(|word| split_at(body, word, sign)))
        }
        How::Key(flags) => {
            let chance = |w: &Range<usize>| body.get(w.clone()).is_some_and(is_chance);
            let given = options(body, flags, Glue::No).filter(chance);
            given.map(shift).collect()
        }
        How::Slash => {
            let word = words(body).next();
            one(word.and_then(|word| slashed(body, word.clone()).or_else(|| halved(body, word))))
        }
        How::Share => one(share(body)),
        How::Piped => {
            let before = piped(text, start);
            before.into_iter().chain(here(body).map(shift)).collect()
        }
    }
}

#[cfg(test)]
mod tests;
