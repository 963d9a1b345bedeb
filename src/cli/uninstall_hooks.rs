//! `memd uninstall-hooks`: memd's hooks out of the settings of AI tools.

use super::forget::is_yes;
use super::install_hooks::{asks_a_person, record, show};
use super::{Context, Failure, out};
use crate::integrations::{Change, Record, Settings, Tool, former, uninstall};
use crate::store::Store;

/// Take memd's hooks out of the settings of AI tools.
///
/// A file that is as `memd install-hooks` left it gets its former bytes back; of any other exactly the
/// calls of memd go.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Do not ask
    #[arg(short, long)]
    yes: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    asks_a_person(args.yes || args.dry_run)?;
    let context = Context::load()?;
    let mut failed = false;
    for tool in Tool::ALL {
        if let Err(failure) = of_tool(args, &context, tool) {
            out::problem(&format!("memd: {}: {failure}", tool.name()));
            failed = true;
        }
    }
    match failed {
        false => Ok(()),
        true => {
            Err(Failure::known("not all hooks are out")
                .hint("mend what is named above and try again"))
        }
    }
}

fn of_tool(args: &Args, context: &Context, tool: Tool) -> Result<(), Failure> {
    let settings = Settings::read(&tool.file(&context.places))?;
    let Some(text) = &settings.text else {
        return Ok(());
    };
    let former = former(acts(context)?, &settings);
    let removed = || uninstall(text).map_err(|e| settings.wrong(e));
    let (to, change) = match former {
        Some(Some(former)) => (
            Some(former.clone()),
            Some(Change {
                text: former,
                steps: Vec::new(),
            }),
        ),
        Some(None) => (None, None),
        None => {
            let change = removed()?;
            if change.steps.is_empty() {
                out::line(&format!(
                    "{}: no hook of memd's in {:?}",
                    tool.name(),
                    settings.path
                ));
                return Ok(());
            }
            (Some(change.text.clone()), Some(change))
        }
    };
    show(context, tool, &settings, to.as_deref())?;
    if args.dry_run {
        out::line("dry run: nothing was changed");
        return Ok(());
    }
    if !args.yes
        && !is_yes(&format!(
            "take them out of the settings of {}?",
            tool.name()
        ))?
    {
        out::line("nothing was changed");
        return Ok(());
    }
    settings.write(to.as_deref())?;
    let nothing = Change {
        text: String::new(),
        steps: Vec::new(),
    };
    let change = change.unwrap_or(nothing);
    record(context, &Record::of(tool.name(), &settings, &change, false))?;
    out::line(&format!("{}: the hooks are out", tool.name()));
    Ok(())
}

/// What memd did to settings, newest first, if the database knows.
fn acts(context: &Context) -> Result<Vec<serde_json::Value>, Failure> {
    match Store::open_to_look(&context.places)? {
        Some(store) => Ok(store.hooks_acts(&store.trust()?)?),
        None => Ok(Vec::new()),
    }
}
