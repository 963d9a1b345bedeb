//! What is code, and what is none.

use super::*;

#[test]
fn numbers_are_told() {
    for text in [
        "0xC000006A",
        "0xC0000149_u32",
        "2150858928u32",
        "-2147217308i32",
        "1.302103",
        "4096",
        "1_000UL",
        "259200",
        "2016-09-08T21:47:36Z",
        "2024-01-31",
        "0x0B96",
        "30s",
    ] {
        assert!(is_number(text.as_bytes()), "{text}");
    }
    for text in [
        "12ab34cd",
        "0x8f14e45fceea167a5a36dedd4bea2543",
        "2Fast4U",
        "1a",
        "x1",
    ] {
        assert!(!is_number(text.as_bytes()), "{text}");
    }
}

#[test]
fn expressions_are_told() {
    for text in [
        "data->set.str[STRING_KEY_PASSWD];",
        "m_ui->editPassword->text();",
        "[]byte{0x03,",
        "!0,c.addEventListener(",
        "is_staff=True)",
        "&PASS_pop3,",
        "vld1q_u64(secret_base",
        "QSharedPointer<PasswordKey>::create(",
        "r);s",
        "t,[4,a()]",
        "#{x}",
        "{idempotencyToken:!0}",
        "encodeURIComponent(e)",
        "!1,g.updates.x()",
        "sqlite3Strlen30(p->u.zToken)",
        "@ESXI1_PASSWORD",
        "P.isWritable=P.isReadable=P.isStream=void",
    ] {
        let hit = is_expression(text.as_bytes()) || is_identifier(text.as_bytes());
        assert!(hit, "{text}");
    }
    for text in [
        "x9K(2fP!",
        "Tr0ub4dor&3",
        "a=b7K",
        "q83Jd02mzKq81LmZ==",
        "Ki:OPc9",
        "p@ss{w0rd",
    ] {
        assert!(!is_expression(text.as_bytes()), "{text}");
    }
}

#[test]
fn names_are_told() {
    for text in [
        "D3D11_STENCIL_OP",
        "PKERB_S4U2PROXY_CRED",
        "self._lib.NID_pbe_WithSHA1And3_Key",
        "V1SecretProjection",
        "PKCS7PrivateKeyTypes",
        "params.private_key2",
        "T_STRING",
    ] {
        assert!(
            is_identifier(text.as_bytes()) || is_name_like(text.as_bytes()),
            "{text}"
        );
    }
    for text in [
        "q83Jd02mzKq81LmZ",
        "k3jh4k5j3h4k5jh34k5jh",
        "x8Kq2_Pz7Rw_9Lm",
    ] {
        assert!(!is_identifier(text.as_bytes()), "{text}");
    }
}
