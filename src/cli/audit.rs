//! `memd audit`: the audit chain, to read, to follow, to copy.

mod line;

use super::{Context, Failure, here, look, lost, out};
use crate::fs;
use crate::id::ProjectId;
use crate::store::Store;
use crate::text;
use crate::trust::{AuditRow, Trust};
use serde::Serialize;
use serde_json::Value;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// List every act on memory, in the order in which they were done.
///
/// Each record is bound to the one before it by a key: `memd verify` tells whether one was changed,
/// taken out or cut off. A copy that is kept elsewhere (`--export`) also tells whether the whole was
/// put back: `memd verify --file`.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// Only acts on the project of this folder
    #[arg(short, long, value_name = "PATH", conflicts_with = "export")]
    project: Option<PathBuf>,
    /// The last so many
    #[arg(short, default_value_t = 50, conflicts_with = "export")]
    n: usize,
    /// For programs: one JSON object a line
    #[arg(long, conflicts_with = "export")]
    pub(super) json: bool,
    /// Go on with what is done from now on, until interrupted
    #[arg(short, long, conflicts_with = "export")]
    follow: bool,
    /// Write the whole chain as it is stored, with its sealed head, to a new file; `-`: standard output
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,
}

/// How long to wait before the database is looked at again.
const TICK: Duration = Duration::from_millis(300);

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let context = Context::load()?;
    let store = lost::looked_at(&context)?;
    let database = context.places.database();
    let opened = which(&database);
    let trust = store.trust()?;
    if let Some(file) = &args.export {
        return export(&store, &trust, file);
    }
    let project = match &args.project {
        Some(dir) => Some(look::asked_project(&context, &store, Some(dir))?.id),
        None => None,
    };
    let shown = Shown {
        trust,
        names: names(&store)?,
        json: args.json,
    };
    // What is done meanwhile is shown by following, once.
    let seen = last(&store)?;
    let mut rows = store.last_acts(project.as_ref(), args.n)?;
    rows.retain(|row| row.seq <= seen);
    if rows.is_empty() && args.n > 0 && !args.json && !args.follow {
        out::line("nothing was ever done here");
    }
    rows.iter().for_each(|row| shown.print(row));
    ends_where_it_was_sealed(&store)?;
    if args.follow {
        let opened = (database.as_path(), opened);
        follow(&store, opened, project.as_ref(), (shown, seen))?;
    }
    Ok(())
}

/// The number of the newest record; 0: there is none.
fn last(store: &Store) -> Result<u64, Failure> {
    Ok(store.last_acts(None, 1)?.first().map_or(0, |row| row.seq))
}

/// Says of a chain that was cut or wiped that more was done than it tells.
fn ends_where_it_was_sealed(store: &Store) -> Result<(), Failure> {
    // The head first: what is done meanwhile only makes the chain longer.
    let head = store.audit_head()?;
    let last = last(store)?;
    match head {
        Some(head) if last < head.seq => Err(Failure::known(format!(
            "the audit chain ends at record {last}, and memd sealed it at record {}",
            head.seq
        ))
        .hint("`memd verify` names every break")),
        _ => Ok(()),
    }
}

/// Writes a copy to a file that is not there yet.
fn write_copy(path: &Path, lines: &str) -> Result<(), Failure> {
    fs::write_new(path, lines.as_bytes(), 0o600).map_err(|error| {
        let stands = path.symlink_metadata().is_ok();
        match Failure::known(error) {
            failure if stands => failure.hint("a copy is never written over: choose another name"),
            failure => failure,
        }
    })
}

/// Copies the chain to a file that is not there yet.
fn export(store: &Store, trust: &Trust, file: &Path) -> Result<(), Failure> {
    let path = here()?.join(file);
    let mut chain = store.chain()?;
    chain.key = Some(trust.key_id().to_owned());
    let is_piped = file == Path::new("-");
    match is_piped {
        true => chain.to_lines().lines().for_each(out::copied),
        false => write_copy(&path, &chain.to_lines())?,
    }
    let count = text::count(chain.rows.len(), "audit record", "audit records");
    let place = match is_piped {
        true => "standard output".to_owned(),
        false => path.display().to_string(),
    };
    // What was tampered with is worth keeping too; it is no proof of anything.
    if let Some(first) = trust.verify_copy(&chain).breaks.first() {
        let (title, what) = (first.kind.title(), &first.what);
        let failure = Failure::known(format!(
            "{count} in {place}, but the chain does not hold: {title}: {what}"
        ));
        return Err(failure.hint("`memd verify` names every break"));
    }
    let tell = if is_piped { out::problem } else { out::line };
    tell(&format!(
        "{count} in {place}; keep it on another machine, and check it with `memd verify --file`"
    ));
    Ok(())
}

/// Prints what is done after the record `seen`, until the reader goes or nothing can be printed any more. A
/// database that was moved away or replaced is another one: nothing that is done comes to this.
fn follow(
    store: &Store,
    (database, opened): (&Path, Option<(u64, u64)>),
    project: Option<&ProjectId>,
    (mut shown, mut seen): (Shown, u64),
) -> Result<(), Failure> {
    let mut version = None;
    while !out::is_closed() && out::lost().is_none() {
        if which(database) != opened {
            let place = database.display();
            return Err(
                Failure::known(format!("{place} was moved away or replaced"))
                    .hint("what was done until then is above; begin again once it is in its place"),
            );
        }
        let now = store.version()?;
        if version.replace(now) == Some(now) {
            thread::sleep(TICK);
            continue;
        }
        shown.names = names(store)?;
        // The key may have been rotated, which is an act too.
        shown.trust = store.trust()?;
        for row in store.acts_after(seen)? {
            seen = row.seq;
            if project.is_none_or(|id| row.project == id.as_str()) {
                shown.print(&row);
            }
        }
    }
    Ok(())
}

/// Which file stands there: device and inode.
fn which(path: &Path) -> Option<(u64, u64)> {
    let meta = std::fs::metadata(path).ok()?;
    Some((meta.dev(), meta.ino()))
}

/// The projects' names by their ids.
fn names(store: &Store) -> Result<line::Names, Failure> {
    let names = store.names_ever()?.into_iter();
    Ok(names.map(|(id, name)| (id.to_string(), name)).collect())
}

/// How records are shown.
struct Shown {
    trust: Trust,
    names: line::Names,
    json: bool,
}

/// A record for other programs.
#[derive(Serialize)]
struct Json<'a> {
    seq: u64,
    at: &'a str,
    act: &'a str,
    project: &'a str,
    name: Option<&'a str>,
    subjects: Vec<String>,
    details: Value,
    /// Whether it is as it was written.
    holds: bool,
}

impl Shown {
    fn print(&self, row: &AuditRow) {
        let holds = self.trust.is_written(row);
        let name = self.names.get(&row.project).map(String::as_str);
        let details = serde_json::from_str(&row.details).unwrap_or_default();
        if !self.json {
            return out::line(&line::line(row, &self.names, &details, holds));
        }
        out::json(&Json {
            seq: row.seq,
            at: &row.at,
            act: &row.act,
            project: &row.project,
            name,
            subjects: line::subjects(row),
            details,
            holds,
        });
    }
}
