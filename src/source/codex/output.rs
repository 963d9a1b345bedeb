//! What a tool's answer holds: its text without the lines that Codex puts before it, and whether it
//! failed. Both are told by those lines and by fields, never by what the tool printed.

use super::row::Pieces;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// An answer.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Output {
    /// What it says.
    pub text: String,
    /// Whether the tool failed.
    pub failed: bool,
}

/// Tools of Codex's own that put lines before every answer; what comes without them was refused.
const OWN_TOOLS: [&str; 8] = [
    "exec_command",
    "write_stdin",
    "shell",
    "shell_command",
    "local_shell",
    "container.exec",
    "apply_patch",
    "exec",
];
/// How Codex says that it did not run one of its own tools.
const REFUSED: [&str; 8] = [
    "exec_command failed",
    "write_stdin failed",
    "apply_patch verification failed",
    "failed to ",
    "failed for ",
    "execution error",
    "aborted by user",
    "command rejected",
];
/// Lines that stand before an answer.
const HEADERS: [&str; 9] = [
    "Chunk ID: ",
    "Wall time",
    "Process exited with code ",
    "Process running with session ID ",
    "Original token count: ",
    "Exit code: ",
    "Total output lines: ",
    "Script completed",
    "Script ",
];
/// At most so many lines stand before an answer.
const MOST: usize = 10;

/// An answer as an object: what a shell gave, or what a tool's server did.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Object<'a> {
    #[serde(borrow)]
    output: Pieces<'a>,
    #[serde(borrow)]
    content: Pieces<'a>,
    success: Option<bool>,
    #[serde(rename = "isError")]
    is_error: Option<bool>,
    metadata: Metadata,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Metadata {
    exit_code: Option<i64>,
}

/// Reads the answer of the tool of this name.
pub(super) fn output(raw: &RawValue, tool: Option<&str>) -> Output {
    let json = raw.get();
    if json.starts_with('{') {
        return object(json).unwrap_or_default();
    }
    let pieces: Pieces<'_> = serde_json::from_str(json).unwrap_or_default();
    let texts: Vec<&str> = pieces.texts().collect();
    let [first, rest @ ..] = &texts[..] else {
        return Output::default();
    };
    if rest.is_empty()
        && first.starts_with('{')
        && let Some(output) = object(first)
    {
        return output;
    }
    let mut output = plain(first, tool);
    for text in rest.iter().filter(|text| !text.trim().is_empty()) {
        output.text = format!("{}\n{text}", output.text.trim_end());
    }
    output
}

/// An object of the known kinds; none where it is something that a tool printed.
fn object(json: &str) -> Option<Output> {
    let object: Object<'_> = serde_json::from_str(json).ok()?;
    let is_shell = object.metadata.exit_code.is_some();
    if !is_shell && object.success.is_none() && object.is_error.is_none() {
        return None;
    }
    let pieces = if is_shell {
        object.output
    } else {
        object.content
    };
    let texts: Vec<&str> = pieces.texts().collect();
    let failed = object.metadata.exit_code.is_some_and(|code| code != 0)
        || object.success == Some(false)
        || object.is_error == Some(true);
    let text = texts.join("\n");
    let inner = plain(&text, None);
    Some(Output {
        failed: failed || inner.failed,
        ..inner
    })
}

/// An answer that is a text.
pub(super) fn plain(text: &str, tool: Option<&str>) -> Output {
    let is_own = tool.is_none_or(|tool| OWN_TOOLS.contains(&tool));
    if let Some((failed, body)) = headed(text, is_own) {
        let text = body.to_owned();
        return Output { text, failed };
    }
    Output {
        text: text.to_owned(),
        failed: is_own && REFUSED.iter().any(|start| text.starts_with(start)),
    }
}

/// The text behind the lines that Codex puts before it, and whether they tell of a failure. Before
/// what other tools say it puts only the time that they took.
fn headed(text: &str, is_own: bool) -> Option<(bool, &str)> {
    let mut failed = false;
    let mut rest = text;
    for _ in 0..MOST {
        let (line, behind) = rest.split_once('\n').unwrap_or((rest, ""));
        if line.trim_end() == "Output:" {
            return (rest.len() < text.len()).then_some((failed, behind));
        }
        let mut headers = HEADERS.iter().filter(|h| is_own || h.starts_with("Wall"));
        if !headers.any(|header| line.starts_with(header)) {
            return None;
        }
        let code = line
            .strip_prefix("Process exited with code ")
            .or_else(|| line.strip_prefix("Exit code: "));
        failed |= code.is_some_and(|code| code.trim() != "0");
        failed |= line.starts_with("Script failed") || line.starts_with("Script error");
        rest = behind;
    }
    None
}

/// What a patch changes, as one line.
pub(super) fn patch(text: &str) -> Option<(Cow<'_, str>, &str)> {
    let files: Vec<(&str, &str)> = text.lines().filter_map(change).take(FILES).collect();
    let (_, first) = files.first()?;
    let lines: Vec<String> = files
        .iter()
        .map(|(what, f)| format!("{what} {f}"))
        .collect();
    Some((lines.join("; ").into(), first))
}

/// Files named of one patch.
const FILES: usize = 50;

fn change(line: &str) -> Option<(&str, &str)> {
    let line = line.strip_prefix("*** ")?;
    let (what, file) = line.split_once(" File: ")?;
    matches!(what, "Add" | "Update" | "Delete").then_some((what, file.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &serde_json::Value, tool: &str) -> (String, bool) {
        let raw = serde_json::value::to_raw_value(json).unwrap();
        let output = output(&raw, Some(tool));
        (output.text, output.failed)
    }

    #[test]
    fn the_lines_before_an_answer_tell_whether_it_failed() {
        use serde_json::json;
        let shell = |code: i64| json!({"output": "x", "metadata": {"exit_code": code}}).to_string();
        for (json, text, failed) in [
            (
                json!(
                    "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 2\nOutput:\nok\n"
                ),
                "ok\n",
                false,
            ),
            (
                json!(
                    "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nno\n"
                ),
                "no\n",
                true,
            ),
            (
                json!("Exit code: 1\nWall time: 0 seconds\nOutput:\nno"),
                "no",
                true,
            ),
            (json!(shell(0)), "x", false),
            (json!(shell(1)), "x", true),
            (json!({"content": "y", "success": false}), "y", true),
            (
                json!({"content": [{"type": "text", "text": "y"}], "isError": false}),
                "y",
                false,
            ),
            (
                json!([{"type": "input_text", "text": "Script completed\nWall time 0.3 seconds\nOutput:\n"}, {"type": "input_text", "text": "found"}, {"type": "input_image", "image_url": "data:"}]),
                "\nfound",
                false,
            ),
            (
                json!("exec_command failed for `ls`: denied"),
                "exec_command failed for `ls`: denied",
                true,
            ),
            // What a tool printed tells nothing.
            (json!("{\"exit_code\": 1}"), "{\"exit_code\": 1}", false),
            (json!("Output:\nx"), "Output:\nx", false),
            (json!(7), "", false),
        ] {
            assert_eq!(
                read(&json, "exec_command"),
                (text.to_owned(), failed),
                "{json}"
            );
        }
        for (words, text) in [
            ("failed to parse", "failed to parse"),
            ("Exit code: 1\nOutput:\nx", "Exit code: 1\nOutput:\nx"),
            ("Wall time: 1.0 seconds\nOutput:\nx", "x"),
        ] {
            assert_eq!(read(&json!(words), "fetch"), (text.to_owned(), false));
        }
    }

    #[test]
    fn a_patch_is_one_line_of_its_files() {
        let text = "*** Begin Patch\n*** Update File: a.rs\n@@\n-x\n+y\n*** Add File: b c.rs\n+z\n*** End Patch";
        let (line, first) = patch(text).unwrap();
        assert_eq!((&*line, first), ("Update a.rs; Add b c.rs", "a.rs"));
        assert_eq!(patch("nothing"), None);
    }
}
