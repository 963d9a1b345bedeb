//! Paths as they are written and as they are: without links and dots, and in Windows spellings.

use std::path::{Component, Path, PathBuf};

/// A path without `.` and `..`.
pub(super) fn lexical(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                clean.pop();
            }
            Component::CurDir => {}
            part => clean.push(part),
        }
    }
    clean
}

/// What of a path exists, links resolved, and the rest as it is written.
#[must_use]
pub fn resolve(path: &Path) -> PathBuf {
    let path = lexical(path);
    let existing = path
        .ancestors()
        .find_map(|dir| Some((dir, dir.canonicalize().ok()?)));
    match existing.and_then(|(dir, real)| Some(real.join(path.strip_prefix(dir).ok()?))) {
        // Joining nothing leaves a slash at the end.
        Some(resolved) => resolved.components().collect(),
        None => path,
    }
}

/// A path in a Windows spelling, with slashes and a capital drive letter.
pub(super) fn windows(path: &Path) -> Option<String> {
    let text = path.to_str()?;
    let bytes = text.as_bytes();
    let drive = bytes.len() >= 3
        && bytes[0].is_ascii_alphabetic()
        && bytes[1] == b':'
        && matches!(bytes[2], b'\\' | b'/');
    if !drive && !text.starts_with(r"\\") {
        return None;
    }
    let mut clean: String = text.replace('\\', "/");
    if drive {
        clean[..1].make_ascii_uppercase();
    }
    while clean.len() > 3 && clean.ends_with('/') {
        clean.pop();
    }
    Some(clean)
}

/// A Windows path cannot be looked at from here: by its registered root, else it stands for
/// itself. Case does not tell such paths apart.
pub(super) fn windows_root<'a>(
    cwd: &str,
    registered: impl Iterator<Item = &'a Path>,
) -> Option<PathBuf> {
    let folded = cwd.to_lowercase();
    let holds = |root: &str| {
        folded
            .strip_prefix(&root.to_lowercase())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let known = registered
        .filter_map(windows)
        .filter(|root| holds(root))
        .max_by_key(String::len);
    let root = known.unwrap_or_else(|| cwd.to_owned());
    let is_drive = root.len() <= 3;
    (!is_drive).then(|| PathBuf::from(root))
}
