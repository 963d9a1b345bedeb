//! No cut shows a secret: whatever is shortened, wherever it is cut, no eight characters are left.

use crate::support::{redactor, shared, turn};
use memd::curator::prompt;
use memd::digest::{Builder, Digest};
use memd::redact::{Hit, Part, Redacted, Redactor, score};
use memd::source::{Raw, Role, Sink};
use serde::Deserialize;

/// How many characters of a text each role may show, from its beginning and from its end.
const LIMITS: [(Role, usize, usize); 6] = [
    (Role::User, 3000, 1000),
    (Role::Note, 3000, 1000),
    (Role::Assistant, 1700, 800),
    (Role::ToolCall, 300, 0),
    (Role::ToolResult, 350, 250),
    (Role::Error, 300, 300),
];
const FRAGMENT: usize = 8;
/// Examples that the rule table has at least.
const FEWEST: usize = 380;

/// A text and what of it no output may hold.
struct Example {
    name: String,
    text: String,
    secrets: Vec<String>,
}

impl Example {
    /// What the redactor takes out of the text when it is alone.
    fn of(name: &str, text: &str) -> Self {
        let (shown, hits) = redactor().redact(&Raw::new(text), &Part::default());
        let mut secrets = Vec::new();
        let mut rest = shown.as_str();
        for (n, hit) in hits.iter().enumerate() {
            let mark = hit.placeholder();
            let (_, after) = rest.split_once(&mark).unwrap();
            let next = hits.get(n + 1).map(Hit::placeholder);
            let kept = next.map_or(after.len(), |next| after.find(&next).unwrap());
            let end = hits.get(n + 1).map_or(text.len(), |h| h.offset) - kept;
            secrets.push(text[hit.offset..end].to_owned());
            rest = after;
        }
        Self {
            name: name.to_owned(),
            text: text.to_owned(),
            secrets,
        }
    }

    /// A fragment of a secret in a text, placeholders aside: they name the rule.
    fn left(&self, shown: &str) -> Option<&str> {
        let marks = shown.split("[REDACTED:").enumerate();
        let words = marks.map(|(n, piece)| match piece.split_once(']') {
            Some((_, after)) if n > 0 => after,
            _ => piece,
        });
        let shown = words.collect::<Vec<_>>().join("\n");
        self.secrets.iter().find_map(|secret| {
            let starts: Vec<usize> = secret.char_indices().map(|(at, _)| at).collect();
            let fragment = |from: usize| {
                let to = starts.get(from + FRAGMENT).copied().unwrap_or(secret.len());
                &secret[starts[from]..to]
            };
            let last = starts.len().saturating_sub(FRAGMENT);
            (0..=last)
                .map(fragment)
                .find(|f| f.chars().count() >= FRAGMENT && shown.contains(*f))
        })
    }
}

fn digest<'t>(redactor: &Redactor, turns: impl IntoIterator<Item = (Role, &'t str)>) -> Digest {
    let mut builder = Builder::new(redactor, 60_000);
    for (n, (role, text)) in (0..).zip(turns) {
        builder.take(turn(role, n, text));
    }
    builder.finish().digest
}

fn all_text(digest: &Digest) -> String {
    let lines: Vec<&str> = digest.lines.iter().map(|l| l.text.as_str()).collect();
    lines.join("\n")
}

/// Words that end with a line, so that nothing before is a part of what follows.
fn filler(chars: usize) -> String {
    let words = "an ordinary line with some words in it\n";
    let mut text: String = words.chars().cycle().take(chars).collect();
    if text.pop().is_some() {
        text.push('\n');
    }
    text
}

#[derive(Deserialize)]
struct Table {
    rules: Vec<Rule>,
}

#[derive(Deserialize)]
struct Rule {
    id: String,
    pos: Vec<String>,
}

/// The examples of the rule table, and with `MEMD_SHARED` those of the shared table.
fn examples() -> Vec<Example> {
    let table = include_str!("../../assets/redact/rules.yaml");
    let table: Table = serde_yaml::from_str(table).unwrap();
    let own = table.rules.iter().flat_map(|rule| {
        let each = rule.pos.iter();
        each.map(|text| Example::of(&rule.id, text))
    });
    let mut all: Vec<Example> = own.collect();
    let found = all.iter().filter(|e| !e.secrets.is_empty()).count();
    // What the redactor no longer finds would be no example any more.
    assert_eq!(found, all.len(), "each example of the table holds a secret");
    assert!(found >= FEWEST, "{found}");
    if let Some(shared) = shared() {
        let table = shared.join("cases/redaction/vectors.tsv");
        let vectors = score::vectors(&std::fs::read_to_string(table).unwrap()).unwrap();
        let secret = vectors.iter().filter(|v| v.secret);
        let shared: Vec<Example> = secret
            .map(|v| Example::of(&v.id, v.text.unredacted()))
            .collect();
        let found = shared.iter().filter(|e| !e.secrets.is_empty()).count();
        assert!(
            found * 100 >= shared.len() * 97,
            "{found} of {}",
            shared.len()
        );
        all.extend(shared);
    }
    all.retain(|e| !e.secrets.is_empty());
    all
}

/// Where a secret may begin so that a cut at `edge` falls into it: some places, other ones for each
/// example, so that all together fall everywhere.
fn shifts(n: usize, secret: &str, edge: usize) -> impl Iterator<Item = usize> {
    let len = secret.chars().count();
    let step = (len / 3).max(1);
    (1 + n % step..=len)
        .step_by(step)
        .filter_map(move |inside| edge.checked_sub(inside))
}

#[test]
fn no_cut_of_the_digest_shows_a_secret() {
    let mut wrong = Vec::new();
    for (n, example) in examples().iter().enumerate() {
        let secret = &example.secrets[0];
        let at = example.text.find(secret.as_str()).unwrap();
        let lead = example.text[..at].chars().count();
        let after = example.text[at..].chars().count();
        let (role, head, tail) = LIMITS[n % LIMITS.len()];
        let small = LIMITS[3 + n % 3];
        for (role, head, tail) in [(role, head, tail), small] {
            // The head's cut keeps one character less, for the ellipsis.
            for from in shifts(n, secret, head - 1) {
                let Some(before) = from.checked_sub(lead) else {
                    continue;
                };
                let text = filler(before) + &example.text + "\n" + &filler(head + tail);
                check(example, role, &text, &mut wrong);
            }
            for inside in shifts(n, secret, after).filter(|_| tail > 0) {
                let Some(behind) = (tail - 1).checked_sub(after - inside.min(after)) else {
                    continue;
                };
                let text = filler(head + tail) + &example.text + "\n" + &filler(behind);
                check(example, role, &text, &mut wrong);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn check(example: &Example, role: Role, text: &str, wrong: &mut Vec<String>) {
    let digest = digest(&redactor(), [(role, text)]);
    if let Some(left) = example.left(&all_text(&digest)) {
        wrong.push(format!("{} as {role:?}: {left}", example.name));
    }
}

#[test]
fn no_length_shows_a_secret_or_half_a_placeholder() {
    for example in examples() {
        let text = format!("before it {}\nand behind", example.text);
        let (shown, _) = redactor().redact(&Raw::new(text), &Part::default());
        for max in 0..=shown.chars() {
            for cut in [shown.shorten(max), shown.ending(max)] {
                let name = &example.name;
                assert_eq!(example.left(cut.as_str()), None, "{name} at {max}");
                assert!(is_whole(&cut), "{name} at {max}: {cut}");
            }
        }
    }
}

/// Whether every placeholder is.
fn is_whole(text: &Redacted) -> bool {
    let marks = text.as_str().matches("[REDACTED:").count();
    let shown = text.as_str().trim_matches('…');
    let begun = (2.."[REDACTED:".len()).any(|len| shown.ends_with(&"[REDACTED:"[..len]));
    let ends = text.as_str().split("[REDACTED:").skip(1);
    marks == ends.filter(|t| t.contains(']')).count() && !begun
}

#[test]
fn a_value_shown_bare_before_its_name_is_hidden_too_and_counted() {
    let secret = "x8Kq2mP!z7Rw4TbV";
    let cut_head = filler(340) + &format!("see {secret}\n") + &filler(900);
    let cut_tail = filler(900) + &format!("see {secret}\n") + &filler(240);
    let named = format!("DB_PASSWORD={secret}");
    let turns = [
        (Role::ToolResult, cut_head.as_str()),
        (Role::ToolResult, cut_tail.as_str()),
        (Role::Assistant, secret),
        (Role::User, named.as_str()),
    ];
    let redactor = redactor();
    let digest = digest(&redactor, turns);
    let example = Example {
        name: String::new(),
        text: String::new(),
        secrets: vec![secret.to_owned()],
    };
    assert_eq!(example.left(&all_text(&digest)), None);
    let rows: Vec<u64> = digest
        .hits
        .iter()
        .filter_map(|h| Some(h.place.as_ref()?.offset))
        .collect();
    assert!(rows.contains(&2) && rows.contains(&3), "{rows:?}");
    // What only memory holds is hidden on the way out, and told of.
    let notes = [format!("it was {secret}")];
    let (prompt, hits) = prompt::build(&[], &digest, &notes, "demo", "5eedf00d", &redactor);
    assert_eq!(example.left(prompt.body.as_str()), None);
    assert!(hits.iter().any(|h| h.rule == "known_value"), "{hits:?}");
}
