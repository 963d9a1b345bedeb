//! Where memd keeps things, from the environment as handed in.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// There is no home directory to work from.
#[derive(Debug, thiserror::Error)]
#[error("HOME is not set to an absolute path; memd needs it to find its configuration and state")]
pub struct NoHome;

/// The absolute places memd reads and writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// The user's home.
    pub home: PathBuf,
    /// `…/memd/config.json`.
    pub config: PathBuf,
    /// `…/memd`, 0700.
    pub state: PathBuf,
    /// Claude Code's folder: `$CLAUDE_CONFIG_DIR`, else `~/.claude`.
    pub claude: PathBuf,
    /// Codex's folder: `$CODEX_HOME`, else `~/.codex`.
    pub codex: PathBuf,
    /// Gemini CLI's folder: `.gemini` in `$GEMINI_CLI_HOME`, else in the home.
    pub gemini: PathBuf,
}

impl Places {
    /// Places by the XDG rules: a relative `XDG_*` value is ignored, as the standard asks.
    ///
    /// # Errors
    /// When `HOME` is unset or relative.
    pub fn from_env(env: impl Fn(&str) -> Option<OsString>) -> Result<Self, NoHome> {
        let absolute = |name: &str| env(name).map(PathBuf::from).filter(|p| p.is_absolute());
        let home = absolute("HOME").ok_or(NoHome)?;
        let config = absolute("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"));
        let state = absolute("XDG_STATE_HOME").unwrap_or_else(|| home.join(".local/state"));
        let claude = absolute("CLAUDE_CONFIG_DIR").unwrap_or_else(|| home.join(".claude"));
        let codex = absolute("CODEX_HOME").unwrap_or_else(|| home.join(".codex"));
        let gemini = absolute("GEMINI_CLI_HOME").unwrap_or_else(|| home.clone());
        Ok(Self {
            codex,
            gemini: gemini.join(".gemini"),
            config: config.join("memd/config.json"),
            state: state.join("memd"),
            claude,
            home,
        })
    }

    /// The database.
    #[must_use]
    pub fn database(&self) -> PathBuf {
        self.state.join("memd.db")
    }

    /// The key.
    #[must_use]
    pub fn key(&self) -> PathBuf {
        self.state.join("key")
    }

    /// The key that is to follow it, while a rotation is under way.
    #[must_use]
    pub fn next_key(&self) -> PathBuf {
        self.state.join("key.next")
    }

    /// The folder of lock files.
    #[must_use]
    pub fn locks(&self) -> PathBuf {
        self.state.join("locks")
    }

    /// The log.
    #[must_use]
    pub fn log(&self) -> PathBuf {
        self.state.join("memd.log")
    }

    /// What hooks leave for memd to do: one file each.
    #[must_use]
    pub fn jobs(&self) -> PathBuf {
        self.state.join("jobs")
    }

    /// The empty folder a curator runs in.
    #[must_use]
    pub fn curator(&self) -> PathBuf {
        self.state.join("curator")
    }

    /// Whether a directory is memd's own: sessions from there are no material.
    #[must_use]
    pub fn is_own(&self, dir: &Path) -> bool {
        dir.starts_with(&self.state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xdg_and_claude_folders_are_honoured_and_relative_ones_ignored() {
        let env = |name: &str| match name {
            "HOME" => Some("/h".into()),
            "XDG_STATE_HOME" => Some("/s".into()),
            "XDG_CONFIG_HOME" => Some("relative".into()),
            "CLAUDE_CONFIG_DIR" => Some("/c".into()),
            "CODEX_HOME" => Some("/x".into()),
            _ => None,
        };
        let places = Places::from_env(env).unwrap();
        assert_eq!(places.config, Path::new("/h/.config/memd/config.json"));
        assert_eq!(places.database(), Path::new("/s/memd/memd.db"));
        assert_eq!(places.claude, Path::new("/c"));
        assert_eq!(places.codex, Path::new("/x"));
        assert_eq!(places.gemini, Path::new("/h/.gemini"));
        assert!(Places::from_env(|_| None).is_err());
    }
}
