//! memd's own files: too open ones, a key of somebody else's, and other things in their place.

use crate::attacks::lost::accepted;
use crate::attacks::scene::Scene;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

fn out(scene: &Scene, args: &[&str]) -> (bool, String, String) {
    let out = scene.home.memd(&scene.root).args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (out.status.success(), text(out.stdout), text(out.stderr))
}

fn set(path: &Path, mode: u32) {
    std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

#[test]
fn what_others_could_read_is_mended_with_a_word_and_on_record() {
    let scene = accepted();
    let state = scene.home.state();
    let kept = state.join("kept-abc.md");
    std::fs::write(&kept, "typed").unwrap();
    let files = [&kept, &state.join("memd.db"), &state.join("memd.log")];
    let folders = [&state, &state.join("locks")];
    for command in ["verify", "status", "brief", "doctor"] {
        files.iter().for_each(|file| set(file, 0o644));
        folders.iter().for_each(|dir| set(dir, 0o755));
        let (well, said, aside) = out(&scene, &[command]);
        assert_eq!(well, command != "doctor", "{command}: {said} {aside}");
        assert!(aside.contains("others could read"), "{command}: {aside}");
        assert!(aside.contains("4 more of memd's files"), "{aside}");
        assert!(files.iter().all(|file| mode(file) == 0o600), "{command}");
        assert!(folders.iter().all(|dir| mode(dir) == 0o700), "{command}");
        for path in files.iter().chain(&folders).filter(|_| command == "doctor") {
            assert!(said.contains(&format!("{path:?} (mode ")), "{said}");
        }
        let (_, said, aside) = out(&scene, &["audit", "-n", "1"]);
        assert!(aside.is_empty(), "{aside}");
        assert!(said.contains("mend") && said.contains("memd.db"), "{said}");
    }
    // The key is not mended: what sealed may be somebody else's by now.
    set(&state.join("key"), 0o640);
    let (well, _, aside) = out(&scene, &["verify"]);
    assert!(!well && aside.contains("can be read by others"), "{aside}");
    assert_eq!(mode(&state.join("key")), 0o640);
}

#[test]
fn a_key_of_somebody_else_is_refused() {
    let scene = accepted();
    let key = scene.home.state().join("key");
    // Only root can give a file away.
    if std::os::unix::fs::chown(&key, Some(1000), Some(1000)).is_err() {
        return;
    }
    let (well, _, aside) = out(&scene, &["verify"]);
    assert!(!well && aside.contains("belongs to user 1000"), "{aside}");
    assert!(out(&scene, &["doctor"]).1.contains("belongs to user 1000"));
}

#[test]
fn a_session_is_told_where_something_else_has_the_place_of_the_database() {
    let scene = accepted();
    let (db, aside) = (scene.home.state().join("memd.db"), scene.home.path());
    for end in ["", "-wal", "-shm"] {
        let name = format!("memd.db{end}");
        let _ = std::fs::rename(scene.home.state().join(&name), aside.join(name));
    }
    let told = |what: &str| {
        let payload = serde_json::json!({ "cwd": scene.root });
        let mut memd = scene.home.memd(&scene.root);
        memd.args(["hook", "session-start"]);
        let ran = memd.write_stdin(payload.to_string()).output().unwrap();
        let said = String::from_utf8(ran.stdout).unwrap();
        assert!(
            ran.status.success() && said.contains("tell the user"),
            "{what}: {said}"
        );
        assert!(said.contains(what), "{said}");
        let (well, said, _) = out(&scene, &["doctor"]);
        assert!(!well && !said.contains("others can"), "{what}: {said}");
    };
    let mode = rustix::fs::Mode::from_bits_truncate(0o644);
    let fifo = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(rustix::fs::CWD, &db, fifo, mode, 0).unwrap();
    told("a device or pipe");
    std::fs::remove_file(&db).unwrap();
    std::os::unix::fs::symlink(aside.join("memd.db"), &db).unwrap();
    told("a symbolic link");
    std::fs::remove_file(&db).unwrap();
    std::fs::create_dir(&db).unwrap();
    told("a folder");
}
