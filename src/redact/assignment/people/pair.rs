//! `ID/PW: harry/…`: two labels, a sign, two values in the same order.

use super::super::super::rules::rules;
use super::super::super::value;
use super::super::operator::spaces;
use super::judge::{self, Strength};
use super::labels::Meaning;
use super::separators::{Sign, between, sign};
use super::{Label, labels, line_before, word};
use std::ops::Range;

/// How far labels reach before a password's label, in bytes.
const BEFORE: usize = 48;

/// The password of the pair whose second or first label this is.
pub(super) fn find(text: &[u8], label: &Label) -> Option<(Range<usize>, Strength)> {
    let Label { range, meaning } = label;
    let before = line_before(text, range.start, BEFORE);
    match meaning {
        Meaning::Login => return login(text, range.end),
        Meaning::Secret => return None,
        Meaning::Password => {}
    }
    let user_first = is_after_user(before);
    let user_next = || user_after(text, range.end);
    let end = match user_first {
        true => range.end,
        false => user_next()?,
    };
    let (end, more) = past_more(text, end);
    let end = past_owner(text, end);
    let (set, first) = cell(text, before, end).or_else(|| sign(text, end))?;
    let user = user_value(text, first)?;
    let (joint, second) = between(text, user.end)?;
    if set == Sign::Dash && is_path(before) {
        return None;
    }
    let stop: &[u8] = if more { b"/" } else { b"" };
    let found = match user_first {
        true => word(text, second, stop),
        false => user.clone(),
    };
    let other = match user_first {
        true => text.get(user)?,
        false => text.get(word(text, second, b""))?,
    };
    let known = is_words(other) || other.is_empty();
    let bytes = text.get(found.clone())?;
    // `User:ada Password:… Port:5432`: the next setting.
    let label = bytes.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let setting = label > 1 && matches!(bytes.get(label), Some(b':' | b'='));
    let alike = judge::stem(bytes) == judge::stem(other) || setting;
    if joint == Sign::Bracket && !closes(text, found.end) || known || alike {
        return None;
    }
    let strength = judge::strength(bytes)?;
    let loose = set == Sign::Blank && joint == Sign::Blank;
    let fits = match strength {
        Strength::Random | Strength::Phrase => !loose || ends_line(text, found.end),
        Strength::Chosen => !loose || ends_line(text, found.end) && is_begun(before),
    };
    fits.then_some((found, strength))
}

/// Whether an account's label and a joint stand before: `ID/`, `user & `, `(ID&`, `ID(`.
fn is_after_user(before: &[u8]) -> bool {
    const JOINTS: [&str; 12] = [
        " and ", " und ", " y ", " et ", " e ", " / ", " & ", " ", "／", "・", "、", "/",
    ];
    let Some(last) = before.last() else {
        return false;
    };
    let one = matches!(last, b'&' | b',' | b':' | b'(' | b'|' | b'+' | b'-');
    let joint = JOINTS.iter().find(|j| before.ends_with(j.as_bytes()));
    let len = match joint {
        Some(joint) => joint.len(),
        None if one => 1,
        None => return false,
    };
    let head = before.get(..before.len() - len).unwrap_or(&[]);
    let head = head.strip_suffix(b",").unwrap_or(head);
    labels::user_ending(head).is_some()
}

/// `PW/ID`: where the account's label ends that follows a password's.
fn user_after(text: &[u8], at: usize) -> Option<usize> {
    let gap = spaces(text, at, 1);
    let joint = matches!(text.get(gap)?, b'/' | b'&' | b',' | b'|');
    let user = spaces(text, gap + 1, 1);
    let rest = text.get(user..)?;
    let len = labels::user_beginning(rest).filter(|_| joint)?;
    Some(user + len)
}

/// Past further labels, such as a port's, and the bracket that holds the labels.
fn past_more(text: &[u8], from: usize) -> (usize, bool) {
    let mut at = from;
    for _ in 0..2 {
        let rest = text.get(at..).unwrap_or(&[]);
        let len = rest
            .iter()
            .skip(1)
            .take(12)
            .take_while(|b| b.is_ascii_alphabetic())
            .count();
        if rest.first() != Some(&b'/') || len < 2 {
            break;
        }
        at += 1 + len;
    }
    let more = at > from;
    let closed = matches!(text.get(at), Some(b')' | b']' | b'`' | b'*'));
    let signed = |at: usize| matches!(text.get(spaces(text, at, 2)), Some(b':' | b'=' | b'-'));
    if closed && signed(at + 1) {
        at += 1;
    }
    (at, more)
}

/// Past `for staging`, if a sign follows.
fn past_owner(text: &[u8], from: usize) -> usize {
    const OF: [&str; 13] = [
        " for ", " of ", " to ", " in ", " on ", " für ", " de ", " pour ", " zum ", " zur ",
        " vom ", " auf ", " am ",
    ];
    let rest = text.get(from..).unwrap_or(&[]);
    let Some(of) = OF.iter().find(|o| rest.starts_with(o.as_bytes())) else {
        return from;
    };
    let owner = rest.get(of.len()..).unwrap_or(&[]);
    let len = owner
        .iter()
        .take(40)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b' '))
        .count();
    let len = owner.get(..len).unwrap_or(owner).trim_ascii_end().len();
    let end = from + of.len() + len;
    let sign = text.get(spaces(text, end, 2));
    match sign {
        Some(b':' | b'(' | b'=') => end,
        _ => from,
    }
}

/// The name of an account: `harry`, `harry@example.org`.
fn user_value(text: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let user = |b: &&u8| b.is_ascii_alphanumeric() || b"_-.@+!#$%".contains(b) || !b.is_ascii();
    let len = rest.iter().take(64).take_while(user).count();
    (len > 0).then_some(at..at + len)
}

/// `| id/pw | harry / … |`
fn cell(text: &[u8], before: &[u8], at: usize) -> Option<(Sign, usize)> {
    let bar = spaces(text, at, 40);
    let row = before.trim_ascii_start().starts_with(b"|");
    (row && text.get(bar) == Some(&b'|')).then(|| (Sign::Plain, spaces(text, bar + 1, 40)))
}

/// `login: harry / …`, `creds are harry:…`
fn login(text: &[u8], at: usize) -> Option<(Range<usize>, Strength)> {
    if let Some(found) = on_lines(text, at) {
        return Some(found);
    }
    let at = past_owner(text, at);
    let (set, first) = sign(text, at)?;
    // `log in as harry / …`
    let head = text.get(..at)?;
    let said = head.ends_with(b" as") || head.ends_with(b" with") || text.get(at) == Some(&b' ');
    if set != Sign::Plain && !(said && set == Sign::Blank) {
        return None;
    }
    let user = user_value(text, first)?;
    let joint = text.get(spaces(text, user.end, 2));
    let joined = matches!(joint, Some(b'/' | b':' | b'`' | b','));
    let with = || {
        let rest = text.get(user.end..)?;
        let with = [&b" with "[..], b" using ", b" and "]
            .into_iter()
            .find(|w| rest.starts_with(w));
        let with = with.or_else(|| said.then_some(&b" "[..]).filter(|w| rest.starts_with(w)));
        with.map(|w| (Sign::Plain, user.end + w.len()))
    };
    let joint = between(text, user.end).filter(|_| joined).or_else(with)?;
    let (Sign::Plain, second) = joint else {
        return None;
    };
    let second = second + usize::from(matches!(text.get(second), Some(b'"' | b'\'' | b'`')));
    let found = word(text, second, b"");
    let bytes = text.get(found.clone())?;
    let user_end = user.end;
    let other = text.get(user)?;
    let alike = judge::stem(bytes) == judge::stem(other) || is_words(other);
    let strength = judge::strength(bytes).filter(|_| !alike)?;
    // `the login page section12`
    let loose = set == Sign::Blank && second == user_end + 1;
    let told = !loose || strength == Strength::Random || value::classes(bytes) >= 3;
    (told && ends_line(text, found.end)).then_some((found, strength))
}

/// `here are the creds:⏎harry⏎…`: two lines, each of one word.
fn on_lines(text: &[u8], at: usize) -> Option<(Range<usize>, Strength)> {
    let rest = text.get(at..)?;
    let colon = usize::from(rest.first() == Some(&b':'));
    let mut lines = rest
        .get(colon..)?
        .strip_prefix(b"\n")?
        .splitn(3, |b| *b == b'\n');
    let (user, secret) = (lines.next()?, lines.next()?.trim_ascii_end());
    let whole = user_value(user, 0)?.len() == user.trim_ascii_end().len();
    let start = at + colon + 1 + user.len() + 1;
    let found = word(text, start, b"");
    let strength = judge::strength(secret).filter(|_| whole && found.len() == secret.len())?;
    Some((found, strength))
}

/// Words that are no account's name: labels, verbs, what a form says of itself.
fn is_words(word: &[u8]) -> bool {
    const SAID: [&str; 12] = [
        "see", "is", "are", "in", "via", "auth", "return", "the", "must", "not", "http", "https",
    ];
    let low = String::from_utf8_lossy(word).to_ascii_lowercase();
    SAID.contains(&low.as_str()) || rules().names.harmless.contains(&low) && !labels::is_user(word)
}

fn is_path(before: &[u8]) -> bool {
    let slashes = before.iter().filter(|b| **b == b'/').count();
    slashes > 1 || before.contains(&b'.')
}

/// Whether only one label stands before on the line.
fn is_begun(before: &[u8]) -> bool {
    let word = |b: &&u8| b.is_ascii_alphabetic();
    before.iter().filter(word).count() <= 10
}

fn closes(text: &[u8], at: usize) -> bool {
    matches!(text.get(at), Some(b')' | b']'))
}

pub(super) fn ends_line(text: &[u8], at: usize) -> bool {
    let rest = text.get(at..).unwrap_or(&[]);
    let close = rest
        .iter()
        .take(4)
        .take_while(|b| b")].,;`\"'*|!".contains(b))
        .count();
    let rest = rest.get(close..).unwrap_or(&[]);
    let gap = rest.iter().take(4).take_while(|b| **b == b' ').count();
    matches!(
        rest.get(gap),
        None | Some(b'\n' | b'\r' | b'\\' | b'<' | b'(' | b'#' | 0x80..)
    )
}
