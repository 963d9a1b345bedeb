//! What the newest acts left standing, as the head of the audit chain is sealed with it: read by
//! whoever gives or lets out anything, written with every act.

use super::audit;
use super::error::StoreError;
use super::open::has_table;
use crate::trust::{AuditHead, AuditRow, Newest, Trust};
use rusqlite::Transaction;

/// What there is to go by.
pub(super) enum Standing {
    /// What the head of the chain is sealed with.
    Sealed(Newest),
    /// The head is of a memd that sealed nothing with it: what the chain itself says has to do.
    NotYet,
    /// The head is not the one that was sealed, or what it was sealed with is not there.
    Broken,
}

/// What stands, by the head of the chain that is there.
pub(super) fn standing(tx: &Transaction<'_>, trust: &Trust) -> Result<Standing, StoreError> {
    let Some(head) = audit::head(tx)? else {
        // Nothing was ever done; or the head was taken out, and then there are records.
        return Ok(match audit::last(tx)? {
            None => Standing::NotYet,
            Some(_) => Standing::Broken,
        });
    };
    let is_end = match audit::last(tx)? {
        // A head that was put back has records behind it. Where the end is cut off, it still says.
        Some((seq, mac)) => seq < head.seq || (seq == head.seq && mac == head.mac.as_str()),
        None => true,
    };
    if !is_end || !trust.is_head(&head) {
        return Ok(Standing::Broken);
    }
    at(tx, trust, &head)
}

fn at(tx: &Transaction<'_>, trust: &Trust, head: &AuditHead) -> Result<Standing, StoreError> {
    let Some(sealed) = &head.newest else {
        return Ok(Standing::NotYet);
    };
    let kept = kept(tx)?;
    if kept.hash() == *sealed {
        return Ok(Standing::Sealed(kept));
    }
    // The chain may still say all of it.
    let told = told(tx, trust)?;
    Ok(match told.hash() == *sealed {
        true => Standing::Sealed(told),
        false => Standing::Broken,
    })
}

/// The table as it is.
pub(super) fn kept(tx: &Transaction<'_>) -> Result<Newest, StoreError> {
    if !has_table(tx, "newest")? {
        return Ok(Newest::default());
    }
    let mut query = tx.prepare_cached("SELECT name, said FROM newest")?;
    let rows = query.query_map([], |row| row.try_into())?;
    let rows = rows.collect::<rusqlite::Result<Vec<(String, String)>>>()?;
    Ok(Newest::stored(rows))
}

/// What the records of the chain say that are as they were written.
fn told(tx: &Transaction<'_>, trust: &Trust) -> Result<Newest, StoreError> {
    let mut newest = Newest::default();
    audit::each(tx, &mut |row| {
        if trust.is_written(&row) {
            newest.take(&row);
        }
    })?;
    Ok(newest)
}

/// Takes in what a record says that is about to follow the head, and gives the head what it is to be
/// sealed with.
pub(super) fn follow(
    tx: &Transaction<'_>,
    trust: &Trust,
    head: &mut AuditHead,
    row: &AuditRow,
) -> Result<(), StoreError> {
    let before = match at(tx, trust, head)? {
        Standing::Sealed(newest) => newest,
        Standing::NotYet => so_far(tx, trust, head)?,
        // Nothing is let in, let out or given by it any more; and it stays seen.
        Standing::Broken => return Ok(()),
    };
    let mut after = before;
    after.take(row);
    write(tx, &after)?;
    head.newest = Some(after.hash());
    Ok(())
}

/// Where no head was sealed with it before: what the chain says, of what lets something out only as
/// far back as the chain is whole.
fn so_far(tx: &Transaction<'_>, trust: &Trust, head: &AuditHead) -> Result<Newest, StoreError> {
    let from = audit::whole_from(tx, trust, head)?;
    Ok(told(tx, trust)?.only_from(from))
}

fn write(tx: &Transaction<'_>, newest: &Newest) -> Result<(), StoreError> {
    let kept = kept(tx)?;
    if kept == *newest {
        return Ok(());
    }
    let stands: std::collections::BTreeMap<_, _> = newest.lines().collect();
    let stood: std::collections::BTreeMap<_, _> = kept.lines().collect();
    let mut gone = tx.prepare_cached("DELETE FROM newest WHERE name = ?1")?;
    for name in stood.keys().filter(|name| !stands.contains_key(*name)) {
        gone.execute([name])?;
    }
    let mut put =
        tx.prepare_cached("INSERT OR REPLACE INTO newest (name, said) VALUES (?1, ?2)")?;
    for (name, said) in stands
        .iter()
        .filter(|(name, said)| stood.get(*name) != Some(said))
    {
        put.execute((name, said))?;
    }
    Ok(())
}
