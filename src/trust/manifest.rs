//! The manifest: one sealed line over all records of a project, so that a record that is added,
//! removed or put back to an older version is noticed even when its own seal fits.

use super::key::{Purpose, Trust};
use super::record::Record;
use super::seal::{FORMAT, Fields, Seal, SealError};
use crate::id::ProjectId;
use crate::text::TextHash;
use jiff::Timestamp;

/// Count, root and sequence of a project's records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// Format of the seal.
    pub format: u32,
    /// The project.
    pub project: ProjectId,
    /// How many record versions there are.
    pub count: u64,
    /// Hash over entry, version and seal of all of them, sorted.
    pub root: String,
    /// How many times the records were changed; grows by one with each act.
    pub sequence: u64,
    /// When it was sealed.
    pub at: Timestamp,
    /// Id of the key that sealed it.
    pub key: String,
    /// The seal.
    pub seal: Seal,
}

/// What is wrong with a project's records as a whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// Records, but no manifest.
    #[error("there are records but no manifest over them")]
    Missing,
    /// The manifest itself does not verify.
    #[error("the manifest is not to be trusted: {0}")]
    Seal(SealError),
    /// Records were added or removed.
    #[error("the manifest counts {sealed} record versions, there are {found}")]
    Count {
        /// As sealed.
        sealed: u64,
        /// As found.
        found: u64,
    },
    /// The count fits, the records do not.
    #[error("the records are not those the manifest was sealed over")]
    Root,
}

impl Manifest {
    fn fields(&self) -> Fields {
        Fields::new("manifest")
            .shown(&self.format)
            .text(&self.key)
            .shown(&self.project)
            .shown(&self.count)
            .text(&self.root)
            .shown(&self.sequence)
            .shown(&self.at)
    }
}

/// The root over record versions, in any order.
fn root<'a>(records: impl IntoIterator<Item = &'a Record>) -> (u64, String) {
    let mut all: Vec<_> = records
        .into_iter()
        .map(|r| (&r.entry, r.version, &r.seal))
        .collect();
    all.sort();
    let fields = all
        .iter()
        .fold(Fields::new("records"), |fields, (entry, version, seal)| {
            fields.shown(entry).shown(version).shown(seal)
        });
    let root = TextHash::of(fields.as_bytes()).as_str().to_owned();
    (all.len() as u64, root)
}

impl Trust {
    /// Seals all record versions of a project as they are now.
    #[must_use]
    pub fn manifest<'a>(
        &self,
        project: &ProjectId,
        records: impl IntoIterator<Item = &'a Record>,
        sequence: u64,
        at: Timestamp,
    ) -> Manifest {
        let (count, root) = root(records);
        let mut manifest = Manifest {
            format: FORMAT,
            project: project.clone(),
            count,
            root,
            sequence,
            at,
            key: self.key_id().to_owned(),
            seal: Seal::default(),
        };
        manifest.seal = self.tag(Purpose::Manifest, &manifest.fields());
        manifest
    }

    /// Checks all record versions of a project against their manifest.
    ///
    /// # Errors
    /// When the manifest is missing, forged, or sealed over other records.
    pub fn verify_manifest(
        &self,
        manifest: Option<&Manifest>,
        records: &[Record],
    ) -> Result<(), ManifestError> {
        let Some(manifest) = manifest else {
            return if records.is_empty() {
                Ok(())
            } else {
                Err(ManifestError::Missing)
            };
        };
        self.check_whole(
            Purpose::Manifest,
            manifest.format,
            &manifest.key,
            &manifest.fields(),
            &manifest.seal,
        )
        .map_err(ManifestError::Seal)?;
        let (found, root) = root(records);
        if found != manifest.count {
            let sealed = manifest.count;
            return Err(ManifestError::Count { sealed, found });
        }
        if root != manifest.root {
            return Err(ManifestError::Root);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::EntryId;
    use crate::memory::MemoryFile;
    use crate::proposal::Origin;

    fn record(trust: &Trust, entry: &str, text: &str) -> Record {
        let project: ProjectId = "0123456789abcdef".parse().unwrap();
        let entry: EntryId = entry.parse().unwrap();
        let at = Timestamp::UNIX_EPOCH;
        trust.seal(Record::new(
            project,
            entry,
            MemoryFile::State,
            "",
            text,
            Origin::User,
            at,
        ))
    }

    #[test]
    fn added_removed_and_replayed_records_are_told() {
        let trust = Trust::for_tests(1);
        let one = record(&trust, "000000000001", "one");
        let old = record(&trust, "000000000002", "old");
        let new = trust.seal(Record {
            text: "new".into(),
            ..old.next(Timestamp::UNIX_EPOCH)
        });
        let all = vec![one.clone(), old.clone(), new.clone()];
        let manifest = trust.manifest(&one.project, &all, 3, Timestamp::UNIX_EPOCH);
        let check = |records: &[Record]| trust.verify_manifest(Some(&manifest), records);
        assert_eq!(check(&all), Ok(()));
        assert_eq!(check(&[new.clone(), one.clone(), old.clone()]), Ok(()));
        let found = |found| Err(ManifestError::Count { sealed: 3, found });
        assert_eq!(check(&[one.clone(), old.clone()]), found(2));
        assert_eq!(
            check(&[one.clone(), old.clone(), new.clone(), one.clone()]),
            found(4)
        );
        assert_eq!(
            check(&[one.clone(), old.clone(), old.clone()]),
            Err(ManifestError::Root)
        );
        assert_eq!(
            trust.verify_manifest(None, &all),
            Err(ManifestError::Missing)
        );
        assert_eq!(trust.verify_manifest(None, &[]), Ok(()));
    }

    #[test]
    fn changing_any_field_of_a_manifest_breaks_it() {
        let trust = Trust::for_tests(1);
        let project: ProjectId = "0123456789abcdef".parse().unwrap();
        let good = trust.manifest(&project, [], 1, Timestamp::UNIX_EPOCH);
        let mutations: [fn(&mut Manifest); 8] = [
            |m| m.format = 2,
            |m| m.project = "fedcba9876543210".parse().unwrap(),
            |m| m.count = 1,
            |m| m.root.push('0'),
            |m| m.sequence = 2,
            |m| m.at = Timestamp::MAX,
            |m| m.key.clear(),
            |m| m.seal = Seal::default(),
        ];
        assert_eq!(trust.verify_manifest(Some(&good), &[]), Ok(()));
        for (n, mutate) in mutations.iter().enumerate() {
            let mut bad = good.clone();
            mutate(&mut bad);
            let checked = trust.verify_manifest(Some(&bad), &[]);
            assert!(matches!(checked, Err(ManifestError::Seal(_))), "{n}");
        }
    }
}
