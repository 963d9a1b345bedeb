//! Replies that are broken, too much, or claim what only code or a person may say.

use super::scene::{Scene, add, verdicts};
use memd::curator::{CuratorError, Limits};
use memd::distill::{DistillError, Outcome};
use memd::store::SpanState;
use serde_json::{Value, json};
use std::time::Duration;

/// One try, so that a failure is one.
fn once() -> Limits {
    Limits {
        retries: Vec::new(),
        timeout: Duration::from_secs(20),
        grace: Duration::from_millis(10),
        ..Limits::default()
    }
}

#[test]
fn reserved_keys_are_stripped_and_named_and_code_says_who_said_it() {
    let scene = Scene::new();
    scene.user("s", "What does the uploader do?");
    scene.assistant("s", "The uploader retries each part three times.");
    let mut change = add("state.md", "- The uploader retries each part three times.");
    let claims = json!({
        "evidence": [2], "confirmed": true, "origin": "user", "seal": "00", "accepted": true,
        "verdicts": [], "n": 7,
    });
    change
        .as_object_mut()
        .unwrap()
        .extend(claims.as_object().unwrap().clone());
    let reply = json!({"version": 2, "summary": "s", "changes": [change], "approved": true});
    scene.replies(&reply.to_string());
    let proposal = scene.proposal(&scene.memd(&["distill"]));
    let staged = &proposal["changes"][0];
    assert_eq!(staged["origin"], "assistant");
    assert_eq!(staged["n"], 1);
    let text = scene.says(&["show", proposal["id"].as_str().unwrap()]);
    for key in ["confirmed", "origin", "seal", "approved"] {
        assert!(text.contains(&format!("{key:?}")), "{key} in {text}");
    }
    assert!(!scene.brief().contains("three times"));
    scene.review(&["a"]);
    let (_, store, project) = scene.open();
    let trust = store.trust().unwrap();
    let records = store.records(&trust, &project.id).unwrap();
    assert_eq!(records.len(), 1);
    assert_eq!(records[0].confirmed, None);
    assert!(scene.brief().contains("three times"));
}

#[test]
fn what_cannot_be_used_of_a_reply_is_named_and_the_rest_is_staged() {
    let scene = Scene::new();
    scene.user("s", "Decision: the API listens on port 9090.");
    let proposal = scene.staged(&json!([
        add("state.md", "- The API listens on port 9090."),
        add("../../.bashrc", "- The API listens on port 9090."),
        {"op": "delete_everything"},
        {"op": "edit", "entry": "ffffffffffff", "text": "- x", "evidence": [1]},
        "no change at all",
    ]));
    assert_eq!(proposal["changes"].as_array().unwrap().len(), 1);
    let dropped = proposal["dropped"].to_string();
    for what in ["change 2", "change 3", "change 5", "ffffffffffff"] {
        assert!(dropped.contains(what), "{what} in {dropped}");
    }
}

#[test]
fn a_reply_that_is_not_exactly_one_object_within_bounds_consumes_nothing() {
    let scene = Scene::new();
    scene.user("s", "Decision: the API listens on port 9090.");
    let reply =
        json!({"version": 2, "changes": [add("state.md", "- The API listens on port 9090.")]});
    std::fs::write(scene.home.path().join("reply"), reply.to_string()).unwrap();
    let big = "head -c 10000000 /dev/zero | tr '\\0' ' '; cat \"$1/reply\"";
    let cases = [
        ("cat \"$1/reply\" \"$1/reply\"", "more than one"),
        (big, ""),
        ("exec yes '{\"version\": 2, '", "was ended"),
        ("echo 'I would rather not.'", ""),
        ("printf '{\"version\": 2, \"changes\": ['", "ends inside"),
        ("printf '\\377\\376'", "not UTF-8"),
        ("true", ""),
        ("echo '[]'", ""),
        ("echo '{\"version\": 99}'", ""),
        ("kill -SEGV $$", ""),
        ("cat \"$1/reply\"; exit 3", "exit status: 3"),
    ];
    let limits = Limits {
        max_output: 4 << 20,
        ..once()
    };
    let (_, store, project) = scene.open();
    let trust = store.trust().unwrap();
    let session = scene.home.path().join(".claude/projects/-app/s.jsonl");
    let session = session.to_string_lossy();
    for (script, why) in cases {
        scene.script(script);
        let error = scene.distill(&limits).unwrap_err();
        assert!(
            matches!(
                error,
                DistillError::Curator(_) | DistillError::Parked { .. }
            ),
            "{script}: {error}"
        );
        assert!(error.to_string().contains(why), "{script}: {error}");
        let spans = store.spans(&project.id, &session).unwrap();
        let parked = |s: &memd::store::StoredSpan| s.state == SpanState::Parked;
        assert!(spans.iter().all(parked), "{script}: {spans:?}");
        store
            .unpark(&trust, &project.id, jiff::Timestamp::now())
            .unwrap();
        assert!(
            store
                .queue(None, jiff::Timestamp::now())
                .unwrap()
                .is_empty()
        );
    }
    let prose = format!("Sure! Here it is:\n```json\n{reply}\n```\nAnything else?");
    scene.replies(&prose);
    assert!(matches!(
        scene.distill(&once()),
        Ok(Outcome::Proposed { .. })
    ));
    assert!(!scene.brief().contains("9090"));
}

#[test]
fn a_slow_curator_and_a_grandchild_that_holds_the_pipe_hold_nobody() {
    let scene = Scene::new();
    scene.user("s", "Decision: the API listens on port 9090.");
    scene.script("sleep 1000");
    let limits = Limits {
        timeout: Duration::from_millis(50),
        ..once()
    };
    let error = scene.distill(&limits).unwrap_err();
    assert!(
        matches!(error, DistillError::Curator(CuratorError::TimedOut { .. })),
        "{error}"
    );
    scene.replies(&json!({"version": 2, "changes": []}).to_string());
    scene.script("sleep 1000 & cat \"$1/reply\"");
    assert!(matches!(
        scene.distill(&once()),
        Ok(Outcome::Proposed { .. })
    ));
}

#[test]
fn material_that_always_fails_is_set_aside_alone_and_later_material_goes_on() {
    let scene = Scene::new();
    scene.user("bad", "The POISON pill: the API listens on port 9090.");
    scene.replies(&json!({"version": 2, "changes": []}).to_string());
    scene.script("cat > \"$1/prompt\"; grep -q POISON \"$1/prompt\" && exit 9; cat \"$1/reply\"");
    for _ in 0..2 {
        assert!(scene.distill(&once()).is_err());
    }
    scene.user("good", "Decision: retries are 3.");
    let error = scene.distill(&once()).unwrap_err();
    assert!(
        matches!(error, DistillError::Parked { tries: 3, .. }),
        "{error}"
    );
    let status = scene.says(&["status"]);
    assert!(
        status.contains("set aside") && status.contains("bad.jsonl"),
        "{status}"
    );
    assert!(status.contains("exit status: 9"), "{status}");
    assert!(!status.contains("good.jsonl"), "{status}");
    let out = scene.memd(&["distill"]);
    assert!(scene.file("prompt").contains("retries are 3"));
    assert!(out.status.success(), "{out:?}");
    // What is set aside is tried again when a person asks for it.
    assert!(!scene.file("prompt").contains("POISON"));
    scene.replies(&json!({"version": 2, "changes": []}).to_string());
    assert!(scene.memd(&["distill", "--retry"]).status.success());
    assert!(scene.file("prompt").contains("POISON"));
    assert!(!scene.says(&["status"]).contains("set aside"));
}

#[test]
fn of_several_sessions_only_the_one_that_fails_is_set_aside() {
    let scene = Scene::new();
    scene.user("bad", "The POISON pill: the API listens on port 9090.");
    scene.user("good", "Decision: retries are 3.");
    scene.says(&["note", "-m", "The queue is SQLite."]);
    scene.replies(&json!({"version": 2, "changes": []}).to_string());
    scene.script("cat > \"$1/prompt\"; grep -q POISON \"$1/prompt\" && exit 9; cat \"$1/reply\"");
    let failures = (0..6).filter(|_| scene.distill(&once()).is_err()).count();
    assert_eq!(failures, 3);
    let status = scene.says(&["status"]);
    assert!(status.contains("bad.jsonl"), "{status}");
    assert!(
        !status.contains("good.jsonl") && !status.contains("/inbox/"),
        "{status}"
    );
}

#[test]
fn a_note_that_always_fails_is_set_aside_too() {
    let scene = Scene::new();
    scene.says(&["note", "-m", "The POISON pill."]);
    scene.replies(&json!({"version": 2, "changes": []}).to_string());
    scene.script("cat > \"$1/prompt\"; grep -q POISON \"$1/prompt\" && exit 9; cat \"$1/reply\"");
    for _ in 0..3 {
        assert!(scene.distill(&once()).is_err());
    }
    scene.user("good", "Decision: retries are 3.");
    assert!(scene.distill(&once()).is_ok());
    assert!(scene.file("prompt").contains("retries are 3"));
    let status = scene.says(&["status"]);
    assert!(
        status.contains("set aside") && status.contains("/inbox/"),
        "{status}"
    );
}

#[test]
fn noise_sheds_noise_and_coverage_names_it() {
    let scene = Scene::new();
    scene.user(
        "s",
        "Decision: the API listens on port 9090, because 8080 is taken.",
    );
    for n in 0..400 {
        let words: Vec<String> = (0..40).map(|w| format!("noise{n}x{w}")).collect();
        scene.assistant("s", &words.join(" "));
        scene.tool("s", &format!("./run {n}"), &words.join("-"));
    }
    scene.user("s", "And retries are 3.");
    let proposal = scene.staged(&json!([]));
    let prompt = scene.file("prompt");
    assert!(prompt.contains("because 8080 is taken") && prompt.contains("retries are 3"));
    let shed = &proposal["coverage"][0]["shed"];
    assert_eq!(shed["user"], 0, "{shed}");
    assert!(shed["tool_result"].as_u64().unwrap() > 100, "{shed}");
    let id = proposal["id"].as_str().unwrap();
    assert!(scene.says(&["show", id]).contains("left out for space"));
}

#[test]
fn an_edit_of_itself_and_a_cycle_of_two_are_dropped() {
    let scene = Scene::new();
    scene.user(
        "s",
        "Decision: the API listens on port 9090. Retries are 3.",
    );
    let first = scene.staged(&json!([
        add("state.md", "- The API listens on port 9090."),
        add("state.md", "- Retries are 3."),
    ]));
    assert_eq!(verdicts(&first, 0), "");
    scene.review(&["a", "a"]);
    scene.user("s", "So port 9090 it is, and retries are 3.");
    let (_, store, project) = scene.open();
    let trust = store.trust().unwrap();
    let records = store.records(&trust, &project.id).unwrap();
    let id = |text: &str| {
        let found = records.iter().find(|r| r.text.contains(text)).unwrap();
        found.entry.as_str().to_owned()
    };
    let edit = |entry: &str, text: &str| -> Value {
        json!({"op": "edit", "entry": entry, "text": text, "evidence": [1], "supersedes": entry})
    };
    let second = scene.staged(&json!([
        edit(&id("9090"), "- The API listens on port 9090."),
        edit(&id("9090"), "- Retries are 3."),
        edit(&id("Retries"), "- The API listens on port 9090."),
    ]));
    assert_eq!(second["changes"], json!([]), "{}", second["dropped"]);
    assert!(second["dropped"].as_array().unwrap().len() >= 3);
    let brief = scene.brief();
    assert!(
        brief.contains("9090") && brief.contains("Retries are 3"),
        "{brief}"
    );
}
