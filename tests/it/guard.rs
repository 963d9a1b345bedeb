//! How often the guardrails object to honest changes: the shared replies to real sessions.

use crate::support;
use memd::config::{Budgets, Limits, Places};
use memd::curator::{ChangesReply, ProposedChange, Reply};
use memd::digest::{Digest, Line};
use memd::guard::{CONTENT, Context, judge};
use memd::memory::{Memory, MemoryFile};
use memd::proposal::{Chosen, Kind, KnownEntry, Level, build, outcome};
use memd::source::{Reading, Turn};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Sessions of one project in their order; what an earlier one brought, a later one edits.
const PROJECTS: &[&[&str]] = &[
    &[
        "JanDeDobbeleer-8521e3ab",
        "JanDeDobbeleer-69d8706c",
        "JanDeDobbeleer-493c22a8",
    ],
    &[
        "PackmindHub-77e148b8",
        "PackmindHub-e304c70b",
        "PackmindHub-fde17e2f",
    ],
    &[
        "entireio-2026-01-07",
        "entireio-2026-01-19",
        "entireio-056d2eda",
        "entireio-266b3f40",
    ],
    &["entireio-f82fa48e", "entireio-76731dd6"],
    &["chiphuyen-ba79134d"],
    &["entireio-5632e712"],
];

fn reply(shared: &Path, name: &str) -> Value {
    let mut files = std::fs::read_dir(shared.join("cases/replies"))
        .unwrap()
        .map(|f| f.unwrap().path());
    let file = files
        .find(|f| f.file_name().unwrap().to_string_lossy().starts_with(name))
        .unwrap();
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

fn digest(path: &Path) -> Digest {
    let places = Places::from_env(|name| (name == "HOME").then(|| "/nowhere".into())).unwrap();
    let reading = Reading {
        project: None,
        own: &places,
        seen: &|_| false,
    };
    let mut turns: Vec<Turn> = Vec::new();
    memd::source::claude::read_claude(path, 0, None, &reading, &mut turns).unwrap();
    let lines = turns.iter().zip(1..).map(|(turn, n): (_, u32)| {
        let text: String = turn.text.unredacted().chars().take(2500).collect();
        serde_json::from_value::<Line>(serde_json::json!({
            "n": n, "role": turn.role, "text": text, "source": "/s.jsonl", "offset": n, "session": "s",
        }))
        .unwrap()
    });
    Digest {
        lines: lines.collect(),
        ..Digest::default()
    }
}

fn known(memory: &Memory) -> Vec<KnownEntry> {
    let entries = memory.entries();
    entries
        .map(|e| KnownEntry {
            id: e.hash().as_str()[..12].parse().unwrap(),
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

/// A shared reply in contract 2's form.
fn proposed(reply: &Value, digest: &Digest, entries: &[KnownEntry]) -> Vec<ProposedChange> {
    let changes = reply["changes"].as_array().unwrap();
    changes.iter().map(|c| one(c, digest, entries)).collect()
}

fn one(change: &Value, digest: &Digest, entries: &[KnownEntry]) -> ProposedChange {
    let text = |key: &str| change[key].as_str().unwrap_or_default().to_owned();
    let quotes = change["evidence_quotes"].as_array().unwrap();
    let flat = |t: &str| t.split_whitespace().collect::<Vec<_>>().join(" ");
    let evidence = quotes
        .iter()
        .filter_map(|q| {
            let quote = flat(q.as_str().unwrap().trim_start_matches("R: "));
            digest
                .lines
                .iter()
                .find(|l| flat(l.text.as_str()).contains(&quote))
                .map(|l| l.n)
        })
        .collect();
    let entry = || {
        let target = text("target_text");
        let found = entries.iter().find(|e| e.text.starts_with(target.trim()));
        found.map_or_else(|| panic!("no entry {target}"), |e| e.id.to_string())
    };
    match change["op"].as_str().unwrap() {
        "add" => ProposedChange::Add {
            file: MemoryFile::from_name(&text("file")).unwrap(),
            section: change["section"].as_str().map(str::to_owned),
            text: text("text"),
            evidence,
        },
        "edit" => ProposedChange::Edit {
            entry: entry(),
            text: text("text"),
            evidence,
        },
        _ => ProposedChange::Archive {
            entry: entry(),
            reason: text("reason"),
            evidence,
        },
    }
}

#[test]
fn content_flags_on_honest_replies_stay_below_one_in_a_hundred() {
    let Some(shared) = support::shared() else {
        return;
    };
    let (mut total, mut flagged, mut unborne, mut report) = (0, 0, 0, Vec::new());
    for project in PROJECTS {
        let mut memory = Memory::from_texts(&BTreeMap::new());
        for name in *project {
            let reply = reply(&shared, name);
            let session = shared
                .join("corpus/claude-code")
                .join(reply["session"].as_str().unwrap());
            let digest = digest(&session);
            let entries = known(&memory);
            let changes = proposed(&reply, &digest, &entries);
            let wrapped = Reply::Changes(ChangesReply {
                changes,
                ..ChangesReply::default()
            });
            let built = build(
                &wrapped,
                &memory,
                &entries,
                &digest,
                &Budgets::default(),
                &[],
            );
            let chosen: Vec<Chosen> = built.changes.iter().map(Chosen::of).collect();
            let said = judge(&Context {
                kind: Kind::Distill,
                memory: &memory,
                entries: &entries,
                chosen: &chosen,
                lines: &built.lines,
                tombstones: &[],
                limits: &Limits::default(),
                credentials: &|_| Vec::new(),
            });
            total += built.changes.len();
            for dropped in &built.dropped {
                report.push(format!(
                    "{name}: dropped {:?}: {}",
                    dropped.what, dropped.why
                ));
            }
            for change in &built.changes {
                let verdicts = said.of(change.n);
                flagged +=
                    usize::from(verdicts.iter().any(|v| CONTENT.contains(&v.guard.as_str())));
                unborne += usize::from(verdicts.iter().any(|v| v.guard == "evidence"));
                for v in verdicts {
                    report.push(format!(
                        "{name} #{} {:?} {}: {} [{}]",
                        change.n,
                        v.level,
                        v.guard,
                        v.reason,
                        change.said().lines().next().unwrap_or_default()
                    ));
                }
                let structural = verdicts
                    .iter()
                    .any(|v| v.level == Level::Block && v.guard == "forgery");
                assert!(!structural, "{}", report.join("\n"));
            }
            let after = outcome(&memory, &chosen);
            let texts = MemoryFile::ALL.map(|f| (f, after.doc(&memory, f).text().to_owned()));
            memory = Memory::from_texts(&texts.into_iter().collect());
        }
    }
    println!(
        "{flagged} of {total} honest changes flagged for what they say, {unborne} for their evidence:\n{}",
        report.join("\n")
    );
    assert!(total >= 80, "only {total} changes:\n{}", report.join("\n"));
    assert!(
        unborne * 100 <= total * 6,
        "{unborne} of {total} honest changes said not to rest on their lines:\n{}",
        report.join("\n")
    );
    assert!(
        flagged * 100 <= total,
        "{flagged} of {total} honest changes flagged:\n{}",
        report.join("\n")
    );
}
