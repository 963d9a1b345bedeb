//! A value in a sentence: `the password is …`, `das Passwort lautet …`, `with password …`,
//! `password for bob: …`, `the giphy key …`.

mod back;

pub(super) use back::before_name;

use super::super::lines;
use super::super::odds;
use super::super::phrase;
use super::near;
use super::operator::{Operator, spaces};
use std::ops::Range;

/// Verbs and what goes with them, in small letters.
const VERBS: [&str; 43] = [
    "übrigens",
    "jetzt",
    "aktuell",
    "momentan",
    "nun",
    "weiterhin",
    "heißt",
    "is",
    "isn't",
    "not",
    "enter",
    "type",
    "are",
    "was",
    "has",
    "been",
    "set",
    "to",
    "now",
    "changed",
    "reset",
    "will",
    "be",
    "should",
    "equals",
    "simply",
    "just",
    "still",
    "currently",
    "ist",
    "war",
    "lautet",
    "sind",
    "es",
    "era",
    "est",
    "sera",
    "é",
    "è",
    "er",
    "jest",
    "это",
    "является",
];
/// What says that a value follows, in a writing without spaces.
const MARKS: [&str; 8] = ["是", "为", "為", "は", "：", "は「", "가", "는"];
/// What changes a password to the one that is named next.
const CHANGES: [&[u8]; 8] = [
    b"chang", b"set", b"reset", b"updat", b"rotat", b"switch", b"renam", b"edit",
];
/// What stands before `password …` when the password itself comes next.
const WITH: [&[u8]; 17] = [
    b"with", b"using", b"and", b"mit", b"und", b"con", b"com", b"avec", b"use", b"the", b"als",
    b"dem", b"das", b"le", b"la", b"il", b"el",
];

/// What tells one password from another, before its name: `rotate the old db password …`.
const TELLS: [&[u8]; 12] = [
    b"old",
    b"current",
    b"leaked",
    b"exposed",
    b"compromised",
    b"temporary",
    b"temp",
    b"hardcoded",
    b"initial",
    b"previous",
    b"former",
    b"shared",
];

/// Of these, what may stand before a name of two words as well.
const WITH_NAME: [&[u8]; 6] = [b"with", b"using", b"mit", b"con", b"com", b"avec"];

/// `login NAME password …`, `machine HOST password …`: a line of `.netrc`, or of its kind.
pub(super) fn follows_login(before: &[u8]) -> bool {
    let mut words = before.rsplit(u8::is_ascii_whitespace);
    let mut words = words.by_ref().filter(|w| !w.is_empty());
    let (user, named) = (words.next().unwrap_or(&[]), words.next().unwrap_or(&[]));
    let joins = WITH.iter().any(|w| w.eq_ignore_ascii_case(user));
    let names = [b"login".as_slice(), b"machine", b"account", b"username"];
    // `the login is x and the password …` is a sentence.
    !joins && names.contains(&named) && !matches!(user, b"is" | b"or")
}

/// `the login page's password is …`: a sentence, whatever stands before the name.
pub(super) fn has_verb(text: &[u8], name: &Range<usize>, at: usize) -> bool {
    after_verb(text, name, at).is_some()
}

/// `machine HOST login NAME password …`, on one line or on several.
pub(super) fn follows_machine(text: &[u8], name: &Range<usize>) -> bool {
    let before = text.get(name.start.saturating_sub(160)..name.start);
    let mut words = before
        .unwrap_or(&[])
        .rsplit(u8::is_ascii_whitespace)
        .filter(|w| !w.is_empty());
    let (login, host) = (words.nth(1), words.nth(1));
    login == Some(b"login") && host == Some(b"machine")
}

/// Where the value begins that a sentence names. `at` is after the name and one space.
pub(super) fn find(text: &[u8], name: &Range<usize>, at: usize) -> Option<(Operator, usize)> {
    let said = after_verb(text, name, at);
    // `password is generated for root: …`
    let verb = said.is_some_and(|at| text.get(at..).is_some_and(begins_clause));
    said.filter(|_| !verb)
        .or_else(|| after_owner(text, name, at))
        .or(said)
        .map(|value| (Operator::Is, value))
        .or_else(|| beside(text, name, at))
}

/// After a mark that needs no space.
pub(super) fn after_mark(text: &[u8], at: usize) -> Option<(Operator, usize)> {
    let rest = text.get(at..)?;
    if rest.first()?.is_ascii() {
        return None;
    }
    let mark = MARKS.iter().find(|m| rest.starts_with(m.as_bytes()))?;
    Some((Operator::Is, spaces(text, at + mark.len(), 4)))
}

/// After `is`, `was set to`, `has been changed to:` and their like.
fn after_verb(text: &[u8], name: &Range<usize>, from: usize) -> Option<usize> {
    // `pass` is a verb itself.
    let verb = text.get(name.clone())?.eq_ignore_ascii_case(b"pass");
    if verb && !is_noun(text, name, from)
        || text.get(from..)?.starts_with(b"to ") && !is_changed(text, name)
    {
        return None;
    }
    // `auf … geändert`
    let rest = text.get(from..)?;
    if let Some(clause) = rest.strip_prefix(b"auf ") {
        let clause = clause.get(..80).unwrap_or(clause);
        let clause = clause.split(|b| *b == b'\n').next()?;
        let set = [
            &b" ge\xc3\xa4ndert"[..],
            b" geaendert",
            b" gesetzt",
            b" zur\xc3\xbcck",
        ];
        if set
            .iter()
            .any(|w| memchr::memmem::find(clause, w).is_some())
        {
            return Some(from + b"auf ".len());
        }
    }
    let mut at = from;
    const LEADS: [&[u8]; 3] = [b"with value ", b"with the value ", b"with a value of "];
    let rest = text.get(from..)?;
    let lead = LEADS.iter().filter(|_| rest.first() == Some(&b'w'));
    if let Some(lead) = lead.into_iter().find(|lead| rest.starts_with(lead)) {
        return Some(from + lead.len());
    }
    for _ in 0..5 {
        let rest = text.get(at..)?;
        let len = rest
            .iter()
            .take(24)
            .take_while(|b| b.is_ascii_alphabetic() || **b == b'\'' || !b.is_ascii());
        let len = len.count();
        let ends = matches!(rest.get(len), Some(b' ' | b':'));
        let word = rest.get(..len)?;
        if !ends || !VERBS.iter().any(|verb| verb.as_bytes() == word) {
            break;
        }
        let colon = usize::from(rest.get(len) == Some(&b':'));
        at = spaces(text, at + len + colon, 4);
    }
    (at > from).then_some(at)
}

/// `the smtp pass is …`, `the pass is "…"`: no verb.
fn is_noun(text: &[u8], name: &Range<usize>, from: usize) -> bool {
    const OWN: [&[u8]; 6] = [b"my", b"our", b"your", b"the", b"his", b"her"];
    const COUNTS: [&[u8]; 12] = [
        b"first", b"second", b"third", b"last", b"next", b"this", b"one", b"each", b"every",
        b"final", b"single", b"another",
    ];
    match text.get(from..) {
        Some([b'i', b's', b' ', b'`' | b'"', ..]) => true,
        Some([b'i', b's', b' ', ..]) => {
            let is_one =
                |of: &[&[u8]], word: &[u8]| of.iter().any(|w| w.eq_ignore_ascii_case(word));
            let line = before(text, name, 40).trim_ascii_end();
            let mut words = line.rsplit(|b| !b.is_ascii_alphanumeric() && *b != b'-');
            let (last, owner) = (words.next().unwrap_or(&[]), words.next().unwrap_or(&[]));
            is_one(&OWN, owner) && !is_one(&COUNTS, last) || is_one(&[b"my", b"our", b"your"], last)
        }
        _ => false,
    }
}

/// `I changed the password to …`.
pub(super) fn is_changed(text: &[u8], name: &Range<usize>) -> bool {
    changes(before(text, name, 40))
}

/// Whether words tell that something is changed.
pub(super) fn changes(clause: &[u8]) -> bool {
    let clause = clause.to_ascii_lowercase();
    CHANGES
        .iter()
        .any(|c| memchr::memmem::find(&clause, c).is_some())
}

/// `for bob: …`, `of the database = …`, up to four words; `I use there is: …`, `provided: …` where
/// the line ends with the value.
fn after_owner(text: &[u8], name: &Range<usize>, at: usize) -> Option<usize> {
    const OF: [&[u8]; 10] = [
        b"in ",
        b"at ",
        b"for ",
        b"of ",
        b"on ",
        b"f\xc3\xbcr ",
        b"von ",
        b"del ",
        b"de ",
        b"pour ",
    ];
    const CLAUSE: usize = 64;
    let rest = text.get(at..)?;
    let rest = rest.get(..CLAUSE).unwrap_or(rest);
    if !matches!(rest.first(), Some(b'a'..=b'z' | b'I')) {
        return None;
    }
    let owned = OF.iter().any(|of| rest.starts_with(of));
    // Most sentences have neither sign.
    let sign = memchr::memchr3(b':', b'=', b'\n', rest).filter(|at| rest.get(*at) != Some(&b'\n'));
    if sign.is_none() && !owned {
        return None;
    }
    let line = rest.split(|b| *b == b'\n').next()?;
    if let Some(verb) = memchr::memmem::find(line, b" is ").filter(|_| owned) {
        return Some(at + verb + 4);
    }
    let sign = sign?;
    let owner = line.get(..sign)?;
    let word = |b: &u8| {
        let comma = *b == b',' && !owned;
        b.is_ascii_alphanumeric() || b" _-@.'".contains(b) || comma || !b.is_ascii()
    };
    let blanks = owner.iter().filter(|b| **b == b' ').count();
    let glued = blanks == 1 && line.get(sign + 1).is_some_and(u8::is_ascii_alphanumeric);
    let spaced = matches!(line.get(sign + 1), Some(b' ' | b'\t'));
    let equals = line.get(sign) == Some(&b'=');
    let signed = match (equals, owned) {
        (true, _) => spaced && owner.ends_with(b" "),
        (false, true) => spaced || glued,
        (false, false) => spaced && !owner.ends_with(b" "),
    };
    if !signed || !owner.iter().all(word) || blanks > if owned { 4 } else { 9 } {
        return None;
    }
    const SAYS: [&[u8]; 5] = [b"format", b"example", b"following", b"as", b"like"];
    let last = owner.rsplit(|b| *b == b' ').find(|w| !w.is_empty());
    let other = last.is_some_and(|last| SAYS.contains(&last));
    let value = spaces(text, at + sign + 1, 8);
    (!other).then_some(())?;
    (owned || is_last(text, value) && near::names_a_secret(text, name)).then_some(value)
}

/// Whether a word of a sentence stands here, and more behind it.
fn begins_clause(rest: &[u8]) -> bool {
    let word = rest.iter().take(16).take_while(|b| b.is_ascii_lowercase());
    let len = word.count();
    len > 1 && matches!(rest.get(len..), Some([b' ', ..] | [b':', b' ', ..]))
}

/// Whether one word stands here, and then the line ends.
fn is_last(text: &[u8], at: usize) -> bool {
    let rest = text.get(at..).unwrap_or(&[]);
    let rest = rest.get(..256).unwrap_or(rest);
    let line = rest.split(|b| *b == b'\n').next().unwrap_or(rest);
    line.len() < 256 && !line.trim_ascii_end().iter().any(u8::is_ascii_whitespace)
}

/// `with password …`, `the giphy key …`: nothing but a space between.
fn beside(text: &[u8], name: &Range<usize>, at: usize) -> Option<(Operator, usize)> {
    if !may_be_secret(text, at) || is_setting(text, at) {
        return None;
    }
    let line = before(text, name, 40);
    let mut words = line.trim_ascii_end().rsplit(|b| !b.is_ascii_alphabetic());
    let is_one = |of: &[&[u8]], word: &[u8]| of.iter().any(|w| w.eq_ignore_ascii_case(word));
    // `with api key …`
    let (last, owner) = (words.next()?, words.next().unwrap_or(&[]));
    let said = is_one(&WITH, last)
        || is_one(&WITH_NAME, owner)
        || is_one(&TELLS, last)
        || is_one(&TELLS, owner);
    let operator = if said {
        Operator::With
    } else {
        Operator::Beside
    };
    // `pass` alone is a verb, but not where somebody logs in.
    let verb = text.get(name.clone())?.eq_ignore_ascii_case(b"pass");
    if verb && logs_in(line) {
        return Some((Operator::With, at));
    }
    (said || !verb).then_some((operator, at))
}

/// `log in as root, …`, `user bob / …`
fn logs_in(line: &[u8]) -> bool {
    const SAYS: [&[u8]; 7] = [
        b"log in",
        b"login",
        b"logged in",
        b"sign in",
        b"user",
        b"as root",
        b"as admin",
    ];
    let line = line.to_ascii_lowercase();
    SAYS.iter()
        .any(|w| memchr::memmem::find(&line, w).is_some())
}

/// `token id=…`: another name, which has its own value.
fn is_setting(text: &[u8], at: usize) -> bool {
    let rest = text.get(at..).unwrap_or(&[]);
    let name = rest.iter().take(24);
    let name = name
        .take_while(|b| b.is_ascii_lowercase() || **b == b'_')
        .count();
    let value = rest
        .get(name + 1)
        .is_some_and(|b| b.is_ascii_alphanumeric());
    name >= 2 && rest.get(name) == Some(&b'=') && value
}

/// A cheap look at the next word: most are words of a sentence.
fn may_be_secret(text: &[u8], at: usize) -> bool {
    let rest = text.get(at..).unwrap_or(&[]);
    let rest = rest.get(..48).unwrap_or(rest);
    let word = rest.split(u8::is_ascii_whitespace).next().unwrap_or(rest);
    let (mut len, mut telling) = (0, 0);
    for byte in word {
        len += 1;
        telling += match byte {
            b'0'..=b'9' => 2,
            b'A'..=b'Z' => usize::from(len > 1),
            b'!' | b'#' | b'$' | b'%' | b'&' | b'*' | b'+' | b'@' | b'?' => 1,
            _ => 0,
        };
    }
    let odd = || odds::of(word) >= 6.0 || word.contains(&b'-') && phrase::is_chosen(word);
    len >= 6 && (telling >= 2 || len >= 8 && odd())
}

/// What stands on the same line before a name.
fn before<'t>(text: &'t [u8], name: &Range<usize>, most: usize) -> &'t [u8] {
    let before = text.get(name.start.saturating_sub(most)..name.start);
    let before = before.unwrap_or(&[]);
    lines::last(before)
}
