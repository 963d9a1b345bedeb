//! The bytes at which an escape may begin: 64 are asked at once, as most text has none.
//!
//! Says where to look, not what stands there.

/// Whether an escape may begin with this byte, followed by that one: of control characters, of
/// escapes in text, of characters without width and letters in another width, of what was hidden
/// before.
#[inline]
const fn is_special(byte: u8, next: u8) -> bool {
    let digit = next.wrapping_sub(b'0') < 10;
    let word = (next | 0x20).wrapping_sub(b'a') < 26;
    let text = (byte == b'\\')
        | (byte == b'%') & (digit | word)
        | (byte == b'&') & (word | (next == b'#'))
        | (byte == b'^') & (next == b'[')
        | (byte == b'[') & (digit | (next == b'R'));
    let blank = (byte == b'\t') | (byte == b'\n') | (byte == b'\r');
    let control = (byte < 0x20) & !blank | (byte == 0x7f);
    let two = (byte == 0xc2) | (byte == 0xcc) | (byte == 0xcd) | (byte == 0xd8);
    let three = (byte == 0xe1) | (byte == 0xe2) | (byte == 0xef);
    // Most of what begins so is Japanese.
    let kana = (byte == 0xe3) & ((next == 0x80) | (next == 0x85));
    text | control | two | three | kana | (byte == 0xf0) & (next == 0x9d) | (byte == 0xf3)
}

/// Whether a byte is special before some other byte. No branches, so that many are asked at once;
/// most text has none.
#[inline]
const fn may_be_special(byte: u8) -> bool {
    let sign = (byte.wrapping_sub(b'[') < 4) | (byte.wrapping_sub(b'%') < 2);
    let blank = (byte.wrapping_sub(b'\t') < 2) | (byte == b'\r');
    let control = (byte < 0x20) & !blank | (byte == 0x7f);
    sign | control | (byte >= 0xc2)
}

/// The special bytes of a text, one after the other.
pub(super) struct Specials<'t> {
    raw: &'t [u8],
    /// Where the piece begins that was looked at last.
    piece: usize,
    /// A bit for each of its bytes that may be special.
    marks: u64,
}

/// How many bytes are looked at together.
const PIECE: usize = 64;

impl<'t> Specials<'t> {
    pub fn new(raw: &'t [u8]) -> Self {
        let mut all = Self {
            raw,
            piece: 0,
            marks: 0,
        };
        all.look(0);
        all
    }

    /// The first one from a place on, which is not before the last one.
    #[inline]
    pub fn next(&mut self, from: usize) -> Option<usize> {
        if from >= self.piece + PIECE {
            self.look(from);
        }
        self.marks &= u64::MAX << (from - self.piece);
        loop {
            while self.marks == 0 {
                if self.piece >= self.raw.len() {
                    return None;
                }
                self.look(self.piece + PIECE);
            }
            let at = self.piece + self.marks.trailing_zeros() as usize;
            self.marks &= self.marks - 1;
            let byte = |at: usize| self.raw.get(at).copied().unwrap_or(0);
            // Most are the same one, in JSON.
            if byte(at) == b'\\' || is_special(byte(at), byte(at + 1)) {
                return Some(at);
            }
        }
    }

    /// Looks at a piece whole.
    fn look(&mut self, piece: usize) {
        let rest = self.raw.get(piece..).unwrap_or(&[]);
        self.piece = piece;
        self.marks = match rest.first_chunk() {
            Some(bytes) => marks(bytes),
            None => {
                let mut bytes = [b' '; PIECE];
                bytes
                    .iter_mut()
                    .zip(rest)
                    .for_each(|(to, from)| *to = *from);
                marks(&bytes)
            }
        };
    }
}

/// A bit for each byte that may be special.
fn marks(bytes: &[u8; PIECE]) -> u64 {
    /// Takes the lowest bits of eight bytes together, in the highest byte.
    const TOGETHER: u64 = 0x0102_0408_1020_4080;
    let mut marks = [0_u8; PIECE];
    for (mark, byte) in marks.iter_mut().zip(bytes) {
        *mark = u8::from(may_be_special(*byte));
    }
    let eights = marks.as_chunks().0.iter().enumerate();
    let bits = eights
        .map(|(n, eight)| (u64::from_le_bytes(*eight).wrapping_mul(TOGETHER) >> 56) << (8 * n));
    bits.fold(0, |all, bits| all | bits)
}
