//! The rule table, `assets/redact/rules.yaml`: data, with its own examples.
//!
//! Made ready when memd is built, read once, on first use. The anchors of all rules are searched in one pass; each hit leads to
//! the rule's method, which looks only at the anchor's surroundings.

use super::anchors::{Anchors, Literal};
use super::class::Class;
use super::files;
use super::lexicon::Lexicon;
use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use regex::bytes::Regex;
use serde::Deserialize;
use std::collections::HashSet;
use std::sync::{LazyLock, OnceLock};

/// How a rule finds the secret from its anchor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Method {
    /// The anchor and the run of one class after it.
    Prefix,
    /// A name, an operator, a value.
    Assignment,
    /// `user:password@` in a URL.
    Url,
    /// Three parts, the first a JSON header.
    Jwt,
    /// A private key block.
    Pem,
    /// A private key block's end, its beginning cut off.
    PemEnd,
    /// A `Cookie:` or `Set-Cookie:` line.
    Cookie,
    /// The scheme and credentials of an authorization header.
    Authorization,
    /// Private members of a JSON web key.
    Jwk,
    /// A command's password or credentials option.
    Command,
    /// A password among a call's or statement's strings.
    Quoted,
    /// What a client sends to log in.
    Sent,
    /// `Authorization` with whatever scheme.
    AnyScheme,
    /// A vendor's name, a key's name, a value.
    Vendor,
    /// A vendor's name and, at once, a value.
    VendorValue,
    /// A bare key near an AWS key id.
    AwsSecret,
    /// The lines of a dump of bytes.
    Dump,
    /// A regular expression, tried at the anchor.
    Regex,
}

impl Method {
    /// Whether its anchors mean something in their own case only.
    fn is_exact(self) -> bool {
        matches!(self, Self::Prefix | Self::Jwt)
    }
}

/// What must stand right before an anchor.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Before {
    pub class: Class,
    pub min: usize,
    pub max: usize,
}

/// One rule.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rule {
    pub id: String,
    #[serde(default = "Rule::prefix")]
    pub method: Method,
    pub anchors: Vec<String>,
    #[serde(default)]
    pub class: Option<Class>,
    /// The shortest body.
    #[serde(default)]
    pub min: usize,
    /// The usual length of the body: up to it, a body goes on over line breaks.
    #[serde(default)]
    pub full: Option<usize>,
    /// A longer body is something else.
    #[serde(default)]
    pub exact: bool,
    /// The body may be letters only.
    #[serde(default)]
    pub words: bool,
    /// No `_`, `+` or `/` may stand before or after it: `live_…`, but not `pk_live_…`.
    #[serde(default)]
    pub alone: bool,
    /// Digits the body must have.
    #[serde(default)]
    pub digits: usize,
    /// Dashes the body may have.
    #[serde(default)]
    pub dashes: Option<usize>,
    #[serde(default)]
    pub before: Option<Before>,
    #[serde(default)]
    pub pattern: Option<String>,
    /// Texts it must find.
    #[cfg(test)]
    #[serde(default)]
    pub pos: Vec<String>,
    /// Texts that must stay as they are.
    #[cfg(test)]
    #[serde(default)]
    pub neg: Vec<String>,
}

impl Rule {
    fn prefix() -> Method {
        Method::Prefix
    }
}

/// The words that make a name a password's, a secret's, or nothing of the kind.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Names {
    pub password: Vec<String>,
    pub secret: Vec<String>,
    pub weak: Vec<String>,
    pub harmless: Vec<String>,
    /// With one of these, a key or token is meant to be seen.
    pub open: Vec<String>,
    /// What may follow a secret's word in its name, telling one from another.
    pub tails: Vec<String>,
    pub session: Vec<String>,
    /// A password's names that are not written in ASCII; the same are anchors.
    pub foreign: Vec<String>,
}

/// What a word of a name means, in bits.
pub(super) const PASSWORD: u8 = 1;
pub(super) const SECRET: u8 = 2;
pub(super) const WEAK: u8 = 4;
pub(super) const HARMLESS: u8 = 8;
pub(super) const OPEN: u8 = 16;
pub(super) const TAIL: u8 = 32;

impl Names {
    fn meanings(&self) -> Lexicon {
        let lists = [
            (&self.password, PASSWORD),
            (&self.secret, SECRET),
            (&self.weak, WEAK),
            (&self.harmless, HARMLESS),
            (&self.open, OPEN),
            (&self.tails, TAIL),
        ];
        let words = lists.into_iter();
        Lexicon::new(words.flat_map(|(list, bit)| list.iter().map(move |w| (w.as_str(), bit))))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    placeholders: Vec<String>,
    samples: Vec<String>,
    sequences: Vec<String>,
    default_passwords: Vec<String>,
    technical: Vec<String>,
    public: Vec<String>,
    vendors: String,
    names: Names,
    rules: Vec<Rule>,
}

/// The table, ready for use.
pub(super) struct Rules {
    pub all: Vec<Rule>,
    pub names: Names,
    /// What the words of names mean.
    pub meanings: Lexicon,
    /// Texts that no real secret holds.
    pub placeholders: AhoCorasick,
    /// Pieces of the samples that makers' documentation shows.
    pub samples: AhoCorasick,
    /// Made-up runs, as of the alphabet.
    pub sequences: AhoCorasick,
    /// What passwords and secrets are called, wherever it stands in a word.
    pub called: AhoCorasick,
    /// Passwords that everybody knows.
    pub default_passwords: Vec<String>,
    defaults: Lexicon,
    /// Words that, with a number, name a type or a method.
    pub technical: Vec<String>,
    /// How keys begin that are meant to be seen.
    pub public: Vec<String>,
    /// Services whose keys have no beginning of their own, in small letters.
    pub vendors: HashSet<String>,
    pub anchors: Anchors,
    regexes: Vec<OnceLock<Regex>>,
}

impl Rules {
    fn new(mut file: File) -> Result<Self, String> {
        let commands = file
            .rules
            .iter_mut()
            .filter(|r| r.method == Method::Command);
        for rule in commands {
            rule.anchors.extend(super::command::names());
        }
        let calls = file.rules.iter_mut().filter(|r| r.method == Method::Quoted);
        for rule in calls {
            rule.anchors
                .extend(super::command::calls().map(str::to_owned));
        }
        check(&file.rules)?;
        let rules = file.rules.iter().enumerate();
        let anchors = rules.flat_map(|(rule, r)| {
            r.anchors.iter().map(move |text| Literal {
                rule,
                text: text.clone().into_bytes(),
                exact: r.method.is_exact(),
            })
        });
        // Behind all rules' numbers.
        let signs = files::signs::texts().enumerate().map(|(n, text)| Literal {
            rule: file.rules.len() + n,
            text: text.to_vec(),
            exact: true,
        });
        Ok(Self {
            anchors: Anchors::new(anchors.chain(signs))?,
            placeholders: searcher(&file.placeholders)?,
            samples: searcher(&file.samples)?,
            sequences: searcher(&file.sequences)?,
            called: searcher(&called(&file.names))?,
            defaults: Lexicon::new(file.default_passwords.iter().map(|p| (p.as_str(), 1))),
            default_passwords: file.default_passwords,
            technical: file.technical,
            public: file.public,
            vendors: file.vendors.split_whitespace().map(str::to_owned).collect(),
            meanings: file.names.meanings(),
            names: file.names,
            regexes: file.rules.iter().map(|_| OnceLock::new()).collect(),
            all: file.rules,
        })
    }

    /// Whether everybody knows this password, in whatever case.
    pub fn is_default_password(&self, password: &[u8]) -> bool {
        self.defaults.get(&[password]) != 0
    }

    /// The pattern of a rule, compiled when it is first asked for: most texts need none.
    ///
    /// A pattern that cannot be read is a fault of the build, as in [`rules`].
    #[expect(
        clippy::panic,
        reason = "without its rule nothing may pass as redacted"
    )]
    pub fn regex(&self, rule: usize) -> Option<&Regex> {
        let pattern = self.all.get(rule)?.pattern.as_ref()?;
        let compile = || match Regex::new(&format!("(?-u)^(?:{pattern})")) {
            Ok(regex) => regex,
            Err(problem) => panic!("assets/redact/rules.yaml: {problem}"),
        };
        Some(self.regexes.get(rule)?.get_or_init(compile))
    }
}

/// What no rule may be without, beyond what its fields are.
fn check(rules: &[Rule]) -> Result<(), String> {
    let mut seen = HashSet::new();
    for rule in rules {
        let runs = matches!(rule.method, Method::Prefix);
        let long = |full: usize| full < rule.min;
        let problem = if rule.anchors.is_empty() {
            "it needs an anchor"
        } else if !seen.insert(rule.id.as_str()) {
            "another rule has this id"
        } else if runs && rule.class.is_none() {
            "it needs a class"
        } else if rule.method == Method::Regex && rule.pattern.is_none() {
            "it needs a pattern"
        } else if rule.exact && rule.full.is_none() {
            "`exact` needs `full`"
        } else if rule.full.is_some_and(long) || rule.before.as_ref().is_some_and(|b| b.max < b.min)
        {
            "its longest is shorter than its shortest"
        } else {
            continue;
        };
        return Err(format!("rule `{}`: {problem}", rule.id));
    }
    Ok(())
}

/// The names that tell a password wherever they stand. What seasons a hash seasons a password's
/// words as well.
fn called(names: &Names) -> Vec<&String> {
    let all = names.password.iter().chain(&names.secret);
    all.filter(|name| name.len() >= 4 && *name != "pepper")
        .collect()
}

fn searcher<P: AsRef<[u8]>>(patterns: &[P]) -> Result<AhoCorasick, String> {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::Standard)
        .kind(Some(AhoCorasickKind::DFA))
        .build(patterns)
        .map_err(|e| e.to_string())
}

static TABLE: LazyLock<Result<Rules, String>> = LazyLock::new(|| read().and_then(Rules::new));

/// The table as `assets/redact/build.rs` made it ready.
#[cfg(not(test))]
fn read() -> Result<File, String> {
    let table = include_str!(concat!(env!("OUT_DIR"), "/rules.json"));
    serde_json::from_str(table).map_err(|e| e.to_string())
}

/// The table with its examples.
#[cfg(test)]
fn read() -> Result<File, String> {
    tests::parse(include_str!("../../assets/redact/rules.yaml"))
}

/// The built-in table.
///
/// A table that cannot be read is a fault of the build, caught by the tests; it panics here, and
/// the redactor then withholds every part.
#[expect(clippy::panic, reason = "without rules nothing may pass as redacted")]
pub(super) fn rules() -> &'static Rules {
    match &*TABLE {
        Ok(rules) => rules,
        Err(problem) => panic!("assets/redact/rules.yaml: {problem}"),
    }
}

#[cfg(test)]
mod tests;
