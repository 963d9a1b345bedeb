//! The audit chain as a file: JSON lines that hold every column as it is stored, and the sealed head
//! as the last line. Whoever has the key can check it again, anywhere.
//!
//! A copy outside the machine is what tells that a database was put back to an older state whole:
//! nothing within it can.

use super::audit::{AuditHead, AuditRow};
use super::key::Trust;
use super::verify::{Break, BreakKind, Counts, Report, Told};
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Read};

/// The longest line that is read, in bytes; a record is far shorter.
const LINE: u64 = 1 << 20;

/// What is said of the copied records before they are looked at.
const PLACE: &str = "audit chain";

/// A copy of the chain.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Export {
    /// The records in their order.
    pub rows: Vec<AuditRow>,
    /// The head, as it was sealed when the copy was made.
    pub head: Option<AuditHead>,
    /// The id of the key that sealed it; none: of a memd that did not say. Not sealed: it says where to
    /// check a copy, and proves nothing.
    pub key: Option<String>,
}

/// The last line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct End {
    head: AuditHead,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

/// Why a file is no copy of a chain.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// It cannot be read.
    #[error("line {line}: {source}")]
    Read {
        /// From 1.
        line: usize,
        /// Why.
        source: io::Error,
    },
    /// A line that is neither a record nor the head.
    #[error("line {line} is no audit record: {why}")]
    Line {
        /// From 1.
        line: usize,
        /// What the parser says.
        why: String,
    },
    /// A line that is too long for a record.
    #[error("line {line} has more than {LINE} bytes, which no audit record has")]
    Long {
        /// From 1.
        line: usize,
    },
    /// Something behind the head.
    #[error("line {line} stands behind the head, which is the last line")]
    Behind {
        /// From 1.
        line: usize,
    },
}

impl Export {
    /// As lines, each ended by a line feed.
    #[must_use]
    pub fn to_lines(&self) -> String {
        // Strings and numbers always serialize.
        let line = |json: serde_json::Result<String>| json.unwrap_or_default() + "\n";
        let rows = self.rows.iter().map(|row| line(serde_json::to_string(row)));
        let key = self.key.clone();
        let end = self.head.clone().map(|head| End { head, key });
        let end = end.iter().map(|end| line(serde_json::to_string(end)));
        rows.chain(end).collect()
    }

    /// Reads lines. Empty ones are passed over.
    ///
    /// # Errors
    /// When a line cannot be read, is neither record nor head, or stands behind the head.
    pub fn read(mut from: impl BufRead) -> Result<Self, ExportError> {
        let mut export = Self::default();
        let mut text = String::new();
        for line in 1.. {
            text.clear();
            let taken = from.by_ref().take(LINE + 1).read_line(&mut text);
            match taken.map_err(|source| ExportError::Read { line, source })? as u64 {
                0 => break,
                n if n > LINE => return Err(ExportError::Long { line }),
                _ if text.trim().is_empty() => continue,
                _ if export.head.is_some() => return Err(ExportError::Behind { line }),
                _ => export.take(text.trim(), line)?,
            }
        }
        Ok(export)
    }

    fn take(&mut self, text: &str, line: usize) -> Result<(), ExportError> {
        let wrong = |e: serde_json::Error| ExportError::Line {
            line,
            why: e.to_string(),
        };
        if text.starts_with("{\"head\"") {
            let end: End = serde_json::from_str(text).map_err(wrong)?;
            let is_id =
                |key: &String| key.len() == 16 && key.bytes().all(|b| b.is_ascii_hexdigit());
            if !end.key.iter().all(is_id) {
                let why = "its key is no id of one".to_owned();
                return Err(ExportError::Line { line, why });
            }
            (self.head, self.key) = (Some(end.head), end.key);
        } else {
            self.rows.push(serde_json::from_str(text).map_err(wrong)?);
        }
        Ok(())
    }
}

impl Trust {
    /// Every break of a copied chain, by itself.
    #[must_use]
    pub fn verify_copy(&self, export: &Export) -> Report {
        let other = self.other_key(export);
        let mut chain = match &other {
            Some(other) if other.kind == BreakKind::OtherKey => Vec::new(),
            _ => self.copied_breaks(&export.rows, export.head.as_ref()),
        };
        chain.extend(other.map(Told::Hard));
        let counts = Counts {
            audit: export.rows.len(),
            ..Counts::default()
        };
        let mut report = Report::of(self, &export.rows, chain, Vec::new(), counts);
        // What is settled of a chain is settled there.
        report.loose.clear();
        report
    }

    /// A copy that says it is of a key that is not this one. Where something in it is sealed with this
    /// one all the same, that word is what was changed.
    fn other_key(&self, export: &Export) -> Option<Break> {
        let key = export.key.as_ref().filter(|key| !self.is_ours(key))?;
        let here = self.key_id();
        let is_ours = export.head.as_ref().is_some_and(|h| self.is_copied_head(h))
            || export.rows.iter().any(|row| self.is_written(row));
        let (kind, what) = match is_ours {
            true => (
                BreakKind::AuditHead,
                format!("it names the key {key}, and was sealed with the one here, {here}"),
            ),
            false => (
                BreakKind::OtherKey,
                format!(
                    "the copy is of another key (id {key}; here {here}): check it where it was made"
                ),
            ),
        };
        Some(Break {
            kind,
            project: None,
            place: PLACE.to_owned(),
            what,
        })
    }

    /// What of a copy that holds by itself the chain that is here does not hold any more.
    #[must_use]
    pub fn copy_against(&self, export: &Export, here: &[AuditRow]) -> Vec<Break> {
        if let Some(empty) = empty(export, here) {
            return vec![empty];
        }
        let against = against(export, here).into_iter();
        against.chain(self.ended_by_retired(here)).collect()
    }
}

#[cfg(test)]
impl Trust {
    /// What is told of a copy: the chain here is looked at only where the copy holds by itself.
    pub fn told_of(&self, export: &Export, here: &[AuditRow]) -> Vec<Break> {
        let breaks = self.verify_copy(export).breaks;
        match breaks.is_empty() {
            true => self.copy_against(export, here),
            false => breaks,
        }
    }
}

impl Trust {
    /// A chain here that ends under a key which is retired: the record of the rotation is the least
    /// that stands behind those.
    fn ended_by_retired(&self, here: &[AuditRow]) -> Option<Break> {
        let last = here.last().filter(|row| self.is_of_retired(row.seq))?.seq;
        Some(Break {
            kind: BreakKind::ChainAgainstExport,
            project: None,
            place: PLACE.to_owned(),
            what: format!(
                "it ends here at record {last}, before the key was rotated: the database was put back to an older state"
            ),
        })
    }
}

/// A copy with nothing in it, of a chain that has records: nothing sealed stands for it.
fn empty(export: &Export, here: &[AuditRow]) -> Option<Break> {
    let is_empty = export.rows.is_empty() && export.head.is_none();
    let last = here.last().filter(|_| is_empty)?;
    Some(Break {
        kind: BreakKind::AuditHead,
        project: None,
        place: PLACE.to_owned(),
        what: format!(
            "the copy holds no record and no sealed head; the chain here has records until {}",
            last.seq
        ),
    })
}

/// Where the chain that is here is not the copied one, or ends before it.
fn against(export: &Export, here: &[AuditRow]) -> Option<Break> {
    let last = export.rows.last()?.seq;
    let mut both = export.rows.iter().zip(here);
    let what = match both.find(|(copied, row)| copied.mac != row.mac) {
        Some((copied, _)) => format!("record {} here is not the exported one", copied.seq),
        None if here.len() < export.rows.len() => format!(
            "it ends here at record {}, the export at {last}: the database was put back to an older state",
            here.last().map_or(0, |row| row.seq)
        ),
        None => return None,
    };
    Some(Break {
        kind: BreakKind::ChainAgainstExport,
        project: None,
        place: PLACE.to_owned(),
        what,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn export(trust: &Trust, n: u64) -> Export {
        let mut export = Export::default();
        let mut head = AuditHead::default();
        for i in 0..n {
            let row = AuditRow {
                at: "2026-01-01T00:00:00Z".into(),
                act: "decide".into(),
                subjects: format!("a\u{202e}\n\"{i}"),
                details: r#"{ "n": 1 }"#.into(),
                ..AuditRow::default()
            };
            let (row, next) = trust.append(&head, row);
            export.rows.push(row);
            head = next;
        }
        export.head = Some(head);
        export.key = Some(trust.key_id().to_owned());
        export
    }

    fn read(text: &str) -> Result<Export, ExportError> {
        Export::read(text.as_bytes())
    }

    #[test]
    fn a_copy_is_the_same_when_read_again_and_verifies() {
        let trust = Trust::for_tests(1);
        let copy = export(&trust, 4);
        let again = read(&copy.to_lines()).unwrap();
        assert_eq!(again, copy);
        assert_eq!(trust.told_of(&again, &copy.rows), []);
        // The chain has gone on since.
        let longer = export(&trust, 7).rows;
        assert_eq!(trust.told_of(&again, &longer), []);
        assert_eq!(read("").unwrap(), Export::default());
    }

    #[test]
    fn whatever_is_changed_in_a_copy_is_told() {
        let trust = Trust::for_tests(1);
        let text = export(&trust, 3).to_lines();
        let lines: Vec<&str> = text.lines().collect();
        let kinds = |text: &str| -> Vec<BreakKind> {
            let copy = read(text).unwrap();
            let breaks = trust.told_of(&copy, &export(&trust, 3).rows);
            breaks.iter().map(|b| b.kind).collect()
        };
        assert_eq!(
            kinds(&text.replacen("decide", "commit", 1)),
            [BreakKind::AuditEdited]
        );
        assert_eq!(
            kinds(&[lines[0], lines[2], lines[3]].join("\n")),
            [BreakKind::AuditGap]
        );
        assert_eq!(
            kinds(&[lines[0], lines[1], lines[3]].join("\n")),
            [BreakKind::AuditTail]
        );
        assert_eq!(kinds(&lines[..3].join("\n")), [BreakKind::AuditHead]);
        assert_eq!(kinds(lines[3]), [BreakKind::AuditWiped]);
        for nothing in ["", "\n", " \n\n"] {
            assert_eq!(kinds(nothing), [BreakKind::AuditHead], "{nothing:?}");
        }
        // Where nothing was ever done, a copy of nothing is whole.
        assert_eq!(trust.told_of(&Export::default(), &[]), []);
    }

    #[test]
    fn a_copy_of_another_key_is_told_as_that_and_one_that_names_none_verifies() {
        let (trust, other) = (Trust::for_tests(1), Trust::for_tests(2));
        let copy = export(&other, 3);
        let found = trust.told_of(&copy, &[]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].kind, BreakKind::OtherKey);
        for id in [trust.key_id(), other.key_id()] {
            assert!(found[0].what.contains(id), "{}", found[0].what);
        }
        let lines = copy.to_lines();
        assert_eq!(other.told_of(&read(&lines).unwrap(), &copy.rows), []);
        // Of a memd that did not name it.
        let named = format!(",\"key\":\"{}\"", other.key_id());
        assert!(lines.contains(&named), "{lines}");
        let before = read(&lines.replace(&named, "")).unwrap();
        assert_eq!(other.told_of(&before, &copy.rows), []);
        // The name is not sealed: under another one nothing passes.
        let renamed = lines.replace(other.key_id(), trust.key_id());
        let renamed = read(&renamed).unwrap();
        let kinds = |trust: &Trust| -> Vec<BreakKind> {
            let told = trust.told_of(&renamed, &copy.rows);
            told.iter().map(|b| b.kind).collect()
        };
        assert_eq!(kinds(&other), [BreakKind::AuditHead]);
        assert_eq!(kinds(&trust)[0], BreakKind::AuditRecomputed);
        let error = read(&lines.replace(other.key_id(), "\\u001b[2J")).unwrap_err();
        assert!(error.to_string().starts_with("line 4 is no audit record"));
    }

    #[test]
    fn a_database_that_was_put_back_is_told_by_the_copy() {
        let trust = Trust::for_tests(1);
        let copy = export(&trust, 5);
        let found = trust.told_of(&copy, &copy.rows[..3]);
        assert_eq!(found[0].kind, BreakKind::ChainAgainstExport);
        assert!(
            found[0].what.contains("record 3, the export at 5"),
            "{}",
            found[0].what
        );
        let mut other = copy.rows.clone();
        other[1].mac = other[2].mac.clone();
        let found = trust.told_of(&copy, &other);
        assert!(
            found[0].what.starts_with("record 2 here"),
            "{}",
            found[0].what
        );
    }

    #[test]
    fn what_is_no_copy_is_refused_with_its_line() {
        let copy = export(&Trust::for_tests(1), 1).to_lines();
        let long = "x".repeat(2 << 20);
        let cases = [
            ("not json".to_owned(), "line 1 is no audit record"),
            (format!("{copy}{{}}"), "line 3 stands behind the head"),
            (
                copy.replace("\"act\"", "\"deed\""),
                "line 1 is no audit record",
            ),
            (format!("\n{long}"), "line 2 has more than"),
        ];
        for (text, said) in cases {
            let error = read(&text).unwrap_err().to_string();
            assert!(error.starts_with(said), "{error}");
        }
        let error = Export::read(&b"\xff\n"[..]).unwrap_err().to_string();
        assert!(error.starts_with("line 1: "), "{error}");
    }
}
