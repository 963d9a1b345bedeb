//! `memd note`: a note in the inbox, for the next distill.

use super::{Context, Failure, out};
use crate::redact::Redactor;
use crate::source::{Raw, inbox};
use crate::store::Project;
use std::io::Read;
use std::path::PathBuf;

/// At most this much of standard input is taken.
const LIMIT: u64 = 1 << 20;

/// Leave a note for the next distill.
///
/// It waits in the project's inbox. Secrets in it are replaced before it is written.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// The note; standard input without it.
    #[arg(short, long)]
    message: Option<String>,
    /// The project (default: the one around the current directory).
    #[arg(short, long)]
    project: Option<PathBuf>,
    /// For the global memory instead of a project's.
    #[arg(long, conflicts_with = "project")]
    global: bool,
    /// Who leaves the note, such as a tool's name: at most 80 characters.
    #[arg(long)]
    source: Option<String>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    if let Some(label) = &args.source {
        inbox::check_label(label.trim())?;
    }
    let context = Context::load()?;
    let project = match args.global {
        true => global(&context)?,
        false => context.project(args.project.as_deref())?,
    };
    let text = match &args.message {
        Some(text) => text.clone(),
        None => standard_input()?,
    };
    let redactor = context.redactor()?;
    let label = args.source.as_deref();
    if label.is_some_and(|label| !redactor.check(label).is_empty()) {
        return Err(Failure::usage(
            "the source label holds a secret; name the tool or the person",
        ));
    }
    let path = publish(&redactor, &project.memory(), text, label, &context)?;
    out::line(&format!("noted for {}: {}", project.name, path.display()));
    Ok(())
}

/// The global memory.
fn global(context: &Context) -> Result<Project, Failure> {
    let root = &context.config.settings.global_root;
    let found = super::look::global_project(context, &context.store_to_look()?)?;
    found.ok_or_else(|| {
        Failure::known(format!("there is no global memory in {root:?}"))
            .hint("make it with `memd init --global`")
    })
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
