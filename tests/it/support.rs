//! A temporary home, and the real binary run inside it.

use memd::config::Places;
use memd::redact::Redactor;
use memd::source::{Place, Raw, Role, Turn};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;

/// A home of its own for one test: nothing of the real user's is read or written.
pub struct Home {
    dir: TempDir,
    is_bound: AtomicBool,
}

/// What a root that is bound by permissions is without: a file's mode says nothing to it else.
const BOUND: [&str; 4] = [
    "--bounding-set",
    "-dac_override,-dac_read_search",
    "--inh-caps",
    "-dac_override,-dac_read_search",
];

impl Home {
    /// An empty home.
    pub fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
            is_bound: AtomicBool::new(false),
        }
    }

    /// From now on memd is bound by permissions here, also where the tests run as root.
    pub fn bind(&self) {
        self.is_bound.store(true, Ordering::Relaxed);
    }

    /// The binary, and what stands before its arguments.
    pub fn program(&self) -> (&'static str, Vec<&'static str>) {
        let binary = env!("CARGO_BIN_EXE_memd");
        let is_root = rustix::process::geteuid().is_root();
        match self.is_bound.load(Ordering::Relaxed) && is_root {
            true => ("setpriv", BOUND.into_iter().chain([binary]).collect()),
            false => (binary, Vec::new()),
        }
    }

    /// The home's path, without links.
    pub fn path(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap()
    }

    /// memd's state folder.
    pub fn state(&self) -> PathBuf {
        self.path().join("state/memd")
    }

    /// memd's config file.
    pub fn config(&self) -> PathBuf {
        self.path().join("config/memd/config.json")
    }

    /// The binary, in this home, in this directory, with nothing else of the environment.
    pub fn memd(&self, cwd: &Path) -> assert_cmd::Command {
        let (program, before) = self.program();
        let mut command = assert_cmd::Command::new(program);
        command.env_clear().envs(self.env()).current_dir(cwd);
        command.args(before);
        command
    }

    /// All of the environment that memd gets here.
    pub fn env(&self) -> [(&'static str, OsString); 5] {
        env_of(&self.path())
    }

    /// Where memd's things are here.
    pub fn places(&self) -> Places {
        places_of(&self.path())
    }

    /// A new folder below the home.
    pub fn folder(&self, name: &str) -> PathBuf {
        let path = self.path().join(name);
        std::fs::create_dir_all(&path).unwrap();
        path
    }
}

/// All of the environment that memd gets in a home.
fn env_of(home: &Path) -> [(&'static str, OsString); 5] {
    [
        ("PATH", std::env::var_os("PATH").unwrap_or_default()),
        ("HOME", home.into()),
        ("XDG_STATE_HOME", home.join("state").into()),
        ("XDG_CONFIG_HOME", home.join("config").into()),
        ("TZ", "UTC".into()),
    ]
}

/// Where memd's things are in a home.
pub fn places_of(home: &Path) -> Places {
    let env = env_of(home);
    let places = Places::from_env(|name| {
        let found = env.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.clone())
    });
    places.unwrap()
}

/// A brief whose nonce is a word: 16 random hexadecimal digits may hold any number a test looks for.
pub fn without_nonce(brief: &str) -> String {
    let begins = brief.split("memd-brief:begin ").nth(1);
    let nonce = begins.and_then(|rest| rest.get(..16));
    nonce.map_or_else(|| brief.to_owned(), |nonce| brief.replace(nonce, "nonce"))
}

/// The shared cases and sessions, where the project is developed beside them.
pub fn shared() -> Option<PathBuf> {
    std::env::var_os("MEMD_SHARED").map(PathBuf::from)
}

/// A hand-made file of tests/fixtures.
pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
}

/// A redactor with a key of its own.
pub fn redactor() -> Redactor {
    Redactor::new(&[], &[7; 32]).0
}

/// A turn of one session, the `n`th.
pub fn turn(role: Role, n: u64, text: &str) -> Turn {
    Turn {
        role,
        text: Raw::new(text),
        place: Place {
            source: "/s.jsonl".to_owned(),
            offset: n,
        },
        session: "s".to_owned(),
        id: Some(format!("id-{n}#0")),
        at: None,
        cwd: None,
        tool: None,
        abandoned: false,
    }
}
