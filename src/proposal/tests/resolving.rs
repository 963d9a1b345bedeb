//! Which entry a reply speaks of: ids, their beginnings, what is gone, said twice or in a circle.

use super::*;

#[test]
fn ids_are_resolved_by_an_unambiguous_beginning_and_what_cannot_be_is_named() {
    let memory = memory(&[(MemoryFile::State, STATE)]);
    let reply = changes(vec![
        edit("[a00000]", "- The API listens on port 9443."),
        archive("a00001", "gone"),
        edit("a0000", "- x"),
        edit("ffffff", "- x"),
        edit("a00000", "- The API listens on port 1."),
        edit("a00002", "- Build with `make all`."),
    ]);
    let built = built(
        &reply,
        &memory,
        &digest(&[("user", "the API is on port 9443")]),
    );
    assert_eq!(
        summary(&built),
        [
            (Op::Edit, "- The API listens on port 9443.".to_owned()),
            (Op::Archive, String::new())
        ]
    );
    assert_eq!(built.changes[0].section, "Ports");
    assert_eq!(built.changes[1].n, 2);
    assert_eq!(
        reasons(&built),
        [
            "\"a0000\" is too short for an entry's id",
            "no entry has the id \"ffffff\"",
            "an earlier change of this reply already takes that entry",
            "changes nothing",
        ]
    );
}

#[test]
fn unsealed_gone_and_ambiguous_entries_are_refused() {
    let memory = memory(&[(MemoryFile::State, STATE)]);
    let mut entries = known(&memory);
    entries[0].sealed = false;
    entries[1].text = "- was changed by hand".into();
    entries[2].id = "a00002111111".parse().unwrap();
    entries.push(KnownEntry {
        id: "a00002222222".parse().unwrap(),
        ..entries[2].clone()
    });
    let reply = changes(vec![
        edit("a00000000000", "- x"),
        archive("a00001", "x"),
        archive("a00002", "x"),
    ]);
    let built = build(
        &reply,
        &memory,
        &entries,
        &digest(&[]),
        &Budgets::default(),
        &[],
    );
    assert!(built.changes.is_empty());
    assert_eq!(
        reasons(&built),
        [
            "entry a00000000000 is not accepted here; adopt it first",
            "entry a00001 no longer stands in state.md",
            "\"a00002\" is the beginning of several ids",
        ]
    );
}

#[test]
fn an_entry_cannot_supersede_itself_nor_two_one_another() {
    let memory = memory(&[(MemoryFile::State, STATE)]);
    let circle = changes(vec![
        edit("a00000", "- the admin page is off"),
        edit("a00001", "- The API listens on port 8443."),
        edit("a00002", "- Build with `make all`."),
    ]);
    let circle = built(&circle, &memory, &digest(&[]));
    assert!(circle.changes.is_empty());
    assert!(reasons(&circle)[1].contains("in a circle"), "{circle:?}");
    let twin = built(
        &changes(vec![edit("a00000", "- The admin page is off.")]),
        &memory,
        &digest(&[]),
    );
    assert!(twin.changes.is_empty() && reasons(&twin)[0].contains("already says it"));
    let merge = changes(vec![
        edit("a00000", "- The admin page is off."),
        archive("a00001", "twin"),
    ]);
    assert_eq!(built(&merge, &memory, &digest(&[])).changes.len(), 2);
}

#[test]
fn what_already_stands_or_is_said_twice_is_dropped_by_name() {
    let memory = memory(&[
        (MemoryFile::State, STATE),
        (
            MemoryFile::Mistakes,
            "# M\n\n### 2026-01-01 — Cut too early\n\ntext\n",
        ),
    ]);
    let mut entries = known(&memory);
    entries[0].sealed = false;
    let reply = changes(vec![
        add(
            MemoryFile::State,
            "- **the API** listens on port `8443`",
            &[],
        ),
        add(MemoryFile::State, "- the admin page is off", &[]),
        add(
            MemoryFile::Mistakes,
            "### 2026-01-01 — cut too early\n\nother words",
            &[],
        ),
        add(MemoryFile::Todo, "- [ ] a thing", &[]),
        add(MemoryFile::Todo, "a thing", &[]),
    ]);
    let built = build(
        &reply,
        &memory,
        &entries,
        &digest(&[]),
        &Budgets::default(),
        &[],
    );
    assert_eq!(summary(&built), [(Op::Add, "- [ ] a thing".to_owned())]);
    assert_eq!(
        reasons(&built),
        [
            "already stands in state.md, not yet accepted: adopt it there",
            "already stands in state.md",
            "already stands in mistakes.md",
            "the reply says it twice",
        ]
    );
}

#[test]
fn one_change_holds_one_entry() {
    let memory = memory(&[(MemoryFile::State, STATE)]);
    let reply = changes(vec![
        add(
            MemoryFile::State,
            "## Ports\n\n- one thing\n- two things\n  - child",
            &[1],
        ),
        edit("a00000", "- The API listens on port 9443.\n- Another fact."),
    ]);
    let built = built(&reply, &memory, &digest(&[("user", "port 9443")]));
    assert_eq!(
        summary(&built),
        [
            (Op::Add, "- one thing".to_owned()),
            (Op::Add, "- two things\n  - child".to_owned()),
            (Op::Edit, "- The API listens on port 9443.".to_owned()),
            (Op::Add, "- Another fact.".to_owned()),
        ]
    );
    assert!(built.changes.iter().all(|c| c.section == "Ports"));
}

#[test]
fn an_edit_keeps_the_heading_of_its_entry() {
    let memory = memory(&[(MemoryFile::Decisions, "# D\n\n## 2026 — Use X\n\nbecause\n")]);
    let reply = changes(vec![edit("a00000", "because it is fast")]);
    let built1 = built(&reply, &memory, &digest(&[]));
    assert_eq!(
        built1.changes[0].text,
        "## 2026 — Use X\n\nbecause it is fast"
    );
    let reply = changes(vec![edit("a00000", "### 2026 — Use X\n\nit is fast")]);
    assert_eq!(
        built(&reply, &memory, &digest(&[])).changes[0].text,
        "## 2026 — Use X\n\nit is fast"
    );
}
