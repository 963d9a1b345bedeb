//! The real program on a terminal: from a key to its frame, over 500 keys in a change of 50,000
//! lines, as its own trace has it.
//!
//! `cargo bench --bench latency [-- LINES]`. Goal: 16 ms at the 95th percentile, 5 ms at the
//! median. Prints; fails only where there is nothing to measure.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and without its input it has nothing to measure"
)]

#[path = "../it/seed.rs"]
#[expect(dead_code, reason = "what the tests need is more than this does")]
mod seed;
#[path = "../it/support.rs"]
#[expect(dead_code, reason = "what the tests need is more than this does")]
mod support;

use memd::memory::MemoryFile::State;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use seed::{Seed, edit};
use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use support::Home;

/// Moves of all kinds: rows, half pages, pages, and back.
const KEYS: [&str; 10] = ["J", "J", "J", "\x04", "J", "\x06", "K", "J", "\x04", "\x15"];

fn main() {
    let lines = std::env::args().find_map(|a| a.parse().ok());
    let lines: usize = lines.unwrap_or(50_000);
    let home = Home::new();
    let seed = Seed::new(&home, "demo-api");
    let text = |word: &str| {
        let row = |n: usize| format!("  - {n}: port {word}\n");
        let rows: String = (0..lines / 2).map(row).collect();
        format!("- Facts\n{}", rows.trim_end())
    };
    let (old, new) = (text("8080"), text("9090"));
    seed.write(State, &old);
    seed.accept_all();
    seed.stage(vec![edit(1, State, &old, &new)]);
    let trace = home.path().join("trace.jsonl");
    play(&home, &seed, trace.to_str().unwrap());
    tell(&std::fs::read_to_string(trace).unwrap(), lines);
}

fn play(home: &Home, seed: &Seed, trace: &str) {
    let size = PtySize {
        rows: 36,
        cols: 120,
        pixel_width: 0,
        pixel_height: 0,
    };
    let pair = native_pty_system().openpty(size).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_memd"));
    command.arg("review");
    command.cwd(&seed.root);
    command.env_clear();
    for (name, value) in home.env() {
        command.env(name, value);
    }
    command.env("TERM", "xterm-256color");
    command.env("LANG", "C.UTF-8");
    command.env("MEMD_TUI_TRACE", trace);
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let mut writer = pair.master.take_writer().unwrap();
    let (send, incoming) = channel();
    std::thread::spawn(move || {
        let mut buffer = [0; 65_536];
        while let Ok(n) = reader.read(&mut buffer)
            && n > 0
            && send.send(n).is_ok()
        {}
    });
    // Until it is laid out.
    settle(&incoming, Duration::from_secs(3));
    writer.write_all(b"\r").unwrap();
    settle(&incoming, Duration::from_secs(1));
    for n in 0..500 {
        writer.write_all(KEYS[n % KEYS.len()].as_bytes()).unwrap();
        writer.flush().unwrap();
        // As fast as it answers.
        settle(&incoming, Duration::from_millis(10));
    }
    writer.write_all(b"Q").unwrap();
    child.wait().unwrap();
}

/// Waits until nothing has come for so long.
fn settle(incoming: &Receiver<usize>, quiet: Duration) {
    while incoming.recv_timeout(quiet).is_ok() {}
}

fn tell(trace: &str, lines: usize) {
    let mut times: Vec<f64> = Vec::new();
    for line in trace.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let kind = line["kind"].as_str().unwrap_or_default();
        let is_key = matches!(kind, "J" | "K") || kind.starts_with("Ctrl-");
        times.extend(line["ms"].as_f64().filter(|_| is_key));
    }
    times.sort_by(f64::total_cmp);
    let at = |share: usize| times.get(times.len() * share / 100).copied();
    let at = |share| at(share).or(times.last().copied()).unwrap_or_default();
    println!(
        "{lines} lines, {} keys: median {:.2} ms, p95 {:.2} ms, slowest {:.2} ms",
        times.len(),
        at(50),
        at(95),
        at(100)
    );
}
