//! Memory as it stands: list, content, and what is under an entry.

use super::model::UnderEntry;
use super::{columns, folded, project_of, rows_of, under};
use crate::browse::{EntryView, FileView, MemoryView, SealState};
use crate::id::ProjectId;
use crate::text::count;
use crate::tui::app::App;
use crate::tui::lines::{columns as wide, dots, ends, line, segment};
use crate::tui::page::{Block, Entry, Key, List, Page};
use crate::tui::rows::Line;
use crate::tui::theme::Role;
use crate::tui::views::outline::entry as list_row;
use crate::tui::views::stream::wrapped;
use crate::tui::views::words;

/// The project whose memory is shown.
pub(super) fn project(app: &App) -> Option<ProjectId> {
    let cursor = app.place().cursor.as_ref().and_then(project_of);
    let open = || app.item().map(|item| item.proposal.project.clone());
    let first = || app.shelf.listed().first().map(|p| p.id.clone());
    cursor
        .or_else(|| app.shelf.here.clone())
        .or_else(open)
        .or_else(first)
}

/// A project's memory, once it was read.
pub(super) fn view<'a>(app: &'a App, id: &ProjectId) -> Option<&'a MemoryView> {
    app.shelf.memory.get(id)?.value.as_ref()
}

/// The entry that a key stands for.
pub(super) fn entry<'a>(app: &'a App, key: &Key) -> Option<&'a EntryView> {
    let Key::Entry(project, file, n) = key else {
        return None;
    };
    let file = view(app, project)?.files.iter().find(|f| f.file == *file)?;
    file.entries.get(*n)
}

/// The entry that is selected.
pub(super) fn selected(app: &App) -> Option<&EntryView> {
    entry(app, app.place().cursor.as_ref()?)
}

/// A word for how an entry is vouched for; none where all is as it should be.
pub(super) fn state(seal: &SealState) -> &'static str {
    match seal {
        SealState::Sealed => "",
        SealState::Unreviewed => "unreviewed",
        SealState::Lapsed => "LAPSED",
        SealState::Tombstoned => "TOMBSTONED",
        SealState::Unsealed => "UNSEALED",
        SealState::Broken(_) => "BROKEN",
        SealState::Missing => "MISSING",
    }
}

/// The same as a sentence.
pub(super) fn said_of(seal: &SealState) -> String {
    match seal {
        SealState::Sealed => "sealed: agents are given it".to_owned(),
        SealState::Unreviewed => {
            "unreviewed: a policy let it in, agents are given it marked so; C confirms it".to_owned()
        }
        SealState::Lapsed => {
            "LAPSED: no person accepted it in time; agents are not given it; C confirms it".to_owned()
        }
        SealState::Tombstoned => {
            "TOMBSTONED: a person took it back; agents are not given it".to_owned()
        }
        SealState::Unsealed => {
            "UNSEALED: nobody let it in; agents are not given it; Review offers it as \"changed on disk\"".to_owned()
        }
        SealState::Broken(why) => format!(
            "BROKEN: {why}; agents are not given it; Review offers it as \"changed on disk\""
        ),
        SealState::Missing => {
            "MISSING: it was accepted and is gone from its file; Review offers it as \"changed on disk\"".to_owned()
        }
    }
}

fn role_of(seal: &SealState) -> Role {
    match seal {
        SealState::Sealed => Role::Dim,
        SealState::Broken(_) | SealState::Missing => Role::Fail,
        _ => Role::Warn,
    }
}

/// The list: project, file, section, entry.
pub(super) fn list(app: &App) -> List {
    let mut entries = Vec::new();
    let shown = project(app);
    for named in app.shelf.listed() {
        let key = Key::Project(named.id.clone());
        let is_folded = folded(app, &key, shown.as_ref() != Some(&named.id));
        entries.push(list_row(
            app,
            key,
            0,
            Some(is_folded),
            (Role::Strong, &named.name),
            "",
        ));
        if is_folded {
            continue;
        }
        if let Some(memory) = view(app, &named.id) {
            for file in &memory.files {
                list_file(app, memory, file, &mut entries);
            }
        }
    }
    List { entries }
}

fn list_file(app: &App, memory: &MemoryView, file: &FileView, into: &mut Vec<Entry>) {
    let key = Key::File(memory.project.clone(), file.file);
    let is_folded = folded(app, &key, false);
    let size = match file.problem {
        Some(_) => "!".to_owned(),
        None => format!(
            "{}/{}",
            words::number(file.chars),
            words::number(file.budget)
        ),
    };
    let title = (Role::Plain, file.file.name());
    into.push(list_row(app, key, 1, Some(is_folded), title, &size));
    if is_folded {
        return;
    }
    let mut section = "";
    for (n, entry) in file.entries.iter().enumerate() {
        if entry.section != section && !entry.section.is_empty() {
            let key = Key::Section(memory.project.clone(), file.file, n);
            into.push(list_row(app, key, 2, None, (Role::Dim, &entry.section), ""));
        }
        section = &entry.section;
        let key = Key::Entry(memory.project.clone(), file.file, n);
        let state = match entry.seal {
            SealState::Unreviewed => "?",
            _ => state(&entry.seal),
        };
        into.push(list_row(
            app,
            key,
            3,
            None,
            (Role::Plain, &entry.title),
            state,
        ));
    }
}

/// The content: all files of the project, one below the other.
pub(super) fn page(app: &App) -> Page {
    let Some(id) = project(app) else {
        let said = match app.shelf.projects.value {
            None => dots(app, "reading"),
            Some(_) => "No project has a memory yet: memd init gives one.".to_owned(),
        };
        return super::only(app, &said);
    };
    let slot = app.shelf.memory.get(&id);
    if let Some(why) = slot.and_then(|s| s.fault.as_ref()) {
        return super::only(app, why);
    }
    let Some(memory) = view(app, &id) else {
        return super::only(app, &dots(app, "reading"));
    };
    let mut blocks = Vec::new();
    if let Some(problem) = &memory.problem {
        let said = format!("nothing here can be trusted: {problem}");
        let mut rows = wrapped(app, Role::Fail, &said, columns(app));
        rows.push(Line::new());
        blocks.push(Block::of(None, rows));
    }
    for file in &memory.files {
        blocks.push(title(app, file));
        for (n, entry) in file.entries.iter().enumerate() {
            let key = Key::Entry(id.clone(), file.file, n);
            blocks.push(block(app, key, entry));
        }
    }
    Page::new(blocks)
}

/// The title row of a file.
fn title(app: &App, file: &FileView) -> Block {
    let mut left = line(Role::Strong, file.file.name());
    let status = file.status.as_deref().unwrap_or_default();
    if !status.is_empty() {
        left.push(segment(Role::Dim, &format!("   {status}")));
    }
    let right = format!(
        "{} of {} characters",
        words::number(file.chars),
        words::number(file.budget)
    );
    let right = line(Role::Dim, &right);
    let mut head = vec![ends(left, right, columns(app), app.look.marks.ellipsis)];
    if let Some(problem) = &file.problem {
        head.extend(wrapped(app, Role::Fail, problem, columns(app)));
    } else if file.entries.is_empty() {
        head.extend(wrapped(app, Role::Dim, "nothing in it yet", columns(app)));
    }
    head.push(Line::new());
    Block::of(None, head)
}

/// What is known of an entry, shortly.
fn facts(app: &App, entry: &EntryView) -> String {
    let ago = |at| format!("{} ago", words::short_age(at, app.now));
    let mut facts = Vec::new();
    facts.extend(entry.origin.map(|o| words::origin(o).to_owned()));
    match (entry.accepted, entry.since) {
        (Some(at), _) => facts.push(format!("accepted {}", ago(at))),
        (None, Some(at)) => facts.push(format!("since {}", ago(at))),
        (None, None) => {}
    }
    if let Some(at) = entry.confirmed {
        facts.push(format!("confirmed {}x, {}", entry.confirmations, ago(at)));
    }
    facts.join(&format!(" {} ", app.look.marks.dot))
}

fn block(app: &App, key: Key, entry: &EntryView) -> Block {
    let is_sealed = entry.seal == SealState::Sealed;
    let room = columns(app);
    let left = line(Role::Strong, &entry.title);
    let mut right = line(Role::Dim, &facts(app, entry));
    let word = if is_sealed {
        "sealed"
    } else {
        state(&entry.seal)
    };
    right.push(segment(role_of(&entry.seal), &format!("  {word}")));
    let mut head = Vec::new();
    // The title gives way, but not to nothing.
    if wide(&right) + 16 <= usize::from(room) {
        head.push(ends(left, right, room, app.look.marks.ellipsis));
    } else {
        let facts = format!("{}  {word}", facts(app, entry));
        let dots = app.look.marks.ellipsis;
        head.push(crate::tui::lines::fit(left, usize::from(room), dots));
        let role = role_of(&entry.seal);
        head.extend(under(app, role, facts.trim_start()));
    }
    if !is_sealed {
        head.extend(under(app, role_of(&entry.seal), &said_of(&entry.seal)));
    }
    let mut block = Block::of(Some(key), head);
    let text = app.cache.text(
        &entry.text,
        room.saturating_sub(super::INDENT),
        app.look.ascii,
    );
    block.body = Some((text, super::INDENT));
    block.tail.push(Line::new());
    block
}

/// The rows under the selected entry.
pub(super) fn drawer(app: &App) -> Page {
    let Some(entry) = selected(app) else {
        return Page::default();
    };
    let texts = match app.shelf.under {
        UnderEntry::Seal => seal(app, entry),
        page => match known_roots(app) {
            None if entry.id.is_none() => vec![(Role::Dim, no_roots(entry).to_owned())],
            None => vec![(Role::Dim, dots(app, "reading"))],
            Some(roots) if page == UnderEntry::Basis => basis(app, roots),
            Some(roots) => history(app, roots),
        },
    };
    rows_of(app, texts)
}

fn no_roots(entry: &EntryView) -> &'static str {
    match entry.likely {
        Some(_) => "it is not what was accepted; Review shows both, as \"changed on disk\"",
        None => "nobody let it in: there is no distill, no session and no version of it",
    }
}

/// What was read of the selected entry.
fn known_roots(app: &App) -> Option<&super::wish::Roots> {
    let id = selected(app)?.id.as_ref()?;
    let (of, roots) = app.shelf.roots.value.as_ref()?;
    (of == id).then_some(roots)
}

/// The lines that an entry rests on, by the row they stand on.
pub(super) fn cited(app: &App, row: usize) -> Option<(crate::id::ProposalId, u32)> {
    let basis = known_roots(app)?.basis.as_ref()?;
    let change = basis
        .item
        .proposal
        .changes
        .iter()
        .find(|c| c.n == basis.n)?;
    let all = crate::tui::views::drawer::lines(&basis.item, change);
    // The distill and its session stand above.
    let line = all.get(row.saturating_sub(ABOVE)).or(all.first())?;
    Some((basis.item.proposal.id.clone(), line.n))
}

/// Rows above the evidence.
const ABOVE: usize = 2;

type Texts = Vec<(Role, String)>;

fn basis(app: &App, roots: &super::wish::Roots) -> Texts {
    let mut texts: Texts = Vec::new();
    let Some(basis) = &roots.basis else {
        texts.extend(roots.problem.iter().map(|why| (Role::Fail, why.clone())));
        let said = "no distill brought it: it rests on what a person did";
        texts.push((Role::Dim, said.to_owned()));
        texts.extend(history(app, roots));
        return texts;
    };
    let proposal = &basis.item.proposal;
    let newest = roots.versions.first().map_or(0, |v| v.version);
    let since = match newest == roots.version {
        true => String::new(),
        false => format!("; version {} of {newest}", roots.version),
    };
    texts.push((
        Role::Plain,
        format!(
            "distill {}  {} ago  {}  curator {}{since}",
            proposal.id,
            crate::text::age(proposal.created, app.now),
            proposal.trigger,
            crate::tui::views::drawer::curator(&proposal.usage)
        ),
    ));
    let change = proposal.changes.iter().find(|c| c.n == basis.n);
    let lines = change.map_or(Vec::new(), |c| {
        crate::tui::views::drawer::lines(&basis.item, c)
    });
    let mut sessions: Vec<&str> = lines.iter().map(|l| l.session.as_str()).collect();
    sessions.dedup();
    let sum = match sessions.len() {
        0 => "no session: no line supports it".to_owned(),
        _ => format!(
            "session {}  {}; Enter opens the transcript",
            sessions.join(", "),
            count(lines.len(), "line", "lines")
        ),
    };
    texts.push((Role::Dim, sum));
    for line in lines {
        let said = crate::tui::views::stream::quoted(line);
        texts.push((Role::Plain, format!("{:>3}  {said}", line.n)));
    }
    texts
}

fn history(app: &App, roots: &super::wish::Roots) -> Texts {
    let mut texts: Texts = Vec::new();
    for version in &roots.versions {
        let by = version.proposal.as_ref();
        let by = by.map_or(String::new(), |id| format!("  by {id}"));
        let session = version.session.as_ref();
        let session = session.map_or(String::new(), |s| format!("  session {s}"));
        let broken = if version.holds {
            ""
        } else {
            "  its seal does not hold"
        };
        let said = format!(
            "version {}  {} ago  {}{by}{session}{broken}  {}",
            version.version,
            crate::text::age(version.at, app.now),
            version.what.said(),
            crate::memory::title(&version.text),
        );
        let role = if version.holds {
            Role::Plain
        } else {
            Role::Fail
        };
        texts.push((role, said));
    }
    texts.extend(roots.problem.iter().map(|why| (Role::Fail, why.clone())));
    texts
}

fn seal(app: &App, entry: &EntryView) -> Texts {
    let mut texts = vec![(role_of(&entry.seal), said_of(&entry.seal))];
    let mut say = |text: String| texts.push((Role::Plain, text));
    if let Some(id) = &entry.id {
        say(format!("entry {id}"));
    }
    if let Some(origin) = entry.origin {
        say(format!("origin {}", words::origin(origin)));
    }
    let day = |at: jiff::Timestamp| at.strftime("%Y-%m-%d %H:%M").to_string();
    let ago = |at| format!("{} ({} ago)", day(at), crate::text::age(at, app.now));
    if let Some(at) = entry.since {
        say(format!("this version was let in {}", ago(at)));
    }
    match entry.accepted {
        Some(at) => say(format!("a person accepted it {}", ago(at))),
        None => say("no person accepted it".to_owned()),
    }
    if let Some(at) = entry.confirmed {
        say(format!(
            "confirmed {}, last {}",
            count(entry.confirmations as usize, "time", "times"),
            ago(at)
        ));
    }
    if let Some(at) = entry.lapses {
        say(format!(
            "unless a person confirms it, agents are given it until {}",
            day(at)
        ));
    }
    texts
}
