//! HTTP: `Authorization` of any scheme, `Cookie` and `Set-Cookie`, in whatever form.

mod cookie;

pub(super) use cookie::{cookie, session_values};

use super::anchors::Anchor;
use super::rules::{Rule, rules};
use super::scan::Scan;
use super::{lines, value};
use std::ops::Range;

/// A value longer than this is read once only, in bytes.
const LONG: usize = 256;
/// The longest header line, in bytes.
const LONGEST: usize = 8 * 1024;

/// The anchor is the scheme with its space, such as `Bearer `.
pub(super) fn authorization(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    if !scan.is_start(anchor.start) {
        return;
    }
    let Some(class) = &rule.class else { return };
    let mut start = past_sample(scan.text, anchor.end);
    if scan.run(anchor.rule, class, start) == start {
        start = lines::joint(scan.text, start).map_or(start, |next| next.at);
    }
    let mut end = start + class.run(scan.text, start, LONGEST);
    let basic = scan
        .bytes(anchor.start..anchor.end)
        .eq_ignore_ascii_case(b"basic ");
    while let Some(next) = lines::continuation(scan.text, end).filter(|_| basic) {
        let run = class.run(scan.text, next, LONGEST);
        let piece = scan.bytes(next..next + run);
        let closed = scan.bytes(start..end).ends_with(b"=");
        if run < 4 || closed || value::is_wordy(piece) || !lines::ends_line(scan.text, next + run) {
            break;
        }
        end = next + run;
    }
    let range = start..end;
    let credential = scan.bytes(range.clone());
    let scheme = scan.bytes(anchor.start..anchor.end).to_ascii_lowercase();
    let secret = if scheme.starts_with(b"basic") {
        is_basic(credential)
    } else {
        credential.len() >= 8
            && (value::is_secret(credential) && value::digits(credential) > 0
                || value::is_odd(credential, 6.0))
    };
    if secret {
        scan.hide_and_remember(range, rule.id.as_str());
    } else if is_opaque(credential) && follows_name(scan.text, anchor.start) {
        scan.hide(range, rule.id.as_str());
    }
}

/// Past `${X}`, `<token>`, `****` and their like with more behind: what protects must be all of it.
fn past_sample(text: &[u8], at: usize) -> usize {
    const LONGEST: usize = 64;
    let rest = text.get(at..).unwrap_or(&[]);
    let rest = rest.get(..LONGEST).unwrap_or(rest);
    let close = match rest {
        [b'$', b'{', ..] => rest.iter().position(|b| *b == b'}'),
        [b'{', b'{', ..] => memchr::memmem::find(rest, b"}}").map(|at| at + 1),
        [b'<', ..] => rest.iter().position(|b| *b == b'>'),
        [b'[', ..] => rest.iter().position(|b| *b == b']'),
        [b'*', ..] => rest
            .iter()
            .take_while(|b| **b == b'*')
            .count()
            .checked_sub(1),
        [b'%' | b'$', ..] => Some(0),
        _ => None,
    };
    let end = close.map_or(0, |at| at + 1);
    match rest.get(end) {
        Some(b) if b.is_ascii_alphanumeric() => at + end,
        _ => at,
    }
}

/// Long and in one piece, no words: a header's value is hidden even if it may be made up.
fn is_opaque(credential: &[u8]) -> bool {
    credential.len() >= 32 && (value::is_monotone(credential) || !value::is_wordy(credential))
}

/// Whether the header's name stands before the scheme.
fn follows_name(text: &[u8], at: usize) -> bool {
    const NAME: &[u8] = b"authorization";
    let before = text
        .get(at.saturating_sub(NAME.len() + 8)..at)
        .unwrap_or(&[]);
    before
        .windows(NAME.len())
        .any(|w| w.eq_ignore_ascii_case(NAME))
}

/// Base64 of `user:password`, where the password is no placeholder.
pub(super) fn is_basic(credential: &[u8]) -> bool {
    let decoded = value::base64(credential);
    let Some(colon) = decoded.iter().position(|b| *b == b':') else {
        return false;
    };
    let password = decoded.get(colon + 1..).unwrap_or(&[]);
    let printable = decoded.iter().all(|b| b.is_ascii_graphic() || *b == b' ');
    let known = rules().is_default_password(password);
    let token = decoded.get(..colon).is_some_and(|user| user.len() >= 20);
    printable && !known && (password.len() >= 4 && !value::is_placeholder(password) || token)
}

/// `Authorization` with any scheme, or none, in a header, an object or a call: one word, then a
/// long one that looks secret.
pub(super) fn any_scheme(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    let Some(class) = &rule.class else { return };
    if scan.was_read(anchor.rule, anchor.start) {
        return;
    }
    let Some(at) = value_at(scan.text, anchor.end) else {
        return;
    };
    let text = scan.text;
    let word = |at: usize| at..at + class.run(text, at, LONGEST);
    let first = word(at);
    if first.len() > LONG {
        scan.has_read(anchor.rule, first.end);
    }
    let bytes = |range: &Range<usize>| scan.bytes(range.clone());
    let scheme = bytes(&first);
    let mut range = first.clone();
    if !is_credential(scheme) {
        // `Hawk id="x", mac="…"`, `Digest …`: fields.
        let fields = scan.text.get(first.end..).unwrap_or(&[]);
        let fields = fields.get(..200).unwrap_or(fields);
        let line = fields.split(|b| *b == b'\n').next().unwrap_or(fields);
        if let Some(mac) = memchr::memmem::find(line, b" mac=") {
            let from = first.end + mac + 5;
            let quote = usize::from(scan.at(from) == b'"');
            scan.hide(word(from + quote), rule.id.as_str());
            return;
        }
        let named = scheme
            .iter()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
        let basic = scheme.eq_ignore_ascii_case(b"basic");
        if !named || basic || scheme.is_empty() || scan.at(first.end) != b' ' {
            return;
        }
        range = word(first.end + 1);
        if range.is_empty() {
            let joint = lines::joint(scan.text, range.start);
            range = word(joint.map_or(range.start, |next| next.at));
        }
    }
    // `token="…"`: one of several fields.
    if let Some(equals) = bytes(&range).iter().position(|b| *b == b'=') {
        let field = range.start..range.start + equals;
        let quote = usize::from(scan.at(field.end + 1) == b'"');
        let inside = word(field.end + 1 + quote);
        if inside.len() >= 16 && !bytes(&inside).iter().all(|b| *b == b'=') {
            const FIELDS: [&[u8]; 7] = [
                b"token", b"key", b"auth", b"mac", b"api_key", b"apikey", b"secret",
            ];
            let name = bytes(&field).to_ascii_lowercase();
            if !FIELDS.contains(&name.as_slice()) {
                return;
            }
            range = inside;
        }
    }
    if is_credential(bytes(&range)) {
        scan.hide_and_remember(range, rule.id.as_str());
    }
}

fn is_credential(word: &[u8]) -> bool {
    let id = value::is_hex(word) && word.len() < 20;
    let odd = || word.len() >= 12 && value::is_odd(word, 8.0);
    word.len() >= 16 && !id && value::is_secret(word) && !value::is_wordy(word) || odd()
}

/// Where the value of a header begins whose name ends here: `: `, `": "`, `", "value": "`, `', '`.
fn value_at(text: &[u8], at: usize) -> Option<usize> {
    let skip = |at: usize, set: &[u8], most: usize| {
        let rest = text.get(at..).unwrap_or(&[]).iter().take(most);
        at + rest.take_while(|b| set.contains(b)).count()
    };
    let closed = skip(at, b"\"'`]", 2);
    let gap = skip(closed, b" \t", 8);
    let rest = text.get(gap..)?;
    let sign = match rest {
        [b'=', b'>', ..] => gap + 2,
        [b':' | b'=', ..] => gap + 1,
        [b',', ..] if closed > at => {
            let key = skip(gap + 1, b" \t\r\n\"'", 40);
            let named = text.get(key..)?.get(..5)?.eq_ignore_ascii_case(b"value");
            let colon = skip(key + 5, b"\"' ", 4);
            match (named, text.get(colon)) {
                (true, Some(b':' | b'=')) => colon + 1,
                _ => gap + 1,
            }
        }
        _ => return None,
    };
    Some(skip(skip(sign, b" \t", 8), b"\"'`[", 3))
}

#[cfg(test)]
mod tests {
    use super::super::tests::redact;

    #[test]
    fn credentials_of_any_scheme_and_cookies_of_any_form() {
        let secret = "q83Jd02mzKq81LmZx7Tb4WvRc1Ys";
        for text in [
            "Authorization: ApiKey {}",
            "> authorization: Splunk {}",
            r#"{"Authorization":"token {}","x":1}"#,
            r#"{\"authorization\":\"Bot {}\"}"#,
            "headers = {'Authorization': 'DeepL-Auth-Key {}'}",
            r#"req.Header.Set("Authorization", "OAuth {}")"#,
            r#"{"name": "authorization", "value": "Klaviyo-API-Key {}"}"#,
            "map[Authorization:[Key {}] Accept:[*/*]]",
            "'Authorization': 'Bearer ' + '{}'",
            "Authorization: Token token=\"{}\"",
            "Authorization: {}",
            "fetch(u, {headers: {Authorization: `Bearer {}`}})",
            "Fastly-Key: {}",
            "X-Functions-Key: {}",
            "Set-Cookie: sid={}; Path=/",
            r#"{"cookie":"a=b; sessionid={}"}"#,
            "cookies = {'a': 'b', 'sessionid': '{}'}",
            "document.cookie = 'auth_token={}; path=/'",
            ".h.com\tTRUE\t/\tTRUE\t1799999999\tPHPSESSID\t{}",
        ] {
            let shown = redact(&text.replace("{}", secret));
            assert!(!shown.contains("x7Tb4WvR"), "{text}: {shown}");
            assert!(shown.contains("[REDACTED:"), "{text}: {shown}");
        }
        for text in [
            "Authorization: ApiKey YOUR_API_KEY_FROM_SETTINGS",
            "Access-Control-Allow-Headers: Authorization, Content-Type2",
            "the Authorization: header is required for all endpoints2",
            "authorization: Option<HeaderValue2>",
            "WWW-Authenticate: Bearer realm=\"https://auth.docker.io/token2\"",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Cookie: theme=dark2; lang=en",
        ] {
            assert_eq!(redact(text), text);
        }
    }
}
