//! What a fault of memd itself shows: where it happened, never what the panic says, since that may
//! quote a transcript.

use color_eyre::config::HookBuilder;
use color_eyre::section::PanicMessage;
use std::fmt;
use std::panic::PanicHookInfo;

/// Names the place in the source only.
struct Place;

impl PanicMessage for Place {
    fn display(&self, info: &PanicHookInfo<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let version = env!("CARGO_PKG_VERSION");
        write!(f, "memd {version} met a fault of its own")?;
        if let Some(at) = info.location() {
            write!(f, " at {}:{}", at.file(), at.line())?;
        }
        write!(
            f,
            "; nothing was decided by it. Please report it with this place."
        )
    }
}

/// Installs the report; one that is there already stays.
pub(super) fn report_places_only() {
    // The second caller in one process keeps the first one's report.
    let _ = hooks().install();
}

fn hooks() -> HookBuilder {
    HookBuilder::blank()
        .panic_message(Place)
        .display_env_section(false)
        .display_location_section(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[test]
    fn a_fault_shows_its_place_and_none_of_its_words() {
        let report = Arc::new(Mutex::new(String::new()));
        let (hook, to) = (hooks().into_hooks().0, Arc::clone(&report));
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            *to.lock().unwrap() = hook.panic_report(info).to_string();
        }));
        let fault = std::panic::catch_unwind(|| panic!("a line of a transcript"));
        std::panic::set_hook(before);
        assert!(fault.is_err());
        let report = report.lock().unwrap();
        assert!(report.contains("src/cli/fault.rs:"), "{report}");
        assert!(!report.contains("transcript"), "{report}");
    }
}
