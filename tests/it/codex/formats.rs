//! Codex's formats, old and unknown.

use super::*;

#[test]
fn the_oldest_format_is_read() {
    let world = World::new();
    let environment =
        "<environment_context>\nCurrent working directory: /home/dev/app\n</environment_context>";
    let item = |role: &str, text: &str| json!({"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]});
    let session = world.rollout(&[
        json!({"id": ID, "timestamp": "2025-05-07T17:24:21.500Z", "instructions": null, "git": {}}),
        item("user", environment),
        json!({"record_type": "state"}),
        item("user", "why does it fail?"),
        json!({"type": "reasoning", "summary": [], "encrypted_content": "x"}),
        json!({"type": "function_call", "name": "shell", "arguments": "{\"command\":[\"bash\",\"-lc\",\"make\"]}", "call_id": "c"}),
        json!({"type": "function_call_output", "call_id": "c", "output": "{\"output\":\"no rule\",\"metadata\":{\"exit_code\":2}}"}),
        item("assistant", "There is no rule."),
    ]);
    let read = world.read(&session);
    let expected = [
        "U why does it fail?",
        "T shell: make",
        "E no rule",
        "A There is no rule.",
    ];
    assert_eq!(read.lines(), expected);
    assert_eq!(session.first_dir().unwrap(), Some("/home/dev/app".into()));
    assert!(
        read.turns
            .iter()
            .all(|t| t.cwd == Some("/home/dev/app".into()))
    );
    let ours = |dir: &Path| dir == Path::new("/home/dev/app");
    assert_eq!(
        session.any_in(&mut memd::source::Rows::of(&ours)),
        Some(true)
    );
}

#[test]
fn a_rollout_that_holds_events_only_is_read_and_nothing_doubles() {
    let world = World::new();
    let talk = [
        event("user_message", json!({"message": "hello"})),
        event("agent_message", json!({"message": "hi"})),
    ];
    let only = [vec![meta(ID, json!({}))], talk.to_vec()].concat();
    assert_eq!(
        world.read(&world.rollout(&only)).lines(),
        ["U hello", "A hi"]
    );
    // In the order in which Codex writes both.
    let both = [
        meta(ID, json!({})),
        message("user", "hello"),
        talk[0].clone(),
        talk[1].clone(),
        message("assistant", "hi"),
    ];
    assert_eq!(
        world.read(&world.rollout(&both)).lines(),
        ["U hello", "A hi"]
    );
}

#[test]
fn a_format_that_memd_does_not_know_is_said_to_be_so() {
    let world = World::new();
    let path = world.put(
        &format!("sessions/2026/05/14/{NAME}"),
        text(&[row("session_head", json!({})), row("says", json!({}))]),
    );
    let session = Session::at(world.at(), &path).unwrap();
    let reading = Reading {
        project: None,
        own: &world.places,
        seen: &|_| false,
    };
    let error = session
        .read(0..session.size, &reading, &mut Vec::new())
        .unwrap_err();
    assert!(matches!(
        error,
        SourceError::UnknownFormat {
            tool: Tool::Codex,
            ..
        }
    ));
    let other = world.put("notes.bin", b"\x00\x01\x02 nobody knows this\n");
    let error = Session::at(world.at(), &other).unwrap_err();
    assert!(
        error.to_string().contains("in no format that memd knows"),
        "{error}"
    );
    let out = world
        .home
        .memd(&world.home.path())
        .args(["digest", "--transcript"])
        .arg(&other)
        .assert();
    out.failure();
}

#[test]
fn a_file_anywhere_is_told_by_its_first_rows() {
    let world = World::new();
    let rows = text(&session());
    for (name, bytes) in [("a.txt", rows.as_bytes().to_vec()), ("b.zst", pack(&rows))] {
        let path = world.home.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let session = Session::at(world.at(), &path).unwrap();
        assert_eq!(
            (session.tool, session.size),
            (Tool::Codex, rows.len() as u64)
        );
        assert_eq!(world.read(&session).turns.len(), 2);
    }
}
