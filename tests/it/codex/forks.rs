//! Codex sessions that leave another one, and those of subagents.

use super::*;

#[test]
fn a_fork_is_read_from_where_it_leaves_its_parent() {
    let world = World::new();
    let parent = [
        session(),
        vec![
            call("c1", "make"),
            result("c1", "built"),
            message("user", "yes"),
        ],
    ]
    .concat();
    let first = world.rollout(&parent);
    let known = world.read(&first).ids();
    // The history is written again, with new times, behind a description of its own.
    let mut fork = vec![meta("fork", json!({"forked_from_id": ID}))];
    fork.extend(parent.iter().cloned().map(|mut row| {
        row["timestamp"] = json!("2026-06-01T00:00:00.000Z");
        row
    }));
    fork.push(turn("t2", "/home/dev/app"));
    fork.push(message("user", "yes"));
    let name = format!(
        "sessions/2026/06/01/rollout-2026-06-01T00-00-00-{}.jsonl",
        "fork"
    );
    let path = world.put(&name, text(&fork));
    let fork = Session::at(world.at(), &path).unwrap();
    let read = world.read_on(&fork, 0, &known);
    assert_eq!(read.lines(), ["U yes"]);
    assert_eq!(read.coverage.seen, 5);
    assert_eq!(read.coverage.sessions, ["fork"]);
}

#[test]
fn a_fork_without_turns_is_told_too_and_repeated_words_are_not() {
    let world = World::new();
    let say = |n: usize| message("user", ["first", "go on", "go on"][n]);
    let parent = vec![meta(ID, json!({})), say(0), say(1), say(2)];
    let first = world.read(&world.rollout(&parent));
    assert_eq!(first.lines(), ["U first", "U go on", "U go on"]);
    let fork = [
        vec![meta("fork", json!({}))],
        parent,
        vec![message("user", "go on")],
    ]
    .concat();
    let fork = world.rollout(&fork);
    let read = world.read_on(&fork, 0, &first.ids());
    assert_eq!(read.lines(), ["U go on"]);
}

#[test]
fn only_what_a_subagent_gave_back_is_read() {
    let world = World::new();
    let work = |id: &str, source: Value| {
        vec![
            meta(id, json!({"source": source})),
            message("user", "look into it"),
            message("assistant", "on it"),
            call("c1", "ls"),
            row(
                "response_item",
                json!({"type": "message", "role": "assistant", "phase": "final_answer",
                "content": [{"type": "output_text", "text": "it leaks"}]}),
            ),
        ]
    };
    // Started by a session that has a file of its own, with the result in it.
    let read = world.read(&world.rollout(&work(ID, json!({"subagent": {"thread_spawn": {}}}))));
    assert_eq!(read.lines(), [""; 0]);
    assert_eq!(read.coverage.skipped["row of a sub-agent"], 4);
    let arguments = json!({"message": "look into it"}).to_string();
    let parent = world.rollout(&[
        meta(ID, json!({})),
        row("response_item", json!({"type": "function_call", "name": "spawn_agent", "call_id": "c", "arguments": arguments})),
        row("response_item", json!({"type": "function_call_output", "call_id": "c", "output": "it leaks"})),
        message("user", "<subagent_notification>\n{\"status\": \"it leaks\"}\n</subagent_notification>"),
    ]);
    assert_eq!(
        world.read(&parent).lines(),
        ["T spawn_agent: look into it", "R it leaks"]
    );
    // The file is named after the session that asked, which left nothing else.
    let read = world.read(&world.rollout(&work("another", json!({"subagent": "review"}))));
    assert_eq!(read.lines(), ["R it leaks"]);
}
