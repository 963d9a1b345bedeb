//! What commands, protocols and system files lose.

use super::super::tests::redact;

#[test]
fn commands_lose_their_passwords() {
    for line in [
        "curl -sS --user mira:{} https://h/",
        "curl -u 'mira:{}' https://h/",
        "curl -sSLu mira:{} https://h/",
        "curl -sfu \"mira:{}\" https://h/",
        "curl -u mira:'{}' https://h/",
        "curl -ku mira:\"{}\" https://h/",
        "curl -b 'sessionid={}; a=b' https://h/",
        "http -a mira:{} https://h/",
        "mysqladmin -u root -p{} status",
        "mongo -u admin -p '{}' h/db",
        "sqlcmd -S h -U sa -P {} -Q x",
        "sqlplus app/{}@//h:1521/x",
        "sshpass -p{} ssh u@h",
        "echo {} | docker login -u u --password-stdin",
        "printf '%s' '{}' | docker secret create x -",
        "openssl rsa -in k -passin pass:{}",
        "ssh-keygen -t ed25519 -N {} -f k",
        "7z x a.7z -p{}",
        "az login --service-principal -u id -p {} --tenant t",
        "aws ssm put-parameter --name /a/b --type SecureString --value {}",
        "vault login {}",
        "rabbitmqctl add_user app {}",
        "net use Z: \\\\h\\s {} /user:u",
        "net user mira {} /add",
        "ldapsearch -x -D cn=a -w {} -b dc=x",
        "smbclient //h/s -U u%{}",
        "htpasswd -bnB u {}",
        "echo \"mira:{}\" | sudo chpasswd",
        "echo -e \"{}\\n{}\" | passwd mira",
        "echo {} | sudo -S apt update",
        "sudo -S <<< {} ls",
        "gh secret set N -b{}",
        "requirepass {}",
        "expect \"password:\"\nsend \"{}\\r\"",
        "a1 LOGIN mira \"{}\"",
        "USER mira\r\nPASS {}\r\n",
        "<auth-user-pass>\nmira\n{}\n</auth-user-pass>",
        "requests.get(u, auth=('mira', '{}'))",
        "new PDO('mysql:host=h', 'u', '{}')",
        "await page.type('#password', '{}')",
        "db.corp:6543:*:app:{}",
        "useradd -m -p '{}' mira",
        "http -a {}{} https://h/",
        "stats auth mira:{}",
        "buildah push --creds=mira:{} x",
        "openssl enc -aes-256-cbc -K {} -iv 00 -in x",
        "username mira privilege 15 secret 0 {}",
        "New value: {}",
        "    Key Content            : {}",
        "expdp app/{} directory=d",
        "echo {} | gopass insert x",
        "user mira on >{} ~* +@all",
        "smtp_sasl_password_maps = static:mira:{}",
        "mira : EAP \"{}\"",
        "'Basic ' + btoa('mira:{}')",
        "conn = database('shop','mira','{}');",
        "$redis->auth('{}');",
        "BUNDLE_GEMS__h__LOCAL: \"mira:{}\"",
        "127.0.0.1:6379> AUTH mira {}",
    ] {
        let secret = "x8Kq2mPz7Rw1";
        let shown = redact(&line.replace("{}", secret));
        assert!(!shown.contains("mPz7Rw1"), "{line}: {shown}");
    }
}

#[test]
fn other_words_of_commands_stay() {
    for line in [
        "docker run -p 8080:80 img2",
        "mysql -u root -p shop2024",
        "docker login -u user1 -p $PASSWORD1",
        "ssh -p 2222 u@h2",
        "git log -p --since=2weeks",
        "7z x archive1.7z -o/tmp/out2",
        "net use Z: \\\\h\\share1",
        "net user mira1 /delete",
        "htpasswd -c file1 user1",
        "echo hello123 | grep x | sudo tee f1",
        "openssl rsa -in key1.pem -passin file:pw1.txt",
        "openssl enc -aes256 -pass env:PW1",
        "vault login -method=oidc1",
        "curl -b cookies1.txt h",
        "ldapsearch -x -W -b dc=x1",
        "npm config set registry https://r1.local/",
        "aws configure set region us-east-1",
        "send \"yes1234\\r\"",
        "--- PASS: TestAuth2 (0.00s)",
        "AUTH PLAIN LOGIN CRAM-MD5",
        "requests.get(u, auth=(user1, pw1))",
        "cy.get('[name=password]').should('be.visible1')",
        "To set the allowed addresses as server key restrictions:",
        "the wpa_passphrase command, arguments: follow",
    ] {
        assert_eq!(redact(line), line);
    }
}
