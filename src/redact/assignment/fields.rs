//! The fields of a record: `"value": …`, `value = …`, `<value>…`, and which of them say what a
//! neighbour holds.

use super::operator::Operator;
use std::ops::Range;

/// The longest label, in bytes.
const LABEL: usize = 40;
/// Words that end the label of a field which names something.
const NAMING: [&[u8]; 2] = [b"name", b"key"];
/// Whole labels of such fields.
const NAMES: [&[u8]; 14] = [
    b"parameter",
    b"param",
    b"option",
    b"variable",
    b"var",
    b"property",
    b"setting",
    b"id",
    b"label",
    b"title",
    b"field",
    b"header",
    b"attribute",
    b"k",
];
/// Labels that end like a name's and are about something else.
const OTHERS: [&[u8]; 5] = [
    b"username",
    b"filename",
    b"hostname",
    b"pathname",
    b"classname",
];
/// Whole labels of fields that hold what a neighbour names; so does what ends with `value`.
const VALUES: [&[u8]; 10] = [
    b"val",
    b"v",
    b"content",
    b"contents",
    b"default",
    b"data",
    b"string",
    b"secretstring",
    b"secret-string",
    b"plaintext",
];

/// A field of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Field {
    pub label: Range<usize>,
    pub operator: Operator,
    /// Where its value begins, quote and all.
    pub at: usize,
}

/// The fields whose operators stand in a window, in order.
pub(super) fn fields(text: &[u8], window: Range<usize>) -> impl Iterator<Item = Field> {
    let body = text.get(window.clone()).unwrap_or(&[]);
    memchr::memchr3_iter(b':', b'=', b'>', body).filter_map(move |n| field(text, window.start + n))
}

/// The field whose operator stands here.
fn field(text: &[u8], sign: usize) -> Option<Field> {
    let next = text.get(sign + 1).copied().unwrap_or(0);
    let label = label(text, sign)?;
    let opens = label.start.checked_sub(1).and_then(|b| text.get(b)) == Some(&b'<');
    let (operator, len) = match text.get(sign)? {
        b'>' if opens => (Operator::Element, 1),
        b'=' if next == b'>' => (Operator::Equals, 2),
        b'=' if next != b'=' => (Operator::Equals, 1),
        b':' if next != b':' && next != b'/' => (Operator::Equals, 1),
        _ => return None,
    };
    let at = match operator {
        Operator::Element => sign + len,
        _ => blanks(text, sign + len),
    };
    Some(Field {
        label,
        operator,
        at,
    })
}

/// The label that ends before an operator.
pub(super) fn label(text: &[u8], sign: usize) -> Option<Range<usize>> {
    let from = sign.saturating_sub(LABEL + 16);
    let head = text.get(from..sign)?;
    let head = head.strip_suffix(b"]").unwrap_or(head).trim_ascii_end();
    let head = match head {
        [rest @ .., b'"' | b'\'' | b'`'] => rest,
        _ => head,
    };
    let label = head.iter().rev();
    let label = label.take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    let (len, end) = (label.count(), from + head.len());
    (1..=LABEL).contains(&len).then(|| end - len..end)
}

/// Whether a label announces a name.
pub(super) fn names(label: &[u8]) -> bool {
    let label = undashed(label);
    let is = |words: &[&[u8]]| words.iter().any(|w| w.eq_ignore_ascii_case(label));
    is(&NAMES) || NAMING.iter().any(|w| ends(label, w)) && !OTHERS.iter().any(|w| ends(label, w))
}

/// Whether a label announces the value of what a neighbour names.
pub(super) fn holds(label: &[u8]) -> bool {
    let label = undashed(label);
    ends(label, b"value") || VALUES.iter().any(|w| w.eq_ignore_ascii_case(label))
}

/// An option's name without its dashes.
fn undashed(label: &[u8]) -> &[u8] {
    let dashes = label.iter().take_while(|b| **b == b'-').count();
    label.get(dashes..).unwrap_or(label)
}

fn ends(label: &[u8], word: &[u8]) -> bool {
    label
        .len()
        .checked_sub(word.len())
        .and_then(|at| label.get(at..))
        .is_some_and(|tail| tail.eq_ignore_ascii_case(word))
}

/// After the blanks that stand here, up to 64.
pub(super) fn blanks(text: &[u8], at: usize) -> usize {
    super::operator::spaces(text, at, 64)
}

/// After the blanks and line ends that stand here, up to 128.
pub(super) fn space(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or(&[]).iter().take(128);
    at + rest.take_while(|b| b.is_ascii_whitespace()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_field_by_field() {
        let read = |text: &str| {
            let found = fields(text.as_bytes(), 0..text.len());
            found
                .map(|f| (text[f.label].to_owned(), text[f.at..].chars().next()))
                .collect::<Vec<_>>()
        };
        for text in [
            "{\"name\": \"a\", \"value\": \"b\"}",
            "name: a\nvalue: b",
            "name = a\nvalue=b",
            "<name>a</name><value>b</value>",
            "'name' => 'a', 'value' => 'b'",
        ] {
            let labels: Vec<_> = read(text).into_iter().map(|(l, _)| l).collect();
            assert_eq!(labels, ["name", "value"], "{text}");
        }
        assert_eq!(read("a == b && c::d http://x"), []);
        assert_eq!(read("value:   \"b"), [("value".to_owned(), Some('"'))]);
    }

    #[test]
    fn labels_say_which_field_names_and_which_holds() {
        for label in ["name", "Name", "ParameterKey", "key", "variable", "--name"] {
            assert!(names(label.as_bytes()), "{label}");
        }
        for label in [
            "value",
            "ParameterValue",
            "stringValue",
            "--value",
            "SecretString",
        ] {
            assert!(holds(label.as_bytes()), "{label}");
        }
        for label in ["username", "type", "description", "valueFrom", "values"] {
            assert!(
                !names(label.as_bytes()) && !holds(label.as_bytes()),
                "{label}"
            );
        }
    }
}
