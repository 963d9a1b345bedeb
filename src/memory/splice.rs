//! Changes to a memory file's text, one entry at a time. What is not touched keeps every byte.
//!
//! An addition goes where reading the result again gives the old entries and the new one, and
//! nothing else: it never becomes part of its neighbour.

use super::document::{Document, SECTION_SEPARATOR, is_headed};
use super::{blocks, front};
use std::ops::Range;

/// One change to a file's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Splice {
    /// A new entry at the end of its section. A section that does not exist is made at the end.
    Add {
        /// Its section; empty for the top of the file.
        section: String,
        /// Its text.
        text: String,
    },
    /// New text in the place of an entry.
    Replace {
        /// Its number among the document's entries, from 0.
        entry: usize,
        /// The text.
        text: String,
    },
    /// An entry goes, with the blank lines that it leaves over.
    Remove {
        /// Its number among the document's entries, from 0.
        entry: usize,
    },
}

impl Document {
    /// The file's text after these changes; entry numbers are those of `self`, unknown ones are
    /// passed over. `last_updated` is set in the frontmatter when given.
    #[must_use]
    pub fn apply(&self, splices: &[Splice], last_updated: Option<jiff::civil::Date>) -> String {
        let mut text = self.change_entries(splices);
        for splice in splices {
            if let Splice::Add { section, text: new } = splice {
                text = Document::parse(self.file(), &text).add(section, trim_blank(new));
            }
        }
        match last_updated {
            Some(date) => front::set_last_updated(&text, date),
            None => text,
        }
    }

    /// Replaces and removes.
    fn change_entries(&self, splices: &[Splice]) -> String {
        let mut edits: Vec<(Range<usize>, &str)> = self.removals(splices);
        for splice in splices {
            if let Splice::Replace { entry, text } = splice
                && let Some(entry) = self.entries().get(*entry)
            {
                edits.push((entry.range.clone(), trim_blank(text)));
            }
        }
        edits.sort_by_key(|(range, _)| range.start);
        let mut out = String::with_capacity(self.text().len());
        let mut from = 0;
        for (range, new) in edits {
            if range.start < from {
                continue;
            }
            out.push_str(&self.text()[from..range.start]);
            out.push_str(new);
            from = range.end;
        }
        out.push_str(&self.text()[from..]);
        out
    }

    /// The ranges to remove: neighbours that both go are one range.
    fn removals(&self, splices: &[Splice]) -> Vec<(Range<usize>, &'static str)> {
        let mut gone: Vec<Range<usize>> = splices
            .iter()
            .filter_map(|s| match s {
                Splice::Remove { entry } => Some(self.entries().get(*entry)?.range.clone()),
                _ => None,
            })
            .collect();
        gone.sort_by_key(|r| r.start);
        let mut runs: Vec<Range<usize>> = Vec::new();
        for range in gone {
            match runs.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                Some(last) if self.text()[last.end..range.start].trim().is_empty() => {
                    last.end = range.end;
                }
                _ => runs.push(range),
            }
        }
        runs.into_iter()
            .map(|run| (with_blank_lines(self.text(), self.body_start(), &run), ""))
            .collect()
    }

    fn add(&self, section: &str, new: &str) -> String {
        if let Some(range) = self.placeholder() {
            let range = with_blank_lines(self.text(), self.body_start(), range);
            let mut text = self.text().to_owned();
            text.replace_range(range, "");
            return Document::parse(self.file(), &text).add(section, new);
        }
        let level = heading_level(new);
        let mut tries = Vec::new();
        if let Some(region) = self.region(section, level) {
            tries.push(insert(self.text(), &region, region.end, new));
            tries.push(insert(self.text(), &region, region.start, new));
        }
        tries.push(self.add_section(section, new));
        let fits = tries
            .iter()
            .position(|text| self.is_kept_in(text, section, new));
        tries.swap_remove(fits.unwrap_or(0))
    }

    /// Where the direct content of a section stands that an entry of this heading level (7: none)
    /// may be put into.
    fn region(&self, section: &str, level: u8) -> Option<Range<usize>> {
        let (start, own) = if section.is_empty() {
            (self.top(), 0)
        } else {
            let found = self.sections().iter().find(|s| s.path == section)?;
            (found.heading.end, found.level)
        };
        let bound = match level {
            7 if is_headed(self.file()) => 3,
            7 => 6,
            level => (level - 1).max(own),
        };
        let end = self
            .headings()
            .iter()
            .find(|(l, range)| range.start >= start && *l <= bound)
            .map_or(self.text().len(), |(_, range)| range.start);
        Some(start..end)
    }

    /// At the file's end, with the headings of the section that are missing.
    fn add_section(&self, section: &str, new: &str) -> String {
        // Where entries are headed, only an H2 can be a section.
        let depth = if is_headed(self.file()) { 1 } else { 5 };
        let parts: Vec<&str> = section
            .splitn(depth, SECTION_SEPARATOR)
            .filter(|p| !p.is_empty())
            .collect();
        let mut text = String::new();
        for (depth, part) in parts.iter().enumerate() {
            let marks = "#".repeat((depth + 2).min(6));
            text.push_str(&format!("{marks} {part}\n\n"));
        }
        text.push_str(new);
        let whole = self.top()..self.text().len();
        insert(self.text(), &whole, whole.end, &text)
    }

    /// Whether a text holds the old entries as they were, and the new one in its section.
    fn is_kept_in(&self, text: &str, section: &str, new: &str) -> bool {
        let now = Document::parse(self.file(), text);
        let mut old = self.entries().iter().peekable();
        let mut added = 0;
        for entry in now.entries() {
            if old
                .next_if(|o| o.section == entry.section && o.text == entry.text)
                .is_none()
            {
                if entry.section != section || entry.text != new {
                    return false;
                }
                added += 1;
            }
        }
        added == 1 && old.next().is_none()
    }
}

/// The level of the heading that a text begins with; 7 when it begins with none.
fn heading_level(text: &str) -> u8 {
    match blocks::blocks(text, 0).first().map(|b| &b.kind) {
        Some(blocks::BlockKind::Heading(level, _)) => *level,
        _ => 7,
    }
}

/// Without blank lines before and after; the indentation of the first line stays.
fn trim_blank(text: &str) -> &str {
    let text = text.trim_end();
    let lead = text.len() - text.trim_start().len();
    let from = text[..lead].rfind('\n').map_or(0, |at| at + 1);
    &text[from..]
}

/// Puts a text at one end of a region, set off from what stands before and after.
fn insert(text: &str, region: &Range<usize>, at: usize, new: &str) -> String {
    let content = &text[..at];
    let before = content.trim_end();
    if before.is_empty() {
        let gap = if text.is_empty() { "\n" } else { "\n\n" };
        return format!("{new}{gap}{text}");
    }
    let line_end = text[before.len()..]
        .find('\n')
        .map_or(text.len(), |n| before.len() + n);
    let at = line_end.min(text.len());
    let (head, tail) = text.split_at(at);
    let last_line = head.lines().next_back().unwrap_or_default();
    let tight = before.len() > region.start && is_item(new) && continues_list(text, region, new);
    let mut out = head.to_owned();
    out.push_str(if tight && !last_line.is_empty() {
        "\n"
    } else {
        "\n\n"
    });
    out.push_str(new);
    let blank_after = tail.strip_prefix('\n').is_none_or(|t| {
        let line = t.split('\n').next().unwrap_or_default();
        line.trim().is_empty()
    });
    if tail.is_empty() || !blank_after {
        out.push('\n');
    }
    out.push_str(tail);
    out
}

fn is_item(text: &str) -> bool {
    text.starts_with("- ") || text.starts_with("* ") || text.starts_with("+ ")
}

/// Whether a region ends in a tight list with the same marker.
fn continues_list(text: &str, region: &Range<usize>, new: &str) -> bool {
    let found = blocks::blocks(&text[region.clone()], 0);
    let Some(blocks::BlockKind::List(items)) = found.last().map(|b| &b.kind) else {
        return false;
    };
    let slice = &text[region.clone()];
    let same_marker = items
        .last()
        .is_some_and(|i| slice[i.clone()].starts_with(&new[..1]));
    let loose = items
        .windows(2)
        .any(|w| slice[w[0].end..w[1].start].matches('\n').count() > 1);
    same_marker && !loose
}

/// A range of whole lines with the blank lines that removing it would leave over: one gap stays
/// where there was one, and none at the file's end.
fn with_blank_lines(text: &str, body: usize, range: &Range<usize>) -> Range<usize> {
    let mut end = text[range.end..]
        .find('\n')
        .map_or(text.len(), |n| range.end + n + 1);
    let before = text[body..range.start].trim_end().len() + body;
    let gap_before = text[before..range.start].matches('\n').count() > 1 || before == body;
    let rest = text[end..].trim_start_matches([' ', '\t', '\r', '\n']);
    let mut start = range.start;
    if rest.is_empty() {
        end = text.len();
        start = text[before..range.start]
            .find('\n')
            .map_or(range.start, |n| before + n + 1);
    } else if gap_before {
        let next = text.len() - rest.len();
        end = text[..next].rfind('\n').map_or(end, |n| n + 1).max(end);
    }
    start..end
}

#[cfg(test)]
mod tests {
    use super::super::MemoryFile::{self, *};
    use super::*;
    use proptest::prelude::*;

    fn add(section: &str, text: &str) -> Splice {
        Splice::Add {
            section: section.into(),
            text: text.into(),
        }
    }

    fn apply(file: MemoryFile, text: &str, splices: &[Splice]) -> String {
        Document::parse(file, text).apply(splices, None)
    }

    #[test]
    fn an_addition_goes_to_the_end_of_its_section() {
        let cases = [
            (State, "# S\n\n_Empty._\n", "", "- a", "# S\n\n- a\n"),
            (
                State,
                "# S\n\n_Empty._\n",
                "Ports",
                "- a",
                "# S\n\n## Ports\n\n- a\n",
            ),
            (State, "", "", "- a", "- a\n"),
            (State, "# S", "", "- a", "# S\n\n- a\n"),
            (
                State,
                "# S\n\n## A\n\n- x\n- y\n\n## B\n\ntext\n",
                "A",
                "- z",
                "# S\n\n## A\n\n- x\n- y\n- z\n\n## B\n\ntext\n",
            ),
            (
                State,
                "# S\n\n## A\n\n- x\n\n- y\n\n## B\n",
                "A",
                "- z",
                "# S\n\n## A\n\n- x\n\n- y\n\n- z\n\n## B\n",
            ),
            (
                State,
                "# S\n\n## A\n\n- x\n## B\n",
                "A",
                "text",
                "# S\n\n## A\n\n- x\n\ntext\n\n## B\n",
            ),
            (
                State,
                "# S\n\n## A\n### C\n- x\n",
                "A",
                "- z",
                "# S\n\n## A\n\n- z\n\n### C\n- x\n",
            ),
            (
                State,
                "# S\n\n## A\n\n- x\n",
                "",
                "- z",
                "# S\n\n- z\n\n## A\n\n- x\n",
            ),
            (
                State,
                "# S\n\n- x",
                "New",
                "- z",
                "# S\n\n- x\n\n## New\n\n- z\n",
            ),
            (
                Mistakes,
                "# M\n\n### a\n\ntext\n",
                "",
                "### b\n\nmore",
                "# M\n\n### a\n\ntext\n\n### b\n\nmore\n",
            ),
            // An H3 below an H2 entry would swallow it; it goes before it.
            (
                Decisions,
                "# D\n\n## a\n\ntext\n",
                "",
                "### b",
                "# D\n\n### b\n\n## a\n\ntext\n",
            ),
            (
                Decisions,
                "# D\n\n## a\n\ntext\n",
                "",
                "## b",
                "# D\n\n## a\n\ntext\n\n## b\n",
            ),
            (
                Decisions,
                "# D\n\n## G\n\n### a\n\n## H\n\n### b\n",
                "G",
                "### c",
                "# D\n\n## G\n\n### a\n\n### c\n\n## H\n\n### b\n",
            ),
            // A fence that is never closed would swallow it.
            (
                Todo,
                "- a\n\n```\nopen\n",
                "",
                "- z",
                "- z\n\n- a\n\n```\nopen\n",
            ),
        ];
        for (file, before, section, new, after) in cases {
            assert_eq!(
                apply(file, before, &[add(section, new)]),
                after,
                "{before:?}"
            );
        }
    }

    #[test]
    fn a_removal_takes_its_blank_lines_along() {
        let cases = [
            ("- a\n- b\n- c\n", 1, "- a\n- c\n"),
            ("- a\n\n- b\n\n- c\n", 1, "- a\n\n- c\n"),
            ("- a\n- b\n\n## H\n", 1, "- a\n\n## H\n"),
            ("## H\n\npara\n\nnext\n", 0, "## H\n\nnext\n"),
            ("a\n\nb\n", 1, "a\n"),
            ("a\n\nb", 1, "a\n"),
            ("a\n\n\nb\n\n\n", 1, "a\n"),
            ("only\n", 0, ""),
        ];
        for (before, entry, after) in cases {
            assert_eq!(
                apply(State, before, &[Splice::Remove { entry }]),
                after,
                "{before:?}"
            );
        }
        let all = [0, 1, 2].map(|entry| Splice::Remove { entry });
        assert_eq!(
            apply(State, "# S\n\n## H\n\n- a\n\n- b\n\n- c\n", &all),
            "# S\n\n## H\n"
        );
    }

    #[test]
    fn replacements_removals_and_additions_go_together() {
        let text =
            "---\ntype: todo\nlast_updated: 2020-01-01\n---\n# T\n\n- [ ] a\n- [ ] b\n- [ ] c\n";
        let doc = Document::parse(Todo, text);
        let splices = [
            Splice::Remove { entry: 1 },
            add("", "- [ ] d\n"),
            Splice::Replace {
                entry: 0,
                text: "- [ ] A\n".into(),
            },
            add("", "- [ ] e"),
        ];
        assert_eq!(
            doc.apply(&splices, Some(jiff::civil::date(2026, 1, 2))),
            "---\ntype: todo\nlast_updated: 2026-01-02\n---\n# T\n\n- [ ] A\n- [ ] c\n- [ ] d\n- [ ] e\n"
        );
        assert_eq!(doc.apply(&[Splice::Remove { entry: 99 }], None), text);
    }

    fn document() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            "## [AB]\n",
            "### [ab]\n",
            "- [a-c]{1,3}\n",
            "- [a-c]{1,3}\n  - [a-c]\n",
            "[a-c é]{1,6}\n",
            "\n",
            "\n\n",
            "```\n# x\n```\n",
            "\\| a \\|\n\\|---\\|\n\\| b \\|\n",
            "> q\n",
            "1\\. x\n",
        ];
        proptest::collection::vec(piece, 0..14).prop_map(|p| format!("# T\n\n{}", p.concat()))
    }

    proptest! {
        #[test]
        fn a_splice_leaves_every_other_byte_alone(text in document(), at in any::<prop::sample::Index>()) {
            for file in MemoryFile::ALL {
                let doc = Document::parse(file, &text);
                if doc.entries().is_empty() { continue; }
                let entry = at.index(doc.entries().len());
                let range = doc.entries()[entry].range.clone();
                let new = doc.apply(&[Splice::Replace { entry, text: "XYZ".into() }], None);
                prop_assert_eq!(&new, &format!("{}XYZ{}", &text[..range.start], &text[range.end..]));
                let without = doc.apply(&[Splice::Remove { entry }], None);
                let (head, tail) = (text[..range.start].trim_end(), text[range.end..].trim_start_matches('\n'));
                prop_assert!(without.starts_with(head));
                prop_assert!(without.trim_end().ends_with(tail.trim()));
            }
        }

        #[test]
        fn an_addition_is_one_more_entry_and_every_other_byte_stays(text in document(), section in "|A|A › b|New") {
            for (file, new) in [(State, "- new\n  - child"), (Todo, "new text"), (Mistakes, "### new\n\ntext")] {
                let doc = Document::parse(file, &text);
                let out = doc.apply(&[add(&section, new)], None);
                let now = Document::parse(file, &out);
                prop_assert!(now.entries().iter().any(|e| e.text == new), "{}", out);
                prop_assert_eq!(now.entries().len(), doc.entries().len() + 1, "{}", out);
                let (a, b) = (text.as_bytes(), out.as_bytes());
                let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
                let tail = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
                prop_assert!(head + tail >= a.len(), "{}", out);
            }
        }
    }
}
