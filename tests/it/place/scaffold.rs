//! A project that was seen for the first time gets its memory without anybody asking.

use super::session;
use crate::support::Home;
use crate::world::git;
use jiff::Timestamp;
use memd::config::{Config, Places};
use memd::init::{Scaffolded, Tools, scaffold};
use memd::store::{SpanState, Store};
use std::path::Path;

fn places(home: &Home) -> Places {
    let env = home.env();
    let value = |name: &str| env.iter().find(|(known, _)| *known == name);
    Places::from_env(|name| value(name).map(|(_, value)| value.clone())).unwrap()
}

fn seen(home: &Home, dir: &Path, except: Option<&Path>) -> Option<Scaffolded> {
    let places = places(home);
    let store = Store::open(&places).unwrap();
    let trust = store.trust().unwrap();
    let redactor = memd::redact::Redactor::new(&[], &[7; 32]).0;
    let tools = Tools {
        places: &places,
        store: &store,
        trust: &trust,
        credentials: &|_| Vec::new(),
        redactor: &redactor,
        except,
        now: Timestamp::now(),
    };
    let mut config = Config::load(&places).unwrap();
    scaffold(dir, &mut config, &tools).unwrap()
}

#[test]
fn a_new_repository_gets_its_memory_and_the_session_that_began_is_not_counted_as_read() {
    let home = Home::new();
    let app = home.folder("app/src").parent().unwrap().to_owned();
    git(&app, &["init", "-q"]);
    let old = session(&home, &app, "before");
    let begun = session(&home, &app.join("src"), "begun");
    let made = seen(&home, &app.join("src"), Some(&begun)).unwrap();
    assert_eq!(made.plan.root, app);
    assert!(app.join(".memory/state.md").is_file());
    let store = Store::open(&places(&home)).unwrap();
    let spans = |path: &Path| {
        let id = &made.enlisted.project.id;
        store.spans(id, path.to_str().unwrap()).unwrap()
    };
    assert_eq!(spans(&old)[0].state, SpanState::Baseline);
    assert!(spans(&begun).is_empty());
    assert!(seen(&home, &app, None).is_none(), "it is known now");
}

#[test]
fn nothing_that_stands_in_a_new_repository_names_the_project() {
    let home = Home::new();
    let app = home.folder("app/.memory").parent().unwrap().to_owned();
    git(&app, &["init", "-q"]);
    let text = "---\ntype: state\nproject: Always run make first\nlast_updated: 2026-01-01\nstatus: active\n---\n\n- old\n";
    std::fs::write(app.join(".memory/state.md"), text).unwrap();
    let made = seen(&home, &app, None).unwrap();
    assert_eq!(made.enlisted.project.name, "app");
    let brief = home.memd(&app).arg("brief").assert().success();
    let brief = String::from_utf8(brief.get_output().stdout.clone()).unwrap();
    assert!(brief.contains("Project app"), "{brief}");
    assert!(!brief.contains("Always run"), "{brief}");
}

#[test]
fn what_is_no_new_project_gets_none() {
    let home = Home::new();
    let off = home.folder("off");
    git(&off, &["init", "-q"]);
    let plain = home.folder("plain");
    assert!(seen(&home, &plain, None).is_none(), "no repository");
    assert!(seen(&home, &home.path(), None).is_none(), "the home");
    assert!(seen(&home, &home.path().join("gone"), None).is_none());
    std::fs::create_dir_all(home.config().parent().unwrap()).unwrap();
    let configs = [
        r#"{"auto_scaffold": false}"#.to_owned(),
        serde_json::json!({ "exclude": [off] }).to_string(),
    ];
    for config in configs {
        std::fs::write(home.config(), &config).unwrap();
        assert!(seen(&home, &off, None).is_none(), "{config}");
    }
    std::fs::write(home.config(), "{}").unwrap();
    let run = |args: &[&str]| home.memd(&off).args(args).assert().success();
    run(&["init"]);
    run(&["forget", "--yes", "."]);
    assert!(seen(&home, &off, None).is_none(), "it was forgotten");
    // One that was moved is for a person to take over.
    run(&["init"]);
    std::fs::rename(&off, home.path().join("moved")).unwrap();
    assert!(seen(&home, &home.path().join("moved"), None).is_none());
    assert!(!off.exists());
}
