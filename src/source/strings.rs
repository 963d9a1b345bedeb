//! All strings inside a JSON value, however deep, one after the other.

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// Hands on each string in a value; of an object the values only.
pub(super) fn each_string(value: Option<&RawValue>, take: &mut dyn FnMut(&str)) {
    let Some(value) = value else { return };
    let mut from = serde_json::Deserializer::from_str(value.get());
    // What is damaged stops it, and is counted where the row is read.
    let _ = Strings(take).deserialize(&mut from);
}

struct Strings<'t>(&'t mut dyn FnMut(&str));

impl<'de> DeserializeSeed<'de> for Strings<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strings<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        (self.0)(text);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element_seed(Strings(self.0))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_key::<IgnoredAny>()?.is_some() {
            map.next_value_seed(Strings(self.0))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_of_any_depth_are_handed_on_and_keys_are_not() {
        let deep = format!("{}\"deep\"{}", "[".repeat(90), "]".repeat(90));
        let text = format!(r#"{{"key":"a","list":[1,null,true,{{"b":"c\u0064"}},{deep}]}}"#);
        let raw: Box<RawValue> = serde_json::from_str(&text).unwrap();
        let mut all = Vec::new();
        each_string(Some(&raw), &mut |text| all.push(text.to_owned()));
        assert_eq!(all, ["a", "cd", "deep"]);
        each_string(None, &mut |_| unreachable!());
    }
}
