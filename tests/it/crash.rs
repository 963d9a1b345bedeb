//! A crash at any moment leaves the old or the new, and the next start finishes the job.

use crate::world::{World, add, archive, edit, git};
use memd::apply::{self, Step, Wish};
use memd::git::Repo;
use memd::id::ProposalId;
use memd::memory::MemoryFile::{State as StateFile, Todo};
use memd::proposal::{Change, State};
use memd::store::SpanState;
use memd::trust::verify_all;
use std::io::{BufRead, BufReader, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};

/// Names the home that a child process applies in.
const HOME: &str = "MEMD_TEST_CRASH_HOME";

/// What the distill with this number proposes: a fact, a counter that goes on, a task, the task of
/// two before archived.
fn changes(i: u64) -> Vec<Change> {
    let mut changes = vec![
        add(1, StateFile, "Facts", &format!("- fact {i}.")),
        add(2, Todo, "", &format!("- [ ] task {i}.")),
    ];
    changes.push(match i {
        1 => add(3, StateFile, "Count", "- counter 1."),
        _ => {
            let (was, is) = (format!("- counter {}.", i - 1), format!("- counter {i}."));
            edit(3, StateFile, "Count", &was, &is)
        }
    });
    if i > 2 {
        changes.push(archive(4, Todo, "", &format!("- [ ] task {}.", i - 2)));
    }
    changes
}

/// The number of the last distill that memory holds.
fn counter(world: &World) -> u64 {
    let state = world.text("state.md");
    let found = state.lines().find_map(|l| l.strip_prefix("- counter "));
    found.map_or(0, |n| n.trim_end_matches('.').parse().unwrap())
}

/// Applies the next distill, a staged one first; what a person would do.
fn one_round(world: &World, watch: &mut apply::Watch<'_>) -> Result<(), apply::ApplyError> {
    apply::recover(world.ground(), &world.lock())?;
    let queue = world.store.queue(None, world.now).unwrap();
    let id = match queue.first() {
        Some(item) => item.id.clone(),
        None => world.stage(changes(counter(world) + 1)),
    };
    let proposal = world.store.proposal(&world.trust, &id).unwrap();
    let journal = world.store.decisions(&world.trust, &id).unwrap();
    for change in &proposal.changes {
        if !journal.decisions.contains_key(&change.n) {
            world.accept(&id, [change.n]);
        }
    }
    let plan = world.plan(&id).unwrap();
    world.execute(&plan, watch).map(drop)
}

/// Everything that must hold after any crash, once the next start has done its work.
fn check(world: &World, at: &str) {
    let first = world.recover().unwrap();
    assert!(first.warnings.is_empty(), "{at}: {:?}", first.warnings);
    let second = world.recover().unwrap();
    assert!(second.is_nothing(), "{at}: {second:?} after {first:?}");
    let n = counter(world);
    let (state, todo) = (world.text("state.md"), world.text("todo.md"));
    let archived = world.text("archive/2026-11.md");
    for i in 1..=n + 1 {
        let told = |text: &str, what: &str| text.matches(&format!("{what} {i}.\n")).count();
        let there = usize::from(i <= n);
        assert_eq!(told(&state, "- fact"), there, "{at}: fact {i} of {n}");
        let gone = usize::from(i + 2 <= n);
        assert_eq!(told(&todo, "task"), there - gone, "{at}: task {i} of {n}");
        assert_eq!(told(&archived, "task"), gone, "{at}: archived {i} of {n}");
    }
    let matched = world.matched();
    assert!(matched.is_whole(), "{at}: {matched:?}");

    let repo = Repo::open(&world.memory).unwrap();
    let log = repo.log(10_000).unwrap();
    let made = log.iter().filter(|c| c.trailer("Memd-Proposal").is_some());
    assert_eq!(made.count() as u64, n, "{at}: one commit a distill");
    assert!(
        !log.iter().any(|c| c.trailer("Memd-By") == Some("hand")),
        "{at}"
    );
    assert_eq!(repo.changed().unwrap(), Vec::<String>::new(), "{at}");

    let mut waiting = 0;
    for source in world.store.sources(&world.project.id).unwrap() {
        for span in world.store.spans(&world.project.id, &source).unwrap() {
            waiting += u64::from(span.state == SpanState::Staged);
        }
    }
    let queue = world.store.queue(None, world.now).unwrap();
    assert!(queue.iter().all(|item| item.state == State::Staged), "{at}");
    assert_eq!(waiting, queue.len() as u64, "{at}: consumed or staged");
    let mut evidence = world.store.evidence(&world.trust, None).unwrap();
    let memory = memd::memory::Memory::read(&world.memory).unwrap();
    evidence.projects[0].entries = Some(memory.entries().cloned().collect());
    let report = verify_all(&evidence, &world.trust, world.now, &str::to_owned);
    assert!(report.breaks.is_empty(), "{at}: {:?}", report.breaks);
}

#[test]
fn a_stop_after_any_step_leaves_the_old_or_the_new() {
    let mut stop = 0;
    loop {
        let home = tempfile::tempdir().unwrap();
        let world = World::at(home.path());
        for _ in 0..3 {
            one_round(&world, &mut apply::go_on).unwrap();
        }
        let mut steps = Vec::new();
        let stopped = one_round(&world, &mut |step| {
            steps.push(step);
            match steps.len() > stop {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        let last = steps.last().copied();
        let decided = !matches!(last, Some(Step::HandCommitted));
        if stopped.is_ok() {
            assert_eq!(last, Some(Step::Cleaned));
            assert!(stop >= 8, "every step was stopped at: {steps:?}");
            return;
        }
        // As another process finds it.
        let world = World::at(home.path());
        check(&world, &format!("after {last:?}"));
        assert_eq!(counter(&world), if decided { 4 } else { 3 }, "{last:?}");
        one_round(&world, &mut apply::go_on).unwrap();
        check(&world, &format!("after {last:?} and another round"));
        stop += 1;
    }
}

/// Stages what a person asked for after two distills: the reverse of the second, or the first fact
/// taken back.
fn asked_for(world: &World, is_revert: bool) -> ProposalId {
    for _ in 0..2 {
        one_round(world, &mut apply::go_on).unwrap();
    }
    let staged = match is_revert {
        true => {
            let repo = Repo::open(&world.memory).unwrap();
            let last = repo.log(1).unwrap().remove(0);
            world.reverse(&last.trailer("Memd-Proposal").unwrap().parse().unwrap())
        }
        false => {
            let (entry, reason) = (world.entry("- fact 1."), "no longer".to_owned());
            world.own(Wish::Tombstone { entry, reason }).unwrap()
        }
    };
    let id = staged.id.unwrap();
    world.accept(&id, 1..=u32::try_from(staged.changes).unwrap());
    id
}

#[test]
fn a_stop_in_what_a_person_asked_for_leaves_the_old_or_the_new() {
    for (is_revert, gone) in [(true, "- fact 2."), (false, "- fact 1.")] {
        for stop in 0.. {
            let home = tempfile::tempdir().unwrap();
            let world = World::at(home.path());
            let id = asked_for(&world, is_revert);
            let plan = world.plan(&id).unwrap();
            let mut steps = Vec::new();
            let stopped = world.execute(&plan, &mut |step| {
                steps.push(step);
                match steps.len() > stop {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            });
            let at = format!("revert {is_revert}, after {:?}", steps.last());
            let world = World::at(home.path());
            world.recover().unwrap();
            assert!(world.recover().unwrap().is_nothing(), "{at}");
            let is_done = !matches!(steps.last(), Some(Step::HandCommitted));
            assert_ne!(world.text("state.md").contains(gone), is_done, "{at}");
            let archived = world.text("archive/2026-11.md");
            assert_eq!(archived.matches(gone).count(), usize::from(is_done), "{at}");
            assert_eq!(
                world.text("state.md").contains("- counter 1."),
                is_revert && is_done
            );
            assert!(world.matched().is_whole(), "{at}");
            world.assert_verified();
            let repo = Repo::open(&world.memory).unwrap();
            assert_eq!(repo.changed().unwrap(), Vec::<String>::new(), "{at}");
            if stopped.is_ok() {
                assert!(stop >= 6, "every step was stopped at: {steps:?}");
                break;
            }
        }
    }
}

/// Not random enough for secrets; enough to pick moments, and repeatable.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

/// Only in the child: rounds without end, each step told on a line.
#[test]
fn child_applies_until_it_is_killed() {
    let Some(home) = std::env::var_os(HOME) else {
        return;
    };
    let world = World::at(Path::new(&home));
    let mut out = std::io::stdout().lock();
    loop {
        one_round(&world, &mut |step| {
            writeln!(out, "step {step:?}").unwrap();
            out.flush().unwrap();
            ControlFlow::Continue(())
        })
        .unwrap();
    }
}

#[test]
fn kill_nine_at_random_moments_loses_and_doubles_nothing() {
    let rounds = std::env::var("MEMD_TEST_KILLS").map_or(12, |n| n.parse().unwrap());
    let seed = std::env::var("MEMD_TEST_SEED").map_or(20_261_129, |n| n.parse().unwrap());
    println!("seed {seed}, {rounds} kills");
    let home = tempfile::tempdir().unwrap();
    let mut dice = Dice(seed);
    for round in 0..rounds {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "crash::child_applies_until_it_is_killed",
                "--nocapture",
            ])
            .env(HOME, home.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let steps = lines.filter(|l| l.as_ref().is_ok_and(|l| l.starts_with("step")));
        let wanted = dice.roll(12) as usize + 1;
        assert_eq!(
            steps.take(wanted).count(),
            wanted,
            "the child failed by itself"
        );
        for _ in 0..dice.roll(300_000) {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let world = World::at(home.path());
        check(&world, &format!("seed {seed}, round {round}"));
        if round % 20 == 0 {
            assert_eq!(
                git(&world.memory, &["fsck", "--strict"]),
                "",
                "round {round}"
            );
            assert_eq!(
                git(&world.memory, &["status", "--porcelain"]),
                "",
                "round {round}"
            );
        }
    }
}
