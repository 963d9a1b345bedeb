//! Walks a range of a source line by line: the same for every format of JSON lines.

use super::SourceError;
use super::frame::{self, Health, Take};
use super::intake::Intake;
use super::lines::{Content, Lines};
use std::io::Read;
use std::path::Path;

/// A reader of rows.
pub(super) trait Walker<'r, 's> {
    /// What it hands rows to, for counting.
    fn intake(&mut self) -> &mut Intake<'r, 's>;
    /// Reads one object of a line; see [`Take`].
    fn object(
        &mut self,
        offset: u64,
        object: &[u8],
        spot: frame::Spot,
    ) -> Result<frame::Took, serde_json::Error>;
}

/// Reads lines from `input`, whose first byte lies at `from`, to its end. The coverage ends behind
/// the last line feed, or at the end when the last line, still without one, is complete.
///
/// # Errors
/// When the input cannot be read.
pub(super) fn walk<'r: 's, 's>(
    path: &Path,
    input: impl Read,
    from: u64,
    walker: &mut dyn Walker<'r, 's>,
) -> Result<(), SourceError> {
    let mut lines = Lines::new(input, from);
    while let Some(line) = lines.next().map_err(|e| SourceError::io(path)(e))? {
        match line.content {
            _ if !line.terminated && !is_complete(&line.content) => break,
            Content::TooLong => walker.intake().unreadable("line over 64 MiB"),
            Content::TooFull => walker.intake().unreadable("line with over 16 MiB of text"),
            Content::Bytes(bytes) => read(walker, line.offset, bytes),
            Content::Cut(bytes) => {
                walker.intake().unreadable("rest of a text over 4 MiB");
                read(walker, line.offset, bytes);
            }
        }
        walker.intake().coverage.end = line.end;
    }
    Ok(())
}

/// Whether a line without its line feed may be used already.
fn is_complete(content: &Content<'_>) -> bool {
    match content {
        Content::Bytes(bytes) | Content::Cut(bytes) => frame::is_complete(bytes),
        Content::TooLong | Content::TooFull => false,
    }
}

fn read<'r: 's, 's>(walker: &mut dyn Walker<'r, 's>, offset: u64, bytes: &[u8]) {
    let take: &mut Take<'_> = &mut |object, spot| walker.object(offset, object, spot);
    match frame::each_object(bytes, take) {
        Health::Fine | Health::Blank => {}
        Health::NoRow => walker.intake().skip("JSON that is no row"),
        Health::Damaged => walker.intake().unreadable("damaged line"),
    }
}
