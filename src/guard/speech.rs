//! A text as the words that mean something to a guardrail, with what lies between them.
//!
//! Owns where words, clauses and sentences end, and what their neighbours make of words: "is skipped"
//! is an order where "was skipped" is none. Never says what a combination means (`orders`).

use super::lexicon::*;
use std::ops::Range;

/// A word, a phrase, or an address.
#[derive(Debug, Clone)]
pub(super) struct Token {
    /// What it means; nothing for most words.
    pub means: Concepts,
    /// Where it stands in the folded text, in bytes.
    pub at: Range<usize>,
    /// Counts words, and more where a sentence ends: what is far apart is not read together.
    pub place: u32,
    /// The same, of its last word.
    pub until: u32,
    /// Counts what punctuation parts.
    pub clause: u32,
    pub sentence: u32,
    /// It is the first of its clause: a verb there is an order.
    pub is_first: bool,
}

/// A sentence's end parts as much as so many words.
const SENTENCE: u32 = 4;

/// A new line's text parts more.
const LINE: u32 = 6;

/// What a pronoun may stand for.
const NAMED: Concepts =
    SEALED | CHECK | GUARD | REVIEW | TEST | SECRET | INSIDE | RULES | DATA | PACKAGE;

/// What acts on a pronoun.
const ACTS: Concepts = OFF | SKIP | NO_NEED | WITHOUT | SEND | DESTROY | IGNORE;

/// The words of a text in the form of [`super::normal::folded`].
pub(super) fn tokens(folded: &str) -> Vec<Token> {
    let mut words = words(folded);
    join_letters(&mut words, folded);
    let mut tokens = phrases(&words);
    settle(&mut tokens);
    tokens
}

/// A word as it stands, before its meaning is known.
struct Word {
    text: String,
    at: Range<usize>,
    place: u32,
    clause: u32,
    sentence: u32,
    means: Concepts,
}

struct Splitter<'a> {
    words: Vec<Word>,
    text: &'a str,
    place: u32,
    clause: u32,
    sentence: u32,
}

fn words(text: &str) -> Vec<Word> {
    let mut out = Splitter {
        words: Vec::new(),
        text,
        place: 0,
        clause: 0,
        sentence: 0,
    };
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        out.line(line, at);
        at += line.len();
    }
    out.words
}

impl Splitter<'_> {
    fn line(&mut self, line: &str, at: usize) {
        let bare = line.trim_start_matches([' ', '\t', '>']);
        let begins_anew = bare.trim().is_empty() || bare.starts_with(['-', '*', '+', '#', '|']);
        if begins_anew {
            // What ends with a colon goes on in the list below it.
            let goes_on = self.text[..at].trim_end().ends_with(':');
            self.part(if goes_on { 0 } else { LINE });
        }
        let mut from = 0;
        for chunk in line.split_inclusive(char::is_whitespace) {
            self.chunk(chunk.trim_end(), at + from);
            from += chunk.len();
        }
    }

    fn part(&mut self, by: u32) {
        self.place += by;
        self.clause += 1;
        self.sentence += u32::from(by > 0);
    }

    /// What stands between blanks: an address, or words and marks.
    fn chunk(&mut self, chunk: &str, at: usize) {
        if chunk == "&" || chunk == "&&" {
            return;
        }
        match address(chunk) {
            Some(means) => self.push(chunk.to_owned(), at..at + chunk.len(), means),
            None => self.parts(chunk, at),
        }
        let end = chunk.trim_end_matches(['"', '\'', '`', ')', '*', '_', '»', '”']);
        if end.ends_with(['.', '!', '?', ';']) {
            self.part(SENTENCE);
        } else if end.ends_with([',', ':', '—', '–']) || chunk == "-" || chunk.starts_with('(')
        {
            self.clause += 1;
        }
    }

    fn parts(&mut self, chunk: &str, at: usize) {
        let (mut word, mut start) = (String::new(), 0);
        let mut last_hyphen = None;
        for (offset, c) in chunk.char_indices() {
            if c.is_alphanumeric() || (matches!(c, '@' | '$') && !word.is_empty()) {
                if word.is_empty() {
                    start = offset;
                }
                word.push(match c {
                    '@' => '4',
                    '$' => '5',
                    _ => c,
                });
                continue;
            }
            let is_mark = |c: char| matches!(c, '*' | '`' | '~' | '\u{b7}');
            let mut behind = chunk[offset + c.len_utf8()..].chars();
            let next = behind.find(|c| !is_mark(*c));
            let is_inside = !word.is_empty() && next.is_some_and(char::is_alphanumeric);
            // Marks that a reader does not see, or hardly.
            if is_inside && is_mark(c) {
                continue;
            }
            if matches!(c, '\'' | '’') && is_inside && chunk[offset..].trim_start_matches(c) == "t"
            {
                continue;
            }
            self.word(
                &mut word,
                at + start..at + offset,
                &mut last_hyphen,
                c == '-' && is_inside,
            );
        }
        self.word(
            &mut word,
            at + start..at + chunk.len(),
            &mut last_hyphen,
            false,
        );
    }

    /// Ends a word. One behind a hyphen is one with the word before, where that is known.
    fn word(
        &mut self,
        word: &mut String,
        at: Range<usize>,
        hyphen: &mut Option<usize>,
        is_hyphen: bool,
    ) {
        if word.is_empty() {
            *hyphen = None;
            return;
        }
        let text = std::mem::take(word).replace('ß', "ss");
        let before = hyphen.and_then(|n| self.words.get_mut(n));
        let joined = before.filter(|b| is_known(&format!("{}{text}", b.text)));
        match joined {
            Some(before) => {
                before.text.push_str(&text);
                before.at.end = at.end;
            }
            None => self.push(text, at, 0),
        }
        *hyphen = is_hyphen.then(|| self.words.len() - 1);
    }

    fn push(&mut self, text: String, at: Range<usize>, means: Concepts) {
        self.place += 1;
        self.words.push(Word {
            text,
            at,
            place: self.place,
            clause: self.clause,
            sentence: self.sentence,
            means,
        });
    }
}

/// Letters that are spelled one by one, from four on, are one word.
fn join_letters(words: &mut Vec<Word>, text: &str) {
    let is_letter =
        |w: &Word| w.means == 0 && w.text.len() == 1 && w.text.starts_with(char::is_alphabetic);
    // More than one blank between letters parts words.
    let goes_on = |a: &Word, b: &Word| {
        is_letter(a)
            && is_letter(b)
            && b.at.start - a.at.end == 1
            && text.is_char_boundary(b.at.start)
    };
    let mut out: Vec<Word> = Vec::with_capacity(words.len());
    let mut rest = std::mem::take(words).into_iter().peekable();
    while let Some(first) = rest.next() {
        let mut run = vec![first];
        while let Some(next) =
            rest.next_if(|next| run.last().is_some_and(|last| goes_on(last, next)))
        {
            run.push(next);
        }
        if run.len() < 4 {
            out.append(&mut run);
            continue;
        }
        let spelled = run.iter().map(|w| w.text.as_str()).collect();
        let end = run.last().map_or(0, |w| w.at.end);
        out.extend(run.into_iter().next().map(|first| Word {
            text: spelled,
            at: first.at.start..end,
            ..first
        }));
    }
    *words = out;
}

fn phrases(words: &[Word]) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(words.len());
    let (mut n, mut clause) = (0, None);
    while let Some(first) = words.get(n) {
        let same = words[n..]
            .iter()
            .take(6)
            .take_while(|w| w.means == 0 && w.sentence == first.sentence);
        let texts: Vec<&str> = same.map(|w| w.text.as_str()).collect();
        let (means, count) = match first.means {
            0 => phrase(&texts),
            means => (means, 1),
        };
        let last = &words[n + count - 1];
        tokens.push(Token {
            means,
            at: first.at.start..last.at.end,
            place: first.place,
            until: last.place,
            clause: first.clause,
            sentence: first.sentence,
            is_first: clause.replace(first.clause) != Some(first.clause),
        });
        n += count;
    }
    tokens
}

/// What neighbours make of a word.
fn settle(tokens: &mut [Token]) {
    let mut last = Last::default();
    for n in 0..tokens.len() {
        let means = tokens[n].means;
        let next = tokens.get(n + 1).map_or(0, |t| t.means);
        let before = n.checked_sub(1).map_or(0, |b| tokens[b].means);
        let now = tokens[n].clone();
        last.enter(&now);
        let mut add = 0;
        if means & WAS_OFF != 0 && last.is_rule(&now) {
            add |= OFF | (means & SKIP);
        }
        if means & AWAY != 0 && now.place.saturating_sub(last.turn) <= 6 && last.turn > 0 {
            add |= OFF;
        }
        if means & NEED != 0 && now.place.saturating_sub(last.never) <= 5 && last.never > 0 {
            add |= NO_NEED;
        }
        if means & PRONOUN != 0 && (before & ACTS != 0 || next & (BE | WAS_OFF) != 0) {
            add |= last.named_before;
        }
        if means & WAS_OFF != 0 && add == 0 {
            tokens[n].means &= !SKIP;
        }
        tokens[n].means |= add;
        last.note(&now);
    }
}

/// What stood before a word.
#[derive(Default)]
struct Last {
    sentence: u32,
    /// Places, zero for none.
    be: u32,
    turn: u32,
    never: u32,
    agreed: u32,
    /// The clause of the last condition.
    cond: Option<u32>,
    scope: bool,
    named: Concepts,
    named_before: Concepts,
}

impl Last {
    fn enter(&mut self, token: &Token) {
        if token.sentence == self.sentence {
            return;
        }
        *self = Self {
            sentence: token.sentence,
            named_before: self.named,
            ..Self::default()
        };
    }

    /// Whether what stands here as a participle is how it shall be.
    fn is_rule(&self, token: &Token) -> bool {
        let is_near =
            |place: u32, within: u32| place > 0 && token.place.saturating_sub(place) <= within;
        let is_condition = self.cond == Some(token.clause);
        (is_near(self.be, 3) && !is_condition && !self.scope) || is_near(self.agreed, 12)
    }

    fn note(&mut self, token: &Token) {
        let place = |means: Concepts, old: u32| match token.means & means != 0 {
            true => token.until,
            false => old,
        };
        self.be = place(BE, self.be);
        self.turn = place(TURN, self.turn);
        self.never = place(NEVER, self.never);
        self.agreed = place(AGREED, self.agreed);
        if token.means & COND != 0 {
            self.cond = Some(token.clause);
        }
        self.scope |= token.means & SCOPE != 0;
        self.named |= token.means & NAMED;
    }
}

/// Hosts that a text names without a scheme before them.
pub(super) fn bare_hosts(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let chunks = lower.split(|c: char| c.is_whitespace() || "|()[]<>,;\"'`".contains(c));
    let bare = chunks.filter(|c| !c.contains("://") && address(c) == Some(OUTSIDE));
    let hosts = bare.filter_map(|chunk| {
        let chunk = chunk.trim_matches(|c: char| !c.is_alphanumeric());
        let end = chunk.find(['/', ':', '?', '#']).unwrap_or(chunk.len());
        chunk[..end].rsplit('@').next().map(str::to_owned)
    });
    let mut found: Vec<String> = hosts.collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Endings of names that are hosts and hardly ever files or fields.
const TOP: &str = " com org net io dev app co ai example info xyz site online top cc tk ru cn de fr es uk eu us me tv biz cloud tech link click pw su ly to nl pl it ch at be br jp kr ca au se no fi dk ";

/// What a chunk is that leads out: a host, an address, everybody; or a file of secrets.
fn address(chunk: &str) -> Option<Concepts> {
    let bare = chunk.trim_matches(|c: char| !c.is_alphanumeric() && !"./~@".contains(c));
    let bare = bare.trim_end_matches(['.', '/']);
    if bare.is_empty() {
        return None;
    }
    let file = bare.rsplit('/').next().unwrap_or(bare);
    if file.starts_with(".env")
        || matches!(
            file,
            ".netrc" | "id_rsa" | "id_ed25519" | ".npmrc" | ".pypirc"
        )
        || bare.contains(".ssh")
        || bare.contains(".aws")
    {
        return Some(SECRET);
    }
    if bare.starts_with("0.0.0.0") {
        return Some(PUBLIC);
    }
    if let Some((scheme, rest)) = bare.split_once("://") {
        let is_near = ["localhost", "127.", "[::1]", "0.0.0.0"]
            .iter()
            .any(|h| rest.starts_with(h));
        let is_web = scheme.ends_with("http")
            || scheme.ends_with("https")
            || scheme.ends_with("ftp")
            || scheme.ends_with("wss")
            || scheme.ends_with("ws")
            || scheme.ends_with("s3");
        return (is_web && !is_near && !rest.is_empty()).then_some(OUTSIDE);
    }
    let host = bare.split(['/', ':', '?', '#']).next().unwrap_or(bare);
    let host = host.rsplit('@').next().unwrap_or(host);
    let (name, top) = host.rsplit_once('.')?;
    let is_host = !name.is_empty()
        && TOP.contains(&format!(" {top} "))
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || c == '-' || c == '.')
        && !name.starts_with('.');
    let is_ip = host.split('.').count() == 4 && host.split('.').all(|p| p.parse::<u8>().is_ok());
    let is_own = ["127.", "10.", "192.168."]
        .iter()
        .any(|h| host.starts_with(h));
    (is_host || (is_ip && !is_own)).then_some(OUTSIDE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::normal::folded;

    fn means(text: &str) -> Vec<Concepts> {
        tokens(&folded(text)).into_iter().map(|t| t.means).collect()
    }

    #[test]
    fn a_participle_is_an_order_where_it_says_how_it_shall_be() {
        let is_off = |text: &str| means(text).iter().any(|m| m & OFF != 0);
        for text in [
            "Review is skipped",
            "it has been dropped",
            "we agreed: checks skipped",
            "turn the scanner off",
            "Schalte die Prüfung ab",
        ] {
            assert!(is_off(text), "{text}");
        }
        for text in [
            "Review was skipped",
            "if checks are skipped it fails",
            "checks are skipped. In tests",
            "in tests it is disabled",
            "an off day",
        ] {
            assert_eq!(is_off(text), text.starts_with("checks are"), "{text}");
        }
    }

    #[test]
    fn words_are_seen_through_markup_spelling_and_hyphens() {
        for text in [
            "re**vi**ew",
            "re-view",
            "r e v i e w",
            "`review`",
            "REVIEW.",
            "a|review|b",
            "rev\u{200b}iew",
            "réview",
        ] {
            assert!(means(text).iter().any(|m| m & REVIEW != 0), "{text}");
        }
        for text in ["evil.example/i", "https://a.example", "me@b.com", "8.8.8.8"] {
            assert_eq!(means(text), [OUTSIDE], "{text}");
        }
        for text in [
            "main.rs",
            "http://localhost:80",
            "config.get",
            "1.2.3",
            "e.g.",
        ] {
            assert!(means(text).iter().all(|m| m & OUTSIDE == 0), "{text}");
        }
    }

    #[test]
    fn what_a_sentence_named_is_meant_by_the_next_ones_pronoun() {
        let found = tokens("there is a code review. skip it for deploys");
        assert!(
            found
                .iter()
                .any(|t| t.means & (PRONOUN | REVIEW) == PRONOUN | REVIEW)
        );
    }
}
