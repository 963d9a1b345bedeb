//! What a policy let in and no person has reviewed: offered for review, apply by apply.
//!
//! An offer shows the changes as they went in, with the lines they rest on. It is made from the
//! records when a review opens, and made anew when it no longer fits; it holds no material, so
//! nothing is freed or consumed with it. Accepting vouches for what stands; rejecting takes the
//! entry back to what it was before (`take_back`). What has lapsed is offered apart, to leave for the
//! archive: nobody accepted it in time, and no key of the review lets it in again.

use super::adopt::same;
use super::execute::{ApplyError, Ground};
use super::staging::{self, Credentials, Scene, change, leave_credentials, number};
use crate::config::Limits;
use crate::id::ProposalId;
use crate::lock::ProjectLock;
use crate::proposal::{Back, Change, Earlier, Kind, LetIn, Op, Proposal, State, Target, Usage};
use crate::store::{Store, StoreError};
use crate::text::TextHash;
use crate::trust::{Matched, Record, RecordState, SealedEntry};
use jiff::Timestamp;
use std::collections::BTreeMap;

/// Why an entry that lapsed is in the archive.
const LAPSED: &str = "lapsed: applied unattended, and nobody accepted it in time";

/// What one apply let in that nobody reviewed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreviewed {
    /// The apply, by its proposal.
    pub apply: ProposalId,
    /// When the oldest of it was let in.
    pub at: Timestamp,
    /// How many entries of it stand.
    pub entries: usize,
    /// How many of them have lapsed.
    pub lapsed: usize,
}

/// How what an offer shows stands now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stand {
    /// As it was let in, and nobody reviewed it.
    Unreviewed {
        /// It has lapsed: no agent is given it.
        lapsed: bool,
    },
    /// A person has accepted it meanwhile.
    Reviewed,
    /// It left its file, or reads otherwise.
    Gone,
}

/// The entries that stand unreviewed, in file order, lapsed ones included.
pub fn standing(matched: &Matched) -> impl Iterator<Item = &SealedEntry> {
    let all = matched.sealed.iter().chain(&matched.lapsed);
    let mut all: Vec<_> = all.filter(|s| s.record.is_unreviewed()).collect();
    all.sort_by_key(|s| (s.entry.file, s.entry.range.start));
    all.into_iter()
}

/// What stands unreviewed, by the act that let it in, newest first.
#[must_use]
pub fn unreviewed(matched: &Matched) -> Vec<Unreviewed> {
    let mut by: BTreeMap<&ProposalId, Unreviewed> = BTreeMap::new();
    for sealed in standing(matched) {
        let Some(apply) = &sealed.record.proposal else {
            continue;
        };
        let of = by.entry(apply).or_insert_with(|| Unreviewed {
            apply: apply.clone(),
            at: sealed.record.at,
            entries: 0,
            lapsed: 0,
        });
        of.at = of.at.min(sealed.record.at);
        of.entries += 1;
        let is_it = |s: &SealedEntry| s.record.entry == sealed.record.entry;
        of.lapsed += usize::from(matched.lapsed.iter().any(is_it));
    }
    let mut all: Vec<_> = by.into_values().collect();
    all.sort_by(|a, b| (b.at, &b.apply).cmp(&(a.at, &a.apply)));
    all
}

/// How a change of an offer stands now.
#[must_use]
pub fn stand(change: &Change, matched: &Matched) -> Stand {
    let is_it = |s: &&SealedEntry| {
        let e = &s.entry;
        (e.file, &e.section, e.text.as_str()) == (change.file, &change.section, change.said())
    };
    let by_file = |s: &&SealedEntry| change.entry().is_none_or(|id| s.record.entry == *id);
    let found = |among: &[SealedEntry]| {
        let mut all = among.iter().filter(is_it).filter(by_file);
        all.next().map(|s| s.record.is_unreviewed())
    };
    match (found(&matched.sealed), found(&matched.lapsed)) {
        (_, Some(true)) => Stand::Unreviewed { lapsed: true },
        (Some(true), _) => Stand::Unreviewed { lapsed: false },
        (Some(false), _) | (_, Some(false)) => Stand::Reviewed,
        (None, None) => Stand::Gone,
    }
}

/// Offers what stands unreviewed: one proposal for each apply, and one for what has lapsed of it. One that waits and no longer fits
/// gives way. Says whether anything was changed.
///
/// # Errors
/// When memory or the database cannot be read or written.
pub fn offer(
    ground: Ground<'_>,
    lock: &ProjectLock,
    limits: &Limits,
    credentials: &Credentials<'_>,
) -> Result<bool, ApplyError> {
    let Ground {
        store, trust, now, ..
    } = ground;
    let scene = Scene::read(ground, lock)?;
    let mut fresh = offers(&scene, ground, lock, limits, credentials)?;
    let mut changed = false;
    for item in store.queue(Some(lock.project()), now)? {
        if item.kind != Kind::Unreviewed || item.state == State::Applying {
            continue;
        }
        let waits = store.proposal(trust, &item.id)?;
        let settled = store.decisions(trust, &item.id)?.settled;
        let all = waits.changes.iter();
        let open: Vec<_> = all.filter(|c| !settled.contains(&c.n)).collect();
        let fits = |f: &Proposal| f.back == waits.back && same(&f.changes, &open);
        match fresh.iter().position(fits) {
            Some(at) => drop(fresh.remove(at)),
            None => {
                store.withdraw(trust, &item.id, now)?;
                changed = true;
            }
        }
    }
    for offer in &fresh {
        store.stage(trust, offer, &[], now)?;
        changed = true;
    }
    Ok(changed)
}

/// A change that stands, and the apply that let it in.
struct Standing<'s> {
    apply: ProposalId,
    /// It leaves for the archive.
    lapsed: bool,
    made: &'s Record,
    change: Change,
}

fn offers(
    scene: &Scene,
    ground: Ground<'_>,
    lock: &ProjectLock,
    limits: &Limits,
    credentials: &Credentials<'_>,
) -> Result<Vec<Proposal>, ApplyError> {
    let mut by: BTreeMap<(ProposalId, bool), Vec<Standing<'_>>> = BTreeMap::new();
    for sealed in standing(&scene.matched) {
        if let Some(standing) = traced(sealed, scene, ground.store, ground.now)? {
            let of = (standing.apply.clone(), standing.lapsed);
            by.entry(of).or_default().push(standing);
        }
    }
    let mut offers = Vec::new();
    for ((apply, _), stands) in by {
        // A proposal that does not verify says nothing of what it brought.
        let made = ground.store.proposal(ground.trust, &apply).ok();
        let mut offer = bare(apply, lock, &stands)?;
        offer.changes = stands.into_iter().map(|s| s.change).collect();
        if let Some(made) = made {
            with_grounds(&mut offer, made);
        }
        let why =
            "it holds what looks like a credential: reverse the apply, or take it out by hand";
        leave_credentials(&mut offer.changes, &mut offer.dropped, credentials, why);
        number(&mut offer.changes);
        let base = super::adopt::base(&offer, &scene.memory);
        staging::judge(&mut offer, &base, &scene.entries, limits, credentials);
        if !offer.changes.is_empty() {
            offers.push(offer);
        }
    }
    Ok(offers)
}

/// From an entry to the version that brought its text, and the change that it was.
fn traced<'s>(
    sealed: &SealedEntry,
    scene: &'s Scene,
    store: &Store,
    now: Timestamp,
) -> Result<Option<Standing<'s>>, StoreError> {
    let of_it = |r: &&Record| r.entry == sealed.record.entry;
    let versions: Vec<&Record> = scene.records.iter().filter(of_it).collect();
    for (at, made) in versions.iter().enumerate().rev() {
        let Some(apply) = made
            .proposal
            .as_ref()
            .filter(|_| made.text == sealed.record.text)
        else {
            continue;
        };
        // Back as before once what came after it was rejected: it is still what was let in then.
        if store.status(apply, now)?.kind == Kind::Unreviewed {
            continue;
        }
        let before = at.checked_sub(1).and_then(|n| versions.get(n)).copied();
        let before = before.filter(|r| r.state == RecordState::Live);
        let is_it = |s: &SealedEntry| s.record.entry == sealed.record.entry;
        let lapsed = scene.matched.lapsed.iter().any(is_it);
        return Ok(Some(Standing {
            apply: apply.clone(),
            lapsed,
            made,
            change: match lapsed {
                true => leaving(sealed),
                false => as_it_was(sealed, before),
            },
        }));
    }
    Ok(None)
}

/// The change as it was let in: an addition, or an edit of the version before.
fn as_it_was(sealed: &SealedEntry, before: Option<&Record>) -> Change {
    let record = &sealed.record;
    Change {
        section: sealed.entry.section.clone(),
        text: sealed.entry.text.clone(),
        target: before.map(|before| Target {
            entry: Some(record.entry.clone()),
            text: before.text.clone(),
            hash: TextHash::of(&before.text),
            ordinal: sealed.entry.ordinal,
        }),
        earlier: before.map(|before| Earlier {
            let_in: Some(LetIn {
                origin: before.origin,
                accepted: before.accepted,
                confirmed: before.confirmed,
                confirmations: before.confirmations,
                lapses: before.lapses,
            }),
            ..super::reverse::earlier(before)
        }),
        origin: record.origin,
        ..change(if before.is_some() { Op::Edit } else { Op::Add }, record)
    }
}

/// What has lapsed leaves for the archive.
fn leaving(sealed: &SealedEntry) -> Change {
    let record = &sealed.record;
    Change {
        section: sealed.entry.section.clone(),
        text: String::new(),
        reason: Some(LAPSED.to_owned()),
        target: Some(Target {
            entry: Some(record.entry.clone()),
            text: sealed.entry.text.clone(),
            hash: TextHash::of(&sealed.entry.text),
            ordinal: sealed.entry.ordinal,
        }),
        origin: record.origin,
        ..change(Op::Archive, record)
    }
}

fn bare(
    apply: ProposalId,
    lock: &ProjectLock,
    stands: &[Standing<'_>],
) -> Result<Proposal, StoreError> {
    let at = stands.iter().map(|s| s.made.at).min().unwrap_or_default();
    Ok(Proposal {
        id: ProposalId::random()?,
        project: lock.project().clone(),
        kind: Kind::Unreviewed,
        back: Some(Back::Apply(apply)),
        created: at,
        trigger: "unattended".to_owned(),
        usage: Usage::default(),
        summary: String::new(),
        changes: Vec::new(),
        spans: Vec::new(),
        notes: Vec::new(),
        lines: Vec::new(),
        coverage: Vec::new(),
        hits: Vec::new(),
        dropped: Vec::new(),
    })
}

/// What the distill knew of its changes: the lines they rest on, what was read and hidden, by whom
/// it was proposed. Not its cost, which was counted then.
fn with_grounds(offer: &mut Proposal, made: Proposal) {
    for change in &mut offer.changes {
        let says = |c: &&Change| {
            let brings = matches!(c.op, Op::Add | Op::Edit) && c.file == change.file;
            brings && c.text.trim() == change.said().trim()
        };
        if let Some(was) = made.changes.iter().find(says) {
            change.evidence.clone_from(&was.evidence);
            change.also.clone_from(&was.also);
        }
    }
    offer.usage = Usage {
        backend: made.usage.backend,
        model: made.usage.model,
        ..Usage::default()
    };
    offer.summary = made.summary;
    (offer.lines, offer.coverage, offer.hits) = (made.lines, made.coverage, made.hits);
}
