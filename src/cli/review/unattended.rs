//! What was let in unattended, in the hands of a review: how it stands, its reverse, its offers.

use super::hands::{Hands, said};
use crate::apply::unreviewed::{self, Stand};
use crate::apply::{self, Ground, Plan, adopt};
use crate::id::{ProjectId, ProposalId};
use crate::lock::ProjectLock;
use crate::proposal::{Back, Change, Kind};
use crate::review::{Item, Judged, Standing, Waiting};
use crate::trust::Matched;

/// Says of a change whether it lapsed, or what became of it since it was offered.
pub(super) fn judge(change: &Change, matched: &Matched, judged: &mut Judged) {
    let standing = match unreviewed::stand(change, matched) {
        Stand::Unreviewed { lapsed } => {
            if lapsed {
                judged.lapsed.insert(change.n);
            }
            None
        }
        Stand::Reviewed => Some(Standing::AlreadyThere),
        Stand::Gone => Some(Standing::Gone),
    };
    judged.standing.extend(standing.map(|s| (change.n, s)));
}

impl Hands<'_> {
    /// Makes the offers of a project anew where they no longer fit. Whether any did not. What
    /// fails here is found again by the next review.
    pub(super) fn renew_offers(&self, ground: Ground<'_>, lock: &ProjectLock) -> bool {
        let queue = self.store.queue(Some(lock.project()), ground.now);
        let offers = |q: &crate::store::QueueItem| q.kind == Kind::Unreviewed;
        if !queue.is_ok_and(|all| all.iter().any(offers)) {
            return false;
        }
        let limits = &self.context.config.settings.limits;
        unreviewed::offer(ground, lock, limits, &|text| self.redactor.check(text)).unwrap_or(false)
    }

    /// Offers what stands on disk as it stands now, where some of what was decided on it had moved on.
    pub(super) fn offered_anew(
        &self,
        plan: &Plan,
        item: &Item,
        ground: Ground<'_>,
        lock: &ProjectLock,
    ) -> bool {
        if item.proposal.kind != Kind::ChangedOnDisk || plan.conflicts.is_empty() {
            return false;
        }
        let limits = &self.context.config.settings.limits;
        adopt::offer(ground, lock, limits, &|text| self.redactor.check(text)).is_ok()
    }

    /// As [`Self::renew_offers`], once something else of a person's was done.
    pub(super) fn renew_offers_of(&self, project: &ProjectId) -> bool {
        let Ok(project) = self.store.project(project) else {
            return false;
        };
        let memory = project.memory();
        let lock = self.lock(&project);
        lock.is_ok_and(|lock| self.renew_offers(self.ground(&memory), &lock))
    }

    /// Stages the reverse of the apply that an offer is about.
    pub(super) fn staged_reverse(
        &mut self,
        offer: &Item,
    ) -> Result<(ProposalId, Vec<Waiting>), String> {
        let (Kind::Unreviewed, Some(Back::Apply(of))) = (offer.proposal.kind, &offer.proposal.back)
        else {
            return Err(
                "only what was applied unattended is reversed here; memd revert has the rest"
                    .to_owned(),
            );
        };
        let project = self.store.project(&offer.proposal.project).map_err(said)?;
        let lock = self.lock(&project).map_err(said)?;
        let memory = project.memory();
        let limits = &self.context.config.settings.limits;
        let staged = apply::reverse(self.ground(&memory), &lock, of, limits, &|text| {
            self.redactor.check(text)
        });
        let staged = staged.map_err(said)?;
        drop(lock);
        let id = staged
            .id
            .ok_or_else(|| format!("nothing of {of} is left to take back"))?;
        let queue = crate::review::desk::Desk::queue(self)?;
        Ok((id, queue))
    }
}
