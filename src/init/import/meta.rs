//! memd 0.3's `meta.json`: its last distill of each project.

use crate::config::Places;
use crate::fs::FsError;
use crate::redact::first_whole;
use crate::store::{Before, Project};
use crate::text::visible_line;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::{Map, Value};
use std::path::Path;

/// The file, in memd's state.
pub(super) const NAME: &str = "meta.json";
/// At most this many bytes of it are read.
const LIMIT: u64 = 8 << 20;
/// Characters of a summary.
const SUMMARY: usize = 400;
/// Keys that a moment may stand under, the likeliest first.
const TIMES: [&str; 6] = ["last_distill", "last_run", "time", "at", "ts", "last"];

/// What 0.3 noted of each project.
#[derive(Debug, Default)]
pub(super) struct Meta(Map<String, Value>);

impl Meta {
    /// Reads the file; a missing one notes nothing.
    ///
    /// # Errors
    /// When it cannot be read, or is no JSON object.
    pub fn read(places: &Places) -> Result<Self, FsError> {
        let mut all = super::object(&places.state.join(NAME), LIMIT)?.unwrap_or_default();
        let inner = match all.get_mut("projects") {
            Some(Value::Object(inner)) => std::mem::take(inner),
            _ => Map::new(),
        };
        all.extend(inner);
        Ok(Self(all))
    }

    /// The last distill of a project, where it stands here with its moment.
    pub fn of(&self, project: &Project) -> Option<Before> {
        let is_it = |key: &str| {
            let path = Path::new(key);
            path == project.root || path.canonicalize().is_ok_and(|p| p == project.root)
        };
        let by_root = self.0.iter().find(|(key, _)| is_it(key));
        let by_name = || self.0.get_key_value(&project.name);
        let noted = by_root.or_else(by_name)?.1.as_object()?;
        // The moment may stand beside the rest, or the rest in an object of its own.
        let within = noted.get("last_distill").and_then(Value::as_object);
        let all = [Some(noted), within];
        let all = || all.iter().flatten();
        let text = |key: &str| {
            let found = all().find_map(|map| map.get(key)?.as_str());
            let line = found.map(visible_line).unwrap_or_default();
            first_whole(&line, SUMMARY).0.to_owned()
        };
        Some(Before {
            at: all().find_map(|map| TIMES.iter().find_map(|key| time(map.get(*key)?)))?,
            trigger: text("trigger"),
            model: text("model"),
            summary: text("summary"),
        })
    }
}

/// Seconds since 1970, or a time as Python writes it; one without a zone is taken for UTC.
fn time(value: &Value) -> Option<Timestamp> {
    match value {
        Value::Number(n) => Timestamp::from_second(n.as_f64()? as i64).ok(),
        Value::String(text) => text.parse().ok().or_else(|| {
            let local: DateTime = text.parse().ok()?;
            TimeZone::UTC.to_timestamp(local).ok()
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::ProjectId;

    fn of(text: &str) -> Option<Before> {
        let meta = Meta(serde_json::from_str(text).unwrap());
        meta.of(&Project {
            id: ProjectId::random().unwrap(),
            root: "/src/app".into(),
            name: "app".to_owned(),
            created: Timestamp::UNIX_EPOCH,
        })
    }

    #[test]
    fn a_last_distill_is_found_however_it_is_written() {
        let at = |text: &str| Some(of(text)?.at.to_string());
        let day = Some("2026-09-01T10:00:00Z".to_owned());
        for text in [
            r#"{"/src/app": {"last_distill": "2026-09-01T12:00:00+02:00"}}"#,
            r#"{"app": {"last_distill": "2026-09-01T10:00:00"}}"#,
            r#"{"/src/app": {"ts": 1788256800}}"#,
            r#"{"/src/app": {"last_distill": {"time": "2026-09-01T10:00:00Z"}}}"#,
        ] {
            assert_eq!(at(text), day, "{text}");
        }
        for text in [
            "{}",
            r#"{"/src/app": 5}"#,
            r#"{"/src/app": {"summary": "x"}}"#,
        ] {
            assert_eq!(at(text), None, "{text}");
        }
        let text =
            r#"{"/src/app": {"at": 1, "trigger": "sweep", "model": "haiku", "summary": "a\nb"}}"#;
        let before = of(text).unwrap();
        assert_eq!(
            (before.trigger.as_str(), before.model.as_str()),
            ("sweep", "haiku")
        );
        assert!(!before.summary.contains('\n'));
    }
}
