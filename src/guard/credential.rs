//! A credential in the new text.

use super::block;
use crate::proposal::Verdict;
use crate::redact::Hit;

const NAME: &str = "credential";

/// How a placeholder begins that stands for what a person called a secret.
const ALSO_SECRET: &str = "[REDACTED:also_secret#";

/// What is said of such a placeholder.
pub(super) const HIDDEN: &str = "held what you called a secret; take its placeholder out";

pub(super) fn check(text: &str, find: &dyn Fn(&str) -> Vec<Hit>) -> Option<Verdict> {
    let plain = without_hidden(text);
    let hits = find(text);
    let hits = if hits.is_empty() && plain != text {
        find(&plain)
    } else {
        hits
    };
    if hits.is_empty() && text.contains(ALSO_SECRET) {
        return Some(block(NAME, HIDDEN.to_owned()));
    }
    let mut rules: Vec<&str> = hits.iter().map(|h| h.rule.as_str()).collect();
    rules.sort_unstable();
    rules.dedup();
    (!rules.is_empty()).then(|| {
        block(
            NAME,
            format!(
                "holds what looks like a credential ({}); take it out",
                rules.join(", ")
            ),
        )
    })
}

/// Hidden characters inside a secret must not hide it.
fn without_hidden(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for place in crate::text::hidden(text) {
        out.push_str(&text[from..place.offset]);
        from = place.offset + place.len;
    }
    out.push_str(&text[from..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hit_of_the_redactor_blocks_even_when_hidden_characters_split_it() {
        let find = |text: &str| {
            let hit = || {
                serde_json::from_value(serde_json::json!({
                    "rule": "made_up", "offset": 0, "length": "8-15", "fingerprint": "0",
                }))
            };
            if text.contains("s3cret") {
                vec![hit().unwrap()]
            } else {
                Vec::new()
            }
        };
        for text in ["a s3cret here", "a s3\u{200B}cret here"] {
            let said = check(text, &find).unwrap();
            assert!(
                said.reason.contains("made_up") && !said.reason.contains("s3"),
                "{said:?}"
            );
        }
        assert_eq!(check("nothing here", &find), None);
        assert_eq!(check("a [REDACTED:jwt#0a1b] here", &find), None);
        let said = check("a [REDACTED:also_secret#0a1b] here", &find).unwrap();
        assert!(said.reason.contains("called a secret"), "{said:?}");
    }
}
