//! What stands between a name and its value: `=`, `: `, a space after an option, `is`.

mod colon;
mod space;

use super::super::lines;
use super::super::{odds, phrase};
use super::apart;
use super::argv;
use super::compared;
use super::names::{Kind, kind, words};
use super::prose;
use colon::after_colon;
use space::spaced;
use std::ops::Range;

/// The most blanks around a sign: tools set the values of many names in one column.
const GAP: usize = 80;

/// What stands between a name and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    /// `=`, `:` and their like.
    Equals,
    /// A space, after `--name` or `ENV NAME`.
    Space,
    /// `>` of an element.
    Element,
    /// `is`, in a sentence.
    Is,
    /// A space, after `with password` and its like.
    With,
    /// A space and nothing else.
    Beside,
}

/// The operator after a name, and where the value begins.
pub(super) fn after(text: &[u8], name: &Range<usize>) -> Option<(Operator, usize)> {
    let (operator, value) = sign(text, name)?;
    (!is_user_first(text, name, value)).then_some((operator, value))
}

/// `creds: admin / …`: the first of the two is no secret; the pair is read elsewhere.
fn is_user_first(text: &[u8], name: &Range<usize>, value: usize) -> bool {
    let ends = |end: &[u8]| {
        let name = text.get(name.clone()).unwrap_or(&[]);
        let tail = name.len().checked_sub(end.len());
        let tail = tail.and_then(|at| name.get(at..));
        tail.is_some_and(|tail| tail.eq_ignore_ascii_case(end))
    };
    let pair = [b"creds".as_slice(), b"credentials", b"credential"];
    let rest = text.get(value..).unwrap_or(&[]);
    let user = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'@');
    let len = rest.iter().take(40).take_while(user).count();
    let after = rest.get(len..).unwrap_or(&[]);
    let between = [b" / ".as_slice(), b"/", b":"];
    pair.iter().any(|n| ends(n)) && len > 0 && between.iter().any(|s| after.starts_with(s))
}

fn sign(text: &[u8], name: &Range<usize>) -> Option<(Operator, usize)> {
    if let Some(item) = argv::next_item(text, name) {
        return Some((Operator::Equals, item));
    }
    let mut at = name.end;
    let closed = matches!(text.get(at), Some(b'"' | b'\'' | b'`'));
    at += usize::from(closed);
    if matches!(text.get(at), Some(b']')) {
        at += 1;
    }
    // `apikey[] = "…"`
    if text.get(at..).is_some_and(|rest| rest.starts_with(b"[]")) {
        at += 2;
    }
    if text.get(at..).is_some_and(|rest| rest.starts_with(b"**")) {
        at += 2;
    }
    let gap = spaces(text, at, GAP);
    let rest = text.get(gap..).unwrap_or(&[]);
    if rest.starts_with(b":-") && text.get(..name.start)?.ends_with(b"${") {
        return Some((Operator::Equals, gap + 2));
    }
    if let Some((len, compares)) = equals(rest) {
        let mut value = spaces(text, gap + len, GAP);
        if rest.starts_with(b"=>") && text.get(value) == Some(&b'\n') {
            value = spaces(text, value + 1, GAP);
        }
        return (!compares || is_text(text, value)).then_some((Operator::Equals, value));
    }
    if let Some(found) = other_sign(text, name, gap) {
        return Some(found);
    }
    // `<password value="…"/>`
    let tag = gap > at && text.get(..name.start)?.last() == Some(&b'<');
    if tag && (rest.starts_with(b"value=\"") || rest.starts_with(b"value='")) {
        return Some((Operator::Equals, gap + b"value=".len()));
    }
    if let Some(value) = in_element(text, name.start, at) {
        return Some((Operator::Element, value));
    }
    match rest.first() {
        Some(b':') if rest.get(1) == Some(&b':') => doubled(text, name, gap),
        Some(b':') => {
            let value = after_colon(text, gap + 1);
            Some(apart::next_line(text, value).unwrap_or((Operator::Equals, value)))
        }
        Some(b',') if closed && is_first_argument(text, name) => {
            let value = spaces(text, gap + 1, GAP);
            is_quote(text.get(value)).then_some((Operator::Equals, value))
        }
        Some(b',') if in_tuple(text, name.start, gap + 1) => {
            Some((Operator::Equals, spaces(text, gap + 1, GAP)))
        }
        Some(b'|') if is_cell(text, name.start) && gap > at => {
            Some((Operator::Equals, spaces(text, gap + 1, GAP)))
        }
        Some(b';') if closed && gap == at => {
            serialized(text, gap + 1).map(|value| (Operator::Equals, value))
        }
        Some(b'>') if text.get(..name.start)?.last() == Some(&b'<') => {
            (!is_hole(text, name, gap)).then_some((Operator::Element, gap + 1))
        }
        Some(b'(')
            if gap == at
                && matches!(rest.get(1), Some(b'"' | b'\''))
                && is_setter(text.get(name.clone())?) =>
        {
            Some((Operator::Equals, gap + 1))
        }
        // `std::string kSecret{"…"};`
        Some(b'{') if gap == at && rest.get(1) == Some(&b'"') => Some((Operator::Equals, gap + 1)),
        // `password { "…" }`, as factories of tests write it.
        Some(b'{') if gap == at + 1 && matches!(rest, [_, b' ', b'"' | b'\'', ..]) => {
            Some((Operator::Equals, gap + 2))
        }
        Some(b')') if gap == at => {
            compared::after(text, gap).map(|value| (Operator::Equals, value))
        }
        Some(b'(') if gap == at && text.get(gap + 1) == Some(&b')') => {
            // A getter's own parentheses.
            compared::after(text, gap + 2).map(|value| (Operator::Equals, value))
        }
        Some(b'(') if gap == at && is_noted(text, name, gap) => Some((Operator::Is, gap + 1)),
        // `password? …`
        Some(b'?') if gap == at && rest.get(1) == Some(&b' ') => Some((Operator::Is, gap + 2)),
        _ => {
            let found = (gap > at).then(|| spaced(text, name, gap, rest)).flatten();
            match found {
                Some((Operator::Beside | Operator::With, _)) | None => {
                    apart::find(text, name, at).or(found)
                }
                sure => sure,
            }
        }
    }
}

/// `"<password>"`, `://<user>:<password>@`: to be filled in, and no element that opens. `at` is
/// where the name closes.
fn is_hole(text: &[u8], name: &Range<usize>, at: usize) -> bool {
    let before = name.start.checked_sub(2).and_then(|at| text.get(at));
    let after = text.get(at + 1);
    is_quote(before) && before == after || before == Some(&b':') && after == Some(&b'@')
}

/// `<ns:password>…</`, `<password type="…">…</`: where the text of an element begins that is of a
/// namespace or has attributes, and ends on its line. `at` is where its name ends.
fn in_element(text: &[u8], name: usize, at: usize) -> Option<usize> {
    const TAG: usize = 200;
    let before = text.get(name.saturating_sub(24)..name)?;
    let prefix = before.iter().rposition(|b| *b == b'<')?;
    let prefix = before.get(prefix + 1..)?;
    let named = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    let spaced = match prefix.split_last() {
        None => false,
        Some((b':', head)) if !head.is_empty() && head.iter().all(named) => true,
        Some(_) => return None,
    };
    let rest = text.get(at..)?;
    let tag = rest.get(..TAG).unwrap_or(rest);
    let close = memchr::memchr3(b'>', b'<', b'\n', tag)?;
    let attributes = tag.get(..close)?;
    let opens = tag.get(close) == Some(&b'>') && attributes.last() != Some(&b'/');
    let has = attributes.first() == Some(&b' ') && attributes.contains(&b'=');
    let line = rest.get(close + 1..)?;
    let line = line.get(..memchr::memchr(b'\n', line).unwrap_or(line.len()))?;
    let ends = memchr::memchr(b'<', line).is_some_and(|end| line.get(end + 1) == Some(&b'/'));
    (opens && ends && (has || spaced && attributes.is_empty())).then_some(at + close + 1)
}

/// The length of a sign of equality that begins here, and whether it compares.
fn equals(rest: &[u8]) -> Option<(usize, bool)> {
    Some(match rest {
        [b'=' | b'!', b'=', b'=', ..] => (3, true),
        [b'=', b'>', ..] | [b':' | b'?', b'=', ..] => (2, false),
        [b'=' | b'!', b'=', ..] => (2, true),
        [b'|', b'|', b'=', ..] => (3, false),
        [b'=', ..] => (1, false),
        _ => return None,
    })
}

/// `::set-output name=NAME::…` of a build, `NAME:: …` of a list of terms.
fn doubled(text: &[u8], name: &Range<usize>, at: usize) -> Option<(Operator, usize)> {
    let line = text.get(name.start.saturating_sub(40)..name.start)?;
    let line = lines::last(line);
    let set = line.ends_with(b" name=") && memchr::memmem::find(line, b"::").is_some();
    let term = at == name.end && line.iter().all(|b| *b == b' ');
    let value = spaces(text, at + 2, 4);
    if set {
        Some((Operator::Equals, at + 2))
    } else {
        (term && value > at + 2).then_some((Operator::Is, value))
    }
}

/// `"name";s:12:"…"`, as PHP writes a map out: where the string begins.
fn serialized(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?.strip_prefix(b"s:")?;
    let digits = rest
        .iter()
        .take(6)
        .take_while(|b| b.is_ascii_digit())
        .count();
    rest.get(digits..)?
        .starts_with(b":\"")
        .then_some(at + 2 + digits + 1)
}

/// `{password, "…"}`, `{:password, <<"…">>}`.
fn in_tuple(text: &[u8], at: usize, after: usize) -> bool {
    let before = text.get(at.saturating_sub(2)..at).unwrap_or(&[]);
    let value = text.get(spaces(text, after, 4)..).unwrap_or(&[]);
    matches!(before, [.., b'{'] | [b'{', b':']) && matches!(value, [b'"' | b'<', ..])
}

/// `||` and `??` before a string; arrows, dashes and wide colons before anything.
fn other_sign(text: &[u8], name: &Range<usize>, at: usize) -> Option<(Operator, usize)> {
    let rest = text.get(at..)?;
    let or = match rest {
        [b'|', b'|', ..] | [b'?', b'?', ..] => 2,
        [b'o', b'r', b' ', ..] => 3,
        _ => 0,
    };
    let value = spaces(text, at + or, 4);
    if or > 0 && is_quote(text.get(value)) {
        return Some((Operator::Equals, value));
    }
    if !matches!(rest.first(), Some(b'<' | b'-' | b'(' | b'`' | 0x80..)) {
        return None;
    }
    if let Some(found) = prose::after_mark(text, at) {
        return Some(found);
    }
    let wide = ["＝", "<-"].iter().find(|s| rest.starts_with(s.as_bytes()));
    if let Some(sign) = wide {
        return Some((Operator::Equals, spaces(text, at + sign.len(), 4)));
    }
    let word = text.get(name.clone())?;
    if at == name.end || word.eq_ignore_ascii_case(b"pass") {
        return None;
    }
    let drawn = ["→", "->", "—", "–", "⟶", "➜", "➔", "⇒", "►", "⟹", "↦"]
        .iter()
        .find(|s| rest.starts_with(s.as_bytes()))
        .map(|s| s.len());
    let len = drawn.or_else(|| enclosed(rest))?;
    Some((Operator::Is, spaces(text, at + len, 4)))
}

/// How long the mark is before a value in parentheses or backticks, if it looks like one.
fn enclosed(rest: &[u8]) -> Option<usize> {
    let (close, len) = match rest.first()? {
        b'(' => (b')', 1),
        b'`' => (b'`', 0),
        _ => return None,
    };
    let body = rest.get(1..)?;
    let body = body.get(..body.iter().take(400).position(|b| *b == close)?)?;
    let word = body.iter().all(u8::is_ascii_graphic) && !body.starts_with(b"-");
    let odd = || body.len() >= 8 && odds::of(body) >= 6.0 || phrase::is_chosen(body);
    (word && (body.iter().any(u8::is_ascii_digit) || odd())).then_some(len)
}

/// `setPassword`, `withToken`, `password`: what follows in parentheses is the value.
fn is_setter(name: &[u8]) -> bool {
    const DOES: [&str; 18] = [
        "get", "is", "has", "check", "validate", "verify", "hash", "compare", "match", "encode",
        "encrypt", "reset", "forgot", "change", "generate", "parse", "test", "read",
    ];
    const COMPARE: [&[u8]; 4] = [b"equals", b"eq", b"equal", b"equalsIgnoreCase"];
    let dot = name.iter().rposition(|b| *b == b'.');
    let (owner, last) = dot.map_or((name, name), |dot| name.split_at(dot));
    let last = last.strip_prefix(b".").unwrap_or(last);
    if COMPARE.contains(&last) {
        return kind(owner) == Some(Kind::Password);
    }
    let words = words(last);
    let sets = matches!(words.first().map(String::as_str), Some("set" | "with"));
    sets || kind(last) == Some(Kind::Password)
        && words.first().is_some_and(|w| !DOES.contains(&w.as_str()))
}

/// `PASSWORD(24sz1ftpzfw)`, `pwd(meadow703)` in a note: a word in parentheses, and no call.
fn is_noted(text: &[u8], name: &Range<usize>, at: usize) -> bool {
    let rest = text.get(at + 1..).unwrap_or(&[]);
    let len = rest
        .iter()
        .take(64)
        .take_while(|b| b.is_ascii_graphic() && **b != b')')
        .count();
    let word = rest.get(..len).unwrap_or(rest);
    let called = matches!(
        rest.get(len + 1),
        Some(b';' | b'.' | b',' | b')' | b'(' | b'{' | b':')
    );
    let apart = |at: usize| {
        text.get(at)
            .is_none_or(|b| b.is_ascii_whitespace() || b"/(|,".contains(b))
    };
    word.len() >= 6
        && rest.get(len) == Some(&b')')
        && !called
        && name.start.checked_sub(1).is_none_or(apart)
        && word.iter().all(|b| !b"\"'`=,(".contains(b))
        && word.iter().filter(|b| b.is_ascii_digit()).count() >= 2
}

/// Whether a text in quotes begins here, also one with a letter before it: `f"…"`, `b'…'`.
fn is_text(text: &[u8], at: usize) -> bool {
    let letter = matches!(
        text.get(at),
        Some(b'f' | b'b' | b'r' | b'u' | b'L' | b'N' | b'@')
    );
    is_quote(text.get(at + usize::from(letter)))
}

fn is_quote(byte: Option<&u8>) -> bool {
    matches!(byte, Some(b'"' | b'\'' | b'`'))
}

/// `getenv("NAME", …`, `["--name", …`, `fill("#name", …`; not one name in a list of names.
fn is_first_argument(text: &[u8], name: &Range<usize>) -> bool {
    let option = text.get(name.clone()).is_some_and(|n| n.starts_with(b"--"));
    let before = text.get(name.start.saturating_sub(40)..name.start);
    let before = before.unwrap_or(&[]);
    let before = before.strip_suffix(b"#").unwrap_or(before);
    let Some((quote, before)) = before.split_last() else {
        return false;
    };
    let opens = before.trim_ascii_end().last() == Some(&b'(');
    is_quote(Some(quote)) && (opens || option)
}

/// Whether a table's cell begins here.
fn is_cell(text: &[u8], at: usize) -> bool {
    let before = text.get(at.saturating_sub(40)..at).unwrap_or(&[]);
    let before = before.trim_ascii_end();
    let begins = before.ends_with(b"|") || before.ends_with(b"|`") || before.ends_with(b"| `");
    begins || {
        // `| db password | …`
        let words = before.rsplit(|b| *b == b'|').next().unwrap_or(before);
        let plain = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b' ' | b'-');
        words.len() < before.len() && words.len() <= 16 && words.iter().all(plain)
    }
}

pub(super) fn spaces(text: &[u8], at: usize, most: usize) -> usize {
    let rest = text.get(at..).unwrap_or(&[]);
    at + rest
        .iter()
        .take(most)
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count()
}
