//! Dumps of bytes, as `xxd` and `hexdump -C` print them: what the bytes say is searched, and the
//! digits and characters of a secret are hidden.

use super::anchors::Anchor;
use super::rules::Rule;
use super::scan::{Scan, scan};
use super::view::View;
use std::ops::Range;

/// The most lines of a dump that are read.
const MOST: usize = 4096;
/// The most bytes in a line.
const WIDTH: usize = 32;

/// A line of a dump: where the digits and the characters of its bytes stand.
struct Line {
    digits: Range<usize>,
    chars: Range<usize>,
    bytes: Vec<u8>,
}

/// The anchor is the first line's number.
pub(super) fn find(found: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    if anchor.start < found.dumps || found.depth > 0 {
        return;
    }
    let (mut dump, mut at) = (Vec::new(), anchor.start);
    while let Some(line) = line(found.text, at).filter(|_| dump.len() < MOST) {
        let end = line.chars.end.max(line.digits.end);
        dump.push(line);
        found.dumps = end;
        let feed = found
            .text
            .get(end..)
            .and_then(|t| memchr::memchr(b'\n', t.get(..80).unwrap_or(t)));
        let Some(feed) = feed else { break };
        at = run(found.text, end + feed + 1, |b| matches!(b, b' ' | b'\t'));
    }
    let bytes: Vec<u8> = dump
        .iter()
        .flat_map(|line| line.bytes.iter().copied())
        .collect();
    let view = View::new(&bytes);
    for span in scan(view.bytes(), found.depth + 1) {
        let secret = view.raw(&span.range);
        let mut from = 0;
        for line in &dump {
            let to = from + line.bytes.len();
            if secret.start < to && from < secret.end {
                found.hide(line.digits.clone(), rule.id.as_str());
                found.hide(line.chars.clone(), rule.id.as_str());
            }
            from = to;
        }
    }
}

/// `00000010: 6768 705f …  gh…` or `00000010  67 68 … |gh…|`.
fn line(text: &[u8], start: usize) -> Option<Line> {
    let number = run(text, start, u8::is_ascii_hexdigit);
    if !(7..=8).contains(&(number - start)) {
        return None;
    }
    let mut at = number + usize::from(text.get(number) == Some(&b':'));
    let mut bytes = Vec::new();
    let digits = run(text, at, |b| *b == b' ');
    let mut end = digits;
    // Two digits a byte, a space after each or after every second one, two spaces at the end.
    loop {
        let gap = run(text, at, |b| *b == b' ') - at;
        let pair = text.get(at + gap..at + gap + 2)?;
        let hexed = std::str::from_utf8(pair).ok();
        let byte = hexed.and_then(|h| u8::from_str_radix(h, 16).ok());
        let half = bytes.len() == 8 && gap == 2;
        let byte = byte.filter(|_| gap < 2 || bytes.is_empty() || half);
        let Some(byte) = byte.filter(|_| bytes.len() < WIDTH) else {
            break;
        };
        bytes.push(byte);
        at += gap + 2;
        end = at;
    }
    let chars = run(text, end, |b| matches!(b, b' ' | b'|'));
    let line = text.get(chars..chars + bytes.len()).unwrap_or(&[]);
    let printed = line.iter().all(|b| b.is_ascii_graphic() || *b == b' ');
    let shown = if printed && chars > end {
        chars..chars + line.len()
    } else {
        end..end
    };
    (bytes.len() >= 2).then_some(Line {
        digits: digits..end,
        chars: shown,
        bytes,
    })
}

fn run(text: &[u8], at: usize, of: impl Fn(&u8) -> bool) -> usize {
    let rest = text.get(at..).unwrap_or(&[]);
    at + rest.iter().take(WIDTH * 4).take_while(|b| of(b)).count()
}

#[cfg(test)]
mod tests {
    use super::super::tests::redact;
    use std::fmt::Write;

    fn dump(text: &str, canonical: bool) -> String {
        let mut all = String::new();
        for (n, line) in text.as_bytes().chunks(16).enumerate() {
            let shown = String::from_utf8_lossy(line).replace('\n', ".");
            let pair = |c: &[u8]| c.iter().map(|b| format!("{b:02x}")).collect::<String>();
            if canonical {
                let half = |c: &[u8]| c.chunks(1).map(pair).collect::<Vec<_>>().join(" ");
                let both: Vec<String> = line.chunks(8).map(half).collect();
                let _ = writeln!(all, "{:08x}  {:<48}  |{shown}|", n * 16, both.join("  "));
            } else {
                let words: Vec<String> = line.chunks(2).map(pair).collect();
                let _ = writeln!(all, "{:08x}: {:<39}  {shown}", n * 16, words.join(" "));
            }
        }
        all
    }

    #[test]
    fn a_secret_is_hidden_in_digits_and_characters() {
        let secret = "x8Kq2mPz7RwQ1kd9Lq81LmZ0";
        for canonical in [false, true] {
            let text = dump(
                &format!("PORT=8080 and more\nAPI_TOKEN={secret}\n"),
                canonical,
            );
            let shown = redact(&text);
            assert!(shown.starts_with(text.get(..40).unwrap()), "{shown}");
            let digits: String = secret.bytes().map(|b| format!("{b:02x}")).collect();
            let bare: String = shown.split_whitespace().collect();
            for at in 0..secret.len() - 8 {
                assert!(!shown.contains(&secret[at..at + 8]), "{shown}");
                assert!(!bare.contains(&digits[2 * at..2 * at + 16]), "{shown}");
            }
        }
        let plain = dump("nothing in it but words and 12 digits, more words", true);
        assert_eq!(redact(&plain), plain);
    }
}
