//! What a text has that may say it shows secrets: all looked for in one pass.

use super::{marks, objects, prompts, written};
use aho_corasick::{AhoCorasick, MatchKind};
use std::sync::LazyLock;

/// What a text says of itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Signs {
    /// Of lines, what they show.
    pub marks: bool,
    /// That a manifest in it is a secret's.
    pub manifests: bool,
    /// That an object in it is a store's answer.
    pub answers: bool,
    /// That something stands below a command: `<<`.
    pub below: bool,
}

/// Which of them a sign is.
#[derive(Debug, Clone, Copy)]
enum Sign {
    Mark,
    Prompt(&'static [u8]),
    Manifest,
    Answer,
}

fn all() -> impl Iterator<Item = (&'static [u8], Sign)> {
    let marks = marks::MARKS.iter().map(|(text, _)| (*text, Sign::Mark));
    let manifests = objects::MANIFESTS
        .iter()
        .map(|text| (*text, Sign::Manifest));
    let answers = objects::SIGNS.iter().map(|(text, _)| (*text, Sign::Answer));
    let prompts = prompts::SIGNS
        .iter()
        .map(|text| (*text, Sign::Prompt(text)));
    marks.chain(manifests).chain(answers).chain(prompts)
}

static FINDER: LazyLock<(Option<AhoCorasick>, Vec<Sign>)> = LazyLock::new(|| {
    let (texts, signs): (Vec<_>, Vec<_>) = all().unzip();
    let finder = AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostFirst)
        .build(texts);
    (finder.ok(), signs)
});

/// Whether a line with `<<` writes what stands below it into a file of secrets.
fn is_below(text: &[u8], at: usize) -> bool {
    const LONGEST: usize = 400;
    let head = text.get(at.saturating_sub(LONGEST)..at).unwrap_or(&[]);
    let start = at - head.len() + memchr::memrchr(b'\n', head).map_or(0, |n| n + 1);
    let rest = text.get(at..).unwrap_or(&[]);
    let rest = rest.get(..LONGEST).unwrap_or(rest);
    let end = at + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    let line = text.get(start..end).unwrap_or(&[]);
    let writes = line.contains(&b'>') || line.windows(4).any(|w| w == b"tee ");
    writes && written::below(line).is_some()
}

pub(super) fn signs(text: &[u8]) -> Signs {
    let (Some(finder), kinds) = &*FINDER else {
        return Signs {
            marks: true,
            manifests: true,
            answers: true,
            below: true,
        };
    };
    // What is shorter than the others would have all of them looked at more often.
    let short = |sign: &'static [u8; 2]| memchr::memmem::find_iter(text, sign);
    let mut found = Signs {
        marks: short(b"$ ").any(|at| prompts::shows(text, at, b"$ ")),
        below: short(b"<<").any(|at| is_below(text, at)),
        ..Signs::default()
    };
    for hit in finder.find_iter(text) {
        match kinds.get(hit.pattern().as_usize()) {
            Some(Sign::Mark) => found.marks = found.marks || marks::marks(text, hit.start()),
            Some(Sign::Prompt(sign)) => {
                found.marks = found.marks || prompts::shows(text, hit.start(), sign);
            }
            Some(Sign::Manifest) => found.manifests = true,
            Some(Sign::Answer) => found.answers = true,
            None => {}
        }
    }
    found
}
