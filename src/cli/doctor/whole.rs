//! Whether all of the database file can be read; what its tables are enough for is built anew.

use super::super::{Context, Failure};
use super::{Findings, Health};
use crate::store::{Integrity, MadeAnew, Store};
use crate::text::count;

pub(super) fn look(context: &Context, store: &mut Store, found: &mut Findings) {
    match store.mend() {
        Ok(Integrity::Whole) => {}
        Ok(Integrity::Mended(what)) => found.add(
            Health::Note,
            format!("{what} was gone or damaged, and is built anew"),
            "nothing is lost; see whether the disk is sound",
        ),
        Ok(Integrity::TablesOnly(what)) => match made_anew(context, store) {
            Ok(made) => told(store, &what, &made, found),
            Err(error) => found.wrong(
                format!("{:?} is damaged: {what}. Its tables can be read, but it cannot be made anew from them: {error}", store.path()),
                "where that can be ended, end it and run memd doctor again; else docs/state.md, \"Recovering\"",
            ),
        },
        Ok(Integrity::Damaged(what)) => found.wrong(
            format!("{:?} is damaged: {what}", store.path()),
            "it was left as it is: keep a copy, and put a backup back; docs/state.md, \"Recovering\", where there is none",
        ),
        Err(error) => found.wrong(error, "docs/state.md, \"Recovering\""),
    }
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
