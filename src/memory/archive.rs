//! What left the four files: appended, verbatim, to one file a month. Only ever grows.

use super::{MemoryFile, front};
use crate::text::visible_line;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// One entry that leaves its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchivePiece {
    /// The file it stood in.
    pub file: MemoryFile,
    /// The section it stood in; empty at the top.
    pub section: String,
    /// Its text, kept as it is.
    pub text: String,
    /// Why it leaves.
    pub reason: String,
}

/// The month of archiving, such as `2026-01` (UTC).
#[must_use]
pub fn month(now: Timestamp) -> String {
    let date = date(now);
    format!("{:04}-{:02}", date.year(), date.month())
}

/// The archive file's name below `archive/`, such as `2026-01.md`.
#[must_use]
pub fn file_name(now: Timestamp) -> String {
    format!("{}.md", month(now))
}

fn date(now: Timestamp) -> Date {
    TimeZone::UTC.to_datetime(now).date()
}

/// The archive file's new text: what stood there, then the pieces, one batch for each reason in
/// the order of its first piece. Without pieces, what stood there.
#[must_use]
pub fn append(
    existing: Option<&str>,
    month: &str,
    pieces: &[ArchivePiece],
    now: Timestamp,
) -> String {
    let date = date(now);
    if pieces.is_empty() {
        return existing.unwrap_or_default().to_owned();
    }
    let mut out = match existing {
        Some(text) => front::set_last_updated(text, date),
        None => {
            let front = front::render("archive", None, &date.to_string(), "archived");
            format!("{front}\n# Archive {month}\n")
        }
    };
    out.push_str(&addition(pieces, now));
    out
}

/// The text that [`append`] puts at the end.
#[must_use]
pub fn addition(pieces: &[ArchivePiece], now: Timestamp) -> String {
    let date = date(now);
    let mut reasons: Vec<&str> = Vec::new();
    for piece in pieces {
        if !reasons.contains(&piece.reason.as_str()) {
            reasons.push(&piece.reason);
        }
    }
    let mut out = String::new();
    for reason in reasons {
        out.push_str(&format!("\n<!-- {date}: {} -->\n", comment(reason)));
        for piece in pieces.iter().filter(|p| p.reason == reason) {
            out.push_str(&block(piece));
        }
    }
    out
}

/// Whether a piece stands in an archive's text already, word for word.
#[must_use]
pub fn holds(existing: &str, piece: &ArchivePiece) -> bool {
    existing.contains(&block(piece))
}

fn block(piece: &ArchivePiece) -> String {
    format!("\n## {}\n\n{}\n", origin(piece), piece.text)
}

fn origin(piece: &ArchivePiece) -> String {
    let section = visible_line(&piece.section);
    if section.is_empty() {
        piece.file.name().to_owned()
    } else {
        format!("{}{}{section}", piece.file.name(), super::SECTION_SEPARATOR)
    }
}

/// A reason that can neither end its comment nor its line.
fn comment(reason: &str) -> String {
    let mut text = visible_line(reason.trim()).replace("<U+000A LF>", " ");
    while text.contains("--") {
        text = text.replace("--", "- -");
    }
    let text = text.replace('>', "›");
    if text.ends_with('-') {
        text + " "
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(file: MemoryFile, section: &str, text: &str, reason: &str) -> ArchivePiece {
        ArchivePiece {
            file,
            section: section.into(),
            text: text.into(),
            reason: reason.into(),
        }
    }

    #[test]
    fn pieces_stand_verbatim_below_their_batch_and_old_text_stays() {
        let now: Timestamp = "2026-11-29T23:59:00Z".parse().unwrap();
        let first = append(
            None,
            &month(now),
            &[
                piece(MemoryFile::Todo, "", "- [x] a\n  - b", "done"),
                piece(MemoryFile::State, "Ports", "- api --> 1", "stale -->\n## x"),
                piece(MemoryFile::Todo, "", "- [x] c", "done"),
            ],
            now,
        );
        assert_eq!(
            first,
            "---\ntype: archive\nlast_updated: 2026-11-29\nstatus: archived\n---\n\n# Archive 2026-11\n\n<!-- 2026-11-29: done -->\n\n## todo.md\n\n- [x] a\n  - b\n\n## todo.md\n\n- [x] c\n\n<!-- 2026-11-29: stale - -› ## x -->\n\n## state.md › Ports\n\n- api --> 1\n"
        );
        let later: Timestamp = "2026-11-30T01:00:00Z".parse().unwrap();
        let second = append(
            Some(&first),
            &month(later),
            &[piece(MemoryFile::Todo, "", "- d", "done")],
            later,
        );
        let kept = first.replace("last_updated: 2026-11-29", "last_updated: 2026-11-30");
        assert!(second.starts_with(&kept));
        assert!(second.ends_with("\n<!-- 2026-11-30: done -->\n\n## todo.md\n\n- d\n"));
        assert_eq!(append(Some(&first), "2026-11", &[], later), first);
    }
}
