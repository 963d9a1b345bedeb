//! Long runs without a name: secrets inside base64, keys known by their shape alone.
//!
//! Probes every 20th byte, so text without long runs costs next to nothing.

use super::class::Class;
use super::scan::{Scan, scan};
use super::value;
use std::sync::LazyLock;

/// The shortest run looked at, in bytes.
const SHORTEST: usize = 24;
/// The longest part of a run that is decoded, in bytes.
const LONGEST: usize = 8 * 1024;

static RUN: LazyLock<Class> = LazyLock::new(|| Class::new("A-Za-z0-9+/=_.-"));
static BASE64: LazyLock<Class> = LazyLock::new(|| Class::new("A-Za-z0-9+/="));

pub(super) fn find(scan: &mut Scan<'_>) {
    let mut at = 0;
    while at < scan.text.len() {
        if !RUN.has(scan.at(at)) {
            at += 20;
            continue;
        }
        let start = at - RUN.run_back(scan.text, at, 20);
        let end = at + RUN.run(scan.text, at, usize::MAX);
        if end - start >= SHORTEST {
            inspect(scan, start, end);
        }
        at = end + 20;
    }
}

fn inspect(scan: &mut Scan<'_>, start: usize, end: usize) {
    let run = scan.bytes(start..end);
    if is_discord(run) {
        scan.hide(start..end, "discord_bot");
        return;
    }
    if scan.depth > 0 {
        return;
    }
    let mut from = start;
    for piece in run.split(|b| matches!(b, b'.' | b'-' | b'_' | b'=')) {
        if piece.len() >= SHORTEST {
            decode(scan, from, from + piece.len());
        }
        from += piece.len() + 1;
    }
}

/// Three parts, the first a number in base64.
fn is_discord(run: &[u8]) -> bool {
    let parts: Vec<&[u8]> = run.trim_ascii().split(|b| *b == b'.').collect();
    let [id, time, mac] = parts.as_slice() else {
        return false;
    };
    (23..=28).contains(&id.len())
        && matches!(id.first(), Some(b'M' | b'N' | b'O'))
        && (5..=7).contains(&time.len())
        && (27..=45).contains(&mac.len())
        && value::entropy(mac) >= 3.5
        && value::classes(id) >= 3
}

/// Hides a whole run of base64 if what it says holds a secret.
fn decode(scanned: &mut Scan<'_>, start: usize, end: usize) {
    let run = scanned.bytes(start..end);
    if !BASE64.has(run.first().copied().unwrap_or(0))
        || !is_text(&value::base64(run.get(..SHORTEST).unwrap_or(run)))
    {
        return;
    }
    let text = value::base64(run.get(..LONGEST).unwrap_or(run));
    if !is_text(text.get(..text.len().min(96)).unwrap_or(&text)) {
        return;
    }
    if let Some(first) = scan(&text, 1).first() {
        let rule = first.rule.clone();
        let padded = scanned
            .bytes(end..end + 2)
            .iter()
            .take_while(|b| **b == b'=')
            .count();
        let mut end = end + padded;
        while let Some(next) = super::lines::continuation(scanned.text, end) {
            let more = BASE64.run(scanned.text, next, LONGEST);
            if more < 32 || !super::lines::ends_line(scanned.text, next + more) {
                break;
            }
            end = next + more;
        }
        scanned.hide(start..end, rule);
    }
}

fn is_text(bytes: &[u8]) -> bool {
    bytes
        .iter()
        .all(|b| b.is_ascii_graphic() || matches!(b, b' ' | b'\n' | b'\r' | b'\t'))
}
