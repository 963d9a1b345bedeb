//! A label of its own beside a password: `PW …`, `(pw …)`, `pwd(…)`, `password for staging: …`,
//! `… is the password`.

use super::super::super::lexicon::Lexicon;
use super::super::super::value;
use super::super::operator::spaces;
use super::judge::{self, Strength};
use super::labels::Meaning;
use super::pair::ends_line;
use super::separators::{Sign, is_word, sign};
use super::{Label, labels, line_before, word};
use std::ops::Range;
use std::sync::LazyLock;

/// How far a line is looked at before a label, in bytes.
const BEFORE: usize = 100;

/// The shortest key of a program, in bytes.
const KEY: usize = 15;

/// What stands before a label on its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Context {
    /// A sentence, code, anything.
    Any,
    /// Nothing but a list's mark, or a word that tells one password from another.
    Begins,
    /// Whose login it is, or a bracket that holds the label and its value.
    Login,
}

/// The password that a label of its own names.
pub(super) fn find(text: &[u8], label: &Label) -> Option<(Range<usize>, Strength)> {
    if label.meaning == Meaning::Login {
        return None;
    }
    let before = line_before(text, label.range.start, BEFORE);
    let another = text.get(label.range.clone()) == Some(b"new one");
    if another && !says_secret(text, label.range.start) {
        return None;
    }
    said_after(text, label, before).or_else(|| {
        let owned = past_owner(text, label.range.end);
        let (set, value) = owned.or_else(|| sign(text, label.range.end))?;
        let found = word(text, value, b"");
        if !judge::LENGTHS.contains(&found.len()) {
            return None;
        }
        let context = match owned {
            Some(_) => context(before).max(Context::Begins),
            None if another => Context::Begins,
            None => context(before),
        };
        let here = Here {
            text,
            label,
            context,
            set,
        };
        // Where not even the strongest word would be one, no word is looked at.
        if !here.fits(&found, Strength::Random) {
            return None;
        }
        let strength = judge::strength(text.get(found.clone())?)?;
        // What is less than sure is not looked for elsewhere.
        let sure = set == Sign::Plain && context >= Context::Begins;
        let told = match strength {
            Strength::Random if !sure => Strength::Chosen,
            strength => strength,
        };
        here.fits(&found, strength).then_some((found, told))
    })
}

/// Whether what stands before speaks of a password: `the old password is gone, the new one is …`.
fn says_secret(text: &[u8], at: usize) -> bool {
    const SAYS: [&[u8]; 7] = [
        b"assword",
        b"assphrase",
        b"passcode",
        b"pw ",
        b"token",
        b"api key",
        b"secret",
    ];
    let head = text.get(at.saturating_sub(160)..at).unwrap_or(&[]);
    SAYS.iter()
        .any(|says| memchr::memmem::find(head, says).is_some())
}

/// A label with its surroundings.
struct Here<'t> {
    text: &'t [u8],
    label: &'t Label,
    context: Context,
    set: Sign,
}

impl Here<'_> {
    fn fits(&self, found: &Range<usize>, strength: Strength) -> bool {
        let bytes = self.text.get(found.clone()).unwrap_or(&[]);
        // `user ada, password …, database x`
        let listed = self.set == Sign::Blank
            && self.text.get(found.end..).is_some_and(|rest| {
                rest.starts_with(b", ") && self.label.meaning == Meaning::Password
            });
        let ends = listed || ends_line(self.text, found.end);
        let random = strength != Strength::Chosen;
        if self.set == Sign::Blank && is_setting(bytes) {
            return false;
        }
        if self.label.meaning == Meaning::Secret {
            let listed = self.set == Sign::Dash && strength == Strength::Random;
            return self.context >= Context::Begins && ends && (is_key(bytes) || listed);
        }
        let label = self.text.get(self.label.range.clone()).unwrap_or(&[]);
        // `pass` is a verb, and what a test says.
        let verb = label.eq_ignore_ascii_case(b"pass");
        // `PASS: case12`
        if label == b"PASS" && self.context < Context::Login {
            return false;
        }
        let code = label.iter().any(|b| matches!(b, b'_' | b'.'));
        let closes = matches!(self.text.get(found.end), Some(b')' | b']'));
        match (self.set, self.context) {
            (Sign::Plain, Context::Login | Context::Begins) => !verb || ends,
            (Sign::Plain, Context::Any) => !verb && !code && ends && random,
            (Sign::Bracket, Context::Login) => closes,
            (Sign::Bracket, Context::Begins) => {
                closes && ends && !verb && !code && (random || value::digits(bytes) >= 2)
            }
            (Sign::Bracket, Context::Any) => false,
            (Sign::Dash, Context::Login) => ends || random,
            (Sign::Dash, Context::Begins) => {
                let spaced = self.text.get(self.label.range.end) == Some(&b' ');
                ends && !code && !verb && (random || spaced)
            }
            (Sign::Blank, Context::Login) => random || ends && !verb,
            (Sign::Blank, Context::Begins) => ends && (random || !verb && bytes.len() >= 7),
            (Sign::Dash | Sign::Blank, Context::Any) => false,
        }
    }
}

/// `id=…` behind a label: another name, which has its own value.
fn is_setting(bytes: &[u8]) -> bool {
    let name = bytes
        .iter()
        .take_while(|b| b.is_ascii_lowercase() || **b == b'_');
    let name = name.count();
    let value = bytes.get(name + 1).is_some_and(u8::is_ascii_alphanumeric);
    name >= 2 && bytes.get(name) == Some(&b'=') && value
}

/// A key of a program: long, and no words.
fn is_key(bytes: &[u8]) -> bool {
    let hex = bytes.len() >= 32 && value::is_hex(bytes);
    bytes.len() >= KEY
        && (hex || value::is_certainly_random_token(bytes) || value::classes(bytes) == 3)
        && value::is_secret(bytes)
}

fn context(before: &[u8]) -> Context {
    let opened = matches!(before.last(), Some(b'(' | b'['));
    if labels::tells_login(before) {
        return Context::Login;
    }
    let head = last_clause(before).trim_ascii_start();
    let words = head.split(|b| !b.is_ascii_alphabetic() && b.is_ascii());
    let mut words = words.filter(|w| !w.is_empty());
    let tells = |word: &[u8]| is_adjective(word) || !word.is_ascii();
    let adjective = words.next().is_none_or(tells) && words.next().is_none_or(tells);
    let joins = WITH.iter().any(|w| before.ends_with(w));
    let marks = head
        .iter()
        .all(|b| b.is_ascii_alphanumeric() || b" -*>#.)(|+_/".contains(b) || !b.is_ascii());
    let begins = adjective && words.next().is_none() && marks;
    match (opened, begins) {
        (true, _) if before.len() > 1 => Context::Login,
        (_, true) => Context::Begins,
        _ if joins => Context::Begins,
        _ => Context::Any,
    }
}

/// What follows the last mark of a sentence: `can you log in? `, `user ada, `.
fn last_clause(before: &[u8]) -> &[u8] {
    let ends = |w: &[u8]| matches!(w, [b'?' | b'!' | b',' | b';', b' ']);
    let at = before.windows(2).rposition(ends);
    at.map_or(before, |at| before.get(at + 2..).unwrap_or(&[]))
}

/// What stands before `password …` when the password itself comes next.
const WITH: [&[u8]; 6] = [b"with ", b"using ", b"mit ", b"con ", b"avec ", b"com "];

/// What tells one password from another.
fn is_adjective(word: &[u8]) -> bool {
    ADJECTIVES.has(word)
}

static ADJECTIVES: LazyLock<Lexicon> = LazyLock::new(|| {
    Lexicon::of(&[
        "default",
        "initial",
        "new",
        "old",
        "my",
        "our",
        "your",
        "the",
        "root",
        "admin",
        "db",
        "database",
        "wifi",
        "wi",
        "fi",
        "temp",
        "temporary",
        "current",
        "test",
        "staging",
        "prod",
        "sudo",
        "ssh",
        "vpn",
        "ftp",
        "user",
        "login",
        "access",
        "api",
        "client",
        "mot",
        "de",
    ])
});

/// Past whose password it is, up to a sign: ` for staging:`, ` of harry is`, `(default:`.
fn past_owner(text: &[u8], from: usize) -> Option<(Sign, usize)> {
    const OF: [&str; 19] = [
        " for ", " of ", " in ", " on ", " at ", " für ", " von ", " auf ", " de ", " del ",
        " para ", " pour ", " di ", " do ", " van ", " от ", " для ", " к ", " till ",
    ];
    let rest = text.get(from..).unwrap_or(&[]);
    let bracket = matches!(rest.first(), Some(b'(' | b','));
    if let Some(sort) = bracket.then(|| rest.get(1..)).flatten() {
        let word = sort
            .iter()
            .take(12)
            .take_while(|b| b.is_ascii_alphabetic())
            .count();
        let known = sort.get(..word).is_some_and(is_adjective);
        if known && sort.get(word) == Some(&b':') {
            return Some((Sign::Plain, spaces(text, from + word + 2, 2)));
        }
    }
    let of = OF.iter().find(|o| rest.starts_with(o.as_bytes()))?;
    let owner = from + of.len();
    let line = text.get(owner..).unwrap_or(&[]);
    let line = line.get(..48).unwrap_or(line);
    for (at, byte) in line.iter().enumerate() {
        let found = match byte {
            b':' if at > 1 => Some(spaces(text, owner + at + 1, 4)),
            b' ' if at > 1 => is_word(line.get(at + 1..).unwrap_or(&[]))
                .map(|len| spaces(text, owner + at + 1 + len, 4)),
            b if b.is_ascii_alphanumeric() || b"_-.@'".contains(b) || !b.is_ascii() => None,
            _ => break,
        };
        if let Some(value) = found {
            let quote = matches!(text.get(value), Some(b'`' | b'"' | b'\''));
            return Some((Sign::Plain, value + usize::from(quote)));
        }
    }
    None
}

/// `password harry/…`: the second of two, after a blank.
pub(super) fn slashed(text: &[u8], label: &Label) -> Option<(Range<usize>, Strength)> {
    let spaced = matches!(text.get(label.range.end), Some(b' ' | b'\t'));
    if label.meaning != Meaning::Password || !spaced {
        return None;
    }
    let (_, value) = sign(text, label.range.end).filter(|(set, _)| *set == Sign::Blank)?;
    let found = word(text, value, b"");
    let bytes = text.get(found.clone())?;
    let at = bytes.iter().position(|b| *b == b'/')?;
    let user = bytes.get(..at)?;
    let plain = (2..=24).contains(&user.len()) && user.iter().all(u8::is_ascii_alphanumeric);
    let second = found.start + at + 1..found.end;
    let begins = || context(line_before(text, label.range.start, BEFORE)) >= Context::Begins;
    let random = || {
        let word = text.get(second.clone()).unwrap_or(&[]);
        judge::strength(word) == Some(Strength::Random)
    };
    let fits = plain && ends_line(text, second.end) && begins() && random();
    fits.then_some((second, Strength::Random))
}

/// `… is the password`
fn said_after(text: &[u8], label: &Label, before: &[u8]) -> Option<(Range<usize>, Strength)> {
    const SAID: [&[u8]; 6] = [
        b" is the ",
        b" is my ",
        b" is your ",
        b" is our ",
        b" is the new ",
        b" is the default ",
    ];
    let after = text.get(label.range.end..).unwrap_or(&[]);
    let goes_on =
        after.starts_with(b" ") && !after.starts_with(b" for ") && !after.starts_with(b" to ");
    if goes_on {
        return None;
    }
    if label.meaning != Meaning::Password {
        return None;
    }
    let head = SAID.iter().find_map(|s| before.strip_suffix(*s))?;
    let quote = |b: &u8| matches!(b, b'`' | b'"' | b'\'');
    let marks = head.iter().rev().take_while(|b| quote(b)).count();
    let head = head.get(..head.len() - marks)?;
    let len = head
        .iter()
        .rev()
        .take_while(|b| !b.is_ascii_whitespace() && !quote(b))
        .count();
    let end = label.range.start - (before.len() - head.len());
    let found = end - len..end;
    let strength = judge::strength(text.get(found.clone())?)?;
    Some((found, strength))
}
