//! `memd verify --settle`: a person says why something is gone for good, on a terminal.
//!
//! The act is asked for here, where the breaks are named: nobody has to find another command for what
//! they are reading about. The word is a flag of asking; nothing but a person's lines answers.

use super::super::{Context, Failure, give_up, out, person};
use super::{by_kind, whole};
use crate::git::refuse_under_way;
use crate::redact::{Part, Redacted};
use crate::source::Raw;
use crate::store::{Project, Store};
use crate::text::{count, visible_line};
use crate::trust::{AT_ONCE, Break, BreakKind, Cause, Loose, Report, Trust};
use serde_json::json;

/// The longest reason, in characters.
const REASON: usize = 200;
/// So many pieces of one break are named; all of them are on record.
const NAMED: usize = 12;

pub(super) fn run(
    context: &Context,
    store: &Store,
    trust: &Trust,
    project: Option<&Project>,
) -> Result<(), Failure> {
    let refuse = |why: &str| {
        let details = json!({ "why": why });
        person::refused(context, store, trust, project, "settle", details);
    };
    if !person::is_here() {
        refuse("no terminal");
        return Err(person::needed("settling a break", "settled"));
    }
    let look = || whole(context, store, trust, project.map(|p| &p.id));
    let mut report = look()?.0;
    // What is gone for good is settled before: it may be all that is wrong.
    if report.loose.is_empty() && is_to_give_up(&report) {
        let found = store.unsound(trust, project.map(|p| &p.id), false)?;
        give_up::ask(context, store, trust, found)?;
        give_up::ask_records(context, store, trust, project)?;
        give_up::ask_values(context, store, trust, project)?;
        report = look()?.0;
    }
    let others = others(&report);
    let loose = at_once(&report.loose);
    if loose.is_empty() {
        name_others(&others);
        if others.is_empty() {
            out::line("nothing is broken: there is nothing to settle");
            return Ok(());
        }
        refuse("nothing of it can be settled");
        return Err(left(&others));
    }
    at_rest(store, &loose).inspect_err(|_| refuse("a git is in the middle of something"))?;
    name(&loose);
    name_others(&others);
    terms(&loose).iter().for_each(|line| out::line(line));
    let Some(why) = reason(context, store, trust)? else {
        out::line("nothing was settled");
        return Ok(());
    };
    if !is_yes(&why)? {
        out::line("nothing was settled");
        return Ok(());
    }
    // A person may think for long, and another may have said so meanwhile.
    let seen = store.audit_head()?;
    let is_same = at_once(&look()?.0.loose) == loose;
    let settle = || store.settle_breaks(trust, &loose, &why, seen.as_ref(), context.now);
    let Some(head) = is_same.then(settle).transpose()?.flatten() else {
        let why = "what can be settled has changed meanwhile; nothing was settled";
        return Err(Failure::known(why).hint("`memd verify --settle` names it as it is now"));
    };
    out::line(&format!(
        "settled, and on record as audit record {}; `memd verify` shows it apart from now on",
        head.seq
    ));
    let more = pieces(&report.loose) > pieces(&loose);
    match others.is_empty() {
        _ if more => Err(
            Failure::known("there is more to settle than is settled at once")
                .hint("run `memd verify --settle` again for the rest"),
        ),
        true => Ok(()),
        false => Err(left(&others)),
    }
}

/// Whether something is broken that a person can give up.
fn is_to_give_up(report: &Report) -> bool {
    report.breaks.iter().any(|b| b.kind.can_be_given_up())
}

/// In the middle of a merge or a rebase of the user's git commits are gone for a while only.
fn at_rest(store: &Store, loose: &[Loose]) -> Result<(), Failure> {
    for id in loose.iter().filter_map(|l| l.project.as_ref()) {
        let project = store.project(id)?;
        if let Err(under_way) = refuse_under_way(&project.memory()) {
            let what = format!("{}: {under_way}; nothing was settled", project.name);
            return Err(Failure::known(what)
                .hint("what is gone meanwhile may come back: settle what is gone afterwards"));
        }
    }
    Ok(())
}

/// Breaks that nobody can settle.
fn others(report: &Report) -> Vec<Break> {
    let loose: Vec<Break> = report.loose.iter().map(Loose::found).collect();
    let mut others = report.breaks.clone();
    others.retain(|found| !loose.contains(found));
    others
}

fn pieces(loose: &[Loose]) -> usize {
    loose.iter().map(|l| l.pieces.len()).sum()
}

/// As much as goes into one record.
fn at_once(all: &[Loose]) -> Vec<Loose> {
    let mut left = AT_ONCE;
    let part = |loose: &Loose| {
        let pieces: Vec<_> = loose.pieces.iter().take(left).cloned().collect();
        left -= pieces.len();
        loose.with(pieces)
    };
    all.iter().filter_map(part).collect()
}

/// Each break with what is gone, piece by piece.
fn name(loose: &[Loose]) {
    let n = count(loose.len(), "break", "breaks");
    out::line(&format!(
        "{n} can be settled, as gone for good or as how the archive may stay:"
    ));
    for loose in loose {
        let found = loose.found();
        let title = found.kind.title();
        out::line(&format!("  {title}: {}: {}", found.place, found.what));
        for piece in loose.pieces.iter().take(NAMED) {
            out::line(&format!("    {}", piece.shown));
        }
        let more = loose.pieces.len().saturating_sub(NAMED);
        if more > 0 {
            out::line(&format!("    and {more} more"));
        }
    }
}

/// What cannot be settled, and what mends it instead.
fn name_others(others: &[Break]) {
    if others.is_empty() {
        return;
    }
    let n = count(others.len(), "break", "breaks");
    out::line(&format!("{n} cannot be settled:"));
    by_kind(others);
    let mut told = Vec::new();
    for kind in others.iter().map(|found| found.kind) {
        let instead = instead(kind);
        if !told.contains(&instead) {
            told.push(instead);
            out::line(&format!("  instead: {instead}"));
        }
    }
}

fn left(others: &[Break]) -> Failure {
    let n = count(others.len(), "break", "breaks");
    Failure::known(format!("{n} left that cannot be settled"))
        .hint("what ends it is named above; see \"Recovering\" in docs/state.md")
}

/// What ends a break where the user's git waits in the middle of something.
pub(super) const FINISH_FIRST: &str =
    "finish or abort what your git has begun there; then `memd review` offers what is left of it";

/// What ends a break: one that a person can settle, or another.
pub(super) fn ends(kind: BreakKind, is_loose: bool) -> &'static str {
    match is_loose {
        true if kind.is_of_archive() => {
            "put the file back as it was (`git log -p -- archive` in `.memory/` has it), or `memd verify --settle`, where it may stay so: no agent is given it"
        }
        true => "`memd verify --settle`, where you know why it is gone for good",
        false => instead(kind),
    }
}

/// What ends a break that nobody can settle.
fn instead(kind: BreakKind) -> &'static str {
    match kind {
        _ if kind.is_on_disk() => {
            "`memd review` offers what stands on disk, or left it: adopt or restore it"
        }
        BreakKind::StrayValue => {
            "`memd verify --settle` asks: what is sealed says it again, or its row is taken out"
        }
        _ if kind.can_be_given_up() => {
            "put a backup back, or give up what does not hold: `memd verify --settle` asks, and what stands on disk is offered then"
        }
        BreakKind::FileUnreadable => "mend the file that is named, then verify again",
        BreakKind::HistoryUnreadable => {
            "mend what git names: no memory is changed by it (docs/state.md, \"Recovering\")"
        }
        BreakKind::MemoryUnknown => "as is said there, for each of them",
        BreakKind::ForeignObject => {
            "`memd doctor` makes the database anew from its rows, and keeps the one that held it to look into"
        }
        BreakKind::GuardGone => {
            "`memd doctor` makes it again; what was changed meanwhile is named by itself"
        }
        BreakKind::Grant => "`memd untrust` there, then `memd trust` if you want it",
        BreakKind::NotSecret | BreakKind::AlsoSecret => {
            "say it again, or take it back: `memd redact --help` names the words for it"
        }
        _ => {
            "something wrote into the database: keep a copy to look into, put a backup back, or begin anew (docs/state.md, \"Recovering\")"
        }
    }
}

/// What a yes would mean.
fn terms(loose: &[Loose]) -> Vec<String> {
    let of_chain = loose.iter().any(|l| l.project.is_none());
    let mut terms = vec![
        "with a yes it is on record that you know why these are gone or read so, with your reason:"
            .to_owned(),
        "  - `memd verify` still shows them, as settled by you; they are no breaks any more"
            .to_owned(),
        "  - only these: whatever else is gone or goes later is a break again".to_owned(),
        "  - nothing is given to an agent that was not given before".to_owned(),
    ];
    if of_chain {
        let of_chain = [
            "  - what was accepted and taken back stands as it did: the end of the chain says it by itself",
            "  - what else the missing records said is not known, such as who was trusted",
        ];
        terms.extend(of_chain.map(str::to_owned));
    }
    if loose.iter().any(|l| l.cause == Cause::LifeInGap) {
        terms.push(
            "  - a proposal whose records are missing goes on from where it stands, as named above"
                .to_owned(),
        );
    }
    terms
}

/// Why, in a person's words and without its secrets; none: an empty line, or the end of input.
fn reason(context: &Context, store: &Store, trust: &Trust) -> Result<Option<Redacted>, Failure> {
    let question = "why are they gone, or read so? [a few words, such as: put back a backup; an empty line settles nothing]";
    loop {
        let Some(line) = person::answer(question)? else {
            return Ok(None);
        };
        let why = visible_line(line.trim());
        if why.is_empty() {
            return Ok(None);
        }
        if why.chars().count() <= REASON {
            let redactor = context.redactor_with(store, trust);
            let (why, _) = redactor.redact(&Raw::new(why), &Part::default());
            return Ok(Some(why));
        }
        out::line(&format!("that is longer than {REASON} characters"));
    }
}

fn is_yes(why: &Redacted) -> Result<bool, Failure> {
    out::line(&format!("your reason: {}", why.as_str()));
    person::says_yes("settle them? [y, anything else changes nothing]")
}
