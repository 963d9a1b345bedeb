//! The record of an entry: what was let in, from where, by which act. Sealed as a whole.
//!
//! A record is never changed; an edit, a confirmation, an archiving is its next version. The
//! highest version of an entry is the one that counts.

use super::key::{Purpose, Trust};
use super::seal::{FORMAT, Fields, Seal, SealError};
use crate::digest::Line;
use crate::id::{EntryId, ProjectId, ProposalId};
use crate::memory::MemoryFile;
use crate::proposal::Origin;
use crate::text::TextHash;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Where an entry is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordState {
    /// Stands in its file.
    Live,
    /// Moved to the archive.
    Archived,
    /// A person took it back: the text may still stand in its file, no agent is given it.
    Tombstoned,
}

impl RecordState {
    /// Its stable name, as sealed and stored.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            RecordState::Live => "live",
            RecordState::Archived => "archived",
            RecordState::Tombstoned => "tombstoned",
        }
    }
}

impl Origin {
    /// Its stable name, as sealed and stored.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Origin::HumanEdit => "human_edit",
            Origin::User => "user",
            Origin::Inbox => "inbox",
            Origin::Import => "import",
            Origin::Assistant => "assistant",
            Origin::Tool => "tool",
        }
    }
}

/// One version of one entry, as it was let in. Every field but the seal is sealed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Format of the seal.
    pub format: u32,
    /// Its project.
    pub project: ProjectId,
    /// Its identity; the same for all versions.
    pub entry: EntryId,
    /// From 1, without gaps.
    pub version: u32,
    /// The file it stands (or stood) in.
    pub file: MemoryFile,
    /// The section, as [`crate::memory::Entry::section`].
    pub section: String,
    /// The exact text.
    pub text: String,
    /// Who said it.
    pub origin: Origin,
    /// Hash of the digest lines it rests on; see [`evidence_hash`].
    pub evidence: String,
    /// When its first version was let in.
    pub created: Timestamp,
    /// When this version was let in.
    pub at: Timestamp,
    /// When a person accepted it; `None`: no person did (unreviewed).
    pub accepted: Option<Timestamp>,
    /// When a person last confirmed it, by a separate act.
    pub confirmed: Option<Timestamp>,
    /// How often it was confirmed.
    pub confirmations: u32,
    /// From when on it is not given to agents any more; `None`: never.
    pub lapses: Option<Timestamp>,
    /// The entry that it replaced, where it is another one.
    pub supersedes: Option<EntryId>,
    /// Where it is in its life.
    pub state: RecordState,
    /// The proposal that let this version in; `None`: an act without one.
    pub proposal: Option<ProposalId>,
    /// Id of the key that sealed it.
    pub key: String,
    /// The seal; empty until [`Trust::seal`].
    pub seal: Seal,
}

impl Record {
    /// The first version of an entry that a person accepts now; unsealed. Set what differs, then
    /// [`Trust::seal`] it.
    #[must_use]
    pub fn new(
        project: ProjectId,
        entry: EntryId,
        file: MemoryFile,
        section: impl Into<String>,
        text: impl Into<String>,
        origin: Origin,
        now: Timestamp,
    ) -> Self {
        Self {
            format: FORMAT,
            project,
            entry,
            version: 1,
            file,
            section: section.into(),
            text: text.into(),
            origin,
            evidence: String::new(),
            created: now,
            at: now,
            accepted: Some(now),
            confirmed: None,
            confirmations: 0,
            lapses: None,
            supersedes: None,
            state: RecordState::Live,
            proposal: None,
            key: String::new(),
            seal: Seal::default(),
        }
    }

    /// The next version, let in now, with everything else as it is; unsealed.
    #[must_use]
    pub fn next(&self, now: Timestamp) -> Self {
        Self {
            version: self.version + 1,
            at: now,
            format: FORMAT,
            key: String::new(),
            seal: Seal::default(),
            ..self.clone()
        }
    }

    /// The next version, confirmed by a person now: durable from here on.
    #[must_use]
    pub fn confirm(&self, now: Timestamp) -> Self {
        Self {
            confirmed: Some(now),
            confirmations: self.confirmations + 1,
            accepted: self.accepted.or(Some(now)),
            lapses: None,
            ..self.next(now)
        }
    }

    /// The hash of its text.
    #[must_use]
    pub fn hash(&self) -> TextHash {
        TextHash::of(&self.text)
    }

    /// Whether it has lapsed by now.
    #[must_use]
    pub fn is_lapsed(&self, now: Timestamp) -> bool {
        self.lapses.is_some_and(|at| now >= at)
    }

    /// Whether a policy let it in and no person has accepted or confirmed it.
    #[must_use]
    pub fn is_unreviewed(&self) -> bool {
        self.accepted.is_none() && self.confirmed.is_none() && self.origin != Origin::HumanEdit
    }

    fn fields(&self) -> Fields {
        Fields::new("record")
            .shown(&self.format)
            .text(&self.key)
            .shown(&self.project)
            .text(self.file.name())
            .shown(&self.entry)
            .shown(&self.version)
            .text(&self.section)
            .text(&self.text)
            .text(self.origin.name())
            .text(&self.evidence)
            .shown(&self.created)
            .shown(&self.at)
            .optional(self.accepted.as_ref())
            .optional(self.confirmed.as_ref())
            .shown(&self.confirmations)
            .optional(self.lapses.as_ref())
            .optional(self.supersedes.as_ref())
            .text(self.state.name())
            .optional(self.proposal.as_ref())
    }
}

impl Trust {
    /// The record with this key's seal on it.
    #[must_use]
    pub fn seal(&self, mut record: Record) -> Record {
        record.format = FORMAT;
        self.key_id().clone_into(&mut record.key);
        record.seal = self.tag(Purpose::Seal, &record.fields());
        record
    }

    /// Whether a record is as it was sealed.
    ///
    /// # Errors
    /// When it has no seal, or one that does not fit.
    pub fn verify(&self, record: &Record) -> Result<(), SealError> {
        let fields = record.fields();
        self.check_whole(
            Purpose::Seal,
            record.format,
            &record.key,
            &fields,
            &record.seal,
        )
    }
}

/// What an entry rests on, as one hash: role, place and text of each line, in order. Empty for no
/// lines.
#[must_use]
pub fn evidence_hash<'a>(lines: impl IntoIterator<Item = &'a Line>) -> String {
    let mut fields = Fields::new("evidence");
    let mut any = false;
    for line in lines {
        any = true;
        fields = fields
            .shown(&line.role.letter())
            .text(&line.place.source)
            .shown(&line.place.offset)
            .text(line.text.as_str());
    }
    if any {
        TextHash::of(fields.as_bytes()).as_str().to_owned()
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).unwrap()
    }

    fn record() -> Record {
        let id = |t: &str| t.parse().unwrap();
        Record {
            evidence: "e".into(),
            confirmed: Some(at(3)),
            confirmations: 1,
            lapses: Some(at(9)),
            supersedes: Some("ffffffffffff".parse().unwrap()),
            proposal: Some("00000001".parse().unwrap()),
            ..Record::new(
                "0123456789abcdef".parse().unwrap(),
                id("0123456789ab"),
                MemoryFile::State,
                "A › B",
                "- text",
                Origin::User,
                at(0),
            )
        }
    }

    /// One way to change each sealed field.
    type Mutation = (&'static str, fn(&mut Record));
    const MUTATIONS: &[Mutation] = &[
        ("format", |r| r.format = 2),
        ("project", |r| {
            r.project = "fedcba9876543210".parse().unwrap()
        }),
        ("entry", |r| r.entry = "ba9876543210".parse().unwrap()),
        ("version", |r| r.version = 2),
        ("file", |r| r.file = MemoryFile::Todo),
        ("section", |r| r.section = "A".into()),
        ("text", |r| r.text.push(' ')),
        ("origin", |r| r.origin = Origin::HumanEdit),
        ("evidence", |r| r.evidence.clear()),
        ("created", |r| r.created = at(1)),
        ("at", |r| r.at = at(1)),
        ("accepted", |r| r.accepted = None),
        ("accepted when", |r| r.accepted = Some(at(1))),
        ("confirmed", |r| r.confirmed = None),
        ("confirmations", |r| r.confirmations = 2),
        ("lapses", |r| r.lapses = None),
        ("supersedes", |r| r.supersedes = None),
        ("state", |r| r.state = RecordState::Tombstoned),
        ("proposal", |r| r.proposal = None),
        ("key", |r| r.key = "0000000000000000".into()),
        ("seal", |r| r.seal = Seal::default()),
        ("seal digits", |r| r.seal = Seal::stored("0".repeat(64))),
    ];

    #[test]
    fn changing_any_field_breaks_the_seal() {
        let trust = Trust::for_tests(1);
        let sealed = trust.seal(record());
        assert_eq!(trust.verify(&sealed), Ok(()));
        // Every field of the record has a mutation in the table.
        let names = serde_json::to_value(&sealed).unwrap();
        for field in names.as_object().unwrap().keys() {
            assert!(MUTATIONS.iter().any(|(name, _)| name == field), "{field}");
        }
        for (name, mutate) in MUTATIONS {
            let mut changed = sealed.clone();
            mutate(&mut changed);
            assert!(trust.verify(&changed).is_err(), "{name}");
        }
    }

    #[test]
    fn format_and_key_are_told_apart_from_a_change() {
        let trust = Trust::for_tests(1);
        let mut newer = trust.seal(record());
        newer.format = 9;
        assert_eq!(trust.verify(&newer), Err(SealError::UnknownFormat(9)));
        let other = Trust::for_tests(2).seal(record());
        assert!(matches!(trust.verify(&other), Err(SealError::OtherKey(_))));
        assert_eq!(trust.verify(&record()), Err(SealError::Missing));
    }

    #[test]
    fn a_confirmation_is_a_new_version_that_never_lapses() {
        let first = Record {
            accepted: None,
            ..record()
        };
        let second = first.confirm(at(20));
        assert_eq!((second.version, second.confirmations), (2, 2));
        assert_eq!((second.accepted, second.lapses), (Some(at(20)), None));
        assert!(first.is_lapsed(at(9)) && !first.is_lapsed(at(8)));
        assert!(!second.is_lapsed(Timestamp::MAX));
        assert_eq!(second.seal, Seal::default());
    }
}
