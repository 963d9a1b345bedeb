//! Replies with whole bodies, as memd 0.3's prompt asked for them.

use super::*;

#[test]
fn whole_bodies_become_the_same_changes() {
    let memory = memory(&[(MemoryFile::State, STATE)]);
    let body = "```markdown\n---\ntype: state\n---\n# State\n\n## Ports\n\n- The API listens on port 9443.\n\n## Build\n\n- Build with `make all`.\n- Lint with `make lint`.\n```";
    let reply = BodiesReply {
        archive_entries: vec![ArchivedText {
            source: "state.md".into(),
            content: "- The admin page is off.".into(),
        }],
        mistakes_new_entries: vec!["### 2026-01-01 — Oops\n\nCause.".into()],
        ..bodies(body)
    };
    let out = built(
        &Reply::Bodies(reply),
        &memory,
        &digest(&[("user", "the API listens on port 9443 now")]),
    );
    assert_eq!(
        summary(&out),
        [
            (Op::Edit, "- The API listens on port 9443.".to_owned()),
            (Op::Archive, String::new()),
            (Op::Add, "- Lint with `make lint`.".to_owned()),
            (Op::Add, "### 2026-01-01 — Oops\n\nCause.".to_owned()),
        ]
    );
    assert_eq!(
        out.changes[1].reason.as_deref(),
        Some("archived by the reply")
    );
    assert_eq!(out.changes[2].section, "Build");
    assert_eq!(out.changes[0].evidence, [1]);
}

#[test]
fn a_body_that_is_the_placeholder_empty_or_the_same_changes_nothing() {
    let memory = memory(&[(MemoryFile::State, STATE)]);
    for body in [
        "",
        "# State\n\n_Nothing recorded yet: what is true now goes here._",
        STATE,
        "```\n```",
    ] {
        let out = built(&Reply::Bodies(bodies(body)), &memory, &digest(&[]));
        assert!(out.changes.is_empty(), "{body:?}: {:?}", out.changes);
    }
}

#[test]
fn a_mistake_whose_heading_stands_already_is_dropped_and_several_in_one_text_are_several() {
    let stands = "# Mistakes\n\n### 2026-01-01 — Port taken\n\nOld symptom.\n";
    let memory = memory(&[(MemoryFile::Mistakes, stands)]);
    let mut entries = known(&memory);
    // Also what nobody has accepted yet: it would stand there twice once it is.
    entries[0].sealed = false;
    let reply = Reply::Bodies(BodiesReply {
        mistakes_new_entries: vec![
            "### 2026-01-01 — Port taken\n\nTold in other words.".into(),
            "### 2026-02-02 — Lock kept\n\nA.\n\n### 2026-02-03 — Disk full\n\nB.".into(),
            "```md\n### 2026-02-02 — lock kept\n\nAgain.\n```".into(),
        ],
        ..BodiesReply::default()
    });
    let out = build(
        &reply,
        &memory,
        &entries,
        &digest(&[]),
        &Budgets::default(),
        &[],
    );
    assert_eq!(
        summary(&out),
        [
            (Op::Add, "### 2026-02-02 — Lock kept\n\nA.".to_owned()),
            (Op::Add, "### 2026-02-03 — Disk full\n\nB.".to_owned()),
        ]
    );
    let dropped: Vec<_> = out.dropped.iter().map(|d| d.what.as_str()).collect();
    assert_eq!(
        dropped,
        ["2026-01-01 — Port taken", "2026-02-02 — lock kept"]
    );
    assert!(
        out.dropped
            .iter()
            .all(|d| d.why.contains("stands in mistakes.md already"))
    );
}

#[test]
fn filler_for_the_archive_is_named_and_archives_nothing() {
    let memory = memory(&[(MemoryFile::State, STATE)]);
    let reply = Reply::Bodies(BodiesReply {
        archive_entries: vec![ArchivedText {
            source: "state.md".into(),
            content: "Lorem ipsum, long enough to make up for anything. ".repeat(40),
        }],
        ..bodies("- Something new entirely.")
    });
    let out = built(&reply, &memory, &digest(&[]));
    assert!(out.dropped.iter().any(|d| d.why.contains("leaves no file")));
    let archived = out.changes.iter().filter(|c| c.op == Op::Archive);
    assert!(archived.clone().count() > 1);
    assert!(
        archived
            .clone()
            .all(|c| c.reason.as_deref() == Some(LEFT_OUT))
    );
}

#[test]
fn what_a_body_leaves_out_is_named_and_what_the_curator_never_saw_stays() {
    let memory = memory(&[(MemoryFile::State, STATE)]);
    let mut entries = known(&memory);
    entries[2].sealed = false;
    let reply = Reply::Bodies(BodiesReply {
        archive_entries: vec![ArchivedText {
            source: "state".into(),
            content: "- The admin page is on.".into(),
        }],
        ..bodies("- Something new entirely.")
    });
    let out = build(
        &reply,
        &memory,
        &entries,
        &digest(&[]),
        &Budgets::default(),
        &[],
    );
    let reasons: Vec<_> = out.changes.iter().map(|c| c.reason.as_deref()).collect();
    assert_eq!(reasons, [Some(LEFT_OUT), Some(COPY_DIFFERS), None]);
}
