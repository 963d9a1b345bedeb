//! `memd key rotate`: another key, asked for on a terminal.

use super::super::{Context, Failure, out, person, verify};
use super::sealed;
use crate::lock::{LockError, Stillness};
use crate::store::{Rotated, Store};
use crate::text::count;
use crate::trust::{Break, Trust};
use serde_json::json;
use std::time::Duration;

/// How long whoever is in the middle of something is waited for, once a person has said yes.
const A_WHILE: Duration = Duration::from_secs(2);

pub(super) fn run(context: &Context, store: &Store, trust: &Trust) -> Result<(), Failure> {
    let refuse = |why: &str| {
        let details = json!({ "why": why });
        person::refused(context, store, trust, None, "key rotate", details);
    };
    if !person::is_here() {
        refuse("no terminal");
        return Err(person::needed("rotating the key", "changed"));
    }
    // Let go at once: a person may think for long.
    still(context, store, Duration::ZERO, &refuse)?;
    let left_out = store.unsealed(trust, context.now)?;
    if !store.can_go_on(trust)? {
        verify::by_kind(&left_out);
        let why = "nobody can say any more where the audit chain ends, so that no key can go on from there; nothing was changed";
        return Err(Failure::known(why).hint(
            "put a backup of key and database back; without one, begin anew: docs/state.md, \"Recovering\"",
        ));
    }
    terms(context, store, trust)?
        .iter()
        .for_each(|l| out::line(l));
    name_left_out(&left_out);
    let is_meant = person::says_yes("rotate it? [y, anything else changes nothing]")?
        && (left_out.is_empty()
            || person::says_yes(
                "rotate it without what does not verify? [y, anything else changes nothing]",
            )?);
    if !is_meant {
        out::line("nothing was changed");
        return Ok(());
    }
    let still = still(context, store, A_WHILE, &refuse)?;
    let rotated = store.rotate_key_without(still.key(), trust, &left_out, context.now)?;
    told(&rotated).iter().for_each(|l| out::line(l));
    Ok(())
}

/// Nobody else is in the middle of anything.
fn still(
    context: &Context,
    store: &Store,
    wait: Duration,
    refuse: &dyn Fn(&str),
) -> Result<Stillness, Failure> {
    let projects = store.projects()?;
    let ids = projects.iter().map(|project| &project.id);
    Stillness::take_within(&context.places.locks(), ids, wait).map_err(|error| {
        if let LockError::Held { what } = &error {
            refuse(&format!("another memd holds {what}"));
        }
        Failure::known(format!("{error}; nothing was changed"))
    })
}

/// What does not verify is named: with a yes it is left out.
fn name_left_out(left_out: &[Break]) {
    if left_out.is_empty() {
        return;
    }
    verify::by_kind(left_out);
    let found = count(left_out.len(), "break", "breaks");
    let lines = [
        format!("{found} found: what does not verify is not sealed anew. It stays a break, and is listed in the record of the rotation"),
        "  - `memd verify` says what ends each; what can be given up or put back from a backup is better ended before, since no backup fits the new key".to_owned(),
        "  - where nobody can wait for that, since somebody has the key, rotate now".to_owned(),
    ];
    lines.iter().for_each(|line| out::line(line));
}

/// What a yes would mean.
fn terms(context: &Context, store: &Store, trust: &Trust) -> Result<Vec<String>, Failure> {
    let seals = sealed(&store.sealed_counts()?);
    let path = context.places.key();
    Ok(vec![
        path.display().to_string(),
        super::id(trust.key_id()),
        format!("  seals {seals}"),
        "  with a yes another key takes its place, and all of this is sealed anew, or nothing is."
            .to_owned(),
        "  - who has the old key, or a backup of it, can seal nothing with it from then on".to_owned(),
        "  - audit records until now, commits and copies of the chain stay as they are, and verify"
            .to_owned(),
        "  - placeholders stay the same; who has the old key can still try which value one stands for"
            .to_owned(),
        "  - backups of key and database from before no longer fit what is here: make new ones".to_owned(),
        "  - a memd that is open elsewhere is told to begin again".to_owned(),
    ])
}

pub(super) fn told(rotated: &Rotated) -> Vec<String> {
    let Rotated {
        old,
        new,
        last,
        counts,
        left_out,
    } = rotated;
    let mut lines = vec![
        format!("{new} seals from now on; {old} is retired: it seals audit records until {last} and nothing else"),
        format!("sealed anew: {}", sealed_anew(counts)),
        "now make a backup of key and database together (docs/state.md), and do away with old ones of the key"
            .to_owned(),
    ];
    if !left_out.is_empty() {
        let what = count(left_out.len(), "break", "breaks");
        lines.push(format!("left out, and given to nobody: {what}, as named above; `memd verify` says what ends each"));
    }
    lines
}

/// All but the chain, which goes on as it is.
fn sealed_anew(counts: &crate::store::SealedCounts) -> String {
    let all = sealed(counts);
    let end = all.rfind(", ").unwrap_or(all.len());
    all[..end].to_owned()
}
