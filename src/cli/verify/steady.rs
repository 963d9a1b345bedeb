//! Looking again where another memd wrote between the look at the database and the one at the disk:
//! what was seen of each is then of two moments, and need not fit.

use super::Failure;
use crate::id::ProjectId;
use crate::trust::{BreakKind, Report};

/// What one look came to: what was found, and what could not be looked at.
pub(super) type Looked = Result<(Report, Vec<String>), Failure>;

/// So often it is looked while the database changes; then once more with the projects held.
const LOOKS: usize = 5;

/// Looks until what was seen is of one moment. `version` is another whenever another process has
/// changed the database; `hold` keeps others from writing a project's memory, if it can.
pub(super) fn look<L>(
    mut once: impl FnMut() -> Looked,
    mut version: impl FnMut() -> Result<u64, Failure>,
    mut hold: impl FnMut(&ProjectId) -> Option<L>,
) -> Looked {
    let mut looks = 0;
    loop {
        let before = version()?;
        let seen = once()?;
        if !is_of_both(&seen.0) || version()? == before {
            return Ok(seen);
        }
        looks += 1;
        if looks == LOOKS {
            let _held: Vec<_> = projects(&seen.0)
                .into_iter()
                .filter_map(&mut hold)
                .collect();
            return once();
        }
    }
}

/// Whether a break is about how the database and what lies beside it fit.
fn is_of_both(report: &Report) -> bool {
    report.breaks.iter().any(|found| is_beside(found.kind))
}

fn is_beside(kind: BreakKind) -> bool {
    kind.is_on_disk()
        || kind.is_of_archive()
        || matches!(
            kind,
            BreakKind::FileUnreadable
                | BreakKind::HistoryUnreadable
                | BreakKind::ChainAgainstCommits
                | BreakKind::CommitGone
        )
}

/// The projects with such breaks, each once.
fn projects(report: &Report) -> Vec<&ProjectId> {
    let beside = report.breaks.iter().filter(|found| is_beside(found.kind));
    let mut projects: Vec<_> = beside.filter_map(|found| found.project.as_ref()).collect();
    projects.sort();
    projects.dedup();
    projects
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trust::Break;
    use std::cell::Cell;

    fn seen(kind: Option<BreakKind>, project: &ProjectId) -> (Report, Vec<String>) {
        let found = kind.map(|kind| Break {
            kind,
            project: Some(project.clone()),
            place: String::new(),
            what: String::new(),
        });
        let breaks = found.into_iter().collect();
        let report = Report {
            breaks,
            ..Report::default()
        };
        (report, Vec::new())
    }

    /// Looks at a project whose break is there for so many looks, and whose database changes during
    /// so many: how many breaks are told, how often it was looked, and whether it was held.
    fn told(kind: BreakKind, broken: usize, moving: usize) -> (usize, usize, bool) {
        let project = ProjectId::random().unwrap();
        let (looks, held) = (Cell::new(0), Cell::new(false));
        let once = || {
            looks.set(looks.get() + 1);
            Ok(seen((looks.get() <= broken).then_some(kind), &project))
        };
        let version = || Ok(looks.get().min(moving) as u64);
        let hold = |id: &ProjectId| {
            assert_eq!(*id, project);
            held.set(true);
            None::<()>
        };
        let found = look(once, version, hold).unwrap().0.breaks.len();
        (found, looks.get(), held.get())
    }

    #[test]
    fn a_break_that_another_memd_made_meanwhile_is_looked_at_again_and_gone() {
        for kind in [
            BreakKind::EntryUnsealed,
            BreakKind::EntryMissing,
            BreakKind::CommitGone,
            BreakKind::ChainAgainstCommits,
            BreakKind::FileUnreadable,
        ] {
            assert_eq!(told(kind, 1, 1), (0, 2, false), "{kind:?}");
            assert_eq!(told(kind, 3, 9), (0, 4, false), "{kind:?}");
            // A break that stays is told as soon as nothing moves, and after six looks in any case.
            assert_eq!(told(kind, 99, 0), (1, 1, false), "{kind:?}");
            assert_eq!(told(kind, 99, 2), (1, 3, false), "{kind:?}");
            assert_eq!(told(kind, 99, 99), (1, 6, true), "{kind:?}");
            assert_eq!(told(kind, LOOKS, 99), (0, 6, true), "{kind:?}");
        }
        // What the database alone is about was read at one moment.
        assert_eq!(told(BreakKind::AuditEdited, 9, 9), (1, 1, false));
    }
}
