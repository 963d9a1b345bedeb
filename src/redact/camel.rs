//! Words with capitals and a number that a person chose for a password, where a type's name could
//! stand: `PoplarThis4RocketPas`, `HarborPas123`. And words in the writing of gamers: `$h@d0w435`.
//!
//! Bytes in, yes or no out; nothing is kept.

use super::phrase;
use super::work;

/// What people end a password with.
const ENDS: [&[u8]; 7] = [
    b"pas",
    b"pass",
    b"pw",
    b"pwd",
    b"passwd",
    b"password",
    b"passwort",
];
/// The shortest and longest such text, in bytes.
const LENGTHS: std::ops::RangeInclusive<usize> = 8..=48;
/// The shortest word that counts, in letters.
const WORD: usize = 4;

/// Whether a text is words in camel case that a person chose: a number among two words and more
/// that are rare in code, or `Pas123` behind such a word.
pub(super) fn is_chosen(value: &[u8]) -> bool {
    if !LENGTHS.contains(&value.len())
        || !value.first().is_some_and(u8::is_ascii_uppercase)
        || !value.iter().all(u8::is_ascii_alphanumeric)
    {
        return false;
    }
    work::spend(value.len());
    let (mut words, mut rare, mut numbers, mut figures) = (0, 0, 0, 0);
    let mut last: &[u8] = &[];
    let mut rest = value;
    while let Some(first) = rest.first() {
        let number = first.is_ascii_digit();
        let goes_on = |b: &&u8| match number {
            true => b.is_ascii_digit(),
            false => b.is_ascii_lowercase(),
        };
        let len = 1 + rest.iter().skip(1).take_while(goes_on).count();
        let (word, after) = rest.split_at(len);
        if number {
            numbers += 1;
            figures = len;
        } else {
            words += 1;
            rare += usize::from(len >= WORD && !phrase::is_common(word) && !says_pass(word));
            last = word;
        }
        rest = after;
    }
    let ends = value.last().is_some_and(u8::is_ascii_digit);
    numbers == 1
        && figures <= 4
        && match ends {
            true => says_pass(last) && words == 2 && figures >= 2 && (rare > 0 || figures >= 3),
            false => words >= 3 && rare >= 2,
        }
}

fn says_pass(word: &[u8]) -> bool {
    ENDS.iter().any(|end| end.eq_ignore_ascii_case(word))
}

/// Whether a text is a word in which figures and signs stand for letters, with one for its first: no
/// variable is called so. `$h@d0w435`, `$c0pp3r42`, `@m@rbl357`
pub(super) fn is_disguised(value: &[u8]) -> bool {
    let Some(word) = value.strip_prefix(b"$").or(value.strip_prefix(b"@")) else {
        return false;
    };
    let sign = |b: &u8| matches!(b, b'@' | b'$' | b'!');
    let fits = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit() || sign(b);
    if !(7..=24).contains(&value.len()) || !word.iter().all(fits) {
        return false;
    }
    let letters = word.iter().filter(|b| b.is_ascii_lowercase()).count();
    let number = word.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let head = word.iter().take_while(|b| b.is_ascii_lowercase()).count();
    let name = word.iter().take_while(|b| !sign(b)).count();
    let signed = word.contains(&b'@');
    let first = name <= 3 && (word.get(name) == Some(&b'@') || signed && name < word.len());
    let least = match number {
        2.. if head >= 2 || signed => 1,
        _ => 2,
    };
    letters >= 3 && number > 0 && (first || disguises(word) >= least)
}

/// How many runs of figures stand for letters: none at either end, and only such as look like one.
fn disguises(word: &[u8]) -> usize {
    let like = |b: &u8| matches!(b, b'0' | b'1' | b'3' | b'4' | b'5' | b'7');
    let all = word.split(|b| !b.is_ascii_digit());
    let runs = all.filter(|run| (1..=2).contains(&run.len()) && run.iter().all(like));
    let ends = |run: Option<&[u8]>| {
        run.is_some_and(|run| (1..=2).contains(&run.len()) && run.iter().all(like))
    };
    let first = ends(word.split(|b| !b.is_ascii_digit()).next());
    let last = ends(word.rsplit(|b| !b.is_ascii_digit()).next());
    runs.count() - usize::from(first) - usize::from(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_chose_is_told_from_types_and_variables() {
        for chosen in [
            "PoplarThis4RocketPas",
            "VioletMy3OnyxKey",
            "HarborPas123",
            "KettlePw57",
            "TestPass123",
        ] {
            assert!(is_chosen(chosen.as_bytes()), "{chosen}");
        }
        for name in [
            "V1SecretProjection",
            "Http2TokenStore",
            "Fts5HashEntry",
            "PKCS7PrivateKeyTypes",
            "HarborKettle",
            "NewPassword2",
            "UserPass12",
            "oauth2TokenHolder",
        ] {
            assert!(!is_chosen(name.as_bytes()), "{name}");
        }
        for word in [
            "$h@d0w435",
            "$c0pp3r42",
            "$un$h1n3r7",
            "$ging3r891",
            "$br33z3954",
            "@m@rbl357",
        ] {
            assert!(is_disguised(word.as_bytes()), "{word}");
        }
        for name in [
            "$user@db1",
            "$pass2word",
            "$s3bucket",
            "$a$b1",
            "$password42",
        ] {
            assert!(!is_disguised(name.as_bytes()), "{name}");
        }
    }
}
