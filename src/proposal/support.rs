//! Whether the lines that a change cites say what it says, or turn it round.
//!
//! A rough reading, sentence by sentence: it compares a sentence with the cited ones that share
//! most of its words. Never says that something is true, only that a person should compare.

use super::evidence::{is_substance, stem};
use super::turned::{denies, fact, is_alike, spoken};
use super::{Change, Op, new_lines};
use crate::digest::Line;
use crate::text::statement;
use std::collections::BTreeSet;

/// Words of a quotation that must stand in a line as they are; a shorter one may be a name.
const QUOTED_WORDS: usize = 4;

/// Words before and after what two sentences share in which a negation still belongs to it.
const BEFORE: usize = 3;
const AFTER: usize = 1;

/// Negations that only deny what follows them.
const BINDS_FORWARD: &[&str] = &["without", "no", "ohne", "kein", "keine", "keinen"];

/// More bytes of new text are not compared, since every statement is held against every other; no
/// file may hold as much by its budget.
const LONG: usize = 32 * 1024;

/// How a change differs from the lines that it rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Contrary {
    /// It is too long to be compared with them.
    TooLong,
    /// It quotes what no cited line holds.
    Misquoted(String),
    /// It says the opposite of this line: one is negated, the other not.
    Denied(u32),
    /// It names another number, version, day or month than this line.
    Changed {
        /// The line.
        line: u32,
        /// What the change says.
        said: String,
        /// What the line says.
        heard: String,
    },
}

/// How a change differs from the lines that it cites; nothing when it does not, as far as this
/// can tell. What the edited entry says already is no difference.
#[must_use]
pub fn contrary(change: &Change, cited: &[&Line]) -> Option<Contrary> {
    let old = change.target.as_ref().map_or("", |t| t.text.as_str());
    let new = match change.op {
        Op::Archive | Op::Tombstone => change.reason.clone().unwrap_or_default(),
        Op::Add => change.text.clone(),
        Op::Edit => new_lines(old, &change.text),
    };
    if new.len() > LONG {
        return Some(Contrary::TooLong);
    }
    misquoted(&new, old, cited).or_else(|| {
        let is_statement = !change.op.takes_away();
        is_statement.then(|| turned(&new, old, cited)).flatten()
    })
}

fn misquoted(new: &str, old: &str, cited: &[&Line]) -> Option<Contrary> {
    let quotes = quotations(new);
    if quotes.is_empty() {
        return None;
    }
    let sources = cited.iter().map(|l| l.text.as_str()).chain([old]);
    let sources: Vec<String> = sources.map(verbatim).collect();
    let missing = quotes.into_iter().find(|quote| {
        let parts = quote.replace("[…]", "…").replace("...", "…");
        let parts: Vec<String> = parts.split('…').map(verbatim).collect();
        !sources
            .iter()
            .any(|source| parts.iter().all(|part| source.contains(part)))
    });
    missing.map(Contrary::Misquoted)
}

/// A text without what a quotation may leave out: markup, the case, runs of white space, the
/// punctuation at its ends.
fn verbatim(text: &str) -> String {
    let plain: String = text
        .chars()
        .filter(|c| !"*_`~\"“”„«»".contains(*c))
        .map(|c| if "’‘".contains(c) { '\'' } else { c })
        .flat_map(char::to_lowercase)
        .collect();
    let flat = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    flat.trim_matches(|c: char| ".,!?;: ".contains(c))
        .to_owned()
}

/// What stands between quotation marks, where it is long enough to be somebody's words.
fn quotations(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(open) = text[from..].find(['“', '„', '«', '"']) {
        let open = from + open;
        let mark = text[open..].chars().next().unwrap_or('"');
        let start = open + mark.len_utf8();
        let closing: &[char] = match mark {
            '“' => &['”'],
            '„' => &['“', '”'],
            '«' => &['»'],
            _ => &['"'],
        };
        from = start;
        if mark == '"' && text[start..].starts_with(char::is_whitespace) {
            continue;
        }
        let paragraph = text[start..].find("\n\n").map_or(text.len(), |p| start + p);
        if let Some(end) = text[start..paragraph].find(closing) {
            let quote = &text[start..start + end];
            let words = quote.split_whitespace();
            // `<name>` stands for something else.
            let is_word = |w: &&str| w.contains(char::is_alphabetic) && !w.contains(['<', '{']);
            if words.filter(is_word).count() >= QUOTED_WORDS {
                found.push(quote.to_owned());
            }
            from = start + end;
            from += text[from..].chars().next().map_or(1, char::len_utf8);
        }
    }
    found
}

/// One word of a sentence.
struct Word {
    stem: String,
    /// Which part of the sentence, between commas, it stands in.
    part: usize,
    denies: bool,
    /// It can deny what stands before it.
    trails: bool,
    fact: Option<String>,
}

impl Word {
    fn is_content(&self) -> bool {
        self.fact.is_some() || (!self.denies && is_substance(&self.stem))
    }

    fn key(&self) -> &str {
        self.fact.as_deref().unwrap_or(&self.stem)
    }
}

struct Sentence(Vec<Word>);

impl Sentence {
    fn new(text: &str) -> Self {
        let parts = text.split([',', '(', ')', '—', '–']).enumerate();
        let words = parts.flat_map(|(part, text)| {
            let words = spoken(text);
            // "No, …" answers somebody.
            let is_answer = words.len() == 1 && denies(&words[0]);
            words.into_iter().map(move |word| Word {
                stem: stem(&word),
                part,
                denies: !is_answer && denies(&word),
                trails: !BINDS_FORWARD.contains(&word.as_str()),
                fact: fact(&word),
            })
        });
        Self(words.collect())
    }

    fn facts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|w| w.fact.as_deref())
    }

    /// Whether what stands from `first` to `last`, or close by, is negated.
    fn is_denied(&self, first: usize, last: usize) -> bool {
        let near = |at: usize, word: &Word| {
            (first..=last).contains(&at)
                || (at < first && at + BEFORE >= first && word.part == self.0[first].part)
                || (at > last
                    && at <= last + AFTER
                    && word.trails
                    && word.part == self.0[last].part)
        };
        let words = self.0.iter().enumerate();
        words.filter(|(at, w)| w.denies && near(*at, w)).count() % 2 == 1
    }
}

/// The sentences of a text, roughly.
fn sentences(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    for line in text.split(['\n', ';']) {
        let mut from = 0;
        for (at, mark) in line.match_indices(['.', '!', '?', ':']) {
            let end = at + mark.len();
            let rest = &line[end..];
            let rest = rest.trim_start_matches(['"', '”', '*', '_', '`', ')']);
            if rest.starts_with(char::is_whitespace) {
                out.push(&line[from..end]);
                from = end;
            }
        }
        out.push(&line[from..]);
    }
    out.retain(|s| !s.trim().is_empty());
    out
}

fn turned(new: &str, old: &str, cited: &[&Line]) -> Option<Contrary> {
    let standing: BTreeSet<String> = sentences(old).into_iter().map(statement).collect();
    let heard: Vec<(Option<u32>, Sentence)> = cited
        .iter()
        .map(|l| (Some(l.n), l.text.as_str()))
        .chain([(None, old)])
        .flat_map(|(n, text)| sentences(text).into_iter().map(move |s| (n, s)))
        .map(|(n, text)| (n, Sentence::new(text)))
        .collect();
    let known: BTreeSet<&str> = heard.iter().flat_map(|(_, s)| s.facts()).collect();
    sentences(new)
        .into_iter()
        .filter(|s| !standing.contains(&statement(s)))
        .find_map(|s| differs(&Sentence::new(s), &heard, &known))
}

/// How a sentence differs from every one that speaks of the same.
fn differs(
    said: &Sentence,
    heard: &[(Option<u32>, Sentence)],
    known: &BTreeSet<&str>,
) -> Option<Contrary> {
    let mut first = None;
    for (n, other) in heard {
        let Some(shared) = Shared::of(said, other) else {
            continue;
        };
        let denied = shared.is_turned(said, other);
        let changed = shared.changed(said, other, known);
        let found = match (denied, changed, *n) {
            // Somebody says it as it is.
            (false, None, _) => return None,
            (_, Some((said, heard)), Some(line)) => Contrary::Changed { line, said, heard },
            (_, None, Some(line)) => Contrary::Denied(line),
            (.., None) => continue,
        };
        first = first.or(Some(found));
    }
    first
}

/// Where two sentences speak of the same: the first and last shared word of each.
struct Shared {
    said: (usize, usize),
    heard: (usize, usize),
}

impl Shared {
    /// Where `other` holds most of the words of `said`, close together.
    fn of(said: &Sentence, other: &Sentence) -> Option<Self> {
        let content = said.0.iter().filter(|w| w.is_content());
        let content: BTreeSet<&str> = content.map(Word::key).collect();
        let hits: Vec<(usize, &str)> = (0..)
            .zip(&other.0)
            .filter(|(_, w)| w.is_content() && content.contains(w.key()))
            .map(|(at, w)| (at, w.key()))
            .collect();
        let all: BTreeSet<&str> = hits.iter().map(|(_, key)| *key).collect();
        // A fact that differs is what is looked for: it is no word that both must hold.
        let facts: BTreeSet<&str> = said.facts().collect();
        let plain = content
            .iter()
            .filter(|key| all.contains(*key) || !facts.contains(*key))
            .count();
        let is_most = |shared: usize| shared >= 2 && shared * 10 >= plain * 7;
        if said.0.len() < 3 || !is_most(all.len()) {
            return None;
        }
        let width = said.0.len() + said.0.len() / 2 + 3;
        let (count, first, last) = (0..hits.len())
            .map(|from| {
                let first = hits[from].0;
                let near = hits[from..]
                    .iter()
                    .take_while(|(at, _)| *at < first + width);
                let near: Vec<_> = near.collect();
                let keys: BTreeSet<&str> = near.iter().map(|(_, key)| *key).collect();
                (keys.len(), first, near.last().map_or(first, |(at, _)| *at))
            })
            .max_by_key(|(count, first, last)| (*count, usize::MAX - (last - first)))?;
        let heard = other.0[first..=last].iter().filter(|w| w.is_content());
        let heard: BTreeSet<&str> = heard.map(Word::key).collect();
        if !is_most(count) || count * 10 < heard.len() * 6 {
            return None;
        }
        let shared = |w: &Word| w.is_content() && all.contains(w.key());
        Some(Self {
            said: (
                said.0.iter().position(shared)?,
                said.0.iter().rposition(shared)?,
            ),
            heard: (first, last),
        })
    }

    fn is_turned(&self, said: &Sentence, other: &Sentence) -> bool {
        said.is_denied(self.said.0, self.said.1) != other.is_denied(self.heard.0, self.heard.1)
    }

    /// A fact of the one that no source holds, where the other has one that it lacks.
    fn changed(
        &self,
        said: &Sentence,
        other: &Sentence,
        known: &BTreeSet<&str>,
    ) -> Option<(String, String)> {
        let own: BTreeSet<&str> = said.facts().collect();
        let new = own.iter().find(|f| !known.contains(*f))?;
        let heard = other
            .facts()
            .find(|f| !own.contains(f) && is_alike(f, new))?;
        Some(((*new).to_owned(), heard.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::MemoryFile;
    use crate::proposal::{Origin, Target};
    use crate::text::TextHash;

    fn change(old: Option<&str>, text: &str) -> Change {
        Change {
            n: 1,
            op: old.map_or(Op::Add, |_| Op::Edit),
            file: MemoryFile::State,
            section: String::new(),
            target: old.map(|old| Target {
                entry: None,
                text: old.to_owned(),
                hash: TextHash::of(old),
                ordinal: 0,
            }),
            text: text.to_owned(),
            reason: None,
            evidence: vec![1],
            origin: Origin::User,
            earlier: None,
            also: Vec::new(),
            verdicts: Vec::new(),
        }
    }

    fn said(change: &Change, heard: &str) -> &'static str {
        let line: Line = serde_json::from_value(serde_json::json!({
            "n": 1, "role": "user", "text": heard, "source": "/s", "offset": 1, "session": "s",
        }))
        .unwrap();
        match contrary(change, &[&line]) {
            None | Some(Contrary::TooLong) => "",
            Some(Contrary::Misquoted(_)) => "misquoted",
            Some(Contrary::Denied(_)) => "denied",
            Some(Contrary::Changed { .. }) => "changed",
        }
    }

    #[test]
    fn a_change_is_held_against_the_line_it_cites() {
        let push = "Please never push to the main branch without review.";
        #[rustfmt::skip]
        let cases: &[(&str, &str, &str)] = &[
            // A negation lost, added, or its opposite.
            (push, "- Please push to the main branch without review.", "denied"),
            (push, "- Always push to the main branch without review.", "denied"),
            (push, "- Never push to main without a review.", ""),
            (push, "- Do not push to the main branch without review.", ""),
            (push, "- Pushes to the main branch need a review.", ""),
            ("Fix the login. Don’t run the migrations twice, ever.", "- Run the migrations twice.", "denied"),
            ("We can't deploy on Fridays", "- We deploy on Fridays.", "denied"),
            ("deploy on fridays, that is fine", "- Never deploy on Fridays.", "denied"),
            ("Wir deployen freitags nicht", "- Wir deployen freitags.", "denied"),
            ("the admin page is enabled in staging", "- The admin page is disabled in staging.", "denied"),
            ("No, run the unit tests first", "- Run the unit tests first.", ""),
            ("Don't touch the config, run the unit tests first", "- Run the unit tests first.", ""),
            ("use pnpm instead of npm here", "- Use pnpm, not npm, here.", ""),
            ("Never deploy on Fridays. On Mondays we deploy twice.", "- Never deploy on Fridays.", ""),
            // Another number, version, day or month.
            ("Production releases happen every Tuesday morning", "- Production releases happen every Friday evening.", "changed"),
            ("The API listens on port 8443", "- The API listens on port 9443.", "changed"),
            ("We build with rust 1.94.2 here", "- We build with Rust 1.95.0 here.", "changed"),
            ("two reviewers must approve each release", "- Three reviewers must approve each release.", "changed"),
            ("the audit is in October", "- The audit starts in November.", ""),
            ("the yearly audit happens in October", "- The yearly audit happens in November.", "changed"),
            ("The API listens on port 8443", "- The API listens on port 8443 (since 2026-01-02).", ""),
            ("two reviewers must approve each release", "- 2 reviewers must approve each release.", ""),
            ("the API listens on port 8443, metrics on 9443", "- Metrics on port 9443.", ""),
            ("releases on tuesdays and fridays", "- Releases on Friday.", ""),
            ("we release on mondays", "- We release on Monday.", ""),
            // Quotations.
            (push, "The user: “Please push to the main branch without review.”", "misquoted"),
            (push, "The user: \"please always push to main\"", "misquoted"),
            (push, "The user: “please never  push to the *main* branch without review”", ""),
            (push, "The user: “Please never push … without review.”", ""),
            (push, "Known as “the main rule”.", ""),
            ("don't use `make all` on this machine", "„Don’t use make all on this machine“, said the user.", ""),
        ];
        for (heard, text, expected) in cases {
            assert_eq!(
                said(&change(None, text), heard),
                *expected,
                "{heard:?} {text:?}"
            );
        }
    }

    #[test]
    fn what_the_edited_entry_says_already_is_no_difference() {
        let old = "- Never deploy on Fridays, port 8443.";
        let heard = "deploy on fridays: ask Kim first, port 9443 is taken";
        let edit = change(
            Some(old),
            "- Never deploy on Fridays, port 8443. Ask Kim first.",
        );
        assert_eq!(said(&edit, heard), "");
        let turned = change(
            Some("- We deploy on Mondays."),
            "- Never deploy on Fridays.",
        );
        assert_eq!(said(&turned, "we deploy on Fridays"), "denied");
    }

    #[test]
    fn unclosed_and_nested_marks_end() {
        let text = "a “b c d e f\n\n\" “ „ « \"g h i j\" k";
        assert_eq!(quotations(text), ["g h i j"]);
    }
}
