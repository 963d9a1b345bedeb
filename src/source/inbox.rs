//! The inbox, protocol 1.0: notes that wait in `.memory/inbox/` for the next distill.
//!
//! A writer stages beside the inbox, syncs, and publishes by a link that never overwrites; a
//! reader takes `.md` and `.txt` only, in name order, and deletes nothing: that is done after the
//! distill that used a note was applied. Ingesting twice is tolerated, losing one is not.

use super::{Place, Raw, Role, Turn};
use crate::fs::{self, FsError};
use jiff::Timestamp;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Longer notes are cut to this many characters, with a mark that says so (memd 0.3's figure).
pub const NOTE_CHARS: usize = 4_000;

/// At most this many bytes of one note are read; a larger file is reported, not read.
const NOTE_BYTES: u64 = 1 << 20;

/// Why a note could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum InboxError {
    /// The file system refused.
    #[error(transparent)]
    Fs(#[from] FsError),
    /// Nothing to write.
    #[error("the note is empty; give it with -m TEXT or on standard input")]
    Empty,
    /// A label that would not stay on its line.
    #[error("the source label {0:?} may hold neither line feeds nor \"-->\"")]
    BadLabel(String),
    /// No random bytes for the name.
    #[error(transparent)]
    NoRandom(#[from] crate::id::NoRandom),
}

/// A note as found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Its file name in the inbox.
    pub name: String,
    /// Its absolute path.
    pub path: PathBuf,
    /// Who left it, when it says so.
    pub label: Option<String>,
    /// Its text, without frontmatter and source line, at most [`NOTE_CHARS`] characters and a mark.
    pub text: Raw,
}

impl Note {
    /// The note as one turn of a digest.
    #[must_use]
    pub fn turn(&self) -> Turn {
        Turn {
            role: Role::Note,
            text: self.text.clone(),
            place: Place {
                source: self.path.to_string_lossy().into_owned(),
                offset: 0,
            },
            session: self.label.clone().unwrap_or_else(|| "inbox".to_owned()),
            id: Some(format!("note:{}", self.name)),
            at: None,
            cwd: None,
            tool: None,
            abandoned: false,
        }
    }
}

/// What an inbox holds: the notes in name order, and the files that could not be read.
#[derive(Debug, Default)]
pub struct Inbox {
    /// Readable notes.
    pub notes: Vec<Note>,
    /// What could not be read, with the reason.
    pub unreadable: Vec<(String, FsError)>,
}

/// Reads the inbox of a memory folder; a missing one is empty. Dotfiles and other endings are left
/// alone.
///
/// # Errors
/// When the folder is there but cannot be listed.
pub fn read(memory: &Path) -> Result<Inbox, FsError> {
    let dir = memory.join("inbox");
    let (names, unreadable) = names(&dir)?;
    let mut inbox = Inbox {
        unreadable,
        ..Inbox::default()
    };
    for name in names {
        let path = dir.join(&name);
        match fs::read_plain(&path, NOTE_BYTES) {
            Ok(bytes) => inbox
                .notes
                .push(parse(name, path, &String::from_utf8_lossy(&bytes))),
            Err(error) => inbox.unreadable.push((name, error)),
        }
    }
    Ok(inbox)
}

/// Reads one note.
///
/// # Errors
/// When it is gone, no plain file or too large.
pub fn read_note(path: &Path) -> Result<Note, FsError> {
    let bytes = fs::read_plain(path, NOTE_BYTES)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let text = String::from_utf8_lossy(&bytes);
    Ok(parse(name.into_owned(), path.to_owned(), &text))
}

/// How many notes wait.
///
/// # Errors
/// When the folder is there but cannot be listed.
pub fn count(memory: &Path) -> Result<usize, FsError> {
    let (names, unreadable) = names(&memory.join("inbox"))?;
    Ok(names.len() + unreadable.len())
}

/// Names of notes, and those that are no text.
type Names = (Vec<String>, Vec<(String, FsError)>);

/// The names of notes in order, and those that cannot be named.
fn names(dir: &Path) -> Result<Names, FsError> {
    let (mut names, mut bad) = (Vec::new(), Vec::new());
    if !fs::is_own_folder(dir)? {
        return Ok((names, bad));
    }
    for item in std::fs::read_dir(dir).map_err(FsError::io("list", dir))? {
        let item = item.map_err(FsError::io("list", dir))?;
        let name = item.file_name();
        let shown = name.to_string_lossy().into_owned();
        if shown.starts_with('.') || !(shown.ends_with(".md") || shown.ends_with(".txt")) {
            continue;
        }
        match name.into_string() {
            Ok(name) => names.push(name),
            Err(_) => {
                let why = std::io::Error::other("its name is not UTF-8; rename it");
                bad.push((shown, FsError::io("read", &item.path())(why)));
            }
        }
    }
    names.sort();
    Ok((names, bad))
}

fn parse(name: String, path: PathBuf, text: &str) -> Note {
    let (front, body) = split_front(text.trim_start_matches('\u{FEFF}'));
    let (label, body) = split_label(body.trim_start());
    let (kept, whole) = crate::text::first_chars(body.trim(), NOTE_CHARS);
    let mark = if whole {
        ""
    } else {
        "\n[note cut here: it is longer than 4000 characters]"
    };
    let label = label
        .or_else(|| front_source(front))
        .map(|l| l.trim().to_owned());
    Note {
        name,
        path,
        label,
        text: Raw::new(format!("{kept}{mark}")),
    }
}

/// Splits an optional frontmatter (`---` lines) off; its bytes are metadata, not material.
fn split_front(text: &str) -> (&str, &str) {
    let Some(rest) = text.strip_prefix("---\n") else {
        return ("", text);
    };
    match rest.split_once("\n---\n") {
        Some((front, body)) => (front, body),
        None => ("", text),
    }
}

fn split_label(body: &str) -> (Option<String>, &str) {
    let (first, rest) = body.split_once('\n').unwrap_or((body, ""));
    let label = first
        .trim()
        .strip_prefix("<!-- source:")
        .and_then(|l| l.strip_suffix("-->"));
    match label {
        Some(label) => (Some(label.to_owned()), rest),
        None => (None, body),
    }
}

fn front_source(front: &str) -> Option<String> {
    front
        .lines()
        .find_map(|l| l.strip_prefix("source:"))
        .map(str::to_owned)
}

/// Publishes a note and returns its path. `text` must already be redacted.
///
/// # Errors
/// When the text is empty, the label has a line feed, or the disk refuses; no half note is left.
pub fn write(
    memory: &Path,
    text: &crate::redact::Redacted,
    label: Option<&str>,
    now: Timestamp,
) -> Result<PathBuf, InboxError> {
    let body = text.as_str().trim();
    if body.is_empty() {
        return Err(InboxError::Empty);
    }
    let head = match label {
        Some(l) if l.contains('\n') || l.contains("-->") => {
            return Err(InboxError::BadLabel(l.to_owned()));
        }
        Some(l) => format!("<!-- source: {l} -->\n"),
        None => String::new(),
    };
    let inbox = memory.join("inbox");
    fs::is_own_folder(&inbox)?;
    std::fs::create_dir_all(&inbox).map_err(FsError::io("create", &inbox))?;
    let mut temp = tempfile::Builder::new()
        .prefix(".note-")
        .tempfile_in(memory)
        .map_err(FsError::io("write", memory))?;
    temp.write_all(format!("{head}{body}\n").as_bytes())
        .map_err(FsError::io("write", memory))?;
    temp.as_file()
        .sync_all()
        .map_err(FsError::io("sync", memory))?;
    let entropy = crate::id::ProposalId::random()?;
    let name = format!(
        "{}-{}-{entropy}.md",
        now.as_microsecond(),
        std::process::id()
    );
    let path = inbox.join(name);
    // A link fails where a file stands already: nothing is ever overwritten.
    temp.persist_noclobber(&path)
        .map_err(|e| FsError::io("publish", &path)(e.error))?;
    fs::sync_dir(&inbox)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(text: &str) -> Note {
        parse("1.md".to_owned(), PathBuf::from("/m/inbox/1.md"), text)
    }

    #[test]
    fn a_label_and_frontmatter_are_metadata_and_a_long_note_says_that_it_was_cut() {
        let plain = note("<!-- source: phone -->\nuse port 9000\n");
        assert_eq!(
            (plain.label.as_deref(), plain.text.unredacted()),
            (Some("phone"), "use port 9000")
        );
        let front = note("---\nsource: mail\ntopic: x\n---\nhello");
        assert_eq!(
            (front.label.as_deref(), front.text.unredacted()),
            (Some("mail"), "hello")
        );
        let long = note(&"é".repeat(NOTE_CHARS + 1));
        assert!(
            long.text
                .unredacted()
                .ends_with("longer than 4000 characters]")
        );
        assert_eq!(note("--- not front").text.unredacted(), "--- not front");
    }

    #[test]
    fn only_notes_are_read_in_name_order_and_a_link_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let inbox = dir.path().join("inbox");
        std::fs::create_dir(&inbox).unwrap();
        for name in ["2.md", "1.txt", ".hidden.md", "3.json"] {
            std::fs::write(inbox.join(name), name).unwrap();
        }
        std::os::unix::fs::symlink("/etc/passwd", inbox.join("4.md")).unwrap();
        let odd: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(b"5\xff.md");
        std::fs::write(inbox.join(odd), "x").unwrap();
        assert_eq!(count(dir.path()).unwrap(), 4);
        let read = read(dir.path()).unwrap();
        let names: Vec<_> = read.notes.iter().map(|n| n.name.as_str()).collect();
        assert_eq!(names, ["1.txt", "2.md"]);
        let unreadable: Vec<_> = read.unreadable.iter().map(|u| u.1.to_string()).collect();
        assert!(
            unreadable[0].contains("its name is not UTF-8"),
            "{unreadable:?}"
        );
        assert!(unreadable[1].contains("4.md"), "{unreadable:?}");
        assert!(
            super::read(&dir.path().join("none"))
                .unwrap()
                .notes
                .is_empty()
        );
    }
}
