//! What others could read of memd's own files is the user's alone again, with a word and on record.

use super::{Failure, out, places};
use crate::config::Places;
use crate::fs::{Exposed, exposed};
use crate::store::Store;
use crate::trust::Act;
use jiff::Timestamp;
use serde_json::json;

/// Mends what is too open, and says so. Keeps nothing from going on.
pub(super) fn mend() {
    // The command itself says that there are none.
    if let Ok(places) = places() {
        mended(&places);
    }
}

/// As [`mend`], of these places.
pub(super) fn mended(places: &Places) {
    let found = exposed(&places.state).into_iter().filter(|one| !one.is_key);
    let is_mended = |one: &Exposed| one.mend().unwrap_or_default();
    let mended: Vec<_> = found.filter(is_mended).collect();
    let Some(first) = mended.first() else {
        return;
    };
    let more = match mended.len() - 1 {
        0 => String::new(),
        n => format!(", and {n} more of memd's files"),
    };
    let was = first.to_string().replacen("can", "could", 1);
    out::problem(&format!(
        "memd: {was}{more}; only you can now. docs/state.md says what follows if somebody did"
    ));
    if let Err(failure) = record(places, &mended) {
        out::problem(&format!("memd: that is not on record: {failure}"));
    }
}

fn record(places: &Places, mended: &[Exposed]) -> Result<(), Failure> {
    let Some(store) = Store::open_in_passing(places)? else {
        return Ok(());
    };
    if !store.has_sealed_data()? {
        return Ok(());
    }
    let files = mended.iter().take(20).map(|one| {
        let name = one.path.strip_prefix(&places.state).unwrap_or(&one.path);
        json!({ "file": name.to_string_lossy(), "mode": format!("{:03o}", one.mode) })
    });
    let details =
        json!({ "what": "permissions", "count": mended.len(), "files": files.collect::<Vec<_>>() });
    let trust = store.trust()?;
    store.audit(&trust, Act::Mend, None, &[], details, Timestamp::now())?;
    Ok(())
}
