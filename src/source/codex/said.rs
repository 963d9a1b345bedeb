//! What a text of a user message really is: Codex writes much into them that no user typed.

/// What was said.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said<'a> {
    /// A person's words.
    Prompt(&'a str),
    /// A shell command of the person's own, and what it printed.
    Shell {
        /// The command.
        command: &'a str,
        /// Its output.
        output: &'a str,
    },
    /// Written by the tool; the reason it is left out.
    Nothing(&'static str),
}

/// Beginnings of texts that the tool wrote.
const DROPPED: [&str; 24] = [
    "<environment_context",
    "# AGENTS.md",
    "<INSTRUCTIONS>",
    "<user_instructions",
    "<subagent_notification",
    "<turn_aborted",
    "<skill",
    "<recommended_plugins",
    "<image",
    "</image>",
    "<user_action",
    "<codex_internal_context",
    "<goal_context",
    "<additional_context",
    "<internal_model_context",
    "<hook_prompt",
    "<permissions instructions",
    "<model_switch",
    "<apps_instructions",
    "<collaboration_mode",
    "<multi_agent_mode",
    "<plugins_instructions",
    "<personality_spec",
    "<codex_delegation",
];

/// How a prompt begins that an editor sent with what was open there, and what the words stand behind.
const EDITOR: &str = "# Context from my IDE setup:";
const REQUEST: &str = "## My request for Codex:";

/// Tells what a text of a user message is.
pub(super) fn said(text: &str) -> Said<'_> {
    let text = text.trim();
    if text.is_empty() {
        return Said::Nothing("empty text");
    }
    if DROPPED.iter().any(|start| text.starts_with(start)) {
        return Said::Nothing("remark of the tool");
    }
    if text.starts_with("<user_shell_command>") {
        let part = |name| element(text, name).unwrap_or_default().trim();
        return match part("command") {
            "" => Said::Nothing("remark of the tool"),
            command => Said::Shell {
                command,
                output: part("result"),
            },
        };
    }
    if text.starts_with(EDITOR)
        && let Some((_, request)) = text.split_once(REQUEST)
    {
        return Said::Prompt(request.trim());
    }
    Said::Prompt(text)
}

/// The directory that the tool's description of the environment names, in its newer and in its
/// oldest form.
pub(super) fn directory(text: &str) -> Option<&str> {
    let text = text.trim();
    if !text.starts_with("<environment_context>") {
        return None;
    }
    let oldest = || {
        let (_, rest) = text.split_once("Current working directory: ")?;
        rest.lines().next()
    };
    let dir = element(text, "cwd").or_else(oldest)?.trim();
    (!dir.is_empty()).then_some(dir)
}

/// The content of the first element of this name.
fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let open = format!("<{name}>");
    let inside = &text[text.find(&open)? + open.len()..];
    inside.find(&format!("</{name}>")).map(|end| &inside[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_wrapped_texts() {
        for (text, expected) in [
            (" plain words\n", Said::Prompt("plain words")),
            ("<div>why?</div>", Said::Prompt("<div>why?</div>")),
            ("", Said::Nothing("empty text")),
            (
                "# Context from my IDE setup:\n\n## Active file: a.rs\n\n## My request for Codex:\nmend it\n",
                Said::Prompt("mend it"),
            ),
            (
                "<user_shell_command>\n<command>\nls\n</command>\n<result>\nExit code: 0\n</result>\n</user_shell_command>",
                Said::Shell {
                    command: "ls",
                    output: "Exit code: 0",
                },
            ),
        ] {
            assert_eq!(said(text), expected, "{text}");
        }
        for start in DROPPED {
            let text = format!("  {start} x>y");
            assert_eq!(said(&text), Said::Nothing("remark of the tool"));
        }
    }

    #[test]
    fn the_environment_names_its_directory() {
        for (text, dir) in [
            (
                "<environment_context>\n  <cwd>/a b</cwd>\n</environment_context>",
                Some("/a b"),
            ),
            (
                "<environment_context>\nCurrent working directory: /a\nApproval policy: never\n</environment_context>",
                Some("/a"),
            ),
            ("<environment_context></environment_context>", None),
            ("please print <environment_context><cwd>/a</cwd>", None),
        ] {
            assert_eq!(directory(text), dir, "{text}");
        }
    }
}
