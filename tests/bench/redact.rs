//! Throughput of the redactor: ordinary text, short blocks that are dense with names of secrets, and
//! inputs made to be slow.
//!
//! `cargo bench --bench redact`; MB/s are the last column. `ordinary` source, diff and session are to
//! be 200 MB/s and more on an idle core. 60 kB of anything are to take 50 ms at most, which is 1.2 MB/s; ten times as much
//! takes ten times as long.

#![expect(clippy::print_stdout, reason = "a benchmark tells what it measured")]

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use memd::redact::{Part, Redactor};
use memd::source::Raw;
use std::fs;
use std::path::{Path, PathBuf};

/// What one hostile input measures, in bytes.
const SIZE: usize = 60_000;

fn main() {
    divan::main();
}

fn redactor() -> Redactor {
    Redactor::new(&[], &[1; 32]).0
}

fn run(bencher: Bencher<'_, '_>, text: &str) {
    let redactor = redactor();
    bencher
        .counter(BytesCount::of_str(text))
        .bench(|| redactor.check(black_box(text)));
}

fn repeated(unit: &str, size: usize) -> String {
    unit.repeat(size / unit.len() + 1)
}

/// The literals of all rules, from the table itself.
fn anchors() -> Vec<String> {
    let table = include_str!("../../assets/redact/rules.yaml");
    let table: serde_yaml::Value = serde_yaml::from_str(table).unwrap_or_default();
    let rules = table.get("rules").and_then(|r| r.as_sequence());
    let anchors = rules.into_iter().flatten();
    let anchors = anchors.filter_map(|r| r.get("anchors")?.as_sequence());
    let anchors = anchors.flatten().filter_map(|a| a.as_str());
    anchors.map(str::to_owned).collect()
}

const PROSE: &str =
    "The build failed at the second step; I changed the path in the settings and ran it again.\n";
const CODE: &str = "    let token = self.next_token()?;\n    if token.kind == Kind::Key { keys.push(token.text.to_owned()); }\n    // see https://docs.local/a/b for why\n";
const DIFF: &str = "diff --git a/src/main.rs b/src/main.rs\nindex 3f9a1c2..b77d0e4 100644\n--- a/src/main.rs\n+++ b/src/main.rs\n@@ -12,7 +12,7 @@ fn main() {\n-    let key = config.get(\"key\");\n+    let key = config.key.as_deref();\n     println!(\"{key:?}\");\n";
/// A diff that has a file of secrets in it, whose lines are all read.
const ENV_DIFF: &str = "diff --git a/.env b/.env\nindex 3f9a1c2..b77d0e4 100644\n--- a/.env\n+++ b/.env\n@@ -1,2 +1,2 @@\n-PORT=8080\n+PORT=8081\n";
/// What a shell's session looks like.
const SHELL: &str =
    "harry@web:~/app$ cargo test --all 2>&1 | tail -5\ntest result: ok. 12 passed; 0 failed\n";
const JSON: &str = "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"run `make`\\nand tell me \\\"why\\\" it fails\"},\"uuid\":\"0f8fad5b-d9cb-469f-a165-70867728950e\",\"timestamp\":\"2026-05-14T19:24:58.000Z\"}\n";

/// How much of ordinary text is measured, in bytes.
const ORDINARY: usize = 4 << 20;

/// Text as people and tools have it: memd's own.
///
/// `source` are its sources and `docs` its documentation, but for the redactor's, which are made of
/// what it looks for; `diff` a diff of these sources; `session` a session in JSON lines, in which a
/// tool has read them and the documentation was talked about.
#[divan::bench(args = ["source", "docs", "diff", "session"])]
fn ordinary(bencher: Bencher<'_, '_>, kind: &str) {
    run(bencher, &own(kind, ORDINARY));
}

/// Ordinary text of one kind, in this size.
fn own(kind: &str, size: usize) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = |folder: &str, end: &str| {
        let mut found = Vec::new();
        walk(&root.join(folder), end, &mut found);
        found.sort();
        let text = |path: &PathBuf| fs::read_to_string(path).unwrap_or_default();
        found.iter().map(text).collect::<Vec<_>>()
    };
    let (source, docs) = (files("src", "rs"), files("docs", "md"));
    let pieces = match kind {
        "docs" => docs,
        "diff" => source.iter().enumerate().map(diff).collect(),
        "session" => {
            let said = docs.iter().map(|text| message("assistant", text));
            let read = source.iter().map(|text| message("user", &numbered(text)));
            read.chain(said).collect()
        }
        _ => source,
    };
    let all = pieces.concat();
    let mut text = repeated(&all, size);
    let end = (0..=size).rev().find(|at| text.is_char_boundary(*at));
    text.truncate(end.unwrap_or(0));
    text
}

/// The files of a folder and those below it that end so.
fn walk(folder: &Path, end: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let redactor = path.ends_with("src/redact") || path.ends_with("docs/redaction.md");
        if path.is_dir() && !redactor {
            walk(&path, end, found);
        } else if path.extension().is_some_and(|e| e == end) && !redactor {
            found.push(path);
        }
    }
}

/// A file in a diff: one line in seven was taken out, one put in.
fn diff((n, text): (usize, &String)) -> String {
    let sign = |n: usize| ["+", " ", " ", "-", " ", " ", " "][n % 7];
    let lines = text.lines().enumerate();
    let body: String = lines
        .map(|(n, line)| format!("{}{line}\n", sign(n)))
        .collect();
    let head = format!("--- a/src/f{n}.rs\n+++ b/src/f{n}.rs\n@@ -1,20 +1,20 @@\n");
    format!("diff --git a/src/f{n}.rs b/src/f{n}.rs\n{head}{body}")
}

/// A file as a tool shows it.
fn numbered(text: &str) -> String {
    let lines = text.lines().enumerate();
    lines
        .map(|(n, line)| format!("{:>6}\u{2192}{line}\n", n + 1))
        .collect()
}

/// A line of a session.
fn message(role: &str, text: &str) -> String {
    let line = serde_json::json!({
        "type": role,
        "message": {"role": role, "content": [{"type": "text", "text": text}]},
        "uuid": "0f8fad5b-d9cb-469f-a165-70867728950e",
        "timestamp": "2026-05-14T19:24:58.000Z",
    });
    format!("{line}\n")
}

/// A short block again and again, most of them with a name of a secret in every line or two: what
/// each such name costs, and nothing that people have.
#[divan::bench(args = ["prose", "code", "diff", "env", "shell", "json", "coded"])]
fn dense(bencher: Bencher<'_, '_>, kind: &str) {
    let unit = match kind {
        "prose" => PROSE,
        "code" => CODE,
        "diff" => DIFF,
        "env" => return run(bencher, &format!("{ENV_DIFF}{}", repeated(DIFF, 1 << 20))),
        "shell" => SHELL,
        // A tool's answer in a session: JSON in JSON.
        "coded" => {
            let inner = serde_json::to_string(JSON).unwrap_or_default();
            return run(bencher, &repeated(&inner, 1 << 20));
        }
        _ => JSON,
    };
    run(bencher, &repeated(unit, 1 << 20));
}

const UNITS: [&str; 50] = [
    "eyJ",
    "-eyJ",
    "-----BEGIN PRIVATE KEY-----\n",
    "-----END PRIVATE KEY-----\n",
    "password=",
    "password='",
    "token: ",
    "http://a:",
    "http://a:b@",
    "ghp_",
    "ghs_",
    "sk-",
    "AKIA",
    "0Q~",
    "MDAx",
    "$2b$",
    "\"kty\":{",
    "Cookie: a=b; ",
    "Authorization: Bearer ",
    "curl -u ",
    "IDENTIFIED BY '",
    ":5432:",
    "\\",
    "\\u00",
    "%41",
    "%25",
    "&quot;",
    "&#",
    "\u{1b}",
    "\u{1b}]0;",
    "\u{1b}[",
    "cGFzc3dvcmQ9eDhLcTJtUCF6N1J3",
    "PW ",
    "p/w ",
    "ID/PW: ",
    "$ a ",
    "\u{276f} ",
    "\u{279c} ",
    "<bash-input>$ a ",
    "$ cat <<",
    "<<>",
    ".mysql -p",
    "passwords=[\"",
    "passwords=[\"p/w ",
    "password=61626364",
    "\u{276f} ID/PW: ",
    "\"SecretString\"",
    "diff --git a/.env b/.env\n",
    "kind: Secret\n---\n",
    "MTIzNDU2Nzg5MDEyMzQ1Njc4.",
];

#[divan::bench(args = UNITS)]
fn hostile(bencher: Bencher<'_, '_>, unit: &str) {
    run(bencher, &repeated(unit, SIZE));
}

/// A hundred times as much.
#[divan::bench(args = UNITS, sample_count = 3)]
fn hostile_and_long(bencher: Bencher<'_, '_>, unit: &str) {
    run(bencher, &repeated(unit, SIZE * 100));
}

/// All anchors of the table, each 60 kB of it with one tail: divide by their number.
#[divan::bench(args = ["", "a", " ", "\n", "\"", "='"], sample_count = 3)]
fn all_anchors(bencher: Bencher<'_, '_>, tail: &str) {
    let anchors = anchors();
    let texts: Vec<String> = anchors
        .iter()
        .map(|a| repeated(&format!("{a}{tail}"), SIZE))
        .collect();
    let size: usize = texts.iter().map(String::len).sum();
    let redactor = redactor();
    bencher.counter(BytesCount::new(size)).bench(|| {
        let hits = texts.iter().map(|t| redactor.check(black_box(t)).len());
        hits.sum::<usize>()
    });
}

/// The slowest of them by itself, which is named: 50 ms at most.
#[divan::bench(sample_count = 3)]
fn slowest_anchor(bencher: Bencher<'_, '_>) {
    let redactor = redactor();
    let took = |unit: &String| {
        let text = repeated(unit, SIZE);
        let start = std::time::Instant::now();
        black_box(redactor.check(black_box(&text)));
        start.elapsed()
    };
    let tails = ["", "a", " ", "\n", "\"", "='", ": ", "1"];
    let units = anchors().into_iter();
    let units = units.flat_map(|a| tails.map(|tail| format!("{a}{tail}")));
    if let Some(slowest) = units.max_by_key(took) {
        println!("slowest: {slowest:?}");
        run(bencher, &repeated(&slowest, SIZE));
    }
}

/// A value of its own for each line, all remembered.
fn values(count: usize) -> String {
    let value = |n: usize| format!("x8Kq{:06x}mP!z7R{n}", n * 7919 % 0xff_ffff);
    (0..count)
        .map(|n| format!("PASSWORD={}\n", value(n)))
        .collect()
}

#[divan::bench]
fn many_values(bencher: Bencher<'_, '_>) {
    run(bencher, &values(2000));
}

/// Ordinary text, once as many values are known as are remembered.
#[divan::bench]
fn code_with_known_values(bencher: Bencher<'_, '_>) {
    let (redactor, text) = (redactor(), repeated(CODE, 1 << 20));
    let _ = redactor.check(&values(3000));
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| redactor.check(black_box(&text)));
}

#[divan::bench]
fn many_placeholders(bencher: Bencher<'_, '_>) {
    run(bencher, &"[REDACTED:github_pat#0a1b] ".repeat(10_000));
}

/// One part of 60 MB: source, and a short block of it.
#[divan::bench(args = ["source", "dense"], sample_count = 3)]
fn large(bencher: Bencher<'_, '_>, kind: &str) {
    let text = match kind {
        "dense" => repeated(CODE, 60 << 20),
        kind => own(kind, 60 << 20),
    };
    let (redactor, raw) = (redactor(), Raw::new(text));
    bencher
        .counter(BytesCount::new(60_usize << 20))
        .bench(|| redactor.redact(black_box(&raw), &Part::default()));
}

#[divan::bench]
fn start(bencher: Bencher<'_, '_>) {
    bencher.bench(redactor);
}
