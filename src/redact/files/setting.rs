//! What stands among secrets and is none: a setting by its name, by its value, or both.

use crate::redact::assignment::says_secret;
use crate::redact::rules::rules;
use crate::redact::value;

/// Last words of names that tell which one something is: whatever stands there is no secret.
const IDENTITIES: &str = "gpgkey signingkey rev release machine container gpg pgp arch oldpwd version colors colours id uid uuid arn sha sha1 sha256 commit revision digest hash \
    checksum fingerprint image hostname pod podname node ami vpc subnet account build etag \
    kid serial mac macaddress created updated accessor resourceversion resourceid date \
    computername userdomain userdomainroamingprofile logonserver sessionname clientname";

/// Last words of names of settings, besides those that are no secret's anywhere.
const SETTINGS: &str = "host port region zone level stage mode db database dbname schema engine driver dialect \
    queue topic domain dir directory home root timeout interval retries locale lang language \
    timezone tz charset encoding provider model branch tag tags email from to cc origin \
    origins hosts server servers cluster namespace project app editor shell term color \
    colour theme package prefix protocol duration renewable apiversion timestamp environment \
    tier engineversion datatype contenttype recoverylevel login product vault category \
    section folder";

/// Values of settings.
const VALUES: &str = "production prod development dev staging test testing local debug info warn warning error \
    trace verbose localhost true false yes no on off null none nil undefined enabled \
    disabled opaque success succeeded postgres postgresql mysql sqlite redis mongodb memory \
    json text string securestring recoverable+purgeable default auto active";

/// Whether a name is one of a setting, or of what a store tells of a secret beside it.
pub(in crate::redact) fn is_label(name: &[u8]) -> bool {
    let (last, whole) = ends(name);
    !says_secret(name)
        && [&last, &whole].iter().any(|w| {
            let w = w.as_str();
            rules()
                .names
                .harmless
                .iter()
                .any(|h| h == w && w != "value" && w != "values")
                || is_in(SETTINGS, w)
                || is_in(IDENTITIES, w)
                || w.ends_with("date")
                || w.ends_with("time")
        })
}

/// Whether a name tells which one something is.
pub(super) fn is_identity(name: &[u8]) -> bool {
    let (last, whole) = ends(name);
    !says_secret(name) && (is_in(IDENTITIES, &last) || is_in(IDENTITIES, &whole))
}

fn is_in(words: &str, word: &str) -> bool {
    words.split(' ').any(|w| w == word)
}

/// The last word of a name, and all of it in one.
fn ends(name: &[u8]) -> (String, String) {
    let words = crate::redact::assignment::words(name);
    (words.last().cloned().unwrap_or_default(), words.concat())
}

/// Whether what stands under a name in a file of secrets, or in a store's answer, may be seen.
pub(super) fn stays(name: &[u8], found: &[u8]) -> bool {
    if says_secret(name) || ends(name).1 == "secretid" {
        return false;
    }
    is_setting(found)
        || is_identity(name)
        || is_label(name)
            && !value::is_secret(found)
            && !value::is_password(found, false)
            && !is_picked(found)
}

/// `Sommer4711`: a word and a number as no setting has them.
fn is_picked(found: &[u8]) -> bool {
    let has = |test: fn(&u8) -> bool| found.iter().any(test);
    let tail = found
        .iter()
        .rev()
        .take_while(|b| b.is_ascii_digit())
        .count();
    tail >= 2
        && value::digits(found) == tail
        && found.len() - tail >= 5
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && found.iter().all(u8::is_ascii_alphanumeric)
}

/// Whether a value is plainly one of a setting: a switch, a quantity, a place.
pub(super) fn is_setting(found: &[u8]) -> bool {
    let low = found.to_ascii_lowercase();
    let word = |all: &[u8]| VALUES.split(' ').any(|v| v.as_bytes() == all);
    word(&low)
        || is_quantity(found)
        || is_region(&low)
        || is_host(&low)
        || is_address(found)
        || is_path(found)
        || is_mail(&low)
        || is_image(found)
}

/// `30s`, `512Mi`, `1.22.3`, `v2`, `10.0.0.0/8`, `2026-01-02T03:04:05Z`.
fn is_quantity(found: &[u8]) -> bool {
    let body = found.strip_prefix(b"v").unwrap_or(found);
    let figures = |b: &u8| {
        b.is_ascii_digit() || matches!(b, b'.' | b':' | b'-' | b'/' | b'+' | b'T' | b'Z' | b' ')
    };
    let number = body.iter().take_while(|b| figures(b)).count();
    let unit = body.get(number..).unwrap_or(&[]);
    let parted = value::digits(body) < number;
    body.first().is_some_and(u8::is_ascii_digit)
        && unit.len() <= 3
        && unit.iter().all(u8::is_ascii_alphabetic)
        && (parted || !unit.is_empty() && number <= 6)
}

/// `eu-west-1`, `us-east-1a`, `europe-west1-b`.
fn is_region(low: &[u8]) -> bool {
    const PARTS: [&str; 14] = [
        "us",
        "eu",
        "ap",
        "sa",
        "ca",
        "me",
        "af",
        "cn",
        "il",
        "europe",
        "asia",
        "australia",
        "northamerica",
        "southamerica",
    ];
    let mut parts = low.split(|b| *b == b'-');
    let known = parts
        .next()
        .is_some_and(|p| PARTS.iter().any(|k| k.as_bytes() == p));
    let rest: Vec<_> = parts.collect();
    known
        && (1..=3).contains(&rest.len())
        && rest.iter().all(|p| p.len() <= 10 && value::digits(p) <= 1)
        && value::digits(low) == 1
}

/// `db-7.internal`, `localhost:5432`, `x.abc123.rds.amazonaws.com`.
fn is_host(low: &[u8]) -> bool {
    const ENDS: [&str; 30] = [
        "com",
        "net",
        "org",
        "io",
        "dev",
        "app",
        "local",
        "internal",
        "localdomain",
        "lan",
        "svc",
        "cloud",
        "ai",
        "co",
        "de",
        "eu",
        "uk",
        "us",
        "fr",
        "ch",
        "nl",
        "at",
        "test",
        "example",
        "info",
        "home",
        "corp",
        "intern",
        "tech",
        "host",
    ];
    let mut parts = low.splitn(2, |b| *b == b':');
    let name = parts.next().unwrap_or(low);
    let port = parts
        .next()
        .is_none_or(|p| !p.is_empty() && p.len() <= 5 && p.iter().all(u8::is_ascii_digit));
    let labels: Vec<_> = name.split(|b| *b == b'.').collect();
    let fits = |l: &&[u8]| {
        !l.is_empty() && l.len() <= 40 && l.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-')
    };
    let known = labels
        .last()
        .is_some_and(|l| ENDS.iter().any(|e| e.as_bytes() == *l));
    port && (name == b"localhost" || labels.len() >= 2 && known && labels.iter().all(fits))
}

/// A URL without credentials, queries or anything random in it.
fn is_address(found: &[u8]) -> bool {
    let Some(at) = memchr::memmem::find(found, b"://") else {
        return false;
    };
    let (rest, scheme) = (
        found.get(at + 3..).unwrap_or(&[]),
        found.get(..at).unwrap_or(&[]),
    );
    let end = rest.iter().position(|b| *b == b'/').unwrap_or(rest.len());
    let (host, path) = rest.split_at_checked(end).unwrap_or((rest, &[]));
    scheme
        .iter()
        .all(|b| b.is_ascii_alphanumeric() || *b == b'+' || *b == b':')
        && host
            .split(|b| *b == b':')
            .nth(1)
            .is_none_or(|port| port.iter().all(u8::is_ascii_digit))
        && !host.contains(&b'@')
        && !path.contains(&b'?')
        && path.split(|b| *b == b'/').all(value::is_wordy)
}

/// `/var/lib/x`, `./a.pem`, `~/x`, `C:\x`.
fn is_path(found: &[u8]) -> bool {
    let begins = matches!(
        found,
        [b'/', ..] | [b'.' | b'~', b'/', ..] | [_, b':', b'\\', ..]
    );
    begins
        && found
            .split(|b| matches!(b, b'/' | b'\\' | b'~'))
            .all(value::is_wordy)
}

fn is_mail(low: &[u8]) -> bool {
    let mut parts = low.splitn(2, |b| *b == b'@');
    let user = parts.next().unwrap_or(&[]);
    let user = !user.is_empty()
        && user
            .iter()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b'+'));
    user && parts
        .next()
        .is_some_and(|host| is_host(host) && host.contains(&b'.'))
}

/// `postgres:16.2`, `node:20-alpine`.
fn is_image(found: &[u8]) -> bool {
    let mut parts = found.splitn(2, |b| *b == b':');
    let name = parts.next().unwrap_or(&[]);
    let tag = parts.next().unwrap_or(&[]);
    name.len() >= 3
        && name.first().is_some_and(u8::is_ascii_lowercase)
        && value::digits(name) == 0
        && value::is_wordy(name)
        && tag.first().is_some_and(u8::is_ascii_digit)
        && tag
            .iter()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'-'))
        && tag.contains(&b'.') | tag.contains(&b'-') | (tag.len() <= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_told_from_secrets() {
        for found in [
            "true",
            "debug",
            "30s",
            "512Mi",
            "1.22.3",
            "10.0.12.0/22",
            "eu-west-1",
            "europe-west1-b",
            "db-7.internal",
            "localhost:5432",
            "x.c9akciq32.eu-west-1.rds.amazonaws.com",
            "https://api.x.io/v2/users",
            "redis://cache:6379/0",
            "/var/lib/app",
            "ops7@x.io",
            "postgres:16.2",
            "node:20-alpine",
            "2026-01-02T03:04:05Z",
        ] {
            assert!(is_setting(found.as_bytes()), "{found}");
        }
        for found in [
            "kranich-haus",
            "sunshine",
            "x8Kq2mPz7Rw1",
            "Sommer.Haus7",
            "eu-Kranich-1x9",
            "https://u:pw12@x.io",
            "https://x.io/s/q83Jd02mzKq81LmZ",
            "12345678",
            "7Kr4nich",
            "postgres:kranich7",
            "/q83Jd02mzKq81LmZ+x",
        ] {
            assert!(!is_setting(found.as_bytes()), "{found}");
        }
    }

    #[test]
    fn names_tell_what_may_be_seen() {
        for (name, found) in [
            ("DB_HOST", "storch"),
            ("GIT_SHA", "9fceb02d0ae598e95dc970b74767f19372d61af8"),
            ("APP_NAME", "my-app-2024"),
            ("LOG_LEVEL", "debug"),
            ("lastUpdatedDate", "x8Kq2mPz7Rw1"),
        ] {
            assert!(stays(name.as_bytes(), found.as_bytes()), "{name}");
        }
        for (name, found) in [
            ("STALL", "kranich-haus"),
            ("value", "kranich"),
            ("DB_PASSWORD", "production"),
            ("NAME", "x8Kq2mPz7Rw1+q"),
        ] {
            assert!(!stays(name.as_bytes(), found.as_bytes()), "{name}");
        }
    }
}
