//! What the CLI writes, and what is made of it.

use super::envelope::{Envelope, EnvelopeError, read};

const RESULT: &str = r#""type": "result", "subtype": "success", "is_error": false, "total_cost_usd": 0.5,
    "usage": {"input_tokens": 10, "cache_read_input_tokens": 5, "output_tokens": 20}"#;

fn opened(text: &str) -> Envelope {
    read(text.as_bytes()).unwrap_or_else(|e| panic!("{e:?} in {text}"))
}

#[test]
fn an_envelope_is_found_in_every_wrapping() {
    let one = format!("{{{RESULT}, \"result\": \"hello {{\\\"a\\\": 1}}\"}}");
    let line = one.replace('\n', " ");
    let init = r#"{"type": "system", "subtype": "init"}"#;
    for text in [
        one.clone(),
        format!("\u{FEFF}{one}\n"),
        format!("[{init}, {one}]"),
        format!("{init}\n{line}\n"),
        format!("{line}\n{init}\n"),
        format!("Update available: 2.2\n{{not json\n{one}"),
        format!("[notice] something\n{one}\nbye"),
    ] {
        let envelope = opened(&text);
        assert_eq!(
            (envelope.is_error, envelope.text.as_str()),
            (false, "hello {\"a\": 1}"),
            "{text}"
        );
        assert_eq!(
            (
                envelope.cost.input_tokens,
                envelope.cost.output_tokens,
                envelope.cost.cost_usd
            ),
            (Some(15), Some(20), Some(0.5))
        );
    }
}

#[test]
fn the_structured_answer_comes_before_the_text() {
    let both =
        format!("{{{RESULT}, \"result\": \"Done.\", \"structured_output\": {{\"version\": 2}}}}");
    assert_eq!(opened(&both).text, "{\"version\":2}");
    let null = format!("{{{RESULT}, \"result\": \"Done.\", \"structured_output\": null}}");
    assert_eq!(opened(&null).text, "Done.");
}

#[test]
fn a_failure_is_told_by_is_error_or_by_its_kind() {
    for (fields, kind, text) in [
        (
            r#""subtype": "success", "is_error": true, "result": "busy""#,
            "an error",
            "busy",
        ),
        (
            r#""subtype": "error_max_turns", "errors": ["a", "b"]"#,
            "error_max_turns",
            "a; b",
        ),
        (
            r#""subtype": "error_x", "is_error": true, "structured_output": {}"#,
            "error_x",
            "",
        ),
    ] {
        let envelope = opened(&format!("{{\"type\": \"result\", {fields}}}"));
        assert!(envelope.is_error, "{fields}");
        assert_eq!(
            (envelope.kind.as_str(), envelope.text.as_str()),
            (kind, text)
        );
    }
}

#[test]
fn what_is_no_envelope_is_said() {
    assert_eq!(read(b" \n"), Err(EnvelopeError::Empty));
    for text in [
        "<html>502</html>",
        "{\"type\": \"system\"}",
        "[1, 2]",
        "{",
        "null",
    ] {
        assert_eq!(
            read(text.as_bytes()),
            Err(EnvelopeError::Other(text.into()))
        );
    }
}
