//! `memd doctor`: what keeps memd from working by itself, and what to do about each.

mod hooks;
mod memories;
mod room;
mod whole;

use super::{Context, Failure, lost, named_places, out, outside_of_projects, private};
use crate::curator::{self, Environment};
use crate::fs::exposed;
use crate::hook::Jobs;
use crate::lock::{LockError, WorkLock};
use crate::redact::Redactor;
use crate::store::Store;
use crate::text::count;
use crate::trust::{Trust, is_laid_down};
use serde::Serialize;

/// Look for what keeps memd from working, and say what to do about it.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// For programs: one JSON array
    #[arg(long)]
    pub(super) json: bool,
}

/// How it stands with one thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Health {
    Ok,
    /// Not needed, or not there on purpose.
    Note,
    Wrong,
}

/// One thing that was looked at.
#[derive(Debug, Clone, Serialize)]
struct Finding {
    health: Health,
    area: &'static str,
    what: String,
    /// What to do; empty where nothing is.
    advice: String,
}

/// What was found so far, about one area.
struct Findings {
    all: Vec<Finding>,
    area: &'static str,
}

impl Findings {
    fn about(&mut self, area: &'static str) -> &mut Self {
        self.area = area;
        self
    }

    fn add(&mut self, health: Health, what: impl ToString, advice: impl ToString) {
        self.all.push(Finding {
            health,
            area: self.area,
            what: what.to_string(),
            advice: advice.to_string(),
        });
    }

    fn ok(&mut self, what: impl ToString) {
        self.add(Health::Ok, what, "");
    }

    fn wrong(&mut self, what: impl ToString, advice: impl ToString) {
        self.add(Health::Wrong, what, advice);
    }
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut found = Findings {
        all: Vec::new(),
        area: "",
    };
    if let Err(within) = outside_of_projects(&named_places()?, None) {
        found.about("state").wrong(&within, within.way_out());
        return report(args, &found.all);
    }
    let context = Context::load()?;
    state(&context, found.about("state"));
    let store = database(&context, found.about("database"));
    keys(&context, found.about("config"));
    patterns(&context, found.about("redaction"));
    curator(&context, found.about("curator"));
    hooks::look(&context, store.as_ref(), found.about("hooks"));
    jobs(&context, found.about("jobs"));
    if let Some(store) = &store
        && let Err(failure) = memories::look(&context, store, found.about("memory"))
    {
        found
            .about("memory")
            .wrong(failure, "memd verify says more");
    }
    if let Some(store) = &store
        && let Err(failure) = material(&context, store, &mut found)
    {
        found
            .about("database")
            .wrong(failure, "memd verify says more");
    }
    report(args, &found.all)
}

fn report(args: &Args, all: &[Finding]) -> Result<(), Failure> {
    if args.json {
        out::json(&all);
    } else {
        all.iter().for_each(print);
    }
    match all.iter().filter(|f| f.health == Health::Wrong).count() {
        0 => Ok(()),
        n => Err(Failure::known(format!(
            "{} wrong",
            count(n, "thing is", "things are")
        ))),
    }
}

fn print(finding: &Finding) {
    let mark = match finding.health {
        Health::Ok => "ok   ",
        Health::Note => "note ",
        Health::Wrong => "WRONG",
    };
    out::line(&format!("{mark} {:<9} {}", finding.area, finding.what));
    if !finding.advice.is_empty() {
        out::line(&format!("      {:<9} → {}", "", finding.advice));
    }
}

/// Keys of the config file that do nothing.
fn keys(context: &Context, found: &mut Findings) {
    for key in context.config.unread_keys() {
        found.add(
            Health::Note,
            format!("config.json: memd knows no key {key:?}; it is kept and does nothing"),
            "correct it if it is misspelled; docs/config.md lists the keys",
        );
    }
}

/// Patterns of the user's that do not work.
fn patterns(context: &Context, found: &mut Findings) {
    let patterns = &context.config.settings.redact_extra_patterns;
    let problems = Redactor::new(patterns, &[0; 32]).1;
    for problem in &problems {
        found.wrong(
            problem,
            "correct it in config.json: it hides nothing, the others work",
        );
    }
    if !patterns.is_empty() && problems.is_empty() {
        found.ok(count(
            patterns.len(),
            "pattern of your own",
            "patterns of your own",
        ));
    }
}

/// What others could read.
fn state(context: &Context, found: &mut Findings) {
    let places = &context.places;
    let exposed = exposed(&places.state);
    for one in &exposed {
        let advice = match one.is_key {
            true => format!("chmod go= {:?}", one.path),
            false => "it is yours alone again".to_owned(),
        };
        found.wrong(
            one,
            format!("{advice}; docs/state.md says what follows if somebody did"),
        );
    }
    private::mended(places);
    if is_laid_down(places) {
        found.wrong(
            format!("{:?}: the key is being rotated, or its rotation was cut off", places.next_key()),
            "when no memd runs, any command finishes or undoes it; docs/state.md, \"Recovering\", where it does not",
        );
    }
    let lacks = places.state.is_dir().then(|| room::lacks(&places.state));
    if let Some((what, advice)) = lacks.flatten() {
        found.wrong(
            what,
            format!("{advice}; until then memd only reads: brief, status, log, show and verify"),
        );
    } else if exposed.is_empty() && places.state.is_dir() {
        found.ok(format!("{:?} is yours alone", places.state));
    }
}

/// The database, where it can be used.
fn database(context: &Context, found: &mut Findings) -> Option<Store> {
    match Store::open_to_look(&context.places) {
        Ok(store) if lost::is_lost(context, store.as_ref()).unwrap_or_default() => {
            let place = context.places.database();
            found.wrong(
                format!("{}: {place:?} holds nothing sealed", lost::WHAT),
                lost::WAY_OUT,
            );
            None
        }
        Ok(None) => {
            found.add(
                Health::Note,
                "there is none yet",
                "`memd init` in a project makes it",
            );
            None
        }
        Ok(Some(mut store)) => {
            whole::look(context, &mut store, found);
            clock(context, &store, found);
            match store.trust() {
                Ok(trust) => {
                    found.ok("database and key fit each other");
                    proof(context, &store, &trust, found);
                }
                Err(error) => found.wrong(error, "docs/state.md, \"Recovering\""),
            }
            Some(store)
        }
        Err(error) => {
            found.wrong(error, "docs/state.md, \"Recovering\"");
            None
        }
    }
}

/// Whether what memd sealed and the audit chain hold; what stands on disk and in git's history is
/// looked at by project.
fn proof(context: &Context, store: &Store, trust: &Trust, found: &mut Findings) {
    let broken = match store.unsealed(trust, context.now) {
        Ok(broken) => broken,
        Err(error) => return found.wrong(error, "docs/state.md, \"Recovering\""),
    };
    match broken.first() {
        None => found.ok("all that is sealed holds, and so does the audit chain"),
        Some(first) => found.wrong(
            format!(
                "{}, the first: {}: {}",
                count(broken.len(), "break", "breaks"),
                first.kind.title(),
                first.what
            ),
            "memd verify names each, and what ends it",
        ),
    }
}

/// How far the newest act may lie before the clock without a word.
const AHEAD: jiff::SignedDuration = jiff::SignedDuration::from_mins(5);

/// Whether the clock was set back since the newest act, or was ahead then.
fn clock(context: &Context, store: &Store, found: &mut Findings) {
    let now = context.now;
    let newest = store.clock(now).unwrap_or(now);
    if newest.duration_since(now) > AHEAD {
        let day = newest.strftime("%Y-%m-%d");
        found.add(
            Health::Note,
            format!("the newest audit record is of {newest}, and this machine's clock says {now}: it was set back, or was ahead then"),
            format!("set it right if it is wrong now. If it was ahead then, nothing is to be done, and this ends by itself on {day}: until then ages are counted from that record, so what lapsed or expired by it stays so (`memd review` brings it back), and what is new does not age"),
        );
    }
}

fn curator(context: &Context, found: &mut Findings) {
    let settings = &context.config.settings;
    let env = Environment::for_curator(std::env::vars_os());
    match curator::program(&settings.curator, settings, &context.places, &env) {
        Ok(Some(path)) => found.ok(format!("{path:?}")),
        Ok(None) => found.ok("builtin: no model, only quotes"),
        Err(error) => found.wrong(error, "nothing is distilled until then"),
    }
}

/// What hooks left.
fn jobs(context: &Context, found: &mut Findings) {
    let jobs = Jobs::at(context.places.jobs());
    let bad = jobs.bad();
    for path in &bad {
        found.wrong(
            format!("{path:?} is set aside: no job, or one that ended every worker"),
            "look at it and take it away; what it was about is still free, and `memd sweep` reads it",
        );
    }
    let is_running = context.places.jobs().is_dir()
        && matches!(
            WorkLock::take(&context.places.locks()),
            Err(LockError::Held { .. })
        );
    let quiet = context.config.settings.quiet_seconds;
    let waiting = count(jobs.count(), "job", "jobs");
    if is_running {
        found.ok(format!("a worker is at it; {waiting} left"));
    } else if jobs.any_due(quiet, context.now) {
        found.wrong(
            format!("{waiting} left over, and no worker runs"),
            "the next session starts one; `memd work` does it now",
        );
    } else if jobs.count() > 0 {
        found.ok(format!(
            "{waiting}, until the sessions are quiet or the day has room"
        ));
    } else if bad.is_empty() {
        found.ok("nothing was left over");
    }
}

/// What is not distilled, and why.
fn material(context: &Context, store: &Store, found: &mut Findings) -> Result<(), Failure> {
    let mut parked = 0;
    for project in store.projects()? {
        for material in store.parked(&project.id)? {
            parked += 1;
            found.about("material").wrong(
                format!(
                    "{}: {} is set aside: {}",
                    project.name, material.source, material.reason
                ),
                "`memd distill --retry` in that project tries it again",
            );
        }
    }
    if parked == 0 {
        found.about("material").ok("nothing is set aside");
    }
    let spent = store.spent(context.now)?;
    let caps = &context.config.settings.caps;
    match spent.reached(caps, 0) {
        Some(reached) => found.about("caps").wrong(
            reached,
            "hooks and sweeps wait until then; `memd distill` goes on, or raise the cap (docs/config.md)",
        ),
        None => {
            let calls = usize::try_from(spent.calls).unwrap_or(usize::MAX);
            let calls = count(calls, "curator call", "curator calls");
            let cost = crate::config::usd(spent.micros);
            found.about("caps").ok(format!("{calls} today, {cost} as far as told"));
        }
    }
    Ok(())
}
