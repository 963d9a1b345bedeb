//! A key written out as its bytes: `network_key: [1, 3, 5, …]`, `const KEY: [u8; 16] = [0x2b, …]`.
//!
//! Reads numbers up to what closes the list, and a bounded stretch only.

use super::operator::spaces;
use std::ops::Range;

/// The fewest bytes of a key, and the most that are read.
const LEAST: usize = 16;
const MOST: usize = 512;
/// How far a type is skipped between a name and its value, in bytes.
const TYPE: usize = 48;

/// The numbers of a list behind a name, if they are a key's bytes.
pub(super) fn find(text: &[u8], name: &Range<usize>) -> Option<Range<usize>> {
    let quoted = usize::from(matches!(text.get(name.end), Some(b'"' | b'\'')));
    let sign = spaces(text, name.end + quoted, 4);
    matches!(text.get(sign), Some(b':' | b'=' | b'[')).then_some(())?;
    let rest = text.get(name.end + quoted..)?;
    let kind = |b: &&u8| b.is_ascii_alphanumeric() || b" \t:=&[];_.<>".contains(*b);
    let before = rest.iter().take(TYPE).take_while(kind).count();
    let head = rest.get(..before)?;
    let sign = head.iter().rposition(|b| matches!(b, b':' | b'='))?;
    let open = head.get(sign..)?.iter().position(|b| *b == b'[');
    let open = match open {
        Some(open) => sign + open,
        None if matches!(rest.get(before), Some(b'{' | b'(')) => before,
        None => return None,
    };
    let start = name.end + quoted + open + 1;
    numbers(text, spaces(text, start, 8))
}

/// The numbers from here up to what closes their list, if they are many, of a byte each, in no order.
fn numbers(text: &[u8], start: usize) -> Option<Range<usize>> {
    let rest = text.get(start..)?;
    let rest = rest.get(..MOST * 6).unwrap_or(rest);
    let close = rest.iter().position(|b| matches!(b, b']' | b'}' | b')'))?;
    let list = rest.get(..close)?;
    let mut bytes = Vec::new();
    for item in list.split(|b| *b == b',').take(MOST + 1) {
        let item = item.trim_ascii();
        if !item.is_empty() {
            bytes.push(byte(item)?);
        }
    }
    let rises = bytes
        .windows(2)
        .filter(|w| matches!(w, [a, b] if a < b))
        .count();
    let mut all = bytes.clone();
    all.sort_unstable();
    all.dedup();
    let key = (LEAST..=MOST).contains(&bytes.len())
        && all.len() * 2 > bytes.len()
        && rises * 4 < bytes.len() * 3;
    key.then(|| start..start + list.trim_ascii_end().len())
}

fn byte(item: &[u8]) -> Option<u8> {
    let item = std::str::from_utf8(item).ok()?;
    match item.strip_prefix("0x").or(item.strip_prefix("0X")) {
        Some(hex) => u8::from_str_radix(hex, 16).ok(),
        None => item.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::redact;

    #[test]
    fn the_bytes_of_a_key_are_hidden() {
        let bytes = "43, 126, 21, 22, 40, 174, 210, 166, 171, 247, 21, 136, 9, 207, 79, 60";
        for text in [
            "network_key: [{}]",
            "\"secret_key\": [{}]",
            "const ENCRYPTION_KEY: [u8; 16] = [{}];",
            "byte[] secretKey = { {} };",
        ] {
            let shown = redact(&text.replace("{}", bytes));
            assert!(!shown.contains("174, 210"), "{shown}");
        }
        let rising = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16";
        for text in [
            format!("secret_key = [{rising}]"),
            "secret_key = [43, 126, 21]".to_owned(),
            format!("sizes = [{bytes}]"),
        ] {
            assert_eq!(redact(&text), text);
        }
    }
}
