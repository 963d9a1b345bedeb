//! The words of a review for what changes do, what decisions mean and what an apply did. One place:
//! screen and lines say the same of the same.

use super::{Item, Sheet, SheetFile, Standing};
use crate::proposal::{Change, Decision, Kind, Op, Proposal};

/// The state of a decision as text.
#[must_use]
pub fn mark(decision: &Decision) -> &'static str {
    match decision {
        Decision::Undecided => "[ ]",
        Decision::Accepted => "[a]",
        Decision::Edited(_) => "[e]",
        Decision::Rejected => "[r]",
    }
}

/// How what was let in unattended stands, and what can be done with all of it.
#[must_use]
pub fn unattended(proposal: &Proposal) -> &'static str {
    match proposal.has_lapsed() {
        true => "nobody accepted it in time: it has lapsed, and no agent is given it any more",
        false => "agents are given it, marked so, until it lapses; v reverses all of it",
    }
}

/// What a change does, seen from its proposal's kind.
#[must_use]
pub fn does(op: Op, kind: Kind) -> &'static str {
    match (op, kind) {
        (Op::Tombstone, _) => "tombstone",
        (Op::Add | Op::Edit, Kind::Revert | Kind::Restore) => "put back",
        (Op::Archive, Kind::Revert | Kind::Restore) => "taken out",
        (Op::Add, Kind::ChangedOnDisk) => "new on disk",
        (Op::Edit, Kind::ChangedOnDisk) => "changed on disk",
        (Op::Archive, Kind::ChangedOnDisk) => "gone from its file",
        (Op::Add, Kind::Unreviewed) => "new, not reviewed",
        (Op::Edit, Kind::Unreviewed) => "changed, not reviewed",
        (Op::Add, Kind::Own) => "brought back",
        (Op::Add, Kind::Distill) => "new",
        (Op::Edit, Kind::Distill | Kind::Own) => "changed",
        (Op::Archive, Kind::Unreviewed) => "lapsed, to the archive",
        (Op::Archive, Kind::Distill | Kind::Own) => "to the archive",
    }
}

/// What each key does to what stands on disk. What is blocked cannot be accepted.
#[must_use]
pub fn choice(change: &Change, kind: Kind, is_blocked: bool) -> &'static str {
    match (change.op, &change.target) {
        (Op::Add | Op::Edit, Some(_)) if is_blocked && kind == Kind::ChangedOnDisk => {
            "r restores what was accepted"
        }
        (Op::Add | Op::Edit, None) if is_blocked && kind == Kind::ChangedOnDisk => {
            "r takes it out of its file"
        }
        (Op::Archive, _) if kind == Kind::Unreviewed => {
            "a sends it to the archive; r does too, and it is not proposed again; C in Memory, or memd confirm, keeps it as yours"
        }
        (_, Some(_)) if kind == Kind::Unreviewed => {
            "a accepts what stands there; r takes it back: it reads as before"
        }
        (_, None) if kind == Kind::Unreviewed => {
            "a accepts it; r takes it back: out of its file, to the archive"
        }
        (Op::Archive, _) => "a lets it go, to the archive; r restores it",
        (_, Some(_)) => "a adopts what stands there; r restores what was accepted",
        (_, None) => "a adopts it; r takes it out of its file",
    }
}

/// How the target of a change stands by now, and what the keys come to then.
#[must_use]
pub fn standing(change: &Change, kind: Kind, standing: &Standing) -> &'static str {
    match (standing, change.op) {
        (Standing::Changed { .. }, _) => "memory has another text here now",
        (Standing::Gone, Op::Edit) if !kind.is_on_disk() => {
            "the entry is gone from memory: a adds this text as a new one, r leaves memory as it is"
        }
        (Standing::Gone, Op::Archive | Op::Tombstone) if !kind.is_on_disk() => {
            "the entry has left memory already: a settles this, and writes nothing"
        }
        (Standing::Gone, _) => "the entry is gone from memory",
        (Standing::AlreadyThere, _) if !kind.is_on_disk() => {
            "this stands in memory already: a settles this, and writes nothing"
        }
        (Standing::AlreadyThere, _) => "this stands in memory already",
    }
}

/// What discarding a proposal means.
#[must_use]
pub fn discarding(item: Option<&Item>) -> &'static str {
    match item.map(|i| i.proposal.kind) {
        Some(Kind::Distill) if item.is_some_and(|i| i.order.is_empty()) => {
            "Its material is not read again."
        }
        Some(Kind::Distill) | None => {
            "Each statement counts as rejected, and none is proposed again from this material, which is not read again."
        }
        Some(Kind::ChangedOnDisk) => {
            "Nothing is written; what stands on disk and nobody let in is offered again next time."
        }
        Some(Kind::Unreviewed) => {
            "Nothing is written; what nobody reviewed is offered again next time."
        }
        Some(Kind::Revert | Kind::Restore | Kind::Own) => {
            "Nothing is written; memory stays as it is."
        }
    }
}

/// What rejecting all of a proposal means.
#[must_use]
pub fn rejecting_all(item: Option<&Item>) -> &'static str {
    match item.map(|i| i.proposal.kind) {
        Some(Kind::Unreviewed) => "Applied with w, all of it is taken back; u takes this back.",
        Some(Kind::ChangedOnDisk) => {
            "Applied with w, the files say again what was let in: what was changed or is gone is restored, what is new is taken out of its file. History keeps it, of a secret its placeholder only. u takes this back."
        }
        _ => "Memory stays as it is; u takes this back.",
    }
}

/// What applying makes of a change that was decided on; none: nothing was.
pub(super) fn did(item: &Item, change: &Change) -> Option<&'static str> {
    let n = change.n;
    Some(match (item.decision(n), change.op, item.proposal.kind) {
        (Decision::Undecided, ..) => return None,
        (Decision::Rejected, ..) if item.restores(n) => RESTORED,
        (Decision::Rejected, ..) if item.takes_out(n) => TAKEN_OUT,
        (Decision::Rejected, ..) if item.takes_back() => TAKEN_BACK,
        (Decision::Rejected, ..) => REJECTED,
        (_, Op::Archive, Kind::Revert | Kind::Restore) => TAKEN_OUT,
        (_, Op::Archive, _) => "to the archive",
        (_, Op::Tombstone, _) => "tombstoned",
        (_, _, Kind::Revert | Kind::Restore) => "put back",
        (Decision::Edited(_), ..) => "edited",
        (_, _, Kind::ChangedOnDisk) => "adopted",
        _ => "accepted",
    })
}

const REJECTED: &str = "rejected";
const RESTORED: &str = "restored";
const TAKEN_OUT: &str = "taken out";
const TAKEN_BACK: &str = "taken back";

/// The order in which the words are counted.
const DID: [&str; 9] = [
    "accepted",
    "adopted",
    "put back",
    "edited",
    "to the archive",
    "tombstoned",
    REJECTED,
    RESTORED,
    TAKEN_OUT,
];

/// How often each word is said, in an order of its own.
pub(super) fn tallied<'a>(did: impl Iterator<Item = &'a str>) -> Vec<(&'static str, usize)> {
    let all: Vec<&str> = did.collect();
    let count = |word: &'static str| (word, all.iter().filter(|d| **d == word).count());
    let words = DID.into_iter().chain([TAKEN_BACK]);
    words.map(count).filter(|(_, n)| *n > 0).collect()
}

impl SheetFile {
    /// What happens in the file, such as "2 accepted", "1 to the archive".
    #[must_use]
    pub fn counts(&self) -> Vec<String> {
        let moved = (self.moved_in > 0).then_some(("moved in", self.moved_in));
        let all = self.did.iter().copied().chain(moved);
        all.map(|(what, n)| format!("{n} {what}")).collect()
    }
}

impl Sheet {
    /// Titles of what does not go in, by what becomes of it; none is empty.
    #[must_use]
    pub fn refused(&self) -> Vec<(&'static str, &[String])> {
        let all = [
            (REJECTED, &self.rejected),
            (RESTORED, &self.restored),
            (TAKEN_OUT, &self.taken_out),
            (TAKEN_BACK, &self.taken_back),
        ];
        let some = all.into_iter().filter(|(_, titles)| !titles.is_empty());
        some.map(|(what, titles)| (what, titles.as_slice()))
            .collect()
    }
}
