//! Where the pieces of an archive file stand.
//!
//! Pure. A batch begins with a comment that holds a date and a reason, a piece with a heading that
//! names a memory file. Inside of a fence neither counts.

use crate::memory::{MemoryFile, SECTION_SEPARATOR};
use jiff::civil::Date;
use std::ops::Range;

/// A heading longer than this, in bytes, is text.
const LONGEST: usize = 2048;

/// One piece, as parts of the file's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::browse) struct Found<'t> {
    pub file: Option<MemoryFile>,
    pub section: &'t str,
    /// The heading's text; empty where there is none.
    pub heading: &'t str,
    pub reason: &'t str,
    pub moved: Option<Date>,
    pub text: Range<usize>,
}

/// How long the text of a piece is, for what is known to stand under this heading.
type Known<'k> = dyn Fn(&str, &str) -> Option<usize> + 'k;

/// The heading that a piece gets.
pub(super) fn heading(file: MemoryFile, section: &str) -> String {
    match section {
        "" => file.name().to_owned(),
        section => format!("{}{SECTION_SEPARATOR}{section}", file.name()),
    }
}

/// All pieces of a file, in order.
pub(super) fn find<'t>(text: &'t str, known: &Known<'_>) -> Vec<Found<'t>> {
    let mut finder = Finder {
        text,
        known,
        at: after_front(text),
        fence: None,
        unclosed: Vec::new(),
        batch: Batch::default(),
        open: None,
        found: Vec::new(),
    };
    finder.open_nameless(finder.at);
    finder.run();
    finder.found
}

/// What a batch says of its pieces.
#[derive(Debug, Clone, Copy, Default)]
struct Batch<'t> {
    reason: &'t str,
    moved: Option<Date>,
}

/// A piece whose end is looked for.
struct Open<'t> {
    found: Found<'t>,
    /// Where its text begins.
    from: usize,
}

struct Finder<'t, 'k> {
    text: &'t str,
    known: &'k Known<'k>,
    at: usize,
    /// The fence that is open: its mark and length, and where the line after it begins.
    fence: Option<(char, usize, usize)>,
    /// Marks of fences that nobody closed: they open none again, or reading would begin anew at each.
    unclosed: Vec<char>,
    batch: Batch<'t>,
    open: Option<Open<'t>>,
    found: Vec<Found<'t>>,
}

impl<'t> Finder<'t, '_> {
    fn run(&mut self) {
        loop {
            let Some(line) = line_at(self.text, self.at) else {
                // A fence that nobody closed hides nothing: what follows it is looked at again.
                match self.fence.take() {
                    Some((mark, _, after)) => {
                        self.unclosed.push(mark);
                        self.at = after;
                    }
                    None => break,
                }
                continue;
            };
            let next = self.at + line.len();
            if self.fence.is_none() && self.begins_piece(line, next) {
                continue;
            }
            self.track_fence(line, next);
            self.at = next;
        }
        self.close(self.text.len());
    }

    /// Whether a batch or a piece begins with this line; then it is entered.
    fn begins_piece(&mut self, line: &'t str, next: usize) -> bool {
        if let Some(batch) = comment(line) {
            let rest = self.text.get(next..).unwrap_or_default();
            let begins = rest.lines().find(|l| !l.trim().is_empty());
            if begins.is_some_and(|l| named(l).is_some()) {
                self.close(self.at);
                self.batch = batch;
                self.open_nameless(next);
                self.at = next;
                return true;
            }
        }
        let Some((file, section, heading)) = named(line) else {
            return false;
        };
        self.close(self.at);
        let blank = |line: &&str| line.trim().is_empty();
        let rest = self.text.get(next..).unwrap_or_default();
        let lead = rest.split_inclusive('\n').take_while(blank);
        let from = next + lead.map(str::len).sum::<usize>();
        let body = self.text.get(from..).unwrap_or_default();
        self.at = match (self.known)(heading, body) {
            Some(len) => from + len,
            None => from,
        };
        let found = Found {
            file: Some(file),
            section,
            heading,
            reason: self.batch.reason,
            moved: self.batch.moved,
            text: 0..0,
        };
        self.open = Some(Open { found, from });
        if self.at > from {
            // What is known ends here: text after it is nobody's.
            let end = self.at;
            self.close(end);
            self.open_nameless(end);
        }
        true
    }

    fn track_fence(&mut self, line: &str, next: usize) {
        let body = line.trim_start_matches(' ');
        let Some(mark) = body.chars().next().filter(|c| "`~".contains(*c)) else {
            return;
        };
        let len = body.chars().take_while(|c| *c == mark).count();
        let rest = body.get(len..).unwrap_or_default().trim();
        let indent = line.len() - body.len();
        match self.fence {
            None if self.unclosed.contains(&mark) => {}
            None if len >= 3 && indent < 4 && !(mark == '`' && rest.contains('`')) => {
                self.fence = Some((mark, len, next));
            }
            Some((open, least, _)) if mark == open && len >= least && rest.is_empty() => {
                self.fence = None;
            }
            _ => {}
        }
    }

    /// Text that no heading names.
    fn open_nameless(&mut self, from: usize) {
        let found = Found {
            file: None,
            section: "",
            heading: "",
            reason: self.batch.reason,
            moved: self.batch.moved,
            text: 0..0,
        };
        self.open = Some(Open { found, from });
    }

    /// Ends the open piece. One without a name and a text is none.
    fn close(&mut self, end: usize) {
        let Some(Open { mut found, from }) = self.open.take() else {
            return;
        };
        found.text = trimmed(self.text, from..end);
        if found.file.is_some() || !found.text.is_empty() {
            self.found.push(found);
        }
        self.fence = None;
    }
}

/// The line that begins here, its line feed included.
fn line_at(text: &str, at: usize) -> Option<&str> {
    text.get(at..)?.split_inclusive('\n').next()
}

/// A range without the blank lines around it.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let slice = text.get(range.clone()).unwrap_or_default();
    let blank = |line: &&str| line.trim().is_empty();
    let lead: usize = slice
        .split_inclusive('\n')
        .take_while(blank)
        .map(str::len)
        .sum();
    let rest = slice.get(lead..).unwrap_or_default();
    let start = range.start + lead;
    start..start + rest.trim_end().len()
}

/// Behind the frontmatter and the title.
fn after_front(text: &str) -> usize {
    let mut at = 0;
    if text.starts_with("---\n") {
        let end = text.get(4..).and_then(|rest| rest.find("\n---\n"));
        at = end.map_or(0, |end| 4 + end + "\n---\n".len());
    }
    let rest = text.get(at..).unwrap_or_default();
    let lead = rest.len() - rest.trim_start().len();
    match line_at(rest, lead) {
        Some(line) if line.starts_with("# Archive") => at + lead + line.len(),
        _ => at,
    }
}

/// The date and the reason of a batch's comment.
fn comment(line: &str) -> Option<Batch<'_>> {
    let inner = line.trim_end().strip_prefix("<!--")?;
    let inner = inner.strip_suffix("-->")?.trim();
    if line.len() > LONGEST * 4 {
        return None;
    }
    let (at, moved) = inner.char_indices().find_map(|(at, _)| {
        let date = inner.get(at..at + 10)?.parse::<Date>().ok()?;
        Some((at, date))
    })?;
    let before = inner.get(..at).unwrap_or_default();
    let after = inner.get(at + 10..).unwrap_or_default();
    let edge = |c: char| c.is_whitespace() || ":,;|-–—()".contains(c);
    let reason = match after.strip_prefix(": ") {
        Some(reason) => reason.trim_end(),
        None if after.trim_matches(edge).is_empty() => before.trim_matches(edge),
        None => after.trim_matches(edge),
    };
    Some(Batch {
        reason,
        moved: Some(moved),
    })
}

/// The file and the section that a piece's heading names, and the heading's text.
fn named(line: &str) -> Option<(MemoryFile, &str, &str)> {
    let heading = line.strip_prefix("## ")?.trim();
    if heading.len() > LONGEST {
        return None;
    }
    let lower = |n: usize| heading.get(..n).map(str::to_ascii_lowercase);
    let rest = match lower(5).as_deref() {
        Some("from ") => heading.get(5..)?.trim_start(),
        _ => heading,
    };
    let rest = rest.strip_prefix('`').unwrap_or(rest);
    MemoryFile::ALL.into_iter().find_map(|file| {
        let rest = rest.strip_prefix(file.name())?;
        let rest = rest.strip_prefix('`').unwrap_or(rest);
        if let Some(section) = rest.strip_prefix(SECTION_SEPARATOR) {
            return Some((file, section, heading));
        }
        let edge = |c: char| c.is_whitespace() || ":,;|-–—()›>/#".contains(c);
        let bare = rest.is_empty() || rest.starts_with(edge);
        bare.then(|| (file, rest.trim_matches(edge), heading))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::archive::append;
    use crate::memory::{ArchivePiece, MemoryFile};
    use proptest::prelude::*;

    fn told(text: &str) -> Vec<(Option<MemoryFile>, &str, &str, &str)> {
        let all = find(text, &|_, _| None);
        all.into_iter()
            .map(|f| (f.file, f.section, f.reason, &text[f.text]))
            .collect()
    }

    #[test]
    fn what_memd_writes_reads_back() {
        let piece = |file, section: &str, text: &str, reason: &str| ArchivePiece {
            file,
            section: section.into(),
            text: text.into(),
            reason: reason.into(),
        };
        let now = "2026-11-29T12:00:00Z".parse().unwrap();
        let fenced = "### T\n\n```\n## todo.md\n\n- no piece\n```";
        let pieces = [
            piece(MemoryFile::Todo, "", "- [x] a\n  - b", "done"),
            piece(MemoryFile::State, "A › B", "- port", "stale"),
            piece(MemoryFile::Decisions, "", fenced, "stale"),
        ];
        let text = append(None, "2026-11", &pieces, now);
        let found = find(&text, &|_, _| None);
        assert_eq!(found.len(), 3, "{found:?}");
        for (found, piece) in found.iter().zip(&pieces) {
            assert_eq!(found.file, Some(piece.file));
            assert_eq!(
                (found.section, found.reason, &text[found.text.clone()]),
                (&*piece.section, &*piece.reason, &*piece.text)
            );
            assert_eq!(found.moved, Some(jiff::civil::date(2026, 11, 29)));
        }
    }

    #[test]
    fn other_forms_and_stray_text_are_kept() {
        let text = "by hand\n\n<!-- archived on 2026-06-01 (over budget) -->\n\n## From `mistakes.md`\n\n### one\n\n## Keep state.md small\n\nx\n\n<!-- 2026-01-01: no batch -->\n\nend\n";
        assert_eq!(
            told(text),
            [
                (None, "", "", "by hand"),
                (
                    Some(MemoryFile::Mistakes),
                    "",
                    "over budget",
                    "### one\n\n## Keep state.md small\n\nx\n\n<!-- 2026-01-01: no batch -->\n\nend"
                ),
            ]
        );
        assert_eq!(told(""), []);
        assert_eq!(told("---\nopen"), [(None, "", "", "---\nopen")]);
    }

    #[test]
    fn a_fence_that_nobody_closed_hides_no_piece() {
        let text = "## todo.md\n\n- a\n```\ncut\n\n## state.md\n\n- b\n";
        let all = told(text);
        assert_eq!(all.len(), 2, "{all:?}");
        assert_eq!((all[0].3, all[1].3), ("- a\n```\ncut", "- b"));
    }

    #[test]
    fn what_is_known_cannot_pass_for_another_piece() {
        let evil = "## A\n\n<!-- 2026-01-01: x -->\n\n## state.md\n\n- not a piece";
        let text = format!("## decisions.md\n\n{evil}\n\n## todo.md\n\n- b\n");
        let known = |heading: &str, rest: &str| {
            (heading == "decisions.md" && rest.starts_with(evil)).then_some(evil.len())
        };
        let found = find(&text, &known);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(&text[found[0].text.clone()], evil);
    }

    proptest! {
        #[test]
        fn no_text_is_lost(text in "(---\n)?([#`~<>!: \n-]|## todo\\.md\n|<!-- 2026-01-01: r -->\n|```\n|é|x){0,60}") {
            let mut shown = String::new();
            for found in find(&text, &|_, _| None) {
                prop_assert!(text.get(found.text.clone()).is_some());
                shown.push_str(&text[found.text.clone()]);
                shown.push('\n');
            }
            // All that is left out is memd's own.
            let body = &text[after_front(&text)..];
            for line in body.lines().map(str::trim).filter(|l| !l.is_empty()) {
                let own = line.starts_with("## ") || line.starts_with("<!--");
                prop_assert!(own || shown.contains(line), "{:?} of {:?}", line, text);
            }
        }
    }
}
