//! Values of any length, and of more than one line.

use super::redact;

/// A value is hidden whole however long it is: nothing that is read has a length at which it is let
/// through.
#[test]
fn a_long_value_is_hidden_whole() {
    let body = |n: usize| -> String {
        let letters = b"kQ7xZ2mP9vLr4TnWb8YhC3sDf6JgA5eU1oXi0BqNtRwSzKyHjMdVuFpGlEcIa";
        (0..n)
            .map(|i| char::from(letters[(i * i + i * 7 + i / 61) % letters.len()]))
            .collect()
    };
    let forms = [
        "\"refresh_token\": \"V\"",
        "{\"apiKey\":\"V\",\"x\":1}",
        "API_SECRET='V'",
        "export REFRESH_TOKEN=\"V\"",
        "const clientSecret = \"V\";",
        "API_SECRET=V",
        "password: V",
        "<api-key>V</api-key>",
        "https://deploy:V@git.acme.dev/x",
        "Authorization: Bearer V",
        "Cookie: session=V; theme=dark",
        "x-api-key: V",
        "--token V",
        "api_secret = “V”",
        "ID/PW: harry/V",
        "the password is V",
        "curl -u me:V https://h",
        "curl -u 'me:V' https://h",
        "CREATE USER a IDENTIFIED BY 'V';",
        "mysql -uroot -pV shop",
        "sshpass -p 'V' ssh h",
        "name,password,x\na,V,1",
        "echo V | docker login -u u --password-stdin",
        "sudo -S <<< 'V' ls",
        "Credentials.basic(\"u\", \"V\")",
        "auth=('u', 'V')",
        "[\"mysql\", \"-pV\"]",
        "h.local:5432:db:u:V",
        "expect \"password:\"\nsend \"V\\r\"",
        "me:{PLAIN}V",
        "password → V",
        "::add-mask::V",
        "password: |\n  V\nx: 1",
    ];
    for n in [900, 1_100, 2_100, 4_200, 7_000, 20_000] {
        for form in forms {
            let value = body(n);
            let text = form.replace('V', &value);
            let shown = redact(&text);
            for at in (0..n - 8).step_by(8) {
                assert!(
                    !shown.contains(&value[at..at + 8]),
                    "{form} of {n} from {at}: {}",
                    &shown[..shown.len().min(300)]
                );
            }
        }
    }
}

/// What `echo` writes into a store ends with a line's end.
#[test]
fn a_line_end_within_quotes_protects_nothing() {
    let (one, two) = ("kq7TzR2mWb9x", "Ju4hVn8sEe3Lp0Qd");
    for form in [
        r#"{"password": "@1\n", "user": "a"}"#,
        r#"{"password":"@1\n@2"}"#,
        r#"{"DB_PASSWORD":"@1\r\n"}"#,
        r#"{"api_key": "@1@2\n"}"#,
        r#"'password': '@1\n',"#,
        r#"{"password":"\n@1"}"#,
        r#"{"password":"@1 \n"}"#,
        r#"{\"password\":\"@1\\n\"}"#,
        "{\"password\": \"@1\n\"}",
    ] {
        let text = form.replace("@1", one).replace("@2", two);
        let shown = redact(&text);
        assert!(!shown.contains(one) && !shown.contains(two), "{shown}");
    }
    for text in [
        "{\"password\": \"\n\", \"x\": 1}",
        "say \"password: \"\nis wrong\"",
        r#"{"password": "must not be empty\n"}"#,
    ] {
        assert_eq!(redact(text), text);
    }
}
