//! Projects that move, go, are forgotten or kept away.

use super::{given, run, said, session};
use crate::support::Home;
use crate::terminal::Terminal;
use crate::world::git;
use std::path::{Path, PathBuf};

/// A project whose memory was made by `memd init`, with something that waits there.
fn project(home: &Home, name: &str) -> PathBuf {
    let root = home.folder(name);
    git(&root, &["init", "-q", "-b", "main"]);
    said(home, &root, &["init"]);
    root
}

/// The ids of all projects on the books, with their roots, by the database's audited acts.
fn status(home: &Home) -> Vec<(String, String)> {
    let text = said(home, &home.path(), &["status", "--json"]);
    let views: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    let field = |view: &serde_json::Value, name: &str| view[name].as_str().unwrap().to_owned();
    let views = views.iter();
    views
        .map(|v| (field(v, "project"), field(v, "root")))
        .collect()
}

/// The id that a memory says is its project's.
fn id(root: &Path) -> String {
    std::fs::read_to_string(root.join(".memory/.git/memd-project")).unwrap()
}

#[test]
fn a_project_that_only_the_configuration_knows_is_forgotten_though_its_folder_is_gone() {
    let home = Home::new();
    let app = project(&home, "code/app");
    let gone = home.path().join("code/gone");
    let config = std::fs::read_to_string(home.config()).unwrap();
    let mut config: serde_json::Value = serde_json::from_str(&config).unwrap();
    config["projects"][gone.to_str().unwrap()] = config["projects"][app.to_str().unwrap()].clone();
    std::fs::write(home.config(), config.to_string()).unwrap();
    let said = said(&home, &home.path(), &["forget", gone.to_str().unwrap()]);
    assert!(said.contains("out of the configuration"), "{said}");
    let config = std::fs::read_to_string(home.config()).unwrap();
    assert!(
        config.contains("code/app") && !config.contains("code/gone"),
        "{config}"
    );
}

#[test]
fn a_project_that_moved_is_taken_over_by_init_and_told_of_before() {
    let home = Home::new();
    let old = project(&home, "code/app");
    said(&home, &old, &["note", "-m", "remember the move"]);
    said(&home, &old, &["distill", "--curator", "builtin"]);
    let before = id(&old);
    let new = home.path().join("work/renamed");
    home.folder("work");
    std::fs::rename(&old, &new).unwrap();
    let (code, text) = run(&home, &new, &["brief"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("which lay in") && text.contains("`memd init`"),
        "{text}"
    );
    let told = given(&home, &new);
    assert!(told.contains("which lay in"), "{told}");
    assert_eq!(status(&home), [("app".into(), old.display().to_string())]);
    // A review says it once, and what else is said from elsewhere.
    let review = run(&home, &new, &["review"]).1;
    assert!(
        review.contains("`memd init` there goes on with it"),
        "{review}"
    );
    let of_old = old.to_str().unwrap();
    assert_eq!(review.matches(of_old).count(), 1, "{review}");
    assert!(!review.contains("backup"), "{review}");
    let review = run(&home, &home.path(), &["review"]).1;
    assert!(review.contains("memd init in its new place"), "{review}");
    assert!(!review.contains("backup"), "{review}");

    let text = said(&home, &new, &["init"]);
    assert!(text.contains("moved here from"), "{text}");
    assert_eq!(status(&home), [("app".into(), new.display().to_string())]);
    assert_eq!(id(&new), before);
    let config = std::fs::read_to_string(home.config()).unwrap();
    assert!(!config.contains("code/app"), "{config}");
    // Sessions that name the old place are this project's; what waited still does.
    session(&home, &old.join("src"), "afterwards");
    let text = said(&home, &new, &["digest"]);
    assert!(text.contains("the word is afterwards"), "{text}");
    assert!(given(&home, &new).contains("app"));
    assert!(said(&home, &new, &["init"]).contains("nothing was made"));
}

#[test]
fn worktrees_follow_a_project_that_moved() {
    let home = Home::new();
    let old = home.folder("app");
    git(&old, &["init", "-q", "-b", "main"]);
    git(&old, &["commit", "-q", "--allow-empty", "-m", "x"]);
    git(&old, &["worktree", "add", "-q", "../fix"]);
    said(&home, &old, &["init"]);
    let tree = home.path().join("fix");
    given(&home, &tree);
    assert!(tree.join(".memory/state.md").is_file());
    let new = home.path().join("renamed");
    std::fs::rename(&old, &new).unwrap();
    said(&home, &new, &["init"]);
    // Git itself has not been told yet; the session that was held there is the project's all the same.
    session(&home, &tree, "between");
    assert!(said(&home, &new, &["digest"]).contains("the word is between"));
    assert!(given(&home, &tree).contains("Project app"));
    git(&new, &["worktree", "repair", tree.to_str().unwrap()]);
    given(&home, &tree);
    let link = tree.join(".memory").canonicalize().unwrap();
    assert_eq!(link, new.join(".memory"));
}

#[test]
fn a_copy_is_a_project_of_its_own() {
    let home = Home::new();
    let root = project(&home, "app");
    let copy = home.path().join("copy");
    let copied = std::process::Command::new("cp")
        .args(["-a", root.to_str().unwrap(), copy.to_str().unwrap()])
        .status();
    assert!(copied.unwrap().success());
    let text = said(&home, &copy, &["init", "--name", "app"]);
    assert!(!text.contains("moved here"), "{text}");
    assert_ne!(id(&root), id(&copy));
    // Which is which is said wherever there is a name.
    let path = |path: &Path| path.display().to_string();
    let names = [
        ("app (app)".into(), path(&root)),
        ("app (copy)".into(), path(&copy)),
    ];
    assert_eq!(status(&home), names);
    std::fs::remove_file(copy.join(".memory/state.md")).unwrap();
    std::fs::write(copy.join(".memory/todo.md"), [0xff]).unwrap();
    let (_, verify) = run(&home, &copy, &["verify"]);
    assert!(verify.contains("app (copy): "), "{verify}");
    assert!(!verify.contains("app (app): "), "{verify}");
    // Off the books it is in nobody's way.
    said(&home, &copy, &["forget", "--yes", "."]);
    assert_eq!(status(&home), [("app".into(), path(&root))]);
    // What names it all the same says which it was.
    let (_, verify) = run(&home, &root, &["verify"]);
    assert!(
        verify.contains("app (copy): taken off the books"),
        "{verify}"
    );
    let audit = said(&home, &root, &["audit", "-n", "1"]);
    assert!(audit.contains("app (copy)"), "{audit}");
}

/// A folder with a memory that came with it.
fn foreign(home: &Home) -> PathBuf {
    let root = home.folder("foreign/.memory").parent().unwrap().to_owned();
    let text =
        "---\ntype: state\nproject: app\nlast_updated: 2026-01-01\nstatus: active\n---\n\n- old\n";
    std::fs::write(root.join(".memory/state.md"), text).unwrap();
    root
}

#[test]
fn status_says_that_one_stands_in_a_memory_that_is_no_projects() {
    let home = Home::new();
    let root = foreign(&home);
    let told = "that memd does not know here: `memd init` there offers what stands in it";
    let (code, text) = run(&home, &root, &["status"]);
    assert!(code == Some(1) && text.contains(told), "{text}");
    project(&home, "app");
    for command in ["status", "brief"] {
        let (code, text) = run(&home, &root, &[command]);
        assert!(code == Some(1) && text.contains(told), "{command}: {text}");
    }
    let (_, text) = run(&home, &root, &["status"]);
    assert!(text.contains("app  /"), "the others are listed: {text}");
    // A program is told which projects there are.
    for form in ["--json", "--porcelain"] {
        assert!(!said(&home, &root, &["status", form]).contains("foreign"));
    }
    said(&home, &home.path(), &["status"]);
    // Where memd is kept away, that comes first: init would refuse.
    said(&home, &home.path(), &["exclude", root.to_str().unwrap()]);
    for command in [
        &["status"][..],
        &["brief"],
        &["note", "-m", "x"],
        &["distill"],
    ] {
        let (code, text) = run(&home, &root, command);
        let (away, init) = (text.find("is in \"exclude\""), text.find("`memd init`"));
        assert!(code == Some(1) && away.is_some() && away < init, "{text}");
    }
    std::fs::remove_dir_all(root.join(".memory")).unwrap();
    let (_, text) = run(&home, &root, &["brief"]);
    assert!(text.contains("is in \"exclude\""), "{text}");
}

#[test]
fn what_goes_with_a_project_is_counted_alike_before_and_after() {
    let home = Home::new();
    let root = foreign(&home);
    said(&home, &root, &["init"]);
    let path = root.to_str().unwrap();
    let parent = home.path();
    let terminal = Terminal::start(&home, &parent, &["forget", "--yes", path], &[]);
    let text = String::from_utf8(terminal.finish().1).unwrap();
    let offer = "1 offer of what stands in memory already";
    for told in [
        format!("{offer} would be discarded"),
        format!("discarded: {offer}"),
        "1 entry on disk that nobody accepted".to_owned(),
    ] {
        assert!(text.contains(&told), "{told:?} is not in {text}");
    }
}

#[test]
fn a_project_that_is_gone_is_named_and_hides_nothing() {
    let home = Home::new();
    let parent = project(&home, "code");
    let gone = project(&home, "code/app");
    std::fs::remove_dir_all(&gone).unwrap();
    session(&home, &gone.join("src"), "ghost");
    let text = said(&home, &home.path(), &["status"]);
    assert!(text.contains("gone"), "{text}");
    assert!(text.contains("memd forget"), "{text}");
    assert!(text.contains(&format!("{}\n", parent.display())), "{text}");
    let text = said(&home, &parent, &["digest"]);
    assert!(
        !text.contains("ghost"),
        "a parent takes nothing over: {text}"
    );
    said(
        &home,
        &home.path(),
        &["forget", "--yes", gone.to_str().unwrap()],
    );
    assert_eq!(status(&home).len(), 1);
}

#[test]
fn forgetting_touches_no_file_and_init_brings_the_project_back() {
    let home = Home::new();
    let root = project(&home, "app");
    let other = project(&home, "other");
    let typed = std::fs::read_to_string(home.config()).unwrap();
    std::fs::write(home.config(), typed.replacen('{', "{\n  \"zeta\": [1],", 1)).unwrap();
    said(
        &home,
        &root,
        &["note", "-m", "we decided to use port 9090 for the api"],
    );
    said(&home, &root, &["distill", "--curator", "builtin"]);
    let before = id(&root);
    let state = std::fs::read(root.join(".memory/state.md")).unwrap();
    let path = root.to_str().unwrap();

    let (code, text) = run(&home, &root, &["forget", path]);
    assert_eq!(code, Some(2), "it asks on a terminal: {text}");
    assert_eq!(status(&home).len(), 2);
    let src = home.folder("app/src");
    let (code, text) = run(&home, &root, &["forget", "--yes", src.to_str().unwrap()]);
    assert_eq!(code, Some(1));
    assert!(text.contains("part of"), "{text}");

    // What waits is discarded by nobody but a person, and the refusal is kept.
    let parent = home.path();
    for args in [&["forget", "--yes", path][..], &["exclude", "--yes", path]] {
        let (code, text) = run(&home, &parent, args);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains("needs a person on a terminal"), "{text}");
        let audit = said(&home, &parent, &["audit", "-n", "1"]);
        assert!(
            audit.contains("refuse") && audit.contains(args[0]),
            "{audit}"
        );
    }
    assert_eq!(status(&home).len(), 2);
    assert!(said(&home, &root, &["review"]).contains("1 change"));
    let terminal = Terminal::start(&home, &parent, &["forget", "--yes", path], &[]);
    let (code, text) = terminal.finish();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("discarded: 1 proposal"), "{text}");
    let audit = said(&home, &parent, &["audit", "-n", "1"]);
    assert!(audit.contains("a person on a terminal"), "{audit}");
    assert!(text.contains("notes stay in the inbox"), "{text}");
    assert_eq!(
        status(&home),
        [("other".into(), other.display().to_string())]
    );
    assert_eq!(std::fs::read(root.join(".memory/state.md")).unwrap(), state);
    let config = std::fs::read_to_string(home.config()).unwrap();
    assert!(
        config.contains("zeta") && !config.contains(path),
        "{config}"
    );
    assert_eq!(given(&home, &root), "");
    let (code, _) = run(&home, &root, &["distill", "--curator", "builtin"]);
    assert_eq!(code, Some(1));
    // What happens meanwhile counts as read, as for every project that is new.
    session(&home, &root, "meanwhile");
    let verified = run(&home, &root, &["verify"]);
    assert_eq!(verified.0, Some(0), "{}", verified.1);

    said(&home, &root, &["init"]);
    assert_eq!(status(&home).len(), 2);
    assert_eq!(id(&root), before);
    // The note that waited in the discarded proposal is still there; sessions count as read.
    let text = said(
        &home,
        &root,
        &["distill", "--curator", "builtin", "--dry-run"],
    );
    assert_eq!(text.matches("add ").count(), 1, "{text}");
    assert!(text.contains("9090"), "{text}");
}

#[test]
fn an_excluded_folder_is_kept_from_memd_everywhere() {
    let home = Home::new();
    let inside = project(&home, "secret/app");
    let outside = project(&home, "app");
    let secret = home.path().join("secret");
    let path = secret.to_str().unwrap();
    let (code, _) = run(&home, &outside, &["exclude", path]);
    assert_eq!(code, Some(2), "a project is in it: that asks");
    let text = said(&home, &outside, &["exclude", "--yes", "../secret"]);
    assert!(text.contains("app (secret/app) is off the books"), "{text}");
    let config = std::fs::read_to_string(home.config()).unwrap();
    let config: serde_json::Value = serde_json::from_str(&config).unwrap();
    assert_eq!(config["exclude"], serde_json::json!([path]));
    assert_eq!(config["projects"].as_object().unwrap().len(), 1);

    session(&home, &inside, "hush");
    for root in [&inside, &outside] {
        let root = root.to_str().unwrap();
        let (_, text) = run(&home, &outside, &["digest", "--project", root]);
        assert!(!text.contains("the word is hush"), "{text}");
    }
    assert_eq!(given(&home, &inside), "");
    let (code, text) = run(&home, &inside, &["init"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(inside.join(".memory/state.md").exists());
    let again = said(&home, &outside, &["exclude", path]);
    assert!(again.contains("already"), "{again}");
    for all in ["/", home.path().to_str().unwrap()] {
        let (code, text) = run(&home, &outside, &["exclude", "--yes", all]);
        assert_eq!(code, Some(2), "{text}");
    }
}
