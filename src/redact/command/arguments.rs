//! The arguments of a call, and the calls of which one is a secret: `Credentials.basic("u", "…")`,
//! `JWT.encode(claims, '…', 'HS256')`.
//!
//! Says where it stands; whether it is one is judged by the caller.

use std::ops::Range;

/// The most arguments looked at in one call.
const ARGUMENTS: usize = 8;

/// What an argument is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Is {
    /// The password of a login: nothing else can stand there.
    Password,
    /// A key or a token.
    Key,
}

use Is::{Key, Password};

/// Calls as they begin, in small letters: which argument, from 0, is what.
pub(super) const CALLS: &[(&str, usize, Is)] = &[
    ("credentials.basic(", 1, Password),
    (".preemptive().basic(", 1, Password),
    ("auth.basic(", 1, Password),
    ("authtokens.basic(", 1, Password),
    ("basicauth(", 1, Password),
    ("basic_auth(", 1, Password),
    ("digestauth(", 1, Password),
    ("networkcredential(", 1, Password),
    ("usernamepasswordtoken(", 1, Password),
    ("usernamepasswordauthenticationtoken(", 1, Password),
    (".authenticate(", 1, Key),
    ("plaincredentials(", 1, Password),
    ("plaintextauthprovider(", 1, Password),
    ("plainauth(", 2, Password),
    ("newdialer(", 3, Password),
    ("'auth' => [", 1, Password),
    ("\"auth\" => [", 1, Password),
    (" credentials(", 3, Password),
    ("username_pw_set(", 1, Password),
    ("dbi->connect(", 2, Password),
    ("mysqli(", 2, Password),
    ("mysqli_connect(", 2, Password),
    ("pdo(", 2, Password),
    ("wpdb(", 1, Password),
    ("sequelize(", 2, Password),
    ("cx_oracle.connect(", 1, Password),
    ("oracledb.connect(", 1, Password),
    ("wlan.connect(", 1, Password),
    ("sta_if.connect(", 1, Password),
    ("sta.connect(", 1, Password),
    ("wifi.connect(", 1, Password),
    ("wifi.begin(", 1, Password),
    ("wifi.softap(", 1, Password),
    ("multi.addap(", 1, Password),
    ("ssh.connect(", 3, Password),
    ("simple_bind_s(", 1, Password),
    ("simple_bind(", 1, Password),
    ("createcredential(", 2, Password),
    ("generate_password_hash(", 0, Password),
    ("make_password(", 0, Password),
    ("hashpw(", 0, Password),
    ("bcrypt.hash(", 0, Password),
    ("hashsync(", 0, Password),
    ("generatefrompassword(", 0, Password),
    ("passwordencoder.encode(", 0, Password),
    ("argon2.hash(", 0, Password),
    ("x509certificate2(", 1, Password),
    ("basicawscredentials(", 1, Key),
    ("awsbasiccredentials.create(", 1, Key),
    ("newstaticcredentials(", 1, Key),
    ("newstaticcredentialsprovider(", 1, Key),
    ("aws::credentials.new(", 1, Key),
    ("sharedkeycredential(", 1, Key),
    ("namedkeycredential(", 1, Key),
    ("azurekeycredential(", 0, Key),
    ("clientsecretcredential(", 2, Key),
    ("clientcredential(", 1, Key),
    ("jwt.sign(", 1, Key),
    ("jwt.encode(", 1, Key),
    ("jwt.decode(", 1, Key),
    ("jwt.verify(", 1, Key),
    ("jwt::encode(", 1, Key),
    ("jwt::decode(", 1, Key),
    ("signedstring(", 0, Key),
    ("signwith(", 1, Key),
    ("hmacshakeyfor(", 0, Key),
    ("secretkeyspec(", 0, Key),
    ("symmetricsecuritykey(", 0, Key),
    ("createhmac(", 1, Key),
    ("hash_hmac(", 2, Key),
    ("hmac.hexdigest(", 1, Key),
    ("hmac.new(", 0, Key),
    ("hmac.new(sha256.new, ", 0, Key),
    ("hmac.new(sha512.new, ", 0, Key),
    ("hmac.new(sha1.new, ", 0, Key),
    ("cookieparser(", 0, Key),
    ("unsafeplaintext(", 0, Key),
    ("authenticationheadervalue(", 1, Key),
    ("urlsafetimedserializer(", 0, Key),
    ("urlsafeserializer(", 0, Key),
    ("fernet(", 0, Key),
    (".bearer(", 0, Key),
    (".bearer_auth(", 0, Key),
    (".bearerauth(", 0, Key),
    (".oauth2(", 0, Key),
    ("redis->auth(", 0, Password),
    ("redis.auth(", 0, Password),
    ("jedis.auth(", 0, Password),
];

/// What a call begins with whose secret is told by its place.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    CALLS.iter().map(|(name, ..)| *name)
}

/// Which argument of a call is a secret.
pub(super) fn place(name: &[u8]) -> Option<(usize, Is)> {
    let same = |call: &&(&str, usize, Is)| call.0.as_bytes().eq_ignore_ascii_case(name);
    CALLS.iter().find(same).map(|(_, nth, is)| (*nth, *is))
}

/// The arguments up to the call's end, or up to so many bytes beside the words in quotes: these are
/// read to their ends.
pub(super) fn arguments(body: &[u8], reach: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut start, mut depth, mut quote, mut escaped) = (0, 0_usize, None, false);
    for (at, byte) in body.iter().enumerate() {
        if at >= reach && (quote.is_none() || byte.is_ascii_whitespace()) {
            let closed = matches!(byte, b')' | b',') && depth == 0;
            found.extend(closed.then_some(start..at));
            return found;
        }
        match (quote, byte) {
            _ if escaped => escaped = false,
            (Some(_), b'\\') => escaped = true,
            (Some(q), b) if q == *b => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'' | b'`') => quote = Some(*byte),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') if depth > 0 => depth -= 1,
            (None, b')' | b']' | b'}' | b',') if depth == 0 => {
                found.push(start..at);
                start = at + 1;
                if *byte != b',' || found.len() == ARGUMENTS {
                    return found;
                }
            }
            _ => {}
        }
    }
    found
}

/// What surrounds a text that is taken as it is.
const WRAPS: [&str; 10] = [
    "", "b", "r", "u", "@", "Some(", "[]byte(", "String(", "(", "bytes(",
];
/// What turns a text into bytes, before and after it.
const ENCODERS: [&str; 3] = ["GetBytes(", "getBytes(", "encode("];

/// The text of an argument, if it is one string and nothing else.
pub(super) fn string(body: &[u8], argument: &Range<usize>) -> Option<Range<usize>> {
    let all = body.get(argument.clone())?;
    let open = all.iter().position(|b| matches!(b, b'"' | b'\'' | b'`'))?;
    let quote = all.get(open)?;
    let inner = all.get(open + 1..)?;
    let len = inner.iter().position(|b| b == quote)?;
    let head = all.get(..open)?.trim_ascii();
    // `password="…"`
    let keyword = head.iter().rposition(|b| matches!(b, b'=' | b':'));
    let head = match keyword {
        Some(at) if head.get(..at)?.iter().all(|b| word(*b)) => head.get(at + 1..)?.trim_ascii(),
        _ => head,
    };
    let wrapped = WRAPS.iter().any(|w| w.as_bytes() == head);
    let encoded = ENCODERS.iter().any(|e| head.ends_with(e.as_bytes()));
    let tail = inner.get(len + 1..)?.trim_ascii();
    let ends = tail.iter().all(|b| *b == b')')
        || tail.starts_with(b".toCharArray()")
        || tail.starts_with(b".getBytes(")
        || tail.starts_with(b".encode(");
    let start = argument.start + open + 1;
    ((wrapped || encoded) && ends).then_some(start..start + len)
}

fn word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b' '
}
