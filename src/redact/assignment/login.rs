//! A user and a password as the two texts of a call or a list whose name speaks of logins:
//! `withCredentials("u", "…")`, `auth: ["u", "…"]`, `changeUserPassword("u", "…")`.
//!
//! The calls whose places are known are `command::calls`; this is for all others, so the first text
//! must look like a user and the second like a password.

use super::super::command::{arguments, string};
use super::super::lexicon::Lexicon;
use super::super::rules::Rule;
use super::super::scan::Scan;
use super::operator::spaces;
use super::{names, people};
use std::ops::Range;
use std::sync::LazyLock;

/// How far a call is read, in bytes.
const CALL: usize = 240;
/// The most arguments of one.
const ARGUMENTS: usize = 4;

pub(super) fn find(scan: &mut Scan<'_>, rule: &'static Rule, name: &Range<usize>) -> bool {
    let Some(range) = second(scan.text, name) else {
        return false;
    };
    people::hide_text(scan, rule, range)
}

/// `BASIC_AUTH=ada:…`: only the password of the two.
pub(super) fn find_set(scan: &mut Scan<'_>, rule: &'static Rule, name: &Range<usize>) -> bool {
    let range = set(scan.text, name);
    range.is_some_and(|range| people::hide_text(scan, rule, range))
}

/// The same, of a call that is known to log in: its arguments begin at `open`.
pub(in super::super) fn in_call(scan: &mut Scan<'_>, rule: &'static Rule, open: usize) {
    if let Some(range) = among(scan.text, open) {
        people::hide_text(scan, rule, range);
    }
}

/// The text after a user's in a call or list behind a name.
fn second(text: &[u8], name: &Range<usize>) -> Option<Range<usize>> {
    let open = opened(text, name.end)?;
    let called = text.get(name.clone())?;
    speaks_of_logins(called).then_some(())?;
    among(text, open)
}

/// `BASIC_AUTH=ada:…`, `credentials: "ada:…"`: what a login's name is set to, behind the user.
fn set(text: &[u8], name: &Range<usize>) -> Option<Range<usize>> {
    const ENDS: [&[u8]; 5] = [b"auth", b"creds", b"credentials", b"login", b"userpass"];
    let called = text.get(name.clone())?;
    let ends = |end: &&[u8]| {
        let at = called.len().checked_sub(end.len());
        at.and_then(|at| called.get(at..))
            .is_some_and(|tail| tail.eq_ignore_ascii_case(end))
    };
    ENDS.iter().any(ends).then_some(())?;
    let closed = usize::from(matches!(text.get(name.end), Some(b'"' | b'\'')));
    let sign = spaces(text, name.end + closed, 4);
    matches!(text.get(sign), Some(b'=' | b':')).then_some(())?;
    let gap = spaces(text, sign + 1, 4);
    let start = gap + usize::from(matches!(text.get(gap), Some(b'"' | b'\'')));
    let rest = text.get(start..)?;
    let rest = rest.get(..160).unwrap_or(rest);
    let ends = |b: &u8| b.is_ascii_whitespace() || b"\"'`,;<>".contains(b);
    let pair = rest.get(..rest.iter().position(ends).unwrap_or(rest.len()))?;
    // `NEO4J_AUTH=neo4j/…`
    let capital = called.ends_with(b"_AUTH") && !called.iter().any(u8::is_ascii_lowercase);
    let sign = |b: &u8| *b == b':' || capital && *b == b'/';
    let colon = pair.iter().position(sign)?;
    let (user, secret) = (pair.get(..colon)?, pair.get(colon + 1..)?);
    let plain = !secret
        .iter()
        .any(|b| matches!(b, b':' | b'/' | b'$' | b'{'));
    (is_user(user) && plain).then(|| start + colon + 1..start + pair.len())
}

/// The text after a user's among the arguments that begin here.
fn among(text: &[u8], open: usize) -> Option<Range<usize>> {
    let body = text.get(open..)?;
    let all = arguments(body, CALL);
    if !(2..=ARGUMENTS).contains(&all.len()) {
        return None;
    }
    let texts: Vec<_> = all.iter().map(|argument| string(body, argument)).collect();
    let both = texts.windows(2).find_map(|w| match w {
        [Some(user), Some(secret)] => Some((user.clone(), secret.clone())),
        _ => None,
    });
    let (user, secret) = both?;
    is_user(body.get(user)?).then(|| open + secret.start..open + secret.end)
}

/// Where the arguments begin of a call or a list behind a name, a sign or `new Name` between.
fn opened(text: &[u8], at: usize) -> Option<usize> {
    let closed = usize::from(matches!(text.get(at), Some(b'"' | b'\'')));
    let mut at = spaces(text, at + closed, 4);
    let sign = match text.get(at..)? {
        [b':', b'=', ..] | [b'=', b'>', ..] => 2,
        [b':' | b'=', ..] => 1,
        _ => 0,
    };
    at = spaces(text, at + sign, 4);
    if sign > 0 {
        let path = |b: &&u8| b.is_ascii_alphanumeric() || b"_.: ".contains(*b);
        at += text.get(at..)?.iter().take(48).take_while(path).count();
    }
    let opens = matches!(text.get(at), Some(b'(' | b'['));
    let plain =
        matches!(text.get(at + 1), Some(b'"' | b'\'' | b'`')) || text.get(at) == Some(&b'(');
    (opens && plain).then_some(at + 1)
}

static SAYS: LazyLock<Lexicon> = LazyLock::new(|| {
    Lexicon::of(&[
        "auth",
        "authenticate",
        "authentication",
        "cred",
        "creds",
        "credential",
        "credentials",
        "login",
        "password",
        "passwd",
        "pwd",
    ])
});

fn speaks_of_logins(name: &[u8]) -> bool {
    names::split(name).any(|word| SAYS.has(word))
}

/// `nora`, `nora@h.local`, `cn=nora,dc=x`: no sentence, no path, no option.
fn is_user(user: &[u8]) -> bool {
    let fits = |b: &u8| b.is_ascii_alphanumeric() || b"_-.@+=,\\".contains(b);
    (2..=96).contains(&user.len())
        && user.iter().all(fits)
        && user.first().is_some_and(u8::is_ascii_alphanumeric)
        && user.iter().any(u8::is_ascii_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::redact;

    #[test]
    fn the_second_text_of_a_login_is_its_password() {
        for text in [
            "builder.withCredentials(\"ada\", \"{}\")",
            "new Credentials(\"ada\", \"{}\")",
            "$client->setAuth('ada', '{}');",
            "auth: [\"ada\", \"{}\"]",
            "{\"credentials\":[\"ada\",\"{}\"]}",
            "resource.credentials = (\"ada\", \"{}\")",
            "db.changeUserPassword(\"ada\", \"{}\")",
            "creds = new ApiCredential(\"ada@h.local\", \"{}\")",
            "BASIC_AUTH=ada:{}",
            "credentials: \"ada:{}\"",
            "NEO4J_AUTH=ada/{}",
        ] {
            for secret in ["kettle91", "Harbor.Kite_47", "x8Kq2mPz7Rw1"] {
                let shown = redact(&text.replace("{}", secret));
                assert!(!shown.contains(secret), "{shown}");
                assert!(shown.contains("ada"), "{shown}");
            }
        }
        for text in [
            "auth(\"google\", \"oauth2\")",
            "auth: [\"read\", \"write2\"]",
            "Credentials(\"username\", \"password123\")",
            "new AuthScheme(\"bearer\", \"sha256\", 2)",
            "login(\"/users/x2\", \"page12\")",
            "auth: oidc:profile2",
            "auth=http://h2.local:8080",
        ] {
            assert_eq!(redact(text), text);
        }
    }
}
