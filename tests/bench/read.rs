//! How fast a session becomes a digest: reading, redacting, shortening and shedding, in bytes of
//! the transcript.
//!
//! `cargo bench --bench read`; MB/s are the last column.
#![allow(
    clippy::unwrap_used,
    reason = "a benchmark that cannot go on has failed"
)]

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use memd::config::Places;
use memd::digest::Builder;
use memd::redact::Redactor;
use memd::source::Reading;
use memd::source::claude::read_claude;
use serde_json::{Value, json};
use std::io::Write;

fn main() {
    divan::main();
}

fn row(n: usize, role: &str, content: &Value) -> Value {
    json!({
        "type": role, "uuid": format!("6f1e0c52-0000-4000-8000-{n:012}"), "sessionId": "s",
        "cwd": "/p", "timestamp": "2026-09-30T14:02:00Z", "version": "2.0.0",
        "message": {"role": role, "content": content},
    })
}

/// A session of so many exchanges, each with a tool's output of this many characters.
fn session(exchanges: usize, output: usize) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let line = "    let port = settings.port.unwrap_or(8443); // as in the table above\n";
    let output = line.repeat(output / line.len());
    for n in (0..exchanges * 4).step_by(4) {
        let id = format!("t{n}");
        let call = json!([{"type": "tool_use", "id": id, "name": "Read", "input": {"file_path": "/p/src/port.rs"}}]);
        let gave = json!([{"type": "tool_result", "tool_use_id": id, "content": output}]);
        for row in [
            row(
                n,
                "user",
                &json!(format!("Please look at step {n} of the build again.")),
            ),
            row(n + 1, "assistant", &call),
            row(n + 2, "user", &gave),
            row(
                n + 3,
                "assistant",
                &json!([{"type": "text", "text": "The port is read once, at the start."}]),
            ),
        ] {
            writeln!(file, "{row}").unwrap();
        }
    }
    file
}

/// Exchanges, and characters of a tool's output in each.
#[divan::bench(args = [(4_000, 500), (400, 20_000), (8, 1_000_000)])]
fn digest(bencher: Bencher<'_, '_>, (exchanges, output): (usize, usize)) {
    let file = session(exchanges, output);
    let places = Places::from_env(|name| (name == "HOME").then(|| "/nowhere".into())).unwrap();
    let redactor = Redactor::new(&[], &[1; 32]).0;
    let reading = Reading {
        project: None,
        own: &places,
        seen: &|_| false,
    };
    let size = file.as_file().metadata().unwrap().len();
    bencher.counter(BytesCount::new(size)).bench_local(|| {
        let mut builder = Builder::new(&redactor, 60_000);
        let coverage = read_claude(file.path(), 0, None, &reading, &mut builder).unwrap();
        assert_eq!(coverage.end, size);
        builder.cover(coverage);
        black_box(builder.finish())
    });
}
