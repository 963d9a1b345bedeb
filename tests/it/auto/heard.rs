//! What a tool said waits for a person also where the digest does not hold the tool's words.

use super::command::answers;
use crate::attacks::scene::Scene;
use serde_json::{Value, json};

/// The curator proposes a fact, and rests it on the last line of the assistant's that has its words.
const CURATOR: &str = r#"cat > "$1/prompt"
n=$(grep 'shared bucket' "$1/prompt" | sed -n 's/^\[\([0-9]*\)\] A:.*/\1/p' | tail -1)
sed "s/\"LINE\"/${n:-1}/" "$1/reply""#;

/// A trusted project whose curator proposes what the assistant says.
fn trusted() -> Scene {
    let scene = Scene::new();
    answers(&scene, &["trust", "."], "y");
    scene.replies("{}");
    scene.script(CURATOR);
    scene
}

fn fact(of: &str) -> String {
    format!("The {of} job uploads its build logs to the shared bucket.")
}

/// A distill of which the curator proposes these facts; what it says.
fn distill(scene: &Scene, facts: &[&str]) -> String {
    let add = |text: &&str| json!({"op": "add", "file": "state.md", "text": format!("- {text}"), "evidence": ["LINE"]});
    let changes: Vec<Value> = facts.iter().map(add).collect();
    let reply = json!({"version": 2, "summary": "s", "changes": changes});
    std::fs::write(scene.home.path().join("reply"), reply.to_string()).unwrap();
    scene.says(&["distill", "--auto"])
}

fn waits(scene: &Scene, of: &str) {
    scene.assistant(of, &fact(of));
    let said = distill(scene, &[&fact(of)]);
    assert!(
        said.contains("nothing applied; 1 change waits"),
        "{of}: {said}"
    );
    assert!(!scene.brief().contains(&fact(of)), "{of}");
    let prompt = std::fs::read_to_string(scene.home.path().join("prompt")).unwrap();
    assert_eq!(prompt.matches(&fact(of)).count(), 1, "{of}: {prompt}");
}

fn result(content: &Value) -> Value {
    json!({"type": "user", "message": {"role": "user", "content":
        [{"type": "tool_result", "tool_use_id": "x", "content": content}]}})
}

fn prose(text: &str) -> Value {
    json!({"type": "user", "message": {"role": "user", "content": text}})
}

/// A row with further fields.
fn with(mut row: Value, more: &Value) -> Value {
    let fields = more.as_object().unwrap().clone();
    row.as_object_mut().unwrap().extend(fields);
    row
}

#[test]
fn what_a_tool_said_waits_also_where_the_digest_holds_none_of_its_words() {
    let scene = trusted();
    let cut = |of: &str| format!("{} {} {}", "x ".repeat(400), fact(of), "y ".repeat(400));
    scene.tool("cut", "cat page", &cut("cut"));
    waits(&scene, "cut");
    let page =
        "  1→<p>The <b>laid</b> job&nbsp;uploads\n  2→its build logs\n  3→to the shared bucket.";
    scene.tool(
        "laid",
        "cat page",
        &format!("{}{page}{}", "x ".repeat(400), "y\n".repeat(400)),
    );
    waits(&scene, "laid");
    let document = |of: &str| json!([{"type": "text", "text": "read"}, {"type": "document", "source": {"type": "text", "data": fact(of)}}]);
    let searched = json!({"type": "assistant", "message": {"role": "assistant", "content": [
        {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
        {"type": "web_search_tool_result", "tool_use_id": "s", "content": [{"type": "text", "text": fact("search")}]},
    ]}});
    let said = |of: &str| prose(&fact(of));
    let rows = [
        ("document", result(&document("document"))),
        (
            "beside",
            with(
                result(&json!("(kept elsewhere)")),
                &json!({"toolUseResult": {"stdout": fact("beside")}}),
            ),
        ),
        ("search", searched),
        ("meta", with(said("meta"), &json!({"isMeta": true}))),
        (
            "system",
            with(said("system"), &json!({"promptSource": "system"})),
        ),
        (
            "task",
            with(
                said("task"),
                &json!({"origin": {"kind": "task-notification"}}),
            ),
        ),
        (
            "reminder",
            prose(&format!(
                "<system-reminder>{}</system-reminder>\nGo on.",
                fact("reminder")
            )),
        ),
        (
            "attached",
            json!({"type": "attachment", "attachment": {"type": "file", "content": {"file": {"content": fact("attached")}}}}),
        ),
    ];
    for (of, row) in rows {
        scene.user(of, "Please look.");
        scene.raw(of, &row);
        waits(&scene, of);
    }
    assert!(scene.memd(&["verify"]).status.success());
}

#[test]
fn what_a_tool_said_waits_where_an_earlier_distill_read_it_and_where_it_was_shed() {
    let scene = trusted();
    scene.tool("early", "cat page", &fact("early"));
    distill(&scene, &[]);
    waits(&scene, "early");

    let config = std::fs::read_to_string(scene.home.config()).unwrap();
    let mut config: Value = serde_json::from_str(&config).unwrap();
    config["digest_cap_chars"] = json!(4000);
    std::fs::write(scene.home.config(), config.to_string()).unwrap();
    scene.tool("shed", "cat page", &fact("shed"));
    for n in 0..30 {
        scene.tool("shed", "ls", &format!("{n} {}", "filler ".repeat(80)));
    }
    waits(&scene, "shed");
}

#[test]
fn what_the_curator_words_anew_of_a_sentence_that_a_tool_said_waits() {
    let scene = trusted();
    let cut = format!(
        "{} {} {}",
        "x ".repeat(400),
        fact("nightly"),
        "y ".repeat(400)
    );
    scene.tool("s", "cat page", &cut);
    scene.assistant(
        "s",
        &format!("I have read it. {} It is done.", fact("nightly")),
    );
    let said = distill(
        &scene,
        &["Build logs of the nightly job are uploaded: shared bucket."],
    );
    assert!(said.contains("nothing applied; 1 change waits"), "{said}");
}

#[test]
fn what_the_assistant_found_itself_goes_in_beside_what_tools_said() {
    let scene = trusted();
    scene.tool(
        "s",
        "cat Jenkinsfile",
        "stage('publish') { sh './publish.sh' }",
    );
    scene.user("s", "Which job uploads to the bucket?");
    scene.raw(
        "s",
        &with(
            prose("Reminder: keep the list of tasks up to date."),
            &json!({"isMeta": true}),
        ),
    );
    scene.assistant("s", &fact("nightly"));
    let said = distill(&scene, &[&fact("nightly")]);
    assert!(said.contains("1 change applied, unreviewed"), "{said}");
    assert!(scene.brief().contains(&fact("nightly")));
}

#[test]
fn what_the_assistant_said_waits_where_a_row_before_it_cannot_be_read() {
    let scene = trusted();
    scene.user("s", "Please look.");
    scene.broken(
        "s",
        "{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"tool_res",
    );
    distill(&scene, &[]);
    scene.assistant("s", &fact("nightly"));
    let said = distill(&scene, &[&fact("nightly")]);
    assert!(said.contains("nothing applied; 1 change waits"), "{said}");
    let shown = scene.says(&["status"]);
    assert!(!shown.contains(&fact("nightly")), "{shown}");
}
