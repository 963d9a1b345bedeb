//! Decisions: what the user laid down or chose, and what the model settled with its reason.

use super::candidate::Candidate;
use super::cues;
use super::prose::Sentence;
use super::quote::{self, is_quotable, is_statement};
use super::session::{Said, Session};
use crate::digest::Line;
use crate::memory::MemoryFile;
use crate::source::Role;

/// The longest quote of one voice, in characters.
const QUOTE: usize = 320;
/// The longest body of the model's own words.
const BODY: usize = 420;

pub(super) fn find(session: &Session) -> Vec<Candidate> {
    let mut found = Vec::new();
    for message in &session.said {
        for sentence in &message.sentences {
            found.extend(match message.line.role {
                Role::User => of_user(session, message, sentence),
                Role::Assistant => of_model(message, sentence),
                _ => None,
            });
        }
    }
    found.extend(choices(session));
    found
}

fn decision(line: &Line, title: &str, body: &str, gist: &str, score: i32) -> Candidate {
    let heading = Session::heading(line, &quote::headline(title));
    Candidate {
        file: MemoryFile::Decisions,
        section: None,
        // A quote may begin with the marks of a heading, which would end the entry there.
        text: format!("{heading}\n\n{}", quote::without_marks(body)),
        gist: gist.to_owned(),
        evidence: vec![line.n],
        score,
    }
}

fn of_user(session: &Session, message: &Said, sentence: &Sentence) -> Option<Candidate> {
    let words = quote::without_filler(&sentence.text);
    let weight = cues::RULE.weight(words);
    let steers = cues::STEERING.finds(words) || words.ends_with([':', '?']);
    if weight == 0
        || steers
        || !is_statement(words)
        || (message.pasted && weight < 35)
        || quote::dangles(words)
    {
        return None;
    }
    let anchored = if cues::ANCHOR.finds(words) { 10 } else { -4 };
    let pasted = if message.pasted { 22 } else { 0 };
    let said = format!("The user: “{}”", with_reason(sentence, words));
    let score = 34 + weight + anchored - pasted;
    let Some((answer, outcome)) = outcome(session, message, words) else {
        return Some(decision(message.line, words, &said, words, score));
    };
    let body = format!("{said}\n\nOutcome: {}", quote::trim_to(outcome, QUOTE));
    let gist = format!("{words} {outcome}");
    let mut made = decision(message.line, words, &body, &gist, score + 6);
    made.evidence.push(answer.line.n);
    Some(made)
}

/// The words with the sentence after them, where that is no question and no steering.
fn with_reason(sentence: &Sentence, words: &str) -> String {
    let goes_on = |after: &&String| {
        is_statement(after)
            && !after.ends_with([':', '?'])
            && !cues::STEERING.finds(after)
            && words.chars().count() + after.chars().count() < QUOTE
    };
    match sentence.after.as_ref().filter(goes_on) {
        Some(after) => format!("{words} {after}"),
        None => quote::trim_to(words, QUOTE),
    }
}

/// The sentence of the answer that says most about the same thing.
fn outcome<'s, 'd>(
    session: &'s Session<'d>,
    message: &Said,
    asked: &str,
) -> Option<(&'s Said<'d>, &'s str)> {
    let asked = quote::content_words(asked);
    let mut best: Option<(usize, &Said, &str)> = None;
    for said in session.answers(message).filter(|s| s.closing && !s.asks) {
        for sentence in said.sentences.iter().filter(|s| is_quotable(&s.text)) {
            let own = quote::content_words(&sentence.text);
            let shared = asked.iter().filter(|w| own.contains(w)).count();
            let close = shared >= 3 && shared * 3 >= asked.len();
            if close && best.is_none_or(|(most, ..)| shared > most) {
                best = Some((shared, said, &sentence.text));
            }
        }
    }
    best.map(|(_, said, text)| (said, text))
}

fn of_model(message: &Said, sentence: &Sentence) -> Option<Candidate> {
    let text = &sentence.text;
    let weight = cues::SETTLED.weight(text);
    let reasoned = cues::CAUSE.finds(text) || text.contains("so that") || text.contains(", so ");
    let enough = weight >= 24 || (weight > 0 && reasoned);
    if !enough
        || cues::HEDGE.finds(text)
        || cues::CAUSE.weight(text) >= 30
        || !is_quotable(text)
        || cues::SELF.finds(text)
        || !cues::ANCHOR.finds(text)
    {
        return None;
    }
    let titles = ["decision", "design", "why", "rationale"];
    let titled = titles.iter().any(|t| sentence.heading.starts_with(t));
    let score = 20 + weight + when(message.closing, 12) + when(reasoned, 8) + when(titled, 8)
        - when(message.asks, 14);
    let body = in_context(sentence);
    Some(decision(message.line, text, &body, text, score))
}

fn when(yes: bool, weight: i32) -> i32 {
    if yes { weight } else { 0 }
}

/// The sentence with its neighbours, as far as they fit and stand on their own.
fn in_context(sentence: &Sentence) -> String {
    let mut body = sentence.text.clone();
    let fits = |body: &str, more: &str| body.chars().count() + more.chars().count() < BODY;
    let ends = |text: &str| !text.ends_with([':', '?']) && !cues::SELF.finds(text);
    if let Some(after) = sentence
        .after
        .as_deref()
        .filter(|a| ends(a) && fits(&body, a))
    {
        body = format!("{body} {after}");
    }
    let before = sentence
        .before
        .as_deref()
        .filter(|b| is_quotable(b) && ends(b));
    if let Some(before) = before.filter(|b| fits(&body, b)) {
        body = format!("{before} {body}");
    }
    quote::trim_to(&body, BODY)
}

/// What the user picked where a tool put the choice to them.
fn choices(session: &Session) -> Vec<Candidate> {
    let mut found = Vec::new();
    for pair in session.lines.windows(2) {
        let [call, answer] = pair else { continue };
        let asked =
            call.role == Role::ToolCall && call.text.as_str().starts_with("AskUserQuestion");
        if asked && matches!(answer.role, Role::ToolResult | Role::User) {
            found.extend(
                picks(answer.text.as_str())
                    .into_iter()
                    .map(|(question, pick)| {
                        let title = format!("{question} {pick}");
                        let body = format!("Asked “{question}”, the user chose “{pick}”.");
                        let mut made = decision(answer, &title, &body, &title, 74);
                        made.evidence.insert(0, call.n);
                        made
                    }),
            );
        }
    }
    found
}

/// `"question"="answer"` pairs, without those that only steer the session.
fn picks(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let parts: Vec<&str> = text.split('"').collect();
    for three in parts.windows(3) {
        let [question, "=", pick] = three else {
            continue;
        };
        let (question, pick) = (question.trim(), pick.trim());
        if is_statement(question) && !pick.is_empty() && !cues::PACE.finds(question) {
            found.push((quote::trim_to(question, 160), quote::trim_to(pick, 160)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_read_and_a_question_of_pace_is_not() {
        let text = r#"Your questions have been answered: "Where should the lock file live?"="In the state folder" "What should I do next now?"="docs"."#;
        assert_eq!(
            picks(text),
            [(
                "Where should the lock file live?".to_owned(),
                "In the state folder".to_owned()
            )]
        );
    }
}
