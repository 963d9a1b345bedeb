//! Every break of a chain, in its order.

use super::super::key::Trust;
use super::super::settled;
use super::super::verify::{Break, BreakKind, Told};
use super::check;
use super::{AuditHead, AuditRow};

impl Trust {
    /// Every break of the chain, in its order.
    #[must_use]
    pub(in super::super) fn audit_breaks(
        &self,
        rows: &[AuditRow],
        head: Option<&AuditHead>,
    ) -> Vec<Told> {
        self.breaks_of(rows, head.filter(|h| self.is_head(h)))
    }

    /// As [`Trust::audit_breaks`], of a copy: it may end with a key that is retired by now.
    #[must_use]
    pub(in super::super) fn copied_breaks(
        &self,
        rows: &[AuditRow],
        head: Option<&AuditHead>,
    ) -> Vec<Told> {
        self.breaks_of(rows, head.filter(|h| self.is_copied_head(h)))
    }

    /// Whether the head of a copy is one that was sealed, with a key that may be retired by now.
    pub(in super::super) fn is_copied_head(&self, head: &AuditHead) -> bool {
        check(self.audit_key(head.seq), &head.fields(), &head.seal).is_ok()
    }

    fn breaks_of(&self, rows: &[AuditRow], head: Option<&AuditHead>) -> Vec<Told> {
        let bad: Vec<bool> = rows.iter().map(|r| !self.is_written(r)).collect();
        let recomputed = recomputed_from(rows, &bad, head);
        let mut breaks = self.walk(rows, &bad, recomputed);
        breaks.extend(end_break(rows, head));
        breaks
    }

    fn walk(&self, rows: &[AuditRow], bad: &[bool], recomputed: Option<usize>) -> Vec<Told> {
        let mut breaks = Vec::new();
        let mut run: Option<Run> = None;
        let mut before: Option<&AuditRow> = None;
        for (i, row) in rows.iter().enumerate() {
            // What follows a lost record names it.
            let begins = before.is_none() && row.prev.is_empty() && self.may_begin_with(row.seq);
            let expected = before.map_or(1, |b| b.seq.saturating_add(1));
            let moved = match bad[i] {
                true => self.moved_from(row, expected, run.as_ref()),
                false => None,
            };
            // Where what follows was renumbered, no record is missing.
            let is_next = moved == Some(expected);
            let no_gap = begins || is_next;
            breaks.extend(if no_gap { None } else { gap(before, row) });
            if recomputed == Some(i) {
                let what = "from here on the chain was written without the key";
                breaks.push(Told::Hard(at(BreakKind::AuditRecomputed, row.seq, what)));
                break;
            }
            if let Some(was) = moved {
                let on = Run::on(run.take(), was, row.seq, breaks.len());
                // Renumbered as the one before it was: one break.
                match breaks.get_mut(on.at) {
                    Some(of_run) => *of_run = Told::Hard(on.told()),
                    None => breaks.push(Told::Hard(on.told())),
                }
                run = Some(on);
            } else if bad[i] {
                let what = "it was changed after it was written";
                breaks.push(Told::Hard(at(BreakKind::AuditEdited, row.seq, what)));
            }
            let linked = before.map_or(String::new(), |b| b.mac.to_string());
            if row.prev != linked && !bad[i] && before.is_none_or(|b| b.seq + 1 == row.seq) {
                let what = "it does not follow the record before it";
                breaks.push(Told::Hard(at(BreakKind::AuditLink, row.seq, what)));
            }
            before = Some(row);
        }
        breaks
    }

    /// The number with which a record whose MAC does not fit was written: moved as far as the last
    /// that was, the number that follows, or one close by.
    fn moved_from(&self, row: &AuditRow, expected: u64, run: Option<&Run>) -> Option<u64> {
        let as_before = run.and_then(|run| row.seq.checked_add(run.was)?.checked_sub(run.now));
        let near = (1..=16).flat_map(|n| [n, -n]);
        let near = near.filter_map(|by| row.seq.checked_add_signed(by));
        let mut tried = as_before.into_iter().chain([expected]).chain(near);
        tried.find(|was| *was != row.seq && self.was_number(row, *was))
    }
}

/// Records one after the other that were moved by the same distance.
struct Run {
    /// Which break it is.
    at: usize,
    /// The number of the first, and of the last, as they are now.
    first: u64,
    now: u64,
    /// The number with which the last was written.
    was: u64,
}

impl Run {
    /// A run with one more record, or one that begins with it.
    fn on(before: Option<Self>, was: u64, now: u64, at: usize) -> Self {
        let goes_on = |run: &Self| {
            let by = |run_was: u64, run_now: u64| i128::from(run_was) - i128::from(run_now);
            run.now.checked_add(1) == Some(now) && by(run.was, run.now) == by(was, now)
        };
        match before.filter(goes_on) {
            Some(run) => Self { was, now, ..run },
            None => Self {
                at,
                first: now,
                now,
                was,
            },
        }
    }

    fn told(&self) -> Break {
        let Self {
            first, now, was, ..
        } = self;
        let count = now - first;
        if count == 0 {
            let what = format!("it was record {was} and has been renumbered");
            return at(BreakKind::AuditRenumbered, *now, &what);
        }
        let from = was.saturating_sub(count);
        Break {
            place: format!("audit records {first} to {now}"),
            ..at(
                BreakKind::AuditRenumbered,
                *now,
                &format!("they were records {from} to {was} and have been renumbered"),
            )
        }
    }
}

pub(in super::super) fn at(kind: BreakKind, seq: u64, what: &str) -> Break {
    Break {
        kind,
        project: None,
        place: format!("audit record {seq}"),
        what: what.to_owned(),
    }
}

fn gap(before: Option<&AuditRow>, row: &AuditRow) -> Option<Told> {
    let last = before.map_or(0, |b| b.seq);
    if row.seq > last {
        return settled::gap(before, row).map(Told::Loose);
    }
    let what = format!("the record before it is {last}");
    Some(Told::Hard(at(BreakKind::AuditGap, row.seq, &what)))
}

/// Where a rewriting of the chain without the key begins: the start of the bad records that reach
/// its end, when the sealed head does not know the last one.
fn recomputed_from(rows: &[AuditRow], bad: &[bool], head: Option<&AuditHead>) -> Option<usize> {
    let last = rows.last()?;
    let known = head.is_some_and(|h| h.mac == last.mac);
    if known || !*bad.last()? {
        return None;
    }
    let from = bad.iter().rposition(|b| !b).map_or(0, |i| i + 1);
    // One bad record where the tail was cut may as well have been edited.
    let is_cut = head.is_some_and(|h| h.seq > last.seq);
    (!is_cut || rows.len() - from > 1).then_some(from)
}

fn end_break(rows: &[AuditRow], head: Option<&AuditHead>) -> Option<Told> {
    let last = rows.last();
    let number = last.map_or(0, |r| r.seq);
    let hard = |kind, seq, what: &str| Some(Told::Hard(at(kind, seq, what)));
    match (head, last) {
        (None, None) => None,
        (None, Some(_)) => {
            let what = "nothing sealed says that it is the last one";
            hard(BreakKind::AuditHead, number, what)
        }
        (Some(head), _) if head.seq == 0 || last.is_some_and(|r| r.mac == head.mac) => None,
        (Some(head), None) => {
            let what = "it is the last one, and no record is there at all";
            hard(BreakKind::AuditWiped, head.seq, what)
        }
        (Some(head), Some(last)) if last.seq < head.seq => {
            settled::tail(last, head).map(Told::Loose)
        }
        (Some(head), Some(_)) => {
            let what = format!("the sealed head is record {}, not this one", head.seq);
            hard(BreakKind::AuditHead, number, &what)
        }
    }
}
