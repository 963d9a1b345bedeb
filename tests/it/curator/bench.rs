//! A home with a curator in it, and what it is asked.

use crate::support::Home;
use memd::config::{CuratorChoice, Places, Settings};
use memd::curator::{Answered, Call, Environment, Failure, Free, Limits, Prompt, prompt, run};
use memd::digest::{Digest, Line};
use memd::redact::{Part, Redactor};
use memd::source::{Place, Raw, Role};
use std::cell::RefCell;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

pub(super) const REPLY: &str = r#"{"version": 2, "summary": "s", "changes": [{"op": "add", "file": "state.md", "text": "- The API listens on 8443.", "evidence": [1]}]}"#;

/// A home with a curator in it, and what it is asked.
pub(super) struct Bench {
    pub home: Home,
    pub settings: Settings,
    pub places: Places,
    pub env: Environment,
    pub digest: Digest,
    pub prompt: Prompt,
    pub redactor: Redactor,
    pub limits: Limits,
    /// Progress and waits, in order.
    pub said: RefCell<Vec<String>>,
}

impl Bench {
    pub fn new() -> Self {
        let home = Home::new();
        let path = home.path();
        let vars = [
            ("PATH", std::env::var_os("PATH").unwrap_or_default()),
            ("HOME", path.clone().into_os_string()),
            ("XDG_STATE_HOME", path.join("state").into_os_string()),
            ("CLAUDECODE", "1".into()),
            ("CLAUDE_CODE_ENTRYPOINT", "cli".into()),
        ];
        let look = |name: &str| {
            vars.iter()
                .find(|(n, _)| *n == name)
                .map(|(_, v)| v.clone())
        };
        let places = Places::from_env(look).unwrap();
        let redactor = Redactor::new(&[], &[1; 32]).0;
        let digest = Digest {
            lines: vec![Line {
                n: 1,
                role: Role::User,
                text: redactor
                    .redact(&Raw::new("The API listens on 8443."), &Part::default())
                    .0,
                place: Place {
                    source: "/s".into(),
                    offset: 0,
                },
                session: "a".into(),
                at: None,
                abandoned: false,
            }],
            ..Digest::default()
        };
        let prompt = prompt::build(&[], &digest, &[], "demo", "5eedf00d", &redactor).0;
        Self {
            settings: Settings::defaults(&path),
            env: Environment::for_curator(vars.map(|(n, v)| (OsString::from(n), v))),
            limits: Limits {
                timeout: Duration::from_secs(60),
                grace: Duration::from_millis(50),
                ..Limits::default()
            },
            home,
            places,
            digest,
            prompt,
            redactor,
            said: RefCell::default(),
        }
    }

    pub fn ask(&self, choice: &CuratorChoice) -> Result<Answered, Box<Failure>> {
        let call = Call {
            choice,
            settings: &self.settings,
            places: &self.places,
            env: &self.env,
            trigger: "manual",
            prompt: &self.prompt,
            digest: &self.digest,
            entries: &[],
            limits: &self.limits,
            redactor: &self.redactor,
            account: &Free,
            wait: Duration::from_secs(60),
        };
        run(
            &call,
            &|line| self.said.borrow_mut().push(line.to_owned()),
            &|wait| {
                self.said
                    .borrow_mut()
                    .push(format!("wait {}", wait.as_secs()))
            },
        )
    }

    /// Asks a shell script as `curator_cmd`; its first argument is the home.
    pub fn script(&self, text: &str) -> Result<Answered, Box<Failure>> {
        let path = self.write("curator.sh", text);
        let home = self.home.path();
        let argv = ["sh", path.to_str().unwrap(), home.to_str().unwrap()];
        self.ask(&CuratorChoice::Command(argv.map(str::to_owned).into()))
    }

    /// Asks a shell script in the place of the Claude CLI.
    pub fn claude(&mut self, text: &str) -> Result<Answered, Box<Failure>> {
        let path = self.write(
            "fake-claude",
            &format!("#!/bin/sh\nH={:?}\n{text}", self.home.path()),
        );
        self.settings.claude_bin = path.to_string_lossy().into_owned();
        self.ask(&CuratorChoice::Claude)
    }

    /// An executable file, written by a process of its own: a file that this one has open for
    /// writing while another thread starts a program could not be executed.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.home.path().join(name);
        let mut child = Command::new("sh")
            .args(["-c", "cat > \"$0\" && chmod +x \"$0\""])
            .arg(&path)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
        assert!(child.wait().unwrap().success());
        path
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.home.path().join(name)).unwrap_or_default()
    }

    pub fn said(&self) -> String {
        self.said.borrow().join("\n")
    }

    /// The process whose number a script wrote goes (a kill is not instant), or is only waiting to
    /// be reaped by whoever inherited it.
    pub fn is_gone(&self, name: &str) -> bool {
        let pid = self.read(name).trim().to_owned();
        assert!(!pid.is_empty(), "{name} was not written");
        let alive = || {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            let state = stat.rsplit(')').next().unwrap_or_default().trim();
            !state.is_empty() && !state.starts_with('Z')
        };
        (0..100_000).any(|_| {
            std::thread::yield_now();
            !alive()
        })
    }
}
