//! How random a value is, and whether that is enough for how it is linked to its name.

use super::super::super::value;
use super::super::code;
use super::super::harmless;
use super::super::names::Kind;
use super::super::operator::Operator;
use super::super::reading::Value;
use super::super::written::{Place, Written};
use super::link::Link;
use super::run;

/// Whether a value is random enough.
pub(super) fn is_enough(text: &[u8], found: &Value, kind: Kind, link: Link) -> bool {
    let bytes = text.get(found.range.clone()).unwrap_or(&[]);
    let firm = found.quoted || link == Link::Below || run::is_enclosed(text, found);
    let random = if value::is_hex(bytes) || code::ends_with_uuid(bytes) {
        firm && link != Link::Line
    } else {
        is_token(bytes, if firm || link == Link::Close { 16 } else { 20 })
            || is_password(bytes, kind, firm, link)
            || firm && is_noise(bytes)
    };
    let written = Written {
        operator: Operator::Beside,
        quoted: found.quoted,
        place: Place::Code,
        assigned: false,
        equated: false,
        called_secret: false,
    };
    // What it may be besides takes longest to tell.
    random
        && (value::is_secret(bytes) || is_noise(bytes))
        && !is_named(bytes)
        && !is_sealed(text, found)
        && !harmless::is_harmless(text, found, bytes, &written)
}

/// `ENC(…)`, as Jasypt writes what it encrypted.
fn is_sealed(text: &[u8], found: &Value) -> bool {
    let before = text.get(..found.range.start).unwrap_or(&[]);
    before.ends_with(b"ENC(") && text.get(found.range.end) == Some(&b')')
}

/// Capitals, small letters and figures in no order that words have.
fn is_token(bytes: &[u8], least: usize) -> bool {
    let parts = bytes.split(|b| !b.is_ascii_alphanumeric());
    bytes.len() >= least
        // A UUID's last part has twelve.
        && parts.map(<[u8]>::len).max().unwrap_or(0) > 12
        && value::is_certainly_random_token(bytes)
        && !code::is_identifier(bytes)
        && !code::is_path(bytes)
}

/// What a generator or a careful person makes of all kinds of bytes.
fn is_password(bytes: &[u8], kind: Kind, firm: bool, link: Link) -> bool {
    let mark = bytes.iter().any(|b| b"!@#$%^&*?=+~".contains(b));
    let least = match link {
        _ if mark => 8,
        Link::Line => 12,
        Link::Close | Link::Below => 10,
    };
    (least..=64).contains(&bytes.len())
        && kind == Kind::Password
        && (mark || bytes.iter().all(u8::is_ascii_alphanumeric))
        && value::classes(bytes) >= if firm { 3 } else { 4 }
        && value::is_password(bytes, false)
}

/// Long, with marks and figures in no order, also without capitals.
fn is_noise(bytes: &[u8]) -> bool {
    let marks = bytes
        .iter()
        .filter(|b| b"!@#$%^&*?=+~(){}[]<>|;,".contains(b));
    value::is_noise(bytes)
        || (24..=128).contains(&bytes.len())
            && marks.count() >= 4
            && value::digits(bytes) >= 3
            && value::entropy(bytes) >= 4.0
            && bytes.iter().all(u8::is_ascii_graphic)
            && !code::is_expression(bytes)
            && !value::is_reference(bytes)
            && !value::is_placeholder(bytes)
}

/// An address, a version, a query, what stands between two strings: it has figures and is no
/// secret.
fn is_named(bytes: &[u8]) -> bool {
    let holds = |what: &[u8]| memchr::memmem::find(bytes, what).is_some();
    let sums = [
        &b"sha1-"[..],
        b"sha256",
        b"sha384",
        b"sha512",
        b"h1:",
        b"md5",
    ];
    let sum = sums.iter().any(|sum| bytes.starts_with(sum));
    let coded = sum || holds(b"==") && !bytes.ends_with(b"==") || holds(b"&#");
    coded
        || is_address(bytes)
        || bytes.len() > 36 && code::ends_with_uuid(bytes)
        || is_query(bytes)
        || is_between_strings(bytes)
        || is_ticket(bytes)
        || is_short(bytes)
        || is_tree(bytes)
}

/// `man/pt_BR/man1/*`, `**/a/*.rs`: files by a pattern.
fn is_tree(bytes: &[u8]) -> bool {
    let plain = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    let word = |w: &[u8]| w.is_empty() || w.iter().all(plain) && value::is_wordy(w);
    bytes.contains(&b'*')
        && bytes.iter().filter(|b| **b == b'/').count() >= 2
        && bytes.split(|b| matches!(b, b'/' | b'*')).all(word)
}

/// `bob2@mail.local`, `name@^1.2.0`.
fn is_address(bytes: &[u8]) -> bool {
    let at = bytes.iter().rposition(|b| *b == b'@');
    let host = at.and_then(|at| bytes.get(at + 1..)).unwrap_or(&[]);
    let host = host
        .strip_prefix(b"^")
        .or(host.strip_prefix(b"~"))
        .unwrap_or(host);
    let fits = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-');
    host.contains(&b'.') && host.iter().all(fits)
}

fn is_query(bytes: &[u8]) -> bool {
    bytes.contains(&b'&') && bytes.contains(&b'=') && !bytes.iter().any(|b| b"!#^*%".contains(b))
}

fn is_between_strings(bytes: &[u8]) -> bool {
    bytes.first().is_some_and(|b| b",;)]}+=&?".contains(b))
        && bytes.iter().skip(1).any(|b| b"=([:".contains(b))
}

/// `docker/notary#906`
fn is_ticket(bytes: &[u8]) -> bool {
    let number = bytes.rsplit(|b| *b == b'#').next().unwrap_or(&[]);
    number.len() < bytes.len() && bytes.contains(&b'/') && number.iter().all(u8::is_ascii_digit)
}

/// Of many short parts: a version, a slug, a path; or as long as the ids of a swarm's things are.
fn is_short(bytes: &[u8]) -> bool {
    let id = bytes.len() == 25
        && bytes
            .iter()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    let parts = bytes.split(|b| !b.is_ascii_alphanumeric());
    id || parts.map(<[u8]>::len).max().unwrap_or(0) < 4
}
