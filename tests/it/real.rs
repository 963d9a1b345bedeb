//! The real Claude CLI, its model scripted and on loopback: hooks in, a session, its end, a proposal, a
//! yes, and the next session is given it; with the same CLI as the curator.
//!
//! Opt-in: `MEMD_REAL_CLAUDE` names the CLI's binary (it is no dependency of the project), and
//! `MEMD_SHARED` the folder that holds the model's server.

use crate::attacks::scene::Scene;
use crate::support::shared;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// How the model answers: the curator by its tool, sessions by a word.
fn rules() -> Value {
    let change = json!({"op": "add", "file": "state.md", "text": "- The API listens on port 8443.", "evidence": [1]});
    let reply = json!({"version": 2, "summary": "a port", "changes": [change]});
    json!([
        {"match": r"\[1\] U:", "tool": "StructuredOutput", "input": reply},
        {"match": "8443", "reply": "Noted: the API listens on port 8443."},
    ])
}

struct Real {
    scene: Scene,
    claude: PathBuf,
    port: u16,
    server: Child,
}

impl Drop for Real {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Real {
    /// A project with hooks in place; nothing where the real thing is not asked for.
    fn new() -> Option<Self> {
        let claude = PathBuf::from(std::env::var_os("MEMD_REAL_CLAUDE")?);
        let tool = shared()?.join("tools/mock_messages_api.py");
        let scene = Scene::bare("app");
        let home = scene.home.path();
        let config = json!({"claude_bin": claude, "quiet_seconds": 0});
        std::fs::write(scene.home.config(), config.to_string()).unwrap();
        std::fs::write(home.join("rules.json"), rules().to_string()).unwrap();
        let port = {
            let free = TcpListener::bind("127.0.0.1:0").unwrap();
            free.local_addr().unwrap().port()
        };
        let server = Command::new("python3")
            .arg(tool)
            .arg(port.to_string())
            .args([home.join("rules.json"), home.join("requests.jsonl")])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            std::thread::yield_now();
        }
        let real = Self {
            scene,
            claude,
            port,
            server,
        };
        real.memd(&["init"]);
        real.memd(&["install-hooks", "--yes"]);
        Some(real)
    }

    fn env(&self) -> Vec<(&'static str, OsString)> {
        let mut env = self.scene.home.env().to_vec();
        let at = format!("http://127.0.0.1:{}", self.port);
        env.push(("ANTHROPIC_BASE_URL", at.into()));
        env.push(("ANTHROPIC_API_KEY", "any".into()));
        for off in [
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
            "DISABLE_TELEMETRY",
            "DISABLE_AUTOUPDATER",
            "DISABLE_ERROR_REPORTING",
        ] {
            env.push((off, "1".into()));
        }
        env
    }

    /// memd, in the environment that its hooks have.
    fn memd(&self, args: &[&str]) -> String {
        let mut command = self.scene.home.memd(&self.scene.root);
        let run = command.envs(self.env()).args(args).assert().success();
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    }

    /// One session, to its end.
    fn session(&self, prompt: &str) {
        assert_cmd::Command::new(&self.claude)
            .args(["-p", "--model", "haiku", prompt])
            .env_clear()
            .envs(self.env())
            .current_dir(&self.scene.root)
            .timeout(Duration::from_secs(120))
            .assert()
            .success();
    }

    /// What its hooks left is done: by the worker they started, or, where the CLI killed them with it,
    /// by the next one.
    fn settle(&self) {
        let jobs = self.scene.home.state().join("jobs");
        let is_left = || std::fs::read_dir(&jobs).is_ok_and(|mut items| items.next().is_some());
        assert!(jobs.is_dir(), "no hook has left anything");
        while is_left() {
            self.memd(&["work", "--here"]);
        }
    }

    /// What the model was asked, each with its last message.
    fn requests(&self) -> Vec<(Value, String)> {
        let log = self.scene.file("requests.jsonl");
        let bodies = log
            .lines()
            .map(|l| serde_json::from_str::<Value>(l).unwrap()["body"].take());
        let last = |body: Value| {
            let last = body["messages"].as_array().and_then(|m| m.last()).cloned();
            (body, last.unwrap_or_default().to_string())
        };
        bodies.map(last).collect()
    }

    /// Every session file.
    fn sessions(&self) -> usize {
        let projects = self.scene.home.path().join(".claude/projects");
        let folders = std::fs::read_dir(projects)
            .unwrap()
            .map(|d| d.unwrap().path());
        let files = folders.flat_map(|dir| std::fs::read_dir(dir).unwrap());
        files
            .filter(|f| {
                f.as_ref()
                    .unwrap()
                    .path()
                    .extension()
                    .is_some_and(|e| e == "jsonl")
            })
            .count()
    }
}

#[test]
fn a_session_is_distilled_at_its_end_and_the_next_one_is_given_what_was_accepted() {
    let Some(real) = Real::new() else { return };
    real.session("The API listens on port 8443. Please note it.");
    real.settle();
    let asked = |real: &Real| {
        let all = real.requests().into_iter();
        all.filter(|(_, last)| last.contains("[1] U:")).count()
    };
    assert_eq!(asked(&real), 1, "one call of the curator");
    assert_eq!(real.sessions(), 1, "the curator keeps no session");
    let (_, store, project) = real.scene.open();
    let queue = store
        .queue(Some(&project.id), jiff::Timestamp::now())
        .unwrap();
    assert_eq!(queue.len(), 1);
    drop(store);
    let log = std::fs::read_to_string(real.scene.home.state().join("memd.log")).unwrap();
    assert!(!log.contains("WARN"), "{log}");

    real.scene.review(&["a"]);
    let before = real.requests().len();
    real.session("Good morning.");
    let next = real.requests().split_off(before);
    let given = next.iter().any(|(body, _)| {
        let body = body.to_string();
        body.contains("memd-brief") && body.contains("| - The API listens on port 8443.")
    });
    assert!(given, "the next session's request holds the brief");
    real.settle();
    // The second session's one thing is asked about once; nothing goes round.
    assert_eq!(asked(&real), 2);
    assert_eq!(real.sessions(), 2);
    assert!(
        real.memd(&["doctor"])
            .contains("Claude Code calls this memd")
    );
}
