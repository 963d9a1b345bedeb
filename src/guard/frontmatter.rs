//! A file's frontmatter is valid YAML with type, project, last_updated and status.

use super::block;
use crate::memory::Document;
use crate::proposal::Verdict;

const NAME: &str = "frontmatter";

pub(super) fn check(doc: &Document) -> Option<Verdict> {
    let error = doc.front().err()?;
    Some(block(NAME, format!("{}: {error}", doc.file().name())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{MemoryFile, scaffold};

    #[test]
    fn a_fresh_file_passes_and_a_broken_one_blocks() {
        let fresh = scaffold::text(MemoryFile::State, "app", jiff::civil::date(2026, 1, 2));
        assert_eq!(check(&Document::parse(MemoryFile::State, &fresh)), None);
        for broken in [
            "# State\n".to_owned(),
            fresh.replace("project: app\n", ""),
            fresh.replace("app", "&a [*a, *a]"),
            fresh.replace("# State", "---\ntype: todo\nstatus: active\n---"),
        ] {
            let doc = Document::parse(MemoryFile::State, &broken);
            assert!(check(&doc).is_some(), "{broken:?}");
        }
    }
}
