//! A leave counts only with its seal, the newest word on it, and a chain that is whole since.

use super::*;
use crate::trust::{BreakKind, Mode, Occasion};

fn mode(case: &Case) -> Mode {
    case.store.mode(&case.trust, &case.project.id).unwrap()
}

fn grant(case: &Case, hooks: bool, n: i64) {
    let (store, trust) = (&case.store, &case.trust);
    store.grant(trust, &case.project.id, hooks, day(n)).unwrap();
}

fn revoke(case: &Case, n: i64) -> bool {
    let (store, trust) = (&case.store, &case.trust);
    store.revoke(trust, &case.project.id, day(n)).unwrap()
}

#[test]
fn a_leave_is_given_widened_narrowed_and_taken_away() {
    let case = Case::new();
    assert_eq!((mode(&case), revoke(&case, 1)), (Mode::Stages, false));
    grant(&case, false, 1);
    assert_eq!(mode(&case), Mode::Applies);
    grant(&case, true, 2);
    assert_eq!(mode(&case), Mode::AppliesFromHooks);
    grant(&case, false, 3);
    assert_eq!(mode(&case), Mode::Applies);
    assert!(revoke(&case, 4) && !revoke(&case, 5));
    assert_eq!(mode(&case), Mode::Stages);
    // A clock that was set back takes nothing away.
    grant(&case, true, 2);
    assert_eq!(mode(&case), Mode::AppliesFromHooks);
    assert_eq!(case.breaks(), []);
    let acts = case.acts();
    assert_eq!(acts.iter().filter(|a| *a == "trust").count(), 5);
}

#[test]
fn a_project_that_moves_or_is_forgotten_is_trusted_no_more() {
    let case = Case::new();
    let (store, trust, id) = (&case.store, &case.trust, &case.project.id);
    grant(&case, true, 1);
    store
        .move_project(trust, id, std::path::Path::new("/elsewhere"), day(2))
        .unwrap();
    assert_eq!((mode(&case), case.breaks()), (Mode::Stages, vec![]));
    grant(&case, true, 3);
    assert!(
        store
            .forget_project(trust, id, "a test", day(4))
            .unwrap()
            .was_trusted
    );
    let root = std::path::Path::new("/elsewhere");
    store.ensure_project(trust, root, "p", day(5)).unwrap();
    assert_eq!((mode(&case), case.breaks()), (Mode::Stages, vec![]));
}

/// What the database holds of a leave.
fn kept(case: &Case) -> String {
    let sql = "SELECT project, format, hooks, at, key, seal FROM grants";
    let conn = rusqlite::Connection::open(case.store.path()).unwrap();
    let row = conn.query_row(sql, [], |row| {
        let [project, at, key, seal] = [0, 3, 4, 5].map(|n| row.get::<_, String>(n));
        let [format, hooks] = [1, 2].map(|n| row.get::<_, i64>(n));
        Ok(format!(
            "INSERT OR REPLACE INTO grants VALUES ('{}', {}, {}, '{}', '{}', '{}')",
            project?, format?, hooks?, at?, key?, seal?
        ))
    });
    row.unwrap()
}

#[test]
fn a_row_that_was_changed_or_put_back_grants_nothing_and_is_named() {
    for attack in [
        "UPDATE grants SET hooks = 1",
        "UPDATE grants SET at = '2020-01-01T00:00:00Z'",
        "UPDATE grants SET at = 'x'",
        "UPDATE grants SET format = 9",
        "UPDATE grants SET key = 'x'",
        "UPDATE grants SET seal = ''",
    ] {
        let case = Case::new();
        grant(&case, false, 1);
        case.attack(attack);
        assert_eq!(mode(&case), Mode::Stages, "{attack}");
        assert_eq!(case.breaks(), [BreakKind::Grant], "{attack}");
    }
    // An older, wider one; and one that was taken away.
    for narrowed in [true, false] {
        let case = Case::new();
        grant(&case, true, 1);
        let wide = kept(&case);
        match narrowed {
            true => grant(&case, false, 2),
            false => assert!(revoke(&case, 2)),
        }
        case.attack(&wide);
        assert_eq!(mode(&case), Mode::Stages, "{narrowed}");
        assert_eq!(case.breaks(), [BreakKind::Grant], "{narrowed}");
    }
}

#[test]
fn a_leave_of_another_project_grants_nothing() {
    let case = Case::new();
    let (store, trust) = (&case.store, &case.trust);
    let root = std::path::Path::new("/other");
    let other = store.ensure_project(trust, root, "other", day(0)).unwrap();
    grant(&case, true, 1);
    let mine = case.project.id.as_str();
    case.attack(&kept(&case).replace(mine, other.id.as_str()));
    assert_eq!(store.mode(trust, &other.id).unwrap(), Mode::Stages);
    assert_eq!(mode(&case), Mode::AppliesFromHooks);
    assert_eq!(case.breaks(), [BreakKind::Grant]);
}

#[test]
fn a_chain_without_the_word_that_took_it_away_grants_nothing() {
    for hide in [
        "DELETE FROM audit WHERE seq = (SELECT max(seq) - 1 FROM audit)",
        "UPDATE audit SET act = 'decide' WHERE seq = (SELECT max(seq) - 1 FROM audit)",
        "DELETE FROM audit WHERE seq >= (SELECT max(seq) - 1 FROM audit)",
    ] {
        let case = Case::new();
        grant(&case, true, 1);
        let wide = kept(&case);
        revoke(&case, 2);
        let (store, trust) = (&case.store, &case.trust);
        let details = serde_json::json!({});
        let refuse = crate::trust::Act::Refuse;
        store
            .audit(trust, refuse, None, &[], details, day(3))
            .unwrap();
        case.attack(&wide);
        case.attack(hide);
        assert_eq!(mode(&case), Mode::Stages, "{hide}");
        assert!(case.breaks().contains(&BreakKind::Grant), "{hide}");
    }
}

#[test]
fn an_apply_without_a_person_is_begun_only_where_it_is_allowed() {
    let begin = |case: &Case, change: &dyn Fn(&mut Intent)| {
        let id = case.stage(1, &["- 1"]);
        let mut intent = Intent {
            unattended: Some(Occasion::Hook),
            ..case.intent(&id, &[1], &[])
        };
        for record in &mut intent.records {
            (record.accepted, record.lapses) = (None, Some(day(30)));
        }
        change(&mut intent);
        let store = &case.store;
        store.begin_apply(&case.trust, &intent, day(1))
    };
    let case = Case::new();
    let refused = begin(&case, &|_| {});
    assert!(matches!(refused, Err(StoreError::NotTrusted(_))));
    let case = Case::new();
    grant(&case, false, 0);
    let refused = begin(&case, &|_| {});
    assert!(matches!(refused, Err(StoreError::NotTrusted(_))));
    let never: [fn(&mut Intent); 4] = [
        |i| i.rejected = vec![2],
        |i| i.despite = Some("so".into()),
        |i| i.records[0].accepted = Some(day(0)),
        |i| i.records[0].lapses = None,
    ];
    for (n, change) in never.into_iter().enumerate() {
        let case = Case::new();
        grant(&case, true, 0);
        let refused = begin(&case, &change);
        assert!(
            matches!(refused, Err(StoreError::NotByPolicy(_))),
            "{n}: {refused:?}"
        );
    }
    let case = Case::new();
    grant(&case, true, 0);
    begin(&case, &|_| {}).unwrap();
}
