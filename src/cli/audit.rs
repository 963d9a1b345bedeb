//! `memd audit`: the audit chain, to read, to follow, to copy.

use super::{Context, Failure, here, look, lost, out};
use crate::fs;
use crate::id::ProjectId;
use crate::store::Store;
use crate::text;
use crate::trust::{Act, AuditRow, Trust};
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
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
    json: bool,
    /// Go on with what is done from now on, until interrupted
    #[arg(short, long, conflicts_with = "export")]
    follow: bool,
    /// Write the whole chain as it is stored, with its sealed head, to a new file
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
    // The head first: what is done between the two is shown once, here or by following.
    let head = store.audit_head()?.map_or(0, |head| head.seq);
    let rows = store.last_acts(project.as_ref(), args.n)?;
    let seen = rows.last().map_or(head, |row| row.seq.max(head));
    if rows.is_empty() && args.n > 0 && !args.json && !args.follow {
        out::line("nothing was ever done here");
    }
    rows.iter().for_each(|row| shown.print(row));
    ends_where_it_was_sealed(&store)?;
    if args.follow {
        let of = project.as_ref();
        follow(&store, (&database, opened), of, shown, seen)?;
    }
    Ok(())
}

/// Says of a chain that was cut or wiped that more was done than it tells.
fn ends_where_it_was_sealed(store: &Store) -> Result<(), Failure> {
    // The head first: what is done meanwhile only makes the chain longer.
    let head = store.audit_head()?;
    let last = store.last_acts(None, 1)?.first().map_or(0, |row| row.seq);
    match head {
        Some(head) if last < head.seq => Err(Failure::known(format!(
            "the audit chain ends at record {last}, and memd sealed it at record {}",
            head.seq
        ))
        .hint("`memd verify` names every break")),
        _ => Ok(()),
    }
}

/// Copies the chain to a file that is not there yet.
fn export(store: &Store, trust: &Trust, file: &Path) -> Result<(), Failure> {
    let path = here()?.join(file);
    let mut chain = store.chain()?;
    chain.key = Some(trust.key_id().to_owned());
    fs::write_new(&path, chain.to_lines().as_bytes(), 0o600).map_err(|error| {
        let stands = path.symlink_metadata().is_ok();
        match Failure::known(error) {
            failure if stands => failure.hint("a copy is never written over: choose another name"),
            failure => failure,
        }
    })?;
    let count = text::count(chain.rows.len(), "audit record", "audit records");
    let place = path.display();
    // What was tampered with is worth keeping too; it is no proof of anything.
    if let Some(first) = trust.verify_copy(&chain).breaks.first() {
        let (title, what) = (first.kind.title(), &first.what);
        let failure = Failure::known(format!(
            "{count} in {place}, but the chain does not hold: {title}: {what}"
        ));
        return Err(failure.hint("`memd verify` names every break"));
    }
    out::line(&format!(
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
    mut shown: Shown,
    mut seen: u64,
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
fn names(store: &Store) -> Result<BTreeMap<String, String>, Failure> {
    let names = store.names_ever()?.into_iter();
    Ok(names.map(|(id, name)| (id.to_string(), name)).collect())
}

/// How records are shown.
struct Shown {
    trust: Trust,
    names: BTreeMap<String, String>,
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
            return out::line(&line(row, name, &details, holds));
        }
        out::json(&Json {
            seq: row.seq,
            at: &row.at,
            act: &row.act,
            project: &row.project,
            name,
            subjects: subjects(row),
            details,
            holds,
        });
    }
}

/// What a record concerns. Fingerprints of values are shown as `memd redact --also-secret` shows
/// them: bare ones behind such a word read like secrets.
fn subjects(row: &AuditRow) -> Vec<String> {
    let of_values = [Act::AlsoSecret, Act::NotSecret];
    let of_values = of_values.iter().any(|act| act.name() == row.act);
    let subjects = row.subjects.split_whitespace();
    let shown = |subject: &str| match of_values {
        true => format!("#{}", subject.get(..8).unwrap_or(subject)),
        false => subject.to_owned(),
    };
    subjects.map(shown).collect()
}

/// Such as `   12  2026-11-29 12:00:07  decide        demo  0a1b2c3d  change=2 decision=accepted`.
fn line(row: &AuditRow, name: Option<&str>, details: &Value, holds: bool) -> String {
    let at = match row.time() {
        Some(at) => at.strftime("%Y-%m-%d %H:%M:%S").to_string(),
        None => row.at.clone(),
    };
    let none = Map::new();
    let details = details.as_object().unwrap_or(&none).iter();
    let details = details.map(|(key, value)| match value {
        Value::Array(groups) if key == "settled" => format!("{key}={}", settled(groups)),
        Value::String(text) => format!("{key}={text}"),
        other => format!("{key}={other}"),
    });
    let name = name.unwrap_or(&row.project);
    let head = format!("{:>5}  {at}  {:<14}", row.seq, row.act);
    let words = [name.to_owned(), subjects(row).join(" ")].into_iter();
    let words = words
        .chain(details)
        .chain((!holds).then(|| "(changed since: memd verify)".to_owned()));
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    format!("{head}  {}", words.join("  "))
        .trim_end()
        .to_owned()
}

/// Such as `3 commit-gone, 1 audit-gap`: the ids are for programs.
fn settled(groups: &[Value]) -> String {
    let told = groups.iter().map(|group| {
        let ids = group["ids"].as_array().map_or(0, Vec::len);
        format!("{ids} {}", group["kind"].as_str().unwrap_or_default())
    });
    told.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_one_line_with_what_and_whom_it_concerns() {
        let row = AuditRow {
            seq: 7,
            at: "2026-11-29T12:00:07.123Z".into(),
            act: "decide".into(),
            project: "0123456789abcdef".into(),
            subjects: "0a1b2c3d".into(),
            details: r#"{"change":2,"decision":"accepted"}"#.into(),
            ..AuditRow::default()
        };
        let details = serde_json::from_str(&row.details).unwrap();
        assert_eq!(
            line(&row, Some("demo"), &details, true),
            "    7  2026-11-29 12:00:07  decide          demo  0a1b2c3d  change=2  decision=accepted"
        );
        let said = AuditRow {
            act: "also-secret".into(),
            subjects: "b148159e".repeat(8),
            ..row.clone()
        };
        assert!(line(&said, None, &Value::Null, true).ends_with("  #b148159e"));
        let told = line(&row, None, &Value::Null, false);
        assert!(
            told.contains("0123456789abcdef") && told.ends_with("(changed since: memd verify)")
        );
    }
}
