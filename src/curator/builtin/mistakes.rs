//! Mistakes: what went wrong, why, and what mended it, as far as each can be quoted.

use super::candidate::Candidate;
use super::cues;
use super::prose::Sentence;
use super::quote::{self, is_quotable, is_statement};
use super::session::{Said, Session};
use crate::digest::Line;
use crate::memory::MemoryFile;
use crate::source::Role;

const QUOTE: usize = 300;
/// How many lines before an explanation an error may stand.
const REACH: usize = 6;

pub(super) fn find(session: &Session) -> Vec<Candidate> {
    let model = session
        .said
        .iter()
        .filter(|s| s.line.role == Role::Assistant);
    model
        .filter_map(|message| of_message(session, message))
        .collect()
}

struct Parts<'s> {
    symptom: Option<(String, u32)>,
    cause: &'s Sentence,
    fix: Option<&'s Sentence>,
    lesson: Option<&'s Sentence>,
}

fn of_message(session: &Session, message: &Said) -> Option<Candidate> {
    let cause = strongest(&message.sentences, cause_weight)?;
    let other = |s: &&Sentence| s.text != cause.text;
    let others: Vec<&Sentence> = message.sentences.iter().filter(other).collect();
    let lesson = strongest(others.iter().copied(), lesson_weight);
    let fixes = others
        .iter()
        .copied()
        .filter(|s| lesson.is_none_or(|l| l.text != s.text));
    let fix = strongest(fixes, fix_weight);
    let parts = Parts {
        symptom: symptom(session, message),
        cause,
        fix,
        lesson,
    };
    is_whole(&parts).then(|| write(message, &parts))
}

/// A cause alone explains; a mistake also went wrong visibly, or says so itself.
fn is_whole(parts: &Parts) -> bool {
    let mended = parts.fix.is_some() || parts.lesson.is_some();
    let named = cause_weight(parts.cause) >= NAMED;
    (parts.symptom.is_some() && (mended || named)) || (named && mended)
}

/// A cause that is called one.
const NAMED: i32 = 28;

fn write(message: &Said, parts: &Parts) -> Candidate {
    let cause = with_next(parts.cause);
    let mut body = Vec::new();
    let mut evidence = vec![message.line.n];
    if let Some((symptom, n)) = &parts.symptom {
        body.push(format!("- **Symptom:** {symptom}"));
        evidence.insert(0, *n);
    }
    body.push(format!("- **Root cause:** {cause}"));
    body.extend(
        parts
            .fix
            .map(|f| format!("- **Fix:** {}", words_of(&f.text))),
    );
    body.extend(
        parts
            .lesson
            .map(|l| format!("- **Prevention:** {}", words_of(&l.text))),
    );
    evidence.dedup();
    let title = quote::headline(&words_of(&parts.cause.text));
    Candidate {
        file: MemoryFile::Mistakes,
        section: None,
        text: format!(
            "{}\n\n{}",
            Session::heading(message.line, &title),
            body.join("\n")
        ),
        gist: cause,
        evidence,
        score: score(message, parts),
    }
}

fn score(message: &Said, parts: &Parts) -> i32 {
    let when = |yes: bool, weight: i32| if yes { weight } else { 0 };
    10 + cause_weight(parts.cause)
        + when(message.closing, 10)
        + when(parts.symptom.is_some(), 12)
        + when(parts.fix.is_some(), 12)
        + when(parts.lesson.is_some(), 10)
        - when(message.asks, 6)
}

/// The cause with the sentence after it, where both fit.
fn with_next(cause: &Sentence) -> String {
    match &cause.after {
        Some(next) if !next.ends_with([':', '?']) && cause.text.len() + next.len() < QUOTE => {
            words_of(&format!("{} {next}", cause.text))
        }
        _ => words_of(&cause.text),
    }
}

/// A sentence without the label that the entry gives it anyway.
fn words_of(text: &str) -> String {
    let text = quote::without_filler(text);
    let text = match text.split_once(": ") {
        Some((label, rest)) if is_label(label) => rest,
        _ => text,
    };
    quote::capital(&quote::trim_to(text, QUOTE))
}

fn is_label(label: &str) -> bool {
    let label = label.split(" (").next().unwrap_or_default().to_lowercase();
    LABELS.contains(&label.as_str())
}

const LABELS: &[&str] = &[
    "root cause",
    "the root cause",
    "cause",
    "the cause",
    "fix",
    "the fix",
    "solution",
    "reason",
    "tip",
    "symptom",
];

fn strongest<'s>(
    sentences: impl IntoIterator<Item = &'s Sentence>,
    weigh: fn(&Sentence) -> i32,
) -> Option<&'s Sentence> {
    let weighed = sentences
        .into_iter()
        .map(|s| (weigh(s), s))
        .filter(|(w, _)| *w > 0);
    // The first of equals.
    weighed
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, s)| s)
}

fn under(sentence: &Sentence, headings: &[&str]) -> bool {
    sentence.leads && headings.iter().any(|h| sentence.heading.contains(h))
}

fn cause_weight(sentence: &Sentence) -> i32 {
    let titled = under(sentence, &["root cause", "what was happening", "cause of"]);
    let weight = cues::CAUSE
        .weight(&sentence.text)
        .max(if titled { NAMED } else { 0 });
    let bonus = if titled && weight < 30 { 4 } else { 0 };
    let fit = is_statement(&sentence.text)
        && cues::ANCHOR.finds(&sentence.text)
        && !cues::HEDGE.finds(&sentence.text)
        && (titled || is_quotable(&sentence.text));
    if fit { weight + bonus } else { 0 }
}

fn fix_weight(sentence: &Sentence) -> i32 {
    let titled = under(sentence, &["fix", "solution"]);
    let weight = cues::FIX
        .weight(&sentence.text)
        .max(if titled { 24 } else { 0 });
    let fit = cues::ANCHOR.finds(&sentence.text) && is_quotable(&sentence.text);
    if fit { weight } else { 0 }
}

fn lesson_weight(sentence: &Sentence) -> i32 {
    let fit = cues::ANCHOR.finds(&sentence.text) && is_quotable(&sentence.text);
    if fit {
        cues::LESSON.weight(&sentence.text)
    } else {
        0
    }
}

/// The error right before the message, else what the user complained of.
fn symptom(session: &Session, message: &Said) -> Option<(String, u32)> {
    let near = &session.lines[message.at.saturating_sub(REACH)..message.at];
    let since = near
        .iter()
        .rposition(|l| l.role == Role::User)
        .map_or(near, |at| &near[at..]);
    let error = since.iter().rev().find(|l| l.role == Role::Error);
    if let Some((text, line)) = error.and_then(|l| Some((error_text(l)?, l))) {
        return Some((text, line.n));
    }
    let asked = session
        .asked(message)
        .filter(|a| message.closing && !a.pasted)?;
    let sentence = asked.sentences.iter().find(|s| complains(&s.text))?;
    let text = quote::without_filler(&sentence.text);
    Some((format!("“{}”", quote::trim_to(text, 200)), asked.line.n))
}

fn complains(text: &str) -> bool {
    let words = text.split(' ').count();
    cues::TROUBLE.finds(text)
        && !cues::HYPOTHESIS.finds(text)
        && words >= 3
        && (words >= 7 || !text.ends_with('?'))
}

/// The line of an error that names it, in code marks.
fn error_text(line: &Line) -> Option<String> {
    let bare = |l: &str| {
        l.replace("<tool_use_error>", "")
            .replace("</tool_use_error>", "")
    };
    let names_it = |l: &String| {
        let plain = l.chars().count() > 12 && !ECHOES.iter().any(|e| l.starts_with(e));
        plain && cues::TROUBLE.finds(l)
    };
    let telling = line
        .text
        .as_str()
        .lines()
        .take(200)
        .map(|l| bare(l).trim().to_owned())
        .find(names_it)?;
    let telling = telling
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('`', "'");
    Some(format!("`{}`", quote::trim_to(&telling, 160)))
}

/// Beginnings of error lines that name nothing: an exit code, the command again, a mere warning.
const ECHOES: &[&str] = &[
    "Exit code",
    "$ ",
    "> ",
    "warning:",
    "+ ",
    "error: script",
    "npm ERR! code",
];
