//! What a text has that may say it shows secrets: looked for in the same pass as the rules' anchors.

use super::{marks, objects, prompts, written};
use std::sync::LazyLock;

/// What a text says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::redact) struct Signs {
    /// Of lines, what they show.
    pub marks: bool,
    /// That a manifest in it is a secret's.
    pub manifests: bool,
    /// Where it says that an object in it is a store's answer, and with which sign, in order.
    pub answers: Vec<(usize, usize)>,
    /// That something stands below a command: `<<`.
    pub below: bool,
    /// Up to where lines with prompts were read.
    prompted: usize,
}

/// Which of them a sign is.
#[derive(Debug, Clone, Copy)]
enum Sign {
    Mark,
    Prompt(&'static [u8]),
    Manifest,
    Answer(usize),
}

fn all() -> impl Iterator<Item = (&'static [u8], Sign)> {
    let marks = marks::MARKS.iter().map(|(text, _)| (*text, Sign::Mark));
    let manifests = objects::MANIFESTS
        .iter()
        .map(|text| (*text, Sign::Manifest));
    let answers = objects::SIGNS.iter().enumerate();
    let answers = answers.map(|(n, (text, _))| (*text, Sign::Answer(n)));
    let prompts = prompts::SIGNS
        .iter()
        .map(|text| (*text, Sign::Prompt(text)));
    marks.chain(manifests).chain(answers).chain(prompts)
}

static SIGNS: LazyLock<Vec<Sign>> = LazyLock::new(|| all().map(|(_, sign)| sign).collect());

/// The texts of all signs but the shortest, which would have much else looked at.
pub(in crate::redact) fn texts() -> impl Iterator<Item = &'static [u8]> {
    all().map(|(text, _)| text)
}

/// Whether a line with `<<` writes what stands below it into a file of secrets.
fn is_below(text: &[u8]) -> bool {
    // Up to where lines were read.
    let mut done = 0;
    let line = |at: usize| {
        let (before, from) = text.split_at_checked(at)?;
        let start = memchr::memrchr(b'\n', before).map_or(0, |n| n + 1);
        let end = at + memchr::memchr(b'\n', from).unwrap_or(from.len());
        text.get(start..end).map(|line| (line, end))
    };
    memchr::memmem::find_iter(text, b"<<").any(|at| {
        let Some((line, end)) = (at >= done).then(|| line(at)).flatten() else {
            return false;
        };
        done = end;
        let writes = line.contains(&b'>') || line.windows(4).any(|w| w == b"tee ");
        writes && written::below(line).is_some()
    })
}

impl Signs {
    /// Notes the sign of this number, in the order of [`texts`], at this place.
    pub fn note(&mut self, text: &[u8], number: usize, at: usize) {
        match SIGNS.get(number) {
            Some(Sign::Mark) => self.marks = self.marks || marks::marks(text, at),
            Some(Sign::Prompt(sign)) => {
                self.marks = self.marks || prompts::shows(text, at, sign, &mut self.prompted);
            }
            Some(Sign::Manifest) => self.manifests = true,
            Some(Sign::Answer(sign)) => self.answers.push((at, *sign)),
            None => {}
        }
    }

    /// With the shortest signs, which no table holds.
    pub fn and_short(self, text: &[u8]) -> Self {
        let (mut prompts, mut done) = (memchr::memmem::find_iter(text, b"$ "), 0);
        Self {
            marks: self.marks || prompts.any(|at| prompts::shows(text, at, b"$ ", &mut done)),
            below: is_below(text),
            ..self
        }
    }
}
