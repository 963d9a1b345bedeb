//! Which entries are decided one by one, whoever proposes a change of them.

/// Beginnings of words that make an entry one of high impact. Lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HighImpact(Vec<String>);

/// Identity, credentials, security, deployment (SECURITY.md, T5).
const DEFAULT: &[&str] = &[
    "identity",
    "login",
    "sign-in",
    "oauth",
    "sso",
    "permission",
    "authenti",
    "authoriz",
    "authoris",
    "credential",
    "password",
    "secret",
    "api key",
    "api-key",
    "access token",
    "private key",
    "ssh key",
    "security",
    "vulnerab",
    "encrypt",
    "certificate",
    "tls",
    "firewall",
    "sandbox",
    "deploy",
    "production",
    "rollback",
    "rollout",
    "release process",
];

impl HighImpact {
    /// These words, in any case; none: no entry is of high impact.
    #[must_use]
    pub fn new(words: &[String]) -> Self {
        let words = words.iter().map(|w| w.trim().to_lowercase());
        Self(words.filter(|w| !w.is_empty()).collect())
    }

    /// The first of the words that begins a word of this lower-case text.
    #[must_use]
    pub fn first_in(&self, text: &str) -> Option<&str> {
        let begins = |word: &&String| {
            let mut places = text.match_indices(word.as_str());
            places.any(|(at, _)| !text[..at].ends_with(char::is_alphanumeric))
        };
        self.0.iter().find(begins).map(String::as_str)
    }
}

impl Default for HighImpact {
    fn default() -> Self {
        Self(DEFAULT.iter().map(|w| (*w).to_owned()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_counts_where_a_word_begins() {
        let words = HighImpact::default();
        assert_eq!(
            words.first_in("deployments go out on fridays"),
            Some("deploy")
        );
        assert_eq!(words.first_in("- **re**: tls is on"), Some("tls"));
        assert_eq!(words.first_in("subtlsx, undeployed"), None);
        assert_eq!(HighImpact::new(&[]).first_in("deploy"), None);
        let own = HighImpact::new(&[" Invoice ".to_owned(), String::new()]);
        assert_eq!(own.first_in("invoices are sent"), Some("invoice"));
    }
}
