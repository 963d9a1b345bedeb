//! Which files hold secrets, by their names.

use super::Kind;
use crate::redact::assignment::says_secret;

/// Whether a file is source by its name, as most are: without a copy of the name, it is no file of
/// secrets.
fn is_source(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let code = [".rs", ".py", ".js", ".ts", ".go", ".java", ".tsx"];
    code.iter().any(|end| name.ends_with(end))
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.matches('.').count() == 1
}

/// Whether a word has no mark that a path has, and is no name of a file of secrets without one: most
/// words of commands are told so.
fn is_word(path: &str) -> bool {
    let mark = |b: u8| matches!(b, b'.' | b'/' | b'\\' | b'_' | b'~' | b'"' | b'\'' | b'*');
    let mut named = ONE.iter().chain(&NAMED);
    !path.bytes().any(mark) && !named.any(|name| name.eq_ignore_ascii_case(path))
}

pub(super) fn kind(path: &str) -> Option<Kind> {
    if is_word(path) || is_source(path) {
        return None;
    }
    let path = path.to_ascii_lowercase().replace('\\', "/");
    // `.env*`: more than one, and this one among them.
    let path = path.trim_matches(|c| matches!(c, '"' | '\'' | '*'));
    let path = BACKUPS
        .iter()
        .find_map(|end| path.strip_suffix(end))
        .unwrap_or(path);
    let name = path.rsplit('/').next().unwrap_or(path);
    let sample = [
        "example", "sample", "samples", "template", "tmpl", "dist", "pub", "md", "test", "schema",
    ];
    let parts = || name.split('.').skip(1);
    if parts().any(|part| sample.contains(&part)) || name.ends_with(".md") {
        return None;
    }
    let ends = |all: &[&str]| all.iter().any(|end| name.ends_with(end));
    if is_one(path, name) {
        return Some(Kind::Answer);
    }
    if ends(&[".pem", ".p8", ".key", ".ppk", ".p12.b64"])
        || name.starts_with("id_") && !name.contains('.')
    {
        return Some(Kind::Key);
    }
    let code = ends(&[
        ".rs", ".py", ".js", ".ts", ".go", ".java", ".rb", ".tsx", ".jsx", ".c",
    ]);
    let values = NAMED.contains(&name)
        || name.starts_with(".env.")
        || name.ends_with(".env")
        || name.starts_with(".envrc")
        || path.ends_with("/env") && !path.ends_with("bin/env") && !path.contains("venv")
        || name.ends_with(".env.txt")
        || BELOW.iter().any(|end| path.ends_with(end))
        || ends(&[".tfvars", ".tfvars.json", ".kubeconfig"])
        || name.contains(".tfstate")
        || !code
            && name.contains("credentials")
            && ends(&[".json", ".yml", ".yaml", ".ini", ".toml"])
        || (name.contains("service-account") || name.contains("service_account"))
            && name.ends_with(".json")
        || matches!(name.split('.').next(), Some("secrets" | "secret"))
            && ends(&[".yml", ".yaml", ".json", ".toml", ".env", ".ini"]);
    let settings = SETTINGS.contains(&name)
        || name.starts_with("appsettings.") && name.ends_with(".json")
        || name.starts_with("application-") && ends(&[".properties", ".yml", ".yaml"]);
    let kind = values.then_some(Kind::Values);
    kind.or(settings.then_some(Kind::Environment))
}

/// What is put behind a name when a file is set aside.
const BACKUPS: [&str; 6] = [".bak", ".backup", ".old", ".orig", ".save", "~"];

/// Files of settings: names say which of them are secrets.
const SETTINGS: [&str; 6] = [
    "gradle.properties",
    "application.properties",
    "application.yml",
    "application.yaml",
    "local.settings.json",
    "local.properties",
];

/// Whether a file holds one secret and nothing else: a mounted one, or one called so.
fn is_one(path: &str, name: &str) -> bool {
    let mounted = ["/run/secrets/", "/etc/secrets/", "/var/secrets/"];
    let stem = name.strip_suffix(".txt").unwrap_or(name);
    let plain = !stem.contains('.') && path.contains('/') || name.ends_with(".txt");
    let many = stem.ends_with('s');
    let called = !many && says_secret(stem.trim_start_matches('.').as_bytes());
    ONE.contains(&name)
        || mounted.iter().any(|dir| path.contains(dir)) && !name.contains("namespace")
        || plain && called && !path.contains("/src/") && !path.contains("bin/")
}

const ONE: [&str; 18] = [
    ".vault-token",
    ".vault_pass",
    "master.key",
    "credentials/production.key",
    ".vault-pass",
    ".vault_pass.txt",
    "vault_pass.txt",
    "vault_pass",
    "vault-pass",
    ".vault_password",
    ".vault-password",
    "vault_password",
    "vault-password",
    "vault_password_file",
    "vault-password-file",
    "initialadminpassword",
    "auth.txt",
    "userpass.txt",
];

const NAMED: [&str; 21] = [
    ".env",
    ".npmrc",
    ".pypirc",
    ".netrc",
    "_netrc",
    ".pgpass",
    ".git-credentials",
    ".dockercfg",
    ".htpasswd",
    ".my.cnf",
    ".s3cfg",
    ".boto",
    ".dev.vars",
    "kubeconfig",
    "rclone.conf",
    "wp-config.php",
    "auth.json",
    ".credentials.json",
    "rsyncd.secrets",
    "sasl_passwd",
    "kaggle.json",
];

const BELOW: [&str; 11] = [
    ".aws/credentials",
    ".docker/config.json",
    ".kube/config",
    "gcloud/credentials.db",
    "gcloud/application_default_credentials.json",
    "gh/hosts.yml",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
    "config/database.yml",
    ".terraform.d/credentials.tfrc.json",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_says_what_a_file_holds() {
        for path in [
            "/a/.env",
            "/a/.env.local",
            "prod.env",
            "/h/.aws/credentials",
            "C:\\x\\.npmrc",
            "terraform.tfstate",
            "prod.tfvars",
            "config/secrets.yml",
            "~/.claude/.credentials.json",
            "/h/.config/gh/hosts.yml",
            "my-service-account.json",
        ] {
            assert_eq!(kind(path), Some(Kind::Values), "{path}");
        }
        for path in ["/h/.ssh/id_ed25519", "server.key", "a.pem"] {
            assert_eq!(kind(path), Some(Kind::Key), "{path}");
        }
        for path in [
            ".env.example",
            ".env.local.example",
            "/h/.ssh/id_rsa.pub",
            "src/env.rs",
            "environment.md",
            "id_map.rs",
            "credentials.rs",
            "src/secrets.py",
            "docs/secrets.md",
            "hosts.yml",
        ] {
            assert_eq!(kind(path), None, "{path}");
        }
    }
}
