//! What a command shows: the files of secrets that it prints, what it takes out of a store, the
//! environment, and what is left of them behind a pipe.

mod asked;
mod piped;

pub(super) use asked::{evaluated, is_store};

use super::shell::{self, Simple, Word};
use super::stores::{ALIASES, ENDS, FETCHED, FILLERS, LANGUAGES, PRINTERS, QUIET, RUNNERS, SHELLS};
use super::{Kind, named, setting};
use crate::redact::assignment::says_secret;
use crate::source::ToolContext;
use asked::{answered, committed, lines_of, printed, store};
use piped::passed;
use std::collections::{HashMap, HashSet};

/// How deep scripts are looked for in scripts.
const DEEPEST: usize = 4;

/// What the answer to a command is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shown {
    pub kind: Kind,
    /// Nothing else is printed by it.
    pub sole: bool,
}

/// What the answer to a command is, if it holds secrets.
pub(super) fn shown(command: &str) -> Option<Shown> {
    shown_by(&shell::read(command.as_bytes()))
}

/// What the answer to commands is, if it holds secrets.
pub(super) fn shown_by(commands: &[Simple]) -> Option<Shown> {
    let mut session = Session::default();
    let kind = session.commands(commands, 0)?;
    let sole = session.others == 0 && session.prints <= 1;
    Some(Shown { kind, sole })
}

/// Whether what is answered are lines found in many files, each after its file's name.
pub(super) fn searches(tool: &ToolContext) -> bool {
    const TOOLS: [&str; 5] = [
        "grep",
        "grep_search",
        "search_file_content",
        "ripgrep",
        "code_search",
    ];
    let name = tool.name.rsplit("__").next().unwrap_or(&tool.name);
    TOOLS.iter().any(|t| t.eq_ignore_ascii_case(name)) || tool.command.as_deref().is_some_and(finds)
}

/// Whether a command prints lines that it finds in files.
fn finds(command: &str) -> bool {
    finds_by(&shell::read(command.as_bytes()))
}

/// Whether one of these commands does.
pub(super) fn finds_by(commands: &[Simple]) -> bool {
    const PROGRAMS: [&str; 6] = ["grep", "egrep", "fgrep", "rg", "ag", "ack"];
    let program = |word: &str| PROGRAMS.contains(&word.rsplit('/').next().unwrap_or(word));
    let mut all = commands.iter();
    all.any(|simple| simple.words.iter().any(|w| program(&w.text)))
}

/// What a script has done so far.
#[derive(Default)]
struct Session {
    /// Variables that hold what a store answered.
    held: HashSet<String>,
    /// A file of secrets was read into the environment.
    filled: bool,
    /// Files that hold what a store answered, or copies of files of secrets.
    copies: HashMap<String, Kind>,
    /// A file of secrets that the script names.
    file: Option<Kind>,
    /// How many commands print secrets, and how many something else.
    prints: usize,
    others: usize,
}

impl Session {
    fn script(&mut self, script: &str, depth: usize) -> Option<Kind> {
        if depth > DEEPEST {
            return None;
        }
        self.commands(&shell::read(script.as_bytes()), depth)
    }

    fn commands(&mut self, commands: &[Simple], depth: usize) -> Option<Kind> {
        let (mut most, mut flowing) = (None, None);
        let mut piped = false;
        for simple in commands {
            let pipes = simple.pipes;
            let own = self.simple(simple, depth);
            let own = own.or_else(|| self.again(simple, piped));
            let kind = match (own, flowing.filter(|_| piped)) {
                (Some(own), _) => Some(own),
                (None, Some(kind)) => passed(&simple.texts(), kind),
                (None, None) => None,
            };
            let files = || simple.into.iter().filter(|path| !path.starts_with("/dev/"));
            if let Some(kind) = kind {
                self.copies.extend(files().map(|path| (path.clone(), kind)));
            }
            let kind = kind.filter(|_| files().next().is_none());
            // A part of an environment that a file of secrets has filled.
            let kind = match kind {
                Some(Kind::Environment) if self.filled && piped => Some(Kind::Values),
                kind => kind,
            };
            flowing = kind;
            piped = pipes;
            if !pipes {
                self.count(simple, kind);
                most = most.max(kind);
            }
        }
        most
    }

    /// Files that are found, listed or copied first, and printed then.
    fn again(&mut self, simple: &Simple, piped: bool) -> Option<Kind> {
        const COPIERS: [&str; 5] = ["cp", "mv", "ln", "install", "scp"];
        let texts = simple.texts();
        let own = texts.iter().skip(1).filter_map(|w| named::kind(w)).max();
        self.file = self.file.max(own);
        let prints = texts.iter().any(|w| PRINTERS.contains(w));
        let copied = texts
            .iter()
            .filter_map(|w| self.copies.get(*w))
            .max()
            .copied();
        if copied.is_some() && prints {
            return copied;
        }
        let first = texts.first().copied().unwrap_or("");
        if let (Some(kind), Some(to)) = (own, texts.last())
            && COPIERS.contains(&first)
        {
            self.copies.insert((*to).to_owned(), kind);
        }
        let given = texts.contains(&"{}") || piped && texts.contains(&"xargs");
        let var = texts.iter().any(|w| w.starts_with('$'));
        self.file.filter(|_| prints && (given || var))
    }

    fn count(&mut self, simple: &Simple, kind: Option<Kind>) {
        let silent = simple.words.first().is_none_or(|word| {
            QUIET.contains(&word.text.as_str()) || is_assignment(&word.text) || word.text == "echo"
        });
        self.prints += usize::from(kind.is_some());
        self.others += usize::from(kind.is_none() && !silent);
    }

    /// What a command prints by itself.
    fn simple(&mut self, simple: &Simple, depth: usize) -> Option<Kind> {
        let words = bare(&simple.words);
        self.take(&simple.words, depth);
        let read = simple
            .from
            .iter()
            .filter_map(|path| named::kind(path))
            .max();
        let first = words.first()?;
        let name = program(&first.text);
        if let Some(kind) = read.filter(|_| !ENDS.contains(&name.as_str())) {
            let texts: Vec<_> = words.iter().map(|w| w.text.as_str()).collect();
            return passed(&texts, kind);
        }
        if name == "source" || name == "." {
            self.filled |= words.iter().any(|w| named::kind(&w.text).is_some());
            return None;
        }
        self.words(words, depth)
    }

    /// Notes which variables are set to what a store answers.
    fn take(&mut self, words: &[Word], depth: usize) {
        for word in words.iter().filter(|w| is_assignment(&w.text)) {
            let name = word.text.split('=').next().unwrap_or("").to_owned();
            let mut inner = Self::default();
            let held = word.vars.iter().any(|var| self.held.contains(var));
            if held
                || word
                    .scripts
                    .iter()
                    .any(|s| inner.script(s, depth + 1).is_some())
            {
                self.held.insert(name);
            }
        }
    }

    fn words(&mut self, words: &[Word], depth: usize) -> Option<Kind> {
        let texts: Vec<&str> = words.iter().map(|w| w.text.as_str()).collect();
        let (first, rest) = texts.split_first()?;
        let name = program(first);
        if let Some(script) = script_of(&name, rest) {
            return self.script(&script, depth + 1);
        }
        if is_echo(&name) || first.starts_with('$') {
            return self.echoed(words, depth);
        }
        if let Some(when) = store(&name, rest) {
            return answered(when, rest);
        }
        let asks = |w: &&str| FETCHED.iter().any(|part| w.contains(part));
        if matches!(name.as_str(), "curl" | "wget" | "http") && rest.iter().any(asks) {
            return Some(Kind::Answer);
        }
        if LANGUAGES.contains(&name.as_str())
            && let Some(kind) = lines_of(rest)
        {
            return Some(kind);
        }
        if PRINTERS.contains(&name.as_str()) {
            return printed(&texts, &name);
        }
        if name == "git" {
            return committed(rest);
        }
        if let Some(kind) = self.environment(&name, rest) {
            return Some(kind);
        }
        if RUNNERS.contains(&name.as_str()) {
            self.filled |= FILLERS.contains(&name.as_str());
            return self.run(words, &name, depth);
        }
        None
    }

    /// What is run inside a container, on another machine, as another user.
    fn run(&mut self, words: &[Word], name: &str, depth: usize) -> Option<Kind> {
        let rest = words.get(1..)?;
        if name == "ssh" {
            let mut valued = false;
            let host = rest.iter().position(|w| {
                let is_value = std::mem::replace(&mut valued, false);
                let option = w.text.starts_with('-');
                valued = option && w.text.len() == 2 && "ipolFJLRDEbcmQSWw".contains(&w.text[1..]);
                !option && !is_value
            })?;
            let script: Vec<_> = rest
                .iter()
                .skip(host + 1)
                .map(|w| w.text.as_str())
                .collect();
            return self.script(&script.join(" "), depth + 1);
        }
        // `-C "cat .env"`, `--call '…'`: a script in a word.
        let runs = |w: &&Word| w.text.contains(' ');
        let known = |w: &Word| {
            let name = program(&w.text);
            let name = name.as_str();
            PRINTERS.contains(&name)
                || SHELLS.contains(&name)
                || LANGUAGES.contains(&name)
                || RUNNERS.contains(&name)
                || is_echo(name)
                || matches!(name, "env" | "printenv" | "git")
                || is_store(name)
        };
        let at = rest.iter().position(known);
        let inner = at.and_then(|at| rest.get(at..));
        let found = inner.and_then(|inner| self.words(inner, depth + 1));
        found.or_else(|| {
            let script = rest.iter().find(runs)?;
            self.script(&script.text, depth + 1)
        })
    }

    /// `echo $X`: the value of a variable that holds a secret, or what a script in it answers.
    fn echoed(&mut self, words: &[Word], depth: usize) -> Option<Kind> {
        let holds = |var: &String| {
            self.filled && !setting::is_label(var.as_bytes())
                || self.held.contains(var)
                || says_secret(var.as_bytes())
        };
        let percent = words
            .iter()
            .flat_map(|w| w.text.split('%').skip(1).step_by(2));
        let vars = words.iter().flat_map(|w| &w.vars);
        if vars.into_iter().any(holds) || percent.into_iter().any(|v| says_secret(v.as_bytes())) {
            return Some(Kind::Answer);
        }
        let scripts = words.iter().flat_map(|w| &w.scripts);
        let mut inner = Self::default();
        scripts.filter_map(|s| inner.script(s, depth + 1)).max()
    }

    fn environment(&mut self, name: &str, rest: &[&str]) -> Option<Kind> {
        let given: Vec<_> = rest.iter().filter(|w| !w.starts_with('-')).collect();
        let asked = match name {
            "printenv" => true,
            "env" => given.is_empty(),
            "set" | "export" | "declare" | "typeset" => rest
                .iter()
                .all(|w| matches!(*w, "-p" | "-x" | "-px" | "-xp")),
            "get-childitem" | "gci" | "ls" | "dir" | "get-item" => given
                .first()
                .is_some_and(|w| w.to_ascii_lowercase().starts_with("env:")),
            _ => rest.iter().any(|w| w.ends_with("/environ")),
        };
        let secret = |w: &&&str| {
            let var = w.rsplit(':').next().unwrap_or(w);
            says_secret(var.as_bytes()) || self.held.contains(var)
        };
        let named = asked && given.iter().any(secret);
        let filled = self.filled && asked && !given.iter().any(|w| setting::is_label(w.as_bytes()));
        let all = given.is_empty();
        match (asked, named || filled && !all) {
            (false, _) => None,
            (_, true) => Some(Kind::Answer),
            _ => Some(Kind::Environment),
        }
    }
}

fn program(word: &str) -> String {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let mut name = name.to_ascii_lowercase();
    if name.ends_with(".exe") {
        name.truncate(name.len() - ".exe".len());
    }
    let known = ALIASES.iter().find(|(alias, _)| *alias == name);
    known.map_or(name, |(_, name)| (*name).to_owned())
}

fn is_echo(name: &str) -> bool {
    matches!(
        name,
        "echo" | "printf" | "print" | "write-output" | "write-host"
    )
}

fn is_assignment(word: &str) -> bool {
    let name = word.split('=').next().unwrap_or("");
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    word.contains('=') && !name.is_empty() && name.bytes().all(plain)
}

/// A command's words behind what a shell's grammar and assignments put before them.
fn bare(words: &[Word]) -> &[Word] {
    const GRAMMAR: [&str; 10] = [
        "if", "then", "else", "elif", "do", "while", "until", "!", "{", "&",
    ];
    let skipped = words
        .iter()
        .take_while(|w| GRAMMAR.contains(&w.text.as_str()) || is_assignment(&w.text))
        .count();
    words.get(skipped..).unwrap_or(&[])
}

/// The script that a shell is given: `bash -lc '…'`, `cmd /c …`, `eval …`.
fn script_of(name: &str, rest: &[&str]) -> Option<String> {
    if !SHELLS.contains(&name) {
        return None;
    }
    if name == "eval" {
        return Some(rest.join(" "));
    }
    let runs = |w: &&str| {
        let low = w.to_ascii_lowercase();
        let short = low.starts_with('-') && !low.starts_with("--") && low.ends_with('c');
        short || matches!(low.as_str(), "/c" | "-command" | "--command")
    };
    let at = rest.iter().position(runs)?;
    let script = rest.get(at + 1..)?;
    Some(match name {
        "cmd" | "powershell" | "pwsh" => script.join(" "),
        _ => (*script.first()?).to_owned(),
    })
}
