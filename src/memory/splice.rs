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
    /// passed over. `last_updated` is set in the frontmatter when given. Lines end as all of the file's do.
    #[must_use]
    pub fn apply(&self, splices: &[Splice], last_updated: Option<jiff::civil::Date>) -> String {
        let text = self.spliced(splices, last_updated);
        match self.ends_with_returns() {
            true => text.replace("\r\n", "\n").replace('\n', "\r\n"),
            false => text,
        }
    }

    fn spliced(&self, splices: &[Splice], last_updated: Option<jiff::civil::Date>) -> String {
        let mut text = self.change_entries(splices);
        let adds = splices.iter().filter_map(|splice| match splice {
            Splice::Add { section, text } => Some((section, trim_blank(text))),
            _ => None,
        });
        let mut grown: Option<Document> = None;
        for (section, new) in adds {
            let before = grown.unwrap_or_else(|| Document::parse(self.file(), &text));
            grown = Some(before.add(section, new));
        }
        if let Some(grown) = grown {
            grown.text().clone_into(&mut text);
        }
        match last_updated {
            Some(date) => front::set_last_updated(&text, date),
            None => text,
        }
    }

    /// Replaces and removes. Where closing the gap would join two neighbours, a blank line stays.
    fn change_entries(&self, splices: &[Splice]) -> String {
        let closed = self.edited(splices, "");
        if self.is_expected(splices, &closed) {
            return closed;
        }
        let open = self.edited(splices, "\n");
        if self.is_expected(splices, &open) {
            open
        } else {
            closed
        }
    }

    /// Whether a text holds exactly the entries that replacing and removing should leave.
    fn is_expected(&self, splices: &[Splice], text: &str) -> bool {
        let mut expected: Vec<Option<&str>> = self
            .entries()
            .iter()
            .map(|e| Some(e.text.as_str()))
            .collect();
        for splice in splices {
            match splice {
                Splice::Remove { entry } => {
                    if let Some(e) = expected.get_mut(*entry) {
                        *e = None;
                    }
                }
                Splice::Replace { entry, text } => {
                    if let Some(e) = expected.get_mut(*entry) {
                        *e = Some(trim_blank(text));
                    }
                }
                Splice::Add { .. } => {}
            }
        }
        let now = Document::parse(self.file(), text);
        let now = now.entries().iter().map(|e| e.text.as_str());
        now.eq(expected.into_iter().flatten())
    }

    fn edited(&self, splices: &[Splice], gap: &'static str) -> String {
        let mut edits: Vec<(Range<usize>, &str)> = self.removals(splices, gap);
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
    fn removals(&self, splices: &[Splice], gap: &'static str) -> Vec<(Range<usize>, &'static str)> {
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
            .map(|run| (with_blank_lines(self.text(), self.body_start(), &run), gap))
            .collect()
    }

    /// The document with one entry more.
    fn add(&self, section: &str, new: &str) -> Document {
        if let Some(range) = self.placeholder() {
            let range = with_blank_lines(self.text(), self.body_start(), range);
            let mut text = self.text().to_owned();
            text.replace_range(range, "");
            return Document::parse(self.file(), &text).add(section, new);
        }
        let level = heading_level(new);
        let region = self.region(section, level);
        let at = |at: fn(&Range<usize>) -> usize| {
            region.as_ref().map(|r| insert(self.text(), r, at(r), new))
        };
        let tries: [&dyn Fn() -> Option<String>; 3] =
            [&|| at(|r| r.end), &|| at(|r| r.start), &|| {
                Some(self.add_section(section, new))
            }];
        let mut first = None;
        for make in tries {
            let Some(text) = make() else { continue };
            let now = Document::parse(self.file(), &text);
            if self.is_kept_in(&now, section, new) {
                return now;
            }
            first.get_or_insert(now);
        }
        first.unwrap_or_else(|| self.clone())
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

    /// Whether a document holds the old entries as they were, and the new one in its section.
    fn is_kept_in(&self, now: &Document, section: &str, new: &str) -> bool {
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
    // The blank line that an entry left at the file's end, once it was gone, is the one before it again.
    if !tight && tail == "\n\n" {
        return format!("{text}{new}\n");
    }
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
mod tests;
