//! An older state was put back, and memory is newer than it: what was archived since is not archived again.

use crate::attacks::lost::accepted;
use crate::load::copy;

#[test]
fn what_was_archived_since_stands_in_the_archive_once() {
    let scene = accepted();
    let backup = scene.home.path().join("backup");
    copy(&scene.home.state(), &backup);
    let todo = scene.root.join(".memory/todo.md");
    let text = std::fs::read_to_string(&todo).unwrap();
    std::fs::write(&todo, text.replace("- [ ] Retries\n", "")).unwrap();
    scene.review(&["a"]);
    let archive = || {
        let dir = std::fs::read_dir(scene.root.join(".memory/archive")).unwrap();
        let texts = dir.map(|item| std::fs::read_to_string(item.unwrap().path()).unwrap());
        texts.collect::<String>()
    };
    let before = archive();
    assert_eq!(before.matches("- [ ] Retries").count(), 1, "{before}");
    std::fs::remove_dir_all(scene.home.state()).unwrap();
    copy(&backup, &scene.home.state());
    scene.review(&["a"]);
    assert_eq!(archive(), before);
    super::settle(&scene);
    assert!(scene.says(&["verify"]).contains("all good"));
}
