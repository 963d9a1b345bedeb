//! Which files hold secrets, by their names.

use super::Kind;

/// Whether a file is source by its name, as most are: without a copy of the name, it is no file of
/// secrets.
pub(super) fn is_source(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let code = [".rs", ".py", ".js", ".ts", ".go", ".java", ".tsx"];
    code.iter().any(|end| name.ends_with(end))
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.matches('.').count() == 1
}

pub(super) fn kind(path: &str) -> Option<Kind> {
    let path = path.to_ascii_lowercase().replace('\\', "/");
    let path = path.trim_matches(|c| matches!(c, '"' | '\''));
    let name = path.rsplit('/').next().unwrap_or(path);
    let sample = [
        "example", "sample", "samples", "template", "tmpl", "dist", "pub", "md", "test", "schema",
    ];
    let parts = || name.split('.').skip(1);
    if parts().any(|part| sample.contains(&part)) || name.ends_with(".md") {
        return None;
    }
    let ends = |all: &[&str]| all.iter().any(|end| name.ends_with(end));
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
    values.then_some(Kind::Values)
}

const NAMED: [&str; 22] = [
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
    ".vault-token",
    ".vault_pass",
    ".dev.vars",
    "kubeconfig",
    "rclone.conf",
    "wp-config.php",
    "master.key",
    "gradle.properties",
    "auth.json",
    ".credentials.json",
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
