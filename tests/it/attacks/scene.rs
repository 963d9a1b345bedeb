//! A project with a session, and a curator that does as the test's script says.

use crate::support::{Home, without_nonce};
use crate::terminal::Terminal;
use memd::config::{Config, Places};
use memd::curator::{Environment, Limits};
use memd::distill::{Asking, DistillError, Outcome, Request, Tools, run};
use memd::redact::Redactor;
use memd::store::{Project, Store};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::process::Output;

/// One project in a home of its own.
pub struct Scene {
    pub home: Home,
    pub root: PathBuf,
}

impl Scene {
    /// A project `app` with memory, a configured curator, and no session yet.
    pub fn new() -> Self {
        Self::named("app")
    }

    /// As [`Scene::new`], in a folder of this name.
    pub fn named(name: &str) -> Self {
        let scene = Self::bare(name);
        let init = scene.memd(&["init"]);
        assert!(init.status.success(), "{init:?}");
        scene
    }

    /// A folder without memory.
    pub fn bare(name: &str) -> Self {
        let home = Home::new();
        let root = home.folder(name);
        let script = home.path().join("curator.sh");
        let config = json!({"curator_cmd": ["sh", script, home.path()]});
        std::fs::create_dir_all(home.config().parent().unwrap()).unwrap();
        std::fs::write(home.config(), config.to_string()).unwrap();
        Self { home, root }
    }

    /// The user says something in a session.
    pub fn user(&self, session: &str, text: &str) {
        self.row(session, "user", &json!(text));
    }

    /// The assistant says something.
    pub fn assistant(&self, session: &str, text: &str) {
        self.row(
            session,
            "assistant",
            &json!([{"type": "text", "text": text}]),
        );
    }

    /// A tool is called and gives this.
    pub fn tool(&self, session: &str, command: &str, result: &str) {
        let call = json!([{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": command}}]);
        self.row(session, "assistant", &call);
        let gave = json!([{"type": "tool_result", "tool_use_id": "t1", "content": result}]);
        self.row(session, "user", &gave);
    }

    fn row(&self, session: &str, role: &str, content: &Value) {
        let message = json!({"role": role, "content": content});
        self.raw(session, &json!({"type": role, "message": message}));
    }

    /// A row of a session with these fields, beside those that every row has.
    pub fn raw(&self, session: &str, fields: &Value) {
        let mut file = self.session(session);
        let uuid = format!("{session}-{}", file.metadata().unwrap().len());
        let mut row = json!({
            "uuid": uuid, "sessionId": session, "cwd": self.root,
            "timestamp": "2026-11-29T10:00:00Z", "version": "2.0.0",
        });
        let fields = fields.as_object().unwrap().clone();
        row.as_object_mut().unwrap().extend(fields);
        writeln!(file, "{row}").unwrap();
    }

    /// A line of a session, as it is.
    pub fn broken(&self, session: &str, line: &str) {
        writeln!(self.session(session), "{line}").unwrap();
    }

    fn session(&self, session: &str) -> std::fs::File {
        let dir = self.home.folder(".claude/projects/-app");
        let path = dir.join(format!("{session}.jsonl"));
        let mut options = std::fs::File::options();
        options.create(true).append(true).open(path).unwrap()
    }

    /// What the curator does: a shell script; `$1` is the home.
    pub fn script(&self, text: &str) {
        std::fs::write(self.home.path().join("curator.sh"), text).unwrap();
    }

    /// The curator replies this, and keeps its prompt in `prompt`.
    pub fn replies(&self, text: &str) {
        std::fs::write(self.home.path().join("reply"), text).unwrap();
        self.script("cat > \"$1/prompt\"; cat \"$1/reply\"");
    }

    /// Stages what a curator proposes with these changes; the proposal as `memd show` has it.
    pub fn staged(&self, changes: &Value) -> Value {
        self.replies(&json!({"version": 2, "summary": "s", "changes": changes}).to_string());
        let out = self.memd(&["distill"]);
        assert!(out.status.success(), "{out:?}");
        self.proposal(&out)
    }

    /// The proposal that a distill's output names.
    pub fn proposal(&self, distill: &Output) -> Value {
        let said = String::from_utf8(distill.stdout.clone()).unwrap();
        let id = said.split(" as ").nth(1).unwrap().split(':').next();
        let out = self.memd(&["show", id.unwrap(), "--json"]);
        assert!(out.status.success(), "{out:?}");
        let shown: Value = serde_json::from_slice(&out.stdout).unwrap();
        shown["proposal"].clone()
    }

    /// A distill without waits between tries.
    pub fn distill(&self, limits: &Limits) -> Result<Outcome, DistillError> {
        let (places, store, project) = self.open();
        let settings = Config::load(&places).unwrap().settings;
        let trust = store.trust().unwrap();
        let redactor = Redactor::new(&[], trust.redaction_key()).0;
        let vars = self.home.env().map(|(name, value)| (name.into(), value));
        let tools = Tools {
            places: &places,
            settings: &settings,
            store: &store,
            trust: &trust,
            redactor: &redactor,
            env: &Environment::for_curator(vars),
            limits,
            asking: Asking::ATTENDED,
            now: jiff::Timestamp::now(),
            progress: &|_| {},
            sleep: &|_| {},
        };
        let request = Request {
            project: &project,
            transcript: None,
            among: None,
            trigger: "manual",
            curator: &settings.curator,
            dry_run: false,
            from_start: false,
        };
        loop {
            match run(&request, &tools) {
                // A program that another test starts holds every open file until it runs.
                Err(DistillError::Lock(_)) => std::thread::yield_now(),
                done => return done,
            }
        }
    }

    /// The database, and the project in it.
    pub fn open(&self) -> (Places, Store, Project) {
        let places = self.home.places();
        let store = Store::open(&places).unwrap();
        let project = store.project_at(&self.root).unwrap().unwrap();
        (places, store, project)
    }

    /// memd in the project.
    pub fn memd(&self, args: &[&str]) -> Output {
        self.home.memd(&self.root).args(args).output().unwrap()
    }

    /// What it prints there.
    pub fn says(&self, args: &[&str]) -> String {
        let out = self.memd(args);
        assert!(out.status.success(), "{args:?}: {out:?}");
        String::from_utf8(out.stdout).unwrap()
    }

    /// The brief.
    pub fn brief(&self) -> String {
        without_nonce(&self.says(&["brief"]))
    }

    /// memd on a terminal, without colour; with it every escape would be our own or a fault.
    pub fn terminal(&self, args: &[&str]) -> Terminal {
        Terminal::start(&self.home, &self.root, args, &[("NO_COLOR", "1")])
    }

    /// Every byte of a command on a terminal, as text.
    pub fn shown(&self, args: &[&str]) -> String {
        String::from_utf8(self.terminal(args).finish().1).unwrap()
    }

    /// Decides on a terminal: one key a prompt, then what is accepted is applied.
    pub fn review(&self, keys: &[&str]) {
        let mut terminal = self.terminal(&["review", "--plain"]);
        for key in keys {
            terminal.answer(key);
        }
        terminal.answer("w");
        terminal.wait_for("goes back: ");
        terminal.type_line("y");
        terminal.wait_for("applied ");
        terminal.kill();
    }

    /// A review of which nothing is decided: what was cut short or is owed is done at its start.
    pub fn review_nothing(&self) {
        let said = self.shown(&["review", "--plain"]);
        assert!(said.contains("nothing to review"), "{said}");
    }

    /// A file below the home, or nothing.
    pub fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.home.path().join(name)).unwrap_or_default()
    }
}

/// What the guardrails say of a proposal's `n`th change (from 0): `name level: reason`, a line each.
pub fn verdicts(proposal: &Value, n: usize) -> String {
    let change = &proposal["changes"][n];
    let said = change["verdicts"].as_array().unwrap().iter();
    let lines = said.map(|v| format!("{} {}: {}", v["guard"], v["level"], v["reason"]));
    lines.collect::<Vec<_>>().join("\n").replace('"', "")
}

/// An addition that rests on line 1.
pub fn add(file: &str, text: &str) -> Value {
    json!({"op": "add", "file": file, "text": text, "evidence": [1]})
}

/// What both streams of a command hold where neither is a terminal.
pub fn both(out: &Output) -> String {
    String::from_utf8([out.stdout.clone(), out.stderr.clone()].concat()).unwrap()
}

/// Fails where a terminal would obey, hide or turn a character.
pub fn assert_harmless(shown: &str) {
    let bad = |c: &char| c.is_control() && !matches!(c, '\r' | '\n');
    assert_eq!(shown.chars().find(bad), None, "{shown:?}");
    let lone = shown.replace("\r\n", "\n");
    assert!(!lone.contains('\r'), "{lone:?}");
    let hidden = memd::text::hidden(&lone);
    assert!(hidden.is_empty(), "{hidden:?} in {lone:?}");
}
