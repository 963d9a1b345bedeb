//! `memd history`.

use super::review::page;
use super::review::screen::{Screen, Style};
use super::{Context, Failure, across, look, lost, out, show, staged};
use crate::browse::{self, Branch, Lineage, Stand, Stands, Version};
use crate::id::ProjectId;
use crate::proposal::{Kind, Op};
use crate::redact::first_whole;
use crate::review::diff;
use crate::trust::RecordState;
use jiff::Timestamp;
use serde::Serialize;
use std::io;
use std::path::PathBuf;

/// Show what became of one entry: every version, and what was offered for it and not taken.
///
/// Newest first. A version takes the place of another only by the entry's id; what was rejected,
/// expired, was given back or still waits branches off from the version it was made for. Where the
/// file says otherwise than the newest version, that is said there.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// The entry: the beginning of its id, or words only it holds
    entry: String,
    /// The project (default: the one around the current directory)
    #[arg(short, long, value_name = "PATH")]
    project: Option<PathBuf>,
    /// For programs: one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let context = Context::load()?;
    let none = || Failure::known("nothing was let in yet; `memd review` lets in");
    let books = look::Books::of(&context, lost::opened(&context)?.ok_or_else(none)?)?;
    let project = look::asked_project(&context, &books.store, args.project.as_deref())?;
    across::on_record(&context, &books.store, &project, "history")?;
    let sight = books.sight();
    let all = || Ok(books.store.records(&books.trust, &project.id)?);
    let entry = staged::entry_of(&books.store, &project, &books.redactor, &args.entry, all)?;
    let lineage = browse::lineage(sight, &project, &entry)?.ok_or_else(none)?;
    if args.json {
        let project = &project.id;
        let lineage = &lineage;
        out::json(&Told { project, lineage });
    } else {
        show::print(|screen| text(screen, &lineage, context.now));
    }
    Ok(())
}

/// For programs; by the project's id it joins with what other commands tell.
#[derive(Serialize)]
struct Told<'a> {
    project: &'a ProjectId,
    #[serde(flatten)]
    lineage: &'a Lineage,
}

/// The whole graph, newest first.
fn text(screen: &mut Screen<'_>, lineage: &Lineage, now: Timestamp) -> io::Result<()> {
    screen.line(Style::Strong, &head(lineage, now))?;
    screen.say("")?;
    for branch in lineage.branches_of(None) {
        self::branch(screen, branch, "", None)?;
    }
    for (n, version) in lineage.versions.iter().enumerate() {
        for branch in lineage.branches_of(Some(version.version)) {
            let stem = if n == 0 { "  " } else { "| " };
            self::branch(screen, branch, stem, Some(&version.text))?;
        }
        let before = lineage.versions.get(n + 1);
        if n == 0 {
            on_disk(screen, &lineage.on_disk, version)?;
        }
        self::version(screen, version, before)?;
    }
    if lineage.unread > 0 {
        let n = lineage.unread;
        let said = format!("x {n} of the project's proposals do not verify: memd verify");
        screen.line(Style::Bad, &said)?;
    }
    Ok(())
}

/// Such as `state.md › Ports, entry 0a1b2c3d4e5f: it stands`.
fn head(lineage: &Lineage, now: Timestamp) -> String {
    let place = lineage.versions.first().map_or_else(String::new, |v| {
        let section = match v.section.as_str() {
            "" => String::new(),
            section => format!(" › {section}"),
        };
        format!("{}{section}, ", v.file.name())
    });
    let state = match (lineage.state, lineage.lapses) {
        _ if lineage.on_disk.is == Stands::Unknown => "not known whether it stands".to_owned(),
        _ if !lineage.on_disk.agrees() => "it does not stand as the newest version says".to_owned(),
        (RecordState::Archived, _) => "it is in the archive".to_owned(),
        (RecordState::Tombstoned, _) => "a person took it back".to_owned(),
        (RecordState::Live, None) => "it stands".to_owned(),
        (RecordState::Live, Some(at)) if at <= now => {
            format!("it lapsed on {}: nobody accepted it", day(at))
        }
        (RecordState::Live, Some(at)) => {
            format!("it stands unreviewed and lapses on {}", day(at))
        }
    };
    format!("{place}entry {}: {state}", lineage.entry)
}

/// What stands on disk in the newest version's stead.
fn on_disk(screen: &mut Screen<'_>, stand: &Stand, newest: &Version) -> io::Result<()> {
    if stand.agrees() {
        return Ok(());
    }
    let place = stand.file.map_or_else(String::new, |file| {
        let place = format!(
            " ({} › {}",
            file.name(),
            stand.section.as_deref().unwrap_or("")
        );
        format!("{})", place.trim_end_matches(" › "))
    });
    screen.line(
        Style::Bad,
        &format!("x on disk  {}{place}", stand.is.said()),
    )?;
    if let Some(text) = &stand.text {
        rows(screen, "|   ", &newest.text, text)?;
    }
    if let Some(next) = &stand.next {
        screen.say(&format!("|   {next}"))?;
    }
    screen.say("|")
}

fn version(screen: &mut Screen<'_>, now: &Version, before: Option<&Version>) -> io::Result<()> {
    let again = now
        .again
        .map_or_else(String::new, |n| format!(", the text of version {n} again"));
    let by = now.proposal.as_ref();
    let by = by.map_or_else(String::new, |id| format!("  by {id}"));
    let session = now.session.as_ref();
    let session = session.map_or_else(String::new, |s| {
        format!("  session {}", first_whole(s, 8).0)
    });
    let line = format!(
        "* version {}  {}  {}{again}{by}{session}",
        now.version,
        minute(now.at),
        now.what.said(),
    );
    screen.line(Style::Strong, &line)?;
    let stem = if before.is_some() { "| " } else { "  " };
    if !now.holds {
        let said = format!("{stem}  x its seal does not hold: memd verify");
        screen.line(Style::Bad, &said)?;
    }
    if let Some(other) = &now.supersedes {
        screen.say(&format!("{stem}  takes the place of entry {other}"))?;
    }
    let place = |v: &Version| (v.file, v.section.clone());
    if before.is_some_and(|b| place(b) != place(now)) {
        let to = format!("{} › {}", now.file.name(), now.section);
        screen.say(&format!("{stem}  to {}", to.trim_end_matches(" › ")))?;
    }
    let old = before.map_or("", |b| b.text.as_str());
    if old != now.text {
        rows(screen, &format!("{stem}  "), old, &now.text)?;
    }
    if before.is_none() {
        screen.say(&format!("    origin {}", page::origin(now.origin)))?;
    }
    screen.say(stem)
}

fn branch(
    screen: &mut Screen<'_>,
    branch: &Branch,
    stem: &str,
    made_for: Option<&str>,
) -> io::Result<()> {
    let what = match (branch.op, branch.kind) {
        (Op::Add | Op::Edit, Kind::ChangedOnDisk) => "changed on disk",
        (Op::Archive, Kind::ChangedOnDisk) => "gone from its file",
        (Op::Add, _) => "to bring it back",
        (Op::Edit, _) => "an edit",
        (Op::Archive, _) => "to the archive",
        (Op::Tombstone, _) => "to take it back",
    };
    let line = format!(
        "{stem}* {}  {what}: {}  {} change {}",
        minute(branch.at),
        branch.end.said(),
        branch.proposal,
        branch.n,
    );
    screen.say(&line)?;
    let under = format!("{stem}    ");
    if let Some(text) = &branch.text {
        rows(screen, &under, made_for.unwrap_or_default(), text)?;
    }
    if let Some(reason) = &branch.reason {
        screen.say(&format!("{under}why: {reason}"))?;
    }
    let joint = if stem.trim().is_empty() { " /" } else { "|/" };
    match made_for {
        Some(_) => screen.say(joint),
        None => screen.say(""),
    }
}

fn rows(screen: &mut Screen<'_>, indent: &str, before: &str, after: &str) -> io::Result<()> {
    for row in diff::compare(before, after).rows() {
        screen.row(indent, &row)?;
    }
    Ok(())
}

fn day(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d").to_string()
}

fn minute(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M").to_string()
}
