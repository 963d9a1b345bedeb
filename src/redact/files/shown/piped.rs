//! What is left of secrets behind a pipe: all of them, their bare values, their names alone.

use super::super::stores::ENDS;
use super::super::{Kind, setting};
use super::{is_assignment, program};
use crate::redact::assignment::says_secret;

/// The first word that is no option: the filter, script or pattern.
pub(super) fn program_of<'w>(rest: &[&'w str]) -> Option<&'w str> {
    rest.iter().find(|w| !w.starts_with('-')).copied()
}

/// The members that a filter names: `.a.b`, `.["a"]`.
pub(super) fn paths(filter: &str) -> impl Iterator<Item = &str> {
    let part = |c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-';
    filter.split(part).filter(|p| !p.is_empty())
}

/// What a program prints of what goes into it, or of the files it is given.
pub(super) fn passed(texts: &[&str], kind: Kind) -> Option<Kind> {
    let texts = texts.iter().skip_while(|w| is_assignment(w)).copied();
    let texts: Vec<&str> = texts.collect();
    let (first, rest) = texts.split_first()?;
    let name = program(first);
    let name = name.as_str();
    let has = |flag: &str| rest.contains(&flag);
    let short = |c: char| {
        rest.iter()
            .any(|w| w.starts_with('-') && !w.starts_with("--") && w.contains(c))
    };
    let cut = || cut(kind, rest);
    match name {
        _ if ENDS.contains(&name) => None,
        "grep" | "egrep" | "fgrep" | "rg" if short('c') || short('q') || short('l') => None,
        "grep" | "egrep" | "fgrep" | "rg" if short('o') => cut(),
        "base64" | "xxd" if !short('d') && !short('D') && !short('r') => Some(Kind::Answer),
        "cut" => {
            let first = has("-f1") || rest.windows(2).any(|w| w == ["-f", "1"]);
            if first { None } else { cut() }
        }
        "awk" | "gawk" => {
            let script = rest.iter().find(|w| w.contains("print")).unwrap_or(&"");
            let values = ["$2", "$3", "$NF", "$0", "substr", "sub("];
            let names = script.contains("$1") && !values.iter().any(|v| script.contains(v));
            let whole = !script.contains('$') || script.contains("$0");
            match (names, whole) {
                (true, _) => None,
                (_, true) => Some(kind),
                _ => cut(),
            }
        }
        "sed" | "perl" => {
            let script = rest
                .iter()
                .find(|w| w.contains("s/") || w.contains("s|") || w.contains("s#"));
            match script {
                Some(script) if drops_values(script) => None,
                Some(_) => cut(),
                None => Some(kind),
            }
        }
        "jq" | "yq" => match program_of(rest) {
            Some(filter) if filter.contains("keys") => None,
            Some(filter) if filter.trim() == "." || !filter.contains('.') => Some(kind),
            Some(filter) => {
                let path: Vec<_> = paths(filter).collect();
                let held = path
                    .iter()
                    .any(|p| matches!(*p, "data" | "stringData" | "SecretString"));
                let label = path.last().is_some_and(|p| setting::is_label(p.as_bytes()));
                let object = filter.contains('{');
                if label && !held && !object {
                    None
                } else {
                    cut()
                }
            }
            None => Some(kind),
        },
        _ => Some(kind),
    }
}

/// Values without their names: an answer, if the command does not say that it is about a setting.
pub(super) fn cut(kind: Kind, rest: &[&str]) -> Option<Kind> {
    let constant = |w: &&&str| {
        let name = w.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        name.len() >= 3 && name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_')
    };
    let asked: Vec<_> = rest.iter().filter(constant).collect();
    let secret = asked.iter().any(|w| says_secret(w.as_bytes()));
    match kind {
        Kind::Environment if !secret => Some(kind),
        Kind::Key => Some(kind),
        _ => Some(Kind::Answer),
    }
}

/// `s/=.*//`, `s/=.*/=***/`: all behind the sign goes.
pub(super) fn drops_values(script: &str) -> bool {
    let pattern = script.get(2..).unwrap_or("");
    ["=.*", "=.+", "\\s*=.*", ":.*"]
        .iter()
        .any(|all| pattern.starts_with(all))
}
