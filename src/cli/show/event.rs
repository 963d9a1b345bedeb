//! One event of the log in full, as text.

use crate::browse::{ChangeDetail, Details, FileDetail, What};
use crate::cli::log;
use crate::cli::review::page;
use crate::cli::review::screen::{Screen, Style};
use crate::proposal::{Level, Op};
use crate::redact::first_whole;
use crate::review::diff;
use std::io;

/// What happened, and all that it changed.
pub(super) fn text(screen: &mut Screen<'_>, details: &Details) -> io::Result<()> {
    let event = &details.event;
    screen.line(Style::Strong, &log::line(event))?;
    screen.say(&format!("  {}", log::who(event)))?;
    if event.broken {
        screen.line(
            Style::Bad,
            "  x what is kept of it was changed since: memd verify",
        )?;
    }
    if let Some(id) = &event.proposal {
        screen.say(&format!("  proposal {id}: memd show {id} has its evidence"))?;
    }
    if let Some(commit) = &event.commit {
        screen.say(&format!("  commit {commit}"))?;
    }
    for session in &details.sessions {
        let short = first_whole(session, 8).0;
        screen.say(&format!("  session {short}"))?;
    }
    if let Some(why) = &details.despite {
        screen.say(&format!("  the loss guard was overridden: {why}"))?;
    }
    if let Some(message) = &details.message {
        let what = match event.what {
            What::Return => "note to the curator",
            _ => "message",
        };
        screen.say(&format!("  {what}:"))?;
        screen.block("    ", message)?;
    }
    for change in &details.changes {
        self::change(screen, change)?;
    }
    for file in &details.files {
        self::file(screen, file)?;
    }
    if details.changes.is_empty() && details.files.is_empty() {
        screen.say("  it changed nothing in memory")?;
    }
    if let Some(problem) = &details.problem {
        screen.line(Style::Bad, &format!("  x {problem}"))?;
    }
    Ok(())
}

fn change(screen: &mut Screen<'_>, change: &ChangeDetail) -> io::Result<()> {
    let place = match change.section.as_str() {
        "" => change.file.name().to_owned(),
        section => format!("{} › {section}", change.file.name()),
    };
    let what = match change.op {
        Op::Add => "new",
        Op::Edit => "changed",
        Op::Archive if change.decision.is_none() => "gone",
        Op::Archive => "to the archive",
        Op::Tombstone => "taken back",
    };
    let decision = match change.decision {
        Some("accepted") | None => String::new(),
        Some(decision) => format!("{decision}, "),
    };
    screen.say("")?;
    let line = format!("{place}  {decision}{what}: {}", change.title);
    screen.line(Style::Strong, &line)?;
    for verdict in change.checks.iter().filter(|v| v.level > Level::Pass) {
        page::flag(screen, "  ", verdict)?;
    }
    rows(screen, change.before.as_deref(), change.after.as_deref())?;
    if let Some(reason) = &change.reason {
        screen.say(&format!("    why: {reason}"))?;
    }
    match change.origin {
        Some(origin) => screen.say(&format!("    origin {}", page::origin(origin))),
        None => Ok(()),
    }
}

fn file(screen: &mut Screen<'_>, file: &FileDetail) -> io::Result<()> {
    screen.say("")?;
    screen.line(Style::Strong, &file.path)?;
    match &file.left_out {
        Some(why) => screen.say(&format!("    {why}")),
        None => rows(screen, file.before.as_deref(), file.after.as_deref()),
    }
}

fn rows(screen: &mut Screen<'_>, before: Option<&str>, after: Option<&str>) -> io::Result<()> {
    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
    for row in diff::compare(before, after).rows() {
        screen.row("    ", &row)?;
    }
    Ok(())
}
