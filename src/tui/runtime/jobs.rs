//! Comparisons that take long, on a thread of their own.
//!
//! Owns the thread. What is asked for last is done first, since it is what is looked at.

use crate::review::diff::{Diff, compare};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

struct Job {
    key: u64,
    old: String,
    new: String,
}

type Found = (u64, Arc<Diff>);

/// The thread, once there was something to do.
#[derive(Default)]
pub(super) struct Jobs {
    thread: Option<(Sender<Job>, Receiver<Found>)>,
    pending: usize,
}

impl Jobs {
    /// Has two texts compared.
    pub fn compare(&mut self, key: u64, old: String, new: String) {
        let (jobs, _) = self.thread.get_or_insert_with(start);
        if jobs.send(Job { key, old, new }).is_ok() {
            self.pending += 1;
        }
    }

    /// A comparison that is done: the key it was asked with.
    pub fn done(&mut self) -> Option<Found> {
        let (_, found) = self.thread.as_ref()?;
        let found = found.try_recv().ok()?;
        self.pending = self.pending.saturating_sub(1);
        Some(found)
    }

    /// Whether something is still being compared.
    #[must_use]
    pub fn are_pending(&self) -> bool {
        self.pending > 0
    }
}

fn start() -> (Sender<Job>, Receiver<Found>) {
    let (jobs, asked) = channel::<Job>();
    let (found, done) = channel();
    // The thread ends when nobody asks or listens any more.
    std::thread::spawn(move || {
        let mut waiting = Vec::new();
        while let Some(job) = next(&asked, &mut waiting) {
            let diff = compare(&job.old, &job.new);
            if found.send((job.key, Arc::new(diff))).is_err() {
                return;
            }
        }
    });
    (jobs, done)
}

/// The newest job; waits for one where there is none.
fn next(asked: &Receiver<Job>, waiting: &mut Vec<Job>) -> Option<Job> {
    if waiting.is_empty() {
        waiting.push(asked.recv().ok()?);
    }
    waiting.extend(asked.try_iter());
    waiting.pop()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_comparison_comes_back_with_its_key() {
        let mut jobs = Jobs::default();
        assert!(jobs.done().is_none() && !jobs.are_pending());
        for key in 0..20 {
            jobs.compare(key, format!("a {key}"), "b".to_owned());
        }
        let mut keys = Vec::new();
        while jobs.are_pending() {
            keys.extend(jobs.done().map(|(key, _)| key));
        }
        keys.sort_unstable();
        assert_eq!(keys, (0..20).collect::<Vec<_>>());
    }
}
