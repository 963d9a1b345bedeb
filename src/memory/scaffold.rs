//! The four files of a new project.

use super::{MemoryFile, front};

/// The frontmatter's `type` of a file.
#[must_use]
pub fn kind(file: MemoryFile) -> &'static str {
    match file {
        MemoryFile::State => "state",
        MemoryFile::Decisions => "decisions",
        MemoryFile::Mistakes => "mistakes",
        MemoryFile::Todo => "todo",
    }
}

/// The one italic line that says that a file is still empty. The first entry replaces it.
#[must_use]
pub fn placeholder(file: MemoryFile) -> &'static str {
    match file {
        MemoryFile::State => "_Nothing recorded yet: what is true now goes here._",
        MemoryFile::Decisions => "_No decisions recorded yet._",
        MemoryFile::Mistakes => "_No mistakes recorded yet. Entries are only ever added._",
        MemoryFile::Todo => "_No open tasks recorded yet._",
    }
}

fn heading(file: MemoryFile) -> &'static str {
    match file {
        MemoryFile::State => "State",
        MemoryFile::Decisions => "Decisions",
        MemoryFile::Mistakes => "Mistakes",
        MemoryFile::Todo => "Todo",
    }
}

/// The fresh text of one file, for a project with this name.
#[must_use]
pub fn text(file: MemoryFile, name: &str, date: jiff::civil::Date) -> String {
    let front = front::render(kind(file), Some(name), &date.to_string(), "active");
    format!("{front}\n# {}\n\n{}\n", heading(file), placeholder(file))
}

/// The fresh texts of all four.
#[must_use]
pub fn files(name: &str, date: jiff::civil::Date) -> [(MemoryFile, String); 4] {
    MemoryFile::ALL.map(|file| (file, text(file, name, date)))
}

#[cfg(test)]
mod tests {
    use super::super::Document;
    use super::*;

    #[test]
    fn a_fresh_file_is_valid_and_holds_no_entry() {
        for (file, text) in files("my app: \"x\"", jiff::civil::date(2026, 1, 2)) {
            let doc = Document::parse(file, &text);
            let front = doc.front().unwrap();
            assert_eq!(front.project, "my app: \"x\"");
            assert_eq!(front.status, "active");
            assert!(doc.entries().is_empty() && doc.sections().is_empty());
            assert!(doc.placeholder().is_some());
        }
    }
}
