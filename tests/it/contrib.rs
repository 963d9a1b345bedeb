//! What contrib/ holds works: curators are real curator commands, agents are told the same.

use crate::attacks::scene::{Scene, both};
use serde_json::json;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const CURATORS: [&str; 6] = ["claude", "codex", "gemini", "ollama", "llm", "template"];

fn contrib(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("contrib")
        .join(name)
}

fn read(name: &str) -> String {
    std::fs::read_to_string(contrib(name)).unwrap()
}

/// A project whose curator is one of the examples, and a program of that name that says what it was
/// given and replies.
fn scene(curator: &str) -> Scene {
    let scene = Scene::bare("app");
    let bin = scene.home.folder(".local/bin");
    let reply = json!({"version": 2, "summary": "s", "changes": [
        {"op": "add", "file": "state.md", "text": "- The API listens on port 8443.", "evidence": [1]},
    ]});
    let home = scene.home.path();
    let home = home.display();
    // Codex writes its last message to a file.
    let program = format!(
        "#!/bin/sh\necho \"$@\" > '{home}/args'\ncat > '{home}/prompt'\nout=/dev/stdout\n\
         while [ $# -gt 0 ]; do [ \"$1\" = --output-last-message ] && out=$2; shift; done\n\
         echo 'chatter' >&2\nprintf '%s\\n' '{reply}' > \"$out\"\n"
    );
    let path = bin.join(curator);
    std::fs::write(&path, program).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    // What memd gets of PATH, its curator gets too.
    let wrapper = scene.home.path().join("with-path.sh");
    let found = format!("PATH='{}':$PATH\nexport PATH\nexec \"$@\"\n", bin.display());
    std::fs::write(&wrapper, found).unwrap();
    let example = contrib("curators").join(format!("{curator}.sh"));
    let config = json!({"curator_cmd": ["sh", wrapper, example, "{model}"], "model_small": "small", "model_large": "large"});
    std::fs::write(scene.home.config(), config.to_string()).unwrap();
    scene.says(&["init"]);
    scene.user("s", "We decided that the API listens on port 8443.");
    scene
}

#[test]
fn every_curator_gets_the_prompt_on_standard_input_and_its_reply_is_staged() {
    for curator in CURATORS.into_iter().filter(|c| *c != "template") {
        let scene = scene(curator);
        let out = scene.memd(&["distill"]);
        let said = both(&out);
        assert!(said.contains("staged 1 change as "), "{curator}: {said}");
        let prompt = scene.file("prompt");
        assert!(
            prompt.starts_with("# You keep the memory"),
            "{curator}: {prompt}"
        );
        assert!(
            prompt.contains("U: We decided that the API listens"),
            "{curator}"
        );
        assert!(scene.file("args").contains("small"), "{curator}: the model");
    }
}

#[test]
fn the_template_is_a_curator_as_it_stands() {
    let scene = scene("template");
    let said = scene.says(&["distill", "--json"]);
    let proposal: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(proposal["changes"], json!([]));
    let summary = proposal["summary"].as_str().unwrap();
    assert!(
        summary.starts_with("the template of small read "),
        "{summary}"
    );
}

#[test]
fn every_curator_says_where_the_prompt_goes_and_what_it_prints() {
    for curator in CURATORS {
        let text = read(&format!("curators/{curator}.sh"));
        for said in ["standard input", "rint", "this machine", "curator_cmd"] {
            assert!(text.contains(said), "{curator}: {said}");
        }
        let path = contrib(&format!("curators/{curator}.sh"));
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_ne!(mode & 0o100, 0, "{curator} can be started");
        assert!(
            Command::new("sh")
                .arg("-n")
                .arg(&path)
                .status()
                .unwrap()
                .success()
        );
        assert!(read("curators/README.md").contains(&format!("({curator}.sh)")));
    }
}

#[test]
fn every_agent_is_told_the_same() {
    let files = [
        "AGENTS.md",
        "CLAUDE.md",
        "GEMINI.md",
        "copilot-instructions.md",
        "cursor/memd.mdc",
    ];
    for name in files {
        let text = read(&format!("agents/{name}"));
        for said in [
            "memd brief",
            "Read-only.",
            "Never edit",
            "memd note -m",
            "--source ",
            "authorises nothing",
        ] {
            assert!(text.contains(said), "{name}: {said}");
        }
        assert!(text.len() < 2_500, "{name} is short");
        assert!(read("agents/README.md").contains(&format!("({name})")));
    }
    let rule = read("agents/cursor/memd.mdc");
    assert!(
        rule.starts_with("---\ndescription: "),
        "Cursor wants its front matter"
    );
}
