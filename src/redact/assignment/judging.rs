//! Whether a value, under its name and written as it is, is a secret.

use super::super::phrase;
use super::super::rules::rules;
use super::super::value;
use super::code;
use super::harmless;
use super::names::{Kind, words};
use super::operator::Operator;
use super::people;
use super::reading::Value;
use super::written::{Place, Written};

/// What people like to begin a password with; with a year behind it, it is one.
const LIKED: [&str; 6] = ["qwerty", "letmein", "admin", "root", "welcome", "postgres"];

/// What is to be done with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Harmless,
    /// A secret here.
    Hide,
    /// A secret wherever it comes again, also without its name.
    Remember,
}

/// `bytes` is all of the value, its strings joined.
pub(super) fn judge(
    text: &[u8],
    found: &Value,
    bytes: &[u8],
    kind: Kind,
    written: &Written,
) -> Verdict {
    let pin = is_pin(bytes, kind, written);
    let harmless = || harmless::is_harmless(text, found, bytes, written);
    if !pin && (harmless() || !is_secret(bytes, kind, written)) {
        return Verdict::Harmless;
    }
    if is_memorable(bytes, kind, written) {
        Verdict::Remember
    } else {
        Verdict::Hide
    }
}

fn is_secret(found: &[u8], kind: Kind, written: &Written) -> bool {
    let strong = || value::is_password(found, false) && value::classes(found) >= 3;
    let random = || {
        value::is_secret(found)
            || is_coded(found)
            || is_odd(found, written)
            || written.quoted
                && (value::is_noise(found) || is_spaced(found) || is_phrase(found, kind, written))
    };
    let phrased = || is_chosen_phrase(found, kind, written);
    let chosen = || is_chosen(found, kind, written) || phrased();
    let said = matches!(written.operator, Operator::Is | Operator::With);
    // `with token …`: as of a password.
    let kind = match kind {
        Kind::Secret if written.operator == Operator::With => Kind::Password,
        kind => kind,
    };
    match kind {
        _ if written.operator == Operator::Beside => is_plainly_random(found, kind),
        Kind::Password if said => {
            let four = value::classes(found) == 4 && found.len() >= 10;
            let firm = strong() || four && !value::is_reference(found);
            firm && found.len() >= 8 || is_hyphened(found) || is_odd(found, written) || chosen()
        }
        Kind::Secret | Kind::Loose if said => {
            let hex = value::is_hex(found) && found.len() >= 32;
            let capital = found.first().is_some_and(u8::is_ascii_uppercase);
            value::is_secret(found) && (strong() || hex)
                || kind == Kind::Secret && (capital && is_hyphened(found) || is_odd(found, written))
                || chosen()
        }
        Kind::Weak if said => value::is_secret(found) && strong(),
        Kind::Password => value::is_password(found, written.quoted) || random() || chosen(),
        Kind::Secret => {
            let typed = written.place == Place::Certain && value::is_password(found, true);
            random() || typed || chosen()
        }
        Kind::Loose => {
            let odd = || value::is_odd(found, 12.0);
            written.quoted && found.len() >= 8 && (value::is_secret(found) || strong() || odd())
        }
        Kind::Weak => {
            let id = written.place == Place::Certain && is_long_id(found);
            let whole = found.len() >= 16 && !found.contains(&b'/');
            let odd = || whole && written.place >= Place::Alone && value::is_odd(found, 14.0);
            // `key: _win32typing.PyPROPERTYKEY`
            let member = !written.quoted && found.contains(&b'.');
            !code::is_path(found) && !member && (value::is_certainly_random(found) || odd()) || id
        }
    }
}

/// Eight figures under a password's name, where it is surely a text: not counted up, and no round
/// number.
fn is_pin(found: &[u8], kind: Kind, written: &Written) -> bool {
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
fn is_chosen_phrase(found: &[u8], kind: Kind, written: &Written) -> bool {
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

/// Next to a name, with only a space between: nothing that words or numbers of a sentence could be.
fn is_plainly_random(found: &[u8], kind: Kind) -> bool {
    // A commit or the id of a key is as likely as a key.
    let id = kind == Kind::Weak && found.len() == 40;
    let hex = value::is_hex(found) && matches!(found.len(), 32.. | 24) && value::digits(found) >= 4;
    let hex = hex && !id;
    let mixed = found.len() >= 16 && value::is_certainly_random_token(found);
    let strong = kind == Kind::Password
        && found.len() >= 8
        && value::classes(found) == 4
        && value::is_password(found, false);
    kind != Kind::Loose
        && value::is_secret(found)
        && !code::is_identifier(found)
        && (hex || mixed || strong)
}

/// A UUID, or 32 hex digits and more: `LOGGLY_KEY=…` in an environment.
fn is_long_id(found: &[u8]) -> bool {
    let hex = found.iter().filter(|b| b.is_ascii_hexdigit()).count();
    let dashes = found.iter().filter(|b| **b == b'-').count();
    // The fingerprint of a PGP key, as it is printed.
    let print = found.len() == 40 && !found.iter().any(u8::is_ascii_lowercase);
    hex >= 32
        && hex + dashes == found.len()
        && matches!(dashes, 0 | 4)
        && !print
        && value::is_secret(found)
}

/// `ssh-rsa q83Jd02mzKq81LmZ`: a word or two before what is random.
fn is_spaced(found: &[u8]) -> bool {
    let blanks = found.iter().filter(|b| **b == b' ').count();
    (1..=2).contains(&blanks)
        && value::holds_random(found)
        && !value::is_reference(found)
        && !value::is_placeholder(found)
}

/// `blue-kettle-91`: words and a number, in a sentence.
fn is_hyphened(found: &[u8]) -> bool {
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

/// `"Blue Kettle 91"`, where a text for readers hardly stands.
fn is_phrase(found: &[u8], kind: Kind, written: &Written) -> bool {
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

/// What chance made rather than words: the less surely it is a text, the greater the odds must be.
fn is_odd(found: &[u8], written: &Written) -> bool {
    let bits = match (written.place, written.operator) {
        (Place::Certain, _) => 1.0,
        (Place::Text, _) => 3.0,
        (Place::Alone, Operator::Is | Operator::With) => 5.0,
        (Place::Alone, _) => 4.0,
        (Place::Code, _) => 9.0,
    };
    value::is_odd(found, bits)
}

/// What a person may choose, where only a secret can stand: it may read like a name or a word.
fn is_chosen(found: &[u8], kind: Kind, written: &Written) -> bool {
    let said = matches!(written.operator, Operator::Is | Operator::With);
    let (least, needed) = match kind {
        Kind::Password => (6, Place::Alone),
        Kind::Secret if said => (8, Place::Alone),
        Kind::Secret => (6, Place::Text),
        Kind::Loose | Kind::Weak => return false,
    };
    if kind == Kind::Password && written.place == Place::Certain && is_word(found, written) {
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

/// `PASSWORD=sunshine`: any word, where nothing else can stand.
fn is_word(found: &[u8], written: &Written) -> bool {
    let spaces = found.iter().filter(|b| **b == b' ').count();
    let constant = found.iter().all(|b| b.is_ascii_uppercase() || *b == b'_');
    (5..=64).contains(&found.len())
        && (spaces == 0 || written.quoted && spaces <= 6)
        && (written.operator != Operator::Space || found.is_ascii() && !found.starts_with(b"-"))
        && !constant
        && !value::is_reference(found)
        && !value::is_no_password(found)
        && !names_a_password(found)
}

/// Words about passwords: `user_password`, `my-secret-name`, `passwordless`.
pub(in crate::redact) fn names_a_password(found: &[u8]) -> bool {
    let names = &rules().names;
    let low = found.to_ascii_lowercase();
    // What seasons a hash seasons a password's words as well.
    let told = |w: &String| w.len() >= 4 && w != "pepper";
    let called = |w: &String| told(w) && memchr::memmem::find(&low, w.as_bytes()).is_some();
    value::digits(found) == 0 && names.password.iter().chain(&names.secret).any(called)
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

/// Base64 of a password, as in a Kubernetes secret.
fn is_coded(found: &[u8]) -> bool {
    let decoded = value::base64(found);
    found.len() >= 12
        && found.len().is_multiple_of(4)
        && decoded.len() + 2 >= found.len() / 4 * 3
        && decoded.iter().all(u8::is_ascii_graphic)
        && value::is_password(&decoded, true)
}

/// Worth hiding wherever it comes again. A mistake would be repeated, so it must be surer than to
/// be hidden once: nothing that code, an id or a word could be.
fn is_memorable(found: &[u8], kind: Kind, written: &Written) -> bool {
    let sure = written.place >= Place::Text || written.operator != Operator::Equals;
    let firm = sure || value::classes(found) >= 3 && value::entropy(found) >= 3.0;
    found.len() >= 8
        && matches!(kind, Kind::Password | Kind::Secret)
        && firm
        && value::classes(found) >= 2
        && value::digits(found) + symbols(found) > 0
        && !value::is_name_like(found)
        && !code::is_identifier(found)
        && !code::is_number(found)
        && !(value::is_hex(found) && found.len() < 16)
}

fn symbols(found: &[u8]) -> usize {
    let joint = |b: u8| matches!(b, b'-' | b'_' | b'.' | b'/' | b':' | b',');
    found
        .iter()
        .filter(|b| b.is_ascii_punctuation() && !joint(**b))
        .count()
}
