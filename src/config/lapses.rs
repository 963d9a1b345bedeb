//! How long what no person accepted is given to agents.

use crate::memory::MemoryFile;

/// Days after which an entry that was applied without a person lapses, by the file it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the file it is of")]
pub struct Lapses {
    pub state: i64,
    pub decisions: i64,
    pub todo: i64,
    pub mistakes: i64,
}

impl Lapses {
    /// The most that can be set: ten years.
    pub const MOST: i64 = 3_650;

    /// The days of a file.
    #[must_use]
    pub fn of(&self, file: MemoryFile) -> i64 {
        match file {
            MemoryFile::State => self.state,
            MemoryFile::Decisions => self.decisions,
            MemoryFile::Mistakes => self.mistakes,
            MemoryFile::Todo => self.todo,
        }
    }
}

impl Default for Lapses {
    fn default() -> Self {
        Self {
            state: 30,
            decisions: 90,
            todo: 30,
            mistakes: 90,
        }
    }
}
