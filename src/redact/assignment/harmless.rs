//! What no name makes a secret: a number, a well-known word, code, a list of settings.

mod made;

use super::super::camel;
use super::super::phrase;
use super::super::rules::rules;
use super::super::value;
use super::code;
use super::lookalike;
use super::names::{split, words};
use super::operator::Operator;
use super::reading::Value;
use super::written::{Place, Written};
use made::{is_chain_address, is_class_of_module, is_colour, is_element_of_style, is_guid};

/// Whether a value is none of a secret, whatever its name. `bytes` is all of it.
pub(super) fn is_harmless(text: &[u8], found: &Value, bytes: &[u8], written: &Written) -> bool {
    // Most of what has no quotes is code, and that is told soonest.
    if !found.quoted && is_code(text, found, written) {
        return true;
    }
    // `sk-ant-...`: the beginning of a sample.
    let rest = text.get(found.range.end..).unwrap_or(&[]);
    let begun = matches!(bytes.last(), Some(b'-' | b'_')) && rest.starts_with(b"...");
    let begun = begun && !value::holds_random(bytes) || is_beginning(bytes);
    let certain = written.place == Place::Certain;
    // `String!`, `string?`: types.
    let plain = bytes.strip_suffix(b"!").or(bytes.strip_suffix(b"?"));
    let plain = plain.unwrap_or(bytes);
    let known = rules().is_default_password(plain);
    let digits = certain && bytes.iter().all(u8::is_ascii_digit);
    let named = plain.len() < bytes.len() && value::digits(plain) == 0;
    let typed = !found.quoted && named && words(plain).len() > 1 && value::is_name_like(plain);
    known
        || begun
        || is_masked(bytes)
        || is_colour(bytes)
        || is_entry(bytes)
        || typed
        || code::is_number(bytes) && !digits
        || code::is_escapes(bytes)
        || is_chain_address(bytes)
        || code::is_file_of_id(bytes)
        || lookalike::is_described(bytes)
        || !found.quoted && is_kind_of_secret(bytes)
        || code::is_product(bytes)
        || !value::holds_random(bytes) && is_list(bytes)
        || is_code_text(bytes)
        || is_validation(bytes)
        || is_element_of_style(bytes)
        || is_class_of_module(bytes)
        || is_guid(bytes)
        || written.operator == Operator::Element && bytes.starts_with(b"::")
        || found.quoted && is_between_strings(bytes) && !value::holds_random(bytes)
}

/// `required|string|min:8`: the rules of a form's field.
fn is_validation(bytes: &[u8]) -> bool {
    let word =
        |part: &[u8]| !part.is_empty() && part.iter().all(|b| b.is_ascii_lowercase() || *b == b'_');
    let measure = |part: &[u8]| {
        let plain = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_,.".contains(b);
        part.len() <= 24 && part.iter().all(plain) && value::digits(part) <= 5
    };
    let rule = |part: &[u8]| match part.iter().position(|b| *b == b':') {
        Some(at) => {
            word(part.get(..at).unwrap_or(part)) && measure(part.get(at + 1..).unwrap_or(&[]))
        }
        None => word(part),
    };
    bytes.contains(&b'|') && bytes.contains(&b':') && bytes.split(|b| *b == b'|').all(rule)
}

/// `PKCS7PrivateKeyTypes`, `Http2TokenStore`: what a type is called.
pub(super) fn is_kind_of_secret(bytes: &[u8]) -> bool {
    const SAID: [&str; 10] = [
        "key", "keys", "token", "tokens", "secret", "secrets", "password", "private", "public",
        "types",
    ];
    let plain = bytes.iter().all(u8::is_ascii_alphanumeric);
    let said = |word: &[u8]| SAID.iter().any(|s| s.as_bytes().eq_ignore_ascii_case(word));
    plain
        && value::digits(bytes) <= 2
        && split(bytes).count() >= 3
        && value::reads_like_words(bytes)
        && split(bytes).any(said)
}

/// `AIzaSy...`, `sk-ant-...`: a few letters that all samples of a kind have.
fn is_beginning(bytes: &[u8]) -> bool {
    let head = bytes.strip_suffix(b"...").unwrap_or(&[]);
    (1..=10).contains(&head.len()) && value::digits(head) == 0
}

/// `sk-…a9f2`: what is left of a value when its middle is hidden.
fn is_masked(bytes: &[u8]) -> bool {
    let marks = ["\u{2026}", "...", "***", "\u{2022}\u{2022}\u{2022}"];
    let mark = |m: &&str| memchr::memmem::find(bytes, m.as_bytes());
    let seen = bytes.iter().filter(|b| b.is_ascii_alphanumeric()).count();
    seen <= 12 && seen < bytes.len() && marks.iter().filter_map(mark).any(|at| at > 0)
}

/// `blacklist:UUID`, `reset:count`: what follows in the name of an entry, as of Redis.
fn is_entry(bytes: &[u8]) -> bool {
    let mut parts = bytes.split(|b| *b == b':');
    let word =
        |part: &[u8]| part.len() >= 3 && part.iter().all(|b| b.is_ascii_lowercase() || *b == b'-');
    let hex =
        |part: &[u8]| part.len() == 36 && part.iter().all(|b| b.is_ascii_hexdigit() || *b == b'-');
    let rest = |part: &[u8]| word(part) || hex(part) || code::is_number(part);
    parts.next().is_some_and(word) && bytes.contains(&b':') && parts.all(rest)
}

/// Code where a value could stand without quotes.
fn is_code(text: &[u8], found: &Value, written: &Written) -> bool {
    const RUN: usize = 160;
    let bytes = text.get(found.range.clone()).unwrap_or(&[]);
    if written.place == Place::Certain {
        return false;
    }
    let rest = text.get(found.range.start..).unwrap_or(&[]);
    let rest = rest.get(..RUN).unwrap_or(rest);
    let len = rest
        .iter()
        .position(u8::is_ascii_whitespace)
        .unwrap_or(rest.len());
    let run = rest.get(..len.max(bytes.len())).unwrap_or(rest);
    let name = || written.place == Place::Code && value::is_name_like(bytes);
    let code = code::is_expression(run)
        || code::is_path(bytes)
        || code::is_identifier(bytes)
        || name()
        || is_union(bytes);
    code && !value::holds_random(bytes)
        && !value::is_two_words(bytes)
        && !camel::is_chosen(bytes)
        && !is_phrase(bytes, written)
}

/// Words that a person chose and joined; `Secrets.Prod1` is a member.
fn is_phrase(bytes: &[u8], written: &Written) -> bool {
    let member = bytes.contains(&b'.') && value::digits(bytes) < 2;
    let placed = written.place >= Place::Text || written.place == Place::Alone && !member;
    placed && phrase::is_chosen(bytes)
}

/// `Buffer|Blob|string`, `5.003|5.005|Vn`.
fn is_union(bytes: &[u8]) -> bool {
    let one = |part: &[u8]| value::is_name_like(part) || code::is_number(part);
    bytes.contains(&b'|') && bytes.split(|b| *b == b'|').all(one)
}

/// `source=x,target=y`: settings of their own, which are judged one by one.
fn is_list(bytes: &[u8]) -> bool {
    let name = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'-');
    let pair = |part: &[u8]| match part.iter().position(|b| *b == b'=') {
        Some(at) => {
            let key = part.get(..at).unwrap_or(part);
            let random = |held: &[u8]| value::classes(held) >= 3 && value::digits(held) > 0;
            let held = part.get(at + 1..).unwrap_or(&[]);
            at >= 2
                && key.iter().all(name)
                && value::digits(key) <= 2
                && value::is_wordy(key)
                && (!random(held) || value::is_name_like(held))
        }
        None => value::is_name_like(part) && value::digits(part) == 0,
    };
    bytes.contains(&b'=')
        && !bytes.ends_with(b"=")
        && bytes
            .split(|b| matches!(b, b',' | b';' | b'&' | b'|'))
            .all(pair)
}

/// A piece of code between two strings, a pattern, versions, a path of names: also in quotes.
fn is_code_text(bytes: &[u8]) -> bool {
    let joins = [
        b"' +".as_slice(),
        b"+ '",
        b"\" +",
        b"+ \"",
        b"`+",
        b"+`",
        b"'+",
        b"+'",
    ];
    let joint = |b: Option<&u8>| matches!(b, Some(b'"' | b'\'' | b'`' | b'+'));
    let joined = (joint(bytes.first()) || joint(bytes.last()))
        && joins
            .iter()
            .any(|j| bytes.starts_with(j) || bytes.ends_with(j));
    // A pattern, or the fonts of a manual page.
    let pattern = (0..bytes.len()).any(|at| {
        matches!(
            bytes.get(at..).unwrap_or(&[]),
            [b'a', b'-', b'z', ..]
                | [b'A', b'-', b'Z', ..]
                | [b'0', b'-', b'9', b']', ..]
                | [b'[', b'^', ..]
                | [b'.', b'*', ..]
                | [b'\\', b'f', b'B' | b'I' | b'R' | b'P', ..]
                | [b'\\', b'-', b'\\', b'-', ..]
        )
    });
    let versions = bytes
        .first()
        .is_some_and(|b| matches!(b, b'>' | b'<' | b'^' | b'~'))
        && bytes
            .iter()
            .all(|b| b.is_ascii_digit() || b"<>=^~.,| *-".contains(b));
    // `Credential=ID/20250101/region/service/aws4_request`
    let scope = bytes.ends_with(b"_request") && bytes.contains(&b'/');
    let hole = bytes
        .windows(3)
        .any(|w| matches!(w, [b'{', b'0'..=b'9', b'}']));
    // `json:"name,omitempty"`
    let name = bytes.iter().take_while(|b| b.is_ascii_lowercase()).count();
    let tag = name >= 2
        && bytes
            .get(name..)
            .is_some_and(|rest| rest.starts_with(b":\""));
    let says = bytes.windows(2).any(|two| two == b": ");
    let code = says || has_hole(bytes) || tag || joined || pattern || versions || hole || scope;
    (code || is_namespace(bytes)) && !value::holds_random(bytes)
}

/// What stands between two strings, its quotes theirs: `"a="+f(x)+"b"`.
fn is_between_strings(bytes: &[u8]) -> bool {
    let joint = |b: &u8| {
        matches!(
            b,
            b'+' | b',' | b')' | b';' | b':' | b'?' | b'&' | b'|' | b']' | b'}'
        )
    };
    bytes.first().is_some_and(joint)
        && (bytes.last().is_some_and(joint) || code::is_expression(bytes.get(1..).unwrap_or(&[])))
        && bytes.len() >= 3
}

/// `Bearer {self.key}`, `#{x}`: to be filled in.
fn has_hole(bytes: &[u8]) -> bool {
    bytes.split(|b| *b == b'{').skip(1).any(|part| {
        let name = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':');
        let len = part.iter().take_while(name).count();
        len >= 3
            && matches!(part.get(len), Some(b'}' | b'(' | b'['))
            && part
                .first()
                .is_some_and(|b| b.is_ascii_alphabetic() || *b == b':')
            && value::is_name_like(part.get(..len).unwrap_or(part))
    })
}

/// `App\Http\Controller2`, `toolkit#VerifyResponse`.
fn is_namespace(bytes: &[u8]) -> bool {
    let joint = |b: &u8| matches!(b, b'\\' | b'#');
    bytes.iter().filter(|b| joint(b)).count() >= 1
        && value::digits(bytes) <= 2
        && bytes.len() >= 20
        && bytes
            .split(joint)
            .filter(|p| !p.is_empty())
            .all(code::is_name_like)
}
