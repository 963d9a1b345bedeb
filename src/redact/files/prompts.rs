//! A prompt in a text, and what the command behind it shows.

use super::block::Block;
use super::marks::{Form, Told};
use super::shell::{self, Simple};
use super::shown::{self, Shown};
use super::written;
use crate::redact::work;

/// What a prompt is looked for by, beside `$ `. Some of these signs are code's or a sum's as well.
pub(super) const SIGNS: [&[u8]; 28] = [
    b"az keyvault secret show",
    b"aws secretsmanager get-secret-value",
    b"aws ssm get-parameter",
    b"gcloud secrets versions access",
    b"vault kv get",
    b"op read ",
    b"\xe2\x9d\xaf ",
    b"\xe2\x9e\x9c ",
    b"~# ",
    b"/# ",
    b"/ # ",
    b"]# ",
    b"sh-5",
    b"sh-4",
    b" % ",
    b"PS C:",
    b"C:\\",
    b"<bash-input>",
    b">>> ",
    b"php > ",
    b"(gdb) ",
    b"(dlv) ",
    b"(lldb) ",
    b"(Pdb) ",
    b"ghci> ",
    b"irb(",
    b"iex(",
    b"In [",
];

/// Prompts of languages and debuggers: what stands behind one is an expression.
const EXPRESSIONS: [&[u8]; 10] = [
    b">>> ", b"php > ", b"(gdb) ", b"(dlv) ", b"(lldb) ", b"(Pdb) ", b"ghci> ", b":001> ", b")> ",
    b"]: ",
];

/// The first signs: commands of stores, known also where a line begins with them without a prompt.
/// Only the line below is their answer, as in a script their like follows.
const BARE: usize = 6;

/// What stands between a prompt and its command.
const PROMPTS: [&[u8]; 7] = [
    b"$ ",
    b"\xe2\x9d\xaf ",
    b"\xe2\x9e\x9c ",
    b"# ",
    b"% ",
    b"PS> ",
    b"> ",
];

/// What a session writes around a command of the user's.
const TAG: &[u8] = b"<bash-input>";

/// The longest prompt, in bytes.
const PROMPT: usize = 100;

/// How far the answer to a command goes at most, in lines.
const LINES: usize = 1000;

/// The longest command behind one, in bytes.
const COMMAND: usize = 4096;

/// Whether a sign at this place is of a prompt before a command that shows or writes secrets. Signs
/// are asked for in order; `done` is where the line ends that was read last, as one reading of a
/// line is enough.
pub(super) fn shows(text: &[u8], at: usize, sign: &[u8], done: &mut usize) -> bool {
    let head = text.get(at.saturating_sub(PROMPT)..at).unwrap_or(&[]);
    let start = match memchr::memrchr(b'\n', head) {
        Some(feed) => at - head.len() + feed + 1,
        // No prompt is as long.
        None if head.len() < at => return false,
        None => 0,
    };
    if at < *done {
        return false;
    }
    let before = text.get(start..at).unwrap_or(&[]).trim_ascii();
    // Most of what looks like a sign is told from one by what stands before it.
    let fits = match sign {
        b"$ " | b"\xe2\x9d\xaf " | b"\xe2\x9e\x9c " => is_prompt(before, sign),
        b" % " => is_prompt(before, b"% "),
        b"<bash-input>" => true,
        _ if sign.ends_with(b"# ") => {
            let place = text.get(start..at + sign.len() - 2).unwrap_or(&[]);
            is_prompt(place.trim_ascii(), b"# ")
        }
        _ if sign.starts_with(b"sh-") => before.is_empty() || before == b"ba",
        _ => before.is_empty(),
    };
    if !fits || work::is_spent() {
        return false;
    }
    let rest = text.get(start..).unwrap_or(&[]);
    let rest = rest.get(..PROMPT + COMMAND).unwrap_or(rest);
    let line = memchr::memchr(b'\n', rest).map_or(rest, |end| rest.get(..end).unwrap_or(rest));
    *done = start + line.len();
    told(line).is_some_and(|(told, commands)| {
        told.kind.is_some()
            || told.searches
            || !written::values_of(told.command, &commands).is_empty()
    })
}

/// The first sign of a prompt, and where it begins. All of them end with a blank, but for the tag.
fn first_sign(head: &[u8]) -> Option<(usize, &'static [u8])> {
    let ended = |at: usize| {
        let sign = head.get(..=at)?;
        // Most blanks stand between words.
        if !ends_sign(*sign.get(at.checked_sub(1)?)?) {
            return None;
        }
        let all = EXPRESSIONS.iter().chain(&PROMPTS).copied();
        let longest = all
            .filter(|s| sign.ends_with(s))
            .max_by_key(|sign| sign.len())?;
        Some((at + 1 - longest.len(), longest))
    };
    let blank = memchr::memchr_iter(b' ', head).find_map(ended);
    let mut tags = memchr::memchr_iter(b'<', head);
    let tag = tags.find(|at| head.get(*at..).is_some_and(|rest| rest.starts_with(TAG)));
    let tag = tag.map(|at| (at, TAG));
    blank.into_iter().chain(tag).min_by_key(|(at, _)| *at)
}

/// Whether a prompt may end with this byte and a blank.
fn ends_sign(byte: u8) -> bool {
    matches!(byte, b'$' | b'#' | b'%' | b'>' | b')' | b':' | 0xaf | 0x9c)
}

/// A prompt and the command behind it.
pub(super) fn prompt(line: &[u8]) -> Option<Told<'_>> {
    told(line).map(|(told, _)| told)
}

/// A prompt and the command behind it, also read as a shell does.
fn told(line: &[u8]) -> Option<(Told<'_>, Vec<Simple>)> {
    let head = line.get(..PROMPT).unwrap_or(line);
    let bare = SIGNS.iter().take(BARE).any(|sign| line.starts_with(sign));
    let (at, sign) = match bare {
        true => (0, &b""[..]),
        false => first_sign(head)?,
    };
    let before = line.get(..at)?.trim_ascii();
    let command = line.get(at + sign.len()..)?;
    if !is_prompt(before, sign) {
        return None;
    }
    let command = command
        .split(|b| *b == b'<')
        .next()
        .filter(|_| sign.starts_with(b"<"))
        .unwrap_or(command);
    // `➜  dir git:(main) cat .env`
    let command = match sign {
        b"\xe2\x9e\x9c " => {
            let rest = command.trim_ascii_start();
            let dir = rest.iter().position(|b| *b == b' ').map_or(0, |n| n + 1);
            let rest = rest.get(dir..)?.trim_ascii_start();
            let git = rest.strip_prefix(b"git:(").and_then(|r| {
                let end = r.iter().position(|b| *b == b')')?;
                Some(r.get(end + 1..)?.trim_ascii_start())
            });
            let rest = git.unwrap_or(rest);
            rest.strip_prefix(b"\xe2\x9c\x97").unwrap_or(rest)
        }
        _ => command,
    };
    let command = command.get(..COMMAND).unwrap_or(command);
    work::spend(command.len());
    let code = EXPRESSIONS.contains(&sign);
    let all = shell::read(command);
    let text = std::str::from_utf8(command).ok();
    let shown = text.and_then(|text| match code {
        true => shown::evaluated(text),
        false => shown::shown_by(&all),
    });
    let sole = shown.is_none_or(|shown| shown.sole);
    let told = Told {
        form: Form::Answer { sole },
        kind: shown.map(|Shown { kind, .. }| kind),
        command,
        lines: if code || bare { 2 } else { LINES },
        block: Block::default(),
        searches: !code && text.is_some() && shown::finds_by(&all),
    };
    Some((told, all))
}

/// Whether what stands before the sign is a prompt: nothing, a place, a user and a machine.
fn is_prompt(before: &[u8], sign: &[u8]) -> bool {
    let gutter = before
        .iter()
        .all(|b| b.is_ascii_digit() || matches!(b, b' ' | b'>' | b'|' | b'\t') || !b.is_ascii());
    let ends = matches!(before.last(), Some(b'~' | b']' | b')' | b'/' | b':'));
    let user = before.contains(&b'@') && before.split(|b| *b == b' ').count() <= 4;
    let shell = before.starts_with(b"bash-") || before.starts_with(b"sh-");
    match sign {
        b"# " => user || shell || matches!(before, [b'/' | b'~', ..]) && !before.contains(&b' '),
        b"% " => user,
        b"> " => {
            before.starts_with(b"PS ")
                || matches!(before, [_, b':', b'\\', ..]) && !before.contains(&b' ')
        }
        b"PS> " => before.is_empty(),
        b")> " | b":001> " => before.starts_with(b"irb(") || before.starts_with(b"iex("),
        b"]: " => before.starts_with(b"In ["),
        _ if EXPRESSIONS.contains(&sign) => before.is_empty(),
        _ => gutter || user || shell || ends && before.len() <= 60,
    }
}
