//! What a person wrote into memory by hand, on its way into history: a secret in it stays out.
//!
//! History is kept for ever, and a file is not: where a changed file holds a secret that the last
//! commit of it does not, its placeholder is committed. The file itself is left to its person, who is
//! told where it stands. What history holds already is not touched here: `memd scan` names it.

use crate::redact::{NO_FINGERPRINT, Redactor};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Keeps secrets out of one commit, and remembers what is to be said of it.
pub struct Keeper<'a> {
    redactor: &'a Redactor,
    told: RefCell<Vec<Held>>,
}

/// A secret that was kept out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// The file, in the memory folder.
    pub path: String,
    /// What is said of it.
    pub said: String,
}

impl<'a> Keeper<'a> {
    /// One that finds what this redactor finds.
    #[must_use]
    pub fn new(redactor: &'a Redactor) -> Self {
        Self {
            redactor,
            told: RefCell::default(),
        }
    }

    /// What enters history in the place of a text; `None`: the text itself.
    #[must_use]
    pub fn instead(&self, path: &str, text: &str, last: Option<&str>) -> Option<String> {
        let hits = self.redactor.check(text);
        let first = hits.first()?;
        let known = last.map_or_else(Vec::new, |last| self.redactor.check(last));
        let known: BTreeSet<&str> = known.iter().map(|h| h.fingerprint.as_str()).collect();
        let is_new = |print: &str| print == NO_FINGERPRINT || !known.contains(print);
        let new = hits.iter().find(|h| is_new(&h.fingerprint))?;
        let before = text.get(..new.offset).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        self.told.borrow_mut().push(Held {
            path: path.to_owned(),
            said: format!(
                "{path} line {line} holds what looks like a credential ({}): a placeholder stands for it in the commit, the file is as it was. Take it out of the file or put a placeholder there, and revoke it where it was issued",
                new.rule
            ),
        });
        match (first.fingerprint == NO_FINGERPRINT, last) {
            // The search failed: nothing of it goes in.
            (true, Some(last)) => Some(last.to_owned()),
            _ => Some(self.redactor.shown(text)),
        }
    }

    /// What was kept out.
    #[must_use]
    pub fn held(self) -> Vec<Held> {
        self.told.into_inner()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "DB_PASSWORD=Vq7wZk2mXr9T\u{74}Ybn";

    #[test]
    fn what_is_new_is_kept_out_and_told_with_its_line_and_what_history_has_stays() {
        let redactor = Redactor::new(&[], &[7; 32]).0;
        let keeper = Keeper::new(&redactor);
        let text = format!("# State\n\n- {SECRET}\n");
        let kept = keeper
            .instead("state.md", &text, Some("# State\n"))
            .unwrap();
        assert!(
            kept.starts_with("# State\n\n- DB_PASSWORD=[REDACTED:"),
            "{kept}"
        );
        assert!(kept.ends_with("]\n"), "{kept}");
        assert!(keeper.instead("state.md", &text, None).is_some());
        let later = format!("{text}- more\n");
        assert_eq!(keeper.instead("state.md", &later, Some(&text)), None);
        assert_eq!(keeper.instead("state.md", "- plain\n", None), None);
        let held = keeper.held();
        assert_eq!(held.len(), 2);
        assert!(
            held[0].said.starts_with("state.md line 3 holds"),
            "{held:?}"
        );
        assert!(!held[0].said.contains("Vq7w"), "{held:?}");
    }
}
