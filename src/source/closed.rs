//! What is there and cannot be read, said so that nobody takes it for "nothing new".

use super::{SourceError, Tool};
use std::collections::BTreeMap;

/// Sources that cannot be read, for people.
#[derive(Debug, Default)]
pub struct Closed {
    lines: Vec<String>,
    /// How many sessions of a tool are in a format that memd does not know.
    formats: BTreeMap<(Tool, String), u32>,
}

impl Closed {
    /// Adds a source that failed; one that is gone is normal and is not added.
    pub fn add(&mut self, error: &SourceError) {
        match error {
            SourceError::UnknownFormat { tool, format, .. } => self.format(*tool, format),
            error if error.is_missing() => {}
            error => self.say(error),
        }
    }

    /// Adds a session of a tool in a format that memd does not know.
    pub fn format(&mut self, tool: Tool, format: &str) {
        *self.formats.entry((tool, format.to_owned())).or_default() += 1;
    }

    /// Adds a line for people.
    pub fn say(&mut self, line: impl ToString) {
        self.lines.push(line.to_string());
    }

    /// The lines: one a source, and one a tool and format.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let formats = self.formats.iter().map(|((tool, format), n)| {
            let n = crate::text::count(*n as usize, "session", "sessions");
            format!("cannot read {n} of {} (format {format})", tool.name())
        });
        self.lines.iter().cloned().chain(formats).collect()
    }

    /// How many sources there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.lines.len() + self.formats.values().map(|n| *n as usize).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn sessions_of_an_unknown_format_are_counted_and_missing_ones_are_not() {
        let mut closed = Closed::default();
        let path = PathBuf::from("/s");
        for format in ["9", "9", "8"] {
            closed.add(&SourceError::UnknownFormat {
                path: path.clone(),
                tool: Tool::Codex,
                format: format.to_owned(),
            });
        }
        let missing = std::io::Error::from(std::io::ErrorKind::NotFound);
        closed.add(&SourceError::io(&path)(missing));
        closed.add(&SourceError::NotAFile { path });
        assert_eq!(
            closed.lines(),
            [
                "\"/s\" is not a plain file; memd reads sessions from files only",
                "cannot read 1 session of Codex (format 8)",
                "cannot read 2 sessions of Codex (format 9)",
            ]
        );
        assert_eq!(closed.count(), 4);
    }
}
