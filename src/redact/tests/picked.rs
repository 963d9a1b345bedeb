//! Passwords as people pick them and programs print them, and names that only few programs have.

use super::redact;

fn hidden(texts: &[(&str, &str)]) {
    for (form, value) in texts {
        let text = form.replace("{v}", value);
        let shown = redact(&text);
        assert!(!shown.contains(value), "{text}: {shown}");
    }
}

#[test]
fn words_in_camel_case_with_a_number_are_passwords_where_one_stands() {
    for form in [
        "sonar.jdbc.password={v}\n",
        "passwd={v}\n",
        "environment:\n  FAIL3_PSQL_PASSWORD: {v}\n  PORT: 3\n",
        "password: {v}\n",
        "tool --password {v} run\n",
        "<Pass>{v}</Pass>",
        "db_password = \"{v}\"\n",
    ] {
        hidden(&[
            (form, "KestrelThis4PoplarPas"),
            (form, "KestrelPas123"),
            (form, "PoplarPw57"),
        ]);
    }
    for text in [
        "password = V1SecretProjection",
        "password: Http2TokenStore\n",
        "passwd=Fts5HashEntry;",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn four_groups_of_letters_are_the_password_of_an_application() {
    for form in [
        "SMTP_PASSWORD={v}\n",
        "SMTP_PASSWORD=\"{v}\"\n",
        "mail:\n  password: {v}\n",
        "{\"pass\": \"{v}\"}",
        "the password is {v} for now",
        "mail.password = '{v}'",
    ] {
        hidden(&[(form, "qxkv wjzt rbpn hgmd")]);
    }
    for text in [
        "password: must have some more\n",
        "password = \"only have four word\"\n",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn signs_that_stand_for_letters_make_no_variable() {
    for form in [
        "DB_PASSWORD={v}\n",
        "password = \"{v}\"",
        "db:\n  password: {v}\n",
        "postgres://app:{v}@db:5432/x",
    ] {
        hidden(&[
            (form, "$h@d0w435"),
            (form, "$p4rr0w77"),
            (form, "$ging3r89"),
        ]);
    }
    for text in [
        "password = \"$user@db1\"",
        "DB_PASSWORD=$s3bucket\n",
        "password: $oauth2token\n",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn who_was_denied_is_no_password() {
    for text in [
        "ERROR 1045 (28000): Access denied for user 'app_rw'@'10.0.0.57' (using password: YES)",
        "denied for app_rw@10.0.0.57 (using password: YES)",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn brackets_in_no_order_are_no_template() {
    let value = "{{k}o)p${e]nob(fy[kinds>-_$#tulip}}";
    for form in [
        "apikey := \"{v}\"",
        "apikey[] = \"{v}\"",
        "some_dict[\"secret\"] = \"{v}\"",
        "private_key '{v}';",
        "my_password = {v}\n",
    ] {
        hidden(&[(form, value)]);
    }
    for text in [
        "password: \"{{ .Values.db.password }}\"",
        "secret = \"${{ secrets.DB_PASSWORD }}\"",
        "password = \"{f(a[0])}(b)[c]{d}\"",
        "password = r\"^(?=.*[a-z)])[A-Z]{8}$\"",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn names_that_few_programs_have_name_secrets() {
    let hex = "9f2c4e7a1b8d03f65c7e9a0b4d2f8e61";
    let id = "9f2c4e7a-1b8d-43f6-a5c7-e9a0b4d2f8e6";
    for (name, value) in [
        (
            "ACTIVE_RECORD_ENCRYPTION_PRIMARY_KEY",
            "q7Zk20Vd9sLmW3xTbY8uHcR1eJ5nPa4K",
        ),
        ("APP_KEYS", "q7Zk20Vd9sLmW3xTbY8uHc=="),
        ("AGORA_APP_CERTIFICATE", hex),
        ("API_TOKEN_SALT", "q7Zk20Vd9sLmW3xTbY8uHc=="),
    ] {
        for form in [
            "{n}={v}\n",
            "env:\n  {n}: {v}\n  A: 1\n",
            "\"{n}\": \"{v}\",",
        ] {
            hidden(&[(&form.replace("{n}", name), value)]);
        }
    }
    hidden(&[
        ("export KEY={v}\n", id),
        ("env:\n  - name: KAGGLE_KEY\n    value: \"{v}\"\n", hex),
        (
            "env:\n  - name: CYPRESS_RECORD_KEY\n    value: \"{v}\"\n",
            id,
        ),
        ("  hidden_secret: {v}\n", "kestrel7"),
        ("gi_reo_gi_api = \"{v}\"", "q7zk20vd9slmw3xtby8uh"),
        ("password = '{v}'\n", "swordfish"),
    ]);
    for text in [
        "env:\n  - name: CACHE_KEY\n    value: \"deps\"\n",
        "base_api = \"https://api.host.example/v2\"",
        "password = \"required\"",
        "password = 'user_password'",
        "token = lexeme2",
        "password = \"textfield\"",
        "\"password\": \"inserisci una nuova chiave\",",
        "password = \"saisissez votre nouveau code\"",
    ] {
        assert_eq!(redact(text), text);
    }
}
