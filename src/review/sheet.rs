//! The apply sheet: exactly what will be written, before it is.

use super::{Item, said};
use crate::memory::MemoryFile;
use crate::proposal::{Decision, Level, Op, Verdict};

/// One file on the sheet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SheetFile {
    /// Its name within `.memory/`.
    pub name: String,
    /// What becomes of its changes that were decided on: a word, and how many.
    pub did: Vec<(&'static str, usize)>,
    /// What goes in: titles, and whether each was edited.
    pub goes_in: Vec<(String, bool)>,
    /// Entries moved into it (archive files).
    pub moved_in: usize,
    /// Characters of body now.
    pub before: usize,
    /// Characters of body afterwards.
    pub after: usize,
    /// Characters of body it may hold; none for archive files.
    pub budget: Option<usize>,
    /// Its text afterwards, fit to be shown; none: it is not written.
    pub text: Option<String>,
    /// What the guardrails say of the file as it would be, passes left out.
    pub verdicts: Vec<Verdict>,
}

/// What applying a proposal's decisions would do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sheet {
    /// The files that would be written, and those with rejected changes.
    pub files: Vec<SheetFile>,
    /// Titles of what was rejected.
    pub rejected: Vec<String>,
    /// Titles of what is put back as it was accepted.
    pub restored: Vec<String>,
    /// Titles of what nobody let in and is taken out of its file.
    pub taken_out: Vec<String>,
    /// Titles of what was let in unattended and is taken back.
    pub taken_back: Vec<String>,
    /// Whether no text changes, so that no commit is made.
    pub is_quiet: bool,
    /// Changes left undecided; they stay as a rest.
    pub undecided: usize,
    /// Titles of what was accepted over a warning, with the guardrails that warn.
    pub warned: Vec<(String, String)>,
    /// The first line of the commit.
    pub subject: String,
    /// What else the plan has to say: dropped additions, conflicts, a hand edit committed first.
    pub notes: Vec<String>,
}

impl Sheet {
    /// Counts per file, rejections, warnings: what the item itself knows. The sizes, the subject
    /// and the files' verdicts come from the plan.
    #[must_use]
    pub fn of(item: &Item) -> Self {
        let mut sheet = Sheet {
            undecided: item.undecided().len(),
            ..Sheet::default()
        };
        for file in MemoryFile::ALL {
            if let Some(line) = file_line(item, file) {
                sheet.files.push(line);
            }
        }
        for &n in &item.order {
            if *item.decision(n) == Decision::Rejected {
                let to = match item.restores(n) {
                    true => &mut sheet.restored,
                    false if item.takes_out(n) => &mut sheet.taken_out,
                    false if item.takes_back() => &mut sheet.taken_back,
                    false => &mut sheet.rejected,
                };
                to.push(item.title(n));
            }
        }
        for n in item.chosen() {
            let warns: Vec<_> = item.flags(n).iter().map(|v| v.guard.clone()).collect();
            if !warns.is_empty() {
                sheet.warned.push((item.title(n), warns.join(", ")));
            }
        }
        sheet
    }

    /// Why it cannot be applied, unless the loss guard is overridden.
    #[must_use]
    pub fn blocked(&self) -> Option<(&SheetFile, &Verdict)> {
        self.files.iter().find_map(|file| {
            let block = file.verdicts.iter().find(|v| v.level == Level::Block)?;
            Some((file, block))
        })
    }

    /// Whether all that blocks is the loss guard, which a person may override by saying why.
    #[must_use]
    pub fn only_loss_blocks(&self) -> bool {
        let mut blocks = self
            .files
            .iter()
            .flat_map(|f| &f.verdicts)
            .filter(|v| v.level == Level::Block)
            .peekable();
        blocks.peek().is_some() && blocks.all(|v| v.guard == crate::guard::LOSS)
    }
}

fn file_line(item: &Item, file: MemoryFile) -> Option<SheetFile> {
    let mut changes = item.changes().filter(|c| c.file == file).peekable();
    changes.peek()?;
    let did = said::tallied(changes.filter_map(|c| said::did(item, c)));
    let edited = |n| matches!(item.decision(n), Decision::Edited(_));
    let chosen = item.chosen();
    let goes_in = item
        .changes()
        .filter(|c| c.file == file && chosen.contains(&c.n))
        .map(|c| match c.op {
            Op::Archive => (format!("to the archive: {}", item.title(c.n)), false),
            Op::Tombstone => (
                format!("given to no agent any more: {}", item.title(c.n)),
                false,
            ),
            Op::Add | Op::Edit => (item.title(c.n), edited(c.n)),
        })
        .collect();
    let line = SheetFile {
        goes_in,
        name: file.name().to_owned(),
        did,
        moved_in: 0,
        before: 0,
        after: 0,
        budget: None,
        text: None,
        verdicts: Vec::new(),
    };
    (!line.did.is_empty()).then_some(line)
}
