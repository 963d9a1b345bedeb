//! Putting hooks into the text of a tool's settings, and taking them out again, step by step.
//!
//! A step replaces one stretch of text. Nothing else is touched, so order, indentation, unknown keys
//! and the hooks of others stay; and the steps, taken back in turn, give the former text.

use super::json::{Member, Node, SyntaxError, parse};
use super::ours::{command, parts};
use super::tool::{Hook, Tool};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

/// More than this many steps are never needed; a text that asks for more is left as it is.
const STEPS: usize = 1_000;

/// One stretch of text replaced by another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Where, in bytes of the text as the steps before left it.
    pub at: usize,
    /// What stood there.
    pub out: String,
    /// What stands there now.
    pub into: String,
}

/// What becomes of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The new text.
    pub text: String,
    /// How it came about; empty: nothing changes.
    pub steps: Vec<Step>,
}

/// The text with memd's hooks in it. What of them is there is brought up; what stands twice, or calls
/// memd 0.3, is replaced. An empty text is one without settings.
///
/// # Errors
/// When the text is no JSON object, or its hooks are of another shape.
pub fn install(text: &str, tool: Tool, binary: &Path) -> Result<Change, SyntaxError> {
    let mut edit = Edit::of(text);
    if text.trim().is_empty() {
        edit.replace(0..text.len(), "{}\n".to_owned());
    }
    for hook in tool.hooks() {
        let command = command(binary, hook.event)
            .ok_or_else(|| SyntaxError::at(text, 0, "the path of memd cannot be written down"))?;
        while let Some((span, into)) = missing(&edit.text, hook, &command)? {
            if edit.steps.len() >= STEPS {
                return Err(SyntaxError::at(
                    text,
                    0,
                    "memd's hooks stand here too often",
                ));
            }
            edit.replace(span, into);
        }
    }
    Ok(edit.done())
}

/// The text without any call of memd; lists and objects that held nothing else go too.
///
/// # Errors
/// As [`install`].
pub fn uninstall(text: &str) -> Result<Change, SyntaxError> {
    let mut edit = Edit::of(text);
    if text.trim().is_empty() {
        return Ok(edit.done());
    }
    while let Some(span) = superfluous(&shaped(&edit.text)?) {
        if edit.steps.len() >= STEPS {
            return Err(SyntaxError::at(
                text,
                0,
                "memd's hooks stand here too often",
            ));
        }
        edit.replace(span, String::new());
    }
    Ok(edit.done())
}

/// The text before these steps; `None` where they do not fit.
#[must_use]
pub fn undo(text: &str, steps: &[Step]) -> Option<String> {
    let mut text = text.to_owned();
    for step in steps.iter().rev() {
        let span = step.at..step.at.checked_add(step.into.len())?;
        (text.get(span.clone())? == step.into).then(|| text.replace_range(span, &step.out))?;
    }
    Some(text)
}

struct Edit {
    text: String,
    steps: Vec<Step>,
}

impl Edit {
    fn of(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            steps: Vec::new(),
        }
    }

    fn replace(&mut self, span: Range<usize>, into: String) {
        let out = self.text[span.clone()].to_owned();
        self.text.replace_range(span.clone(), &into);
        let at = span.start;
        self.steps.push(Step { at, out, into });
    }

    fn done(self) -> Change {
        Change {
            text: self.text,
            steps: self.steps,
        }
    }
}

/// The text as a tree, if its hooks are of the shape that all tools have.
fn shaped(text: &str) -> Result<Node, SyntaxError> {
    let root = parse(text)?;
    let wrong = |node: &Node, what: &str| Err(SyntaxError::at(text, node.span.start, what));
    if !root.is_object() {
        return wrong(&root, "settings are one JSON object");
    }
    let Some(hooks) = root.get("hooks") else {
        return Ok(root);
    };
    if !hooks.is_object() {
        return wrong(hooks, "\"hooks\" must be an object");
    }
    let lists = hooks.members().iter().map(|m| &m.value);
    match lists.into_iter().find(|list| !list.is_array()) {
        Some(list) => wrong(list, "the hooks of an event must be a list"),
        None => Ok(root),
    }
}

/// The next thing that is not as it should be for this hook: what to replace, and by what.
fn missing(
    text: &str,
    hook: &Hook,
    command: &str,
) -> Result<Option<(Range<usize>, String)>, SyntaxError> {
    let root = shaped(text)?;
    let style = Style::of(text, &root);
    let group = json!({"hooks": [handler(hook, command)]});
    let Some(hooks) = root.get("hooks") else {
        let all = json!({ hook.name: [group] });
        return Ok(Some(style.add_member(&root, "hooks", &all)));
    };
    let Some(list) = hooks.get(hook.name) else {
        return Ok(Some(style.add_member(hooks, hook.name, &json!([group]))));
    };
    let mut own = handlers(list);
    let Some(first) = own.next() else {
        return Ok(Some(style.add_item(list, &group)));
    };
    // A second call would do the same twice.
    if own.next().is_some() {
        drop(own);
        return Ok(superfluous_in(list, 1).map(|span| (span, String::new())));
    }
    let said = first.get("command").map(|c| (c, c.text()));
    if let Some((node, said)) = said
        && said != Some(command)
    {
        return Ok(Some((node.span.clone(), json!(command).to_string())));
    }
    if first.get("timeout").is_none() {
        return Ok(Some(style.add_member(
            first,
            "timeout",
            &json!(hook.timeout),
        )));
    }
    Ok(None)
}

fn handler(hook: &Hook, command: &str) -> Value {
    json!({"type": "command", "command": command, "timeout": hook.timeout})
}

fn is_own(handler: &Node) -> bool {
    let command = handler.get("command").and_then(Node::text);
    command.is_some_and(|command| parts(command).is_some())
}

/// memd's handlers in the list of an event.
fn handlers(list: &Node) -> impl Iterator<Item = &Node> {
    let groups = list.items().iter();
    let all = groups.flat_map(|g| g.get("hooks").map(Node::items).unwrap_or_default());
    all.filter(|h| is_own(h))
}

/// Some text that goes with a handler of memd's.
fn superfluous(root: &Node) -> Option<Range<usize>> {
    let hooks = root.get("hooks")?;
    for event in hooks.members() {
        let Some(span) = superfluous_in(&event.value, 0) else {
            continue;
        };
        let is_last = event.value.items().len() == 1
            && handlers(&event.value).count() == of_group(&event.value.items()[0]).len();
        if !is_last {
            return Some(span);
        }
        let is_only = hooks.members().len() == 1;
        return Some(match root.member("hooks") {
            Some(member) if is_only => out_of(root, &span_of(root.members()), span_of_one(member)),
            _ => out_of(hooks, &span_of(hooks.members()), span_of_one(event)),
        });
    }
    None
}

fn of_group(group: &Node) -> &[Node] {
    group.get("hooks").map(Node::items).unwrap_or_default()
}

/// What to take out of an event's list: the handler of memd's after so many others, with its group
/// where it stands there alone.
fn superfluous_in(list: &Node, skip: usize) -> Option<Range<usize>> {
    let mut left = skip;
    for group in list.items() {
        for handler in of_group(group).iter().filter(|h| is_own(h)) {
            if left > 0 {
                left -= 1;
                continue;
            }
            let groups: Vec<_> = list.items().iter().map(|n| n.span.clone()).collect();
            if of_group(group).len() == 1 {
                return Some(out_of(list, &groups, group.span.clone()));
            }
            let inner = group.get("hooks")?;
            let all: Vec<_> = inner.items().iter().map(|n| n.span.clone()).collect();
            return Some(out_of(inner, &all, handler.span.clone()));
        }
    }
    None
}

fn span_of_one(member: &Member) -> Range<usize> {
    member.start..member.value.span.end
}

fn span_of(members: &[Member]) -> Vec<Range<usize>> {
    members.iter().map(span_of_one).collect()
}

/// One of several, with the comma and the space that go with it.
fn out_of(inside: &Node, all: &[Range<usize>], one: Range<usize>) -> Range<usize> {
    let at = all.iter().position(|s| *s == one).unwrap_or(0);
    if at > 0 {
        all[at - 1].end..one.end
    } else if let Some(next) = all.get(1) {
        one.start..next.start
    } else {
        inside.span.start + 1..inside.span.end - 1
    }
}

/// How a text is laid out.
struct Style<'a> {
    text: &'a str,
    newline: &'static str,
    /// One level of indentation; `None`: all on one line.
    unit: Option<String>,
}

impl<'a> Style<'a> {
    fn of(text: &'a str, root: &Node) -> Self {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let first = root.members().first().map(|m| m.start);
        let unit = match first {
            None => Some("  ".to_owned()),
            Some(at) => indent(text, at).map(|i| if i.is_empty() { "  ".into() } else { i }),
        };
        Self {
            text,
            newline,
            unit,
        }
    }

    /// A member behind the last one of an object.
    fn add_member(&self, object: &Node, key: &str, value: &Value) -> (Range<usize>, String) {
        let last = object.members().last();
        let last = last.map(|m| (m.start, m.value.span.end));
        self.add(object, last, |level| {
            format!("{}: {}", json!(key), self.write(value, level))
        })
    }

    /// An item behind the last one of a list.
    fn add_item(&self, list: &Node, value: &Value) -> (Range<usize>, String) {
        let last = list.items().last().map(|n| (n.span.start, n.span.end));
        self.add(list, last, |level| self.write(value, level))
    }

    fn add(
        &self,
        inside: &Node,
        last: Option<(usize, usize)>,
        new: impl Fn(Option<&str>) -> String,
    ) -> (Range<usize>, String) {
        let newline = self.newline;
        if let Some((start, end)) = last {
            // As its neighbour: on a line of its own, or on the same line.
            let own_line = indent(self.text, start);
            let before = match &own_line {
                Some(level) => format!(",{newline}{level}"),
                None => ", ".to_owned(),
            };
            return (end..end, before + &new(own_line.as_deref()));
        }
        let inner = inside.span.start + 1..inside.span.end - 1;
        match &self.unit {
            Some(unit) => {
                let outer = line_indent(self.text, inside.span.start);
                let level = format!("{outer}{unit}");
                let new = new(Some(&level));
                (inner, format!("{newline}{level}{new}{newline}{outer}"))
            }
            None => (inner, new(None)),
        }
    }

    /// A value, its lines indented from this level on.
    fn write(&self, value: &Value, level: Option<&str>) -> String {
        let mut bytes = Vec::new();
        // Texts and numbers always serialize.
        let (Some(unit), Some(level)) = (&self.unit, level) else {
            let mut to = serde_json::Serializer::with_formatter(&mut bytes, OneLine);
            let _ = value.serialize(&mut to);
            return String::from_utf8_lossy(&bytes).into_owned();
        };
        let pretty = serde_json::ser::PrettyFormatter::with_indent(unit.as_bytes());
        let mut to = serde_json::Serializer::with_formatter(&mut bytes, pretty);
        let _ = value.serialize(&mut to);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        text.replace('\n', &format!("{}{level}", self.newline))
    }
}

/// As people write a value on one line: a space behind each colon and comma.
struct OneLine;

impl serde_json::ser::Formatter for OneLine {
    fn begin_array_value<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        to.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        to.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        to.write_all(b": ")
    }
}

/// The indentation of what begins here, where it begins its line.
fn indent(text: &str, at: usize) -> Option<String> {
    let before = &text[..at];
    let line = before.rfind('\n').map(|n| &before[n + 1..])?;
    line.bytes()
        .all(|b| matches!(b, b' ' | b'\t'))
        .then(|| line.to_owned())
}

/// The indentation of the line that this stands in.
fn line_indent(text: &str, at: usize) -> String {
    let before = &text[..at];
    let line = &before[before.rfind('\n').map_or(0, |n| n + 1)..];
    let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
    line[..blank].to_owned()
}

#[cfg(test)]
mod tests;
