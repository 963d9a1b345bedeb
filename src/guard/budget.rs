//! A file stays within its budget; what overflows was to go to the archive.

use super::warn;
use crate::config::Budgets;
use crate::memory::Document;
use crate::proposal::Verdict;

const NAME: &str = "budget";

pub(super) fn check(doc: &Document, budgets: &Budgets) -> Option<Verdict> {
    let (chars, budget) = (doc.body_chars(), budgets.of(doc.file()));
    (chars > budget).then(|| {
        let file = doc.file().name();
        warn(
            NAME,
            format!("{file} would hold {chars} characters; its budget is {budget}"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::MemoryFile;

    #[test]
    fn only_what_is_over_is_said() {
        let budgets = Budgets {
            state: 10,
            ..Budgets::default()
        };
        let said = |text: &str| check(&Document::parse(MemoryFile::State, text), &budgets);
        assert_eq!(said("0123456789\n"), None);
        assert!(
            said("0123456789x\n")
                .unwrap()
                .reason
                .contains("11 characters")
        );
    }
}
