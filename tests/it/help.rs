//! What `--help` says: the words are the interface, so a change of them is seen.

use crate::support::Home;

fn help(home: &Home, args: &[&str]) -> String {
    let run = home
        .memd(&home.path())
        .args(args)
        .arg("--help")
        .assert()
        .success();
    let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    format!("$ memd {} --help\n{text}", args.join(" "))
}

#[test]
fn every_command_says_what_it_does_and_takes() {
    let home = Home::new();
    let commands = [
        "init",
        "digest",
        "redact",
        "distill",
        "sweep",
        "install-timer",
        "review",
        "status",
        "show",
        "log",
        "history",
        "revert",
        "restore",
        "confirm",
        "brief",
        "note",
        "verify",
        "audit",
        "key",
        "guards",
        "scan",
        "trust",
        "untrust",
        "exclude",
        "forget",
        "install-hooks",
        "uninstall-hooks",
        "doctor",
        "hook",
        "demo",
    ];
    let texts: Vec<_> = commands.iter().map(|c| help(&home, &[c])).collect();
    insta::assert_snapshot!(texts.join("\n"));
}

#[test]
fn a_wrong_word_is_a_usage_error_and_changes_nothing() {
    let home = Home::new();
    home.memd(&home.path()).arg("destill").assert().code(2);
    home.memd(&home.path())
        .args(["distill", "--curator", "nobody"])
        .assert()
        .code(2);
    assert!(!home.state().exists());
}
