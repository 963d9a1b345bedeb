//! What waits for a person: fast lists that read no bodies. What they show alone, and no seal covers,
//! stops none of them, whatever it holds.

use super::error::StoreError;
use super::lenient::{self, count, maybe_text, text};
use super::open::Store;
use super::projects::parse;
use crate::id::{ProjectId, ProposalId};
use crate::proposal::{Kind, State};
use crate::trust::{effective_now, is_expired};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, Transaction};

/// A proposal in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueItem {
    /// Its identity.
    pub id: ProposalId,
    /// Its project.
    pub project: ProjectId,
    /// Where it comes from.
    pub kind: Kind,
    /// Where it is now: staged, being applied, or applied with a rest.
    pub state: State,
    /// When it was staged.
    pub created: Timestamp,
    /// What started it.
    pub trigger: String,
    /// The curator's one line, not escaped.
    pub summary: String,
    /// Its changes.
    pub changes: u32,
    /// Changes that are not applied, rejected or otherwise settled yet.
    pub open: u32,
    /// Open changes nobody has decided on.
    pub undecided: u32,
    /// Open changes that are accepted so far.
    pub accepted: u32,
    /// Open changes that are rejected so far.
    pub rejected: u32,
    /// Changes that a guardrail flagged when it was staged.
    pub flagged: u32,
}

impl QueueItem {
    /// Whether it is what an apply left undecided.
    #[must_use]
    pub fn is_rest(&self) -> bool {
        self.state == State::Applied
    }

    /// Whether memory waits for it: what was let in already and nobody reviewed is counted apart.
    #[must_use]
    pub fn is_undecided_text(&self) -> bool {
        self.kind != Kind::Unreviewed
    }
}

/// Where a proposal is in its life.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposalStatus {
    /// Its identity.
    pub id: ProposalId,
    /// Its project.
    pub project: ProjectId,
    /// Where it comes from.
    pub kind: Kind,
    /// Where it is now, its age taken into account.
    pub state: State,
    /// When it was staged.
    pub created: Timestamp,
    /// From when its age counts.
    pub queued: Timestamp,
    /// Its changes.
    pub changes: u32,
    /// Changes not settled yet.
    pub open: u32,
    /// What the reviewer told the next curator.
    pub note: Option<String>,
    /// The commit it was made durable with.
    pub commit: Option<String>,
}

impl ProposalStatus {
    /// Whether it can be decided on.
    #[must_use]
    pub fn is_open(&self) -> bool {
        match self.state {
            State::Staged => true,
            State::Applied => self.open > 0,
            _ => false,
        }
    }

    pub(super) fn with_age(mut self, now: Timestamp) -> Self {
        if self.state == State::Staged && self.kind.expires() && is_expired(self.queued, now) {
            self.state = State::Expired;
        }
        self
    }
}

pub(super) fn state_from(name: &str) -> Result<State, StoreError> {
    let found = State::ALL.into_iter().find(|s| s.name() == name);
    found.ok_or_else(|| StoreError::Unreadable {
        what: "proposal state".to_owned(),
        why: format!("{name:?} is none"),
    })
}

fn kind_from(name: &str) -> Result<Kind, StoreError> {
    let found = Kind::ALL.into_iter().find(|k| k.name() == name);
    found.ok_or_else(|| StoreError::Unreadable {
        what: "proposal kind".to_owned(),
        why: format!("{name:?} is none"),
    })
}

/// The moment that ages are counted with.
pub(super) fn clock(tx: &Transaction<'_>, now: Timestamp) -> Result<Timestamp, StoreError> {
    let sql = "SELECT at FROM audit ORDER BY seq DESC LIMIT 1";
    let newest: Option<String> = tx
        .prepare_cached(sql)?
        .query_row([], |row| row.get(0))
        .optional()?;
    Ok(effective_now(now, newest.and_then(|at| at.parse().ok())))
}

struct Raw {
    id: String,
    project: String,
    kind: String,
    state: String,
    created: String,
    queued: String,
    changes: u32,
    open: u32,
    note: Option<String>,
    commit: Option<String>,
}

const STATUS: &str = "SELECT id, project, kind, state, created, queued, changes, open, note,
                          committed FROM proposals";

fn raw(row: &Row<'_>) -> rusqlite::Result<Raw> {
    Ok(Raw {
        id: row.get(0)?,
        project: row.get(1)?,
        kind: row.get(2)?,
        state: row.get(3)?,
        created: text(row, 4)?,
        queued: text(row, 5)?,
        changes: count(row, 6)?,
        open: count(row, 7)?,
        note: maybe_text(row, 8)?,
        commit: maybe_text(row, 9)?,
    })
}

fn from_raw(tx: &Transaction<'_>, raw: Raw) -> Result<ProposalStatus, StoreError> {
    let id = parse("proposal id", &raw.id)?;
    Ok(ProposalStatus {
        project: parse("project id", &raw.project)?,
        kind: kind_from(&raw.kind)?,
        state: state_from(&raw.state)?,
        created: lenient::created(tx, &id, &raw.created)?,
        queued: lenient::queued(tx, &id, &raw.queued)?,
        changes: raw.changes,
        open: raw.open,
        note: raw.note,
        commit: raw.commit,
        id,
    })
}

/// The status as stored, age not counted.
pub(super) fn status(tx: &Transaction<'_>, id: &ProposalId) -> Result<ProposalStatus, StoreError> {
    let found = tx
        .prepare_cached(&format!("{STATUS} WHERE id = ?1"))?
        .query_row([id.as_str()], raw)
        .optional()?;
    from_raw(
        tx,
        found.ok_or_else(|| StoreError::NoProposal(id.to_string()))?,
    )
}

/// The status of a proposal that can be decided on.
pub(super) fn open_status(
    tx: &Transaction<'_>,
    id: &ProposalId,
    now: Timestamp,
) -> Result<ProposalStatus, StoreError> {
    let status = status(tx, id)?.with_age(clock(tx, now)?);
    if status.is_open() {
        return Ok(status);
    }
    let (id, state) = (status.id, status.state);
    Err(StoreError::NotOpen { id, state })
}

/// All proposals in a state, oldest first.
pub(super) fn in_state(
    tx: &Transaction<'_>,
    state: State,
) -> Result<Vec<ProposalStatus>, StoreError> {
    let sql = format!("{STATUS} WHERE state = ?1 ORDER BY created, id");
    let mut query = tx.prepare_cached(&sql)?;
    let rows = query.query_map([state.name()], raw)?;
    rows.map(|row| from_raw(tx, row?)).collect()
}

fn item(tx: &Transaction<'_>, row: &Row<'_>) -> Result<(QueueItem, Timestamp), StoreError> {
    let text = |n: usize| text(row, n);
    let id = parse("proposal id", &text(0)?)?;
    let open = count(row, 8)?;
    let (accepted, rejected) = (count(row, 9)?, count(row, 10)?);
    let queued = lenient::queued(tx, &id, &text(12)?)?;
    let item = QueueItem {
        project: parse("project id", &text(1)?)?,
        kind: kind_from(&text(2)?)?,
        state: state_from(&text(3)?)?,
        created: lenient::created(tx, &id, &text(4)?)?,
        trigger: text(5)?,
        summary: text(6)?,
        changes: count(row, 7)?,
        open,
        undecided: open.saturating_sub(accepted).saturating_sub(rejected),
        accepted,
        rejected,
        flagged: count(row, 11)?,
        id,
    };
    Ok((item, queued))
}

impl Store {
    /// What waits for a person, oldest first: staged, being applied, and rests. What has expired by
    /// now is not in it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn queue(
        &self,
        project: Option<&ProjectId>,
        now: Timestamp,
    ) -> Result<Vec<QueueItem>, StoreError> {
        self.read(|tx| {
            let now = clock(tx, now)?;
            let sql = "SELECT id, project, kind, state, created, source, summary, changes, open,
                           accepted, rejected, flagged, queued FROM proposals
                       WHERE (?1 IS NULL OR project = ?1)
                         AND (state IN ('staged', 'applying') OR state = 'applied' AND open > 0)";
            let mut query = tx.prepare_cached(sql)?;
            let mut rows = query.query([project.map(ProjectId::as_str)])?;
            let mut items = Vec::new();
            while let Some(row) = rows.next()? {
                let (item, queued) = item(tx, row)?;
                let stays = item.state != State::Staged || !item.kind.expires();
                if stays || !is_expired(queued, now) {
                    items.push(item);
                }
            }
            items.sort_by(|a, b| (a.created, &a.id).cmp(&(b.created, &b.id)));
            Ok(items)
        })
    }

    /// Proposals that left the queue by age and hold their spans, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn expired(
        &self,
        project: Option<&ProjectId>,
        now: Timestamp,
    ) -> Result<Vec<ProposalStatus>, StoreError> {
        self.read(|tx| {
            let now = clock(tx, now)?;
            let mut all = in_state(tx, State::Expired)?;
            all.extend(in_state(tx, State::Staged)?);
            let all = all.into_iter().map(|p| p.with_age(now));
            Ok(all
                .filter(|p| p.state == State::Expired)
                .filter(|p| project.is_none_or(|id| p.project == *id))
                .collect())
        })
    }

    /// Where a proposal is in its life.
    ///
    /// # Errors
    /// When there is none.
    pub fn status(&self, id: &ProposalId, now: Timestamp) -> Result<ProposalStatus, StoreError> {
        self.read(|tx| Ok(status(tx, id)?.with_age(clock(tx, now)?)))
    }

    /// The one proposal whose id begins like this.
    ///
    /// # Errors
    /// When there is none, or more than one.
    pub fn find_proposal(&self, beginning: &str) -> Result<ProposalId, StoreError> {
        self.read(|tx| {
            let sql = "SELECT id FROM proposals WHERE substr(id, 1, length(?1)) = ?1 LIMIT 2";
            let mut query = tx.prepare_cached(sql)?;
            let ids = query
                .query_map([beginning], |row| row.get::<_, String>(0))?
                .collect::<rusqlite::Result<Vec<_>>>()?;
            match ids.as_slice() {
                [] => Err(StoreError::NoProposal(beginning.to_owned())),
                [id] => parse("proposal id", id),
                _ => Err(StoreError::Ambiguous(beginning.to_owned())),
            }
        })
    }
}
