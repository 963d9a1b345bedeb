//! What calls and statements lose, and what of them stays.

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
