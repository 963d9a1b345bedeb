//! What is kept of an installation, in the audit chain: an agent that writes settings cannot write it.

use super::edit::{Change, Step, undo};
use super::settings::Settings;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// One writing of a tool's settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The tool's name.
    pub tool: String,
    /// The file.
    pub path: PathBuf,
    /// Whether hooks went in; else they went out.
    pub installed: bool,
    /// Whether there was no such file before.
    pub created: bool,
    /// The hash of the text before.
    pub before: String,
    /// The hash of the text since.
    pub after: String,
    /// How the one became the other.
    pub steps: Vec<Step>,
}

impl Record {
    /// Of a change to settings as they stand.
    #[must_use]
    pub fn of(tool: &str, settings: &Settings, change: &Change, installed: bool) -> Self {
        Self {
            tool: tool.to_owned(),
            path: settings.path.clone(),
            installed,
            created: settings.text.is_none(),
            before: Settings::hash(settings.text()),
            after: Settings::hash(&change.text),
            steps: change.steps.clone(),
        }
    }

    /// Whether a file is as this left it.
    #[must_use]
    pub fn is_as_installed(&self, settings: &Settings) -> bool {
        let text = settings.text.as_deref();
        self.installed
            && self.path == settings.path
            && text.is_some_and(|t| Settings::hash(t) == self.after)
    }

    /// The former text of a file that is as this left it; the inner `None`: there was no file.
    #[must_use]
    pub fn former(&self, settings: &Settings) -> Option<Option<String>> {
        if !self.is_as_installed(settings) {
            return None;
        }
        let text = undo(settings.text(), &self.steps)?;
        let fits = Settings::hash(&text) == self.before;
        fits.then(|| (!self.created).then_some(text))
    }
}

/// The newest word on a file among acts, newest first, as the database gives them.
#[must_use]
pub fn newest(acts: Vec<serde_json::Value>, path: &std::path::Path) -> Option<Record> {
    let records = acts
        .into_iter()
        .filter_map(|act| serde_json::from_value::<Record>(act).ok());
    let mut of_file = records.filter(|record| record.path == path);
    of_file.next()
}
