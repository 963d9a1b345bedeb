//! Records of the chain that are missing, known by their numbers and the MACs on both sides.

use super::super::audit::{AuditHead, AuditRow, at};
use super::super::verify::BreakKind;
use super::{Cause, Loose, Piece};

/// The number of the last record that is missing; 0: none is.
pub(in super::super) fn last_missing(rows: &[AuditRow], head: Option<&AuditHead>) -> u64 {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return 0;
    };
    let tail = head.map(|head| head.seq).filter(|seq| *seq > last.seq);
    let mut pairs = rows.windows(2).rev();
    let between = || {
        let gap = pairs.find(|pair| pair[1].seq > pair[0].seq + 1)?;
        Some(gap[1].seq - 1)
    };
    // A chain that was begun anew has none before it.
    let front = (!first.prev.is_empty()).then(|| first.seq.saturating_sub(1));
    tail.or_else(between).or(front).unwrap_or(0)
}

/// Records that are missing before this one, by their numbers and the MACs on both sides.
pub(in super::super) fn gap(before: Option<&AuditRow>, row: &AuditRow) -> Option<Loose> {
    let last = before.map_or(0, |b| b.seq);
    if row.seq <= last + 1 {
        return None;
    }
    let piece = missing(before, row.seq - 1, &row.prev);
    let place = at(BreakKind::AuditGap, row.seq, "").place;
    Loose::new(Cause::GapBefore, None, place, vec![piece])
}

/// Records that are missing at the end, where the sealed head still says which was the last.
pub(in super::super) fn tail(last: &AuditRow, head: &AuditHead) -> Option<Loose> {
    let piece = missing(Some(last), head.seq, head.mac.as_str());
    let place = at(BreakKind::AuditTail, head.seq, "").place;
    Loose::new(Cause::EndCutOff, None, place, vec![piece])
}

fn missing(before: Option<&AuditRow>, to: u64, mac: &str) -> Piece {
    let from = before.map_or(0, |b| b.seq) + 1;
    let after = before.map_or("", |b| b.mac.as_str());
    Piece {
        id: format!("{from}-{to} {after} {mac}"),
        shown: match to - from {
            0 => format!("record {from}"),
            _ => format!("records {from} to {to}"),
        },
    }
}
