//! Values that a tool made and that are meant to be seen: classes of style sheets, colours, numbers of
//! things.

use super::super::super::value;

/// `styles__token--xZ1Ls`: an element of a style sheet, and the sum that a bundler put behind it.
pub(super) fn is_element_of_style(bytes: &[u8]) -> bool {
    let at = memchr::memmem::find(bytes, b"__").filter(|at| *at > 0);
    let Some((block, element)) = at.and_then(|at| bytes.split_at_checked(at)) else {
        return false;
    };
    let fits = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    let name = memchr::memmem::find(element, b"--").and_then(|at| element.get(2..at));
    let sum = name.and_then(|name| element.get(name.len() + 4..));
    let word = |w: &[u8]| !w.is_empty() && value::digits(w) == 0 && value::is_name_like(w);
    bytes.iter().all(fits)
        && word(block)
        && name.is_some_and(word)
        && sum.is_some_and(|sum| (4..=8).contains(&sum.len()))
}

/// `_header_3uy9j_76`: a class of a module of CSS, as bundlers name it.
pub(super) fn is_class_of_module(bytes: &[u8]) -> bool {
    if bytes.first() != Some(&b'_') || bytes.len() > 64 {
        return false;
    }
    let mut parts = bytes.rsplitn(3, |b| *b == b'_');
    let line = parts.next().unwrap_or(&[]);
    let sum = parts.next().unwrap_or(&[]);
    let name = parts.next().and_then(|head| head.get(1..)).unwrap_or(&[]);
    (1..=4).contains(&line.len())
        && line.iter().all(u8::is_ascii_digit)
        && sum.len() == 5
        && sum.iter().all(u8::is_ascii_alphanumeric)
        && name.len() >= 3
        && name
            .iter()
            .all(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b'-'))
        && value::is_name_like(name)
}

/// `…{262E99C9-6160-4871-ACEC-4E61736B6F21}`, `GUID::from_u128(0x…`: what Windows numbers things
/// with.
pub(super) fn is_guid(bytes: &[u8]) -> bool {
    const LEN: usize = 36;
    if memchr::memmem::find(bytes, b"GUID::from_u128(0x").is_some() {
        return true;
    }
    let body = bytes.strip_suffix(b"}").unwrap_or(&[]);
    let open = body.len().checked_sub(LEN + 1);
    let Some((head, [b'{', guid @ ..])) = open.and_then(|at| body.split_at_checked(at)) else {
        return false;
    };
    let groups = guid.split(|b| *b == b'-').map(<[u8]>::len);
    groups.eq([8, 4, 4, 4, 12])
        && guid.iter().all(|b| b.is_ascii_hexdigit() || *b == b'-')
        && head.iter().all(|b| b.is_ascii_uppercase() || *b == b'_')
}

/// `#3da5d0cc`.
pub(super) fn is_colour(bytes: &[u8]) -> bool {
    let hex = bytes.strip_prefix(b"#").unwrap_or(&[]);
    matches!(hex.len(), 3 | 4 | 6 | 8) && hex.iter().all(u8::is_ascii_hexdigit)
}

/// The address of an account or a contract on a chain.
pub(super) fn is_chain_address(bytes: &[u8]) -> bool {
    let hex = bytes.strip_prefix(b"0x").unwrap_or(&[]);
    hex.len() == 40 && value::is_hex(hex)
}
