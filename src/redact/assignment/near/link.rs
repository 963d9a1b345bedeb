//! Whether a value near a name can be the name's: what stands between, and what the value is
//! labelled with itself.

mod default;

pub(super) use default::is_default;

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
