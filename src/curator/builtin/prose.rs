//! Markdown prose to single-line sentences that can be quoted.
//!
//! Code blocks, tables, quotations and pasted output are passed over. A sentence is one line with
//! no markup that could change the structure of a memory file.

/// Lines of one message that are looked at.
const MAX_LINES: usize = 600;
/// Sentences of one message that are kept.
const MAX_SENTENCES: usize = 400;

/// One sentence of a message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Sentence {
    /// The words, on one line, links reduced to their text.
    pub(super) text: String,
    /// The heading or bold line it stands under, lower case.
    pub(super) heading: String,
    /// The first of its paragraph or list item.
    pub(super) leads: bool,
    /// What stands right before it in its paragraph, if anything.
    pub(super) before: Option<String>,
    /// What stands right after it in its paragraph, if anything.
    pub(super) after: Option<String>,
}

/// The sentences of a message, in order.
pub(super) fn sentences(text: &str) -> Vec<Sentence> {
    let mut reader = Reader::default();
    for line in text.lines().take(MAX_LINES) {
        reader.line(line);
    }
    reader.flush();
    reader.out.truncate(MAX_SENTENCES);
    reader.out
}

#[derive(Default)]
struct Reader {
    fenced: bool,
    heading: String,
    paragraph: String,
    out: Vec<Sentence>,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let bare = line.trim();
        if bare.starts_with("```") || bare.starts_with("~~~") {
            self.flush();
            self.fenced = !self.fenced;
        } else if self.fenced {
        } else if bare.is_empty() || is_passed_over(line) {
            self.flush();
        } else if let Some(heading) = heading_of(bare) {
            self.flush();
            self.heading = heading;
        } else if let Some(item) = item_of(bare) {
            self.flush();
            self.paragraph.push_str(item);
        } else {
            if !self.paragraph.is_empty() {
                self.paragraph.push(' ');
            }
            self.paragraph.push_str(bare);
        }
    }

    fn flush(&mut self) {
        let paragraph = plain(&std::mem::take(&mut self.paragraph));
        let parts = split(&paragraph);
        let at = |n: usize| parts.get(n).map(|s| (*s).to_owned());
        for (n, text) in parts.iter().enumerate() {
            self.out.push(Sentence {
                text: (*text).to_owned(),
                heading: self.heading.clone(),
                leads: n == 0,
                before: n.checked_sub(1).and_then(at),
                after: at(n + 1),
            });
        }
    }
}

/// Tables, quotations, comments and indented code or output.
fn is_passed_over(line: &str) -> bool {
    let bare = line.trim_start();
    let indent = line.len() - bare.len();
    bare.starts_with('|')
        || bare.starts_with('>')
        || bare.starts_with('❯')
        || bare.starts_with("$ ")
        || bare.starts_with("<!--")
        || (indent >= 4 && item_of(bare).is_none())
        || bare.chars().all(|c| "-=_*─━ ".contains(c))
}

/// `## Title`, or a line that is bold from end to end.
fn heading_of(bare: &str) -> Option<String> {
    let title = if bare.starts_with('#') {
        bare.trim_start_matches('#')
            .strip_prefix(' ')
            .map(str::trim)?
    } else {
        let inner = bare.strip_prefix("**")?;
        let inner = inner
            .strip_suffix("**")
            .or_else(|| inner.strip_suffix("**:"))?;
        (!inner.contains("**")).then_some(inner)?
    };
    Some(plain(title).trim_end_matches(':').to_lowercase())
}

/// The text of a list item without its mark.
fn item_of(bare: &str) -> Option<&str> {
    for mark in ["- [ ] ", "- [x] ", "- ", "* ", "+ ", "• "] {
        if let Some(rest) = bare.strip_prefix(mark) {
            return Some(rest);
        }
    }
    let digits = bare.chars().take_while(char::is_ascii_digit).count();
    let rest = &bare[digits..];
    let rest = rest
        .strip_prefix(". ")
        .or_else(|| rest.strip_prefix(") "))?;
    (1..=2).contains(&digits).then_some(rest)
}

/// Without emphasis and links' targets, white space folded. A link to the web keeps its target
/// when its text is not one.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let (before, link) = rest.split_at(open);
        out.push_str(before);
        if let Some((label, target, after)) = link_at(link) {
            out.push_str(label);
            if target.starts_with("https://") && !label.contains("://") {
                out.push_str(&format!(" ({target})"));
            }
            rest = after;
        } else {
            out.push('[');
            rest = &link[1..];
        }
    }
    out.push_str(rest);
    let out = out.replace("**", "").replace("__", "");
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `[label](target)rest` in its three parts.
fn link_at(text: &str) -> Option<(&str, &str, &str)> {
    let (label, rest) = text.strip_prefix('[')?.split_once("](")?;
    let (target, rest) = rest.split_once(')')?;
    let is_link = !label.contains(['[', '\n']) && !target.contains(char::is_whitespace);
    is_link.then_some((label, target, rest))
}

/// Words before whose full stop no sentence ends.
const ABBREVIATIONS: &[&str] = &[
    "e.g", "i.e", "etc", "vs", "cf", "approx", "resp", "incl", "no",
];

/// Cuts a paragraph at the ends of its sentences; never within back ticks or brackets.
fn split(paragraph: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let (mut from, mut code, mut depth) = (0, false, 0usize);
    let mut chars = paragraph.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '`' => code = !code,
            '(' if !code => depth += 1,
            ')' if !code => depth = depth.saturating_sub(1),
            '.' | '!' | '?' if !code && depth == 0 => {
                let next_is_space = chars.peek().is_some_and(|(_, n)| *n == ' ');
                if next_is_space && ends_here(&paragraph[from..at], &paragraph[at + 1..]) {
                    out.push(paragraph[from..=at].trim());
                    from = at + 1;
                }
            }
            _ => {}
        }
    }
    out.push(paragraph[from..].trim());
    out.retain(|s| !s.is_empty());
    out
}

fn ends_here(before: &str, after: &str) -> bool {
    let last = before.rsplit([' ', '(']).next().unwrap_or_default();
    let abbreviated = ABBREVIATIONS.contains(&last.to_lowercase().as_str());
    let next = after.trim_start().chars().next();
    !abbreviated && next.is_some_and(|c| !c.is_lowercase())
        || (!abbreviated && last.len() > 2 && next.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(markdown: &str) -> Vec<String> {
        sentences(markdown).into_iter().map(|s| s.text).collect()
    }

    #[test]
    fn prose_is_split_at_sentences_and_code_is_passed_over() {
        let text = "## Root cause\nThe cap is 5.5 MB, e.g. for tests. See [a.rs:3](src/a.rs:3).\n\
                    ```\nlet x = 1. Y\n```\n- **Fix**: use `a. B`\n| a | b |\n> quoted";
        assert_eq!(
            texts(text),
            [
                "The cap is 5.5 MB, e.g. for tests.",
                "See a.rs:3.",
                "Fix: use `a. B`"
            ]
        );
        assert_eq!(sentences(text)[0].heading, "root cause");
    }

    #[test]
    fn a_web_link_keeps_its_target_and_a_broken_one_stays() {
        assert_eq!(
            texts("see [the page](https://x.example/a) and [b] (c)"),
            ["see the page (https://x.example/a) and [b] (c)"]
        );
    }
}
