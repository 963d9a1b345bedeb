//! What a session waits for when it begins: `memd hook session-start` and `memd brief` as processes,
//! with four full files, a global memory of 30 kB, and 20 other projects with worktrees.
//!
//! `cargo bench --bench brief`. Goal: 10 ms. Prints; fails only where there is nothing to measure.

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

use memd::memory::MemoryFile;
use seed::Seed;
use std::time::Instant;
use support::Home;

const RUNS: usize = 50;

fn fill(seed: &Seed, budgets: [usize; 4]) {
    for (file, budget) in MemoryFile::ALL.into_iter().zip(budgets) {
        let entry = |n: usize| match file {
            MemoryFile::State => format!("- Fact {n}: {}", "the API listens there. ".repeat(4)),
            MemoryFile::Todo => format!("- [ ] Task {n}: {}", "ship the queue. ".repeat(4)),
            _ => format!(
                "### 2026-11-{:02} — Title {n}\n\n{}",
                n % 28 + 1,
                "Because of that. ".repeat(8)
            ),
        };
        let size = entry(10).chars().count() + 2;
        let all: Vec<_> = (0..budget / size).map(entry).collect();
        seed.write(file, &all.join("\n\n"));
    }
    seed.accept_all();
}

fn main() {
    let home = Home::new();
    let app = Seed::new(&home, "code/app");
    fill(&app, [10_000, 12_000, 22_000, 10_000]);
    fill(&Seed::new(&home, "."), [7_500; 4]);
    for n in 0..20 {
        let other = Seed::new(&home, &format!("code/other{n}"));
        let listed = other.root.join(".git/worktrees/fix");
        std::fs::create_dir_all(&listed).unwrap();
        let gone = home.path().join(format!("code/gone{n}/.git"));
        std::fs::write(listed.join("gitdir"), gone.to_str().unwrap()).unwrap();
    }
    let payload = serde_json::json!({ "cwd": app.root }).to_string();
    for args in [&["hook", "session-start"][..], &["brief"], &["--version"]] {
        let mut times = Vec::new();
        let mut bytes = 0;
        for _ in 0..RUNS {
            let start = Instant::now();
            let run = home
                .memd(&app.root)
                .args(args)
                .write_stdin(payload.clone())
                .output();
            let out = run.unwrap();
            times.push(start.elapsed().as_secs_f64() * 1_000.0);
            bytes = out.stdout.len();
        }
        times.sort_by(f64::total_cmp);
        println!(
            "memd {}: median {:.1} ms, p95 {:.1} ms, {bytes} bytes",
            args.join(" "),
            times[RUNS / 2],
            times[RUNS * 95 / 100]
        );
    }
}
