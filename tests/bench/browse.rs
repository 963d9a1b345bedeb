//! Looking for words in an archive of 24 months and 5 MB: until the first hits, and all of it.
//!
//! `cargo bench --bench browse`

#![expect(
    clippy::unwrap_used,
    reason = "a benchmark that cannot go on has failed"
)]

use divan::{Bencher, black_box};
use jiff::Timestamp;
use memd::browse::{Archive, Search, Sight, archive};
use memd::config::Places;
use memd::redact::Redactor;
use memd::store::Store;

fn main() {
    divan::main();
}

struct Scene {
    _dir: tempfile::TempDir,
    archive: Archive,
    redactor: Redactor,
}

fn scene() -> Scene {
    let dir = tempfile::tempdir().unwrap();
    let home = dir.path().as_os_str().to_owned();
    let places = Places::from_env(|name| (name == "HOME").then(|| home.clone())).unwrap();
    let store = Store::open(&places).unwrap();
    let trust = store.trust().unwrap();
    let root = dir.path().join("app");
    let now = Timestamp::UNIX_EPOCH;
    let project = store.ensure_project(&trust, &root, "app", now).unwrap();
    let folder = project.memory().join("archive");
    std::fs::create_dir_all(&folder).unwrap();
    let piece = |n: usize| {
        let text = "The queue moved to another table, since one writer is enough. ".repeat(8);
        format!("\n## decisions.md\n\n### Decision {n}\n\n{text}\n")
    };
    let month: String = (0..400).map(piece).collect();
    for n in 0..24 {
        let name = format!("20{:02}-{:02}.md", 24 + n / 12, n % 12 + 1);
        std::fs::write(folder.join(name), &month).unwrap();
    }
    let redactor = Redactor::new(&[], &[1; 32]).0;
    let sight = Sight {
        store: &store,
        trust: &trust,
        redactor: &redactor,
        now,
    };
    let archive = archive(sight, &project).unwrap();
    Scene {
        _dir: dir,
        archive,
        redactor,
    }
}

#[divan::bench]
fn first_hits(bencher: Bencher<'_, '_>) {
    let scene = scene();
    bencher.bench(|| {
        let mut search = Search::new("decision 39");
        while search.hits().is_empty() && !search.is_done() {
            search.step(&scene.archive, &scene.redactor, 256 * 1024);
        }
        black_box(search.hits().len())
    });
}

#[divan::bench]
fn all_of_it(bencher: Bencher<'_, '_>) {
    let scene = scene();
    bencher.bench(|| {
        let mut search = Search::new("nowhere");
        while !search.is_done() {
            search.step(&scene.archive, &scene.redactor, 1 << 20);
        }
        black_box(search.hits().len())
    });
}
