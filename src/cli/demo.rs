//! `memd demo`: the real path, from nothing to a brief, on a made-up project in a home of its own.
//!
//! Runs the commands that a user would type, one after the other, with every place of memd's below
//! one temporary folder. Nothing else is touched, and the folder is gone at the end.

mod scene;

use super::review::input::{Input, Tty};
use super::{Cli, Failure, Stage, out, person};
use crate::proposal::Proposal;
use crate::store::Store;
use clap::Parser;
use jiff::Timestamp;
use scene::Scene;
use std::io;
use std::path::Path;

/// Try memd on a small made-up project, in a temporary home.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// Leave the temporary home where it is, to look around in it
    #[arg(long)]
    keep: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let home = tempfile::Builder::new().prefix("memd-demo-").tempdir();
    let home = home.map_err(|e| Failure::known(format!("no temporary home for the demo: {e}")))?;
    let played = play(home.path());
    if args.keep {
        keep(&home.keep());
    }
    if played.is_ok() {
        say("\nIn your own project: memd init, then memd distill.");
    }
    played
}

/// How to look around in the demo's home.
fn keep(home: &Path) {
    say(&format!("\nThe demo's home stays: {}", home.display()));
    say("To go on in it, in a shell of its own (exit leaves it):");
    say(&format!(
        "  cd {} && env -u XDG_CONFIG_HOME -u XDG_STATE_HOME -u CLAUDE_CONFIG_DIR HOME={} sh",
        quoted(&home.join(scene::NAME)),
        quoted(home)
    ));
    say("There: memd status, memd review, memd brief, memd log.");
    say("Delete it when you have seen enough.");
}

/// A path as a word of a shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

fn play(home: &Path) -> Result<(), Failure> {
    let scene = Scene::set(home).map_err(|e| failed(home, &e))?;
    say(&format!(
        "A demo, in a home of its own: {}",
        scene.places.home.display()
    ));
    say("Nothing outside of it is read or touched.\n");
    let _stage = Stage::enter(&scene.places, &scene.project).map_err(|e| failed(home, &e))?;

    say(&format!(
        "{} is a small project. It is given a memory:",
        scene::NAME
    ));
    typed(&["init"])?;

    scene
        .work(jiff::Timestamp::now())
        .map_err(|e| failed(home, &e))?;
    say("\nAn agent has worked on it for a while. Its session is read, secrets are taken out, and");
    say("the builtin curator quotes what may be worth keeping. Nothing is written to memory yet:");
    typed(&["distill", "--curator", "builtin"])?;
    hidden(&scene)?;

    if person::is_here() {
        decide()
    } else {
        only_show(&scene)
    }
}

/// What was taken out of the session.
fn hidden(scene: &Scene) -> Result<(), Failure> {
    for proposal in staged(scene)? {
        for hit in &proposal.hits {
            say(
                "\nA secret stood in it. This is all that anybody is shown of it, the curator too:",
            );
            say(&format!("  {}", hit.placeholder()));
        }
    }
    Ok(())
}

/// A person at a terminal decides, and sees what came of it.
fn decide() -> Result<(), Failure> {
    say(
        "\nNow it is up to you. One of the changes comes from a web page that wants to give orders.\n",
    );
    say("a accepts, r rejects, w applies, q leaves. Enter opens the review:");
    // The review takes the whole screen: this is read before it does.
    Tty::default()
        .line()
        .map_err(|e| Failure::known(format!("the terminal failed: {e}")))?;
    typed(&["review"])?;
    say("\nWhat was committed to the memory's own repository:");
    typed(&["log"])?;
    say("\nWhat the next session's agent is given:");
    typed(&["brief"])
}

/// Without a terminal nobody can decide: the proposal with its verdicts, and how to go on.
fn only_show(scene: &Scene) -> Result<(), Failure> {
    say("\nThe proposal, with what the guardrails say of it:");
    for proposal in staged(scene)? {
        typed(&["show", proposal.id.as_str()])?;
    }
    say(
        "\nOnly a person at a terminal decides, so the demo ends here. Run `memd demo` on one to go on.",
    );
    Ok(())
}

fn staged(scene: &Scene) -> Result<Vec<Proposal>, Failure> {
    let Some(store) = Store::open_existing(&scene.places).map_err(Failure::known)? else {
        return Ok(Vec::new());
    };
    let trust = store.trust().map_err(Failure::known)?;
    let queue = store
        .queue(None, Timestamp::now())
        .map_err(Failure::known)?;
    queue
        .iter()
        .map(|item| store.proposal(&trust, &item.id).map_err(Failure::known))
        .collect()
}

/// Shows a command and runs it as if it had been typed.
fn typed(words: &[&str]) -> Result<(), Failure> {
    say(&format!("$ memd {}", words.join(" ")));
    let argv = std::iter::once("memd").chain(words.iter().copied());
    let cli = Cli::try_parse_from(argv).map_err(Failure::known)?;
    cli.command.map_or(Ok(()), super::run)
}

fn failed(home: &Path, error: &io::Error) -> Failure {
    Failure::known(format!(
        "the demo's home {home:?} cannot be set up: {error}"
    ))
}

fn say(text: &str) {
    out::block(text);
}
