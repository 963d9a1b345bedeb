//! Whether a value, under its name and written as it is, is a secret.

mod chosen;

pub(in crate::redact) use chosen::names_a_password;

use super::super::camel;
use super::super::phrase;
use super::super::value;
use super::code;
use super::harmless;
use super::names::{self, Kind};
use super::operator::Operator;
use super::reading::Value;
use super::written::{Place, Written};
use chosen::{is_chosen, is_chosen_phrase, is_hyphened, is_phrase, is_pin};

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
    // `X-Auth-Email: ada@h.local`
    if matches!(kind, Kind::Secret | Kind::Weak) && is_mail(bytes) {
        return Verdict::Harmless;
    }
    let pin = is_pin(bytes, kind, written);
    let harmless = || harmless::is_harmless(text, found, bytes, written);
    let jumbled = is_jumbled(bytes, kind, written);
    let secret = || is_secret(bytes, kind, written);
    // Of a weak name hardly a value is one, and that is told soonest.
    let weak = kind == Kind::Weak;
    if !pin && !jumbled && (weak && !secret() || harmless() || !weak && !secret()) {
        return Verdict::Harmless;
    }
    if is_memorable(bytes, kind, written) {
        Verdict::Remember
    } else {
        Verdict::Hide
    }
}

/// `ada@h.local`: an address of mail.
fn is_mail(found: &[u8]) -> bool {
    let Some(at) = found.iter().position(|b| *b == b'@') else {
        return false;
    };
    let (user, host) = found.split_at(at);
    let host = host.get(1..).unwrap_or(&[]);
    let fits = |b: &u8| b.is_ascii_alphanumeric() || b"._-+".contains(b);
    let end = host.rsplit(|b| *b == b'.').next().unwrap_or(&[]);
    !user.is_empty()
        && user.iter().all(fits)
        && host.contains(&b'.')
        && host.iter().all(fits)
        && (2..=12).contains(&end.len())
        && end.iter().all(u8::is_ascii_lowercase)
}

/// Signs of all kinds, where no code stands.
fn is_jumbled(found: &[u8], kind: Kind, written: &Written) -> bool {
    matches!(kind, Kind::Password | Kind::Secret)
        && (written.place >= Place::Alone || found.starts_with(b"{{"))
        && value::is_jumbled(found)
}

fn is_secret(found: &[u8], kind: Kind, written: &Written) -> bool {
    let strong = || value::is_password(found, false) && value::classes(found) >= 3;
    let grouped = || phrase::is_grouped(found);
    let random = || {
        value::is_secret(found)
            || is_coded(found)
            || is_odd(found, written)
            || grouped()
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
            firm && found.len() >= 8
                || is_hyphened(found)
                || is_odd(found, written)
                || grouped()
                || chosen()
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
            let camel = written.place >= Place::Alone && camel::is_chosen(found);
            random() || typed || camel || chosen()
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
        && names::kind(found).is_none()
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
