//! Windows never show: the same is hidden whatever the input is cut into.

use super::super::rules::rules;
use super::window::complete;
use super::*;
use proptest::strategy::Strategy;

#[test]
fn a_secret_across_windows_is_hidden_whole_and_its_line_named() {
    let secret = "g\u{68}p_BbrSK29CZTux1KMoBFeJDPYhgFy5pb20n4fa";
    let filler = "an ordinary line of text, é, nothing in it\n";
    for shift in [0, 17] {
        let lines = USUAL.window / filler.len();
        let before = format!("{}{}", "x".repeat(shift), filler.repeat(lines));
        let text = format!("{before}token {secret} end\n{}", filler.repeat(4000));
        let mut out = Vec::new();
        let mut hits = Vec::new();
        let redactor = Redactor::new(&[], &[1; 32]).0;
        redactor
            .filter(&mut text.as_bytes(), &mut out, &mut |hit| hits.push(hit))
            .unwrap();
        let out = String::from_utf8(out).unwrap();
        assert_eq!(hits.len(), 1);
        assert_eq!(hits[0].line, lines + 1);
        assert!(!out.contains(&secret[4..12]));
        assert_eq!(
            out.len(),
            text.len() - secret.len() + "[REDACTED:github_pat#0000]".len()
        );
    }
}

const SMALL: Sizes = Sizes {
    window: 700,
    overlap: 3000,
    context: 3000,
    most: 1 << 20,
};

/// Reads so many bytes at a time, and fails in the end if it is told to.
struct Drip<'t> {
    text: &'t [u8],
    step: usize,
    fails: bool,
}

impl Read for Drip<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let most = to.len().min(self.step).min(self.text.len());
        let (now, later) = self.text.split_at(most);
        to[..most].copy_from_slice(now);
        self.text = later;
        if most == 0 && self.fails {
            return Err(io::Error::other("the cable was pulled"));
        }
        Ok(most)
    }
}

fn filtered(sizes: &Sizes, text: &[u8], step: usize) -> (String, Vec<(usize, String)>) {
    let (mut out, mut from) = (
        Vec::new(),
        Drip {
            text,
            step,
            fails: false,
        },
    );
    let redactor = Redactor::new(&[], &[1; 32]).0;
    let mut hits = Vec::new();
    let told = &mut |h: LineHit| hits.push((h.line, h.hit.rule));
    redactor
        .filter_by(sizes, &mut from, &mut out, told)
        .unwrap();
    (String::from_utf8(out).unwrap(), hits)
}

/// Lines of all kinds: ordinary ones, each rule's example, a key block, broken characters.
fn lines() -> impl Strategy<Value = Vec<u8>> {
    let examples = rules().all.iter().flat_map(|r| r.pos.iter().take(1));
    let examples: Vec<Vec<u8>> = examples.map(|e| e.clone().into_bytes()).collect();
    let key = "q83Jd02mzKq81LmZxK7fT4wBvR2nYcE9hAqU5oPsM1iD6gFjL0tXzWkNbVeHrCy3\n".repeat(20);
    let mark = |what: &str| format!("-----{what} RSA PRIVATE {}-----\n", "KEY");
    let block = format!("{}{key}{}", mark("BEGIN"), mark("END")).into_bytes();
    let odd = vec![
        b"caf\xc3".to_vec(),
        b"\xf0\x9f\x98".to_vec(),
        vec![0xff],
        "→é".into(),
    ];
    let line = proptest::prop_oneof![
        6 => "[a-z ,.é→{}();=]{0,120}".prop_map(String::into_bytes),
        3 => proptest::sample::select(examples),
        1 => proptest::strategy::Just(block),
        1 => proptest::sample::select(odd),
    ];
    proptest::collection::vec(line, 0..120).prop_map(|lines| lines.join(&b'\n'))
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(24))]
    #[test]
    fn windows_do_not_show(text in lines(), step in 1..2000_usize) {
        let whole = filtered(&USUAL, &text, usize::MAX);
        proptest::prop_assert_eq!(filtered(&SMALL, &text, step), whole);
    }
}

#[test]
fn what_stands_in_the_first_line_is_still_known_in_the_second_window() {
    let body = "q83Jd02mzKq81LmZxK7fT4wBvR2nYcE9hAqU5oPsM1iD6gFjL0tXzWkNbVeHrCy3\n";
    let begin = format!("-----BEGIN RSA PRIVATE {}-----\n", "KEY");
    for blank in 2900..3100 {
        let text = format!("{begin}{}{}", body.repeat(20), " x\n".repeat(blank / 3));
        let (out, _) = filtered(&SMALL, text.as_bytes(), 700);
        assert!(!out.contains(&body[8..16]), "{blank}");
    }
}

#[test]
fn a_second_key_after_a_line_without_words_is_one_hit_in_every_window() {
    let body = "q83Jd02mzKq81LmZxK7fT4wBvR2nYcE9hAqU5oPsM1iD6gFjL0tXzWkNbVeHrCy3\n".repeat(20);
    let mark = |what: &str| format!("-----{what} RSA PRIVATE {}-----\n", "KEY");
    let key = format!("{}{body}{}", mark("BEGIN"), mark("END"));
    let between = "→})((}}o}h(f(. ,= .}rv;;→),=.éé=té=}; d  éfé=) ;o\n".repeat(6);
    let after = "\nxqm,→é)=){(),w→)";
    let text = format!("{key}\n{between}{key}{after}");
    let whole = filtered(&USUAL, text.as_bytes(), usize::MAX);
    assert_eq!(whole.1.len(), 2);
    for step in (1..2000).step_by(71).chain([1848]) {
        assert_eq!(filtered(&SMALL, text.as_bytes(), step), whole, "{step}");
    }
}

#[test]
fn the_rows_of_a_table_know_its_header_in_every_window() {
    let row = |n: usize| format!("{n},user{n},kettle{}\n", 1000 + n);
    let rows: String = (0..2000).map(row).collect();
    let text = format!("a line before\n\nid,name,password\n{rows}\nafter,it,x\n");
    let (out, hits) = filtered(&SMALL, text.as_bytes(), 500);
    assert_eq!(hits.len(), 2000);
    assert!(!out.contains("kettle"));
    assert!(out.starts_with("a line before\n\nid,name,password\n0,user0,[REDACTED:"));
    assert_eq!(out.matches("id,name,password").count(), 1);
}

#[test]
fn what_was_read_before_an_error_is_copied() {
    let text = b"one\npassword=x8Kq2mPz7Rw\ntwo caf\xc3";
    let (mut out, mut from) = (
        Vec::new(),
        Drip {
            text,
            step: 5,
            fails: true,
        },
    );
    let redactor = Redactor::new(&[], &[1; 32]).0;
    let copied = redactor.filter(&mut from, &mut out, &mut drop);
    assert_eq!(copied.unwrap_err().to_string(), "the cable was pulled");
    let out = String::from_utf8(out).unwrap();
    assert!(out.starts_with("one\npassword=[REDACTED:"), "{out}");
    assert!(out.ends_with("\ntwo caf\u{fffd}"), "{out}");
}

#[test]
fn one_secret_that_fills_all_windows_is_withheld_and_the_rest_goes_on() {
    let sizes = Sizes {
        most: 20_000,
        ..SMALL
    };
    let token = format!("gh{}_{}", 'p', "x8Kq2mPz7RwQ41bN".repeat(4000));
    let text = format!("one\n{token}\ntwo\n{}", "three\n".repeat(2000));
    let (out, hits) = filtered(&sizes, text.as_bytes(), usize::MAX);
    assert!(
        out.starts_with("one\n[part withheld]\ntwo\nthree\n"),
        "{:.60}",
        out
    );
    assert!(out.ends_with("three\n") && out.len() > 12_000);
    assert_eq!(hits, [(2, "withheld".to_owned())]);
}

#[test]
fn a_large_part_is_searched_as_one() {
    let redactor = Redactor::new(&[], &[1; 32]).0;
    let filler = "an ordinary line of text, nothing in it\n".repeat(WHOLE / 40 + 1);
    let secret = "x8Kq2mPz7RwQ41";
    let text = format!("{secret}\n{filler}password={secret}\n");
    let (shown, hits) = redactor.redact(&crate::source::Raw::new(text.as_str()), &Part::default());
    assert!(!shown.as_str().contains(secret));
    let places: Vec<usize> = hits.iter().map(|h| h.offset).collect();
    assert_eq!(places, [0, text.len() - secret.len() - 1]);
    assert_eq!(redactor.check(&text), hits);
}

#[test]
fn a_half_character_waits_for_its_other_half() {
    assert_eq!(complete("aé".as_bytes()), 3);
    assert_eq!(complete(&"aé".as_bytes()[..2]), 1);
    assert_eq!(complete(&"a→".as_bytes()[..3]), 1);
    assert_eq!(complete(b"abc"), 3);
}
