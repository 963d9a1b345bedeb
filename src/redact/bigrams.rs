//! How usual two letters are next to each other in words and names, to tell words from chance.
//!
//! Counted over the words and identifiers of some 80 MB of source and documentation.

/// For each letter `a`-`z` a row: minus the binary logarithm of how often each letter follows it,
/// rounded, 9 at most.
const FOLLOWS: [&[u8; 26]; 26] = [
    b"64458759597343958342567768",
    b"36563778368277368446389959",
    b"38573793594478278463589969",
    b"35652678388567468546567879",
    b"47436569799453757234867579",
    b"47653479298476379455498969",
    b"47672754399564469346487879",
    b"27762898397667369454588969",
    b"55445559998452359544959795",
    b"36653787486766357737375879",
    b"46662666389565567635586979",
    b"37652789297377369855579949",
    b"35762879398657439846589969",
    b"47443538496676479733669979",
    b"66458659686442549345465789",
    b"38663765497478348354588969",
    b"57555666697377665557178868",
    b"37552769396656369544578959",
    b"58473774397677447742487968",
    b"38672784299677469345587859",
    b"54564569599443749333889899",
    b"27681787399777477766788889",
    b"37663774397564359446987789",
    b"46453586478557638652878459",
    b"46554668498444529634776856",
    b"38761787388766478868787754",
];

/// How unusual the pairs of letters in a text are, in bits on average; words have 3 to 5, chance 6.
/// Letters apart from each other and single ones do not count.
pub(super) fn surprise(text: &[u8]) -> f64 {
    let (mut bits, mut pairs) = (0_u32, 0_u32);
    for pair in text.windows(2) {
        let &[a, b] = pair else { break };
        // `aB`: another word begins.
        if b.is_ascii_uppercase() && a.is_ascii_lowercase() {
            continue;
        }
        if let Some(cost) = cost(a, b) {
            bits += u32::from(cost);
            pairs += 1;
        }
    }
    if pairs == 0 {
        return 0.0;
    }
    f64::from(bits) / f64::from(pairs)
}

fn cost(a: u8, b: u8) -> Option<u8> {
    let row = letter(a).and_then(|a| FOLLOWS.get(a))?;
    Some(row.get(letter(b)?)? - b'0')
}

fn letter(byte: u8) -> Option<usize> {
    byte.is_ascii_alphabetic()
        .then(|| usize::from(byte.to_ascii_lowercase() - b'a'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_surprise_less_than_chance() {
        for word in ["password", "StencilOperation", "getUserName", "kubernetes"] {
            assert!(surprise(word.as_bytes()) < 5.2, "{word}");
        }
        for chance in ["xkqzjvwpfhg", "kqglidqschwzpx", "wqzjkxvbnmtrp"] {
            assert!(surprise(chance.as_bytes()) > 5.6, "{chance}");
        }
        assert!(surprise(b"1a2b3") < 0.1);
    }
}
