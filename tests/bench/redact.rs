//! Throughput of the redactor: ordinary text, and inputs made to be slow.
//!
//! `cargo bench --bench redact`; MB/s are the last column.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use memd::redact::Redactor;

fn main() {
    divan::main();
}

fn run(bencher: Bencher<'_, '_>, text: &str) {
    let redactor = Redactor::new(&[], &[1; 32]).0;
    bencher
        .counter(BytesCount::of_str(text))
        .bench(|| redactor.check(black_box(text)));
}

#[divan::bench]
fn prose(bencher: Bencher<'_, '_>) {
    let line = "The build failed at the second step; I changed the path in the settings and ran it again.\n";
    run(bencher, &line.repeat(10_000));
}

#[divan::bench]
fn code(bencher: Bencher<'_, '_>) {
    let lines = "    let token = self.next_token()?;\n    if token.kind == Kind::Key { keys.push(token.text.to_owned()); }\n    // see https://docs.local/a/b for why\n";
    run(bencher, &lines.repeat(6_000));
}

#[divan::bench(args = ["eyJ", "password=", "http://a:", "-----BEGIN PRIVATE KEY-----\n", "Cookie: a=b; ", "\"kty\":{", "token: ", "password='", "\\"])]
fn hostile(bencher: Bencher<'_, '_>, unit: &str) {
    run(bencher, &unit.repeat(60_000 / unit.len()));
}

#[divan::bench]
fn start(bencher: Bencher<'_, '_>) {
    bencher.bench(|| Redactor::new(&[], &[1; 32]));
}
