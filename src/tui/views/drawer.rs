//! The review's drawer: what the selected change rests on, what the guardrails say, what of each
//! source was read, what was hidden.

use super::stream::hanging;
use super::words;
use crate::digest::{self, Counts};
use crate::proposal::{Change, Kind, Level};
use crate::redact::first_whole;
use crate::review::Item;
use crate::text::count;
use crate::tui::app::{App, Drawer};
use crate::tui::page::{Block, Key, Page};
use crate::tui::rows::Line;
use crate::tui::theme::Role;

/// The rows of the open page.
#[must_use]
pub fn page(app: &App) -> Page {
    let Some(item) = app.item() else {
        return Page::default();
    };
    let current = app.review.current.as_ref();
    let change = current.and_then(|c| item.change(c.n));
    let texts = match app.look.page {
        Drawer::Evidence => change.map_or(Vec::new(), |c| evidence(item, c)),
        Drawer::Checks => change.map_or(Vec::new(), |c| checks(item, c)),
        Drawer::Source => source(item),
        Drawer::Redactions => crate::tui::shelf::redactions(app),
    };
    let width = crate::tui::shelf::drawer_width(app);
    let blocks = texts.into_iter().enumerate().map(|(n, (role, text))| {
        // Below the number of a digest line, and beyond it.
        let rows: Vec<Line> = hanging(app, role, &text, width, 5);
        Block::of(Some(Key::Row(n)), rows)
    });
    Page::new(blocks.collect())
}

/// Rows with their roles; foreign text in them is not escaped yet.
type Texts = Vec<(Role, String)>;

/// The lines that a change rests on, the cited ones first.
#[must_use]
pub fn lines<'i>(item: &'i Item, change: &Change) -> Vec<&'i digest::Line> {
    let cited = change.evidence.iter().chain(&change.also);
    cited
        .filter_map(|n| item.proposal.lines.iter().find(|l| l.n == *n))
        .collect()
}

fn evidence(item: &Item, change: &Change) -> Texts {
    let mut texts: Texts = lines(item, change)
        .into_iter()
        .map(|line| {
            let also = if change.evidence.contains(&line.n) {
                ""
            } else {
                "also said: "
            };
            let left = if line.abandoned {
                " (on a branch that was left)"
            } else {
                ""
            };
            let session = first_whole(&line.session, 8).0;
            let said = super::stream::quoted(line);
            (
                Role::Plain,
                format!("{:>3}  {also}{said}  [{session}]{left}", line.n),
            )
        })
        .collect();
    let origin = words::origin(change.origin);
    let sum = match (texts.is_empty(), item.proposal.kind) {
        (true, Kind::ChangedOnDisk) => format!("origin {origin}: by whom is not known"),
        (true, _) => format!("origin {origin}; no line supports it"),
        (false, _) => format!("origin {origin}; Enter opens the transcript at a line"),
    };
    texts.push((Role::Dim, sum));
    texts
}

fn checks(item: &Item, change: &Change) -> Texts {
    let mut texts: Texts = Vec::new();
    let all = item.judged.changes.get(&change.n).into_iter().flatten();
    texts.extend(all.filter(|v| v.level > Level::Pass).map(words::verdict));
    if let Some(verdicts) = item.judged.files.get(&change.file) {
        texts.extend(
            verdicts
                .iter()
                .filter(|v| v.level > Level::Pass)
                .map(words::verdict),
        );
    }
    if texts.is_empty() {
        texts.push((Role::Dim, "every guardrail passes".to_owned()));
    }
    texts
}

fn source(item: &Item) -> Texts {
    let p = &item.proposal;
    let mut texts: Texts = p
        .coverage
        .iter()
        .map(|c| (Role::Plain, covered(c)))
        .collect();
    if p.kind.is_by_curator() {
        let tokens = |n: Option<u64>| {
            n.map_or("?".to_owned(), |n| {
                words::number(usize::try_from(n).unwrap_or(usize::MAX))
            })
        };
        let usage = &p.usage;
        texts.push((
            Role::Dim,
            format!(
                "curator {}: {}, {} characters, {} tokens in, {} out",
                curator(usage),
                count(usage.calls as usize, "call", "calls"),
                words::number(usize::try_from(usage.prompt_chars).unwrap_or(usize::MAX)),
                tokens(usage.input_tokens),
                tokens(usage.output_tokens)
            ),
        ));
    }
    if texts.is_empty() {
        texts.push((Role::Dim, "no session was read for this".to_owned()));
    }
    texts
}

/// The curator, its model and its cost.
#[must_use]
pub fn curator(usage: &crate::curator::Usage) -> String {
    let model = usage.model.as_deref().unwrap_or(&usage.backend);
    match usage.cost_usd {
        Some(cost) => format!("{model} ${cost:.4}"),
        None => model.to_owned(),
    }
}

/// What became of one source.
fn covered(c: &digest::Coverage) -> String {
    let mut parts = vec![format!(
        "{} of {} turns used",
        c.used.total(),
        c.found.total()
    )];
    let mut more = |n: u32, what: &str| {
        if n > 0 {
            parts.push(format!("{n} {what}"));
        }
    };
    more(c.shortened, "shortened");
    more(c.seen, "already distilled");
    if c.shed.total() > 0 {
        parts.push(format!(
            "{} left out for space ({})",
            c.shed.total(),
            by_role(&c.shed)
        ));
    }
    for (reason, n) in &c.skipped {
        parts.push(format!("{n} skipped: {reason}"));
    }
    for (reason, n) in &c.unreadable {
        parts.push(format!("{n} unreadable: {reason}"));
    }
    format!(
        "{}  bytes {} to {}: {}",
        c.source,
        c.start,
        c.end,
        parts.join(", ")
    )
}

fn by_role(counts: &Counts) -> String {
    let all = counts.by_role();
    let some = all.iter().filter(|(_, n)| *n > 0);
    let parts: Vec<String> = some
        .map(|(role, n)| format!("{n} {}", words::speaker(*role)))
        .collect();
    parts.join(", ")
}
