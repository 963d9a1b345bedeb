//! Words that memd itself lives on: what it asks of curators, what they answer in, its keys and
//! commands. Hidden wherever they stand they would break those without a word, so that none of them
//! is kept as a secret.

use crate::curator::SCHEMA;
use crate::curator::prompt::CHARTER;
use crate::memory::{Memory, SECTION_SEPARATOR, Section, scaffold};
use crate::redact::WITHHELD;
use crate::tui::keymap::TABLE;
use clap::CommandFactory;
use jiff::civil::{Date, Time};
use jiff::fmt::strtime::BrokenDownTime;
use std::ops::RangeInclusive;

/// Replies as curators write them, so that what is between two names is known as well.
const REPLIES: &str = r#"{"version":2,"summary":"","changes":[{"op":"add","file":"state.md","section":"","text":"","evidence":[]},{"op":"edit","entry":"","text":"","evidence":[]},{"op":"archive","entry":"","reason":"","evidence":[]}]}
{"version": 2, "summary": "", "changes": [{"op": "add", "file": "decisions.md", "section": "", "text": "", "evidence": []}, {"op": "archive", "entry": "", "reason": "", "evidence": []}]}
{"version":1,"state":"","decisions":"","mistakes":"","todo":"","archive":""}"#;

/// Placeholders and what stands for a part that could not be searched.
const MARKS: &str = "[REDACTED:also_secret#] [REDACTED:assignment#] [REDACTED:known_value#]";

/// What lists, screens and files of memd's say besides: origins, states, acts, fields, places, trailers.
const OUTPUT: &str = "\
[a] [e] [r] [ ] change 1 of 2, 0 decided, proposal 1 of 1, changes, undecided, accepted, rejected, skipped, edited, restored, taken out, taken back
origin changed on disk (by whom is not known) user inbox note import agent tool output a person human_edit assistant, 2 evidence lines
evidence checks source redactions digest coverage session turn turns line lines redacted invisible STALE CONFLICT LAPSED UNSEALED BREAK BROKEN MISSING sealed
new changed gone from its file changed on disk new on disk put back taken out, to the archive tombstone brought back given back adopted moved in not reviewed applied unattended
staged applying applied discarded returned expired live archived tombstoned changed_on_disk unreviewed restore revert distill own
pass warn FAIL block budget confirmed conflict-mark credential duplicate forgery frontmatter hidden-characters imperative links loss mistakes-append-only todo-closed tool-only
certain likely unsure withheld assignment known_value also_secret not_secret
seconds ago minutes ago hours ago days ago yesterday manual session-end session-start pre-compact sweep command builtin claude codex gemini antigravity
last distill sources not read without you not accepted owed unfinished set aside problem nothing new nothing waits for you stages only
register move-project forget-project baseline forget-source curator-call curator-failed unpark begin-apply abort-apply accepted-after not-secret also-secret hooks refuse override
.memory/state.md .memory/decisions.md .memory/mistakes.md .memory/todo.md .memory/archive/ .memory/inbox/ .memory/.git memd.db memd.log memd/key jobs/ locks/ config.json
Memd-Proposal: Memd-Manifest: Memd-Audit: Memd-By: by hand, not adopted";

/// Why a text is not kept as a secret; none: nothing speaks against it.
#[must_use]
pub(super) fn objection(text: &str) -> Option<&'static str> {
    let text = text.trim();
    if !text.chars().any(char::is_alphanumeric) {
        return Some("it has neither letters nor digits, and would be found in ordinary text");
    }
    if is_date(text) {
        return Some(
            "it is a date or a time, which every file, list and commit of memd has: hidden everywhere it would break them. A longer text that holds it can be kept",
        );
    }
    is_own(text).then_some(
        "memd uses this word itself, in what it asks of curators, in their replies, in its lists and files, or in its keys and commands: hidden everywhere it would break them. A longer text that holds it can be kept",
    )
}

fn is_own(text: &str) -> bool {
    let holds = |own: &str| own.contains(text);
    [REPLIES, MARKS, OUTPUT, SCHEMA, CHARTER, WITHHELD]
        .into_iter()
        .any(holds)
        || scaffold::files("", Date::constant(2026, 1, 1))
            .iter()
            .any(|(_, text)| holds(text))
        || TABLE
            .iter()
            .any(|b| holds(b.name) || holds(b.label) || holds(b.help))
        || in_commands(&crate::cli::Cli::command(), &holds)
}

/// Years that memd's own dates are of.
const YEARS: RangeInclusive<i16> = 2015..=2100;

/// Whether it is a date or a time as memd writes them, or a month. A day of birth is none.
fn is_date(text: &str) -> bool {
    let plain = text.trim_end_matches("UTC").trim_end();
    let recent = |date: Date| YEARS.contains(&date.year());
    let shape: String = plain
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    let day = plain.get(..10).and_then(|d| d.parse().ok());
    match shape.get(..10) {
        Some("0000-00-00") => {
            let rest = shape.get(10..).unwrap_or_default();
            let is_time = |c: char| "0 T:.Z+-".contains(c);
            day.is_some_and(recent) && rest.chars().all(is_time)
        }
        _ => match shape.as_str() {
            "0000-00" => format!("{plain}-01").parse().is_ok_and(recent),
            "00:00:00" => plain.parse::<Time>().is_ok(),
            _ => ["%d %b %H:%M", "%d %b %Y"].iter().any(|form| {
                let read = BrokenDownTime::parse(form, plain);
                read.is_ok_and(|t| t.year().is_none_or(|y| YEARS.contains(&y)))
            }),
        },
    }
}

/// Why the heading of a section of memory is not kept as a secret; none: it is no such heading.
#[must_use]
pub(super) fn heading(text: &str, memory: &Memory) -> Option<String> {
    let text = text.trim();
    let is_it = |s: &Section| {
        s.path
            .split(SECTION_SEPARATOR)
            .chain([s.path.as_str()])
            .any(|p| p == text)
    };
    let mut docs = memory.docs();
    let doc = docs.find(|doc| doc.sections().iter().any(is_it))?;
    Some(format!(
        "a section of {} is called so, and what stands under it could not be let in any more: rename the section first, then say it again. A longer text that holds it can be kept",
        doc.file().name()
    ))
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
    use crate::cli::review::page;
    use crate::cli::review::screen::Screen;
    use crate::curator::reply;
    use crate::memory::MemoryFile;
    use crate::proposal::Level;
    use crate::redact::Redactor;
    use crate::redact::also::SHORTEST;
    use crate::review::samples::item;

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
    fn what_memd_prints_stays_and_what_a_person_wrote_can_be_hidden() {
        let item = item("0000000a", 0, &[Level::Pass, Level::Warn, Level::Block]);
        let mut out = Vec::new();
        let mut screen = Screen::new(&mut out, false);
        let now = "2026-10-01T12:00:00Z".parse().unwrap();
        page::header(&mut screen, &item, now).unwrap();
        page::on_disk(&mut screen, &item).unwrap();
        for change in item.changes() {
            page::change(&mut screen, &item, change.n, 80).unwrap();
        }
        let printed = String::from_utf8(out).unwrap();
        let theirs = format!("{item:?}");
        let words = printed.split(|c: char| c.is_whitespace() || ",()".contains(c));
        let ours: Vec<_> = words
            .map(|w| w.trim_matches([':', '"']))
            .filter(|w| w.chars().count() >= SHORTEST && !theirs.contains(*w))
            .collect();
        assert!(ours.contains(&"redacted"), "{ours:?}");
        for word in ours {
            assert!(objection(word).is_some(), "{word} of {printed}");
        }
        for word in [
            "2026-09-24",
            "2026-09",
            "2026-09-24T14:31:02Z",
            "2026-09-24 14:31 UTC",
            "14:31:02",
            "24 Sep 14:31",
            ".memory",
            "last_updated",
            "not accepted",
        ] {
            assert!(objection(word).is_some(), "{word}");
        }
        for word in [
            "1987-03-12",
            "2026-09-24-kolibri",
            "5551-23",
            "14:31:02:99",
            "Sommer 2026-09",
        ] {
            assert_eq!(objection(word), None, "{word}");
        }
    }

    #[test]
    fn the_heading_of_a_section_is_renamed_first() {
        let text = "# State\n\n## The nest\n\n- kolibri is in the nest\n";
        let texts = [(MemoryFile::State, text.to_owned())].into();
        let memory = Memory::from_texts(&texts);
        let why = heading("The nest", &memory).unwrap();
        assert!(why.contains("state.md") && why.contains("rename"), "{why}");
        assert_eq!(heading("kolibri", &memory), None);
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
