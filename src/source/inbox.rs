//! The inbox, protocol 1.0: notes that wait in `.memory/inbox/` for the next distill.
//!
//! A writer stages beside the inbox, syncs, and publishes by a link that never overwrites; a
//! reader takes `.md` and `.txt` only, in name order, and deletes nothing: that is done after the
//! distill that used a note was applied. Ingesting twice is tolerated, losing one is not.

use super::{Place, Raw, Role, Turn};
use crate::fs::{self, Folder, FsError};
use crate::text::{first_chars, hidden};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Characters of a source label and of a topic.
const LABEL_CHARS: usize = 80;

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
    /// A label that would not stay on its line, or of which a person would not see all.
    #[error("{label:?} cannot be a source label: {why}")]
    BadLabel {
        /// Its beginning.
        label: String,
        /// What is wrong with it.
        why: &'static str,
    },
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
    /// Who left it, when it says so in a label that [`check_label`] lets pass.
    pub label: Option<String>,
    /// When, as its frontmatter says.
    pub date: Option<Timestamp>,
    /// All of its text, without frontmatter and source line. The digest hides secrets in it as a
    /// whole and then cuts it, with a mark, to 4,000 characters (memd 0.3's figure).
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
            at: self.date,
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
    let Some(folder) = Folder::open(&dir)? else {
        return Ok(inbox);
    };
    for name in names {
        let path = dir.join(&name);
        match folder.read(&name, NOTE_BYTES) {
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
    let text = text.trim_start_matches('\u{FEFF}').replace("\r\n", "\n");
    // Writers put the label before the frontmatter or behind it.
    let (above, rest) = split_label(&text);
    let (front, rest) = split_front(rest.trim_start());
    let (below, body) = match above {
        None => split_label(rest.trim_start()),
        Some(_) => (None, rest),
    };
    let label = above.or(below).or_else(|| key(front, "source"));
    let topic = key(front, "topic").map_or(String::new(), |topic| format!("{topic}: "));
    let body = body.trim();
    let topic = if body.is_empty() { "" } else { topic.as_str() };
    Note {
        name,
        path,
        label: label.filter(|l| check_label(l).is_ok()).map(str::to_owned),
        date: key(front, "date").and_then(date),
        text: Raw::new(format!("{topic}{body}")),
    }
}

/// The keys of a note's frontmatter; `routed` says that another inbox passed it on.
const KEYS: [&str; 4] = ["date", "source", "topic", "routed"];

/// Splits an optional frontmatter (`---` lines) off: it is metadata. What holds other keys is
/// somebody's text, and stays.
fn split_front(text: &str) -> (&str, &str) {
    let split = text
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---"));
    let is_known = |line: &str| {
        let key = line.split_once(':').map(|(key, _)| key.trim());
        line.trim().is_empty() || key.is_some_and(|key| KEYS.contains(&key))
    };
    match split {
        Some((front, body))
            if front.lines().all(is_known) && (body.is_empty() || body.starts_with('\n')) =>
        {
            (front, body)
        }
        _ => ("", text),
    }
}

fn split_label(body: &str) -> (Option<&str>, &str) {
    let (first, rest) = body.split_once('\n').unwrap_or((body, ""));
    let label = first
        .trim()
        .strip_prefix("<!-- source:")
        .and_then(|l| l.strip_suffix("-->"));
    match label {
        Some(label) => (Some(label.trim()), rest),
        None => (None, body),
    }
}

/// A value of the frontmatter, on one line and of bearable length.
fn key<'a>(front: &'a str, name: &str) -> Option<&'a str> {
    let mut values = front.lines().filter_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim().trim_matches(['"', '\'']))
    });
    let value = values.next()?;
    (!value.is_empty() && first_chars(value, LABEL_CHARS).1).then_some(value)
}

/// A moment, or the beginning of a day.
fn date(text: &str) -> Option<Timestamp> {
    let day = || {
        let date: Date = text.parse().ok()?;
        TimeZone::UTC.to_timestamp(date.at(0, 0, 0, 0)).ok()
    };
    text.parse().ok().or_else(day)
}

/// Whether a text can say who left a note: one line, at most 80 characters, all of it visible.
///
/// # Errors
/// [`InboxError::BadLabel`] when it cannot.
pub fn check_label(label: &str) -> Result<(), InboxError> {
    let (start, is_whole) = first_chars(label, LABEL_CHARS);
    let why = if label.trim().is_empty() {
        "it is empty"
    } else if !is_whole {
        "it is longer than 80 characters"
    } else if label.contains(char::is_control) || !hidden(label).is_empty() {
        "it holds line feeds, control or hidden characters"
    } else if label.contains("-->") {
        "it holds \"-->\", which ends the line it stands in"
    } else {
        return Ok(());
    };
    Err(InboxError::BadLabel {
        label: start.to_owned(),
        why,
    })
}

/// Publishes a note and returns its path. `text` must already be redacted.
///
/// # Errors
/// When the text is empty, the label is none, or the disk refuses; no half note is left.
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
    let head = match label.map(str::trim) {
        Some(label) => {
            check_label(label)?;
            format!("<!-- source: {label} -->\n")
        }
        // Else a note whose first line looks like a label would lose it.
        None if body.starts_with("<!-- source:") => "<!-- source: memd note -->\n".to_owned(),
        None => String::new(),
    };
    let inbox = memory.join("inbox");
    fs::is_own_folder(&inbox)?;
    std::fs::create_dir_all(&inbox).map_err(FsError::io("create", &inbox))?;
    let mut temp = tempfile::Builder::new()
        .prefix(fs::TEMPORARY)
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
    fn a_label_and_frontmatter_are_metadata_in_either_order() {
        let day = "2026-03-04T00:00:00Z".parse().ok();
        for (text, label, date, said) in [
            (
                "<!-- source: phone -->\nuse port 9000\n",
                Some("phone"),
                None,
                "use port 9000",
            ),
            ("---\nsource: mail\n---\nhello", Some("mail"), None, "hello"),
            (
                "\u{FEFF}---\r\ndate: 2026-03-04\r\nsource: \"mail\"\r\ntopic: ports\r\nrouted: true\r\n---\r\n\r\nhello\r\n",
                Some("mail"),
                day,
                "ports: hello",
            ),
            (
                "<!-- source: a -->\n---\nsource: b\ndate: x\n---\nhello",
                Some("a"),
                None,
                "hello",
            ),
            (
                "---\ntopic: x\n---\n<!-- source: c -->\nhello",
                Some("c"),
                None,
                "x: hello",
            ),
            ("---\ntopic: x\n---", None, None, ""),
            ("--- not front", None, None, "--- not front"),
            (
                "---\ntitle: x\n---\nhello",
                None,
                None,
                "---\ntitle: x\n---\nhello",
            ),
            ("---\nno end", None, None, "---\nno end"),
            ("<!-- source: a\u{202E}b -->\nhello", None, None, "hello"),
        ] {
            let note = note(text);
            let found = (note.label.as_deref(), note.date, note.text.unredacted());
            assert_eq!(found, (label, date, said), "{text:?}");
        }
        // Cut only after secrets were looked for in all of it.
        let long = "é".repeat(9_000);
        assert_eq!(note(&long).text.unredacted(), long);
    }

    #[test]
    fn what_is_written_is_read_back_and_a_label_that_hides_something_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let redactor = crate::redact::Redactor::new(&[], &[7; 32]).0;
        let (text, _) = redactor.redact(
            &Raw::new("<!-- source: not me -->\nmind the port"),
            &crate::redact::Part::default(),
        );
        for label in ["", "a\nb", "a --> b", "a\u{200B}b", &"x".repeat(81)] {
            let error = write(dir.path(), &text, Some(label), Timestamp::UNIX_EPOCH);
            assert!(
                matches!(error, Err(InboxError::BadLabel { .. })),
                "{label:?}"
            );
        }
        for label in [None, Some("phone")] {
            let path = write(dir.path(), &text, label, Timestamp::UNIX_EPOCH).unwrap();
            let note = read_note(&path).unwrap();
            assert_eq!(note.text.unredacted(), text.as_str());
            assert_eq!(note.label.as_deref(), label.or(Some("memd note")));
        }
        let left = std::fs::read_dir(dir.path()).unwrap().count();
        assert_eq!(left, 1, "only the inbox itself");
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
