//! A person's words about secrets, kept: what is one besides, and what is none.

use crate::browse;
use crate::cli::review::hands::{Hands, now, said};
use crate::cli::review::own_words;
use crate::id::ProposalId;
use crate::memory::Memory;
use crate::review::desk::Desk;
use crate::store::{HiddenValue, Rewritten};
use crate::text::count;
use crate::trust::AlsoSecret;
use crate::tui::shelf::{Heard, Hidden};
use std::collections::BTreeSet;

impl Hands<'_> {
    pub(super) fn hidden(&mut self, text: &str) -> Heard {
        let done = self.also_secret(text);
        let heard = done.and_then(|(proposals, said)| {
            Ok(Heard::Hidden {
                queue: self.queue()?,
                proposals,
                said,
            })
        });
        heard.unwrap_or_else(Heard::NotWritten)
    }

    /// Keeps a person's word that a text is a secret, and takes it out of what is staged: the
    /// proposals that held it, and what to say.
    pub(in crate::cli::review) fn also_secret(
        &mut self,
        text: &str,
    ) -> Result<(Vec<ProposalId>, String), String> {
        let plain = self.context.plain_redactor(self.trust);
        let value = plain.also(text).map_err(|e| e.to_string())?;
        if let Some(why) = own_words::objection(text) {
            return Err(why.to_owned());
        }
        if let Some(why) = self.heading(text) {
            return Err(why);
        }
        let mark = browse::mark(&value.fingerprint);
        let done = self.store.set_also_secret(self.trust, &value, plain, now());
        let done = done.map_err(said)?;
        self.said_here();
        // What a change replaces may hold it too.
        let mut proposals: Vec<ProposalId> = self.last.keys().cloned().collect();
        let others = done
            .proposals
            .iter()
            .filter(|id| !self.last.contains_key(id));
        proposals.extend(others.cloned());
        Ok((proposals, told(&done, &mark)))
    }

    /// Why a text is no secret that can be kept, since a section of a memory in view is called so.
    fn heading(&self, text: &str) -> Option<String> {
        let all = self.store.projects().unwrap_or_default().into_iter();
        let shown = all.filter(|p| self.project.as_ref().is_none_or(|id| p.id == *id));
        let mut memories = shown.filter_map(|p| Memory::read(&p.memory()).ok());
        memories.find_map(|memory| own_words::heading(text, &memory))
    }

    /// Fingerprints of what was called no secret, and what was called one besides.
    pub(in crate::cli::review) fn secrets_said(&self) -> (BTreeSet<String>, Vec<AlsoSecret>) {
        let allowed = self.store.not_secret(self.trust).unwrap_or_default();
        let also = self.store.also_secret(self.trust).unwrap_or_default();
        (allowed.fingerprints(), also.values)
    }

    pub(in crate::cli::review) fn no_longer_secret(
        &mut self,
        print: &str,
    ) -> Result<String, String> {
        let done = self.store.unset_also_secret(self.trust, print, now());
        done.map_err(said)?;
        self.said_here();
        Ok(format!(
            "value {} is not kept as a secret any more",
            browse::mark(print)
        ))
    }

    pub(in crate::cli::review) fn not_secret(&mut self, hidden: &Hidden) -> Result<String, String> {
        let Hidden {
            fingerprint,
            rule,
            length,
            is_secret,
        } = hidden;
        let (trust, now) = (self.trust, now());
        let kept = match is_secret {
            true => self.store.unset_not_secret(trust, fingerprint, now),
            false => {
                let value = HiddenValue {
                    fingerprint,
                    rule,
                    length,
                };
                self.store.set_not_secret(trust, value, now).map(drop)
            }
        };
        kept.map_err(said)?;
        self.said_here();
        let short = browse::mark(fingerprint);
        Ok(match is_secret {
            true => format!("value {short} is hidden again"),
            false => format!("value {short} is no secret from now on; ! takes it back"),
        })
    }
}

/// What is said once a text is a secret.
fn told(done: &Rewritten, mark: &str) -> String {
    let mut said = format!("value {mark} is hidden from now on");
    match done.proposals.len() {
        0 => said.push_str("; nothing staged held it"),
        n => said.push_str(&format!(
            "; taken out of {}",
            count(n, "proposal", "proposals")
        )),
    }
    if done.blocked > 0 {
        let texts = count(done.blocked, "proposed text", "proposed texts");
        said.push_str(&format!(", {texts} cannot be accepted now"));
    }
    if done.on_disk > 0 {
        let texts = count(done.on_disk, "text", "texts");
        said.push_str(&format!(
            ", {texts} changed on disk among them: accepted, the placeholder stands in the file too"
        ));
    }
    if done.records > 0 {
        said.push_str("; MEMORY HOLDS IT: `memd scan --history` says where");
    }
    if done.stays > 0 {
        let texts = count(done.stays, "text", "texts");
        said.push_str(&format!(
            "; {texts} of the database that belong to memory or its books keep it"
        ));
    }
    if done.broken > 0 {
        let broken = count(done.broken, "proposal", "proposals");
        said.push_str(&format!("; {broken} changed outside memd may hold it"));
    }
    for (files, holds) in [(&done.beside, "hold"), (&done.unseen, "may hold")] {
        if !files.is_empty() {
            let files = files.join(", ");
            said.push_str(&format!(
                "; in memd's state folder {holds} it until you delete them: {files}"
            ));
        }
    }
    if !done.is_wiped {
        said.push_str(
            "; old pages of the database may keep it while another memd runs: say it again later",
        );
    }
    said + ". Change it where it is used"
}
