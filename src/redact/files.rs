//! Files that hold nothing but secrets (`.env`, keys, credentials), and commands that show such
//! files or secrets themselves. There every value is hidden, and the names stay.

mod named;
mod shown;

use super::Part;
use super::rules::rules;
use super::scan::Span;
use super::value;
use aho_corasick::{AhoCorasick, MatchKind};
use std::ops::Range;
use std::sync::LazyLock;

/// What is known of a text by where it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// The environment: names and values, most of them harmless.
    Environment,
    /// Names and values, a line each.
    Values,
    /// What a command gives out of a store of secrets: a value, or names and values.
    Answer,
    /// A key: no line of it is of use.
    Key,
}

pub(super) fn find(text: &[u8], part: &Part<'_>) -> Vec<Span> {
    let own = part.tool.and_then(|tool| {
        let path = tool.path.as_deref().and_then(named::kind);
        let command = tool.command.as_deref().and_then(shown::kind);
        path.or(command).filter(|_| !part.call)
    });
    let written = part.tool.and_then(|tool| tool.command.as_deref());
    let written = written.filter(|_| part.call).and_then(shown::written);
    let marked = has_marks(text);
    let searched = part.tool.is_some_and(shown::searches) && !part.call;
    if own.is_none() && written.is_none() && !marked && !searched {
        return Vec::new();
    }
    let (mut at, mut spans, mut told) = (0, Vec::new(), None);
    for (n, line) in text.split(|b| *b == b'\n').enumerate() {
        if let Some((form, path)) = mark(line).filter(|_| marked) {
            told = named::kind(path).map(|kind| (form, kind));
        } else if told.is_some_and(|(form, kind)| !goes_on(form, kind, line)) {
            told = None;
        }
        let of_line = located(line).filter(|_| searched && own.is_none());
        // No text can say that it is of another file than the tool was asked for.
        let kind = own
            .or(told.map(|(_, kind)| kind))
            .or(written.filter(|_| n > 0));
        let (kind, from) = of_line.map_or((kind, 0), |(kind, from)| (Some(kind), from));
        let shown = line.get(from..).unwrap_or(&[]);
        for found in kind.map_or_else(Vec::new, |kind| hidden(kind, shown)) {
            let range = at + from + found.start..at + from + found.end;
            spans.push(Span {
                range,
                rule: "secret_file".into(),
                remember: kind.is_some_and(|kind| is_sure(kind, shown, &found)),
            });
        }
        at += line.len() + 1;
    }
    spans
}

/// How a text shows a file that it names itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A diff or a patch: each line has a sign before it.
    Changes,
    /// As it is.
    Plain,
}

/// Where a text says itself of which file it goes on to tell: a patch, a diff, `head` of several.
const MARKS: [(&[u8], Form); 7] = [
    (b"*** Add File: ", Form::Changes),
    (b"*** Update File: ", Form::Changes),
    (b"*** Delete File: ", Form::Changes),
    (b"diff --git ", Form::Changes),
    (b"+++ b/", Form::Changes),
    (b"==> ", Form::Plain),
    (b"File: ", Form::Plain),
];

/// What a diff's lines begin with, besides their signs.
const IN_DIFF: [&[u8]; 9] = [
    b"@@",
    b"***",
    b"\\",
    b"index ",
    b"new file ",
    b"deleted file ",
    b"old mode ",
    b"similarity ",
    b"rename ",
];

/// Whether a line is still one of the file that was named above it. What follows the file is not to
/// be read as the file is.
fn goes_on(form: Form, kind: Kind, line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    match (form, line) {
        (_, []) | (Form::Changes, [b'+' | b'-' | b' ' | b'\t', ..]) => true,
        (Form::Changes, _) => IN_DIFF.iter().any(|head| line.starts_with(head)),
        (Form::Plain, _) => {
            let body = line.get(super::lines::gutter(line, 0)..).unwrap_or(line);
            let sign = |text: &[u8]| {
                matches!(
                    text.first(),
                    None | Some(b'#' | b';' | b'[' | b'-' | b'{' | b'}')
                )
            };
            let comment = sign(line.trim_ascii_start()) || sign(body);
            comment || !hidden(kind, line).is_empty() || is_pair(body)
        }
    }
}

/// A name, a sign and a value, whether or not it is worth hiding.
fn is_pair(body: &[u8]) -> bool {
    let sign = body.iter().position(|b| matches!(b, b'=' | b':'));
    let name = sign.and_then(|at| body.get(..at)).map(<[u8]>::trim_ascii);
    name.is_some_and(|name| {
        !name.is_empty() && !name.contains(&b' ') || name.starts_with(b"export ")
    })
}

static FINDER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let leftmost = MatchKind::LeftmostFirst;
    let finder = AhoCorasick::builder()
        .match_kind(leftmost)
        .build(MARKS.map(|(mark, _)| mark));
    finder.ok()
});

/// Whether a text says of a line that it is of a file of secrets.
fn has_marks(text: &[u8]) -> bool {
    let Some(finder) = FINDER.as_ref() else {
        return true;
    };
    finder.find_iter(text).any(|found| {
        let (before, from) = text.split_at(found.start());
        let blank = before.iter().rev().find(|b| !is_blank(**b));
        let end = memchr::memchr(b'\n', from).unwrap_or(from.len());
        let begins = blank.is_none_or(|b| *b == b'\n');
        begins
            && mark(from.get(..end).unwrap_or(from))
                .is_some_and(|(_, path)| !named::is_source(path) && named::kind(path).is_some())
    })
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() && byte != b'\n'
}

/// What a line of a search's answer is of, `.env:12:NAME=value`, and where its text begins.
fn located(line: &[u8]) -> Option<(Kind, usize)> {
    let end = line.iter().take(300).position(|b| *b == b':')?;
    let path = std::str::from_utf8(line.get(..end)?).ok()?;
    let kind = named::kind(path.trim())?;
    let digits = line.get(end + 1..)?.iter().take(8);
    let digits = digits.take_while(|b| b.is_ascii_digit()).count();
    let numbered = digits > 0 && matches!(line.get(end + 1 + digits), Some(b':' | b'-'));
    Some((kind, end + 1 + if numbered { digits + 1 } else { 0 }))
}

/// The file that a line says is told of from here on, and how.
fn mark(line: &[u8]) -> Option<(Form, &str)> {
    let line = line.trim_ascii();
    let (path, form) = MARKS
        .iter()
        .find_map(|(mark, form)| Some((line.strip_prefix(*mark)?, *form)))?;
    let path = path.strip_suffix(b" <==").unwrap_or(path);
    Some((form, std::str::from_utf8(path).ok()?))
}

fn hidden(kind: Kind, line: &[u8]) -> Vec<Range<usize>> {
    match kind {
        Kind::Key => key_line(line).into_iter().collect(),
        Kind::Values => value_of(line)
            .filter(|(name, value)| {
                let bytes = |range: &Range<usize>| line.get(range.clone()).unwrap_or(&[]);
                // `REGION=eu-west-1`, `LOG_LEVEL=warning`
                let told = || is_choice(bytes(name)) && value::is_wordy(bytes(value));
                let common = SETTINGS.contains(&bytes(value)) || told();
                !common || super::assignment::says_secret(bytes(name))
            })
            .map(|(_, value)| value)
            .into_iter()
            .collect(),
        Kind::Environment => {
            let told = |(name, value): &(Range<usize>, Range<usize>)| {
                let name = line.get(name.clone()).unwrap_or(&[]);
                let value = line.get(value.clone()).unwrap_or(&[]);
                let looks =
                    value.len() >= 8 && value::is_secret(value) || value::is_password(value, false);
                looks && !is_setting(name) || super::assignment::says_secret(name)
            };
            value_of(line)
                .filter(told)
                .map(|(_, value)| value)
                .into_iter()
                .collect()
        }
        Kind::Answer => match value_of(line) {
            Some((name, _)) if is_label(line.get(name.clone()).unwrap_or(&[])) => Vec::new(),
            Some((_, value)) => vec![value],
            None => word(line).into_iter().collect(),
        },
    }
}

/// What a setting is set to that is no secret's.
const SETTINGS: [&[u8]; 13] = [
    b"production",
    b"development",
    b"staging",
    b"debug",
    b"info",
    b"warn",
    b"warning",
    b"error",
    b"trace",
    b"verbose",
    b"localhost",
    b"127.0.0.1",
    b"0.0.0.0",
];

/// Whether a name's last word says that its value is one of a few.
fn is_choice(name: &[u8]) -> bool {
    const LAST: [&str; 12] = [
        "level",
        "region",
        "zone",
        "env",
        "environment",
        "mode",
        "lang",
        "locale",
        "tz",
        "timezone",
        "driver",
        "stage",
    ];
    let words = super::assignment::words(name);
    words
        .last()
        .is_some_and(|word| LAST.contains(&word.as_str()))
}

/// Names of what a store tells of a secret beside it.
fn is_label(name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    let last = name.rsplit(['.', '_', '-', '/']).next().unwrap_or(&name);
    let more = [
        "apiversion",
        "namespace",
        "timestamp",
        "lastmodifieddate",
        "duration",
        "renewable",
    ];
    rules().names.harmless.iter().any(|h| h == last)
        || more.iter().any(|m| last.ends_with(m))
        || ["id", "name", "date", "version", "arn"]
            .iter()
            .any(|m| last.ends_with(m))
}

/// A line that is one word: what a store answers with.
fn word(line: &[u8]) -> Option<Range<usize>> {
    let start = super::lines::gutter(line, 0);
    let body = line.get(start..)?.trim_ascii();
    let quoted = |b: &u8| matches!(b, b'"' | b'\'');
    let body = body.strip_suffix(b"\"").unwrap_or(body);
    let one = body.len() >= 6
        && !body.iter().any(|b| b.is_ascii_whitespace() || quoted(b))
        && !body.ends_with(b":")
        && !matches!(body, [b'-' | b'{' | b'[' | b'}' | b'<', ..]);
    (one && is_worth_hiding(body)).then(|| start..start + body.len())
}

/// Worth hiding wherever it comes again: nothing that may be a word or a place, and, where a name
/// stands that does not say secret, no commit, digest, version or name of a machine either.
fn is_sure(kind: Kind, line: &[u8], range: &Range<usize>) -> bool {
    let found = line.get(range.clone()).unwrap_or(&[]);
    let looks = found.len() >= 8 && (value::is_secret(found) || value::is_password(found, false));
    let named = || {
        let name = value_of(line).map(|(name, _)| name);
        let name = name.and_then(|name| line.get(name)).unwrap_or(&[]);
        super::assignment::says_secret(name)
            || !is_setting(name) && value::is_certainly_random(found)
    };
    match kind {
        Kind::Key => false,
        Kind::Answer => looks && !is_id(found),
        Kind::Values | Kind::Environment => looks && named(),
    }
}

/// A UUID, or a digest of a commit, a file or an image.
fn is_id(found: &[u8]) -> bool {
    let hex = found.iter().all(|b| b.is_ascii_hexdigit() || *b == b'-');
    hex && (found.len() == 36 || found.len() == 40 || found.len() == 64)
}

/// Words of names whose values tell of a program, a machine or a build.
const TELLING: [&str; 37] = [
    "commit",
    "sha",
    "revision",
    "rev",
    "image",
    "hostname",
    "host",
    "pod",
    "node",
    "release",
    "build",
    "tag",
    "region",
    "zone",
    "level",
    "lang",
    "tz",
    "timezone",
    "shell",
    "term",
    "home",
    "colors",
    "namespace",
    "cluster",
    "machine",
    "container",
    "branch",
    "stage",
    "gpg",
    "pgp",
    "os",
    "arch",
    "locale",
    "session",
    "display",
    "pwd",
    "oldpwd",
];

/// `GIT_COMMIT`, `LOG_LEVEL`, `HOSTNAME`: what is set tells nothing secret.
fn is_setting(name: &[u8]) -> bool {
    let words = super::assignment::words(name);
    let names = &rules().names;
    let told = |word: &String| {
        let word = word.trim_end_matches(|c: char| c.is_ascii_digit());
        TELLING.contains(&word) || names.harmless.iter().any(|h| h == word)
    };
    !super::assignment::says_secret(name) && words.iter().any(told)
}

/// What may stand before a name.
const PREFIXES: [&[u8]; 12] = [
    b"",
    b"-",
    b"export",
    b"set",
    b"declare -x",
    b"\"",
    b"'",
    b"{",
    b"{\"",
    b"+",
    b"$",
    b"- \"",
];

/// The name and the value of `NAME=value`, `export NAME="value"`, `name: value`,
/// `"name": "value"`, `- name: value`, `define('NAME', 'value')`, in whatever gutter.
fn value_of(line: &[u8]) -> Option<(Range<usize>, Range<usize>)> {
    let calls = [&b"define("[..], b"define ("];
    let define = calls
        .iter()
        .find_map(|call| memchr::memmem::find(line, call).map(|at| at + call.len()));
    let sign = |b: &u8| match define {
        Some(_) => *b == b',',
        None => matches!(b, b'=' | b':'),
    };
    let begin = define.unwrap_or_else(|| super::lines::gutter(line, 0).min(line.len()));
    // What stands before the first sign names it; a registry's address holds colons itself.
    let head = line.get(begin..)?;
    let address = head.starts_with(b"//");
    let at = begin
        + head
            .iter()
            .position(|b| if address { *b == b'=' } else { sign(b) })?;
    let quote = |b: &u8| matches!(b, b'"' | b'\'');
    let named = line.get(begin..at)?.trim_ascii_end();
    let end = begin + named.len() - usize::from(named.last().is_some_and(quote));
    let named = line.get(begin..end)?;
    let gap = named
        .iter()
        .rposition(|b| b.is_ascii_whitespace() || quote(b));
    let (before, word) = named.split_at_checked(gap.map_or(0, |n| n + 1))?;
    let known = PREFIXES.contains(&before.trim_ascii()) || define.is_some();
    if !known || word.starts_with(b"#") || !word.last()?.is_ascii_alphanumeric() {
        return None;
    }
    let padded = |b: &&u8| matches!(b, b' ' | b'"' | b'\'' | b'\t');
    let start = at + 1 + line.get(at + 1..)?.iter().take_while(padded).count();
    let rest = line.get(start..)?;
    let tail = rest
        .iter()
        .rev()
        .take_while(|b| {
            matches!(
                b,
                b' ' | b'"' | b'\'' | b',' | b'\r' | b'}' | b'\t' | b';' | b')'
            )
        })
        .count();
    let found = rest.get(..rest.len() - tail)?;
    let chosen = is_figures(found) && super::assignment::says_password(word);
    (chosen || is_worth_hiding(found)).then(|| (end - word.len()..end, start..start + found.len()))
}

/// `4711`, `20231122`: a number that a password's name makes a password.
fn is_figures(found: &[u8]) -> bool {
    (4..=64).contains(&found.len()) && found.iter().all(u8::is_ascii_digit)
}

/// Numbers, switches, placeholders and references say nothing.
fn is_worth_hiding(found: &[u8]) -> bool {
    let plain = rules().is_default_password(found);
    let number = found.len() < 8 && found.iter().all(|b| b.is_ascii_digit() || *b == b'.');
    let opening = matches!(found.first(), None | Some(b'{' | b'[' | b'$' | b'<'));
    let opening = opening && !value::holds_random(found);
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
    use crate::redact::Redactor;
    use crate::source::{Raw, ToolContext};

    #[test]
    fn values_go_and_names_stay() {
        let hidden = |line: &str| value_of(line.as_bytes()).map(|(_, r)| line[r].to_owned());
        for (line, value) in [
            ("DB_HOST=db-prod-7.local", "db-prod-7.local"),
            ("  \"token\": \"abc-def\",", "abc-def"),
            ("     3→export PW='kranich'", "kranich"),
            ("+PW=kranich", "kranich"),
            ("//registry.x.org/:_authToken=kranich", "kranich"),
            ("define('DB_PASSWORD', 'kranich');", "kranich"),
            ("password: kranich", "kranich"),
            ("PW=1234567", "1234567"),
            ("DB_PASS=12345678", "12345678"),
            ("DB_PASSWORD=20231122", "20231122"),
            ("SMTP_PASS=4711", "4711"),
        ] {
            assert_eq!(hidden(line).as_deref(), Some(value), "{line}");
        }
        for line in [
            "PORT=8080",
            "TOKEN_TTL=3600",
            "PASSWORD_MIN_LENGTH=1024",
            "DEBUG=true",
            "KEY=${OTHER}",
            "test result: passed",
        ] {
            assert_eq!(hidden(line), None, "{line}");
        }
    }

    fn seen(command: &str, text: &str) -> String {
        let tool = ToolContext {
            command: Some(command.to_owned()),
            ..ToolContext::default()
        };
        let part = Part {
            tool: Some(&tool),
            call: text.is_empty(),
        };
        let text = if text.is_empty() { command } else { text };
        let redactor = Redactor::new(&[], &[7; 32]).0;
        redactor
            .redact(&Raw::new(text), &part)
            .0
            .as_str()
            .to_owned()
    }

    #[test]
    fn what_a_command_shows_of_secrets_is_hidden() {
        for command in [
            "cat a.txt .env b.txt",
            "cat .env | grep HOST",
            "grep -n HOST .env.local",
            "Get-Content .env",
            "docker compose exec web cat /app/.env",
            "vault kv get secret/x",
            "aws ssm get-parameter --name a --with-decryption",
            "kubectl get secret x -o yaml",
            "sops -d x.yaml",
        ] {
            assert!(
                !seen(command, "HOST=kranich-haus").contains("kranich"),
                "{command}"
            );
        }
        for command in [
            "pass show x",
            "op read op://a/b/c",
            "gh auth token",
            "kubectl get secret x -o jsonpath='{.data.pw}' | base64 -d",
        ] {
            assert!(
                !seen(command, "kranich-haus\n").contains("kranich"),
                "{command}"
            );
        }
        assert!(!seen("printenv", "A=b\nAPP_PASSWORD=kranich-haus\n").contains("kranich"));
        assert_eq!(
            seen("env", "SHELL=/bin/bash\nUSER=kranich\n"),
            "SHELL=/bin/bash\nUSER=kranich\n"
        );
        let settings = "LOG_LEVEL=debug\nNODE_ENV=production\nPORT=8080\nTLS=false\n";
        assert_eq!(seen("cat .env", settings), settings);
        assert!(!seen("cat .env", "ADMIN_PASSWORD=production\n").contains("production"));
        assert!(!seen("cat > .env <<EOF\nPW=kranich\nEOF", "").contains("kranich"));
        for (command, text) in [
            ("cat .env.example", "HOST=kranich-haus"),
            ("ls -la .env", "HOST=kranich-haus"),
            ("cat src/env.rs", "HOST=kranich-haus"),
            ("cat .env && cargo test", "test result: passed well"),
            ("git commit -m 'cat .env'", "branch main: kranich"),
            ("kubectl get pods", "kranich-haus-7f"),
            ("env FOO=1 make all", "make: kranich"),
        ] {
            assert_eq!(seen(command, text), text, "{command}");
        }
    }

    #[test]
    fn what_an_environment_says_of_builds_and_machines_stays_and_is_not_known_elsewhere() {
        let told = "GIT_COMMIT=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b\nIMAGE=app@sha256:9f86d081884c7d65\n\
            HOSTNAME=web-7d9f8b6c5d-x2x9z\nGPG_KEY=A035C8C19219BA821ECEA86B64E628F8D684696D\n\
            PYTHON_SHA256=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n\
            LOG_LEVEL=debug2\nAWS_REGION=eu-west-1\n";
        assert_eq!(seen("env", told), told);
        let redactor = Redactor::new(&[], &[7; 32]).0;
        let of = |command: &str, text: &str| {
            let tool = ToolContext {
                command: Some(command.to_owned()),
                ..ToolContext::default()
            };
            let part = Part {
                tool: Some(&tool),
                call: false,
            };
            redactor
                .redact(&Raw::new(text), &part)
                .0
                .as_str()
                .to_owned()
        };
        let hidden = of(
            "cat .env",
            "BUILD_REF=9f86d081884c7d659a2f\nAPP=web-7d9f8b6c5d-x2x9z\nDB_PASSWORD=x8Kq2mP!z7Rw\n",
        );
        assert_eq!(hidden.matches("[REDACTED:").count(), 3, "{hidden}");
        let later = of(
            "ls",
            "9f86d081884c7d659a2f web-7d9f8b6c5d-x2x9z x8Kq2mP!z7Rw",
        );
        assert!(
            later.starts_with("9f86d081884c7d659a2f web-7d9f8b6c5d-x2x9z [REDACTED:"),
            "{later}"
        );
    }

    #[test]
    fn a_search_says_which_file_each_line_is_of() {
        let found = "src/a.rs:3:HOST=kranich\n.env:12:HOST=storch\n/app/.env:LOGO=reiher";
        for (name, command) in [("Grep", None), ("Bash", Some("grep -rn x ."))] {
            let tool = ToolContext {
                name: name.to_owned(),
                command: command.map(str::to_owned),
                ..ToolContext::default()
            };
            let part = Part {
                tool: Some(&tool),
                call: false,
            };
            let redactor = Redactor::new(&[], &[7; 32]).0;
            let (shown, _) = redactor.redact(&Raw::new(found), &part);
            let has = |word: &str| shown.as_str().contains(word);
            assert!(
                has("kranich") && !has("storch") && !has("reiher"),
                "{shown}"
            );
        }
    }

    #[test]
    fn a_patch_and_a_diff_say_which_file_they_are_of() {
        let patch = "*** Begin Patch\n*** Add File: .env\n+HOST=kranich\n*** Add File: a.md\n+Note: kranich";
        let part = Part::default();
        let redactor = Redactor::new(&[], &[7; 32]).0;
        let (shown, _) = redactor.redact(&Raw::new(patch), &part);
        assert_eq!(shown.as_str().matches("kranich").count(), 1, "{shown}");
        let over = "diff --git a/.env b/.env\nindex 1..2 100644\n--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-HOST=storch\n+HOST=reiher\n\nAll done.\nHOST=kranich";
        let listed =
            "==> .env <==\n# hosts\nHOST=storch\n\nexport HOST=reiher\nThat was all.\nHOST=kranich";
        for text in [over, listed] {
            let (shown, _) = redactor.redact(&Raw::new(text), &part);
            let has = |word: &str| shown.as_str().contains(word);
            assert!(
                has("kranich") && !has("storch") && !has("reiher"),
                "{shown}"
            );
        }
        let hidden = seen("cat .env", "==> a.md <==\nHOST=kranich");
        assert!(!hidden.contains("kranich"), "{hidden}");
    }
}
