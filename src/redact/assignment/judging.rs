//! Whether a value, under its name and written as it is, is a secret.

use super::super::rules::rules;
use super::super::value;
use super::names::{Kind, words};
use super::operator::Operator;
use super::reading::Value;
use std::ops::Range;

/// How a value is written, beside what it is.
pub(super) struct Written {
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

pub(super) fn written(
    text: &[u8],
    name: &Range<usize>,
    operator: Operator,
    found: &Value,
) -> Written {
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

pub(super) fn judge(found: &[u8], kind: Kind, written: &Written) -> bool {
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
        (Kind::Secret, Operator::Is) => {
            let hex = value::is_hex(found) && found.len() >= 32;
            value::is_secret(found) && (strong(found) || hex) || chosen()
        }
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
