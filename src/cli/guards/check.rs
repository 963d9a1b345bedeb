//! `memd guards --check`: what the guardrails say of texts in files, and of how many.
//!
//! Reads what it is given and keeps nothing. Never asks the database.

use crate::cli::{Context, Failure, out, redact::random_key};
use crate::fs;
use crate::guard::{Alone, CONTENT, alone};
use crate::memory::{Document, MemoryFile, title};
use crate::proposal::{Level, Verdict};
use crate::redact::Redactor;
use crate::text::{count, visible_line};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A file may have so many bytes.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// So many files are read.
const MAX_FILES: usize = 10_000;

/// Folders are entered so far down.
const MAX_DEPTH: usize = 8;

/// One guardrail's word on one text.
#[derive(Debug, Serialize)]
struct Flag {
    path: String,
    /// The text's number in its file, from 1.
    n: usize,
    title: String,
    #[serde(flatten)]
    verdict: Verdict,
}

#[derive(Debug, Default, Serialize)]
struct Report {
    files: usize,
    texts: usize,
    /// Texts that a guardrail has a word on.
    flagged: usize,
    /// Texts flagged for what they say.
    content: usize,
    /// Texts by guardrail.
    guards: BTreeMap<String, usize>,
    flags: Vec<Flag>,
}

/// Looks through markdown files and curators' replies (JSON), and all of them in a folder.
pub(super) fn run(paths: &[PathBuf], json: bool) -> Result<(), Failure> {
    let context = Context::load()?;
    let patterns = context.config.settings.redact_extra_patterns;
    let (redactor, problems) = Redactor::new(&patterns, &random_key()?);
    for problem in problems {
        out::problem(&problem.to_string());
    }
    let mut report = Report::default();
    for path in files(paths)? {
        let text = fs::read_text(&path, MAX_BYTES).map_err(Failure::known)?;
        report.file(&path, &texts(&path, &text)?, &redactor);
    }
    if json {
        out::json(&report);
    } else {
        lines(&report).iter().for_each(|line| out::line(line));
    }
    Ok(())
}

impl Report {
    fn file(&mut self, path: &Path, texts: &[Alone], redactor: &Redactor) {
        self.files += 1;
        for (text, n) in texts.iter().zip(1..) {
            let said = alone(text, &|t| redactor.check(t));
            let said: Vec<_> = said.into_iter().filter(|v| v.level > Level::Pass).collect();
            self.texts += 1;
            self.flagged += usize::from(!said.is_empty());
            let is_content = |v: &Verdict| CONTENT.contains(&v.guard.as_str());
            self.content += usize::from(said.iter().any(is_content));
            let mut guards: Vec<&str> = said.iter().map(|v| v.guard.as_str()).collect();
            guards.dedup();
            for guard in guards {
                *self.guards.entry(guard.to_owned()).or_default() += 1;
            }
            self.flags.extend(said.into_iter().map(|verdict| Flag {
                path: path.display().to_string(),
                n,
                title: title(&text.text),
                verdict,
            }));
        }
    }
}

fn lines(report: &Report) -> Vec<String> {
    let Report { texts, content, .. } = *report;
    let word = |level| match level {
        Level::Block => "blocked",
        _ => "flagged",
    };
    let mut lines: Vec<String> = (report.flags.iter())
        .map(|f| {
            let (guard, reason) = (&f.verdict.guard, &f.verdict.reason);
            let level = word(f.verdict.level);
            format!(
                "{} #{} \"{}\": {level}: {guard}: {reason}",
                f.path,
                f.n,
                visible_line(&f.title)
            )
        })
        .collect();
    let width = report.guards.keys().map(String::len).max().unwrap_or(0);
    let guards = report.guards.iter();
    lines.extend(guards.map(|(guard, n)| format!("  {guard:<width$}  {n}")));
    lines.push(format!(
        "{} in {}: {content} flagged for what they say, {:.1} %; {} in all",
        count(texts, "text", "texts"),
        count(report.files, "file", "files"),
        100.0 * content as f64 / texts.max(1) as f64,
        report.flagged
    ));
    lines.push(
        "not asked, as it needs the session: evidence, hosts and packages that are new, tool output".to_owned(),
    );
    lines
}

/// The files that are meant: each that is named, and of a folder those that can be read as texts.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            folder(path, MAX_DEPTH, &mut found)?;
        } else {
            found.push(path.clone());
        }
    }
    if found.is_empty() {
        return Err(Failure::known(
            "no markdown file and no reply (.json) there",
        ));
    }
    Ok(found)
}

fn folder(dir: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let read = || -> std::io::Result<Vec<_>> { std::fs::read_dir(dir)?.collect() };
    let mut items = read().map_err(|e| Failure::known(format!("{}: {e}", dir.display())))?;
    items.sort_by_key(std::fs::DirEntry::file_name);
    for item in items {
        let (path, kind) = (item.path(), item.file_type());
        let is = |wanted: fn(&std::fs::FileType) -> bool| kind.as_ref().is_ok_and(wanted);
        let is_text = path.extension().is_some_and(|e| e == "md" || e == "json");
        if is(std::fs::FileType::is_file) && is_text {
            found.push(path);
        } else if is(std::fs::FileType::is_dir) && depth > 0 {
            folder(&path, depth - 1, found)?;
        }
        if found.len() > MAX_FILES {
            return Err(Failure::known(format!(
                "more than {MAX_FILES} files; name fewer"
            )));
        }
    }
    Ok(())
}

/// The entries of a markdown file, or what a reply would bring.
fn texts(path: &Path, text: &str) -> Result<Vec<Alone>, Failure> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if path.extension().is_some_and(|e| e == "json") {
        let reply: Value = serde_json::from_str(text)
            .map_err(|e| Failure::known(format!("{}: {e}", path.display())))?;
        return Ok(of_reply(&reply));
    }
    Ok(entries(
        MemoryFile::from_name(&name).unwrap_or(MemoryFile::State),
        text,
    ))
}

fn entries(file: MemoryFile, text: &str) -> Vec<Alone> {
    let doc = Document::parse(file, text);
    doc.entries().iter().map(Alone::from).collect()
}

/// The changes of a reply; of one with whole bodies, their entries.
fn of_reply(reply: &Value) -> Vec<Alone> {
    let of = |change: &Value| {
        let name = change["file"].as_str().unwrap_or_default();
        Some(Alone {
            file: MemoryFile::from_name(name).unwrap_or(MemoryFile::State),
            section: change["section"].as_str().unwrap_or_default().to_owned(),
            text: change["text"].as_str()?.to_owned(),
        })
    };
    let mut found: Vec<Alone> = (reply["changes"].as_array().into_iter().flatten())
        .filter_map(of)
        .collect();
    for file in MemoryFile::ALL {
        let key = file.name().replace(".md", "_body");
        let body = reply[key.as_str()].as_str();
        found.extend(body.into_iter().flat_map(|body| entries(file, body)));
    }
    found
}
