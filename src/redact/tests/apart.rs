//! Values that stand apart from their names: in another field of a record, another column,
//! another line. `§` stands for a password, `¤` for a token, in what must be hidden.

use super::redact;
use std::fmt::Write;

const PASSWORDS: [&str; 3] = ["Qu4rtz!wint3r72", "nordic2110", "6hmNDfFs9njXluYu"];

fn tokens() -> [String; 3] {
    [
        "f3b1324eb2e0681909245c28".to_owned(),
        format!("JjpEHOwiM0J{}5fREwXj9BUuT49S", "PBG"),
        "@mef1j_c+xz08-5d%pubi-nehji7vnb4!6_h3z1".to_owned(),
    ]
}

pub(super) fn all_hidden(texts: &[&str]) {
    let mut wrong = String::new();
    let tokens = tokens();
    for text in texts {
        let secrets = if text.contains('§') {
            PASSWORDS.map(str::to_owned)
        } else {
            tokens.clone()
        };
        for secret in secrets {
            let (head, tail) = text.split_once(['§', '¤']).unwrap();
            let shown = redact(&format!("{head}{secret}{tail}"));
            if !(shown.starts_with(head) && shown.ends_with(tail)) || shown.contains(&secret[..6]) {
                let _ = writeln!(wrong, "{shown:?}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

pub(super) fn all_stay(texts: &[&str]) {
    let changed = texts.iter().map(|t| (t, redact(t)));
    let changed: Vec<_> = changed.filter(|(t, shown)| *t != shown).collect();
    assert!(changed.is_empty(), "{changed:#?}");
}

#[test]
fn a_field_holds_what_its_neighbour_names() {
    all_hidden(&[
        r#"[{"name": "DB_PASSWORD", "value": "§"}, {"name": "PORT", "value": "80"}]"#,
        r#"{"value": "¤", "name": "ID_TOKEN", "type": "plain"}"#,
        r#"[{"value":"§","name":"ELASTIC_PASSWORD"},{"value":"eu","name":"REGION"}]"#,
        r#"{"key": "access_token", "value": "¤", "enabled": true}"#,
        r#"{\"key\": \"password\", \"value\": \"§\"}"#,
        "\"bearer\": [{\"key\": \"token\", \"value\": \"¤\", \"type\": \"string\"}]",
        "{\n  \"name\": \"x-api-key\",\n  \"value\": \"¤\"\n},\n{\n  \"name\": \"accept\"\n}",
        "- name: APP_PASSWORD\n  value: \"§\"\n- name: PORT\n  value: \"80\"\n",
        "  - name: MAIL_PASSWORD\n    value: §\n  - name: PORT\n",
        "  - value: §\n    name: MAIL_PASSWORD\n  - name: PORT\n",
        "  7→  - name: MAIL_PASSWORD\n  8→    value: §\n  9→  - name: PORT\n",
        "+  - name: API_TOKEN\n+    value: '¤'\n",
        r#"[{"ParameterKey": "AppDbPassword", "ParameterValue": "§"}, {"ParameterKey": "Env"}]"#,
        "ParameterKey=DbPassword,ParameterValue=§ ParameterKey=Env,ParameterValue=prod",
        "{\n  \"Name\": \"/prod/session-secret\",\n  \"Type\": \"SecureString\",\n  \"Value\": \"¤\",\n  \"Version\": 3\n}",
        "aws ssm put-parameter --name /app/smtp-password --type SecureString --value '§' --overwrite",
        "aws ssm put-parameter --name=/app/smtp-password \\\n  --value=§ \\\n  --overwrite",
        "aws ssm put-parameter --value '¤' --name \"/app/api-token\"",
        "Set-Thing -Name 'AdminPassword' -Value '§'",
        r#"<add key="MailPassword" value="§" enabled="1"/>"#,
        r#"<add value="¤" key="RefreshToken"/>"#,
        r#"<input type="hidden" name="mysql_root_password" value="§" id="f1">"#,
        "<property name=\"connection.password\">§</property>\n<property name=\"x\">1</property>",
        r#"<entry key="api.secret" encrypted="false">¤</entry>"#,
        "<setting name=\"ApiSecret\" serializeAs=\"String\">\n  <value>¤</value>\n</setting>",
        "<property>\n  <name>hive.metastore.password</name>\n  <value>§</value>\n</property>",
        "<key>LdapPassword</key>\n<string>§</string>\n<key>RunAtLoad</key>\n<true/>",
        "<key>AuthToken</key>\n\t<string>¤</string>",
        "name = \"db_password\"\nvalue = \"§\"\n",
        "  {\n    name: 'apiSecret',\n    value: '¤',\n  },",
        "['name' => 'db_password', 'value' => '§'],",
        "UPDATE settings SET value = '§' WHERE name = 'smtp_password';",
        r#"{"id": "password", "type": "CONCEALED", "label": "password", "value": "§"}"#,
        r#"{"label": "API Token", "value": "¤"}"#,
    ]);
}

#[test]
fn a_record_below_a_name_holds_its_value() {
    all_hidden(&[
        "\"adminPassword\": {\n  \"value\": \"§\"\n}",
        r#""db_password": {"sensitive": true, "type": "string", "value": "§"}"#,
        "variable \"db_password\" {\n  type    = string\n  default = \"§\"\n}",
        "db_password:\n  type: string\n  value: §\nport:\n  value: 80\n",
        "<AdministratorPassword>\n  <Value>§</Value>\n</AdministratorPassword>",
        "apiToken: { value: '¤', ttl: 5 }",
    ]);
}

#[test]
fn fields_that_say_nothing_of_a_secret_stay() {
    all_stay(&[
        r#"{"name": "password", "value": "required"}"#,
        r#"{"name":"token","type":"string","default":"abc123"}"#,
        r#"{"name": "token", "value": "{{token_1a2b3c}}"}, {"name": "x", "value": "k1-Abc93"}"#,
        r#"{"key": "created_at", "value": "2026-11-30T10:11:12Z"}"#,
        r#"{"key": "etag", "value": "5d41402abc4b2a76b9719d911017c592"}"#,
        r#"{"name": "max_tokens", "value": "Q4096abcd"}"#,
        r#"{"name": "token", "description": "x"}, {"name": "build", "value": "5d41402abc4b2a76b9719d911017c592"}"#,
        "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db-secret2\n      key: password\n- name: BUILD\n  value: 5d41402abc4b2a76b9719d91\n",
        "- name: password\n  in: query\n  description: At least 8 chars\n  schema:\n    type: string\n",
        "{ name: 'password', value: formValue2 }",
        "  name: 'token',\n  value: newToken1,\n",
        "<string name=\"prompt_password\">Password2</string>",
        "<string name=\"error_invalid_password\">This password is too short, use 8</string>",
        "<label name=\"password\">Password</label>",
        "<input name=\"password\" value=\"\" placeholder=\"Abcdef12!\">",
        "<key>Token</key>\n<key>Build</key>\n<string>5d41402abc4b2a76b9719d911017c592</string>",
        "<a name=\"token\"></a>\n<p>5d41402abc4b2a76b9719d911017c592</p>",
        "password:\n  type: string\nrevision:\n  value: 5d41402abc4b2a76b9719d911017c592\n",
        "variable \"db_password\" {\n  type = string\n}\nvariable \"build\" {\n  default = \"5d41402abc4b2a76b9719d911017c592\"\n}",
        "it('password', () => { value: 'Abc1' })",
        "helm install --name token-service --set-value x1y2z3w4",
        "password: { type: String, default: null }",
    ]);
}

#[test]
fn a_column_holds_what_its_header_names() {
    all_hidden(&[
        "id,user,admin_password\n1,mira,§\n",
        "id;admin_password;user\r\n1;§;mira\r\n",
        "\"id\",\"user\",\"api_key\"\n\"1\",\"mira\",\"¤\"\n",
        "user\ttoken\tage\nmira\t¤\t7\n",
        "| User | Password |\n|---|---|\n| mira | § |\n",
        "| User | Password | Note |\n|:--|:-:|--|\n| jo |  |  |\n| mira | `§` | x |\n",
        " id | user | password \n----+------+----------\n  1 | mira | §\n(1 row)\n",
        "+----+------+\n| id | secret |\n+----+------+\n|  1 | ¤ |\n+----+------+\n",
        "│ User │ Client Secret │\n├──────┼───────────────┤\n│ mira │ ¤ │\n",
        "NAME      PASSWORD            AGE\nmira                          1d\njo        §  5d\n",
        "TOKEN                                             TTL\n¤   23h\n",
        "  1→user,password\n  2→mira,§\n",
        "name,value\nregion,eu\nsudo_pass,§\n",
        "name,value,updated\nregion,eu,1\ncsrf_secret,¤,2\n",
        "NAME          VALUE\nregion        eu\nadmin_password  §\n",
        "| Variable | Value |\n|:--|:--|\n| `LOG_LEVEL` | `debug` |\n| `API_TOKEN` | `¤` |\n",
        "key\tvalue\nmode\tdev\ndb_password\t§\n",
    ]);
}

#[test]
fn a_long_table_is_hidden_to_its_end() {
    let mut table = "id,user,password\n".to_owned();
    for n in 0..2_000 {
        let _ = writeln!(table, "{n},mira,Qu4rtz!win{n}t3r72");
    }
    let shown = redact(&table);
    assert_eq!(shown.matches("[REDACTED:assignment#").count(), 2_000);
}

#[test]
fn tables_of_other_things_stay() {
    all_stay(&[
        "| Option | Description |\n|---|---|\n| --token | the token to use |\n| --password | Password2 to use |\n",
        "| Field | Type | Required |\n|---|---|---|\n| password | string | yes |\n| api_key | string64 | no |\n| rev | 5d41402abc4b2a76b9719d91 | no |\n",
        "token,count\nthe,412\nword2vec,7\nBERT4Rec,9\n",
        "user,password_changed_at,rev\nmira,2026-11-30T10:11:12Z,5d41402abc4b2a76b9719d91\n",
        "User,Last password change\nmira,2026-11-30T10:11:12.123Z\n",
        "name,value\nbuild,5d41402abc4b2a76b9719d91\netag,5d41402abc4b2a76b9719d911017c592\n",
        "NAME                  TYPE                                  DATA   AGE\ndb-password           Opaque                                1      5d\ndefault-token-x2b4z   kubernetes.io/service-account-token   3      57d\n",
        "NAME                             READY   STATUS    RESTARTS   AGE\ntoken-service-7d9f8b6c5d-x2x4z   1/1     Running   0          5d12h\n",
        "id, password\nreturn x\n5d41402abc4b2a76b9719d91, 1\n",
        "    user, password,\n    host1, port8080xA,\n",
        "Password,Strength\nhunter,low\n",
        "libsecret-1-0   0.20.5-3   amd64\nlibsecret-common   0.20.5-3build1   all\n",
        "* token-refresh   5d41402 Add a token\n  auth-fix        1a2b3c4 Mend a key\n",
    ]);
}

#[test]
fn an_answer_is_what_its_prompt_asks_for() {
    all_hidden(&[
        "AWS Secret Access Key [None]: ¤\nDefault region name [None]: eu\n",
        "Rabbitmq default password [None]: §\nDefault region [None]: eu\n",
        "? Db password: › §\n✔ Saved\n",
        "? Private token: › ¤\n",
        "Enter password (hidden): §\n",
        "Password for mira: §\n",
        "Ldap password   ----   §\n",
        "Api token .......: ¤\n",
        "localStorage.setItem('vncPassword', '§'); location.reload()",
        "req.Header.Set(\"X-Api-Key\", \"¤\")",
        "INSERT INTO settings (key, value) VALUES ('elastic_password', '§');",
    ]);
    all_stay(&[
        "- `token` (string): the token64 of it\n",
        "password (optional): a string of 8",
        "localStorage.getItem('token', 'token1')",
        "form.setValue('password', 'Password')",
        "password for the user: none\n",
        "Token ... see chapter12",
    ]);
}

/// The arguments of a command as a list has them, one behind the other.
#[test]
fn an_option_and_its_value_are_items_of_a_list() {
    let secret = "kq7TzR2mWb9xLp4d";
    for form in [
        "args:\n  - --password\n  - @\n  - --verbose\n",
        "args:\n- \"--password\"\n- \"@\"\n",
        "    args:\n    - --db-password\n    - @\n    - serve\n",
        "args: [--password, @]",
        "args: [serve, --api-token, @, --port, 80]",
        "\"args\": [\n  \"--api-key\",\n  \"@\"\n]",
        "<string>--token</string>\n    <string>@</string>",
    ] {
        let shown = redact(&form.replace('@', secret));
        assert!(!shown.contains(secret) && shown.contains("--"), "{shown}");
    }
    for text in [
        "args:\n  - --password\n  - --token\n  - serve\n",
        "args:\n  - --password-file\n  - /run/secrets/db2024x\n",
        "\"--token\",\n\"--password\",\n\"--region\",\n",
        "use --password, --token or --api-key",
    ] {
        assert_eq!(redact(text), text);
    }
}
