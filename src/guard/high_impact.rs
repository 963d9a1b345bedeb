//! A change of what stands on identity, credentials, security or deployment: looked at one by one.
//!
//! By the words of the configuration's `high_impact`; what such an entry says is not judged here.

use super::normal::normal;
use super::{Item, warn};
use crate::config::HighImpact;
use crate::proposal::Verdict;

const NAME: &str = "high-impact";

/// A change of an entry that stands; a new entry overrides nothing.
pub(super) fn check(item: &Item, words: &HighImpact) -> Option<Verdict> {
    let target = item.change.target.as_ref()?;
    let section = item.change.section.as_str();
    let all = format!("{section}\n{}\n{}", target.text, item.text);
    let word = words.first_in(&normal(&all))?;
    Some(warn(
        NAME,
        format!("it changes an entry about {word:?}, which is decided one by one"),
    ))
}
