//! A text as the sequence that puts it on a terminal's clipboard. Pure.

/// How many bytes of text terminals commonly take.
const MOST: usize = 64 * 1024;
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The sequence (OSC 52); none for a text that is too long for it.
pub(super) fn sequence(text: &str) -> Option<String> {
    (text.len() <= MOST).then(|| format!("\x1b]52;c;{}\x07", base64(text.as_bytes())))
}

fn base64(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |n: usize| u32::from(chunk.get(n).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for n in 0..4 {
            let sextet = (bits >> (18 - 6 * n)) & 63;
            let letter = ALPHABET.get(sextet as usize).copied().unwrap_or(b'=');
            let is_padding = n > chunk.len();
            out.push(char::from(if is_padding { b'=' } else { letter }));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_as_base64() {
        for (text, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
            ("日", "5pel"),
            ("??>>", "Pz8+Pg=="),
        ] {
            assert_eq!(base64(text.as_bytes()), coded);
        }
    }

    #[test]
    fn nothing_of_the_text_can_end_the_sequence_and_long_ones_are_not_sent() {
        assert_eq!(sequence("\x07\x1b\\").unwrap(), "\x1b]52;c;Bxtc\x07");
        assert_eq!(sequence(&"x".repeat(MOST + 1)), None);
    }
}
