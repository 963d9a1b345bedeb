//! What of the archives is not as memd wrote it, as breaks that a person can settle: no agent is given
//! what stands there, and what was accepted stays in the records.

use super::super::Failure;
use crate::browse::{BrowseError, Difference, Differs, Sight, differences};
use crate::store::Project;
use crate::text;
use crate::trust::{Break, BreakKind, Cause, Evidence, Loose, Piece};

/// Adds what differs in the archives of the projects whose files were looked at.
pub(super) fn look(sight: Sight<'_>, evidence: &mut Evidence) -> Result<(), Failure> {
    for of in evidence.projects.iter().filter(|p| p.commits.is_some()) {
        let project = sight.store.project(&of.project)?;
        let found = match differences(sight, &project) {
            Ok(found) => found,
            // What keeps the records from being read is named by itself.
            Err(BrowseError::Store(_)) => continue,
            Err(error) => {
                evidence.found.push(unreadable(&project, error.to_string()));
                continue;
            }
        };
        let unread = found
            .unread
            .into_iter()
            .map(|why| unreadable(&project, why));
        evidence.found.extend(unread);
        let loose = found.all.iter().filter_map(|d| loose(&project, d));
        evidence.archive.extend(loose);
    }
    Ok(())
}

fn unreadable(project: &Project, what: String) -> Break {
    Break {
        kind: BreakKind::FileUnreadable,
        project: Some(project.id.clone()),
        place: format!("{}: archive", project.name),
        what,
    }
}

fn loose(project: &Project, found: &Difference) -> Option<Loose> {
    let cause = match found.is {
        Differs::Changed => Cause::ArchiveChanged,
        Differs::Gone => Cause::ArchiveGone,
        Differs::Added | Differs::Rejected => Cause::ArchiveAdded,
    };
    let place = match found.line {
        Some(line) => format!("{}: {}, line {line}", project.name, found.path),
        None => format!("{}: {}", project.name, found.path),
    };
    let entry = found.entry.as_ref().map_or("", |entry| entry.as_str());
    let piece = Piece {
        id: format!("{} {entry} {}", found.path, found.hash.as_str()),
        shown: said(found),
    };
    Loose::new(cause, Some(project.id.clone()), place, vec![piece])
}

/// What is wrong, in words.
fn said(found: &Difference) -> String {
    let title = text::quoted(&found.title, 60);
    let entry = found.entry.as_ref().map_or("", |entry| entry.as_str());
    match found.is {
        Differs::Changed => {
            format!("{title}, entry {entry}, was archived with another text or heading")
        }
        Differs::Gone => format!("{title}, entry {entry}, was archived, and is in no archive file"),
        Differs::Added => format!("{title} was put there by hand"),
        Differs::Rejected => {
            format!("{title} was put there by hand, and a person rejected it or took it back")
        }
    }
}
