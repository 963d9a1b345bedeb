//! What only a person on a terminal does: without one it is refused, and the refusal is kept.

use super::{Context, Failure, out};
use crate::store::{Project, Store};
use crate::trust::{Act, Trust};
use serde_json::Value;
use std::io::{self, IsTerminal};

/// Whether a person can be asked and can see what they are asked.
pub(super) fn is_here() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
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
