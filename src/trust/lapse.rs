//! What time does to trust: what no person accepted lapses, what nobody decides on expires.
//!
//! Everything is counted when it is read, from the moment handed in: no sweep has to run.

use jiff::{SignedDuration, Timestamp};

/// A staged proposal leaves the queue at this age, in days.
pub const PROPOSAL_DAYS: i64 = 14;

const DAY: i64 = 24 * 60 * 60;

/// When an entry that no person accepted lapses: so many days after it was let in.
#[must_use]
pub fn lapse_after(let_in: Timestamp, days: i64) -> Timestamp {
    after(let_in, days)
}

/// Whether a proposal queued then has expired by now.
#[must_use]
pub fn is_expired(queued: Timestamp, now: Timestamp) -> bool {
    now >= after(queued, PROPOSAL_DAYS)
}

/// The moment to count with: never before the newest act in the audit chain, so that a clock set
/// back revives nothing.
#[must_use]
pub fn effective_now(now: Timestamp, newest: Option<Timestamp>) -> Timestamp {
    newest.map_or(now, |newest| newest.max(now))
}

fn after(from: Timestamp, days: i64) -> Timestamp {
    from.checked_add(SignedDuration::from_secs(days * DAY))
        .unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(n: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + n * DAY).unwrap()
    }

    #[test]
    fn day_29_stands_day_30_and_31_have_lapsed() {
        let lapses = lapse_after(day(0), 30);
        assert!(day(29) < lapses && day(30) >= lapses && day(31) >= lapses);
    }

    #[test]
    fn a_proposal_of_13_days_waits_one_of_14_has_expired() {
        let state = [13, 14, 15].map(|n| is_expired(day(0), day(n)));
        assert_eq!(state, [false, true, true]);
    }

    #[test]
    fn a_clock_set_back_revives_nothing() {
        assert_eq!(effective_now(day(1), Some(day(40))), day(40));
        assert_eq!(effective_now(day(41), Some(day(40))), day(41));
        assert_eq!(effective_now(day(1), None), day(1));
        assert_eq!(lapse_after(Timestamp::MAX, 30), Timestamp::MAX);
    }
}
