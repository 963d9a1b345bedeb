//! What columns that no seal covers hold, and where one holds something else.

use super::super::error::StoreError;
use super::super::lenient::{HUGE, is_count};
use super::super::open::has_table;
use super::super::spans::SpanState;
use super::StrayValue;
use crate::id::{ProjectId, ProposalId, hex};
use crate::memory::MemoryFile;
use crate::source::Fingerprint;
use crate::text::quoted;
use crate::trust::Act;
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::types::ValueRef;
use rusqlite::{Row, Transaction};
use std::collections::BTreeSet;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    Text,
    MaybeText,
    Time,
    MaybeTime,
    Day,
    /// How many of something one proposal holds, or a thing was tried.
    Count,
    /// What is added up.
    Sum,
    Offset,
    /// An absolute path.
    Path,
    /// A path as another tool or git named it.
    Folder,
    ProjectId,
    /// A project that is there.
    Project,
    /// A proposal that is or was there.
    Proposal,
    MaybeProposal,
    SpanState,
    NoteState,
    Print,
    Hash,
    File,
    Sources,
}

/// A table: what tells its rows apart, and its columns that no seal covers.
struct Table {
    name: &'static str,
    key: &'static [&'static str],
    columns: &'static [(&'static str, Holds)],
}

impl Table {
    /// What is read of each row: these columns, its key, and its project.
    fn asked(&self, columns: &[(&str, Holds)]) -> String {
        let of = match self.name {
            "projects" => "CAST(id AS BLOB)",
            "spent" | "roots" => "NULL",
            _ => "CAST(project AS BLOB)",
        };
        let names = columns.iter().map(|(name, _)| (*name).to_owned());
        let key = self.key.iter().map(|name| format!("CAST({name} AS BLOB)"));
        let all: Vec<_> = names.chain(key).chain([of.to_owned()]).collect();
        format!("SELECT {} FROM {}", all.join(", "), self.name)
    }
}

const TABLES: &[Table] = &[
    Table {
        name: "projects",
        key: &["id"],
        columns: &[
            ("id", Holds::ProjectId),
            ("root", Holds::Path),
            ("name", Holds::Text),
            ("created", Holds::Time),
            ("forgotten", Holds::MaybeTime),
        ],
    },
    Table {
        name: "proposals",
        key: &["id"],
        columns: &[
            ("created", Holds::Time),
            ("queued", Holds::Time),
            ("source", Holds::Text),
            ("summary", Holds::Text),
            ("changes", Holds::Count),
            ("open", Holds::Count),
            ("accepted", Holds::Count),
            ("rejected", Holds::Count),
            ("flagged", Holds::Count),
            ("note", Holds::MaybeText),
            ("told", Holds::MaybeText),
            ("committed", Holds::MaybeText),
        ],
    },
    Table {
        name: "spans",
        key: &["id"],
        columns: &[
            ("project", Holds::Project),
            ("source", Holds::Text),
            ("start", Holds::Offset),
            ("stop", Holds::Offset),
            ("state", Holds::SpanState),
            ("proposal", Holds::MaybeProposal),
            ("fingerprint", Holds::Print),
        ],
    },
    Table {
        name: "seen",
        key: &["project", "id"],
        columns: &[
            ("project", Holds::Project),
            ("id", Holds::Hash),
            ("proposal", Holds::MaybeProposal),
        ],
    },
    Table {
        name: "notes",
        key: &["project", "name"],
        columns: &[
            ("project", Holds::Project),
            ("name", Holds::Text),
            ("state", Holds::NoteState),
            ("proposal", Holds::Proposal),
        ],
    },
    Table {
        name: "tries",
        key: &["project", "source", "start"],
        columns: &[
            ("project", Holds::Project),
            ("source", Holds::Text),
            ("start", Holds::Offset),
            ("stop", Holds::Offset),
            ("count", Holds::Count),
            ("reason", Holds::Text),
            ("at", Holds::Time),
        ],
    },
    Table {
        name: "commits_owed",
        key: &["id"],
        columns: &[
            ("proposal", Holds::Proposal),
            ("project", Holds::Project),
            ("message", Holds::Text),
            ("sequence", Holds::Offset),
            ("audit", Holds::Text),
            ("at", Holds::Time),
            ("tries", Holds::Count),
            ("error", Holds::MaybeText),
        ],
    },
    Table {
        name: "tombstones",
        key: &["project", "proposal", "change"],
        columns: &[
            ("project", Holds::Project),
            ("proposal", Holds::Proposal),
            ("change", Holds::Count),
            ("file", Holds::File),
            ("text", Holds::Text),
            ("statement", Holds::Text),
            ("sources", Holds::Sources),
            ("at", Holds::Time),
        ],
    },
    Table {
        name: "aliases",
        key: &["path"],
        columns: &[
            ("path", Holds::Folder),
            ("project", Holds::Project),
            ("at", Holds::Time),
        ],
    },
    Table {
        name: "spent",
        key: &["day"],
        columns: &[
            ("day", Holds::Day),
            ("calls", Holds::Sum),
            ("chars", Holds::Sum),
            ("micros", Holds::Sum),
        ],
    },
    Table {
        name: "roots",
        key: &["path"],
        columns: &[
            ("path", Holds::Folder),
            ("tool", Holds::Text),
            ("at", Holds::Time),
        ],
    },
];

/// What rows may name.
struct Known {
    projects: BTreeSet<String>,
    proposals: BTreeSet<String>,
}

impl Known {
    fn read(tx: &Transaction<'_>) -> Result<Self, StoreError> {
        // Of one that a person gave up the row may be gone, and what it consumed stays.
        let once = format!(
            "SELECT CAST(id AS BLOB) FROM proposals UNION SELECT CAST(subjects AS BLOB) FROM audit
             WHERE act IN ('{}', '{}')",
            Act::Stage.name(),
            Act::GiveUp.name()
        );
        Ok(Self {
            projects: names(tx, "SELECT CAST(id AS BLOB) FROM projects")?,
            proposals: names(tx, &once)?,
        })
    }

    fn is_project(&self, id: &str) -> bool {
        id.parse::<ProjectId>().is_ok() && self.projects.contains(id)
    }

    fn is_proposal(&self, id: &str) -> bool {
        id.parse::<ProposalId>().is_ok() && self.proposals.contains(id)
    }
}

fn names(tx: &Transaction<'_>, sql: &str) -> Result<BTreeSet<String>, StoreError> {
    let mut query = tx.prepare_cached(sql)?;
    let rows = query.query_map([], |row| row.get::<_, Vec<u8>>(0))?;
    rows.map(|row| Ok(String::from_utf8_lossy(&row?).into_owned()))
        .collect()
}

/// Every value that is none of what its column holds.
pub(super) fn unreadable(tx: &Transaction<'_>) -> Result<Vec<StrayValue>, StoreError> {
    let known = Known::read(tx)?;
    let mut all = Vec::new();
    for table in TABLES {
        // A database that is only looked at may be of a version without it.
        if has_table(tx, table.name)? {
            of_table(tx, table, &known, &mut all)?;
        }
    }
    Ok(all)
}

fn of_table(
    tx: &Transaction<'_>,
    table: &Table,
    known: &Known,
    all: &mut Vec<StrayValue>,
) -> Result<(), StoreError> {
    let there = names(
        tx,
        &format!(
            "SELECT CAST(name AS BLOB) FROM pragma_table_info('{}')",
            table.name
        ),
    )?;
    let mut columns = table.columns.to_vec();
    columns.retain(|(name, _)| there.contains(*name));
    let mut query = tx.prepare(&table.asked(&columns))?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        for (n, (column, holds)) in columns.iter().enumerate() {
            if let Some(what) = wrong(*holds, row.get_ref(n)?, known) {
                all.push(stray(table, column, columns.len(), row, what)?);
            }
        }
    }
    Ok(())
}

/// `from`: where the key is in the row, and what tells whose it is behind it.
fn stray(
    table: &Table,
    column: &'static str,
    from: usize,
    row: &Row<'_>,
    what: &str,
) -> Result<StrayValue, StoreError> {
    let of = from + table.key.len();
    let key = (from..of).map(|n| row.get::<_, Vec<u8>>(n));
    let key = key.collect::<rusqlite::Result<_>>()?;
    let project: Option<Vec<u8>> = row.get(of)?;
    let project = project.and_then(|id| String::from_utf8(id).ok());
    Ok(StrayValue {
        table: table.name,
        column,
        key,
        project: project.and_then(|id| id.parse().ok()),
        what: what.to_owned(),
    })
}

/// What is wrong with a value, if anything.
fn wrong(holds: Holds, value: ValueRef<'_>, known: &Known) -> Option<&'static str> {
    match (holds, value) {
        (Holds::MaybeText | Holds::MaybeTime | Holds::MaybeProposal, ValueRef::Null) => None,
        (_, ValueRef::Integer(n)) => wrong_number(holds, n),
        (_, ValueRef::Blob(bytes)) => wrong_bytes(holds, bytes),
        (_, ValueRef::Text(bytes)) => match std::str::from_utf8(bytes) {
            Ok(text) => wrong_text(holds, text, known),
            Err(_) => Some("it is no text"),
        },
        _ => Some("it holds nothing that belongs there"),
    }
}

fn wrong_number(holds: Holds, n: i64) -> Option<&'static str> {
    let fits = match holds {
        Holds::Count => is_count(n),
        Holds::Sum => (0..=HUGE).contains(&n),
        Holds::Offset => n >= 0,
        _ => false,
    };
    (!fits).then_some("it is no count that memd wrote")
}

fn wrong_bytes(holds: Holds, bytes: &[u8]) -> Option<&'static str> {
    match holds {
        Holds::Path => (!bytes.starts_with(b"/")).then_some("it is no absolute path"),
        Holds::Folder => None,
        Holds::Hash => (bytes.len() != 16).then_some("it is no hash"),
        _ => Some("it is no text"),
    }
}

fn wrong_text(holds: Holds, text: &str, known: &Known) -> Option<&'static str> {
    let (fits, what) = match holds {
        Holds::Text | Holds::MaybeText => (true, ""),
        Holds::Time | Holds::MaybeTime => (text.parse::<Timestamp>().is_ok(), "it is no time"),
        Holds::Day => (text.parse::<Date>().is_ok(), "it is no day"),
        Holds::ProjectId => (text.parse::<ProjectId>().is_ok(), "it is no project's id"),
        Holds::Project => (known.is_project(text), "it is no project that is there"),
        Holds::Proposal | Holds::MaybeProposal => (
            known.is_proposal(text),
            "it is no proposal that is or was there",
        ),
        Holds::SpanState => (SpanState::from_name(text).is_some(), "it is no state"),
        Holds::NoteState => (matches!(text, "staged" | "consumed"), "it is no state"),
        Holds::Print => (
            serde_json::from_str::<Fingerprint>(text).is_ok(),
            "it is no fingerprint",
        ),
        Holds::File => (
            MemoryFile::from_name(text).is_some(),
            "it is no memory file",
        ),
        Holds::Sources => (
            serde_json::from_str::<Vec<String>>(text).is_ok(),
            "it is no list of sources",
        ),
        Holds::Count | Holds::Sum | Holds::Offset | Holds::Path | Holds::Folder | Holds::Hash => {
            (false, "it is a text")
        }
    };
    (!fits).then_some(what)
}

/// Columns that tell rows of a table apart.
pub(super) fn key(table: &str) -> &'static [&'static str] {
    let found = TABLES.iter().find(|of| of.name == table);
    found.map_or(&[], |of| of.key)
}

/// A part of a row's key, for people.
pub(super) fn shown(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.parse::<i64>().is_ok() => text.to_owned(),
        Ok(text) if text.len() <= 16 && text.bytes().all(|b| b.is_ascii_hexdigit()) => {
            text.to_owned()
        }
        Ok(text) => quoted(text, 60),
        Err(_) => hex(bytes.get(..16).unwrap_or(bytes)),
    }
}

#[cfg(test)]
pub(in super::super) fn columns() -> Vec<(&'static str, &'static str)> {
    let each = |of: &'static Table| of.columns.iter().map(|(name, _)| (of.name, *name));
    TABLES.iter().flat_map(each).collect()
}
