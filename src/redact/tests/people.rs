//! Logins as people write them to each other; the same sentences without a value stay.

use super::redact;

/// Passwords as people and generators make them; none stands in a list of known ones.
fn passwords() -> Vec<String> {
    ["willow", "Berlin", "harbor", "Turtle"]
        .iter()
        .zip([56, 80, 9959, 2023])
        .map(|(word, number)| format!("{word}{number}"))
        .chain([
            format!("445xq1{}", "fhs8"),
            format!("gNQKk06{}", "kLf4"),
            format!("SlQPf91{}", "fUET2"),
            format!("Blue#{}", "Fox9"),
            format!("Schatz_{}", "Verano-38"),
            format!("R2NP-DGE7-{}", "DDS3"),
        ])
        .collect()
}

/// Each form hides each password and keeps what stands beside it.
fn hides(forms: &[&str]) {
    for form in forms {
        for password in passwords() {
            let shown = redact(&form.replace("{}", &password));
            assert!(!shown.contains(&password), "{form} {password}: {shown}");
            let kept = form.replace("{}", "");
            let user = !kept.contains("harry") || shown.contains("harry");
            let host = !kept.contains("10.1.2.3") || shown.contains("10.1.2.3");
            assert!(user && host, "{form} {password}: {shown}");
        }
    }
}

fn stays(lines: &[&str]) {
    for line in lines {
        assert_eq!(redact(line), *line);
    }
}

#[test]
fn of_a_pair_behind_two_labels_the_password_is_hidden() {
    hides(&[
        "ID/PW:harry/{}",
        "ID / PW : harry / {}",
        "id/pw = harry / {}",
        "ID/PW(harry/{})",
        "id/pass:harry,{}",
        "User/Password harry/{}",
        "ID/PW->harry/{}",
        "ID/PW → harry / {}",
        "(ID&PWD):harry/{}",
        "[ID/PW] harry / {}",
        "ID/PW harry({})",
        "PW/ID: {}/harry",
        "id/pw/port:harry/{}/8022",
        "ID/PWD-harry/{}",
        "ID/Password for staging (harry/{})",
        "10.1.2.3(ID/PW:harry/{})",
        "please use ID/PW: harry/{} for the demo",
        "**ID/PW:** harry / {}",
        "| id/pw | harry / {} |",
        "- username / password: `harry` / `{}`",
        "user and password: harry {}",
        "계정/비번: harry / {}",
        "아이디/비밀번호: harry/{}",
        "用户名/密码：harry / {}",
        "логин/пароль: harry / {}",
        "usuario/contraseña: harry / {}",
        "Benutzer/Passwort: harry / {}",
    ]);
    stays(&[
        "id/pw required",
        "ID/PW: required / optional",
        "ID/PW: ****/****",
        "id/pw: <id>/<pw>",
        "ID/PW: user1/password1",
        "ID/PW: admin/admin",
        "id/pass: 12/13",
        "user/pass auth2 is supported",
        "username/password: see the wiki/page2",
        "login/password: string/string",
        "| user/password | varchar20/varchar64 |",
        "| id/pw | text20 / text20 | login |",
        "def login(user, password): return foo/bar2",
        "user, password = creds1/abc2",
        "id,password,email",
        "GET /user/password-reset-v2/abc123",
        "username and password: both required",
        "아이디/비밀번호를 입력하세요",
        "ID/PW는 위키2 참고",
        "用户名/密码：不能为空",
        "Логин/пароль: неверный",
    ]);
}

#[test]
fn a_login_in_parts_tells_its_password() {
    hides(&[
        "10.1.2.3(ID:harry/PW:{})",
        "id(harry)/pwd({})",
        "(ID)harry/(PW){}",
        "ID-harry / PASS - {}",
        "ID:harry PW:{}",
        "harry@10.1.2.3 (pw {})",
        "harry@10.1.2.3 (비번 {})",
        "ssh harry@host.example pw: {}",
        "10.1.2.3/pw:{}",
        "ID harry@example.org Password {}",
        "user: harry password {}",
        "(user harry, pw {})",
        "log in as root, password {}",
        "login: harry / {}",
        "creds are harry:{}",
        "login is harry / {}",
        "default login is `harry` with password `{}`",
    ]);
    stays(&[
        "user@host (pw omitted)",
        "10.1.2.3 password authentication failed for user admin2",
        "Failed password for invalid user test1 from 10.1.2.3 port 51234 ssh2",
        "Service(Standby) ip : 10.1.2.3(23591 port)",
        "the user must enter a password (min 12chars)",
        "login: admin / guest",
        "login: OAuth2 / SAML2",
        "Login: app/views/login2",
        "credentials: include / same-origin",
        "credentials: aws/profile22",
        "ID: 12345 PW: none",
    ]);
}

#[test]
fn a_label_that_begins_a_line_or_names_its_owner_is_followed_by_a_password() {
    hides(&[
        "PW {}",
        "P/W:{}",
        "Password {}",
        "paasword:{}",
        "PASSWORD({})",
        "default password:{}",
        "password(default:{})",
        "temporary password - {}",
        "password for harry:{}",
        "pwd of harry is {}",
        "password in staging is {}",
        "I think the password on the demo box is {}",
        "{} is the password",
        "mdp : {}",
        "clave: {}",
    ]);
    stays(&[
        "the password is incorrect",
        "password must be at least 12chars long",
        "PW: see vault",
        "password (8-32 characters)",
        "Password(sha256)",
        "password (bcrypt12)",
        "password(user2024) {",
        "Password field2",
        "PASS tests/login.test2.ts",
        "pass rate 99percent",
        "  -p, --password PASSWORD   the password (default: none)",
        "the password in the config is base64-encoded",
        "The password on the server is sha256-hashed",
        "base64 is the password encoding",
        "Default password encryption scram-sha-256",
        "admin password - ask harry2",
        "Enter token : This is a query parameter",
        "clave primaria: id2",
    ]);
}

#[test]
fn names_of_passwords_and_tokens_are_known_in_many_languages() {
    hides(&[
        "비밀번호({})",
        "비번:{}",
        "암호:{}",
        "패스워드 {}",
        "비밀번호는 {}입니다",
        "口令：{}",
        "密码是{}",
        "パスワードは{}です",
        "пароль от базы: {}",
        "пароль {}",
        "Le mot de passe de app_rw est {}",
        "Das Passwort für harry ist {}",
        "La contraseña de harry es {}",
        "A senha do banco é {}",
        "Hasło do bazy to {}",
        "wachtwoord: {}",
        "lösenord: {}",
    ]);
    let token = format!("q83Jd02mzKq81{}", "LmZx7Tb");
    for form in [
        "토큰 {}",
        "令牌：{}",
        "токен: {}",
        "トークン：{}",
        "Access Token {}",
    ] {
        let shown = redact(&form.replace("{}", &token));
        assert!(!shown.contains(&token), "{form}: {shown}");
    }
    stays(&[
        "비밀번호: 8자 이상",
        "비밀번호를 입력하세요",
        "암호: AES256",
        "パスワードは8文字以上で入力してください",
        "密码长度为8-20位",
        "пароль должен содержать 8 символов",
        "Le mot de passe doit contenir 8 caractères",
        "Das Passwort muss mindestens 8 Zeichen haben",
        "Kennwort ändern (Windows10)",
        "A senha do usuário é obrigatória",
        "토큰 사용량: 12345",
        "トークン：最大4096",
        "Access token v2.0 endpoint",
        "Token 2024-01-02T10:00:00Z",
    ]);
}

#[test]
fn words_that_are_joined_are_a_password_in_a_login() {
    let words = ["cobalt", "anchor", "tiger", "mint"].join("-");
    for form in [
        "ID/PW:harry/{}",
        "password in staging is {}",
        "PW {}",
        "user: harry password {}",
        "비번: {}",
    ] {
        let shown = redact(&form.replace("{}", &words));
        assert!(!shown.contains(&words), "{form}: {shown}");
    }
    stays(&[
        "see ID/PW: in-the-team-wiki",
        "the password form is built-with-plain-html",
    ]);
}
