//! The shared cases: rows that are damaged, huge, doubled, out of order.

use super::*;

fn edge(name: &str) -> Option<PathBuf> {
    let dir = shared()?.join("cases/transcripts/claude-edge");
    let mut files = std::fs::read_dir(dir)
        .unwrap()
        .map(|item| item.unwrap().path());
    files.find(|path| {
        path.file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .starts_with(name)
    })
}

/// The cases whose four good rows must be there and nothing else.
#[test]
fn edge_cases_around_four_good_rows() {
    if shared().is_none() {
        return;
    }
    for name in [
        "01", "02", "03", "04", "05", "06", "07", "11", "12", "13", "24",
    ] {
        let path = edge(name).unwrap();
        let read = read(&path);
        assert_eq!(read.counts(), (2, 2), "{name}");
        assert!(read.users()[0].contains("API port is 8443"), "{name}");
        assert_eq!(read.replies()[0], "Noted: API port 8443.", "{name}");
        assert!(
            read.users()[1].starts_with("Now fix the flaky test"),
            "{name}"
        );
        assert!(read.replies()[1].starts_with("Fixed by awaiting"), "{name}");
        let again = read_from(&path, read.coverage.end);
        assert_eq!(again.turns, [], "{name} a second time");
        assert_eq!(again.coverage.end, read.coverage.end, "{name}");
        let size = std::fs::metadata(&path).unwrap().len();
        match name {
            "02" | "03" | "07" => assert!(read.coverage.end < size, "{name}"),
            _ => assert_eq!(read.coverage.end, size, "{name}"),
        }
        let damaged = read.coverage.unreadable.get("damaged line").copied();
        assert_eq!(damaged, (name == "05").then_some(1), "{name}");
    }
}

#[test]
fn edge_cases_in_strings_and_sizes() {
    if shared().is_none() {
        return;
    }
    let file = |name| read(&edge(name).unwrap());
    let read = file("08");
    assert_eq!(read.counts(), (3, 1));
    assert!(read.all().contains("caf\u{fffd}"));
    let read = file("09");
    assert!(read.all().contains('\u{2028}') && read.coverage.unreadable.is_empty());
    let read = file("10");
    assert!(read.all().contains('\u{fffd}') && read.coverage.unreadable.is_empty());
    let read = file("15");
    assert!(!read.all().contains("iVBOR") && read.all().len() < 2000);
    let read = file("16");
    assert_eq!(read.counts(), (2, 0));
    for (name, size) in [("28", 0), ("29", 1), ("30", 190)] {
        let read = file(name);
        assert_eq!(read.turns, [], "{name}");
        assert_eq!(read.coverage.end, size, "{name}");
    }
}

#[test]
fn edge_case_of_a_screenshot_of_12_mb() {
    let Some(path) = edge("01") else { return };
    let rows = std::fs::read_to_string(path).unwrap();
    let (first, rest) = rows.split_once('\n').unwrap();
    let image = "iVBORw0KGgoAAAANSUhEUg".repeat(12_000_000 / 22);
    let screenshot = row(
        "user",
        70,
        0,
        &format!(
            r#""message":{{"content":[{{"type":"image","source":{{"type":"base64","data":"{image}"}}}},{{"type":"text","text":"See the screenshot, it is wrong"}}]}}"#
        ),
    );
    let session = Session::new();
    let read = session.append(format!("{first}\n{screenshot}\n{rest}"), 0);
    assert_eq!(read.counts(), (3, 2));
    assert_eq!(read.users()[1], "See the screenshot, it is wrong");
}

#[test]
fn edge_cases_of_wrapped_texts() {
    if shared().is_none() {
        return;
    }
    let read_17 = read(&edge("17").unwrap());
    assert_eq!(
        read_17.users(),
        [
            "/deploy staging --force because prod freeze until Monday",
            "$ cargo test -p net",
            "Keep the retry count at 5, the vendor limits us to 6.",
            "Please rename foo to bar everywhere",
            "<div>is literal HTML in my question: why does <div> not close?</div>",
        ]
    );
    assert!(read_17.of(Role::ToolResult)[0].contains("FAILED"));
    assert_eq!(read_17.replies(), ["Done."]);

    let read_18 = read(&edge("18").unwrap());
    assert_eq!(read_18.users().len(), 2);
    assert_eq!(read_18.all().matches("rotates on the 1st").count(), 1);

    let read_19 = read(&edge("19").unwrap());
    assert_eq!(read_19.replies(), ["Part one.", "Final."]);
    assert_eq!(
        read_19
            .turns
            .iter()
            .filter(|t| t.role == Role::ToolCall)
            .count(),
        1
    );

    let read_25 = read(&edge("25").unwrap());
    let queued = read_25
        .users()
        .iter()
        .filter(|t| **t == "also bump the version to 2.0")
        .count();
    assert_eq!(queued, 1);
}

#[test]
fn edge_cases_of_ids_and_order() {
    if shared().is_none() {
        return;
    }
    let first = read(&edge("01").unwrap());
    let known: HashSet<String> = first
        .turns
        .iter()
        .map(|turn| {
            turn.id
                .as_ref()
                .unwrap()
                .split('#')
                .next()
                .unwrap()
                .to_owned()
        })
        .collect();
    let own = places();
    let seen = |id: &str| known.contains(id);
    let reading = Reading {
        project: None,
        own: &own,
        seen: &seen,
    };
    let mut turns = Vec::new();
    let coverage = read_claude(&edge("20").unwrap(), 0, None, &reading, &mut turns).unwrap();
    assert_eq!(turns.len(), 1);
    assert_eq!(
        turns[0].text.unredacted(),
        "Fork-only: try approach B instead."
    );
    assert_eq!(coverage.seen, 4);

    assert!(!read(&edge("21").unwrap()).turns.is_empty());
    let read_22 = read(&edge("22").unwrap());
    let order: Vec<_> = read_22.turns.iter().map(|t| t.text.unredacted()).collect();
    assert_eq!(order, ["one", "two", "three", "four", "five", "six"]);
    assert!(read_22.turns[0].at.is_some() && read_22.turns[5].at.is_none());

    let read_31 = read(&edge("31").unwrap());
    assert_eq!(read_31.counts(), (2, 2));
    assert_eq!(read_31.replies()[0], "Noted: API port 8443.");

    let read_32 = read(&edge("32").unwrap());
    let gone: Vec<_> = read_32.turns.iter().filter(|t| t.abandoned).collect();
    assert!(gone.iter().all(|t| t.text.unredacted().contains("Mongo")));
    assert_eq!(gone.len(), 2);
}

#[test]
fn edge_case_of_windows_paths() {
    let Some(path) = edge("23") else { return };
    let home = Path::new("/home/dev");
    let root = PathBuf::from("C:/Users/Dev/my_proj");
    let read = read_for(&path, &|cwd| {
        Known::new(home).root_of(cwd).as_deref() == Some(&root)
    });
    assert_eq!(read.counts(), (2, 1));
    assert_eq!(read.coverage.skipped["row of another project"], 1);
}
