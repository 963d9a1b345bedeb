//! What keeps a text (a placeholder's word, a reference's beginning, a mark of something hidden
//! before, characters that are not seen) keeps no secret beside it; and what it is for stays.

use super::{Part, Raw, redact, redactor};

const RANDOM: &str = "q7Zk20Vd9sLmW3xTbY8uHcR1eJ5nPa4K";

/// All letters of the secret are gone: no eight of them are left in a row.
fn is_gone(text: &str, secret: &str) -> bool {
    let shown = redact(text);
    let letters: Vec<char> = secret.chars().collect();
    letters
        .windows(8)
        .all(|w| !shown.contains(&w.iter().collect::<String>()))
}

#[test]
fn a_placeholders_word_keeps_nothing_of_a_random_value() {
    for word in [
        "example", "DUMMY", "changeme", "xxxx", "your-", "12345678", "000000", "redacted",
    ] {
        for at in [0, 7, 19, 32] {
            let secret = format!("{}{word}{}", &RANDOM[..at], &RANDOM[at..]);
            for text in [
                format!("DB_PASSWORD={secret}"),
                format!("api_key: \"{secret}\""),
                format!("token = '{secret}'"),
            ] {
                assert!(is_gone(&text, RANDOM), "{text}");
            }
        }
    }
}

#[test]
fn how_a_reference_begins_keeps_nothing_of_a_random_value() {
    for head in [
        "os.",
        "env.",
        "process.",
        "import.",
        "enc:",
        "vault:",
        "arn:",
        "file:",
        "pkcs11:",
        "sha256:",
        "sha512-",
        "${X}",
        "{{x}}",
        "<x>",
        "ssh-rsa",
        "age1",
        "op://",
        "x://",
        "[REDACTED]",
        "[REDACTED:x#0000]",
        "sk-...",
        "ENC[",
    ] {
        let text = format!("DB_PASSWORD={head}{RANDOM}");
        assert!(is_gone(&text, RANDOM), "{text}: {}", redact(&text));
        let quoted = format!("\"password\": \"{head}{RANDOM}\"");
        assert!(is_gone(&quoted, RANDOM), "{quoted}: {}", redact(&quoted));
    }
}

#[test]
fn what_marks_a_path_a_list_or_a_hole_keeps_nothing_of_a_random_value() {
    for form in [
        "token: \"ssh-rsa {}\"",
        "secret: \"AAAAC3NzaC1{}\"",
        "password: \"ab={}\"",
        "password: \":{};\"",
        "postgres://u:*{}@h/x",
        "postgres://u:[{}@h/x",
        "curl -u me:/{} https://x",
        "mysql -p{}.Wx shop",
        "api_key = \"{{}}\"",
        "api_key = \"a-z {}\"",
    ] {
        let text = form.replace("{}", RANDOM);
        assert!(is_gone(&text, RANDOM), "{text}: {}", redact(&text));
    }
}

#[test]
fn a_made_up_mark_of_what_was_hidden_protects_nothing() {
    let mark = "[REDACTED:x#0000]";
    for at in [0, 3, 16, 30, 32] {
        let secret = format!("{}{mark}{}", &RANDOM[..at], &RANDOM[at..]);
        for text in [
            format!("DB_PASSWORD={secret}"),
            format!("token: \"{secret}\""),
            format!("Authorization: Bearer {secret}"),
        ] {
            let shown = redact(&text);
            assert!(is_gone(&text, RANDOM), "{text}: {shown}");
            assert!(shown.contains(mark), "{shown}");
            assert_eq!(redact(&shown), shown);
        }
    }
    let token = format!("gh\u{70}_{mark}{}", "BbrSK29CZTux1KMoBFeJDPYhgFy5pb20n4fa");
    assert!(
        is_gone(&token, "BbrSK29CZTux1KMoBFeJDPYhgFy5pb20n4fa"),
        "{}",
        redact(&token)
    );
}

#[test]
fn what_is_not_seen_protects_no_token_and_no_name() {
    let token = "gh\u{70}_BbrSK29CZTux1KMoBFeJDPYhgFy5pb20n4fa";
    for unseen in [
        "\u{1}",
        "\u{b}",
        "\u{1f}",
        "\u{7f}",
        "\u{80}",
        "\u{200b}",
        "\u{301}",
        "\u{3164}",
        "\u{e0041}",
    ] {
        for at in [2, 4, 20] {
            let text = format!("see {}{unseen}{} there", &token[..at], &token[at..]);
            let shown = redact(&text);
            assert!(
                shown.starts_with("see [REDACTED:") && shown.ends_with(" there"),
                "{text:?}: {shown}"
            );
        }
        let text = format!("DB_PASS{unseen}WORD=x8Kq2mP{unseen}!z7Rw;");
        assert!(!redact(&text).contains("x8Kq2mP"), "{text:?}");
    }
    let wide = |text: &str| -> String {
        let one = |c: char| char::from_u32(u32::from(c) + 0xfee0).unwrap();
        text.chars().map(one).collect()
    };
    let text = format!("see {} there", wide(token));
    let shown = redact(&text);
    assert!(
        shown.starts_with("see [REDACTED:github_pat#") && shown.ends_with(" there"),
        "{shown}"
    );
    let text = format!("{}={}", wide("DB_PASSWORD"), wide("x8Kq2mP!z7Rw"));
    assert!(redact(&text).ends_with(']'), "{}", redact(&text));
}

#[test]
fn people_count_in_their_passwords() {
    for text in [
        "DB_PASSWORD=Company#12345678",
        "DB_PASSWORD=Summer2024!",
        "DB_PASSWORD=P@ssw0rd1",
        "password: \"Qwertz12345678\"",
        "mysql -u root -pHafenstadt shop",
        "DB_PASSWORD=Guitar.Raven33",
        "password: Guitar.Raven33\n",
        "\"password\": \"Guitar.Raven33\"",
        "db_password = 'Schatz_Verano-38'",
    ] {
        assert!(redact(text).contains("[REDACTED:"), "{text}");
    }
}

#[test]
fn references_placeholders_and_ids_stay() {
    for text in [
        "DB_PASSWORD=changeme",
        "password = Secrets.Prod1",
        "password: System.Int32",
        "token = Guitar.Raven33",
        "DB_PASSWORD=12345678",
        "DB_PASSWORD=vault:secret/data/app#password",
        "DB_PASSWORD=os.environ['DB_PASSWORD']",
        "password: vault:v1:8SDd3WHDOjf7mq69CyCqYjBXAiQQAVZRkFM13ok481zoCmHnSeDX9vyf7w==",
        "secret: sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "api_key: arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf",
        "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI\u{2f}K7MDENG/bPxRfiCYEXAMPLEKEY",
        "token: \"your-token-a1b2c3\"",
        "api_key = \"sk-…a9f2\"",
        "postgres://ada:__DB_PASSWORD__@h/x",
        "postgres://ada:TODO@h/x",
        "\"password.border\": \"#3da5d0cc\"",
        "gpg:                using RSA key 4AEE18F83AFDEB23A9C5D0E1F2A3B4C5D6E7F809",
        "gpg: Signature made Mon, using EDDSA key 4aee18f83afdeb23a9c5d0e1f2a3b4c5d6e7f809",
        "GPG_KEY=A035C8C19219BA821ECEA86B64E628F8D684696D",
        "Cache restored from key: Linux-cargo-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        " {readpassphrase.3 => readpassphrase.3bsd} | 2 +-",
        "\\fBpass:\\fR\\fIstring\\fR",
        "1) \"token:blacklist:a6d3db6b-1fff-4a9d-9e42-ea0199ae407c\"",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn a_secret_of_the_environment_is_known_whatever_it_is_made_of() {
    for value in [
        "a\"b'c[d]9x{e}",
        "correct horse battery staple",
        "two words 77!",
        "p(a)s;s w`o`rd,1",
        "x8Kq2mP\\z7Rw",
    ] {
        let redactor = redactor();
        redactor.remember("DB_PASSWORD", value);
        let shown = |text: &str| {
            redactor
                .redact(&Raw::new(text), &Part::default())
                .0
                .to_string()
        };
        for text in [
            format!("tried {value} once"),
            serde_json::json!({ "said": value }).to_string(),
        ] {
            assert!(
                shown(&text).contains("[REDACTED:"),
                "{text}: {}",
                shown(&text)
            );
        }
    }
    let redactor = redactor();
    for (name, value) in [
        ("EDITOR_HINT", "a b c d e f g 1!"),
        ("DB_PASSWORD", "password"),
        ("API_TOKEN", "/run/secrets/token.txt"),
    ] {
        redactor.remember(name, value);
        let text = format!("tried {value} once");
        let shown = redactor.redact(&Raw::new(&text), &Part::default()).0;
        assert_eq!(shown.as_str(), text);
    }
}

/// The rules of a form's field stand where its value would.
#[test]
fn rules_of_validation_are_no_values() {
    for text in [
        "'password' => 'required|min:8',",
        "'password' => 'required|string|min:8|confirmed',",
        "'api_token' => 'nullable|string|max:80|unique:users',",
        "\"password\": \"required|min:8\"",
    ] {
        assert_eq!(redact(text), text);
    }
    let shown = redact("'password' => 'harbor|lantern:kq7TzR2mWb9x8842317',");
    assert!(!shown.contains("kq7TzR2m"), "{shown}");
}
