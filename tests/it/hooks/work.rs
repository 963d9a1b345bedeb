//! What hooks leave, and the worker that does it.

use super::{begin, calls, counting, hook, jobs, payload, settle, staged, still, transcript};
use crate::attacks::scene::{Scene, both};
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::json;

/// Writes a configuration with these keys beside the curator.
fn configure(scene: &Scene, keys: serde_json::Value) {
    let text = std::fs::read_to_string(scene.home.config()).unwrap();
    let mut config: serde_json::Value = serde_json::from_str(&text).unwrap();
    for (key, value) in keys.as_object().unwrap() {
        config[key] = value.clone();
    }
    std::fs::write(scene.home.config(), config.to_string()).unwrap();
}

#[test]
fn fifty_sessions_that_end_at_once_are_each_staged_once_by_one_worker() {
    let scene = Scene::new();
    counting(&scene);
    let names: Vec<_> = (0..50).map(|n| format!("s{n:02}")).collect();
    for name in &names {
        scene.user(name, &format!("{name}: the API listens on port 8443."));
    }
    let hooks: Vec<_> = names
        .iter()
        .map(|name| begin(&scene, "session-end", &payload(&scene, name)))
        .collect();
    for mut hook in hooks {
        assert!(hook.wait().unwrap().success());
    }
    settle(&scene);
    let mut sources: Vec<_> = staged(&scene)
        .iter()
        .map(|p| p["spans"][0]["source"].as_str().unwrap().to_owned())
        .collect();
    sources.sort();
    let wanted: Vec<_> = names
        .iter()
        .map(|n| transcript(&scene, n).to_str().unwrap().to_owned())
        .collect();
    assert_eq!(sources, wanted);
    assert_eq!(calls(&scene), 50);
    assert_eq!(scene.file("overlap"), "", "one curator at a time");
    let triggers = staged(&scene).into_iter().map(|p| p["trigger"].clone());
    assert!(triggers.into_iter().all(|t| t == "session-end"));
}

#[test]
fn a_hook_that_is_killed_with_its_group_has_left_its_job_or_nothing() {
    let scene = Scene::new();
    counting(&scene);
    for round in 0..12 {
        let name = format!("s{round:02}");
        scene.user(&name, &format!("{name}: the API listens on port 8443."));
        let mut child = begin(&scene, "session-end", &payload(&scene, &name));
        // Early, later, and after the job was left.
        if round % 3 == 2 {
            while jobs(&scene).is_empty() && child.try_wait().unwrap().is_none() {
                std::thread::yield_now();
            }
        } else {
            (0..round * 200).for_each(|_| std::thread::yield_now());
        }
        let group = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
        let _ = kill_process_group(group, Signal::KILL);
        child.wait().unwrap();
    }
    // The next session starts what was left over.
    assert!(hook(&scene, "session-start", "{}").status.success());
    settle(&scene);
    let done = staged(&scene).len();
    assert_eq!(calls(&scene), done);
    assert!(done >= 1, "{done}");
    // What no job was left for is free.
    scene.says(&["distill", "--all"]);
    let spans: usize = staged(&scene)
        .iter()
        .map(|p| p["spans"].as_array().unwrap().len())
        .sum();
    assert_eq!(spans, 12);
}

#[test]
fn an_answer_only_marks_the_session_and_a_quiet_one_is_distilled_once() {
    let scene = Scene::new();
    counting(&scene);
    scene.user("s", "The API listens on port 8443.");
    for _ in 0..5 {
        let out = hook(&scene, "stop", &payload(&scene, "s"));
        assert!(out.status.success() && out.stdout.is_empty(), "{out:?}");
    }
    assert_eq!(jobs(&scene).len(), 1);
    hook(&scene, "session-start", &payload(&scene, "t"));
    scene.says(&["work", "--here"]);
    assert_eq!((jobs(&scene).len(), calls(&scene)), (1, 0), "not quiet yet");
    configure(&scene, json!({"quiet_seconds": 0}));
    hook(&scene, "session-start", &payload(&scene, "t"));
    settle(&scene);
    assert_eq!((staged(&scene).len(), calls(&scene)), (1, 1));
    assert_eq!(staged(&scene)[0]["trigger"], "stop");
    // A session that ends needs no quiet.
    configure(&scene, json!({"quiet_seconds": 600}));
    scene.user("s", "Retries stay at three.");
    hook(&scene, "stop", &payload(&scene, "s"));
    hook(&scene, "session-end", &payload(&scene, "s"));
    settle(&scene);
    assert_eq!((staged(&scene).len(), calls(&scene)), (2, 2));
}

#[test]
fn a_session_is_found_by_its_id_and_one_of_another_place_is_remembered() {
    let scene = Scene::new();
    counting(&scene);
    scene.user("5f0b7f1e-aa", "The API listens on port 8443.");
    let only_id = json!({"session_id": "5f0b7f1e-aa", "cwd": scene.root}).to_string();
    hook(&scene, "pre-compact", &only_id);
    settle(&scene);
    assert_eq!(staged(&scene).len(), 1);
    // Of a folder that only the hook's environment names.
    let other = scene.home.path().join("other");
    let moved = other.join("projects/-app/x.jsonl");
    scene.user("x", "Retries stay at three.");
    std::fs::create_dir_all(moved.parent().unwrap()).unwrap();
    std::fs::rename(transcript(&scene, "x"), &moved).unwrap();
    let by_id = json!({"session_id": "x", "cwd": scene.root}).to_string();
    let mut command = scene.home.memd(&scene.root);
    command.env("CLAUDE_CONFIG_DIR", &other).write_stdin(by_id);
    assert!(
        command
            .args(["hook", "stop"])
            .output()
            .unwrap()
            .status
            .success()
    );
    configure(&scene, json!({"quiet_seconds": 0}));
    settle(&scene);
    assert_eq!(staged(&scene).len(), 2);
    let (_, store, _) = scene.open();
    assert_eq!(store.roots().unwrap()[0].1, other);
}

#[test]
fn a_curator_that_calls_hooks_is_asked_once() {
    let scene = Scene::new();
    scene.user("s", "The API listens on port 8443.");
    let memd = env!("CARGO_BIN_EXE_memd");
    let (home, state) = (scene.home.path(), scene.home.state());
    // As a CLI would that honours none of the flags: it keeps its own session, and tells its hooks of
    // it, with memd's mark in its environment and without.
    let own = home.join(".claude/projects/-curator/own.jsonl");
    let told = json!({"session_id": "own", "transcript_path": own, "cwd": state.join("curator")});
    let row = json!({
        "type": "user", "uuid": "own-1", "sessionId": "own", "cwd": state.join("curator"),
        "message": {"role": "user", "content": "The API listens on port 1."},
    });
    let script = home.join("fake-claude");
    let text = format!(
        "#!/bin/sh\necho x >> {home:?}/calls; cat > /dev/null\n\
         mkdir -p {dir:?}; printf '%s\\n' '{row}' > {own:?}\n\
         for mark in MEMD_CURATOR=1 NOTHING=1; do for event in session-start stop session-end; do\n\
         printf '%s' '{told}' | env -u MEMD_CURATOR \"$mark\" {memd:?} hook $event >> {home:?}/said\n\
         done; done\n\
         cat {home:?}/envelope\n",
        dir = own.parent().unwrap(),
    );
    let reply = json!({"version": 2, "summary": "s", "changes": []});
    let envelope = json!({"type": "result", "subtype": "success", "is_error": false, "structured_output": reply, "result": "", "total_cost_usd": 0.25});
    std::fs::write(home.join("envelope"), envelope.to_string()).unwrap();
    std::fs::write(&script, text).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    std::fs::set_permissions(&script, mode).unwrap();
    std::fs::write(
        scene.home.config(),
        json!({"claude_bin": script, "quiet_seconds": 0}).to_string(),
    )
    .unwrap();
    hook(&scene, "session-end", &payload(&scene, "s"));
    settle(&scene);
    hook(&scene, "session-start", &payload(&scene, "s"));
    settle(&scene);
    assert_eq!(calls(&scene), 1);
    assert_eq!(scene.file("said"), "");
    assert_eq!(staged(&scene).len(), 1);
    assert!(scene.says(&["distill"]).contains("nothing new"));
    let (_, store, _) = scene.open();
    let spent = store.spent(jiff::Timestamp::now()).unwrap();
    assert_eq!((spent.calls, spent.micros), (1, 250_000));
}

#[test]
fn what_still_goes_round_ends_at_the_cap_and_a_person_goes_on() {
    let scene = Scene::new();
    counting(&scene);
    configure(&scene, json!({"daily_calls": 3}));
    for name in ["a", "b", "c", "d", "e"] {
        scene.user(name, &format!("{name}: the API listens on port 8443."));
        hook(&scene, "session-end", &payload(&scene, name));
    }
    // What is over the cap waits for tomorrow, so nothing is due while jobs are left.
    while jobs(&scene).len() > 2 {
        scene.says(&["work", "--here"]);
    }
    still(&scene);
    scene.says(&["work", "--here"]);
    assert_eq!((calls(&scene), jobs(&scene).len()), (3, 2));
    let out = scene.memd(&["distill"]);
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(
        said.contains("today's cap of 3 curator calls is reached"),
        "{said}"
    );
    assert_eq!(calls(&scene), 4);
    assert!(scene.brief().contains("today's cap of 3 curator calls"));
    let status = scene.says(&["status"]);
    assert!(status.contains("curators today: 4 calls,"), "{status}");
    assert!(
        status.contains("not distilled by themselves until then"),
        "{status}"
    );
    assert!(scene.says(&["status", "--porcelain"]).contains(" capped=1"));
    scene.user("f", "Retries stay at three.");
    let all = scene.memd(&["distill", "--all"]);
    assert!(all.status.success(), "{all:?}");
    let (_, store, project) = scene.open();
    assert!(
        store.parked(&project.id).unwrap().is_empty(),
        "nobody failed"
    );
}

#[test]
fn a_repository_seen_for_the_first_time_gets_a_memory_and_its_session_is_material() {
    let scene = Scene::bare("app");
    counting(&scene);
    std::fs::create_dir_all(scene.root.join(".git")).unwrap();
    scene.user("old", "Retries stay at three.");
    scene.user("new", "The API listens on port 8443.");
    let out = hook(&scene, "session-start", &payload(&scene, "new"));
    assert!(out.status.success(), "{out:?}");
    settle(&scene);
    assert!(scene.root.join(".memory/state.md").exists());
    hook(&scene, "session-end", &payload(&scene, "new"));
    hook(&scene, "session-end", &payload(&scene, "old"));
    settle(&scene);
    let sources = staged(&scene);
    assert_eq!(sources.len(), 1);
    assert_eq!(
        sources[0]["spans"][0]["source"],
        transcript(&scene, "new").to_str().unwrap()
    );
}

#[test]
fn jobs_that_are_none_are_set_aside_and_stop_nothing() {
    let scene = Scene::new();
    counting(&scene);
    scene.user("s", "The API listens on port 8443.");
    let dir = scene.home.state().join("jobs");
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("a-broken.json"), "{\"kind\": ").unwrap();
    hook(&scene, "session-end", &payload(&scene, "s"));
    settle(&scene);
    assert_eq!(staged(&scene).len(), 1);
    assert!(dir.join("a-broken.bad").exists());
    let log = std::fs::read_to_string(scene.home.state().join("memd.log")).unwrap();
    assert!(log.contains("a-broken.json"), "{log}");
}

#[test]
fn a_database_that_waits_to_be_brought_up_while_another_holds_it_still_gives_the_brief() {
    let scene = Scene::new();
    let held = rusqlite::Connection::open(scene.home.state().join("memd.db")).unwrap();
    // As a memd of before left it, while another process is at it for good.
    let version: i64 = held
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap();
    held.pragma_update(None, "user_version", version - 1)
        .unwrap();
    held.execute_batch("BEGIN IMMEDIATE; UPDATE projects SET name = name;")
        .unwrap();
    let out = hook(&scene, "session-start", &payload(&scene, "s"));
    assert!(out.status.success());
    assert!(
        String::from_utf8(out.stdout)
            .unwrap()
            .contains("additionalContext")
    );
}

#[test]
fn a_brief_comes_while_the_database_is_being_written() {
    let scene = Scene::new();
    let held = rusqlite::Connection::open(scene.home.state().join("memd.db")).unwrap();
    held.execute_batch("BEGIN IMMEDIATE; UPDATE projects SET name = name;")
        .unwrap();
    let out = hook(&scene, "session-start", &payload(&scene, "s"));
    assert!(
        String::from_utf8(out.stdout)
            .unwrap()
            .contains("additionalContext")
    );
}

#[test]
fn a_curator_that_waits_for_a_login_sets_no_material_aside() {
    let scene = Scene::new();
    let usual = std::fs::read(scene.home.config()).unwrap();
    let home = scene.home.path();
    let script = home.join("fake-claude");
    let envelope = json!({"type": "result", "subtype": "success", "is_error": true, "result": "Please run /login"});
    let text =
        format!("#!/bin/sh\necho x >> {home:?}/calls; cat > /dev/null\nprintf '%s' '{envelope}'\n");
    std::fs::write(&script, text).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    std::fs::set_permissions(&script, mode).unwrap();
    std::fs::write(
        scene.home.config(),
        json!({"claude_bin": script}).to_string(),
    )
    .unwrap();
    scene.user("s", "The API listens on port 8443.");
    for _ in 0..5 {
        hook(&scene, "session-end", &payload(&scene, "s"));
        settle(&scene);
    }
    assert_eq!(calls(&scene), 5);
    assert!(!scene.says(&["status"]).contains("set aside"));
    let log = std::fs::read_to_string(scene.home.state().join("memd.log")).unwrap();
    assert!(!log.contains("/login"), "{log}");
    // Once another one can be asked, the material is still there.
    std::fs::write(scene.home.config(), usual).unwrap();
    counting(&scene);
    hook(&scene, "session-end", &payload(&scene, "s"));
    settle(&scene);
    assert_eq!(staged(&scene).len(), 1);
}

#[test]
fn a_program_that_is_not_there_uses_up_nothing_of_the_day() {
    let scene = Scene::new();
    let usual = std::fs::read(scene.home.config()).unwrap();
    let config = json!({"curator_cmd": ["/nowhere/at/all"], "daily_calls": 2});
    std::fs::write(scene.home.config(), config.to_string()).unwrap();
    scene.user("s", "The API listens on port 8443.");
    for _ in 0..4 {
        assert_eq!(scene.memd(&["distill"]).status.code(), Some(2));
    }
    std::fs::write(scene.home.config(), usual).unwrap();
    counting(&scene);
    configure(&scene, json!({"daily_calls": 2}));
    hook(&scene, "session-end", &payload(&scene, "s"));
    settle(&scene);
    assert_eq!((calls(&scene), staged(&scene).len()), (1, 1));
}

#[test]
fn material_that_keeps_failing_is_set_aside_and_shown() {
    let scene = Scene::new();
    scene.script("cat > /dev/null; echo x >> \"$1/calls\"; exit 1");
    scene.user("s", "The API listens on port 8443.");
    let limits = memd::curator::Limits {
        retries: Vec::new(),
        ..Default::default()
    };
    for _ in 0..3 {
        scene.distill(&limits).unwrap_err();
    }
    hook(&scene, "session-end", &payload(&scene, "s"));
    settle(&scene);
    assert_eq!(calls(&scene), 3, "it is not tried again");
    assert!(scene.says(&["status"]).contains("set aside"));
    let said = both(&scene.memd(&["doctor"]));
    assert!(
        said.contains("is set aside") && said.contains("--retry"),
        "{said}"
    );
}
