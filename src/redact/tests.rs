//! The rule table's own examples, and what a redactor promises whatever the rules.

use super::rules::rules;
use super::*;

fn redactor() -> Redactor {
    Redactor::new(&[], &[7; 32]).0
}

fn redact(text: &str) -> String {
    redactor()
        .redact(&Raw::new(text), &Part::default())
        .0
        .as_str()
        .to_owned()
}

#[test]
fn each_rule_finds_its_examples_and_leaves_its_counterexamples() {
    let mut wrong = Vec::new();
    for rule in &rules().all {
        assert!(!rule.pos.is_empty(), "{} has no example", rule.id);
        assert!(rule.id.len() <= redacted::MAX_RULE, "{}", rule.id);
        for (n, example) in rule.pos.iter().enumerate() {
            let hits = redactor().check(example);
            if hits.is_empty() {
                wrong.push(format!("{} pos {n}", rule.id));
            }
        }
        for (n, example) in rule.neg.iter().enumerate() {
            if redact(example) != *example {
                wrong.push(format!("{} neg {n}", rule.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
