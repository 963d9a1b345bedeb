//! What a person chooses for a password: figures, words joined or with a number, a word where nothing
//! else can stand; and the names that look like one and are none.

use super::super::super::phrase;
use super::super::super::rules::rules;
use super::super::super::value;
use super::super::code;
use super::super::names::{Kind, words};
use super::super::operator::Operator;
use super::super::people;
use super::super::written::{Place, Written};

/// What people like to begin a password with; with a year behind it, it is one.
const LIKED: [&str; 6] = ["qwerty", "letmein", "admin", "root", "welcome", "postgres"];

/// Eight figures under a password's name, where it is surely a text: not counted up, and no round
/// number.
pub(super) fn is_pin(found: &[u8], kind: Kind, written: &Written) -> bool {
    let said = matches!(written.operator, Operator::Is | Operator::With);
    let least = match written.quoted || written.place == Place::Certain {
        true => 6,
        false => 8,
    };
    kind == Kind::Password
        && (least..=16).contains(&found.len())
        && found.iter().all(u8::is_ascii_digit)
        && (written.place >= Place::Text || written.place == Place::Alone || said)
        && !found.ends_with(b"000")
        && !is_counted(found)
        && !rules().is_default_password(found)
}

/// Figures of which half and more are as the one before, or follow it either way.
fn is_counted(figures: &[u8]) -> bool {
    let follows = |w: &&[u8]| matches!(w, [a, b] if a.abs_diff(*b) <= 1);
    figures.windows(2).filter(follows).count() * 2 >= figures.len()
}

/// Words that a person chose and joined, as no names and no sentences have them.
pub(super) fn is_chosen_phrase(found: &[u8], kind: Kind, written: &Written) -> bool {
    if kind != Kind::Password || written.place < Place::Alone {
        return false;
    }
    let Some(phrase) = phrase::read(found) else {
        return false;
    };
    let text = written.place >= Place::Text;
    let half = text && phrase.words >= 4 && !phrase.spaced && phrase.common * 2 <= phrase.words;
    if !half && !phrase.is_chosen() {
        return false;
    }
    let said = matches!(written.operator, Operator::Is | Operator::With);
    let told = text || phrase.words >= 4 || phrase.figures > 0 || said && phrase.capitals;
    // `Secrets.Prod1`
    let member = !text && phrase.figures < 2 && found.contains(&b'.');
    let joined = phrase.words >= 4 || phrase.capitals || phrase.figures > 0;
    told && joined
        && !member
        && (!phrase.spaced || written.quoted)
        && !names_a_password(found)
        && !value::is_no_password(found)
}

/// `"Blue Kettle 91"`, where a text for readers hardly stands.
pub(super) fn is_phrase(found: &[u8], kind: Kind, written: &Written) -> bool {
    let words = found.split(|b| *b == b' ');
    let last = found.rsplit(|b| *b == b' ').next().unwrap_or(found);
    kind == Kind::Password
        && written.place >= Place::Text
        && written.assigned
        && (2..=5).contains(&words.clone().count())
        && words
            .into_iter()
            .all(|w| !w.is_empty() && w.iter().all(u8::is_ascii_alphanumeric))
        && value::digits(last) >= 2
        && !names_a_password(
            &found
                .iter()
                .copied()
                .filter(|b| !b.is_ascii_digit())
                .collect::<Vec<_>>(),
        )
}

/// `blue-kettle-91`: words and a number, in a sentence.
pub(super) fn is_hyphened(found: &[u8]) -> bool {
    let mut parts = found.rsplit(|b| *b == b'-');
    let number = parts.next().unwrap_or(&[]);
    let words: Vec<&[u8]> = parts.collect();
    (2..=4).contains(&number.len())
        && number.iter().all(u8::is_ascii_digit)
        && (2..=4).contains(&words.len())
        && words
            .iter()
            .all(|w| w.len() >= 4 && w.iter().all(u8::is_ascii_alphabetic))
}

/// What a person may choose, where only a secret can stand: it may read like a name or a word.
pub(super) fn is_chosen(found: &[u8], kind: Kind, written: &Written) -> bool {
    let said = matches!(written.operator, Operator::Is | Operator::With);
    let (least, needed) = match kind {
        Kind::Password => (6, Place::Alone),
        Kind::Secret if said => (8, Place::Alone),
        Kind::Secret if is_rare(found, written) => (6, Place::Alone),
        Kind::Secret => (6, Place::Text),
        Kind::Loose | Kind::Weak => return false,
    };
    let word = || written.place == Place::Certain && is_word(found, written);
    if kind == Kind::Password && (word() || is_literal(found, written)) {
        return true;
    }
    let hyphened = written.operator == Operator::Equals
        && !found.contains(&b'_')
        && found.first().is_some_and(u8::is_ascii_alphabetic);
    let joints = match kind {
        Kind::Password => written.place >= Place::Text || hyphened,
        _ => written.place == Place::Certain && value::digits(found) >= 3,
    };
    // `is 12chars long`
    let figures = found.iter().take_while(|b| b.is_ascii_digit()).count();
    let counts = figures > 0 && value::digits(found) == figures;
    found.len() >= least
        && written.place >= needed
        && !(said && (counts || people::is_numbered_label(found)))
        && value::is_chosen(found, joints)
        && !code::is_typed_name(found)
        && !is_name(found)
        && !(kind == Kind::Secret && (names_a_token(found) || is_camel(found)))
}

/// `password = "swordfish"`: a word that code does not have, as a text that is set.
fn is_literal(found: &[u8], written: &Written) -> bool {
    const LENGTHS: std::ops::RangeInclusive<usize> = 7..=24;
    let word = found.strip_suffix(b"!").unwrap_or(found);
    written.quoted
        && written.equated
        && written.place == Place::Text
        && LENGTHS.contains(&word.len())
        && word.iter().all(u8::is_ascii_lowercase)
        && !phrase::is_common(word)
        && !phrase::is_glued(word)
        && !names_a_password(word)
        && !value::is_no_password(found)
}

/// `canyon7`, `Vienna2023`, `BridgeOtter87`: words that code does not have, and a number.
fn is_rare(found: &[u8], written: &Written) -> bool {
    let chosen = |p: phrase::Phrase| p.figures >= 2 && p.capitals && p.is_chosen();
    if found.iter().all(u8::is_ascii_alphanumeric) && phrase::read(found).is_some_and(chosen) {
        return true;
    }
    let figures = value::digits(found);
    let (word, number) = found.split_at(found.len() - figures.min(found.len()));
    let capital = word.first().is_some_and(u8::is_ascii_uppercase) && figures >= 2;
    (1..=4).contains(&figures)
        && (written.called_secret || capital)
        && number.iter().all(u8::is_ascii_digit)
        && word.len() >= 5
        && word.iter().all(u8::is_ascii_alphabetic)
        && word.iter().skip(1).all(u8::is_ascii_lowercase)
        && !phrase::is_common(word)
        && value::reads_like_words(word)
}

/// `PASSWORD=sunshine`: any word, where nothing else can stand.
fn is_word(found: &[u8], written: &Written) -> bool {
    let spaces = found.iter().filter(|b| **b == b' ').count();
    let constant = found.iter().all(|b| b.is_ascii_uppercase() || *b == b'_');
    (5..=64).contains(&found.len())
        && (spaces == 0 || written.quoted && spaces <= 6)
        && (written.operator != Operator::Space
            || found.is_ascii() && !found.starts_with(b"-") && !phrase::is_common(found))
        && !constant
        && !value::is_reference(found)
        && !value::is_no_password(found)
        && !names_a_password(found)
}

/// Words about passwords: `user_password`, `my-secret-name`, `passwordless`.
pub(in crate::redact) fn names_a_password(found: &[u8]) -> bool {
    value::digits(found) == 0 && rules().called.is_match(found)
}

/// `SSECustomerKeyMD5`: three words or more, as a type is called.
fn is_camel(found: &[u8]) -> bool {
    let letters = found.iter().filter(|b| b.is_ascii_alphabetic()).count();
    let named = value::is_name_like(found) || letters >= 10 && value::digits(found) <= 2;
    named && words(found).len() >= 3 && value::reads_like_words(found)
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
        let figures = last.len() - bare.len();
        let lists = [
            &names.password,
            &names.secret,
            &names.weak,
            &names.harmless,
            &rules().default_passwords,
        ];
        let chosen = figures > 2 && LIKED.contains(&bare.as_str());
        figures <= 4 && !chosen && lists.iter().any(|list| list.contains(&bare))
    })
}
