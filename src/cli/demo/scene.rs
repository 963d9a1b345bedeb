//! The demo's stage: a home with nothing in it but a small project, and then one session about it.
//!
//! Everything is written below one folder that the caller made for it. Nothing outside is read or
//! touched, neither the user's own home nor their configuration.

use crate::config::Places;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::io;
use std::path::{Path, PathBuf};

/// The made-up project's page, as its only file.
const PAGE: &str = include_str!("../../../assets/demo/project/README.md");
/// The made-up session. `@PROJECT@` stands for the project's folder, `@DAY@` for the day it was on.
const SESSION: &str = include_str!("../../../assets/demo/session.jsonl");
/// What the session file is called.
const SESSION_ID: &str = "5f0c1a9e-0d30-4a57-9d31-7c2be0a4d101";
/// The project's folder and name.
pub(super) const NAME: &str = "quayside";

/// Where the demo plays.
pub(super) struct Scene {
    /// The demo's home, with places of its own for everything.
    pub(super) places: Places,
    /// The project.
    pub(super) project: PathBuf,
}

impl Scene {
    /// Sets the stage in an empty folder.
    ///
    /// # Errors
    /// When the folder cannot be written, or its path is not text.
    pub(super) fn set(home: &Path) -> io::Result<Self> {
        let home = home.canonicalize()?;
        let project = home.join(NAME);
        let places = Places {
            config: home.join(".config/memd/config.json"),
            state: home.join(".local/state/memd"),
            claude: home.join(".claude"),
            codex: home.join(".codex"),
            gemini: home.join(".gemini"),
            home,
        };
        if let Some(folder) = places.config.parent() {
            std::fs::create_dir_all(folder)?;
            // No other is asked here, so that none is missed.
            std::fs::write(&places.config, "{\"curator\": \"builtin\"}\n")?;
        }
        std::fs::create_dir(&project)?;
        std::fs::write(project.join("README.md"), PAGE)?;
        Ok(Self { places, project })
    }

    /// Leaves the session where Claude Code would. Not before the project has its memory: what
    /// was there before is no material.
    ///
    /// # Errors
    /// As for [`Scene::set`].
    pub(super) fn work(&self, now: Timestamp) -> io::Result<()> {
        let sessions = self
            .places
            .claude
            .join("projects")
            .join(encoded(&self.project));
        std::fs::create_dir_all(&sessions)?;
        let session = session_of(&self.project, now)?;
        std::fs::write(sessions.join(format!("{SESSION_ID}.jsonl")), session)
    }
}

/// The session with the project's path in its rows, as JSON writes it; it was yesterday.
fn session_of(project: &Path, now: Timestamp) -> io::Result<String> {
    let path = project
        .to_str()
        .ok_or_else(|| io::Error::other("the folder's path is not UTF-8"))?;
    let quoted = serde_json::to_string(path)?;
    let today = TimeZone::UTC.to_datetime(now).date();
    let day = today.yesterday().map_err(io::Error::other)?;
    let session = SESSION.replace("@PROJECT@", quoted.trim_matches('"'));
    Ok(session.replace("@DAY@", &day.to_string()))
}

/// The folder name that Claude Code gives a project's sessions.
fn encoded(project: &Path) -> String {
    let path = project.to_string_lossy();
    path.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stage_is_whole_and_lies_in_its_folder() {
        let home = tempfile::tempdir().unwrap();
        let scene = Scene::set(home.path()).unwrap();
        assert!(scene.project.join("README.md").is_file());
        let root = home.path().canonicalize().unwrap();
        for place in [
            &scene.places.config,
            &scene.places.state,
            &scene.places.claude,
        ] {
            assert!(place.starts_with(&root), "{place:?}");
        }
    }

    #[test]
    fn each_row_is_json_in_the_project_and_no_secret_stands_in_the_asset() {
        let text = session_of(Path::new("/a \"b\"/quayside"), Timestamp::UNIX_EPOCH).unwrap();
        let rows: Vec<serde_json::Value> = text
            .lines()
            .map(|l| serde_json::from_str(l).unwrap())
            .collect();
        assert!((25..=40).contains(&rows.len()));
        assert!(rows.iter().all(|r| r["cwd"] == "/a \"b\"/quayside"));
        let token = format!("gh{}_", 'p');
        assert!(!SESSION.contains(&token));
        assert!(
            rows.iter().any(|r| r.to_string().contains(&token)),
            "the session lost its secret"
        );
    }
}
