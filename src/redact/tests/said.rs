//! Passwords in sentences and answers: whose they are, what they were before, what was asked.

use super::redact;

const SECRET: &str = "x8Kq2mPz7Rw1";

#[test]
fn an_answer_to_a_question_about_a_password_is_hidden() {
    for text in [
        "> what's the redis password?\nit's {}",
        "what is the password for staging?\n{}\n",
        "ada: what's the db password?\nbob: {}",
        "Q: what's the root pw?\nA: {}",
        "the api token of the bot?\n\n> use {}",
    ] {
        for secret in [SECRET, "kettle91otter"] {
            if secret != SECRET && text.contains("token") {
                continue;
            }
            let shown = redact(&text.replace("{}", secret));
            assert!(!shown.contains(secret), "{shown}");
        }
    }
    for text in [
        "forgot your password?\nSignup2",
        "is it a password?\nit's complicated",
        "which token?\nid2 or number3",
        "what does the password policy say?\nkettle91otter",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn whose_it_is_and_what_it_was_may_stand_between() {
    for text in [
        "temp password of ada = {}",
        "API token for the bot = {}",
        "The password I use there is: {}",
        "A temporary password is generated for root@localhost: {}",
        "log in as ada, {}",
        "You can log in with ada and {}.",
        "user ada password {}",
        "| db password | {} | prod |",
        "pw [-password: kettle91Lan-]{+password: {}+}",
        "isql -U sa -P {} -S h",
        "await client.auth('{}')",
        "ALTER USER 'ada'@'%' IDENTIFIED WITH caching_sha2_password BY '{}';",
        "id ada pw {}",
        "Trag bitte {} als Datenbank-Passwort in die .env ein.",
        "userlist x\n    user ada insecure-password {}\nstats auth ada:kettle91",
        "credentials are ada {}",
        "here are the creds:\nada\n{}",
    ] {
        let shown = redact(&text.replace("{}", SECRET));
        assert!(!shown.contains(SECRET), "{shown}");
    }
    for text in [
        "the redis password was changed from {1} to {2} this morning",
        "I rotated the password from {1} to {2}",
        "the old password was {1}, the new one is {2}",
    ] {
        let text = text.replace("{1}", "kettle91otter").replace("{2}", SECRET);
        let shown = redact(&text);
        assert!(!shown.contains("kettle91"), "{shown}");
        assert!(!shown.contains(SECRET), "{shown}");
    }
    for text in [
        "the login page version2",
        "password rules for users = none2",
        "the token moved from slot12 to slot13",
        "log in as usual, section12",
        "password fields are listed in: table12",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn what_is_made_of_a_text_or_stands_where_none_was_given_is_hidden() {
    for text in [
        "password: await hash('{}', 10)",
        "UPDATE t SET password=MD5('{}') WHERE id = 1;",
        "password = sys.argv[1] if len(sys.argv) > 1 else \"{}\"",
        "if (strcmp(password, \"{}\") == 0)",
        "password: {{ .Values.pw | default \"{}\" }}",
        "val dbPassword by lazy { \"{}\" }",
        "password: str = Field(\"{}\", env=\"PW\")",
    ] {
        let shown = redact(&text.replace("{}", "kettle91"));
        assert!(!shown.contains("kettle91"), "{shown}");
    }
    for text in [
        "password = get_secret(\"kettle91\")",
        "password_field = Field(\"password2\")",
        "if (strcmp(password, \"password1\") == 0)",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn the_entries_of_what_is_called_secrets_are_hidden() {
    for text in [
        "secrets:\n  jwt: {}\n  session: {}\nport: 80",
        "[secrets]\nmail = \"{}\"\n[server]\nport = 80",
        "api_keys: [{}, {}]",
        "passwords:\n  ada: {}\n  guest: {}",
    ] {
        let shown = redact(&text.replace("{}", "x8Kq2mPz7Rw1k9Pw"));
        assert!(!shown.contains("mPz7Rw1"), "{shown}");
        assert!(!shown.contains("[server]") || shown.contains("port = 80"));
    }
    let shown = redact("passwords:\n  ada: kettle91\n  guest: otter77");
    assert!(
        !shown.contains("kettle91") && !shown.contains("otter77"),
        "{shown}"
    );
    for text in [
        "secrets:\n  db:\n    file: ./db2.txt\n  name: team42",
        "secrets:\n  token: ${{ secrets.TOKEN2 }}",
        "tokens: [name1, number2]",
        "[secrets]\nfile = \"secrets2.txt\"",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn what_holds_a_key_says_what_it_is_for() {
    let hex = ["3f9d2c7a51e84b06", "c8641d8151f0d6be"].concat();
    for text in [
        "'crypt' => ['key' => '{}']",
        "encryption:\n  key: {}",
        "\"Jwt\": { \"Key\": \"{}\", \"Issuer\": \"h\" }",
    ] {
        let shown = redact(&text.replace("{}", &hex));
        assert!(!shown.contains(&hex), "{shown}");
    }
    for text in ["cache:\n  key: {}", "item: { key: \"{}\" }"] {
        let text = text.replace("{}", &hex);
        assert_eq!(redact(&text), text);
    }
}

#[test]
fn german_sentences_about_passwords_are_read() {
    for text in [
        "Das Passwort ist übrigens {}",
        "Mein API-Schlüssel lautet {}",
        "Der Zugang zum Server: root / {}",
        "nimm als Passwort {} für den Test",
        "Login geht mit ada und dem Kennwort {}",
        "das root-Passwort auf {} geändert",
    ] {
        let shown = redact(&text.replace("{}", SECRET));
        assert!(!shown.contains(SECRET), "{shown}");
    }
    for text in [
        "Das Passwort ist jetzt 12-stellig",
        "Der Zugang zum Server: siehe Seite12",
        "das Passwort auf Seite12 eingeben",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn a_value_ends_where_the_next_setting_begins() {
    let shown = redact("Host=h;Password=Summer2024x;SSL Mode=Require");
    assert!(
        shown.ends_with(";SSL Mode=Require") && !shown.contains("Summer"),
        "{shown}"
    );
    let shown = redact("{Host:db User:backup_user Password:x8Kq2mPz7Rw1 Port:5432}");
    assert!(
        shown.ends_with(" Port:5432}") && !shown.contains(SECRET),
        "{shown}"
    );
    let token = [
        "hvs.",
        "x8Kq2mPz7Rw1kT9vLs4dQ3nB",
        "x8Kq2mPz7Rw1kT9vLs4dQ3nB7yHc",
    ]
    .concat();
    let shown = redact(&format!("VAULT_TOKEN={token}\nPORT=30001\n"));
    assert!(shown.ends_with("\nPORT=30001\n"), "{shown}");
    let wrapped = ["x8Kq2mPz7Rw1kT9vLs4dQ3nB7y", "q7vLs4dQ3nB7yHcx8Kq2mPz7"];
    let shown = redact(&format!(
        "VAULT_TOKEN={token}\n{}\n{}\nend",
        wrapped[0], wrapped[1]
    ));
    assert!(
        !shown.contains("4dQ3nB7y") && shown.ends_with("\nend"),
        "{shown}"
    );
    for text in ["password=Matrix.Bailey.11", "password: \"Hund-Matrix.74\""] {
        assert!(redact(text).contains("[REDACTED"), "{text}");
    }
    for text in [
        "<div class=\"_password_lXNWo_42 styles__token--xZ1Ls\">",
        "github.com/a/http-auth\tv1.2.2\tMIT\ngithub.com/d/k9s\tv0.50.16\tApache2",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn logins_of_any_call_and_clause_lose_their_passwords() {
    for text in [
        "await login(page, 'ada@h.local', '{}');",
        "login_user(\"ada\", \"{}\")",
        "strcpy(cfg.password, \"{}\");",
        "opts.password(Some(\"{}\"));",
        "UserDefaults.standard.set(\"{}\", forKey: \"password\")",
        "the DB is at h.local, user ada, password {}, database nest.",
        "the old password expired yesterday, the new one is {}",
        "TODO: rotate the old db password {}",
        "my password isn't working: {}",
    ] {
        for secret in [SECRET, "kettle91otter"] {
            let shown = redact(&text.replace("{}", secret));
            assert!(!shown.contains(secret), "{shown}");
        }
    }
    for text in [
        "login(page, 'ada', 'step2')",
        "strcpy(cfg.password, \"changeme\");",
        "a username, password hashing2, and a database",
        "the old password policy v2 stays",
        "the new one is section12",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn tokens_of_clients_and_ids_of_front_ends_are_told_apart() {
    for text in [
        "client = slack.New(\"{}\")",
        "co = cohere.Client('{}')",
        "bot.run('{}')",
        "tgbotapi.NewBotAPI(\"{}\")",
    ] {
        let secret = "x8Kq2mPz7Rw1kT9vLs4dQ";
        assert!(
            !redact(&text.replace("{}", secret)).contains(secret),
            "{text}"
        );
    }
    for text in [
        "appId: \"1:384756102938:web:9f8e7d6c5b4a39281706f5\"",
        "authDomain: \"nest-1a2b3.firebaseapp.com\"",
        "-H \"X-Auth-Email: ada7@h4.local\"",
        "algoliasearch({appId: \"B1G2GM9NG0\", apiKey: k})",
        "Client(\"https://h2.local/v2\")",
    ] {
        assert_eq!(redact(text), text);
    }
}
