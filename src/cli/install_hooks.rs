//! `memd install-hooks`: memd's hooks in the settings of AI tools.

use super::forget::is_yes;
use super::{Context, Failure, out, person};
use crate::integrations::{
    Binary, Change, Record, Settings, SettingsError, Tool, install, newest, shown,
};
use crate::trust::Act;
use similar::TextDiff;
use std::path::{Path, PathBuf};

/// Have AI tools call memd: the brief when a session starts, a distill when it ends.
///
/// Shows what would change in a tool's settings and asks. All else in them stays as it is, byte for byte.
/// Without a tool named: Claude Code, and the others that are there.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// Claude Code: settings.json in ~/.claude or CLAUDE_CONFIG_DIR
    #[arg(long)]
    claude: bool,
    /// Codex: hooks.json in ~/.codex or CODEX_HOME
    #[arg(long)]
    codex: bool,
    /// Gemini CLI: settings.json in ~/.gemini
    #[arg(long)]
    gemini: bool,
    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Do not ask. Lets nothing into memory
    #[arg(short, long)]
    yes: bool,
}

impl Args {
    /// The tools that are meant.
    fn tools(&self, context: &Context) -> Vec<Tool> {
        let named = |tool: &Tool| match tool {
            Tool::Claude => self.claude,
            Tool::Codex => self.codex,
            Tool::Gemini => self.gemini,
        };
        let is_any = self.claude || self.codex || self.gemini;
        let is_there = |tool: &Tool| tool.folder(&context.places).is_dir();
        let wanted = |tool: &Tool| match is_any {
            true => named(tool),
            false => *tool == Tool::Claude || is_there(tool),
        };
        Tool::ALL.into_iter().filter(wanted).collect()
    }
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    asks_a_person(args.yes || args.dry_run)?;
    let context = Context::load()?;
    let binary = named_memd(binary()?)?;
    let mut failed = None;
    for tool in args.tools(&context) {
        // One tool's broken settings do not keep memd out of another's.
        if let Err(failure) = of_tool(args, &context, tool, &binary) {
            out::problem(&format!("memd: {}: {failure}", tool.name()));
            failed = Some(tool);
        }
    }
    match failed {
        None => Ok(()),
        Some(_) => Err(Failure::known("not all hooks are in place")
            .hint("mend what is named above and try again")),
    }
}

/// Whoever is not to be asked says so; else there must be somebody.
pub(super) fn asks_a_person(without: bool) -> Result<(), Failure> {
    if without || person::is_here() {
        return Ok(());
    }
    Err(person::needed("a question", "changed")
        .hint("--dry-run shows what would change, --yes goes on without asking"))
}

/// memd itself, where it lies now: a tool has another PATH.
pub(super) fn binary() -> Result<PathBuf, Failure> {
    let known = std::env::current_exe().ok().filter(|path| path.is_file());
    known.ok_or_else(|| Failure::known("the path of memd itself cannot be told; was it replaced?"))
}

/// memd knows its hooks among others by the name of their program.
fn named_memd(binary: PathBuf) -> Result<PathBuf, Failure> {
    let name = binary.file_name().unwrap_or_default().to_owned();
    if name == "memd" {
        return Ok(binary);
    }
    Err(Failure::known(format!(
        "this program is called {name:?}, and hooks are known as memd's by the name memd"
    ))
    .hint("call it memd, then try again"))
}

fn of_tool(args: &Args, context: &Context, tool: Tool, binary: &Path) -> Result<(), Failure> {
    let settings = Settings::read(&tool.file(&context.places))?;
    let change = install(settings.text(), tool, binary).map_err(|e| settings.wrong(e))?;
    if change.steps.is_empty() {
        out::line(&format!(
            "{}: the hooks are in place in {:?}",
            tool.name(),
            settings.path
        ));
        return match args.dry_run {
            true => Ok(()),
            false => another_build(context, tool, &settings, &change, binary),
        };
    }
    show(context, tool, &settings, Some(&change.text))?;
    if args.dry_run {
        out::line("dry run: nothing was changed");
        return Ok(());
    }
    if !args.yes && !is_yes(&format!("write this into the settings of {}?", tool.name()))? {
        out::line("nothing was changed");
        return Ok(());
    }
    write(context, tool, &settings, &change, binary)?;
    out::line(&format!("{}: the hooks are in place", tool.name()));
    if tool == Tool::Codex {
        out::line(
            "  Codex asks whether to trust new hooks when it starts; until you say so it calls none",
        );
    }
    Ok(())
}

/// The program at a path, as a record of an installation has it.
pub(super) fn build(binary: &Path) -> Result<Binary, Failure> {
    Binary::of(binary, env!("CARGO_PKG_VERSION"))
        .map_err(|e| Failure::known(format!("{binary:?} cannot be read: {e}")))
}

/// Hooks that are in place call another build than the one on record: this one goes on record.
fn another_build(
    context: &Context,
    tool: Tool,
    settings: &Settings,
    change: &Change,
    binary: &Path,
) -> Result<(), Failure> {
    let store = context.store()?;
    let build = Some(build(binary)?);
    let known = newest(store.hooks_acts(&store.trust()?)?, &settings.path);
    if known.is_some_and(|known| known.installed && known.binary == build) {
        return Ok(());
    }
    let of_it = Record::of(tool.name(), settings, change, true);
    record(
        context,
        &Record {
            binary: build,
            ..of_it
        },
    )?;
    out::line("  this program is on record as the one they call");
    Ok(())
}

/// Records what is about to be written, and writes it: without the record the former bytes could
/// not be put back.
fn write(
    context: &Context,
    tool: Tool,
    settings: &Settings,
    change: &Change,
    binary: &Path,
) -> Result<(), Failure> {
    let of_it = Record {
        binary: Some(build(binary)?),
        ..Record::of(tool.name(), settings, change, true)
    };
    record(context, &of_it)?;
    Ok(settings.write(Some(&change.text))?)
}

/// Puts a record into the audit chain.
pub(super) fn record(context: &Context, record: &Record) -> Result<(), Failure> {
    let store = context.store()?;
    let trust = store.trust()?;
    let details = serde_json::to_value(record).map_err(Failure::known)?;
    store.audit(&trust, Act::Hooks, None, &[], details, context.now)?;
    Ok(())
}

/// What would change, line by line; what the user's own keys hold is hidden, and secrets are.
pub(super) fn show(
    context: &Context,
    tool: Tool,
    settings: &Settings,
    to: Option<&str>,
) -> Result<(), Failure> {
    let redactor = context.redactor()?;
    let (before, after) = (
        redactor.shown(&shown(settings.text())),
        redactor.shown(&shown(to.unwrap_or_default())),
    );
    out::line(&format!("{}: {:?}", tool.name(), settings.path));
    let diff = TextDiff::from_lines(&before, &after);
    let mut unified = diff.unified_diff();
    out::block(
        &unified
            .context_radius(1)
            .missing_newline_hint(false)
            .to_string(),
    );
    Ok(())
}

impl From<SettingsError> for Failure {
    fn from(error: SettingsError) -> Self {
        Self::known(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_of_another_name_installs_no_hook_that_nobody_would_know_again() {
        assert!(named_memd("/opt/bin/memd".into()).is_ok());
        let told = named_memd("/opt/bin/memd-0.4".into())
            .unwrap_err()
            .to_string();
        assert!(told.contains("is called \"memd-0.4\""), "{told}");
    }
}
