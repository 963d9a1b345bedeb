//! An apply that was cut short, or met an edit: nothing it does not know is overwritten, and it is finished.

use super::{decide_on_disk, filled, mixed, state_of};
use crate::world::{add, git};
use memd::apply;
use memd::apply::ApplyError;
use memd::memory::MemoryFile::{State as StateFile, Todo};
use memd::proposal::{Decision, State};
use memd::trust::verify_all;
use std::ops::ControlFlow;

#[test]
fn an_apply_cut_short_before_a_byte_was_written_gives_way_to_a_hand_edit() {
    let (_home, world) = filled();
    let id = world.stage(mixed());
    world.accept(&id, [2]);
    let plan = world.plan(&id).unwrap();
    let stop = |step| match step {
        apply::Step::Begun => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    world.execute(&plan, &mut { stop }).unwrap_err();
    std::fs::write(world.memory.join("state.md"), "mine\n").unwrap();
    let recovered = world.recover().unwrap();
    assert_eq!(recovered.given_up, Some(id.clone()));
    assert_eq!(world.text("state.md"), "mine\n");
    assert_eq!(state_of(&world, &id), State::Staged);
}

#[test]
fn an_apply_cut_short_in_the_middle_overwrites_nothing_it_does_not_know() {
    let (_home, world) = filled();
    let id = world.stage(mixed());
    world.accept(&id, [2, 5]);
    let plan = world.plan(&id).unwrap();
    let stop = |step| match step {
        apply::Step::Written(1) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    world.execute(&plan, &mut { stop }).unwrap_err();
    let mine = world.text("todo.md") + "- [ ] mine\n";
    std::fs::write(world.memory.join("todo.md"), &mine).unwrap();
    let recovered = world.recover().unwrap();
    assert_eq!(recovered.finished, Some(id.clone()));
    let said = recovered.warnings.join("\n");
    assert!(
        said.contains("todo.md was changed by hand in the middle of an apply")
            && said.contains("memd review"),
        "{said}"
    );
    assert_eq!(world.text("todo.md"), mine, "nothing of it is lost");
    assert!(world.recover().unwrap().is_nothing());
    assert_eq!(state_of(&world, &id), State::Applied);
    // What was accepted is in its record and in the commit, and the file is as any that is changed on
    // disk: kept in history, offered, and restored by a no.
    let committed = git(&world.memory, &["show", "HEAD:todo.md"]);
    assert!(!committed.contains("ship"), "{committed}");
    let offered = decide_on_disk(&world, &Decision::Rejected);
    let all: Vec<_> = offered.iter().map(|c| c.text.as_str()).collect();
    assert_eq!(all, ["- [ ] ship", "- [ ] mine"]);
    assert!(world.matched().is_whole());
    assert!(!world.text("todo.md").contains("mine"));
    let kept = git(&world.memory, &["log", "-p", "--", "todo.md"]);
    assert!(kept.contains("+- [ ] mine"), "{kept}");
}

#[test]
fn an_edit_at_the_moment_of_an_apply_is_neither_overwritten_nor_in_its_way() {
    for before in [true, false] {
        let (_home, world) = filled();
        let id = world.stage(mixed());
        world.accept(&id, [2, 5]);
        let plan = world.plan(&id).unwrap();
        let file = world.memory.join("todo.md");
        let mine = world.text("todo.md") + "- [ ] mine\n";
        let at = match before {
            true => apply::Step::Begun,
            false => apply::Step::Written(1),
        };
        let done = world.execute(&plan, &mut |step| {
            if step == at {
                std::fs::write(&file, &mine).unwrap();
            }
            ControlFlow::Continue(())
        });
        assert_eq!(world.text("todo.md"), mine, "{at:?}");
        match before {
            // Nothing was written yet: it is looked at again.
            true => {
                assert!(matches!(done, Err(ApplyError::Changed { .. })), "{done:?}");
                assert_eq!(state_of(&world, &id), State::Staged);
                assert!(world.recover().unwrap().is_nothing());
                assert!(world.text("state.md").contains("8080"));
            }
            false => {
                let warnings = done.unwrap().warnings.join("\n");
                assert!(
                    warnings.contains("todo.md was changed by hand"),
                    "{warnings}"
                );
                assert_eq!(state_of(&world, &id), State::Applied);
                assert!(world.text("state.md").contains("9090"));
            }
        }
    }
}

#[test]
fn a_distill_finishes_what_was_begun_before_it_reads() {
    let (home, world) = filled();
    let mut config = memd::config::Config::load(&world.places).unwrap();
    config.register(&world.root, "app");
    config.save().unwrap();
    let memd = |args: &[&str]| {
        let mut memd = assert_cmd::Command::new(env!("CARGO_BIN_EXE_memd"));
        memd.env_clear().env("HOME", &world.places.home);
        let args = memd.args(args).arg("--project").arg(&world.root);
        args.output().unwrap()
    };
    let distill = || memd(&["distill", "--curator", "builtin"]);
    let status_names_it = || {
        let said = String::from_utf8(memd(&["status"]).stdout).unwrap();
        said.contains("1 apply was cut short; the next memd review or distill finishes it")
    };
    assert!(!status_names_it());
    let id = world.stage(vec![add(1, StateFile, "Facts", "- begun.")]);
    world.accept(&id, [1]);
    let plan = world.plan(&id).unwrap();
    let stop = |at| {
        move |step| match step == at {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    world
        .execute(&plan, &mut stop(apply::Step::Written(1)))
        .unwrap_err();
    assert!(status_names_it());
    let run = distill();
    assert!(!status_names_it());
    let err = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(
        run.status.success() && err.contains("finished now"),
        "{err}"
    );
    assert_eq!(state_of(&world, &id), State::Applied);
    assert!(world.recover().unwrap().is_nothing());

    // What a hand wrote meanwhile stays, and it is said.
    let id = world.stage(vec![
        add(1, StateFile, "Facts", "- more."),
        add(2, Todo, "", "- [ ] more."),
    ]);
    world.accept(&id, [1, 2]);
    let plan = world.plan(&id).unwrap();
    world
        .execute(&plan, &mut stop(apply::Step::Written(1)))
        .unwrap_err();
    std::fs::write(world.memory.join("todo.md"), "mine\n").unwrap();
    let run = distill();
    let err = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(
        run.status.success() && err.contains("todo.md was changed by hand"),
        "{err}"
    );
    assert_eq!(world.text("todo.md"), "mine\n");
    drop(home);
}

#[test]
fn until_an_apply_is_finished_agents_are_given_what_was_sealed_before() {
    let (_home, world) = filled();
    let mut config = memd::config::Config::load(&world.places).unwrap();
    config.register(&world.root, "app");
    config.save().unwrap();
    let brief = || {
        let mut memd = assert_cmd::Command::new(env!("CARGO_BIN_EXE_memd"));
        memd.env_clear().env("HOME", &world.places.home);
        let run = memd.arg("brief").arg(&world.root).output().unwrap();
        let text = String::from_utf8(run.stdout).unwrap();
        let mut lines: Vec<String> = text
            .lines()
            .filter(|l| l.starts_with("| "))
            .map(str::to_owned)
            .collect();
        lines.sort();
        (lines, text)
    };
    let (before, _) = brief();
    assert_eq!(before.len(), 4, "{before:?}");
    let id = world.stage(mixed());
    world.accept(&id, 1..=5);
    let plan = world.plan(&id).unwrap();
    let mut looked = 0;
    let done = world.execute(&plan, &mut |step| {
        let (now, text) = brief();
        match step {
            apply::Step::Begun | apply::Step::Written(_) => {
                assert_eq!(now, before, "{step:?}");
                assert!(!text.contains("nobody accepted"), "{step:?}: {text}");
                let mut evidence = world.store.evidence(&world.trust, None).unwrap();
                let memory = memd::memory::Memory::read(&world.memory).unwrap();
                evidence.projects[0].entries = Some(memory.entries().cloned().collect());
                let shown = &str::to_owned;
                let report = verify_all(&evidence, &world.trust, world.now, shown);
                assert_eq!(report.breaks, [], "{step:?}");
                looked += 1;
            }
            apply::Step::Finished => assert!(text.contains("api: 9090"), "{text}"),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    done.unwrap();
    assert!(looked >= 4);
    assert!(!brief().1.contains("web: 3000"));
}
