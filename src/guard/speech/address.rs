//! What between blanks leads out: hosts and addresses; and files that hold secrets.

use crate::guard::lexicon::*;

/// Hosts that a text names without a scheme before them.
pub(in crate::guard) fn bare_hosts(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let chunks = lower.split(|c: char| c.is_whitespace() || "|()[]<>,;\"'`".contains(c));
    let bare = chunks.filter(|c| !c.contains("://") && address(c) == Some(OUTSIDE));
    let hosts = bare.filter_map(|chunk| {
        let chunk = chunk.trim_matches(|c: char| !c.is_alphanumeric());
        let end = chunk.find(['/', ':', '?', '#']).unwrap_or(chunk.len());
        chunk[..end].rsplit('@').next().map(str::to_owned)
    });
    let mut found: Vec<String> = hosts.collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Endings of names that are hosts and hardly ever files or fields.
const TOP: &str = " com org net io dev app co ai example info xyz site online top cc tk ru cn de fr es uk eu us me tv biz cloud tech link click pw su ly to nl pl it ch at be br jp kr ca au se no fi dk ";

/// What a chunk is that leads out: a host, an address, everybody; or a file of secrets.
pub(super) fn address(chunk: &str) -> Option<Concepts> {
    let bare = chunk.trim_matches(|c: char| !c.is_alphanumeric() && !"./~@".contains(c));
    let bare = bare.trim_end_matches(['.', '/']);
    if bare.is_empty() {
        return None;
    }
    let file = bare.rsplit('/').next().unwrap_or(bare);
    if file.starts_with(".env")
        || matches!(
            file,
            ".netrc" | "id_rsa" | "id_ed25519" | ".npmrc" | ".pypirc"
        )
        || bare.contains(".ssh")
        || bare.contains(".aws")
    {
        return Some(SECRET);
    }
    if bare.starts_with("0.0.0.0") {
        return Some(PUBLIC);
    }
    if let Some((scheme, rest)) = bare.split_once("://") {
        let is_near = ["localhost", "127.", "[::1]", "0.0.0.0"]
            .iter()
            .any(|h| rest.starts_with(h));
        let is_web = scheme.ends_with("http")
            || scheme.ends_with("https")
            || scheme.ends_with("ftp")
            || scheme.ends_with("wss")
            || scheme.ends_with("ws")
            || scheme.ends_with("s3");
        return (is_web && !is_near && !rest.is_empty()).then_some(OUTSIDE);
    }
    let host = bare.split(['/', ':', '?', '#']).next().unwrap_or(bare);
    let host = host.rsplit('@').next().unwrap_or(host);
    let (name, top) = host.rsplit_once('.')?;
    let is_host = !name.is_empty()
        && TOP.contains(&format!(" {top} "))
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || c == '-' || c == '.')
        && !name.starts_with('.');
    let is_ip = host.split('.').count() == 4 && host.split('.').all(|p| p.parse::<u8>().is_ok());
    let is_own = ["127.", "10.", "192.168."]
        .iter()
        .any(|h| host.starts_with(h));
    (is_host || (is_ip && !is_own)).then_some(OUTSIDE)
}
