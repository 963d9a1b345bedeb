//! Claude Code sessions that grow, end early, or are gone.

use super::*;

#[test]
fn an_unfinished_line_waits_and_is_read_once_it_is_whole() {
    let session = Session::new();
    let (one, two) = (user(1, "first"), user(2, "zweiter Gruß"));
    // Cut inside the two bytes of a character too.
    for cut in [2, two.len() / 2, two.find("ß").unwrap() + 1, two.len() - 1] {
        let session = Session::new();
        let first = session.append([one.as_bytes(), b"\n", &two.as_bytes()[..cut]].concat(), 0);
        assert_eq!(first.users(), ["first"]);
        assert_eq!(first.coverage.end, one.len() as u64 + 1);
        assert!(first.coverage.unreadable.is_empty(), "{cut}");
        let rest = session.append([&two.as_bytes()[cut..], b"\n"].concat(), first.coverage.end);
        assert_eq!(rest.users(), ["zweiter Gruß"]);
    }
    // Whole but for its line feed: used, and not again when the line feed comes.
    let first = session.append(format!("{one}\n{two}"), 0);
    assert_eq!(first.counts().0, 2);
    let rest = session.append(format!("\n{}\n", user(3, "third")), first.coverage.end);
    assert_eq!(rest.users(), ["third"]);
    assert!(rest.coverage.unreadable.is_empty());
}

#[test]
fn a_session_read_while_it_grows_gives_what_it_gives_at_once() {
    let whole = std::fs::read(fixture("claude/session.jsonl")).unwrap();
    let talk = |read: &Read| -> Vec<String> {
        let turns = read.turns.iter().filter(|turn| turn.role != Role::Note);
        turns
            .map(|turn| format!("{:?} {}", turn.id, turn.text.unredacted()))
            .collect()
    };
    let expected = talk(&read(&fixture("claude/session.jsonl")));
    for cut in (0..whole.len()).step_by(61) {
        let session = Session::new();
        let first = session.append(&whole[..cut], 0);
        let rest = session.append(&whole[cut..], first.coverage.end);
        assert_eq!(
            [talk(&first), talk(&rest)].concat(),
            expected,
            "cut at {cut}"
        );
        assert_eq!(rest.coverage.end, whole.len() as u64);
    }
}

#[test]
fn padding_at_the_end_is_read_when_it_is_written_over() {
    let session = Session::new();
    let first = session.append(
        [format!("{}\n", user(1, "first")).as_bytes(), &[0; 5000]].concat(),
        0,
    );
    let end = first.coverage.end;
    assert_eq!(end, user(1, "first").len() as u64 + 1);
    session
        .text
        .borrow_mut()
        .truncate(usize::try_from(end).unwrap());
    assert_eq!(
        session
            .append(format!("{}\n", user(2, "second")), end)
            .users(),
        ["second"]
    );
}

#[test]
fn a_range_that_ends_before_the_file_does_is_kept_to() {
    let session = Session::new();
    let lines = format!("{}\n{}\n", user(1, "first"), user(2, "second"));
    session.append(&lines, 0);
    let own = places();
    let reading = Reading {
        project: None,
        own: &own,
        seen: &|_| false,
    };
    let to = user(1, "first").len() as u64 + 1;
    let mut turns = Vec::new();
    let coverage = read_claude(&session.path(), 0, Some(to), &reading, &mut turns).unwrap();
    assert_eq!((turns.len(), coverage.start, coverage.end), (1, 0, to));
}

#[test]
fn a_source_that_is_gone_or_no_file_is_told_apart() {
    let dir = tempfile::tempdir().unwrap();
    let own = places();
    let reading = Reading {
        project: None,
        own: &own,
        seen: &|_| false,
    };
    let read = |path: &Path| read_claude(path, 0, None, &reading, &mut Vec::new()).unwrap_err();
    assert!(read(&dir.path().join("gone.jsonl")).is_missing());
    let error = read(dir.path());
    assert!(!error.is_missing() && error.to_string().contains("not a plain file"));
}

#[test]
fn what_was_distilled_before_is_counted_and_left_out() {
    let session = Session::new();
    session.append(format!("{}\n{}\n", user(1, "old"), user(2, "new")), 0);
    let own = places();
    let reading = Reading {
        project: None,
        own: &own,
        seen: &|id| id.ends_with("001"),
    };
    let mut turns = Vec::new();
    let coverage = read_claude(&session.path(), 0, None, &reading, &mut turns).unwrap();
    assert_eq!(turns[0].text.unredacted(), "new");
    assert_eq!((turns.len(), coverage.seen, coverage.found.user), (1, 1, 1));
}
