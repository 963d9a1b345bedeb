//! Tables that are wrong name their rule; all patterns compile.

use super::*;

pub(super) fn parse(text: &str) -> Result<File, String> {
    serde_yaml::from_str(text).map_err(|e| unreadable(text, &e))
}

/// What is wrong with a table, and with which rule.
fn unreadable(text: &str, problem: &serde_yaml::Error) -> String {
    #[derive(Deserialize)]
    struct Loose {
        #[serde(default)]
        rules: Vec<serde_yaml::Value>,
    }
    let rules = serde_yaml::from_str::<Loose>(text).map_or_else(|_| Vec::new(), |l| l.rules);
    let broken = rules.into_iter().find_map(|value| {
        let id = value.get("id").and_then(|id| id.as_str()).unwrap_or("?");
        let id = id.to_owned();
        serde_yaml::from_value::<Rule>(value)
            .err()
            .map(|e| format!("rule `{id}`: {e}"))
    });
    broken.unwrap_or_else(|| problem.to_string())
}

fn problem(rules: &str) -> String {
    let table = include_str!("../../../assets/redact/rules.yaml");
    let head = table.split("\nrules:").next().unwrap();
    let text =
        format!("{head}\nrules:\n  - {{id: good, class: hex, anchors: [abcd], min: 4}}\n{rules}");
    parse(&text).and_then(Rules::new).err().unwrap_or_default()
}

#[test]
fn a_wrong_table_names_the_rule() {
    for (rule, told) in [
        ("{id: bad, class: hex}", "missing field `anchors`"),
        ("{id: bad, class: hex, anchors: []}", "it needs an anchor"),
        (
            "{id: bad, class: hex, anchors: [ab], mim: 3}",
            "unknown field `mim`",
        ),
        (
            "{id: bad, method: guess, anchors: [ab]}",
            "unknown variant `guess`",
        ),
        ("{id: bad, anchors: [ab]}", "it needs a class"),
        (
            "{id: bad, method: regex, anchors: [ab]}",
            "it needs a pattern",
        ),
        (
            "{id: bad, class: hex, anchors: [ab], exact: true}",
            "`exact` needs `full`",
        ),
        (
            "{id: bad, class: hex, anchors: [ab], min: 9, full: 8}",
            "its longest",
        ),
    ] {
        let found = problem(&format!("  - {rule}\n"));
        assert!(found.starts_with("rule `bad`: "), "{rule}: {found}");
        assert!(found.contains(told), "{rule}: {found}");
    }
    let twice = problem("  - {id: good, class: hex, anchors: [ab]}\n");
    assert_eq!(twice, "rule `good`: another rule has this id");
    assert!(problem("  - {id: short, class: hex, anchors: [a]}\n").contains("\"a\""));
    assert_eq!(problem(""), "");
}

#[test]
fn all_patterns_compile() {
    for (n, rule) in rules().all.iter().enumerate() {
        assert_eq!(
            rules().regex(n).is_some(),
            rule.pattern.is_some(),
            "{}",
            rule.id
        );
    }
}
