//! What is kept of an installation, in the audit chain: an agent that writes settings cannot write it.

use super::binary::Binary;
use super::edit::{Change, Step, undo, uninstall};
use super::settings::Settings;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

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
    /// The program that hooks which went in call; none: of a memd that did not say, or they went out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub binary: Option<Binary>,
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
            binary: None,
        }
    }

    /// The text before it, where `text` is the one since.
    fn undone(&self, text: &str) -> Option<String> {
        let is_after = self.installed && Settings::hash(text) == self.after;
        let former = undo(text, &self.steps).filter(|_| is_after)?;
        (Settings::hash(&former) == self.before).then_some(former)
    }
}

/// The former text of a file that is as memd left it, before the first of the writings that put hooks in
/// one after the other; the inner `None`: there was no file. `None`: somebody else wrote in it since.
#[must_use]
pub fn former(acts: Vec<serde_json::Value>, settings: &Settings) -> Option<Option<String>> {
    let mut former = None;
    for record in of_file(acts, &settings.path).take_while(|record| record.installed) {
        let text = match &former {
            None => settings.text.clone()?,
            Some(Some(text)) => String::clone(text),
            // There was no file; what is older is about another one.
            Some(None) => break,
        };
        match record.undone(&text) {
            Some(undone) => former = Some((!record.created).then_some(undone)),
            // Hooks stand there that went in before somebody else wrote.
            None if former.is_none() || calls_memd(&text) => return None,
            None => break,
        }
    }
    former
}

fn calls_memd(text: &str) -> bool {
    uninstall(text).map_or(true, |change| !change.steps.is_empty())
}

/// The newest word on a file among acts, newest first, as the database gives them.
#[must_use]
pub fn newest(acts: Vec<serde_json::Value>, path: &Path) -> Option<Record> {
    of_file(acts, path).next()
}

fn of_file(acts: Vec<serde_json::Value>, path: &Path) -> impl Iterator<Item = Record> {
    let records = acts
        .into_iter()
        .filter_map(|act| serde_json::from_value::<Record>(act).ok());
    records.filter(move |record| record.path == path)
}
