//! Lines that hold JSON objects, as maps: for formats whose rows are small or few.

use super::frame::{Health, Took, each_object};
use serde_json::{Map, Value};

/// Hands on each object of a line, whose line feed is off already. Says whether that was all of it.
pub(super) fn objects(line: &[u8], take: &mut dyn FnMut(Map<String, Value>)) -> bool {
    let health = each_object(line, &mut |object, _| {
        take(serde_json::from_slice(object)?);
        Ok(Took::Row)
    });
    matches!(health, Health::Fine | Health::Blank)
}

/// The text under a key; empty when there is none.
pub(super) fn text<'a>(object: &'a Map<String, Value>, key: &str) -> &'a str {
    object.get(key).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_found_in_lines_of_every_state() {
        let found = |line: &[u8]| {
            let mut found = Vec::new();
            let is_all = objects(line, &mut |object| {
                found.push(text(&object, "a").to_owned());
            });
            (found.join(" "), is_all)
        };
        for (line, expected, is_all) in [
            (&b"{\"a\":\"x\"}\r"[..], "x", true),
            (b"{\"a\":\"x\"} {\"a\":\"y\"}", "x y", true),
            (b"{\"a\":\"cut {\"a\":\"y\"}", "y", false),
            (b"{\"a\":\"caf\xe9\"}", "caf\u{fffd}", true),
            (b"{\"a\":", "", false),
            (b"[1]", "", false),
            (b"  ", "", true),
        ] {
            assert_eq!(found(line), (expected.to_owned(), is_all), "{line:?}");
        }
    }
}
