//! How much a search may look at, in bytes, before it is given up and its part withheld.
//!
//! A rule that looks at the same bytes again and again is a fault; no text, however it was made,
//! turns it into a search that does not end. Counted per thread: it is the smallest helpers that
//! look, and they know nothing of the search they are part of.

use std::cell::Cell;

/// What may be looked at for each byte of a text, beside the one pass for anchors. Ordinary text
/// needs less than a tenth of it.
const PER_BYTE: usize = 512;
/// What may be looked at in any text, however short.
const ALWAYS: usize = 1 << 20;

thread_local! {
    static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// What a search found, or nothing if it looked at too much for a text of `len` bytes.
pub(super) fn within<T>(len: usize, search: impl FnOnce() -> T) -> Option<T> {
    LEFT.set(allowed(len));
    let _outside = Unlimited;
    let found = search();
    (!is_spent()).then_some(found)
}

/// Outside a search nothing is limited, also after one that failed.
struct Unlimited;

impl Drop for Unlimited {
    fn drop(&mut self) {
        LEFT.set(usize::MAX);
    }
}

fn allowed(len: usize) -> usize {
    ALWAYS.saturating_add(len.saturating_mul(PER_BYTE))
}

/// Notes that this many bytes were looked at.
#[inline]
pub(super) fn spend(bytes: usize) {
    LEFT.set(LEFT.get().saturating_sub(bytes));
}

/// Whether the search is to be given up.
#[inline]
pub(super) fn is_spent() -> bool {
    LEFT.get() == 0
}

/// How much is looked at, without a limit.
#[cfg(test)]
pub(super) fn count<T>(search: impl FnOnce() -> T) -> usize {
    LEFT.set(usize::MAX);
    let _found = search();
    usize::MAX - LEFT.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_looks_at_too_much_finds_nothing_and_the_next_one_starts_afresh() {
        assert_eq!(within(10, || spend(allowed(10) - 1)), Some(()));
        assert_eq!(within(10, || spend(allowed(10))), None);
        assert_eq!(within(10, || spend(usize::MAX)), None);
        assert!(!is_spent());
        assert_eq!(within(10, || 7), Some(7));
    }
}
