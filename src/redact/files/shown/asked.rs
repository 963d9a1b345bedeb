//! What one command answers by itself: a store, a file's printer, a language's line, git.

use super::super::stores::{STORES, When};
use super::super::{Kind, named};
use super::Shown;
use super::piped::{passed, paths, program_of};
use crate::redact::assignment::says_secret;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The stores by the names of their programs: what else is said to them, and when they answer.
static BY_NAME: LazyLock<HashMap<&str, Vec<(&str, When)>>> = LazyLock::new(|| {
    let mut all = HashMap::<_, Vec<_>>::new();
    for (words, when) in STORES {
        let (name, rest) = words.split_once(' ').unwrap_or((words, ""));
        all.entry(name).or_default().push((rest, *when));
    }
    all
});

/// Whether a program is a store's.
pub(in crate::redact::files) fn is_store(name: &str) -> bool {
    BY_NAME.contains_key(name)
}

/// Whether a command asks a store, and when that answers with secrets.
pub(super) fn store(name: &str, rest: &[&str]) -> Option<When> {
    let fits = |words: &str| {
        let mut given = rest.iter();
        // Options may stand between the words.
        words.split_ascii_whitespace().all(|word| {
            given.any(|w| *w == word || w.strip_prefix(word).is_some_and(|w| w.starts_with('/')))
        })
    };
    let found = BY_NAME.get(name)?.iter().filter(|(words, _)| fits(words));
    let longest = found.max_by_key(|(words, _)| words.len());
    longest.map(|(_, when)| *when)
}

pub(super) fn answered(when: When, rest: &[&str]) -> Option<Kind> {
    let names = |w: &&str| {
        let last = w.rsplit(['/', ':', '=']).next().unwrap_or(w);
        says_secret(last.as_bytes())
    };
    match when {
        When::Always => Some(Kind::Answer),
        When::With(options) => rest
            .iter()
            .any(|w| {
                options
                    .iter()
                    .any(|o| w.eq_ignore_ascii_case(o) || is_glued(w, o))
            })
            .then_some(Kind::Answer),
        When::Named if rest.iter().filter(|w| !w.starts_with('-')).any(names) => Some(Kind::Answer),
        When::Named => Some(Kind::Environment),
    }
}

pub(super) fn is_glued(word: &str, option: &str) -> bool {
    word.strip_prefix(option)
        .is_some_and(|rest| rest.starts_with('=') || option == "-o" && !rest.starts_with("name"))
}

/// What a program prints of the files that it is given.
pub(super) fn printed(texts: &[&str], name: &str) -> Option<Kind> {
    let rest = texts.get(1..)?;
    let environ = rest.iter().any(|w| w.ends_with("/environ"));
    let file = rest.iter().filter_map(|word| named::kind(word)).max();
    let kind = file.or(environ.then_some(Kind::Environment));
    if let Some(kind) = kind {
        return passed(texts, kind);
    }
    // `jq -r .password any.json`: the filter names it.
    let filter = matches!(name, "jq" | "yq")
        .then(|| program_of(rest))
        .flatten()?;
    let member = filter.contains('.')
        && paths(filter)
            .last()
            .is_some_and(|p| says_secret(p.as_bytes()));
    member.then_some(Kind::Answer)
}

/// What a line given to a language prints of the environment or of a file of secrets.
pub(super) fn lines_of(rest: &[&str]) -> Option<Kind> {
    const GIVEN: [&str; 9] = [
        "-c", "-e", "-p", "-r", "-pe", "--eval", "--print", "eval", "-ne",
    ];
    let at = rest.iter().position(|w| GIVEN.contains(w))?;
    code(rest.get(at + 1)?)
}

/// What a line typed at a language's own prompt answers.
pub(in super::super) fn evaluated(line: &str) -> Option<Shown> {
    // `p config.password`: the value of what is named last.
    let plain = !line.contains(['=', '(']) && line.split_whitespace().count() <= 3;
    let named = paths(line).last().filter(|_| plain);
    let secret = named.is_some_and(|name| says_secret(name.as_bytes()));
    let known = code(line).filter(|kind| *kind != Kind::Environment);
    let kind = known.or(secret.then_some(Kind::Answer))?;
    Some(Shown { kind, sole: true })
}

pub(super) fn code(script: &str) -> Option<Kind> {
    const MAKES: [&str; 6] = [
        "secrets.token",
        "secrets.choice",
        "get_random_secret_key",
        "randomBytes",
        "SecureRandom",
        "dotenv",
    ];
    const ASKS: [&str; 6] = [
        "environ",
        "process.env",
        "getenv",
        "ENV[",
        "ENV.fetch",
        "$_ENV",
    ];
    let has = |all: &[&str]| all.iter().any(|part| script.contains(part));
    let named = || paths(script).any(|p| says_secret(p.as_bytes()));
    let file = script
        .split(['"', '\'', '`'])
        .any(|w| named::kind(w).is_some());
    if file || has(&MAKES) || has(&ASKS) && named() {
        return Some(Kind::Answer);
    }
    has(&ASKS).then_some(Kind::Environment)
}

/// What git shows of a file of secrets in a commit. A diff names its files itself.
pub(super) fn committed(rest: &[&str]) -> Option<Kind> {
    const SHOWS: [&str; 5] = ["show", "cat-file", "blame", "annotate", "grep"];
    let sub = rest.iter().find(|w| !w.starts_with('-'))?;
    if !SHOWS.contains(sub) {
        return None;
    }
    let file = |w: &&str| {
        let path = w.rsplit(':').next().unwrap_or(w);
        let named = w.contains(':') || matches!(*sub, "blame" | "annotate" | "grep");
        named::kind(path).filter(|_| named)
    };
    rest.iter().filter_map(file).max()
}
