//! How a value is written: in quotes, alone on a line, in an environment file; that says how surely
//! it is a text and no code.

use super::super::lines;
use super::super::value;
use super::operator::Operator;
use super::prose;
use super::reading::Value;
use std::ops::Range;

/// How a value is written, beside what it is.
pub(super) struct Written {
    pub operator: Operator,
    /// In quotes, or after a name in capitals: `PASSWORD=Summer2024`; no code is written so.
    pub quoted: bool,
    pub place: Place,
    /// After `=`, `:=` and their like, or as the second argument of a call; not after a colon.
    pub assigned: bool,
    /// After a sign of equality, and not as an argument.
    pub equated: bool,
    /// Whether the name ends with `secret`: nothing else in code is called so, as tokens are.
    pub called_secret: bool,
}

/// How surely a value is a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub(super) enum Place {
    /// It may be code, or one text of a list.
    Code,
    /// Alone at the end of a line or before a space.
    Alone,
    /// In quotes, an element, after `name=` without a space.
    Text,
    /// `export NAME=…`, `--option …`, `PASSWORD '…'`: nothing but a value can stand here.
    Certain,
}

pub(super) fn written(
    text: &[u8],
    name: &Range<usize>,
    operator: Operator,
    found: &Value,
) -> Written {
    let between = text.get(name.end..found.range.start).unwrap_or(&[]);
    let bytes = text.get(name.clone()).unwrap_or(&[]);
    let capitals = is_capitals(bytes);
    Written {
        operator,
        quoted: found.quoted
            || (operator == Operator::Equals && between.starts_with(b"=") && capitals),
        place: place(text, name, operator, found),
        assigned: between.iter().any(|b| matches!(b, b'=' | b',')),
        equated: between.contains(&b'=') && !between.contains(&b','),
        called_secret: bytes
            .last_chunk::<6>()
            .is_some_and(|end| end.eq_ignore_ascii_case(b"secret")),
    }
}

fn place(text: &[u8], name: &Range<usize>, operator: Operator, found: &Value) -> Place {
    let between = text.get(name.end..found.range.start).unwrap_or(&[]);
    let bytes = text.get(name.clone()).unwrap_or(&[]);
    let next = text.get(found.range.end);
    let head = text
        .get(name.start.saturating_sub(32)..name.start)
        .unwrap_or(&[]);
    let opened = head.iter().rev().take_while(|b| !matches!(b, b')' | b'\n'));
    let enclosed = next == Some(&b')')
        && opened.clone().any(|b| *b == b'(')
        && (head.ends_with(b"(") || opened.into_iter().any(|b| *b == b'/'))
        && value::digits(text.get(found.range.clone()).unwrap_or(&[])) >= 2;
    let alone =
        enclosed || next.is_none_or(|b| b.is_ascii_whitespace() || matches!(b, b'<' | b'"' | b'`'));
    if is_environment(text, name, between, found)
        || operator == Operator::Space && is_whole_option(text, name, found)
        || is_login(text, name, between, found)
        || operator == Operator::Element && is_small_word(text, name, found)
    {
        Place::Certain
    } else if found.quoted
        || matches!(operator, Operator::Element | Operator::Space)
        || between == b"="
        || is_default(text, name)
        || is_setting(text, name, between, found)
    {
        Place::Text
    } else if (alone
        || operator == Operator::Is
        || operator == Operator::With && next == Some(&b')'))
        && (!bytes.eq_ignore_ascii_case(b"pass")
            || operator == Operator::With
            || follows_user(text, name))
    {
        Place::Alone
    } else {
        Place::Code
    }
}

/// `machine h login u password sunshine`, `setPassword("sunshine")`, `DB_PASSWORD: sunshine`.
fn is_login(text: &[u8], name: &Range<usize>, between: &[u8], found: &Value) -> bool {
    let bytes = text.get(found.range.clone()).unwrap_or(&[]);
    let name_bytes = text.get(name.clone()).unwrap_or(&[]);
    let small = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    if bytes.len() < 6 || !bytes.iter().all(small) {
        return false;
    }
    match between {
        b" " => prose::follows_machine(text, name) && ends_word(text, found),
        b"(\"" | b"('" => {
            let last = name_bytes.rsplit(|b| *b == b'.').next();
            let end = text.get(found.range.end + 1);
            matches!(
                last,
                Some(b"setPassword" | b"set_password" | b"withPassword")
            ) && end == Some(&b')')
        }
        b": " | b": \"" | b": '" | b"\": \"" | b"\":\"" => {
            let end = found.range.end + usize::from(found.quoted);
            let ends = matches!(text.get(end), None | Some(b'\n' | b'\r'))
                || found.quoted && matches!(text.get(end), Some(b',' | b'}' | b' '));
            ends && is_variable(name_bytes)
        }
        _ => false,
    }
}

/// `DB_PASSWORD`: the name of an environment's variable, and none of a message or an action.
pub(super) fn is_variable(name: &[u8]) -> bool {
    const TELLS: [&[u8]; 22] = [
        b"RESET",
        b"FORGOT",
        b"CHANGE",
        b"INVALID",
        b"WRONG",
        b"NEW",
        b"CONFIRM",
        b"ENTER",
        b"UPDATE",
        b"MISSING",
        b"NO",
        b"SHOW",
        b"HIDE",
        b"BAD",
        b"INCORRECT",
        b"WEAK",
        b"SET",
        b"CREATE",
        b"REQUIRE",
        b"ERR",
        b"ERROR",
        b"FIELD",
    ];
    let variable = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
    name.contains(&b'_')
        && name.iter().all(variable)
        && !name.split(|b| *b == b'_').any(|word| TELLS.contains(&word))
}

/// `<password>sunshine</password>`; a label begins with a capital, and a table's cell says anything.
fn is_small_word(text: &[u8], name: &Range<usize>, found: &Value) -> bool {
    if !text.get(..name.start).is_some_and(|t| t.ends_with(b"<")) {
        return false;
    }
    let bytes = text.get(found.range.clone()).unwrap_or(&[]);
    bytes.iter().all(u8::is_ascii_lowercase)
}

/// `client_secret: kettle91` or `X-Api-Key: kettle91` on a line of its own.
fn is_setting(text: &[u8], name: &Range<usize>, between: &[u8], found: &Value) -> bool {
    let bytes = text.get(found.range.clone()).unwrap_or(&[]);
    let before = text.get(name.start.saturating_sub(40)..name.start);
    let before = before.unwrap_or(&[]);
    let line = lines::last(before);
    let line = line.trim_ascii_start();
    let line = line.strip_prefix(b"- ").unwrap_or(line);
    // `profile::db::password: …`
    let path = line.ends_with(b"::")
        && line
            .iter()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':'));
    let begins = line.is_empty() || line == b"-" || path;
    let ends = matches!(text.get(found.range.end), None | Some(b'\n' | b'\r'));
    let sign = between.first() == Some(&b':') && between.iter().skip(1).all(|b| *b == b' ');
    begins
        && ends
        && sign
        && between.len() >= 2
        && bytes.len() >= 8
        && bytes.iter().all(u8::is_ascii_alphanumeric)
        && value::digits(bytes) >= 2
}

/// `${DB_PASSWORD:-…}`.
fn is_default(text: &[u8], name: &Range<usize>) -> bool {
    text.get(..name.start).is_some_and(|t| t.ends_with(b"${"))
}

/// `user: bob pass: …`.
fn follows_user(text: &[u8], name: &Range<usize>) -> bool {
    let before = text.get(name.start.saturating_sub(40)..name.start);
    let before = before.unwrap_or(&[]).to_ascii_lowercase();
    [
        b"user".as_slice(),
        b"login",
        b"mail",
        b"wifi",
        b"wi-fi",
        b"wlan",
        b"ssid",
    ]
    .iter()
    .any(|w| memchr::memmem::find(&before, w).is_some())
}

fn is_capitals(name: &[u8]) -> bool {
    name.iter().all(|b| !b.is_ascii_lowercase())
}

/// `DB_PASSWORD=…` on a line of its own, in a list of variables, or before a command.
fn is_environment(text: &[u8], name: &Range<usize>, between: &[u8], found: &Value) -> bool {
    let bytes = text.get(name.clone()).unwrap_or(&[]);
    let opened = matches!(between, b"=" | b"=\"" | b"='");
    let before = name.start.checked_sub(1).and_then(|at| text.get(at));
    let begins = before.is_none_or(|b| {
        b.is_ascii_whitespace()
            || matches!(b, b'"' | b'\'' | b'`' | b'+' | b'-' | b'|' | b'>')
            || !b.is_ascii()
    });
    opened
        && begins
        && is_capitals(bytes)
        && (bytes.len() >= 4 || bytes == b"KEY")
        && !bytes.contains(&b'-')
        && ends_word(text, found)
}

/// Nothing of the same word follows.
fn ends_word(text: &[u8], found: &Value) -> bool {
    let end = found.range.end + usize::from(found.quoted);
    let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'`' | b';' | b'\\');
    text.get(end).is_none_or(ends) || text.get(end..).is_some_and(|rest| rest.starts_with(b"</"))
}

/// `--password …` where the command ends or goes on with the next option; `ENV NAME …`.
fn is_whole_option(text: &[u8], name: &Range<usize>, found: &Value) -> bool {
    let bytes = text.get(name.clone()).unwrap_or(&[]);
    let end = found.range.end + usize::from(found.quoted);
    let rest = text.get(end..).unwrap_or(&[]);
    let after = rest.strip_prefix(b" ").unwrap_or(rest);
    let ends = after.first().is_none_or(|b| {
        matches!(
            b,
            b'\n' | b'\r' | b'-' | b'|' | b'&' | b';' | b'>' | b'\\' | b'"' | b'\'' | b'`'
        )
    });
    let before = text
        .get(name.start.saturating_sub(8)..name.start)
        .unwrap_or(&[]);
    let constant = before.ends_with(b"#define ");
    let option = bytes.starts_with(b"--") || is_capitals(bytes) && !constant;
    ends && option
}
