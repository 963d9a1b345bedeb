//! What of a window's bytes counts, and where in the table it is filed.

/// How many rows the table has.
pub(super) const ROWS: usize = 1 << 12;
/// A row and a column of the table.
pub(super) type Cell = (usize, u64);

/// What stands at a place, as if nothing stood before it.
#[inline]
pub(super) fn head_here(text: &[u8], at: usize) -> u64 {
    word(text, at) << 8
}

#[inline]
pub(super) fn word(text: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(eight(text, at))
}

/// The bytes from a place on, with zeros after the text's end.
#[inline]
pub(in super::super) fn eight(text: &[u8], at: usize) -> [u8; 8] {
    let rest = text.get(at..).unwrap_or(&[]);
    match rest.first_chunk() {
        Some(eight) => *eight,
        None => {
            let mut eight = [0; 8];
            eight
                .iter_mut()
                .zip(rest)
                .for_each(|(to, from)| *to = *from);
            eight
        }
    }
}

/// The cells of all windows with these bytes, each once: of the first byte only the higher bits tell.
pub(super) fn every(window: [Option<u8>; 4]) -> Vec<Cell> {
    let all = |byte: Option<u8>, step: usize| {
        let codes = match byte {
            Some(byte) => codes(byte.into())..=codes(byte.into()),
            None => 0..=(1 << CODE) - 1,
        };
        codes.step_by(step)
    };
    let [first, second, third, fourth] = window;
    let mut cells = Vec::new();
    for one in all(first, 4) {
        for two in all(second, 1) {
            for three in all(third, 1) {
                for four in all(fourth, 1) {
                    let codes = one | two << CODE | three << (2 * CODE) | four << (3 * CODE);
                    cells.push((row(codes), column(codes)));
                }
            }
        }
    }
    cells
}

/// How many bits of a byte count.
pub(super) const CODE: usize = 5;

/// The lowest five bits of each of eight bytes, one after the other: the same for letters of either
/// case.
#[inline]
pub(super) fn codes(bytes: u64) -> u64 {
    let one = bytes & 0x1f1f_1f1f_1f1f_1f1f;
    let two = one & 0x001f_001f_001f_001f | one >> 3 & 0x03e0_03e0_03e0_03e0;
    let four = two & 0x0000_03ff_0000_03ff | two >> 6 & 0x000f_fc00_000f_fc00;
    four & 0x000f_ffff | four >> 12 & 0x00ff_fff0_0000
}

/// Of a window's codes, all of the last two and what is left of the second; less than [`ROWS`].
#[inline]
pub(super) fn row(codes: u64) -> usize {
    (codes >> 8 & 0xfff) as usize
}

/// Of a window's codes, most of the first two; less than 64.
#[inline]
pub(super) fn column(codes: u64) -> u64 {
    codes >> 2 & 0x3f
}
