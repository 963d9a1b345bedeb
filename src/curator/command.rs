//! Any program as a curator: `curator_cmd`, an argv in which `{model}` stands for the model.
//!
//! It reads the whole prompt on standard input and writes its reply on standard output.

use super::ask::{Answer, Call, Cost, Tried, ended_well, find_program, run_program};
use super::claude;
use super::error::{CuratorError, Side, quote};
use super::process::Environment;
use crate::config::Places;
use crate::source::Raw;
use std::ffi::OsString;
use std::path::PathBuf;

/// Where the program is.
pub(super) fn find(
    places: &Places,
    env: &Environment,
    name: &str,
) -> Result<PathBuf, CuratorError> {
    find_program(places, env, name).ok_or_else(|| CuratorError::Missing {
        looked: if name.contains('/') {
            "at that path"
        } else {
            "on PATH"
        },
        program: name.to_owned(),
    })
}

/// Asks once.
pub(super) fn ask(call: &Call, argv: &[String]) -> Tried {
    let model = claude::model(call);
    let mut argv = argv.iter().map(|arg| arg.replace("{model}", model));
    let name = argv.next().unwrap_or_default();
    let program = find(call.places, call.env, &name)?;
    let args: Vec<OsString> = argv.map(OsString::from).collect();
    let output = run_program(call, &program, &args, &call.prompt.in_one())?;
    let program = program.to_string_lossy().into_owned();
    ended_well(call, &program, &output)?;
    match String::from_utf8(output.stdout) {
        Ok(text) => Ok(Answer {
            program,
            text,
            cost: Cost::default(),
        }),
        Err(bad) => {
            let text = String::from_utf8_lossy(bad.as_bytes()).into_owned();
            let start = quote(Raw::new(text), call.redactor, Side::Start);
            let why = format!("not UTF-8: {start}");
            Err(CuratorError::Garbled { program, why }.into())
        }
    }
}
