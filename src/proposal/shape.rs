//! Brings a proposed text into the form of one entry of its file, and splits what holds several.
//!
//! Changes layout only, never a word. What cannot be one entry is left as it is: the forgery
//! guardrail blocks it.

use crate::memory::{Document, MemoryFile, Section};
use crate::redact::first_whole;
use crate::text::statement;

/// Characters of a section's name that are kept.
const MAX_SECTION_CHARS: usize = 80;

/// Characters of a title that is made from the first words of a text.
const MAX_TITLE_CHARS: usize = 90;

/// One entry to be, with its section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    /// Its section; empty at the top.
    pub section: String,
    /// Its text.
    pub text: String,
}

/// A text without blank lines around it, blanks at line ends, carriage returns before line feeds,
/// a fence around the whole, and the indentation that all its lines share.
pub(super) fn clean(text: &str) -> String {
    let unified = text.replace("\r\n", "\n");
    let lines: Vec<&str> = unified.lines().map(str::trim_end).collect();
    let lines = unfenced(trimmed(&lines));
    let filled = lines.iter().filter(|l| !l.is_empty());
    let indent = filled
        .map(|l| l.len() - l.trim_start_matches(' ').len())
        .min()
        .unwrap_or(0);
    let dedented: Vec<&str> = lines
        .iter()
        .map(|l| l.get(indent..).unwrap_or_default())
        .collect();
    dedented.join("\n")
}

fn trimmed<'a, 'b>(lines: &'b [&'a str]) -> &'b [&'a str] {
    let start = lines.iter().position(|l| !l.is_empty());
    let end = lines.iter().rposition(|l| !l.is_empty());
    match (start, end) {
        (Some(start), Some(end)) => &lines[start..=end],
        _ => &[],
    }
}

/// Without a markdown fence around all lines.
fn unfenced<'a, 'b>(lines: &'b [&'a str]) -> &'b [&'a str] {
    match lines {
        [first, inner @ .., "```"]
            if matches!(*first, "```markdown" | "```md") && !inner.contains(&"```") =>
        {
            trimmed(inner)
        }
        _ => lines,
    }
}

/// A section's name as it will stand: the existing one where it means one, else cleaned.
pub(super) fn section(doc: &Document, name: Option<&str>) -> String {
    let line = name
        .unwrap_or_default()
        .trim()
        .lines()
        .next()
        .unwrap_or_default();
    let line = line.trim_start_matches('#').trim();
    let (line, _) = first_whole(line, MAX_SECTION_CHARS);
    let wanted = statement(line);
    let titles = ["state", "todo", "todos", "decisions", "mistakes"];
    if wanted.is_empty() || titles.contains(&wanted.as_str()) {
        return String::new();
    }
    if let Some(found) = existing(doc.sections(), &wanted) {
        return found.path.clone();
    }
    if is_headed(doc.file()) {
        return String::new();
    }
    line.trim().to_owned()
}

fn existing<'a>(sections: &'a [Section], wanted: &str) -> Option<&'a Section> {
    let path = sections.iter().find(|s| statement(&s.path) == wanted);
    path.or_else(|| {
        let mut by_title = sections.iter().filter(|s| {
            let title = s.path.rsplit(crate::memory::SECTION_SEPARATOR).next();
            title.is_some_and(|t| statement(t) == wanted)
        });
        by_title.next().filter(|_| by_title.next().is_none())
    })
}

fn is_headed(file: MemoryFile) -> bool {
    matches!(file, MemoryFile::Decisions | MemoryFile::Mistakes)
}

/// A proposed text as entries of a file.
pub(super) fn pieces(doc: &Document, name: Option<&str>, text: &str) -> Vec<Piece> {
    let text = clean(text);
    if text.is_empty() {
        return Vec::new();
    }
    let at = section(doc, name);
    if is_headed(doc.file()) {
        let text = headed(doc, &at, &text);
        return vec![Piece { section: at, text }];
    }
    split(doc, name.is_some(), at, &text)
        .into_iter()
        .map(|piece| Piece {
            text: plain(doc.file(), &piece.text),
            ..piece
        })
        .collect()
}

/// In state and todo: one piece for each item or block; a heading on top names the section.
fn split(doc: &Document, is_named: bool, at: String, text: &str) -> Vec<Piece> {
    let whole = vec![Piece {
        section: at.clone(),
        text: text.to_owned(),
    }];
    let has_rule = text.lines().any(|l| l.trim() == "---");
    let read = Document::parse(doc.file(), &format!("# x\n\n{text}"));
    if has_rule || read.entries().is_empty() {
        return whole;
    }
    let at = match read.sections() {
        [] => at,
        [one] if read.entries().iter().all(|e| e.section == one.path) => {
            let own = section(doc, Some(&one.path));
            if is_named && own != at {
                return whole;
            }
            own
        }
        _ => return whole,
    };
    read.entries()
        .iter()
        .map(|e| Piece {
            section: at.clone(),
            text: clean(&e.text),
        })
        .collect()
}

/// A todo gets its box; a lone italic line, which would read as a placeholder, loses its marks.
fn plain(file: MemoryFile, text: &str) -> String {
    let mut text = text.to_owned();
    for mark in ['_', '*'] {
        let inner = text.strip_prefix(mark).and_then(|t| t.strip_suffix(mark));
        let inner = inner.map(str::trim);
        if let Some(inner) = inner.filter(|i| !i.is_empty() && !i.contains([mark, '\n'])) {
            text = inner.to_owned();
        }
    }
    if file != MemoryFile::Todo {
        return text;
    }
    let item = text.strip_prefix("- ").or_else(|| text.strip_prefix("* "));
    match item {
        Some(item) if item.starts_with('[') => text,
        Some(item) => format!("- [ ] {item}"),
        None if !text.contains('\n') && text.starts_with(char::is_alphanumeric) => {
            format!("- [ ] {text}")
        }
        None => text,
    }
}

/// In decisions and mistakes: begins with a heading of the level that the file uses.
fn headed(doc: &Document, section: &str, text: &str) -> String {
    let level = if section.is_empty() {
        let root = doc.entries().iter().rev().find(|e| e.section.is_empty());
        root.map_or(3, |e| if e.text.starts_with("## ") { 2 } else { 3 })
    } else {
        3
    };
    let (own, title, rest) = match heading(text.lines().next().unwrap_or_default()) {
        Some((own, title)) => (
            own,
            title.to_owned(),
            text.split_once('\n').map_or("", |(_, r)| r),
        ),
        None => {
            let title = made_title(text);
            let whole = title == text.trim_start_matches("- ");
            (level, title, if whole { "" } else { text })
        }
    };
    let marks = "#".repeat(level);
    let rest = rest.trim_start_matches('\n');
    if rest.is_empty() {
        return format!("{marks} {title}");
    }
    format!("{marks} {title}\n\n{}", demoted(rest, own))
}

/// The level and title of an ATX heading line.
fn heading(line: &str) -> Option<(usize, &str)> {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    ((1..=6).contains(&level) && title.starts_with(' ')).then(|| (level, title.trim()))
}

/// The first sentence of a text, for a heading.
fn made_title(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let line = line
        .trim_start_matches(['-', '*', '>', ' '])
        .replace("**", "");
    let end = line.find(". ").unwrap_or(line.len());
    let sentence = line[..end].trim_end_matches(['.', ':']);
    let (cut, whole) = first_whole(sentence, MAX_TITLE_CHARS);
    if whole {
        return cut.to_owned();
    }
    let cut = cut.rsplit_once(' ').map_or(cut, |(head, _)| head);
    format!("{cut} …")
}

/// Headings below the entry's own become level 4 or deeper; the others stay and are blocked.
fn demoted(text: &str, own: usize) -> String {
    let mut fence: Option<&str> = None;
    let mut out = Vec::new();
    for line in text.split('\n') {
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|m| line.trim_start().starts_with(m));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        match heading(line).filter(|(level, _)| fence.is_none() && *level > own && *level < 4) {
            Some((_, title)) => out.push(format!("#### {title}")),
            None => out.push(line.to_owned()),
        }
    }
    out.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shaped(
        file: MemoryFile,
        have: &str,
        name: Option<&str>,
        text: &str,
    ) -> Vec<(String, String)> {
        let doc = Document::parse(file, have);
        pieces(&doc, name, text)
            .into_iter()
            .map(|p| (p.section, p.text))
            .collect()
    }

    #[test]
    fn texts_are_brought_into_the_form_of_their_file() {
        use MemoryFile::{Decisions, Mistakes, State, Todo};
        let state = "# State\n\n## Ports\n\n- a\n";
        let old = "# D\n\n## 2026 — one\n\ntext\n";
        type Case<'a> = (
            MemoryFile,
            &'a str,
            Option<&'a str>,
            &'a str,
            &'a [(&'a str, &'a str)],
        );
        #[rustfmt::skip]
        let cases: &[Case] = &[
            (State, state, Some("## ports "), "\n- b  \r\n- c\n", &[("Ports", "- b"), ("Ports", "- c")]),
            (State, state, None, "## PORTS\n\n- b\n  - child", &[("Ports", "- b\n  - child")]),
            (State, state, Some("State"), "text\n\n- b", &[("", "text"), ("", "- b")]),
            (State, state, Some("Dev machine"), "  - a\n    - b", &[("Dev machine", "- a\n  - b")]),
            (State, state, None, "```md\n- a\n```", &[("", "- a")]),
            (State, state, None, "_all is well_", &[("", "all is well")]),
            (Todo, "", None, "*~\t*", &[("", "~")]),
            // Two headings, or a line across: left whole, to be blocked.
            (State, state, None, "## X\n\n- a\n\n## Y\n\n- b", &[("", "## X\n\n- a\n\n## Y\n\n- b")]),
            (State, state, None, "a\n\n---\nstatus: x\n---", &[("", "a\n\n---\nstatus: x\n---")]),
            (Todo, "", None, "Fix it", &[("", "- [ ] Fix it")]),
            (Todo, "", None, "- Fix it", &[("", "- [ ] Fix it")]),
            (Todo, "", None, "- [x] Done", &[("", "- [x] Done")]),
            (Decisions, "", Some("Storage"), "## Use X\nwhy\n\n### Rules out\nY", &[("", "### Use X\n\nwhy\n\n#### Rules out\nY")]),
            (Decisions, old, None, "### Use X\n\nwhy", &[("", "## Use X\n\nwhy")]),
            (Decisions, "", None, "Use X. Because it is fast.", &[("", "### Use X\n\nUse X. Because it is fast.")]),
            (Mistakes, "", None, "- Use X", &[("", "### Use X")]),
            (Mistakes, "", None, "### a\n\n## Decisions\n\nb", &[("", "### a\n\n## Decisions\n\nb")]),
            (Mistakes, "", None, "## a\n\n```\n### code\n```", &[("", "### a\n\n```\n### code\n```")]),
            (State, "", None, "  \n", &[]),
        ];
        for (file, have, name, text, expected) in cases {
            let expected: Vec<_> = expected
                .iter()
                .map(|(s, t)| ((*s).to_owned(), (*t).to_owned()))
                .collect();
            assert_eq!(shaped(*file, have, *name, text), expected, "{text:?}");
        }
    }
}
