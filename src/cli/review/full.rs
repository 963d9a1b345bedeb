//! The full-screen review: what it is started with, and what is said once it is left.

use super::hands::Hands;
use crate::cli::{Context, Failure, Stage, out};
use crate::tui::app::{App, Drawer, Filter, Look};
use crate::tui::rows::DiffStyle;
use crate::tui::runtime::{self, Ended, Outside};
use crate::tui::signals;
use crate::tui::term::Tty;
use crate::tui::theme::{Marks, Theme};
use crate::tui::trace::Trace;
use jiff::Timestamp;
use std::path::PathBuf;

/// The screen on this terminal, until it is left.
pub(super) fn show(app: App, hands: &mut Hands<'_>, tty: Tty) -> Result<(), Failure> {
    let outside = Outside {
        now: &Timestamp::now,
        trace: trace()?,
        fault_after: fault_after(),
    };
    let (app, ended) = runtime::run(app, hands, tty, outside).map_err(|e| {
        Failure::known(format!(
            "the terminal failed: {e}; what was decided is kept"
        ))
    })?;
    app.farewell.iter().for_each(|line| out::line(line));
    if Stage::places().is_some() {
        out::line(super::DEMO_GOES_ON);
    }
    match ended {
        Ended::Left => Ok(()),
        Ended::Signal(signal) => Err(Failure::silent(signals::exit_code(signal))),
        Ended::Fault => Err(Failure::silent(FAULT)),
    }
}

/// A screen as the terminal can and the person wants it.
///
/// # Errors
/// It asks for a theme that there is not.
pub(super) fn app(context: &Context) -> Result<App, Failure> {
    Ok(App::new((0, 0), look()?, context.now))
}

/// As Rust leaves after a panic.
const FAULT: u8 = 101;

fn env(name: &str) -> Option<String> {
    let value = std::env::var_os(name)?;
    (!value.is_empty()).then(|| value.to_string_lossy().into_owned())
}

/// How things are shown at the start, as the terminal can and the person wants it.
///
/// # Errors
/// When `MEMD_THEME` names no theme.
pub(super) fn look() -> Result<Look, Failure> {
    let theme = theme()?;
    let colour = theme.has_colour();
    let ascii = is_ascii();
    Ok(Look {
        theme,
        marks: Marks::new(ascii),
        ascii,
        colour,
        style: DiffStyle::default(),
        context: Some(3),
        drawer: None,
        page: Drawer::default(),
        filter: Filter::default(),
    })
}

/// The theme that is asked for; none has colour where colour is off.
fn theme() -> Result<Theme, Failure> {
    let asked = match env("MEMD_THEME") {
        None => Theme::default(),
        Some(name) => Theme::named(&name).ok_or_else(|| {
            Failure::usage(format!(
                "MEMD_THEME is {name:?}; it may be ansi, mono or contrast"
            ))
        })?,
    };
    Ok(match super::has_colour() {
        true => asked,
        false => Theme::Mono,
    })
}

/// Whether only ASCII may be used: asked for, or the locale knows no more, or the terminal.
fn is_ascii() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(env);
    let locale = locale.unwrap_or_default().to_ascii_lowercase();
    let knows_more = locale.contains("utf-8") || locale.contains("utf8");
    env("MEMD_ASCII").is_some_and(|v| v != "0")
        || !knows_more
        || env("TERM").is_some_and(|term| term == "vt100")
}

fn trace() -> Result<Trace, Failure> {
    let Some(path) = env("MEMD_TUI_TRACE").map(PathBuf::from) else {
        return Ok(Trace::default());
    };
    Trace::to(&path).map_err(|e| {
        Failure::known(format!(
            "{}: the trace cannot be written: {e}",
            path.display()
        ))
    })
}

/// Only in builds for tests: after how many keys it is to fail.
fn fault_after() -> Option<u32> {
    match cfg!(debug_assertions) {
        true => env("MEMD_TUI_PANIC")?.parse().ok(),
        false => None,
    }
}
