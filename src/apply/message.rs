//! What a commit says.

use super::plan::{By, Inputs};
use super::splices::{Going, Placement};
use crate::git::{Commit, Message};
use crate::memory::title;
use crate::proposal::{Back, Kind, Op, Proposal};
use crate::redact::first_whole;
use crate::text::first_chars;
use crate::trust::CommitEvidence;
use serde::{Deserialize, Serialize};

/// The trailer that names the proposal.
pub const TRAILER_PROPOSAL: &str = "Memd-Proposal";
/// The trailer that holds the manifest's sequence.
pub const TRAILER_MANIFEST: &str = "Memd-Manifest";
/// The trailer that holds the audit chain's head: `number:hash`.
pub const TRAILER_AUDIT: &str = "Memd-Audit";
/// The trailer that holds the id of the key that sealed it: whose chain the one above speaks of.
pub const TRAILER_SEALED_BY: &str = "Memd-Sealed-By";
/// The trailer that says which keys that one took the place of.
pub const TRAILER_KEY_AFTER: &str = "Memd-Key-After";

/// What a commit says of itself by its trailers.
#[must_use]
pub fn said_by(commit: &Commit) -> CommitEvidence {
    let said = |name: &str| commit.trailer(name).map(str::to_owned);
    CommitEvidence {
        audit: said(TRAILER_AUDIT),
        sealed_by: said(TRAILER_SEALED_BY),
        key_after: said(TRAILER_KEY_AFTER),
        at: commit.at,
        id: commit.id.clone(),
    }
}

/// Stands first in the body of what a policy let in.
const UNREVIEWED: &str = "unreviewed: applied without a person";

/// Characters of an entry's title in the body.
const TITLE: usize = 72;
/// Lines of a body.
const LINES: usize = 60;

/// Sums of an apply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each field is what it counts")]
pub struct Counts {
    pub added: usize,
    pub edited: usize,
    pub archived: usize,
    pub adopted: usize,
    pub accepted: usize,
    pub rejected: usize,
    pub restored: usize,
    pub put_back: usize,
    pub taken_out: usize,
    pub tombstoned: usize,
    /// What was let in unattended and is taken back, counted above by how as well.
    #[serde(default)]
    pub taken_back: usize,
}

impl Counts {
    pub(super) fn of(placement: &Placement<'_>, going: Going<'_, '_>, rejected: usize) -> Self {
        let (kind, restored) = (going.kind, going.restores.len());
        let left = going.take_backs.iter().filter(|t| t.leaves()).count();
        let out = going.take_outs.len();
        let mut counts = Self {
            rejected: rejected - restored - out - going.take_backs.len(),
            restored,
            taken_out: left + out,
            put_back: going.take_backs.len() - left,
            taken_back: going.take_backs.len(),
            ..Self::default()
        };
        for placed in &placement.changes {
            *match (kind, placed.chosen.change.op) {
                (_, Op::Tombstone) => &mut counts.tombstoned,
                (Kind::ChangedOnDisk, Op::Add | Op::Edit) => &mut counts.adopted,
                (Kind::Unreviewed, Op::Add | Op::Edit) => &mut counts.accepted,
                (Kind::Revert | Kind::Restore, Op::Add | Op::Edit) => &mut counts.put_back,
                (Kind::Revert | Kind::Restore, Op::Archive) => &mut counts.taken_out,
                (Kind::Distill | Kind::Own, Op::Add) => &mut counts.added,
                (Kind::Distill | Kind::Own, Op::Edit) => &mut counts.edited,
                (_, Op::Archive) => &mut counts.archived,
            } += 1;
        }
        counts
    }

    /// Whether all are zero.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Such as "2 added, 1 rejected"; "nothing" when all are zero.
    #[must_use]
    pub fn words(&self) -> String {
        // Of these the review says one thing, whichever way each goes.
        let other = |n| if self.taken_back > 0 { 0 } else { n };
        let all = [
            (self.added, "added"),
            (self.edited, "edited"),
            (self.archived, "archived"),
            (self.adopted, "adopted"),
            (self.accepted, "accepted"),
            (self.rejected, "rejected"),
            (self.restored, "restored"),
            (other(self.put_back), "put back"),
            (other(self.taken_out), "taken out"),
            (self.taken_back, "taken back"),
            (self.tombstoned, "tombstoned"),
        ];
        let some = all.iter().filter(|(n, _)| *n > 0);
        let words: Vec<String> = some.map(|(n, what)| format!("{n} {what}")).collect();
        if words.is_empty() {
            "nothing".to_owned()
        } else {
            words.join(", ")
        }
    }
}

/// What was done, with the id of what it was done with, or of what was undone. Nothing that the
/// curator says of itself: its summary may quote what was rejected.
fn act(proposal: &Proposal) -> String {
    let id = &proposal.id;
    match (proposal.kind, &proposal.back) {
        (Kind::ChangedOnDisk, _) => format!("adopt {id}"),
        (Kind::Distill, _) => format!("distill {id}"),
        (Kind::Own, _) => format!("own {id}"),
        (Kind::Unreviewed, Some(Back::Apply(applied))) => format!("review {applied}"),
        (Kind::Unreviewed, _) => format!("review {id}"),
        (_, Some(Back::Apply(reversed))) => format!("revert {reversed}"),
        (_, Some(Back::Commit(commit))) => format!("restore to {}", first_chars(commit, 8).0),
        (Kind::Revert, None) => format!("revert {id}"),
        (Kind::Restore, None) => format!("restore {id}"),
    }
}

/// An entry's title, unless it holds a credential: a history is pushed and cloned. Such an entry may
/// have been let in before a rule knew its secret.
fn safe_title(inputs: &Inputs<'_>, title: &str) -> String {
    match (inputs.credentials)(title).is_empty() {
        true => first_whole(title, TITLE).0.to_owned(),
        false => "(an entry that holds a credential)".to_owned(),
    }
}

/// The commit message of an apply, without the audit trailer.
pub(super) fn message(
    inputs: &Inputs<'_>,
    placement: &Placement<'_>,
    going: Going<'_, '_>,
    counts: &Counts,
) -> Message {
    let subject = format!("{}: {}", act(inputs.proposal), counts.words());
    let mut body = Vec::new();
    let lines = placement.changes.iter().map(|p| {
        let change = p.chosen.change;
        let mark = match change.op {
            Op::Add => '+',
            Op::Edit => '~',
            Op::Archive => '-',
            Op::Tombstone => 'x',
        };
        let text = match (&p.after, &p.before) {
            (Some(entry), _) | (None, Some(entry)) => entry.title(),
            (None, None) => title(&change.text),
        };
        format!(
            "{mark} {}: {}",
            change.file.name(),
            safe_title(inputs, &text)
        )
    });
    let back = going.restores.iter().map(|r| {
        let text = title(&r.record.text);
        let file = r.record.file.name();
        format!("= {file}: {}", safe_title(inputs, &text))
    });
    if let By::Policy(_) = inputs.by {
        body.push(UNREVIEWED.to_owned());
    }
    let taken = going.take_backs.iter().map(|t| {
        let mark = if t.leaves() { '-' } else { '=' };
        let text = title(t.change.said());
        let file = t.change.file.name();
        format!("{mark} {file}: {}", safe_title(inputs, &text))
    });
    let out = going.take_outs.iter().map(|t| {
        let text = title(&t.change.text);
        format!("- {}: {}", t.change.file.name(), safe_title(inputs, &text))
    });
    body.extend(lines.chain(back).chain(out).chain(taken).take(LINES));
    Message {
        subject,
        body: body.join("\n").trim_end().to_owned(),
        trailers: vec![(TRAILER_PROPOSAL.to_owned(), inputs.proposal.id.to_string())],
    }
}
