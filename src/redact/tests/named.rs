//! Named values both ways: what people and programs write is hidden, and nothing beside it; what
//! code, documentation and translations write stays.

use super::{redact, redactor};
use crate::redact::Part;
use crate::source::Raw;
use std::fmt::Write;

/// Forms around a password or a secret, which is to be hidden and nothing else.
fn hidden(values: &[String], forms: &[&str]) {
    let mut wrong = String::new();
    for form in forms {
        for value in values {
            let shown = redact(&form.replace("{}", value));
            let (before, after) = form.split_once("{}").unwrap();
            let kept = shown.starts_with(before) && shown.ends_with(after);
            if shown.contains(value.as_str()) || !kept {
                let _ = writeln!(wrong, "{form:?} with {value:?}: {shown}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn kept(texts: &[&str]) {
    let wrong: Vec<_> = texts.iter().filter(|t| redact(t) != **t).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn passwords() -> Vec<String> {
    let made = ["kettle", "maple."].map(|word| format!("{word}{}", "6116X"));
    let typed = ["Tr0ub4dor", "!QAZ2w"].map(|word| format!("{word}{}", "&3sx"));
    [made, typed].concat()
}

fn secrets() -> Vec<String> {
    let body = "q8Jd02mzKq81LmZ88xV0aa";
    let hex = "2b7e1516".chars().rev().cycle().take(32).collect();
    vec![body.to_owned(), format!("{body}=="), hex]
}

#[test]
fn a_password_is_hidden_however_it_stands_with_its_name() {
    let forms = [
        "DB_PASSWORD={}",
        "export DB_PASSWORD='{}'",
        "db:\n  password: {}\n  user: x",
        "{\"user\":\"x\",\"password\":\"{}\"}",
        "connect(user='x', password='{}')",
        "[db]\npassword = {}\nuser = x",
        "tool --password {} --verbose",
        "      - DB_PASSWORD={}\n",
        "postgres_password: String::from(\"{}\"),",
        "key = { password = Secret('{}') }",
        "let password = r#\"{}\"#;",
        "password = \"\"\"{}\"\"\"",
        "os.environ.setdefault(\"DB_PASSWORD\", \"{}\")",
        "cmd.env(\"DB_PASSWORD\", \"{}\")",
        "define('DB_PASSWORD', '{}');",
        "page.fill(\"#password\", \"{}\")",
        "password.equals(\"{}\")",
        "if password == \"{}\":",
        "connect ${DB_PASSWORD:-{}}",
        "ALTER ROLE app PASSWORD '{}';",
        "The password is {}.",
        "das Passwort lautet {}",
        "le mot de passe est {} merci",
        "contraseña: {}",
        "La contraseña es {}",
        "пароль: {}",
        "密码：{}",
        "密码是{}，谢谢",
        "パスワードは「{}」です",
        "the password is “{}”",
        "Password for bob: {}",
        "I changed the password to {}",
        "log in as mira with password {}",
        "rootPw: {}",
        "pw: {}",
        "creds: admin / {}",
        "user: bob pass: {}",
        "user/pass: admin/{}",
        "ROOT_PW={}",
        "root_pw: {}",
        "the password for user 'x' is '{}'",
        "\"DbPassword\"=\"{}\"\n\"Port\"=dword:00001f90",
    ];
    hidden(&passwords(), &forms);
    let odd = ["g+ztdp", "c4mZb[", "mGWKPT"].map(|word| format!("{word}{}", "UeDpJO1"));
    hidden(&odd, &["password: \"{}\"", "Connect -Password '{}'"]);
}

#[test]
fn a_secret_is_hidden_however_it_stands_with_its_name() {
    let forms = [
        "API_TOKEN={}",
        "api_key: {}\nx: 1",
        "const apiKey = process.env.API_KEY || '{}';",
        "{'client_secret': '{}'}",
        "the giphy key {} works",
        "git config credential.token {}\n",
        "X-Api-Key: {}",
        "my api key is {}",
        "api_key=Some(\"{}\")",
    ];
    hidden(&secrets(), &forms);
}

#[test]
fn a_word_is_a_password_where_nothing_else_can_stand() {
    let word = ["sunshine".to_owned()];
    let forms = [
        "export DB_PASSWORD={}",
        "PASSWORD={}",
        "+DB_PASSWORD={}\n",
        "docker run -e DB_PASSWORD={} image",
        "cli login --user bob --password {}",
        "ALTER ROLE app PASSWORD '{}';",
        "<password>{}</password>",
    ];
    hidden(&word, &forms);
    hidden(
        &["correct horse battery".to_owned()],
        &["DB_PASSWORD=\"{}\""],
    );
    kept(&[
        "password: required",
        "password: sunshine",
        "PASSWORD=required",
        "PASSWORD=DB_PASSWORD",
        "PASSWORD=user_password",
        "use --password option here",
        "--password <PASSWORD>",
        "--token=TOKEN",
        "\"password\": \"Passwort\"",
        "\"password\": \"Mot de passe\"",
        "<label>Password</label><b>Required</b>",
    ]);
}

#[test]
fn code_is_no_value() {
    kept(&[
        "pub const STATUS_WRONG_PASSWORD: NTSTATUS = 0xC000006A;",
        "pub const NEEDS_PASSWORD: u32 = 2150858928u32;",
        "'Event::Pass' => '1.302103',",
        "(\"fa_user_secret\", '\\u{f21b}')",
        "password = sqlite3Strlen30(p->u.zToken)",
        "let secret = vld1q_u64(secret_base.add(i * 2));",
        "StencilPassOp: D3D11_STENCIL_OP,",
        "data->set.ssl.key_passwd = data->set.str[STRING_KEY_PASSWD];",
        "secret := []byte{0x00, 0x01}",
        "ClientToken:{idempotencyToken:!0}}},output:{",
        "login('testing', password='password', is_staff=True)",
        "a.withCredentials=!0,c.addEventListener(x)",
        "type Password = Buffer|Uint8Array|string;",
        "'secret': 'V1SecretProjection',",
        "axios.CancelToken = CancelToken$1;",
        "Secret *Secret `protobuf:\"bytes,2,opt,name=secret\"`",
        "headers={\"Authorization\": f\"Bearer {self.api_key1.get()}\"}",
        "flags.Set(\"secret\", \"source=foo,target=foo2\")",
        "s.token = re.match(r'token=[a-zA-Z0-9_-]+', x)",
        "[\"CredentialToken\", \"Password\", \"S3Configuration\"]",
        "password: String!)",
        "DETAIL:  Key (column1)=(14) is not present",
        "you can directly pass `&TextArea2` to it",
        "PASSWD|5.003007|5.005000|Vn",
        "strncmp(from, \"PASS \", 5) || !strncmp(from, \"ACCT \", 5)",
    ]);
}

#[test]
fn what_is_meant_to_be_seen_is_no_value() {
    kept(&[
        "arn:aws:secretsmanager:us-west-2:123456789012:secret:MyTestSecret-a1b2c3",
        "\"NextToken\": \"U2FsdGVkX1eNkPoZHVl11ip5\"",
        "\"ClientRequestToken\": \"550e8400-e29b-41d4-a716-446655440001\"",
        "\"PasswordLastUsed\": \"2016-09-08T21:47:36Z\"",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "https://x.io/gh/a/b/graph/badge.svg?token=Z92NHFQ70G",
        "Credential=AKID/19700101/region/service/aws4_request, x",
        "ssl/server-key.pem aes256-set-key.asm ghash-update2.asm",
        "if [ \"$PWD\" = \"/x1Y/src\" ]; then",
        "private_key=\"pkcs11:manufacturer=piv_II;id=%01\"",
        "the password is base64 encoded",
        "the token is expired since 2024-01-31",
        "password (0-to-64-chars)",
        "\"AWS::ApiGateway::ApiKey\": \"48205d1e9ab4c3d2\"",
        "checksum/secret: 2b7e151628aed2a6abf7158809cf4f3c",
        "\"LockToken\": \"3f2c9a1e-7b4d-4e8a-9c6f-1d2e3f4a5b6c\"",
        "--next-token q8Jd02mzKq81LmZ88xV0aa",
        "let password: WidgetField!",
        "mysql://[user[:password]@]host",
        "MLKEM768X25519PrivateKey = rust_openssl.hpke.MLKEM768X25519PrivateKey",
    ]);
}

#[test]
fn what_is_remembered_could_be_nothing_else() {
    for (named, bare) in [
        ("StencilPassOp: D3D11_STENCIL_OP,", "x = D3D11_STENCIL_OP;"),
        ("password: kettle91", "the kettle91 is hot"),
        ("\"password\": \"x9Kq2mPz\"", "id ax9Kq2mPz7 is another"),
        ("token: 0xC0000149", "0xC0000149"),
        ("curl -u user:`password`,", "of `password`, where"),
    ] {
        let redactor = redactor();
        let show = |text: &str| {
            let (shown, _) = redactor.redact(&Raw::new(text), &Part::default());
            shown.as_str().to_owned()
        };
        let _ = show(named);
        assert_eq!(show(bare), bare);
    }
}

#[test]
fn a_random_tail_is_no_name_whatever_word_begins_it() {
    let body: String = "fk43Sa9TnIdKaP0aYw2LqzXv71".chars().rev().collect();
    let marked = "if45262ul=f*cl8e".to_owned() + "le7kq2";
    let values: Vec<_> = ["prod_", "acme_", "tk_", "app-"]
        .map(|word| word.to_owned() + &body)
        .into();
    let forms = [
        "client_secret: {}\n",
        "api_token = {}\nx = 1",
        "the api token is {} now",
        "curl -d 'client_id=7&client_secret={}&x=1'",
        "{\"apiToken\": \"{}\"}",
        "<b>API_TOKEN={}</b>",
    ];
    hidden(&values, &forms);
    hidden(
        &[marked],
        &[
            "  clientSecret: {}\n",
            "export DB_PASSWORD={}",
            "db_password='{}'",
        ],
    );
}

#[test]
fn a_word_with_a_number_is_a_secret_on_a_settings_line() {
    let forms = ["client_secret: {}\nport: 80", "X-Api-Key: {}\r\n"];
    hidden(&["kettle".to_owned() + "6116"], &forms);
    kept(&[
        "token: utf8mb4",
        "client_secret: token12",
        "access_token: sha25632",
    ]);
}

#[test]
fn what_names_something_public_is_no_value() {
    kept(&[
        "GPG_KEY=80FBC00CF5B7556B986DA13148907DF7123F5C21",
        "TOKEN_ADDRESS = \"0x202e3d5a288c9a412439b75c0cadc3089294b348\"",
        "{\"pw\": \"AIzaSy...\"}",
        "list --starting-token 7f5290ba-87db-42d5-b928-3bf53129ee70",
        "{\"Key\": \"AWSLogs/24676/elb/eu-west-1/2026/11/05/7330_elb_eu-west-1_Xq81LmZ0kd9.log.gz\"}",
    ]);
    let map = redact(&format!(
        "\"TOKEN\" : \"{}\"\n  \"MODE\" : \"x\"",
        secrets()[0]
    ));
    assert!(map.ends_with("\n  \"MODE\" : \"x\""), "{map}");
}

#[test]
fn neither_a_wide_gap_nor_another_blank_protects_a_value() {
    let gap = " ".repeat(40);
    for text in [
        format!("password{gap}= \"Mango7299kq\""),
        format!("  DB_PASSWORD:{gap}Mango7299kq"),
        "PASSWORD\u{a0}=\u{2009}Mango7299kq".to_owned(),
    ] {
        let shown = redact(&text);
        assert!(!shown.contains("ango7299"), "{text}: {shown}");
    }
    for text in [
        "DB_PASSWORD=[REDACTED:assignment#0a1b]",
        "DB_PASSWORD=[REDACTED:assignment#0a1b];",
        "password: [REDACTED]",
        "password=[REDACTED:assi",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn a_value_below_its_name_is_hidden() {
    let quoted = [
        ">>> db_password\n'{}'\n>>> 1",
        "In [3]: db_password\nOut[3]: '{}'",
        "irb(main):001> ENV['DB_PASSWORD']\n=> \"{}\"",
        "> process.env.DB_PASSWORD\n'{}'",
        "1) \"port\"\n2) \"80\"\n3) \"db_password\"\n4) \"{}\"",
        "127.0.0.1:6379> GET db_password\n\"{}\"",
        "a:1:{s:11:\"db_password\";s:11:\"{}\";}",
    ];
    let bare = [
        "$ echo $DB_PASSWORD\n{}\n$ ",
        "$ etcdctl get /app/db_password\n/app/db_password\n{}\n",
        "the password below:\n\n{}\n\nThanks!",
        "you can use {} as the password for now",
        "Found DB_PASSWORD with value {} in .env",
    ];
    hidden(&["kettle".to_owned() + "6116X"], &quoted);
    hidden(&["kettle".to_owned() + "6116X"], &bare);
    kept(&[
        "$ make token\nbuilding token2 now",
        "> password\nmaple6116",
        "use it as the password",
        "/app/token\n/app/other",
        "$ pass\nError: pass-1.7 not found",
    ]);
}

#[test]
fn products_members_programs_and_kinds_of_keys_are_no_values() {
    kept(&[
        "The key is Fts5HashEntry.nKey",
        "SecretKeys_bytes (2*Small_bytes)",
        "the tools wpa_passphrase and wpa_cli",
        "cvs://:pserver:anoncvs@cvs.example.org:/root",
        "http://proxy_user:proxy_password@proxy_host:3128",
        "datadog trace key 70d9ec59a92c7c00d61799d0860d499f",
        "user.signingkey=FF98BBEC4DFFF11B",
    ]);
}
