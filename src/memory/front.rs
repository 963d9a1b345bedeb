//! The frontmatter of a memory file: found, checked, and one line of it set. Never reformatted.

use serde::Deserialize;
use std::fmt::Write;
use std::ops::Range;

/// Bytes of frontmatter that are read at most.
pub const MAX_FRONT_BYTES: usize = 4096;

/// The frontmatter's four fixed keys, and the names of the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrontMatter {
    /// `type`: what the file is.
    pub kind: String,
    /// The project's name.
    pub project: String,
    /// ISO date of the last change by memd.
    pub last_updated: String,
    /// `active` or `archived`.
    pub status: String,
    /// Names of further keys, in order. They are kept as they stand.
    pub others: Vec<String>,
}

/// Why a file's frontmatter cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrontError {
    /// The file does not begin with one.
    #[error(
        "no frontmatter: the file must begin with a line `---`, then type, project, last_updated, status, then `---`"
    )]
    Missing,
    /// It has no end.
    #[error("the frontmatter is not closed: a line `---` is missing after it")]
    Unclosed,
    /// Larger than [`MAX_FRONT_BYTES`].
    #[error("the frontmatter holds {0} bytes; at most {MAX_FRONT_BYTES} are read")]
    TooLarge(usize),
    /// A YAML anchor or alias, which may expand without end.
    #[error("the frontmatter uses a YAML anchor or alias ({0:?}); write the value out")]
    Anchor(String),
    /// No YAML mapping.
    #[error("the frontmatter is no valid YAML: {0}")]
    Yaml(String),
    /// A fixed key is missing or empty.
    #[error("the frontmatter lacks {0}; give it a value")]
    Lacks(&'static str),
    /// The date is none.
    #[error("last_updated is {0:?}, not a date such as 2026-01-31")]
    Date(String),
    /// Another one follows.
    #[error("a second frontmatter follows the first; remove one of them")]
    Second,
}

/// Where a file's frontmatter stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// The YAML between the two `---` lines.
    pub yaml: Range<usize>,
    /// Where the body begins.
    pub body: usize,
}

/// Finds the frontmatter at the start of a text.
pub(super) fn locate(text: &str) -> Result<Place, FrontError> {
    let first = text.split_inclusive('\n').next().unwrap_or_default();
    if first.trim_end() != "---" || !first.ends_with('\n') {
        return Err(FrontError::Missing);
    }
    let mut at = first.len();
    for line in text[at..].split_inclusive('\n') {
        if line.trim_end() == "---" {
            return Ok(Place {
                yaml: first.len()..at,
                body: at + line.len(),
            });
        }
        at += line.len();
    }
    Err(FrontError::Unclosed)
}

/// The four fixed keys as a closed struct: whatever else a file says cannot reach them.
#[derive(Deserialize)]
struct Fixed {
    #[serde(rename = "type")]
    kind: Option<String>,
    project: Option<String>,
    last_updated: Option<String>,
    status: Option<String>,
}

/// Reads and checks the frontmatter of a whole file.
pub(super) fn read(text: &str) -> Result<FrontMatter, FrontError> {
    let place = locate(text)?;
    let yaml = &text[place.yaml.clone()];
    if yaml.len() > MAX_FRONT_BYTES {
        return Err(FrontError::TooLarge(yaml.len()));
    }
    if let Some(found) = anchor(yaml) {
        return Err(FrontError::Anchor(found));
    }
    let bad = |e: serde_yaml::Error| FrontError::Yaml(e.to_string());
    let fixed: Fixed = serde_yaml::from_str(yaml).map_err(bad)?;
    let all: serde_yaml::Mapping = serde_yaml::from_str(yaml).map_err(bad)?;
    if opens_another(&text[place.body..]) {
        return Err(FrontError::Second);
    }
    let front = FrontMatter {
        kind: filled("type", fixed.kind)?,
        project: filled("project", fixed.project)?,
        last_updated: filled("last_updated", fixed.last_updated)?,
        status: filled("status", fixed.status)?,
        others: all
            .keys()
            .filter_map(|k| k.as_str())
            .filter(|k| !["type", "project", "last_updated", "status"].contains(k))
            .map(str::to_owned)
            .collect(),
    };
    if front.last_updated.parse::<jiff::civil::Date>().is_err() {
        return Err(FrontError::Date(front.last_updated));
    }
    Ok(front)
}

fn filled(key: &'static str, value: Option<String>) -> Result<String, FrontError> {
    value
        .filter(|v| !v.trim().is_empty())
        .ok_or(FrontError::Lacks(key))
}

/// The first anchor or alias outside of quotes and comments.
fn anchor(yaml: &str) -> Option<String> {
    let mut quote = None;
    let mut before = '\n';
    let mut escaped = false;
    for (at, c) in yaml.char_indices() {
        if std::mem::take(&mut escaped) {
            before = c;
            continue;
        }
        escaped = quote == Some('"') && c == '\\';
        let opens = before.is_whitespace() || "[{,:-!".contains(before);
        match quote {
            Some('#') if c == '\n' => quote = None,
            Some(q) if q == c && q != '#' => quote = None,
            Some(_) => {}
            None if opens && matches!(c, '"' | '\'' | '#') => quote = Some(c),
            None if opens && matches!(c, '&' | '*') => {
                let word: String = yaml[at..]
                    .chars()
                    .take_while(|c| !c.is_whitespace())
                    .take(40)
                    .collect();
                if word.chars().count() > 1 {
                    return Some(word);
                }
            }
            None => {}
        }
        before = c;
    }
    None
}

/// Whether a body begins with another frontmatter.
fn opens_another(body: &str) -> bool {
    let mut lines = body.lines().skip_while(|l| l.trim().is_empty());
    if lines.next().map(str::trim_end) != Some("---") {
        return false;
    }
    let mut keys = 0;
    for line in lines.take(100) {
        if line.trim_end() == "---" {
            return keys > 0;
        }
        let key = line.split_once(':').map(|(k, _)| k.trim());
        if key.is_some_and(|k| !k.is_empty() && !k.contains(' ')) {
            keys += 1;
        }
    }
    false
}

/// The text with `last_updated` set to this date. Without a frontmatter it stays as it is.
pub(super) fn set_last_updated(text: &str, date: jiff::civil::Date) -> String {
    let Ok(place) = locate(text) else {
        return text.to_owned();
    };
    let mut at = place.yaml.start;
    let mut insert_at = None;
    for line in text[place.yaml.clone()].split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        if content.starts_with("last_updated:") {
            let mut out = text.to_owned();
            out.replace_range(at..at + content.len(), &format!("last_updated: {date}"));
            return out;
        }
        if content.starts_with("type:") || content.starts_with("project:") {
            insert_at = Some(at + line.len());
        }
        at += line.len();
    }
    let mut out = text.to_owned();
    out.insert_str(
        insert_at.unwrap_or(place.yaml.end),
        &format!("last_updated: {date}\n"),
    );
    out
}

/// A fresh frontmatter, closed by its `---` line.
pub(super) fn render(kind: &str, project: Option<&str>, date: &str, status: &str) -> String {
    let mut out = format!("---\ntype: {}\n", scalar(kind));
    // Writing to a String cannot fail.
    if let Some(project) = project {
        let _ = writeln!(out, "project: {}", scalar(project));
    }
    let _ = write!(out, "last_updated: {date}\nstatus: {status}\n---\n");
    out
}

/// A text as a YAML scalar that reads back as that text: plain where that is safe, else quoted.
fn scalar(text: &str) -> String {
    let plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c))
        && serde_yaml::from_str::<serde_yaml::Value>(text).is_ok_and(|v| v.as_str() == Some(text));
    if plain {
        return text.to_owned();
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() || !crate::text::hidden(c.encode_utf8(&mut [0; 4])).is_empty() => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\U{:08X}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GOOD: &str = "---\ntype: state\nproject: app\nlast_updated: 2026-01-02\nstatus: active\nowner: me\n---\n# State\n";

    #[test]
    fn a_good_one_is_read_and_its_other_keys_are_kept() {
        let front = read(GOOD).unwrap();
        assert_eq!(
            (front.kind.as_str(), front.project.as_str()),
            ("state", "app")
        );
        assert_eq!(front.others, ["owner"]);
        let date = jiff::civil::date(2026, 11, 29);
        assert_eq!(
            set_last_updated(GOOD, date),
            GOOD.replace("2026-01-02", "2026-11-29")
        );
        let without = GOOD.replace("last_updated: 2026-01-02\n", "");
        assert_eq!(
            set_last_updated(&without, date),
            GOOD.replace("2026-01-02", "2026-11-29")
        );
    }

    #[test]
    fn a_bad_one_is_refused_with_its_reason() {
        let bomb = "a: &a [x, x]\nb: &b [*a, *a]\n";
        let cases = [
            ("# State\n".to_owned(), "no frontmatter"),
            ("---\ntype: state\n".to_owned(), "not closed"),
            (
                GOOD.replace("owner: me\n", bomb),
                "anchor or alias (\"&a\")",
            ),
            (GOOD.replace("me", &"x".repeat(5000)), "bytes"),
            (GOOD.replace("project: app\n", ""), "lacks project"),
            (GOOD.replace("app", "[a, b]"), "valid YAML"),
            (GOOD.replace("app", "\"open"), "valid YAML"),
            (GOOD.replace("2026-01-02", "soon"), "not a date"),
            (
                GOOD.replace("# State", "---\nstatus: archived\n---"),
                "second frontmatter",
            ),
            (GOOD.replace("owner: me", "status: active"), "valid YAML"),
        ];
        for (text, reason) in cases {
            let said = read(&text).unwrap_err().to_string();
            assert!(said.contains(reason), "{text:?}: {said}");
        }
        for fine in ["R&D", "\"a *b\"", "a & b", "x # &a"] {
            let text = GOOD.replace("project: app", &format!("project: {fine}"));
            assert!(read(&text).is_ok(), "{fine}");
        }
        // A line across the page is no frontmatter.
        assert!(read(&GOOD.replace("# State\n", "---\n\ntext\n\n---\n")).is_ok());
    }

    #[test]
    fn an_escaped_quote_does_not_end_a_text() {
        for name in ["\":*", "a\\\" &b", "\\", "\"'*x"] {
            let text = render("state", Some(name), "2026-01-02", "active");
            assert_eq!(read(&text).unwrap().project, name);
        }
    }

    proptest! {
        #[test]
        fn any_project_name_reads_back(name in "\\PC{1,20}|yes|1e3|~|2026-01-01|a: b|[\\x01-\\x7f]{1,12}") {
            prop_assume!(!name.trim().is_empty());
            let text = render("state", Some(&name), "2026-01-02", "active");
            prop_assert_eq!(read(&text).unwrap().project, name);
        }

        #[test]
        fn any_text_is_read_or_refused_without_a_panic(text in "(---\n)?[-a:&*\\[\\]{}\"'#\n ]{0,60}(---\n)?") {
            let _ = read(&text);
            let _ = set_last_updated(&text, jiff::civil::date(2026, 1, 1));
        }
    }
}
