//! What is asked before something is done, with all that follows from a yes.

use super::{Question, Rows};
use crate::browse::{EntryView, Redaction};
use crate::text::count;
use crate::trust::AlsoSecret;
use crate::tui::shelf::wish::{Hidden, Spoken};
use crate::tui::theme::Role;

pub(super) fn asked(rows: &mut Rows<'_>, question: &Question) -> String {
    match question {
        Question::Confirm { entry, .. } => confirm(rows, entry),
        Question::NotSecret { hidden, found } => not_secret(rows, hidden, found),
        Question::AlsoSecret(text) => also_secret(rows, text),
        Question::NoLongerSecret(said) => no_longer_secret(rows, said),
        Question::Leave(why) => leave(rows, why),
        Question::Reverse(reverse) => {
            return crate::tui::shelf::reverse::rows(rows.app, reverse, &mut rows.blocks);
        }
    }
    String::new()
}

fn leave(rows: &mut Rows<'_>, why: &str) {
    rows.say(Role::Strong, 0, "Leave, with what you typed kept nowhere?");
    rows.gap();
    rows.say(
        Role::Warn,
        0,
        &format!("! It was not taken, and could not be kept: {why}."),
    );
    rows.gap();
    let texts = crate::tui::update::typed_yet(rows.app);
    for text in texts {
        rows.text(2, &text);
        rows.gap();
    }
    let what =
        "y leaves, and prints it on the terminal. Esc stays: there may be room for it later.";
    rows.say(Role::Plain, 0, what);
}

fn confirm(rows: &mut Rows<'_>, entry: &EntryView) {
    rows.say(Role::Strong, 0, "Is this still true?");
    rows.gap();
    let place = match entry.section.as_str() {
        "" => entry.file.name().to_owned(),
        section => format!(
            "{} {} {section}",
            entry.file.name(),
            rows.app.look.marks.path
        ),
    };
    rows.say(Role::Dim, 0, &place);
    rows.text(2, &entry.text);
    rows.gap();
    let times = match entry.confirmations {
        0 => "It was never confirmed so far.".to_owned(),
        n => format!(
            "It was confirmed {} so far.",
            count(n as usize, "time", "times")
        ),
    };
    rows.say(Role::Plain, 0, &times);
    let what =
        "y confirms it: counted and dated, recorded in the audit chain. Its text stays as it is.";
    rows.say(Role::Plain, 0, what);
}

/// Places that are listed where something is asked.
const PLACES: usize = 20;

fn also_secret(rows: &mut Rows<'_>, text: &Spoken) {
    rows.say(Role::Strong, 0, "Is this a secret?");
    rows.gap();
    rows.say(Role::Select, 2, text.text());
    rows.gap();
    for what in [
        "From now on it is hidden wherever it stands, in every project: in what is read, in prompts and answers, on screens. Not the text is kept, but a keyed hash of it and its length.",
        "Everything staged loses it at once; a proposed text that held it cannot be accepted any more.",
        "What stands in memory, in its history or in the sessions themselves stays there: `memd scan --history` says where. Whoever may have read it has it: change it where it is used.",
        "Recorded in the audit chain; ! on its row in the drawer's redactions takes it back.",
    ] {
        rows.say(Role::Plain, 0, what);
    }
}

fn no_longer_secret(rows: &mut Rows<'_>, said: &AlsoSecret) {
    rows.say(Role::Strong, 0, "Is this no longer to be hidden?");
    rows.gap();
    rows.say(Role::Plain, 0, &crate::browse::also_said(said));
    rows.gap();
    let what = "From now on it is shown again where no rule hides it. What was hidden so far stays hidden. Recorded in the audit chain.";
    rows.say(Role::Plain, 0, what);
}

fn not_secret(rows: &mut Rows<'_>, hidden: &Hidden, found: &Redaction) {
    let (asked, what) = match hidden.is_secret {
        false => (
            "Is this value no secret?",
            "From now on a value with this fingerprint is no longer hidden, in any project: curators are given it, and it may stand in memory. What was hidden so far stays hidden. Recorded in the audit chain; ! on the same row takes it back.",
        ),
        true => (
            "Is this value a secret after all?",
            "From now on it is hidden again, in every project. What was shown meanwhile stays as it is. Recorded in the audit chain.",
        ),
    };
    rows.say(Role::Strong, 0, asked);
    rows.gap();
    let said = format!(
        "{}  {}  {}  {} bytes  {}",
        found.mark(),
        found.rule,
        found.confidence.name(),
        found.length,
        found.seen(),
    );
    rows.say(Role::Plain, 2, &said);
    for place in found.places.iter().take(PLACES) {
        rows.say(Role::Dim, 2, &crate::browse::place_said(place));
    }
    if let Some(more) = found.places.len().checked_sub(PLACES).filter(|n| *n > 0) {
        rows.say(Role::Dim, 2, &format!("and {more} more"));
    }
    rows.gap();
    let objection = found.confidence.objection(&found.rule);
    if let Some(why) = objection.filter(|_| !hidden.is_secret) {
        rows.say(
            Role::Warn,
            0,
            &format!("! {why}. A word is asked for after the y."),
        );
        rows.gap();
    }
    rows.say(Role::Plain, 0, what);
}
