//! From rows of a rollout to turns: who speaks, what is material, what is not.

use super::call::called;
use super::head::Head;
use super::output::{Output, output, plain};
use super::row::{Item, Kind, Row};
use super::said::{Said, directory, said};
use crate::source::action::Calls;
use crate::source::frame::{Spot, Took};
use crate::source::given::Given;
use crate::source::id::message_id;
use crate::source::intake::{Intake, Part};
use crate::source::walk::Walker;
use crate::source::{Reading, Role, Sink, ToolContext, row_id};
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, RandomState};

/// Turns that a person can go back from; nobody goes back farther.
const TURNS: usize = 64;
/// Different messages of a turn that are counted.
const COUNTED: usize = 100_000;

/// The state of reading one rollout.
pub(super) struct Reader<'r, 's> {
    pub intake: Intake<'r, 's>,
    head: Head,
    from: u64,
    cwd: Option<String>,
    /// The turn's own id.
    turn: Option<String>,
    /// How often a message stood in the turn, or, where there are none, in the session.
    times: HashMap<u64, u32>,
    calls: Calls,
    /// Ids of the messages of the latest turns, by their hash.
    turns: VecDeque<HashSet<u64>>,
    hash: RandomState,
    /// A row of the conversation was met.
    talked: bool,
}

/// Where the reading begins, when that is not at the beginning.
#[derive(Debug, Default)]
pub(super) struct Before {
    /// The directory of the turn that goes on.
    pub cwd: Option<String>,
    /// Its id.
    pub turn: Option<String>,
}

/// The last turn that begins in these bytes, which may begin anywhere.
pub(super) fn before(bytes: &[u8]) -> Before {
    for line in bytes.rsplit(|byte| *byte == b'\n') {
        let row = serde_json::from_slice::<Row<'_>>(line);
        let context = row.ok().filter(|row| row.kind() == Kind::Turn);
        let payload = context.and_then(|row| row.payload);
        let turn = payload.and_then(|raw| serde_json::from_str::<Item<'_>>(raw.get()).ok());
        if let Some(turn) = turn {
            return Before {
                cwd: turn.cwd.text().map(str::to_owned),
                turn: turn.turn_id.text().map(str::to_owned),
            };
        }
    }
    Before::default()
}

/// What the turns of one row share.
struct Origin<'a> {
    offset: u64,
    timestamp: &'a Given<'a>,
}

impl<'r, 's> Reader<'r, 's> {
    /// Reads the session that `key` names from `from` on.
    pub fn new(
        (key, from): (&str, u64),
        head: Head,
        before: Before,
        reading: &'r Reading<'r>,
        sink: &'s mut dyn Sink,
    ) -> Self {
        let mut intake = Intake::new(key, from, reading, sink);
        if let Some(id) = &head.id {
            intake.session(id);
        }
        Self {
            intake,
            from,
            cwd: before.cwd.or_else(|| head.cwd.clone()),
            turn: before.turn,
            head,
            times: HashMap::new(),
            calls: Calls::default(),
            turns: VecDeque::new(),
            hash: RandomState::new(),
            talked: from > 0,
        }
    }

    fn row(
        &mut self,
        offset: u64,
        row: &Row<'_>,
        object: &[u8],
    ) -> Result<Took, serde_json::Error> {
        let payload = row.payload.map_or(object, |raw| raw.get().as_bytes());
        let origin = Origin {
            offset,
            timestamp: &row.timestamp,
        };
        match row.kind() {
            Kind::NoRow => return Ok(Took::NoRow),
            Kind::Unknown(kind) => self.intake.unknown_type(kind),
            Kind::Meta | Kind::BareMeta | Kind::Passed => {}
            Kind::Turn => self.turn(&serde_json::from_slice(payload)?),
            Kind::Item | Kind::BareItem => self.item(&origin, &serde_json::from_slice(payload)?),
            Kind::Event => self.event(&origin, &serde_json::from_slice(payload)?),
            Kind::Compacted => self.summary(&origin, &serde_json::from_slice(payload)?),
        }
        Ok(Took::Row)
    }

    fn turn(&mut self, context: &Item<'_>) {
        if let Some(cwd) = context.cwd.text() {
            self.cwd = Some(cwd.to_owned());
        }
        self.begin(context);
    }

    /// A turn begins where its id is named first.
    fn begin(&mut self, item: &Item<'_>) {
        let Some(id) = item.turn_id.text() else {
            return;
        };
        if self.turn.as_deref() != Some(id) {
            self.turn = Some(id.to_owned());
            self.times.clear();
        }
    }

    fn event(&mut self, origin: &Origin<'_>, event: &Item<'_>) {
        match event.kind.text() {
            Some("task_started") => self.begin(event),
            Some("thread_rolled_back") => self.roll_back(event),
            Some("user_message" | "agent_message") if self.head.is_subagent => {}
            Some("user_message") if !self.head.has_prompts && self.is_ours() => {
                self.prompt(origin, &[event.message.text().unwrap_or_default()]);
            }
            Some("agent_message") if !self.head.has_replies && self.is_ours() => {
                let text = event.message.text().unwrap_or_default();
                self.emit(origin, Role::Assistant, text);
            }
            _ => {}
        }
    }

    fn item(&mut self, origin: &Origin<'_>, item: &Item<'_>) {
        if self.head.is_bare {
            let dir = item.content.texts().find_map(directory);
            self.cwd = dir.map(str::to_owned).or_else(|| self.cwd.take());
        }
        let kind = item.kind.text().unwrap_or_default();
        if matches!(kind, "reasoning" | "compaction") || !self.is_ours() {
            return;
        }
        match (kind, item.role.text()) {
            _ if self.head.is_subagent => self.subagent(origin, item),
            ("message", Some("user")) if self.head.has_prompts => self.user(origin, item),
            ("message", Some("assistant")) if self.head.has_replies => {
                let texts: Vec<&str> = item.content.texts().collect();
                self.emit(origin, Role::Assistant, &texts.join("\n"));
            }
            ("message", Some("developer" | "system")) => self.intake.skip("remark of the tool"),
            ("message", _) => {}
            (kind, _) if kind.ends_with("_output") => self.result(origin, item),
            (kind, _) if kind.ends_with("_call") => self.call(origin, item),
            _ => {}
        }
    }

    /// What another agent said is material where it is the result that came back, and stands in no
    /// session of the agent that asked.
    fn subagent(&mut self, origin: &Origin<'_>, item: &Item<'_>) {
        let is_result = item.phase.text() == Some("final_answer");
        if !self.head.is_lone || !is_result {
            return self.intake.skip("row of a sub-agent");
        }
        let texts: Vec<&str> = item.content.texts().collect();
        self.emit(origin, Role::ToolResult, &texts.join("\n"));
    }

    /// Whether rows that stand here are material; counts one that is not.
    fn is_ours(&mut self) -> bool {
        let foreign = self.intake.is_foreign(self.cwd.as_deref());
        foreign.inspect(|why| self.intake.skip(why)).is_none()
    }

    fn user(&mut self, origin: &Origin<'_>, item: &Item<'_>) {
        if item.content.has_image() {
            self.intake.skip("image or document");
        }
        let texts: Vec<&str> = item.content.texts().collect();
        self.prompt(origin, &texts);
    }

    /// What a person said, in one message.
    fn prompt(&mut self, origin: &Origin<'_>, texts: &[&str]) {
        let mut words = Vec::new();
        for text in texts {
            match said(text) {
                Said::Prompt(prompt) => words.push(prompt),
                Said::Nothing(why) => self.intake.skip(why),
                Said::Shell { command, output } => {
                    self.go_on();
                    self.emit(origin, Role::User, &format!("$ {command}"));
                    let output = plain(output, None);
                    let role = role_of(&output);
                    self.emit(origin, role, &output.text);
                }
            }
        }
        if !words.is_empty() {
            self.go_on();
            self.emit(origin, Role::User, &words.join("\n"));
        }
    }

    /// A person speaks: from here on can be gone back from.
    fn go_on(&mut self) {
        if self.turns.len() == TURNS {
            self.turns.pop_front();
        }
        self.turns.push_back(HashSet::new());
    }

    /// The user went back from the latest turns.
    fn roll_back(&mut self, event: &Item<'_>) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "as many as are remembered is enough"
        )]
        let count = match event.num_turns {
            Given::Number(n) => n as usize,
            _ => 0,
        };
        let kept = self.turns.len().saturating_sub(count);
        let gone: HashSet<u64> = self.turns.drain(kept..).flatten().collect();
        if !gone.is_empty() {
            let is_gone = |id: &str| gone.contains(&self.hash.hash_one(row_id(id)));
            let source = &self.intake.coverage.source;
            self.intake.sink.abandon(source, &is_gone);
        }
    }

    fn call(&mut self, origin: &Origin<'_>, item: &Item<'_>) {
        let Some(called) = called(item) else {
            return self.intake.skip("wait for a running command");
        };
        let context = called.call.context.clone();
        let call_id = item.call_id.text().or(item.id.text());
        if let Some(id) = call_id {
            self.calls.add(id, called.call);
        }
        let id = self.id_of(call_id.map(|id| ["call", id]), Role::ToolCall, &called.line);
        self.hand_on(origin, &id, Role::ToolCall, &called.line, Some(context));
    }

    fn result(&mut self, origin: &Origin<'_>, item: &Item<'_>) {
        let call_id = item.call_id.text();
        let call = call_id.and_then(|id| self.calls.get(id));
        if call.is_some_and(|call| call.own) {
            return self.intake.skip("memd's own output");
        }
        let tool = call.map(|call| call.context.clone());
        let Some(raw) = item.output else { return };
        let output = output(raw, tool.as_ref().map(|tool| tool.name.as_str()));
        let role = role_of(&output);
        let id = self.id_of(call_id.map(|id| ["result", id]), role, &output.text);
        self.hand_on(origin, &id, role, &output.text, tool);
    }

    /// A summary stands for rows that are read themselves, unless they are in a file that is gone.
    fn summary(&mut self, origin: &Origin<'_>, item: &Item<'_>) {
        if self.head.is_subagent || !self.is_ours() {
            return;
        }
        if self.talked {
            return self.intake.skip("compaction summary");
        }
        let text = item.message.text().unwrap_or_default();
        self.emit(origin, Role::Note, text);
    }

    fn emit(&mut self, origin: &Origin<'_>, role: Role, text: &str) {
        let id = self.id_of(None, role, text);
        self.hand_on(origin, &id, role, text, None);
    }

    /// A message's id: the same in every copy of the session, since what it is made of is copied as
    /// it is. Times are not: a fork writes its history with new ones.
    fn id_of(&mut self, call: Option<[&str; 2]>, role: Role, text: &str) -> String {
        let nowhere = String::new();
        let root = self.head.root.as_ref().unwrap_or(&nowhere);
        let scope = self.turn.as_ref().unwrap_or(root);
        if let Some([kind, id]) = call {
            return message_id(&["codex", scope, kind, id]);
        }
        let letter = role.letter().to_string();
        if self.times.len() >= COUNTED {
            self.times.clear();
        }
        let key = self.hash.hash_one((&letter, text.trim()));
        let times = self.times.entry(key).or_default();
        *times += 1;
        // Without turns, what stands before this range is not counted.
        let from = self.turn.as_ref().map_or(self.from, |_| 0);
        let nth = format!("{times}@{from}");
        message_id(&["codex", scope, &letter, text.trim(), &nth])
    }

    fn hand_on(
        &mut self,
        origin: &Origin<'_>,
        id: &str,
        role: Role,
        text: &str,
        tool: Option<ToolContext>,
    ) {
        self.talked = true;
        if let Some(turn) = self.turns.back_mut() {
            turn.insert(self.hash.hash_one(id));
        }
        let part = Part {
            offset: origin.offset,
            id: Some((id, 0)),
            session: self.head.id.as_deref().unwrap_or_default(),
            at: origin.timestamp.text().and_then(|text| text.parse().ok()),
            cwd: self.cwd.as_deref(),
            tool,
            abandoned: false,
        };
        self.intake.part(role, text, part);
    }
}

fn role_of(output: &Output) -> Role {
    match output.failed {
        true => Role::Error,
        false => Role::ToolResult,
    }
}

impl<'r, 's> Walker<'r, 's> for Reader<'r, 's> {
    fn intake(&mut self) -> &mut Intake<'r, 's> {
        &mut self.intake
    }

    fn object(
        &mut self,
        offset: u64,
        object: &[u8],
        spot: Spot,
    ) -> Result<Took, serde_json::Error> {
        let row: Row<'_> = serde_json::from_slice(object)?;
        // A part of a row that was cut has no envelope.
        if spot == Spot::Inside && row.payload.is_none() {
            return Ok(Took::NoRow);
        }
        self.row(offset, &row, object)
    }
}
