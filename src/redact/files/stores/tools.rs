//! What programs do with what they read or run: print it, run it, count it, keep quiet. Data only.

/// Commands that print what is in the files they are given.
pub(in super::super) const PRINTERS: [&str; 34] = [
    "diff",
    "comm",
    "cat",
    "bat",
    "batcat",
    "less",
    "more",
    "nl",
    "tac",
    "type",
    "head",
    "tail",
    "sed",
    "awk",
    "gawk",
    "grep",
    "egrep",
    "fgrep",
    "rg",
    "cut",
    "sort",
    "strings",
    "view",
    "get-content",
    "gc",
    "jq",
    "yq",
    "tr",
    "xxd",
    "paste",
    "column",
    "base64",
    "perl",
    "select-string",
];

/// What takes another program's words behind its own.
pub(in super::super) const RUNNERS: [&str; 47] = [
    "sudo",
    "doas",
    "command",
    "time",
    "exec",
    "nohup",
    "nice",
    "timeout",
    "env",
    "xargs",
    "watch",
    "stdbuf",
    "setsid",
    "builtin",
    "docker",
    "podman",
    "nerdctl",
    "docker-compose",
    "kubectl",
    "oc",
    "ssh",
    "op",
    "doppler",
    "infisical",
    "chamber",
    "aws-vault",
    "dotenv",
    "dotenvx",
    "heroku",
    "fly",
    "flyctl",
    "railway",
    "direnv",
    "vagrant",
    "multipass",
    "lxc",
    "wsl",
    "npx",
    "pnpm",
    "yarn",
    "bunx",
    "poetry",
    "uv",
    "pipenv",
    "bundle",
    "bin/rails",
    "rtk",
];

/// Those of them that fill the environment with secrets.
pub(in super::super) const FILLERS: [&str; 11] = [
    "op",
    "doppler",
    "infisical",
    "chamber",
    "aws-vault",
    "dotenv",
    "dotenvx",
    "sops",
    "teller",
    "berglas",
    "envconsul",
];

/// What runs a script that it is given as a word, and behind which option.
pub(in super::super) const SHELLS: [&str; 11] = [
    "bash",
    "sh",
    "zsh",
    "dash",
    "ash",
    "ksh",
    "fish",
    "eval",
    "cmd",
    "powershell",
    "pwsh",
];

/// Languages that run a line given as a word.
pub(in super::super) const LANGUAGES: [&str; 9] = [
    "python", "python3", "node", "ruby", "perl", "php", "deno", "bun", "uv",
];

/// What counts, compares, packs or sends on: nothing of what goes in is printed.
pub(in super::super) const ENDS: [&str; 22] = [
    "wc",
    "sha1sum",
    "sha256sum",
    "sha512sum",
    "md5sum",
    "shasum",
    "md5",
    "cksum",
    "pbcopy",
    "xclip",
    "clip",
    "wl-copy",
    "docker",
    "podman",
    "kubectl",
    "oc",
    "helm",
    "psql",
    "mysql",
    "gh",
    "wrangler",
    "vercel",
];

/// What prints nothing.
pub(in super::super) const QUIET: [&str; 19] = [
    "cd", "set", "export", "source", ".", "true", ":", "mkdir", "sleep", "unset", "local", "chmod",
    "pushd", "popd", "shopt", "readonly", "trap", "wait", "touch",
];

/// How people call commands for short.
pub(in super::super) const ALIASES: [(&str, &str); 4] = [
    ("k", "kubectl"),
    ("tf", "terraform"),
    ("dc", "docker-compose"),
    ("g", "git"),
];

/// Parts of what is fetched over HTTP that make the answer a secret.
pub(in super::super) const FETCHED: [&str; 5] = [
    "X-Vault-Token",
    "/v1/secret/data/",
    "/meta-data/iam/security-credentials",
    "/service-accounts/default/token",
    "/metadata/identity/oauth2/token",
];
