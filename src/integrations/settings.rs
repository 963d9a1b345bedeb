//! A tool's settings file: read, and written with the rights it had, through a link to where it is.

use super::json::SyntaxError;
use crate::fs::{self, FsError};
use sha2::{Digest, Sha256};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Larger files are no settings.
const LIMIT: u64 = 4 << 20;

/// Why a tool's settings were left as they are.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// They cannot be read or written.
    #[error(transparent)]
    Fs(#[from] FsError),
    /// They are not what memd can change without breaking them.
    #[error("{path:?}, {source}")]
    Syntax {
        /// The file.
        path: PathBuf,
        /// What and where.
        source: SyntaxError,
    },
    /// A link that leads nowhere.
    #[error(
        "{path:?} is a link to a file that is not there; make that file, or take the link away"
    )]
    Dangling {
        /// The link.
        path: PathBuf,
    },
    /// Somebody wrote the file meanwhile.
    #[error("{path:?} was changed meanwhile; nothing was written, try again")]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

/// A settings file as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The file itself, links resolved.
    pub path: PathBuf,
    /// Its text; `None`: there is no such file.
    pub text: Option<String>,
    mode: u32,
}

impl Settings {
    /// Reads it.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    pub fn read(path: &Path) -> Result<Self, SettingsError> {
        let is_link = std::fs::symlink_metadata(path).is_ok_and(|m| m.is_symlink());
        let real = match path.canonicalize() {
            Ok(real) => real,
            Err(_) if is_link => {
                return Err(SettingsError::Dangling {
                    path: path.to_owned(),
                });
            }
            // Its folder may be a link.
            Err(_) => in_real_folder(path),
        };
        let text = match fs::read_text(&real, LIMIT) {
            Ok(text) => Some(text),
            Err(e) if e.is_missing() => None,
            Err(e) => return Err(e.into()),
        };
        let mode = std::fs::metadata(&real).map_or(0o600, |m| m.permissions().mode() & 0o7777);
        Ok(Self {
            path: real,
            text,
            mode,
        })
    }

    /// Its text, empty where there is no file.
    #[must_use]
    pub fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// An error in its text.
    #[must_use]
    pub fn wrong(&self, source: SyntaxError) -> SettingsError {
        SettingsError::Syntax {
            path: self.path.clone(),
            source,
        }
    }

    /// Writes a new text, or takes the file away. The file must still be as it was read.
    ///
    /// # Errors
    /// When it was changed meanwhile, or cannot be written; then the old file stands.
    pub fn write(&self, text: Option<&str>) -> Result<(), SettingsError> {
        if Self::read(&self.path)?.text != self.text {
            return Err(SettingsError::Changed {
                path: self.path.clone(),
            });
        }
        match text {
            Some(text) => {
                if let Some(dir) = self.path.parent() {
                    fs::private_dir(dir)?;
                }
                fs::write_atomic(&self.path, text.as_bytes(), self.mode)?;
            }
            None => std::fs::remove_file(&self.path).map_err(FsError::io("remove", &self.path))?,
        }
        Ok(())
    }

    /// What a text is known by: the SHA-256 of its bytes.
    #[must_use]
    pub fn hash(text: &str) -> String {
        let hash = Sha256::digest(text.as_bytes());
        hash.iter().map(|b| format!("{b:02x}")).collect()
    }
}

fn in_real_folder(path: &Path) -> PathBuf {
    match (path.parent().map(Path::canonicalize), path.file_name()) {
        (Some(Ok(dir)), Some(name)) => dir.join(name),
        _ => path.to_owned(),
    }
}
