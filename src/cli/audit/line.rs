//! A record of the audit chain as one line.

use crate::trust::{Act, AuditRow};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The projects' names by their ids.
pub(super) type Names = BTreeMap<String, String>;

/// What a record concerns. Fingerprints of values are shown as `memd redact --also-secret` shows
/// them: bare ones behind such a word read like secrets.
pub(super) fn subjects(row: &AuditRow) -> Vec<String> {
    let of_values = [Act::AlsoSecret, Act::NotSecret];
    let of_values = of_values.iter().any(|act| act.name() == row.act);
    let subjects = row.subjects.split_whitespace();
    let shown = |subject: &str| match of_values {
        true => format!("#{}", subject.get(..8).unwrap_or(subject)),
        false => subject.to_owned(),
    };
    subjects.map(shown).collect()
}

/// Such as `   12  2026-11-29 12:00:07  decide        demo  0a1b2c3d  change=2 decision=accepted`.
pub(super) fn line(row: &AuditRow, names: &Names, details: &Value, holds: bool) -> String {
    let at = match row.dated() {
        Some(at) => at.strftime("%Y-%m-%d %H:%M:%S").to_string(),
        None => row.at.clone(),
    };
    let details = match row.act == Act::Read.name() {
        true => vec![read(names, details)],
        false => pairs(details),
    };
    let name = names.get(&row.project).unwrap_or(&row.project);
    let head = format!("{:>5}  {at}  {:<14}", row.seq, row.act);
    let words = [name.clone(), subjects(row).join(" ")].into_iter();
    let words = words
        .chain(details)
        .chain((!holds).then(|| "(changed since: memd verify)".to_owned()));
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    format!("{head}  {}", words.join("  "))
        .trim_end()
        .to_owned()
}

fn pairs(details: &Value) -> Vec<String> {
    let none = Map::new();
    let pairs = details.as_object().unwrap_or(&none).iter();
    // It is the date that the line begins with.
    let pairs = pairs.filter(|(key, _)| *key != "clock");
    let pairs = pairs.map(|(key, value)| match value {
        Value::Array(groups) if key == "settled" => format!("{key}={}", settled(groups)),
        Value::String(text) => format!("{key}={text}"),
        other => format!("{key}={other}"),
    });
    pairs.collect()
}

/// From where a project's memory was read, and by what.
fn read(names: &Names, details: &Value) -> String {
    let of = |key: &str| details[key].as_str().unwrap_or_default();
    let from = match of("from") {
        "" => format!("{:?}", of("folder")),
        id => names.get(id).map_or(id, String::as_str).to_owned(),
    };
    format!("read from within {from}, by memd {}", of("command"))
}

/// Such as `3 commit-gone, 1 audit-gap`: the ids are for programs.
fn settled(groups: &[Value]) -> String {
    let told = groups.iter().map(|group| {
        let ids = group["ids"].as_array().map_or(0, Vec::len);
        format!("{ids} {}", group["kind"].as_str().unwrap_or_default())
    });
    told.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_one_line_with_what_and_whom_it_concerns() {
        let row = AuditRow {
            seq: 7,
            at: "2026-11-29T12:00:07.123Z".into(),
            act: "decide".into(),
            project: "0123456789abcdef".into(),
            subjects: "0a1b2c3d".into(),
            details: r#"{"change":2,"decision":"accepted"}"#.into(),
            ..AuditRow::default()
        };
        let details = serde_json::from_str(&row.details).unwrap();
        let names = Names::from([(row.project.clone(), "demo".to_owned())]);
        assert_eq!(
            line(&row, &names, &details, true),
            "    7  2026-11-29 12:00:07  decide          demo  0a1b2c3d  change=2  decision=accepted"
        );
        let said = AuditRow {
            act: "also-secret".into(),
            subjects: "b148159e".repeat(8),
            ..row.clone()
        };
        assert!(line(&said, &Names::new(), &Value::Null, true).ends_with("  #b148159e"));
        let told = line(&row, &Names::new(), &Value::Null, false);
        assert!(
            told.contains("0123456789abcdef") && told.ends_with("(changed since: memd verify)")
        );
    }
}
