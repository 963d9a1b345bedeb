//! What there is to look at, from a real memory: database, files, history.

use crate::world::{World, add, archive, edit, git};
use jiff::Timestamp;
use memd::apply::{Wanted, Wish};
use memd::browse::{
    self, Became, Differs, Event, Log, Of, SealState, Search, Sight, What, Who, Within,
};
use memd::memory::MemoryFile;
use memd::proposal::{Decision, Op};
use memd::redact::Redactor;
use memd::trust::Act;
use std::path::Path;
use tempfile::TempDir;

fn redactor(world: &World) -> Redactor {
    Redactor::new(&[], world.trust.redaction_key()).0
}

fn sight<'a>(world: &'a World, redactor: &'a Redactor) -> Sight<'a> {
    Sight {
        store: &world.store,
        trust: &world.trust,
        redactor,
        now: world.now,
    }
}

/// Two facts and a task, accepted; the first edited, the task archived, one proposed and rejected.
fn lived() -> (TempDir, World) {
    let home = tempfile::tempdir().unwrap();
    let mut world = World::at(home.path());
    let (state, todo) = (MemoryFile::State, MemoryFile::Todo);
    let first = world.stage(vec![
        add(1, state, "Ports", "- api: 8080"),
        add(2, state, "Ports", "- web: 3000"),
        add(3, todo, "", "- [ ] move the port"),
    ]);
    world.accept(&first, [1, 2, 3]);
    world.apply(&first);
    world.later(10);
    let second = world.stage(vec![
        edit(1, state, "Ports", "- api: 8080", "- api: 9090"),
        archive(2, todo, "", "- [ ] move the port"),
        add(3, state, "Ports", "- admin: 9091"),
    ]);
    world.accept(&second, [1, 2]);
    world.decide(&second, 3, Decision::Rejected);
    world.apply(&second);
    world.later(10);
    (home, world)
}

fn entry(world: &World, redactor: &Redactor, text: &str) -> browse::EntryView {
    let budgets = &world.settings.limits.budgets;
    let view = browse::memory(sight(world, redactor), &world.project, budgets).unwrap();
    let mut all = view.files.into_iter().flat_map(|f| f.entries);
    all.find(|e| e.text.contains(text)).unwrap()
}

fn whats(events: &[Event]) -> Vec<&'static str> {
    events.iter().map(|e| e.what.name()).collect()
}

#[test]
fn each_entry_says_what_is_known_of_it() {
    let (_home, world) = lived();
    let redactor = redactor(&world);
    let path = world.memory.join("state.md");
    let pass = "hunter2Xk9q";
    let text = format!("{}- DB_PASSWORD={pass}\n", world.text("state.md"));
    std::fs::write(&path, text.replace("web: 3000", "web: 3001")).unwrap();
    let api = entry(&world, &redactor, "api");
    assert_eq!(
        (api.text.as_str(), api.section.as_str(), &api.seal),
        ("- api: 9090", "Ports", &SealState::Sealed)
    );
    assert!(api.id.is_some() && api.proposal.is_some() && api.accepted.is_some());
    let web = entry(&world, &redactor, "web");
    assert_eq!(web.seal, SealState::Broken("changed outside memd".into()));
    assert!(web.id.is_none() && web.likely.is_some());
    let unknown = entry(&world, &redactor, "DB_PASSWORD");
    assert_eq!(unknown.seal, SealState::Unsealed);
    assert!(!unknown.text.contains(pass), "{}", unknown.text);

    std::fs::write(&path, text.replace("- web: 3000\n", "")).unwrap();
    let gone = entry(&world, &redactor, "web");
    assert_eq!((gone.seal, gone.id.is_some()), (SealState::Missing, true));
    std::fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", &path).unwrap();
    let budgets = &world.settings.limits.budgets;
    let view = browse::memory(sight(&world, &redactor), &world.project, budgets).unwrap();
    let state = &view.files[0];
    let problem = state.problem.as_deref().unwrap_or_default();
    assert!(problem.contains("symbolic link"), "{problem}");
    assert!(state.entries.is_empty() && state.budget == 10_000);
    assert_eq!(view.files[3].last_updated.as_deref(), Some("2026-11-29"));
}

#[test]
fn an_entry_has_a_history_and_a_basis() {
    let (_home, world) = lived();
    let redactor = redactor(&world);
    let sight = sight(&world, &redactor);
    let api = entry(&world, &redactor, "api");
    let id = api.id.unwrap();
    let records = world
        .store
        .records(&world.trust, &world.project.id)
        .unwrap();
    let record = records.iter().find(|r| r.entry == id).unwrap();
    let confirmed = vec![record.confirm(world.now)];
    let details = serde_json::json!({});
    let put = world.store.put_records(
        &world.trust,
        &world.project.id,
        Act::Confirm,
        confirmed,
        details,
        world.now,
    );
    put.unwrap();
    let history = browse::history(sight, &world.project, &id).unwrap();
    let became: Vec<_> = history.iter().map(|v| (v.version, v.what)).collect();
    assert_eq!(
        became,
        [
            (3, Became::Confirmed),
            (2, Became::Edited),
            (1, Became::Accepted)
        ]
    );
    assert!(history.iter().all(|v| v.holds));
    assert_eq!(history[2].text, "- api: 8080");
    let proposal = history[1].proposal.as_ref().unwrap();
    let basis = browse::basis(sight, proposal, Of::Entry(&id)).unwrap();
    assert_eq!((basis.n, basis.item.order.len()), (1, 3));
    assert_eq!(*basis.item.decision(3), Decision::Rejected);
    assert!(browse::basis(sight, proposal, Of::Change(9)).is_err());
    let newest = browse::log(sight, &world.project, 1).unwrap().0.remove(0);
    assert_eq!((newest.what, newest.entries.len()), (What::Confirm, 1));
    let shown = browse::details(sight, &world.project, &newest).unwrap();
    assert_eq!(shown.changes[0].after.as_deref(), Some("- api: 9090"));
}

#[test]
fn an_event_tells_what_went_in_and_what_did_not() {
    let (_home, world) = lived();
    let redactor = redactor(&world);
    let sight = sight(&world, &redactor);
    let (events, problem) = browse::log(sight, &world.project, 9).unwrap();
    assert_eq!(problem, None);
    assert_eq!(whats(&events), ["apply", "apply", "init"]);
    let second = &events[0];
    assert_eq!((second.applied, second.rejected), (2, 1));
    assert_eq!(
        (second.who, second.trigger.as_deref()),
        (Who::Person, Some("manual"))
    );
    let chars = second.chars.unwrap();
    assert_eq!((chars.added, chars.removed), (11, 30));
    let commit = git(&world.memory, &["rev-parse", "HEAD"]);
    assert_eq!(second.commit.as_deref(), Some(commit.trim()));
    let details = browse::details(sight, &world.project, second).unwrap();
    let told: Vec<_> = details
        .changes
        .iter()
        .map(|c| (c.op, c.title.as_str(), c.decision.unwrap()))
        .collect();
    assert_eq!(
        told,
        [
            (Op::Edit, "api: 9090", "accepted"),
            (Op::Archive, "move the port", "accepted"),
            (Op::Add, "admin: 9091", "rejected")
        ]
    );
    assert_eq!(details.changes[0].before.as_deref(), Some("- api: 8080"));
    assert_eq!(details.rejected().collect::<Vec<_>>(), ["admin: 9091"]);
    assert!(details.message.unwrap().starts_with("distill "));
}

#[test]
fn commits_that_no_act_made_stand_where_the_history_has_them() {
    let (_home, mut world) = lived();
    foreign(
        &world,
        "2099-01-01T00:00:00Z",
        "from the future\u{1b}[2J",
        "- api: 9090",
        "- api: 6666",
    );
    foreign(
        &world,
        "1970-01-02T00:00:00Z",
        "from the past",
        "- web: 3000",
        "",
    );
    world.later(10);
    let redactor = redactor(&world);
    let third = world.stage(vec![add(1, MemoryFile::Todo, "", "- [ ] later")]);
    world.accept(&third, [1]);
    world.apply(&third);
    let sight = sight(&world, &redactor);
    let (events, _) = browse::log(sight, &world.project, 99).unwrap();
    let expected = ["apply", "commit", "commit", "apply", "apply", "init"];
    assert_eq!(whats(&events), expected);
    assert_eq!(events[1].summary, "from the past");
    assert_eq!(
        (events[2].who, events[2].at.to_string().get(..4)),
        (Who::Unknown, Some("2099"))
    );
    // Page by page it is the same.
    let mut log = Log::new(&world.project);
    let mut paged = Vec::new();
    loop {
        let page = log.more(sight, 1).unwrap();
        if page.is_empty() {
            break;
        }
        paged.extend(page);
    }
    assert_eq!(paged, events);
    let details = browse::details(sight, &world.project, &events[2]).unwrap();
    assert_eq!(details.changes.len(), 1);
    let change = &details.changes[0];
    assert_eq!(
        (change.op, change.before.as_deref(), change.after.as_deref()),
        (Op::Edit, Some("- api: 9090"), Some("- api: 6666"))
    );
    let chars = browse::measure(sight, &world.project, &events[1]).unwrap();
    assert_eq!((chars.added, chars.removed), (0, 11));
    // Laid together with others it is the same.
    let all = browse::Logs::new([&world.project, &world.project]).more(sight, 99);
    assert_eq!(all.unwrap().len(), 2 * events.len());
    // By the beginning of a commit's id, both kinds are found.
    for event in &events[..4] {
        let commit = event.commit.as_deref().unwrap();
        let found = browse::find_commit(sight, &world.project, &commit[..10]).unwrap();
        assert_eq!(found.as_ref(), Some(event));
    }
    assert_eq!(
        browse::find_commit(sight, &world.project, "zz").unwrap(),
        None
    );
}

#[test]
fn a_trailer_that_was_made_up_hides_no_commit() {
    let (_home, world) = lived();
    let seen = git(&world.memory, &["log", "-1", "--format=%b"]);
    let audit = seen
        .lines()
        .find(|l| l.starts_with("Memd-Audit: "))
        .unwrap();
    let (seq, _) = audit
        .split_once(":")
        .and_then(|(_, v)| v.trim().split_once(':'))
        .unwrap();
    let forged = format!("quiet\n\nMemd-Audit: {seq}:{}", "0".repeat(64));
    foreign(
        &world,
        "2026-11-29T13:00:00Z",
        &forged,
        "- web: 3000",
        "- web: 1",
    );
    // The trailer of a decision, word for word; one that says it is a beginning; one by hand.
    for (n, trailer) in [audit, "Memd-By: init", "Memd-By: hand"].iter().enumerate() {
        let (from, to) = (format!("- web: {}", n + 1), format!("- web: {}", n + 2));
        let message = format!("copy {n}\n\n{trailer}");
        foreign(&world, "2026-11-29T13:00:00Z", &message, &from, &to);
    }
    let redactor = redactor(&world);
    let (events, _) = browse::log(sight(&world, &redactor), &world.project, 9).unwrap();
    let expected = [
        "by-hand", "commit", "commit", "commit", "apply", "apply", "init",
    ];
    assert_eq!(whats(&events), expected);
    assert!(events[..4].iter().all(|e| e.who == Who::Unknown));
    assert_eq!(
        (events[2].summary.as_str(), events[3].summary.as_str()),
        ("copy 0", "quiet")
    );
}

#[test]
fn a_broken_history_leaves_the_acts() {
    let (_home, world) = lived();
    std::fs::write(world.memory.join(".git/HEAD"), "nonsense\n").unwrap();
    let redactor = redactor(&world);
    let (events, problem) = browse::log(sight(&world, &redactor), &world.project, 9).unwrap();
    assert_eq!(whats(&events), ["apply", "apply"]);
    assert!(problem.is_some());
}

/// A commit by somebody else that puts one text in another's stead.
fn foreign(world: &World, at: &str, message: &str, from: &str, to: &str) {
    let at: Timestamp = at.parse().unwrap();
    let text = world.text("state.md");
    assert!(text.contains(from));
    std::fs::write(world.memory.join("state.md"), text.replace(from, to)).unwrap();
    let date = format!("@{} +0000", at.as_second());
    commit(&world.memory, message, &date);
}

fn commit(memory: &Path, message: &str, date: &str) {
    let made = std::process::Command::new("git")
        .args([
            "-c",
            "user.name=x",
            "-c",
            "user.email=x@y",
            "commit",
            "-qam",
            message,
        ])
        .current_dir(memory)
        .env("GIT_AUTHOR_DATE", date)
        .env("GIT_COMMITTER_DATE", date)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .status()
        .unwrap();
    assert!(made.success());
}

#[test]
fn the_archive_lists_months_and_says_what_moved_there() {
    let (_home, world) = lived();
    let dir = world.memory.join("archive");
    let old = "<!-- archived on 2026-06-01 (over budget) -->\n\n## From mistakes.md\n\n### old\n\nESC\u{1b}[2J DB_PASSWORD=";
    let value = ["hunter2", "Xk9q"].concat();
    std::fs::write(dir.join("2026-06.md"), format!("{old}{value}\n")).unwrap();
    std::fs::write(dir.join("2025-01.md"), b"\xff\xfe stray\n").unwrap();
    std::fs::write(dir.join(".hidden.md"), "x").unwrap();
    std::os::unix::fs::symlink("/etc/passwd", dir.join("2024-01.md")).unwrap();
    let redactor = redactor(&world);
    let archive = browse::archive(sight(&world, &redactor), &world.project).unwrap();
    let names: Vec<_> = archive.months.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["2026-11", "2026-06", "2025-01"]);
    assert!(
        archive.problems[0].contains("no plain file"),
        "{:?}",
        archive.problems
    );
    let pieces = |n: usize| archive.pieces(&redactor, &archive.months[n]).unwrap();
    let moved = pieces(0).remove(0);
    assert_eq!(
        (moved.file, moved.title.as_str(), moved.text.as_str()),
        (
            Some(MemoryFile::Todo),
            "move the port",
            "- [ ] move the port"
        )
    );
    assert_eq!(
        moved.moved.map(|d| d.to_string()).as_deref(),
        Some("2026-11-29")
    );
    assert!(moved.entry.is_some() && moved.proposal.is_some());
    let exact = archive.exact(&archive.months[0], 0).unwrap().unwrap();
    assert_eq!((exact.text, exact.section), (moved.text, String::new()));
    let legacy = pieces(1).remove(0);
    assert_eq!(
        (legacy.file, legacy.reason.as_str()),
        (Some(MemoryFile::Mistakes), "over budget")
    );
    assert!(
        legacy.text.contains("\u{1b}[2J DB_PASSWORD=[REDACTED:"),
        "{}",
        legacy.text
    );
    assert!(pieces(2)[0].text.ends_with("stray"));
    std::fs::remove_dir_all(&dir).unwrap();
    let gone = archive.pieces(&redactor, &archive.months[0]);
    assert!(gone.is_err());
    std::os::unix::fs::symlink("/etc", &dir).unwrap();
    assert!(browse::archive(sight(&world, &redactor), &world.project).is_err());
}

#[test]
fn a_search_gives_its_hits_as_it_goes() {
    let (_home, world) = lived();
    let dir = world.memory.join("archive");
    for month in 1..=10 {
        let piece = |n: usize| {
            let odd = if n == 30 {
                "the Needle, ÄNDERN needle"
            } else {
                "hay"
            };
            format!(
                "\n## state.md › Part {n}\n\n- {odd} {}\n",
                "words ".repeat(50)
            )
        };
        let text: String = (0..40).map(piece).collect();
        std::fs::write(dir.join(format!("2025-{month:02}.md")), text).unwrap();
    }
    let redactor = redactor(&world);
    let archive = browse::archive(sight(&world, &redactor), &world.project).unwrap();
    let mut search = Search::new("NEEDLE");
    let first = search.step(&archive, &redactor, 20_000).len();
    assert!(first > 0 && first < 20 && !search.is_done(), "{first}");
    while !search.is_done() {
        search.step(&archive, &redactor, 5_000);
    }
    assert_eq!(search.hits().len(), 20);
    let hit = &search.hits()[1];
    let piece = &archive
        .pieces(&redactor, &archive.months[hit.month])
        .unwrap()[hit.piece];
    assert_eq!(
        (hit.within, &piece.text[hit.range.clone()]),
        (Within::Text, "needle")
    );
    assert!(search.problems().is_empty() && !search.is_full());
    let mut by_section = Search::new("part 7");
    by_section.step(&archive, &redactor, usize::MAX);
    assert_eq!(by_section.hits().len(), 10);
    assert_eq!(by_section.hits()[0].within, Within::Section);
    assert!(Search::new("").is_done());
    std::fs::remove_file(dir.join("2025-05.md")).unwrap();
    let mut search = Search::new("ändern");
    search.step(&archive, &redactor, usize::MAX);
    assert_eq!((search.hits().len(), search.problems().len()), (9, 1));
}

#[test]
fn acts_of_a_persons_own_and_what_goes_back_are_told_apart() {
    let (_home, mut world) = lived();
    let redactor = redactor(&world);
    let (events, _) = browse::log(sight(&world, &redactor), &world.project, 1).unwrap();
    let (second, commit) = (events[0].proposal.clone().unwrap(), world.head());
    let api = world.entry("- api: 9090");
    let edited = Wish::Edit {
        entry: api.clone(),
        text: "- api: 9999".into(),
    };
    world.take(&world.own(edited).unwrap());
    world.later(1);
    let back = world.restore(&Wanted::Entry(api.clone()), &commit).unwrap();
    world.take(&back);
    world.later(1);
    world.take(&world.reverse(&second));
    world.later(1);
    let taken = Wish::Tombstone {
        entry: world.entry("- web: 3000"),
        reason: "wrong".into(),
    };
    world.take(&world.own(taken).unwrap());
    world.later(1);
    world.confirm(&api).unwrap();
    let sight = sight(&world, &redactor);
    let (events, _) = browse::log(sight, &world.project, 5).unwrap();
    assert_eq!(
        whats(&events),
        ["confirm", "tombstone", "revert", "restore", "own"]
    );
    assert_eq!(events[0].summary, "api: 8080");
    assert_eq!(events[2].reverts.as_ref(), Some(&second));
    assert_eq!(events[3].restores.as_deref(), Some(commit.as_str()));
    for event in &events {
        let details = browse::details(sight, &world.project, event).unwrap();
        assert!(
            !details.changes.is_empty() && details.problem.is_none(),
            "{event:?}"
        );
        assert!(!event.broken);
    }
    let history = browse::history(sight, &world.project, &api).unwrap();
    let became: Vec<_> = history.iter().map(|v| v.what).collect();
    assert_eq!(
        became,
        [
            Became::Confirmed,
            Became::PutBack,
            Became::PutBack,
            Became::Edited,
            Became::Edited,
            Became::Accepted
        ]
    );
    for version in history.iter().skip(1) {
        let proposal = version.proposal.as_ref().unwrap();
        browse::basis(sight, proposal, Of::Entry(&api)).unwrap();
    }
    let web = world.entry("- web: 3000");
    let web = browse::history(sight, &world.project, &web).unwrap();
    assert_eq!(web[0].what, Became::Tombstoned);
}

fn differs(world: &World) -> Vec<(Differs, String, Option<usize>)> {
    let redactor = redactor(world);
    let found = browse::differences(sight(world, &redactor), &world.project).unwrap();
    assert_eq!(found.unread, [""; 0]);
    let all = found.all.into_iter();
    all.map(|d| (d.is, d.title, d.line)).collect()
}

#[test]
fn what_was_changed_taken_out_or_put_into_the_archive_by_hand_is_told_by_file_and_line() {
    let (_home, mut world) = lived();
    let file = world.memory.join("archive/2026-11.md");
    let written = std::fs::read_to_string(&file).unwrap();
    assert_eq!(differs(&world), []);
    let line = 1 + written
        .lines()
        .position(|l| l == "- [ ] move the port")
        .unwrap();
    std::fs::write(
        &file,
        written.replace("move the port", "move the port to evil"),
    )
    .unwrap();
    let changed = (Differs::Changed, "move the port".to_owned(), Some(line));
    assert_eq!(differs(&world), [changed]);
    std::fs::remove_file(&file).unwrap();
    assert_eq!(
        differs(&world),
        [(Differs::Gone, "move the port".to_owned(), None)]
    );
    let end = written.lines().count();
    let more = format!(
        "{written}\n## state.md\n\n- new by hand\n\n## state.md › Ports\n\n- admin: 9091\n"
    );
    std::fs::write(&file, more).unwrap();
    let added = [
        (Differs::Added, "new by hand".to_owned(), Some(end + 4)),
        (Differs::Rejected, "admin: 9091".to_owned(), Some(end + 8)),
    ];
    assert_eq!(differs(&world), added);
    // What memd archives next hides nothing of it.
    world.later(10);
    let next = world.stage(vec![archive(1, MemoryFile::State, "Ports", "- web: 3000")]);
    world.accept(&next, [1]);
    world.apply(&next);
    assert_eq!(differs(&world), added);
    let redactor = redactor(&world);
    let shown = browse::archive(sight(&world, &redactor), &world.project).unwrap();
    let pieces = shown.pieces(&redactor, &shown.months[0]).unwrap();
    let marks: Vec<_> = pieces.iter().map(|p| p.differs).collect();
    let (added, rejected) = (Some(Differs::Added), Some(Differs::Rejected));
    assert_eq!(marks, [None, added, rejected, None]);
}

#[test]
fn what_stood_in_the_archive_before_memd_wrote_there_is_nobodys_to_prove() {
    let home = tempfile::tempdir().unwrap();
    let mut world = World::at(home.path());
    let dir = world.memory.join("archive");
    std::fs::create_dir_all(&dir).unwrap();
    let old = "<!-- archived on 2026-06-01 (over budget) -->\n\n## From todo.md\n\n- old\n";
    std::fs::write(dir.join("2026-06.md"), old).unwrap();
    assert_eq!(differs(&world), []);
    let repo = memd::git::Repo::open_or_init(&world.memory).unwrap();
    repo.commit_disk(&memd::git::Message::by_hand(), world.now)
        .unwrap();
    let first = world.stage(vec![add(1, MemoryFile::State, "", "- a fact")]);
    world.accept(&first, [1]);
    world.apply(&first);
    world.later(1);
    assert_eq!(differs(&world), []);
    std::fs::write(dir.join("2026-06.md"), format!("{old}- more\n")).unwrap();
    assert_eq!(differs(&world).len(), 1);
}

#[test]
fn a_changed_text_that_is_brought_back_is_no_accepted_one() {
    let (_home, world) = lived();
    let bring = |section: &str, text: &str| {
        let staged = world.own(Wish::BringBack {
            file: MemoryFile::Todo,
            section: section.into(),
            text: text.into(),
        });
        let id = staged.unwrap().id.unwrap();
        let proposal = world.store.proposal(&world.trust, &id).unwrap();
        let change = proposal.changes[0].clone();
        world.store.discard(&world.trust, &id, world.now).unwrap();
        change
    };
    assert!(bring("", "- [ ] move the port").earlier.is_some());
    for change in [
        bring("", "- [ ] move the port to evil"),
        bring("Evil", "- [ ] move the port"),
    ] {
        assert!(change.earlier.is_none());
        assert_eq!(change.origin, memd::proposal::Origin::HumanEdit);
        assert!(
            change
                .reason
                .unwrap()
                .contains("nothing that was accepted reads so")
        );
    }
}

#[test]
fn verify_status_and_doctor_name_an_archive_that_was_changed_by_hand() {
    let (home, world) = lived();
    let run = |args: &[&str]| {
        let mut memd = assert_cmd::Command::new(env!("CARGO_BIN_EXE_memd"));
        memd.env_clear()
            .env("HOME", &world.places.home)
            .env("TZ", "UTC");
        memd.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        let done = memd.current_dir(&world.root).args(args).output().unwrap();
        let said = String::from_utf8([done.stdout, done.stderr].concat()).unwrap();
        (done.status.code().unwrap(), said)
    };
    let (code, out) = run(&["verify"]);
    assert_eq!(code, 0, "{out}");
    let (_, out) = run(&["status"]);
    assert!(out.contains("proof: all that is sealed holds"), "{out}");
    let file = world.memory.join("archive/2026-11.md");
    let written = std::fs::read_to_string(&file).unwrap();
    std::fs::write(
        &file,
        written.replace("move the port", "move it to evil port"),
    )
    .unwrap();
    let (code, out) = run(&["verify"]);
    assert_eq!(code, 1, "{out}");
    assert!(
        out.contains("archived text changed outside memd (1)")
            && out.contains("archive/2026-11.md, line ")
            && out.contains("memd verify --settle"),
        "{out}"
    );
    for command in ["status", "doctor"] {
        let (_, out) = run(&[command]);
        assert!(
            out.contains(
                "its archive is not as memd wrote it (1 text, the first in archive/2026-11.md)"
            ),
            "{out}"
        );
    }
    std::fs::write(&file, written).unwrap();
    assert_eq!(run(&["verify"]).0, 0);
    drop(home);
}
