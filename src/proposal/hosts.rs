//! Web hosts in a text.

/// The hosts of the web addresses in a text, lower-case, once each, in order.
#[must_use]
pub fn hosts(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let lower = text.to_lowercase();
    for (at, _) in lower.match_indices("://") {
        let scheme = lower[..at].rsplit(|c: char| !c.is_alphanumeric()).next();
        let is_web = matches!(scheme, Some("http" | "https" | "ftp" | "ws" | "wss"));
        // Elsewhere a name without a dot is a service of one's own, such as `redis://cache`.
        let is_other = matches!(
            scheme,
            Some("udp" | "tcp" | "ssh" | "sftp" | "git" | "rsync" | "s3" | "gs" | "ldap" | "smtp")
        );
        if !is_web && !is_other {
            continue;
        }
        let rest = &lower[at + 3..];
        let end = rest
            .find(|c: char| c.is_whitespace() || "/?#\\\"'`)]}>|,;*".contains(c))
            .unwrap_or(rest.len());
        let authority = rest[..end].rsplit('@').next().unwrap_or_default();
        let host = if authority.starts_with('[') {
            authority.trim_matches(['[', ']'])
        } else {
            authority.split(':').next().unwrap_or_default()
        };
        let host = host.trim_matches('.').to_owned();
        // A placeholder such as `http://<host>` names none.
        let is_host =
            host.chars().any(char::is_alphanumeric) && !host.contains(['<', '$', '{', '…']);
        let is_host =
            is_host && (is_web || host.contains('.') || matches!(scheme, Some("s3" | "gs")));
        if is_host && !found.contains(&host) {
            found.push(host);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_found_behind_users_and_ports() {
        assert_eq!(
            hosts(
                "see HTTPS://A.example:8080/x, (http://user@b.example) <https://a.example> file://x http://$HOST/ ws://c.example. udp://d.example:9 tcp://cache:1 s3://drop/x"
            ),
            ["a.example", "b.example", "c.example", "d.example", "drop"]
        );
    }
}
