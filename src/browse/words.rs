//! A person's acts that are about no entry: leave, keys, words about secrets, breaks that are settled.
//! In words for the log; of a value no more than its fingerprint and its rule.

use super::mark;
use crate::trust::{Act, AuditRow};
use serde_json::Value;

/// The acts that are told so.
pub(super) const ACTS: [Act; 6] = [
    Act::Trust,
    Act::Key,
    Act::NotSecret,
    Act::AlsoSecret,
    Act::Settle,
    Act::GiveUp,
];

/// What a person did, as a row of the chain tells it; none: it is no such act, or a part of one that
/// stands beside it.
pub(super) fn said(row: &AuditRow) -> Option<String> {
    let act = ACTS.into_iter().find(|act| act.name() == row.act)?;
    let details: Value = serde_json::from_str(&row.details).unwrap_or_default();
    let is = |key: &str| details.get(key).and_then(Value::as_bool) == Some(true);
    let text = |key: &str| details.get(key).and_then(Value::as_str).unwrap_or_default();
    let value = mark(&row.subjects);
    Some(match act {
        Act::Trust if !is("granted") => "leave taken back: everything waits for you".to_owned(),
        Act::Trust if is("hooks") => {
            "leave given: distill --auto, hooks and sweeps apply what passes every guardrail"
                .to_owned()
        }
        Act::Trust => "leave given: distill --auto applies what passes every guardrail".to_owned(),
        Act::Key if text("what") == "rotated" => {
            format!("key rotated: {} to {}", text("old"), text("new"))
        }
        Act::NotSecret if is("not_secret") => format!("value {value} called no secret"),
        Act::NotSecret => format!("value {value} hidden again"),
        Act::AlsoSecret if is("also_secret") => format!("value {value} called a secret"),
        Act::AlsoSecret => format!("value {value} no longer kept as a secret"),
        Act::Settle => match text("why") {
            "" => "breaks settled".to_owned(),
            why => format!("breaks settled: {why}"),
        },
        Act::GiveUp if text("what") == "records" => {
            "records that did not hold given up: what stands on disk is offered".to_owned()
        }
        Act::GiveUp => format!(
            "proposal {} given up: it was changed outside memd",
            row.subjects
        ),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(act: &str, subjects: &str, details: &str) -> AuditRow {
        AuditRow {
            act: act.to_owned(),
            subjects: subjects.to_owned(),
            details: details.to_owned(),
            ..AuditRow::default()
        }
    }

    #[test]
    fn a_persons_acts_are_told_and_a_value_only_by_its_mark() {
        let print = "3f9a11aa00ff";
        for (act, subjects, details, told) in [
            (
                "trust",
                "",
                r#"{"granted":true,"hooks":true}"#,
                "hooks and sweeps",
            ),
            (
                "trust",
                "",
                r#"{"granted":true,"hooks":false}"#,
                "leave given: distill",
            ),
            ("trust", "", r#"{"granted":false}"#, "leave taken back"),
            (
                "key",
                "",
                r#"{"what":"rotated","old":"a","new":"b"}"#,
                "key rotated: a to b",
            ),
            (
                "not-secret",
                print,
                r#"{"not_secret":true}"#,
                "value #3f9a11 called no secret",
            ),
            (
                "not-secret",
                print,
                r#"{"not_secret":false}"#,
                "value #3f9a11 hidden again",
            ),
            (
                "also-secret",
                print,
                r#"{"also_secret":true}"#,
                "value #3f9a11 called a secret",
            ),
            (
                "also-secret",
                print,
                r#"{"also_secret":false}"#,
                "no longer kept",
            ),
            ("settle", "", "{}", "breaks settled"),
        ] {
            let said = said(&row(act, subjects, details)).unwrap_or_default();
            assert!(said.contains(told), "{act}: {said}");
        }
        // The rows beside a rotation, and acts that are told otherwise.
        assert_eq!(said(&row("key", "", r#"{"what":"retired"}"#)), None);
        assert_eq!(said(&row("apply", "0a1b2c3d", "{}")), None);
    }
}
