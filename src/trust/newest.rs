//! What the newest acts left standing: which manifest a project's records have, what was said of which
//! values, how many proposals were staged and decisions made.
//!
//! A hash of all of it is sealed with the head of the audit chain. So a record that is cut out of the
//! middle of the chain takes back nothing that it said, and one that is lost to a bad disk costs nothing.
//! Pure; the database keeps the lines.

use super::audit::{Act, AuditRow};
use super::seal::Fields;
use crate::text::TextHash;
use serde_json::Value;
use std::collections::BTreeMap;

/// By name, what stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Newest(BTreeMap<String, String>);

/// The acts on values, and what the details of each call a word that stands.
const ON_VALUES: [(Act, &str); 2] = [
    (Act::NotSecret, "not_secret"),
    (Act::AlsoSecret, "also_secret"),
];

/// The acts that add a step to a proposal's journal.
const STEPS: [Act; 3] = [Act::Decide, Act::Undo, Act::Redo];

impl Newest {
    /// As it was kept.
    #[must_use]
    pub fn stored(lines: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(lines.into_iter().collect())
    }

    /// As it is kept: names and what stands, by name.
    pub fn lines(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, said)| (name.as_str(), said.as_str()))
    }

    /// What the head of the chain is sealed with.
    #[must_use]
    pub fn hash(&self) -> String {
        let all = self
            .lines()
            .fold(Fields::new("newest"), |all, (name, said)| {
                all.text(name).text(said)
            });
        TextHash::of(all.as_bytes()).as_str().to_owned()
    }

    /// Takes in what an act says. Its number has to be its own.
    pub fn take(&mut self, row: &AuditRow) {
        let details: Value = serde_json::from_str(&row.details).unwrap_or_default();
        if let (Some(sequence), Some(root)) =
            (details["sequence"].as_u64(), details["root"].as_str())
        {
            self.set(of_records(&row.project), Some(of_manifest(sequence, root)));
        }
        if row.act == Act::Stage.name() {
            self.count(&row.project, 1, 0);
        } else if STEPS.iter().any(|act| act.name() == row.act) {
            self.count(&row.project, 0, 1);
        } else if row.act == Act::GiveUp.name() {
            let count = |what: &str| details[what].as_u64().unwrap_or_default();
            self.uncount(&row.project, count("staged"), count("steps"));
        }
        let on_value = ON_VALUES.iter().find(|(act, _)| act.name() == row.act);
        if let Some((act, says)) = on_value {
            let said = (details[says] == true).then(|| row.seq.to_string());
            self.set(of_value(*act, &row.subjects), said);
        }
    }

    fn count(&mut self, project: &str, staged: u64, steps: u64) {
        let (had, made) = self.lives(project);
        let said = format!("{} {}", had + staged, made + steps);
        self.set(of_lives(project), Some(said));
    }

    /// What was given up is not missed.
    fn uncount(&mut self, project: &str, staged: u64, steps: u64) {
        let (had, made) = self.lives(project);
        if (staged, steps) != (0, 0) {
            let (had, made) = (had.saturating_sub(staged), made.saturating_sub(steps));
            self.set(of_lives(project), Some(format!("{had} {made}")));
        }
    }

    /// How many proposals of a project were ever staged, and how many decisions, and turns of them, were
    /// made on them: at least.
    #[must_use]
    pub fn lives(&self, project: &str) -> (u64, u64) {
        let said = self.0.get(&of_lives(project));
        let numbers = said.and_then(|said| {
            let (staged, steps) = said.split_once(' ')?;
            Some((staged.parse().ok()?, steps.parse().ok()?))
        });
        numbers.unwrap_or_default()
    }

    fn set(&mut self, name: String, said: Option<String>) {
        match said {
            Some(said) => self.0.insert(name, said),
            None => self.0.remove(&name),
        };
    }

    /// Whether the newest manifest of a project is this one; `None`: it has none.
    #[must_use]
    pub fn is_manifest(&self, project: &str, manifest: Option<(u64, &str)>) -> bool {
        let manifest = manifest.map(|(sequence, root)| of_manifest(sequence, root));
        self.0.get(&of_records(project)) == manifest.as_ref()
    }

    /// The sequence of a project's newest manifest.
    #[must_use]
    pub fn sequence(&self, project: &str) -> Option<u64> {
        let said = self.0.get(&of_records(project))?;
        said.split(' ').next()?.parse().ok()
    }

    /// Whether a word of this kind stands on a value.
    #[must_use]
    pub fn is_said(&self, act: Act, fingerprint: &str) -> bool {
        self.0.contains_key(&of_value(act, fingerprint))
    }

    /// The values on which a word of this kind stands, by fingerprint.
    pub fn values(&self, act: Act) -> impl Iterator<Item = &str> {
        let kind = of_value(act, "");
        let names = self.0.keys();
        names.filter_map(move |name| name.strip_prefix(kind.as_str()))
    }

    /// Without words that let a value out by a record before this one.
    #[must_use]
    pub fn only_from(mut self, seq: u64) -> Self {
        let lets_out = of_value(Act::NotSecret, "");
        self.0.retain(|name, said| {
            !name.starts_with(&lets_out) || said.parse().is_ok_and(|at: u64| at >= seq)
        });
        self
    }
}

fn of_records(project: &str) -> String {
    format!("records {project}")
}

fn of_lives(project: &str) -> String {
    format!("lives {project}")
}

fn of_value(act: Act, fingerprint: &str) -> String {
    format!("{} {fingerprint}", act.name())
}

fn of_manifest(sequence: u64, root: &str) -> String {
    format!("{sequence} {root}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROJECT: &str = "0123456789abcdef";

    fn after(rows: &[(&str, &str, &str)]) -> Newest {
        let mut newest = Newest::default();
        for ((act, subjects, details), seq) in rows.iter().zip(1..) {
            newest.take(&AuditRow {
                seq,
                act: (*act).to_owned(),
                project: PROJECT.to_owned(),
                subjects: (*subjects).to_owned(),
                details: (*details).to_owned(),
                ..AuditRow::default()
            });
        }
        newest
    }

    #[test]
    fn the_newest_act_on_each_thing_counts_and_any_change_is_another_hash() {
        let newest = after(&[
            ("apply", "0a0a0a0a", r#"{"sequence":1,"root":"r1"}"#),
            ("not-secret", "f1", r#"{"not_secret":true}"#),
            ("also-secret", "f2", r#"{"also_secret":true}"#),
            ("revert", "0b0b0b0b", r#"{"sequence":2,"root":"r2"}"#),
            ("decide", "0b0b0b0b", r#"{"root":"/home/a"}"#),
        ]);
        assert!(newest.is_manifest(PROJECT, Some((2, "r2"))));
        assert!(!newest.is_manifest(PROJECT, Some((1, "r1"))));
        assert!(!newest.is_manifest(PROJECT, None) && newest.is_manifest("other", None));
        assert_eq!(newest.sequence(PROJECT), Some(2));
        assert_eq!(
            (newest.lives(PROJECT), newest.lives("other")),
            ((0, 1), (0, 0))
        );
        assert_eq!(newest.values(Act::AlsoSecret).collect::<Vec<_>>(), ["f2"]);
        assert!(newest.is_said(Act::NotSecret, "f1") && !newest.is_said(Act::NotSecret, "f2"));
        assert!(newest.is_said(Act::AlsoSecret, "f2"));
        let again = Newest::stored(newest.lines().map(|(a, b)| (a.to_owned(), b.to_owned())));
        assert_eq!(again.hash(), newest.hash());
        let lines: Vec<_> = newest
            .lines()
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
            .collect();
        for n in 0..lines.len() {
            let mut other = lines.clone();
            other[n].1.push('0');
            assert_ne!(Newest::stored(other).hash(), newest.hash());
            let mut fewer = lines.clone();
            fewer.remove(n);
            assert_ne!(Newest::stored(fewer).hash(), newest.hash());
        }
    }

    #[test]
    fn what_was_taken_back_stands_no_more() {
        let newest = after(&[
            ("not-secret", "f1", r#"{"not_secret":true}"#),
            ("not-secret", "f1", r#"{"not_secret":false}"#),
        ]);
        assert_eq!(newest, Newest::default());
    }

    #[test]
    fn what_lets_something_out_may_count_from_a_record_on_alone() {
        let newest = after(&[
            ("apply", "0a0a0a0a", r#"{"sequence":1,"root":"r1"}"#),
            ("also-secret", "f2", r#"{"also_secret":true}"#),
            ("not-secret", "f0", r#"{"not_secret":true}"#),
            ("not-secret", "f1", r#"{"not_secret":true}"#),
        ]);
        let newest = newest.only_from(4);
        assert_eq!(newest.sequence(PROJECT), Some(1));
        assert_eq!(newest.values(Act::NotSecret).collect::<Vec<_>>(), ["f1"]);
        assert!(newest.is_said(Act::AlsoSecret, "f2"));
    }
}
