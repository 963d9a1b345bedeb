//! What does not hold, and a person on a terminal gives up: a proposal that was changed outside memd,
//! the records of one project, or values that no seal covers. Asked for where it is named; no flag or pipe answers.

use super::{Context, Failure, out, person};
use crate::id::ProposalId;
use crate::store::{Project, Store, Unsound};
use crate::text::count;
use crate::trust::{Act, Trust};
use serde_json::json;

/// Proposals with something to decide that do not hold, of one project or of all. That they are refused
/// is put on record, once.
pub(super) fn open(
    context: &Context,
    store: &Store,
    trust: &Trust,
    only: Option<&Project>,
) -> Result<Vec<Unsound>, Failure> {
    let found = store.unsound(trust, only.map(|p| &p.id), true)?;
    for of in &found {
        if store.acts_on(&of.id, &[Act::Refuse])?.is_empty() {
            let details = json!({ "what": "proposal", "why": "changed outside memd" });
            let id = of.id.as_str();
            let project = Some(&of.project);
            // What cannot be put on record is refused all the same.
            if let Err(error) =
                store.audit(trust, Act::Refuse, project, &[id], details, context.now)
            {
                out::problem(&format!("memd: the refusal is not on record: {error}"));
            }
        }
    }
    Ok(found)
}

/// What is said of one, everywhere.
pub(super) fn told(id: &ProposalId) -> String {
    format!(
        "proposal {id} was changed outside memd: nothing of it can be decided or is given to anybody"
    )
}

/// Asks of each whether it is given up; those that are left.
pub(super) fn ask(
    context: &Context,
    store: &Store,
    trust: &Trust,
    found: Vec<Unsound>,
) -> Result<Vec<Unsound>, Failure> {
    let mut left = Vec::new();
    for of in found {
        out::line(&format!("{}: {}", of.name, told(&of.id)));
        out::line(
            "  given up, nothing of it is shown or read any more; what it was made of is read again by the next distill, unless some of it was applied",
        );
        if person::says_yes("give it up? [y, anything else leaves it as it is]")? {
            store.give_up_proposal(trust, &of, context.now)?;
            out::line(&format!(
                "{}: {} is given up, and that is on record",
                of.name, of.id
            ));
        } else {
            left.push(of);
        }
    }
    Ok(left)
}

/// As [`ask`], of the records of each project that do not hold. How many projects are left.
pub(super) fn ask_records(
    context: &Context,
    store: &Store,
    trust: &Trust,
    only: Option<&Project>,
) -> Result<usize, Failure> {
    let mut left = 0;
    for project in store.projects()? {
        if only.is_some_and(|p| p.id != project.id)
            || !store.has_broken_records(trust, &project.id)?
        {
            continue;
        }
        let name = &project.name;
        terms(name).iter().for_each(|line| out::line(line));
        if !person::says_yes("give them up? [y, anything else leaves them as they are]")? {
            left += 1;
            continue;
        }
        if let Some(gone) = store.give_up_records(trust, &project.id, context.now)? {
            let what = count(gone.versions, "entry record is", "entry records are");
            out::line(&format!(
                "{name}: {what} given up, and that is on record; kept in {}. `memd review` offers what stands on disk",
                gone.file.display()
            ));
        }
    }
    Ok(left)
}

/// So many values are named; the audit record counts all of them.
const NAMED: usize = 20;

/// As [`ask`], of all values that memd did not write and no seal covers.
pub(super) fn ask_values(
    context: &Context,
    store: &Store,
    trust: &Trust,
    only: Option<&Project>,
) -> Result<(), Failure> {
    let only = only.map(|p| &p.id);
    let found = store.stray_values(trust, only)?;
    if found.is_empty() {
        return Ok(());
    }
    let values = count(found.len(), "value", "values");
    out::line(&format!(
        "{values} in the database that memd did not write:"
    ));
    for value in found.iter().take(NAMED) {
        out::line(&format!("  {}: {}", value.place(), value.what));
    }
    let more = found.len().saturating_sub(NAMED);
    if more > 0 {
        out::line(&format!("  and {more} more"));
    }
    out::line(
        "  with a yes each is as what is sealed says it; of what nothing sealed says, the row is taken out: what it kept from being read is read again by the next distill, and waits for you",
    );
    if !person::says_yes("mend them? [y, anything else leaves them as they are]")? {
        return Ok(());
    }
    match store.mend_values(trust, &found, only, context.now)? {
        Some(mended) => out::line(&format!(
            "{} computed again, {} taken out, and that is on record",
            count(mended.computed, "value is", "values are"),
            count(mended.taken_out, "row is", "rows are")
        )),
        None => out::line("they have changed meanwhile; nothing was done"),
    }
    Ok(())
}

/// What a yes would mean.
fn terms(name: &str) -> [String; 4] {
    [
        format!("{name}: entry records of it were changed outside memd, or are missing"),
        "  given up, they are kept in a file beside the database and count no more: all of them, where nobody knows which are missing".to_owned(),
        "  - what stands on disk without a record is given to no agent until you adopt it in `memd review`".to_owned(),
        "  - who said it, what you confirmed and what you took back of it is not known any more".to_owned(),
    ]
}
