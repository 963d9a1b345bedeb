//! The Claude CLI: a script in its place, and the real one where it is named.

use super::bench::{Bench, REPLY};
use super::error;
use crate::support::shared;
use memd::config::CuratorChoice;
use memd::curator::{CuratorError, Environment, Reply};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn claude_is_also_found_in_local_bin() {
    let mut bench = Bench::new();
    bench.home.folder(".local/bin");
    bench.settings.claude_bin = "claude-of-this-test".into();
    bench.write(
        ".local/bin/claude-of-this-test",
        &format!(
            "#!/bin/sh\ncat >/dev/null\ncat <<'END'\n{}\nEND\n",
            envelope()
        ),
    );
    bench.ask(&CuratorChoice::Claude).unwrap();
}

fn envelope() -> String {
    format!(
        r#"{{"type": "result", "subtype": "success", "is_error": false, "result": "", "total_cost_usd": 0.25, "usage": {{"input_tokens": 100, "output_tokens": 7}}, "structured_output": {REPLY}}}"#
    )
}

#[test]
fn claude_is_asked_without_tools_hooks_or_a_session_and_its_cost_is_kept() {
    let mut bench = Bench::new();
    let text = format!(
        "printf '%s\\n' \"$@\" > \"$H/args\"; cat > \"$H/seen\"\ncat <<'END'\n{}\nEND",
        envelope()
    );
    let usage = bench.claude(&text).unwrap().usage;
    assert_eq!(
        (usage.input_tokens, usage.output_tokens),
        (Some(100), Some(7))
    );
    assert_eq!((usage.cost_usd, usage.calls), (Some(0.25), 1));
    let args = bench.read("args");
    for flag in [
        "-p\n--model\nhaiku\n--output-format\njson\n",
        "--safe-mode\n--settings\n{\"disableAllHooks\": true, \"verbose\": false}\n--tools\n\n",
        "--no-session-persistence\n",
        "--strict-mcp-config\n",
        "--disable-slash-commands\n",
        "--system-prompt\n# You keep",
        "--json-schema\n{",
    ] {
        assert!(args.contains(flag), "{flag:?} is not in {args}");
    }
    assert!(
        !args.contains("The API listens"),
        "project text goes on standard input only"
    );
    assert!(!args.contains("--max-turns"));
    assert!(bench.read("seen").starts_with("Project: demo"));
}

#[test]
fn an_older_claude_is_asked_without_the_flags_it_does_not_know_and_that_is_said() {
    let mut bench = Bench::new();
    let text = format!(
        "for f in --safe-mode --tools --system-prompt --json-schema; do case \" $* \" in\n\
         *\" $f \"*) echo \"error: unknown option '$f'\" >&2; exit 1;; esac; done\n\
         printf '%s\\n' \"$@\" > \"$H/args\"; cat > \"$H/seen\"\ncat <<'END'\n{}\nEND",
        envelope()
    );
    let usage = bench.claude(&text).unwrap().usage;
    assert_eq!(usage.calls, 1, "it is one try");
    let said = bench.said();
    assert!(
        said.contains("does not know --safe-mode, --tools, --system-prompt, --json-schema"),
        "{said}"
    );
    let args = bench.read("args");
    for flag in [
        "disableAllHooks",
        "--no-session-persistence",
        "--disallowedTools",
        "--max-turns\n1\n",
    ] {
        assert!(args.contains(flag), "{flag:?} is not in {args}");
    }
    assert!(bench.read("seen").starts_with("# You keep the memory"));
    let always = "echo \"error: unknown option '--safe-mode'\" >&2; exit 1";
    let failure = error(bench.claude(always));
    assert!(matches!(failure, CuratorError::Failed { .. }), "{failure}");
}

#[test]
fn what_claude_reports_of_itself_is_told_and_costs_are_summed() {
    let mut bench = Bench::new();
    let busy = r#"{"type": "result", "subtype": "success", "is_error": true, "result": "API Error: 529 overloaded", "total_cost_usd": 0.5, "usage": {"input_tokens": 3, "output_tokens": 1}}"#;
    let failure = bench
        .claude(&format!("cat <<'END'\n{busy}\nEND\nexit 1"))
        .unwrap_err();
    let message = failure.to_string();
    assert!(
        message.ends_with("reports an error: API Error: 529 overloaded"),
        "{message}"
    );
    let usage = failure.usage;
    assert_eq!(
        (usage.calls, usage.cost_usd, usage.input_tokens),
        (3, Some(1.5), Some(9))
    );
    bench.said.borrow_mut().clear();
    let login = busy.replace(
        "API Error: 529 overloaded",
        "Invalid API key · Please run /login",
    );
    let failure = bench
        .claude(&format!("cat <<'END'\n{login}\nEND"))
        .unwrap_err();
    assert_eq!(failure.usage.calls, 1, "waiting does not log anybody in");
}

/// The shared collection of envelopes, and what a person is told of each. Its answers are of
/// another form than a reply, so "no known form" means that the answer was found.
#[test]
fn every_known_trap_of_the_envelope() {
    let Some(dir) = shared().map(|s| s.join("cases/transcripts/claude-p")) else {
        return;
    };
    let found = "of no known form";
    let table = [
        ("01_success.json", found),
        ("02_array_verbose.json", found),
        ("03_stream_json.jsonl", found),
        ("04_structured_output.json", found),
        (
            "05_error_max_turns.json",
            "reports error_max_turns: Reached maximum number of turns",
        ),
        (
            "06_is_error_true_but_subtype_success.json",
            "reports an error: API Error: 529 overloaded",
        ),
        (
            "07_invalid_api_key.json",
            "reports an error: Invalid API key",
        ),
        (
            "08_error_during_execution.json",
            "reports error_during_execution: boom",
        ),
        (
            "09_error_max_structured_output_retries.json",
            "error_max_structured_output_retries",
        ),
        ("10_result_fenced_json.json", found),
        ("11_result_prose_only.json", "holds no JSON object"),
        (
            "12_result_truncated_json.json",
            "ends inside its JSON object",
        ),
        ("13_banner_before_json.txt", found),
        ("14_empty.txt", "nothing on standard output"),
        ("15_html_502.txt", "502"),
        ("16_limit_reached.json", "You've hit your limit"),
        ("17_empty_result.json", "the reply is empty"),
    ];
    assert_eq!(std::fs::read_dir(&dir).unwrap().count(), table.len());
    let mut bench = Bench::new();
    bench.limits.retries.clear();
    for (name, told) in table {
        let failure = error(bench.claude(&format!("cat {:?}", dir.join(name))));
        assert!(failure.to_string().contains(told), "{name}: {failure}");
    }
}

/// The real CLI against a scripted model: `MEMD_CLAUDE_BIN` is its path. One request, without
/// tools, nothing left behind.
#[test]
fn the_real_claude_cli_answers_with_the_schema_and_leaves_nothing() {
    let (Some(bin), Some(shared)) = (std::env::var_os("MEMD_CLAUDE_BIN"), shared()) else {
        return;
    };
    let mut bench = Bench::new();
    let model = Model::start(&bench, &shared.join("tools/mock_messages_api.py"));
    let url = format!("http://127.0.0.1:{}", model.port);
    let key = "sk".to_owned() + "-test";
    let vars = [
        ("PATH", std::env::var_os("PATH").unwrap_or_default()),
        ("HOME", bench.home.path().into_os_string()),
        ("ANTHROPIC_BASE_URL", url.into()),
        ("ANTHROPIC_API_KEY", key.into()),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".into()),
        ("DISABLE_TELEMETRY", "1".into()),
        ("DISABLE_AUTOUPDATER", "1".into()),
        ("DISABLE_ERROR_REPORTING", "1".into()),
    ];
    bench.env = Environment::for_curator(vars.map(|(n, v)| (OsString::from(n), v)));
    bench.settings.claude_bin = bin.to_string_lossy().into_owned();
    let answered = bench.ask(&CuratorChoice::Claude).unwrap();
    let Reply::Changes(changes) = &answered.reply else {
        panic!("contract 2 expected")
    };
    assert_eq!(changes.summary, "by the schema");
    assert!(answered.usage.output_tokens > Some(0) && answered.usage.cost_usd.is_some());
    assert_eq!(
        bench.said.borrow().len(),
        1,
        "no fallback, no retry: {}",
        bench.said()
    );
    let requests = model.requests();
    assert_eq!(requests.len(), 1);
    let tools: Vec<_> = requests[0]["body"]["tools"]
        .as_array()
        .map(|tools| tools.iter().map(|t| t["name"].clone()).collect())
        .unwrap_or_default();
    assert_eq!(
        tools,
        ["StructuredOutput"],
        "only the answer itself is a tool"
    );
    assert!(requests[0].to_string().contains("[1] U: The API listens"));
    let left = files_below(&bench.home.path().join(".claude"));
    let sessions: Vec<_> = left
        .iter()
        .filter(|p| p.extension().is_some_and(|e| e == "jsonl"))
        .collect();
    assert!(sessions.is_empty(), "{sessions:?}");
    assert!(files_below(&bench.places.curator()).is_empty());
}

/// A model on loopback that answers through the schema.
struct Model {
    child: std::process::Child,
    port: u16,
    log: PathBuf,
}

impl Model {
    fn start(bench: &Bench, program: &Path) -> Self {
        let rules = bench.home.path().join("rules.json");
        let reply = REPLY.replace("\"s\"", "\"by the schema\"");
        std::fs::write(
            &rules,
            format!("[{{\"match\": \".\", \"tool\": \"StructuredOutput\", \"input\": {reply}}}]"),
        )
        .unwrap();
        let log = bench.home.path().join("requests.jsonl");
        let port = std::net::TcpListener::bind("127.0.0.1:0")
            .and_then(|l| l.local_addr())
            .unwrap()
            .port();
        let child = Command::new("python3")
            .arg(program)
            .arg(port.to_string())
            .args([&rules, &log])
            .spawn()
            .unwrap();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            std::thread::yield_now();
        }
        Self { child, port, log }
    }

    fn requests(&self) -> Vec<serde_json::Value> {
        let log = std::fs::read_to_string(&self.log).unwrap_or_default();
        let all = log.lines().map(|l| serde_json::from_str(l).unwrap());
        all.filter(|r: &serde_json::Value| {
            r["path"].as_str().unwrap().starts_with("/v1/messages?") || r["path"] == "/v1/messages"
        })
        .collect()
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn files_below(dir: &Path) -> Vec<PathBuf> {
    let Ok(items) = std::fs::read_dir(dir) else {
        return Vec::new();
    };
    items
        .map(|item| item.unwrap().path())
        .flat_map(|path| {
            if path.is_dir() {
                files_below(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}
