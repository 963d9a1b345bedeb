//! Files that hold nothing but secrets: `.env`, keys, credentials. There every value is hidden,
//! and the names stay.

use super::Part;
use super::rules::rules;
use super::scan::Span;
use super::value;
use std::ops::Range;

/// What is known of a file by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Names and values, a line each.
    Values,
    /// A key: no line of it is of use.
    Key,
}

pub(super) fn find(text: &[u8], part: &Part<'_>) -> Vec<Span> {
    let path = part.tool.and_then(|tool| tool.path.as_deref());
    let Some(kind) = path.and_then(kind) else {
        return Vec::new();
    };
    let mut at = 0;
    let mut spans = Vec::new();
    for line in text.split(|b| *b == b'\n') {
        let found = match kind {
            Kind::Values => value_of(line),
            Kind::Key => key_line(line),
        };
        if let Some(found) = found {
            spans.push(Span {
                range: at + found.start..at + found.end,
                rule: "secret_file".into(),
                remember: kind == Kind::Values,
            });
        }
        at += line.len() + 1;
    }
    spans
}

fn kind(path: &str) -> Option<Kind> {
    let path = path.to_ascii_lowercase().replace('\\', "/");
    let name = path.rsplit('/').next().unwrap_or(&path);
    let sample = ["example", "sample", "template", "dist", "pub", "md"];
    if sample.iter().any(|end| name.ends_with(end)) {
        return None;
    }
    let named = [
        ".env",
        ".npmrc",
        ".pypirc",
        ".netrc",
        "_netrc",
        ".pgpass",
        ".git-credentials",
        ".dockercfg",
        ".htpasswd",
    ];
    let below = [
        ".aws/credentials",
        ".docker/config.json",
        ".kube/config",
        "gcloud/credentials.db",
    ];
    let values = named.contains(&name)
        || name.starts_with(".env.")
        || name.ends_with(".env")
        || below.iter().any(|end| path.ends_with(end))
        || name.contains("credentials") && name.ends_with(".json")
        || name.contains(".tfstate")
        || name == "kubeconfig";
    let keys = [".pem", ".p8", ".key", ".ppk"];
    let key = name.starts_with("id_") && !name.contains('.')
        || keys.iter().any(|end| name.ends_with(end));
    match (values, key) {
        (true, _) => Some(Kind::Values),
        (_, true) => Some(Kind::Key),
        _ => None,
    }
}

/// The value of `NAME=value`, `name = value`, `"name": "value"`.
fn value_of(line: &[u8]) -> Option<Range<usize>> {
    let at = line.iter().position(|b| matches!(b, b'=' | b':'))?;
    let name = line.get(..at)?.trim_ascii();
    let name = name.strip_suffix(b"\"").unwrap_or(name);
    if !name.last()?.is_ascii_alphanumeric() || name.starts_with(b"#") {
        return None;
    }
    let padded = |b: &&u8| matches!(b, b' ' | b'"' | b'\'' | b'\t');
    let start = at + 1 + line.get(at + 1..)?.iter().take_while(padded).count();
    let rest = line.get(start..)?;
    let tail = rest
        .iter()
        .rev()
        .take_while(|b| matches!(b, b' ' | b'"' | b'\'' | b',' | b'\r' | b'}' | b'\t'))
        .count();
    let found = rest.get(..rest.len() - tail)?;
    is_worth_hiding(found).then(|| start..start + found.len())
}

/// Numbers, switches, placeholders and references say nothing.
fn is_worth_hiding(found: &[u8]) -> bool {
    let plain = rules()
        .default_passwords
        .iter()
        .any(|p| p.as_bytes().eq_ignore_ascii_case(found));
    let number = found.len() < 8 && found.iter().all(|b| b.is_ascii_digit() || *b == b'.');
    let opening = matches!(found.first(), None | Some(b'{' | b'[' | b'$' | b'<'));
    found.len() >= 4 && !plain && !number && !opening && !value::is_placeholder(found)
}

/// A line of key material.
fn key_line(line: &[u8]) -> Option<Range<usize>> {
    let start = super::lines::gutter(line, 0);
    let body = line.get(start..)?.trim_ascii_end();
    let material = body.len() >= 16
        && body
            .iter()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'='));
    material.then(|| start..start + body.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_says_what_a_file_holds() {
        for path in [
            "/a/.env",
            "/a/.env.local",
            "prod.env",
            "/h/.aws/credentials",
            "C:\\x\\.npmrc",
            "terraform.tfstate",
        ] {
            assert_eq!(kind(path), Some(Kind::Values), "{path}");
        }
        for path in ["/h/.ssh/id_ed25519", "server.key", "a.pem"] {
            assert_eq!(kind(path), Some(Kind::Key), "{path}");
        }
        for path in [
            ".env.example",
            "/h/.ssh/id_rsa.pub",
            "src/env.rs",
            "environment.md",
            "id_map.rs",
        ] {
            assert_eq!(kind(path), None, "{path}");
        }
    }

    #[test]
    fn values_go_and_names_stay() {
        let hidden = |line: &str| value_of(line.as_bytes()).map(|r| line[r].to_owned());
        assert_eq!(
            hidden("DB_HOST=db-prod-7.local").as_deref(),
            Some("db-prod-7.local")
        );
        assert_eq!(
            hidden("  \"token\": \"abc-def\",").as_deref(),
            Some("abc-def")
        );
        assert_eq!(hidden("PORT=8080"), None);
        assert_eq!(hidden("DEBUG=true"), None);
        assert_eq!(hidden("KEY=${OTHER}"), None);
    }
}
