//! The sweep as a timer of the user's own system: systemd user units, a launchd agent.
//!
//! The templates are the files in contrib/. Writes unit files and takes its own away; starts nothing,
//! and touches no file that somebody else wrote.

use crate::fs::{self, FsError};
use std::path::{Path, PathBuf};

/// What every file begins with that memd wrote.
const MARK: &str = "Written by `memd install-timer`";
/// At most this many bytes of a file that is there are read.
const LIMIT: u64 = 1 << 20;

const SERVICE: &str = include_str!("../../contrib/systemd/memd-sweep.service");
const TIMER: &str = include_str!("../../contrib/systemd/memd-sweep.timer");
const PLIST: &str = include_str!("../../contrib/launchd/dev.memd.sweep.plist");

/// Why a timer is not installed or removed. Nothing was changed then.
#[derive(Debug, thiserror::Error)]
pub enum TimerError {
    /// A file of that name is somebody else's.
    #[error("{0:?} is there and memd did not write it; move it away and try again")]
    Foreign(PathBuf),
    /// A path or value that a unit file cannot hold.
    #[error("{0:?} holds a line feed or is not UTF-8, which no unit file can hold")]
    NotText(PathBuf),
    /// A file cannot be read or written.
    #[error(transparent)]
    Fs(#[from] FsError),
}

/// One file of a timer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Where it goes.
    pub path: PathBuf,
    /// What stands in it.
    pub text: String,
}

/// How it stands with a unit's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnitState {
    /// There is none.
    Missing,
    /// It is as it would be written.
    Same,
    /// memd wrote it, and would write it otherwise now.
    Ours,
    /// Somebody else wrote it.
    Foreign,
}

/// A timer that starts `memd sweep`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timer {
    /// Its files.
    pub units: Vec<Unit>,
    /// What a person runs to start it.
    pub start: String,
    /// What a person runs to stop it.
    pub stop: String,
}

impl Timer {
    /// systemd user units below the user's configuration folder. `memd` is the binary's absolute path,
    /// `environment` what it is to find in its environment.
    ///
    /// # Errors
    /// [`TimerError::NotText`].
    pub fn systemd(
        config: &Path,
        memd: &Path,
        environment: &[(String, String)],
    ) -> Result<Self, TimerError> {
        let dir = config.join("systemd/user");
        let lines = environment
            .iter()
            .map(|(name, value)| {
                let pair = PathBuf::from(format!("{name}={value}"));
                Ok(format!("Environment={}", quoted(text(&pair)?, false)))
            })
            .collect::<Result<Vec<_>, TimerError>>()?;
        let service = SERVICE
            .replace("@ENVIRONMENT@", &lines.join("\n"))
            .replace("@MEMD@", &quoted(text(memd)?, true));
        let unit = |name: &str, text: String| Unit {
            path: dir.join(name),
            text,
        };
        Ok(Self {
            units: vec![
                unit("memd-sweep.service", service),
                unit("memd-sweep.timer", TIMER.to_owned()),
            ],
            start:
                "systemctl --user daemon-reload && systemctl --user enable --now memd-sweep.timer"
                    .to_owned(),
            stop: "systemctl --user disable --now memd-sweep.timer".to_owned(),
        })
    }

    /// A launchd agent in the user's home.
    ///
    /// # Errors
    /// [`TimerError::NotText`].
    pub fn launchd(
        home: &Path,
        memd: &Path,
        environment: &[(String, String)],
    ) -> Result<Self, TimerError> {
        let path = home.join("Library/LaunchAgents/dev.memd.sweep.plist");
        let pairs = environment.iter().map(|(name, value)| {
            let (name, value) = (xml(name), xml(value));
            format!("\t\t<key>{name}</key>\n\t\t<string>{value}</string>")
        });
        let pairs: Vec<String> = pairs.collect();
        let plist = PLIST
            .replace("@ENVIRONMENT@", &pairs.join("\n"))
            .replace("@MEMD@", &xml(text(memd)?));
        let shown = shell_words::quote(text(&path)?).into_owned();
        Ok(Self {
            units: vec![Unit { path, text: plist }],
            start: format!("launchctl bootstrap gui/$(id -u) {shown}"),
            stop: "launchctl bootout gui/$(id -u)/dev.memd.sweep".to_owned(),
        })
    }

    /// How it stands with each file.
    ///
    /// # Errors
    /// When one is there and cannot be read.
    pub fn states(&self) -> Result<Vec<UnitState>, TimerError> {
        self.units.iter().map(Unit::state).collect()
    }

    /// Writes what is missing or older.
    ///
    /// # Errors
    /// When a file is somebody else's, or cannot be written.
    pub fn install(&self) -> Result<(), TimerError> {
        let states = self.states()?;
        self.refuse_foreign(&states)?;
        for (unit, state) in self.units.iter().zip(states) {
            if state == UnitState::Same {
                continue;
            }
            if let Some(dir) = unit.path.parent() {
                std::fs::create_dir_all(dir).map_err(FsError::io("create", dir))?;
            }
            fs::write_atomic(&unit.path, unit.text.as_bytes(), 0o644)?;
        }
        Ok(())
    }

    /// Takes its own files away; gives the paths of those that were there.
    ///
    /// # Errors
    /// When a file is somebody else's, or cannot be removed.
    pub fn remove(&self) -> Result<Vec<&Path>, TimerError> {
        let states = self.states()?;
        self.refuse_foreign(&states)?;
        let there = self.units.iter().zip(states);
        let there = there.filter(|(_, state)| *state != UnitState::Missing);
        there
            .map(|(unit, _)| {
                std::fs::remove_file(&unit.path).map_err(FsError::io("remove", &unit.path))?;
                Ok(unit.path.as_path())
            })
            .collect()
    }

    fn refuse_foreign(&self, states: &[UnitState]) -> Result<(), TimerError> {
        let foreign = self.units.iter().zip(states);
        match foreign.into_iter().find(|(_, s)| **s == UnitState::Foreign) {
            Some((unit, _)) => Err(TimerError::Foreign(unit.path.clone())),
            None => Ok(()),
        }
    }
}

impl Unit {
    fn state(&self) -> Result<UnitState, TimerError> {
        Ok(match fs::read_plain(&self.path, LIMIT) {
            Ok(there) if there == self.text.as_bytes() => UnitState::Same,
            Ok(there) => {
                let there = String::from_utf8_lossy(&there);
                match there.lines().take(3).any(|line| line.contains(MARK)) {
                    true => UnitState::Ours,
                    false => UnitState::Foreign,
                }
            }
            Err(e) if e.is_missing() => UnitState::Missing,
            // Such as a link to a unit that is kept elsewhere.
            Err(FsError::NotAFile { .. } | FsError::TooLarge { .. }) => UnitState::Foreign,
            Err(e) => return Err(e.into()),
        })
    }
}

/// A path as text that stays on its line.
fn text(path: &Path) -> Result<&str, TimerError> {
    let text = path.to_str().filter(|t| !t.contains(char::is_control));
    text.ok_or_else(|| TimerError::NotText(path.to_owned()))
}

/// A word of a unit file. Specifiers are doubled; variables only in a command, where alone they count.
fn quoted(word: &str, is_command: bool) -> String {
    let mut out = String::from('"');
    for c in word.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '%' => out.push_str("%%"),
            '$' if is_command => out.push_str("$$"),
            c => out.push(c),
        }
    }
    out + "\""
}

fn xml(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env() -> Vec<(String, String)> {
        vec![("PATH".to_owned(), "/usr/bin:/a b/$x%".to_owned())]
    }

    #[test]
    fn the_units_name_the_binary_whatever_it_is_called() {
        let memd = Path::new("/opt/a b/$memd %\"<&");
        let units = Timer::systemd(Path::new("/c"), memd, &env()).unwrap().units;
        let service = &units[0].text;
        assert!(service.contains("\nExecStart=\"/opt/a b/$$memd %%\\\"<&\" sweep --quiet\n"));
        assert!(
            service.contains("\nEnvironment=\"PATH=/usr/bin:/a b/$x%%\"\n"),
            "{service}"
        );
        assert_eq!(units[1].path, Path::new("/c/systemd/user/memd-sweep.timer"));
        let agent = Timer::launchd(Path::new("/h"), memd, &env()).unwrap();
        let plist = &agent.units[0].text;
        assert!(
            plist.contains("<string>/opt/a b/$memd %\"&lt;&amp;</string>"),
            "{plist}"
        );
        for unit in units.iter().chain(&agent.units) {
            assert!(!unit.text.contains('@'), "{}", unit.text);
            assert!(unit.text.lines().take(3).any(|l| l.contains(MARK)));
        }
        let odd = Path::new("/a\nExecStart=/bin/evil");
        assert!(matches!(
            Timer::systemd(Path::new("/c"), odd, &[]),
            Err(TimerError::NotText(_))
        ));
    }

    #[test]
    fn only_its_own_files_are_written_over_or_taken_away() {
        let dir = tempfile::tempdir().unwrap();
        let timer = Timer::systemd(dir.path(), Path::new("/memd"), &[]).unwrap();
        timer.install().unwrap();
        assert_eq!(timer.states().unwrap(), [UnitState::Same; 2]);
        let moved = Timer::systemd(dir.path(), Path::new("/new/memd"), &[]).unwrap();
        assert_eq!(moved.states().unwrap(), [UnitState::Ours, UnitState::Same]);
        moved.install().unwrap();
        assert_eq!(moved.remove().unwrap().len(), 2);
        assert_eq!(moved.remove().unwrap().len(), 0);
        timer.install().unwrap();
        std::fs::write(&timer.units[1].path, "[Timer]\nOnCalendar=daily\n").unwrap();
        assert!(matches!(timer.install(), Err(TimerError::Foreign(_))));
        assert!(matches!(timer.remove(), Err(TimerError::Foreign(_))));
        assert!(timer.units[0].path.exists(), "nothing was changed");
    }
}
