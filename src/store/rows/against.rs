//! Values that can be read and say otherwise than the audit chain, or the sealed body of a proposal and
//! the decisions on it.

use super::super::error::StoreError;
use super::super::journal::{self, Journal};
use super::super::lenient::text;
use super::super::open::signed;
use super::super::projects::{self, Project};
use super::super::{audit, commits, lives, stage};
use super::StrayValue;
use crate::id::{ProjectId, ProposalId};
use crate::proposal::Proposal;
use crate::trust::{Act, AuditRow, Trust};
use rusqlite::types::Value;
use rusqlite::{OptionalExtension, Transaction};

/// What the audit chain says of a project.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// Where it lies.
    pub root: Option<String>,
    /// When its user took it off the books, if it is off; `None`: the chain has nothing of it.
    pub forgotten: Option<Option<String>>,
    /// When it was registered.
    pub created: Option<String>,
    /// The last record that says so.
    last: u64,
}

impl Told {
    /// Of one project.
    pub(super) fn of(tx: &Transaction<'_>, trust: &Trust, id: &str) -> Result<Self, StoreError> {
        let which = "WHERE project = ?1 AND act IN (?2, ?3, ?4) ORDER BY seq";
        let acts = [Act::Register, Act::MoveProject, Act::ForgetProject].map(Act::name);
        let rows = audit::select(tx, which, (id, acts[0], acts[1], acts[2]))?;
        let mut told = Self::default();
        rows.iter()
            .filter(|row| trust.is_written(row))
            .for_each(|row| told.take(row));
        Ok(told)
    }

    fn take(&mut self, row: &AuditRow) {
        let details: serde_json::Value = serde_json::from_str(&row.details).unwrap_or_default();
        let place = |name: &str| Some(details.get(name)?.as_str()?.to_owned());
        self.last = row.seq;
        if row.act == Act::ForgetProject.name() {
            self.forgotten = Some(Some(row.at.clone()));
        } else if row.act == Act::Register.name() {
            self.root = place("root");
            self.forgotten = Some(None);
            self.created.get_or_insert_with(|| row.at.clone());
        } else {
            self.root = place("to");
        }
    }
}

/// Where the rows of projects are not as the chain says.
pub(super) fn chain(tx: &Transaction<'_>, trust: &Trust) -> Result<Vec<StrayValue>, StoreError> {
    let off = off_books(tx)?;
    let mut all = Vec::new();
    for project in projects::ever(tx)? {
        let told = Told::of(tx, trust, project.id.as_str())?;
        if is_gone_since(tx, told.last)? {
            continue;
        }
        let is_off = off.contains(&project.id);
        if let Some(said) = &told.forgotten
            && said.is_some() != is_off
        {
            let what = match is_off {
                true => "the audit chain has it on the books",
                false => "the audit chain has it off the books: its user took it off",
            };
            all.push(of_project(&project, "forgotten", what));
        }
        if told
            .root
            .is_some_and(|root| project.root.to_string_lossy() != root)
        {
            let what = "the audit chain has it in another folder";
            all.push(of_project(&project, "root", what));
        }
    }
    Ok(all)
}

/// Whether records of the chain are missing behind one: they may have said otherwise.
fn is_gone_since(tx: &Transaction<'_>, seq: u64) -> Result<bool, StoreError> {
    let last = audit::head(tx)?.map_or(0, |head| head.seq);
    let sql = "SELECT count(*) FROM audit WHERE seq > ?1";
    let mut query = tx.prepare_cached(sql)?;
    let there: i64 = query.query_row([signed(seq)], |row| row.get(0))?;
    Ok(signed(last.saturating_sub(seq)) != there)
}

/// Commits that are owed and name no record of the chain.
pub(super) fn owed(tx: &Transaction<'_>) -> Result<Vec<StrayValue>, StoreError> {
    let sql = "SELECT CAST(id AS BLOB), project, audit FROM commits_owed";
    let mut query = tx.prepare_cached(sql)?;
    let mut rows = query.query([])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        if !commits::is_of_chain(tx, &text(row, 2)?)? {
            all.push(StrayValue {
                table: "commits_owed",
                column: "audit",
                key: vec![row.get(0)?],
                project: text(row, 1)?.parse().ok(),
                what: "it names no record of the audit chain".to_owned(),
            });
        }
    }
    Ok(all)
}

fn of_project(project: &Project, column: &'static str, what: &str) -> StrayValue {
    StrayValue {
        table: "projects",
        column,
        key: vec![project.id.as_str().into()],
        project: Some(project.id.clone()),
        what: what.to_owned(),
    }
}

fn off_books(tx: &Transaction<'_>) -> Result<Vec<ProjectId>, StoreError> {
    let on: Vec<_> = projects::all(tx)?.into_iter().map(|p| p.id).collect();
    let ever = projects::ever(tx)?.into_iter().map(|p| p.id);
    Ok(ever.filter(|id| !on.contains(id)).collect())
}

/// What lists show of a proposal that is compared with what is sealed.
const COMPARED: [&str; 5] = ["created", "changes", "open", "accepted", "rejected"];

/// Where what lists show of proposals is not what is sealed. One that does not hold is named by itself.
pub(super) fn sealed(tx: &Transaction<'_>, trust: &Trust) -> Result<Vec<StrayValue>, StoreError> {
    let mut all = Vec::new();
    for project in projects::ever(tx)? {
        let given_up = lives::given_up(tx, trust, &project.id)?;
        let mut ids = ids(tx, &project.id)?;
        ids.retain(|id| !given_up.contains(id.as_str()));
        for id in ids {
            let Some((proposal, journal)) = loaded(tx, trust, &id)? else {
                continue;
            };
            for column in COMPARED {
                let said = listed(&proposal, &journal, column);
                if said != stored(tx, &id, column)? {
                    all.push(StrayValue {
                        table: "proposals",
                        column,
                        key: vec![id.as_str().into()],
                        project: Some(project.id.clone()),
                        what: "its sealed body, and the decisions on it, say otherwise".to_owned(),
                    });
                }
            }
        }
    }
    Ok(all)
}

/// The proposals of a project whose ids can be read.
pub(super) fn ids(
    tx: &Transaction<'_>,
    project: &ProjectId,
) -> Result<Vec<ProposalId>, StoreError> {
    let sql = "SELECT CAST(id AS BLOB) FROM proposals WHERE project = ?1 ORDER BY id";
    let mut query = tx.prepare_cached(sql)?;
    let rows = query.query_map([project.as_str()], |row| row.get::<_, Vec<u8>>(0))?;
    let rows = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    let ids = rows.iter().filter_map(|id| std::str::from_utf8(id).ok());
    Ok(ids.filter_map(|id| id.parse().ok()).collect())
}

/// A proposal and the decisions on it, where both hold.
pub(super) fn loaded(
    tx: &Transaction<'_>,
    trust: &Trust,
    id: &ProposalId,
) -> Result<Option<(Proposal, Journal)>, StoreError> {
    let both = stage::load(tx, trust, id)
        .and_then(|proposal| Ok((proposal, journal::load(tx, trust, id)?)));
    match both {
        Ok(both) => Ok(Some(both)),
        Err(
            StoreError::Tampered { .. } | StoreError::Unreadable { .. } | StoreError::NoProposal(_),
        ) => Ok(None),
        Err(error) => Err(error),
    }
}

/// What a column for lists says of a proposal, by what is sealed.
pub(super) fn listed(proposal: &Proposal, journal: &Journal, column: &str) -> Value {
    let changes = proposal.changes.len() as i64;
    let [settled, accepted, rejected] = journal.counts();
    match column {
        "created" => Value::Text(proposal.created.to_string()),
        "source" => Value::Text(proposal.trigger.clone()),
        "summary" => Value::Text(proposal.summary.clone()),
        "changes" => Value::Integer(changes),
        "open" => Value::Integer(changes - settled),
        "accepted" => Value::Integer(accepted),
        "rejected" => Value::Integer(rejected),
        "flagged" => Value::Integer(stage::flagged(proposal)),
        _ => Value::Null,
    }
}

fn stored(tx: &Transaction<'_>, id: &ProposalId, column: &str) -> Result<Value, StoreError> {
    // What is no text at all is named by `tables`.
    let sql =
        format!("SELECT CAST({column} AS BLOB), typeof({column}) FROM proposals WHERE id = ?1");
    let mut query = tx.prepare_cached(&sql)?;
    let row = query.query_row([id.as_str()], |row| {
        Ok((row.get::<_, Option<Vec<u8>>>(0)?, row.get::<_, String>(1)?))
    });
    let (bytes, kind) = row.optional()?.unwrap_or_default();
    let text = bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(match (text, kind.as_str()) {
        (Some(text), "integer") => text.parse().map_or(Value::Null, Value::Integer),
        (Some(text), _) => Value::Text(text),
        (None, _) => Value::Null,
    })
}
