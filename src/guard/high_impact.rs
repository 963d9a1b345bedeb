//! A change of what stands on identity, credentials, security or deployment: looked at one by one,
//! and so is what a revert or a restore brings back of it.
//!
//! By the words of the configuration's `high_impact`; what such an entry says is not judged here.

use super::normal::normal;
use super::{Item, warn};
use crate::config::HighImpact;
use crate::proposal::{Kind, Verdict};
use crate::redact::without_placeholders;

const NAME: &str = "high-impact";

/// A change of an entry that stands. A new entry overrides nothing; what stands again as it did
/// overrides that it was taken away.
pub(super) fn check(item: &Item, kind: Kind, words: &HighImpact) -> Option<Verdict> {
    let (does, stands) = match &item.change.target {
        Some(target) => ("changes", target.text.as_str()),
        None if kind.goes_back() => ("brings back", ""),
        None => return None,
    };
    let section = item.change.section.as_str();
    let all = format!("{section}\n{stands}\n{}", item.text);
    // What a placeholder is called says nothing of its entry.
    let word = words.first_in(&normal(&without_placeholders(&all)))?;
    Some(warn(
        NAME,
        format!("it {does} an entry about {word:?}, which is decided one by one"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_placeholder_is_no_word_of_the_entry() {
        let words = HighImpact::default();
        let first = |text: &str| {
            words
                .first_in(&without_placeholders(text))
                .map(str::to_owned)
        };
        assert_eq!(first("the nest is [REDACTED:also_secret#0a1b] now"), None);
        assert_eq!(first("[REDACTED:x#00] deploy"), Some("deploy".to_owned()));
        assert_eq!(
            first("[REDACTED: never deploy ]"),
            Some("deploy".to_owned())
        );
        assert_eq!(first("[REDACTED:deploy"), Some("deploy".to_owned()));
    }
}
