//! Everything with foreign text in it that the database keeps of a project besides its records: for
//! a look through all of it. Reads only.

use super::error::StoreError;
use super::open::Store;
use super::projects::{from_json, parse};
use crate::id::{ProjectId, ProposalId};
use serde_json::Value;

/// Columns of plain text that no seal covers; each table has a column `project`.
pub(super) const PLAIN: [(&str, &str); 5] = [
    ("proposals", "note"),
    ("tries", "reason"),
    ("commits_owed", "message"),
    ("commits_owed", "error"),
    ("tombstones", "text"),
];
/// Columns of JSON that a seal or the audit chain covers; each table has a column `project`.
pub(super) const SEALED: [(&str, &str); 2] = [("intents", "body"), ("audit", "details")];

/// A proposal of whatever state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnyProposal {
    /// Its id.
    pub id: ProposalId,
    /// Something in it still waits for a decision.
    pub waits: bool,
}

/// What stands in a column outside of proposals and records.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptText {
    /// Where, such as `tries reason`.
    pub at: String,
    /// A text, or a value with texts in it; foreign.
    pub value: Value,
}

impl Store {
    /// All proposals of a project, whatever became of them, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn all_proposals(&self, project: &ProjectId) -> Result<Vec<AnyProposal>, StoreError> {
        self.read(|tx| {
            let sql = "SELECT id, state IN ('staged', 'applying') OR state = 'applied' AND open > 0
                       FROM proposals WHERE project = ?1 ORDER BY created, id";
            let mut query = tx.prepare_cached(sql)?;
            let rows = query.query_map([project.as_str()], |row| row.try_into())?;
            rows.map(|row| {
                let (id, waits): (String, bool) = row?;
                let id = parse("proposal id", &id)?;
                Ok(AnyProposal { id, waits })
            })
            .collect()
        })
    }

    /// What the database notes of a project besides proposals, decisions and records: notes to the
    /// curator, why a try failed, messages of commits, what was rejected, what an unfinished apply is
    /// about to write, details of the audit chain.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn kept_texts(&self, project: &ProjectId) -> Result<Vec<KeptText>, StoreError> {
        self.read(|tx| {
            let mut all = Vec::new();
            let plain = PLAIN.into_iter().map(|of| (of, false));
            let sealed = SEALED.into_iter().map(|of| (of, true));
            for ((table, name), is_json) in plain.chain(sealed) {
                let sql = format!(
                    "SELECT DISTINCT {name} FROM {table}
                     WHERE project = ?1 AND {name} IS NOT NULL ORDER BY {name}"
                );
                let mut query = tx.prepare_cached(&sql)?;
                let rows = query.query_map([project.as_str()], |row| row.get::<_, String>(0))?;
                for text in rows {
                    let text = text?;
                    let value = match is_json {
                        true => from_json(name, &text).unwrap_or(Value::String(text)),
                        false => Value::String(text),
                    };
                    let at = format!("{table} {name}");
                    all.push(KeptText { at, value });
                }
            }
            Ok(all)
        })
    }
}
