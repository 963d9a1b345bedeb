//! Whether tools call this memd, once, and at every point where they should.

use super::{Findings, Health};
use crate::cli::{Context, install_hooks};
use crate::integrations::{Binary, OwnHook, Settings, Tool, command, newest, own_hooks};
use crate::store::Store;
use std::path::Path;

const INSTALL: &str = "memd install-hooks";

pub(super) fn look(context: &Context, store: Option<&Store>, found: &mut Findings) {
    let Ok(binary) = install_hooks::binary() else {
        found.wrong("the path of memd itself cannot be told", INSTALL);
        return;
    };
    for tool in Tool::ALL {
        if tool == Tool::Claude || tool.folder(&context.places).is_dir() {
            of_tool(context, store, found, tool, &binary);
        }
    }
    around(found);
    on_path(found, &binary);
}

fn of_tool(
    context: &Context,
    store: Option<&Store>,
    found: &mut Findings,
    tool: Tool,
    binary: &Path,
) {
    let name = tool.name();
    let settings = match Settings::read(&tool.file(&context.places)) {
        Ok(settings) => settings,
        Err(error) => return found.wrong(format!("{name}: {error}"), "mend the file"),
    };
    let (own, off) = match own_hooks(settings.text()) {
        Ok(read) => read,
        Err(error) => {
            let error = settings.wrong(error);
            return found.wrong(format!("{name}: {error}"), "mend the file");
        }
    };
    let acts = store.and_then(|s| s.hooks_acts(&s.trust().ok()?).ok());
    let installed =
        newest(acts.unwrap_or_default(), &settings.path).filter(|record| record.installed);
    let was_installed = installed.is_some();
    if own.is_empty() {
        let what = format!("{name} does not call memd");
        return match was_installed {
            true => found.wrong(
                format!("{what} any more: its hooks were changed or taken out"),
                INSTALL,
            ),
            false => found.add(Health::Note, what, INSTALL),
        };
    }
    let before = found.all.len();
    if off {
        let what = format!(
            "{name}: \"disableAllHooks\" in {:?} turns every hook off",
            settings.path
        );
        found.wrong(what, "take it out");
    }
    for hook in tool.hooks() {
        let here: Vec<_> = own.iter().filter(|own| own.name == hook.name).collect();
        let wanted = command(binary, hook.event).unwrap_or_default();
        if let Some(what) = wrong(&here, &wanted, was_installed) {
            found.wrong(format!("{name}, {}: {what}", hook.name), INSTALL);
        }
    }
    if let Some(what) = installed.and_then(|record| changed(&record.binary?, binary)) {
        found.wrong(
            format!("{name}: {what}"),
            "if nobody should have changed it, put it there anew from where you trust it; if you built it, `memd install-hooks` puts this one on record",
        );
    }
    if found.all.len() == before {
        found.ok(format!("{name} calls this memd"));
    }
}

/// What there is to say where the program is not the one that was installed, though of its version.
fn changed(installed: &Binary, binary: &Path) -> Option<String> {
    match install_hooks::build(binary) {
        Ok(now) => now.is_changed(installed).then(|| {
            format!("{binary:?} is not the program whose hooks were installed: same version, other bytes")
        }),
        Err(failure) => Some(failure.to_string()),
    }
}

/// What is wrong with the calls of memd at one point of a session.
fn wrong(here: &[&OwnHook], wanted: &str, was_installed: bool) -> Option<String> {
    let [first, rest @ ..] = here else {
        // A call among other commands is no call that memd made.
        return Some(match was_installed {
            true => "the hook that memd installed was changed or taken out".to_owned(),
            false => "memd is not called".to_owned(),
        });
    };
    if !rest.is_empty() {
        return Some(format!("memd is called {} times", here.len()));
    }
    if first.command == wanted {
        return None;
    }
    let program = first.program.last().map(Path::new);
    let is_gone = program.is_some_and(|p| p.is_absolute() && !p.is_file());
    Some(match is_gone {
        true => format!("the program is gone: {}", first.command),
        false => format!("another command than the one installed: {}", first.command),
    })
}

/// Settings of the folder memd stands in, which a tool lays over the user's.
fn around(found: &mut Findings) {
    let Ok(here) = std::env::current_dir() else {
        return;
    };
    // The user's own were looked at above.
    let is_users =
        |dir: &Path| std::env::var_os("HOME").is_some_and(|home| Path::new(&home) == dir);
    for dir in here.ancestors().filter(|dir| !is_users(dir)) {
        for name in [".claude/settings.json", ".claude/settings.local.json"] {
            let path = dir.join(name);
            let Ok(settings) = Settings::read(&path) else {
                continue;
            };
            // What cannot be read there is the tool's to complain of.
            let Ok((own, off)) = own_hooks(settings.text()) else {
                continue;
            };
            if off {
                let what = format!("{path:?} turns every hook off for sessions there");
                found.wrong(what, "take \"disableAllHooks\" out");
            }
            if !own.is_empty() {
                let what = format!("{path:?} calls memd too: sessions there call it twice");
                found.wrong(what, "take it out there");
            }
        }
    }
}

/// Whether the name leads to this memd.
fn on_path(found: &mut Findings, binary: &Path) {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    match which::which("memd") {
        Ok(path) if real(&path) != real(binary) => {
            let what = format!("PATH finds another memd first: {path:?}, and this is {binary:?}");
            found.wrong(what, "take the one away that you do not mean");
        }
        Ok(_) => found.ok("PATH finds this memd"),
        Err(_) => found.add(
            Health::Note,
            format!("PATH does not find memd; tools call {binary:?}"),
            "",
        ),
    }
}
