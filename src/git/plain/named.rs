//! Files that a git configuration names: libgit2 opens what one includes as soon as it opens a
//! repository, and where ignored names stand once it is asked for one. Only looks whether one of
//! them would be waited for; takes no setting from any.

use crate::fs::{self, FsError};
use git2::Config;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

/// At most this many bytes of a configuration are looked through.
const LIMIT: u64 = 1 << 20;
/// At most so many files are looked into.
const MOST: usize = 64;
/// Keys whose value is a file that is opened.
const KEYS: [&str; 3] = ["path", "excludesfile", "attributesfile"];
/// A device that ends at once, and the usual word for no file.
const NOTHING: &str = "/dev/null";

/// The user's own configurations: libgit2 reads them before a repository can be given another.
pub(super) fn check_users() -> Result<(), FsError> {
    let found = [
        Config::find_global(),
        Config::find_xdg(),
        Config::find_system(),
    ];
    check(found.into_iter().flatten().collect())
}

/// These configurations, and all that they and what they include name.
pub(super) fn check(mut waiting: Vec<PathBuf>) -> Result<(), FsError> {
    let home = home();
    let mut seen = BTreeSet::new();
    while let Some(path) = waiting.pop() {
        if path == Path::new(NOTHING) || seen.len() >= MOST || !seen.insert(path.clone()) {
            continue;
        }
        fs::refuse_endless(&path)?;
        let dir = path.parent().unwrap_or(Path::new("."));
        for value in values(&text(&path)) {
            match (value.strip_prefix("~/"), &home) {
                (Some(rest), Some(home)) => waiting.push(home.join(rest)),
                (Some(_), None) => {}
                (None, _) => {
                    waiting.push(dir.join(&value));
                    waiting.push(PathBuf::from(value));
                }
            }
        }
    }
    Ok(())
}

/// The folder that `~` stands for, as far as libgit2 tells.
fn home() -> Option<PathBuf> {
    let global = Config::find_global().ok();
    let xdg = Config::find_xdg().ok();
    let of_xdg = |path: PathBuf| path.ancestors().nth(3).map(Path::to_owned);
    let global = global.and_then(|path| path.parent().map(Path::to_owned));
    global.or_else(|| xdg.and_then(of_xdg))
}

/// The beginning of a file, through links; what cannot be read names nothing.
fn text(path: &Path) -> String {
    let mut bytes = Vec::new();
    let read = fs::open_plain(path).and_then(|file| file.take(LIMIT).read_to_end(&mut bytes));
    match read {
        Ok(_) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => String::new(),
    }
}

/// The values of [`KEYS`], whatever section they stand in: one too many is looked at in vain.
fn values(config: &str) -> Vec<String> {
    let joined = config.replace("\\\r\n", "").replace("\\\n", "");
    let of_line = |line: &str| {
        let (before, value) = line.split_once('=')?;
        let key = before.rsplit(']').next().unwrap_or(before).trim();
        let is_named = KEYS.iter().any(|known| key.eq_ignore_ascii_case(known));
        is_named.then(|| unquoted(value.trim()))
    };
    joined.lines().filter_map(of_line).collect()
}

/// A value as git reads it: without quotes, escapes and the comment behind it.
fn unquoted(value: &str) -> String {
    let (mut out, mut quoted) = (String::new(), false);
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => quoted = !quoted,
            '\\' => out.extend(chars.next()),
            '#' | ';' if !quoted => break,
            c => out.push(c),
        }
    }
    match quoted || value.ends_with('"') {
        true => out,
        false => out.trim_end().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    #[test]
    fn a_pipe_that_a_configuration_names_is_refused_however_it_is_written() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let pipe = at("a pipe");
        mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR, 0).unwrap();
        std::fs::write(at("second"), "[include]\npath = a pipe # here\n").unwrap();
        std::os::unix::fs::symlink(at("second"), at("link")).unwrap();
        let whole = pipe.to_str().unwrap();
        for config in [
            format!("[include]\n\tpath = {whole}\n"),
            "[include]path=\"a pipe\"".to_owned(),
            "[INCLUDEIF \"gitdir:/\"]\r\n PATH = \"a\\\n pipe\"\r\n".to_owned(),
            format!("[core]\nexcludesFile = {whole} ; none\n"),
            format!("[core] attributesfile={whole}"),
            "[include]\npath = second\n".to_owned(),
            "[include]\npath = link\n".to_owned(),
        ] {
            std::fs::write(at("config"), &config).unwrap();
            let refused = check(vec![at("config")]).unwrap_err().to_string();
            assert!(refused.contains("is a named pipe"), "{config:?}: {refused}");
        }
        for config in [
            "[core]\nexcludesfile = /dev/null\n[include]\npath = config\npath = nowhere\n",
            "[alias]\nx = a pipe\n# [include]\n#path = a pipe\n",
        ] {
            std::fs::write(at("config"), config).unwrap();
            check(vec![at("config")]).unwrap();
        }
    }
}
