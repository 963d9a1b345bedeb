//! What the keys of the config file mean, and what each may be.
//!
//! Owns the list of keys and the words for a wrong value. Never reads or writes a file.

use super::file::ConfigError;
use super::impact::HighImpact;
use super::lapses::Lapses;
use super::settings::{CuratorChoice, ProjectSettings, Settings};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// The keys that are read, of the whole file.
const KEYS: &[&str] = &[
    "claude_bin",
    "model_small",
    "model_large",
    "escalate_chars",
    "digest_cap_chars",
    "daily_calls",
    "daily_chars",
    "daily_usd",
    "quiet_seconds",
    "sweep_jobs",
    "sweep_calls",
    "auto_scaffold",
    "read_across_projects",
    "git_commit",
    "REDACT_EXTRA_PATTERNS",
    "global_brief_chars",
    "brief_chars",
    "brief_decisions_days",
    "global_root",
    "antigravity_dir",
    "exclude",
    "memory_own_repo",
    "budgets",
    "high_impact",
    "lapse_days",
    "projects",
    "curator_cmd",
    "curator",
];

/// The keys of `budgets` and of `lapse_days`.
const FILES: &[&str] = &["state", "decisions", "todo", "mistakes"];

/// The keys of a project.
const OF_A_PROJECT: &[&str] = &["name", "extra_sources", "global"];

/// The keys that memd does not read, dotted: misspelled, or of another version. They are kept.
pub(super) fn unread(raw: &Map<String, Value>) -> Vec<String> {
    let mut unread = strangers(raw, KEYS, "");
    for key in ["budgets", "lapse_days"] {
        unread.extend(strangers_in(raw.get(key), FILES, key));
    }
    for (root, project) in raw
        .get("projects")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        unread.extend(strangers_in(
            Some(project),
            OF_A_PROJECT,
            &format!("projects.{root}"),
        ));
    }
    unread
}

fn strangers_in(value: Option<&Value>, known: &[&str], under: &str) -> Vec<String> {
    let map = value.and_then(Value::as_object);
    map.map(|map| strangers(map, known, &format!("{under}.")))
        .unwrap_or_default()
}

fn strangers(map: &Map<String, Value>, known: &[&str], under: &str) -> Vec<String> {
    let is_stranger = |key: &&String| !known.contains(&key.as_str());
    map.keys()
        .filter(is_stranger)
        .map(|key| format!("{under}{key}"))
        .collect()
}

/// What most numbers may be.
const NUMBER: &str = "a whole number of zero or more";

/// Reads what a parsed file means; its text tells where in it a mistake stands.
pub(super) struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
    home: &'a Path,
}

impl<'a> Reader<'a> {
    /// For the file at this path with this text, of a person whose home this is.
    pub(super) fn new(path: &'a Path, text: &'a str, home: &'a Path) -> Self {
        Self { path, text, home }
    }

    /// What it means, on top of the defaults.
    ///
    /// # Errors
    /// When a known key has a value that it cannot have.
    pub(super) fn settings(&self, raw: &Map<String, Value>) -> Result<Settings, ConfigError> {
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
            "read_across_projects",
            "true or false",
            Value::as_bool,
            &mut s.read_across_projects,
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
