//! The tool's folder of one project, and whose project that is.

use crate::fs::open_plain;
use crate::id::hex;
use crate::source::session::Where;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::io::Read;
use std::path::{Path, PathBuf};

/// At most so much of a small file of the tool's is read, in bytes.
const LIMIT: u64 = 4 << 20;

/// What is known of the roots of projects: the tool's own list, and memd's.
#[derive(Debug, Default)]
pub(super) struct Roots {
    /// Roots by the name of their folder, as the tool's list says.
    listed: Vec<(String, PathBuf)>,
    /// Roots by their hash.
    hashed: Vec<(String, PathBuf)>,
}

impl Roots {
    /// Reads the tool's list, and hashes what the user configured.
    pub fn of(at: Where<'_>, gemini: &Path) -> Roots {
        let list = read(&gemini.join("projects.json")).unwrap_or_default();
        let list: Value = serde_json::from_str(&list).unwrap_or_default();
        let list = list.get("projects").and_then(Value::as_object);
        let named =
            |(root, name): (&String, &Value)| Some((name.as_str()?.to_owned(), absolute(root)?));
        let listed: Vec<_> = list.into_iter().flatten().filter_map(named).collect();
        let configured = at.settings.projects.keys().cloned();
        let own = at.places.curator();
        let all = listed.iter().map(|(_, root)| root.clone());
        let all = all
            .chain(configured)
            .chain([own, at.settings.global_root.clone()]);
        Roots {
            hashed: all.map(|root| (hash(&root), root)).collect(),
            listed,
        }
    }

    /// The root of the project whose folder this is, or whose hash a session tells.
    pub fn find(&self, folder: &Path, hash: &str) -> Option<PathBuf> {
        let marked = read(&folder.join(".project_root"));
        let marked = marked.and_then(|text| absolute(text.trim()));
        let name = folder.file_name()?.to_string_lossy();
        let by = |list: &[(String, PathBuf)], name: &str| {
            let found = list.iter().find(|(known, _)| known == name);
            found.map(|(_, root)| root.clone())
        };
        marked
            .or_else(|| by(&self.listed, &name))
            .or_else(|| by(&self.hashed, &name))
            .or_else(|| by(&self.hashed, hash))
    }
}

/// A root's hash as the tool makes it.
fn hash(root: &Path) -> String {
    hex(&Sha256::digest(root.to_string_lossy().as_bytes()))
}

/// A path that is one; what the tool writes on Windows too.
pub(super) fn absolute(path: &str) -> Option<PathBuf> {
    let is_drive =
        matches!(path.as_bytes(), [c, b':', b'/' | b'\\', ..] if c.is_ascii_alphabetic());
    let is_plain = !path.contains(['\0', '\n']);
    let is_absolute = is_drive || path.starts_with('/') || path.starts_with(r"\\");
    (is_absolute && is_plain).then(|| PathBuf::from(path))
}

/// A small plain file; a pipe would be waited for.
fn read(path: &Path) -> Option<String> {
    if !std::fs::metadata(path).is_ok_and(|meta| meta.is_file()) {
        return None;
    }
    let mut text = String::new();
    let file = open_plain(path).ok()?;
    file.take(LIMIT).read_to_string(&mut text).ok()?;
    Some(text)
}
