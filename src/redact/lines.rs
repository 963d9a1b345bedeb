//! Line ends and the gutters that tools put before and after lines: numbers, diff marks, boxes.

/// Where the next line's text begins, if nothing but a gutter separates it from `at`.
pub(super) fn continuation(text: &[u8], at: usize) -> Option<usize> {
    let mut at = skip_trail(text, at);
    if text.get(at) == Some(&b'\r') {
        at += 1;
    }
    (text.get(at) == Some(&b'\n')).then(|| gutter(text, at + 1))
}

/// Whether only a gutter stands between `at` and the line's end.
pub(super) fn ends_line(text: &[u8], at: usize) -> bool {
    matches!(
        text.get(skip_trail(text, at)),
        None | Some(b'\n' | b'\r' | b'`' | b'<')
    )
}

/// After the gutter that begins a line: spaces, quotes, `+`, `-`, `>`, box bars, `12→`, `12|`.
pub(super) fn gutter(text: &[u8], at: usize) -> usize {
    let mut at = skip(text, at, b" \t|>+\"'#*");
    let digits = text
        .iter()
        .skip(at)
        .take(7)
        .take_while(|b| b.is_ascii_digit())
        .count();
    if digits > 0 {
        let after = skip(text, at + digits, b" ");
        let rest = text.get(after..).unwrap_or(&[]);
        if rest.starts_with("→".as_bytes()) || matches!(rest.first(), Some(b'|' | b'\t' | b':')) {
            at = skip(text, after, b"|\t: ");
        }
    }
    skip(text, at, b" \t|>\"'")
}

fn skip_trail(text: &[u8], at: usize) -> usize {
    skip(text, at, b" \t|\"'+\\,")
}

/// Skips these bytes, box bars and arrows; at most 64 bytes.
fn skip(text: &[u8], mut at: usize, set: &[u8]) -> usize {
    let last = at + 64;
    while at < last {
        let rest = text.get(at..).unwrap_or(&[]);
        match rest.first() {
            Some(b) if set.contains(b) => at += 1,
            Some(0xe2)
                if ["│", "┃", "║", "→"]
                    .iter()
                    .any(|c| rest.starts_with(c.as_bytes())) =>
            {
                at += 3
            }
            _ => break,
        }
    }
    at
}
