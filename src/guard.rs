//! Guardrails: what to say of a change, a file, a proposal. One guardrail a file, all pure.
//!
//! [`judge`] is asked when a proposal is staged, again while a person toggles, and once more at
//! apply, always on what is chosen at that moment. A guardrail only points a person at the right
//! place: nothing gets in because none of them objects. What is matched is a normalised copy
//! (`normal`); what is shown is the text itself.

mod alone;
mod budget;
mod commands;
mod confirmed;
mod conflict;
mod credential;
mod duplicate;
mod encoded;
mod evidence;
mod forgery;
mod frontmatter;
mod hidden;
mod high_impact;
mod imperative;
mod lexicon;
mod links;
mod loss;
mod mistakes;
mod normal;
mod orders;
mod rules;
mod runners;
mod speech;
mod todo_closed;
mod tool_only;

pub use alone::{Alone, alone};
pub use conflict::mark_in;
pub use loss::NAME as LOSS;
pub use tool_only::unheard;

/// The guardrails that judge what a text says: on an honest change each word of them is a false
/// alarm. The others speak of what a change does, whoever means well.
pub const CONTENT: [&str; 8] = [
    conflict::NAME,
    duplicate::NAME,
    encoded::NAME,
    hidden::NAME,
    imperative::NAME,
    links::NAME,
    runners::NAME,
    tool_only::NAME,
];

use crate::config::Limits;
use crate::digest::Line;
use crate::memory::{Memory, MemoryFile};
use crate::proposal::{
    Change, Chosen, Kind, KnownEntry, Level, Op, Outcome, Tombstone, Verdict, new_lines, outcome_on,
};
use crate::redact::Hit;
use crate::redact::first_whole;
use std::collections::BTreeMap;

/// What is judged, and against what.
pub struct Context<'a> {
    /// Where the changes come from; only what a curator proposes needs evidence.
    pub kind: Kind,
    /// Memory as it stands.
    pub memory: &'a Memory,
    /// What is known of its entries.
    pub entries: &'a [KnownEntry],
    /// The changes that would be applied, each with the text that was decided on.
    pub chosen: &'a [Chosen<'a>],
    /// The digest lines that the proposal keeps.
    pub lines: &'a [Line],
    /// What was rejected before.
    pub tombstones: &'a [Tombstone],
    /// How long a file may get, and what is decided one by one.
    pub limits: &'a Limits,
    /// Finds credentials: the redactor's check.
    pub credentials: &'a dyn Fn(&str) -> Vec<Hit>,
}

/// What the guardrails say. What passes without a word is not listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Judgement {
    /// Of each change, by its number.
    pub changes: BTreeMap<u32, Vec<Verdict>>,
    /// Of each file.
    pub files: BTreeMap<MemoryFile, Vec<Verdict>>,
}

impl Judgement {
    /// The verdicts of a change.
    #[must_use]
    pub fn of(&self, n: u32) -> &[Verdict] {
        self.changes.get(&n).map_or(&[], Vec::as_slice)
    }
}

/// One change as the guardrails look at it.
struct Item<'a> {
    change: &'a Change,
    /// The decided text, without blank lines around it.
    text: &'a str,
    /// No curator's word: a person has written it, or time takes it away. No evidence is asked for.
    by_person: bool,
    /// What would be new to memory: section, text and reason.
    all: String,
    /// What would be new to a reader: of an edit only the changed lines.
    fresh: String,
}

impl<'a> Item<'a> {
    fn new(context: &Context<'a>, chosen: &Chosen<'a>) -> Self {
        let change = chosen.change;
        let text = if change.op.takes_away() {
            ""
        } else {
            chosen.text.trim()
        };
        let sections = context.memory.doc(change.file).sections();
        let is_known =
            change.section.is_empty() || sections.iter().any(|s| s.path == change.section);
        let section = if is_known { "" } else { &change.section };
        let reason = change.reason.as_deref().unwrap_or_default();
        let fresh = match (&change.op, &change.target) {
            (Op::Edit, Some(target)) => new_lines(&target.text, text),
            _ => text.to_owned(),
        };
        Self {
            change,
            text,
            by_person: chosen.is_edited()
                || !context.kind.is_by_curator()
                || (context.kind == Kind::Unreviewed && change.leaves()),
            all: join([section, text, reason]),
            fresh: join([section, &fresh]),
        }
    }
}

fn join<const N: usize>(parts: [&str; N]) -> String {
    let filled: Vec<&str> = parts.into_iter().filter(|p| !p.is_empty()).collect();
    filled.join("\n")
}

/// What the guardrails say of these changes against memory as it stands.
#[must_use]
pub fn judge(context: &Context) -> Judgement {
    let mut out = Judgement::default();
    let index = duplicate::Index::new(context);
    for chosen in context.chosen {
        let item = Item::new(context, chosen);
        let said = of_change(context, &item, &index);
        if !said.is_empty() {
            out.changes.insert(chosen.change.n, said);
        }
    }
    // `last_updated` is set at apply; that it lacks or is wrong is no reason to object.
    let day = jiff::civil::date(2000, 1, 1);
    let outcome = outcome_on(context.memory, context.chosen, Some(day));
    for (n, said) in imperative::assembled(context, &outcome) {
        let known = out.changes.entry(n).or_default();
        if !known.iter().any(|v| v.guard == said.guard) {
            known.push(said);
        }
    }
    for file in outcome.docs.keys().copied() {
        let said = of_file(context, &outcome, file);
        if !said.is_empty() {
            out.files.insert(file, said);
        }
    }
    out
}

/// What the guardrails say of words alone, wherever they stand.
#[must_use]
pub fn of_words(text: &str, credentials: &dyn Fn(&str) -> Vec<Hit>) -> Vec<Verdict> {
    let mut said = hidden::check(text);
    said.extend(encoded::check(text));
    said.extend(credential::check(text, credentials));
    said.extend(imperative::check(text));
    said
}

fn of_change(context: &Context, item: &Item, index: &duplicate::Index) -> Vec<Verdict> {
    let mut said = Vec::new();
    said.extend(hidden::check(&item.all));
    said.extend(encoded::check(&item.all));
    // What stands on disk is offered with placeholders, which take the place of secrets there; of a
    // heading that stands there already none is taken out.
    let adopted = context.kind == Kind::ChangedOnDisk;
    let all = match adopted && !item.change.op.takes_away() {
        true => join([&item.change.section, &item.all]),
        false => item.all.clone(),
    };
    let credential = credential::check(&all, context.credentials);
    said.extend(credential.filter(|v| !adopted || v.reason != credential::HIDDEN));
    said.extend(forgery::check(item, context.entries));
    said.extend(conflict::check(item));
    said.extend(links::check(item, context));
    said.extend(runners::check(item, context));
    said.extend(imperative::check(&item.fresh));
    // A person's own act on one entry is one by one already.
    if context.kind != Kind::Own {
        let words = &context.limits.high_impact;
        said.extend(high_impact::check(item, context.kind, words));
    }
    // What a person confirmed is not taken for their own edit of it: by whom it is, is not known.
    said.extend(confirmed::check(item, context.kind, context.entries));
    if !context.kind.is_by_curator() && context.kind.is_on_disk() {
        return said;
    }
    said.extend(mistakes::check_change(item));
    said.extend(loss::check_change(item));
    said.extend(duplicate::check(item, context, index));
    said.extend(todo_closed::check(item, context.lines));
    said.extend(evidence::check(item, context.lines));
    said.extend(tool_only::check(item, context.lines));
    said
}

fn of_file(context: &Context, outcome: &Outcome, file: MemoryFile) -> Vec<Verdict> {
    let mut said = Vec::new();
    let now = outcome.doc(context.memory, file);
    said.extend(frontmatter::check(now));
    said.extend(conflict::check_file(now));
    if !context.kind.is_on_disk() {
        said.extend(mistakes::check_file(context, outcome, file));
        said.extend(loss::check_file(context, outcome, file));
    }
    said.extend(budget::check(now, &context.limits.budgets));
    said
}

fn verdict(guard: &str, level: Level, reason: impl Into<String>) -> Verdict {
    Verdict {
        guard: guard.to_owned(),
        level,
        reason: reason.into(),
    }
}

fn warn(guard: &str, reason: impl Into<String>) -> Verdict {
    verdict(guard, Level::Warn, reason)
}

fn block(guard: &str, reason: impl Into<String>) -> Verdict {
    verdict(guard, Level::Block, reason)
}

/// A quoted piece of foreign text for a reason, not too long.
fn quote(text: &str) -> String {
    let (cut, whole) = first_whole(text.trim(), 60);
    let cut = crate::text::quoted(cut, 60);
    format!("{cut}{}", if whole { "" } else { "…" })
}

#[cfg(test)]
mod tests;
