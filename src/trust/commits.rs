//! The chain against the memory repository's commits: each says what the other holds, so that
//! neither can be put back or rewritten alone.

use super::audit::{Act, AuditRow};
use super::verify::BreakKind;
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
}

/// What is wrong between a project's chain and its commits.
pub(super) fn breaks(
    project: &ProjectId,
    commits: &[CommitEvidence],
    audit: &[AuditRow],
) -> Vec<(BreakKind, String)> {
    let rows: Vec<_> = audit
        .iter()
        .filter(|row| row.project == project.as_str())
        .collect();
    gone(&rows, commits)
        .into_iter()
        .chain(unknown(&rows, commits))
        .collect()
}

/// The commit that a record of the chain saw made.
fn commit_of(row: &AuditRow) -> Option<String> {
    if row.act != Act::Commit.name() {
        return None;
    }
    let details: serde_json::Value = serde_json::from_str(&row.details).ok()?;
    Some(details.get("commit")?.as_str()?.to_owned())
}

/// Commits that the chain saw made and that the history does not hold any more.
fn gone(rows: &[&AuditRow], commits: &[CommitEvidence]) -> Option<(BreakKind, String)> {
    let there: BTreeSet<&str> = commits.iter().map(|c| c.id.as_str()).collect();
    let made = rows.iter().filter_map(|row| commit_of(row));
    let gone: Vec<String> = made.filter(|id| !there.contains(id.as_str())).collect();
    let first = gone.first()?;
    let what = format!(
        "{} that the audit chain saw made are not in the history any more, {} first: it was rewritten",
        text::count(gone.len(), "commit", "commits"),
        text::first_chars(first, 10).0
    );
    Some((BreakKind::CommitGone, what))
}

/// Commits that name an audit record which the chain does not hold, or one whose commit the chain
/// saw made is another. Those from before the project was registered speak of an earlier database.
fn unknown(rows: &[&AuditRow], commits: &[CommitEvidence]) -> Option<(BreakKind, String)> {
    let heads: BTreeMap<u64, &AuditRow> = rows.iter().map(|r| (r.seq, *r)).collect();
    let mut made: BTreeMap<&str, Vec<(u64, String)>> = BTreeMap::new();
    for row in rows {
        let commits = made.entry(&row.subjects).or_default();
        commits.extend(commit_of(row).map(|id| (row.seq, id)));
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
    let is_unknown = |c: &&CommitEvidence| {
        let trailer = c.audit.as_deref().and_then(|t| t.split_once(':'));
        trailer.is_some_and(|(seq, mac)| {
            let row = seq.parse().ok().and_then(|seq: u64| heads.get(&seq));
            let is_ours = row.is_some_and(|r| r.mac.as_str() == mac && is_its(r, &c.id));
            !is_ours && registered.is_none_or(|at| c.at.as_second() >= at.as_second())
        })
    };
    let newest = commits.iter().find(is_unknown)?;
    let what = format!(
        "commit {} speaks of an audit record that the chain does not hold: the database was put back to an older state, or the commit is not memd's",
        text::first_chars(&newest.id, 10).0
    );
    Some((BreakKind::ChainAgainstCommits, what))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trust::Seal;

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
        }
    }

    #[test]
    fn history_and_chain_vouch_for_each_other() {
        let project = "0123456789abcdef".parse().unwrap();
        let rows = [
            row(1, Act::Register, "{}"),
            row(2, Act::Apply, "{}"),
            row(3, Act::Commit, r#"{"commit":"aaa"}"#),
        ];
        let kinds = |commits: &[CommitEvidence]| -> Vec<BreakKind> {
            let found = breaks(&project, commits, &rows);
            found.into_iter().map(|(kind, _)| kind).collect()
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
    }
}
