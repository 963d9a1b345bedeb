//! The person's editor, on one entry's text. argv only, never a shell; the text is in a file that
//! nobody else can read. Whatever goes wrong, the old text stands.

use super::gate;
use crate::fs;
use jiff::Timestamp;
use std::ffi::OsString;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An entry larger than this is no entry.
const LIMIT: u64 = 1 << 20;
/// A file larger than this is not kept either.
const KEPT_LIMIT: u64 = 16 << 20;

/// Of the file that the editor is given.
const PREFIX: &str = "edit-";
const SUFFIX: &str = ".md";

/// Of a text whose change was decided elsewhere while it was typed.
const KEPT: &str = "kept-";

/// What was saved so long ago is nobody's who still edits, in seconds.
const DAY: i64 = 86_400;

/// Editors that come back before the window is closed, unless told to wait.
const RETURN_AT_ONCE: [&str; 6] = ["code", "codium", "subl", "gedit", "kate", "zed"];

/// Why the old text stands. Lower-case fragments for people.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(super) enum EditError {
    #[error("neither $VISUAL nor $EDITOR names an editor; nothing was changed")]
    NoEditor,
    #[error("{0:?} is no command line: {1}; nothing was changed")]
    BadCommand(String, String),
    #[error("{0:?} could not be started: {1}; nothing was changed")]
    NotStarted(String, String),
    #[error("{0:?} ended with {1}; nothing was changed")]
    Failed(String, String),
    /// An editor that did not end well had saved this; or what it saved can neither be taken nor set
    /// aside.
    #[error("{0}")]
    Broke(String, String),
    /// What was saved cannot be taken; it stands in a file of its own.
    #[error("{0}; nothing was changed; what you saved stands in {1:?}, its secrets hidden")]
    Unread(String, PathBuf),
    #[error("the text is as it was; nothing was changed")]
    Unchanged,
    #[error(
        "the text is as it was; {0:?} may need a flag such as --wait to hold on until its window is closed"
    )]
    MayNotWait(String),
    #[error("the text was emptied; to keep an entry out, reject it; nothing was changed")]
    Emptied,
    #[error("{0}; nothing was changed")]
    File(String),
}

/// The editor's command line: `$VISUAL`, else `$EDITOR`.
pub(super) fn command(env: impl Fn(&str) -> Option<OsString>) -> Result<Vec<String>, EditError> {
    let line = ["VISUAL", "EDITOR"]
        .iter()
        .filter_map(|name| env(name))
        .map(|value| value.to_string_lossy().into_owned())
        .find(|value| !value.trim().is_empty())
        .ok_or(EditError::NoEditor)?;
    let words = shell_words::split(&line)
        .map_err(|e| EditError::BadCommand(line.clone(), e.to_string()))?;
    if words.first().is_none_or(String::is_empty) {
        return Err(EditError::NoEditor);
    }
    Ok(words)
}

/// Has a person edit a text; its trailing line feeds are dropped. `dir` is memd's own folder.
pub(super) fn edit(argv: &[String], dir: &Path, before: &str) -> Result<String, EditError> {
    let (program, args) = argv.split_first().ok_or(EditError::NoEditor)?;
    let file = |e: &dyn std::fmt::Display| EditError::File(e.to_string());
    fs::private_dir(dir).map_err(|e| file(&e))?;
    // Made with mode 0600, and gone again when this returns.
    let mut temp = tempfile::Builder::new()
        .prefix(PREFIX)
        .suffix(SUFFIX)
        .tempfile_in(dir)
        .map_err(|e| file(&e))?;
    writeln!(temp, "{before}").map_err(|e| file(&e))?;
    temp.flush().map_err(|e| file(&e))?;
    let status = Command::new(program)
        .args(args)
        .arg(temp.path())
        .status()
        .map_err(|e| EditError::NotStarted(program.clone(), e.to_string()))?;
    let edited = fs::read_text(temp.path(), LIMIT);
    if !status.success() {
        let failed = EditError::Failed(program.clone(), status.to_string());
        let saved = edited.map(|text| judge(program, before, text.trim_end()));
        return Err(match saved {
            Ok(Ok(saved)) => EditError::Broke(failed.to_string(), saved),
            _ => failed,
        });
    }
    match edited {
        Ok(edited) => judge(program, before, edited.trim_end()),
        Err(why) => Err(set_aside(temp.path(), dir, &why.to_string())),
    }
}

/// Keeps what can be read of a file that was saved and is no text of an entry, its secrets hidden: the
/// file itself goes. What is no plain file, or past all bounds, is not kept.
fn set_aside(saved: &Path, dir: &Path, why: &str) -> EditError {
    let Ok(bytes) = fs::read_plain(saved, KEPT_LIMIT) else {
        return EditError::File(why.to_owned());
    };
    let text = readable(&bytes);
    match keep(dir, &gate::hide(text.trim_end())) {
        Ok(path) => EditError::Unread(why.to_owned(), path),
        Err(_) => EditError::Broke(why.to_owned(), text.trim_end().to_owned()),
    }
}

/// What a person would read there: UTF-16 by its mark, else UTF-8 as far as it is. Without NUL, which
/// would stand between the characters of a secret.
fn readable(bytes: &[u8]) -> String {
    let pairs = || bytes[2..].chunks_exact(2);
    let text = match bytes {
        [0xff, 0xfe, ..] => utf16(pairs().map(|b| u16::from_le_bytes([b[0], b[1]]))),
        [0xfe, 0xff, ..] => utf16(pairs().map(|b| u16::from_be_bytes([b[0], b[1]]))),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    };
    text.replace('\0', "")
}

fn utf16(units: impl Iterator<Item = u16>) -> String {
    let chars = char::decode_utf16(units);
    chars
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// Puts a text that has nowhere to go into a file of its own that nobody else can read, and that stays.
pub(super) fn keep(dir: &Path, text: &str) -> Result<PathBuf, fs::FsError> {
    let wrong = |source| fs::FsError::Io {
        what: "write",
        path: dir.to_owned(),
        source,
    };
    fs::private_dir(dir)?;
    let mut file = tempfile::Builder::new()
        .prefix(KEPT)
        .suffix(SUFFIX)
        .tempfile_in(dir)
        .map_err(wrong)?;
    writeln!(file, "{text}").map_err(wrong)?;
    file.as_file().sync_all().map_err(wrong)?;
    file.keep()
        .map(|(_, path)| path)
        .map_err(|e| wrong(e.error))
}

/// The texts that were put aside so, oldest first.
pub(super) fn kept(dir: &Path) -> Vec<PathBuf> {
    let is_kept = |path: &PathBuf| {
        let name = path.file_name().map(|n| n.to_string_lossy());
        name.is_some_and(|n| n.starts_with(KEPT) && n.ends_with(SUFFIX))
    };
    let items = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut all: Vec<PathBuf> = items.map(|item| item.path()).filter(is_kept).collect();
    all.sort_by_cached_key(|path| std::fs::metadata(path).and_then(|m| m.modified()).ok());
    all
}

/// Removes texts that a killed memd left in its folder, once they are a day old: a younger one may
/// be open in an editor.
pub(super) fn sweep(dir: &Path, now: Timestamp) {
    for item in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = item.file_name();
        let name = name.to_string_lossy();
        let is_ours = name.starts_with(PREFIX) && name.ends_with(SUFFIX);
        let is_old = item
            .metadata()
            .is_ok_and(|m| m.is_file() && m.mtime() < now.as_second() - DAY);
        if is_ours && is_old {
            // One that cannot be removed is as private as the folder.
            let _ = std::fs::remove_file(item.path());
        }
    }
}

fn judge(program: &str, old: &str, new: &str) -> Result<String, EditError> {
    let name = Path::new(program).file_name().map(|n| n.to_string_lossy());
    match new {
        new if new.trim().is_empty() => Err(EditError::Emptied),
        new if new == old.trim_end() => Err(match name {
            Some(name) if RETURN_AT_ONCE.contains(&name.as_ref()) => {
                EditError::MayNotWait(name.into_owned())
            }
            _ => EditError::Unchanged,
        }),
        new => Ok(new.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An editor that is a script: what it does to `$1`.
    fn edited(script: &str) -> (Result<String, EditError>, usize) {
        let (text, left, _) = edited_in(script);
        (text, left)
    }

    /// As [`edited`], with the folder that it was done in.
    fn edited_in(script: &str) -> (Result<String, EditError>, usize, tempfile::TempDir) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("my editor");
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        // Run by `sh`, so that no test's fork can hold the script open for writing.
        let value = format!("sh '{}' --flag \"two words\"", path.display());
        let argv = command(|name| (name == "EDITOR").then(|| value.clone().into())).unwrap();
        let state = dir.path().join("state");
        let text = edit(&argv, &state, "- Old text");
        (text, std::fs::read_dir(state).unwrap().count(), dir)
    }

    #[test]
    fn the_saved_text_is_taken_and_arguments_and_quotes_work() {
        let script = "[ \"$1\" = --flag ] && [ \"$2\" = 'two words' ] && [ -n \"$(find \"$3\" -perm 600)\" ] && printf -- '- New\\n\\n' > \"$3\"";
        assert_eq!(edited(script), (Ok("- New".to_owned()), 0));
    }

    #[test]
    fn an_editor_that_replaces_the_file_is_read_too() {
        let script = "printf -- '- New' > \"$3.new\" && mv \"$3.new\" \"$3\"";
        assert_eq!(edited(script).0, Ok("- New".to_owned()));
    }

    #[test]
    fn whatever_goes_wrong_the_old_text_stands() {
        assert_eq!(edited("true").0, Err(EditError::Unchanged));
        assert_eq!(edited(": > \"$3\"").0, Err(EditError::Emptied));
        assert_eq!(
            edited("printf '\\n \\n' > \"$3\"").0,
            Err(EditError::Emptied)
        );
        assert!(matches!(edited("exit 1").0, Err(EditError::Failed(..))));
        assert!(matches!(edited("rm \"$3\"").0, Err(EditError::File(_))));
        let missing = ["/nowhere/editor".to_owned()];
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(
            edit(&missing, dir.path(), "x"),
            Err(EditError::NotStarted(..))
        ));
        assert_eq!(
            judge("/usr/bin/code", "x", "x"),
            Err(EditError::MayNotWait("code".to_owned()))
        );
    }

    #[test]
    fn what_was_saved_before_an_editor_broke_is_not_lost() {
        for end in ["exit 1", "kill -9 $$"] {
            let broke = edited(&format!("printf -- '- Half' > \"$3\"; {end}")).0;
            assert!(
                matches!(&broke, Err(EditError::Broke(_, text)) if text == "- Half"),
                "{broke:?}"
            );
        }
    }

    #[test]
    fn what_is_no_text_is_kept_as_text_for_its_owner_alone_without_its_secrets() {
        use std::os::unix::fs::PermissionsExt;
        let token = ["gh", "p_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].concat();
        let wide: String = token.chars().map(|c| format!("{c}\\000")).collect();
        for saved in [
            format!("caf\\351 {token} mine"),
            format!("{token} \\000\\377 mine"),
            format!("\\377\\376{wide} \\000m\\000i\\000n\\000e\\000"),
            format!("\\377{wide} mine"),
        ] {
            let script =
                format!("umask 022; printf -- '{saved}' > \"$3.new\" && mv \"$3.new\" \"$3\"");
            let told = edited_in(&script);
            let (Err(EditError::Unread(_, path)), left, dir) = &told else {
                panic!("{saved}: {told:?}")
            };
            assert_eq!(*left, 1);
            let text = std::fs::read_to_string(path).unwrap();
            assert!(text.contains("mine") && !text.contains("a1B2c3"), "{text}");
            let mode = std::fs::metadata(path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{dir:?}");
        }
        for saved in ["mkfifo", "ln -s /etc/passwd", "mkdir"] {
            let told = edited(&format!("rm \"$3\"; {saved} \"$3\""));
            assert!(matches!(told, (Err(EditError::File(_)), _)), "{told:?}");
        }
    }

    #[test]
    fn what_a_killed_memd_left_is_swept_once_nobody_can_be_editing_it() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["edit-a.md", "memd.db", "edit-a.txt", "key"] {
            std::fs::write(dir.path().join(name), "x").unwrap();
        }
        let left = || {
            let items = std::fs::read_dir(dir.path()).unwrap();
            let mut names: Vec<_> = items.map(|i| i.unwrap().file_name()).collect();
            names.sort();
            names
        };
        let now = Timestamp::now();
        sweep(dir.path(), now);
        assert_eq!(left().len(), 4);
        sweep(dir.path(), now + jiff::SignedDuration::from_hours(25));
        assert_eq!(left(), ["edit-a.txt", "key", "memd.db"]);
        sweep(&dir.path().join("none"), now);
    }

    #[test]
    fn a_kept_text_is_its_own_file_for_its_owner_alone() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let state = dir.path().join("state");
        let first = keep(&state, "- One").unwrap();
        let second = keep(&state, "- Two").unwrap();
        sweep(
            &state,
            Timestamp::now() + jiff::SignedDuration::from_hours(100),
        );
        assert_eq!(kept(&state).len(), 2);
        assert_eq!(std::fs::read_to_string(&first).unwrap(), "- One\n");
        assert_eq!(std::fs::read_to_string(&second).unwrap(), "- Two\n");
        let mode = std::fs::metadata(&first).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn visual_wins_and_nothing_is_guessed() {
        let env = |name: &str| match name {
            "VISUAL" => Some("emacs -nw".into()),
            _ => Some("ed".into()),
        };
        assert_eq!(command(env).unwrap(), ["emacs", "-nw"]);
        assert_eq!(command(|_| None), Err(EditError::NoEditor));
        assert_eq!(command(|_| Some("  ".into())), Err(EditError::NoEditor));
        assert!(matches!(
            command(|_| Some("vi 'x".into())),
            Err(EditError::BadCommand(..))
        ));
    }
}
