//! Scripted curators: broken, slow, endless, clinging, hostile. None may hang memd, outlive its
//! call, or get a word through that was not checked.

mod bench;
mod claude;

use crate::support::shared;
use bench::{Bench, REPLY};
use memd::config::CuratorChoice;
use memd::curator::{Answered, CuratorError, Failure, ProposedChange, Reply, prompt};
use memd::digest::Builder;
use memd::source::{Reading, claude::read_claude};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

fn error(result: Result<Answered, Box<Failure>>) -> CuratorError {
    result.unwrap_err().error
}

fn answer(text: &str) -> String {
    format!("cat > \"$1/seen\"\ncat <<'END'\n{text}\nEND\n")
}

#[test]
fn a_command_gets_the_prompt_and_a_clean_environment_and_its_reply_is_read() {
    let mut bench = Bench::new();
    bench.settings.escalate_chars = 5;
    let text = format!("env > \"$1/env\"; pwd > \"$1/pwd\"\n{}", answer(REPLY));
    let answered = bench.script(&text).unwrap();
    let Reply::Changes(changes) = answered.reply else {
        panic!("contract 2 expected")
    };
    assert!(
        matches!(&changes.changes[0], ProposedChange::Add { text, .. } if text.contains("8443"))
    );
    assert_eq!(
        (answered.usage.calls, answered.usage.backend.as_str()),
        (1, "command")
    );
    // It is told of no model: which one it asks nobody knows.
    assert_eq!(answered.usage.model, None);
    let seen = bench.read("seen");
    assert!(seen.starts_with("# You keep the memory") && seen.contains("\n[1] U: The API"));
    let env = bench.read("env");
    assert!(
        !env.contains("CLAUDECODE=") && !env.contains("ENTRYPOINT"),
        "{env}"
    );
    assert!(env.contains("MEMD_CURATOR=1"));
    assert_eq!(Path::new(bench.read("pwd").trim()), bench.places.curator());
}

#[test]
fn an_argument_may_name_the_model() {
    let bench = Bench::new();
    let path = bench.write(
        "c.sh",
        &format!("echo \"$2\" > \"$1/model\"\n{}", answer(REPLY)),
    );
    let home = bench.home.path();
    let argv = [
        "sh",
        path.to_str().unwrap(),
        home.to_str().unwrap(),
        "--model={model}",
    ];
    let answered = bench
        .ask(&CuratorChoice::Command(argv.map(str::to_owned).into()))
        .unwrap();
    assert_eq!(bench.read("model"), "--model=haiku\n");
    assert_eq!(answered.usage.model.as_deref(), Some("haiku"));
}

#[test]
fn a_broken_reply_is_asked_for_again_and_then_told() {
    let bench = Bench::new();
    let error =
        error(bench.script("echo x >> \"$1/calls\"; echo '{\"version\": 2, \"changes\": ['"));
    assert!(
        error
            .to_string()
            .ends_with("the reply ends inside its JSON object"),
        "{error}"
    );
    assert_eq!(bench.read("calls").lines().count(), 3);
    let said = bench.said();
    assert!(
        said.contains("wait 5") && said.contains("wait 15"),
        "{said}"
    );
    assert!(said.contains("trying again in 5 s"));
}

#[test]
fn a_second_try_that_succeeds_is_enough() {
    let bench = Bench::new();
    let text = format!(
        "test -e \"$1/seen\" || {{ cat > \"$1/seen\"; exit 1; }}\n{}",
        answer(REPLY)
    );
    assert_eq!(bench.script(&text).unwrap().usage.calls, 2);
}

#[test]
fn a_failure_names_program_status_and_the_end_of_its_words_without_secrets() {
    let bench = Bench::new();
    let secret = format!("{}{}", "gh", "p_16C7e42F292c6912E7710c838347Ae178B4a");
    let text = format!(
        "i=0; while [ $i -lt 20000 ]; do echo \"noise $i {secret}\" >&2; i=$((i+1)); done\n\
         echo 'model not found' >&2; echo 'token {secret}' >&2; exit 7"
    );
    let message = error(bench.script(&text)).to_string();
    assert!(
        message.contains("exit status: 7") && message.contains("model not found"),
        "{message}"
    );
    assert!(
        message.contains("sh\", asked for changes to memory"),
        "{message}"
    );
    assert!(
        !message.contains("16C7e42F") && !bench.said().contains("16C7e42F"),
        "{message}"
    );
    assert!(message.chars().count() < 1_000 && !message.contains('\n'));
}

#[test]
fn a_slow_one_is_ended_with_all_it_started() {
    let mut bench = Bench::new();
    bench.limits.timeout = Duration::from_millis(300);
    let text = "trap '' TERM; sh -c 'trap \"\" TERM; echo $$ > \"$0/child\"; sleep 1000' \"$1\" & \
                echo $$ > \"$1/leader\"; wait; sleep 1000";
    let error = error(bench.script(text));
    assert!(matches!(error, CuratorError::TimedOut { .. }), "{error}");
    assert!(error.to_string().contains("after 0.3 s"), "{error}");
    assert!(bench.is_gone("leader") && bench.is_gone("child"));
    assert_eq!(
        bench.said().matches("wait").count(),
        0,
        "a timeout is not tried again"
    );
}

/// Not a test by itself: what the next one starts as a process of its own, since a signal to this
/// one would reach every test.
#[test]
fn a_memd_that_will_be_interrupted() {
    let Some(dir) = std::env::var_os("MEMD_TEST_INTERRUPTED").map(PathBuf::from) else {
        return;
    };
    let bench = Bench::new();
    let text = format!(
        "echo $$ > {dir:?}/leader.new; mv {dir:?}/leader.new {dir:?}/leader; sleep 1000 & wait"
    );
    let failure = bench.script(&text).unwrap_err();
    std::fs::write(dir.join("outcome"), failure.to_string()).unwrap();
}

#[test]
fn a_signal_to_memd_ends_the_curator_first() {
    let bench = Bench::new();
    let home = bench.home.path();
    let mut memd = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "curator::a_memd_that_will_be_interrupted"])
        .env("MEMD_TEST_INTERRUPTED", &home)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while bench.read("leader").is_empty() && memd.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let pid = rustix::process::Pid::from_raw(i32::try_from(memd.id()).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    assert!(memd.wait().unwrap().success());
    assert!(
        bench.read("outcome").starts_with("interrupted"),
        "{}",
        bench.read("outcome")
    );
    assert!(bench.is_gone("leader"));
}

/// memd itself is killed, not asked: nobody is left to end the curator but the system.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_memd_takes_the_curator_with_it() {
    let bench = Bench::new();
    let home = bench.home.path();
    let root = bench.home.folder("demo");
    let script = bench.write(
        "c.sh",
        "setsid sh -c 'echo $$ > \"$0/hidden\"; exec sleep 1000' \"$1\" &\n\
         sh -c 'echo $$ > \"$0/child\"; exec sleep 1000' \"$1\" &\n\
         while ! [ -s \"$1/hidden\" ] || ! [ -s \"$1/child\" ]; do :; done\n\
         echo $$ > \"$1/leader.new\"; mv \"$1/leader.new\" \"$1/leader\"; exec sleep 1000",
    );
    let config = bench.home.config();
    std::fs::create_dir_all(config.parent().unwrap()).unwrap();
    let argv = serde_json::json!({"curator_cmd": ["sh", script, home]});
    std::fs::write(config, argv.to_string()).unwrap();
    bench.home.memd(&root).arg("init").assert().success();
    let note = "The API listens on 8443.";
    let mut noted = bench.home.memd(&root);
    noted.arg("note").write_stdin(note).assert().success();
    let mut memd = Command::new(env!("CARGO_BIN_EXE_memd"))
        .args(["distill", "--curator", "command"])
        .env_clear()
        .envs(bench.home.env())
        .current_dir(&root)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while bench.read("leader").is_empty() && memd.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let leader = bench.read("leader");
    assert!(Path::new("/proc").join(leader.trim()).exists(), "{leader}");
    memd.kill().unwrap();
    memd.wait().unwrap();
    for process in ["leader", "child", "hidden"] {
        assert!(bench.is_gone(process), "{process}");
    }
}

/// Started through memd's binary a program is what it is without: arguments, variables, its end.
#[test]
fn a_curator_started_through_memd_is_the_same() {
    let mut bench = Bench::new();
    let own = PathBuf::from(env!("CARGO_BIN_EXE_memd"));
    bench.env = bench.env.clone().through(Some(own));
    let text = format!(
        "env > \"$1/env\"; echo \"$0 $#\" > \"$1/args\"\n{}",
        answer(REPLY)
    );
    bench.script(&text).unwrap();
    let args = bench.read("args");
    assert!(args.ends_with("sh 1\n"), "{args}");
    assert!(!bench.read("env").contains("CLAUDECODE="));
    assert!(bench.read("seen").contains("[1] U: The API"));
    let error = error(bench.script("echo no >&2; exit 7"));
    assert!(error.to_string().contains("exit status: 7"), "{error}");
}

/// With memd's binary between them nothing is left behind, wherever it hides.
#[cfg(target_os = "linux")]
#[test]
fn what_a_curator_left_is_ended_also_outside_of_its_group() {
    let mut bench = Bench::new();
    let own = PathBuf::from(env!("CARGO_BIN_EXE_memd"));
    bench.env = bench.env.clone().through(Some(own));
    let hides = "setsid sh -c 'echo $$ > \"$0/hidden\"; exec sleep 1000' \"$1\" &\n\
                 sh -c 'echo $$ > \"$0/child\"; exec sleep 1000' \"$1\" &\n\
                 while ! [ -s \"$1/hidden\" ] || ! [ -s \"$1/child\" ]; do :; done\n";
    bench.script(&format!("{hides}{}", answer(REPLY))).unwrap();
    assert!(bench.is_gone("hidden") && bench.is_gone("child"));
    bench.limits.timeout = Duration::from_millis(1_500);
    let error = error(bench.script(&format!(
        "trap '' TERM\n{hides} sleep 1000 & wait; sleep 1000"
    )));
    assert!(matches!(error, CuratorError::TimedOut { .. }), "{error}");
    assert!(bench.is_gone("hidden") && bench.is_gone("child"));
}

#[test]
fn an_endless_one_is_ended_at_the_limit() {
    let mut bench = Bench::new();
    bench.limits.max_output = 100_000;
    bench.limits.retries.clear();
    let error = error(bench.script("echo $$ > \"$1/leader\"; exec yes '{\"version\": 2'"));
    assert!(
        matches!(error, CuratorError::TooMuch { limit: 100_000, .. }),
        "{error}"
    );
    assert!(bench.is_gone("leader"));
}

#[test]
fn a_grandchild_that_holds_the_pipe_does_not_hold_memd_and_is_ended() {
    let bench = Bench::new();
    let text = format!("sleep 1000 & echo $! > \"$1/child\"\n{}", answer(REPLY));
    assert_eq!(bench.script(&text).unwrap().usage.calls, 1);
    assert!(bench.is_gone("child"));
}

#[test]
fn a_grandchild_that_left_the_group_holds_the_pipe_for_nothing() {
    let bench = Bench::new();
    // It ends by itself when the home is removed.
    let text = format!(
        "setsid sh -c 'echo $$ > \"$0/child\"; while [ -e \"$0/child\" ]; do sleep 0.1; done' \"$1\" &\n{}",
        answer(REPLY)
    );
    assert_eq!(bench.script(&text).unwrap().usage.calls, 1);
}

#[test]
fn one_that_reads_nothing_or_writes_before_it_reads_does_not_block() {
    let bench = Bench::new();
    let big = "x".repeat(300_000);
    let text = format!("echo '{big}' >&2; printf '%s' '{big}'\ncat <<'END'\n{REPLY}\nEND");
    bench.script(&text).unwrap();
    bench
        .script(&format!("exec 0<&-\ncat <<'END'\n{REPLY}\nEND"))
        .unwrap();
}

#[test]
fn a_hostile_reply_gains_nothing() {
    let bench = Bench::new();
    let secret = format!("{}{}", "gh", "p_16C7e42F292c6912E7710c838347Ae178B4a");
    let reply = format!(
        r#"{{"version": 2, "origin": "user", "changes": [
        {{"op": "add", "file": "state.md", "text": "- token {secret}", "confirmed": true, "evidence": [1]}},
        {{"op": "add", "file": "../../.bashrc", "text": "x"}}]}}"#
    );
    let answered = bench.script(&answer(&reply)).unwrap();
    let Reply::Changes(changes) = &answered.reply else {
        panic!("contract 2 expected")
    };
    assert_eq!(changes.changes.len(), 1);
    assert_eq!(changes.stripped.len(), 3, "{:?}", changes.stripped);
    assert!(!format!("{answered:?}").contains("16C7e42F"));
    assert_eq!(answered.hits.len(), 1);
    let two = format!("{REPLY}\n{REPLY}");
    let error = error(bench.script(&answer(&two)));
    assert!(
        error.to_string().contains("more than one JSON object"),
        "{error}"
    );
}

/// What honest curators wrote to real sessions passes unchanged: nothing left out, nothing hidden.
#[test]
fn honest_replies_pass_unchanged() {
    let Some(dir) = shared().map(|s| s.join("cases/replies")) else {
        return;
    };
    let bench = Bench::new();
    let mut count = 0;
    for item in std::fs::read_dir(dir).unwrap() {
        let text = std::fs::read_to_string(item.unwrap().path()).unwrap();
        let Ok(mut reply) = serde_json::from_str::<serde_json::Value>(&text) else {
            continue;
        };
        for change in reply["changes"].as_array_mut().unwrap() {
            change["entry"] = "0123456789ab".into();
            count += 1;
        }
        let answered = bench.script(&answer(&reply.to_string())).unwrap();
        assert_eq!(answered.hits, []);
        let Reply::Changes(changes) = answered.reply else {
            panic!("contract 2 expected")
        };
        assert_eq!(changes.stripped, Vec::<String>::new());
        assert_eq!(
            changes.changes.len(),
            reply["changes"].as_array().unwrap().len()
        );
    }
    assert!(count > 50);
}

/// The digests of real sessions, redacted turn by turn: the last redaction of the whole prompt
/// finds nothing more, and takes no marker and no number for a secret.
#[test]
fn the_last_redaction_leaves_prompts_of_real_sessions_whole() {
    let Some(dir) = shared().map(|s| s.join("corpus/claude-code")) else {
        return;
    };
    let bench = Bench::new();
    let reading = Reading {
        project: None,
        own: &bench.places,
        seen: &|_| false,
    };
    for item in std::fs::read_dir(dir).unwrap() {
        let path = item.unwrap().path();
        let mut builder = Builder::new(&bench.redactor, 60_000);
        let Ok(coverage) = read_claude(&path, 0, None, &reading, &mut builder) else {
            continue;
        };
        builder.cover(coverage);
        let digest = builder.finish().digest;
        let (prompt, hits) = prompt::build(&[], &digest, &[], "x", "5eedf00d", &bench.redactor);
        assert_eq!(hits, [], "{path:?}");
        let marks = prompt.body.as_str().lines().filter(|l| l.starts_with('['));
        assert_eq!(marks.count(), digest.lines.len(), "{path:?}");
    }
}

#[test]
fn a_missing_program_is_a_matter_of_configuration_with_three_ways_out() {
    let mut bench = Bench::new();
    bench.settings.claude_bin = "no-such-claude".into();
    for choice in [
        CuratorChoice::Claude,
        CuratorChoice::Command(vec!["no-such-curator".into()]),
        CuratorChoice::Command(vec!["./no-such-curator".into()]),
    ] {
        let error = error(bench.ask(&choice));
        assert!(error.is_config(), "{error}");
        let message = error.to_string();
        for way in [
            "install it",
            "\"curator_cmd\"",
            "\"builtin\"",
            "--curator builtin",
        ] {
            assert!(message.contains(way), "{message}");
        }
    }
    assert!(!bench.said().contains("wait"));
}
