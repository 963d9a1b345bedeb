//! Differences and rows that were computed, so that moving does not compute them again.

use super::msg::Effect;
use super::rows::{Body, Shape, text_rows};
use crate::review::diff::{Diff, compare};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasher, Hash, RandomState};
use std::rc::Rc;
use std::sync::Arc;

/// Texts up to this many bytes are compared while the screen waits.
const AT_ONCE: usize = 128 * 1024;

/// So many results are kept that are not on the screen.
const KEPT: usize = 256;

#[derive(Debug, Default)]
struct Inner {
    diffs: BTreeMap<u64, (Arc<Diff>, u64)>,
    bodies: HashMap<(u64, Shape), (Arc<Body>, u64)>,
    texts: BTreeMap<(u64, u16), (Arc<Body>, u64)>,
    pending: BTreeSet<u64>,
    wanted: Vec<Effect>,
    /// Counts arrangements: what the newest one did not use may go.
    now: u64,
    /// Keyed anew in each run, so that no text can be made to pass for another.
    keys: RandomState,
}

impl Inner {
    fn hash(&self, value: impl Hash) -> u64 {
        self.keys.hash_one(value)
    }
}

/// What was computed. A clone shares it.
#[derive(Debug, Clone, Default)]
pub struct Cache(Rc<RefCell<Inner>>);

impl Cache {
    /// The rows of a difference; none while it is being computed elsewhere.
    #[must_use]
    pub fn body(&self, old: &str, new: &str, shape: &Shape) -> Option<Arc<Body>> {
        let mut inner = self.0.borrow_mut();
        let key = inner.hash((old, new));
        let now = inner.now;
        if let Some((body, used)) = inner.bodies.get_mut(&(key, *shape)) {
            *used = now;
            let body = Arc::clone(body);
            if let Some((_, used)) = inner.diffs.get_mut(&key) {
                *used = now;
            }
            return Some(body);
        }
        let known = inner.diffs.get_mut(&key).map(|(diff, used)| {
            *used = now;
            Arc::clone(diff)
        });
        let diff = match known {
            Some(diff) => diff,
            None if old.len() + new.len() <= AT_ONCE => {
                let diff = Arc::new(compare(old, new));
                inner.diffs.insert(key, (Arc::clone(&diff), now));
                diff
            }
            None => {
                if inner.pending.insert(key) {
                    let (old, new) = (old.to_owned(), new.to_owned());
                    inner.wanted.push(Effect::Diff { key, old, new });
                }
                return None;
            }
        };
        let body = Arc::new(Body::new(&diff, shape));
        inner.bodies.insert((key, *shape), (Arc::clone(&body), now));
        Some(body)
    }

    /// The rows of a text.
    #[must_use]
    pub fn text(&self, text: &str, width: u16, ascii: bool) -> Arc<Body> {
        let mut inner = self.0.borrow_mut();
        let now = inner.now;
        let key = (inner.hash((text, ascii)), width);
        let (body, used) = inner
            .texts
            .entry(key)
            .or_insert_with(|| (Arc::new(text_rows(text, width, ascii)), now));
        *used = now;
        Arc::clone(body)
    }

    /// Takes a difference that was computed elsewhere.
    pub fn take(&self, key: u64, diff: Arc<Diff>) {
        let mut inner = self.0.borrow_mut();
        inner.pending.remove(&key);
        let now = inner.now;
        inner.diffs.insert(key, (diff, now));
    }

    /// A new arrangement begins.
    pub(super) fn begin(&self) {
        self.0.borrow_mut().now += 1;
    }

    /// An arrangement is done: what is to be computed elsewhere.
    pub(super) fn end(&self) -> Vec<Effect> {
        let mut inner = self.0.borrow_mut();
        let now = inner.now;
        if inner.bodies.len() + inner.texts.len() + inner.diffs.len() > KEPT {
            inner.bodies.retain(|_, (_, used)| *used == now);
            inner.texts.retain(|_, (_, used)| *used == now);
            inner.diffs.retain(|_, (_, used)| *used == now);
        }
        std::mem::take(&mut inner.wanted)
    }
}
