//! Which commands take a password, and where it stands.

/// Where a command's password stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// After an option and a space or `=`: `-p pw`.
    After(&'static [&'static str]),
    /// Glued to an option: `-ppw`.
    Glued(&'static [&'static str]),
    /// After an option, as `user:pw`, `user%pw` or `user,pw`.
    Pair(&'static [&'static str], char),
    /// After an option, as `pass:pw`.
    Source(&'static [&'static str]),
    /// Cookies after an option.
    Cookies(&'static [&'static str]),
    /// The nth word that is no option, from 1.
    Word(usize),
    /// The last word.
    Last,
    /// The last word, if one of these options is given.
    LastWith(&'static [&'static str]),
    /// What is written into it: `echo pw | …`, `printf 'user:pw' | …`, `… <<< pw`.
    Piped,
    /// As `user/pw@`.
    Slash,
    /// The word after a share: `net use \\h\s pw /user:u`.
    Share,
}

use How::{After, Cookies, Glued, Last, LastWith, Pair, Piped, Share, Slash, Source, Word};

const P: How = After(&["-p", "--password"]);
const UPPER_P: How = After(&["-P"]);
const GLUED_P: How = Glued(&["-p"]);
const USERS: &[&str] = &["-u", "--user", "-U", "--proxy-user", "--auth", "-a"];
/// Its `-s` and `-a` are a scope and what to do with aliases.
const LDAP_SEARCH: &[How] = &[After(&["-w"])];
const LDAP: &[How] = &[After(&["-w", "-s", "-a"])];
const SMB: &[How] = &[Pair(&["-U", "--user"], '%')];
const CURL: &[How] = &[
    Pair(USERS, ':'),
    Cookies(&["-b", "--cookie"]),
    After(&["--oauth2-bearer", "--pass", "--proxy-pass", "--key-pass"]),
];

/// Commands as they are typed, each with the space behind it.
pub(super) const COMMANDS: &[(&str, &[How])] = &[
    ("curl ", CURL),
    ("wget ", CURL),
    ("http ", CURL),
    ("https ", CURL),
    ("xh ", CURL),
    ("mysql ", &[GLUED_P]),
    ("mysqldump ", &[GLUED_P]),
    ("mysqladmin ", &[GLUED_P]),
    ("mysqlimport ", &[GLUED_P]),
    ("mariadb ", &[GLUED_P]),
    ("mariadb-dump ", &[GLUED_P]),
    ("mongo ", &[P]),
    ("mongosh ", &[P]),
    ("mongodump ", &[P]),
    ("mongorestore ", &[P]),
    ("mongoexport ", &[P]),
    ("mongoimport ", &[P]),
    ("cqlsh ", &[P]),
    ("cypher-shell ", &[P]),
    ("rabbitmqadmin ", &[P]),
    ("elasticsearch-users ", &[P]),
    ("redis-cli ", &[After(&["-a", "--pass"])]),
    ("sqlcmd ", &[UPPER_P, Glued(&["-P"])]),
    ("osql ", &[UPPER_P, Glued(&["-P"])]),
    ("bcp ", &[UPPER_P, Glued(&["-P"])]),
    ("isql ", &[Word(3)]),
    ("sqlplus ", &[Slash]),
    ("sshpass ", &[After(&["-p"]), GLUED_P]),
    ("psexec ", &[After(&["-p", "/p"])]),
    ("rdesktop ", &[P]),
    ("evil-winrm ", &[P]),
    ("crackmapexec ", &[P]),
    ("netexec ", &[P]),
    ("nxc ", &[P]),
    ("hydra ", &[P]),
    ("ncftp ", &[P]),
    ("lftp ", &[Pair(&["-u", "--user"], ',')]),
    ("docker login ", &[P, Piped]),
    ("podman login ", &[P, Piped]),
    ("buildah login ", &[P, Piped]),
    ("nerdctl login ", &[P, Piped]),
    ("helm registry login ", &[P, Piped]),
    ("skopeo login ", &[P, Piped]),
    ("oras login ", &[P, Piped]),
    ("crane auth login ", &[P, Piped]),
    (
        "skopeo copy ",
        &[Pair(&["--src-creds", "--dest-creds", "--creds"], ':')],
    ),
    ("docker secret create ", &[Piped]),
    ("twine upload ", &[P]),
    ("az login ", &[P]),
    ("az acr login ", &[P]),
    ("oc login ", &[P]),
    ("az keyvault secret set ", &[After(&["--value"])]),
    ("ssm put-parameter ", &[After(&["--value"])]),
    (
        "gh secret set ",
        &[After(&["-b", "--body"]), Glued(&["-b"]), Piped],
    ),
    ("gh auth login ", &[Piped]),
    ("gcloud secrets ", &[Piped]),
    ("vercel env add ", &[Piped]),
    ("wrangler secret put ", &[Piped]),
    ("gem push ", &[After(&["--key"])]),
    ("vault login ", &[Word(1)]),
    ("vault operator unseal ", &[Word(1)]),
    ("cargo login ", &[Word(1)]),
    ("rclone obscure ", &[Word(1)]),
    ("_authToken ", &[Word(1)]),
    ("poetry config pypi-token", &[Word(2)]),
    ("poetry config http-basic", &[Word(3)]),
    ("pulumi config set --secret ", &[Word(2)]),
    ("user-secrets set ", &[Word(2)]),
    ("doppler secrets set ", &[Word(2)]),
    ("rabbitmqctl add_user ", &[Word(2)]),
    ("rabbitmqctl change_password ", &[Word(2)]),
    ("set-initial-password ", &[Word(1)]),
    ("reset-admin-password ", &[Word(1)]),
    ("drush user:password ", &[Word(2)]),
    ("net user ", &[Word(2)]),
    ("net use ", &[Share]),
    ("cmdkey ", &[Glued(&["/pass:"])]),
    ("xfreerdp ", &[Glued(&["/p:"])]),
    ("winrs ", &[Glued(&["-p:", "/p:"])]),
    ("schtasks ", &[After(&["/rp"])]),
    ("runas ", &[Piped]),
    ("ldapsearch ", LDAP_SEARCH),
    ("ldapadd ", LDAP),
    ("ldapmodify ", LDAP),
    ("ldapdelete ", LDAP),
    ("ldapwhoami ", LDAP),
    ("ldappasswd ", LDAP),
    ("smbclient ", SMB),
    ("smbget ", SMB),
    ("smbmap ", &[P]),
    ("rpcclient ", SMB),
    ("kinit ", &[Piped]),
    ("openssl ", &[Source(&["-passin", "-passout", "-pass"])]),
    ("openssl enc ", &[After(&["-k"])]),
    ("openssl passwd ", &[Last]),
    ("ssh-keygen ", &[After(&["-N", "-P"])]),
    ("gpg ", &[After(&["--passphrase"])]),
    ("--passphrase-fd 0", &[Piped]),
    ("zip ", &[UPPER_P]),
    ("unzip ", &[UPPER_P]),
    ("7z a ", &[GLUED_P]),
    ("7z x ", &[GLUED_P]),
    ("7z e ", &[GLUED_P]),
    ("7za ", &[GLUED_P]),
    ("rar a ", &[Glued(&["-p", "-hp"])]),
    ("rar x ", &[Glued(&["-p", "-hp"])]),
    ("unrar x ", &[GLUED_P]),
    ("cryptsetup ", &[Piped]),
    ("zfs load-key ", &[Piped]),
    ("ipmitool ", &[UPPER_P]),
    ("mosquitto_pub ", &[UPPER_P]),
    ("mosquitto_sub ", &[UPPER_P]),
    ("snmpwalk ", &[After(&["-A", "-X"])]),
    ("snmpget ", &[After(&["-A", "-X"])]),
    ("wpa_passphrase ", &[Word(2)]),
    ("nmcli ", &[After(&["password"])]),
    ("iwconfig ", &[Glued(&["s:"])]),
    ("usermod ", &[P]),
    ("htpasswd ", &[LastWith(&["-b", "-c", "-n"])]),
    ("chpasswd", &[Piped]),
    ("passwd --stdin", &[Piped]),
    ("passwd ", &[Piped]),
    ("sudo -S", &[Piped]),
    ("su -c ", &[Piped]),
    ("cli.jar ", &[Pair(&["-auth"], ':')]),
    ("ACL SETUSER ", &[Glued(&[">"])]),
    ("secret_access_key ", &[Word(1)]),
    ("requirepass ", &[Word(1)]),
    ("masterauth ", &[Word(1)]),
];
