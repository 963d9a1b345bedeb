//! The archive: its months, the pieces of one, and what is found in them.

use super::{columns, folded, in_sight, only, under};
use crate::browse::{Archive, Hit, Month, Piece, Within};
use crate::id::ProjectId;
use crate::text::count;
use crate::tui::app::App;
use crate::tui::lines::{columns as wide, dots, ends, fit, line};
use crate::tui::msg::Effect;
use crate::tui::page::{Block, Entry, Key, List, Page, scrolled};
use crate::tui::rows::{Line, Pos};
use crate::tui::theme::Role;
use crate::tui::views::outline::entry as list_row;
use crate::tui::views::stream::wrapped;

/// A project's archive, once it was listed.
pub(super) fn archive<'a>(app: &'a App, id: &ProjectId) -> Option<&'a Archive> {
    app.shelf.archives.get(id)?.value.as_ref()
}

/// The month that is shown.
pub(super) fn month(app: &App) -> Option<(ProjectId, Month)> {
    let project = super::memory::project(app)?;
    let months = &archive(app, &project)?.months;
    let named = match app.place().cursor.as_ref() {
        Some(Key::Month(_, name) | Key::Piece(_, name, _)) => Some(name),
        _ => None,
    };
    let found = named.and_then(|name| months.iter().find(|m| m.name == *name));
    Some((project, found.or(months.first())?.clone()))
}

/// The pieces of the month that is shown, once they were read.
pub(super) fn pieces(app: &App) -> Option<&[Piece]> {
    let (project, month) = month(app)?;
    let known = app.shelf.month.as_ref()?;
    let is_it =
        known.0 == project && known.1 == month.name && app.shelf.pieces_of == app.shelf.month;
    app.shelf.pieces.value.as_deref().filter(|_| is_it)
}

/// The piece that is selected.
pub(super) fn selected(app: &App) -> Option<(usize, &Piece)> {
    let Some(Key::Piece(_, _, n)) = app.place().cursor else {
        return None;
    };
    Some((n, pieces(app)?.get(n)?))
}

/// The list: project, month, the pieces of the month that is shown.
pub(super) fn list(app: &App) -> List {
    let mut entries: Vec<Entry> = Vec::new();
    let shown = month(app);
    let project = super::memory::project(app);
    let (from, to) = in_sight(app, app.place().list_top, app.arranged.areas.list.height);
    for named in app.shelf.listed() {
        let key = Key::Project(named.id.clone());
        let is_folded = folded(app, &key, project.as_ref() != Some(&named.id));
        entries.push(list_row(
            app,
            key,
            0,
            Some(is_folded),
            (Role::Strong, &named.name),
            "",
        ));
        let Some(archive) = archive(app, &named.id).filter(|_| !is_folded) else {
            continue;
        };
        for month in &archive.months {
            let key = Key::Month(named.id.clone(), month.name.clone());
            let is_shown = shown
                .as_ref()
                .is_some_and(|(p, m)| *p == named.id && m == month);
            let right = match hits_in(app, &named.id, &month.name) {
                Some(0) => String::new(),
                Some(n) => count(n, "hit", "hits"),
                None => size(month.bytes),
            };
            let fold = is_shown.then(|| folded(app, &key, false));
            let title = (Role::Plain, month.name.as_str());
            entries.push(list_row(app, key, 1, fold.or(Some(true)), title, &right));
            if fold != Some(false) {
                continue;
            }
            for (n, piece) in pieces(app).unwrap_or_default().iter().enumerate() {
                if hits_of(app, &named.id, &month.name, n) == Some(0) {
                    continue;
                }
                let key = Key::Piece(named.id.clone(), month.name.clone(), n);
                let at = entries.len();
                entries.push(match at < from || at > to {
                    true => Entry {
                        key,
                        line: Line::new(),
                        depth: 2,
                        folded: None,
                    },
                    false => list_row(app, key, 2, None, (Role::Dim, &piece.title), ""),
                });
            }
        }
    }
    List { entries }
}

/// A size in bytes, for people.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_024 => format!("{bytes} B"),
        1_024..1_048_576 => format!("{} KiB", bytes.div_ceil(1_024)),
        _ => format!("{}.{} MiB", bytes >> 20, ((bytes & 0xf_ffff) * 10) >> 20),
    }
}

fn found<'a>(app: &'a App, project: &ProjectId) -> Option<&'a super::wish::FoundIn> {
    let finding = app
        .shelf
        .finding
        .as_ref()
        .filter(|_| app.search.is_some())?;
    finding
        .found
        .projects
        .iter()
        .find(|f| f.project == *project)
}

/// Hits of a month while something is searched.
fn hits_in(app: &App, project: &ProjectId, month: &str) -> Option<usize> {
    app.shelf
        .finding
        .as_ref()
        .filter(|_| app.search.is_some())?;
    let Some(found) = found(app, project) else {
        return Some(0);
    };
    let at = found.months.iter().position(|m| m.name == month);
    Some(found.hits.iter().filter(|h| Some(h.month) == at).count())
}

fn hits_of(app: &App, project: &ProjectId, month: &str, piece: usize) -> Option<usize> {
    let found = found(app, project)?;
    let at = found.months.iter().position(|m| m.name == month);
    let hits = found.hits.iter();
    Some(
        hits.filter(|h| Some(h.month) == at && h.piece == piece)
            .count(),
    )
}

/// The content: the pieces of the month.
pub(super) fn page(app: &App) -> Page {
    let Some(project) = super::memory::project(app) else {
        return only(app, "No project has a memory yet: memd init gives one.");
    };
    let slot = app.shelf.archives.get(&project);
    if let Some(why) = slot.and_then(|s| s.fault.as_ref()) {
        return only(app, why);
    }
    let Some(archive) = archive(app, &project) else {
        return only(app, &dots(app, "reading"));
    };
    let mut blocks = Vec::new();
    let problems = archive.problems.iter().chain(app.shelf.pieces.fault.iter());
    let found = found(app, &project).into_iter().flat_map(|f| &f.problems);
    for problem in problems.chain(found) {
        let mut rows = wrapped(app, Role::Fail, problem, columns(app));
        rows.push(Line::new());
        blocks.push(Block::of(None, rows));
    }
    for gone in archive.gone() {
        let said = format!(
            "{:?} was archived, and is not there any more: memd verify",
            gone.title
        );
        blocks.push(Block::of(
            None,
            wrapped(app, Role::Fail, &said, columns(app)),
        ));
    }
    let Some((_, month)) = month(app) else {
        let said = "Nothing was archived here yet. What leaves memory is kept here, by month.";
        return only(app, said);
    };
    let read = pieces(app);
    let title = match read {
        Some(pieces) => format!(
            "{}   {}",
            month.name,
            count(pieces.len(), "piece", "pieces")
        ),
        None => month.name.clone(),
    };
    let row = ends(
        line(Role::Strong, &title),
        line(Role::Dim, &size(month.bytes)),
        columns(app),
        app.look.marks.ellipsis,
    );
    blocks.push(Block::of(None, vec![row, Line::new()]));
    match read {
        None if app.shelf.pieces.fault.is_none() => {
            let rows = wrapped(app, Role::Dim, &dots(app, "reading"), columns(app));
            blocks.push(Block::of(None, rows));
        }
        None => {}
        Some(pieces) => blocks.extend(pieces.iter().enumerate().map(|(n, piece)| {
            let key = Key::Piece(project.clone(), month.name.clone(), n);
            block(app, key, piece)
        })),
    }
    Page::new(blocks)
}

/// Where a piece stood, when it was moved and by what.
fn facts(app: &App, piece: &Piece) -> String {
    let mut facts = Vec::new();
    match (&piece.file, piece.section.as_str()) {
        (Some(file), "") => facts.push(file.name().to_owned()),
        (Some(file), section) => {
            facts.push(format!("{} {} {section}", file.name(), app.look.marks.path));
        }
        (None, _) => facts.push("not moved by memd".to_owned()),
    }
    facts.extend(piece.moved.map(|day| format!("moved {day}")));
    facts.extend(piece.proposal.as_ref().map(|id| format!("by {id}")));
    facts.join("  ")
}

fn block(app: &App, key: Key, piece: &Piece) -> Block {
    let room = columns(app);
    let dots = app.look.marks.ellipsis;
    let left = line(Role::Strong, &piece.title);
    let said = facts(app, piece);
    let right = line(Role::Dim, &said);
    let mut head = Vec::new();
    if wide(&right) + 16 <= usize::from(room) {
        head.push(ends(left, right, room, dots));
    } else {
        head.push(fit(left, usize::from(room), dots));
        head.extend(under(app, Role::Dim, &said));
    }
    if let Some(differs) = piece.differs {
        head.extend(under(app, Role::Fail, differs.said()));
    }
    if !piece.reason.is_empty() {
        head.extend(under(app, Role::Dim, &format!("why: {}", piece.reason)));
    }
    let mut block = Block::of(Some(key), head);
    let width = room.saturating_sub(super::INDENT);
    block.body = Some((
        app.cache.text(&piece.text, width, app.look.ascii),
        super::INDENT,
    ));
    block.tail.push(Line::new());
    block
}

/// The rows under the selected piece.
pub(super) fn drawer(app: &App) -> Page {
    let Some((_, piece)) = selected(app) else {
        return Page::default();
    };
    let mut texts = vec![(Role::Plain, facts(app, piece))];
    if !piece.reason.is_empty() {
        texts.push((Role::Plain, format!("why: {}", piece.reason)));
    }
    if let Some(id) = &piece.proposal {
        texts.push((Role::Plain, format!("moved by proposal {id}")));
    }
    if let Some(id) = &piece.entry {
        texts.push((Role::Dim, format!("entry {id}")));
    }
    let end = match piece.file {
        Some(_) if piece.differs.is_some() => {
            "b proposes it as words of your own: it is not what was accepted"
        }
        Some(_) => "b proposes that it stands in its file again",
        None => "nothing says where it stood: it cannot be brought back",
    };
    texts.push((Role::Dim, end.to_owned()));
    super::rows_of(app, texts)
}

/// All hits in their order, each with its project and month.
fn hits(app: &App) -> impl Iterator<Item = (&ProjectId, &Month, &Hit)> {
    let finding = app.shelf.finding.iter();
    let projects = finding.flat_map(|f| &f.found.projects);
    projects.flat_map(|f| {
        let of = |h: &Hit| f.months.get(h.month);
        f.hits
            .iter()
            .filter_map(move |h| Some((&f.project, of(h)?, h)))
    })
}

/// Which hit is shown, of how many.
pub(super) fn told(app: &App) -> String {
    let total = hits(app).count();
    let Some(finding) = &app.shelf.finding else {
        return String::new();
    };
    let found = &finding.found;
    let full = found.projects.iter().any(|f| f.is_full);
    match (total, found.is_done) {
        (0, true) => format!("{:?} is not in the archive", found.query),
        (0, false) => "searching".to_owned(),
        (n, false) => format!("hit {} of {n} so far", finding.at + 1),
        (n, true) if full => format!("hit {} of {n}; more are not kept", finding.at + 1),
        (n, true) => format!("hit {} of {n}", finding.at + 1),
    }
}

/// A month that is looked at begins at its first piece.
pub(super) fn keep_piece(app: &mut App) {
    let is_text = app.place().focus == crate::tui::app::Pane::Content;
    let first = match app.place().cursor.clone() {
        Some(Key::Month(project, name)) if is_text => Key::Piece(project, name, 0),
        _ => return,
    };
    if pieces(app).is_some_and(|all| !all.is_empty()) {
        app.place_mut().cursor = Some(first);
    }
}

/// A step to another hit, around the end.
pub(super) fn matched(app: &mut App, by: isize) -> Vec<Effect> {
    let total = hits(app).count();
    let Some(finding) = &mut app.shelf.finding else {
        app.notice = Some("nothing was searched for; / searches".to_owned());
        return Vec::new();
    };
    if total == 0 {
        app.notice = Some(told(app));
        return Vec::new();
    }
    let len = isize::try_from(total).unwrap_or(isize::MAX);
    let at = isize::try_from(finding.at).unwrap_or(0).saturating_add(by);
    finding.at = usize::try_from(at.rem_euclid(len)).unwrap_or(0);
    finding.is_to_show = true;
    app.notice = Some(told(app));
    show(app);
    Vec::new()
}

/// Brings the hit into sight; once its month was read, if it was not.
pub(super) fn show(app: &mut App) {
    let Some(finding) = app.shelf.finding.as_ref().filter(|f| f.is_to_show) else {
        return;
    };
    let at = finding.at;
    let Some((project, month, hit)) = hits(app).nth(at) else {
        return;
    };
    let (hit, key) = (
        hit.clone(),
        Key::Piece(project.clone(), month.name.clone(), hit.piece),
    );
    app.place_mut().cursor = Some(key.clone());
    crate::tui::arrange::lay_out(app);
    let Some((from, to)) = app.arranged.page.span(&key) else {
        return;
    };
    let row = row_of(app, &key, &hit).map_or(from, |row| from + row);
    let height = usize::from(app.arranged.areas.content.height);
    let top = scrolled(app.place().top, from, to.min(from + height), height);
    app.place_mut().top = scrolled(top, row, row + 1, height);
    let list = app.arranged.list.position(&key);
    if let Some(at) = list {
        let height = usize::from(app.arranged.areas.list.height)
            .saturating_sub(1)
            .max(1);
        let top = app.place().list_top;
        app.place_mut().list_top = scrolled(top, at, at + 1, height);
    }
    if let Some(finding) = &mut app.shelf.finding {
        finding.is_to_show = false;
    }
}

/// The row of a block on which a hit begins.
fn row_of(app: &App, key: &Key, hit: &Hit) -> Option<usize> {
    let blocks = app.arranged.page.blocks();
    let block = blocks.iter().find(|b| b.key.as_ref() == Some(key))?;
    let (body, _) = block.body.as_ref()?;
    if hit.within != Within::Text {
        return Some(0);
    }
    let (_, piece) = selected(app)?;
    let before = piece.text.get(..hit.range.start)?;
    let line = before.matches('\n').count();
    let byte = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
    let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let pos = Pos {
        line: small(line),
        byte: small(byte),
    };
    Some(block.head.len() + body.row_at(pos))
}
