//! What a person says of secrets in the line review, and the hands that keep it.

use super::hands::Hands;
use crate::browse::Redaction;
use crate::id::ProposalId;
use crate::review::desk::Desk;
use crate::trust::AlsoSecret;
use crate::tui::shelf::Hidden;
use std::collections::BTreeSet;

/// A desk at which a person says what is a secret and what is none. Errors are sentences.
pub(crate) trait Words: Desk {
    /// Fingerprints of what was called no secret, and what was called one besides.
    fn said(&mut self) -> (BTreeSet<String>, Vec<AlsoSecret>) {
        Default::default()
    }
    /// Calls a hidden value no secret, or takes that back.
    fn not_secret(&mut self, _found: &Redaction) -> Result<String, String> {
        Err("nothing can be said of secrets here".to_owned())
    }
    /// Calls a text a secret: the proposals that it was taken out of, and what to say.
    fn also_secret(&mut self, _text: &str) -> Result<(Vec<ProposalId>, String), String> {
        Err("nothing can be said of secrets here".to_owned())
    }
    /// Takes such a word back.
    fn no_longer_secret(&mut self, _fingerprint: &str) -> Result<String, String> {
        Err("nothing can be said of secrets here".to_owned())
    }
}

impl Words for Hands<'_> {
    fn said(&mut self) -> (BTreeSet<String>, Vec<AlsoSecret>) {
        self.secrets_said()
    }

    fn not_secret(&mut self, found: &Redaction) -> Result<String, String> {
        Hands::not_secret(
            self,
            &Hidden {
                fingerprint: found.fingerprint.clone(),
                rule: found.rule.clone(),
                length: found.length.clone(),
                is_secret: found.not_secret,
            },
        )
    }

    fn also_secret(&mut self, text: &str) -> Result<(Vec<ProposalId>, String), String> {
        Hands::also_secret(self, text)
    }

    fn no_longer_secret(&mut self, fingerprint: &str) -> Result<String, String> {
        Hands::no_longer_secret(self, fingerprint)
    }
}
