//! A user and a password behind both their names, as people note them: `ID/PW: mira/…`,
//! `(id & pwd) -> mira, …`, `ID/Password for the box (mira/…)`.

use super::operator::spaces;
use std::ops::Range;

/// What people call the user, before the password's name.
const USER: [&[u8]; 9] = [
    b"id",
    b"uid",
    b"user",
    b"username",
    b"login",
    b"account",
    b"acct",
    b"email",
    b"usr",
];

/// Where the password begins, if both names stand here and both values follow.
pub(super) fn after(text: &[u8], name: &Range<usize>) -> Option<usize> {
    is_second(text.get(name.start.saturating_sub(16)..name.start)?).then_some(())?;
    let closed = name.end + usize::from(text.get(name.end) == Some(&b')'));
    let at = spaces(text, closed, 4);
    let rest = text.get(at..)?;
    let signs = [&b"->"[..], b"=>", b":", b"=", b"(", b"-"];
    let sign = signs.iter().find(|sign| rest.starts_with(sign));
    let user = match (sign, rest) {
        (Some(sign), _) => spaces(text, at + sign.len(), 4),
        (None, [b'f', b'o', b'r', b' ', ..]) => {
            let line = rest
                .get(..40)
                .unwrap_or(rest)
                .split(|b| *b == b'\n')
                .next()?;
            at + line.iter().position(|b| *b == b'(')? + 1
        }
        (None, _) if at > name.end => at,
        _ => return None,
    };
    let rest = text.get(user..)?;
    let word = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'@');
    let end = user + rest.iter().take(40).take_while(word).count();
    let gap = spaces(text, end, 4);
    let apart = matches!(text.get(gap), Some(b'/' | b',' | b':' | b'|' | b'(' | b';'));
    let value = spaces(text, gap + usize::from(apart), 4);
    let spaced = sign.is_some() && gap > end;
    let begins = text.get(value).is_some_and(u8::is_ascii_graphic);
    (end > user && (apart || spaced) && begins).then_some(value)
}

/// Whether a user's name and a joint end here: `ID/`, `user & `.
fn is_second(head: &[u8]) -> bool {
    let head = head.trim_ascii_end();
    let Some(head) = head
        .strip_suffix(b"/")
        .or(head.strip_suffix(b"&"))
        .or(head.strip_suffix(b"|"))
    else {
        return false;
    };
    let head = head.trim_ascii_end();
    let word = head.rsplit(|b| !b.is_ascii_alphanumeric()).next();
    USER.iter()
        .any(|user| word.is_some_and(|word| user.eq_ignore_ascii_case(word)))
}
