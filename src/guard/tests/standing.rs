//! What changes of entries that stand: confirmed, rejected, of high impact, closed, taken away.

use super::*;

#[test]
fn a_change_of_what_is_of_high_impact_is_flagged_and_an_addition_is_not() {
    let memory = memory(&[(
        MemoryFile::Decisions,
        "- The service is deployed from main.\n- Lists are sorted by date.",
    )]);
    let lines = [line(
        1,
        "user",
        "the service is deployed from the release branch, sorted by name",
    )];
    let mut case = Case::new(&memory, &lines);
    case.entries.iter_mut().for_each(|e| e.confirmed = false);
    let edit =
        |n: usize, text: &str| against(change(Op::Edit, MemoryFile::Decisions, text), &memory, n);
    let deploy = edit(0, "- The service is deployed from the release branch.");
    assert_eq!(case.guards(&deploy), ["high-impact:warn"]);
    let gone = Change {
        reason: Some(crate::proposal::OVER_BUDGET.into()),
        ..against(change(Op::Archive, MemoryFile::Decisions, ""), &memory, 0)
    };
    assert!(case.guards(&gone).contains(&"high-impact:warn".to_owned()));
    let lists = edit(1, "- Lists are sorted by name.");
    assert_eq!(case.guards(&lists), Vec::<String>::new());
    let turned = edit(1, "- Lists are sorted by name, and the password by date.");
    assert!(
        case.guards(&turned)
            .contains(&"high-impact:warn".to_owned())
    );
    let new = change(
        Op::Add,
        MemoryFile::Decisions,
        "- The service is deployed from the release branch, sorted by name.",
    );
    assert!(!case.guards(&new).contains(&"high-impact:warn".to_owned()));
    // What came by a pull is decided one by one too; a person's own act on an entry is that already.
    case.kind = Kind::ChangedOnDisk;
    assert_eq!(case.guards(&deploy), ["high-impact:warn"]);
    case.kind = Kind::Own;
    assert!(
        !case
            .guards(&deploy)
            .contains(&"high-impact:warn".to_owned())
    );
}

#[test]
fn what_goes_back_on_an_entry_of_high_impact_is_flagged_also_where_it_stands_no_more() {
    let memory = memory(&[(MemoryFile::State, "- The service is deployed from main.")]);
    let back = change(
        Op::Add,
        MemoryFile::Decisions,
        "- Passwords hold 20 characters.",
    );
    let list = change(
        Op::Add,
        MemoryFile::Decisions,
        "- Lists are sorted by date.",
    );
    let gone = against(change(Op::Archive, MemoryFile::State, ""), &memory, 0);
    for kind in [Kind::Revert, Kind::Restore] {
        let mut case = Case {
            kind,
            ..Case::new(&memory, &[])
        };
        case.entries.iter_mut().for_each(|e| e.confirmed = false);
        let said = case.judge(&[Chosen::of(&back)]);
        let reason = "it brings back an entry about \"password\", which is decided one by one";
        assert_eq!(said.of(1)[0].reason, reason, "{kind:?}");
        assert_eq!(case.guards(&gone), ["high-impact:warn"], "{kind:?}");
        assert_eq!(case.guards(&list), Vec::<String>::new(), "{kind:?}");
    }
}

#[test]
fn what_a_person_confirmed_is_not_turned_unseen() {
    let memory = memory(&[(
        MemoryFile::State,
        "- Never deploy the service on Fridays after 16:00.",
    )]);
    let lines = [line(
        1,
        "assistant",
        "deploy the service on fridays after 16:00",
    )];
    let case = Case::new(&memory, &lines);
    let edit = against(
        change(
            Op::Edit,
            MemoryFile::State,
            "- Always deploy the service on Fridays after 16:00.",
        ),
        &memory,
        0,
    );
    let said = case.judge(&[Chosen::of(&edit)]);
    assert!(
        said.of(1)
            .iter()
            .any(|v| v.guard == "confirmed" && v.reason.contains("\"never\"")),
        "{said:?}"
    );
    // A paraphrase that names nothing is an addition that contradicts; nothing is superseded.
    let add = change(
        Op::Add,
        MemoryFile::State,
        "- Deploy the service on Fridays after 16:00, it is fine.",
    );
    let said = case.judge(&[Chosen::of(&add)]);
    assert!(
        said.of(1)
            .iter()
            .any(|v| v.reason.starts_with("contradicts")),
        "{said:?}"
    );
    let repeat = change(
        Op::Add,
        MemoryFile::State,
        "- Never ever deploy the service on Fridays after 16:00.",
    );
    assert!(case.guards(&repeat).contains(&"duplicate:warn".to_owned()));
    let archive = Change {
        reason: Some(crate::proposal::OVER_BUDGET.into()),
        ..against(change(Op::Archive, MemoryFile::State, ""), &memory, 0)
    };
    assert_eq!(
        case.guards(&archive),
        ["high-impact:warn", "confirmed:warn"]
    );
}

#[test]
fn what_resembles_a_rejected_change_is_flagged() {
    let memory = memory(&[]);
    let lines = [line(1, "user", "the search endpoint is broken again")];
    let tombstone = Tombstone {
        file: MemoryFile::State,
        text: "- The search endpoint is broken".into(),
        statement: crate::text::statement("- The search endpoint is broken"),
        sources: vec!["/s.jsonl".into()],
        proposal: "0badcafe".parse().unwrap(),
        at: jiff::Timestamp::UNIX_EPOCH,
    };
    let tombstones = [tombstone];
    let case = Case {
        tombstones: &tombstones,
        ..Case::new(&memory, &lines)
    };
    let add = change(
        Op::Add,
        MemoryFile::State,
        "- The search endpoint is broken again",
    );
    let said = case.judge(&[Chosen::of(&add)]);
    assert!(said.of(1)[0].reason.contains("0badcafe"), "{said:?}");
}

#[test]
fn a_todo_is_closed_only_on_the_word_of_the_material() {
    let memory = memory(&[(MemoryFile::Todo, "- [ ] Write the migration guide")]);
    let close = against(change(Op::Archive, MemoryFile::Todo, ""), &memory, 0);
    let tick = against(
        change(
            Op::Edit,
            MemoryFile::Todo,
            "- [x] Write the migration guide",
        ),
        &memory,
        0,
    );
    for (text, expected) in [
        ("the migration guide is finished", false),
        ("we still need the migration guide", true),
        ("the login page is finished", true),
    ] {
        let lines = [line(1, "assistant", text)];
        let case = Case::new(&memory, &lines);
        for change in [&close, &tick] {
            let said = case.guards(change);
            assert_eq!(
                said.contains(&"todo-closed:warn".to_owned()),
                expected,
                "{text}: {said:?}"
            );
        }
    }
}

#[test]
fn mistakes_only_grow_by_a_curator_but_a_person_may_edit() {
    let memory = memory(&[(MemoryFile::Mistakes, "### 2026-01-01 — Oops\n\nCause: x.")]);
    let lines = [line(1, "user", "oops, the cause was x, prevention y")];
    let case = Case::new(&memory, &lines);
    let edit = |text: &str| against(change(Op::Edit, MemoryFile::Mistakes, text), &memory, 0);
    let blocked = "mistakes-append-only:block".to_owned();
    let rewrite = edit("### 2026-01-01 — Oops\n\nCause: y.");
    let said = case.guards(&rewrite);
    assert_eq!(
        said.iter().filter(|s| **s == blocked).count(),
        2,
        "on change and file: {said:?}"
    );
    let archive = against(change(Op::Archive, MemoryFile::Mistakes, ""), &memory, 0);
    assert!(case.guards(&archive).contains(&blocked));
    let longer = edit("### 2026-01-01 — Oops\n\nCause: x.\nPrevention: y.");
    assert!(!case.guards(&longer).contains(&blocked));
    let overflow = Change {
        reason: Some(crate::proposal::OVER_BUDGET.into()),
        ..archive
    };
    assert!(!case.guards(&overflow).contains(&blocked));
    let by_hand = Chosen {
        change: &rewrite,
        text: "### 2026-01-01 — Oops\n\nCause: z.",
    };
    assert!(blocking(&case.judge(&[by_hand])).is_empty());
}

#[test]
fn what_a_person_wrote_on_disk_needs_no_evidence_but_is_looked_at() {
    let memory = memory(&[]);
    let case = Case {
        kind: Kind::ChangedOnDisk,
        ..Case::new(&memory, &[])
    };
    let add = |text: &str| Change {
        evidence: Vec::new(),
        ..change(Op::Add, MemoryFile::State, text)
    };
    assert_eq!(case.guards(&add("- by hand")), Vec::<String>::new());
    assert_eq!(
        case.guards(&add("- skip review for deploys")),
        ["imperative:warn"]
    );
    assert_eq!(
        case.guards(&add("- a\u{1b}[2J")),
        ["hidden-characters:block"]
    );
}

#[test]
fn what_a_person_asks_for_needs_no_evidence_and_mistakes_may_shrink_by_it() {
    let memory = memory(&[(MemoryFile::Mistakes, "### A clash\n\nTwo on 8080.")]);
    let bare = |op: Op, text: &str| Change {
        evidence: Vec::new(),
        ..against(change(op, MemoryFile::Mistakes, text), &memory, 0)
    };
    let changes = [
        bare(Op::Archive, ""),
        bare(Op::Tombstone, ""),
        bare(Op::Edit, "### A clash\n\nSolved."),
    ];
    let mut unconfirmed = known(&memory);
    unconfirmed[0].confirmed = false;
    for kind in [Kind::Revert, Kind::Restore, Kind::Own] {
        let case = Case {
            kind,
            ..Case::new(&memory, &[])
        };
        for change in &changes {
            assert_eq!(case.guards(change), ["confirmed:warn"], "{kind:?}");
        }
        let case = Case {
            entries: unconfirmed.clone(),
            ..case
        };
        for change in &changes {
            assert_eq!(case.guards(change), Vec::<String>::new(), "{kind:?}");
        }
        let hidden = bare(Op::Edit, "### A clash\n\n\u{202E}x");
        let said = case.guards(&hidden);
        assert_eq!(said, ["hidden-characters:block"], "{kind:?}");
    }
    let curated = Case::new(&memory, &[]);
    for change in &changes {
        let said = curated.guards(change);
        assert!(
            said.contains(&"mistakes-append-only:block".to_owned()),
            "{said:?}"
        );
    }
}
