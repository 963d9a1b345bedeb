//! The environment a curator gets.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Environment variables, as the edge hands them in.
///
/// Without the marks of a surrounding Claude Code session, which would make a nested CLI refuse or
/// attach itself; with the marks that keep memd's own hooks and the CLI's own memory out of it.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Environment {
    vars: Vec<(OsString, OsString)>,
    /// memd's own binary, through which a curator is started so that it ends with memd.
    own: Option<PathBuf>,
}

/// Variables of a surrounding session: this name, and those with the prefix below.
const SESSION: &str = "CLAUDECODE";
const SESSION_PREFIX: &str = "CLAUDE_CODE_";
/// Variables with that prefix by which people configure the CLI: how it logs in, where it asks,
/// what it must not send.
const KEPT: &[&str] = &[
    "CLAUDE_CODE_API_KEY_HELPER_TTL_MS",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
    "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_SKIP_BEDROCK_AUTH",
    "CLAUDE_CODE_SKIP_FOUNDRY_AUTH",
    "CLAUDE_CODE_SKIP_VERTEX_AUTH",
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_FOUNDRY",
    "CLAUDE_CODE_USE_VERTEX",
];
const SET: &[(&str, &str)] = &[
    ("MEMD_CURATOR", "1"),
    ("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1"),
    ("CLAUDE_CODE_SKIP_PROMPT_HISTORY", "1"),
];

impl Environment {
    /// The environment for a curator, from memd's own.
    #[must_use]
    pub fn for_curator(own: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        let mut vars: Vec<_> = own.into_iter().filter(|(name, _)| stays(name)).collect();
        vars.extend(
            SET.iter()
                .map(|(name, value)| ((*name).into(), (*value).into())),
        );
        Self { vars, own: None }
    }

    /// With memd's own binary: a curator started through it ends when memd does.
    #[must_use]
    pub fn through(self, own: Option<PathBuf>) -> Self {
        Self { own, ..self }
    }

    /// memd's own binary.
    pub(super) fn own(&self) -> Option<&Path> {
        self.own.as_deref()
    }

    /// The value of a variable.
    pub(in crate::curator) fn get(&self, name: &str) -> Option<&OsStr> {
        let found = self.vars.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| value.as_os_str())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.vars
            .iter()
            .map(|(n, v)| (n.as_os_str(), v.as_os_str()))
    }
}

/// Values are often secrets: only names are shown.
impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.vars.iter().map(|(n, _)| n))
            .finish()
    }
}

fn stays(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let ours = SET.iter().any(|(set, _)| name == *set);
    let session = name == SESSION || name.starts_with(SESSION_PREFIX);
    !ours && (!session || KEPT.contains(&name.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_a_surrounding_session_go_and_how_people_log_in_stays() {
        let own = [
            ("PATH", "/bin"),
            ("CLAUDECODE", "1"),
            ("CLAUDE_CODE_SESSION_ID", "x"),
            ("CLAUDE_CODE_ENTRYPOINT", "cli"),
            ("CLAUDE_CODE_USE_BEDROCK", "1"),
            ("CLAUDE_CONFIG_DIR", "/c"),
            ("MEMD_CURATOR", "0"),
        ]
        .map(|(n, v)| (OsString::from(n), OsString::from(v)));
        let env = Environment::for_curator(own);
        let names: Vec<_> = env.iter().map(|(n, _)| n.to_str().unwrap()).collect();
        assert_eq!(
            names,
            [
                "PATH",
                "CLAUDE_CODE_USE_BEDROCK",
                "CLAUDE_CONFIG_DIR",
                "MEMD_CURATOR",
                "CLAUDE_CODE_DISABLE_AUTO_MEMORY",
                "CLAUDE_CODE_SKIP_PROMPT_HISTORY"
            ]
        );
        assert_eq!(env.get("MEMD_CURATOR"), Some(OsStr::new("1")));
        assert!(!format!("{env:?}").contains("/bin"));
    }
}
