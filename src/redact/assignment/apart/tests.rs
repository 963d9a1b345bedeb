//! Values apart from their names.

use super::super::super::tests::redact;

#[test]
fn a_value_is_found_in_the_next_element_or_cell() {
    for text in [
        "<tr><th>upload token</th><td><code>{}</code></td></tr>",
        "<tr>\n  <th scope=\"row\">API key</th>\n  <td class=\"v\">{}</td>\n</tr>",
        "<td><strong>Password</strong></td><td>{}</td>",
        "<dt>API token</dt>\n<dd><code>{}</code></dd>",
        "<Key>Password</Key>\n<Value ProtectInMemory=\"True\">{}</Value>",
        "<stringProp name=\"HTTPSampler.password\">{}</stringProp>",
        "┃ API Token ┃ {} ┃",
        "│ Admin password │ {} │",
        "ID\t\t\tDescription\tToken\t\t\tUser Name\n0b1\t\t\tci\t{}\t\t\tada",
        "COPY public.users (id, email, password) FROM stdin;\n1\ta@h.local\t{}\n\\.",
        "sessionid\t{}Kq2m\t.h.local\t/\tSession",
        "map $http_x_api_key $ok {\n    default 0;\n    \"{}\" 1;\n}",
        "profile::app::api_token: '{}'",
        "expect(config.apiKey).toEqual(\"{}\");",
        "assertEquals(\"{}\", cfg.getPassword());",
        "getenv(\"API_TOKEN\") = \"{}\"",
        "ADMIN_PASSWORD ⟶ {}",
        "token: Annotated[str, Option()] = \"{}\"",
        "lxc config set web environment.API_TOKEN {}",
    ] {
        let shown = redact(&text.replace("{}", "x8Kq2mPz7Rw1"));
        assert!(!shown.contains("mPz7Rw1"), "{text}: {shown}");
    }
    for text in [
        "<tr><td>token</td><td>string1</td></tr>",
        "<dt>password</dt><dd>the password of a user</dd>",
        "<tr><th>API key</th><th>Created2024</th></tr>",
        "┃ Version ┃ x8Kq2mPz7Rw1 ┃",
        "theme\tx8Kq2mPz7Rw1\t.h.local\t/\tSession",
        "COPY public.users (id, email, name) FROM stdin;\n1\ta@h.local\tx8Kq2mPz7Rw1\n\\.",
        "map $uri $new {\n    \"/old2page1\" /new2;\n}",
        "expect(token.type).toBe('x8Kq2mPz7Rw1')",
        "profile::db::password: String",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn a_value_is_found_apart_from_its_name() {
    let secret = "x8Kq2mP!z7Rw";
    for text in [
        r#"{"name": "DB_PASSWORD", "value": "{}"}"#,
        "- name: DB_PASSWORD\n  value: {}",
        r#"<add key="dbPassword" value="{}"/>"#,
        r#"variable "db_password" { default = "{}" }"#,
        "<key>Password</key>\n\t<string>{}</string>",
        r#"<property name="password">{}</property>"#,
        "<password><![CDATA[{}]]></password>",
        "| DB_PASSWORD | `{}` |",
        "│ DB_PASSWORD │ {} │",
        "DB_PASSWORD    {}\n",
        "name=\"password\"\r\n\r\n{}\r\n--x",
        "password: |\n  {}\nx: 1",
        "password:\n```\n{}\n```",
        "**DB_PASSWORD**: `{}`",
        "password → {}",
        "password：{}",
        "process.env.DB_PASSWORD || '{}'",
        "ds.setPassword(\"{}\");",
        "password: Some(\n    \"{}\",\n),",
        "password = \"x8Kq2m\" + \"P!z7Rw\"",
    ] {
        let shown = redact(&text.replace("{}", secret));
        assert!(shown.contains("[REDACTED:assignment#"), "{text}: {shown}");
        assert!(!shown.contains("P!z7Rw"), "{text}: {shown}");
    }
    for text in [
        "passwords: three kinds\nof them",
        "password:\n  - min12Chars",
        "fn password() -> String64Value",
        "getPassword(\"userId123x\")",
        "token    usage3 of many",
        "| token | meaning4 it has |",
        "{\"name\": \"token\", \"type\": \"x8Kq2mPz7Rw1\"}",
    ] {
        assert_eq!(redact(text), text);
    }
}
