//! Other folders of projects: worktrees, and where a project lay before. Kept for the day when they
//! are gone, since sessions go on naming them.

use super::error::StoreError;
use super::lenient::text;
use super::open::{Store, has_table};
use super::projects::{self, parse};
use crate::config::{Places, Settings};
use crate::id::ProjectId;
use crate::project::Known;
use jiff::Timestamp;
use rusqlite::Transaction;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Another folder of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherFolder {
    /// Its absolute path.
    pub path: PathBuf,
    /// Whose it is or was.
    pub project: ProjectId,
}

fn all(tx: &Transaction<'_>) -> Result<Vec<OtherFolder>, StoreError> {
    if !has_table(tx, "aliases")? {
        return Ok(Vec::new());
    }
    let mut query = tx.prepare_cached("SELECT path, project FROM aliases ORDER BY path")?;
    let rows = query.query_map([], |row| Ok((row.get::<_, Vec<u8>>(0)?, text(row, 1)?)))?;
    let mut all = Vec::new();
    for row in rows {
        let (path, project) = row?;
        // One that belongs to nobody tells nothing, and takes the others not along.
        if let Ok(project) = parse("project id", &project) {
            let path = PathBuf::from(OsStr::from_bytes(&path));
            all.push(OtherFolder { path, project });
        }
    }
    Ok(all)
}

/// Says that a folder is another one of a project's, whoever's it was.
pub(super) fn put(
    tx: &Transaction<'_>,
    project: &ProjectId,
    path: &Path,
    now: Timestamp,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO aliases (path, project, at) VALUES (?1, ?2, ?3)
               ON CONFLICT (path) DO UPDATE SET project = excluded.project, at = excluded.at";
    let bytes = path.as_os_str().as_bytes();
    tx.prepare_cached(sql)?
        .execute((bytes, project.as_str(), now.to_string()))?;
    Ok(())
}

impl Store {
    /// Everything by which a directory is told to be a project's: the configuration, all projects,
    /// their other folders, and the worktrees that their repositories know now.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn known(&self, settings: &Settings, places: &Places) -> Result<Known, StoreError> {
        let (projects, others) = self.read(|tx| Ok((projects::all(tx)?, all(tx)?)))?;
        let mut known = Known::configured(settings, places);
        for project in &projects {
            // What a repository lists counts before what was seen once.
            known.add_project(&project.root);
        }
        for root in self.forgotten_roots()? {
            known.add_forgotten(&root);
        }
        for other in others {
            if let Some(project) = projects.iter().find(|p| p.id == other.project) {
                known.add_alias(&other.path, &project.root);
            }
        }
        Ok(known)
    }

    /// Remembers the worktrees that the repositories of projects list now, for the day when they
    /// are gone. Writes only when there is something new; gives how many there were.
    ///
    /// To be called where sessions are read or begin.
    ///
    /// # Errors
    /// When the database cannot be read or written.
    pub fn remember_worktrees(&self, known: &Known, now: Timestamp) -> Result<usize, StoreError> {
        let (projects, others) = self.read(|tx| Ok((projects::all(tx)?, all(tx)?)))?;
        let mut new = Vec::new();
        for (tree, root) in known.worktrees() {
            let Some(project) = projects.iter().find(|p| p.root == root) else {
                continue;
            };
            let other = others.iter().find(|other| other.path == tree.path);
            // One that is gone may have become another's before it went.
            let is_new = match other {
                Some(other) => tree.is_live && other.project != project.id,
                None => true,
            };
            if is_new {
                new.push((&tree.path, &project.id));
            }
        }
        if !new.is_empty() {
            self.write(|tx| {
                let mut all = new.iter();
                all.try_for_each(|(path, project)| put(tx, project, path, now))
            })?;
        }
        Ok(new.len())
    }

    /// Other folders that are or were a project's.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn other_folders(&self, project: &ProjectId) -> Result<Vec<PathBuf>, StoreError> {
        let all = self.read(all)?.into_iter();
        let its = all.filter(|other| other.project == *project);
        Ok(its.map(|other| other.path).collect())
    }
}
