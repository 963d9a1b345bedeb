//! A spinner on standard error while something takes its time; nothing where that is no terminal.

use super::gate::hide;
use crate::text::visible_line;
use indicatif::{ProgressBar, ProgressDrawTarget};
use std::io::IsTerminal;
use std::time::Duration;

/// Shows that something goes on, until it is dropped.
pub(super) struct Progress {
    bar: ProgressBar,
    what: String,
}

impl Progress {
    pub(super) fn start(what: &str) -> Self {
        let bar = ProgressBar::new_spinner();
        if !std::io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        bar.enable_steady_tick(Duration::from_millis(120));
        let progress = Self {
            bar,
            what: visible_line(&hide(what)),
        };
        progress.bar.set_message(progress.what.clone());
        progress
    }

    /// What it is at now.
    pub(super) fn say(&self, what: &str) {
        self.bar
            .set_message(format!("{}: {}", self.what, visible_line(&hide(what))));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
