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
    is_class(name, found)
        || sign.contains(&b',') && is_twin(name, found)
        || sign.ends_with(b"-> ") && is_link(name, found)
}

/// `passwd.1.gz -> chpasswd.1.gz`: a file that stands for another.
fn is_link(name: &[u8], found: &[u8]) -> bool {
    let dot = name.iter().rposition(|b| *b == b'.');
    let ending = dot.and_then(|at| name.get(at..)).unwrap_or(&[]);
    (2..=5).contains(&ending.len()) && found.ends_with(ending)
}

/// Whether a place is on a line of a binary patch, as git writes it: a letter that says how many
/// bytes there are, and five signs for each four of them.
pub(in super::super) fn is_patch(text: &[u8], at: usize) -> bool {
    /// The longest such line, in bytes.
    const LONGEST: usize = 66;
    let head = lines::last(text.get(at.saturating_sub(LONGEST)..at).unwrap_or(&[]));
    let tail = text.get(at..(at + LONGEST).min(text.len())).unwrap_or(&[]);
    let tail = tail.get(..memchr::memchr(b'\n', tail).unwrap_or(tail.len()));
    let tail = tail.unwrap_or(&[]);
    let count = match head.first() {
        Some(b @ b'A'..=b'Z') => usize::from(b - b'A') + 1,
        Some(b @ b'a'..=b'z') => usize::from(b - b'a') + 27,
        _ => return false,
    };
    let sign = |b: &u8| b.is_ascii_graphic() && !b"\"',./:[\\]".contains(b);
    let odd = |b: &&u8| b"!#$%&()*+;<>?@^`{|}~".contains(b);
    let all = || head.iter().chain(tail);
    head.len() + tail.len() == 1 + count.div_ceil(4) * 5
        && all().all(sign)
        && all().filter(odd).count() >= 8
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
    fn base64_has_no_names_in_it() {
        let line = "KJjVN49BR2sJrpbNGSrlux1uzBJsAGF6UddYCcuUpawSNMTfyjvONc9NsoStvpsk";
        let text =
            format!("{line}\nLQ0CvfKOVdi/q1zwPfbaOXDjnkF/aQojnNaHVFhM1YMtkBB4wIFWODLN9Jko0aL7\n");
        assert_eq!(redact(&text), text);
        let text = "/g0jf789Zn/pIx+qYh/7tKW1MUPJwKGL9s+NxuxsOb06U7N/TuDccrYDb1935PsW\nVVcIJZVtat8n8fgNhXlKimf0d/vZwGL43z9BveTDfa8FrM91PXyUA/2ROEkJ7QNn\n";
        assert_eq!(redact(text), text);
    }

    #[test]
    fn a_line_of_a_binary_patch_has_no_names_in_it() {
        for text in [
            "zSo)X2QRv2TyPsW902GmB<AdjxQK*woR)=7#S>~mBwy@sduLZiyqA0YpPzzpnZbHj1",
            "zXkW}Fr|pK*xs@>6OAPSW?BHvGV+m#?uXOCHS72yX-fdpHoF~Ja`f&1UkIe+=sN(6A",
        ] {
            assert_eq!(redact(text), text);
        }
        let password = "DB_PASSWORD=k#9x!Qz&7Rw1^Lm?4Vd~2Tb";
        assert_ne!(redact(password), password);
    }

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
            "{password:\"_header_wAayr_86\"}",
            "level=info msg=\"reset token\" private_id=e60d12ab93cf77d1",
            "<div class=\"_token_FLgBj_93 _service_zbGqk_69\">",
            "GET /x/y?password=client&login=29",
            "lrwxrwxrwx passwd.1ssl.gz -> openssl-cmds.1ssl.gz",
            "pub const USER_TOKEN: core::GUID = core::GUID::from_u128(0x9bf0ee66_06c9_41b9_84da_288cb43af51f);",
            "const ACCOUNT_PASSWORD: &str = \"_SA_{262E99C9-6160-4871-ACEC-4E61736B6F21}\";",
            "openssl pkcs12 -export -passout pass:sample -in x",
            "postgres://%(user)s:%(password)s@host/db",
            "a.result-static:focus{background-color:#0063cc;}a.x:focus{color:#00708a;}",
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
