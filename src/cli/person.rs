//! What only a person on a terminal does: without one it is refused, and the refusal is kept.

use super::review::input::{Input, Tty};
use super::{Context, Failure, out};
use crate::store::{Project, Store};
use crate::trust::{Act, Trust};
use serde_json::Value;
use std::io::{self, IsTerminal};

/// Whether a person can be asked and can see what they are asked.
pub(super) fn is_here() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// The line a person answers with; none: the input has ended. What was typed before the question was
/// shown is no answer to it, and neither is a line that came together with others.
pub(super) fn answer(question: &str) -> Result<Option<String>, Failure> {
    let failed = |e| Failure::known(format!("the terminal failed: {e}"));
    let mut tty = Tty::default();
    tty.drop_waiting().map_err(failed)?;
    out::line(question);
    let line = tty.line().map_err(failed)?;
    if line.is_some() && tty.drop_waiting().map_err(failed)? {
        out::line("several lines that came at once are a paste, and no answer");
        return Ok(Some(String::new()));
    }
    Ok(line)
}

/// Whether a person answers with a `y`.
pub(super) fn says_yes(question: &str) -> Result<bool, Failure> {
    Ok(answer(question)?.is_some_and(|line| line.trim() == "y"))
}

/// The refusal of what only a person on a terminal does, alike everywhere: exit code 2. `doing` is such
/// as "trusting a project", `undone` such as "granted".
pub(super) fn needed(doing: &str, undone: &str) -> Failure {
    let why = format!("{doing} needs a person on a terminal; nothing was {undone}");
    Failure::usage(why)
}

/// Puts on record that `what` was asked for and refused; `details` is an object, says `why` where it
/// is not for want of a terminal, and holds nothing that was typed.
pub(super) fn refused(
    context: &Context,
    store: &Store,
    trust: &Trust,
    project: Option<&Project>,
    what: &str,
    mut details: Value,
) {
    details["what"] = what.into();
    if details.get("why").is_none() {
        details["why"] = "no terminal".into();
    }
    let id = project.map(|p| &p.id);
    if let Err(error) = store.audit(trust, Act::Refuse, id, &[], details, context.now) {
        out::problem(&format!("memd: the refusal is not on record: {error}"));
    }
}
