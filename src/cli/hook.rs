//! `memd hook`: what an AI tool runs at the start of a session. Never breaks it: whatever goes
//! wrong, the exit code is 0 and standard output holds one JSON object or nothing.

use super::{Failure, brief, out};
use serde::Deserialize;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

/// Answer a hook of an AI tool.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// The event: session-start
    // Everything is taken, so that no spelling of a tool's settings ends in a usage error.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    event: Vec<OsString>,
}

/// At most this many bytes of a tool's JSON are read.
const LIMIT: u64 = 1 << 20;

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    if args.event.first().is_some_and(|e| e == "session-start") {
        session_start();
    }
    Ok(())
}

fn session_start() {
    // A curator that memd started is no session of the user's.
    if std::env::var_os("MEMD_CURATOR").is_some() {
        return;
    }
    let Some(cwd) = cwd(&read_stdin()).or_else(|| std::env::current_dir().ok()) else {
        return;
    };
    match brief::for_hook(&cwd) {
        Ok(text) if text.is_empty() => {}
        Ok(text) => out::json(&serde_json::json!({
            "hookSpecificOutput": {
                "hookEventName": "SessionStart",
                "additionalContext": text,
            }
        })),
        Err(failure) => tracing::warn!("session-start gave no brief: {failure}"),
    }
}

fn read_stdin() -> Vec<u8> {
    let mut bytes = Vec::new();
    if !io::stdin().is_terminal() {
        // What cannot be read counts as no payload.
        let _ = io::stdin().lock().take(LIMIT).read_to_end(&mut bytes);
    }
    bytes
}

#[derive(Deserialize)]
struct Payload {
    cwd: PathBuf,
}

/// The session's directory, as the tool says it.
fn cwd(payload: &[u8]) -> Option<PathBuf> {
    let payload: Payload = serde_json::from_slice(payload).ok()?;
    Some(payload.cwd).filter(|p| is_plain(p))
}

fn is_plain(path: &Path) -> bool {
    path.is_absolute()
        && !path
            .components()
            .any(|c| c == std::path::Component::ParentDir)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directory_is_taken_from_the_payload_or_not_at_all() {
        let some = |p: &str| cwd(p.as_bytes()).map(|p| p.display().to_string());
        assert_eq!(
            some(r#"{"cwd": "/home/dev/proj", "model": 1}"#).unwrap(),
            "/home/dev/proj"
        );
        for bad in [
            "",
            "hello",
            "[]",
            "{}",
            r#"{"cwd": 7}"#,
            r#"{"cwd": "c:\\Users\\Dev"}"#,
            r#"{"cwd": "/a/../../etc"}"#,
        ] {
            assert_eq!(some(bad), None, "{bad}");
        }
    }
}
