//! What is printed of a proposal: its header, each change with all that speaks for and against it,
//! and the apply sheet. Shared by the review and `memd show`.

use super::screen::{Screen, Style};
use crate::digest::Line;
use crate::id::ProposalId;
use crate::proposal::{Back, Change, Kind, Level, Op, Origin, Proposal, Usage, Verdict};
use crate::redact::first_whole;
use crate::review::diff::{self, Diff};
use crate::review::{Ask, Item, Sheet, SheetFile, Standing, said};
use crate::source::Role;
use crate::text::{age, count, hidden, on_one_row};
use jiff::Timestamp;
use std::io;

/// Characters of an evidence line that the review shows.
pub(crate) const QUOTE: usize = 600;

/// Characters of a line that says the same without being cited.
const ALSO: usize = 100;

/// Who, when, at what cost, and how it fared.
pub(crate) fn header(screen: &mut Screen<'_>, item: &Item, now: Timestamp) -> io::Result<()> {
    let p = &item.proposal;
    let line = format!(
        "{}  {} ago  {}  {}",
        item.project,
        age(p.created, now),
        p.trigger,
        curator(&p.usage)
    );
    screen.line(Style::Strong, line.trim_end())?;
    screen.say(&format!(
        "  proposal {}  {}  redacted {}  invisible {}",
        p.id,
        checks(item),
        p.hits.len(),
        hidden_places(p)
    ))?;
    if let (Kind::Unreviewed, Some(Back::Apply(of))) = (p.kind, &p.back) {
        screen.say(&format!(
            "  applied unattended ({of}), not reviewed: {}",
            said::unattended(p)
        ))?;
    }
    if !p.summary.is_empty() && p.kind.is_by_curator() {
        screen.say(&format!("  curator: {}", p.summary))?;
    }
    if p.kind != Kind::Unreviewed && (p.back.is_some() || p.kind == Kind::Own) {
        screen.say(&format!("  {}", p.summary))?;
    }
    for gone in &p.dropped {
        screen.say(&format!("  left out: {} ({})", gone.what, gone.why))?;
    }
    Ok(())
}

/// What can be done with what was changed on disk, while it waits.
pub(crate) fn on_disk(screen: &mut Screen<'_>, item: &Item) -> io::Result<()> {
    if item.proposal.kind == Kind::ChangedOnDisk {
        screen.say(
            "  what stands on disk and no review let in; agents are given none of it as it stands",
        )?;
        screen.say("  w, then y, adopts what was read and nothing flags")?;
    }
    Ok(())
}

/// The curator, its model and its cost.
pub(crate) fn curator(usage: &Usage) -> String {
    let model = usage
        .model
        .as_ref()
        .map_or(String::new(), |m| format!(" {m}"));
    let cost = usage
        .cost_usd
        .map_or(String::new(), |c| format!("  ${c:.4}"));
    format!("{}{model}{cost}", usage.backend)
}

fn checks(item: &Item) -> String {
    let at = |level: Level| {
        item.order
            .iter()
            .filter(|&&n| item.level(n) == level)
            .count()
    };
    format!(
        "{} pass  {} warn  {} FAIL",
        at(Level::Pass),
        at(Level::Warn),
        at(Level::Block)
    )
}

/// Hidden places in what is proposed.
pub(crate) fn hidden_places(proposal: &Proposal) -> usize {
    let texts = proposal.changes.iter().map(|c| hidden(&c.text).len());
    texts.sum()
}

/// One change: what it does, verdicts, text, evidence.
pub(crate) fn change(
    screen: &mut Screen<'_>,
    item: &Item,
    n: u32,
    quoted: usize,
) -> io::Result<()> {
    let Some(change) = item.change(n) else {
        return Ok(());
    };
    let at = item.order.iter().position(|&o| o == n).unwrap_or(0) + 1;
    screen.say("")?;
    screen.line(
        Style::Strong,
        &format!(
            "change {at} of {}  {}{}",
            item.order.len(),
            place(change),
            stale(item, n)
        ),
    )?;
    let mark = said::mark(item.decision(n));
    let what = said::does(change.op, item.proposal.kind);
    screen.say(&format!("  {mark} {what}: {}", item.title(n)))?;
    for verdict in item.flags(n) {
        flag(screen, "  ", verdict)?;
    }
    if let Some(standing @ (Standing::Gone | Standing::AlreadyThere)) = item.standing(n) {
        let told = said::standing(change, item.proposal.kind, standing);
        screen.say(&format!("  {told}"))?;
    }
    body(screen, item, change)?;
    if let Some(reason) = &change.reason {
        screen.say(&format!("    why: {reason}"))?;
    }
    if item.is_lapsed(n) && !change.leaves() {
        screen.say("    lapsed: no agent is given it any more; accepted, it is given again")?;
    }
    if item.proposal.kind.is_on_disk() {
        let is_blocked = item.block(n).is_some();
        let choice = said::choice(change, item.proposal.kind, is_blocked);
        screen.say(&format!("    {choice}"))?;
    }
    evidence(screen, &item.proposal, change, quoted)
}

fn place(change: &Change) -> String {
    match change.section.as_str() {
        "" => change.file.name().to_owned(),
        section => format!("{} › {section}", change.file.name()),
    }
}

fn stale(item: &Item, n: u32) -> &'static str {
    match item.standing(n) {
        Some(Standing::Changed { .. }) => "  STALE: the entry has another text now",
        Some(Standing::Gone) => "  STALE: the entry is gone",
        Some(Standing::AlreadyThere) => "  STALE: this stands there already",
        None => "",
    }
}

/// One verdict: `! warn` or `x FAIL`.
pub(crate) fn flag(screen: &mut Screen<'_>, indent: &str, verdict: &Verdict) -> io::Result<()> {
    let (style, mark) = match verdict.level {
        Level::Pass => (Style::Plain, "  pass"),
        Level::Warn => (Style::Strong, "! warn"),
        Level::Block => (Style::Bad, "x FAIL"),
    };
    let text = format!("{indent}{mark} {}: {}", verdict.guard, verdict.reason);
    screen.line(style, &text)
}

fn body(screen: &mut Screen<'_>, item: &Item, change: &Change) -> io::Result<()> {
    let base = change.target.as_ref().map_or("", |t| t.text.as_str());
    let proposed = item.text(change.n);
    match item.standing(change.n) {
        Some(Standing::Changed { now }) => {
            screen.say("    when it was proposed, against what it was made for:")?;
            rows(screen, &diff::compare(base, proposed))?;
            screen.say("    now, against what is proposed:")?;
            rows(screen, &diff::compare(now, proposed))
        }
        Some(Standing::Gone) if change.op == Op::Edit && !item.proposal.kind.is_on_disk() => {
            screen.say("    when it was proposed, this stood here:")?;
            screen.block("    | ", base)?;
            rows(screen, &diff::compare("", proposed))
        }
        _ => rows(screen, &diff::compare(base, proposed)),
    }
}

fn rows(screen: &mut Screen<'_>, diff: &Diff) -> io::Result<()> {
    for row in diff.rows() {
        screen.row("    ", &row)?;
    }
    if diff.cut_short {
        screen.say("    (the comparison was cut short: shown as a whole replacement)")?;
    }
    Ok(())
}

fn evidence(
    screen: &mut Screen<'_>,
    proposal: &Proposal,
    change: &Change,
    quoted: usize,
) -> io::Result<()> {
    let cited: Vec<&Line> = change
        .evidence
        .iter()
        .filter_map(|n| proposal.lines.iter().find(|l| l.n == *n))
        .collect();
    let lines = match proposal.kind {
        kind if !kind.is_by_curator() => String::new(),
        _ => format!(
            ", {}",
            count(cited.len(), "evidence line", "evidence lines")
        ),
    };
    let who = match (change.origin, proposal.kind.is_on_disk()) {
        (Origin::HumanEdit, false) => "a person",
        (said_by, _) => origin(said_by),
    };
    screen.say(&format!("    origin {who}{lines}"))?;
    for line in &cited {
        quote(screen, line, quoted)?;
    }
    for line in proposal.lines.iter().filter(|l| change.also.contains(&l.n)) {
        let text = on_one_row(line.text.as_str());
        let (start, whole) = first_whole(&text, ALSO);
        let cut = if whole { "" } else { "…" };
        screen.say(&format!(
            "    also said by: {}, line {}: {start}{cut}",
            role(line.role),
            line.n
        ))?;
    }
    for hit in &proposal.hits {
        let here = |l: &&Line| hit.place.as_ref() == Some(&l.place);
        if let Some(line) = cited.iter().copied().find(here) {
            let text = format!(
                "      redacted in line {}: {} ({} bytes)",
                line.n, hit.rule, hit.length
            );
            screen.say(&text)?;
        }
    }
    Ok(())
}

fn quote(screen: &mut Screen<'_>, line: &Line, quoted: usize) -> io::Result<()> {
    let at = line
        .at
        .map_or(String::new(), |t| format!("{} ", t.strftime("%d %b %H:%M")));
    let (text, whole) = first_whole(line.text.as_str().trim(), quoted);
    let abandoned = if line.abandoned {
        ", on a branch that was left"
    } else {
        ""
    };
    screen.say(&format!(
        "    \" line {}  {at}{}  session {}{abandoned}",
        line.n,
        role(line.role),
        first_whole(&line.session, 8).0
    ))?;
    screen.block("    \"   ", text)?;
    if whole {
        Ok(())
    } else {
        screen.say("    \"   … (cut for the review; memd show prints all of it)")
    }
}

fn role(role: Role) -> &'static str {
    match role {
        Role::User => "user",
        Role::Assistant => "agent",
        Role::ToolCall => "tool call",
        Role::ToolResult => "tool result",
        Role::Error => "error",
        Role::Note => "note",
    }
}

/// Who said it.
pub(crate) fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::HumanEdit => "changed on disk (by whom is not known)",
        Origin::User => "user",
        Origin::Inbox => "inbox note",
        Origin::Import => "import",
        Origin::Assistant => "agent",
        Origin::Tool => "tool output",
    }
}

/// What there is to say of a proposal that proposes nothing.
pub(crate) fn nothing(item: &Item) -> String {
    let turns = item.proposal.turns();
    format!(
        "the curator proposes nothing from {}",
        count(turns, "turn", "turns")
    )
}

/// Where a proposal stands once its last change was passed.
pub(crate) fn end(screen: &mut Screen<'_>, item: &Item) -> io::Result<()> {
    screen.say("")?;
    if item.order.is_empty() {
        let keys = "D lets the material go, B gives it back with a note";
        return screen.line(Style::Strong, &format!("{}; {keys}", nothing(item)));
    }
    let open = item.undecided();
    let (chosen, all) = (item.chosen().len(), item.order.len());
    let rejected = all - chosen - open.len();
    screen.line(
        Style::Strong,
        &format!(
            "{}: {chosen} accepted, {rejected} rejected, {} undecided; w shows what applying writes",
            count(all, "change", "changes"),
            open.len()
        ),
    )?;
    for &n in &item.order {
        let text = format!("  {} {}", said::mark(item.decision(n)), item.title(n));
        screen.say(&text)?;
    }
    Ok(())
}

/// A question other than the sheet.
pub(crate) fn question(screen: &mut Screen<'_>, ask: &Ask, item: Option<&Item>) -> io::Result<()> {
    match ask {
        Ask::AcceptAll {
            titles,
            passed_over,
            ..
        } => {
            let what = count(titles.len(), "change", "changes");
            screen.say("")?;
            let asked = format!("accept {what}, as shown above?");
            screen.line(Style::Strong, &asked)?;
            for title in titles {
                screen.say(&format!("  {title}"))?;
            }
            for (title, why) in passed_over {
                screen.say(&format!("  passed over: {title} ({why})"))?;
            }
            Ok(())
        }
        Ask::RejectAll {
            numbers, decided, ..
        } => {
            let what = count(numbers.len(), "change", "changes");
            let asked = format!("reject {what}? {decided} of them are accepted so far");
            screen.line(Style::Strong, &asked)?;
            screen.say(&format!("  {}", said::rejecting_all(item)))
        }
        Ask::Discard(id) => {
            let asked = format!("discard proposal {id}? nothing of it is kept");
            screen.line(Style::Strong, &asked)?;
            screen.say(&format!("  {}", said::discarding(item)))
        }
        Ask::Return(id, note) => {
            let what =
                format!("give proposal {id} back? its material is read again, with this note:");
            screen.line(Style::Strong, &what)?;
            screen.say(&format!("  {note}"))
        }
        Ask::Apply {
            proposal, sheet, ..
        } => self::sheet(screen, proposal, sheet),
    }
}

/// The apply sheet.
pub(crate) fn sheet(screen: &mut Screen<'_>, id: &ProposalId, sheet: &Sheet) -> io::Result<()> {
    screen.say("")?;
    screen.line(Style::Strong, &format!("apply proposal {id}?"))?;
    for file in &sheet.files {
        screen.say(&format!("  {}", file_line(file)))?;
        for (title, edited) in &file.goes_in {
            let mark = if *edited { "[e]" } else { "[a]" };
            screen.say(&format!("    {mark} {title}"))?;
        }
        for verdict in &file.verdicts {
            flag(screen, "    ", verdict)?;
        }
    }
    for (what, titles) in sheet.refused() {
        screen.say(&listed(what, titles))?;
    }
    screen.say(&format!("  {} undecided", sheet.undecided))?;
    let warned: Vec<_> = sheet
        .warned
        .iter()
        .map(|(t, g)| format!("{t} ({g})"))
        .collect();
    screen.say(&listed("accepted with a warning", &warned))?;
    for note in &sheet.notes {
        screen.say(&format!("  {note}"))?;
    }
    match sheet.is_quiet {
        true => screen.say("  no commit: no text changes"),
        false => screen.say(&format!("  commit: {}", sheet.subject)),
    }
}

fn listed(what: &str, titles: &[String]) -> String {
    match titles {
        [] => format!("  0 {what}"),
        titles => format!("  {} {what}: {}", titles.len(), titles.join("; ")),
    }
}

fn file_line(file: &SheetFile) -> String {
    let mut counts = file.counts();
    if counts.is_empty() {
        counts.push("nothing decided".to_owned());
    }
    let of = file
        .budget
        .map_or(String::new(), |b| format!(" of {b} characters"));
    format!(
        "{:<20}  {:<22}  {} -> {}{of}",
        file.name,
        counts.join(", "),
        file.before,
        file.after
    )
}
