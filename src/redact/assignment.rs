//! A name, an operator, a value: `DB_PASSWORD=…`, `"token": "…"`, `--password …`, `<pw>…</pw>`.
//!
//! The name says how strictly the value is judged; only the value is hidden.

use super::anchors::Anchor;
use super::rules::{Rule, rules};
use super::scan::Scan;
use super::value;
use std::ops::Range;

/// The longest name looked at, on either side of the anchor, in bytes.
const NAME: usize = 48;
/// A value longer than this is read once only, in bytes.
const LONG: usize = 256;
/// The longest value, in bytes.
const VALUE: usize = 1024;

/// What a name says of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Password,
    Secret,
    Weak,
}

/// A value and how it is written.
struct Value {
    range: Range<usize>,
    quoted: bool,
}

/// What stands between a name and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    /// `=`, `:` and their like.
    Equals,
    /// A space, after `--name` or `ENV NAME`.
    Space,
    /// `>` of an element.
    Element,
    /// `is`, in a sentence.
    Is,
}

/// How a value is written, beside what it is.
struct Written {
    operator: Operator,
    /// In quotes, or after a name in capitals: `PASSWORD=Summer2024`; no code is written so.
    quoted: bool,
    /// A text, surely no name of something in code.
    literal: Literal,
}

/// How surely a value is a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Literal {
    /// It may be code, or one text of a list.
    Unsure,
    /// Alone at the end of a line or before a space.
    Alone,
    /// In quotes, an element, after `name=` without a space, or an option.
    Sure,
}

pub(super) fn find(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    if anchor.end <= scan.assigned {
        return;
    }
    let name = name_around(scan.text, anchor);
    scan.assigned = name.end;
    let Some((operator, at)) = operator(scan.text, &name) else {
        return;
    };
    let Some(kind) = kind(scan.bytes(name.clone())).map(|k| spaced_kind(scan.text, &name, k))
    else {
        return;
    };
    if is_harmless_here(scan.text, &name, kind) {
        return;
    }
    let Some(found) = read(scan.text, at, operator) else {
        return;
    };
    let bytes = scan.bytes(found.range.clone());
    let written = written(scan.text, &name, operator, &found);
    // Names inside a long value are not looked at again, so that work stays linear.
    let long = bytes.len() > LONG;
    if judge(bytes, kind, &written) {
        scan.assigned = found.range.end;
        let certain = kind != Kind::Weak && bytes.len() >= 8;
        if certain {
            scan.hide_and_remember(found.range, rule.id.as_str());
        } else {
            scan.hide(found.range, rule.id.as_str());
        }
    } else if long {
        scan.assigned = found.range.end;
    }
}

fn written(text: &[u8], name: &Range<usize>, operator: Operator, found: &Value) -> Written {
    let between = text.get(name.end..found.range.start).unwrap_or(&[]);
    let name = text.get(name.clone()).unwrap_or(&[]);
    let capitals = name.iter().all(|b| !b.is_ascii_lowercase());
    let listed = between.contains(&b',');
    let alone = text
        .get(found.range.end)
        .is_none_or(|b| b.is_ascii_whitespace() || matches!(b, b'<' | b'"' | b'`'));
    let pass = name.eq_ignore_ascii_case(b"pass");
    let sure = found.quoted && !listed
        || matches!(operator, Operator::Element | Operator::Space)
        || between == b"=";
    Written {
        operator,
        quoted: found.quoted
            || (operator == Operator::Equals && between.starts_with(b"=") && capitals),
        literal: if sure {
            Literal::Sure
        } else if (alone || operator == Operator::Is) && !listed && !pass {
            Literal::Alone
        } else {
            Literal::Unsure
        },
    }
}

/// `api key is …`: two words.
fn spaced_kind(text: &[u8], name: &Range<usize>, kind: Kind) -> Kind {
    let api = name
        .start
        .checked_sub(4)
        .and_then(|at| text.get(at..name.start))
        .is_some_and(|before| before.eq_ignore_ascii_case(b"api "));
    if api && kind == Kind::Weak {
        Kind::Secret
    } else {
        kind
    }
}

/// `cache key: …` and a test's `PASS: …` are harmless; what follows `://` is a URL's to judge.
fn is_harmless_here(text: &[u8], name: &Range<usize>, kind: Kind) -> bool {
    let at = name.start;
    let before = text.get(at.saturating_sub(24)..at).unwrap_or(&[]);
    let verdict = text.get(at..).is_some_and(|t| t.starts_with(b"PASS:"));
    if verdict || before.ends_with(b"://") {
        return true;
    }
    let Some(line) = before.strip_suffix(b" ").filter(|_| kind == Kind::Weak) else {
        return false;
    };
    let word = line
        .rsplit(|b| !b.is_ascii_alphabetic())
        .next()
        .unwrap_or(&[]);
    let word = String::from_utf8_lossy(word).to_ascii_lowercase();
    rules().names.harmless.contains(&word)
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

fn name_around(text: &[u8], anchor: &Anchor) -> Range<usize> {
    let before = text.get(..anchor.start).unwrap_or(&[]);
    let after = text.get(anchor.end..).unwrap_or(&[]);
    let back = before
        .iter()
        .rev()
        .take(NAME)
        .take_while(|b| is_name_byte(**b))
        .count();
    let on = after
        .iter()
        .take(NAME)
        .take_while(|b| is_name_byte(**b))
        .count();
    let mut range = anchor.start - back..anchor.end + on;
    while range.end > anchor.end
        && !text
            .get(range.end - 1)
            .is_some_and(u8::is_ascii_alphanumeric)
    {
        range.end -= 1;
    }
    range
}

/// The words of a name, in small letters: camelCase, snake_case and kebab-case come apart.
fn words(name: &[u8]) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for (n, byte) in name.iter().enumerate() {
        let lower_before = n > 0
            && name
                .get(n - 1)
                .is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        let lower_after = name.get(n + 1).is_some_and(u8::is_ascii_lowercase)
            && n > 0
            && name.get(n - 1).is_some_and(u8::is_ascii_uppercase);
        let breaks = byte.is_ascii_uppercase() && (lower_before || lower_after);
        if (breaks || !byte.is_ascii_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if byte.is_ascii_alphanumeric() {
            word.push(char::from(byte.to_ascii_lowercase()));
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// What a name says of its value, if anything.
pub(super) fn kind(name: &[u8]) -> Option<Kind> {
    let names = &rules().names;
    let mut words = words(name);
    // A number at the end counts accounts, not meanings: `password_2`, `token1`.
    for word in &mut words {
        word.truncate(word.trim_end_matches(|c: char| c.is_ascii_digit()).len());
    }
    words.retain(|w| !w.is_empty());
    let last = words.last()?;
    let has = |list: &[String]| words.iter().any(|w| list.contains(w));
    if names.harmless.contains(last) || words.first().is_some_and(|w| w == "no" || w == "public") {
        return None;
    }
    let pairs: Vec<String> = words.windows(2).map(|w| w.concat()).collect();
    let ends = |list: &[String]| list.iter().any(|w| last.ends_with(w.as_str()));
    let paired = |list: &[String]| pairs.iter().any(|p| list.contains(p));
    if has(&names.harmless)
        && !has(&names.password)
        && !paired(&names.secret)
        && !has(&names.secret)
    {
        return None;
    }
    if has(&names.password) || ends(&names.password) {
        Some(Kind::Password)
    } else if has(&names.secret) || ends(&names.secret) || paired(&names.secret) {
        Some(Kind::Secret)
    } else {
        has(&names.weak).then_some(Kind::Weak)
    }
}

/// The operator after a name, and where the value begins.
fn operator(text: &[u8], name: &Range<usize>) -> Option<(Operator, usize)> {
    let mut at = name.end;
    let closed = matches!(text.get(at), Some(b'"' | b'\'' | b'`'));
    at += usize::from(closed);
    if matches!(text.get(at), Some(b']')) {
        at += 1;
    }
    let gap = spaces(text, at, 16);
    let rest = text.get(gap..).unwrap_or(&[]);
    for sign in ["===", "!==", "=>", ":=", "==", "!=", "?=", "||=", "="] {
        if rest.starts_with(sign.as_bytes()) {
            let value = spaces(text, gap + sign.len(), 16);
            let compares = matches!(sign, "==" | "!=" | "===" | "!==");
            let literal = matches!(text.get(value), Some(b'"' | b'\'' | b'`'));
            return (!compares || literal).then_some((Operator::Equals, value));
        }
    }
    match rest.first() {
        Some(b':') if rest.get(1) == Some(&b':') => None,
        Some(b':') => Some((Operator::Equals, after_colon(text, gap + 1))),
        Some(b',') if closed => Some((Operator::Equals, spaces(text, gap + 1, 16))),
        Some(b'|') if is_cell(text, name.start) && gap > at => {
            Some((Operator::Equals, spaces(text, gap + 1, 16)))
        }
        Some(b'>') if text.get(..name.start)?.last() == Some(&b'<') => {
            Some((Operator::Element, gap + 1))
        }
        _ if gap == at => None,
        _ => spaced(text, name, gap, rest),
    }
}

/// Whether a table's cell begins here.
fn is_cell(text: &[u8], at: usize) -> bool {
    let before = text.get(at.saturating_sub(40)..at).unwrap_or(&[]);
    let before = before.trim_ascii_end();
    before.ends_with(b"|") || before.ends_with(b"|`") || before.ends_with(b"| `")
}

/// After a colon: a type annotation (`: &str =`) is skipped.
fn after_colon(text: &[u8], at: usize) -> usize {
    let value = spaces(text, at, 16);
    let rest = text.get(value..).unwrap_or(&[]);
    let kind = rest
        .iter()
        .take(24)
        .take_while(|b| {
            b.is_ascii_alphanumeric()
                || matches!(b, b'&' | b'_' | b'<' | b'>' | b'\'' | b':' | b'?')
        })
        .count();
    let equals = spaces(text, value + kind, 4);
    let typed = kind > 0
        && equals > value + kind
        && text.get(equals) == Some(&b'=')
        && text.get(equals + 1) == Some(&b' ');
    if typed {
        spaces(text, equals + 1, 16)
    } else {
        value
    }
}

/// A name and a space: an option, `ENV NAME value`, `password is …`, a netrc line.
fn spaced(text: &[u8], name: &Range<usize>, at: usize, rest: &[u8]) -> Option<(Operator, usize)> {
    let before = text
        .get(name.start.saturating_sub(40)..name.start)
        .unwrap_or(&[]);
    let first = text.get(name.start)?;
    if *first == b'-' {
        return Some((Operator::Space, at));
    }
    if matches!(rest.first(), Some(b'"' | b'\''))
        && kind(text.get(name.clone())?) == Some(Kind::Password)
    {
        return Some((Operator::Space, at));
    }
    if let Some(value) = after_verb(text, at) {
        return Some((Operator::Is, value));
    }
    let line = before.rsplit(|b| *b == b'\n').next().unwrap_or(before);
    let env = [
        "ENV ", "ARG ", "setenv ", "setx ", "set -gx ", "set -x ", "set ",
    ]
    .iter()
    .any(|w| line.ends_with(w.as_bytes()));
    let netrc = memchr::memmem::find(before, b"login ").is_some()
        || memchr::memmem::find(before, b"machine ").is_some();
    let body = memchr::memmem::find(line, b"secret set ").is_some() && rest.starts_with(b"--body ");
    if body {
        return Some((Operator::Space, at + b"--body ".len()));
    }
    (env || netrc).then_some((Operator::Space, at))
}

/// After `is`, `was set to`, `has been changed to:` and their like.
fn after_verb(text: &[u8], from: usize) -> Option<usize> {
    const WORDS: [&[u8]; 14] = [
        b"is", b"ist", b"lautet", b"was", b"has", b"been", b"set", b"to", b"now", b"changed",
        b"reset", b"will", b"be", b"should",
    ];
    if text.get(from..)?.starts_with(b"to ") {
        return None;
    }
    let mut at = from;
    for _ in 0..5 {
        let rest = text.get(at..)?;
        let len = rest
            .iter()
            .take(10)
            .take_while(|b| b.is_ascii_alphabetic())
            .count();
        let word = rest.get(..len)?;
        if !WORDS.contains(&word) || !matches!(rest.get(len), Some(b' ' | b':')) {
            break;
        }
        at = spaces(
            text,
            at + len + usize::from(rest.get(len) == Some(&b':')),
            4,
        );
    }
    (at > from).then_some(at)
}

fn spaces(text: &[u8], at: usize, most: usize) -> usize {
    let rest = text.get(at..).unwrap_or(&[]);
    at + rest
        .iter()
        .take(most)
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count()
}

/// The value that begins here.
fn read(text: &[u8], at: usize, operator: Operator) -> Option<Value> {
    let start = match text.get(at..)? {
        [b'f' | b'b' | b'r' | b'@' | b'$', b'"' | b'\'', ..] => at + 1,
        _ => at,
    };
    let rest = text.get(start..)?;
    let rest = rest.get(..VALUE).unwrap_or(rest);
    match rest.first()? {
        quote @ (b'"' | b'\'' | b'`') => {
            let body = rest.get(1..)?;
            let len = body.iter().position(|b| b == quote || *b == b'\n')?;
            (body.get(len) == Some(quote)).then(|| Value {
                range: start + 1..start + 1 + len,
                quoted: true,
            })
        }
        _ if operator == Operator::Element => {
            let len = rest.iter().position(|b| matches!(b, b'<' | b'\n'))?;
            Some(Value {
                range: start..start + len,
                quoted: true,
            })
        }
        _ => {
            let len = unquoted(rest);
            Some(Value {
                range: start..start + len,
                quoted: false,
            })
        }
    }
}

/// The length of a value without quotes: up to a space, a quote, or what joins it to the next.
fn unquoted(rest: &[u8]) -> usize {
    let end = rest
        .iter()
        .position(|b| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'`' | 0))
        .unwrap_or(rest.len());
    let run = rest.get(..end).unwrap_or(rest);
    let joint = (1..run.len())
        .find(|at| joins(run, *at))
        .unwrap_or(run.len());
    let mut len = joint;
    while len > 0
        && matches!(
            run.get(len - 1),
            Some(b',' | b';' | b')' | b'}' | b']' | b'.' | b'|' | b'<' | b'>' | b':')
        )
    {
        len -= 1;
    }
    len
}

/// `&name=`, `?name=`, `;name=`, `,name=`, `</tag`.
fn joins(run: &[u8], at: usize) -> bool {
    let Some(byte) = run
        .get(at)
        .filter(|b| matches!(b, b'&' | b';' | b'<' | b',' | b'?'))
    else {
        return false;
    };
    let rest = run.get(at + 1..).unwrap_or(&[]);
    if *byte == b'<' {
        return rest.first() == Some(&b'/');
    }
    let name = rest
        .iter()
        .take(40)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
        .count();
    (name > 0 && matches!(rest.get(name), Some(b'=' | b':')))
        || (*byte == b'&' && rest.first() == Some(&b'&'))
}

fn judge(found: &[u8], kind: Kind, written: &Written) -> bool {
    if rules()
        .default_passwords
        .iter()
        .any(|p| p.as_bytes().eq_ignore_ascii_case(found))
    {
        return false;
    }
    let strong = |found: &[u8]| value::is_password(found, false) && value::classes(found) >= 3;
    let chosen = || is_chosen(found, kind, written);
    match (kind, written.operator) {
        (Kind::Password, Operator::Is) => strong(found) && found.len() >= 8 || chosen(),
        (Kind::Secret, Operator::Is) => value::is_secret(found) && strong(found) || chosen(),
        (Kind::Weak, Operator::Is) => value::is_secret(found) && strong(found),
        (Kind::Password, _) => {
            value::is_password(found, written.quoted)
                || value::is_secret(found)
                || is_coded(found)
                || chosen()
        }
        (Kind::Secret, _) => value::is_secret(found) || is_coded(found) || chosen(),
        (Kind::Weak, _) => value::is_certainly_random(found),
    }
}

/// Letters and digits that may read like a name, but stand where only a secret can.
fn is_chosen(found: &[u8], kind: Kind, written: &Written) -> bool {
    let (least, needed) = match kind {
        Kind::Password => (6, Literal::Alone),
        Kind::Secret if written.operator == Operator::Is => (8, Literal::Alone),
        Kind::Secret => (6, Literal::Sure),
        Kind::Weak => return false,
    };
    let joints = kind == Kind::Password && written.literal == Literal::Sure;
    // `is 12chars long`
    let figures = found.iter().take_while(|b| b.is_ascii_digit()).count();
    let counts = figures > 0 && value::digits(found) == figures;
    found.len() >= least
        && written.literal >= needed
        && !(written.operator == Operator::Is && counts)
        && value::is_chosen(found, joints)
        && !is_name(found)
        && !(kind == Kind::Secret && names_a_token(found))
}

/// `MYTOKEN1`, `imdsv2sessiontoken`: glued words that end with what a secret is called.
fn names_a_token(found: &[u8]) -> bool {
    let bare = found.to_ascii_lowercase();
    let tail = bare.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let stem = bare.get(..bare.len() - tail.min(4)).unwrap_or(&bare);
    let called = |w: &String| w.len() >= 5 && stem.ends_with(w.as_bytes());
    rules().names.secret.iter().any(called)
}

/// `newPassword2`, `token1`, `user_id3`: what a name's words name, numbered.
fn is_name(found: &[u8]) -> bool {
    let names = &rules().names;
    let words = words(found);
    words.last().is_some_and(|last| {
        let bare = last
            .trim_end_matches(|c: char| c.is_ascii_digit())
            .to_owned();
        last.len() <= bare.len() + 4
            && [
                &names.password,
                &names.secret,
                &names.weak,
                &names.harmless,
                &rules().default_passwords,
            ]
            .iter()
            .any(|list| list.contains(&bare))
    })
}

/// Base64 of a password, as in a Kubernetes secret.
fn is_coded(found: &[u8]) -> bool {
    let decoded = value::base64(found);
    found.len() >= 12
        && found.len().is_multiple_of(4)
        && decoded.len() + 2 >= found.len() / 4 * 3
        && decoded.iter().all(u8::is_ascii_graphic)
        && value::is_password(&decoded, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_they_hold() {
        for (name, meant) in [
            ("DB_PASSWORD", Some(Kind::Password)),
            ("dbPassword2", Some(Kind::Password)),
            ("PGPASSWORD", Some(Kind::Password)),
            ("apiKey", Some(Kind::Secret)),
            ("x-api-key", Some(Kind::Secret)),
            ("SECRET_KEY_BASE", Some(Kind::Secret)),
            ("client-key-data", Some(Kind::Secret)),
            ("key", Some(Kind::Weak)),
            ("token_type", None),
            ("max_tokens", None),
            ("public_key", None),
            ("password_hash_algorithm", None),
            ("keyboard", None),
        ] {
            assert_eq!(kind(name.as_bytes()), meant, "{name}");
        }
    }
}
