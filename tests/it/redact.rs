//! Redaction as a person meets it: the filter, and the scores on the shared texts.

use crate::seed::Seed;
use crate::support::{Home, shared};
use memd::redact::{Part, Redacted, Redactor, score};
use memd::source::Raw;
use memd::store::HiddenValue;

/// One prefix character is escaped, so that no scanner takes this file for a leak.
const SECRET: &str = "g\u{68}p_BbrSK29CZTux1KMoBFeJDPYhgFy5pb20n4fa";

fn redactor() -> Redactor {
    Redactor::new(&[], &[3; 32]).0
}

/// The shared vectors, where there are any.
fn vectors() -> Option<Vec<score::Vector>> {
    let table = std::fs::read_to_string(shared()?.join("cases/redaction/vectors.tsv")).unwrap();
    Some(score::vectors(&table).unwrap())
}

#[test]
fn the_filter_hides_secrets_and_lists_them_without_showing_them() {
    let home = Home::new();
    let input = format!("one\nGITHUB_TOKEN={SECRET}\nPORT=80\n");
    let done = home
        .memd(&home.path())
        .arg("redact")
        .write_stdin(input)
        .assert()
        .success();
    let out = String::from_utf8(done.get_output().stdout.clone()).unwrap();
    let err = String::from_utf8(done.get_output().stderr.clone()).unwrap();
    let mark = out.find('#').unwrap();
    assert_eq!(
        out.replace(&out[mark + 1..mark + 5], "…"),
        "one\nGITHUB_TOKEN=[REDACTED:github_pat#…]\nPORT=80\n"
    );
    assert!(
        err.starts_with("line 2: github_pat (32-63 bytes, #"),
        "{err}"
    );
    assert!(err.ends_with("hid 1 secret\n"), "{err}");
    for piece in [&out, &err] {
        assert!(!(0..SECRET.len() - 8).any(|n| piece.contains(&SECRET[n..n + 8])));
    }
}

#[test]
fn the_filter_uses_the_users_patterns_and_tells_of_a_broken_one() {
    let home = Home::new();
    std::fs::create_dir_all(home.config().parent().unwrap()).unwrap();
    std::fs::write(
        home.config(),
        r#"{"REDACT_EXTRA_PATTERNS": ["(", "acme-[0-9]{4}"]}"#,
    )
    .unwrap();
    let done = home
        .memd(&home.path())
        .arg("redact")
        .write_stdin("see acme-1234 there")
        .assert()
        .success();
    let out = String::from_utf8(done.get_output().stdout.clone()).unwrap();
    let err = String::from_utf8(done.get_output().stderr.clone()).unwrap();
    assert!(out.starts_with("see [REDACTED:extra_1#"), "{out}");
    assert!(
        err.starts_with("bad regex in REDACT_EXTRA_PATTERNS[0]: "),
        "{err}"
    );
}

#[test]
fn a_table_is_scored_by_class_and_a_bad_score_is_a_failure() {
    let home = Home::new();
    let table = home.path().join("table.tsv");
    let head = "expect\trule\ttext\tsplit\tid\tform\tmust_hide\tmust_keep\tnote";
    let secret = "q81LmZ0kd9Xw2c";
    let good = format!(
        "{head}\npos\tenv\t\"API_TOKEN={secret}\"\tdev\tP1\tenv\t[\"{secret}\"]\t[\"API_TOKEN\"]\t\nneg\tprose\t\"a token of thanks\"\tdev\tN1\tdoc\t[]\t[]\t\n"
    );
    std::fs::write(&table, good).unwrap();
    let score = || {
        let mut command = home.memd(&home.path());
        command.args(["redact", "--vectors"]).arg(&table);
        command.assert()
    };
    let out = String::from_utf8(score().success().get_output().stdout.clone()).unwrap();
    assert!(out.contains("recall        100.0 % (1 of 1)"), "{out}");
    let bad = format!(
        "{head}\npos\tprose\t\"my word is swordfish\"\tdev\tP1\tprose\t[\"swordfish\"]\t[]\t\n"
    );
    std::fs::write(&table, bad).unwrap();
    let out = String::from_utf8(score().code(1).get_output().stdout.clone()).unwrap();
    assert!(out.contains("prose") && out.contains(" P1"), "{out}");
    let none = [
        format!("{head}\npos\n"),
        format!("{head}\n"),
        String::new(),
        format!("{head}\nsecret\tenv\t\"a\"\tdev\tP1\tenv\t[]\t[]\t\n"),
    ];
    for none in none {
        std::fs::write(&table, none).unwrap();
        score().code(2);
    }
}

#[test]
fn the_shared_texts_are_redacted_as_well_as_ever() {
    let Some(vectors) = vectors() else { return };
    let score = score::score(redactor, &vectors);
    assert!(score.recall() >= 98.0, "{score}");
    assert!(score.false_alarms() <= 0.5, "{score}");
}

/// Cutting comes after, so wherever the digest cuts, no fragment of a hidden secret is left.
#[test]
fn no_cut_of_redacted_text_shows_a_secret() {
    let Some(vectors) = vectors() else { return };
    let redactor = redactor();
    for vector in vectors.iter().filter(|v| v.secret) {
        let (whole, hits) = redactor.redact(&vector.text, &Part::default());
        let shown = format!("{hits:?}{}", serde_json::to_string(&hits).unwrap());
        assert!(!vector.leaks(&shown), "{}", vector.id);
        if vector.leaks(whole.as_str()) {
            continue;
        }
        let cuts = (1..whole.chars()).step_by(7).chain([160, 240, 300, 2500]);
        for cut in cuts {
            for piece in [whole.shorten(cut), whole.ending(cut)] {
                assert!(!vector.leaks(piece.as_str()), "{} cut at {cut}", vector.id);
            }
        }
    }
}

#[test]
fn the_final_gate_changes_nothing_that_is_redacted() {
    let Some(vectors) = vectors() else { return };
    for vector in &vectors {
        let redactor = redactor();
        let (once, _) = redactor.redact(&vector.text, &Part::default());
        let prompt = Redacted::join([&Redacted::literal("memory"), &once], "\n\n");
        let (again, hits) = redactor.redact(&Raw::new(prompt.as_str()), &Part::default());
        assert_eq!(again, prompt, "{}", vector.id);
        assert!(hits.is_empty(), "{}", vector.id);
    }
}

#[test]
fn what_a_person_called_no_secret_is_shown_by_later_digests() {
    let home = Home::new();
    let seed = Seed::new(&home, "app");
    let value = ["hunter2", "Xk9q"].concat();
    let session = home.path().join("s.jsonl");
    let row = serde_json::json!({
        "type": "user", "uuid": "u1", "sessionId": "s", "cwd": seed.root,
        "message": {"role": "user", "content": format!("the DB_PASSWORD={value} of the sample")},
    });
    std::fs::write(&session, format!("{row}\n")).unwrap();
    let digest = || {
        let mut memd = home.memd(&seed.root);
        let done = memd
            .args(["digest", "--json", "--transcript"])
            .arg(&session);
        let out = done.assert().success().get_output().stdout.clone();
        serde_json::from_slice::<serde_json::Value>(&out).unwrap()
    };
    let list = || {
        let mut memd = home.memd(&seed.root);
        let done = memd.args(["redact", "--not-secret"]).assert().success();
        String::from_utf8(done.get_output().stdout.clone()).unwrap()
    };
    let hidden = digest();
    assert!(!hidden.to_string().contains(&value));
    assert!(list().starts_with("nothing was called"), "{}", list());
    let hit = &hidden["hits"][0];
    let text = |key: &str| hit[key].as_str().unwrap();
    let called = HiddenValue {
        fingerprint: text("fingerprint"),
        rule: text("rule"),
        length: text("length"),
    };
    let now = jiff::Timestamp::now();
    seed.store.set_not_secret(&seed.trust, called, now).unwrap();
    assert!(digest().to_string().contains(&value));
    let listed = list();
    assert!(
        listed.contains(called.fingerprint) && listed.contains("assignment (8-15 bytes)"),
        "{listed}"
    );
    seed.store
        .unset_not_secret(&seed.trust, called.fingerprint, now)
        .unwrap();
    assert!(!digest().to_string().contains(&value));
    home.memd(&seed.root).arg("verify").assert().success();
}
