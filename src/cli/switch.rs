//! The first command after memd 0.3: takes over what that left, and says so in one line.

use super::{Context, Failure, out};
use crate::init::{self, Imported, Tools};
use crate::text::count;

/// Takes over what memd 0.3 left, where it left something and that was not done yet.
///
/// # Errors
/// When one of its files cannot be understood. Going on would read again what it had read.
pub(super) fn first_run() -> Result<(), Failure> {
    // Asked first: the configuration is read by the command itself, which also says where places are refused.
    match super::places() {
        Ok(places) if init::has_old(&places) => {}
        _ => return Ok(()),
    }
    let context = Context::load()?;
    // Mostly it was done long ago, and a command that only looks may not be able to write.
    if context.store_to_look()?.is_imported()? {
        return Ok(());
    }
    let store = context.store()?;
    let trust = store.trust()?;
    let redactor = context.redactor_with(&store, &trust);
    let tools = Tools {
        places: &context.places,
        store: &store,
        trust: &trust,
        credentials: &|text| redactor.check(text),
        redactor: &redactor,
        except: None,
        now: context.now,
    };
    if let Some(imported) = init::import(&context.config.settings, &tools)? {
        out::problem(&format!("memd: {}", line(&imported)));
    }
    Ok(())
}

/// What was taken over, in one line.
fn line(imported: &Imported) -> String {
    let projects = count(imported.projects.len(), "project", "projects");
    let sessions = match imported.sessions {
        1 => "1 session goes on where it had read to".to_owned(),
        n => format!("{n} sessions go on where it had read to"),
    };
    let mut parts = vec![format!("memd 0.3: {projects} taken over, {sessions}")];
    let mut say = |n: usize, one: &str, many: &str| {
        parts.extend((n > 0).then(|| count(n, one, many)));
    };
    say(
        imported.rewritten,
        "session is shorter than what it had read, and is read anew",
        "sessions are shorter than what it had read, and are read anew",
    );
    say(
        imported.unreadable,
        "session cannot be read now",
        "sessions cannot be read now",
    );
    say(
        imported.gone.len(),
        "project of the configuration is gone",
        "projects of the configuration are gone",
    );
    let unseen = !imported.projects.is_empty();
    parts.extend(unseen.then(|| "memd review offers what stands in memory".to_owned()));
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_taken_over_is_one_line() {
        let imported = Imported {
            sessions: 1,
            rewritten: 1,
            gone: vec!["/a".into(), "/b".into()],
            ..Imported::default()
        };
        assert_eq!(
            line(&imported),
            "memd 0.3: 0 projects taken over, 1 session goes on where it had read to; 1 session is shorter than what it had read, and is read anew; 2 projects of the configuration are gone"
        );
    }
}
