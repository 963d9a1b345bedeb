//! The rule table's own examples, and what a redactor promises whatever the rules.

mod apart;
mod called;
mod forms;
mod guards;
mod joined;
mod judged;
mod long;
mod named;
mod near;
mod people;
mod picked;
mod placed;
mod said;
mod words;

use super::rules::rules;
use super::*;
use proptest::strategy::Strategy;

fn redactor() -> Redactor {
    Redactor::new(&[], &[7; 32]).0
}

pub(super) fn redact(text: &str) -> String {
    redactor()
        .redact(&Raw::new(text), &Part::default())
        .0
        .as_str()
        .to_owned()
}

/// Rules whose examples another one names that begins at the same place and goes as far.
const BY_ANOTHER: [(&str, &str); 6] = [
    ("openrouter", "sk_key"),
    ("pyx", "sk_key"),
    ("sk_vendor", "sk_key"),
    ("retell", "cursor"),
    ("lob", "twitch_stream"),
    ("gocardless", "twitch_stream"),
];

#[test]
fn each_rule_finds_its_examples_and_leaves_its_counterexamples() {
    let mut wrong = Vec::new();
    for rule in &rules().all {
        assert!(!rule.pos.is_empty(), "{} has no example", rule.id);
        // A key in the middle of what has no name of its own has no form to be sampled in.
        let sampled = rule.before.is_some() || rule.id == "private_key_end";
        assert!(
            sampled || !rule.neg.is_empty(),
            "{} has no counterexample",
            rule.id
        );
        assert!(rule.id.len() <= redacted::MAX_RULE, "{}", rule.id);
        for (n, example) in rule.pos.iter().enumerate() {
            let hits = redactor().check(example);
            let other = BY_ANOTHER.iter().find(|(id, _)| *id == rule.id);
            let by = other.map_or(rule.id.as_str(), |(_, by)| by);
            if !hits.iter().any(|hit| hit.rule == by) {
                let by: Vec<&str> = hits.iter().map(|h| h.rule.as_str()).collect();
                wrong.push(format!("{} pos {n}: by {by:?}", rule.id));
            }
        }
        for (n, example) in rule.neg.iter().enumerate() {
            if redact(example) != *example {
                wrong.push(format!("{} neg {n}", rule.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_secret_is_named_and_told_apart_and_its_neighbours_stay() {
    let one = redact("DB_PASSWORD=x8Kq2mP!z7Rw PORT=8080\nAPI_TOKEN=q81LmZ0kd9Xw2c\n");
    let two = redact("DB_PASSWORD=x8Kq2mP!z7Rw");
    assert!(one.starts_with("DB_PASSWORD=[REDACTED:assignment#"));
    assert!(one.contains(" PORT=8080\nAPI_TOKEN=[REDACTED:"));
    assert!(
        one.starts_with(&two),
        "equal secrets have equal placeholders"
    );
    let marks: Vec<&str> = one.matches('#').collect();
    assert_eq!(marks.len(), 2);
    assert_ne!(
        one.get(30..34),
        one.rsplit('#').next().and_then(|t| t.get(..4))
    );
}

#[test]
fn redacting_redacted_text_changes_nothing() {
    for rule in &rules().all {
        for example in &rule.pos {
            let once = redact(&format!("R: {example}\nnext"));
            assert_eq!(redact(&once), once, "{}", rule.id);
        }
    }
}

#[test]
fn a_value_seen_with_its_name_is_hidden_later_without() {
    let redactor = redactor();
    let part = Part::default();
    let secret = "x8Kq2mP!z7Rw";
    let _ = redactor.redact(&Raw::new(format!("DB_PASSWORD={secret}")), &part);
    let (later, hits) = redactor.redact(&Raw::new(format!("tried {secret} twice")), &part);
    assert_eq!(hits.len(), 1);
    assert!(!later.as_str().contains(secret));
    let coded = String::from_utf8(value::to_base64(secret.as_bytes())).unwrap();
    assert!(!redactor.check(&format!("data: {coded}")).is_empty());
}

#[test]
fn nothing_a_hit_shows_holds_a_byte_of_the_secret() {
    let secret = "x8Kq2mPz7RwQ41";
    let redactor = redactor();
    let raw = Raw::new(format!("DB_PASSWORD={secret}"));
    let (_, hits) = redactor.redact(&raw, &Part::default());
    let shown = format!(
        "{hits:?} {redactor:?} {raw:?} {}",
        serde_json::to_string(&hits).unwrap()
    );
    assert!(!(0..secret.len() - 3).any(|n| shown.contains(&secret[n..n + 4])));
    assert_eq!((hits[0].offset, hits[0].length.as_str()), (12, "8-15"));
}

#[test]
fn the_key_changes_the_fingerprint() {
    let of = |key: u8| {
        Redactor::new(&[], &[key; 32])
            .0
            .check("DB_PASSWORD=x8Kq2mP!z7Rw")[0]
            .fingerprint
            .clone()
    };
    assert_eq!(of(1), of(1));
    assert_ne!(of(1), of(2));
}

#[test]
fn a_secret_file_hides_all_its_values() {
    let tool = ToolContext {
        name: "Read".to_owned(),
        path: Some("/app/.env".to_owned()),
        command: None,
    };
    let part = Part {
        tool: Some(&tool),
        call: false,
    };
    let text = "     1\u{2192}STALL=kranich-haus\n     2\u{2192}PORT=8080\n";
    let (redacted, _) = redactor().redact(&Raw::new(text), &part);
    assert!(
        redacted
            .as_str()
            .starts_with("     1\u{2192}STALL=[REDACTED:secret_file#")
    );
    assert!(redacted.as_str().ends_with("PORT=8080\n"));
}

/// What text can be made of to confuse a search: each rule's anchors and examples, escapes, controls,
/// marks of hidden values, characters of several bytes.
fn hostile() -> impl Strategy<Value = String> {
    let anchors = rules().all.iter().flat_map(|r| r.anchors.iter());
    let examples = rules().all.iter().flat_map(|r| r.pos.iter());
    let marks = [
        "\\",
        "\\n",
        "\\u001b[1m",
        "\\u0041",
        "\\\"",
        "%41",
        "%3D",
        "&quot;",
        "&#61;",
        "\u{1b}[31m",
        "\u{1b}]0;",
        "\u{1b}",
        "\u{200b}",
        "\u{ad}",
        "\u{feff}",
        "é",
        "→",
        "│",
        "🦀",
        "\u{202e}",
        "\0",
        "\r\n",
        "\n",
        "  12→",
        "+",
        " ",
        "=",
        ": ",
        "\"",
        "'",
        "`",
        "<",
        ">",
        "...",
        "…",
        "@",
        ":",
        "/",
        "&x=",
        "-----BEGIN ",
        "-----END ",
        "-----",
        "[REDACTED:jwt#0a1b]",
        "[REDACTED:",
        "#0a1b]",
        "[part withheld]",
        "x8Kq2mP!z7Rw",
        "q83Jd02mzKq81LmZxK7fT4wBvR2nYcE9hAqU5oPs",
    ];
    let own = |all: &mut dyn Iterator<Item = &str>| all.map(str::to_owned).collect::<Vec<_>>();
    let piece = proptest::prop_oneof![
        2 => proptest::sample::select(own(&mut anchors.map(String::as_str))),
        1 => proptest::sample::select(own(&mut examples.map(String::as_str))),
        5 => proptest::sample::select(own(&mut marks.into_iter())),
        2 => "\\PC{0,12}",
        2 => "[A-Za-z0-9+/=_-]{1,40}",
    ];
    let glue = proptest::sample::select(vec!["", " ", "\n", ", "]);
    let pieces = proptest::collection::vec((piece, glue), 0..40);
    pieces.prop_map(|all| all.into_iter().map(|(piece, glue)| piece + glue).collect())
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(512))]
    #[test]
    fn any_text_survives_and_is_stable(text in hostile()) {
        let redactor = redactor();
        let found = redactor.search(&text, &Part::default()).expect("within what a search may look at");
        for pair in found.windows(2) {
            proptest::prop_assert!(pair[0].range.end <= pair[1].range.start);
        }
        for one in &found {
            proptest::prop_assert!(text.get(one.range.clone()).is_some_and(|t| !t.is_empty()));
        }
        let (once, hits) = redactor.redact(&Raw::new(text.as_str()), &Part::default());
        proptest::prop_assert_eq!(hits.len(), found.len());
        // What is hidden stays hidden, under the same name; beside it, a neighbour may be seen anew.
        let again = redact(once.as_str());
        let mut later = placeholders(&again).into_iter();
        for one in placeholders(once.as_str()) {
            proptest::prop_assert!(later.any(|l| l == one), "{} became {}", once, again);
        }
    }
}

fn placeholders(text: &str) -> Vec<&str> {
    let ranges = redacted::placeholders(text.as_bytes());
    ranges.into_iter().filter_map(|r| text.get(r)).collect()
}

/// A text made of one unit over and over.
fn repeated(unit: &str, len: usize) -> String {
    unit.repeat(len / unit.len() + 1)
}

#[test]
fn no_unit_over_and_over_makes_a_search_look_at_much_more_than_the_text() {
    const LEN: usize = 4_000;
    let anchors = rules().all.iter().flat_map(|r| r.anchors.iter());
    let mut wrong = Vec::new();
    for anchor in anchors {
        for tail in ["", "a", " ", "\n", "\"", "='"] {
            let unit = format!("{anchor}{tail}");
            let text = repeated(&unit, LEN);
            let cost = work::count(|| scan::scan(text.as_bytes(), 0)) / text.len();
            if cost > 400 {
                wrong.push(format!("{unit:?}: {cost} a byte"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of them\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn a_line_full_of_prompts_is_read_once() {
    for unit in [
        "\u{276f} ",
        "\u{279c} a ",
        "$ a ",
        "<bash-input>$ a ",
        "$ cat <<",
        ">>> ",
    ] {
        let text = repeated(unit, 4_000);
        let cost = work::count(|| redactor().find(&text, &Part::default())) / text.len();
        assert!(cost < 100, "{unit:?}: {cost} a byte");
    }
    let text = format!(
        "{} x\n\u{276f} cat .env\nPW=kranich-haus\n",
        repeated("\u{276f} ", 4_000)
    );
    let (part, _) = redactor().redact(&Raw::new(text.as_str()), &Part::default());
    assert!(!part.as_str().contains("kranich-haus"));
}

#[test]
fn a_long_run_of_what_begins_a_web_token_is_none_and_is_shown() {
    let header = repeated("-eyJhbGciOiJIUzI1NiJ\u{39}", 30_000);
    for text in [
        repeated("-eyJ", 60_000),
        format!("{header}{} and on", repeated("-", 30_000)),
    ] {
        let (part, hits) = redactor().redact(&Raw::new(text.as_str()), &Part::default());
        assert!(part.as_str() == text, "{hits:?}");
    }
}

#[test]
fn a_search_that_looks_at_too_much_withholds_the_part() {
    let redactor = redactor();
    let text = "DB_PASSWORD=x8Kq2mP!z7Rw and more";
    let spent = guarded(|| {
        work::within(text.len(), || {
            work::spend(usize::MAX);
            redactor.find(text, &Part::default())
        })
    });
    let (part, hits) = shown(text, spent.flatten());
    assert_eq!(part.as_str(), "[part withheld]");
    assert_eq!(hits[0].rule, "withheld");
}

#[test]
fn a_hit_with_its_place_survives_being_stored() {
    let text = format!("key gh{}_{}", 'p', "9fKq2LmZx7Tb4WvRc1YsHd8NgJ6UeA3oPi5B");
    let mut hit = redactor().check(&text).remove(0);
    hit.place = Some(crate::source::Place {
        source: "/s.jsonl".to_owned(),
        offset: 7,
    });
    let stored = serde_json::to_string(&hit).unwrap();
    assert_eq!(serde_json::from_str::<Hit>(&stored).unwrap(), hit);
}

#[test]
fn a_whole_token_is_hidden_even_if_typed_by_hand_and_filler_stays() {
    let alphabet: String = ('A'..='P').collect();
    for (before, body, hidden) in [
        ("AK\u{49}A", alphabet.as_str(), true),
        ("gh\u{70}_", &"a".repeat(36), true),
        ("gh\u{70}_", &"b".repeat(35), false),
        ("gh\u{70}_", &"x".repeat(36), false),
        ("gh\u{70}_", &"0".repeat(36), false),
        ("AK\u{49}A", "IOSFODNN7EXAMPLE", false),
        ("EAA\u{41}", &"A".repeat(60), false),
        ("Authorization: Bearer ", &"x".repeat(40), true),
        ("'authorization': 'Bearer ", &"x".repeat(40), true),
        ("Authorization: Bearer ", &"x".repeat(20), false),
        (
            "Authorization: Bearer ",
            "YOUR_ACCESS_TOKEN_FROM_THE_SETTINGS",
            false,
        ),
        ("a Bearer ", &"x".repeat(40), false),
    ] {
        let shown = redact(&format!("see {before}{body} there"));
        assert_eq!(!shown.contains(body), hidden, "{before}{body}: {shown}");
    }
}

#[test]
fn a_key_block_with_one_real_line_is_hidden() {
    let block = |body: &str| {
        let mark = |what: &str| format!("-----{what} RSA PRIVATE {}-----", "KEY");
        redact(&format!("{}\n{body}\n{}", mark("BEGIN"), mark("END")))
    };
    for body in ["MIIB", "MIIBVQIBADANBgkq", "q83Jd02mzKq81LmZ\nq8=="] {
        assert!(!block(body).contains(&body[..4]), "{}", block(body));
    }
    for body in [
        "...",
        "key",
        "<your key here>",
        "[A-Z0-9]",
        "",
        "base64\ndata",
    ] {
        assert!(block(body).contains(body), "{}", block(body));
    }
}

#[test]
fn a_search_that_fails_withholds_the_part() {
    let text = "DB_PASSWORD=x8Kq2mP!z7Rw and more";
    let failed = guarded(|| -> Vec<Found> { panic!("a fault in a rule") });
    let (part, hits) = shown(text, failed);
    assert_eq!(part.as_str(), "[part withheld]");
    assert_eq!(
        (hits[0].rule.as_str(), hits[0].length.as_str()),
        ("withheld", "32-63")
    );
}

#[test]
fn after_a_failure_the_redactor_goes_on_hiding() {
    let redactor = redactor();
    let failed = guarded(|| {
        let _held = redactor.known.write().unwrap();
        panic!("a fault while values are remembered")
    });
    assert_eq!(failed, None::<()>);
    assert!(!redactor.check("DB_PASSWORD=x8Kq2mP!z7Rw").is_empty());
    assert!(!redactor.check("tried x8Kq2mP!z7Rw").is_empty());
}

#[test]
fn a_chosen_password_is_hidden_where_only_one_can_stand() {
    for (before, secret, after) in [
        ("PASSWORD=", "karli77", "\nPORT=80"),
        ("PASSWORD=", "hunter2", ""),
        ("my password is ", "Karlchen77", ". Good?"),
        ("mein Passwort ist ", "Karlchen77", ""),
        ("<password>", "hunter2", "</password>"),
        ("the password is ", "hunter2", ", she said"),
        ("sshpass -p ", "hunter2", " ssh x"),
        ("\"apiKey\": \"", "abc123def456", "\","),
        ("my api key is ", "abc123def456", ""),
        ("ENV SECRET_KEY ", "hunter22", ""),
        ("redis://:", "pa55", "@h:6379"),
        ("login --password ", "karli77", " --user x"),
        ("db_password=", "blue-horse-77", "&x=1"),
        ("password: ", "karli77", "\nuser: x"),
        ("password = ", "karli77", "\n"),
        ("pwd: '", "anna11", "'"),
    ] {
        let shown = redact(&format!("{before}{secret}{after}"));
        assert!(shown.starts_with(&format!("{before}[REDACTED:")), "{shown}");
        assert!(shown.ends_with(&format!("]{after}")), "{shown}");
    }
}

#[test]
fn names_types_and_placeholders_are_no_chosen_passwords() {
    for text in [
        "PASSWORD=changeme",
        "password=your-password-here1",
        "<password>your-password-here1</password>",
        "<input type=\"password\" id=\"field2\">",
        "password=12345",
        "password=password2",
        "login(password=password2, x)",
        "password = get_password2()",
        "password = newPassword2;",
        "(user: user1, password: secret2value)",
        "let token = tok1234;",
        "token: Uint8Array",
        "token: string255,",
        "password: sha256",
        "PASSWORD_HASH=argon2id",
        "_authToken=MYTOKEN1",
        "SESSION_TOKEN = \"imdsv2sessiontoken\"",
        "the password is base64 encoded",
        "the password is 12chars long",
        "first pass: phase2",
        "PASSWORD=${X1}",
        "[\"password\", \"account2\"]",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn numbers_before_a_random_tail_do_not_make_a_token_a_sample() {
    let ids = "123456789012-1234567890123";
    for (before, body, hidden) in [
        (
            "xox\u{62}-",
            format!("{ids}-VQFTBr4DCaeOcB3iXGNcOlUK"),
            true,
        ),
        (
            "xox\u{62}-",
            format!("{ids}-xxxxxxxxxxxxxxxxxxxxxxxx"),
            false,
        ),
        (
            "xox\u{62}-",
            format!("{ids}-your-token-goes-right-in"),
            false,
        ),
        ("xox\u{62}-", ids.to_owned(), false),
        (
            "hooks.slack.com/services\u{2f}",
            "T12345678/B12345678/XsCAjCAbVC9WVwUyHIrXzsFg".to_owned(),
            true,
        ),
    ] {
        let shown = redact(&format!("see {before}{body} there"));
        assert_eq!(!shown.contains(&body), hidden, "{shown}");
    }
}

#[test]
fn tokens_on_lines_after_each_other_stay_apart() {
    let gitlab = format!("glpat{}9-3R4CxEu7dPgdbAfxX6", '-');
    let npm = format!("npm{}BbrSK29CZTux1KMoBFeJDPYhgFy5pb20n4fa", '_');
    let parts = ["JhbGciOiJIUzI1NiJ9", "JzdWIiOiIxIn0"].map(|p| format!("ey{p}"));
    let jwt = format!("{}.c2lnbmF0dXJlLXNpZw", parts.join("."));
    for (text, rules) in [
        (format!("{gitlab}\n{npm}\nend"), ["gitlab", "npm"]),
        (format!("+{gitlab}\n+{jwt}\nend"), ["gitlab", "jwt"]),
        (format!("{jwt}\n{gitlab}\nend"), ["jwt", "gitlab"]),
    ] {
        let hits = redactor().check(&text);
        let found: Vec<_> = hits.iter().map(|h| h.rule.as_str()).collect();
        assert_eq!(found, rules);
        assert!(redact(&text).ends_with("]\nend"));
    }
}

#[test]
fn a_credential_with_its_scheme_is_no_neighbour_of_a_key_id() {
    let id = "AK\u{49}AYZ2BCTDCPZX7ISWJ";
    let token = "QVz1HwG9kX0HM9awdGDwcuCMGPYTZuHVvat77J9O";
    let rules = |text: String| -> Vec<String> {
        let hits = redactor().check(&text);
        hits.iter().map(|h| h.rule.clone()).collect()
    };
    let bearer = rules(format!("{id}\nAuthorization: Bearer {token}"));
    assert_eq!(bearer.last().map(String::as_str), Some("bearer"));
    let bare = rules(format!("{id}\n{token}"));
    assert_eq!(bare.last().map(String::as_str), Some("aws_secret"));
}

#[test]
fn what_a_person_called_no_secret_is_let_through_and_nothing_else() {
    let text = "DB_PASSWORD=hunter2Xk9q and API_TOKEN=other7Zk3mQ9; then hunter2Xk9q alone";
    let hits = redactor().check(text);
    let of = |at: usize| hits[at].fingerprint.clone();
    assert_eq!((hits.len(), of(0) == of(2)), (3, true), "{hits:?}");
    let allowing = redactor().allowing([of(0)]);
    assert!(allowing.is_allowed(&of(0)) && !allowing.is_allowed(&of(1)));
    let (shown, left) = allowing.redact(&Raw::new(text), &Part::default());
    assert_eq!(left.len(), 1);
    assert!(
        shown
            .as_str()
            .starts_with("DB_PASSWORD=hunter2Xk9q and API_TOKEN=[REDACTED:")
    );
    assert!(shown.as_str().ends_with("then hunter2Xk9q alone"));
    // A value that only holds it is another one.
    let longer = allowing.check("DB_PASSWORD=hunter2Xk9qAndMore");
    assert_eq!(longer.len(), 1);
    // A part that was withheld whole has no value that could be named.
    let all = redactor().allowing([NO_FINGERPRINT.to_owned()]);
    assert!(!all.is_allowed(NO_FINGERPRINT));
}
