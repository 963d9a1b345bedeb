//! What looks like a secret's name with its value and is none: a file that a map lists by its path,
//! the title of a manual page, a class that a bundler named, two names that are told together.
//!
//! Bytes in, yes or no out; nothing is hidden here.

use super::super::lines;
use super::super::value;
use std::ops::Range;

/// The longest path of a file that is a key, in bytes.
const PATH: usize = 200;

/// Endings of files of code; such a name needs no folder before it.
const CODE: &str = "ts tsx js jsx mjs cjs py pyi rb go rs java kt cs php c h cc cpp hpp swift scala \
    sh bash ps1 sql md mdx vue svelte css scss html ipynb proto ex exs erl lua pl dart test spec";
/// Endings of other files, behind a folder.
const OTHER: &str = "json yaml yml toml txt xml ini conf cfg tf snap lock log rst csv svg map";

/// Whether nothing that stands behind a name is its value, whatever the name says.
pub(super) fn is_no_name(text: &[u8], name: &Range<usize>) -> bool {
    is_file(text, name) || is_title(text, name)
}

/// `"src/secret.ts": {…}`, `"token.go": "9fceb…"`: a file, as a map of files has it for a key.
fn is_file(text: &[u8], name: &Range<usize>) -> bool {
    let sign = text.get(name.end..).unwrap_or(&[]);
    let quote = match sign.first() {
        Some(quote @ (b'"' | b'\'')) => Some(quote),
        // `src/passwd.c: …` of a log of changes
        Some(b':') => None,
        _ => return false,
    };
    let bytes = text.get(name.clone()).unwrap_or(&[]);
    let Some(dot) = bytes.iter().rposition(|b| *b == b'.') else {
        return false;
    };
    let ending = bytes.get(dot + 1..).unwrap_or(&[]);
    let is_in = |all: &str| all.split(' ').any(|e| e.as_bytes() == ending);
    let (code, other) = (is_in(CODE), is_in(OTHER));
    if !code && !other {
        return false;
    }
    let before = text.get(name.start.saturating_sub(PATH)..name.start);
    let before = before.unwrap_or(&[]);
    let path = |b: &&u8| b.is_ascii_alphanumeric() || b"_./@+-\\ ~()[]".contains(b);
    let len = before.iter().rev().take_while(path).count();
    let (head, folder) = before.split_at(before.len() - len);
    let keyed = text.get(name.end + 1..).unwrap_or(&[]);
    let keyed = keyed.iter().take(4).find(|b| **b != b' ') == Some(&b':');
    let folder = folder.iter().any(|b| matches!(b, b'/' | b'\\'));
    match quote {
        Some(quote) => keyed && head.last() == Some(quote) && (code || folder),
        None => folder && code,
    }
}

/// `.TH "SYSTEMD\-CREDS" "1" …`: the title of a manual page.
fn is_title(text: &[u8], name: &Range<usize>) -> bool {
    const LINE: usize = 40;
    let before = text.get(name.start.saturating_sub(LINE)..name.start);
    let before = before.unwrap_or(&[]);
    let line = lines::last(before);
    line.starts_with(b".TH ") || line.starts_with(b".SH ") || line.starts_with(b".Dt ")
}

/// Whether a value only tells its name again. `sign` is what stands between the two.
pub(super) fn tells_name(name: &[u8], sign: &[u8], found: &[u8]) -> bool {
    is_class(name, found) || sign.contains(&b',') && is_twin(name, found)
}

/// `_password_3uy9j_76`, `Form_password__z6CBp`: a class of a module of CSS, as bundlers name it.
fn is_class(name: &[u8], found: &[u8]) -> bool {
    const LONGEST: usize = 80;
    let name = name.rsplit(|b| *b == b'.').next().unwrap_or(name);
    let Some(at) = (found.len() <= LONGEST && name.len() >= 3)
        .then(|| memchr::memmem::rfind(found, name))
        .flatten()
    else {
        return false;
    };
    let (head, rest) = found.split_at(at);
    let rest = rest.get(name.len()..).unwrap_or(&[]);
    let word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    let sum = |part: &[u8]| (5..=8).contains(&part.len()) && part.iter().all(word);
    let number = |part: &[u8]| (1..=4).contains(&part.len()) && part.iter().all(u8::is_ascii_digit);
    // `_name_SUM_NUMBER`
    let mut parts = rest.split(|b| *b == b'_').skip(1);
    let short = head == b"_"
        && rest.first() == Some(&b'_')
        && parts.next().is_some_and(sum)
        && parts.next().is_some_and(number)
        && parts.next().is_none();
    // `File_name__SUM`, `file-name--SUM`
    let tail = rest.strip_prefix(b"__").or(rest.strip_prefix(b"--"));
    let joined = matches!(head.last(), Some(b'_' | b'-'));
    let file = value::digits(head) <= 2 && head.iter().all(word) && value::is_name_like(head);
    short || joined && file && tail.is_some_and(sum)
}

/// `("token1", "condition1")`: two words with the same number.
fn is_twin(name: &[u8], found: &[u8]) -> bool {
    let number = |word: &[u8]| {
        let digit = |b: &&u8| b.is_ascii_digit();
        word.iter().rev().take_while(digit).count()
    };
    let (of, figures) = (number(name), number(found));
    let same = name.get(name.len() - of..) == found.get(found.len() - figures..);
    let word = found.get(..found.len() - figures).unwrap_or(&[]);
    of == 1 && same && word.iter().all(u8::is_ascii_lowercase)
}

/// `v1.2.3-4-g071a10d`: a commit as git describes it.
pub(super) fn is_described(found: &[u8]) -> bool {
    let mut parts = found.rsplit(|b| *b == b'-');
    let commit = parts.next().and_then(|part| part.strip_prefix(b"g"));
    let hex = |b: &u8| b.is_ascii_digit() || matches!(b, b'a'..=b'f');
    let sum = commit.is_some_and(|c| (7..=40).contains(&c.len()) && c.iter().all(hex));
    let number = |n: &[u8]| (1..=5).contains(&n.len()) && n.iter().all(u8::is_ascii_digit);
    sum && parts.next().is_some_and(number) && parts.next().is_some()
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::redact;

    #[test]
    fn what_only_looks_like_a_name_and_a_value_stays() {
        for text in [
            "\"trackedFileBackups\":{\"src/secret.ts\":{\"backupFileName\":\"1d83c4a29548fa91@v1\",\"version\":1}}",
            "{\"lib/password.js\":\"a3929add2292513d3ed27d093ab2ec357332cd38\"}",
            "{\"conf/api_token.yaml\": \"a3929add2292513d3ed27d093ab2ec357332cd38\"}",
            "var s={password:\"_password_3uy9j_76\",token:\"_token_rqkou_48\"}",
            "{\"apiKey\":\"Form_apiKey__z6CBp\",\"secret\":\"form-secret--9xKq2\"}",
            ".TH \"GIT\\-CREDENTIAL\" \"1\" \"11/20/2023\" \"Git 2\\&.39\" \"Git Manual\"",
            "stack.append((\"token1\", \"condition1\"))",
            "+ae3baaa5f29ac16ca47a6def599993e6b495c36c deps/auth (v1.2.3-4-g071a10d)",
            "\"hashed_secret\": \"a3929add2292513d3ed27d093ab2ec357332cd38\"",
        ] {
            assert_eq!(redact(text), text);
        }
        for (text, secret) in [
            ("{\"app/db_password\": \"q7Zk20Vd9sLm\"}", "q7Zk20Vd9sLm"),
            (
                "{\"app.auth.token\": \"q7Zk20Vd9sLmW3xT\"}",
                "q7Zk20Vd9sLmW3xT",
            ),
            ("password: \"my_password_q7Zk20\"", "q7Zk20"),
            ("connect(\"password1\", \"harbor-Xk2\")", "harbor-Xk2"),
        ] {
            let shown = redact(text);
            assert!(!shown.contains(secret), "{shown}");
        }
    }
}
