//! The config file: read, checked with line and column, rewritten without losing a key.

use super::places::Places;
use super::reading::{self, Reader};
use super::settings::Settings;
use crate::fs::{self, FsError};
use crate::lock::LockError;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// At most this many bytes of configuration are read.
const LIMIT: u64 = 1 << 20;

/// Why the configuration cannot be used. Nothing is changed then.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// It cannot be read or written.
    #[error(transparent)]
    Fs(#[from] FsError),
    /// Another memd changes it.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// It is no JSON.
    #[error("{path:?}, line {line}, column {column}: {what}")]
    Syntax {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// What the parser met.
        what: String,
    },
    /// A key has a value it cannot have.
    #[error("{path:?}, line {line}, column {column}: \"{key}\" must be {expected}")]
    Value {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// The key, dotted.
        key: String,
        /// What it may be.
        expected: &'static str,
    },
}

/// The file as typed, beside what it means.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    path: PathBuf,
    pub(super) home: PathBuf,
    pub(super) raw: Map<String, Value>,
    /// What it means.
    pub settings: Settings,
}

impl Config {
    /// Reads the file; a missing one means the defaults.
    ///
    /// # Errors
    /// When it cannot be read, is no JSON object, or a known key has a wrong value.
    pub fn load(places: &Places) -> Result<Self, ConfigError> {
        let path = &places.config;
        let text = match fs::read_text(&follow(path), LIMIT) {
            Ok(text) => text,
            Err(e) if e.is_missing() => "{}".to_owned(),
            Err(e) => return Err(e.into()),
        };
        let raw = parse(path, &text)?;
        let settings = Reader::new(path, &text, &places.home).settings(&raw)?;
        Ok(Self {
            path: path.clone(),
            home: places.home.clone(),
            raw,
            settings,
        })
    }

    /// The keys that memd does not read, dotted (`budgets.stat`): misspelled, or of another version.
    /// They are kept, and do nothing.
    #[must_use]
    pub fn unread_keys(&self) -> Vec<String> {
        reading::unread(&self.raw)
    }

    /// Writes the file, through a link if it is one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self) -> Result<(), ConfigError> {
        let path = follow(&self.path);
        if let Some(dir) = path.parent() {
            fs::private_dir(dir)?;
        }
        let mut text = serde_json::to_string_pretty(&self.raw).unwrap_or_default();
        text.push('\n');
        Ok(fs::write_atomic(&path, text.as_bytes(), 0o600)?)
    }
}

/// People keep their configuration elsewhere and link it.
fn follow(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn parse(path: &Path, text: &str) -> Result<Map<String, Value>, ConfigError> {
    let value: Value = serde_json::from_str(text).map_err(|e| ConfigError::Syntax {
        path: path.to_owned(),
        line: e.line(),
        column: e.column(),
        what: without_position(&e.to_string()),
    })?;
    match value {
        Value::Object(map) => Ok(map),
        _ => Err(ConfigError::Syntax {
            path: path.to_owned(),
            line: 1,
            column: 1,
            what: "expected one JSON object, as in {\"model_small\": \"haiku\"}".to_owned(),
        }),
    }
}

fn without_position(message: &str) -> String {
    message
        .split(" at line ")
        .next()
        .unwrap_or(message)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::settings::CuratorChoice;
    use super::*;

    fn load(text: &str) -> (tempfile::TempDir, Result<Config, ConfigError>) {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().to_owned();
        let places = Places::from_env(|n| (n == "HOME").then(|| home.clone().into())).unwrap();
        std::fs::create_dir_all(places.config.parent().unwrap()).unwrap();
        std::fs::write(&places.config, text).unwrap();
        let config = Config::load(&places);
        (dir, config)
    }

    fn error(text: &str) -> String {
        let message = load(text).1.unwrap_err().to_string();
        message.split_once("config.json\"").unwrap().1.to_owned()
    }

    #[test]
    fn a_missing_file_means_the_defaults_and_known_keys_are_read() {
        let (_dir, config) = load(
            "{\"curator_cmd\": [\"llm\", \"-m\", \"{model}\"], \"budgets\": {\"state\": 5}, \"exclude\": [\"~/x\"]}",
        );
        let settings = config.unwrap().settings;
        assert!(matches!(settings.curator, CuratorChoice::Command(argv) if argv[0] == "llm"));
        assert_eq!(
            (settings.limits.budgets.state, settings.limits.budgets.todo),
            (5, 10_000)
        );
        assert!(settings.exclude[0].is_absolute());
        assert_eq!(
            load("{}").1.unwrap().settings.curator,
            CuratorChoice::Claude
        );
    }

    #[test]
    fn mistakes_are_named_with_line_and_column() {
        assert!(error("{\n  \"model_small\": haiku\n}").starts_with(", line 2, column 1"));
        assert_eq!(
            error("[]"),
            ", line 1, column 1: expected one JSON object, as in {\"model_small\": \"haiku\"}"
        );
        assert_eq!(
            error("{\n \"sweep_jobs\": 0}"),
            ", line 2, column 2: \"sweep_jobs\" must be a whole number of one or more"
        );
        assert_eq!(
            error("{\"lapse_days\": {\"state\": 0}}"),
            ", line 1, column 17: \"state\" must be a whole number of days, from 1 to 3650"
        );
        assert!(
            error("{\"memory_own_repo\": false}")
                .contains("never goes into the project's own history")
        );
        assert!(error("{\"curator\": \"command\"}").contains("with curator_cmd"));
        assert!(error("{\"projects\": {\"relative\": {}}}").contains("absolute path"));
    }

    #[test]
    fn a_key_that_is_misspelled_is_told_and_every_other_is_read() {
        let (_dir, config) = load(
            "{\"quite_seconds\": 1, \"budgets\": {\"stat\": 1, \"todo\": 1},
              \"projects\": {\"~/a\": {\"name\": \"a\", \"nmae\": \"b\"}}}",
        );
        let unread = config.unwrap().unread_keys();
        assert_eq!(
            unread,
            ["quite_seconds", "budgets.stat", "projects.~/a.nmae"]
        );
    }

    #[test]
    fn the_keys_of_the_documentation_are_those_that_are_read() {
        let doc = include_str!("../../docs/config.md");
        let rows = doc.lines().filter(|l| l.starts_with("| `"));
        let keys = rows.flat_map(|row| {
            let first = row.split('|').nth(1).unwrap_or_default();
            first.split('`').skip(1).step_by(2).collect::<Vec<_>>()
        });
        let keys: Vec<&str> = keys.collect();
        assert!(keys.len() > 20, "{keys:?}");
        for key in keys {
            // No key may hold this, so whichever is read refuses it, or what lies in it.
            let told = error(&format!("{{\"{key}\": {{\"state\": {{}}, \"x\": 1}}}}"));
            assert!(told.contains(key) || told.contains("state"), "{told}");
            let (_dir, config) = load("{}");
            let mut config = config.unwrap();
            config.raw.insert(key.to_owned(), serde_json::Value::Null);
            assert_eq!(config.unread_keys(), [""; 0]);
        }
    }

    #[test]
    fn registering_a_project_keeps_unknown_keys_and_their_order() {
        let (_dir, config) = load("{\"zeta\": 1, \"alpha\": {\"b\": 2}}");
        let mut config = config.unwrap();
        config.register(Path::new("/p"), "p");
        config.save().unwrap();
        let text = std::fs::read_to_string(&config.path).unwrap();
        let (zeta, alpha, projects) = (
            text.find("zeta").unwrap(),
            text.find("alpha").unwrap(),
            text.find("/p").unwrap(),
        );
        assert!(zeta < alpha && alpha < projects);
    }
}
