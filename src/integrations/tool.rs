//! What each tool calls its hooks, and where it keeps them.

use crate::config::Places;
use crate::hook::Event;
use std::path::PathBuf;

/// A tool that has hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
}

/// One hook of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hook {
    /// As the tool names it.
    pub name: &'static str,
    /// What it tells memd.
    pub event: Event,
    /// How long it may take, in the tool's unit: seconds, of Gemini CLI milliseconds.
    pub timeout: u64,
}

const fn hook(name: &'static str, event: Event, timeout: u64) -> Hook {
    Hook {
        name,
        event,
        timeout,
    }
}

/// A session's end is given 1.5 s where no timeout is set, less than a busy machine may need.
const CLAUDE: [Hook; 4] = [
    hook("SessionStart", Event::SessionStart, 10),
    hook("SessionEnd", Event::SessionEnd, 10),
    hook("PreCompact", Event::PreCompact, 10),
    hook("Stop", Event::Stop, 10),
];
/// It has no end of a session.
const CODEX: [Hook; 3] = [
    hook("SessionStart", Event::SessionStart, 10),
    hook("PreCompact", Event::PreCompact, 10),
    hook("Stop", Event::Stop, 10),
];
const GEMINI: [Hook; 3] = [
    hook("SessionStart", Event::SessionStart, 10_000),
    hook("SessionEnd", Event::SessionEnd, 10_000),
    hook("PreCompress", Event::PreCompact, 10_000),
];

impl Tool {
    /// All of them.
    pub const ALL: [Tool; 3] = [Tool::Claude, Tool::Codex, Tool::Gemini];

    /// Its name for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Tool::Claude => "Claude Code",
            Tool::Codex => "Codex",
            Tool::Gemini => "Gemini CLI",
        }
    }

    /// Its own folder.
    #[must_use]
    pub fn folder(self, places: &Places) -> PathBuf {
        match self {
            Tool::Claude => places.claude.clone(),
            Tool::Codex => places.codex.clone(),
            Tool::Gemini => places.gemini.clone(),
        }
    }

    /// The file that its hooks stand in.
    #[must_use]
    pub fn file(self, places: &Places) -> PathBuf {
        let name = match self {
            Tool::Claude | Tool::Gemini => "settings.json",
            Tool::Codex => "hooks.json",
        };
        self.folder(places).join(name)
    }

    /// The hooks that memd wants of it.
    #[must_use]
    pub fn hooks(self) -> &'static [Hook] {
        match self {
            Tool::Claude => &CLAUDE,
            Tool::Codex => &CODEX,
            Tool::Gemini => &GEMINI,
        }
    }
}
