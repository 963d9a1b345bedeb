//! `memd key`: which key seals, what it seals, and another in its place.

mod rotate;

use super::{Context, Failure, lost, out, places, revert};
use crate::fs;
use crate::store::{SealedCounts, Store};
use crate::text::count;
use crate::trust::{Retired, Settled, Trust};
use serde::Serialize;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Show which key seals, and what; `rotate` puts another in its place.
///
/// The key proves that a person let in what stands in memory. It lies in memd's state folder and is
/// never shown.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Its id, where it lies, and what it seals; never the key (as without a word)
    Show(ShowArgs),
    /// Put another key in its place, and seal everything anew. Asks on a terminal
    ///
    /// For when somebody may have read it, or a backup of it. Only what verifies is sealed anew: what
    /// does not is named, left out and stays a break, and you are asked a second time. Whoever has the old key can seal nothing with it
    /// from then on. Audit records, commits and copies of the chain from before stay as they are, and
    /// verify.
    Rotate,
}

#[derive(Debug, Default, clap::Args)]
struct ShowArgs {
    /// For programs: one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let context = Context::load()?;
    let store = match args.what {
        Some(What::Rotate) => revert::existing(&context)?,
        _ => lost::looked_at(&context)?,
    };
    if !store.has_sealed_data()? {
        return Err(Failure::known("nothing was ever sealed here")
            .hint("a key is made when it is first needed"));
    }
    let trust = store.trust()?;
    match &args.what {
        None => show(&context, &store, &trust, false),
        Some(What::Show(args)) => show(&context, &store, &trust, args.json),
        Some(What::Rotate) => rotate::run(&context, &store, &trust),
    }
}

/// Nothing that is written lies beside its place for so long.
const LEFT: Duration = Duration::from_secs(60 * 60);

/// Finishes or undoes a rotation that was cut off, and says so; sweeps what a kill left.
pub(super) fn settle() {
    let Ok(places) = places() else {
        // The command itself says that there is no home.
        return;
    };
    // What was written and not renamed in all this time was left by a kill: a key that nothing was ever
    // sealed with, say.
    if let Some(before) = SystemTime::now().checked_sub(LEFT) {
        fs::sweep(&places.state, before);
    }
    match Store::settle_rotation(&places) {
        Ok(None) => {}
        Ok(Some(settled)) => out::problem(&told(&settled)),
        Err(error) => out::problem(&format!(
            "memd: a rotation of the key was cut off, and can be neither finished nor undone now: {error}"
        )),
    }
}

fn told(settled: &Settled) -> String {
    match settled {
        Settled::Finished(id) => format!(
            "memd: a rotation of the key was cut off when everything was sealed anew; it is finished: {id} seals from now on"
        ),
        Settled::Undone(id) => format!(
            "memd: a rotation of the key was cut off before anything was sealed anew; it is undone: {id} seals as before"
        ),
    }
}

/// What is printed as JSON.
#[derive(Serialize)]
struct Shown<'a> {
    key: &'a str,
    path: &'a Path,
    /// Octal digits.
    mode: String,
    seals: SealedCounts,
    retired: Vec<ShownRetired<'a>>,
}

#[derive(Serialize)]
struct ShownRetired<'a> {
    key: &'a str,
    until_record: u64,
}

fn show(context: &Context, store: &Store, trust: &Trust, json: bool) -> Result<(), Failure> {
    let path = context.places.key();
    let meta = std::fs::metadata(&path)
        .map_err(|e| Failure::known(format!("cannot read {path:?}: {e}")))?;
    let mode = format!("{:03o}", meta.mode() & 0o777);
    let seals = store.sealed_counts()?;
    if json {
        let retired = trust.retired().iter().map(|of| ShownRetired {
            key: &of.id,
            until_record: of.last,
        });
        out::json(&Shown {
            key: trust.key_id(),
            path: &path,
            mode,
            seals,
            retired: retired.collect(),
        });
        return Ok(());
    }
    out::line(&format!("{}  (mode {mode})", path.display()));
    out::line(&id(trust.key_id()));
    out::line(&format!("  seals {}", sealed(&seals)));
    let retired = trust.retired().iter().map(retired);
    retired.for_each(|line| out::line(&line));
    Ok(())
}

fn id(id: &str) -> String {
    format!("  id {id}")
}

fn retired(of: &Retired) -> String {
    format!(
        "  retired: {}, which seals audit records until {} and nothing else",
        of.id, of.last
    )
}

/// Such as `4 entry records of 1 project, 2 proposals with 3 decisions, 12 audit records`.
fn sealed(counts: &SealedCounts) -> String {
    let decisions = count(counts.decisions, "decision", "decisions");
    let mut parts = vec![
        format!(
            "{} of {}",
            count(counts.records, "entry record", "entry records"),
            count(counts.manifests, "project", "projects")
        ),
        format!(
            "{} with {decisions}",
            count(counts.proposals, "proposal", "proposals")
        ),
    ];
    let rare = [
        (counts.applies, "unfinished apply", "unfinished applies"),
        (counts.words, "word on a secret", "words on secrets"),
        (
            counts.grants,
            "leave to apply without you",
            "leaves to apply without you",
        ),
    ];
    let rare = rare.into_iter().filter(|(n, ..)| *n > 0);
    parts.extend(rare.map(|(n, one, many)| count(n, one, many)));
    parts.push(count(counts.audit, "audit record", "audit records"));
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::Redactor;
    use crate::store::Rotated;
    use crate::trust::TrustError;

    #[test]
    fn an_id_of_a_key_is_shown_wherever_it_is_named() {
        let redactor = Redactor::new(&[], &[0; 32]).0;
        for n in 0..=255 {
            let trust = Trust::for_tests(n);
            let next = trust.successor(7).unwrap().trust;
            let (old, new) = (trust.key_id().to_owned(), next.key_id().to_owned());
            let mut lines = vec![
                id(&old),
                told(&Settled::Finished(new.clone())),
                told(&Settled::Undone(old.clone())),
                retired(&next.retired()[0]),
            ];
            let (path, here, sealed) = ("key".into(), new.clone(), old.clone());
            lines.push(TrustError::Retired { path, here, sealed }.to_string());
            let (began, sealed) = (old.clone(), new.clone());
            lines.push(TrustError::RotatedMeanwhile { began, sealed }.to_string());
            let counts = SealedCounts::default();
            lines.extend(rotate::told(&Rotated {
                old,
                new,
                last: 7,
                counts,
                left_out: Vec::new(),
            }));
            for line in lines {
                assert_eq!(redactor.shown(&line), line);
            }
        }
    }
}
