//! Tool calls of a session: which commands were run and which files were changed.
//!
//! Reads the one-line form that the digest gives a call: the tool's name, then its input. Says
//! nothing about results but whether the next line is an error.

use super::session::Session;
use crate::digest::Line;
use crate::source::Role;

/// A shell command that a session ran.
pub(super) struct Run<'d> {
    pub(super) command: String,
    /// Its end is not cut off.
    pub(super) whole: bool,
    pub(super) line: &'d Line,
    /// Its place in [`Session::lines`].
    pub(super) at: usize,
    /// No error follows it.
    pub(super) passed: bool,
}

/// The tools that change a file.
const EDITORS: &[&str] = &["Edit", "MultiEdit", "Write", "NotebookEdit", "apply_patch"];

pub(super) fn runs<'d>(session: &Session<'d>) -> Vec<Run<'d>> {
    let calls = session
        .lines
        .iter()
        .enumerate()
        .filter(|(_, l)| l.role == Role::ToolCall);
    calls
        .filter_map(|(at, line)| {
            let (command, whole) = command(line.text.as_str())?;
            let passed = passed(session, at);
            Some(Run {
                command,
                whole,
                line,
                at,
                passed,
            })
        })
        .collect()
}

fn passed(session: &Session, at: usize) -> bool {
    let after = session.lines[at + 1..]
        .iter()
        .find(|l| l.role != Role::ToolCall);
    after.is_none_or(|l| {
        let text = l.text.as_str();
        l.role != Role::Error && !text.contains("error: ") && !text.contains("Exit code")
    })
}

/// The files that a stretch of a session changed.
#[derive(Default)]
pub(super) struct Edits {
    /// Their names, in the order of their first change.
    pub(super) files: Vec<String>,
    /// The place of the last change in [`Session::lines`].
    pub(super) last: Option<usize>,
}

/// What was changed from a place on.
pub(super) fn edits(session: &Session, from: usize) -> Edits {
    let mut edits = Edits::default();
    for (at, line) in session.lines.iter().enumerate().skip(from) {
        let text = line.text.as_str();
        let tool = text.split([' ', ':', '(']).next().unwrap_or_default();
        if line.role != Role::ToolCall || !EDITORS.contains(&tool) {
            continue;
        }
        let Some(path) = path(text).filter(|p| is_project_file(p)) else {
            continue;
        };
        edits.last = Some(at);
        let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
        if !edits.files.iter().any(|f| f == name) {
            edits.files.push(name.replace('`', "'"));
        }
    }
    edits
}

/// Not a scratch file, a plan or an agent's own notes.
fn is_project_file(path: &str) -> bool {
    let scratch = path.starts_with("/tmp/") && path.matches('/').count() < 4;
    !scratch && !OWN.iter().any(|own| path.contains(own))
}

/// Folders in which agents keep what is theirs.
const OWN: &[&str] = &[
    "/.claude/",
    "\\.claude\\",
    "/scratchpad/",
    "/memory/",
    "/private/tmp/",
];

/// The command of a shell call, and whether it is all there.
fn command(call: &str) -> Option<(String, bool)> {
    let (tool, input) = call.split_once([' ', ':', '('])?;
    if !SHELLS.contains(&tool) {
        return None;
    }
    let (command, whole) = field(input, "command").unwrap_or_else(|| bare(input));
    (!command.is_empty()).then_some((command, whole))
}

/// The tools that run a command line.
const SHELLS: &[&str] = &["Bash", "shell", "exec_command", "run_command"];

/// An input that is the command itself; an ellipsis at its end says that it was shortened.
fn bare(input: &str) -> (String, bool) {
    let command = input.trim_start_matches([':', ' ']).trim_end();
    let whole = command.trim_end_matches('…');
    (whole.to_owned(), whole.len() == command.len())
}

/// The file of an editing call.
fn path(call: &str) -> Option<String> {
    let (_, input) = call.split_once([' ', ':', '('])?;
    let path = match field(input, "file_path") {
        Some((path, _)) => path,
        None => bare(input)
            .0
            .split(" (")
            .next()
            .unwrap_or_default()
            .to_owned(),
    };
    (!path.is_empty()).then_some(path)
}

/// A string field of a JSON input that may be cut off, and whether it is all there.
fn field(input: &str, name: &str) -> Option<(String, bool)> {
    let (_, rest) = input.split_once(&format!("\"{name}\":"))?;
    let rest = rest.trim_start().strip_prefix('"')?;
    let mut out = String::new();
    let mut chars = rest.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => return Some((out, true)),
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some(other) => out.push(other),
                None => break,
            },
            c => out.push(c),
        }
    }
    Some((out, false))
}

/// The simple commands of a run's first line, without redirections and pipes; what may be cut off
/// is left out.
pub(super) fn simple(run: &Run) -> Vec<String> {
    let line = run.command.lines().next().unwrap_or_default();
    let whole = run.whole || run.command.contains('\n');
    let mut parts: Vec<&str> = line.split("&&").flat_map(|part| part.split(';')).collect();
    if !whole && !parts.last().is_some_and(|p| p.contains(['|', '>'])) {
        parts.pop();
    }
    parts.into_iter().filter_map(stripped).collect()
}

fn stripped(part: &str) -> Option<String> {
    let command = part
        .split(['|', '>', '<'])
        .next()
        .unwrap_or_default()
        .trim();
    let command = command
        .strip_suffix(" 2")
        .unwrap_or(command)
        .trim_end_matches([' ', '&']);
    (!command.is_empty()).then(|| command.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_gives_its_command_and_its_file() {
        let bash = r#"Bash {"command": "cd a && go test ./...", "x": 1}"#;
        assert_eq!(
            command(bash).unwrap(),
            ("cd a && go test ./...".to_owned(), true)
        );
        assert_eq!(
            command("Bash: make check").unwrap(),
            ("make check".to_owned(), true)
        );
        let cut = command(r#"Bash {"command": "git add a && git com"#).unwrap();
        assert!(!cut.1, "{cut:?}");
        assert_eq!(
            path(r#"Edit {"file_path": "/p/src/a.rs", "old"#).unwrap(),
            "/p/src/a.rs"
        );
        assert_eq!(path("Write src/b.rs").unwrap(), "src/b.rs");
        assert_eq!(command("Read /p/a"), None);
    }

    #[test]
    fn scratch_files_are_not_the_projects() {
        for own in [
            "/tmp/x.py",
            "/tmp/try/x.py",
            "/h/.claude/plans/p.md",
            "/p/memory/m.md",
        ] {
            assert!(!is_project_file(own), "{own}");
        }
        assert!(is_project_file("/tmp/home-a1/quayside/src/times.py"));
        assert!(is_project_file("src/times.py"));
    }

    #[test]
    fn pipes_and_redirections_are_no_part_of_a_command() {
        assert_eq!(
            stripped(" go test ./... 2>&1 | tail -5").unwrap(),
            "go test ./..."
        );
        assert_eq!(stripped("make lint > out").unwrap(), "make lint");
        assert_eq!(stripped(" | tail"), None);
    }
}
