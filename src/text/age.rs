//! How long ago something was, as people say it.

use super::count;
use jiff::Timestamp;

/// The time between two moments in its largest whole unit: "18 minutes", "2 days". A moment that
/// is not past yet is "0 seconds".
#[must_use]
pub fn age(then: Timestamp, now: Timestamp) -> String {
    let seconds = usize::try_from(now.as_second() - then.as_second()).unwrap_or(0);
    match seconds {
        0..60 => count(seconds, "second", "seconds"),
        60..3_600 => count(seconds / 60, "minute", "minutes"),
        3_600..86_400 => count(seconds / 3_600, "hour", "hours"),
        _ => count(seconds / 86_400, "day", "days"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_its_largest_whole_unit() {
        let at = |s| Timestamp::from_second(s).unwrap();
        for (seconds, said) in [
            (0, "0 seconds"),
            (61, "1 minute"),
            (7_199, "1 hour"),
            (86_400, "1 day"),
            (10 * 86_400, "10 days"),
            (-5, "0 seconds"),
        ] {
            assert_eq!(age(at(0), at(seconds)), said);
        }
    }
}
