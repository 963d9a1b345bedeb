//! From a plan to the sheet that shows it: nothing is written that is not on it.

use crate::apply::{Conflict, Plan};
use crate::config::Budgets;
use crate::memory::{Document, Memory, MemoryFile};
use crate::proposal::{Change, Kind, Level};
use crate::redact::Redactor;
use crate::review::{Item, Sheet, SheetFile};

/// What applying this plan writes. `exact` is the item in the words that stand in memory.
pub(super) fn sheet(
    item: &Item,
    exact: &Item,
    plan: &Plan,
    memory: &Memory,
    budgets: &Budgets,
    redactor: &Redactor,
) -> Sheet {
    let mut sheet = match plan.conflicts.is_empty() {
        true => Sheet::of(item),
        false => Sheet::of(&without_conflicts(item, plan)),
    };
    for line in &mut sheet.files {
        if let Some(file) = MemoryFile::from_name(&line.name) {
            let now = memory.doc(file).body_chars();
            (line.before, line.after) = (now, now);
            line.budget = Some(budgets.of(file));
        }
    }
    for write in &plan.files {
        let chars = |text: &str| match MemoryFile::from_name(&write.path) {
            Some(file) => Document::parse(file, text).body_chars(),
            None => text.chars().count(),
        };
        let (before, after) = (
            write.before.as_deref().map_or(0, chars),
            chars(&write.after),
        );
        let line = line_of(&mut sheet, &write.path, budgets);
        (line.before, line.after) = (before, after);
        // What stands in it besides was let in by nobody, maybe.
        line.text = Some(redactor.shown(&write.after));
        if MemoryFile::from_name(&write.path).is_none() {
            line.moved_in = plan.moved_in;
        }
    }
    for (file, verdicts) in &item.judged.files {
        let line = line_of(&mut sheet, file.name(), budgets);
        line.verdicts = verdicts
            .iter()
            .filter(|v| v.level == Level::Warn)
            .cloned()
            .collect();
    }
    for blocked in &plan.blocked {
        let mut verdict = blocked.verdict.clone();
        if let Some(n) = blocked.change {
            verdict.reason = format!("{}: {}", item.title(n), verdict.reason);
        }
        line_of(&mut sheet, blocked.file.name(), budgets)
            .verdicts
            .push(verdict);
    }
    let titled = |what: &str, n: u32| format!("{what}: {}", item.title(n));
    let there = |n: u32| match item.change(n).is_some_and(Change::leaves) {
        true => titled("is gone already", n),
        false => titled("stands there already", n),
    };
    let already = plan.already_there.iter().copied();
    sheet.notes.extend(already.map(there));
    sheet
        .notes
        .extend(plan.conflicts.iter().map(|c| titled(moved_on(c), c.n)));
    let text = |item: &Item, n: u32| item.change(n).map(|c| c.text.clone());
    let leaves = |n: &u32| text(item, *n) != text(exact, *n);
    let mut over = plan.restored.iter().chain(&plan.taken_out);
    if item.proposal.kind == Kind::ChangedOnDisk && over.any(leaves) {
        sheet.notes.push(NOT_KEPT.to_owned());
    }
    sheet.subject.clone_from(&plan.message.subject);
    sheet.is_quiet = plan.is_quiet;
    sheet
}

/// Of a text with a secret that gives way.
const NOT_KEPT: &str = "of the secret that leaves, only the placeholder is committed: memd keeps it nowhere (`memd scan --history` says whether an earlier commit has it)";

/// Why a change that was decided on stays as it is.
fn moved_on(conflict: &Conflict) -> &'static str {
    match conflict.now {
        None => "stays, to be decided afresh, since it no longer stands there as it was shown",
        Some(_) => "stays, to be decided afresh, since it reads otherwise by now",
    }
}

/// The item as an apply leaves it where a target moved on: nothing is decided there.
fn without_conflicts(item: &Item, plan: &Plan) -> Item {
    let mut item = item.clone();
    for conflict in &plan.conflicts {
        item.decisions.remove(&conflict.n);
    }
    item
}

fn line_of<'a>(sheet: &'a mut Sheet, name: &str, budgets: &Budgets) -> &'a mut SheetFile {
    let at = sheet
        .files
        .iter()
        .position(|f| f.name == name)
        .unwrap_or_else(|| {
            sheet.files.push(SheetFile {
                name: name.to_owned(),
                budget: MemoryFile::from_name(name).map(|f| budgets.of(f)),
                ..SheetFile::default()
            });
            sheet.files.len() - 1
        });
    &mut sheet.files[at]
}
