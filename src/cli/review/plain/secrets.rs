//! Secrets in the line review: what was hidden, by secret, and what a person says of it; and a text
//! that a person calls one, which is typed where nobody sees it.

use super::Plain;
use crate::browse::{Redaction, also_said, place_said, redactions};
use crate::redact::NO_FINGERPRINT;
use crate::review::{Effect, Event};
use crate::text::count;
use crate::trust::AlsoSecret;
use std::io;
use zeroize::Zeroizing;

/// What is typed to call a value no secret that almost certainly is one.
const WORD: &str = "no secret";

/// What a number in the list stands for.
enum Listed {
    Secret(Redaction),
    Also(AlsoSecret),
}

impl Plain<'_, '_> {
    /// `h`: what was hidden for this proposal, until the person goes back.
    pub(super) fn hidden(&mut self) -> io::Result<()> {
        loop {
            let listed = self.listed();
            self.list(&listed)?;
            if listed.is_empty() {
                return Ok(());
            }
            let ask = "a number lists its places, ! and a number says that it is no secret or takes a word back, Enter goes back:";
            let Some(line) = self.read(ask)? else {
                return Ok(());
            };
            let typed = line.trim();
            let number = typed.trim_start_matches('!').trim();
            let at = number.parse().ok().and_then(|n: usize| n.checked_sub(1));
            match at.and_then(|at| listed.get(at)) {
                _ if typed.is_empty() => return Ok(()),
                None => self
                    .screen
                    .say(&format!("{typed:?} is no number of the list"))?,
                Some(Listed::Secret(found)) if !typed.starts_with('!') => self.places(found)?,
                Some(Listed::Also(_)) if !typed.starts_with('!') => {
                    self.screen.say("    of this only a fingerprint is kept")?;
                }
                Some(Listed::Secret(found)) => self.not_secret(found)?,
                Some(Listed::Also(said)) => self.no_longer(said)?,
            }
        }
    }

    fn listed(&mut self) -> Vec<Listed> {
        let (allowed, also) = self.desk.said();
        let item = self.model.current_item();
        let found = item.map_or(Vec::new(), |i| redactions(&i.proposal, &allowed));
        let mut listed: Vec<Listed> = found.into_iter().map(Listed::Secret).collect();
        listed.extend(also.into_iter().map(Listed::Also));
        listed
    }

    fn list(&mut self, listed: &[Listed]) -> io::Result<()> {
        if listed.is_empty() {
            return self.screen.say("nothing was hidden");
        }
        for (n, row) in listed.iter().enumerate() {
            let said = match row {
                Listed::Secret(found) => found.said(str::to_owned),
                Listed::Also(said) => also_said(said),
            };
            self.screen.say(&format!("{:>4}  {said}", n + 1))?;
        }
        Ok(())
    }

    fn places(&mut self, found: &Redaction) -> io::Result<()> {
        if found.places.is_empty() {
            return self.screen.say("    no place is known");
        }
        for place in &found.places {
            self.screen.say(&format!("    {}", place_said(place)))?;
        }
        Ok(())
    }

    fn not_secret(&mut self, found: &Redaction) -> io::Result<()> {
        let (_, also) = self.desk.said();
        if let Some(said) = also
            .iter()
            .find(|a| a.value.fingerprint == found.fingerprint)
        {
            return self.no_longer(said);
        }
        if found.fingerprint == NO_FINGERPRINT {
            return self
                .screen
                .say("this was withheld whole; there is no value to let through");
        }
        let objection = found.confidence.objection(&found.rule);
        let (ask, wanted) = match objection.filter(|_| !found.not_secret) {
            _ if found.not_secret => (
                "y hides it again from now on, anything else goes back:".to_owned(),
                "y",
            ),
            None => (
                "y lets this value through from now on, in every project; anything else goes back:"
                    .to_owned(),
                "y",
            ),
            Some(why) => {
                self.screen.say(&format!("! {why}"))?;
                (format!("type \"{WORD}\" if you are sure:"), WORD)
            }
        };
        match self.read(&ask)? {
            Some(line) if line.trim() == wanted => {
                let done = self.desk.not_secret(found);
                self.screen.say(&done.unwrap_or_else(|why| why))
            }
            _ => self.screen.say("nothing was done"),
        }
    }

    fn no_longer(&mut self, said: &AlsoSecret) -> io::Result<()> {
        let ask = "y shows this value again where no rule hides it, anything else goes back:";
        match self.read(ask)? {
            Some(line) if line.trim() == "y" => {
                let done = self.desk.no_longer_secret(&said.value.fingerprint);
                self.screen.say(&done.unwrap_or_else(|why| why))
            }
            _ => self.screen.say("nothing was done"),
        }
    }

    /// `*`: a text that is a secret, typed where it is not shown.
    pub(super) fn also_secret(&mut self) -> io::Result<()> {
        let ask = "the secret, typed or pasted; it is not shown (Enter alone goes back):";
        self.screen.flush()?;
        self.input.drop_waiting()?;
        let (input, screen) = (&mut self.input, &mut self.screen);
        let typed = input.hidden_line(&mut || screen.prompt(ask))?;
        self.screen.say("")?;
        let typed = match typed.map(|t| Zeroizing::new(t.trim().to_owned())) {
            Some(typed) if !typed.is_empty() => typed,
            _ => return self.screen.say("nothing was done"),
        };
        let stands = self.times(&typed);
        let chars = count(typed.chars().count(), "character", "characters");
        self.screen.say(&match stands {
            0 => format!("{chars}; it stands nowhere in this proposal"),
            n => format!(
                "{chars}; it stands {} in this proposal",
                count(n, "time", "times")
            ),
        })?;
        let ask = "y hides it from now on, in every project, and takes it out of what is staged; anything else goes back:";
        match self.read(ask)? {
            Some(line) if line.trim() == "y" => {}
            _ => return self.screen.say("nothing was done"),
        }
        match self.desk.also_secret(&typed) {
            Ok((proposals, said)) => {
                for id in proposals {
                    if self.model.item(&id).is_some() {
                        self.carry_out(Effect::Load(id))?;
                    }
                }
                match self.desk.queue() {
                    Ok(queue) => self.send(Event::Loaded(queue))?,
                    Err(why) => self.send(Event::Failed(why))?,
                }
                self.printed = None;
                self.screen.say(&said)
            }
            Err(why) => self.screen.say(&format!("nothing was done: {why}")),
        }
    }

    /// How often a text stands in what the open proposal shows.
    fn times(&self, text: &str) -> usize {
        let Some(item) = self.model.current_item() else {
            return 0;
        };
        let changes = item.proposal.changes.iter();
        let texts = changes.flat_map(|c| {
            let target = c.target.as_ref().map(|t| t.text.as_str());
            [Some(c.text.as_str()), c.reason.as_deref(), target]
        });
        let lines = item.proposal.lines.iter().map(|l| Some(l.text.as_str()));
        let all = texts
            .chain(lines)
            .flatten()
            .chain([item.proposal.summary.as_str()]);
        all.map(|t| t.matches(text).count()).sum()
    }
}
