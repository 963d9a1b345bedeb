//! What curators took on each day, in UTC: counted before and after each call, whether it came to
//! anything or not.

use super::error::StoreError;
use super::lenient::{HUGE, size};
use super::open::{Store, has_table, signed};
use crate::config::{Caps, Reached, Spent};
use crate::id::ProjectId;
use crate::trust::Act;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use rusqlite::{OptionalExtension, Transaction};

fn day(now: Timestamp) -> String {
    TimeZone::UTC.to_datetime(now).date().to_string()
}

fn of_day(tx: &Transaction<'_>, now: Timestamp) -> Result<Spent, StoreError> {
    if !has_table(tx, "spent")? {
        return Ok(Spent::default());
    }
    let sql = "SELECT calls, chars, micros FROM spent WHERE day = ?1";
    let mut query = tx.prepare_cached(sql)?;
    let row = query.query_row([day(now)], |row| {
        Ok(Spent {
            calls: size(row, 0)?,
            chars: size(row, 1)?,
            micros: size(row, 2)?,
        })
    });
    Ok(row.optional()?.unwrap_or_default())
}

fn add(tx: &Transaction<'_>, now: Timestamp, spent: Spent) -> Result<(), StoreError> {
    // What no memd wrote there counts as far as it can be a number of its kind.
    let sql = "INSERT INTO spent (day, calls, chars, micros) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT (day) DO UPDATE SET
               calls = max(0, min(calls, ?5 - excluded.calls)) + excluded.calls,
               chars = max(0, min(chars, ?5 - excluded.chars)) + excluded.chars,
               micros = max(0, min(micros, ?5 - excluded.micros)) + excluded.micros";
    let [calls, chars, micros] =
        [spent.calls, spent.chars, spent.micros].map(|n| signed(n).min(HUGE));
    tx.prepare_cached(sql)?
        .execute((day(now), calls, chars, micros, HUGE))?;
    Ok(())
}

impl Store {
    /// What this day took so far.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn spent(&self, now: Timestamp) -> Result<Spent, StoreError> {
        self.read(|tx| of_day(tx, now))
    }

    /// Counts one call that is about to be made, unless a cap is given and reached: then nothing is
    /// counted and the cap is the answer. One transaction, so that two processes never share the
    /// last call of a day.
    ///
    /// # Errors
    /// When it cannot be counted; then it is not to be made.
    pub fn count_call(
        &self,
        chars: u64,
        caps: Option<&Caps>,
        now: Timestamp,
    ) -> Result<Option<Reached>, StoreError> {
        self.write(|tx| {
            let spent = of_day(tx, now)?;
            let reached = caps.and_then(|caps| spent.reached(caps, chars));
            if reached.is_none() {
                let call = Spent {
                    calls: 1,
                    chars,
                    micros: 0,
                };
                add(tx, now, call)?;
            }
            Ok(reached)
        })
    }

    /// What the accepted changes of a project's distills took: US dollars, as far as curators told, and
    /// how many changes those are. `None` where nothing was told or accepted.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn cost_of_accepted(&self, project: &ProjectId) -> Result<Option<(f64, u64)>, StoreError> {
        self.read(|tx| {
            let sql = "SELECT sum(json_extract(details, '$.cost_usd')) FROM audit
                       WHERE project = ?1 AND act = ?2";
            let key = (project.as_str(), Act::Stage.name());
            let usd: Option<f64> = tx.prepare_cached(sql)?.query_row(key, |row| row.get(0))?;
            let sql = "SELECT coalesce(sum(max(0, min(accepted, 1000000))), 0) FROM proposals
                       WHERE project = ?1 AND kind = 'distill' AND state = 'applied'";
            let mut query = tx.prepare_cached(sql)?;
            let accepted = query.query_row([project.as_str()], |row| size(row, 0))?;
            Ok(usd.filter(|_| accepted > 0).map(|usd| (usd, accepted)))
        })
    }

    /// Counts what a call cost, in US dollars, once that is told.
    ///
    /// # Errors
    /// When it cannot be counted.
    pub fn count_cost(&self, usd: f64, now: Timestamp) -> Result<(), StoreError> {
        // Rounded up: many calls of a fraction are not free. A cost that is no number counts as
        // none.
        let micros = (usd.clamp(0.0, 1e9) * 1e6).ceil() as u64;
        let cost = Spent {
            micros,
            ..Spent::default()
        };
        self.write(|tx| add(tx, now, cost))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Places;

    #[test]
    fn a_day_has_room_until_a_cap_is_reached_and_the_next_day_has_again() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().as_os_str().to_owned();
        let places = Places::from_env(|n| (n == "HOME").then(|| home.clone())).unwrap();
        let store = Store::open(&places).unwrap();
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let (now, next) = (at("2026-10-01T23:59:59Z"), at("2026-10-02T00:00:00Z"));
        let caps = Caps {
            calls: 2,
            chars: 1_000,
            micros: 1_000_000,
        };
        let call = |chars, now| store.count_call(chars, Some(&caps), now).unwrap();
        assert_eq!(call(1_001, now), Some(Reached::Chars(1_000)));
        assert_eq!(call(600, now), None);
        assert_eq!(call(600, now), Some(Reached::Chars(1_000)));
        assert_eq!(call(400, now), None);
        assert_eq!(call(0, now), Some(Reached::Calls(2)));
        assert_eq!(call(600, next), None);
        store.count_cost(0.999_999_5, next).unwrap();
        let said = call(1, next).unwrap().to_string();
        assert_eq!(
            said,
            "today's cap of $1.00 for curators is reached (daily_usd; the day ends at midnight UTC)"
        );
        // Without caps it is counted all the same.
        assert_eq!(store.count_call(9, None, next).unwrap(), None);
        assert_eq!(store.spent(next).unwrap().calls, 2);
        store.count_cost(f64::NAN, next).unwrap();
        assert_eq!(store.spent(next).unwrap().micros, 1_000_000);
        assert_eq!(store.spent(now).unwrap().chars, 1_000);
    }
}
