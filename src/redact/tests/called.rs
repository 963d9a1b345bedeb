//! What secrets are called besides a password, a token or a key; and what is only called so too.

use super::apart::all_stay;
use super::redact;

#[test]
fn secrets_of_many_names_are_hidden() {
    let token = format!("q83Jd02mz{}", "Kq81LmZx7Tb4WvRc1YsHd8N");
    for name in [
        "kek",
        "DEK",
        "master_kek",
        "totp_seed",
        "erlang_cookie",
        "pat",
        "PAT",
        "gh_pat",
        "GITLAB_PAT",
        "azure_devops_pat",
        "newrelic_license",
        "NEW_RELIC_LICENSE",
        "pepper",
        "PASSWORD_PEPPER",
        "service_role_key",
        "auth_string",
        "clave",
    ] {
        for (open, sign, close) in [("", "=", ""), ("\"", "\": \"", "\""), ("", ": ", "")] {
            let text = format!("{open}{name}{sign}{token}{close}");
            let shown = redact(&text);
            assert!(!shown.contains(&token), "{text}: {shown}");
        }
    }
    for text in ["UNLOCK_PIN=493817", "SIM_PIN=59371"] {
        assert_ne!(redact(text), text);
    }
}

#[test]
fn what_is_called_like_a_secret_and_is_none_stays() {
    all_stay(&[
        "conn = psycopg2.connect(host=\"db.local\", user=\"readonly7\", password=secret_of(\"db\"))",
        "function connect(host, nodeId = 'MDQ6VXNlcjE4NTY3') {}",
        "uri: mongodb+srv://<username>:<password>@cluster0.abcde.mongodb.net/test\nthe next line",
        "MONGO_URI=mongodb+srv://<username>:<password>@cluster0.abcde.mongodb.net/?retryWrites=true\n",
        "pat = re.compile(r'[a-z]+2')",
        "pat: '**/*.test2.ts'",
        "file_pat=\"*.tar.gz\"",
        "\"pat\": \"^v[0-9]+$\"",
        "pepper: 2 tsp",
        "pepper=black",
        "\"pepper\": \"chipotle\"",
        "\"clave\": \"valor\"",
        "clave: id_usuario2",
        "dek: \"A short text about the article\"",
        "sim_pin: required",
        "unlock_pin_length=6",
        "erlang_cookie_path=/var/lib/x2",
        "newrelic_license_url=https://docs.local/a",
        "totp_seed_length=32",
    ]);
}

#[test]
fn joined_words_in_quotes_are_a_password_under_its_name() {
    let words = ["cobalt", "anchor", "tiger", "mint"].join("-");
    for text in [
        "\"password\": \"{}\"",
        "db_password: '{}'",
        "passphrase = \"{}\"",
    ] {
        let shown = redact(&text.replace("{}", &words));
        assert!(!shown.contains(&words), "{shown}");
    }
    all_stay(&[
        "\"password\": \"must-be-long-enough\"",
        "\"password\": \"please-enter-your-code\"",
        "password: 'auth-form-input-field'",
        "\"passwordHelp\": \"some-words-about-length\"",
        "\"password\": \"user-login-form-password\"",
    ]);
}
