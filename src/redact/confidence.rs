//! How sure it is that what was hidden is a secret: for the person who looks through it, and for
//! nothing else. What is hidden does not depend on it; a wrong checksum keeps no text.
//!
//! Pure. Sees the secret, and says one of a few words of it.

use super::rules::{Method, Rule, rules};
use super::value;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::LazyLock;

/// How sure it is. The order is that of a person's attention: what may be a false alarm comes first.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// A whole part, because the search failed.
    Withheld,
    /// A value, because of the name beside it.
    ByName,
    /// A pattern of the user's.
    ByPattern,
    /// The look of a known family, or the place of a password.
    Likely,
    /// It was hidden before anything was said of it.
    #[default]
    Unknown,
    /// Its checksum fits, it decodes as it should, or it has exactly a known family's shape.
    Certain,
    /// A person said that it is a secret.
    BySomebody,
}

impl Confidence {
    /// In words; empty when nothing is known.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Confidence::Withheld => "withheld",
            Confidence::ByName => "by name",
            Confidence::ByPattern => "your pattern",
            Confidence::Likely => "likely",
            Confidence::Unknown => "",
            Confidence::Certain => "certain",
            Confidence::BySomebody => "you said so",
        }
    }

    /// Why a person is asked again before such a value is called no secret; none: it is not.
    #[must_use]
    pub fn objection(self, rule: &str) -> Option<String> {
        (self == Confidence::Certain).then(|| {
            let why = match checksum(rule) {
                Some(_) => "its checksum fits, which no made-up text has by chance",
                None => "it has exactly the shape that this family's secrets have",
            };
            format!("this is almost certainly a real {rule}: {why}")
        })
    }
}

type Fits = fn(&[u8]) -> bool;

/// How a family's checksum is tried, where it has one that is known.
fn checksum(rule: &str) -> Option<Fits> {
    Some(match rule {
        "github_pat" | "github_server" | "github_refresh" | "npm" => base62,
        "cloudflare" => hex,
        "gitlab" => routable,
        "age_key" => bech32,
        _ => return None,
    })
}

static BY_ID: LazyLock<HashMap<&str, &Rule>> =
    LazyLock::new(|| rules().all.iter().map(|r| (r.id.as_str(), r)).collect());

/// How sure it is that this text, which this rule hid, is a secret.
pub(super) fn judge(rule: &str, secret: &[u8]) -> Confidence {
    if rule.starts_with("extra_") {
        return Confidence::ByPattern;
    }
    if rule == super::also::RULE {
        return Confidence::BySomebody;
    }
    let Some(known) = BY_ID.get(rule) else {
        return Confidence::ByName;
    };
    let token: Vec<u8> = secret
        .iter()
        .copied()
        .filter(|b| !b.is_ascii_whitespace())
        .collect();
    match known.method {
        Method::Prefix | Method::Regex => by_shape(known, &token),
        Method::Jwt => sure(token.split(|b| *b == b'.').count() == 3),
        Method::Pem => {
            let has = |mark: &str| memchr::memmem::find(secret, mark.as_bytes()).is_some();
            sure(has("BEGIN") && has("END"))
        }
        Method::Url | Method::PemEnd | Method::AwsSecret | Method::Jwk => Confidence::Likely,
        Method::Authorization => sure(rule == "basic_auth" && is_pair(&token)),
        _ => Confidence::ByName,
    }
}

fn sure(is_certain: bool) -> Confidence {
    match is_certain {
        true => Confidence::Certain,
        false => Confidence::Likely,
    }
}

/// The shortest body whose length tells a family's shape.
const TELLING: usize = 20;

fn by_shape(rule: &Rule, token: &[u8]) -> Confidence {
    let body = |anchor: &String| token.strip_prefix(anchor.as_bytes());
    let Some(body) = rule.anchors.iter().find_map(body) else {
        return Confidence::Likely;
    };
    match checksum(&rule.id) {
        Some(fits) if fits(token) => Confidence::Certain,
        // Longer and older forms of these have none.
        Some(_) => Confidence::Likely,
        None => {
            let is_whole =
                |class: &super::class::Class| class.run(body, 0, usize::MAX) == body.len();
            sure(
                rule.full
                    .is_some_and(|full| full == body.len() && full >= TELLING)
                    && rule.class.as_ref().is_some_and(is_whole),
            )
        }
    }
}

/// A user and a password, as `Basic` carries them.
fn is_pair(token: &[u8]) -> bool {
    let token = token.strip_prefix(b"Basic").unwrap_or(token);
    let pair = value::base64(token);
    let at = pair.iter().position(|b| *b == b':');
    at.is_some_and(|at| at > 0 && at + 1 < pair.len())
        && pair.iter().all(|b| b.is_ascii_graphic() || *b == b' ')
}

/// CRC-32 as zlib has it.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            let low = crc & 1;
            crc = (crc >> 1) ^ (0xedb8_8320 * low);
        }
    }
    !crc
}

/// A number in digits of this alphabet, with leading zeros.
fn digits(mut number: u32, alphabet: &[u8], width: usize) -> Vec<u8> {
    let base = u32::try_from(alphabet.len()).unwrap_or(u32::MAX);
    let mut out = vec![b'0'; width];
    for place in out.iter_mut().rev() {
        let digit = (number % base) as usize;
        *place = alphabet.get(digit).copied().unwrap_or(b'0');
        number /= base;
    }
    out
}

const BASE62: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE36: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// Six digits of base 62 behind what they are of, after `xxx_`.
fn base62(token: &[u8]) -> bool {
    let Some((body, sum)) = token.get(4..).and_then(|t| t.split_last_chunk::<6>()) else {
        return false;
    };
    body.len() >= 30 && digits(crc32(body), BASE62, 6) == sum
}

/// Eight hex digits behind what they are of, after `cf…_`.
fn hex(token: &[u8]) -> bool {
    let body = token.iter().position(|b| *b == b'_').map(|at| at + 1);
    let body = body.and_then(|at| token.get(at..));
    let Some((body, sum)) = body.and_then(|t| t.split_last_chunk::<8>()) else {
        return false;
    };
    body.len() == 40 && digits(crc32(body), b"0123456789abcdef", 8) == sum
}

/// Seven digits of base 36 behind all of a routable token.
fn routable(token: &[u8]) -> bool {
    let Some((body, sum)) = token.split_last_chunk::<7>() else {
        return false;
    };
    body.contains(&b'.') && digits(crc32(body), BASE36, 7) == sum
}

/// BIP 173: the checksum of a text in capitals, such as `AGE-SECRET-KEY-1…`.
fn bech32(token: &[u8]) -> bool {
    const CHARSET: &[u8] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    let lower = token.to_ascii_lowercase();
    let Some(at) = lower.iter().rposition(|b| *b == b'1') else {
        return false;
    };
    let (name, data) = (
        lower.get(..at).unwrap_or(&[]),
        lower.get(at + 1..).unwrap_or(&[]),
    );
    let values = data.iter().map(|b| CHARSET.iter().position(|c| c == b));
    let Some(values) = values.collect::<Option<Vec<usize>>>() else {
        return false;
    };
    let high = name.iter().map(|b| usize::from(b >> 5));
    let low = name.iter().map(|b| usize::from(b & 31));
    let all = high.chain([0]).chain(low).chain(values);
    data.len() >= 6 && all.fold(1, polymod) == 1
}

fn polymod(sum: u32, value: usize) -> u32 {
    const GENERATORS: [u32; 5] = [
        0x3b6a_57b2,
        0x2650_8e6d,
        0x1ea1_19fa,
        0x3d42_33dd,
        0x2a14_62b3,
    ];
    let top = sum >> 25;
    let mut sum = ((sum & 0x01ff_ffff) << 5) ^ u32::try_from(value).unwrap_or(0);
    for (bit, generator) in GENERATORS.iter().enumerate() {
        if (top >> bit) & 1 == 1 {
            sum ^= generator;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_sum(prefix: &str, body: &str) -> String {
        let sum = digits(crc32(body.as_bytes()), BASE62, 6);
        format!("{prefix}{body}{}", String::from_utf8(sum).unwrap())
    }

    #[test]
    fn a_checksum_that_fits_is_certain_and_one_that_does_not_is_still_likely() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        let body = "q7Zk20Vd9sLmW3xTbY8uHcR1eJ5nPa";
        let good = with_sum("ghp\u{5f}", body);
        assert_eq!(judge("github_pat", good.as_bytes()), Confidence::Certain);
        let mut bad = good.into_bytes();
        bad[10] ^= 1;
        assert_eq!(judge("github_pat", &bad), Confidence::Likely);
        let npm = with_sum("npm\u{5f}", body);
        let wrapped = format!("{}\n  {}", &npm[..20], &npm[20..]);
        assert_eq!(judge("npm", wrapped.as_bytes()), Confidence::Certain);
        let body = "9".repeat(40);
        let hex = format!("cfut\u{5f}{body}{:08x}", crc32(body.as_bytes()));
        assert_eq!(judge("cloudflare", hex.as_bytes()), Confidence::Certain);
    }

    #[test]
    fn a_key_in_bech32_is_told_by_its_checksum() {
        // The standard's own example of an empty name.
        assert!(bech32(b"A12UEL5L"));
        assert!(!bech32(b"A12UEL5M"));
        assert!(!bech32(b"AGE-SECRET-KEY-1"));
    }

    #[test]
    fn names_patterns_and_people_are_told_apart() {
        assert_eq!(judge("assignment", b"hunter2"), Confidence::ByName);
        assert_eq!(judge("known_value", b"hunter2"), Confidence::ByName);
        assert_eq!(judge("extra_0", b"x"), Confidence::ByPattern);
        assert_eq!(judge("also_secret", b"x"), Confidence::BySomebody);
        assert_eq!(judge("url_password", b"x"), Confidence::Likely);
    }

    #[test]
    fn only_what_is_certain_is_asked_about_again() {
        assert_eq!(Confidence::Likely.objection("npm"), None);
        let why = Confidence::Certain.objection("npm").unwrap();
        assert!(why.contains("checksum"), "{why}");
        assert!(
            Confidence::Certain
                .objection("jwt")
                .unwrap()
                .contains("shape")
        );
    }
}
