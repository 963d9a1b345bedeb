//! Open ends: what was left undone when the session ended.

use super::candidate::Candidate;
use super::prose::Sentence;
use super::quote::{self, is_statement};
use super::session::{Said, Session};
use super::{commands, cues};
use crate::curator::{PromptEntry, ProposedChange};
use crate::memory::MemoryFile;
use crate::source::Role;

/// The longest todo, in characters.
const QUOTE: usize = 280;

pub(super) fn find(session: &Session) -> Vec<Candidate> {
    let mut found = Vec::new();
    for message in &session.said {
        let last_words = message.closing && session.is_last_exchange(message);
        for sentence in &message.sentences {
            match message.line.role {
                Role::User if !message.pasted => found.extend(of_user(message, sentence)),
                Role::Assistant if last_words => found.extend(of_model(message, sentence)),
                _ => {}
            }
        }
    }
    let mut recaps = session.said.iter().filter(|s| s.line.role == Role::Note);
    found.extend(recaps.next_back().and_then(of_recap));
    found.extend(uncommitted(session));
    found.extend(session.said.iter().filter_map(pull_request).next_back());
    found
}

fn todo(text: &str, gist: &str, n: u32, score: i32) -> Candidate {
    Candidate {
        file: MemoryFile::Todo,
        section: None,
        text: format!("- [ ] {}", quote::capital(&quote::trim_to(text, QUOTE))),
        gist: gist.to_owned(),
        evidence: vec![n],
        score,
    }
}

fn of_user(message: &Said, sentence: &Sentence) -> Option<Candidate> {
    let words = quote::without_filler(&sentence.text);
    let weight = cues::OPEN.weight(words);
    let fit = weight >= 28 && is_statement(words) && !words.ends_with(['?', ':']);
    fit.then(|| todo(words, words, message.line.n, 40 + weight))
}

fn of_model(message: &Said, sentence: &Sentence) -> Option<Candidate> {
    let words = quote::without_filler(&sentence.text);
    let titled = TITLES.iter().any(|h| sentence.heading.starts_with(h));
    let weight = cues::OPEN.weight(words).max(if titled { 28 } else { 0 });
    if weight == 0 || !is_statement(words) || words.ends_with(':') || offers(words) {
        return None;
    }
    let whole = with_its_subject(sentence);
    cues::ANCHOR
        .finds(&whole)
        .then(|| todo(&whole, &whole, message.line.n, 32 + weight))
}

/// Headings under which open ends stand.
const TITLES: &[&str] = &[
    "next",
    "follow",
    "open",
    "remaining",
    "todo",
    "to do",
    "not done",
    "left",
];

/// The sentence, after the one before it where it does not stand on its own.
fn with_its_subject(sentence: &Sentence) -> String {
    let words = quote::without_filler(&sentence.text);
    let lower = words.to_lowercase();
    let leans = LEANING.iter().any(|w| lower.starts_with(w));
    match sentence.before.as_deref() {
        Some(before) if leans && is_statement(before) => {
            format!("{} {words}", quote::without_filler(before))
        }
        _ => words.to_owned(),
    }
}

/// Beginnings that need the sentence before.
const LEANING: &[&str] = &["if ", "this ", "that ", "it ", "so ", "these ", "they "];

/// Asks for leave rather than names a task.
fn offers(text: &str) -> bool {
    let text = text.to_lowercase();
    OFFERS.iter().any(|o| text.contains(o))
}

const OFFERS: &[&str] = &[
    "want me to",
    "would you like",
    "shall i",
    "should i ",
    "let me know",
];

/// The tool's own recap says what comes next.
fn of_recap(note: &Said) -> Option<Candidate> {
    let (_, next) = note.line.text.as_str().rsplit_once("Next: ")?;
    let next = super::prose::sentences(next).into_iter().next()?.text;
    let fit = is_statement(&next) && cues::ANCHOR.finds(&next);
    fit.then(|| todo(&next, &next, note.line.n, 74))
}

/// At most this many todos of memory are closed by one session.
const MAX_DONE: usize = 3;

/// The open todos of memory that the session says are done.
pub(super) fn done(session: &Session, entries: &[PromptEntry]) -> Vec<ProposedChange> {
    let open = entries
        .iter()
        .filter(|e| e.file == MemoryFile::Todo && !e.text.contains("[x]"));
    let archived = open.filter_map(|entry| {
        let (said, sentence) = says_done(session, &entry.text)?;
        let words = quote::trim_to(quote::without_filler(&sentence.text), 160);
        Some(ProposedChange::Archive {
            entry: entry.id.as_str().to_owned(),
            reason: format!("done: “{words}”"),
            evidence: vec![said.line.n],
        })
    });
    archived.take(MAX_DONE).collect()
}

/// A closing sentence that reports most of what the todo asks for.
fn says_done<'s, 'd>(session: &'s Session<'d>, todo: &str) -> Option<(&'s Said<'d>, &'s Sentence)> {
    let asked = quote::content_words(todo);
    let closing = session.said.iter().filter(|s| s.closing && !s.asks);
    let mut says = closing.flat_map(|said| said.sentences.iter().map(move |s| (said, s)));
    says.find(|(_, s)| {
        let told = quote::content_words(&s.text);
        let shared = asked.iter().filter(|w| told.contains(w)).count();
        let most = shared >= 3 && shared * 10 >= asked.len() * 6;
        most && cues::DONE.finds(&s.text) && cues::OPEN.weight(&s.text) == 0
    })
}

/// A pull request that the session opened and nobody is said to have merged.
fn pull_request(message: &Said) -> Option<Candidate> {
    let text = message.line.text.as_str();
    let opened = message.closing && ["opened", "created"].iter().any(|w| text.contains(w));
    let start = opened.then(|| text.find("https://"))??;
    let end = |c: char| c.is_whitespace() || "*)>]`\"'|,".contains(c);
    let url = text[start..]
        .split(end)
        .next()?
        .trim_end_matches(['.', ':']);
    let number = url.split_once("/pull/")?.1;
    let fit = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    fit.then(|| {
        let task = format!("Open pull request, see it through: {url}");
        todo(&task, &task, message.line.n, 62)
    })
}

/// Files were changed after the last commit, or there was none: the work is only in the tree.
fn uncommitted(session: &Session) -> Option<Candidate> {
    let runs = commands::runs(session);
    let commit = runs
        .iter()
        .rev()
        .find(|r| r.passed && is_commit(&r.command));
    let from = commit.map_or(0, |r| r.at + 1);
    let edits = commands::edits(session, from);
    let last = edits.last?;
    let names: Vec<String> = edits
        .files
        .iter()
        .take(4)
        .map(|f| format!("`{f}`"))
        .collect();
    let more = if edits.files.len() > names.len() {
        ", …"
    } else {
        ""
    };
    let mut text = format!(
        "Not committed when the session ended: {}{more}",
        names.join(", ")
    );
    let mut evidence = vec![session.lines[last].n];
    if let Some((said, sentence)) = summary_after(session, last) {
        let says = quote::trim_to(quote::without_filler(&sentence.text), 160);
        text.push_str(&format!(". “{says}”"));
        evidence.push(said.line.n);
    }
    if evidence.len() < 2 && edits.files.len() < 2 {
        return None;
    }
    let gist = format!("not committed when ended {}", names.join(" "));
    Some(Candidate {
        evidence,
        ..todo(&text, &gist, 0, 66)
    })
}

fn is_commit(command: &str) -> bool {
    ["git commit", "jj commit", "jj describe"]
        .iter()
        .any(|c| command.contains(c))
        || (command.contains("git -") && command.contains(" commit "))
}

/// The first closing sentence from a line on that says what was done.
fn summary_after<'s, 'd>(
    session: &'s Session<'d>,
    at: usize,
) -> Option<(&'s Said<'d>, &'s Sentence)> {
    let closing = session.said.iter().filter(|s| s.closing && s.at >= at);
    let mut says = closing.flat_map(|said| said.sentences.iter().map(move |s| (said, s)));
    says.find(|(_, s)| {
        is_statement(&s.text)
            && !s.text.ends_with(':')
            && cues::DONE.finds(&s.text)
            && cues::ANCHOR.finds(&s.text)
    })
}
