//! Replies, honest and not, against a small memory.

mod bodies;
mod landing;
mod origins;
mod resolving;

use super::*;
use crate::config::Budgets;
use crate::curator::{ArchivedText, BodiesReply, ChangesReply, ProposedChange, Reply};
use crate::digest::Digest;
use crate::memory::{Entry, Memory, MemoryFile};
use std::collections::BTreeMap;

const STATE: &str = "# State\n\n## Ports\n\n- The API listens on port 8443.\n- The admin page is off.\n\n## Build\n\n- Build with `make all`.\n";

fn memory(texts: &[(MemoryFile, &str)]) -> Memory {
    let texts: BTreeMap<_, _> = texts.iter().map(|(f, t)| (*f, (*t).to_owned())).collect();
    Memory::from_texts(&texts)
}

/// Every entry known and sealed; ids count from `a00000000000`.
fn known(memory: &Memory) -> Vec<KnownEntry> {
    memory
        .entries()
        .zip(0..)
        .map(|(e, n): (&Entry, u32)| KnownEntry {
            id: format!("a{n:05x}000000").parse().unwrap(),
            file: e.file,
            section: e.section.clone(),
            text: e.text.clone(),
            ordinal: e.ordinal,
            confirmed: false,
            sealed: true,
            accepted: None,
            proposal: None,
        })
        .collect()
}

fn digest(lines: &[(&str, &str)]) -> Digest {
    let lines = lines.iter().zip(1..).map(|((role, text), n): (_, u32)| {
        serde_json::from_value(serde_json::json!({
            "n": n, "role": role, "text": text, "source": "/s.jsonl", "offset": n * 100, "session": "s",
        }))
        .unwrap()
    });
    Digest {
        lines: lines.collect(),
        ..Digest::default()
    }
}

fn add(file: MemoryFile, text: &str, evidence: &[u32]) -> ProposedChange {
    ProposedChange::Add {
        file,
        section: None,
        text: text.into(),
        evidence: evidence.to_vec(),
    }
}

fn edit(entry: &str, text: &str) -> ProposedChange {
    ProposedChange::Edit {
        entry: entry.into(),
        text: text.into(),
        evidence: vec![1],
    }
}

fn archive(entry: &str, reason: &str) -> ProposedChange {
    ProposedChange::Archive {
        entry: entry.into(),
        reason: reason.into(),
        evidence: vec![1],
    }
}

fn changes(changes: Vec<ProposedChange>) -> Reply {
    Reply::Changes(ChangesReply {
        changes,
        ..ChangesReply::default()
    })
}

fn built(reply: &Reply, memory: &Memory, digest: &Digest) -> Built {
    build(
        reply,
        memory,
        &known(memory),
        digest,
        &Budgets::default(),
        &[],
    )
}

fn summary(built: &Built) -> Vec<(Op, String)> {
    built
        .changes
        .iter()
        .map(|c| (c.op, c.text.clone()))
        .collect()
}

fn reasons(built: &Built) -> Vec<&str> {
    built.dropped.iter().map(|d| d.why.as_str()).collect()
}

fn bodies(state: &str) -> BodiesReply {
    BodiesReply {
        state_body: Some(state.to_owned()),
        ..BodiesReply::default()
    }
}
