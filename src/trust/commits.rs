//! The chain against the memory repository's commits: each says what the other holds, so that
//! neither can be put back or rewritten alone.

use super::audit::{Act, AuditRow};
use super::key::Trust;
use super::settled::{Cause, Loose, Piece};
use crate::id::ProjectId;
use crate::text;
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// What a commit of the memory repository says of itself; anybody may have made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitEvidence {
    /// Its id.
    pub id: String,
    /// When, as it says.
    pub at: Timestamp,
    /// Its audit trailer, `number:MAC`.
    pub audit: Option<String>,
    /// The id of the key whose audit chain it speaks of.
    pub sealed_by: Option<String>,
    /// What it says of the keys that this one took the place of.
    pub key_after: Option<String>,
}

impl CommitEvidence {
    /// Whether it speaks of the chain of another key than this one, those retired for it and those
    /// that are known to have followed it: a colleague's memd made it, and this chain has nothing to
    /// say of it. It proves nothing either.
    #[must_use]
    pub fn is_of_another(&self, trust: &Trust) -> bool {
        self.audit.is_some() && self.sealed_by.is_some() && !self.is_of_ours(trust)
    }

    /// Whether it was sealed with this key, one that was retired for it, or one that is known to have
    /// followed it.
    #[must_use]
    pub fn is_of_ours(&self, trust: &Trust) -> bool {
        let sealed_by = self.sealed_by.as_deref();
        sealed_by.is_some_and(|id| trust.is_ours(id)) || self.is_of_later(trust)
    }

    /// Whether it was sealed with a key that took the place of this one: the state here is older.
    fn is_of_later(&self, trust: &Trust) -> bool {
        let said = self.sealed_by.as_deref().zip(self.key_after.as_deref());
        said.is_some_and(|(id, after)| trust.is_followed_by(id, after))
    }
}

/// What is wrong between a project's chain and its commits.
pub(super) fn breaks(
    project: &ProjectId,
    place: &str,
    commits: &[CommitEvidence],
    audit: &[AuditRow],
    trust: &Trust,
) -> Vec<Loose> {
    let rows: Vec<_> = audit
        .iter()
        .filter(|row| row.project == project.as_str())
        .collect();
    let Unknown {
        later,
        unknown,
        other,
    } = unknown(&rows, commits, trust);
    let all = [
        (Cause::NotInHistory, gone(&rows, commits)),
        (Cause::OfLaterKey, later),
        (Cause::NotInChain, unknown),
        (Cause::AnotherCommit, other),
    ];
    let loose = |(cause, pieces)| Loose::new(cause, Some(project.clone()), place.into(), pieces);
    all.into_iter().filter_map(loose).collect()
}

impl AuditRow {
    /// The commit that it saw made.
    #[must_use]
    pub fn commit(&self) -> Option<String> {
        if self.act != Act::Commit.name() {
            return None;
        }
        let details: serde_json::Value = serde_json::from_str(&self.details).ok()?;
        Some(details.get("commit")?.as_str()?.to_owned())
    }
}

/// Commits that the chain saw made and that the history does not hold any more.
fn gone(rows: &[&AuditRow], commits: &[CommitEvidence]) -> Vec<Piece> {
    let there: BTreeSet<&str> = commits.iter().map(|c| c.id.as_str()).collect();
    let made = rows.iter().filter_map(|row| Some((row, row.commit()?)));
    let gone = made.filter(|(_, id)| !there.contains(id.as_str()));
    gone.map(|(row, id)| Piece {
        shown: format!(
            "commit {}, made for proposal {} on {}",
            text::first_chars(&id, 10).0,
            row.subjects,
            day(&row.at)
        ),
        id,
    })
    .collect()
}

/// Commits of which the chain says otherwise, newest first.
#[derive(Default)]
struct Unknown {
    /// Sealed with a key that took the place of this one.
    later: Vec<Piece>,
    /// They name an audit record which the chain does not hold.
    unknown: Vec<Piece>,
    /// The chain saw another commit made for the record they name.
    other: Vec<Piece>,
}

/// All of them. Those from before the project was registered speak of an earlier database.
fn unknown(rows: &[&AuditRow], commits: &[CommitEvidence], trust: &Trust) -> Unknown {
    let heads: BTreeMap<u64, &AuditRow> = rows.iter().map(|r| (r.seq, *r)).collect();
    let mut made: BTreeMap<&str, Vec<(u64, String)>> = BTreeMap::new();
    for row in rows {
        let commits = made.entry(&row.subjects).or_default();
        commits.extend(row.commit().map(|id| (row.seq, id)));
    }
    // One that was just made may not be noted yet.
    let is_its = |row: &AuditRow, id: &str| {
        let noted = made.get(row.subjects.as_str()).into_iter().flatten();
        let mut after = noted.filter(|(seq, _)| *seq > row.seq).peekable();
        after.peek().is_none() || after.any(|(_, c)| c == id)
    };
    let registered = rows
        .iter()
        .find(|row| row.act == Act::Register.name())
        .and_then(|row| row.time());
    let is_ours_to_know = |c: &CommitEvidence| {
        let since = registered.is_none_or(|at| c.at.as_second() >= at.as_second());
        since && !c.is_of_another(trust)
    };
    let mut found = Unknown::default();
    for commit in commits.iter().filter(|c| is_ours_to_know(c)) {
        let trailer = commit.audit.as_deref().and_then(|t| t.split_once(':'));
        let Some((seq, mac)) = trailer else {
            continue;
        };
        let row = seq.parse().ok().and_then(|seq: u64| heads.get(&seq));
        match row.filter(|r| r.mac.as_str() == mac) {
            Some(row) if is_its(row, &commit.id) => {}
            Some(_) => found.other.push(piece(commit)),
            None if commit.is_of_later(trust) => found.later.push(piece(commit)),
            None => found.unknown.push(piece(commit)),
        }
    }
    found
}

fn piece(commit: &CommitEvidence) -> Piece {
    Piece {
        id: commit.id.clone(),
        shown: format!(
            "commit {} of {}",
            text::first_chars(&commit.id, 10).0,
            day(&commit.at.to_string())
        ),
    }
}

/// The day of a moment, as it is written.
fn day(at: &str) -> &str {
    at.get(..10).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trust::{BreakKind, Seal};

    fn row(seq: u64, act: Act, details: &str) -> AuditRow {
        AuditRow {
            seq,
            at: "2026-01-02T00:00:00Z".into(),
            act: act.name().into(),
            project: "0123456789abcdef".into(),
            details: details.into(),
            mac: Seal::stored(format!("mac{seq}")),
            ..AuditRow::default()
        }
    }

    fn commit(id: &str, day: &str, audit: &str) -> CommitEvidence {
        CommitEvidence {
            id: id.into(),
            at: format!("2026-01-{day}T00:00:00Z").parse().unwrap(),
            audit: (!audit.is_empty()).then(|| audit.to_owned()),
            sealed_by: None,
            key_after: None,
        }
    }

    #[test]
    fn history_and_chain_vouch_for_each_other() {
        let trust = Trust::for_tests(1);
        let project = "0123456789abcdef".parse().unwrap();
        let rows = [
            row(1, Act::Register, "{}"),
            row(2, Act::Apply, "{}"),
            row(3, Act::Commit, r#"{"commit":"aaa"}"#),
        ];
        let kinds = |commits: &[CommitEvidence]| -> Vec<BreakKind> {
            let found = breaks(&project, "commits", commits, &rows, &trust);
            found.into_iter().map(|loose| loose.cause.kind()).collect()
        };
        let good = commit("aaa", "02", "2:mac2");
        let by_hand = commit("bbb", "03", "");
        let earlier = commit("ccc", "01", "900:other");
        assert_eq!(kinds(&[by_hand.clone(), good.clone(), earlier.clone()]), []);
        assert_eq!(kinds(&[by_hand, earlier]), [BreakKind::CommitGone]);
        for trailer in ["900:mac900", "2:forged", "x:y", "1:mac2", "2:mac2"] {
            let later = commit("ddd", "03", trailer);
            assert_eq!(
                kinds(&[later, good.clone()]),
                [BreakKind::ChainAgainstCommits]
            );
        }
        // A colleague's memd speaks of its own chain; what says it is of ours, or of a key that ours
        // took the place of, is ours to know.
        let next = trust.successor(3).unwrap().trust;
        let by = |key: &Trust| CommitEvidence {
            sealed_by: Some(key.key_id().to_owned()),
            ..commit("ddd", "03", "900:mac900")
        };
        assert_eq!(kinds(&[by(&Trust::for_tests(2)), good.clone()]), []);
        let broken = [BreakKind::ChainAgainstCommits];
        assert_eq!(kinds(&[by(&trust), good.clone()]), broken);
        let retired = breaks(
            &project,
            "commits",
            &[by(&trust), good.clone()],
            &rows,
            &next,
        );
        assert_eq!(retired.len(), 1);
        // So is what a key sealed that took the place of ours, when the state from before is put back;
        // nobody without ours can say so of theirs.
        let later = next.successor(9).unwrap().trust;
        for key in [&next, &later] {
            let said = key.said_to_follow();
            let follows = |sealed_by: &Trust| CommitEvidence {
                key_after: said.clone(),
                ..by(sealed_by)
            };
            let found = breaks(
                &project,
                "commits",
                &[follows(key), good.clone()],
                &rows,
                &trust,
            );
            let [loose] = &found[..] else {
                panic!("{found:?}");
            };
            assert!(
                loose
                    .found()
                    .what
                    .contains("took the place of the one here")
            );
            assert_eq!(kinds(&[follows(&Trust::for_tests(2)), good.clone()]), []);
            assert!(!Trust::for_tests(2).is_followed_by(key.key_id(), &said.unwrap()));
        }
    }
}
