//! From two texts to rows on a screen: comparing, laying out, painting a frame, and laying out
//! again at another width.
//!
//! `cargo bench --bench rows`. The texts are generated: prose of some 140 bytes a line, of which
//! every other line has one word changed; 25,000 of them are 50,000 changed lines, 7 MB a text. Goals: first
//! rows of 50,000 changed lines within 100 ms, all of it within 300 ms, a frame within 1 ms.

use divan::{Bencher, black_box};
use memd::review::diff::{Diff, compare};
use memd::tui::paint::paint;
use memd::tui::rows::{Body, DiffStyle, Shape, text_rows};
use memd::tui::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::sync::Arc;

/// Lines that change; each is one that goes and one that comes.
const CHANGED: &[usize] = &[2_500, 25_000];

fn main() {
    divan::main();
}

/// A line of prose, of which `word` is one word.
fn prose(n: usize, word: &str) -> String {
    format!(
        "- Fact {n}: the API listens on port {word} and the admin screen on another; see `src/part_{}.rs`, **always** with the lock held.\n",
        n % 97
    )
}

/// Two texts with so many lines that change; each stands between two that do not.
fn texts(changed: usize) -> (String, String) {
    let (mut old, mut new) = (String::new(), String::new());
    for n in 0..changed {
        let same = prose(n, "8080");
        old.push_str(&same);
        new.push_str(&same);
        old.push_str(&prose(n + changed, "9090"));
        new.push_str(&prose(n + changed, "9091"));
    }
    (old, new)
}

/// Text of a kind, about a megabyte, in one line.
fn one_line(kind: &str) -> String {
    let unit = match kind {
        "ascii" => "and the line goes on with words, `code` and numbers 1 2 3 ",
        "cjk" => "日本語のテキスト、そして漢字もある。",
        _ => "words\u{200B} with é, 👩‍👩‍👧‍👦 and\ttabs ",
    };
    unit.repeat((1 << 20) / unit.len())
}

fn shape(width: u16, style: DiffStyle) -> Shape {
    Shape {
        width,
        style,
        context: None,
        words: true,
        ascii: false,
    }
}

fn diff(changed: usize) -> Arc<Diff> {
    let (old, new) = texts(changed);
    Arc::new(compare(&old, &new))
}

#[divan::bench(args = CHANGED)]
fn compare_lines(bencher: Bencher, changed: usize) {
    let (old, new) = texts(changed);
    bencher.bench(|| compare(black_box(&old), black_box(&new)));
}

#[divan::bench(args = CHANGED)]
fn lay_out(bencher: Bencher, changed: usize) {
    let diff = diff(changed);
    bencher.bench(|| Body::new(&diff, &shape(86, DiffStyle::Lines)));
}

/// Every changed word of the whole text.
#[divan::bench(args = CHANGED)]
fn lay_out_words(bencher: Bencher, changed: usize) {
    let diff = diff(changed);
    bencher.bench(|| Body::new(&diff, &shape(86, DiffStyle::Words)));
}

#[divan::bench(args = ["ascii", "cjk", "mixed"])]
fn lay_out_one_line(bencher: Bencher, kind: &str) {
    let text = one_line(kind);
    bencher.bench(|| text_rows(black_box(&text), 86, false));
}

/// A frame of 120 columns and 36 rows, each time further down.
#[divan::bench(args = CHANGED)]
fn frame(bencher: Bencher, changed: usize) {
    let diff = diff(changed);
    let body = Body::new(&diff, &shape(118, DiffStyle::Lines));
    let mut buffer = Buffer::empty(Rect::new(0, 0, 120, 36));
    let mut top = body.len() / 2;
    bencher.bench_local(|| {
        top += 36;
        draw(&mut buffer, &body, top % body.len());
    });
}

/// The same frame again, as when a key changes nothing of it.
#[divan::bench]
fn frame_again(bencher: Bencher) {
    let diff = diff(25_000);
    let body = Body::new(&diff, &shape(118, DiffStyle::Lines));
    let mut buffer = Buffer::empty(Rect::new(0, 0, 120, 36));
    bencher.bench_local(|| draw(&mut buffer, &body, body.len() / 2));
}

/// The first frame of one line of a megabyte in which words change: the words are compared.
#[divan::bench]
fn first_frame_of_one_line(bencher: Bencher) {
    let old = one_line("ascii");
    let new = old.replacen("numbers 1", "numbers 7", 3);
    let diff = Arc::new(compare(&old, &new));
    let mut buffer = Buffer::empty(Rect::new(0, 0, 120, 36));
    bencher
        .with_inputs(|| Body::new(&diff, &shape(118, DiffStyle::Lines)))
        .bench_local_values(|body| draw(&mut buffer, &body, 0));
}

/// The middle of one line of a megabyte, once it was painted.
#[divan::bench(args = ["ascii", "cjk", "mixed"])]
fn frame_of_one_line(bencher: Bencher, kind: &str) {
    let body = text_rows(&one_line(kind), 118, false);
    let mut buffer = Buffer::empty(Rect::new(0, 0, 120, 36));
    bencher.bench_local(|| draw(&mut buffer, &body, body.len() / 2));
}

fn draw(buffer: &mut Buffer, body: &Body, top: usize) {
    buffer.reset();
    for y in 0..36 {
        let line = body.line(top + usize::from(y));
        paint(buffer, 2, y, 118, &line, Theme::Ansi);
    }
}
