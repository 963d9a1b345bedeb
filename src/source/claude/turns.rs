//! From rows to turns: who speaks, what is material, what is not.

use super::action::{Call, Calls, action};
use super::row::{Block, Body, Content, Given, Message, Row};
use super::tree::Tree;
use super::words::{instant, is_prompt, shell, users_words};
use super::wrapped::{CONTINUED, Said, said, without_trailing_reminders};
use crate::digest::Coverage;
use crate::source::{Place, Raw, Reading, Role, Sink, ToolContext, Turn, own};
use crate::text::TextHash;
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

/// Directories whose belonging is remembered.
const REMEMBERED: usize = 64;
/// Sessions named in a coverage.
const SESSIONS: usize = 64;
/// Kinds of reasons counted one by one.
const REASONS: usize = 48;

/// The state of reading one file.
pub(super) struct Reader<'r, 's> {
    reading: &'r Reading<'r>,
    pub sink: &'s mut dyn Sink,
    pub coverage: Coverage,
    pub tree: Tree,
    calls: Calls,
    /// Hashes of the latest prompts, to tell a queued one from its copy.
    queued: VecDeque<(Came, TextHash)>,
    places: VecDeque<(String, Belongs)>,
    /// Where the last row that named a directory belongs.
    belongs: Belongs,
    title: Option<(u64, String, String)>,
    /// A row of the conversation was met.
    talked: bool,
    known: u32,
    unknown: u32,
}

/// How a prompt came to stand in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Came {
    Queued,
    Typed,
}

/// Whether rows of a directory are material.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Belongs {
    Here,
    Elsewhere,
    Memd,
    Unknown,
}

/// What all turns of one row share.
struct Origin<'a> {
    offset: u64,
    row: &'a Row<'a>,
    parts: u32,
    seen: bool,
}

impl<'r, 's> Reader<'r, 's> {
    pub fn new(path: &Path, from: u64, reading: &'r Reading<'r>, sink: &'s mut dyn Sink) -> Self {
        Self {
            reading,
            sink,
            coverage: Coverage {
                source: path.to_string_lossy().into_owned(),
                start: from,
                end: from,
                ..Coverage::default()
            },
            tree: Tree::default(),
            calls: Calls::default(),
            queued: VecDeque::new(),
            places: VecDeque::new(),
            belongs: Belongs::Unknown,
            title: None,
            talked: from > 0,
            known: 0,
            unknown: 0,
        }
    }

    /// Everything before this offset needs no second reading.
    pub fn reached(&mut self, end: u64) {
        self.coverage.end = end;
    }

    /// Counts material left out on purpose.
    pub fn skip(&mut self, why: &str) {
        note(&mut self.coverage.skipped, why);
    }

    /// Counts material that could not be read.
    pub fn unreadable(&mut self, why: &str) {
        note(&mut self.coverage.unreadable, why);
    }

    /// Reads one row.
    ///
    /// # Errors
    /// When its body is damaged; nothing has happened then.
    pub fn row(&mut self, offset: u64, row: &Row<'_>) -> Result<(), serde_json::Error> {
        if row.is_talk()
            && let Some(why) = self.is_foreign(row)
        {
            self.known += 1;
            self.skip(why);
            return Ok(());
        }
        let body = row.body()?;
        self.known += 1;
        if !row.is_sidechain.is_true() {
            self.grow(row, &body);
        }
        match body {
            Body::Passed | Body::Leaf | Body::NoRow => {}
            Body::Unknown => self.unknown_type(row),
            Body::Title(title) => self.note_title(offset, row, &title),
            body => match self.is_foreign(row).or_else(|| self.is_left_out(row)) {
                Some(why) => self.skip(why),
                None => self.talk(offset, row, body),
            },
        }
        Ok(())
    }

    fn talk(&mut self, offset: u64, row: &Row<'_>, body: Body<'_>) {
        let mut origin = Origin {
            offset,
            row,
            parts: 0,
            seen: row.uuid.text().is_some_and(|id| (self.reading.seen)(id)),
        };
        match body {
            Body::User(message) => self.user(&mut origin, message.content),
            Body::Assistant(message) => self.assistant(&mut origin, message),
            Body::Queued { prompt, mode } => self.queued(&mut origin, prompt, &mode),
            Body::Recap(text) => {
                if let Some(text) = text.text() {
                    self.emit(&mut origin, Role::Note, text, None);
                }
            }
            _ => {}
        }
    }

    /// Adds the row to the conversation's tree.
    fn grow(&mut self, row: &Row<'_>, body: &Body<'_>) {
        if let (Body::Leaf, Some(leaf)) = (body, row.leaf_uuid.text()) {
            self.tree.set_leaf(leaf);
        }
        if let Some(id) = row.uuid.text() {
            let parent = row.parent_uuid.text().or(row.logical_parent_uuid.text());
            let prompt = match body {
                Body::User(message) => !row.is_meta.is_true() && is_prompt(&message.content),
                _ => false,
            };
            self.tree.add(id, parent, prompt);
        }
    }

    /// Whether the row is of another project, or memd's own.
    fn is_foreign(&mut self, row: &Row<'_>) -> Option<&'static str> {
        if let Some(cwd) = row.cwd.text() {
            self.belongs = self.belongs(cwd);
        }
        match self.belongs {
            Belongs::Memd => Some("memd's own session"),
            Belongs::Elsewhere => Some("row of another project"),
            Belongs::Unknown if self.reading.project.is_some() => Some("row without a directory"),
            Belongs::Here | Belongs::Unknown => None,
        }
    }

    fn is_left_out(&mut self, row: &Row<'_>) -> Option<&'static str> {
        if let Some(session) = row.session_id.text() {
            self.session(session);
        }
        match () {
            () if row.is_sidechain.is_true() => Some("row of a sub-agent"),
            () if row.team_name.text().is_some() => Some("row of a team-mate"),
            () if row.is_meta.is_true() => Some("remark of the tool"),
            () => None,
        }
    }

    fn belongs(&mut self, cwd: &str) -> Belongs {
        if let Some((_, belongs)) = self.places.iter().rev().find(|(known, _)| known == cwd) {
            return *belongs;
        }
        let path = Path::new(cwd);
        let belongs = match self.reading.project {
            _ if self.reading.own.is_own(path) => Belongs::Memd,
            Some(project) if !project(path) => Belongs::Elsewhere,
            _ => Belongs::Here,
        };
        if self.places.len() == REMEMBERED {
            self.places.pop_front();
        }
        self.places.push_back((cwd.to_owned(), belongs));
        belongs
    }

    fn session(&mut self, session: &str) {
        let sessions = &mut self.coverage.sessions;
        if sessions.len() < SESSIONS && sessions.last().map(String::as_str) != Some(session) {
            let known = sessions.iter().any(|s| s == session);
            if !known {
                sessions.push(session.to_owned());
            }
        }
    }

    fn user(&mut self, origin: &mut Origin<'_>, content: Content<'_>) {
        let summary = origin.row.is_compact_summary.is_true();
        if !summary && origin.row.is_visible_in_transcript_only.is_true() {
            return self.skip("remark of the tool");
        }
        match content {
            Content::Nothing => {}
            Content::Text(text) => self.user_text(origin, &text, summary, Came::Typed),
            Content::Blocks(blocks) => {
                for block in blocks {
                    self.user_block(origin, &block, summary);
                }
            }
        }
    }

    fn user_block(&mut self, origin: &mut Origin<'_>, block: &Block<'_>, summary: bool) {
        match block.kind.text() {
            Some("text") => {
                if let Some(text) = block.text.text() {
                    self.user_text(origin, text, summary, Came::Typed);
                }
            }
            Some("tool_result") => self.tool_result(origin, block),
            Some("image" | "document") => self.skip("image or document"),
            _ => {}
        }
    }

    fn user_text(&mut self, origin: &mut Origin<'_>, text: &str, summary: bool, came: Came) {
        if summary || text.trim_start().starts_with(CONTINUED) {
            return self.summary(origin, text);
        }
        match said(text) {
            Said::Nothing(why) => self.skip(why),
            Said::ShellOutput(output) => {
                self.emit(origin, Role::ToolResult, &output, Some(shell()));
            }
            Said::Prompt(prompt) => {
                if self.is_copy(came, &prompt) {
                    self.skip("copy of a queued prompt");
                } else {
                    self.emit(origin, Role::User, &prompt, None);
                }
            }
            Said::Slash(line) | Said::Shell(line) => self.emit(origin, Role::User, &line, None),
        }
    }

    /// A compaction summary stands for rows that are read themselves, unless they are in a file
    /// that is gone.
    fn summary(&mut self, origin: &mut Origin<'_>, text: &str) {
        if self.talked {
            return self.skip("compaction summary");
        }
        self.emit(origin, Role::Note, text, None);
    }

    /// Whether this prompt came before the other way: a prompt that was typed while the agent was
    /// busy may stand both as an attachment and as a row.
    fn is_copy(&mut self, came: Came, prompt: &str) -> bool {
        let hash = TextHash::of(prompt.trim());
        let other = |(c, h): &(Came, TextHash)| *c != came && *h == hash;
        if let Some(at) = self.queued.iter().rposition(other) {
            self.queued.remove(at);
            return true;
        }
        if self.queued.len() == 8 {
            self.queued.pop_front();
        }
        self.queued.push_back((came, hash));
        false
    }

    fn queued(&mut self, origin: &mut Origin<'_>, prompt: Content<'_>, mode: &Given<'_>) {
        if mode
            .text()
            .is_some_and(|mode| mode != "prompt" && mode != "bash")
        {
            return self.skip("notification of the tool");
        }
        match prompt {
            Content::Nothing => {}
            Content::Text(text) => self.user_text(origin, &text, false, Came::Queued),
            Content::Blocks(blocks) => {
                for text in blocks.iter().filter_map(|block| block.text.text()) {
                    self.user_text(origin, text, false, Came::Queued);
                }
            }
        }
    }

    fn assistant(&mut self, origin: &mut Origin<'_>, message: Message<'_>) {
        if message.model.text() == Some("<synthetic>") {
            return self.skip("remark of the tool");
        }
        match message.content {
            Content::Nothing => {}
            Content::Text(text) => self.emit(origin, Role::Assistant, &text, None),
            Content::Blocks(blocks) => {
                for block in blocks {
                    self.assistant_block(origin, &block);
                }
            }
        }
    }

    fn assistant_block(&mut self, origin: &mut Origin<'_>, block: &Block<'_>) {
        match block.kind.text() {
            Some("text") => {
                if let Some(text) = block.text.text() {
                    self.emit(origin, Role::Assistant, text, None);
                }
            }
            Some("tool_use" | "server_tool_use") => {
                let name = block.name.text().unwrap_or("tool");
                let call = Call::of(name, &block.input);
                let context = call.context.clone();
                if let Some(id) = block.id.text() {
                    self.calls.add(id, call);
                }
                let line = action(name, &block.input);
                self.emit(origin, Role::ToolCall, &line, Some(context));
            }
            _ => {}
        }
    }

    fn tool_result(&mut self, origin: &mut Origin<'_>, block: &Block<'_>) {
        let call = block.tool_use_id.text().and_then(|id| self.calls.get(id));
        if call.is_some_and(|call| call.own) {
            return self.skip("memd's own output");
        }
        let tool = call.map(|call| call.context.clone());
        let text = &block.content.0;
        if let Some(words) = users_words(origin.row, tool.as_ref(), text) {
            return self.emit(origin, Role::User, &words, None);
        }
        let role = if block.is_error.is_true() {
            Role::Error
        } else {
            Role::ToolResult
        };
        self.emit(origin, role, without_trailing_reminders(text), tool);
    }

    fn emit(&mut self, origin: &mut Origin<'_>, role: Role, text: &str, tool: Option<ToolContext>) {
        let part = origin.parts;
        origin.parts += 1;
        self.talked = true;
        let Some(text) = own::without_brief(text) else {
            return self.skip("memd's own brief");
        };
        if text.trim().is_empty() {
            return;
        }
        if origin.seen {
            self.coverage.seen += 1;
            return;
        }
        let row = origin.row;
        let turn = Turn {
            role,
            text: Raw::new(text.trim()),
            place: Place {
                source: self.coverage.source.clone(),
                offset: origin.offset,
            },
            session: row.session_id.text().unwrap_or_default().to_owned(),
            id: row.uuid.text().map(|id| format!("{id}#{part}")),
            at: instant(&row.timestamp),
            cwd: row.cwd.text().map(PathBuf::from),
            tool,
            abandoned: false,
        };
        self.hand_on(turn);
    }

    fn hand_on(&mut self, turn: Turn) {
        let role = turn.role;
        if self.sink.take(turn) {
            self.coverage.found.add(role);
        } else {
            self.skip("row that stands twice");
        }
    }

    fn note_title(&mut self, offset: u64, row: &Row<'_>, title: &Given<'_>) {
        if let Some(title) = title.text().filter(|t| !t.trim().is_empty()) {
            let session = row.session_id.text().unwrap_or_default().to_owned();
            self.title = Some((offset, session, title.to_owned()));
        }
    }

    /// Hands on the last title, when there is something that it is the title of.
    pub fn title(&mut self) {
        if self.coverage.found.total() == 0 {
            return;
        }
        let Some((offset, session, title)) = self.title.take() else {
            return;
        };
        let id = format!("title:{session}:{}", &TextHash::of(&title).as_str()[..16]);
        if (self.reading.seen)(&id) {
            return;
        }
        self.hand_on(Turn {
            role: Role::Note,
            text: Raw::new(format!("Title of the session: {}", title.trim())),
            place: Place {
                source: self.coverage.source.clone(),
                offset,
            },
            session,
            id: Some(id),
            at: None,
            cwd: None,
            tool: None,
            abandoned: false,
        });
    }

    fn unknown_type(&mut self, row: &Row<'_>) {
        self.unknown += 1;
        // The name is foreign text: only what a type's name is made of gets into the coverage.
        let name: String = row
            .kind
            .text()
            .unwrap_or_default()
            .chars()
            .filter(|c| c.is_ascii_lowercase() || *c == '-' || *c == '_')
            .take(24)
            .collect();
        self.skip(&format!("row of unknown type {name}"));
    }

    /// A file none of whose rows is known is of a format that memd does not know.
    pub fn unknown_format(&mut self) {
        if self.unknown > 0 && self.unknown == self.known {
            self.unreadable("session in a format that this version does not know");
        }
    }
}

/// Counts a reason. Some name types of rows, which a file may hold any number of.
fn note(into: &mut BTreeMap<String, u32>, why: &str) {
    let why = if into.len() < REASONS || into.contains_key(why) {
        why
    } else {
        "other reasons"
    };
    if let Some(n) = into.get_mut(why) {
        *n = n.saturating_add(1);
    } else {
        into.insert(why.to_owned(), 1);
    }
}
