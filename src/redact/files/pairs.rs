//! Names and values on one line: `NAME=value`, `"name": "value"` many times over, cells of a table.

use super::is_figures;
use crate::redact::lines;
use crate::redact::rules::rules;
use crate::redact::{assignment, value};
use std::ops::Range;

/// A name and its value on a line.
pub(super) type Pair = (Range<usize>, Range<usize>);

/// The most pairs of one line.
const MOST: usize = 4096;

/// All names and values of a line that are worth hiding by themselves.
pub(super) fn pairs(line: &[u8]) -> Vec<Pair> {
    let mut all = quoted(line);
    if all.is_empty() {
        all = listed(line);
    }
    if all.is_empty() {
        return value_of(line).into_iter().collect();
    }
    let worth = |(name, found): &Pair| {
        let bytes = |range: &Range<usize>| line.get(range.clone()).unwrap_or(&[]);
        is_worth_hiding(bytes(found)) || is_chosen(bytes(name), bytes(found))
    };
    all.into_iter().filter(worth).collect()
}

/// A number that a password's name makes a password.
pub(super) fn is_chosen(name: &[u8], found: &[u8]) -> bool {
    const PINS: [&str; 4] = ["pin", "otp", "passcode", "puk"];
    let last = || assignment::words(name).pop().unwrap_or_default();
    is_figures(found) && (assignment::says_password(name) || PINS.contains(&last().as_str()))
}

/// `"name": "value"`, `'name': 'value'`, as often as they stand there.
fn quoted(line: &[u8]) -> Vec<Pair> {
    let blank = |at: usize| {
        let rest = line.get(at..).unwrap_or(&[]).iter();
        at + rest.take_while(|b| matches!(b, b' ' | b'\t')).count()
    };
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(open) = memchr::memchr2(b'"', b'\'', line.get(at..).unwrap_or(&[])) {
        let start = at + open + 1;
        let Some(quote) = line.get(start - 1) else {
            break;
        };
        let Some(len) = memchr::memchr(*quote, line.get(start..).unwrap_or(&[])) else {
            at = start;
            continue;
        };
        let sign = blank(start + len + 1);
        if let Some(pair) = assigned(line, start..start + len).filter(|_| found.len() < MOST) {
            found.push(pair);
            at = start + len + 1;
            continue;
        }
        if line.get(sign) != Some(&b':') || len == 0 || len > 200 || found.len() == MOST {
            at = start + len.min(line.len());
            continue;
        }
        let value = blank(sign + 1);
        let range = match line.get(value) {
            Some(b'{' | b'[') | None => value..value,
            Some(q @ (b'"' | b'\'')) if matches!(line.get(value + 1), Some(b'{' | b'[')) => {
                let _ = q;
                value..value
            }
            Some(q @ (b'"' | b'\'')) => value + 1..closing(line, value + 1, *q),
            Some(_) => {
                let rest = line.get(value..).unwrap_or(&[]);
                let end = |b: &u8| matches!(b, b',' | b'}' | b']' | b' ' | b'\r');
                value..value + rest.iter().position(end).unwrap_or(rest.len())
            }
        };
        at = range.end.max(value) + usize::from(range.end > range.start);
        found.push((start..start + len, range));
    }
    found
}

/// `NAME=value` as a whole string or word.
fn assigned(line: &[u8], word: Range<usize>) -> Option<Pair> {
    let text = line.get(word.clone())?;
    let constant = |b: &&u8| b.is_ascii_uppercase() || b.is_ascii_digit() || **b == b'_';
    let name = text.iter().take_while(constant).count();
    let fits = name >= 2 && text.get(name) == Some(&b'=') && !text.first()?.is_ascii_digit();
    fits.then(|| {
        (
            word.start..word.start + name,
            word.start + name + 1..word.end,
        )
    })
}

/// `[A=b C=d]`, `Environment=A=b C=d`: nothing but assignments, more than one.
fn listed(line: &[u8]) -> Vec<Pair> {
    let start = gutter(line);
    let body = line.get(start..).unwrap_or(&[]);
    let led = [&b"Environment="[..], b"["]
        .iter()
        .find(|l| body.starts_with(l))
        .map_or(0, |l| l.len());
    let (mut found, mut at) = (Vec::new(), start + led);
    for word in body.get(led..).unwrap_or(&[]).split(|b| *b == b' ') {
        let end = at + word.strip_suffix(b"]").unwrap_or(word).len();
        match assigned(line, at..end) {
            Some(pair) if found.len() < MOST => found.push(pair),
            _ if word.is_empty() => {}
            _ => return Vec::new(),
        }
        at += word.len() + 1;
    }
    if found.len() < 2 { Vec::new() } else { found }
}

/// Where a quoted value ends: at a quote that something of the syntax follows.
fn closing(line: &[u8], from: usize, quote: u8) -> usize {
    let rest = line.get(from..).unwrap_or(&[]);
    let ends = |at: &usize| {
        let after = rest.get(at + 1..).unwrap_or(&[]).trim_ascii_start();
        matches!(
            after.first(),
            None | Some(b',' | b'}' | b']' | b'"' | b'\'' | b';' | b')' | b'|')
        )
    };
    let mut all = memchr::memchr_iter(quote, rest);
    from + all.find(ends).unwrap_or(rest.len())
}

/// What may stand before a name.
const PREFIXES: [&[u8]; 14] = [
    b"",
    b"<",
    b"setx",
    b"-",
    b"export",
    b"set",
    b"declare -x",
    b"\"",
    b"'",
    b"{",
    b"{\"",
    b"+",
    b"$",
    b"- \"",
];

/// The name and the value of `NAME=value`, `export NAME="value"`, `name: value`,
/// `"name": "value"`, `- name: value`, `define('NAME', 'value')`, in whatever gutter.
pub(super) fn value_of(line: &[u8]) -> Option<Pair> {
    let calls = [&b"define("[..], b"define ("];
    let define = calls
        .iter()
        .find_map(|call| memchr::memmem::find(line, call).map(|at| at + call.len()));
    let sign = |b: &u8| match define {
        Some(_) => *b == b',',
        None => matches!(b, b'=' | b':'),
    };
    let begin = define.unwrap_or_else(|| gutter(line));
    // What stands before the first sign names it; a registry's address holds colons itself.
    let head = line.get(begin..)?;
    let address = head.starts_with(b"//");
    // `Smtp:Pass = value`
    let spaced = memchr::memmem::find(head, b" = ")
        .filter(|at| !head.get(..*at).unwrap_or(&[]).trim_ascii().contains(&b' '));
    let first = || {
        head.iter()
            .position(|b| if address { *b == b'=' } else { sign(b) })
    };
    // `host:port:database:user:password`
    let columns = head.iter().filter(|b| **b == b':').count() == 4
        && !head
            .iter()
            .any(|b| b.is_ascii_whitespace() || matches!(b, b'=' | b'"' | b'/'));
    let last = || head.iter().rposition(|b| *b == b':').filter(|_| columns);
    let spaced = spaced.map(|at| at + 1).or_else(last);
    let at = begin + spaced.filter(|_| define.is_none()).or_else(first)?;
    let quote = |b: &u8| matches!(b, b'"' | b'\'');
    let named = line.get(begin..at)?.trim_ascii_end();
    let end = begin + named.len() - usize::from(named.last().is_some_and(quote));
    let named = line.get(begin..end)?;
    let gap = named
        .iter()
        .rposition(|b| b.is_ascii_whitespace() || quote(b));
    let (before, word) = named.split_at_checked(gap.map_or(0, |n| n + 1))?;
    let known = PREFIXES.contains(&before.trim_ascii()) || define.is_some();
    if !known || word.starts_with(b"#") || !word.last()?.is_ascii_alphanumeric() {
        return None;
    }
    let padded = |b: &&u8| matches!(b, b' ' | b'"' | b'\'' | b'\t');
    let start = at + 1 + line.get(at + 1..)?.iter().take_while(padded).count();
    let start = start + address_of(line.get(start..)?);
    let rest = line.get(start..)?;
    let tail = rest
        .iter()
        .rev()
        .take_while(|b| {
            matches!(
                b,
                b' ' | b'"' | b'\'' | b',' | b'\r' | b'}' | b'\t' | b';' | b')'
            )
        })
        .count();
    let found = rest.get(..rest.len() - tail)?;
    // A URL names no value.
    let url = line.get(at) == Some(&b':') && found.starts_with(b"//");
    let worth = !url && (is_worth_hiding(found) || is_chosen(word, found));
    worth.then(|| (end - word.len()..end, start..start + found.len()))
}

/// A debugger's `0x55d0c8 "`: how long it is, before the text that stands there.
fn address_of(rest: &[u8]) -> usize {
    let digits = |rest: &[u8]| rest.iter().take_while(|b| b.is_ascii_hexdigit()).count();
    let hex = rest.strip_prefix(b"0x").map_or(0, digits);
    let quoted = hex > 0
        && rest
            .get(hex + 2..)
            .is_some_and(|rest| rest.starts_with(b" \""));
    if quoted { hex + 4 } else { 0 }
}

/// Where a line's own text begins: after numbers and marks, and who wrote it (`git blame`).
pub(super) fn gutter(line: &[u8]) -> usize {
    let at = lines::gutter(line, 0).min(line.len());
    let rest = line.get(at..).unwrap_or(&[]);
    let blame = || {
        let open = rest.iter().take(60).position(|b| *b == b'(')?;
        let hash = rest
            .get(..open)?
            .iter()
            .take_while(|b| b.is_ascii_hexdigit() || **b == b'^');
        let close = rest.iter().take(160).position(|b| *b == b')')?;
        let numbered = rest.get(..close)?.last()?.is_ascii_digit();
        (hash.count() >= 7 && numbered && open < close).then_some(at + close + 2)
    };
    blame().map_or(at, |after| after.min(line.len()))
}

/// Numbers, switches, placeholders and references say nothing.
pub(super) fn is_worth_hiding(found: &[u8]) -> bool {
    let plain = rules().is_default_password(found);
    let number = found.len() < 8 && found.iter().all(|b| b.is_ascii_digit() || *b == b'.');
    let opening = matches!(found.first(), None | Some(b'{' | b'[' | b'$' | b'<'));
    let opening = opening && !value::holds_random(found);
    let anchor = matches!(found, [b'&' | b'*', rest @ ..] if rest.iter().all(|b| b.is_ascii_lowercase() || matches!(b, b'_' | b'-')));
    found.len() >= 4 && !anchor && !plain && !number && !opening && !value::is_placeholder(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_go_and_names_stay() {
        let hidden = |line: &str| value_of(line.as_bytes()).map(|(_, r)| line[r].to_owned());
        for (line, value) in [
            ("DB_HOST=db-prod-7.local", "db-prod-7.local"),
            ("  \"token\": \"abc-def\",", "abc-def"),
            ("     3→export PW='kranich'", "kranich"),
            ("+PW=kranich", "kranich"),
            (
                "^1a2b3c4d (A B 2026-01-02 10:00:00 +0000 1) PW=kranich",
                "kranich",
            ),
            ("//registry.x.org/:_authToken=kranich", "kranich"),
            ("define('DB_PASSWORD', 'kranich');", "kranich"),
            ("password: kranich", "kranich"),
            ("PW=1234567", "1234567"),
            ("DB_PASS=12345678", "12345678"),
            ("DB_PASSWORD=20231122", "20231122"),
            ("SMTP_PASS=4711", "4711"),
        ] {
            assert_eq!(hidden(line).as_deref(), Some(value), "{line}");
        }
        for line in [
            "PORT=8080",
            "TOKEN_TTL=3600",
            "PASSWORD_MIN_LENGTH=1024",
            "DEBUG=true",
            "KEY=${OTHER}",
            "test result: passed",
        ] {
            assert_eq!(hidden(line), None, "{line}");
        }
    }

    #[test]
    fn one_line_holds_many() {
        let line = r#"{"a": "kranich", "b": {"c":"storch x", "n": 48151623, "d": "q"}}"#;
        let all = pairs(line.as_bytes());
        let values: Vec<_> = all.into_iter().map(|(_, r)| &line[r]).collect();
        assert_eq!(values, ["kranich", "storch x", "48151623"]);
    }
}
