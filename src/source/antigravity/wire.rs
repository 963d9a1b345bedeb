//! Protobuf as it lies on the wire: numbered fields, without a schema.
//!
//! Whatever the bytes are, reading them ends, holds no copy, and never panics.

/// Fields of one message; more are a sign that it is none.
const FIELDS: usize = 20_000;
/// Messages in messages that texts are looked for in.
const DEPTH: usize = 8;
/// Bytes of text gathered from one message.
const TEXT: usize = 1 << 20;

/// The bytes are no message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Damaged;

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    /// Four or eight bytes; nothing that memory needs is written so.
    Fixed,
}

/// One message, its fields in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Message<'a>(Vec<(u64, Value<'a>)>);

impl<'a> Message<'a> {
    /// Reads all fields of a message.
    ///
    /// # Errors
    /// When the bytes are not fields from end to end.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Damaged> {
        let mut fields = Vec::new();
        let mut rest = bytes;
        while !rest.is_empty() {
            if fields.len() == FIELDS {
                return Err(Damaged);
            }
            let tag = varint(&mut rest)?;
            let number = tag >> 3;
            if number == 0 || number >= 1 << 29 {
                return Err(Damaged);
            }
            let value = match tag & 7 {
                0 => Value::Number(varint(&mut rest)?),
                1 => fixed(&mut rest, 8)?,
                2 => {
                    let length = usize::try_from(varint(&mut rest)?).map_err(|_| Damaged)?;
                    Value::Bytes(take(&mut rest, length)?)
                }
                5 => fixed(&mut rest, 4)?,
                _ => return Err(Damaged),
            };
            fields.push((number, value));
        }
        Ok(Self(fields))
    }

    /// The number in a field; the last one counts, as the format wants.
    pub fn number(&self, field: u64) -> Option<u64> {
        self.0.iter().rev().find_map(|(n, value)| match value {
            Value::Number(number) if *n == field => Some(*number),
            _ => None,
        })
    }

    /// The bytes of each field of this number, in order.
    pub fn all(&self, field: u64) -> impl Iterator<Item = &'a [u8]> {
        self.0.iter().filter_map(move |(n, value)| match value {
            Value::Bytes(bytes) if *n == field => Some(*bytes),
            _ => None,
        })
    }

    /// The bytes of a field.
    pub fn bytes(&self, field: u64) -> Option<&'a [u8]> {
        self.all(field).last()
    }

    /// The text of a field; empty when there is none.
    ///
    /// # Errors
    /// When it is no UTF-8.
    pub fn text(&self, field: u64) -> Result<&'a str, Damaged> {
        let bytes = self.bytes(field).unwrap_or_default();
        std::str::from_utf8(bytes).map_err(|_| Damaged)
    }

    /// The message in a field; an empty one when there is none.
    ///
    /// # Errors
    /// When the bytes there are no message.
    pub fn message(&self, field: u64) -> Result<Message<'a>, Damaged> {
        Message::parse(self.bytes(field).unwrap_or_default())
    }

    /// All texts in the message and in what it holds, except in these fields: for messages whose
    /// fields nobody knows.
    pub fn texts(&self, except: &[u64]) -> String {
        let mut into = String::new();
        for (number, value) in &self.0 {
            if let Value::Bytes(bytes) = value
                && !except.contains(number)
            {
                gather(bytes, DEPTH, &mut into);
            }
        }
        into
    }
}

/// Adds the texts of a field. A field that is a message with texts in it is no text itself.
fn gather(bytes: &[u8], depth: usize, into: &mut String) {
    let before = into.len();
    if depth > 0
        && let Ok(inner) = Message::parse(bytes)
    {
        for (_, value) in &inner.0 {
            if let Value::Bytes(bytes) = value {
                gather(bytes, depth - 1, into);
            }
        }
    }
    if into.len() > before || into.len() + bytes.len() > TEXT {
        return;
    }
    let is_control = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.trim().is_empty() && !text.contains(is_control) => {
            if !into.is_empty() {
                into.push('\n');
            }
            into.push_str(text);
        }
        _ => {}
    }
}

fn varint(rest: &mut &[u8]) -> Result<u64, Damaged> {
    let mut value = 0;
    for n in 0..10 {
        let byte = take(rest, 1)?[0];
        value |= u64::from(byte & 0x7f) << (7 * n);
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err(Damaged)
}

fn fixed<'a>(rest: &mut &'a [u8], length: usize) -> Result<Value<'a>, Damaged> {
    take(rest, length).map(|_| Value::Fixed)
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Result<&'a [u8], Damaged> {
    let (taken, after) = rest.split_at_checked(length).ok_or(Damaged)?;
    *rest = after;
    Ok(taken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn fields_are_found_by_number_and_the_last_one_counts() {
        let bytes = b"\x08\x0e\x12\x02ab\x12\x02cd\x1d\0\0\0\0\x21\0\0\0\0\0\0\0\0\x08\x96\x01";
        let message = Message::parse(bytes).unwrap();
        assert_eq!(message.number(1), Some(150));
        assert_eq!(message.text(2), Ok("cd"));
        assert_eq!(message.all(2).count(), 2);
        assert_eq!(message.text(9), Ok(""));
        assert_eq!(message.message(9), Ok(Message(vec![])));
    }

    #[test]
    fn what_is_no_message_is_said_to_be_none() {
        for bytes in [
            &b"\x12\xff\xff\xff\xff\x0f"[..],
            b"\x12\x05ab",
            b"\x08",
            b"\x0b\x0c",
            b"\0\0",
            b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
            b"\x1d\0",
        ] {
            assert_eq!(Message::parse(bytes), Err(Damaged), "{bytes:?}");
        }
    }

    #[test]
    fn texts_of_unknown_fields_are_found_at_any_depth() {
        let bytes = b"\x0a\x07\x12\x05hello\x1a\x05world\x22\x02\x01\x02";
        let message = Message::parse(bytes).unwrap();
        assert_eq!(message.texts(&[]), "hello\nworld");
        assert_eq!(message.texts(&[3]), "hello");
        let mut deep = b"text at the bottom".to_vec();
        for _ in 0..40 {
            deep.splice(0..0, [0x0a, u8::try_from(deep.len()).unwrap()]);
        }
        // Deeper than anything real: it ends, with or without the text.
        Message::parse(&deep).unwrap().texts(&[]);
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            if let Ok(message) = Message::parse(&bytes) {
                message.texts(&[5]);
            }
            let mut nested = vec![0x0a, 0x7f];
            nested.extend(&bytes);
            let _ = Message::parse(&nested);
        }
    }
}
