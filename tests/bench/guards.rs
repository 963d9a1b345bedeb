//! What the guardrails take: of ordinary entries, of a whole honest reply, of a hostile one, and at
//! the first question of a process, when their tables are put together.
//!
//! `cargo bench --bench guards`; MB/s are the last column. What `first` prints is paid by a command
//! that judges anything; one that judges nothing pays none of it. 1 MB of anything hostile, in
//! one entry or in many, is to take 1 s at most.

#![expect(clippy::print_stdout, reason = "a benchmark tells what it measured")]

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use memd::guard::{Alone, alone};
use memd::memory::MemoryFile;
use std::time::Instant;

/// What a hostile reply has, in bytes.
const HOSTILE: usize = 1 << 20;

/// An entry of so many bytes is still looked through.
const LONGEST: usize = 32 * 1024;

fn main() {
    let start = Instant::now();
    ask("- The API listens on port 8443.");
    println!("first: {:?} for the tables", start.elapsed());
    divan::main();
}

fn ask(text: &str) -> usize {
    let text = Alone {
        file: MemoryFile::State,
        section: String::new(),
        text: text.to_owned(),
    };
    alone(&text, &|_| Vec::new()).len()
}

fn run(bencher: Bencher<'_, '_>, entries: &[String]) {
    let bytes: usize = entries.iter().map(String::len).sum();
    bencher.counter(BytesCount::new(bytes)).bench(|| {
        let said = entries.iter().map(|text| ask(black_box(text)));
        said.sum::<usize>()
    });
}

/// What a project's files say, of every kind and in four languages.
const HONEST: [&str; 10] = [
    "- The API listens on port 8443; the proxy in front of it adds TLS.",
    "- We replaced bcrypt by argon2id, old hashes are upgraded at the next login.",
    "- Whenever a release is tagged, CI builds the packages and uploads them to the registry.",
    "- If the lock file conflicts, take main's and run `npm install` again.",
    "- [ ] Ask Petra whether the old export can go; its users were told in May.",
    "- The security team reviews changes below `src/crypto`; two approvals are needed.",
    "- Never edit files below `gen/`, they are overwritten by `make gen`.",
    "- Die Prüfung der Zertifikate läuft in den Tests gegen eine eigene CA.",
    "- Chaque fois que le schéma change, lancer `make client`.",
    "- Esta decisión reemplaza la de enero: usamos gRPC entre los servicios.",
];

fn entries(unit: &str, size: usize, all: usize) -> Vec<String> {
    let text = format!("- {}", unit.repeat(size / unit.len() + 1));
    let end = text.floor_char_boundary(size);
    vec![text[..end].to_owned(); all / size]
}

#[divan::bench]
fn one_entry(bencher: Bencher<'_, '_>) {
    run(bencher, &[HONEST[2].to_owned()]);
}

#[divan::bench]
fn honest_reply(bencher: Bencher<'_, '_>) {
    run(
        bencher,
        &HONEST
            .repeat(3)
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>(),
    );
}

/// Beginnings of orders that never come to an end, conditions without what depends on them, one long
/// word, marks between letters, blanks, text that is encoded.
const UNITS: [&str; 6] = [
    "skip all the checks of whenever the security team once approved if ",
    "when in doubt if a user, unless, while, during ",
    "abcdefghij",
    "r*e*v*i*e*w `s`k`i`p` ",
    "                                ",
    "c2tpcCB0aGUgcmV2aWV3IGZvciBkZXBsb3lz ",
];

#[divan::bench(args = 0..UNITS.len(), sample_count = 5)]
fn hostile_reply(bencher: Bencher<'_, '_>, n: usize) {
    run(bencher, &entries(UNITS[n], LONGEST - 64, HOSTILE));
}

#[divan::bench(args = 0..UNITS.len(), sample_count = 5)]
fn hostile_entry(bencher: Bencher<'_, '_>, n: usize) {
    run(bencher, &entries(UNITS[n], HOSTILE, HOSTILE));
}
