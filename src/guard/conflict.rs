//! Marks that git leaves in a file where two sides of a merge met: committed with both of them in
//! it, neither is anybody's decision.

use super::{Item, quote, warn};
use crate::memory::Document;
use crate::proposal::Verdict;

pub(super) const NAME: &str = "conflict-mark";

pub(super) fn check(item: &Item) -> Option<Verdict> {
    let line = item.fresh.lines().find(|line| is_mark(line))?;
    Some(warn(
        NAME,
        format!(
            "holds git's mark of a merge conflict: {}; reject it, or keep one side in the file and take the marks out",
            quote(line)
        ),
    ))
}

/// Both sides stand in a file, whichever of its entries the marks are taken for.
pub(super) fn check_file(doc: &Document) -> Option<Verdict> {
    // A line of equals signs alone may underline a title.
    let first = mark_in(doc.body())?;
    let file = doc.file().name();
    Some(warn(
        NAME,
        format!(
            "{file} would hold git's marks of a merge conflict, the first of them {}, and both sides between them",
            quote(first)
        ),
    ))
}

/// The first mark in a text that nobody let in, if any; a line of equals signs alone is none.
#[must_use]
pub fn mark_in(text: &str) -> Option<&str> {
    let mut marks = text.lines().filter(|line| is_mark(line));
    marks.find(|line| line.trim() != "=======")
}

/// Seven of a kind at a line's beginning, alone or before a word, as git writes them. A list item
/// may have drawn the line in.
fn is_mark(line: &str) -> bool {
    let line = line.trim();
    let is_alone_or_named = |mark: &str| {
        let rest = line.strip_prefix(mark);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    line == "======="
        || ["<<<<<<<", ">>>>>>>", "|||||||"]
            .into_iter()
            .any(is_alone_or_named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gits_marks_are_known_and_what_looks_alike_is_none() {
        for mark in [
            "<<<<<<< HEAD",
            "<<<<<<<",
            "||||||| 1a2b3c4",
            "=======\r",
            "  =======",
            ">>>>>>> theirs",
        ] {
            assert!(is_mark(mark), "{mark}");
        }
        for other in [
            "======",
            "========",
            "======= a title",
            "<<<<<<<<",
            "a <<<<<<< b",
            "<<EOF",
            ">>> 1",
            "| a | b |",
        ] {
            assert!(!is_mark(other), "{other}");
        }
    }
}
