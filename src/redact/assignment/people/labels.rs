//! What people call a login and its password, in short and in other languages.

use super::super::super::anchors::Anchor;
use super::super::super::lexicon::Lexicon;
use super::super::names::Kind;
use std::ops::Range;
use std::sync::LazyLock;

/// What a label says of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Password,
    Secret,
    /// An account and its password.
    Login,
}

/// Names of an account, in small letters where a script has any.
const USERS: [&str; 42] = [
    "id",
    "ids",
    "user",
    "username",
    "userid",
    "usr",
    "login",
    "logon",
    "account",
    "acount",
    "acct",
    "email",
    "mail",
    "usuario",
    "usuário",
    "utilizador",
    "cuenta",
    "conta",
    "benutzer",
    "benutzername",
    "nutzer",
    "konto",
    "kennung",
    "utilisateur",
    "identifiant",
    "compte",
    "gebruiker",
    "gebruikersnaam",
    "użytkownik",
    "användare",
    "bruker",
    "utente",
    "логин",
    "пользователь",
    "계정",
    "아이디",
    "用户名",
    "用户",
    "账号",
    "帳號",
    "ユーザー",
    "ユーザ",
];

static CALLED: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::of(&USERS));

/// The label an anchor stands in: its name up to a dash that joins it to a value.
pub(super) fn within(text: &[u8], anchor: &Anchor, name: &Range<usize>) -> Range<usize> {
    let tail = text.get(anchor.end..name.end).unwrap_or(&[]);
    let end = tail.iter().position(|b| matches!(b, b'-' | b'.'));
    let end = end.map_or(name.end, |at| anchor.end + at);
    let from = name.start
        + text
            .get(name.start..anchor.start)
            .unwrap_or(&[])
            .iter()
            .take_while(|b| matches!(b, b'-' | b'_'))
            .count();
    // An anchor may hold the word after a label: `login is`.
    let label = text.get(from..end).unwrap_or(&[]);
    let end = end - if label.ends_with(b" is") { 3 } else { 0 };
    from..end.max(from)
}

/// Names of a password that are words of other things in code.
const ALSO: [&str; 3] = ["p/w", "clave", "mdp"];
/// Names of a token or key in other scripts; the same are anchors.
const KEYS: [&str; 8] = [
    "토큰",
    "令牌",
    "токен",
    "Токен",
    "トークン",
    "密钥",
    "密鑰",
    "金鑰",
];

/// What a label says that is no name of a secret in code.
pub(super) fn own(label: &[u8]) -> Option<Meaning> {
    if !label.is_ascii() {
        let key = KEYS.iter().any(|k| label == k.as_bytes());
        return key.then_some(Meaning::Secret);
    }
    if ALSO
        .iter()
        .any(|a| label.eq_ignore_ascii_case(a.as_bytes()))
    {
        return Some(Meaning::Password);
    }
    if label == b"new one" {
        return Some(Meaning::Password);
    }
    is_both(label).then_some(Meaning::Login)
}

/// What a label of such a kind says of its value: a password or a secret, else nothing.
pub(super) fn meaning(kind: Kind) -> Option<Meaning> {
    match kind {
        Kind::Password => Some(Meaning::Password),
        Kind::Secret => Some(Meaning::Secret),
        Kind::Loose | Kind::Weak => None,
    }
}

/// How long the name of an account is that ends this text, if one does.
pub(super) fn user_ending(text: &[u8]) -> Option<usize> {
    let len = text
        .iter()
        .rev()
        .take(40)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-') || !b.is_ascii())
        .count();
    let word = text.get(text.len() - len..)?;
    is_user(word).then_some(len)
}

/// How long the name of an account is that begins this text, if one does.
pub(super) fn user_beginning(text: &[u8]) -> Option<usize> {
    let len = text
        .iter()
        .take(40)
        .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_' || !b.is_ascii())
        .count();
    is_user(text.get(..len)?).then_some(len)
}

/// `id`, `user_id`, `ServerID`, `계정`.
pub(super) fn is_user(word: &[u8]) -> bool {
    let last = word.rsplit(|b| matches!(b, b'_' | b'-')).next();
    let last = last.unwrap_or(word);
    let called = match std::str::from_utf8(last) {
        Ok(last) if !last.is_ascii() => USERS.contains(&last.to_lowercase().as_str()),
        Ok(last) => CALLED.has(last.as_bytes()),
        Err(_) => false,
    };
    called || word.len() > 2 && word.ends_with(b"ID")
}

/// What names a login with its password, or is called so.
pub(super) fn is_both(word: &[u8]) -> bool {
    const BOTH: [&[u8]; 14] = [
        b"zugang",
        b"zugangsdaten",
        b"anmeldedaten",
        b"identifiants",
        b"creds",
        b"credentials",
        b"login",
        b"logins",
        b"log in as",
        b"login as",
        b"logged in as",
        b"sign in as",
        b"log in with",
        b"sign in with",
    ];
    BOTH.iter().any(|b| b.eq_ignore_ascii_case(word))
}

/// Whether a line says before its end whose login it is: an account's label with something after
/// it, `name@host`, an address.
pub(super) fn tells_login(line: &[u8]) -> bool {
    let mut rest = line;
    while let Some(at) = rest.iter().position(|b| !is_word(*b)) {
        let (word, after) = rest.split_at(at);
        rest = after.get(1..).unwrap_or(&[]);
        if word.is_empty() {
            continue;
        }
        let sign = after.first();
        let labelled = matches!(sign, Some(b':' | b'=' | b'(' | b')' | b'/' | b'>'))
            || after.starts_with(b" :")
            || after.starts_with(b" -")
            || after.starts_with(b" is ")
            || word.iter().all(u8::is_ascii_uppercase)
            || word == b"-id";
        let listed = is_listed(after) && (is_user(word) || word == b"as");
        let dashed = word.starts_with(b"ID-") || word.starts_with(b"id-");
        let named = labelled && after.len() > 1 && is_user(word) || listed || dashed;
        let host = sign == Some(&b'@') && after.get(1).is_some_and(u8::is_ascii_alphanumeric);
        if named || host || is_address(word) {
            return true;
        }
    }
    is_address(rest) || is_first(line)
}

/// `user harry `: a label and a name, and nothing before them.
fn is_first(line: &[u8]) -> bool {
    let mut words = line.split(|b| *b == b' ');
    let (label, name, rest) = (words.next(), words.next(), words.next());
    let name = name.unwrap_or(&[]);
    label.is_some_and(is_user)
        && rest == Some(&[])
        && words.next().is_none()
        && name.len() > 1
        && name.iter().all(|b| is_word(*b))
        && !name.ends_with(b"s")
        && !name.ends_with(b"ed")
}

/// ` harry, `: a name between a label and the next.
fn is_listed(after: &[u8]) -> bool {
    let Some(rest) = after.strip_prefix(b" ") else {
        return false;
    };
    let len = rest.iter().take_while(|b| is_word(**b)).count();
    let rest = rest.get(len..).unwrap_or(&[]);
    len > 1 && matches!(rest.first(), Some(b',' | b'/' | b';'))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.') || !byte.is_ascii()
}

/// `10.1.2.3`
fn is_address(word: &[u8]) -> bool {
    if !word.first().is_some_and(u8::is_ascii_digit) {
        return false;
    }
    let mut parts = word.split(|b| *b == b'.');
    let part = |p: &[u8]| (1..=3).contains(&p.len()) && p.iter().all(u8::is_ascii_digit);
    parts.clone().count() == 4 && parts.all(part)
}
