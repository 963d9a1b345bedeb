//! A password among the strings of a call or a statement: `auth=('u', 'pw')`, `new PDO(…, 'pw')`.

use super::super::anchors::Anchor;
use super::super::lines;
use super::super::rules::Rule;
use super::super::scan::Scan;
use super::super::value;
use super::arguments::{self, string};
use super::calls::{self, Is};
use super::dsn;
use super::words::{slashed, split_at};
use super::{is_chance, is_of_person, is_word, line_end, names_a_password};
use std::ops::Range;

/// The most strings looked at in one call.
const STRINGS: usize = 5;
/// How far a call is read for its arguments, in bytes.
const CALL: usize = 512;

/// The anchor is the call up to its parenthesis, or the words before the string.
pub(in super::super) fn quoted(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    let line = line_end(scan.text, anchor.end);
    let name = scan.bytes(anchor.start..anchor.end);
    let body = scan.bytes(anchor.end..line);
    if let Some((nth, is)) = calls::place(name) {
        return argument(scan, rule, anchor, nth, is);
    }
    let call = name.ends_with(b"(");
    let found = strings(scan.text.get(anchor.end..).unwrap_or(&[]), body.len(), call);
    let low = name.to_ascii_lowercase();
    let chosen = match low.as_slice() {
        // What is typed into a field whose name says so.
        b".fill(" | b".type(" | b"send_keys(" | b"sendkeys(" | b"fill_in " | b"typetext(" => found
            .last()
            .filter(|_| says_password(scan.text, anchor, line)),
        b"\".tochararray()" => return characters(scan, rule, anchor),
        b"return []byte(" => found.first().filter(|_| signs(scan.text, anchor)),
        b"oracle:thin:" | b"oracle:oci:" => return thin(scan, rule, anchor, line),
        b",p=" | b"user.info" => {
            if let Some(found) = dsn::password(scan.text, anchor, line) {
                hide(scan, rule, found, true);
            }
            return;
        }
        b"identified by " if !names_user(scan, anchor) => return,
        b"identified by " if !matches!(body.first(), Some(b'\'' | b'"' | b'`')) => {
            return statement(scan, rule, anchor, line);
        }
        b"login password " | b"with password " | b"encrypted password " => {
            if creates(scan, anchor) {
                statement(scan, rule, anchor, line);
            }
            return;
        }
        b".sendline(" => found.first().filter(|_| dsn::answers(scan.text, anchor)),
        _ if KEYWORDS.contains(&low.as_slice()) => return keyword(scan, rule, anchor, line),
        _ if !call || is_single(name) => found.first(),
        _ => found.get(1..).and_then(<[_]>::last),
    };
    let Some(range) = chosen.cloned() else { return };
    let range = anchor.end + range.start..anchor.end + range.end;
    let login = is_login(&low) && found.len() == 2 || low == b"identified by ";
    hide(scan, rule, range, login);
}

/// `IDENTIFIED BY pw;`: a statement's password without quotes, or in those of what it stands in.
fn statement(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor, line: usize) {
    let body = scan.bytes(anchor.end..line);
    let quote = body
        .iter()
        .take_while(|b| matches!(b, b'\'' | b'"' | b'\\'));
    let gap = quote.count();
    let ends = |b: &u8| b.is_ascii_whitespace() || b";,)\"'`\\".contains(b);
    let rest = body.get(gap..).unwrap_or(&[]);
    let len = rest.iter().position(ends).unwrap_or(rest.len());
    let start = anchor.end + gap;
    let secret = scan.bytes(start..start + len);
    let chosen = value::is_password(secret, gap > 0) || is_of_person(secret) || is_phrase(secret);
    if gap <= 3 && chosen {
        scan.hide(start..start + len, rule.id.as_str());
    }
}

/// Whether a statement may stand before that is about a user.
fn names_user(scan: &Scan<'_>, anchor: &Anchor) -> bool {
    const SAYS: [&[u8]; 7] = [
        b"user", b"role", b"grant", b"create", b"alter", b"connect", b"@",
    ];
    let before = scan.bytes(anchor.start.saturating_sub(160)..anchor.start);
    let low = before.to_ascii_lowercase();
    let small = scan.at(anchor.start) == b'i';
    !small
        || SAYS
            .iter()
            .any(|says| memchr::memmem::find(&low, says).is_some())
}

/// Whether a statement that makes or changes a user stands before, in capitals or small letters.
fn creates(scan: &Scan<'_>, anchor: &Anchor) -> bool {
    let before = scan.bytes(anchor.start.saturating_sub(120)..anchor.start);
    let before = lines::last(before);
    let low = before.to_ascii_lowercase();
    let verbs = [
        &b"create user "[..],
        b"create role ",
        b"alter user ",
        b"alter role ",
    ];
    verbs
        .iter()
        .any(|v| memchr::memmem::find(&low, v).is_some())
}

/// Hides an argument of a call, on whatever line it stands.
fn argument(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor, nth: usize, is: Is) {
    let body = scan.text.get(anchor.end..).unwrap_or(&[]);
    let open = matches!(scan.at(anchor.end - 1), b'(' | b'[' | b'{');
    let all = match open {
        true => arguments::arguments(body, CALL),
        false => arguments::on_line(body, CALL),
    };
    let text = |nth: usize| all.get(nth).and_then(|argument| string(body, argument));
    let at = |found: Range<usize>| anchor.end + found.start..anchor.end + found.end;
    match is {
        Is::Random | Is::Connect => {
            let texts: Vec<_> = (0..all.len()).map(|nth| text(nth).map(at)).collect();
            return by_chance(scan, rule, &texts, nth, is);
        }
        Is::Password | Is::Key | Is::Last | Is::Pair => {}
    }
    // `oracledb.connect("user/…@host")`
    let alone = || slashed(body, text(0).filter(|_| all.len() == 1)?);
    let found = match is {
        Is::Last => text(all.len().saturating_sub(1)).filter(|_| all.len() > nth),
        Is::Pair => text(nth)
            .and_then(|pair| split_at(body, pair, ':'))
            .filter(|secret| !body.get(secret.clone()).is_some_and(|s| s.contains(&b'/'))),
        _ => text(nth).or_else(alone),
    };
    if let Some(found) = found {
        hide(scan, rule, at(found), is != Is::Key);
    }
}

/// Hides what chance made among the texts of a call whose name says little.
fn by_chance(
    scan: &mut Scan<'_>,
    rule: &'static Rule,
    texts: &[Option<Range<usize>>],
    nth: usize,
    is: Is,
) {
    let mut hidden = false;
    for (at, range) in texts.iter().enumerate().skip(nth.max(1)) {
        let Some(range) = range.clone() else { continue };
        let secret = scan.bytes(range.clone());
        if is_chance(secret) || is == Is::Connect && at > 1 && is_connecting(secret) {
            scan.hide_and_remember(range, rule.id.as_str());
            hidden = true;
        }
    }
    if let Some(Some(first)) = texts.first().filter(|_| nth == 0 && !hidden)
        && is_chance(scan.bytes(first.clone()))
    {
        scan.hide_and_remember(first.clone(), rule.id.as_str());
    }
}

/// What a password looks like among the arguments of a connection: no host, no path, no name.
fn is_connecting(secret: &[u8]) -> bool {
    let place = |b: &u8| {
        matches!(
            b,
            b'/' | b'\\' | b' ' | b'=' | b'%' | b'{' | b'(' | b',' | b':'
        )
    };
    let dotted = secret.iter().filter(|b| **b == b'.').count() > 1;
    value::is_password(secret, true)
        && value::classes(secret) >= 3
        && !secret.iter().any(place)
        && !dotted
        && !value::is_name_like(secret)
}

/// Hides a text that stands where a secret is, if it is one; where a login's password stands, also
/// a word.
fn hide(scan: &mut Scan<'_>, rule: &'static Rule, range: Range<usize>, login: bool) {
    let secret = scan.bytes(range.clone());
    // A word and a number, where no name stands.
    let chosen = value::digits(secret) >= 3 && value::is_chosen(secret, false);
    if value::is_password(secret, true)
        || secret.len() >= 8 && chosen
        || value::is_secret(secret)
        || is_phrase(secret)
        || is_grouped(secret)
        || secret.len() >= 16 && value::is_letter_salad(secret)
    {
        scan.hide_and_remember(range, rule.id.as_str());
    } else if login && (is_word(secret) || is_of_person(secret)) {
        scan.hide(range, rule.id.as_str());
    }
}

/// `maple-otter-canyon-brick`: words joined by one sign, as a generator of passphrases does.
fn is_phrase(secret: &[u8]) -> bool {
    let sign = |b: &u8| matches!(b, b'-' | b'_' | b'.' | b' ');
    let Some(joint) = secret.iter().copied().find(sign) else {
        return false;
    };
    let words: Vec<&[u8]> = secret.split(|b| *b == joint).collect();
    let word = |w: &&[u8]| (3..=12).contains(&w.len()) && w.iter().all(u8::is_ascii_lowercase);
    (4..=8).contains(&words.len())
        && words.iter().all(word)
        && !value::is_placeholder(secret)
        && !names_a_password(secret)
}

/// `TWYC-KG05-DZQE`: groups of capitals and figures, as a generator of codes does.
fn is_grouped(secret: &[u8]) -> bool {
    let group = |g: &[u8]| {
        (4..=6).contains(&g.len())
            && g.iter()
                .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
    };
    let groups = secret.split(|b| *b == b'-');
    groups.clone().count() >= 3
        && groups.clone().all(group)
        && value::digits(secret) >= 2
        && secret.iter().any(u8::is_ascii_uppercase)
        && !value::is_placeholder(secret)
}

/// A call whose two strings are a user and a password.
fn is_login(name: &[u8]) -> bool {
    const LOGINS: [&[u8]; 5] = [
        b"auth=(",
        b".auth(",
        b".login(",
        b"passwordcredentials(",
        b"passwordauthentication(",
    ];
    LOGINS.contains(&name)
}

/// `ks.load(in, "…".toCharArray())`: characters of a text are what passwords are taken as; an
/// alphabet is taken so, too.
fn characters(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor) {
    const TAKES: [&[u8]; 4] = [b"load(", b"init(", b"Protection(", b"KeySpec("];
    let from = anchor.start.saturating_sub(160);
    let head = scan.bytes(from..anchor.start);
    let Some(open) = memchr::memrchr2(b'"', b'\n', head) else {
        return;
    };
    let before = head.get(..open).unwrap_or(&[]).trim_ascii_end();
    let second = before.ends_with(b",") || TAKES.iter().any(|call| before.ends_with(call));
    if head.get(open) == Some(&b'"') && second {
        hide(scan, rule, from + open + 1..anchor.start, false);
    }
}

/// Whether a function that gives the key of a JSON web token returns here.
fn signs(text: &[u8], anchor: &Anchor) -> bool {
    let around = anchor.start.saturating_sub(400)..(anchor.end + 120).min(text.len());
    let around = text.get(around).unwrap_or(&[]);
    [b"jwt.".as_slice(), b"jwt ", b"JWT"]
        .iter()
        .any(|word| memchr::memmem::find(around, word).is_some())
}

/// `jdbc:oracle:thin:user/…@host`.
fn thin(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor, line: usize) {
    let body = scan.bytes(anchor.end..line);
    let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'<' | b'`');
    let len = body.iter().position(ends).unwrap_or(body.len());
    if let Some(found) = slashed(body, 0..len) {
        hide(
            scan,
            rule,
            anchor.end + found.start..anchor.end + found.end,
            true,
        );
    }
}

/// Words that type a text into a field, as suites of tests for browsers write them.
const KEYWORDS: [&[u8]; 6] = [
    b"input password",
    b"input text",
    b"fill secret",
    b"fill text",
    b"type secret",
    b"type text",
];

/// `Input Password    id=pw    …`: the cell after the field's.
fn keyword(scan: &mut Scan<'_>, rule: &'static Rule, anchor: &Anchor, line: usize) {
    let body = scan.bytes(anchor.end..line);
    let wide = |b: &u8| matches!(b, b' ' | b'\t');
    let mut at = 0;
    let mut cells = Vec::new();
    while at < body.len() && cells.len() < 3 {
        let rest = body.get(at..).unwrap_or(&[]);
        let gap = rest.iter().take_while(|b| wide(b)).count();
        let cell = rest.get(gap..).unwrap_or(&[]);
        let tab = cell.iter().position(|b| *b == b'\t');
        let end = memchr::memmem::find(cell, b"  ")
            .into_iter()
            .chain(tab)
            .min();
        let len = end.unwrap_or(cell.len());
        if gap < 2 && rest.first() != Some(&b'\t') {
            return;
        }
        cells.push(at + gap..at + gap + len);
        at += gap + len;
    }
    let Some(cell) = cells
        .get(1)
        .filter(|_| says_password(scan.text, anchor, line))
    else {
        return;
    };
    let secret = body.get(cell.clone()).unwrap_or(&[]);
    if !matches!(secret, [b'$' | b'%' | b'@' | b'&', b'{', ..]) {
        hide(
            scan,
            rule,
            anchor.end + cell.start..anchor.end + cell.end,
            true,
        );
    }
}

/// A call whose only string is the password.
fn is_single(name: &[u8]) -> bool {
    [&b"set_password("[..], b"::make("]
        .iter()
        .any(|single| name.ends_with(single))
}

/// The strings up to the call's end that begin within so many bytes. One may end behind them, on its
/// line.
fn strings(text: &[u8], reach: usize, call: bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut at, mut depth) = (0, 0);
    while let Some(byte) = text.get(at).filter(|_| at < reach && found.len() < STRINGS) {
        match byte {
            quote @ (b'"' | b'\'') => {
                let near = text.get(at + 1..reach).unwrap_or(&[]);
                let far = || {
                    let rest = text.get(at + 1..).filter(|_| reach >= super::REACH)?;
                    let len = memchr::memchr2(*quote, b'\n', rest)?;
                    (rest.get(len) == Some(quote)).then_some(len)
                };
                let Some(len) = memchr::memchr(*quote, near).or_else(far) else {
                    break;
                };
                found.push(at + 1..at + 1 + len);
                at += len + 1;
            }
            b'(' => depth += 1,
            b')' if depth == 0 && call => break,
            b')' => depth -= 1,
            b';' if !call => break,
            _ => {}
        }
        at += 1;
    }
    found
}

fn says_password(text: &[u8], anchor: &Anchor, line: usize) -> bool {
    let from = anchor.start.saturating_sub(120);
    let before = text.get(from..anchor.start).unwrap_or(&[]);
    let before = lines::last(before);
    let after = text.get(anchor.start..line).unwrap_or(&[]);
    let all = [before, after].concat().to_ascii_lowercase();
    [
        "password", "passwd", "pwd", "passwort", "id=pw", "#pw", "contrase",
    ]
    .iter()
    .any(|word| memchr::memmem::find(&all, word.as_bytes()).is_some())
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::redact;

    #[test]
    fn the_secret_of_a_call_is_told_by_its_place() {
        for call in [
            "Credentials.basic(\"ada\", \"{}\")",
            "req.SetBasicAuth(\"ada\", \"{}\")",
            "auth=HTTPDigestAuth('ada', '{}')",
            "new NetworkCredential(\"ada\", \"{}\", \"DOMAIN7\")",
            "DBI->connect(\"dbi:Pg:dbname=x\", \"app\", \"{}\", { RaiseError => 1 })",
            "mysqli_connect(\n  'h', 'app',\n  '{}', 'shop2'\n)",
            "new PDO($dsn, 'app', '{}')",
            "new wpdb('app', '{}', 'site1', 'localhost')",
            "wlan.connect('attic', '{}')",
            "WiFi.begin(\"attic\", \"{}\");",
            "client.username_pw_set(\"ada\", password=\"{}\")",
            "new Sequelize('shop', 'app', '{}', { dialect: 'mysql' })",
            "credentials += Credentials(\"Nexus\", \"repo.local\", \"ada\", \"{}\")",
            "ks.load(in, \"{}\".toCharArray());",
            "JWT.encode(claims, '{}', 'HS256')",
            "jwt.sign({ id: 1, name: f(2) }, '{}')",
            "cookieParser('{}')",
            "jwt.Parse(t, func(t *jwt.Token) (any, error) {\n\treturn []byte(\"{}\"), nil\n})",
            "tok.SignedString([]byte(\"{}\"))",
            "new StorageSharedKeyCredential(\"acct\", \"{}\")",
            "given().auth().oauth2(\"{}\")",
            "client.get(url).bearer_auth(\"{}\")",
            "hmac.New(sha256.New, []byte(\"{}\"))",
            "cx_Oracle.connect(\"app/{}@db.local/x\")",
            "pt-archiver --source h=db.local,u=app,p={},D=shop",
            "basic.auth.user.info=app:{}",
            "\"basic.auth.user.info\", \"app:{}\"",
            "child.expect('[Pp]assword:')\nchild.sendline('{}')",
            "new AuthenticationHeaderValue(\"Bearer\", \"{}\")",
            "const std::string kCronSecret{\"{}\"};",
            "jdbc:oracle:thin:app/{}@db.local:1521:XE",
            "    Input Password    id=pw    {}",
            "    Fill Text    css=#password    {}",
        ] {
            for secret in ["x8Kq2mPz7Rw1", "Harbor7!Sunny.Kite"] {
                let shown = redact(&call.replace("{}", secret));
                assert!(shown.contains("[REDACTED:"), "{call}: {shown}");
                assert!(!shown.contains(&secret[4..]), "{call}: {shown}");
            }
        }
        let grouped = redact("setBasicAuth(\"ada\", \"TWYC-KG05-DZQE\")");
        assert!(!grouped.contains("KG05"), "{grouped}");
        let phrase = redact("setBasicAuth(\"ada\", \"maple-otter-canyon-brick\")");
        assert!(!phrase.contains("otter"), "{phrase}");
    }

    #[test]
    fn other_arguments_of_calls_stay() {
        for call in [
            "Credentials.basic(user, password)",
            "Credentials.basic(\"username\", \"password\")",
            "DBI->connect(\"dbi:SQLite:dbname=test2.db\", \"\", \"\")",
            "mysqli_connect(\"localhost\", \"root\", \"\", \"shop2024\")",
            "new PDO('mysql:host=localhost;dbname=test1', $user, $pass)",
            "new wpdb($user, $pass, 'wp_site1', 'localhost')",
            "sock.connect(\"10.0.0.1\", \"8080\")",
            "signal.connect(\"clicked\", \"on_button1_clicked\")",
            "yaml.load(\"config1.yml\", \"utf8x2\")",
            "char[] HEX = \"0123456789abcdef\".toCharArray();",
            "\"abcdefghij1234\".toCharArray()",
            "JWT.encode(claims, secret, 'HS256')",
            "jwt.sign(claims, process.env.JWT_SECRET)",
            "cookieParser(process.env[\"COOKIE_SECRET\"])",
            "return []byte(\"x8Kq2mPz7Rw1\"), nil",
            "new Sequelize('database', 'username', 'password', { dialect: 'sqlite' })",
            "jdbc:oracle:thin:@db.local:1521:XE1",
            "    Input Text    id=user    x8Kq2mPz7Rw1",
            "    Input Password    id=pw    ${PASSWORD1}",
            "getByLabel('Password').fill(password1)",
            "hmac.new(key, b'x8Kq2mPz7Rw1', hashlib.sha256)",
            "hmac.New(sha256.New, key)",
            "a=1,p=x8Kq2mPz7Rw1,c=3",
            "log.user.info(\"x8Kq2mPz7Rw1\")",
            "child.expect('login:')\nchild.sendline('x8Kq2mPz7Rw1')",
        ] {
            assert_eq!(redact(call), call);
        }
    }

    #[test]
    fn a_login_takes_what_a_person_chooses() {
        for call in [
            "server.login(\"ada@h.local\", \"{}\")",
            "requests.post(url, auth=(\"ada\", \"{}\"), json=d)",
            "pymysql.connect(\"localhost\", \"ada\", \"{}\", \"shop\")",
            "$link = mysql_connect('localhost', 'root', '{}');",
            "#0 /srv/db.php(12): PDO->__construct('mysql:host=h', 'ada', '{}')",
            "Mysql2::Client.new('h', 'ada', '{}')",
            "[System.Net.NetworkCredential]::new(\"ada\", \"{}\")",
            "EXEC sp_addlogin 'ada', '{}'",
            "ftp_login($c, 'ada', '{}');",
            "ldap_bind($ds, \"cn=admin,dc=x\", \"{}\")",
            "curl_setopt($ch, CURLOPT_USERPWD, \"ada:{}\");",
            "await userManager.CreateAsync(user, \"{}\");",
            "signInWithEmailAndPassword(auth, \"a@b.local\", \"{}\")",
            "CREATE USER ada IDENTIFIED BY '{}';",
            "CREATE USER ada IDENTIFIED BY {};",
            "CREATE ROLE r WITH LOGIN PASSWORD {};",
            "exec(\"ALTER USER ada IDENTIFIED BY {}\");",
            "sh -c 'echo CREATE USER ada IDENTIFIED BY {}\\; >>x.sql;'",
        ] {
            for secret in ["x8Kq2mPz7Rw1", "kettle91", "Harbor.Kite_47", "wqtmwfedxrs"] {
                let shown = redact(&call.replace("{}", secret));
                assert!(!shown.contains(secret), "{call}: {shown}");
            }
        }
    }

    #[test]
    fn what_chance_made_is_told_in_calls_that_say_little() {
        let hex = "3f9d2c7a51e84b06".repeat(2);
        let hex = hex.replacen("3f", "a4", 1);
        let mixed = ["x8Kq2mPz7Rw1", "Tb4WvRc1YsHd8NgJ6UkP"].concat();
        for call in [
            "client = Client(\"AC0\", \"{}\")",
            "const client = require('twilio')('AC0', '{}');",
            "client = Twilio::REST::Client.new 'AC0', '{}'",
            "const mg = require('mailgun-js')('{}', 'h.local')",
            "auth = tweepy.OAuthHandler(\"id\", \"{}\")",
            "auth.set_access_token(\"id\", \"{}\")",
            "webpush.setVapidDetails('mailto:a@b.local', 'BPub', '{}')",
            "passport.use(new GoogleStrategy('id', '{}', 'http://h/cb'))",
            "provider :github, 'id', '{}', scope: 'user'",
            "goth.UseProviders(github.New(\"id\", \"{}\", \"http://h/cb\"))",
            "algoliasearch('ABCDE', '{}');",
            "new Pusher(\"12\", \"id\", \"{}\", \"eu\")",
            "StreamChat.getInstance('id', '{}')",
            "minio.Minio(\"h:9000\", \"id\", \"{}\")",
            "AES.new(b'{}', AES.MODE_CBC, iv)",
            "crypto.createCipheriv('aes-256-cbc', '{}', iv);",
            "CryptoJS.AES.encrypt(msg, '{}').toString();",
            "openssl_encrypt($d, 'aes-256-cbc', '{}', 0, $iv)",
            "aes.NewCipher([]byte(\"{}\"))",
            "EncodingKey::from_secret(\"{}\".as_ref())",
            "sessions.NewCookieStore([]byte(\"{}\"))",
        ] {
            for secret in [&hex, &mixed] {
                let shown = redact(&call.replace("{}", secret));
                assert!(!shown.contains(secret.as_str()), "{call}: {shown}");
            }
        }
    }

    #[test]
    fn names_places_and_ids_among_the_arguments_of_a_call_stay() {
        for call in [
            "Client(\"https://h.local\", \"my-service-account2\")",
            "MongoClient('db2.h.local', 'shop2024')",
            "mqtt.connect(\"h.local\", 1883, \"sensor-client\")",
            "signal.connect(\"clicked\", \"on_button1_clicked\", \"Button1\")",
            "sqlite3.connect(\"file:x2.db\", \"5.0\", \"Cache2\")",
            "Client(\"h\", \"6f1ed002-ab1c-4d5e-8f90-1a2b3c4d5e6f\")",
            "decrypt(\"U2FsdGVkX19q83Jd02mzKq81LmZx7Tb4\", key)",
            "MessageDigest.getInstance(\"SHA-256\", \"BC2\")",
            "crypto.createCipheriv('aes-256-cbc', key, iv)",
            "provider :github, ENV['GITHUB_KEY2'], ENV['GITHUB_SECRET2']",
            "AES.new(key, AES.MODE_CBC, b'0123456789abcdef')",
            "google(\"how to sort2\", \"lists in python3\")",
            "GRANT ALL ON x.* TO ada IDENTIFIED BY PASSWORD",
            "CREATE USER ada IDENTIFIED BY <password1>;",
            "ALTER USER ada IDENTIFIED EXTERNALLY",
            "log in with password or key2",
        ] {
            assert_eq!(redact(call), call);
        }
    }
}
