//! Whether libgit2 may open what stands in a repository: it opens whatever has the right name, and
//! waits for a pipe for ever.

mod named;

use super::GitError;
use crate::fs::{self, FsError};
use std::path::{Path, PathBuf};

/// How deep folders of a repository are looked through: names of branches may have many parts.
const DEEPEST: usize = 32;
/// How far object stores may lie behind each other.
const STORES: usize = 5;
/// At most this many bytes are read of a file that names another folder.
const LIMIT: u64 = 1 << 16;
/// At most this many bytes are read of a configuration.
const CONFIG_LIMIT: u64 = 1 << 20;

/// At most this many bytes are in what libgit2 reads whole of a memory's repository.
const WHOLE: [(&str, u64); 4] = [
    ("HEAD", LIMIT),
    ("packed-refs", 16 << 20),
    ("shallow", 1 << 20),
    ("index", 64 << 20),
];

/// All of a repository's folder, and the object stores that it borrows from.
pub(super) fn check(dir: &Path) -> Result<(), GitError> {
    fs::refuse_endless_in(dir, DEEPEST)?;
    for (name, limit) in WHOLE {
        no_larger(&dir.join(name), limit)?;
    }
    small_refs(&dir.join("refs"), DEEPEST)?;
    borrowed(&dir.join("objects"), STORES)?;
    match pointed(&dir.join("commondir"), "")? {
        Some(common) => check_store(&dir.join(common)),
        None => Ok(()),
    }
}

fn no_larger(path: &Path, limit: u64) -> Result<(), FsError> {
    let size = std::fs::metadata(path).map_or(0, |found| found.len());
    match size > limit {
        true => Err(FsError::TooLarge {
            path: path.to_owned(),
            size,
            limit,
        }),
        false => Ok(()),
    }
}

/// Each names one commit.
fn small_refs(dir: &Path, depth: usize) -> Result<(), FsError> {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
        match depth.checked_sub(1).filter(|_| is_dir) {
            Some(depth) => small_refs(&entry.path(), depth)?,
            None if is_dir => {}
            None => no_larger(&entry.path(), LIMIT)?,
        }
    }
    Ok(())
}

/// The configuration of a repository of memd's own: it names no other file, which libgit2 would open
/// whatever it is. The user's, which it reads too, may name others that can be read.
pub(super) fn check_config(dir: &Path) -> Result<(), GitError> {
    named::check_users()?;
    for name in ["config", "config.worktree"] {
        let path = dir.join(name);
        match fs::read_plain(&path, CONFIG_LIMIT) {
            Ok(bytes) => {
                if let Some(line) = includes(&bytes) {
                    return Err(GitError::Includes { path, line });
                }
            }
            Err(e) if e.is_missing() => {}
            Err(e) => return Err(e.into()),
        }
    }
    Ok(())
}

/// The first line, from 1, on which a section may begin that names other files. Sections may follow
/// each other, and a value, on one line; what stands in a string is taken for one too.
fn includes(config: &[u8]) -> Option<usize> {
    let is_comment = |line: &[u8]| matches!(line.trim_ascii_start().first(), Some(b'#' | b';'));
    let names_others = |line: &[u8]| {
        let sections = line.split(|byte| *byte == b'[').skip(1);
        let mut names = sections.filter_map(|section| section.trim_ascii_start().get(..7));
        names.any(|name| name.eq_ignore_ascii_case(b"include"))
    };
    let mut lines = config.split(|byte| *byte == b'\n');
    let found = lines.position(|line| !is_comment(line) && names_others(line));
    found.map(|at| at + 1)
}

fn check_store(common: &Path) -> Result<(), GitError> {
    fs::refuse_endless_in(common, DEEPEST)?;
    Ok(borrowed(&common.join("objects"), STORES)?)
}

fn borrowed(objects: &Path, more: usize) -> Result<(), FsError> {
    let Some(more) = more.checked_sub(1) else {
        return Ok(());
    };
    let list = read(&objects.join("info/alternates"))?.unwrap_or_default();
    for line in list
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
    {
        let store = objects.join(line);
        fs::refuse_endless_in(&store, DEEPEST)?;
        borrowed(&store, more)?;
    }
    Ok(())
}

/// What is opened to find the repository around a folder and to open it: no more, as it is asked
/// for often.
pub(super) fn check_around(root: &Path) -> Result<(), GitError> {
    named::check_users()?;
    // Whether memory is ignored is asked with a name below it.
    fs::refuse_endless(&root.join(".memory/.gitignore"))?;
    for dir in root.ancestors() {
        // A folder may be taken for a repository itself.
        for name in ["commondir", "HEAD", "config", ".gitignore"] {
            fs::refuse_endless(&dir.join(name))?;
        }
        let dot_git = dir.join(".git");
        if dot_git.is_dir() {
            return top(&dot_git);
        }
        if let Some(pointed) = pointed(&dot_git, "gitdir:")? {
            return top(&dir.join(pointed));
        }
    }
    Ok(())
}

fn top(dir: &Path) -> Result<(), GitError> {
    let common = pointed(&dir.join("commondir"), "")?;
    let common = common.map(|common| dir.join(common));
    for dir in [Some(dir.to_owned()), common].into_iter().flatten() {
        fs::refuse_endless_in(&dir, 0)?;
        fs::refuse_endless_in(&dir.join("info"), 0)?;
        named::check(
            ["config", "config.worktree"]
                .map(|name| dir.join(name))
                .into(),
        )?;
    }
    Ok(())
}

/// The folder that a file names, behind a word.
fn pointed(file: &Path, word: &str) -> Result<Option<PathBuf>, FsError> {
    let text = read(file)?;
    let path = text.as_deref().and_then(|t| t.strip_prefix(word));
    Ok(path.map(|path| PathBuf::from(path.trim())))
}

/// A small file, if there is one. What is no text names nothing.
fn read(file: &Path) -> Result<Option<String>, FsError> {
    match fs::read_text(file, LIMIT) {
        Ok(text) => Ok(Some(text)),
        Err(error @ FsError::NotAFile { .. }) if !file.is_dir() && !file.is_file() => Err(error),
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Repo;
    use super::*;

    #[test]
    fn a_configuration_that_names_other_files_is_refused_however_it_is_written() {
        let dir = tempfile::tempdir().unwrap();
        let memory = dir.path();
        Repo::open_or_init(memory).unwrap();
        let config = memory.join(".git/config");
        let plain = std::fs::read_to_string(&config).unwrap();
        for include in [
            "[include]\n\tpath = other\n",
            "[include]path=other\n",
            "\t [INCLUDE]\r\npath = \"oth\\\"er\"\r\n",
            "[ Include ]\npath = oth\\\ner\n",
            "[core][include]path = other",
            "[include \"of a kind\"]\npath = other\n",
            "[includeIf \"gitdir:/\"]\npath = other\n",
            "[includeif.onbranch:main]\npath = other\n",
            "[core]\n# a comment\\\n[include]\npath = other\n",
        ] {
            for name in ["config", "config.worktree"] {
                let path = memory.join(".git").join(name);
                std::fs::write(&path, format!("{plain}{include}")).unwrap();
                let refused = Repo::open(memory).unwrap_err();
                let is_named =
                    matches!(&refused, GitError::Includes { path: at, .. } if *at == path);
                assert!(is_named, "{include:?}: {refused}");
                std::fs::write(&path, &plain).unwrap();
            }
        }
        std::fs::remove_file(memory.join(".git/config.worktree")).unwrap();
        let harmless = "# [include]\n ; [includeIf \"x\"]\n[inc]\ninclude = no\n";
        std::fs::write(&config, format!("{plain}{harmless}")).unwrap();
        Repo::open(memory).unwrap();
        let line = includes(b"[core]\n\n[a \"b\"] [include]\n").unwrap();
        let told = GitError::Includes { path: config, line }.to_string();
        assert!(told.contains(".git/config\" line 3 "), "{told}");
    }

    #[test]
    fn what_would_be_read_whole_is_no_larger_than_it_can_be() {
        let dir = tempfile::tempdir().unwrap();
        let memory = dir.path();
        Repo::open_or_init(memory).unwrap();
        let names = WHOLE.map(|(name, limit)| (name.to_owned(), limit));
        let refs = [
            ("refs/heads/large".to_owned(), LIMIT),
            ("refs/a/b/c".to_owned(), LIMIT),
        ];
        for (name, limit) in names.into_iter().chain(refs) {
            let path = memory.join(".git").join(&name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            let before = std::fs::read(&path).ok();
            let mut file = std::fs::OpenOptions::new();
            let file = file
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path)
                .unwrap();
            file.set_len(limit + 1).unwrap();
            let refused = Repo::open(memory).unwrap_err().to_string();
            assert!(refused.contains(&name), "{name}: {refused}");
            match before {
                Some(bytes) => std::fs::write(&path, bytes).unwrap(),
                None => std::fs::remove_file(&path).unwrap(),
            }
            Repo::open(memory).unwrap();
        }
    }
}
