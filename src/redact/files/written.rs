//! What a command writes into files of secrets or gives to a store: `cat > .env <<EOF`,
//! `echo X=… >> .env`, `… | tee .env`, `sed -i 's/X=.*/X=…/' .env`, `heroku config:set X=…`.

use super::shell::{self, Simple, Word};
use super::{Kind, hidden, named, pairs, setting};
use crate::redact::assignment::says_secret;
use std::ops::Range;

/// Programs that write into the files that they are given.
const WRITERS: [&str; 5] = ["tee", "set-content", "add-content", "out-file", "sponge"];

/// Commands that hand `NAME=value` to a store.
const SETTERS: [&str; 24] = [
    "heroku config:set",
    "heroku config:add",
    "fly secrets set",
    "fly secrets import",
    "flyctl secrets set",
    "doppler secrets set",
    "infisical secrets set",
    "vault kv put",
    "vault kv patch",
    "vault write",
    "bao kv put",
    "supabase secrets set",
    "railway variables",
    "kubectl create secret",
    "oc create secret",
    "dokku config:set",
    "eb setenv",
    "chamber write",
    "render env set",
    "az webapp config appsettings set",
    "az functionapp config appsettings set",
    "gh secret set",
    "dotenvx set",
    "convex env set",
];

/// Where values stand that a script writes into files of secrets or stores.
pub(super) fn values(script: &[u8]) -> Vec<Range<usize>> {
    values_of(script, &shell::read(script))
}

/// The same, where the script's commands are read already.
pub(super) fn values_of(script: &[u8], all: &[Simple]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let assigns = script.contains(&b'=');
    let mut first = 0;
    for (n, simple) in all.iter().enumerate() {
        if let Some(kind) = target(simple) {
            // What goes through the pipe is written as well.
            for one in all.get(first..=n).unwrap_or(&[]) {
                found.extend(given(script, one, kind));
            }
        }
        if assigns {
            found.extend(set(script, simple));
            found.extend(edited(script, simple));
        }
        if !simple.pipes {
            first = n + 1;
        }
    }
    found
}

/// What a line writes into a file of secrets below itself, and the line that ends it.
pub(super) fn below(line: &[u8]) -> Option<(Kind, Vec<u8>)> {
    let all = shell::read(line);
    let until = all.iter().find_map(|simple| simple.until.first())?;
    let kind = all.iter().filter_map(target).max()?;
    Some((kind, until.clone().into_bytes()))
}

fn name(simple: &Simple) -> String {
    let first = simple.words.first().map_or("", |w| w.text.as_str());
    let name = first.rsplit(['/', '\\']).next().unwrap_or(first);
    name.to_ascii_lowercase()
}

fn target(simple: &Simple) -> Option<Kind> {
    let into = simple.into.iter().map(String::as_str);
    let writer = |w: &Word| WRITERS.iter().any(|name| w.text.eq_ignore_ascii_case(name));
    let writes = simple.words.iter().any(writer);
    let words = simple
        .words
        .iter()
        .filter(|_| writes)
        .map(|w| w.text.as_str());
    let own = into.chain(words).filter_map(named::kind).max();
    // `ssh host 'cat > .env'`
    let scripts = simple.words.iter().filter(|w| w.text.contains('>'));
    let inner = |w: &Word| {
        let all = shell::read(w.text.as_bytes());
        let files = all.iter().flat_map(|simple| &simple.into);
        files.filter_map(|path| named::kind(path)).max()
    };
    own.or_else(|| scripts.filter_map(inner).max())
}

/// The values in the words of a command and in what stands below it.
fn given(script: &[u8], simple: &Simple, kind: Kind) -> Vec<Range<usize>> {
    let words = simple.words.iter().skip(1).map(|w| w.range.clone());
    let mut found = Vec::new();
    for range in words.chain(simple.given.iter().cloned()) {
        let mut at = range.start;
        let text = script.get(range).unwrap_or(&[]);
        for line in text.split(|b| *b == b'\n') {
            // The prompt of a shell that waits for more.
            let from = if line.starts_with(b"> ") { 2 } else { 0 };
            let inner = line.get(from..).unwrap_or(line);
            let shift = |r: Range<usize>| at + from + r.start..at + from + r.end;
            found.extend(hidden(kind, inner).into_iter().map(shift));
            at += line.len() + 1;
        }
    }
    found
}

/// `sed -i 's/^X=.*/X=value/' .env`.
fn edited(script: &[u8], simple: &Simple) -> Option<Range<usize>> {
    let edits = matches!(name(simple).as_str(), "sed" | "gsed" | "perl");
    let file = simple.words.iter().any(|w| named::kind(&w.text).is_some());
    let word = simple
        .words
        .iter()
        .skip(1)
        .find(|w| w.text.contains('=') && !w.text.starts_with('-'))?;
    let text = script.get(word.range.clone())?;
    let sign = memchr::memrchr(b'=', text)?;
    let rest = text.get(sign + 1..)?;
    let end = |b: &u8| matches!(b, b'/' | b'|' | b'#' | b'"' | b'\'' | b'@' | b',');
    let len = rest.iter().position(end).unwrap_or(rest.len());
    let value = rest.get(..len)?;
    let start = text
        .get(..sign)?
        .iter()
        .rposition(|b| !b.is_ascii_alphanumeric() && *b != b'_');
    let called = text.get(start.map_or(0, |n| n + 1)..sign)?;
    let hides = edits && file && pairs::is_worth_hiding(value) && !setting::stays(called, value);
    let from = word.range.start + sign + 1;
    hides.then_some(from..from + len)
}

/// `NAME=value` words of a command that sets secrets.
fn set(script: &[u8], simple: &Simple) -> Vec<Range<usize>> {
    let texts = simple.texts();
    let sets = SETTERS.iter().any(|setter| {
        let mut given = texts.iter();
        setter.split(' ').all(|word| given.any(|w| *w == word))
    });
    if !sets {
        return Vec::new();
    }
    let literal = |w: &Word| {
        let text = script.get(w.range.clone())?;
        let option: &[u8] = b"--from-literal=";
        let from = if text.starts_with(option) {
            option.len()
        } else {
            0
        };
        if from == 0 && text.starts_with(b"-") {
            return None;
        }
        let sign = from + text.get(from..)?.iter().position(|b| *b == b'=')?;
        let called = text.get(from..sign)?;
        let quote = |b: &&u8| matches!(b, b'"' | b'\'');
        let open = sign + 1 + text.get(sign + 1..)?.iter().take_while(quote).count();
        let tail = text.iter().rev().take_while(quote).count();
        let value = text.get(open..text.len().checked_sub(tail)?)?;
        let hides = pairs::is_worth_hiding(value)
            && (says_secret(called) || !setting::stays(called, value));
        hides.then_some(w.range.start + open..w.range.start + open + value.len())
    };
    simple.words.iter().filter_map(literal).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_into_files_of_secrets_is_found() {
        for script in [
            "cat > .env <<EOF\nSTALL=kranich-haus\nPORT=8080\nEOF",
            "cd a\ncat <<'EOF' > .env.local\nSTALL=kranich-haus\nEOF\nls",
            "echo 'STALL=kranich-haus' >> .env",
            "printf 'STALL=kranich-haus\n' > .env",
            "echo \"export STALL=kranich-haus\" | tee -a .envrc",
            "sed -i 's/^STALL=.*/STALL=kranich-haus/' .env",
            "heroku config:set STALL=kranich-haus PORT=8080 -a x",
            "kubectl create secret generic x --from-literal=stall=kranich-haus",
            "vault kv put secret/x stall='kranich-haus' host=db.internal",
        ] {
            let found = values(script.as_bytes());
            let found: Vec<_> = found.into_iter().map(|r| &script[r]).collect();
            assert_eq!(found, ["kranich-haus"], "{script}");
        }
        for script in [
            "echo STALL=kranich-haus >> .env.example",
            "cat > a.txt <<EOF\nSTALL=kranich-haus\nEOF",
            "echo STALL=$STALL >> .env",
            "cp .env.example .env",
            "helm upgrade x --set=stall=kranich-haus",
        ] {
            assert!(values(script.as_bytes()).is_empty(), "{script}");
        }
        let (kind, until) = below(b"$ cat <<'END' > .env").unwrap();
        assert_eq!((kind, until.as_slice()), (Kind::Values, &b"END"[..]));
    }
}
