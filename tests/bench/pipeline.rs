//! Throughput from a session file to the prompt: reading alone, reading and redacting, the whole
//! way to a digest, and the steps after it.
//!
//! `cargo bench --bench pipeline`; MB/s are the last column, of the session file's bytes where a
//! file is read. The session is generated, with the mix of real ones: nine of ten user rows carry
//! a tool's result, each result stands in its row twice, a fifth of the rows is progress that is
//! passed over. For comparison: memd 0.3 redacts 2.1 to 2.4 MB/s.

#![expect(
    clippy::expect_used,
    reason = "a benchmark that cannot be set up has to stop"
)]

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use memd::brief;
use memd::config::Places;
use memd::curator::prompt;
use memd::digest::{Builder, Digest};
use memd::memory::MemoryFile;
use memd::redact::{Part, Redactor};
use memd::source::claude::read_claude;
use memd::source::{Raw, Reading, Sink, Turn};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Exchanges in the generated session; one is some 20 kB.
const EXCHANGES: usize = 300;
/// Characters of a digest, as `memd distill` asks for.
const CAP: usize = 60_000;

fn main() {
    divan::main();
}

fn redactor() -> Redactor {
    Redactor::new(&[], &[1; 32]).0
}

/// A tool's result of some kilobytes: code, a listing, a log, JSON by turns.
fn output(n: usize) -> String {
    let mut out = String::new();
    for line in 0..40 + n * 37 % 160 {
        let _ = match n % 4 {
            0 => writeln!(
                out,
                "{line:6}\u{2192}    let token = self.next(Kind::Field{n})?; // line {line} of the parser"
            ),
            1 => writeln!(
                out,
                "./crates/core/src/part_{n}/file_{line}.rs:{line}:12: pub fn step_{line}(&self) -> usize"
            ),
            2 => writeln!(
                out,
                "2026-08-0{} 10:{:02}:00 INFO worker-{line} handled request in {n} ms, 200 OK /api/v1/items/{line}",
                n % 9 + 1,
                line % 60
            ),
            _ => writeln!(
                out,
                "  {{\"id\": {line}, \"name\": \"item-{line}\", \"done\": false, \"tags\": [\"a{n}\", \"b\"]}},"
            ),
        };
    }
    if n % 25 == 7 {
        // A secret now and then, as in a real session.
        let _ = writeln!(out, "SERVICE_PASSWORD=q{n}K!zR7w-mPd2");
    }
    out
}

fn rows(n: usize) -> Vec<Value> {
    let typed = n.is_multiple_of(10);
    let result = output(n);
    let call = format!("toolu_{n:08}");
    let mut rows = vec![
        json!({"type": "assistant", "message": {"id": format!("msg_{n}"), "role": "assistant", "model": "m", "content": [
            {"type": "thinking", "thinking": "The parser reads fields in order, so the change belongs there. ".repeat(12), "signature": "c2lnbmF0dXJl".repeat(30)}]}}),
        json!({"type": "assistant", "message": {"id": format!("msg_{n}"), "role": "assistant", "model": "m", "content": [
            {"type": "text", "text": format!("Step {n}: I look at how the parser treats empty fields, then change it and run the tests again.")}]}}),
        json!({"type": "assistant", "message": {"id": format!("msg_{n}"), "role": "assistant", "model": "m", "content": [
            {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": format!("cargo test -p core part_{n} 2>&1"), "description": "Run the tests"}}]}}),
        json!({"type": "progress", "data": {"type": "hook_progress", "hookName": "PostToolUse", "message": result.get(..600).unwrap_or("")}}),
        json!({"type": "user", "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": call, "content": result, "is_error": n % 17 == 3}]},
            "toolUseResult": {"stdout": result, "stderr": "", "interrupted": false}}),
    ];
    if typed {
        let text = format!(
            "We always run the tests of part {n} before a change lands. Please mend the parser."
        );
        rows.insert(
            0,
            json!({"type": "user", "message": {"role": "user", "content": text}}),
        );
        rows.push(json!({"type": "file-history-snapshot", "snapshot": {"trackedFileBackups": {}}}));
    }
    rows
}

/// A generated session file and its size.
struct Session {
    file: NamedTempFile,
    size: u64,
    places: Places,
}

impl Session {
    fn new() -> Self {
        let mut file = NamedTempFile::new().expect("a temporary file");
        let mut parent = Value::Null;
        for (n, mut row) in (0..EXCHANGES).flat_map(rows).enumerate() {
            let id = format!("{n:08x}-0000-4000-8000-000000000000");
            row["uuid"] = json!(id);
            row["parentUuid"] = parent;
            row["sessionId"] = json!("11111111-2222-4333-8444-555555555555");
            row["cwd"] = json!("/home/dev/proj");
            row["version"] = json!("2.1.219");
            row["timestamp"] = json!("2026-08-01T10:00:00.000Z");
            row["isSidechain"] = json!(false);
            parent = json!(id);
            writeln!(file, "{row}").expect("a row is written");
        }
        let size = file.as_file().metadata().expect("its size").len();
        let home = PathBuf::from("/home/dev");
        let places = Places {
            config: home.join("config.json"),
            state: home.join("state"),
            claude: home.join(".claude"),
            codex: home.join(".codex"),
            gemini: home.join(".gemini"),
            home,
        };
        Self { file, size, places }
    }

    fn read(&self, sink: &mut dyn Sink) -> memd::digest::Coverage {
        let reading = Reading {
            project: None,
            own: &self.places,
            seen: &|_| false,
        };
        let path: &Path = self.file.path();
        read_claude(path, 0, None, &reading, sink).expect("a session that can be read")
    }

    fn digest(&self, redactor: &Redactor) -> Digest {
        let mut builder = Builder::new(redactor, CAP);
        let coverage = self.read(&mut builder);
        builder.cover(coverage);
        builder.finish().digest
    }

    fn bytes(&self) -> BytesCount {
        BytesCount::new(self.size)
    }
}

/// Takes every turn and hands it to a function.
struct Each<F>(F);

impl<F: FnMut(&Turn)> Sink for Each<F> {
    fn take(&mut self, turn: Turn) -> bool {
        (self.0)(&turn);
        true
    }

    fn abandon(&mut self, _: &str, _: &dyn Fn(&str) -> bool) {}
}

#[divan::bench]
fn read(bencher: Bencher<'_, '_>) {
    let session = Session::new();
    bencher
        .counter(session.bytes())
        .bench_local(|| session.read(&mut Each(|turn: &Turn| _ = black_box(turn))));
}

#[divan::bench]
fn read_and_redact(bencher: Bencher<'_, '_>) {
    let session = Session::new();
    let redactor = redactor();
    bencher.counter(session.bytes()).bench_local(|| {
        session.read(&mut Each(|turn: &Turn| {
            let part = Part {
                tool: turn.tool.as_ref(),
                call: false,
            };
            black_box(redactor.redact(&turn.text, &part));
        }))
    });
}

#[divan::bench]
fn read_redact_digest(bencher: Bencher<'_, '_>) {
    let session = Session::new();
    let redactor = redactor();
    bencher
        .counter(session.bytes())
        .bench_local(|| session.digest(&redactor));
}

/// The redactor alone, on the texts that reading gives; MB/s of those.
#[divan::bench]
fn redact(bencher: Bencher<'_, '_>) {
    let session = Session::new();
    let mut texts: Vec<Raw> = Vec::new();
    session.read(&mut Each(|turn: &Turn| {
        texts.push(Raw::new(turn.text.unredacted()));
    }));
    let size: usize = texts.iter().map(|t| t.unredacted().len()).sum();
    let redactor = redactor();
    bencher.counter(BytesCount::new(size)).bench_local(|| {
        for text in &texts {
            black_box(redactor.redact(text, &Part::default()));
        }
    });
}

/// The prompt of a full digest, its last redaction included.
#[divan::bench]
fn prompt_of_digest(bencher: Bencher<'_, '_>) {
    let redactor = redactor();
    let digest = Session::new().digest(&redactor);
    let ask = || prompt::build(&[], &digest, &[], "proj", "0123456789abcdef", &redactor).0;
    let size = ask().body.as_str().len();
    bencher.counter(BytesCount::new(size)).bench_local(ask);
}

/// The brief of a memory of 200 entries.
#[divan::bench]
fn brief_of_memory(bencher: Bencher<'_, '_>) {
    let now = "2026-08-01T10:00:00Z".parse().expect("a time");
    let piece = |n: usize| brief::Piece {
        file: MemoryFile::State,
        section: format!("Part {}", n % 12),
        text: format!("- The worker of part {n} retries {n} times before it gives up."),
        since: now,
        unreviewed: false,
    };
    let pieces: Vec<_> = (0..200).map(piece).collect();
    let limits = brief::Limits {
        content_chars: 8_000,
        max_chars: None,
        decision_days: 30,
    };
    let facts = brief::Facts::default();
    bencher.bench_local(|| brief::build(&pieces, &facts, &limits, None, "0123abcd", now));
}
