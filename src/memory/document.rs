//! One memory file as a value: its text, and where its sections and entries stand in it.
//!
//! Owns what an entry is. The text is held as it came and never printed anew, so reading and
//! writing back is the identity.

use super::blocks::{Block, BlockKind, blocks};
use super::front::{self, FrontError, FrontMatter};
use super::{Entry, MemoryFile, scaffold};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// What stands between the headings of a section's path.
pub const SECTION_SEPARATOR: &str = " › ";

/// A heading that is no entry itself: what stands below it is its section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Its path, as [`Entry::section`] has it for the entries directly below.
    pub path: String,
    /// Its heading's level, 1 to 6.
    pub level: u8,
    /// Where its heading stands.
    pub heading: Range<usize>,
}

/// A memory file: its exact text with its entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    file: MemoryFile,
    text: String,
    body: usize,
    /// Where the body's content begins: after the title.
    top: usize,
    placeholder: Option<Range<usize>>,
    headings: Vec<(u8, Range<usize>)>,
    sections: Vec<Section>,
    entries: Vec<Entry>,
}

impl Document {
    /// Reads any text as the file's content; there is no text that cannot be read.
    #[must_use]
    pub fn parse(file: MemoryFile, text: &str) -> Self {
        let body = front::locate(text).map_or(0, |place| place.body);
        let mut found = blocks(text, body);
        let title = match found.first() {
            Some(Block {
                kind: BlockKind::Heading(1, _),
                range,
            }) => Some(range.clone()),
            _ => None,
        };
        if title.is_some() {
            found.remove(0);
        }
        let placeholder = placeholder(file, text, &found);
        if placeholder.is_some() {
            found.remove(0);
        }
        let mut walk = Walk::new(file, text);
        walk.run(&found);
        Self {
            file,
            text: text.to_owned(),
            body,
            top: title.map_or(body, |range| range.end),
            placeholder,
            headings: headings(&found),
            sections: walk.sections,
            entries: walk.entries,
        }
    }

    /// Which of the four it is.
    #[must_use]
    pub fn file(&self) -> MemoryFile {
        self.file
    }

    /// The text, byte for byte as it was read.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether every line ends as some editors end it, with a carriage return before the line feed.
    pub(super) fn ends_with_returns(&self) -> bool {
        let returns = self.text.matches("\r\n").count();
        returns > 0 && returns == self.text.matches('\n').count()
    }

    /// The text after the frontmatter.
    #[must_use]
    pub fn body(&self) -> &str {
        &self.text[self.body..]
    }

    /// The frontmatter.
    ///
    /// # Errors
    /// When it is missing, too large, no valid YAML, or lacks one of its four keys.
    pub fn front(&self) -> Result<FrontMatter, FrontError> {
        front::read(&self.text)
    }

    /// Its entries, in order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Its sections, in order. A heading that is an entry by itself is none.
    #[must_use]
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// Characters of the body without the blank text around it: what a budget limits.
    #[must_use]
    pub fn body_chars(&self) -> usize {
        self.body().trim().chars().count()
    }

    /// The same file with a fresh frontmatter before its body, where it has none that can be used.
    #[must_use]
    pub fn with_front(&self, project: &str, date: jiff::civil::Date) -> Document {
        if self.front().is_ok() {
            return self.clone();
        }
        let front = front::render(
            scaffold::kind(self.file),
            Some(project),
            &date.to_string(),
            "active",
        );
        Document::parse(self.file, &format!("{front}{}", self.body()))
    }

    pub(super) fn placeholder(&self) -> Option<&Range<usize>> {
        self.placeholder.as_ref()
    }

    pub(super) fn top(&self) -> usize {
        self.top
    }

    pub(super) fn body_start(&self) -> usize {
        self.body
    }

    /// Every heading of the body but the title, with its level.
    pub(super) fn headings(&self) -> &[(u8, Range<usize>)] {
        &self.headings
    }
}

/// Whether a file's entries are sections with a heading of their own.
pub(super) fn is_headed(file: MemoryFile) -> bool {
    matches!(file, MemoryFile::Decisions | MemoryFile::Mistakes)
}

fn headings(found: &[Block]) -> Vec<(u8, Range<usize>)> {
    found
        .iter()
        .filter_map(|b| match b.kind {
            BlockKind::Heading(level, _) => Some((level, b.range.clone())),
            _ => None,
        })
        .collect()
}

/// The italic line that says that a file is still empty: ours, or any that stands alone.
fn placeholder(file: MemoryFile, text: &str, found: &[Block]) -> Option<Range<usize>> {
    let first = found.first().filter(|b| b.kind == BlockKind::Text)?;
    let line = &text[first.range.clone()];
    let ours = line == scaffold::placeholder(file);
    let italic = |mark: char| {
        line.len() > 2
            && line.starts_with(mark)
            && line.ends_with(mark)
            && !line[1..line.len() - 1].contains([mark, '\n'])
    };
    (ours || (found.len() == 1 && (italic('_') || italic('*')))).then(|| first.range.clone())
}

/// Walks over blocks and collects sections and entries.
struct Walk<'a> {
    file: MemoryFile,
    text: &'a str,
    path: Vec<(u8, String)>,
    sections: Vec<Section>,
    entries: Vec<Entry>,
    twins: HashMap<(String, Cow<'a, str>), u32>,
}

impl<'a> Walk<'a> {
    fn new(file: MemoryFile, text: &'a str) -> Self {
        Self {
            file,
            text,
            path: Vec::new(),
            sections: Vec::new(),
            entries: Vec::new(),
            twins: HashMap::new(),
        }
    }

    fn run(&mut self, found: &[Block]) {
        let mut at = 0;
        while let Some(block) = found.get(at) {
            at += 1;
            match &block.kind {
                BlockKind::Heading(level, title) if self.opens_section(*level, &found[at..]) => {
                    self.open(*level, title, block.range.clone());
                }
                BlockKind::Heading(level @ 2..=3, _) => {
                    self.path.retain(|(l, _)| l < level);
                    let rest = found[at..].iter().take_while(|b| !bounds_entry(b)).count();
                    at += rest;
                    self.push(block.range.start..found[at - 1].range.end);
                }
                BlockKind::List(items) => items.iter().for_each(|i| self.push(i.clone())),
                BlockKind::Rule => {}
                BlockKind::Heading(..) | BlockKind::Text => self.push(block.range.clone()),
            }
        }
    }

    /// In state and todo every heading; in decisions and mistakes an H1, and an H2 with H3s or
    /// nothing below.
    fn opens_section(&self, level: u8, rest: &[Block]) -> bool {
        let next = rest.iter().find_map(|b| match b.kind {
            BlockKind::Heading(level @ 1..=3, _) => Some(level),
            _ => None,
        });
        let is_bare = rest.first().is_none_or(bounds_entry);
        !is_headed(self.file) || level == 1 || (level == 2 && (is_bare || next == Some(3)))
    }

    fn open(&mut self, level: u8, title: &str, heading: Range<usize>) {
        self.path.retain(|(l, _)| *l < level);
        self.path.push((level, title.to_owned()));
        self.sections.push(Section {
            path: self.section(),
            level,
            heading,
        });
    }

    fn section(&self) -> String {
        let titles: Vec<&str> = self.path.iter().map(|(_, t)| t.as_str()).collect();
        titles.join(SECTION_SEPARATOR)
    }

    fn push(&mut self, range: Range<usize>) {
        let text = with_line_feeds(&self.text[range.clone()]);
        if text.trim().is_empty() {
            return;
        }
        let section = self.section();
        let key = (section.clone(), text.clone());
        let twin = self.twins.entry(key).or_default();
        let ordinal = *twin;
        *twin += 1;
        self.entries.push(Entry {
            file: self.file,
            section,
            text: text.into_owned(),
            range,
            ordinal,
        });
    }
}

/// A text whose lines end as memd writes them, whatever an editor made of that.
fn with_line_feeds(text: &str) -> Cow<'_, str> {
    match text.contains("\r\n") {
        true => Cow::Owned(text.replace("\r\n", "\n")),
        false => Cow::Borrowed(text),
    }
}

fn bounds_entry(block: &Block) -> bool {
    matches!(block.kind, BlockKind::Heading(1..=3, _))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entries(file: MemoryFile, text: &str) -> Vec<(String, String, u32)> {
        Document::parse(file, text)
            .entries()
            .iter()
            .map(|e| (e.section.clone(), e.text.clone(), e.ordinal))
            .collect()
    }

    fn have(list: &[(&str, &str, u32)]) -> Vec<(String, String, u32)> {
        list.iter()
            .map(|(s, t, n)| ((*s).to_owned(), (*t).to_owned(), *n))
            .collect()
    }

    #[test]
    fn in_decisions_the_deepest_section_is_an_entry() {
        let text = "---\ntype: decisions\n---\n# Decisions\n\n## Storage\n\nIntro.\n\n### 2026-01-01 — SQLite\n\nWhy.\n\n```md\n## no heading\n### none either\n```\n\n### Two\n\n#### part\n\ntext\n\n## Alone\n\nText.\n";
        assert_eq!(
            entries(MemoryFile::Decisions, text),
            have(&[
                ("Storage", "Intro.", 0),
                (
                    "Storage",
                    "### 2026-01-01 — SQLite\n\nWhy.\n\n```md\n## no heading\n### none either\n```",
                    0
                ),
                ("Storage", "### Two\n\n#### part\n\ntext", 0),
                ("", "## Alone\n\nText.", 0),
            ])
        );
        let doc = Document::parse(MemoryFile::Decisions, text);
        assert_eq!(doc.sections().len(), 1);
    }

    #[test]
    fn in_state_an_item_or_block_is_an_entry_and_twins_are_counted() {
        let text = "# State\n\n## Ports\n\n- api 8080\n  - admin 8081\n- api 8080\n  - admin 8081\n\nA paragraph\nof two lines.\n\n### Old\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---\n\n```\ncode\n\nmore\n```\n";
        assert_eq!(
            entries(MemoryFile::State, text),
            have(&[
                ("Ports", "- api 8080\n  - admin 8081", 0),
                ("Ports", "- api 8080\n  - admin 8081", 1),
                ("Ports", "A paragraph\nof two lines.", 0),
                ("Ports › Old", "| a | b |\n|---|---|\n| 1 | 2 |", 0),
                ("Ports › Old", "```\ncode\n\nmore\n```", 0),
            ])
        );
    }

    #[test]
    fn title_and_placeholder_are_no_entries_but_italics_among_others_are() {
        assert!(entries(MemoryFile::Todo, "# Todo\n\n_Nothing here yet._\n").is_empty());
        assert!(entries(MemoryFile::Todo, "").is_empty());
        assert_eq!(
            entries(MemoryFile::Todo, "# Todo\n\n_Be careful._\n\n- [ ] a\n"),
            have(&[("", "_Be careful._", 0), ("", "- [ ] a", 0)])
        );
    }

    #[test]
    fn twins_are_told_apart_by_their_order() {
        let doc = Document::parse(MemoryFile::Todo, "- [ ] a\n- [ ] a\n");
        let twins = doc.entries().iter();
        let twins: Vec<_> = twins.map(|e| (e.ordinal, e.range.start)).collect();
        assert_eq!(twins, [(0, 0), (1, 8)]);
    }

    #[test]
    fn a_missing_frontmatter_can_be_made() {
        let doc = Document::parse(MemoryFile::State, "# State\n\n- a\n");
        let made = doc.with_front("app", jiff::civil::date(2026, 1, 2));
        assert_eq!(made.front().unwrap().project, "app");
        assert!(made.text().ends_with("---\n# State\n\n- a\n"));
        assert_eq!(
            made.with_front("other", jiff::civil::date(2027, 1, 2)),
            made
        );
    }

    proptest! {
        #[test]
        fn reading_and_printing_is_the_identity_and_entries_are_slices_but_for_line_ends(
            text in "\\PC{0,40}|(---\n(type: state\n)?---\n)?[-#>`|*_ \\n\\ra\\[\\]:<!1.é]{0,120}"
        ) {
            for file in MemoryFile::ALL {
                let doc = Document::parse(file, &text);
                prop_assert_eq!(doc.text(), &text);
                let mut last = 0;
                for entry in doc.entries() {
                    let slice = text[entry.range.clone()].replace("\r\n", "\n");
                    prop_assert_eq!(&slice, &entry.text);
                    prop_assert!(entry.range.start >= last);
                    last = entry.range.end;
                }
            }
        }
    }
}
