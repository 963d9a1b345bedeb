//! What may stand between a colon and the value: a type, a tag, the mark of a prompt.

use super::{GAP, is_quote, spaces};

/// Behind the mark that a question in a terminal ends with: `secret value: › …`.
fn prompted(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or(&[]);
    let mark = ["… ", "› ", "❯ ", "▸ "]
        .iter()
        .find(|mark| rest.starts_with(mark.as_bytes()));
    at + mark.map_or(0, |mark| mark.len())
}

/// After a colon: a type annotation (`: &str =`) is skipped.
pub(super) fn after_colon(text: &[u8], at: usize) -> usize {
    let value = tagged(text, prompted(text, spaces(text, at, GAP)));
    let rest = text.get(value..).unwrap_or(&[]);
    let kind = rest
        .iter()
        .take(24)
        .take_while(|b| {
            b.is_ascii_alphanumeric()
                || matches!(b, b'&' | b'_' | b'<' | b'>' | b'\'' | b':' | b'?')
        })
        .count();
    let equals = spaces(text, value + kind, 4);
    let typed = kind > 0
        && equals > value + kind
        && text.get(equals) == Some(&b'=')
        && text.get(equals + 1) == Some(&b' ');
    if typed {
        spaces(text, equals + 1, GAP)
    } else {
        annotated(rest).map_or(value, |len| value + len)
    }
}

/// How far the string is behind a type with others in it: `Annotated[str, Option()] = "…"`.
fn annotated(rest: &[u8]) -> Option<usize> {
    let fits = |b: &&u8| b.is_ascii_alphanumeric() || b"_[](),.| ".contains(b);
    let kind = rest.iter().take(96).take_while(fits).count();
    let head = rest.get(..kind)?.strip_suffix(b"] ")?;
    let opens = head.first()?.is_ascii_alphabetic() && head.contains(&b'[');
    let value = rest.get(kind..)?.strip_prefix(b"= ")?;
    (opens && is_quote(value.first())).then_some(kind + 2)
}

/// After what says something of a value: YAML's `!!str ` and `&anchor `, the end of bold.
fn tagged(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or(&[]);
    let len = match rest {
        [b'*', b'*', ..] => 2,
        [b'!' | b'&', ..] => {
            let word = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'!' | b'_' | b'-');
            1 + rest.iter().skip(1).take(24).take_while(word).count()
        }
        _ => return at,
    };
    let after = spaces(text, at + len, 4);
    let typed = text.get(after) == Some(&b'=');
    if after > at + len && !typed {
        after
    } else {
        at
    }
}
