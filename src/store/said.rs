//! What a person said of values, in two tables kept alike: a sealed row and the newest act on its
//! fingerprint make a word. The sealed head of the audit chain says what that act left standing; where
//! it does not, the chain does, and what hides more is believed where that does not hold.

use super::audit::{self, Note, append};
use super::error::StoreError;
use super::newest::{Standing, standing};
use super::open::has_table;
use super::projects::parse;
use crate::trust::{Act, AuditHead, Said, Seal, Trust, Word};
use jiff::Timestamp;
use rusqlite::types::Value as Column;
use rusqlite::{Row, Transaction, params_from_iter};
use serde_json::{Value, json};

/// A word as a table keeps it.
pub(super) trait Kept: Word + Sized {
    /// Its table.
    const TABLE: &'static str;
    /// Its act.
    const ACT: Act;
    /// What the act's details call it.
    const SAYS: &'static str;
    /// Whether it lets out what would be hidden: then it counts only where nothing speaks against it.
    const LETS_OUT: bool;
    /// Columns of the value besides its fingerprint.
    const COLUMNS: &'static [&'static str];

    /// The value's fingerprint.
    fn fingerprint(&self) -> &str;
    /// From a row: `from` is the first of [`Kept::COLUMNS`]. Or why it counts for nothing.
    fn read(fingerprint: String, row: &Row<'_>, from: usize) -> Result<Self, &'static str>;
    /// As [`Kept::COLUMNS`].
    fn columns(&self) -> Vec<Column>;
}

/// Columns that every table has before those of the value.
const COMMON: [&str; 5] = ["fingerprint", "format", "at", "key", "seal"];

fn names<K: Kept>() -> String {
    let all: Vec<&str> = COMMON.iter().chain(K::COLUMNS).copied().collect();
    all.join(", ")
}

/// All rows of a table, by what comes of them.
pub(super) struct Words<K> {
    /// What a person's newest word and the seal vouch for.
    pub good: Vec<Said<K>>,
    /// Such as let something out, and the chain is not whole since: a later word may have been cut
    /// out of it. They count for nothing until they are said again.
    pub lapsed: Vec<Said<K>>,
    /// Why the others are none. What hides is hidden all the same where only the chain fails it.
    pub broken: Vec<String>,
}

/// What is said of a row whose seal holds.
enum Told {
    /// The head of the chain is sealed with it.
    Stands,
    /// Only a record says so, and the head of the chain knows nothing of it: a later one is missing.
    Lapsed,
    /// A person said so, in the record with this number.
    At(u64),
    /// A person said otherwise, or nobody can tell.
    No,
    /// Nothing that can be believed, and believing the row hides more.
    Hides,
}

/// All rows: those that a person's newest word and their seal vouch for; and the others, with why.
pub(super) fn all<K: Kept>(tx: &Transaction<'_>, trust: &Trust) -> Result<Words<K>, StoreError> {
    let mut words = Words {
        good: Vec::new(),
        lapsed: Vec::new(),
        broken: Vec::new(),
    };
    if !has_table(tx, K::TABLE)? {
        return Ok(words);
    }
    let sql = format!(
        "SELECT {} FROM {} ORDER BY fingerprint",
        names::<K>(),
        K::TABLE
    );
    let mut query = tx.prepare_cached(&sql)?;
    let mut rows = query.query([])?;
    let mut told: Vec<(u64, Said<K>)> = Vec::new();
    let standing = standing(tx, trust)?;
    while let Some(row) = rows.next()? {
        let fingerprint: String = row.get(0)?;
        let mut broken = |why: &str| words.broken.push(format!("value #{fingerprint}: {why}"));
        let said = match read::<K>(trust, row)? {
            Ok(said) => said,
            Err(why) => {
                broken(&why);
                continue;
            }
        };
        // A row that was taken back may be put there again as it was.
        match told_of::<K>(tx, trust, &standing, &fingerprint)? {
            Told::Stands => words.good.push(said),
            Told::Lapsed => words.lapsed.push(said),
            Told::At(seq) => told.push((seq, said)),
            Told::No => broken("the audit chain does not say so"),
            Told::Hides => {
                broken("the audit chain does not say so");
                words.good.push(said);
            }
        }
    }
    by_chain(tx, trust, told, &mut words)?;
    Ok(words)
}

/// Words that let nothing out hold; others where the chain is whole since they were said.
fn by_chain<K: Kept>(
    tx: &Transaction<'_>,
    trust: &Trust,
    told: Vec<(u64, Said<K>)>,
    words: &mut Words<K>,
) -> Result<(), StoreError> {
    let first = told.iter().map(|(seq, _)| *seq).min();
    let is_whole = match first {
        Some(seq) if K::LETS_OUT => audit::is_whole_from(tx, trust, seq)?,
        _ => true,
    };
    for (seq, said) in told {
        match is_whole || audit::is_whole_from(tx, trust, seq)? {
            true => words.good.push(said),
            false => words.lapsed.push(said),
        }
    }
    Ok(())
}

/// A row whose seal holds, or why it counts for nothing.
fn read<K: Kept>(trust: &Trust, row: &Row<'_>) -> Result<Result<Said<K>, String>, StoreError> {
    let at: String = row.get(2)?;
    let Ok(at) = parse("time", &at) else {
        return Ok(Err("its time is none".to_owned()));
    };
    let value = match K::read(row.get(0)?, row, COMMON.len()) {
        Ok(value) => value,
        Err(why) => return Ok(Err(why.to_owned())),
    };
    let said = Said {
        format: row.get(1)?,
        value,
        at,
        key: row.get(3)?,
        seal: Seal::stored(row.get::<_, String>(4)?),
    };
    let holds = trust.verify_word(&said);
    Ok(holds.map(|()| said).map_err(|why| why.to_string()))
}

/// What stands of a fingerprint.
fn told_of<K: Kept>(
    tx: &Transaction<'_>,
    trust: &Trust,
    standing: &Standing,
    fingerprint: &str,
) -> Result<Told, StoreError> {
    let Standing::Sealed(newest) = standing else {
        return told_by_chain::<K>(tx, trust, fingerprint);
    };
    if newest.is_said(K::ACT, fingerprint) {
        return Ok(Told::Stands);
    }
    Ok(match told_by_chain::<K>(tx, trust, fingerprint)? {
        Told::At(_) if K::LETS_OUT => Told::Lapsed,
        _ => Told::No,
    })
}

/// What the chain says of a fingerprint: of what lets something out its newest record has to say so
/// and be as it was written; what hides is given up for a record alone that was written.
fn told_by_chain<K: Kept>(
    tx: &Transaction<'_>,
    trust: &Trust,
    fingerprint: &str,
) -> Result<Told, StoreError> {
    let which = "WHERE act = ?1 AND subjects = ?2 ORDER BY seq DESC";
    let acts = audit::select(tx, which, [K::ACT.name(), fingerprint])?;
    let newest = match K::LETS_OUT {
        true => acts.first().filter(|row| trust.is_written(row)),
        false => acts.iter().find(|row| trust.is_written(row)),
    };
    Ok(match newest {
        Some(row) if audit::says(&row.details, K::SAYS) => Told::At(row.seq),
        None if !K::LETS_OUT => Told::Hides,
        _ => Told::No,
    })
}

/// Whether the newest act on a fingerprint says so.
pub(super) fn is_said<K: Kept>(
    tx: &Transaction<'_>,
    fingerprint: &str,
) -> Result<bool, StoreError> {
    audit::is_said(tx, K::ACT, fingerprint, K::SAYS)
}

/// Keeps a word, in the place of an earlier one on the same value.
pub(super) fn keep<K: Kept>(
    tx: &Transaction<'_>,
    trust: &Trust,
    value: K,
    mut details: Value,
    now: Timestamp,
) -> Result<AuditHead, StoreError> {
    let said = trust.seal_word(Said::new(value, now));
    put(tx, &said)?;
    details[K::SAYS] = true.into();
    append(tx, trust, note::<K>(said.value.fingerprint(), details), now)
}

/// Seals every word with the next key: what this one sealed alone. How many. What has lapsed goes.
pub(super) fn reseal<K: Kept>(
    tx: &Transaction<'_>,
    old: &Trust,
    new: &Trust,
) -> Result<usize, StoreError> {
    let Words {
        good,
        lapsed,
        // What does not verify stays as it is.
        broken: _,
    } = all::<K>(tx, old)?;
    for said in lapsed {
        remove::<K>(tx, said.value.fingerprint())?;
    }
    let count = good.len();
    for said in good {
        put(tx, &new.seal_word(said))?;
    }
    Ok(count)
}

/// Puts a row in, in the place of an earlier one on the same value.
fn put<K: Kept>(tx: &Transaction<'_>, said: &Said<K>) -> Result<(), StoreError> {
    let fingerprint = said.value.fingerprint();
    remove::<K>(tx, fingerprint)?;
    let mut row: Vec<Column> = vec![
        fingerprint.to_owned().into(),
        said.format.into(),
        said.at.to_string().into(),
        said.key.clone().into(),
        said.seal.as_str().to_owned().into(),
    ];
    row.extend(said.value.columns());
    let places = vec!["?"; row.len()].join(", ");
    let sql = format!(
        "INSERT INTO {} ({}) VALUES ({places})",
        K::TABLE,
        names::<K>()
    );
    tx.prepare_cached(&sql)?.execute(params_from_iter(row))?;
    Ok(())
}

/// Takes a word back. Nothing is done where none was said.
pub(super) fn take_back<K: Kept>(
    tx: &Transaction<'_>,
    trust: &Trust,
    fingerprint: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    // Also when only the row is gone: it could be put there again.
    if remove::<K>(tx, fingerprint)? || is_said::<K>(tx, fingerprint)? {
        let details = json!({ K::SAYS: false });
        append(tx, trust, note::<K>(fingerprint, details), now)?;
    }
    Ok(())
}

fn note<K: Kept>(fingerprint: &str, details: Value) -> Note<'_> {
    Note {
        act: K::ACT,
        project: None,
        subjects: vec![fingerprint],
        details,
    }
}

/// Whether there was one.
fn remove<K: Kept>(tx: &Transaction<'_>, fingerprint: &str) -> Result<bool, StoreError> {
    let sql = format!("DELETE FROM {} WHERE fingerprint = ?1", K::TABLE);
    Ok(tx.prepare_cached(&sql)?.execute([fingerprint])? > 0)
}
