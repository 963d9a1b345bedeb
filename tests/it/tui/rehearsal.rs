//! `--keys … --print` shows what a terminal would, and writes nothing.

use super::staged::{Staged, fact, long, moved, port};

/// The frame after these keys, from the command.
fn printed(staged: &Staged, keys: &str, size: &str) -> String {
    let mut memd = staged.home.memd(&staged.seed.root);
    memd.env("LANG", "C.UTF-8").env("TERM", "xterm-256color");
    let args = ["review", "--keys", keys, "--print", "--size", size];
    let run = memd.args(args).output().unwrap();
    assert!(run.status.success(), "{run:?}");
    assert!(!run.stdout.contains(&0x1b));
    String::from_utf8(run.stdout).unwrap().trim_end().to_owned()
}

#[test]
fn what_is_printed_is_what_a_terminal_shows() {
    let staged = Staged::new(vec![fact(1), port(2, 9090), moved(3), long(4, 40)]);
    let scripts: [(&str, &[&str]); 10] = [
        ("", &[]),
        ("j", &["j"]),
        ("]]", &["]", "]"]),
        ("jd", &["j", "d"]),
        ("jdd", &["j", "d", "d"]),
        ("G", &["G"]),
        ("?", &["?"]),
        ("<Tab>", &["Tab"]),
        ("t", &["t"]),
        ("JJJ", &["J", "J", "J"]),
    ];
    for (script, keys) in scripts {
        for (columns, rows) in [(80, 24), (120, 36)] {
            let mut screen = staged.review().size(columns, rows).start();
            screen.wait_ready();
            screen.quiet();
            for key in keys {
                screen.press(key);
                screen.quiet();
            }
            let printed = printed(&staged, script, &format!("{columns}x{rows}"));
            assert_eq!(
                printed,
                screen.text().trim_end(),
                "{script} at {columns}x{rows}"
            );
        }
    }
}

#[test]
fn decisions_are_played_and_not_kept_and_nothing_is_applied() {
    let staged = Staged::facts(3);
    let frame = printed(&staged, "ar", "80x24");
    assert!(
        frame.contains("[a] Fact 1") && frame.contains("[r] Fact 2"),
        "{frame}"
    );
    let frame = printed(&staged, "aru", "80x24");
    assert!(
        frame.contains("[a] Fact 1") && frame.contains("[ ] Fact 2"),
        "{frame}"
    );
    let sheet = printed(&staged, "aw", "80x24");
    assert!(sheet.contains("y apply"), "{sheet}");
    let applied = printed(&staged, "awy", "80x24");
    assert!(applied.contains("rehearsal"), "{applied}");
    assert_eq!(staged.decided(3), "[ ] [ ] [ ]");
    assert!(
        !staged
            .seed
            .text(memd::memory::MemoryFile::Todo)
            .contains("Fact")
    );
    assert!(!staged.seed.root.join(".memory/.git").exists());
}

#[test]
fn keys_that_do_not_exist_are_named() {
    let staged = Staged::facts(1);
    let mut memd = staged.home.memd(&staged.seed.root);
    let run = memd
        .args(["review", "--keys", "j<Nope>", "--print"])
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(2));
    let said = String::from_utf8(run.stderr).unwrap();
    assert!(said.contains("Nope"), "{said}");
}

#[test]
fn a_theme_that_does_not_exist_is_named() {
    let staged = Staged::new(vec![fact(1)]);
    for (theme, code) in [("mono", 0), ("contrast", 0), ("solarized", 2)] {
        let mut memd = staged.home.memd(&staged.seed.root);
        memd.env("MEMD_THEME", theme).env("TERM", "xterm");
        let run = memd.args(["review", "--print"]).output().unwrap();
        let said = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(code), "{said}");
        assert_eq!(code == 2, said.contains("ansi, mono or contrast"), "{said}");
    }
}
