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
