//! Whether a value near a name can be the name's: what stands between, and what the value is
//! labelled with itself.

use super::super::super::lexicon::Lexicon;
use super::super::fields;
use super::super::names;
use super::super::reading::Value;
use std::ops::Range;
use std::sync::LazyLock;

/// How surely a value is the name's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// A few bytes further, with a word or two between.
    Close,
    /// On the same line.
    Line,
    /// Alone on the line below, where the name's line says that it follows.
    Below,
}

/// The most bytes between a name and a value close to it.
const CLOSE: usize = 40;

/// Words that, right before a name, say that it is none of a secret.
static NOT: LazyLock<Lexicon> = LazyLock::new(|| {
    Lexicon::of(&[
        "unexpected",
        "invalid",
        "next",
        "page",
        "continuation",
        "cancellation",
        "public",
        "design",
        "no",
        "sync",
        "nth",
        "lexer",
        "foreign",
        "primary",
    ])
});
/// Words that, right behind a name, make it one of something else: `token id`.
static OF: LazyLock<Lexicon> = LazyLock::new(|| {
    Lexicon::of(&[
        "id",
        "ids",
        "type",
        "types",
        "name",
        "names",
        "count",
        "hash",
        "hashes",
        "hashing",
        "digest",
        "usage",
        "limit",
        "length",
        "file",
        "path",
        "url",
        "uri",
        "endpoint",
        "expires",
        "expiry",
        "policy",
        "version",
        "fingerprint",
        "checksum",
        "address",
    ])
});
/// What a value that is no secret may be called, before it.
static OTHERS: LazyLock<Lexicon> = LazyLock::new(|| {
    Lexicon::of(&[
        "accessor",
        "uid",
        "sha",
        "sha1",
        "sha256",
        "sha384",
        "sha512",
        "md5",
        "hash",
        "digest",
        "checksum",
        "commit",
        "rev",
        "revision",
        "ref",
        "blob",
        "tree",
        "index",
        "etag",
        "integrity",
        "fingerprint",
        "thumbprint",
        "id",
        "ids",
        "uuid",
        "guid",
        "nonce",
        "salt",
        "image",
        "build",
        "version",
        "file",
        "path",
        "url",
        "user",
        "email",
        "host",
        "trace",
    ])
});
/// What a value's own label may be called, beside what holds a neighbour's value, and still say
/// nothing of another thing.
static NEUTRAL: LazyLock<Lexicon> = LazyLock::new(|| {
    Lexicon::of(&[
        "new",
        "old",
        "to",
        "from",
        "is",
        "was",
        "now",
        "s",
        "got",
        "want",
        "expected",
        "actual",
        "received",
        "left",
        "right",
        "result",
        "output",
        "response",
        "it",
        "here",
        "below",
        "following",
    ])
});

/// Whether the words around a name leave it a secret's.
pub(in super::super) fn names_a_secret(text: &[u8], name: &Range<usize>) -> bool {
    let head = text.get(name.start.saturating_sub(20)..name.start);
    let head = head.unwrap_or(&[]);
    let before = head.strip_suffix(b" ").map_or(&[][..], last_word);
    let rest = text.get(name.end..).unwrap_or(&[]);
    let word = |rest: &[u8]| {
        rest.iter()
            .take(16)
            .take_while(|b| b.is_ascii_alphanumeric())
            .count()
    };
    let (after, sign) = rest
        .strip_prefix(b" ")
        .map_or((&[][..], &[][..]), |rest| rest.split_at(word(rest)));
    let set = sign.starts_with(b"=")
        && !(after.eq_ignore_ascii_case(b"id") || after.eq_ignore_ascii_case(b"ids"));
    let after = if set { &[] } else { after };
    // A verb.
    let verb = text
        .get(name.clone())
        .is_some_and(|name| name.eq_ignore_ascii_case(b"pass"));
    // `${DB_PASSWORD}@host`
    let hole = rest.starts_with(b"}") && head.ends_with(b"${");
    !verb
        && !hole
        && !NOT.has(before)
        && !OF.has(after)
        && !head.ends_with(b"://")
        && !is_owner(rest)
        && !head.ends_with(b"@")
}

/// `KeePass2::CIPHER`, `the token's address`: what belongs to the name is no value.
fn is_owner(rest: &[u8]) -> bool {
    match rest {
        [b':', b':', next, ..] => next.is_ascii_alphabetic(),
        [b'\'', b's', b' ', ..] => true,
        _ => rest.starts_with("\u{2019}s ".as_bytes()),
    }
}

/// How a value on the same line belongs to a name before it, if it does.
pub(super) fn between(text: &[u8], name: &Range<usize>, value: &Value) -> Option<Link> {
    let start = value.range.start - usize::from(value.quoted);
    let between = text.get(name.end..start)?;
    let holds = |what: &[u8]| memchr::memmem::find(between, what).is_some();
    // A name in the middle of something encoded; the beginning of a long text.
    let glued = between
        .iter()
        .all(|b| b.is_ascii_alphanumeric() || b"+/_-.~".contains(b));
    let begun = !value.quoted && matches!(between.last(), Some(b'"' | b'\'' | b'`'));
    let glued = glued || between == b"::" && !value.quoted;
    let id = holds(b"GUID::") || holds(b"Guid(") || holds(b"UUID(");
    if glued || begun || id || holds(b"://") || holds(b"ENC[") || is_other(between) {
        return None;
    }
    if memchr::memchr(b'\n', between).is_some() {
        return Some(Link::Below);
    }
    labelled(text, name, start)?;
    let words = between
        .split(|b| !b.is_ascii_alphanumeric() && *b != b'_')
        .filter(|w| !w.is_empty())
        .count();
    Some(match between.len() <= CLOSE && words <= 4 {
        true => Link::Close,
        false => Link::Line,
    })
}

/// Whether a text in quotes is what holds where a name has no value yet: `getenv("NAME") ?? "…"`,
/// `Lazy::new(|| "…")`, `const name: Type = "…"`, `"" => "…"`.
pub(super) fn is_default(text: &[u8], name: &Range<usize>, value: &Value) -> bool {
    const ENDS: [&[u8]; 23] = [
        b" else",
        b"(string:",
        b"lazy {",
        b" default",
        b"default(",
        b"??",
        b"?:",
        b"||",
        b" or",
        b"//",
        b"unwrap_or(",
        b"unwrap_or_else(",
        b"or_else(",
        b"orElse(",
        b"getOrElse(",
        b"Lazy::new(",
        b"default=",
        b"default_value =",
        b"DEFAULT=",
        b"default_value=",
        b"fallback=",
        b"{ get; set; } =",
        b"want",
    ];
    let start = value.range.start - 1;
    let between = text.get(name.end..start).unwrap_or(&[]).trim_ascii_end();
    let prefix = |b: &u8| matches!(b, b'b' | b'r' | b'f' | b'u' | b'@' | b'L');
    let between = match between.split_last() {
        Some((last, rest)) if prefix(last) && rest.ends_with(b" ") => rest.trim_ascii_end(),
        _ => between,
    };
    let body = [&b"|_|"[..], b"||", b"() =>", b"() ->", b"{"];
    let closure = body.iter().find_map(|b| between.strip_suffix(*b));
    let inner = closure.unwrap_or(between).trim_ascii_end();
    let holds = |what: &[u8]| memchr::memmem::find(between, what).is_some();
    let none = holds(b"\"\"") || holds(b"''");
    let joined = [&b"=>"[..], b"->", b"to", b"want"]
        .iter()
        .any(|j| between.ends_with(j));
    let got = [&b"getenv("[..], b"environ.get(", b"env(", b"Getenv("]
        .iter()
        .any(|g| holds(g));
    let made = inner.ends_with(b"(") && is_maker(inner)
        || between.trim_ascii() == b"," && compares(text, name);
    // `String apiKey() { return "…"; }`
    let returned = between.starts_with(b"()") && between.ends_with(b"return");
    !holds(b"\n")
        && (returned
            || made
            || ENDS
                .iter()
                .any(|end| inner.ends_with(end) || between.ends_with(end))
            || none && joined
            || got && between.ends_with(b",")
            || is_typed(between))
}

/// `hash(`, `MD5(`, `Field(`: what is called with a text and gives what a name holds.
fn is_maker(between: &[u8]) -> bool {
    const MAKES: [&[u8]; 12] = [
        b"hash",
        b"hashpw",
        b"hashsync",
        b"md5",
        b"sha1",
        b"sha256",
        b"crypt",
        b"encode",
        b"encrypt",
        b"field",
        b"make_password",
        b"value",
    ];
    let call = between.strip_suffix(b"(").unwrap_or(between);
    let last = call
        .rsplit(|b| !b.is_ascii_alphanumeric() && *b != b'_')
        .next();
    let last = last.unwrap_or(&[]);
    let makes = MAKES.iter().any(|m| m.eq_ignore_ascii_case(last));
    makes && call.iter().any(|b| matches!(b, b'=' | b':'))
}

/// `strcmp(password, "…")`
fn compares(text: &[u8], name: &Range<usize>) -> bool {
    const CALLS: [&[u8]; 5] = [b"cmp(", b"quals(", b"ompare(", b"erify(", b"check("];
    let head = text.get(name.start.saturating_sub(8)..name.start);
    head.is_some_and(|head| CALLS.iter().any(|call| head.ends_with(call)))
}

/// `: []const u8 =`, ` As String =`: a type between the name and the sign.
fn is_typed(between: &[u8]) -> bool {
    let Some(head) = between.strip_suffix(b"=") else {
        return false;
    };
    let head = head.trim_ascii();
    // Go writes no colon.
    if matches!(head, b"string" | b"[]byte") {
        return true;
    }
    let kind = head.strip_prefix(b":").or(head.strip_prefix(b"As "));
    kind.is_some_and(|kind| {
        kind.len() <= 48
            && kind
                .iter()
                .all(|b| b.is_ascii_alphanumeric() || b" &<>[]*?_:.'".contains(b))
    })
}

/// Whether the last word before a value says that it is something else.
pub(super) fn is_other(between: &[u8]) -> bool {
    let words = between
        .rsplit(|b| !b.is_ascii_alphanumeric())
        .filter(|w| !w.is_empty());
    words.take(1).any(|word| OTHERS.has(word) || is_id(word))
}

/// `QUuid(`, `new_guid(`
fn is_id(word: &[u8]) -> bool {
    let tail = word.get(word.len().saturating_sub(4)..).unwrap_or(word);
    tail.eq_ignore_ascii_case(b"uuid") || tail.eq_ignore_ascii_case(b"guid")
}

/// Nothing, if the value has a label of its own that says it is something else.
fn labelled(text: &[u8], name: &Range<usize>, start: usize) -> Option<()> {
    let head = text.get(..start)?;
    let head = head.get(start.saturating_sub(64)..)?;
    let end = start - (head.len() - head.trim_ascii_end().len());
    let sign = match text.get(..end)? {
        [.., b':' | b'=', b'='] | [.., b'=', b'>'] => end - 2,
        [.., b'=' | b':'] => end - 1,
        _ => return Some(()),
    };
    let Some(label) = fields::label(text, sign).filter(|label| label.start > name.end) else {
        return Some(());
    };
    let bytes = text.get(label.clone())?;
    let own = fields::holds(bytes) || NEUTRAL.has(bytes) || names::kind(bytes).is_some();
    (own || ends_clause(text, name, sign)).then_some(())
}

/// `password of the admin on host: …`: words from the name up to the colon.
fn ends_clause(text: &[u8], name: &Range<usize>, sign: usize) -> bool {
    let clause = text.get(name.end..sign).unwrap_or(&[]);
    let word = |b: &u8| b.is_ascii_alphabetic() || b" @.-'[]_".contains(b);
    text.get(sign) == Some(&b':')
        && matches!(text.get(sign + 1), Some(b' '))
        && clause.first() == Some(&b' ')
        && clause.iter().all(word)
}

fn last_word(text: &[u8]) -> &[u8] {
    text.rsplit(|b| !b.is_ascii_alphabetic())
        .next()
        .unwrap_or(&[])
}
