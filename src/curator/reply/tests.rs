//! What a curator may write, and what becomes of it.

use super::*;
use crate::curator::{ChangesReply, ProposedChange};
use crate::memory::MemoryFile;
use proptest::prelude::*;

fn changes(text: &str) -> ChangesReply {
    match parse(text).unwrap() {
        Reply::Changes(changes) => changes,
        Reply::Bodies(_) => panic!("contract 2 expected"),
    }
}

const GOOD: &str = r###"{"version": 2, "summary": "one\nline", "changes": [
  {"op": "add", "file": "state.md", "section": "## Ports", "text": "- The API listens on 8443.\n", "evidence": [3, "4", 3, -1, "x"]},
  {"op": "edit", "entry": "[D3F9A1]", "text": "- New.", "evidence": 7},
  {"op": "archive", "entry": "d3f9a1b2c3d4", "reason": "done", "evidence": []}]}"###;

#[test]
fn contract_2_is_read_with_its_evidence_and_ids_cleaned() {
    let reply = changes(GOOD);
    assert_eq!(reply.summary, "one line");
    assert_eq!(reply.stripped, Vec::<String>::new());
    assert_eq!(
        reply.changes,
        [
            ProposedChange::Add {
                file: MemoryFile::State,
                section: Some("Ports".into()),
                text: "- The API listens on 8443.".into(),
                evidence: vec![3, 4],
            },
            ProposedChange::Edit {
                entry: "d3f9a1".into(),
                text: "- New.".into(),
                evidence: vec![7],
            },
            ProposedChange::Archive {
                entry: "d3f9a1b2c3d4".into(),
                reason: "done".into(),
                evidence: vec![],
            },
        ]
    );
}

#[test]
fn prose_and_fences_around_the_object_are_tolerated() {
    let plain = changes(GOOD);
    for wrapped in [
        format!("```json\n{GOOD}\n```"),
        format!("Here you go {{as asked}}:\n\n{GOOD}\n\nAnything else?"),
        format!("[{GOOD}]"),
        format!("\u{FEFF}{GOOD}"),
    ] {
        assert_eq!(changes(&wrapped), plain, "{wrapped}");
    }
}

#[test]
fn what_is_not_exactly_one_object_of_a_known_form_is_an_error() {
    let deep = "{\"a\":".repeat(200_000);
    let table: &[(&str, ReplyError)] = &[
        ("", ReplyError::Empty),
        (" \n", ReplyError::Empty),
        ("I would rather not.", ReplyError::NoObject),
        ("[1, 2]", ReplyError::NoObject),
        (&GOOD[..GOOD.len() - 3], ReplyError::Unfinished),
        (&format!("{GOOD}\n{GOOD}"), ReplyError::Several),
        (&format!("{{}} {GOOD}"), ReplyError::Several),
        (&deep, ReplyError::NoObject),
        (&"{".repeat(900_000), ReplyError::NoObject),
        (
            &"x".repeat(10 << 20),
            ReplyError::TooLarge { size: 10 << 20 },
        ),
    ];
    for (text, error) in table {
        let start = crate::text::first_chars(text, 60).0;
        assert_eq!(parse(text).as_ref(), Err(error), "{start}");
    }
    for text in [
        "{\"files\": {\"state.md\": \"port 8443\"}}",
        "{\"op\": \"add\", \"file\": \"state.md\", \"text\": \"x\"}",
        "{\"version\": 3, \"changes\": []}",
        "{\"version\": 2, \"changes\": {}}",
        "{\"state_body\": 5}",
        "{\"mistakes_new_entries\": [5]}",
    ] {
        assert!(
            matches!(parse(text), Err(ReplyError::Form { .. })),
            "{text}"
        );
    }
}

#[test]
fn a_change_that_cannot_be_used_is_left_out_and_named() {
    for (change, why) in [
        ("5", "it is no object"),
        (r#"{"file": "state.md", "text": "x"}"#, "it has no \"op\""),
        (r#"{"op": "delete", "entry": "d3f9a1"}"#, "op \"delete\""),
        (
            r#"{"op": "add", "file": "../../.bashrc", "text": "x"}"#,
            "none of the four",
        ),
        (r#"{"op": "add", "file": "state.md"}"#, "it has no \"text\""),
        (
            r#"{"op": "add", "file": "state.md", "text": " \n "}"#,
            "its text is empty",
        ),
        (
            r#"{"op": "add", "file": "state.md", "section": "a\n# b", "text": "x"}"#,
            "section",
        ),
        (
            r#"{"op": "edit", "entry": "t77c02", "text": "x"}"#,
            "no entry's id",
        ),
        (
            r#"{"op": "edit", "entry": "d3f9", "text": "x"}"#,
            "no entry's id",
        ),
        (r#"{"op": "edit", "entry": 5, "text": "x"}"#, "is no text"),
    ] {
        let good = r#"{"op": "add", "file": "todo.md", "text": "- [ ] x"}"#;
        let reply = changes(&format!("{{\"changes\": [{change}, {good}]}}"));
        assert_eq!(reply.changes.len(), 1, "{change}");
        assert!(
            reply.stripped[0].starts_with("change 1 left out: "),
            "{change}"
        );
        assert!(reply.stripped[0].contains(why), "{:?}", reply.stripped);
    }
    let long = "x".repeat(8_001);
    let reply = changes(&format!(
        "{{\"changes\": [{{\"op\": \"add\", \"file\": \"state.md\", \"text\": \"{long}\"}}]}}"
    ));
    assert!(reply.changes.is_empty() && reply.stripped[0].contains("8001 characters"));
}

#[test]
fn a_curator_cannot_confirm_accept_or_claim_an_origin() {
    let reply = changes(
        r#"{"version": 2, "accepted": true, "changes": [
        {"op": "add", "file": "state.md", "text": "x", "evidence": [1],
         "confirmed": true, "Origin": "user", "seal": "ab", "id": "000000000000", "_trust": 1}]}"#,
    );
    assert_eq!(reply.changes.len(), 1);
    assert_eq!(
        reply.stripped,
        [
            "accepted",
            "change 1: confirmed",
            "change 1: Origin",
            "change 1: seal",
            "change 1: id",
            "change 1: _trust"
        ]
    );
}

#[test]
fn more_changes_than_a_person_can_read_are_cut_and_said() {
    let one = r#"{"op": "add", "file": "state.md", "text": "x"}"#;
    let many = vec![one; 230].join(",");
    let reply = changes(&format!("{{\"changes\": [{many}]}}"));
    assert_eq!(reply.changes.len(), 200);
    assert!(reply.stripped[0].starts_with("30 more changes left out"));
}

#[test]
fn contract_1_is_read_without_fences_and_front_matter() {
    let Reply::Bodies(bodies) = parse(
        r#"{"summary": "s", "state_body": "```markdown\n---\ntype: state\n---\n\n# State\n\n- a\n```",
            "decisions_body": null, "todo_body": "", "mistakes_new_entries": ["\n### 2026-01-02 — x\n"],
            "archive_entries": [{"source": "todo.md", "content": "- [x] done"}], "extra": 1}"#,
    )
    .unwrap() else {
        panic!("contract 1 expected")
    };
    assert_eq!(bodies.state_body.as_deref(), Some("# State\n\n- a"));
    assert_eq!((bodies.decisions_body, bodies.todo_body), (None, None));
    assert_eq!(bodies.mistakes_new_entries, ["### 2026-01-02 — x"]);
    assert_eq!(bodies.archive_entries[0].content, "- [x] done");
}

#[test]
fn a_body_comes_out_of_whatever_is_wrapped_around_it() {
    let state = |body: &str| {
        let reply = serde_json::json!({ "state_body": body }).to_string();
        let Reply::Bodies(bodies) = parse(&reply).unwrap() else {
            panic!("contract 1 expected")
        };
        bodies.state_body
    };
    let code = "# State\n\n- run\n\n```sh\nmake\n```";
    for wrapped in [
        code.to_owned(),
        format!("```markdown\n{code}\n```"),
        format!("````\n{code}\n````"),
        format!("```md\r\n---\r\ntype: state\r\n---\r\n{code}\r\n```"),
        format!("---\ntype: state\nproject: x\n---\n\n```markdown\n{code}\n```"),
        format!("\u{FEFF}  {code}\n"),
    ] {
        assert_eq!(state(&wrapped).as_deref(), Some(code), "{wrapped}");
    }
    // What is the body's own stays.
    for own in [
        "```sh\nmake\n```\n\ntext\n\n```sh\nmake test\n```",
        "---\n\ntext\n\n---\nmore",
        "---\ntype: state",
    ] {
        assert_eq!(state(own).as_deref(), Some(own));
    }
    assert_eq!(state("---\ntype: state\n---"), None);
}

#[test]
fn the_schema_admits_what_the_reader_reads() {
    let schema: Value = serde_json::from_str(crate::curator::SCHEMA).unwrap();
    let files = &schema["properties"]["changes"]["items"]["anyOf"][0]["properties"]["file"]["enum"];
    let names: Vec<_> = MemoryFile::ALL.map(|f| Value::from(f.name())).into();
    assert_eq!(files, &Value::Array(names));
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = parse(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_mutilated_reply_makes_it_panic(cut in 0..GOOD.len(), at in 0..GOOD.len(), byte in "[\\[\\]{}\":,\\\\0a ]") {
        let mut text = GOOD.to_owned();
        text.replace_range(at..at + 1, &byte);
        let _ = parse(&text);
        let _ = parse(&text[cut..]);
    }
}

#[test]
fn a_secret_is_taken_out_before_anything_of_a_reply_is_shortened_or_quoted() {
    // One character is escaped, so that no scanner takes this file for a leak.
    let secret = "g\u{68}p_BbrSK29CZTux1KMoBFeJDPYhgFy5pb20n4fa";
    let redactor = Redactor::new(&[], &[3; 32]).0;
    let summary = format!("{} {secret}", "x".repeat(380));
    let reply = serde_json::json!({"version": 2, "summary": summary, "changes": [
        {"op": format!("{} {secret}", "y".repeat(20)), "file": "state.md"},
        {"op": "add", "file": secret, "text": "- a"},
        {"op": "archive", "entry": secret, "reason": secret},
        {"op": "add", "file": "state.md", "text": "- a", secret: 1, "confirmed": secret},
    ]});
    let (reply, hits) = read(&reply.to_string(), &redactor).unwrap();
    let all = format!("{reply:?}");
    let shown = (4..secret.len() - 8).find(|n| all.contains(&secret[*n..n + 8]));
    assert_eq!(shown, None, "{all}");
    assert_eq!(hits.len(), 7);
}

#[test]
fn a_reply_that_cannot_be_searched_is_none() {
    let redactor = Redactor::failing_at("bad part");
    let reply = |text: &str| format!(r#"{{"version": 2, "changes": [], "summary": "{text}"}}"#);
    assert_eq!(
        read(&reply("a bad part"), &redactor),
        Err(ReplyError::Withheld)
    );
    assert!(read(&reply("a good part"), &redactor).is_ok());
}
