//! The reverse of one apply: what it did goes back, what came later stays.

use crate::attacks::scene::{Scene, add as proposed, both};
use crate::screen::Screen;
use crate::world::{World, add, archive, edit};
use memd::id::ProposalId;
use memd::memory::MemoryFile::{Mistakes, State as StateFile, Todo};
use memd::proposal::{Decision, Kind, Origin, State};
use memd::store::SpanState;
use memd::text::TextHash;
use memd::trust::{Act, RecordState};
use serde_json::json;

fn world() -> (tempfile::TempDir, World) {
    let home = tempfile::tempdir().unwrap();
    let world = World::at(home.path());
    (home, world)
}

/// Applies a distill of these changes, all accepted.
fn distill(world: &mut World, changes: Vec<memd::proposal::Change>) -> ProposalId {
    let numbers: Vec<u32> = changes.iter().map(|c| c.n).collect();
    let id = world.stage(changes);
    world.accept(&id, numbers);
    world.apply(&id);
    world.later(1);
    id
}

/// One distill that made, one that added, edited and archived, one after it.
fn three(world: &mut World) -> [ProposalId; 3] {
    let first = distill(
        world,
        vec![
            add(1, StateFile, "Ports", "- api: 8080"),
            add(2, Todo, "", "- [ ] ship"),
        ],
    );
    let second = distill(
        world,
        vec![
            edit(1, StateFile, "Ports", "- api: 8080", "- api: 9090"),
            archive(2, Todo, "", "- [ ] ship"),
            add(3, StateFile, "Ports", "- db: 5432"),
        ],
    );
    let third = distill(world, vec![add(1, StateFile, "Ports", "- web: 3000")]);
    [first, second, third]
}

#[test]
fn an_old_distill_goes_back_and_the_later_one_stays() {
    let (_home, mut world) = world();
    let [_, second, _] = three(&mut world);
    let api = world.entry("- api: 9090");
    let staged = world.reverse(&second);
    assert_eq!((staged.changes, staged.conflicts.len()), (3, 0));
    assert!(staged.dropped.is_empty() && !staged.waited, "{staged:?}");
    let before = world.snapshot();
    assert!(before == world.snapshot(), "staging writes nothing");
    let done = world.take(&staged);
    assert_eq!(
        world.text("state.md").split("## Ports").nth(1).unwrap(),
        "\n\n- api: 8080\n- web: 3000\n"
    );
    assert!(world.text("todo.md").contains("- [ ] ship"));
    assert!(world.text("archive/2026-11.md").contains("- db: 5432"));
    world.assert_verified();
    assert!(world.matched().is_whole());
    let mut given = world.given();
    given.sort();
    assert_eq!(given, ["- [ ] ship", "- api: 8080", "- web: 3000"]);

    // The entry goes on under its identity, with who said the earlier text.
    assert_eq!(world.entry("- api: 8080"), api);
    let records = world.store.all_records(&world.trust, &world.project.id);
    let records = records.unwrap();
    let api: Vec<_> = records.iter().filter(|r| r.entry == api).collect();
    assert_eq!(api.len(), 3);
    assert_eq!(
        (api[2].origin, api[2].accepted),
        (Origin::User, Some(world.now))
    );
    assert_eq!(api[2].proposal, staged.id);
    let db = records.iter().rfind(|r| r.text == "- db: 5432").unwrap();
    assert_eq!(db.state, RecordState::Archived);

    // One commit that says what it was, audited as what it was; no material is free again.
    let repo = memd::git::Repo::open(&world.memory).unwrap();
    let log = repo.log(1).unwrap();
    assert_eq!(Some(&log[0].id), done.commit.as_ref());
    let subject = format!("revert {second}: 2 put back, 1 taken out");
    assert_eq!(log[0].message.subject, subject);
    let rows = world.store.audit_rows().unwrap();
    let act = rows.iter().find(|r| r.act == Act::Revert.name()).unwrap();
    assert_eq!(
        Some(act.subjects.as_str()),
        staged.id.as_ref().map(|i| i.as_str())
    );
    let source = format!("/sessions/{second}.jsonl");
    let spans = world.store.spans(&world.project.id, &source).unwrap();
    assert_eq!(spans[0].state, SpanState::Consumed);
}

#[test]
fn what_was_changed_since_is_shown_against_what_stands_and_not_forced() {
    let (_home, mut world) = world();
    let [first, ..] = three(&mut world);
    let staged = world.reverse(&first);
    // The task left with the second distill; the port reads otherwise since.
    assert_eq!((staged.changes, staged.conflicts.as_slice()), (1, &[1][..]));
    assert_eq!(staged.dropped.len(), 1, "{:?}", staged.dropped);
    let id = staged.id.unwrap();
    world.accept(&id, [1]);
    let plan = world.plan(&id).unwrap();
    assert!(plan.applied.is_empty() && plan.files.is_empty());
    assert_eq!(plan.conflicts[0].now.as_deref(), Some("- api: 9090"));

    // Decided on what stands, it goes in, and keeps what it replaces in the archive.
    let now = Some(TextHash::of("- api: 9090"));
    let seen = world.store.decisions(&world.trust, &id).unwrap().last;
    world
        .store
        .decide_over(
            &world.trust,
            &id,
            1,
            Decision::Accepted,
            now,
            seen,
            world.now,
        )
        .unwrap();
    world.apply(&id);
    assert!(!world.text("state.md").contains("api"));
    assert!(world.text("archive/2026-11.md").contains("- api: 9090"));
    assert!(world.text("state.md").contains("- web: 3000"));
    world.assert_verified();
}

#[test]
fn a_decision_over_what_stood_does_not_hold_for_another_text() {
    let (_home, mut world) = world();
    let [first, ..] = three(&mut world);
    let id = world.reverse(&first).id.unwrap();
    let seen = world.store.decisions(&world.trust, &id).unwrap().last;
    let over = Some(TextHash::of("- api: 9090"));
    world
        .store
        .decide_over(
            &world.trust,
            &id,
            1,
            Decision::Accepted,
            over,
            seen,
            world.now,
        )
        .unwrap();
    distill(
        &mut world,
        vec![edit(1, StateFile, "Ports", "- api: 9090", "- api: 7070")],
    );
    let plan = world.plan(&id).unwrap();
    assert_eq!(plan.conflicts[0].now.as_deref(), Some("- api: 7070"));
    assert!(plan.applied.is_empty());
}

#[test]
fn rejecting_leaves_memory_and_proposes_no_less() {
    let (_home, mut world) = world();
    let [_, second, _] = three(&mut world);
    let id = world.reverse(&second).id.unwrap();
    let before = world.snapshot();
    for n in 1..=3 {
        world.decide(&id, n, Decision::Rejected);
    }
    world.apply(&id);
    assert_eq!(world.snapshot(), before);
    world.assert_verified();
    let tombstones = world.store.tombstones(&world.project.id).unwrap();
    assert!(tombstones.is_empty(), "{tombstones:?}");
    // It can be asked for again.
    assert_eq!(world.reverse(&second).changes, 3);
}

#[test]
fn a_revert_is_reverted_and_reverted_again() {
    let (_home, mut world) = world();
    let [_, second, _] = three(&mut world);
    let before: Vec<_> = sorted(world.given());
    let revert = world.reverse(&second);
    world.take(&revert);
    let between = sorted(world.given());
    world.later(1);
    let again = world.reverse(revert.id.as_ref().unwrap());
    assert_eq!((again.changes, again.conflicts.len()), (3, 0), "{again:?}");
    world.take(&again);
    assert_eq!(sorted(world.given()), before);
    world.assert_verified();
    world.later(1);
    let third = world.reverse(again.id.as_ref().unwrap());
    world.take(&third);
    assert_eq!(sorted(world.given()), between);
    world.assert_verified();
    // The first one is what stands by now: nothing is left of it.
    world.later(1);
    let nothing = world.reverse(&second);
    assert_eq!((nothing.id, nothing.dropped.len()), (None, 3));
}

fn sorted(mut all: Vec<String>) -> Vec<String> {
    all.sort();
    all
}

#[test]
fn a_revert_that_waits_is_not_staged_twice_and_only_an_apply_is_reversed() {
    let (_home, mut world) = world();
    let [_, second, _] = three(&mut world);
    let first = world.reverse(&second);
    world.later(1);
    let again = world.reverse(&second);
    assert!(again.waited);
    assert_eq!((&again.id, again.changes), (&first.id, first.changes));
    let queue = world.store.queue(None, world.now).unwrap();
    assert_eq!((queue.len(), queue[0].kind), (1, Kind::Revert));
    let id = first.id.unwrap();
    let limits = &world.settings.limits;
    let refused = memd::apply::reverse(world.ground(), &world.lock(), &id, limits, &|_| Vec::new());
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("staged, not applied"), "{refused}");
    // Decided in part, the rest is what waits.
    world.accept(&id, [1]);
    world.apply(&id);
    assert_eq!(
        world.store.status(&id, world.now).unwrap().state,
        State::Applied
    );
    assert_eq!(world.reverse(&second).changes, 2);
}

#[test]
fn the_entry_is_told_from_another_that_reads_as_it_did() {
    let (_home, mut world) = world();
    let first = distill(&mut world, vec![add(1, StateFile, "Ports", "- api: 8080")]);
    distill(
        &mut world,
        vec![edit(1, StateFile, "Ports", "- api: 8080", "- api: 9090")],
    );
    let later = distill(&mut world, vec![add(1, StateFile, "Ports", "- api: 8080")]);
    let staged = world.reverse(&first);
    assert_eq!(staged.conflicts, [1], "the entry reads otherwise now");
    let id = staged.id.unwrap();
    world.accept(&id, [1]);
    assert!(world.plan(&id).unwrap().applied.is_empty());
    let staged = world.reverse(&later);
    assert_eq!((staged.changes, staged.conflicts.len()), (1, 0));
    world.take(&staged);
    assert!(world.text("state.md").contains("- api: 9090"));
    assert!(!world.text("state.md").contains("- api: 8080"));
    world.assert_verified();
}

#[test]
fn mistakes_only_grow_by_curators_and_are_reverted_by_people() {
    let (_home, mut world) = world();
    let text = "### 2026-11-29 A port clash\n\nTwo on 8080.";
    let first = distill(&mut world, vec![add(1, Mistakes, "", text)]);
    let staged = world.reverse(&first);
    let done = world.take(&staged);
    assert!(done.commit.is_some());
    assert!(!world.text("mistakes.md").contains("A port clash"));
    assert!(world.text("archive/2026-11.md").contains("Two on 8080."));
    world.assert_verified();
}

/// A session says it, a curator proposes it, a person accepts it; the proposal's id.
fn accepted(scene: &Scene, text: &str) -> String {
    scene.user("s", text);
    let proposal = scene.staged(&json!([proposed("state.md", &format!("- {text}"))]));
    scene.review(&["a"]);
    proposal["id"].as_str().unwrap().to_owned()
}

#[test]
fn memd_revert_stages_and_a_person_decides() {
    let scene = Scene::new();
    let first = accepted(&scene, "The gateway listens on port 8080.");
    let second = accepted(&scene, "Backups of the ledger run every night.");
    let said = scene.says(&["revert", &first[..6]]);
    assert!(
        said.contains(&format!("staged the reverse of {first} as ")),
        "{said}"
    );
    assert!(said.contains("memd review"), "{said}");
    assert!(scene.brief().contains("8080"), "nothing is written yet");
    let revert = said.split(" as ").nth(1).unwrap().split(':').next();
    let shown = scene.says(&["show", revert.unwrap()]);
    let told = [
        &format!("the reverse of proposal {first}"),
        "taken out: The gateway listens on port 8080.",
        &format!("why: revert of {first}"),
    ];
    for told in told {
        assert!(shown.contains(told), "{told:?} is not in {shown}");
    }
    let again = scene.says(&["revert", &first]);
    assert!(again.contains("waits already"), "{again}");
    scene.review(&["a"]);
    let brief = scene.brief();
    assert!(
        brief.contains("(manual)"),
        "a revert is no distill: {brief}"
    );
    assert!(
        !brief.contains("8080") && brief.contains("Backups"),
        "{brief}"
    );
    assert!(scene.says(&["verify"]).starts_with("all good"));
    let log = scene.says(&["log"]);
    assert!(log.lines().next().unwrap().contains("revert"), "{log}");
    let nothing = scene.says(&["revert", &first]);
    assert!(nothing.contains("nothing is left to change"), "{nothing}");

    // By its commit; there is one commit more than decisions, that of init.
    let repo = memd::git::Repo::open(&scene.root.join(".memory")).unwrap();
    let log = repo.log(10).unwrap();
    let of = |id: &str| log.iter().find(|c| c.trailer("Memd-Proposal") == Some(id));
    let said = scene.says(&["revert", &of(&second).unwrap().id[..10]]);
    assert!(said.contains(&format!("the reverse of {second}")), "{said}");
    let init = scene.memd(&["revert", &log.last().unwrap().id]);
    assert_eq!(init.status.code(), Some(1));
    assert!(
        both(&init).contains("made by no decision"),
        "{}",
        both(&init)
    );
    let unknown = scene.memd(&["revert", "ffffffff"]);
    assert_eq!(unknown.status.code(), Some(1), "{}", both(&unknown));
    assert_eq!(scene.memd(&["revert"]).status.code(), Some(2));
    let other = scene.home.folder("elsewhere");
    let named = ["revert", &second, "-p", other.to_str().unwrap()];
    assert_eq!(scene.memd(&named).status.code(), Some(1));
}

#[test]
fn a_proposal_that_was_applied_in_parts_is_taken_back_whole_and_that_is_said() {
    let scene = Scene::new();
    scene.user(
        "s",
        "The gateway listens on port 8080. Backups of the ledger run every night.",
    );
    let both_of = json!([
        proposed("state.md", "- The gateway listens on port 8080."),
        proposed("state.md", "- Backups of the ledger run every night."),
    ]);
    let id = scene.staged(&both_of)["id"].as_str().unwrap().to_owned();
    let log = scene.says(&["log"]);
    assert!(!log.contains("parts"), "{log}");
    scene.review(&["a"]);
    scene.review(&["a"]);
    let log = scene.says(&["log"]);
    assert_eq!(log.matches("1 in, one of 2 parts").count(), 2, "{log}");
    let repo = memd::git::Repo::open(&scene.root.join(".memory")).unwrap();
    let newest = repo.log(1).unwrap().remove(0).id;
    let said = scene.says(&["revert", &newest[..10]]);
    assert!(said.contains(&format!("the reverse of {id}")), "{said}");
    let revert = said.split(" as ").nth(1).unwrap().split(':').next();
    let shown = scene.says(&["show", revert.unwrap()]);
    assert!(
        shown.contains("of all 2 parts in which it was applied")
            && shown.contains("8080")
            && shown.contains("Backups"),
        "{shown}"
    );
    let mut screen = Screen::memd(&scene.home, &scene.root, &["revert", &newest[..10]]).start();
    screen.wait_for("all 2 parts in which it was applied");
    screen.press("Esc");
    screen.press("q");
    screen.finish();
}

#[test]
fn the_sheet_of_a_revert_says_what_moves_into_the_archive_and_its_row_names_what_is_put_back() {
    let scene = Scene::new();
    let first = accepted(&scene, "The gateway listens on port 8080.");
    let sheet = |scene: &Scene| {
        let mut terminal = scene.terminal(&["review", "--plain"]);
        terminal.wait_for("change 1 of 1");
        terminal.answer("a");
        terminal.answer("w");
        terminal.wait_for("goes back: ");
        terminal.type_line("y");
        terminal.wait_for("applied 1");
        let text = terminal.text();
        terminal.kill();
        text
    };
    let (_, store, project) = scene.open();
    let records = store.records(&store.trust().unwrap(), &project.id).unwrap();
    let id = records[0].entry.as_str().to_owned();
    scene.user("s", "The gateway listens on port 9090 from today on.");
    let text = "- The gateway listens on port 9090 from today on.";
    let edit = json!({"op": "edit", "entry": id, "text": text, "evidence": [1]});
    let second = scene.staged(&json!([edit]));
    scene.review(&["a"]);
    scene.says(&["revert", second["id"].as_str().unwrap()]);
    let out = sheet(&scene);
    assert!(
        out.contains("put back: The gateway listens on port 8080."),
        "{out}"
    );
    scene.says(&["revert", &first]);
    let out = sheet(&scene);
    assert!(!out.contains("nothing decided"), "{out}");
    assert!(out.contains("1 moved in"), "{out}");
}

#[test]
fn on_a_terminal_a_conflict_shows_what_stands_and_goes_in_by_a_decision_on_it() {
    let scene = Scene::new();
    let first = accepted(&scene, "The gateway listens on port 8080.");
    let (_, store, project) = scene.open();
    let records = store.records(&store.trust().unwrap(), &project.id).unwrap();
    let id = records[0].entry.as_str();
    scene.user("s", "The gateway listens on port 9090 from today on.");
    let text = "- The gateway listens on port 9090 from today on.";
    let edit = json!({"op": "edit", "entry": id, "text": text, "evidence": [1]});
    scene.staged(&json!([edit]));
    scene.review(&["a"]);
    assert!(scene.brief().contains("9090"));
    let said = scene.says(&["revert", &first]);
    assert!(said.contains("1 entry was changed since"), "{said}");
    let mut terminal = scene.terminal(&["review", "--plain"]);
    terminal.wait_for("STALE: the entry has another text now");
    terminal.wait_for("8080");
    terminal.wait_for("9090");
    terminal.answer("a");
    terminal.wait_for("a again accepts it");
    terminal.answer("a");
    terminal.answer("w");
    terminal.wait_for("goes back: ");
    terminal.type_line("y");
    terminal.wait_for("applied 1, rejected 0, 0 left");
    terminal.kill();
    let brief = scene.brief();
    assert!(
        !brief.contains("9090") && !brief.contains("8080"),
        "{brief}"
    );
    assert!(scene.says(&["verify"]).starts_with("all good"));
}
