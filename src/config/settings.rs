//! Settings as meant, with memd 0.3's defaults.

use super::caps::Caps;
use super::lapses::Lapses;
use super::limits::Limits;
use crate::memory::MemoryFile;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Which curator answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CuratorChoice {
    /// The Claude CLI.
    Claude,
    /// The argv of `curator_cmd`.
    Command(Vec<String>),
    /// The extractive one, without a model.
    Builtin,
}

/// Characters of body a memory file may hold before its oldest entries go to the archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the file it limits")]
pub struct Budgets {
    pub state: usize,
    pub decisions: usize,
    pub todo: usize,
    pub mistakes: usize,
}

impl Budgets {
    /// The budget of a file, in characters.
    #[must_use]
    pub fn of(&self, file: MemoryFile) -> usize {
        match file {
            MemoryFile::State => self.state,
            MemoryFile::Decisions => self.decisions,
            MemoryFile::Mistakes => self.mistakes,
            MemoryFile::Todo => self.todo,
        }
    }
}

impl Default for Budgets {
    fn default() -> Self {
        Self {
            state: 10_000,
            decisions: 12_000,
            todo: 10_000,
            mistakes: 22_000,
        }
    }
}

/// What the file says of one project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProjectSettings {
    /// Its name for people.
    pub name: Option<String>,
    /// Further sources, as globs.
    pub extra_sources: Vec<String>,
    /// Whether it is the global memory.
    pub global: bool,
}

/// Every setting, validated, `~` expanded.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "the fields are the keys of the config page, docs/config.md"
)]
pub struct Settings {
    pub claude_bin: String,
    pub antigravity_dir: PathBuf,
    pub curator: CuratorChoice,
    pub model_small: String,
    pub model_large: String,
    pub escalate_chars: usize,
    pub digest_cap_chars: usize,
    pub caps: Caps,
    pub quiet_seconds: u64,
    pub sweep_jobs: usize,
    pub sweep_calls: usize,
    pub auto_scaffold: bool,
    pub read_across_projects: bool,
    pub git_commit: bool,
    pub limits: Limits,
    pub lapse_days: Lapses,
    pub redact_extra_patterns: Vec<String>,
    pub exclude: Vec<PathBuf>,
    pub projects: BTreeMap<PathBuf, ProjectSettings>,
    pub global_root: PathBuf,
    pub global_brief_chars: i64,
    pub brief_chars: usize,
    pub brief_decisions_days: i64,
}

impl Settings {
    /// What the file says of the project at this root, however the root is written there.
    #[must_use]
    pub fn project(&self, root: &Path) -> Option<&ProjectSettings> {
        let exact = self.projects.get(root);
        exact.or_else(|| {
            let mut all = self.projects.iter();
            all.find(|(key, _)| super::edit::is_same(key, root))
                .map(|(_, project)| project)
        })
    }

    /// The defaults, for a user with this home.
    #[must_use]
    pub fn defaults(home: &Path) -> Self {
        Self {
            claude_bin: "claude".to_owned(),
            antigravity_dir: home.join(".gemini/antigravity-cli"),
            curator: CuratorChoice::Claude,
            model_small: "haiku".to_owned(),
            model_large: "sonnet".to_owned(),
            escalate_chars: 15_000,
            digest_cap_chars: 60_000,
            caps: Caps::default(),
            quiet_seconds: 600,
            sweep_jobs: 4,
            sweep_calls: 20,
            auto_scaffold: true,
            read_across_projects: true,
            git_commit: true,
            limits: Limits::default(),
            lapse_days: Lapses::default(),
            redact_extra_patterns: Vec::new(),
            exclude: Vec::new(),
            projects: BTreeMap::new(),
            global_root: home.to_owned(),
            global_brief_chars: 800,
            brief_chars: 2_500,
            brief_decisions_days: 30,
        }
    }
}
