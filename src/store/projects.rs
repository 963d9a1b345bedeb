//! Projects: a random id, and the folder it is found in for now.

use super::audit::{Note, append};
use super::error::StoreError;
use super::lenient::text;
use super::open::{Store, has_table};
use crate::id::ProjectId;
use crate::trust::{Act, Trust};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, Transaction};
use serde_json::json;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A project that is registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Its identity, whatever its path.
    pub id: ProjectId,
    /// The absolute path of its root.
    pub root: PathBuf,
    /// Its name for people.
    pub name: String,
    /// When it was registered.
    pub created: Timestamp,
}

impl Project {
    /// Where its memory lies.
    #[must_use]
    pub fn memory(&self) -> PathBuf {
        self.root.join(".memory")
    }
}

const SELECT: &str = "SELECT id, root, name, created FROM projects";

fn read(row: &Row<'_>) -> rusqlite::Result<(String, Vec<u8>, String, String)> {
    Ok((text(row, 0)?, row.get(1)?, text(row, 2)?, text(row, 3)?))
}

fn project(raw: (String, Vec<u8>, String, String)) -> Result<Project, StoreError> {
    let (id, root, name, created) = raw;
    Ok(Project {
        id: parse("project id", &id)?,
        root: PathBuf::from(OsStr::from_bytes(&root)),
        name,
        // For people alone.
        created: created.parse().unwrap_or_default(),
    })
}

/// A stored text as the value it stands for.
pub(super) fn parse<T: std::str::FromStr>(what: &str, text: &str) -> Result<T, StoreError>
where
    T::Err: std::fmt::Display,
{
    text.parse().map_err(|e: T::Err| StoreError::Unreadable {
        what: what.to_owned(),
        why: e.to_string(),
    })
}

/// A stored JSON text as the value it stands for.
pub(super) fn from_json<T: serde::de::DeserializeOwned>(
    what: &str,
    text: &str,
) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|e| StoreError::Unreadable {
        what: what.to_owned(),
        why: e.to_string(),
    })
}

/// A value as JSON text.
pub(super) fn to_json<T: serde::Serialize>(what: &str, value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|e| StoreError::Unreadable {
        what: what.to_owned(),
        why: e.to_string(),
    })
}

pub(super) fn at_root(tx: &Transaction<'_>, root: &Path) -> Result<Option<Project>, StoreError> {
    let raw = tx
        .prepare_cached(&format!("{SELECT} WHERE root = ?1"))?
        .query_row([root.as_os_str().as_bytes()], read)
        .optional()?;
    raw.map(project).transpose()
}

pub(super) fn by_id(tx: &Transaction<'_>, id: &ProjectId) -> Result<Project, StoreError> {
    let raw = tx
        .prepare_cached(&format!("{SELECT} WHERE id = ?1"))?
        .query_row([id.as_str()], read)
        .optional()?;
    project(raw.ok_or_else(|| StoreError::NoProject(id.clone()))?)
}

/// Projects that are on the books, by path. A row that cannot be read does not take the others along;
/// [`Store::unreadable_projects`] names it.
pub(super) fn all(tx: &Transaction<'_>) -> Result<Vec<Project>, StoreError> {
    all_there(tx).map(told_apart)
}

/// As they are stored.
fn all_there(tx: &Transaction<'_>) -> Result<Vec<Project>, StoreError> {
    Ok(on_books(tx)?.into_iter().flatten().collect())
}

/// All projects that ever were, but for rows that cannot be read: `memd verify` names those.
pub(super) fn ever(tx: &Transaction<'_>) -> Result<Vec<Project>, StoreError> {
    listed(tx, "").map(told_apart)
}

/// Where names are alike (a folder that was copied, clones), each with as much of its path as tells it
/// from the others.
fn told_apart(all: Vec<Project>) -> Vec<Project> {
    let named = |of: &Project| Project {
        name: apart(of, &all),
        ..of.clone()
    };
    all.iter().map(named).collect()
}

fn apart(of: &Project, all: &[Project]) -> String {
    let alike = |one: &&Project| one.name == of.name && one.id != of.id;
    let others: Vec<_> = all.iter().filter(alike).collect();
    if others.is_empty() {
        return of.name.clone();
    }
    let most = of.root.components().count();
    let is_its_own = |n: &usize| {
        others
            .iter()
            .all(|o| tail(&o.root, *n) != tail(&of.root, *n))
    };
    let n = (1..most).find(is_its_own).unwrap_or(most);
    format!("{} ({})", of.name, tail(&of.root, n).display())
}

/// The last components of a path.
fn tail(path: &Path, n: usize) -> PathBuf {
    let skipped = path.components().count().saturating_sub(n);
    path.components().skip(skipped).collect()
}

/// Whether a project can be off the books. A database that is only looked at may be of the version
/// before that.
fn can_be_forgotten(tx: &Transaction<'_>) -> Result<bool, StoreError> {
    // It came with that table.
    has_table(tx, "aliases")
}

fn on_books(tx: &Transaction<'_>) -> Result<Vec<Each>, StoreError> {
    match can_be_forgotten(tx)? {
        true => each(tx, "WHERE forgotten IS NULL"),
        false => each(tx, ""),
    }
}

fn listed(tx: &Transaction<'_>, which: &str) -> Result<Vec<Project>, StoreError> {
    Ok(each(tx, which)?.into_iter().flatten().collect())
}

/// A row, or where its project is and why it cannot be read.
type Each = Result<Project, (PathBuf, StoreError)>;

fn each(tx: &Transaction<'_>, which: &str) -> Result<Vec<Each>, StoreError> {
    let mut query = tx.prepare_cached(&format!("{SELECT} {which} ORDER BY root"))?;
    let rows = query.query_map([], read)?;
    rows.map(|raw| {
        let raw = raw?;
        let root = PathBuf::from(OsStr::from_bytes(&raw.1));
        Ok(project(raw).map_err(|error| (root, error)))
    })
    .collect()
}

fn registered(project: &Project, again: bool) -> Note<'_> {
    let mut details = json!({ "root": project.root.to_string_lossy(), "name": project.name });
    if again {
        details["again"] = true.into();
    }
    Note {
        act: Act::Register,
        project: Some(&project.id),
        subjects: vec![],
        details,
    }
}

impl Store {
    /// The projects whose rows cannot be read: where they are, and why.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn unreadable_projects(&self) -> Result<Vec<(PathBuf, StoreError)>, StoreError> {
        let each = self.read(on_books)?;
        Ok(each.into_iter().filter_map(Result::err).collect())
    }

    /// The project at this root, if it is on the books.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn project_at(&self, root: &Path) -> Result<Option<Project>, StoreError> {
        let mut all = self.projects()?.into_iter();
        Ok(all.find(|project| project.root == root))
    }

    /// The project with this id.
    ///
    /// # Errors
    /// When there is none.
    pub fn project(&self, id: &ProjectId) -> Result<Project, StoreError> {
        self.read(|tx| {
            let found = by_id(tx, id)?;
            let mut all = all_there(tx)?;
            // One that is off the books is told from all that ever were.
            if all.iter().all(|one| one.id != *id) {
                all = listed(tx, "")?;
            }
            let name = apart(&found, &all);
            Ok(Project { name, ..found })
        })
    }

    /// All projects, by path.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn projects(&self) -> Result<Vec<Project>, StoreError> {
        self.read(all)
    }

    /// The projects' names for people, by their ids, of all that ever were: a record may be of one that
    /// is off the books.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn names_ever(&self) -> Result<BTreeMap<ProjectId, String>, StoreError> {
        let all = self.read(|tx| Ok(told_apart(each(tx, "")?.into_iter().flatten().collect())))?;
        Ok(all.into_iter().map(|p| (p.id, p.name)).collect())
    }

    /// The project that is or ever was at this root, on the books or off. Its name is as it was given:
    /// not told apart from others'.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn ever_at(&self, root: &Path) -> Result<Option<Project>, StoreError> {
        self.read(|tx| at_root(tx, root))
    }

    /// The roots of projects that their user took off the books.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn forgotten_roots(&self) -> Result<Vec<PathBuf>, StoreError> {
        let listed = self.read(|tx| match can_be_forgotten(tx)? {
            true => listed(tx, "WHERE forgotten IS NOT NULL"),
            false => Ok(Vec::new()),
        })?;
        Ok(listed.into_iter().map(|project| project.root).collect())
    }

    /// The project at this root; registers it where there is none, and brings back one that was
    /// taken off the books. A new name replaces the old.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn ensure_project(
        &self,
        trust: &Trust,
        root: &Path,
        name: &str,
        now: Timestamp,
    ) -> Result<Project, StoreError> {
        self.write(|tx| {
            if let Some(mut found) = at_root(tx, root)? {
                if found.name != name {
                    let sql = "UPDATE projects SET name = ?2 WHERE id = ?1";
                    tx.execute(sql, (found.id.as_str(), name))?;
                    name.clone_into(&mut found.name);
                }
                let sql = "UPDATE projects SET forgotten = NULL
                           WHERE id = ?1 AND forgotten IS NOT NULL";
                if tx.execute(sql, [found.id.as_str()])? > 0 {
                    append(tx, trust, registered(&found, true), now)?;
                }
                return Ok(found);
            }
            let id = ProjectId::random()?;
            let sql = "INSERT INTO projects (id, root, name, created) VALUES (?1, ?2, ?3, ?4)";
            let bytes = root.as_os_str().as_bytes();
            tx.execute(sql, (id.as_str(), bytes, name, now.to_string()))?;
            let made = by_id(tx, &id)?;
            append(tx, trust, registered(&made, false), now)?;
            Ok(made)
        })
    }

    /// Says that a project is found elsewhere now. Where it was becomes another folder of its.
    ///
    /// # Errors
    /// When another project is registered there.
    pub fn move_project(
        &self,
        trust: &Trust,
        id: &ProjectId,
        root: &Path,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(|tx| {
            let before = by_id(tx, id)?.root;
            if at_root(tx, root)?.is_some_and(|p| p.id != *id) {
                return Err(StoreError::RootTaken(root.to_owned()));
            }
            let sql = "UPDATE projects SET root = ?2 WHERE id = ?1";
            tx.execute(sql, (id.as_str(), root.as_os_str().as_bytes()))?;
            super::aliases::put(tx, id, &before, now)?;
            // What a person trusted was the folder that they named.
            super::grants::remove(tx, id)?;
            let note = Note {
                act: Act::MoveProject,
                project: Some(id),
                subjects: vec![],
                details: json!({ "from": before.to_string_lossy(), "to": root.to_string_lossy() }),
            };
            append(tx, trust, note, now).map(drop)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_alike_are_told_apart_by_as_much_of_the_path_as_it_takes() {
        let of = |name: &str, root: &str| Project {
            id: ProjectId::random().unwrap(),
            root: root.into(),
            name: name.to_owned(),
            created: Timestamp::UNIX_EPOCH,
        };
        let all = [
            of("app", "/w/app"),
            of("app", "/w/app2"),
            of("web", "/a/web"),
            of("web", "/b/web"),
            of("web", "/b/c/web"),
            of("one", "/b/one"),
            of("top", "/"),
            of("top", "/top"),
        ];
        let names: Vec<_> = told_apart(all.to_vec())
            .into_iter()
            .map(|p| p.name)
            .collect();
        let told = [
            "app (app)",
            "app (app2)",
            "web (a/web)",
            "web (b/web)",
            "web (c/web)",
            "one",
            "top (/)",
            "top (top)",
        ];
        assert_eq!(names, told);
    }
}
