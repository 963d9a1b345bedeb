//! The forms in which a secret stands in a transcript: each is written around one token of each
//! shape, and no eight characters of it may be left.

use super::redact;
use std::fmt::Write;

/// Tokens of different families, made as they are needed: none stands here.
fn tokens() -> Vec<String> {
    let body = "9fKq2LmZx7Tb4WvRc1YsHd8NgJ6UeA3oPi5BkX0wQz";
    let run = |len: usize| body.chars().cycle().take(len).collect::<String>();
    vec![
        format!("gh{}_{}", 'p', run(36)),
        format!("sk-{}-api03-{}-_{}", "ant", run(40), run(53)),
        format!("npm{}{}", '_', run(36)),
        format!("AKI{}{}", 'A', "T3FZBN7ZLVGB6BV2"),
        format!(
            "dop_v1{}{}",
            '_',
            "4c1d9ef77725a7fb0b9803d0711b028b".repeat(2)
        ),
    ]
}

/// The first eight characters of a token that a text still holds, if any.
fn left<'t>(token: &'t str, shown: &str) -> Option<&'t str> {
    let windows = (0..=token.len() - 8).map(|at| &token[at..at + 8]);
    windows.into_iter().find(|w| shown.contains(w))
}

fn hidden_in(forms: &[&str], written: impl Fn(&str) -> String) {
    let mut wrong = String::new();
    for token in tokens() {
        for form in forms {
            let shown = redact(&form.replace("{}", &written(&token)));
            if let Some(left) = left(&token, &shown) {
                let _ = writeln!(wrong, "{left} of {form:?}: {shown}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn whatever_stands_before_and_behind() {
    let forms = [
        "R: {}",
        "use ({}).",
        "**{}**, then",
        "a\u{200b}{}\u{200b}b",
        "key\u{1b}[31m{}\u{1b}[0m",
        "a\u{1b}]8;;http://h/?k={}\u{1b}\\b\u{1b}]8;;\u{1b}\\",
        "\u{1b}]0;{}\u{7}$",
        "key [1m{}[0m end",
        r"grep '\b{}\b' .",
        r"line\n{}\nline",
        r"line\\\\n{}\\\\nline",
        "tool -t{} run",
        "k%253D{}%2526x",
        "k&equals;{}&amp;x",
        "密钥是{}，请保存",
        "🔑{}🔒",
    ];
    hidden_in(&forms, str::to_owned);
}

#[test]
fn broken_into_lines_and_strings() {
    let forms = [
        "the key {}",
        "the key {}\n",
        "the key {} is new",
        "k = \"{}\";",
    ];
    let joints = [
        "\n",
        "\r\n    ",
        "\\\n",
        "│\n│ ",
        "\n+",
        "\n> > ",
        "\n  8→",
        "\n",
        "<br>",
        "\" + \"",
        "\" +\n  \"",
        "\"\n  \"",
        "' . '",
    ];
    for joint in joints {
        hidden_in(&forms, |token| {
            let (a, b) = token.split_at(token.len() - 12);
            format!("{a}{joint}{b}").replace('\'', "\"")
        });
    }
    let numbered = ["  7→x {}\n", "  7 x {}\n", "a/b.md:7:x {}\n", "-x {}\n"];
    for form in numbered {
        let gutter = form.split('x').next().unwrap().replace('7', "8");
        hidden_in(&[form], |token| {
            let (a, b) = token.split_at(token.len() - 12);
            format!("{a}\n{gutter}{b}")
        });
    }
}

#[test]
fn escaped_or_coloured_within() {
    let each = |written: fn(char) -> String| {
        hidden_in(&["x={} y"], |token| token.chars().map(written).collect());
    };
    each(|c| format!("\\u{:04x}", u32::from(c)));
    each(|c| format!("\\u{{{:x}}}", u32::from(c)));
    each(|c| format!("\\x{:02x}", u32::from(c)));
    each(|c| format!("\\{:03o}", u32::from(c)));
    each(|c| format!("%{:02X}", u32::from(c)));
    each(|c| format!("&#{};", u32::from(c)));
    each(|c| format!("{c}\u{200b}"));
    each(|c| format!("{c}\0"));
    each(|c| format!("{c}\\0"));
    for within in [
        "\u{1b}[1m",
        "^[[0m",
        "\\033[0m",
        "\u{1b}(B\u{1b}[m",
        "\u{202e}",
        "\u{fe0f}",
    ] {
        hidden_in(&["x {} y"], |token| {
            let (a, b) = token.split_at(token.len() / 2);
            format!("{a}{within}{b}")
        });
    }
}

#[test]
fn cut_off() {
    let marks = [
        "",
        "...",
        "…",
        " [truncated]",
        "\n... (12 more lines)",
        "****",
        "…\"",
    ];
    for mark in marks {
        hidden_in(&[&format!("token {{}}{mark}")], |token| {
            token[..token.len() - 4].to_owned()
        });
    }
}

/// Commands are known as typed; as lists of their arguments they lose the same.
#[test]
fn commands_as_lists_of_their_arguments() {
    let forms = [
        r#"["curl","-u","me:{}","https://h.local/x"]"#,
        r#"["mysql","-uroot","-p{}","shop"]"#,
        "subprocess.run(['mysql', '-u', 'root', '-p{}'], check=True)",
        "subprocess.run(\n    [\n        \"mysql\",\n        \"--user=root\",\n        \"-p{}\",\n    ],\n)",
        "Command:\u{3a}new(\"curl\").arg(\"-u\").arg(\"me:{}\")",
        "Command:\u{3a}new(\"mysql\")\n    .args([\"-u\", \"root\"])\n    .arg(\"-p{}\")",
        "exec.Command(\"sshpass\",\"-p\",\"{}\",\"ssh\",\"h\")",
        "spawn('mysql', ['-u', 'root', '-p{}'])",
        "subprocess.run([\"az\", \"login\", \"-u\", app_id, \"-p\", \"{}\"])",
        "command:\n  - curl\n  - -u\n  - me:{}\n  - https://h.local",
        "command:\n  - \"curl\"\n  - \"-u\"\n  - \"me:{}\"",
        "test: [CMD, redis-cli, -a, {}, ping]",
        "{\"command\": \"curl\", \"args\": [\"-u\", \"me:{}\"]}",
        "ENTRYPOINT [\"mysql\", \"-uroot\", \"-p{}\"]",
        "<string>curl</string>\n<string>-u</string>\n<string>me:{}</string>",
        "execve(\"/usr/bin/curl\", [\"curl\", \"-u\", \"me:{}\"], 0x7f) = 0",
        "a0=\"curl\" a1=\"-u\" a2=\"me:{}\"",
        "['/usr/local/bin/vault', 'login', '{}']",
        "[\"docker\", \"login\", \"-u\", \"me\", \"-p\", \"{}\", \"r.local\"]",
        "(sh \"curl\" \"-u\" \"me:{}\")",
    ];
    for form in forms {
        for secret in ["x8Kq2mPz7Rw1", "kettle4711x", "Harbor72!Kite"] {
            let shown = redact(&form.replace("{}", secret));
            assert!(!shown.contains(&secret[3..]), "{form}: {shown}");
        }
    }
    for text in [
        "[\"curl\", \"-u\", user, \"https://h.local/x8Kq2mPz7Rw1\"]",
        "[\"mysql\", \"-u\", \"root\", \"-p\", \"shop2024\"]",
        "[\"docker\", \"run\", \"-p\", \"8080:80\", \"img2\"]",
        "tools = [\"curl\", \"wget2\", \"http2\", \"zip\", \"-p\"]",
        "- curl\n- wget\n- mysql8\n- -pedantic2",
        "[\"curl\", \"-u\", \"$USER:$PASSWORD1\"]",
        "Command:\u{3a}new(\"git\").arg(\"-p\").arg(\"x8Kq2mPz7Rw1\")",
    ] {
        assert_eq!(redact(text), text);
    }
}

/// Quotes that follow each other without a blank make one word.
#[test]
fn words_glued_from_quotes_are_hidden_whole() {
    let (one, two) = ("x8Kq2mPz7Rw1", "k9Pw3Lm8Qz2x");
    for form in [
        "PGPASSWORD='@1''@2' psql -h h",
        "PGPASSWORD='@1'\"@2\" psql -h h",
        "export DB_PASSWORD='@1'\\''@2'",
        "PGPASSWORD=@1'@2' psql",
        "mysql -uroot -p'@1'\"@2\" shop",
        "mysql -uroot -p@1'@2' shop",
        "curl -u 'me:@1'\"@2\" https://h",
        "curl -u \"me:@1\"@2 https://h",
        "tool --password='@1'\"@2\"",
    ] {
        let shown = redact(&form.replace("@1", one).replace("@2", two));
        assert!(
            !shown.contains("Pz7Rw1") && !shown.contains("Lm8Qz2"),
            "{form}: {shown}"
        );
    }
    let text = "f(\"password='x8Kq2mPz7Rw1'\",\"kettle\")";
    assert!(redact(text).contains("\",\"kettle\")"));
}

#[test]
fn what_a_block_or_a_statement_goes_on_with() {
    let (one, two) = ("x8Kq2mPz7Rw1", "k9Pw3Lm8Qz2x");
    for form in [
        "db_password: |\n  @1\n  @2\nport: 80",
        "api_secret: >-\n    @1\n\n    @2 and more\nport: 80",
        "client_secret: |2\n  @1\n  @2",
        "INSERT INTO users (name, password) VALUES ('a','@1'),('b','@2');",
        "INSERT INTO `users` (`id`,`password`) VALUES\n(1,'@1'),\n(2,'@2')\nRETURNING id;",
        "insert into t (a, password) values (now(), '@1'), (f(1, 2), '@2')",
    ] {
        let shown = redact(&form.replace("@1", one).replace("@2", two));
        assert!(
            !shown.contains("Pz7Rw1") && !shown.contains("Lm8Qz2"),
            "{form}: {shown}"
        );
    }
    for text in [
        "INSERT INTO users (name, password) VALUES (?, ?), ($1, $2)",
        "INSERT INTO users (name, age) VALUES ('x8Kq2mPz7Rw1', 'k9Pw3Lm8Qz2x')",
        "description: |\n  x8Kq2mPz7Rw1\n  k9Pw3Lm8Qz2x",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn addresses_cut_before_their_hosts() {
    for form in [
        "postgres://app:{}",
        "DATABASE_URL=postgres://app:{}\nPORT=80",
        "connecting to https://app:{}...",
        "connecting to redis://app:{}[truncated]",
    ] {
        let shown = redact(&form.replace("{}", "x8Kq2mPz7Rw1"));
        assert!(!shown.contains("mPz7Rw1"), "{form}: {shown}");
    }
    for text in [
        "http://localhost:8080",
        "docker://nginx:1.25.3-alpine2",
        "postgres://app:password",
        "https://h.local:port2",
        "redis://redis:6379\nx",
        "mysql://app:${PASSWORD1}\n",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn elements_of_a_namespace_or_with_attributes_hold_values() {
    for form in [
        "<wsse:Password>{}</wsse:Password>",
        "<wsse:Password Type=\"http://docs.example/wss#PasswordText\">{}</wsse:Password>",
        "<password type=\"plain\">{}</password>",
        "session.auth = (\"mira\", \"{}\")",
        "let c = Credentials::new(\"mira@h.io\".to_owned(), \"{}\".to_owned());",
        "env.put(Context.SECURITY_CREDENTIALS, \"{}\");",
        "mosquitto_passwd -b /etc/mosquitto/passwd etl {}",
    ] {
        for secret in ["x8Kq2mPz7Rw1", "Harbor72Kite"] {
            let shown = redact(&form.replace("{}", secret));
            assert!(!shown.contains(&secret[3..]), "{form}: {shown}");
        }
    }
    for text in [
        "<xs:password>x8</xs:password>",
        "mysql://<user:password>@host7.example/db",
        "<password type=\"plain\"/>",
        "<token id=\"3\">the next token</token>",
        "<label:password class=\"a\">Password</label:password>",
    ] {
        assert_eq!(redact(text), text);
    }
}
