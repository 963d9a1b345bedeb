//! `memd redact`.

use super::{Context, Failure, out};
use crate::redact::{LineHit, Redactor, score};
use crate::store::Store;
use crate::text;
use std::io;
use std::path::{Path, PathBuf};

/// Filter standard input: secrets out
///
/// Copies standard input to standard output with secrets replaced by typed placeholders, and lists
/// them on standard error: the rule, the line, how long it was, and a fingerprint. The fingerprint
/// is new each run.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// Instead, score the rules on a table of texts with known secrets; exits with 1 when too many
    /// leak or too much else is changed
    #[arg(long, value_name = "FILE")]
    vectors: Option<PathBuf>,
    /// Instead, list what was called no secret in the review, and is let through
    #[arg(long, conflicts_with = "vectors")]
    not_secret: bool,
    /// Instead, list what was called a secret in the review besides what the rules find, and is
    /// hidden
    #[arg(long, conflicts_with_all = ["vectors", "not_secret"])]
    also_secret: bool,
}

/// The most secrets that are listed; more are counted.
const LISTED: usize = 10_000;
const MORE: usize = LISTED + 1;

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let context = Context::load()?;
    if args.not_secret {
        return list(&context);
    }
    if args.also_secret {
        return list_also(&context);
    }
    let patterns = context.config.settings.redact_extra_patterns;
    let key = random_key()?;
    let (redactor, problems) = Redactor::new(&patterns, &key);
    for problem in problems {
        out::problem(&problem.to_string());
    }
    super::gate::teach(&redactor);
    match &args.vectors {
        Some(table) => vectors(table, &patterns, &key),
        None => filter(&redactor),
    }
}

/// What is let through, and what only claims to be.
fn list(context: &Context) -> Result<(), Failure> {
    let none = "nothing was called no secret; memd review can say it of what it shows as redacted";
    let Some(store) = Store::open_to_look(&context.places)? else {
        out::line(none);
        return Ok(());
    };
    let allowed = store.not_secret(&store.trust()?)?;
    let nothing: Vec<_> = allowed.broken.iter().chain(&allowed.lapsed).collect();
    if allowed.values.is_empty() && nothing.is_empty() {
        out::line(none);
    }
    for value in &allowed.values {
        let day = value.at.strftime("%Y-%m-%d");
        let (rule, length) = (&value.value.rule, &value.value.length);
        out::line(&format!(
            "#{}  {rule} ({length} bytes)  since {day}",
            value.value.fingerprint
        ));
    }
    for broken in nothing {
        out::problem(&format!("memd: counts for nothing: {broken}"));
    }
    Ok(())
}

/// What is hidden because a person said so, and what only claims to be.
fn list_also(context: &Context) -> Result<(), Failure> {
    let none = "nothing was called a secret besides; memd review can say it of what it shows";
    let Some(store) = Store::open_to_look(&context.places)? else {
        out::line(none);
        return Ok(());
    };
    let hidden = store.also_secret(&store.trust()?)?;
    if hidden.values.is_empty() && hidden.broken.is_empty() {
        out::line(none);
    }
    for said in &hidden.values {
        let day = said.at.strftime("%Y-%m-%d");
        let value = &said.value;
        out::line(&format!(
            "#{}  {} ({} bytes)  since {day}",
            value.fingerprint,
            text::count(value.chars, "character", "characters"),
            value.bytes
        ));
    }
    for broken in &hidden.broken {
        out::problem(&format!("memd: counts for nothing: {broken}"));
    }
    Ok(())
}

/// For fingerprints that nobody compares with others.
pub(super) fn random_key() -> Result<[u8; 32], Failure> {
    let mut key = [0; 32];
    getrandom::fill(&mut key)
        .map_err(|e| Failure::known(format!("no random bytes from the system: {e}")))?;
    Ok(key)
}

fn filter(redactor: &Redactor) -> Result<(), Failure> {
    let (mut from, mut to) = (io::stdin().lock(), io::stdout().lock());
    let mut hidden = 0;
    let copied = redactor.filter(&mut from, &mut to, &mut |hit| {
        hidden += 1;
        match hidden {
            ..=LISTED => out::problem(&described(&hit)),
            MORE => out::problem("further ones are hidden, and only counted"),
            _ => {}
        }
    });
    match copied {
        // Nobody is left to read on.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
        other => other.map_err(|e| Failure::known(format!("cannot copy standard input: {e}")))?,
    }
    if hidden > 0 {
        out::problem(&format!("hid {}", text::count(hidden, "secret", "secrets")));
    }
    Ok(())
}

fn described(found: &LineHit) -> String {
    let LineHit { line, hit } = found;
    let short = hit.fingerprint.get(..8).unwrap_or("");
    format!("line {line}: {} ({} bytes, #{short})", hit.rule, hit.length)
}

fn vectors(path: &Path, patterns: &[String], key: &[u8; 32]) -> Result<(), Failure> {
    let table = std::fs::read_to_string(path)
        .map_err(|e| Failure::usage(format!("cannot read {}: {e}", path.display())))?;
    let vectors =
        score::vectors(&table).map_err(|e| Failure::usage(format!("{}: {e}", path.display())))?;
    let score = score::score(|| Redactor::new(patterns, key).0, &vectors);
    out::block(&score.to_string());
    if score.passes() {
        Ok(())
    } else {
        Err(Failure::known("the rules miss the bounds on this table"))
    }
}
