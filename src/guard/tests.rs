//! Changes, honest and not, judged against a small memory.

mod content;
mod files;
mod standing;
mod together;

use super::*;
use crate::curator::{ArchivedText, BodiesReply, Reply};
use crate::digest::Digest;
use crate::memory::scaffold;
use crate::proposal::{Origin, Target, build};

fn fresh(file: MemoryFile, body: &str) -> String {
    let text = scaffold::text(file, "app", jiff::civil::date(2026, 1, 2));
    text.replace(scaffold::placeholder(file), body)
}

fn memory(bodies: &[(MemoryFile, &str)]) -> Memory {
    Memory::from_texts(&bodies.iter().map(|(f, b)| (*f, fresh(*f, b))).collect())
}

fn known(memory: &Memory) -> Vec<KnownEntry> {
    let entries = memory.entries().zip(0..);
    entries
        .map(|(e, n): (_, u32)| KnownEntry {
            id: format!("a{n:05x}000000").parse().unwrap(),
            file: e.file,
            section: e.section.clone(),
            text: e.text.clone(),
            ordinal: e.ordinal,
            confirmed: true,
            sealed: true,
            accepted: None,
            proposal: None,
        })
        .collect()
}

fn line(n: u32, role: &str, text: &str) -> Line {
    serde_json::from_value(serde_json::json!({
        "n": n, "role": role, "text": text, "source": "/s.jsonl", "offset": n, "session": "s",
    }))
    .unwrap()
}

fn change(op: Op, file: MemoryFile, text: &str) -> Change {
    Change {
        n: 1,
        op,
        file,
        section: String::new(),
        target: None,
        text: text.to_owned(),
        reason: None,
        evidence: vec![1],
        origin: Origin::User,
        earlier: None,
        also: Vec::new(),
        verdicts: Vec::new(),
    }
}

fn against(mut change: Change, memory: &Memory, entry: usize) -> Change {
    let entry = &memory.doc(change.file).entries()[entry];
    let id = known(memory)
        .into_iter()
        .find(|k| k.is(entry))
        .map(|k| k.id);
    change.section = entry.section.clone();
    change.target = Some(Target::of(entry, id));
    change
}

/// The guardrails that block, each once.
fn blocking(judgement: &Judgement) -> Vec<String> {
    let all = judgement.changes.values().chain(judgement.files.values());
    let blocks = all.flatten().filter(|v| v.level == Level::Block);
    let names: std::collections::BTreeSet<_> = blocks.map(|v| v.guard.clone()).collect();
    names.into_iter().collect()
}

struct Case<'a> {
    memory: &'a Memory,
    lines: &'a [Line],
    tombstones: &'a [Tombstone],
    entries: Vec<KnownEntry>,
    kind: Kind,
}

impl<'a> Case<'a> {
    fn new(memory: &'a Memory, lines: &'a [Line]) -> Self {
        Self {
            memory,
            lines,
            tombstones: &[],
            entries: known(memory),
            kind: Kind::Distill,
        }
    }

    fn judge(&self, chosen: &[Chosen]) -> Judgement {
        judge(&Context {
            kind: self.kind,
            memory: self.memory,
            entries: &self.entries,
            chosen,
            lines: self.lines,
            tombstones: self.tombstones,
            limits: &Limits::default(),
            credentials: &|_| Vec::new(),
        })
    }

    fn guards(&self, change: &Change) -> Vec<String> {
        let judgement = self.judge(&[Chosen::of(change)]);
        let said = judgement
            .of(change.n)
            .iter()
            .chain(judgement.files.values().flatten());
        said.map(|v| format!("{}:{:?}", v.guard, v.level).to_lowercase())
            .collect()
    }
}
