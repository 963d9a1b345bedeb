//! What becomes of memory: budgets, memory that has moved on, the chosen changes.

use super::*;

#[test]
fn over_budget_the_oldest_go_to_the_archive_as_changes() {
    let text = "# M\n\n### 2026-03-01 — c\n\nccc\n\n### 2026-01-01 — a\n\naaa\n\n### 2026-02-01 — b\n\nbbb\n";
    let memory = memory(&[(MemoryFile::Mistakes, text)]);
    let reply = changes(vec![add(
        MemoryFile::Mistakes,
        "### 2026-04-01 — d\n\nddd",
        &[],
    )]);
    let budgets = Budgets {
        mistakes: 70,
        ..Budgets::default()
    };
    let out = build(
        &reply,
        &memory,
        &known(&memory),
        &digest(&[]),
        &budgets,
        &[],
    );
    let gone: Vec<&str> = out
        .changes
        .iter()
        .filter(|c| c.is_overflow())
        .map(Change::said)
        .collect();
    assert_eq!(
        gone,
        ["### 2026-01-01 — a\n\naaa", "### 2026-02-01 — b\n\nbbb"]
    );
    let chosen: Vec<_> = out.changes.iter().map(Chosen::of).collect();
    let after = outcome(&memory, &chosen);
    assert!(after.doc(&memory, MemoryFile::Mistakes).body_chars() <= 70);
    assert_eq!(after.pieces.len(), 2);
    // A curator cannot pass an archive off as the budget's.
    let forged = changes(vec![archive("a00000", "over budget")]);
    let forged = built(&forged, &memory, &digest(&[]));
    assert!(!forged.changes[0].is_overflow());
}

#[test]
fn a_change_is_looked_up_in_memory_as_it_stands_now() {
    let before = memory(&[(MemoryFile::State, STATE)]);
    let reply = changes(vec![
        edit("a00000", "- The API listens on port 9443."),
        add(MemoryFile::State, "- New fact.", &[]),
    ]);
    let out = built(&reply, &before, &digest(&[]));
    let (edit, add) = (&out.changes[0], &out.changes[1]);
    assert_eq!(rebase(edit, &before, &[]), Rebased::Stands(Some(0)));
    let cases = [
        (
            STATE.replace("port 8443", "port 8444"),
            Rebased::Changed {
                entry: 0,
                now: "- The API listens on port 8444.".into(),
            },
        ),
        (
            STATE.replace("- The API listens on port 8443.\n", ""),
            Rebased::Gone,
        ),
        (
            STATE.replace("port 8443", "port 9443"),
            Rebased::AlreadyThere(0),
        ),
        (
            STATE.replace("- The API", "- First.\n- The API"),
            Rebased::Stands(Some(1)),
        ),
    ];
    for (text, expected) in cases {
        let now = memory(&[(MemoryFile::State, &text)]);
        assert_eq!(rebase(edit, &now, &[]), expected, "{text}");
    }
    let now = memory(&[(MemoryFile::State, &format!("{STATE}- **new fact**\n"))]);
    assert_eq!(rebase(add, &now, &[]), Rebased::AlreadyThere(3));
    assert_eq!(rebase(add, &before, &[]), Rebased::Stands(None));
}

#[test]
fn exactly_the_chosen_changes_land() {
    let memory = memory(&[(MemoryFile::State, STATE)]);
    let reply = changes(vec![
        add(MemoryFile::State, "- A.", &[]),
        edit("a00000", "- The API listens on port 9443."),
        archive("a00001", "done"),
        archive("a00002", "moved"),
    ]);
    let out = built(&reply, &memory, &digest(&[]));
    let chosen = [Chosen::of(&out.changes[1]), Chosen::of(&out.changes[3])];
    let after = outcome(&memory, &chosen);
    assert_eq!(
        after.docs[&MemoryFile::State].text(),
        STATE
            .replace("8443", "9443")
            .replace("\n- Build with `make all`.\n", "")
    );
    assert_eq!(after.pieces[0].text, "- Build with `make all`.");
}
