//! Settings of every layout get our hooks, keep all else, and get their bytes back.

use super::*;
use proptest::prelude::*;
use serde_json::Value;

fn put(text: &str, tool: Tool) -> Change {
    install(text, tool, Path::new("/opt/memd")).unwrap()
}

/// Without our handlers, as a parser reads it: what others see.
fn others(text: &str) -> Value {
    let without = uninstall(text).unwrap().text;
    let mut value: Value = serde_json::from_str(&without).unwrap_or(json!({}));
    // A list that holds nothing says nothing.
    if let Some(hooks) = value.get_mut("hooks").and_then(Value::as_object_mut) {
        hooks.retain(|_, list| *list != json!([]));
        if hooks.is_empty() {
            value.as_object_mut().unwrap().shift_remove("hooks");
        }
    }
    value
}

fn ours(text: &str) -> Vec<String> {
    let (hooks, _) = crate::integrations::own_hooks(text).unwrap();
    hooks
        .into_iter()
        .map(|h| format!("{} {}", h.name, h.command))
        .collect()
}

fn check(text: &str, tool: Tool) {
    let first = put(text, tool);
    let wanted: Vec<_> = tool
        .hooks()
        .iter()
        .map(|h| format!("{} '/opt/memd' hook {}", h.name, h.event.name()))
        .collect();
    let mut have = ours(&first.text);
    // What stands under another event is somebody's own idea.
    have.retain(|h| {
        tool.hooks()
            .iter()
            .any(|w| h.starts_with(&format!("{} ", w.name)))
    });
    have.sort();
    let mut sorted = wanted;
    sorted.sort();
    assert_eq!(have, sorted, "{}", first.text);
    assert_eq!(
        put(&first.text, tool).steps,
        [],
        "twice is once: {}",
        first.text
    );
    assert_eq!(undo(&first.text, &first.steps).as_deref(), Some(text));
    assert_eq!(others(&first.text), others(text), "{}", first.text);
}

#[test]
fn settings_of_every_layout_keep_all_that_is_not_ours() {
    for text in [
        "",
        "\n",
        "{}",
        "{}\n",
        "{ }",
        "{\n}\n",
        "{\"model\": \"opus\"}",
        "{\"a\":1,\"hooks\":{}}",
        "{\n  \"b\": [1, 2],\n  \"a\": {\"x\": \"ü\\u00fc\"}\n}\n",
        "{\n\t\"hooks\": {\n\t\t\"Stop\": []\n\t},\n\t\"z\": null\n}",
        "{\r\n    \"hooks\": {\r\n        \"PreToolUse\": [{\"matcher\": \"Bash\", \"hooks\": []}]\r\n    }\r\n}\r\n",
        "{\"hooks\": {\"SessionStart\": [{\"matcher\": \"startup\", \"hooks\": [{\"type\": \"command\", \"command\": \"date\"}]}]}, \"x\": 1}",
        "{\n  \"hooks\": {\n    \"SessionEnd\": [\n      { \"hooks\": [ { \"type\": \"command\", \"command\": \"python3 /old/memd.py hook session-end\", \"statusMessage\": \"m\" } ] }\n    ]\n  }\n}\n",
        "{\"hooks\": {\"SessionStart\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"memd hook session-start\"}, {\"type\": \"command\", \"command\": \"memd hook session-start\", \"timeout\": 3}, {\"command\": \"date\"}]}]}}",
        "{\"hooks\": {\"Stop\": 1}, \"hooks\": {\"Stop\": [7, \"x\", {}, {\"hooks\": 3}]}}",
    ] {
        for tool in Tool::ALL {
            check(text, tool);
        }
    }
}

#[test]
fn it_reads_as_a_person_would_have_written_it() {
    insta::assert_snapshot!(put("{\n  \"model\": \"opus\"\n}\n", Tool::Codex).text, @r#"
    {
      "model": "opus",
      "hooks": {
        "SessionStart": [
          {
            "hooks": [
              {
                "type": "command",
                "command": "'/opt/memd' hook session-start",
                "timeout": 10
              }
            ]
          }
        ],
        "PreCompact": [
          {
            "hooks": [
              {
                "type": "command",
                "command": "'/opt/memd' hook pre-compact",
                "timeout": 10
              }
            ]
          }
        ],
        "Stop": [
          {
            "hooks": [
              {
                "type": "command",
                "command": "'/opt/memd' hook stop",
                "timeout": 10
              }
            ]
          }
        ]
      }
    }
    "#);
    let line = put(
        "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"command\": \"memd hook stop\"}]}]}}",
        Tool::Codex,
    );
    assert!(
        line.text
            .contains("{\"command\": \"'/opt/memd' hook stop\", \"timeout\": 10}"),
        "{}",
        line.text
    );
    assert!(!line.text.contains('\n'));
}

#[test]
fn what_is_no_settings_is_refused_with_its_place() {
    let error = |text: &str| {
        install(text, Tool::Claude, Path::new("/m"))
            .unwrap_err()
            .to_string()
    };
    assert!(
        error("{\n  \"a\": 1,\n}").starts_with("line 3, column 1"),
        "{}",
        error("{\n  \"a\": 1,\n}")
    );
    assert_eq!(
        error("[]"),
        "line 1, column 1: settings are one JSON object"
    );
    assert_eq!(
        error("{\n \"hooks\": []}"),
        "line 2, column 11: \"hooks\" must be an object"
    );
    assert!(error("{\"hooks\": {\"Stop\": {}}}").contains("must be a list"));
    assert!(uninstall("{").is_err());
}

/// JSON values with hooks of others in them.
fn settings() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z\"\\\\{}\\[\\]:, ü]{0,8}".prop_map(Value::from),
    ];
    let any_value = leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[a-z]{1,4}", inner), 0..4)
                .prop_map(|m| Value::Object(m.into_iter().collect())),
        ]
    });
    let command = prop_oneof![
        Just("date".to_owned()),
        Just("memd hook stop".to_owned()),
        Just("python3 -m memd hook session-start".to_owned()),
    ];
    let handler = (command, any::<bool>()).prop_map(|(command, timed)| match timed {
        true => json!({"type": "command", "command": command, "timeout": 5}),
        false => json!({"command": command}),
    });
    let group = prop::collection::vec(handler, 0..3).prop_map(|hooks| json!({"hooks": hooks}));
    let name = prop_oneof![Just("Stop"), Just("SessionStart"), Just("PreToolUse")];
    let hooks = prop::collection::vec((name, prop::collection::vec(group, 0..3)), 0..3);
    let hooks = hooks.prop_map(|events| {
        let events = events
            .into_iter()
            .map(|(n, g)| (n.to_owned(), Value::from(g)));
        Value::Object(events.collect())
    });
    let members = prop::collection::vec(("[a-z]{1,6}", any_value), 0..4);
    (
        members,
        prop::option::of(hooks),
        any::<prop::sample::Index>(),
    )
        .prop_map(|(members, hooks, at)| {
            let mut all: Vec<(String, Value)> = members;
            if let Some(hooks) = hooks {
                let at = at.index(all.len() + 1);
                all.insert(at, ("hooks".to_owned(), hooks));
            }
            Value::Object(all.into_iter().collect())
        })
}

fn laid_out(value: &Value, layout: u8) -> String {
    let pretty = |unit: &str| {
        let mut bytes = Vec::new();
        let format = serde_json::ser::PrettyFormatter::with_indent(unit.as_bytes());
        value
            .serialize(&mut serde_json::Serializer::with_formatter(
                &mut bytes, format,
            ))
            .unwrap();
        String::from_utf8(bytes).unwrap()
    };
    match layout % 5 {
        0 => value.to_string(),
        1 => pretty("  "),
        2 => pretty("\t") + "\n",
        3 => pretty("    ").replace('\n', "\r\n"),
        // Spaces where nobody puts them.
        _ => pretty("").replace('\n', " \n "),
    }
}

proptest! {
    #[test]
    fn the_bytes_come_back_whatever_the_layout(value in settings(), layout in 0_u8..5, tool in 0_usize..3) {
        let text = laid_out(&value, layout);
        check(&text, Tool::ALL[tool]);
        let without = uninstall(&text).unwrap().text;
        prop_assert_eq!(ours(&without), Vec::<String>::new());
    }
}
