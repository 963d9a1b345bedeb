//! What a command shows: the files of secrets that it prints, what it takes out of a store, the
//! environment.

use super::{Kind, named};
use crate::source::ToolContext;

/// The longest command looked at, in bytes.
const LONGEST: usize = 4000;

/// Commands that print what is in the files they are given.
const PRINTERS: [&str; 26] = [
    "cat",
    "bat",
    "batcat",
    "less",
    "more",
    "nl",
    "tac",
    "type",
    "head",
    "tail",
    "sed",
    "awk",
    "gawk",
    "grep",
    "egrep",
    "fgrep",
    "rg",
    "cut",
    "sort",
    "strings",
    "view",
    "get-content",
    "gc",
    "jq",
    "yq",
    "source",
];

/// Commands, by their words, that answer with secrets.
const STORES: [&[&str]; 44] = [
    &["kubectl", "get", "secret"],
    &["kubectl", "get", "secrets"],
    &["oc", "get", "secret"],
    &["kubectl", "create", "token"],
    &["kubectl", "config", "view", "--raw"],
    &["oc", "whoami", "-t"],
    &["aws", "ssm", "get-parameter"],
    &["aws", "ssm", "get-parameters"],
    &["aws", "ssm", "get-parameters-by-path"],
    &["aws", "secretsmanager", "get-secret-value"],
    &["aws", "configure", "export-credentials"],
    &["aws", "configure", "get"],
    &["aws", "ecr", "get-login-password"],
    &["aws", "sts", "get-session-token"],
    &["aws", "sts", "assume-role"],
    &["vault", "kv", "get"],
    &["vault", "read"],
    &["vault", "token", "create"],
    &["gcloud", "secrets", "versions", "access"],
    &["gcloud", "auth", "print-access-token"],
    &["gcloud", "auth", "print-identity-token"],
    &["az", "account", "get-access-token"],
    &["az", "keyvault", "secret", "show"],
    &["op", "read"],
    &["op", "item", "get"],
    &["pass", "show"],
    &["gopass", "show"],
    &["bw", "get"],
    &["lpass", "show"],
    &["keepassxc-cli", "show"],
    &["security", "find-generic-password"],
    &["security", "find-internet-password"],
    &["secret-tool", "lookup"],
    &["gh", "auth", "token"],
    &["glab", "auth", "token"],
    &["heroku", "config"],
    &["heroku", "auth:token"],
    &["fly", "auth", "token"],
    &["doppler", "secrets"],
    &["infisical", "secrets"],
    &["chamber", "read"],
    &["ansible-vault", "view"],
    &["sops", "-d"],
    &["git", "credential", "fill"],
];

/// What the answer to a command is, if it holds secrets.
pub(super) fn kind(command: &str) -> Option<Kind> {
    simple(command).filter_map(|words| of(&words)).max()
}

/// Whether what is answered are lines found in many files, each after its file's name.
pub(super) fn searches(tool: &ToolContext) -> bool {
    const TOOLS: [&str; 5] = [
        "grep",
        "grep_search",
        "search_file_content",
        "ripgrep",
        "code_search",
    ];
    const PROGRAMS: [&str; 6] = ["grep", "egrep", "fgrep", "rg", "ag", "ack"];
    let name = tool.name.rsplit("__").next().unwrap_or(&tool.name);
    TOOLS.iter().any(|t| t.eq_ignore_ascii_case(name))
        || tool.command.as_deref().is_some_and(|command| {
            simple(command).any(|words| match inner(&words) {
                [first, ..] if PROGRAMS.contains(first) => true,
                ["git", "grep", ..] => true,
                _ => false,
            })
        })
}

fn of(words: &[&str]) -> Option<Kind> {
    let words = inner(words);
    let (program, rest) = words.split_first()?;
    let program = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let program = program.to_ascii_lowercase();
    let store = STORES.iter().any(|store| {
        let Some((name, needed)) = store.split_first() else {
            return false;
        };
        // Options may stand between the words.
        let mut given = rest.iter();
        *name == program && needed.iter().all(|word| given.any(|w| w == word))
    });
    if store {
        return Some(Kind::Answer);
    }
    if PRINTERS.contains(&program.as_str()) {
        return rest.iter().filter_map(|word| named::kind(word)).max();
    }
    let bare = || rest.iter().all(|word| word.starts_with('-'));
    let environment = match program.as_str() {
        "printenv" | "declare" => bare() || rest.len() == 1,
        "env" | "set" | "export" => bare(),
        "get-childitem" | "gci" | "ls" | "dir" => {
            rest.first().is_some_and(|w| w.eq_ignore_ascii_case("env:"))
        }
        "docker" | "podman" => rest.first() == Some(&"inspect"),
        _ => false,
    };
    environment.then_some(Kind::Environment)
}

/// What is run inside a container or as another user.
fn inner<'w, 'c>(mut words: &'w [&'c str]) -> &'w [&'c str] {
    while let Some((first, rest)) = words.split_first() {
        let assigns = first.contains('=') && !first.starts_with('-');
        if !assigns && !matches!(*first, "sudo" | "command" | "time" | "exec" | "doas") {
            break;
        }
        words = rest;
    }
    let runs = |words: &[&str]| {
        let at = words
            .iter()
            .take(4)
            .position(|w| matches!(*w, "exec" | "run" | "ssh"))?;
        matches!(
            words.first(),
            Some(&("docker" | "podman" | "kubectl" | "oc" | "docker-compose" | "ssh"))
        )
        .then_some(at + 1)
    };
    let known = |word: &&str| PRINTERS.contains(word) || matches!(*word, "env" | "printenv");
    let Some(from) = runs(words) else {
        return words;
    };
    let rest = words.get(from..).unwrap_or(&[]);
    let at = rest.iter().position(known);
    at.and_then(|at| rest.get(at..)).unwrap_or(words)
}

/// What a command writes into a file of secrets: `cat > .env <<EOF`, `tee .env`, `>> .env`.
pub(super) fn written(command: &str) -> Option<Kind> {
    let first = command.lines().next()?;
    let words: Vec<&str> = first.split_whitespace().collect();
    let after = |sign: &str| {
        let at = words.iter().position(|w| *w == sign)?;
        words
            .iter()
            .skip(at + 1)
            .find(|w| !w.starts_with('-'))
            .copied()
    };
    let glued = words
        .iter()
        .find_map(|w| w.strip_prefix(">>").or(w.strip_prefix('>')));
    let glued = glued.filter(|w| !w.is_empty());
    [after(">"), after(">>"), after("tee"), glued]
        .into_iter()
        .flatten()
        .find_map(named::kind)
}

/// The simple commands of a line, as words without quotes.
fn simple(command: &str) -> impl Iterator<Item = Vec<&str>> {
    let end = command
        .char_indices()
        .map(|(at, _)| at)
        .take_while(|at| *at <= LONGEST)
        .last()
        .unwrap_or(0);
    let whole = command.len() <= LONGEST;
    let text = if whole {
        command
    } else {
        command.get(..end).unwrap_or("")
    };
    let mut quote = None;
    let parts = text.split(move |c: char| {
        match quote {
            Some(q) if c == q => quote = None,
            None if matches!(c, '"' | '\'') => quote = Some(c),
            _ => {}
        }
        quote.is_none() && matches!(c, '|' | ';' | '&' | '\n' | '(' | ')' | '`')
    });
    parts.map(|part| {
        let words = part.split_whitespace();
        words
            .map(|w| w.trim_matches(['"', '\'', '{', '}', '$']))
            .filter(|w| !w.is_empty())
            .collect()
    })
}
