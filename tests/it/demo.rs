//! The demo: its session is worth showing, and without a terminal it says how to go on.

use crate::screen::Screen;
use crate::support::Home;
use memd::curator::ProposedChange;
use memd::curator::builtin::curate;
use memd::digest::Digest;
use memd::memory::MemoryFile;
use std::path::Path;

fn digest(home: &Home) -> Digest {
    let asset = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/demo/session.jsonl");
    let project = home.folder("quayside");
    let session = std::fs::read_to_string(asset).unwrap();
    let session = session
        .replace("@DAY@", "2026-05-18")
        .replace("@PROJECT@", project.to_str().unwrap());
    let file = home.path().join("session.jsonl");
    std::fs::write(&file, session).unwrap();
    let mut memd = home.memd(&home.path());
    let run = memd.args(["digest", "--json", "--transcript"]).arg(&file);
    let out = run.assert().success().get_output().stdout.clone();
    serde_json::from_slice(&out).unwrap()
}

#[test]
fn its_session_hides_one_secret_and_gives_something_for_each_file() {
    let home = Home::new();
    let digest = digest(&home);
    assert_eq!(digest.hits.len(), 1);
    let reply = curate(&digest, &[]);
    let texts: Vec<(MemoryFile, &str)> = reply
        .changes
        .iter()
        .map(|change| match change {
            ProposedChange::Add { file, text, .. } => (*file, text.as_str()),
            other => panic!("memory is empty: {other:?}"),
        })
        .collect();
    assert!((4..=8).contains(&texts.len()), "{texts:#?}");
    for file in MemoryFile::ALL {
        assert!(
            texts.iter().any(|(f, _)| *f == file),
            "nothing for {file:?}: {texts:#?}"
        );
    }
    let hidden = texts
        .iter()
        .filter(|(_, text)| !memd::text::hidden(text).is_empty());
    assert_eq!(
        hidden.count(),
        1,
        "the injected order is there to be seen and rejected"
    );
}

#[test]
fn without_a_terminal_it_shows_the_proposal_says_how_to_go_on_and_touches_nothing() {
    let home = Home::new();
    let run = home.memd(&home.path()).arg("demo").assert().success();
    let out = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    for told in [
        "staged 7 changes",
        "<U+200B ZWSP>",
        "pipes a download into a shell",
    ] {
        assert!(out.contains(told), "{told:?} is not in {out}");
    }
    assert_eq!(out.matches("  [REDACTED:github").count(), 1, "{out}");
    assert!(out.ends_with("In your own project: memd init, then memd distill.\n"));
    assert!(out.contains("Only a person at a terminal decides"), "{out}");
    assert!(memd::text::hidden(&out).is_empty());
    let errors = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    assert!(
        !errors.contains("cannot") && !errors.contains("can be distilled"),
        "{errors}"
    );
    let token = format!("gh{}_", 'p');
    assert!(!out.contains(&token));
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
    let place = out.split_once("of its own: ").unwrap().1;
    let place = place.lines().next().unwrap();
    assert!(place.contains("memd-demo-"), "{place}");
    assert!(
        !Path::new(place).exists(),
        "the demo's home was left behind"
    );
}

#[test]
fn on_a_terminal_it_promises_nothing_of_a_home_that_goes() {
    let home = Home::new();
    let mut screen = Screen::memd(&home, &home.path(), &["demo"]).start();
    screen.wait_for("Enter opens the review");
    screen.press("Enter");
    screen.wait_until("the review", |s| s.screen().alternate_screen());
    screen.wait_ready();
    screen.press("q");
    screen.wait_for("the demo goes on with what was applied");
    screen.wait_for("In your own project: memd init, then memd distill.");
    assert_eq!(screen.finish(), 0);
    assert!(!screen.shows("goes on from here"), "{}", screen.text());
}

#[test]
fn a_home_that_is_kept_can_be_used_as_it_says() {
    let home = Home::new();
    let run = home.memd(&home.path()).args(["demo", "--keep"]).assert();
    let out = String::from_utf8(run.success().get_output().stdout.clone()).unwrap();
    let kept = out.split_once(" HOME='").unwrap().1;
    let kept = Path::new(kept.split_once('\'').unwrap().0);
    assert!(out.contains("cd '"), "{out}");
    let mut memd = home.memd(&kept.join("quayside"));
    memd.env("HOME", kept);
    for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "CLAUDE_CONFIG_DIR"] {
        memd.env_remove(name);
    }
    let status = memd.arg("review").assert().success();
    let status = String::from_utf8(status.get_output().stdout.clone()).unwrap();
    std::fs::remove_dir_all(kept).unwrap();
    assert!(status.contains("quayside  "), "{status}");
}
