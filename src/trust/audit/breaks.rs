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
        let mut shift = 0;
        let mut before: Option<&AuditRow> = None;
        for (i, row) in rows.iter().enumerate() {
            // What follows a lost record names it.
            let begins = before.is_none() && row.prev.is_empty() && self.may_begin_with(row.seq);
            breaks.extend(if begins { None } else { gap(before, row) });
            if recomputed == Some(i) {
                let what = "from here on the chain was written without the key";
                breaks.push(Told::Hard(at(BreakKind::AuditRecomputed, row.seq, what)));
                break;
            }
            if bad[i] {
                breaks.push(Told::Hard(self.changed(row, &mut shift)));
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

    /// A record whose MAC does not fit: renumbered when the MAC fits another number close by.
    fn changed(&self, row: &AuditRow, shift: &mut i64) -> Break {
        let fits = |by: i64| {
            let seq = row.seq.checked_add_signed(by);
            seq.is_some_and(|seq| self.was_number(row, seq))
        };
        let near = (1..=16).flat_map(|n| [n, -n]);
        match std::iter::once(*shift)
            .chain(near)
            .find(|by| *by != 0 && fits(*by))
        {
            Some(by) => {
                *shift = by;
                let was = row.seq.saturating_add_signed(by);
                let what = format!("it was record {was} and has been renumbered");
                at(BreakKind::AuditRenumbered, row.seq, &what)
            }
            None => at(
                BreakKind::AuditEdited,
                row.seq,
                "it was changed after it was written",
            ),
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
