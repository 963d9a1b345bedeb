//! A text that stands for a name's value: where it has none yet, or made of it.

use super::super::super::reading::Value;
use std::ops::Range;

/// Whether a text in quotes is what holds where a name has no value yet: `getenv("NAME") ?? "…"`,
/// `Lazy::new(|| "…")`, `const name: Type = "…"`, `"" => "…"`.
pub(in super::super) fn is_default(text: &[u8], name: &Range<usize>, value: &Value) -> bool {
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
    let given = [&b"()"[..], b"func(", b"lambda", b"=>"]
        .iter()
        .any(|g| holds(g));
    let returned = given && between.ends_with(b"return");
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
    const MAKES: [&[u8]; 13] = [
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
        b"some",
        b"make_password",
        b"value",
    ];
    let call = between.strip_suffix(b"(").unwrap_or(between);
    let last = call
        .rsplit(|b| !b.is_ascii_alphanumeric() && *b != b'_')
        .next();
    MAKES
        .iter()
        .any(|m| m.eq_ignore_ascii_case(last.unwrap_or(&[])))
        && (call.starts_with(b"(") || call.iter().any(|b| matches!(b, b'=' | b':')))
}

/// `strcmp(password, "…")`
fn compares(text: &[u8], name: &Range<usize>) -> bool {
    const CALLS: [&[u8]; 6] = [
        b"cmp(", b"cpy(", b"quals(", b"ompare(", b"erify(", b"check(",
    ];
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
