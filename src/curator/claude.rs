//! The Claude CLI as a curator: its flags, its models, where it is found.
//!
//! No tools, no hooks, no MCP servers, no session file; the charter as system prompt, the reply's
//! schema enforced by the CLI. Project text goes on standard input only.

mod envelope;

use super::ask::{Answer, Call, Tried, ended_well, find_program, run_program};
use super::error::{CuratorError, Side, quote};
use super::process::{End, Environment, Output};
use super::{SCHEMA, prompt};
use crate::config::{Places, Settings};
use crate::digest::Digest;
use crate::source::Raw;
use envelope::EnvelopeError;
use std::ffi::OsString;
use std::path::PathBuf;

/// Every tool by name, where a CLI cannot be told "no tools".
const TOOLS: &str = "Agent,Bash,BashOutput,Edit,Glob,Grep,KillShell,LS,MultiEdit,NotebookEdit,\
                     Read,Skill,Task,TodoWrite,WebFetch,WebSearch,Write,mcp__*";

/// What keeps tools, hooks, servers and sessions out, and shapes the answer: flag and value. Older
/// CLIs do not know all of them.
const FLAGS: [(&str, Option<&str>); 8] = [
    ("--safe-mode", None),
    (
        "--settings",
        Some("{\"disableAllHooks\": true, \"verbose\": false}"),
    ),
    ("--tools", Some("")),
    ("--no-session-persistence", None),
    ("--strict-mcp-config", None),
    ("--disable-slash-commands", None),
    (SYSTEM, Some(prompt::CHARTER)),
    ("--json-schema", Some(SCHEMA)),
];
const SYSTEM: &str = "--system-prompt";

/// The model for this material: the large one for long material of a session that has ended or
/// that a person asks about.
#[must_use]
pub(super) fn model<'a>(call: &Call<'a>) -> &'a str {
    let waits = matches!(call.trigger, "session-end" | "manual");
    if waits && digest_chars(call.digest) > call.settings.escalate_chars {
        &call.settings.model_large
    } else {
        &call.settings.model_small
    }
}

/// Characters of a digest's text.
fn digest_chars(digest: &Digest) -> usize {
    digest
        .lines
        .iter()
        .map(|line| line.text.as_str().chars().count())
        .sum()
}

/// Where the CLI is.
pub(super) fn find(
    settings: &Settings,
    places: &Places,
    env: &Environment,
) -> Result<PathBuf, CuratorError> {
    let name = &settings.claude_bin;
    find_program(places, env, name)
        .or_else(|| {
            let local = places.home.join(".local/bin").join(name);
            (!name.contains('/') && local.is_file()).then_some(local)
        })
        .ok_or_else(|| CuratorError::Missing {
            program: name.clone(),
            looked: if name.contains('/') {
                "at that path"
            } else {
                "on PATH or in ~/.local/bin"
            },
        })
}

/// Asks once. A CLI that does not know a flag says so before it does anything else: it is asked
/// again without that flag.
pub(super) fn ask(call: &Call, progress: &dyn Fn(&str)) -> Tried {
    let program = find(call.settings, call.places, call.env)?;
    let mut unknown: Vec<&'static str> = Vec::new();
    let output = loop {
        let input = if unknown.contains(&SYSTEM) {
            call.prompt.in_one()
        } else {
            call.prompt.body.as_str().to_owned()
        };
        let output = run_program(call, &program, &args(call, &unknown), &input)?;
        match unknown_flag(&output).filter(|flag| !unknown.contains(flag)) {
            Some(flag) => unknown.push(flag),
            None => break output,
        }
    };
    if !unknown.is_empty() {
        let flags = unknown.join(", ");
        progress(&format!(
            "this Claude CLI does not know {flags}; it was asked without (update it: they keep tools, hooks and sessions out)"
        ));
    }
    answer(call, &program.to_string_lossy(), &output)
}

fn args(call: &Call, unknown: &[&str]) -> Vec<OsString> {
    let mut args = vec!["-p", "--model", model(call), "--output-format", "json"];
    for (flag, value) in FLAGS.iter().filter(|(flag, _)| !unknown.contains(flag)) {
        args.push(flag);
        args.extend(value);
    }
    if unknown.contains(&"--tools") {
        args.extend(["--disallowedTools", TOOLS]);
    }
    if unknown.contains(&"--json-schema") {
        // With a schema the answer is a tool call, which takes more than one turn.
        args.extend(["--max-turns", "1"]);
    }
    args.into_iter().map(OsString::from).collect()
}

/// The flag that a CLI complains of, if that is why it ended.
fn unknown_flag(output: &Output) -> Option<&'static str> {
    let failed = matches!(output.end, End::Exited(status) if !status.success());
    let complaint = output.stderr.unredacted().lines().find(|line| {
        ["unknown option", "unknown argument", "unrecognized option"]
            .iter()
            .any(|words| line.contains(words))
    })?;
    let is_part = |c: char| c == '-' || c.is_ascii_alphanumeric();
    let mut words = complaint.split(|c| !is_part(c));
    let named = words.find_map(|word| FLAGS.iter().map(|f| f.0).find(|flag| *flag == word));
    named.filter(|_| failed)
}

/// What the CLI's envelope holds. Its own report of a failure says more than an exit code.
fn answer(call: &Call, program: &str, output: &Output) -> Tried {
    let ended = ended_well(call, program, output);
    let envelope = match (envelope::read(&output.stdout), ended) {
        (Ok(envelope), _) if envelope.is_error => {
            let said = quote(Raw::new(envelope.text), call.redactor, Side::Start);
            let error = CuratorError::Reports {
                program: program.to_owned(),
                what: quote(Raw::new(envelope.kind), call.redactor, Side::Start),
                said,
            };
            return Err((error, envelope.cost).into());
        }
        (Ok(envelope), Err(error)) => return Err((error, envelope.cost).into()),
        (_, Err(error)) => return Err(error.into()),
        (Ok(envelope), Ok(())) => envelope,
        (Err(error), Ok(())) => {
            let why = match error {
                EnvelopeError::Empty => "nothing on standard output".to_owned(),
                EnvelopeError::Other(text) => quote(Raw::new(text), call.redactor, Side::Start),
            };
            let program = program.to_owned();
            return Err(CuratorError::Garbled { program, why }.into());
        }
    };
    Ok(Answer {
        program: program.to_owned(),
        text: envelope.text,
        cost: envelope.cost,
    })
}

#[cfg(test)]
mod tests;
