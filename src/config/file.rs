//! The config file: read, checked with line and column, rewritten without losing a key.

use super::impact::HighImpact;
use super::lapses::Lapses;
use super::places::Places;
use super::settings::{CuratorChoice, ProjectSettings, Settings};
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
        let settings = Reader {
            path,
            text: &text,
            home: &places.home,
        }
        .settings(&raw)?;
        Ok(Self {
            path: path.clone(),
            home: places.home.clone(),
            raw,
            settings,
        })
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

/// What most numbers may be.
const NUMBER: &str = "a whole number of zero or more";

struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
    home: &'a Path,
}

impl Reader<'_> {
    fn settings(&self, raw: &Map<String, Value>) -> Result<Settings, ConfigError> {
        let mut s = Settings::defaults(self.home);
        self.asking(raw, &mut s)?;
        self.habits(raw, &mut s)?;
        self.showing(raw, &mut s)?;
        self.where_to(raw, &mut s)?;
        self.budgets(raw, &mut s)?;
        self.high_impact(raw, &mut s)?;
        self.lapses(raw, &mut s)?;
        self.projects(raw, &mut s)?;
        self.curator(raw, &mut s)?;
        Ok(s)
    }

    /// Whom and how much a curator is asked.
    fn asking(&self, raw: &Map<String, Value>, s: &mut Settings) -> Result<(), ConfigError> {
        self.set(raw, "claude_bin", "a text", string, &mut s.claude_bin)?;
        self.set(raw, "model_small", "a text", string, &mut s.model_small)?;
        self.set(raw, "model_large", "a text", string, &mut s.model_large)?;
        self.set(raw, "escalate_chars", NUMBER, size, &mut s.escalate_chars)?;
        self.set(
            raw,
            "digest_cap_chars",
            "a whole number of 1000 or more",
            cap,
            &mut s.digest_cap_chars,
        )?;
        let caps = &mut s.caps;
        self.set(raw, "daily_calls", NUMBER, Value::as_u64, &mut caps.calls)?;
        self.set(raw, "daily_chars", NUMBER, Value::as_u64, &mut caps.chars)?;
        let dollars = "a number of zero or more, in US dollars";
        self.set(raw, "daily_usd", dollars, micros, &mut caps.micros)
    }

    /// What is done without being asked for.
    fn habits(&self, raw: &Map<String, Value>, s: &mut Settings) -> Result<(), ConfigError> {
        self.set(
            raw,
            "quiet_seconds",
            NUMBER,
            Value::as_u64,
            &mut s.quiet_seconds,
        )?;
        self.set(
            raw,
            "sweep_jobs",
            "a whole number of one or more",
            jobs,
            &mut s.sweep_jobs,
        )?;

        self.set(raw, "sweep_calls", NUMBER, size, &mut s.sweep_calls)?;
        self.set(
            raw,
            "auto_scaffold",
            "true or false",
            Value::as_bool,
            &mut s.auto_scaffold,
        )?;
        self.set(
            raw,
            "git_commit",
            "true or false",
            Value::as_bool,
            &mut s.git_commit,
        )
    }

    /// What is hidden, and how much a brief shows.
    fn showing(&self, raw: &Map<String, Value>, s: &mut Settings) -> Result<(), ConfigError> {
        let patterns = "a list of regular expressions";
        self.set(
            raw,
            "REDACT_EXTRA_PATTERNS",
            patterns,
            strings,
            &mut s.redact_extra_patterns,
        )?;
        self.set(
            raw,
            "global_brief_chars",
            "a whole number",
            Value::as_i64,
            &mut s.global_brief_chars,
        )?;
        self.set(raw, "brief_chars", NUMBER, size, &mut s.brief_chars)?;
        self.set(
            raw,
            "brief_decisions_days",
            "a whole number",
            Value::as_i64,
            &mut s.brief_decisions_days,
        )
    }

    /// What is a project, and where memory goes.
    fn where_to(&self, raw: &Map<String, Value>, s: &mut Settings) -> Result<(), ConfigError> {
        let path = |v: &Value| self.absolute(v);
        self.set(
            raw,
            "global_root",
            "an absolute path",
            path,
            &mut s.global_root,
        )?;
        self.set(
            raw,
            "antigravity_dir",
            "an absolute path",
            path,
            &mut s.antigravity_dir,
        )?;
        let paths = |v: &Value| v.as_array()?.iter().map(|v| self.absolute(v)).collect();
        self.set(
            raw,
            "exclude",
            "a list of absolute paths",
            paths,
            &mut s.exclude,
        )?;
        let mut own_repo = true;
        let only_true = |v: &Value| v.as_bool().filter(|own| *own);
        let why = "true: memory never goes into the project's own history";
        self.set(raw, "memory_own_repo", why, only_true, &mut own_repo)
    }

    fn set<T>(
        &self,
        raw: &Map<String, Value>,
        key: &str,
        expected: &'static str,
        read: impl Fn(&Value) -> Option<T>,
        into: &mut T,
    ) -> Result<(), ConfigError> {
        if let Some(value) = raw.get(key) {
            *into = read(value).ok_or_else(|| self.wrong(key, key, expected))?;
        }
        Ok(())
    }

    fn budgets(&self, raw: &Map<String, Value>, s: &mut Settings) -> Result<(), ConfigError> {
        let Some(value) = raw.get("budgets") else {
            return Ok(());
        };
        let map = value
            .as_object()
            .ok_or_else(|| self.wrong("budgets", "budgets", "an object of file and characters"))?;
        self.set(map, "state", NUMBER, size, &mut s.limits.budgets.state)?;
        self.set(
            map,
            "decisions",
            NUMBER,
            size,
            &mut s.limits.budgets.decisions,
        )?;
        self.set(map, "todo", NUMBER, size, &mut s.limits.budgets.todo)?;
        self.set(
            map,
            "mistakes",
            NUMBER,
            size,
            &mut s.limits.budgets.mistakes,
        )
    }

    fn high_impact(&self, raw: &Map<String, Value>, s: &mut Settings) -> Result<(), ConfigError> {
        let words = |v: &Value| strings(v).map(|words| HighImpact::new(&words));
        let expected = "a list of words, or of their beginnings";
        let into = &mut s.limits.high_impact;
        self.set(raw, "high_impact", expected, words, into)
    }

    fn lapses(&self, raw: &Map<String, Value>, s: &mut Settings) -> Result<(), ConfigError> {
        let Some(value) = raw.get("lapse_days") else {
            return Ok(());
        };
        let map = value
            .as_object()
            .ok_or_else(|| self.wrong("lapse_days", "lapse_days", "an object of file and days"))?;
        let expected = "a whole number of days, from 1 to 3650";
        let into = &mut s.lapse_days;
        self.set(map, "state", expected, days, &mut into.state)?;
        self.set(map, "decisions", expected, days, &mut into.decisions)?;
        self.set(map, "todo", expected, days, &mut into.todo)?;
        self.set(map, "mistakes", expected, days, &mut into.mistakes)
    }

    fn projects(&self, raw: &Map<String, Value>, s: &mut Settings) -> Result<(), ConfigError> {
        let Some(value) = raw.get("projects") else {
            return Ok(());
        };
        let expected = "an object of absolute path and settings";
        let wrong = |needle: &str| self.wrong("projects", needle, expected);
        for (path, value) in value.as_object().ok_or_else(|| wrong("projects"))? {
            let root = self.expand(path).ok_or_else(|| wrong(path))?;
            let map = value.as_object().ok_or_else(|| wrong(path))?;
            let mut project = ProjectSettings::default();
            let name = |v: &Value| string(v).map(Some);
            self.set(map, "name", "a text", name, &mut project.name)?;
            self.set(
                map,
                "extra_sources",
                "a list of globs",
                strings,
                &mut project.extra_sources,
            )?;
            self.set(
                map,
                "global",
                "true or false",
                Value::as_bool,
                &mut project.global,
            )?;
            s.projects.insert(root, project);
        }
        Ok(())
    }

    /// `curator` names one; without it a `curator_cmd` is used where there is one.
    fn curator(&self, raw: &Map<String, Value>, s: &mut Settings) -> Result<(), ConfigError> {
        let mut argv = Vec::new();
        self.set(
            raw,
            "curator_cmd",
            "a list of texts: a program and its arguments",
            strings,
            &mut argv,
        )?;
        let expected = "\"claude\", \"command\" (with curator_cmd) or \"builtin\"";
        let wrong = || self.wrong("curator", "curator", expected);
        s.curator = match raw.get("curator") {
            None if argv.is_empty() => CuratorChoice::Claude,
            None => CuratorChoice::Command(argv),
            Some(Value::String(name)) => match name.as_str() {
                "claude" => CuratorChoice::Claude,
                "builtin" => CuratorChoice::Builtin,
                "command" if !argv.is_empty() => CuratorChoice::Command(argv),
                _ => return Err(wrong()),
            },
            Some(_) => return Err(wrong()),
        };
        Ok(())
    }

    fn absolute(&self, value: &Value) -> Option<PathBuf> {
        self.expand(value.as_str()?)
    }

    fn expand(&self, path: &str) -> Option<PathBuf> {
        expand(self.home, path)
    }

    /// Values carry no position after parsing; the key's first place in the text is near enough.
    fn wrong(&self, key: &str, needle: &str, expected: &'static str) -> ConfigError {
        let quoted = serde_json::to_string(needle).unwrap_or_default();
        let at = self.text.find(&quoted).unwrap_or(0);
        let before = &self.text[..at];
        ConfigError::Value {
            path: self.path.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before.len() - before.rfind('\n').map_or(0, |n| n + 1) + 1,
            key: key.to_owned(),
            expected,
        }
    }
}

/// An absolute path, `~` meaning the home.
pub(super) fn expand(home: &Path, path: &str) -> Option<PathBuf> {
    let path = match path.strip_prefix("~/") {
        Some(rest) => home.join(rest),
        None if path == "~" => home.to_owned(),
        None => PathBuf::from(path),
    };
    path.is_absolute().then_some(path)
}

fn string(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn strings(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(string).collect()
}

fn size(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

fn cap(value: &Value) -> Option<usize> {
    size(value).filter(|n| *n >= 1000)
}

/// Dollars as millionths; a cap that is not zero does not become none by rounding.
fn micros(value: &Value) -> Option<u64> {
    let dollars = value.as_f64().filter(|d| (0.0..=1e9).contains(d))?;
    Some((dollars * 1e6).ceil() as u64)
}

fn days(value: &Value) -> Option<i64> {
    value.as_i64().filter(|n| (1..=Lapses::MOST).contains(n))
}

fn jobs(value: &Value) -> Option<usize> {
    size(value).filter(|n| *n >= 1)
}

#[cfg(test)]
mod tests {
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
