//! Where what is offered stands: found among what nobody let in, never in an entry that was accepted.
//!
//! An offer shows placeholders where its entry holds secrets, and an entry that was accepted may read
//! just so: the two are told apart by who let them in, not by their text.

use crate::memory::{Document, Entry, Memory, MemoryFile};
use crate::proposal::{Change, Kind, Op, Proposal, Rebased, rebase};
use crate::redact::{Redactor, has_placeholder};
use crate::text::TextHash;
use crate::trust::Matched;
use std::collections::{BTreeMap, BTreeSet};

/// Where an entry that is offered stands; each of equal twins is found once.
pub(in crate::apply) fn locate(
    change: &Change,
    doc: &Document,
    used: &mut [bool],
) -> Option<usize> {
    let at = doc.entries().iter().enumerate().position(|(n, e)| {
        let free = used.get(n) == Some(&false);
        free && e.section == change.section && e.text == change.said()
    })?;
    *used.get_mut(at)? = true;
    Some(at)
}

/// Which entries of each file a change cannot be about: of an offer of what was changed on disk, those
/// that were let in.
pub(in crate::apply) fn taken(
    kind: Kind,
    memory: &Memory,
    matched: &Matched,
) -> BTreeMap<MemoryFile, Vec<bool>> {
    let place = |e: &Entry| (e.file, e.range.start);
    let open: BTreeSet<_> = matched.untrusted().into_iter().map(place).collect();
    let is_taken = |e: &Entry| kind == Kind::ChangedOnDisk && !open.contains(&place(e));
    let of = |doc: &Document| (doc.file(), doc.entries().iter().map(is_taken).collect());
    memory.docs().map(of).collect()
}

/// How open changes stand: against `base`, memory as it was let in. What is new on disk stands as long as
/// it does there: that something accepted reads just so makes it a copy, which is decided on like any
/// other.
pub fn standing_of<'c>(
    kind: Kind,
    changes: impl Iterator<Item = &'c Change>,
    base: &Memory,
    memory: &Memory,
    matched: &Matched,
) -> BTreeMap<u32, Rebased> {
    let entries = matched.known();
    let mut used = taken(kind, memory, matched);
    let mut of = |change: &Change| match (kind, change.op) {
        (Kind::ChangedOnDisk, Op::Add) => {
            let used = used.entry(change.file).or_default();
            match locate(change, memory.doc(change.file), used) {
                Some(_) => Rebased::Stands(None),
                None => Rebased::Gone,
            }
        }
        _ => rebase(change, base, &entries),
    };
    changes.map(|change| (change.n, of(change))).collect()
}

/// An offer in the words that stand on disk and in the records, where it shows placeholders; and
/// the numbers of the changes whose own text that is true of. Memory is searched by it; it is never
/// staged or shown. Only `open` changes are looked for: what is settled stands no more as it was
/// offered.
#[must_use]
pub fn exact(
    proposal: &Proposal,
    open: &[u32],
    matched: &Matched,
    redactor: &Redactor,
) -> (Proposal, BTreeSet<u32>) {
    let (mut exact, mut hidden) = (proposal.clone(), BTreeSet::new());
    if proposal.kind != Kind::ChangedOnDisk {
        return (exact, hidden);
    }
    let shows = |c: &Change| has_placeholder(&c.text) || has_placeholder(&c.section);
    let looked_for = |c: &Change| c.op != Op::Archive && open.contains(&c.n) && shows(c);
    let mut standing = match exact.changes.iter().any(looked_for) {
        true => standing(matched, redactor),
        false => Vec::new(),
    };
    for change in &mut exact.changes {
        if looked_for(change)
            && let Some(at) = standing.iter().position(|s| s.is_shown_by(change))
        {
            let entry = standing.remove(at).entry;
            if change.text != entry.text {
                hidden.insert(change.n);
            }
            (change.section, change.text) = (entry.section.clone(), entry.text.clone());
        }
        if let Some(target) = &mut change.target
            && TextHash::of(&target.text) != target.hash
        {
            let all = matched.missing.iter();
            let mut all = all.chain(matched.broken.iter().map(|b| &b.record));
            let same = all.find(|r| TextHash::of(&r.text) == target.hash);
            target.text = same.map_or_else(|| target.text.clone(), |r| r.text.clone());
        }
    }
    (exact, hidden)
}

/// An entry that nobody let in, and how it is offered.
struct Standing<'a> {
    entry: &'a Entry,
    section: String,
    text: String,
}

/// All of them, in the order in which they are offered: equal ones are told apart by it.
fn standing<'a>(matched: &'a Matched, redactor: &Redactor) -> Vec<Standing<'a>> {
    let shown = |entry: &'a Entry| Standing {
        entry,
        section: redactor.shown(&entry.section),
        text: redactor.shown(&entry.text),
    };
    matched.untrusted().into_iter().map(shown).collect()
}

impl Standing<'_> {
    fn is_shown_by(&self, change: &Change) -> bool {
        let reads = |text: &str, shown: &str, as_: &str| text == as_ || shown == as_;
        self.entry.file == change.file
            && reads(&self.entry.section, &self.section, &change.section)
            && reads(&self.entry.text, &self.text, &change.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply::adopt::{adopt, hide_secrets};
    use crate::proposal::Origin;
    use crate::trust::{Record, Trust, match_entries};
    use jiff::Timestamp;

    const CLEAR: &str = "- The database: DB_PASSWORD=Vq7wZk2mXr9T\u{74}Ybn";

    fn now() -> Timestamp {
        Timestamp::from_second(1_800_000_000).unwrap()
    }

    fn state(entries: &[&str]) -> Memory {
        let text = format!("# State\n\n{}\n", entries.join("\n"));
        Memory::from_texts(&BTreeMap::from([(MemoryFile::State, text)]))
    }

    struct Case {
        trust: Trust,
        redactor: Redactor,
        records: Vec<Record>,
    }

    impl Case {
        /// So many entries were accepted that read as the secret is shown.
        fn accepted(times: usize) -> Self {
            let trust = Trust::for_tests(1);
            let redactor = Redactor::new(&[], &[7; 32]).0;
            let project = || "0123456789abcdef".parse().unwrap();
            let section = state(&[CLEAR]).entries().next().unwrap().section.clone();
            let record = |n: usize| {
                let (id, text) = (format!("{n:012x}").parse().unwrap(), redactor.shown(CLEAR));
                let file = MemoryFile::State;
                let record = Record::new(project(), id, file, &section, text, Origin::User, now());
                trust.seal(record)
            };
            let records = (1..=times).map(record).collect();
            Self {
                trust,
                redactor,
                records,
            }
        }

        fn shown(&self) -> String {
            self.redactor.shown(CLEAR)
        }

        fn matched(&self, memory: &Memory) -> Matched {
            match_entries(memory.entries(), &self.records, &self.trust, now())
        }

        /// What is offered of it.
        fn offer(&self, memory: &Memory) -> Proposal {
            let (project, id) = ("0123456789abcdef", "0a1b2c3d".parse().unwrap());
            let matched = self.matched(memory);
            let mut offer = adopt(&project.parse().unwrap(), id, &matched, now()).unwrap();
            hide_secrets(&mut offer.changes, &self.redactor);
            offer
        }

        /// Numbers of the state entries that the changes are about.
        fn places(&self, memory: &Memory, offer: &Proposal) -> Vec<Option<usize>> {
            let matched = self.matched(memory);
            let open: Vec<u32> = offer.changes.iter().map(|c| c.n).collect();
            let (exact, _) = exact(offer, &open, &matched, &self.redactor);
            let mut used = taken(offer.kind, memory, &matched);
            let used = used.get_mut(&MemoryFile::State).unwrap();
            let doc = memory.doc(MemoryFile::State);
            let changes = exact.changes.iter();
            changes.map(|c| locate(c, doc, used)).collect()
        }
    }

    #[test]
    fn a_secret_in_clear_text_is_told_from_the_accepted_entry_that_reads_as_it_is_shown() {
        for accepted in [1, 2] {
            let case = Case::accepted(accepted);
            let shown = case.shown();
            for (entries, at) in [([&*shown, CLEAR], 1), ([CLEAR, &*shown], 0)] {
                let memory = state(&entries);
                let offer = case.offer(&memory);
                let texts: Vec<_> = offer.changes.iter().map(|c| c.text.as_str()).collect();
                assert_eq!(texts, [&shown]);
                assert_eq!(case.places(&memory, &offer), [Some(at)]);
            }
        }
    }

    #[test]
    fn what_left_its_file_meanwhile_is_never_taken_for_an_accepted_twin() {
        let case = Case::accepted(1);
        let shown = case.shown();
        let offer = case.offer(&state(&[&shown, CLEAR]));
        assert_eq!(case.places(&state(&[&shown]), &offer), [None]);
        // Nor where it holds no secret.
        let twice = case.offer(&state(&[&shown, &shown]));
        assert_eq!(case.places(&state(&[&shown, &shown]), &twice), [Some(1)]);
        assert_eq!(case.places(&state(&[&shown]), &twice), [None]);
    }

    #[test]
    fn a_copy_stands_as_long_as_it_does_on_disk_whatever_else_reads_like_it() {
        let case = Case::accepted(1);
        let twice = state(&[&case.shown(), &case.shown()]);
        let offer = case.offer(&twice);
        let of = |memory: &Memory| {
            let base = crate::apply::adopt::base(&offer, memory);
            let (all, matched) = (offer.changes.iter(), case.matched(memory));
            standing_of(offer.kind, all, &base, memory, &matched)
        };
        assert_eq!(of(&twice), BTreeMap::from([(1, Rebased::Stands(None))]));
        let once = state(&[&case.shown()]);
        assert_eq!(of(&once), BTreeMap::from([(1, Rebased::Gone)]));
    }

    #[test]
    fn of_two_that_nobody_let_in_each_offer_is_about_its_own() {
        let case = Case::accepted(0);
        let shown = case.shown();
        for entries in [[&*shown, CLEAR], [CLEAR, &*shown]] {
            let memory = state(&entries);
            let offer = case.offer(&memory);
            assert_eq!(case.places(&memory, &offer), [Some(0), Some(1)]);
        }
    }
}
