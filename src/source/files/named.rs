//! The files that patterns name.
//!
//! The user's configuration names them, so they may lie anywhere; but what a pattern leads to inside a
//! project is the project's to change. A link is never followed, and nothing of memd's own is read.

use super::{ENDINGS, Form, LARGEST, form};
use crate::source::session::{Found, Session, Where};
use crate::source::{SourceError, Tool};
use crate::text::count;
use glob::{MatchOptions, Pattern, glob_with};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Files that the patterns of one project may name.
const MOST: usize = 1000;
/// How a pattern is meant: a star stands for no dot at the beginning of a name, and for no slash.
const OPTIONS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: true,
};
/// Folders whose content is memd's or git's.
const NEVER: [&str; 2] = [".memory", ".git"];

/// One pattern of one project.
struct Named {
    /// As it is looked for: the folder before the first star without links.
    pattern: String,
    /// Where everything must lie that it leads to.
    inside: PathBuf,
}

/// Adds the files that projects name, and what of them cannot be read.
pub(super) fn discover(at: Where<'_>, found: &mut Found) {
    for (root, project) in &at.settings.projects {
        let mut known = BTreeSet::new();
        let mut unknown: BTreeMap<String, usize> = BTreeMap::new();
        for text in &project.extra_sources {
            match named(at, root, text) {
                Ok(Some(named)) => files(&named, &mut known, found, text),
                Ok(None) => {}
                Err(why) => found.closed.say(format!("extra_sources {text:?}: {why}")),
            }
        }
        for path in known {
            if is_own(at, &path) {
                continue;
            }
            if form(&path).is_none() {
                let ending = path.extension().unwrap_or_default().to_string_lossy();
                *unknown.entry(ending.into_owned()).or_default() += 1;
                continue;
            }
            match session(&path, root) {
                Ok(session) => found.sessions.push(session),
                Err(error) => found.closed.add(&error),
            }
        }
        for (ending, n) in unknown {
            let files = count(n, "file", "files");
            let root = root.display();
            found.closed.say(format!(
                "cannot read {files} of unknown format ({ending:?}) that extra_sources of {root} names; known are {ENDINGS}"
            ));
        }
    }
}

/// A file as a session of the project that names it.
fn session(path: &Path, root: &Path) -> Result<Session, SourceError> {
    let meta = std::fs::symlink_metadata(path).map_err(SourceError::io(path))?;
    if !meta.is_file() {
        return Err(SourceError::NotAFile {
            path: path.to_owned(),
        });
    }
    let refused = |why: &str| SourceError::Refused {
        path: path.to_owned(),
        why: why.to_owned(),
    };
    if meta.len() > LARGEST {
        return Err(refused("it is larger than 1 GiB"));
    }
    let mut session = Session::of_file(Tool::Text, path)?;
    session.root = Some(root.to_owned());
    if form(path) == Some(Form::Rows) && meta.len() > 0 && !super::rows::is_known(path)? {
        return Err(refused(
            "its lines are of an unknown format; known is {\"role\": …, \"text\": …}",
        ));
    }
    Ok(session)
}

/// The file as a session, if a project names it.
pub(super) fn place(at: Where<'_>, path: &Path) -> Option<Result<Session, SourceError>> {
    form(path)?;
    if is_own(at, path) {
        return None;
    }
    for (root, project) in &at.settings.projects {
        for text in &project.extra_sources {
            let Ok(Some(named)) = named(at, root, text) else {
                continue;
            };
            let pattern = Pattern::new(&named.pattern);
            let is_meant = pattern.is_ok_and(|p| p.matches_path_with(path, OPTIONS));
            if is_meant && path.starts_with(&named.inside) {
                return Some(session(path, root));
            }
        }
    }
    None
}

fn is_own(at: Where<'_>, path: &Path) -> bool {
    let is_never = |part: &std::ffi::OsStr| NEVER.iter().any(|never| part == *never);
    at.places.is_own(path) || path.iter().any(is_never)
}

/// A pattern as it is meant; none when the folder that it begins with is missing.
fn named(at: Where<'_>, root: &Path, text: &str) -> Result<Option<Named>, String> {
    let path = match text.strip_prefix("~/") {
        Some(rest) => at.places.home.join(rest),
        None => root.join(text),
    };
    let is_fixed = |part: &&std::ffi::OsStr| !part.to_string_lossy().contains(['*', '?', '[']);
    let fixed: PathBuf = path.iter().take_while(is_fixed).collect();
    // The last part is a file's name, even without a star.
    let folder = match fixed == path {
        true => path.parent().unwrap_or(&path),
        false => &fixed,
    };
    let rest = path.strip_prefix(folder).unwrap_or(Path::new(""));
    let Ok(real) = folder.canonicalize() else {
        return Ok(None);
    };
    let is_wide = rest.iter().any(|part| part == "**");
    let homes = [at.places.home.canonicalize().ok(), Some(PathBuf::from("/"))];
    if is_wide && homes.iter().flatten().any(|home| home.starts_with(&real)) {
        return Err("\"**\" there would walk through everything; name a folder".to_owned());
    }
    let inside = match (folder.starts_with(root), root.canonicalize()) {
        (true, Ok(root)) => root,
        _ => real.clone(),
    };
    let escaped = Pattern::escape(&real.to_string_lossy());
    Ok(Some(Named {
        pattern: format!("{escaped}/{}", rest.display()),
        inside,
    }))
}

/// Adds the files that a pattern leads to.
fn files(named: &Named, known: &mut BTreeSet<PathBuf>, found: &mut Found, text: &str) {
    let paths = match glob_with(&named.pattern, OPTIONS) {
        Ok(paths) => paths,
        Err(error) => return found.closed.say(format!("extra_sources {text:?}: {error}")),
    };
    for path in paths {
        let path = match path {
            Ok(path) => path,
            Err(error) => {
                found.closed.say(format!("extra_sources {text:?}: {error}"));
                continue;
            }
        };
        if path.is_dir() && !path.is_symlink() {
            continue;
        }
        if known.len() == MOST {
            let line = format!(
                "extra_sources {text:?} names more than {MOST} files; the rest is not read"
            );
            return found.closed.say(line);
        }
        let is_itself = path.canonicalize().is_ok_and(|real| real == path);
        if !is_itself || !path.starts_with(&named.inside) {
            found.closed.say(format!(
                "{path:?} is a link or lies behind one; extra_sources follows none"
            ));
            continue;
        }
        known.insert(path);
    }
}
