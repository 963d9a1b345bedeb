//! How long a value without quotes is.

/// Where a quote or a full stop stands that is not written in ASCII.
fn printed_end(run: &[u8]) -> usize {
    const ENDS: [&str; 12] = [
        "\u{201d}", "\u{201c}", "\u{2019}", "\u{bb}", "\u{300d}", "\u{300f}", "\u{3002}",
        "\u{ff0c}", "\u{3001}", "\u{ff1b}", "\u{ff09}", "\u{2026}",
    ];
    if run.is_ascii() {
        return run.len();
    }
    let ends = ENDS.iter();
    ends.filter_map(|e| memchr::memmem::find(run, e.as_bytes()))
        .filter(|at| *at > 0)
        .min()
        .unwrap_or(run.len())
}

/// The length of a value without quotes: up to a space, a quote, or what joins it to the next.
pub(super) fn unquoted(rest: &[u8]) -> usize {
    let ends = |b: &u8| ENDS[usize::from(*b)];
    let end = rest.iter().position(ends).unwrap_or(rest.len());
    let end = end.min(printed_end(rest.get(..end).unwrap_or(rest)));
    let run = rest.get(..end).unwrap_or(rest);
    let run = run.get(..before_setting(run, rest)).unwrap_or(run);
    let run = run.get(..in_diff(run)).unwrap_or(run);
    let mut signs = run.iter().enumerate().skip(1);
    let joint = signs.find(|(at, b)| is_joint(**b) && joins(run, *at));
    let joint = joint.map_or(run.len(), |(at, _)| at);
    let mut len = joint;
    while len > 0
        && matches!(
            run.get(len - 1),
            Some(b',' | b';' | b')' | b'}' | b']' | b'.' | b'|' | b'<' | b'>' | b':')
        )
    {
        len -= 1;
    }
    len
}

/// Up to where a diff of words ends what it took out, or put in: `[-pw: …-]{+pw: …+}`.
fn in_diff(run: &[u8]) -> usize {
    let ends = |at: usize| {
        let rest = run.get(at.checked_sub(1)?..)?;
        let out = rest.starts_with(b"-]") && (rest.len() == 2 || rest.get(2) == Some(&b'{'));
        (out || rest == b"+}").then_some(at - 1)
    };
    memchr::memchr2_iter(b']', b'}', run)
        .find_map(ends)
        .unwrap_or(run.len())
}

/// Up to where another setting begins whose name is of two words: `…;SSL Mode=Require`. `run` ends
/// at a blank of `rest`.
fn before_setting(run: &[u8], rest: &[u8]) -> usize {
    let word = |b: &&u8| b.is_ascii_alphabetic();
    let first = run.iter().rev().take(24).take_while(word).count();
    let joint = run.len() - first;
    let more = rest.get(run.len()..).unwrap_or(&[]);
    let gap = usize::from(more.first() == Some(&b' '));
    let second = more.iter().skip(gap).take(24).take_while(word).count();
    let named = first > 0 && gap > 0 && second > 0 && more.get(gap + second) == Some(&b'=');
    match joint.checked_sub(1) {
        Some(at) if named && run.get(at) == Some(&b';') => at,
        _ => run.len(),
    }
}

/// `&name=`, `?name=`, `;name=`, `,name=`, `</tag`.
fn joins(run: &[u8], at: usize) -> bool {
    let Some(byte) = run.get(at).filter(|b| is_joint(**b)) else {
        return false;
    };
    let rest = run.get(at + 1..).unwrap_or(&[]);
    if *byte == b'<' {
        return rest.first() == Some(&b'/');
    }
    let name = rest
        .iter()
        .take(40)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
        .count();
    // `…==,…==`: two keys in base64.
    let padded = name >= 16 && name.is_multiple_of(2) && rest.get(name..) == Some(b"==");
    (name > 0 && !padded && matches!(rest.get(name), Some(b'=' | b':')))
        || (*byte == b'&' && rest.first() == Some(&b'&'))
}

/// What ends a value without quotes.
const ENDS: [bool; 256] = {
    let mut all = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        let quote = matches!(byte, b'"' | b'\'' | b'`' | 0);
        all[byte as usize] = quote || byte.is_ascii_whitespace();
        byte += 1;
    }
    all
};

fn is_joint(byte: u8) -> bool {
    matches!(byte, b'&' | b';' | b'<' | b',' | b'?')
}
