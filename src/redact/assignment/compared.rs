//! A name that a test compares with its value: `expect(cfg.apiKey).toBe("…")`,
//! `assertEquals("…", cfg.getPassword())`, `getenv("TOKEN") = "…"`.
//!
//! Only finds where the value stands.

use super::operator::spaces;
use std::ops::Range;

/// How far before a name its value may begin, in bytes.
const BEFORE: usize = 160;

/// What compares with the text that follows.
const COMPARES: [&[u8]; 14] = [
    b".toBe(",
    b".toEqual(",
    b".toStrictEqual(",
    b".not.toBe(",
    b".not.toEqual(",
    b".to eq(",
    b".to eq ",
    b".to.equal(",
    b".to.be.equal(",
    b".to.eq(",
    b".isEqualTo(",
    b".should eq(",
    b".should.equal(",
    b".Should().Be(",
];

/// What takes an expected text and then what it should be.
const EXPECTS: [&[u8]; 9] = [
    b"assertEquals(",
    b"assertEqual(",
    b"assert_eq!(",
    b"assert_ne!(",
    b"assertNotEquals(",
    b"AreEqual(",
    b"Assert.Equal(",
    b".Equal(t, ",
    b"assertSame(",
];

/// What compares a text with the name that follows.
const SIGNS: [&[u8]; 6] = [b"===", b"!==", b"==", b"!=", b".equals(", b".eql?("];

/// Where the text begins, its quote included, that a name in parentheses is compared with. `at` is
/// where they close.
pub(super) fn after(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?.strip_prefix(b")")?;
    let from = at + 1;
    // A getter's own parentheses: `getPassword())`.
    let value = match COMPARES.iter().find(|c| rest.starts_with(c)) {
        Some(compares) => from + compares.len(),
        None => {
            let sign = spaces(text, from, 2);
            let len = match text.get(sign..)? {
                [b'=' | b'!', b'=', b'=', ..] => 3,
                [b'=' | b'!', b'=', ..] => 2,
                [b'=', b' ', ..] => 1,
                _ => return None,
            };
            spaces(text, sign + len, 2)
        }
    };
    matches!(text.get(value), Some(b'"' | b'\'' | b'`')).then_some(value)
}

/// The expected text before a name in the same call, without its quotes.
pub(super) fn before(text: &[u8], name: &Range<usize>) -> Option<Range<usize>> {
    let from = name.start.saturating_sub(BEFORE);
    let head = text.get(from..name.start)?;
    let path = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':' | b'&' | b'$');
    let own = head.iter().rev().take_while(path).count();
    let head = head.get(..head.len() - own)?.trim_ascii_end();
    // `set("…", forKey: "password")`
    if let Some(call) = head.strip_suffix(b"forKey: \"") {
        let (quote, inner) = call.trim_ascii_end().strip_suffix(b",")?.split_last()?;
        let open = inner.iter().rposition(|b| b == quote || *b == b'\n')?;
        let sets =
            inner.get(..open)?.ends_with(b"set(") || inner.get(..open)?.ends_with(b"setValue(");
        let text = inner.get(open) == Some(&b'"') && sets;
        return text.then(|| from + open + 1..from + inner.len());
    }
    // `"…" == name`, `"…".equals(name)`, `"{}".format("…") != name`
    let sign = SIGNS.iter().find_map(|sign| head.strip_suffix(*sign));
    let head = match sign {
        Some(head) => head.trim_ascii_end(),
        None => head.strip_suffix(b",")?,
    };
    let formatted = sign.and_then(|head| head.trim_ascii_end().strip_suffix(b")"));
    let (quote, inner) = formatted.unwrap_or(head).split_last()?;
    let open = inner.iter().rposition(|b| b == quote || *b == b'\n')?;
    let call = inner.get(..open)?;
    let expects = match (sign, formatted) {
        (Some(_), Some(_)) => call.ends_with(b".format("),
        (Some(_), None) => true,
        _ => EXPECTS.iter().any(|e| call.ends_with(e)),
    };
    let quoted = matches!(quote, b'"' | b'\'') && inner.get(open) == Some(quote);
    (quoted && expects).then_some(from + open + 1..from + inner.len())
}
