//! Words that memd itself lives on: what it asks of curators, what they answer in, its keys and
//! commands. Hidden wherever they stand they would break those without a word, so that none of them
//! is kept as a secret.

use crate::curator::SCHEMA;
use crate::curator::prompt::CHARTER;
use crate::redact::WITHHELD;
use crate::tui::keymap::TABLE;
use clap::CommandFactory;

/// Replies as curators write them, so that what is between two names is known as well.
const REPLIES: &str = r#"{"version":2,"summary":"","changes":[{"op":"add","file":"state.md","section":"","text":"","evidence":[]},{"op":"edit","entry":"","text":"","evidence":[]},{"op":"archive","entry":"","reason":"","evidence":[]}]}
{"version": 2, "summary": "", "changes": [{"op": "add", "file": "decisions.md", "section": "", "text": "", "evidence": []}, {"op": "archive", "entry": "", "reason": "", "evidence": []}]}
{"version":1,"state":"","decisions":"","mistakes":"","todo":"","archive":""}"#;

/// Placeholders and what stands for a part that could not be searched.
const MARKS: &str = "[REDACTED:also_secret#] [REDACTED:assignment#] [REDACTED:known_value#]";

/// Why a text is not kept as a secret; none: nothing speaks against it.
#[must_use]
pub(super) fn objection(text: &str) -> Option<&'static str> {
    let text = text.trim();
    if !text.chars().any(char::is_alphanumeric) {
        return Some("it has neither letters nor digits, and would be found in ordinary text");
    }
    is_own(text).then_some(
        "memd uses this word itself, in what it asks of curators, in their replies, or in its keys and commands: hidden everywhere it would break them. A longer text that holds it can be kept",
    )
}

fn is_own(text: &str) -> bool {
    let holds = |own: &str| own.contains(text);
    [REPLIES, MARKS, SCHEMA, CHARTER, WITHHELD]
        .into_iter()
        .any(holds)
        || TABLE
            .iter()
            .any(|b| holds(b.name) || holds(b.label) || holds(b.help))
        || in_commands(&crate::cli::Cli::command(), &holds)
}

/// Whether a name or help of a command or of anything below it holds something.
fn in_commands(command: &clap::Command, holds: &dyn Fn(&str) -> bool) -> bool {
    let about = command.get_about().map(ToString::to_string);
    holds(command.get_name())
        || about.is_some_and(|about| holds(&about))
        || command.get_arguments().any(|arg| {
            let help = arg.get_help().map(ToString::to_string);
            arg.get_long().is_some_and(holds) || help.is_some_and(|help| holds(&help))
        })
        || command.get_subcommands().any(|c| in_commands(c, holds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curator::reply;
    use crate::redact::Redactor;

    fn hiding(word: &str) -> Redactor {
        let redactor = Redactor::new(&[], &[7; 32]).0;
        let value = redactor.also(word).unwrap();
        redactor.hiding([value])
    }

    /// A reply with each name and each fixed value of the contract in it.
    const REPLY: &str = r#"{"version": 2, "summary": "Ports.", "changes": [
        {"op": "add", "file": "state.md", "section": "Net", "text": "- Port 8443", "evidence": [1]},
        {"op": "add", "file": "decisions.md", "text": "- Keep it", "evidence": [1]},
        {"op": "add", "file": "mistakes.md", "text": "- Lost it", "evidence": [1]},
        {"op": "edit", "entry": "ab12", "text": "- Port 80", "evidence": [1]},
        {"op": "archive", "entry": "cd34", "reason": "Gone.", "evidence": [1]}]}"#;

    #[test]
    fn no_word_that_is_kept_breaks_a_reply() {
        let whole = reply::parse(REPLY).unwrap();
        for word in [
            "changes",
            "version",
            "summary",
            "section",
            "evidence",
            "archive",
            "reason",
            "state.md",
            "decisions",
            "mistakes.md",
            "\"changes\":",
            "vidence",
            "REDACTED",
            "also_secret",
        ] {
            assert!(objection(word).is_some(), "{word}");
        }
        for word in [
            "kolibri-nest",
            "hunter2",
            "sommerregen",
            "Zanzibar-quokka-77",
        ] {
            assert_eq!(objection(word), None, "{word}");
            let (read, _) = reply::read(REPLY, &hiding(word)).unwrap();
            assert_eq!(read, whole, "{word}");
        }
        assert!(objection("......").is_some());
        // Kept all the same, it would take every change out of a reply without a word.
        let read = reply::read(REPLY, &hiding("changes")).map(|(reply, _)| reply);
        assert_ne!(read, Ok(whole));
    }

    #[test]
    fn keys_and_commands_stay() {
        for word in [
            "review", "distill", "project", "accept", "proposal", "status", "memory",
        ] {
            assert!(objection(word).is_some(), "{word}");
        }
    }
}
