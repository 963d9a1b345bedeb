//! `memd verify --file`: a copy of the audit chain, checked again with the key.

use super::super::{Context, Failure, here, out};
use super::{Args, print, verdict};
use crate::fs;
use crate::store::Store;
use crate::text;
use crate::trust::{Break, BreakKind, Export};
use std::io::BufReader;
use std::path::Path;

pub(super) fn run(args: &Args, file: &Path, context: &Context) -> Result<(), Failure> {
    let path = here()?.join(file);
    let place = path.display();
    let opened = fs::open_plain(&path).map_err(|e| Failure::usage(format!("{place}: {e}")))?;
    let export = Export::read(BufReader::new(opened))
        .map_err(|e| Failure::known(format!("{place}: {e}")))?;
    if !context.places.key().exists() {
        let key = context.places.key();
        return Err(
            Failure::known(format!("there is no key at {}", key.display()))
                .hint("an export is checked with the key of the machine that made it"),
        );
    }
    let store = Store::open_to_look(&context.places)?;
    let trust = match &store {
        Some(store) => store.trust()?,
        None => Store::trust_of(&context.places)?,
    };
    let mut report = trust.verify_copy(&export);
    let mut here = 0;
    // A copy that does not hold by itself says nothing of the chain here, which may be long.
    if report.breaks.is_empty() {
        let rows = store.map_or_else(|| Ok(Vec::new()), |store| store.audit_rows())?;
        report.breaks = trust.copy_against(&export, &rows);
        here = rows.len();
    }
    print(args, &report, &[]);
    if report.breaks.is_empty() && !args.json {
        out::line(&all_good(&export, here));
    }
    verdict(&report.breaks, way_out(&report.breaks))
}

/// What to make of a copy that does not hold, or of a chain here that is not the copied one.
fn way_out(breaks: &[Break]) -> &'static str {
    if breaks.iter().any(|b| b.kind == BreakKind::OtherKey) {
        return "only the memd that has that key can tell whether it holds; `memd key` shows the id of one";
    }
    let is_older = |found: &Break| found.kind == BreakKind::ChainAgainstExport;
    match breaks.iter().all(is_older) {
        true => {
            "where you put an older database back, this copy disagrees for good, and rightly: keep it aside, and make a new one (`memd audit --export`); where you did not, somebody changed the database: compare it with other copies"
        }
        false => {
            "compare it with other copies: either the file was changed, or it is from after a rotation of the key that the key here is from before; a copy that names no key may also be of another memd's"
        }
    }
}

fn all_good(export: &Export, here: usize) -> String {
    let count = text::count(export.rows.len(), "audit record", "audit records");
    let until = export.rows.last().map_or_else(String::new, |row| {
        format!(" until {}", row.at.chars().take(16).collect::<String>())
    });
    let more = text::count(here.saturating_sub(export.rows.len()), "record", "records");
    format!("all good: {count}{until}; the chain here goes on with {more}")
}
