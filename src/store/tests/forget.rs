//! Projects that leave the books, move, and have other folders.

use super::*;
use crate::config::Settings;
use crate::store::SpanState;

#[test]
fn a_name_of_one_that_is_off_the_books_is_told_from_all_that_ever_were() {
    let case = Case::new();
    let (store, trust) = (&case.store, &case.trust);
    let of = |root: &str| {
        let made = store.ensure_project(trust, Path::new(root), "app", day(0));
        made.unwrap().id
    };
    let (one, other) = (of("/a/app"), of("/b/app"));
    for id in [&one, &other] {
        store.forget_project(trust, id, "a test", day(0)).unwrap();
    }
    let name = |id| store.project(id).unwrap().name;
    assert_eq!(name(&one), "app (a/app)");
    assert_eq!(name(&other), "app (b/app)");
    assert_eq!(store.names_ever().unwrap()[&one], "app (a/app)");
    // One on the books goes by what else is on them.
    of("/a/app");
    assert_eq!(name(&one), "app");
}

#[test]
fn forgetting_ends_what_waits_and_keeps_what_was_sealed() {
    let case = Case::new();
    let rest = case.stage(1, &["- one", "- two"]);
    case.decide(&rest, 1, Decision::Accepted);
    let intent = case.intent(&rest, &[1], &[]);
    let begun = case.store.begin_apply(&case.trust, &intent, day(0));
    begun.unwrap();
    let waits = case.stage(2, &["- three"]);
    let old = case.stage(3, &["- four"]);
    let id = &case.project.id;
    let forget = || {
        case.store
            .forget_project(&case.trust, id, "a test", day(20))
    };
    assert!(matches!(forget(), Err(StoreError::ApplyPending(_))));
    assert_eq!(case.state(&waits, day(0)), State::Staged, "all or nothing");
    case.store.finish_apply(&case.trust, &rest, day(0)).unwrap();

    let forgotten = forget().unwrap();
    assert_eq!((forgotten.discarded, forgotten.was_trusted), (3, false));
    assert_eq!(case.state(&waits, day(20)), State::Discarded);
    assert_eq!(case.state(&old, day(20)), State::Discarded);
    assert_eq!(case.span_states(1), [SpanState::Consumed]);
    for unseen in [2, 3] {
        assert_eq!(case.span_states(unseen), [], "nobody decided on it");
    }
    // Nobody looked at it, so nothing was rejected.
    let buried = case.store.tombstones(&case.project.id).unwrap();
    assert!(buried.is_empty(), "{buried:?}");
    let refused = case.store.refusals(&case.trust, &case.project.id).unwrap();
    assert!(refused.is_empty(), "{refused:?}");
    assert!(case.store.projects().unwrap().is_empty());
    assert_eq!(case.store.project_at(Path::new("/p")).unwrap(), None);
    assert!(case.store.queue(None, day(20)).unwrap().is_empty());
    assert_eq!(case.acts().last().unwrap(), "forget-project");
    assert_eq!(case.breaks(), []);

    let back = case
        .store
        .ensure_project(&case.trust, Path::new("/p"), "p", day(21));
    assert_eq!(back.unwrap().id, case.project.id);
    assert_eq!(case.acts().last().unwrap(), "register");
    assert_eq!(case.store.records(&case.trust, id).unwrap().len(), 1);
    // What came meanwhile counts as read.
    let spans = [span("/t/2", 0, 150), span("/t/9", 0, 10)];
    let taken = case.store.baseline(&case.trust, id, &spans, &[], day(21));
    assert_eq!(taken.unwrap(), 2);
    let of = |source| case.store.spans(id, source).unwrap();
    let ends: Vec<_> = of("/t/2")
        .iter()
        .map(|s| (s.span.start, s.span.end))
        .collect();
    assert_eq!(ends, [(0, 150)]);
}

#[test]
fn where_a_project_lay_and_its_worktrees_are_remembered() {
    let case = Case::new();
    let root = case.dir.path().canonicalize().unwrap().join("app");
    std::fs::create_dir_all(root.join(".git/worktrees/fix")).unwrap();
    let gone = root.parent().unwrap().join("fix");
    let back = format!("{}\n", gone.join(".git").display());
    std::fs::write(root.join(".git/worktrees/fix/gitdir"), back).unwrap();
    let id = &case.project.id;
    case.store
        .move_project(&case.trust, id, &root, day(1))
        .unwrap();
    let settings = Settings::defaults(case.dir.path());
    let known = || case.store.known(&settings, &case.places()).unwrap();
    let remember = || case.store.remember_worktrees(&known(), day(2)).unwrap();
    assert_eq!((remember(), remember()), (1, 0), "written once");
    std::fs::remove_dir_all(root.join(".git/worktrees")).unwrap();
    let others = case.store.other_folders(id).unwrap();
    assert_eq!(others, [Path::new("/p").to_owned(), gone.clone()]);
    for dir in [gone.join("src"), "/p/src".into()] {
        assert_eq!(known().root_of(&dir).as_ref(), Some(&root), "{dir:?}");
    }
    case.store
        .forget_project(&case.trust, id, "a test", day(3))
        .unwrap();
    assert_eq!(known().root_of(&gone.join("src")), None);
}
