//! `memd note`: a note in the inbox, for the next distill.

use super::{Context, Failure, out};
use crate::redact::Redactor;
use crate::source::{Raw, inbox};
use std::io::Read;
use std::path::PathBuf;

/// At most this much of standard input is taken.
const LIMIT: u64 = 1 << 20;

/// Leave a note for the next distill.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// The note; standard input without it.
    #[arg(short, long)]
    message: Option<String>,
    /// The project (default: the one around the current directory).
    #[arg(short, long)]
    project: Option<PathBuf>,
    /// Who leaves the note, such as a tool's name.
    #[arg(long)]
    source: Option<String>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let context = Context::load()?;
    let project = context.project(args.project.as_deref())?;
    let text = match &args.message {
        Some(text) => text.clone(),
        None => standard_input()?,
    };
    let redactor = context.redactor()?;
    let path = publish(
        &redactor,
        &project.memory(),
        text,
        args.source.as_deref(),
        &context,
    )?;
    out::line(&format!("noted for {}: {}", project.name, path.display()));
    Ok(())
}

fn publish(
    redactor: &Redactor,
    memory: &std::path::Path,
    text: String,
    source: Option<&str>,
    context: &Context,
) -> Result<PathBuf, Failure> {
    let (text, hits) = redactor.redact(&Raw::new(text), &crate::redact::Part::default());
    if !hits.is_empty() {
        let secrets = crate::text::count(hits.len(), "secret", "secrets");
        out::problem(&format!(
            "memd: {secrets} in the note replaced by a placeholder"
        ));
    }
    Ok(inbox::write(memory, &text, source, context.now)?)
}

fn standard_input() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = std::io::stdin()
        .lock()
        .take(LIMIT + 1)
        .read_to_end(&mut bytes);
    read.map_err(|e| Failure::known(format!("cannot read standard input: {e}")))?;
    if bytes.len() as u64 > LIMIT {
        return Err(Failure::usage("the note is longer than 1 MiB"));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
