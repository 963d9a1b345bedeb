//! What a terminal shows that is too small for anything else.

use crate::tui::areas::LEAST;

/// The lines, for as many as fit.
#[must_use]
pub fn notice(size: (u16, u16)) -> Vec<String> {
    vec![
        format!("memd: {}x{} is too small.", size.0, size.1),
        format!("Need {}x{} or larger.", LEAST.0, LEAST.1),
        String::new(),
        "Decisions so far are saved.".to_owned(),
        "q quit".to_owned(),
    ]
}
