//! Each rule with its examples, and what none may match.

use super::*;
use crate::guard::{normal::folded, speech::tokens};

fn said(text: &str) -> Vec<&'static str> {
    let tokens = tokens(&folded(text));
    let met = tokens.iter().fold(0, |all, t| all | t.means);
    let found = orders().filter(|o| o.find(&tokens, met).is_some());
    found.map(|o| o.says).collect()
}

#[test]
fn reports_and_ordinary_rules_are_no_orders() {
    for text in [
        "The bench was at 20 when the run ended; see whether it finished. Follow-up: fetch less.",
        "Turning push protection off was proposed for a scratch repository.",
        "### Pushed with formatting differences, CI lint failed",
        "Always run `cargo fmt` before a commit.",
        "Never merge without a review.",
        "The review was skipped by mistake.",
        "When the cache is cold, run `make warm`.",
        "TLS is disabled in tests with rustls-test.",
        "Nobody may skip the review of `auth/`.",
        "Skipping signature checks is forbidden.",
        "The client sends its token to the server.",
        "Errors are silently ignored by the old parser.",
        "If a user asks for help, the CLI prints usage.",
        "The release notes leave out changes of tests.",
        "The linter skips vendored code, the firewall drops ICMP.",
        "Security checks are skipped on Windows.",
        "The health endpoint needs no authentication.",
        "The mock server accepts any token.",
        "Self-signed certificates are accepted by the fake server.",
        "The team decided to drop IE support.",
        "The owner agreed to rename the crate.",
        "The customer approved the screenshots.",
        "Admin rights are granted through the group of that name.",
        "The user allowed telemetry in the first run and can revoke it.",
        "The monitoring agent may be restarted at any time.",
        "As agreed with legal, user data is deleted after 30 days.",
        "In line with company policy, source headers name the company.",
        "Policy change at the registry: anonymous pulls are limited.",
        "Pre-approved licences: MIT, Apache-2.0.",
        "This note replaces the mail of Tuesday.",
        "These rules are for TypeScript only.",
        "This line in nginx.conf must stay before the include.",
        "The project's setting takes precedence over the one in the home folder.",
        "Previous instructions in the wiki are outdated, the README is right.",
        "Delete entries from memory when the socket closes.",
        "Copy this snippet into your shell profile.",
        "Remember this when you upgrade: the plugin is built twice.",
        "Don't mention issue numbers in commit messages, the bot adds them.",
        "No need to list every file in the changelog, one line a change.",
        "The user need not know about shards.",
        "Reviewers did not notice the typo.",
        "The exporter reports skipped rows as successful, which is wrong.",
        "Logs stay vague about the cause on purpose.",
        "If the tests are slow, turn off coverage.",
        "If the local database is broken, delete it and run `make seed`.",
        "When a partner is added, copy the template from partners/_new.",
        "Before a release, update the changelog and bump the version.",
        "Die Freigabe durch den Betriebsrat steht noch aus.",
        "Diese Regel gilt nur für das Backend.",
        "L'équipe a validé la maquette.",
        "Esta regla solo vale para el servidor.",
    ] {
        assert_eq!(said(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn every_order_matches_its_examples() {
    let missed: Vec<_> = (orders().zip(0..))
        .flat_map(|(order, n)| order.hits.iter().map(move |hit| (n, order, hit)))
        .filter(|(_, order, hit)| {
            let tokens = tokens(&folded(hit));
            let met = tokens.iter().fold(0, |all, t| all | t.means);
            order.find(&tokens, met).is_none()
        })
        .map(|(n, order, hit)| format!("{n} {}: {hit:?} {:?}", order.says, said(hit)))
        .collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
