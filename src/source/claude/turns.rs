//! From rows to turns: who speaks, what is material, what is not.

use super::row::{Block, Body, Content, Message, Row};
use super::tree::Tree;
use super::words::{instant, is_prompt, is_typed, is_typed_mode, shell, users_words};
use super::wrapped::{CONTINUED, Said, said, without_trailing_reminders};
use crate::source::action::{Call, Calls, action};
use crate::source::given::Given;
use crate::source::intake::{Intake, Part};
use crate::source::{Reading, Role, Sink, ToolContext};
use crate::text::TextHash;
use std::collections::VecDeque;
use std::path::Path;

/// Why a file cannot be read none of whose rows is known.
pub(super) const UNKNOWN_FORMAT: &str = "session in a format that this version does not know";

/// The state of reading one file.
pub(super) struct Reader<'r, 's> {
    pub intake: Intake<'r, 's>,
    pub tree: Tree,
    calls: Calls,
    /// Hashes of the latest prompts, to tell a queued one from its copy.
    queued: VecDeque<(Came, TextHash)>,
    title: Option<(u64, String, String)>,
    /// The shell command that the person typed last.
    typed: String,
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

/// What all turns of one row share.
struct Origin<'a> {
    offset: u64,
    row: &'a Row<'a>,
    parts: u32,
}

impl<'r, 's> Reader<'r, 's> {
    pub fn new(path: &Path, from: u64, reading: &'r Reading<'r>, sink: &'s mut dyn Sink) -> Self {
        Self {
            intake: Intake::new(&path.to_string_lossy(), from, reading, sink),
            tree: Tree::default(),
            calls: Calls::default(),
            queued: VecDeque::new(),
            title: None,
            typed: String::new(),
            talked: from > 0,
            known: 0,
            unknown: 0,
        }
    }

    fn skip(&mut self, why: &str) {
        self.intake.skip(why);
    }

    /// Reads one row.
    ///
    /// # Errors
    /// When its body is damaged; nothing has happened then.
    pub fn row(&mut self, offset: u64, row: &Row<'_>) -> Result<(), serde_json::Error> {
        if self.intake.sink.listens() {
            row.heard(&self.calls, &mut |words| self.intake.sink.hear(words));
        }
        if row.is_talk()
            && let Some(why) = self.intake.is_foreign(row.cwd.text())
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
            body => match self.is_none_of_ours(row) {
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
                Body::User(message) => is_typed(row) && is_prompt(&message.content),
                _ => false,
            };
            self.tree.add(id, parent, prompt);
        }
    }

    fn is_none_of_ours(&mut self, row: &Row<'_>) -> Option<&'static str> {
        let foreign = self.intake.is_foreign(row.cwd.text());
        foreign.or_else(|| self.is_left_out(row))
    }

    fn is_left_out(&mut self, row: &Row<'_>) -> Option<&'static str> {
        if let Some(session) = row.session_id.text() {
            self.intake.session(session);
        }
        match () {
            () if row.is_sidechain.is_true() => Some("row of a sub-agent"),
            () if row.team_name.text().is_some() => Some("row of a team-mate"),
            () if row.is_meta.is_true() => Some("remark of the tool"),
            () => None,
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
            _ if came == Came::Typed && !is_typed(origin.row) => {
                self.skip("notification of the tool");
            }
            Said::ShellOutput(output) => {
                let shell = shell(&self.typed);
                self.emit(origin, Role::ToolResult, &output, Some(shell));
            }
            Said::Prompt(prompt) => {
                if self.is_copy(came, &prompt) {
                    self.skip("copy of a queued prompt");
                } else {
                    self.emit(origin, Role::User, &prompt, None);
                }
            }
            Said::Slash(line) => self.emit(origin, Role::User, &line, None),
            Said::Shell(line) => {
                self.emit(origin, Role::User, &line, None);
                self.typed = line;
            }
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
        if !is_typed_mode(mode) {
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
        let row = origin.row;
        let part = Part {
            offset: origin.offset,
            id: row.uuid.text().map(|id| (id, part)),
            session: row.session_id.text().unwrap_or_default(),
            at: instant(&row.timestamp),
            cwd: row.cwd.text(),
            tool,
            abandoned: false,
        };
        self.intake.part(role, text, part);
    }

    fn note_title(&mut self, offset: u64, row: &Row<'_>, title: &Given<'_>) {
        if let Some(title) = title.text().filter(|t| !t.trim().is_empty()) {
            let session = row.session_id.text().unwrap_or_default().to_owned();
            self.title = Some((offset, session, title.to_owned()));
        }
    }

    /// Hands on the last title, when there is something that it is the title of.
    pub fn title(&mut self) {
        if self.intake.coverage.found.total() == 0 {
            return;
        }
        let Some((offset, session, title)) = self.title.take() else {
            return;
        };
        let id = format!("title:{session}:{}", &TextHash::of(&title).as_str()[..16]);
        if (self.intake.reading.seen)(&id) {
            return;
        }
        let title = format!("Title of the session: {}", title.trim());
        let part = Part {
            offset,
            id: Some((&id, 0)),
            session: &session,
            ..Part::default()
        };
        self.intake.part(Role::Note, &title, part);
    }

    fn unknown_type(&mut self, row: &Row<'_>) {
        self.unknown += 1;
        self.intake
            .unknown_type(row.kind.text().unwrap_or_default());
    }

    /// A file none of whose rows is known is of a format that memd does not know.
    pub fn unknown_format(&mut self) {
        if self.unknown > 0 && self.unknown == self.known {
            self.intake.unreadable(UNKNOWN_FORMAT);
        }
    }
}
