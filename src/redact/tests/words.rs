//! Words that are passwords by where they stand, in commands, calls and sentences; the same words
//! elsewhere stay.

use super::redact;

#[test]
fn where_only_a_password_can_stand_any_word_is_one() {
    for form in [
        "curl -u me:{} https://x.example",
        "mysql -u root -p{} db",
        "sshpass -p {} ssh x",
        "docker login -u me -p {}",
        "echo {} | sudo -S ls",
        "redis-cli -a {} ping",
        "openssl rsa -in a.pem -passin pass:{}",
        "auth=(\"user\", \"{}\")",
        "server.login('me', '{}')",
        "o.setPassword(\"{}\")",
        "machine x login y password {}",
        "machine x\n  login y\n  password {}",
        "db:5432:*:orchard:{}",
        "DB_PASSWORD: {}",
        "{\"DB_PASSWORD\": \"{}\"}",
        "  - POSTGRES_PASSWORD={}",
    ] {
        let shown = redact(&form.replace("{}", "grumblewort"));
        assert!(!shown.contains("grumblewort"), "{form}: {shown}");
    }
    for line in [
        "curl -u user:password https://x.example",
        "curl -u guest0:guest0 https://x.example",
        "curl -u USERNAME:APITOKEN https://x.example",
        "curl -u user:mypassword https://x.example",
        "mysql db -e x | find . -profile",
        "mysql -password",
        "docker login -u me -p changeme",
        "ldapsearch -x -s children -a always",
        "auth=(\"user\", \"secret\")",
        "page.login('user', 'password', 'welcomepage')",
        "o.setPassword(\"newPassword\")",
        "o.setPasswordHint(\"gardening\")",
        "RESET_PASSWORD: \"vergessen\",",
        "DB_PASSWORD: string",
        "\"DB_PASSWORD\": \"required\"",
        "password: gardening",
        "the machine has a login form; password gardening",
        "echo please wait for the gardening | sudo -S ls",
        "src/a.rs:5432:9:warning:unused",
    ] {
        assert_eq!(redact(line), line);
    }
}

#[test]
fn a_sentence_about_a_login_tells_its_password() {
    let [old, new] = ["karli", "nudel"].map(|word| format!("{word}{}", 77));
    for form in [
        "the login password is {}",
        "the login page password is {}",
        "the login is deploy and the password is {}",
        "use {} as the password",
        "Log in using `{}` as your password.",
        "username deploy password {}",
        "I changed the password from nudel77 to {}.",
        "I changed the password from {} to nudel77",
    ] {
        let shown = redact(&form.replace("{}", &old));
        assert!(
            !shown.contains(&old) && !shown.contains(&new),
            "{form}: {shown}"
        );
    }
    assert!(!redact("the secret is Blue-Heron-42").contains("Heron"));
    for line in [
        "use bcrypt as the password hash",
        "use something as the password",
        "I changed the password from the settings to the vault",
        "moved the password from config1 to config2",
        "the username or password is incorrect",
    ] {
        assert_eq!(redact(line), line);
    }
}
