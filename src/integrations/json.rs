//! JSON as text: where each value stands, so that one can be changed and all others stay as they are.

use serde::de::IgnoredAny;
use std::ops::Range;

/// A text that is no JSON, or not of the shape that a tool's settings have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {what}")]
pub struct SyntaxError {
    /// From 1.
    pub line: usize,
    /// From 1, in bytes.
    pub column: usize,
    /// What was met, or wanted.
    pub what: String,
}

impl SyntaxError {
    /// At a byte of a text.
    pub(super) fn at(text: &str, byte: usize, what: impl Into<String>) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        Self {
            line: before.matches('\n').count() + 1,
            column: before.len() - before.rfind('\n').map_or(0, |n| n + 1) + 1,
            what: what.into(),
        }
    }
}

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Node {
    pub span: Range<usize>,
    pub kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Object(Vec<Member>),
    Array(Vec<Node>),
    String(String),
    True,
    Other,
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Member {
    pub key: String,
    /// Where its key begins.
    pub start: usize,
    pub value: Node,
}

impl Node {
    pub fn members(&self) -> &[Member] {
        match &self.kind {
            Kind::Object(members) => members,
            _ => &[],
        }
    }

    pub fn items(&self) -> &[Node] {
        match &self.kind {
            Kind::Array(items) => items,
            _ => &[],
        }
    }

    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::String(text) => Some(text),
            _ => None,
        }
    }

    pub fn is_object(&self) -> bool {
        matches!(self.kind, Kind::Object(_))
    }

    pub fn is_array(&self) -> bool {
        matches!(self.kind, Kind::Array(_))
    }

    /// The member of this name; of twins the last, which is the one that counts.
    pub fn member(&self, key: &str) -> Option<&Member> {
        self.members().iter().rev().find(|m| m.key == key)
    }

    /// The value of the member of this name.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.member(key).map(|m| &m.value)
    }
}

/// Reads a text.
pub(super) fn parse(text: &str) -> Result<Node, SyntaxError> {
    if text.starts_with('\u{feff}') {
        let what = "the file begins with a byte order mark, which is no JSON; save it without one";
        return Err(SyntaxError::at(text, 0, what));
    }
    // What is no JSON is found by a parser that says so well, and nesting is bounded by it.
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or_default();
        return Err(SyntaxError {
            line: error.line(),
            column: error.column(),
            what: what.to_owned(),
        });
    }
    let mut scan = Scan { text, at: 0 };
    let node = scan.value();
    node.ok_or_else(|| SyntaxError::at(text, scan.at, "a value was expected"))
}

/// Walks over a text that is known to be JSON.
struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl Scan<'_> {
    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while self.next().is_some_and(|b| b.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn value(&mut self) -> Option<Node> {
        self.space();
        let start = self.at;
        let kind = match self.next()? {
            b'{' => Kind::Object(self.list(b'}', |scan| {
                let start = scan.at;
                let key = scan.string()?;
                scan.space();
                scan.at += 1;
                let value = scan.value()?;
                Some(Member { key, start, value })
            })?),
            b'[' => Kind::Array(self.list(b']', Self::value)?),
            b'"' => Kind::String(self.string()?),
            _ => {
                let ends = |b: u8| b.is_ascii_whitespace() || matches!(b, b',' | b'}' | b']');
                while self.next().is_some_and(|b| !ends(b)) {
                    self.at += 1;
                }
                match self.text.get(start..self.at)? {
                    "true" => Kind::True,
                    _ => Kind::Other,
                }
            }
        };
        Some(Node {
            span: start..self.at,
            kind,
        })
    }

    fn list<T>(&mut self, close: u8, one: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.at += 1;
        let mut all = Vec::new();
        loop {
            self.space();
            match self.next()? {
                b if b == close => {
                    self.at += 1;
                    return Some(all);
                }
                b',' => self.at += 1,
                _ => all.push(one(self)?),
            }
        }
    }

    fn string(&mut self) -> Option<String> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.next()? {
                b'\\' => self.at += 2,
                b'"' => break,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        serde_json::from_str(self.text.get(start..self.at)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_found_where_it_stands() {
        let text = " {\"a\\u0062\": [1, {\"x\" : \"}\\\"]\"}], \"t\":true,\"t\": -2.5e3 }\n";
        let root = parse(text).unwrap();
        let list = root.get("ab").unwrap();
        assert_eq!(&text[list.span.clone()], "[1, {\"x\" : \"}\\\"]\"}]");
        assert_eq!(list.items()[1].get("x").unwrap().text(), Some("}\"]"));
        assert_eq!(&text[root.get("t").unwrap().span.clone()], "-2.5e3");
        assert_eq!(root.span, 1..text.len() - 1);
    }

    #[test]
    fn what_is_no_json_is_named_with_its_place() {
        let error = parse("{\n  // mine\n}").unwrap_err();
        assert_eq!((error.line, error.column), (2, 3), "{error}");
        let mark = parse("\u{feff}{}").unwrap_err();
        assert!(mark.what.contains("byte order mark"), "{mark}");
        for bad in ["", "{\"a\": 1,}", "{\"a\"", "nothing", "{} {}"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        let deep = "[".repeat(100_000);
        assert!(parse(&deep).is_err());
    }
}
