//! Secrets in files, statements and answers that say by their form what stands where.

use super::apart::all_stay;
use super::redact;

#[test]
fn forms_that_say_what_stands_where_lose_their_secrets() {
    for text in [
        "<password>\n  {}\n</password>",
        "<server>\n <user>ada</user>\n <password>\n    {}\n </password>\n</server>",
        "<password value=\"{}\"/>",
        "[smtp.h.local]:587 ada@h.local:{}",
        "$ cat /etc/postfix/sasl_passwd\n[h.local]:587 ada:{}\n",
        "# userlist.txt\n\"ada\" \"{}\"\n",
        "chpasswd:\n  list: |\n    root:{}\n    ada:{}\n  expire: False\n",
        "$ cat /etc/rsyncd.secrets\nada:{}\n",
        "$ cat vault-password-file\n{}\n",
        "if password == f\"{}\":",
        "if (\"{}\".equals(password)) {",
        "if \"{}\" == password:",
        "assert \"{0}\".format(\"{}\") == PASSWORD",
        "User.withUsername(\"ada\").password(\"{noop}{}\")",
        "fly secrets set DB_PASSWORD={} JWT_KEY={}",
        "curl --user  'ada:{}' https://h.local",
        "curl -u \"$NAME\":\"{}\" https://h.local",
        "cf login -u ada -p {}",
        "az postgres flexible-server create -u ada -p {}",
    ] {
        for secret in ["x8Kq2mPz7Rw1", "Harbor.Kite_47"] {
            let shown = redact(&text.replace("{}", secret));
            assert!(!shown.contains(secret), "{text}: {shown}");
        }
    }
    let key = ["3f9d2c7a51e84b06", "a4c1d28e9b7f5063"].concat();
    for text in [
        "  # ssm.token will be updated\n  ~ resource \"aws_ssm_parameter\" \"token\" {\n      ~ value = \"old7Kq2mPz7Rw1\" -> \"{}\"\n",
        "echo \"MQTT_AUTH={}\" | sudo tee -a /etc/environment",
        "wandb login {}",
        "wandb login --relogin {}",
        "codecov.io/bash) -t {}",
        "sonar-scanner -Dsonar.login={}",
        "curl -u {}: https://h.local",
        "'passwordsalt' => '{}',",
        "$settings['hash_salt'] = '{}';",
        "accounts: [\"0x{}{}\"]",
    ] {
        let shown = redact(&text.replace("{}", &key));
        assert!(!shown.contains(&key), "{text}: {shown}");
    }
    let encoded = ["eDhLcTJt", "UHo3UncxVGI="].concat();
    for text in ["$ echo {} | base64 -d", "echo '{}' | base64 --decode"] {
        let shown = redact(&text.replace("{}", &encoded));
        assert!(!shown.contains(&encoded), "{text}: {shown}");
    }
}

#[test]
fn what_has_such_a_form_and_is_no_secret_stays() {
    all_stay(&[
        "<password>\n  <min>8</min>\n</password>",
        "<token>\n  identifier\n</token>",
        "<token value=\"identifier\"/>",
        "[2001:db8::1]:587 accepts mail:now2",
        "copy \"a\" \"b2\"\n",
        "\"first_name\" \"last_name2\"\n",
        "chpasswd:\n  list: |\n    root:$6$abc\n",
        "if \"text2\" == token_type:",
        "if token == \"{\":",
        "login as the user who made build2024",
        "echo hello | base64",
        "echo aGVsbG8gd29ybGQ= | base64 -d",
        "secrets set LOG_LEVEL=debug STAGE=prod",
        "curl -u ada: https://h.local",
        "-t  test2 of options",
        "the mnemonic is easy to learn and it helps a person to keep it in mind",
        "IDENTIFIED BY the statement2",
        "sonar.login=admin",
    ]);
}
