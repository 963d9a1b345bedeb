//! What a value is made of decides in every form alike: by chance, of chosen words, of figures; what
//! is no secret stays in every form, too.

use super::redact;

/// Forms that hold a value under a password's or a secret's name.
const FORMS: [&str; 22] = [
    "{N}={v}",
    "export {N}={v}\n",
    "{N}=\"{v}\"",
    "{\"host\": \"h1\", \"{n}\": \"{v}\"}",
    "  \"{c}\": \"{v}\",\n  \"port\": 80",
    "{\\\"{n}\\\": \\\"{v}\\\", \\\"a\\\": 1}",
    "app:\n  {n}: {v}\n  port: 3",
    "  {k}: '{v}'\n",
    "{n} = \"{v}\"",
    "const {c} = '{v}';",
    "connect(host=\"h\", {n}=\"{v}\")",
    "put(\"{n}\", \"{v}\")",
    "tool --{k} {v} --x",
    "tool --{k}={v}",
    "<{c}>{v}</{c}>",
    "https://h.example/a?{n}={v}&x=1",
    "the {t} is {v} for now",
    "The {t} is `{v}`.",
    "{t}: {v}\n",
    "please use {v} as the {t}",
    "log in with {t} {v} please",
    "fyi the new {t} for staging is {v}, pls rotate",
];

fn written(form: &str, words: [&str; 2], value: &str) -> String {
    let [a, b] = words;
    let capital = |w: &str| format!("{}{}", w[..1].to_uppercase(), &w[1..]);
    form.replace("{N}", &format!("{a}_{b}").to_uppercase())
        .replace("{n}", &format!("{a}_{b}"))
        .replace("{c}", &format!("{a}{}", capital(b)))
        .replace("{k}", &format!("{a}-{b}"))
        .replace("{t}", &format!("{a} {b}"))
        .replace("{v}", value)
}

fn hidden(words: [&str; 2], values: &[&str]) {
    for form in FORMS {
        for value in values {
            let text = written(form, words, value);
            let shown = redact(&text);
            assert!(!shown.contains(value), "{text}: {shown}");
        }
    }
}

#[test]
fn what_chance_made_is_hidden_in_every_form() {
    let values = [
        "vqkzrwjxbthn",
        "QWZKVJXRBTPN",
        "hTqWxKzRvJbN",
        "wkqzr7vxjbhn",
        "RwQzk4VxJtbNmH",
        "q7vkzrwx2bjn",
    ];
    hidden(["wifi", "password"], &values);
    hidden(["api", "key"], &values);
    hidden(["access", "token"], &values);
}

#[test]
fn what_a_person_chose_is_hidden_in_every_form() {
    hidden(
        ["wifi", "password"],
        &[
            "summer-Raven73",
            "Willow2024!",
            "walnut5823",
            "cobalt-willow-otter-lantern",
        ],
    );
    for text in [
        "\"wifi_password\": \"river copper lamp thistle\"",
        "\"wifi_password\": \"WillowKettle\"",
        "\"wifi_password\": \"48213976\"",
        "wifi_password = 'marble.Oyster1'",
        "the wifi password is 48213976 for now",
    ] {
        assert!(redact(text).contains("[REDACTED:"), "{text}");
    }
}

#[test]
fn the_beginning_of_a_reference_or_a_sample_keeps_no_short_secret() {
    let secret = "x8Kq2mPz7RwL";
    for head in [
        "os.",
        "env.",
        "process.env.",
        "${X}",
        "$X",
        "%s",
        "<token>",
        "<your-token>",
        "xxxx",
        "your-api-key-",
        "****",
        "enc:",
        "file:",
        "vault:",
        "op://",
        "./",
        "[REDACTED:x#0000]",
    ] {
        for text in [
            format!("API_TOKEN={head}{secret}"),
            format!("\"apiToken\": \"{head}{secret}\""),
            format!("password: '{head}{secret}'"),
            format!("Authorization: Bearer {head}{secret}"),
        ] {
            assert!(
                !redact(&text).contains(&secret[2..]),
                "{text}: {}",
                redact(&text)
            );
        }
    }
    assert!(!redact("password: {{ x }}x8Kq2mPz7RwL\n").contains("mPz7"));
    for text in [
        "password: ${DB_PASSWORD}",
        "token = os.environ2.path",
        "api_key = \"${PREFIX}-worker-node1\"",
        "token: \"<your-token-here>\"",
        "password: {{ x }}-suffix1",
        "Authorization: Bearer ${API_TOKEN}",
        "Authorization: Bearer $API_TOKEN",
        "Authorization: Bearer <token>",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn any_name_that_ends_with_a_secrets_word_names_one() {
    let secret = "x8Kq2mPz7RwLd4Tv";
    for name in [
        "kek",
        "my_dek",
        "totp_seed",
        "erlang_cookie",
        "gh_pat",
        "newrelic_license",
        "pepper",
        "unlock_pin",
        "clave",
        "contrase\u{f1}a",
        "mdp",
        "Kennwort",
        "db_\u{43f}\u{430}\u{440}\u{43e}\u{43b}\u{44c}",
        "\u{5bc6}\u{7801}",
        "rootpw",
        "bindpw",
        "tokenValue",
        "client_secret_value",
        "pass_phrase",
        "recovery_key",
        "device_key",
        "unseal_key",
        "maps_key",
        "masterauth",
        "bearer",
        "keyphrase",
    ] {
        for text in [
            format!("\"{name}\": \"{secret}\""),
            format!("{name}: {secret}\n"),
        ] {
            assert!(!redact(&text).contains("mPz7"), "{text}: {}", redact(&text));
        }
    }
}

#[test]
fn a_password_is_found_before_its_name_and_in_questions() {
    for text in [
        "why does {} not work as the password?",
        "is {} the right password for the db?",
        "does {} still work as the root password",
        "can you try `{}` as the admin password?",
        "we have {} as the password on staging",
        "replace the placeholder with {}, that's the db password",
        "{} (that's the root password)",
        "just type {} when it asks for the password",
        "enter {} at the password prompt",
        "{} # root password",
        "root/{},root login password",
        "log in as bob / {}",
        "log in as bob with {}",
        "default login is admin with {}",
        "my password ({}) was rejected",
        "password? {}",
        "rotate {} please, it's the root password",
        "leaked: {} (staging password)",
        "my gh pat is {}9Kd",
        "the password isn't {} anymore",
        "wifi: HomeNet, pass: {}",
    ] {
        for value in ["x8Kq2mPz7RwL", "walnut5823", "Willow2024!"] {
            let text = text.replace("{}", value);
            assert!(!redact(&text).contains(value), "{text}: {}", redact(&text));
        }
    }
    for text in [
        "is python3 the right password hasher?",
        "use the same value as the password",
        "does it still work as the root password?",
        "version2 is the password protected one",
        "log in as bob / alice",
        "we use sessions as the auth token store",
        "step12 (that's the password step)",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn names_words_ids_and_samples_stay_in_every_form() {
    for text in [
        "token id=6513270e-269e-4d37-b2a7-4de452e6b438",
        "iconToken=arrow24",
        "colorToken: 'blue500'",
        "| Password | 12+ mixed |",
        "remote.origin.url=https://git.example/team/app2.git",
        "NODE_OPTIONS=--max-old-space-size=4096",
        "\"<ilo_password>\".toCharArray()",
        "rtsp://admin:<mysql_pwd>@h",
        "RECAPTCHA_SITE_KEY=6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI",
        "connect(user=user, password=password, token=token)",
        "{token: tokenValue, key: keyValue}",
        "\"key\": \"56395d45-66c5-48ec-af52-15c205ed554e\"",
        "\"repo_key\": \"local/tmp.4Yp2FOQI7j\"",
        "\"appId\": \"56395d45-66c5-48ec-af52-15c205ed554e\"",
        "\"password\": \"three-bounce-spinner\"",
        "key: _win32typing.PyPROPERTYKEY",
        "def f(password: str | None = ..., /) -> _win32typing.PyIMAPISession: ...",
        "install -c -m 644 /a/Lib/secrets.py /tmp/tmpz2nikr4y/installation/lib/python3.11",
        "password: /var/folders/q8xkz7wv/T/app",
        "self.assertEqual(passValue('str\\x00ing\\u20ac'), x)",
        "approved on commit `1ce7b69` (the simplify pass).",
        "{\"id\":\"a:b2:Token.Validate\",\"kind\":\"method\",\"signature\":\"func (t Token) Validate()\"}",
        "methods_unsupported_signature=methods_unsupported_signature",
        "\\fB\\-P\\fP,\\ \\fB\\-\\-passwd=DATEI\\fP",
        "      BUNDLE_HASH: ${BUNDLE_HASH:-5caea4e6b13c50d12c37}",
        "sqlplus ada/${SA_PASSWORD}@//api-4.example:1521/XE\n",
        "$ vault token lookup -field=accessor\n2c332989-6053-41bc-9dfa-e3c045b66b98",
        "\"password\": \"Enter your new password\"",
        "\"password\": \"user-profile-settings-page\"",
        "password: SecretString",
        "password = Secrets.Prod1",
        "password_min = 48213976",
        "the password is case-sensitive-and-long",
        "xsl:number token (CVE-2019-13117)",
        "echo \"<your-token>\" | gh secret set API_TOKEN",
        "passwordEncoder: bcrypt12",
    ] {
        assert_eq!(redact(text), text);
    }
}
