//! `memd revert`.

use super::staged::Work;
use super::{Context, Failure, look, lost, review};
use crate::apply;
use crate::browse::{self, Sight};
use crate::id::ProposalId;
use crate::store::{Project, Store, StoreError};
use crate::text::first_chars;
use crate::trust::Trust;
use std::path::PathBuf;

/// Stage the reverse of one applied proposal; what came later stays.
///
/// A proposal that was applied in several parts is taken back with all of them, also where the commit
/// of one part is named.
/// What it added is taken out, to the archive; what it edited or archived is put back. An entry that
/// was changed since is shown against what stands now. On a terminal the reverse is shown, and `y`
/// applies what of it is not flagged; else it is staged, and nothing is written before you have decided
/// in `memd review`.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// The proposal or its commit, by the beginning of its id
    id: String,
    /// The project (default: the proposal's; for a commit the one around the current directory)
    #[arg(short, long, value_name = "PATH")]
    project: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let context = Context::load()?;
    let store = existing(&context)?;
    let trust = store.trust()?;
    let (project, id) = found(args, &context, &store, &trust)?;
    if review::at_revert(&context, &store, &trust, &project, &id)? {
        return Ok(());
    }
    let work = Work::new(&context, &store, &trust, project, "revert")?;
    let limits = &context.config.settings.limits;
    let credentials = |text: &str| work.redactor.check(text);
    let staged = apply::reverse(work.ground(), &work.lock()?, &id, limits, &credentials)?;
    work.tell(&format!("the reverse of {id}"), &staged);
    Ok(())
}

/// The database; none is made.
pub(super) fn existing(context: &Context) -> Result<Store, Failure> {
    let store = Store::open_existing(&context.places)?;
    lost::refuse(context, store.as_ref())?;
    store.ok_or_else(|| {
        Failure::known("there is no memory yet").hint("give a project one with `memd init`")
    })
}

/// The proposal that is meant, and its project.
fn found(
    args: &Args,
    context: &Context,
    store: &Store,
    trust: &Trust,
) -> Result<(Project, ProposalId), Failure> {
    let named = args.project.as_deref();
    let named = named.map(|dir| look::asked_project(context, store, Some(dir)));
    let named = named.transpose()?;
    match store.find_proposal(&args.id) {
        Ok(id) => {
            let project = store.project(&store.status(&id, context.now)?.project)?;
            if named.is_some_and(|named| named.id != project.id) {
                let what = format!("proposal {id} is one of {}'s", project.name);
                return Err(Failure::usage(what));
            }
            Ok((project, id))
        }
        Err(StoreError::NoProposal(_)) => {
            let project = match named {
                Some(project) => project,
                None => look::asked_project(context, store, None)?,
            };
            let id = of_commit(&args.id, context, store, trust, &project)?;
            Ok((project, id))
        }
        Err(error) => Err(error.into()),
    }
}

fn of_commit(
    beginning: &str,
    context: &Context,
    store: &Store,
    trust: &Trust,
    project: &Project,
) -> Result<ProposalId, Failure> {
    let redactor = context.redactor_with(store, trust);
    let sight = Sight {
        store,
        trust,
        redactor: &redactor,
        now: context.now,
    };
    let event = browse::find_commit(sight, project, beginning).map_err(Failure::known)?;
    let Some(event) = event else {
        let what = format!(
            "no proposal, and no commit of {}, begins with",
            project.name
        );
        return Err(Failure::known(format!("{what} {beginning:?}")).hint("`memd log` lists both"));
    };
    let commit = event.commit.unwrap_or_default();
    let short = first_chars(&commit, 8).0;
    event.proposal.ok_or_else(|| {
        Failure::known(format!("commit {short} was made by no decision of memd's")).hint(
            "`memd restore FILE --at COMMIT` stages a file as it stood in the commit before it",
        )
    })
}
