//! Workspaces as the tool writes them: `file://` URIs, or paths.

use std::path::PathBuf;

/// The path of a `file:` URI or of a plain absolute path, percent signs decoded. A path that is
/// not there any more stays what it is.
pub(super) fn path(text: &str) -> Option<PathBuf> {
    let text = text.trim();
    let Some(rest) = text.strip_prefix("file://") else {
        return is_absolute(text).then(|| PathBuf::from(text));
    };
    // What stands before the path is a host: none, or this one.
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let decoded = decode(rest)?;
    let drive = decoded.strip_prefix('/').filter(|rest| is_drive(rest));
    let path = drive.unwrap_or(&decoded);
    is_absolute(path).then(|| PathBuf::from(path))
}

fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || path.starts_with(r"\\") || is_drive(path)
}

/// Whether it begins as a path on Windows does: `c:/`.
fn is_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [drive, b':', b'/' | b'\\', ..] if drive.is_ascii_alphabetic())
}

/// Percent signs decoded; `None` when that is no UTF-8 or holds a NUL.
fn decode(text: &str) -> Option<String> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let digits = digits.filter(|two| two.bytes().all(|b| b.is_ascii_hexdigit()));
        let code = digits.and_then(|two| u8::from_str_radix(two, 16).ok());
        match code {
            Some(code) if *byte == b'%' => {
                out.push(code);
                rest = &after[2..];
            }
            _ => {
                out.push(*byte);
                rest = after;
            }
        }
    }
    String::from_utf8(out)
        .ok()
        .filter(|path| !path.contains('\0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workspaces_are_paths_percent_signs_and_drives_included() {
        for (text, expected) in [
            ("file:///home/dev/proj", Some("/home/dev/proj")),
            (
                "file:///home/dev/my%20proj%20%C3%BC",
                Some("/home/dev/my proj ü"),
            ),
            ("file:///c:/Users/Dev/proj", Some("c:/Users/Dev/proj")),
            ("file:///c%3A/Users", Some("c:/Users")),
            ("file://localhost/srv", Some("/srv")),
            ("file:///100%", Some("/100%")),
            ("/home/dev/proj", Some("/home/dev/proj")),
            (r"C:\Users\Dev", Some(r"C:\Users\Dev")),
            ("file:///a%00b", None),
            ("file:///%FF", None),
            ("file://", None),
            ("vscode-remote://ssh/x", None),
            ("relative/path", None),
            ("", None),
        ] {
            assert_eq!(path(text), expected.map(PathBuf::from), "{text}");
        }
    }
}
