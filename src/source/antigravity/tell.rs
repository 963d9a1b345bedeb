//! From steps to turns.

use super::call::{Call, Waiting};
use super::conversation::Conversation;
use super::step::{Step, What};
use crate::digest::Coverage;
use crate::source::action::beginning;
use crate::source::id::message_id;
use crate::source::intake::{Intake, Part, UNKNOWN_STEP, understood};
use crate::source::session::Session;
use crate::source::{Reading, Role, Sink, SourceError, ToolContext};
use std::ops::Range;

/// Steps before a range that are looked at for the calls which it answers.
const BEFORE: u64 = 16;

/// Hands on the turns of a range of steps.
///
/// # Errors
/// When the conversation cannot be read now.
pub(super) fn read(
    session: &Session,
    range: Range<u64>,
    reading: &Reading<'_>,
    sink: &mut dyn Sink,
) -> Result<Coverage, SourceError> {
    let conversation = Conversation::of(session);
    let root = session.root.as_ref().map(|dir| dir.to_string_lossy());
    let id = conversation.id.clone();
    let mut intake = Intake::new(&session.key, range.start, reading, sink);
    intake.session(&id);
    let store = conversation.open()?;
    let end = range.end.min(store.size()).max(range.start);
    // What is not of the project, or of nobody knows which, does not count as read: that may change.
    if let Some(why) = intake.is_foreign(root.as_deref()) {
        intake.skip(why);
        return Ok(intake.coverage);
    }
    let mut teller = Teller {
        intake,
        conversation: &id,
        root: root.as_deref(),
        waiting: Waiting::default(),
    };
    let (steps, end) = store.of(range.start.saturating_sub(BEFORE)..end)?;
    for step in steps {
        match step.index < range.start {
            true => teller.look(&step.what),
            false => teller.step(step),
        }
    }
    for _ in 0..store.damaged().min(1000) {
        teller.intake.unreadable("damaged line");
    }
    understood(session, teller.finish(end.max(range.start)))
}

struct Teller<'a, 'r, 's> {
    intake: Intake<'r, 's>,
    conversation: &'a str,
    root: Option<&'a str>,
    waiting: Waiting,
}

impl Teller<'_, '_, '_> {
    /// A step that was read before: it may have made calls that are answered now.
    fn look(&mut self, what: &What) {
        match what {
            What::User(_) => self.waiting.clear(),
            What::Model { calls, .. } => self.waiting.add(calls),
            What::Answer { kind, .. } => {
                self.waiting.answered(kind);
            }
            _ => {}
        }
    }

    fn step(&mut self, step: Step) {
        match &step.what {
            What::User(text) => {
                self.waiting.clear();
                self.say(&step, 0, Role::User, text, None);
            }
            What::Model { text, calls } => {
                self.waiting.add(calls);
                self.say(&step, 0, Role::Assistant, text, None);
                for (n, call) in (1..).zip(calls) {
                    self.say(&step, n, Role::ToolCall, &call.line, Some(call.context()));
                }
            }
            What::Error(text) => self.say(&step, 0, Role::Error, text, None),
            What::Answer { .. } => self.answer(&step),
            What::Nothing(why) => self.intake.skip(why),
            What::Unknown(kind) => self.intake.skip(&format!("{UNKNOWN_STEP}{kind}")),
            What::Damaged => self.intake.unreadable("damaged step"),
        }
    }

    fn answer(&mut self, step: &Step) {
        let What::Answer {
            kind,
            text,
            path,
            command,
            failed,
        } = &step.what
        else {
            return;
        };
        let call = self.waiting.answered(kind);
        let runs_memd = |command: &str| crate::source::own::is_own_command(command);
        if call.as_ref().is_some_and(|call| call.own) || command.as_deref().is_some_and(runs_memd) {
            return self.intake.skip("memd's own output");
        }
        let mut context = call.map_or_else(ToolContext::default, |call: Call| call.context());
        if context.name.is_empty() {
            context.name = (*kind).to_owned();
        }
        context.path = path.clone().or(context.path);
        context.command = command.as_deref().map(beginning).or(context.command);
        let role = match failed {
            true => Role::Error,
            false => Role::ToolResult,
        };
        self.say(step, 0, role, text, Some(context));
    }

    /// Hands on a part of a step. Its id holds the words: the tool may go back to an earlier step and
    /// write another one under its number.
    fn say(&mut self, step: &Step, part: u32, role: Role, text: &str, tool: Option<ToolContext>) {
        let (index, n) = (step.index.to_string(), part.to_string());
        let id = message_id(&["antigravity", self.conversation, &index, &n, text.trim()]);
        let part = Part {
            offset: step.index,
            id: Some((&id, 0)),
            session: self.conversation,
            at: step.at,
            cwd: self.root,
            tool,
            abandoned: false,
        };
        self.intake.part(role, text, part);
    }

    fn finish(mut self, end: u64) -> Coverage {
        self.intake.coverage.end = end;
        self.intake.coverage
    }
}
