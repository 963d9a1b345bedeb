//! Contract 1: whole bodies compared with memory entry by entry, as changes.
//!
//! The curator saw only sealed entries, so only those can have left; what else stands on disk is
//! not its to drop.

use super::drafts::{Draft, added, own_reason};
use super::shape::{self, Piece};
use super::{COPY_DIFFERS, Dropped, KnownEntry, LEFT_OUT, Op};
use crate::curator::BodiesReply;
use crate::memory::{Document, Entry, Memory, MemoryFile, scaffold, title};
use crate::text::{shared_words, statement, words};
use std::collections::BTreeSet;

/// How alike two texts are that count as one entry, rewritten.
const ALIKE: f64 = 0.55;

/// Entries of one body that are compared pair by pair; more are only matched by heading or text.
const MAX_PAIRS: usize = 250_000;

/// The changes that turn the sealed entries of memory into these bodies.
pub(super) fn drafts(
    reply: &BodiesReply,
    memory: &Memory,
    entries: &[KnownEntry],
    dropped: &mut Vec<Dropped>,
) -> Vec<Draft> {
    let bodies = [
        (MemoryFile::State, &reply.state_body),
        (MemoryFile::Decisions, &reply.decisions_body),
        (MemoryFile::Todo, &reply.todo_body),
    ];
    let mut all = Vec::new();
    for (file, body) in bodies {
        let Some(body) = body.as_deref().and_then(|b| unwrapped(file, b)) else {
            continue;
        };
        let old: Vec<&KnownEntry> = entries
            .iter()
            .filter(|e| e.file == file && e.sealed && e.standing(memory).is_some())
            .collect();
        let copies: Vec<&str> = reply
            .archive_entries
            .iter()
            .filter(|a| a.source.trim_end_matches(".md") == file.name().trim_end_matches(".md"))
            .map(|a| a.content.as_str())
            .collect();
        all.extend(compare(
            memory.doc(file),
            &old,
            &Document::parse(file, &body),
            &copies,
        ));
    }
    mistakes(&reply.mistakes_new_entries, memory, dropped, &mut all);
    unused_copies(reply, &all, dropped);
    all
}

/// Each new entry of mistakes.md, but those whose heading stands there already.
fn mistakes(texts: &[String], memory: &Memory, dropped: &mut Vec<Dropped>, all: &mut Vec<Draft>) {
    let doc = memory.doc(MemoryFile::Mistakes);
    let mut headings: BTreeSet<String> = doc.entries().iter().map(|e| heading(&e.text)).collect();
    for text in texts {
        let pieces: Vec<Piece> = one_by_one(text)
            .iter()
            .flat_map(|text| shape::pieces(doc, None, text))
            .collect();
        if pieces.is_empty() {
            dropped.push(Dropped {
                what: "mistakes.md".to_owned(),
                why: "an empty entry".to_owned(),
            });
        }
        for piece in pieces {
            if headings.insert(heading(&piece.text)) {
                all.push(uncited(added(MemoryFile::Mistakes, piece, &[])));
            } else {
                dropped.push(Dropped {
                    what: title(&piece.text),
                    why: "its heading stands in mistakes.md already".to_owned(),
                });
            }
        }
    }
}

/// What two entries of mistakes.md have in common when they are one.
fn heading(text: &str) -> String {
    let title = title(text);
    let said = statement(&title);
    if said.is_empty() { title } else { said }
}

/// The entries of a text that holds several, each under its own heading.
fn one_by_one(text: &str) -> Vec<String> {
    let read = Document::parse(
        MemoryFile::Mistakes,
        &format!("# x\n\n{}", shape::clean(text)),
    );
    let entries = read.entries();
    let all_headed = entries
        .iter()
        .all(|e| e.text.starts_with("### ") && e.section.is_empty());
    if entries.len() > 1 && all_headed {
        entries.iter().map(|e| e.text.clone()).collect()
    } else {
        vec![text.to_owned()]
    }
}

/// Copies for the archive of what leaves no file: memd itself archives, word for word, what leaves.
fn unused_copies(reply: &BodiesReply, all: &[Draft], dropped: &mut Vec<Dropped>) {
    let left: Vec<String> = all
        .iter()
        .filter_map(|d| d.target.as_ref())
        .map(|t| shape::clean(&t.text))
        .collect();
    for copy in &reply.archive_entries {
        let text = shape::clean(&copy.content);
        let of_what_left = |gone: &String| {
            let gone = gone.as_str();
            text.contains(gone) || gone.contains(&text) || shared_words(gone, &text) >= 0.7
        };
        if !text.is_empty() && !left.iter().any(of_what_left) {
            dropped.push(Dropped {
                what: title(&text),
                why: format!(
                    "a copy for the archive, but it leaves no file ({})",
                    copy.source
                ),
            });
        }
    }
}

/// A body without fence and frontmatter; `None` when it is empty or the placeholder.
fn unwrapped(file: MemoryFile, body: &str) -> Option<String> {
    let mut text = shape::clean(body);
    if let Some((first, rest)) = text.split_once('\n')
        && first
            .strip_prefix("```")
            .is_some_and(|info| info.chars().all(char::is_alphanumeric))
        && let Some(inner) = rest.strip_suffix("```")
    {
        text = inner.trim_end().to_owned();
    }
    let text = Document::parse(file, &text).body().trim().to_owned();
    let bare = text.trim_matches(['_', '*']);
    let is_placeholder = bare == scaffold::placeholder(file).trim_matches('_');
    let is_empty = Document::parse(file, &text).entries().is_empty();
    (!is_placeholder && !is_empty).then_some(text)
}

fn uncited(draft: Draft) -> Draft {
    Draft {
        evidence: None,
        ..draft
    }
}

/// A text with what it is compared by.
struct Keyed<'a, T> {
    item: &'a T,
    clean: String,
    /// The heading's statement, of a text with a heading.
    heading: Option<String>,
    words: BTreeSet<String>,
}

impl<'a, T> Keyed<'a, T> {
    fn new(item: &'a T, text: &str) -> Self {
        Self {
            item,
            clean: shape::clean(text),
            heading: text.starts_with('#').then(|| statement(&title(text))),
            words: words(text).into_iter().collect(),
        }
    }

    /// How alike two texts are, from 0 to 1; a text without words is like none.
    fn alike<U>(&self, other: &Keyed<U>) -> f64 {
        if self.words.is_empty() || other.words.is_empty() {
            return 0.0;
        }
        let shared = self.words.intersection(&other.words).count() as f64;
        f64::midpoint(
            shared / self.words.len() as f64,
            shared / other.words.len() as f64,
        )
    }
}

type Old<'a> = Keyed<'a, KnownEntry>;
type New<'a> = Keyed<'a, Entry>;

/// Equal texts stay; then equal headings, then the best matches are edits; the rest left or came.
fn compare(doc: &Document, old: &[&KnownEntry], new: &Document, copies: &[&str]) -> Vec<Draft> {
    let mut left: Vec<Old> = old.iter().map(|o| Keyed::new(*o, &o.text)).collect();
    let mut came: Vec<New> = new
        .entries()
        .iter()
        .map(|n| Keyed::new(n, &n.text))
        .collect();
    take_pairs(&mut left, &mut came, |o, n| o.clean == n.clean);
    let mut pairs = take_pairs(&mut left, &mut came, |o, n| {
        o.heading.is_some() && o.heading == n.heading
    });
    pairs.extend(best_pairs(&mut left, &mut came));
    let edits = pairs.into_iter().map(|(o, n)| {
        let piece = Piece {
            section: o.item.section.clone(),
            text: n.clean,
        };
        Draft {
            op: Op::Edit,
            target: Some(o.item.target()),
            ..uncited(added(o.item.file, piece, &[]))
        }
    });
    let gone = left.iter().map(|o| gone(o.item, copies));
    let added = came.iter().flat_map(|n| {
        let name = (!n.item.section.is_empty()).then_some(n.item.section.as_str());
        let pieces = shape::pieces(doc, name, &n.item.text);
        pieces
            .into_iter()
            .map(|p| uncited(added(n.item.file, p, &[])))
    });
    edits.chain(gone).chain(added).collect()
}

fn take_pairs<'o, 'n>(
    left: &mut Vec<Old<'o>>,
    came: &mut Vec<New<'n>>,
    is_pair: impl Fn(&Old, &New) -> bool,
) -> Vec<(Old<'o>, New<'n>)> {
    let mut pairs = Vec::new();
    for o in std::mem::take(left) {
        match came.iter().position(|n| is_pair(&o, n)) {
            Some(at) => pairs.push((o, came.remove(at))),
            None => left.push(o),
        }
    }
    pairs
}

fn best_pairs<'o, 'n>(left: &mut Vec<Old<'o>>, came: &mut Vec<New<'n>>) -> Vec<(Old<'o>, New<'n>)> {
    if left.len() * came.len() > MAX_PAIRS {
        return Vec::new();
    }
    let mut scored = Vec::new();
    for (i, o) in left.iter().enumerate() {
        for (j, n) in came.iter().enumerate() {
            let score = o.alike(n);
            if score >= ALIKE {
                scored.push((score, i, j));
            }
        }
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut olds: Vec<Option<Old>> = left.drain(..).map(Some).collect();
    let mut news: Vec<Option<New>> = came.drain(..).map(Some).collect();
    let mut pairs = Vec::new();
    for (_, i, j) in scored {
        if olds[i].is_some() && news[j].is_some() {
            pairs.extend(olds[i].take().zip(news[j].take()));
        }
    }
    left.extend(olds.into_iter().flatten());
    came.extend(news.into_iter().flatten());
    pairs
}

/// An entry that the body no longer has; the reason says whether the reply kept it verbatim.
fn gone(old: &KnownEntry, copies: &[&str]) -> Draft {
    let text = shape::clean(&old.text);
    let has = |copy: &&str| {
        let copy = format!("\n{}\n", shape::clean(copy));
        copy.contains(&format!("\n{text}\n"))
    };
    let reason = if copies.iter().any(has) {
        own_reason("archived by the reply")
    } else if copies.iter().any(|copy| shared_words(&text, copy) >= 0.7) {
        COPY_DIFFERS.to_owned()
    } else {
        LEFT_OUT.to_owned()
    };
    Draft {
        op: Op::Archive,
        file: old.file,
        section: old.section.clone(),
        target: Some(old.target()),
        text: String::new(),
        reason: Some(reason),
        evidence: None,
    }
}
