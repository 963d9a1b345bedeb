//! Scores the redactor on a table of texts with known secrets: recall and false alarms by class.
//!
//! The table is tab-separated with a header line; `expect rule text split id form must_hide
//! must_keep note`, of which text and the two lists are JSON, and expect is `pos` or `neg`. Reports
//! ids, never texts.

use super::{Part, Redactor};
use crate::source::Raw;
use std::collections::BTreeMap;
use std::fmt;

/// The shortest fragment of a secret that counts as a leak, in characters.
pub const FRAGMENT: usize = 8;
/// The share of secrets that must be hidden, in per cent.
pub const RECALL: f64 = 70.0;
/// The share of harmless texts that may be changed, in per cent.
pub const FALSE_ALARMS: f64 = 2.0;

/// A table that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error(
    "line {line}: {reason}; the table needs the columns expect, rule, text, split, id, form, must_hide, must_keep"
)]
pub struct TableError {
    line: usize,
    reason: String,
}

/// One text of a table.
#[derive(Debug)]
pub struct Vector {
    /// Its name in reports.
    pub id: String,
    /// The kind of secret, or of harmless text.
    pub rule: String,
    /// The form it is written in.
    pub form: String,
    /// Whether it holds a secret.
    pub secret: bool,
    /// The text.
    pub text: Raw,
    hide: Vec<String>,
    keep: Vec<String>,
}

impl Vector {
    /// Whether a redacted text holds none of the secrets, and everything it should keep.
    #[must_use]
    pub fn passes(&self, redacted: &str) -> bool {
        if !self.secret {
            return redacted == self.text.unredacted();
        }
        !self.leaks(redacted) && self.keep.iter().all(|k| redacted.contains(k.as_str()))
    }

    /// Whether a fragment of a secret is in a text.
    #[must_use]
    pub fn leaks(&self, text: &str) -> bool {
        self.hide.iter().any(|secret| {
            let chars: Vec<char> = secret.chars().collect();
            let all = chars.windows(FRAGMENT.min(chars.len()).max(1));
            all.map(|w| w.iter().collect::<String>())
                .any(|w| text.contains(&w))
        })
    }
}

/// Reads a table.
///
/// # Errors
/// When a line lacks a column, its JSON or what it expects cannot be read, or there is no line.
pub fn vectors(table: &str) -> Result<Vec<Vector>, TableError> {
    let at = |line: usize| move |reason: String| TableError { line, reason };
    let lines = table.lines().enumerate().skip(1);
    let filled = lines.filter(|(_, line)| !line.is_empty());
    let all = filled.map(|(n, line)| vector(line).map_err(at(n + 1)));
    match all.collect::<Result<Vec<_>, _>>()? {
        none if none.is_empty() => Err(at(1)("no text follows a header line".to_owned())),
        vectors => Ok(vectors),
    }
}

fn vector(line: &str) -> Result<Vector, String> {
    let mut columns = line.split('\t');
    let mut next = |name: &str| columns.next().ok_or_else(|| format!("no column {name}"));
    let secret = match next("expect")? {
        "pos" => true,
        "neg" => false,
        _ => return Err("expect is neither pos nor neg".to_owned()),
    };
    let rule = next("rule")?.to_owned();
    let text: String = json(next("text")?)?;
    next("split")?;
    Ok(Vector {
        secret,
        rule,
        text: Raw::new(text),
        id: next("id")?.to_owned(),
        form: next("form")?.to_owned(),
        hide: json(next("must_hide")?)?,
        keep: json(next("must_keep")?)?,
    })
}

// The parser's own message could quote the text.
fn json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text)
        .map_err(|e| format!("JSON that cannot be read, at column {}", e.column()))
}

/// How many of a class passed, and the ids of the others.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Class {
    /// Texts of the class.
    pub all: usize,
    /// Texts that failed: a secret that leaked, a harmless text that was changed.
    pub failed: Vec<String>,
}

/// The result over a table.
#[derive(Debug, Default)]
pub struct Score {
    /// Texts with secrets, by rule.
    pub secrets: BTreeMap<String, Class>,
    /// Harmless texts, by kind.
    pub harmless: BTreeMap<String, Class>,
}

/// Runs a redactor over a table; each text on its own, nothing is remembered between them.
#[must_use]
pub fn score(fresh: impl Fn() -> Redactor, vectors: &[Vector]) -> Score {
    let mut score = Score::default();
    for vector in vectors {
        let (redacted, _) = fresh().redact(&vector.text, &Part::default());
        let side = if vector.secret {
            &mut score.secrets
        } else {
            &mut score.harmless
        };
        let class = side.entry(vector.rule.clone()).or_default();
        class.all += 1;
        if !vector.passes(redacted.as_str()) {
            class.failed.push(vector.id.clone());
        }
    }
    score
}

impl Score {
    /// The share of secrets hidden, in per cent.
    #[must_use]
    pub fn recall(&self) -> f64 {
        let (all, failed) = totals(&self.secrets);
        100.0 - share(failed, all)
    }

    /// The share of harmless texts changed, in per cent.
    #[must_use]
    pub fn false_alarms(&self) -> f64 {
        let (all, failed) = totals(&self.harmless);
        share(failed, all)
    }

    /// Whether both bounds are kept.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.recall() >= RECALL && self.false_alarms() <= FALSE_ALARMS
    }
}

fn totals(side: &BTreeMap<String, Class>) -> (usize, usize) {
    side.values().fold((0, 0), |(all, failed), c| {
        (all + c.all, failed + c.failed.len())
    })
}

#[expect(
    clippy::cast_precision_loss,
    reason = "tables have thousands of lines at most"
)]
fn share(part: usize, all: usize) -> f64 {
    if all == 0 {
        0.0
    } else {
        part as f64 * 100.0 / all as f64
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (title, side) in [
            ("secrets hidden", &self.secrets),
            ("harmless texts left alone", &self.harmless),
        ] {
            writeln!(f, "{title}, by class")?;
            for (name, class) in side {
                let passed = class.all - class.failed.len();
                write!(f, "  {name:<28} {passed:>4} of {:<4}", class.all)?;
                writeln!(
                    f,
                    "{}",
                    class
                        .failed
                        .iter()
                        .map(|id| format!(" {id}"))
                        .collect::<String>()
                )?;
            }
        }
        let ((secrets, missed), (harmless, changed)) =
            (totals(&self.secrets), totals(&self.harmless));
        writeln!(
            f,
            "recall        {:.1} % ({} of {secrets}), needed {RECALL} %",
            self.recall(),
            secrets - missed
        )?;
        write!(
            f,
            "false alarms  {:.1} % ({changed} of {harmless}), allowed {FALSE_ALARMS} %",
            self.false_alarms()
        )
    }
}
