//! What a person typed, on its way: to the change or entry it was typed for, or else aside. None of it
//! is lost.

use super::{Engine, Outer};
use crate::apply;
use crate::id::{EntryId, ProjectId};
use crate::review::desk::{NOT_TAKEN, kept, last_words};
use crate::review::{ChangeRef, Event};
use crate::tui::msg::{Editing, Msg};
use crate::tui::shelf::{Heard, Wish, open_reverse};
use crate::tui::update::{typed_yet, unsaved};
use std::convert::identity;

/// Why a text that was typed goes nowhere.
pub(super) const GONE: &str = "the change was decided on elsewhere";

impl Engine<'_> {
    /// What was typed, and is not taken yet.
    pub(super) fn drafts(&self) -> Vec<(ChangeRef, String)> {
        let items = self.app.review.queue.iter().filter_map(|w| w.item.as_ref());
        let drafts = items.flat_map(|item| {
            let proposal = &item.proposal.id;
            item.drafts.iter().map(move |(&n, text)| {
                let proposal = proposal.clone();
                (ChangeRef { proposal, n }, text.clone())
            })
        });
        drafts.collect()
    }

    /// Whether a change can still be decided on.
    pub(super) fn stands(&self, change: &ChangeRef) -> bool {
        let item = self.app.review.item(&change.proposal);
        item.is_some_and(|item| item.change(change.n).is_some())
    }

    /// Puts a text aside whose change is gone, and says where.
    pub(super) fn keep(&mut self, why: &str, text: String) {
        let kept = kept(self.hands, why, text);
        // The next key takes the notice off the screen.
        self.app.farewell.extend(kept.clone().ok());
        self.tell(Event::Failed(kept.unwrap_or_else(identity)));
    }

    /// The screen is left: what was typed and is taken nowhere is put aside, and the shell is told
    /// where. Once more does nothing.
    pub fn leave(&mut self) {
        // What was staged to be looked at is taken back, as by Esc.
        if let Some(id) = open_reverse(&self.app) {
            let _ = self.hands.grant(&Wish::DropReverse(id));
        }
        let mut texts = unsaved(&mut self.app);
        texts.retain(|text| !self.put_aside.contains(text));
        let said = last_words(self.hands, NOT_TAKEN, texts);
        self.app.farewell.extend(said);
    }

    /// The person leaves. Where something was typed that is taken nowhere and cannot be written either,
    /// that is asked about first.
    pub(super) fn ask_to_leave(&mut self) {
        let held = self.hands.unkept();
        let lost = self.try_to_keep(typed_yet(&self.app));
        // The screen still has them.
        let _ = self.hands.unkept();
        match lost.or(self.try_to_keep(held)) {
            Some(why) if !self.app.rehearsal => self.send(Msg::Shelf(Heard::NotKept(why))),
            _ => {
                self.app.leaving = true;
                self.outer.push(Outer::Quit);
            }
        }
    }

    /// Puts texts aside that were not taken; why one of them could not be, if so.
    pub(super) fn try_to_keep(&mut self, texts: Vec<String>) -> Option<String> {
        let mut lost = None;
        for text in texts {
            if self.put_aside.contains(&text) {
                continue;
            }
            match self.hands.keep(text.clone()) {
                Ok(place) => {
                    let said = format!("{NOT_TAKEN}; your text is kept in {place}");
                    self.app.farewell.push(said);
                    self.put_aside.insert(text);
                }
                Err(why) => lost = Some(why),
            }
        }
        lost
    }

    /// Has something edited, in the editor. Called while the terminal is the editor's.
    pub fn edit(&mut self, what: Editing) {
        let change = match what {
            Editing::Change(change) => change,
            Editing::Entry(project, entry) => return self.edit_entry(project, entry),
        };
        let Some(item) = self.app.review.item(&change.proposal) else {
            return;
        };
        let text = self.hands.edit(item, change.n);
        self.edited(change, text);
    }

    pub(super) fn edit_entry(&mut self, project: ProjectId, entry: EntryId) {
        let begun = self.app.shelf.typed.get(&entry).cloned();
        match self.hands.edit_entry(&project, &entry, begun.as_deref()) {
            Ok(text) => self.own(project, entry, text),
            Err(why) => self.send(Msg::Shelf(Heard::NotWritten(why))),
        }
    }

    /// Stages what a person made of an entry. What is not taken is gone on from where the entry still
    /// stands, else put aside.
    pub(super) fn own(&mut self, project: ProjectId, entry: EntryId, text: String) {
        let (text, objection) = self.hands.vetted(text);
        let why = match objection {
            Some(why) => why,
            None => {
                let (of, text) = (entry.clone(), text.clone());
                let entry = entry.clone();
                let wish = apply::Wish::Edit { entry, text };
                match self.hands.grant(&Wish::Own(project.clone(), wish)) {
                    Some(Msg::Shelf(Heard::NotWritten(why))) => why,
                    Some(Msg::Say(why)) => why,
                    staged => {
                        self.app.shelf.typed.remove(&of);
                        return staged.into_iter().for_each(|msg| self.send(msg));
                    }
                }
            }
        };
        let stands = self.hands.grant(&Wish::EntryText(project, entry.clone()));
        if !matches!(stands, Some(Msg::Shelf(Heard::EntryText(.., Ok(_))))) {
            self.app.shelf.typed.remove(&entry);
            return self.keep(&why, text);
        }
        self.app.shelf.typed.insert(entry, text);
        let said = format!("not taken: {why}; e and i go on from your text");
        self.send(Msg::Shelf(Heard::NotWritten(said)));
    }

    /// Judges a text that a person made of a change, and tells the review.
    pub(super) fn edited(&mut self, change: ChangeRef, text: Result<String, String>) {
        let item = self.app.review.item(&change.proposal);
        let item = item.filter(|item| item.change(change.n).is_some());
        let Some(item) = item else {
            return match text {
                Ok(text) => self.keep(GONE, text),
                Err(why) => self.tell(Event::Failed(why)),
            };
        };
        let edit = text.map(|text| self.hands.edited(item, change.n, text));
        self.tell(Event::Edited { change, edit });
    }
}
