//! Codex sessions that were compressed: one place in every form, and what is damaged.

use super::*;

#[test]
fn one_session_is_found_once_in_every_form_and_place() {
    let rows = text(&session());
    let packed = pack(&rows);
    let plain = format!("sessions/2026/05/14/{NAME}");
    let archived = format!("archived_sessions/{NAME}");
    let (plain_packed, archived_packed) = (format!("{plain}.zst"), format!("{archived}.zst"));
    let mut keys = HashSet::new();
    for files in [
        &[&plain][..],
        &[&plain_packed],
        &[&archived],
        &[&archived_packed],
        &[&plain, &plain_packed, &archived, &archived_packed],
        &[&archived, &plain_packed],
    ] {
        let world = World::new();
        for name in files {
            let is_packed = name.ends_with(".zst");
            world.put(name, if is_packed { &packed } else { rows.as_bytes() });
        }
        let found = world.sessions();
        assert_eq!(found.len(), 1, "{files:?}");
        let one = &found[0];
        let codex = world.home.path().join(".codex");
        assert_eq!(one.path, codex.join(files[0]), "plain wins");
        assert_eq!((one.tool, one.size), (Tool::Codex, rows.len() as u64));
        // By its key, and by any file of it.
        let again = Session::at(world.at(), Path::new(&one.key)).unwrap();
        assert_eq!(&again, one);
        assert_eq!(Session::at(world.at(), &one.path).unwrap().key, one.key);
        let read = world.read(one);
        assert_eq!(
            read.lines(),
            ["U retry five times", "A Done: five retries."]
        );
        assert_eq!(read.coverage.source, one.key);
        assert_eq!(read.coverage.end, rows.len() as u64);
        let key = Path::new(&one.key).strip_prefix(&codex).unwrap().to_owned();
        keys.insert(key);
    }
    assert_eq!(keys, HashSet::from([PathBuf::from(&plain)]));
}

#[test]
fn a_place_in_a_session_is_the_same_once_it_is_compressed() {
    let world = World::new();
    let mut rows = session();
    for n in 0..2000 {
        rows.push(message(
            "assistant",
            &format!("step {n} {}", "x".repeat(50)),
        ));
    }
    let session = world.rollout(&rows);
    let read = world.read(&session);
    let half = read.turns[1000].place.offset;
    let print = session.fingerprint(half).unwrap();
    let expected = world.read_on(&session, half, &HashSet::new());
    let around = |session: &Session| {
        let mut places = session.numbers(&[0, half]);
        for reach in [0, 100, 10_000] {
            places.push(session.before(half, reach).unwrap());
            places.push(session.after(half, reach).unwrap());
        }
        places
    };
    let expected_around = around(&session);
    std::fs::remove_file(&session.path).unwrap();
    world.put(&format!("archived_sessions/{NAME}.zst"), pack(text(&rows)));
    let packed = world.sessions().remove(0);
    assert_eq!((&packed.key, packed.size), (&session.key, session.size));
    assert!(packed.matches(&print, half).unwrap());
    assert_eq!(packed.fingerprint(half).unwrap(), print);
    assert_eq!(packed.mark().unwrap().end, session.size);
    let rest = world.read_on(&packed, half, &HashSet::new());
    assert_eq!(rest.lines(), expected.lines());
    assert_eq!(rest.turns[0].id, expected.turns[0].id, "the turn goes on");
    assert_eq!(around(&packed), expected_around);
    // Another content behind the same beginning is noticed.
    rows[500] = message("assistant", "something else");
    world.put(&format!("archived_sessions/{NAME}.zst"), pack(text(&rows)));
    assert!(!world.sessions()[0].matches(&print, half).unwrap());
}

#[test]
fn a_damaged_or_hostile_compressed_file_is_named_and_the_rest_is_read() {
    let world = World::new();
    let mut rows = session();
    for n in 0..20_000 {
        rows.push(message("assistant", &format!("step {n}")));
    }
    let packed = pack(text(&rows));
    let folder = "sessions/2026/05/14/rollout-2026-05-14T00-00-00-";
    world.put(
        &format!("{folder}1.jsonl.zst"),
        &packed[..packed.len() - 1000],
    );
    world.put(&format!("{folder}2.jsonl.zst"), b"no zstd at all");
    // A frame of blocks that each repeat one byte: 256 MiB in 8 KiB.
    let mut bomb = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58];
    for _ in 0..2048 {
        bomb.extend(((128 * 1024u32) << 3 | 1 << 1).to_le_bytes()[..3].iter());
        bomb.push(b'\n');
    }
    bomb.extend([1, 0, 0]);
    world.put(&format!("{folder}3.jsonl.zst"), bomb);
    world.put(&format!("{folder}4.jsonl"), text(&session()));
    let found = discover(world.at());
    let closed = found.closed.lines().join("\n");
    for part in [
        "1.jsonl.zst",
        "2.jsonl.zst: it is not compressed",
        "more than 64 MiB",
    ] {
        assert!(closed.contains(part), "{part} in {closed}");
    }
    let name = |end: &str| {
        let is_it = |s: &&Session| s.key.ends_with(end);
        found.sessions.iter().find(is_it).unwrap()
    };
    let cut = world.read(name("1.jsonl"));
    assert!(cut.turns.len() > 1000, "{}", cut.turns.len());
    assert_eq!(world.read(name("4.jsonl")).turns.len(), 2);
}

#[test]
fn how_much_a_file_unpacks_to_is_remembered_and_told_anew_when_it_changes() {
    let world = World::new();
    let rows = text(&session());
    let name = format!("sessions/2026/05/14/{NAME}.zst");
    let path = world.put(&name, pack(&rows));
    assert_eq!(world.sessions()[0].size, rows.len() as u64);
    let kept = world.places.state.join("unpacked.json");
    assert!(
        !kept.exists(),
        "where memd keeps nothing yet, looking leaves nothing"
    );
    std::fs::create_dir_all(&world.places.state).unwrap();
    for _ in 0..2 {
        assert_eq!(world.sessions()[0].size, rows.len() as u64);
        let known = std::fs::read_to_string(&kept).unwrap();
        assert!(known.contains(path.to_str().unwrap()), "{known}");
    }
    std::fs::write(&kept, "no json").unwrap();
    world.put(&name, pack(rows.repeat(2)));
    assert_eq!(world.sessions()[0].size, 2 * rows.len() as u64);
    std::fs::remove_file(path).unwrap();
    assert!(world.sessions().is_empty());
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "{}");
}
