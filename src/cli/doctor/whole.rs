//! Whether all of the database file can be read; what its tables are enough for is built anew.

use super::super::{Context, Failure};
use super::{Findings, Health};
use crate::store::{Integrity, MadeAnew, Store};
use crate::text::count;
use crate::trust::Act;
use serde_json::json;

/// What to do where a database cannot be made anew.
const NOT_ANEW: &str =
    "where that can be ended, end it and run memd doctor again; else docs/state.md, \"Recovering\"";

pub(super) fn look(context: &Context, store: &mut Store, found: &mut Findings) {
    match store.mend() {
        Ok(Integrity::Whole) => {}
        Ok(Integrity::Mended(what)) => mended(context, store, &what, found),
        Ok(Integrity::Foreign(what)) => match made_anew(context, store) {
            Ok(made) => found.add(
                Health::Note,
                format!("{:?} held a {what} that memd did not make, and is made anew from its rows", store.path()),
                format!("find out who put it there: who can write the database is not kept out by it; `memd verify` names what else was changed. The one that held it is kept as {:?}", made.kept),
            ),
            Err(error) => found.wrong(
                format!("{:?} holds a {what} that memd did not make, and cannot be made anew: {error}", store.path()),
                NOT_ANEW,
            ),
        },
        Ok(Integrity::TablesOnly(what)) => match made_anew(context, store) {
            Ok(made) => told(store, &what, &made, found),
            Err(error) => found.wrong(
                format!("{:?} is damaged: {what}. Its tables can be read, but it cannot be made anew from them: {error}", store.path()),
                NOT_ANEW,
            ),
        },
        Ok(Integrity::Damaged(what)) => found.wrong(
            format!("{:?} is damaged: {what}", store.path()),
            "it was left as it is: keep a copy, and put a backup back; docs/state.md, \"Recovering\", where there is none",
        ),
        Err(error) => found.wrong(error, "docs/state.md, \"Recovering\""),
    }
}

/// What is gone of an index is a disk's doing; what is gone of a guard may be somebody's.
fn mended(context: &Context, store: &Store, what: &str, found: &mut Findings) {
    let details = json!({ "what": "database", "made": what });
    let recorded = store
        .trust()
        .and_then(|trust| store.audit(&trust, Act::Mend, None, &[], details, context.now));
    let on_record =
        recorded.map_or_else(|e| format!("; it is not on record: {e}"), |_| String::new());
    found.add(
        Health::Note,
        format!("{what} was taken out or damaged, and is made again{on_record}"),
        "nothing is lost; find out whether somebody writes to the database besides memd, and whether the disk is sound",
    );
}

fn made_anew(context: &Context, store: &mut Store) -> Result<MadeAnew, Failure> {
    let trust = store.trust()?;
    Ok(store.make_anew(&trust, context.now)?)
}

fn told(store: &Store, what: &str, made: &MadeAnew, found: &mut Findings) {
    let rows = count(made.rows, "row", "rows");
    found.add(
        Health::Note,
        format!("{:?} was damaged ({what}), and is made anew from its tables: {rows}, just what the audit chain says", store.path()),
        format!("nothing is lost; see whether the disk is sound. The damaged one is kept as {:?}: delete it when all is well, since whatever is called a secret later stays in it", made.kept),
    );
}
