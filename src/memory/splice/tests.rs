//! Splices: where they go, and that every other byte stays.

use super::super::MemoryFile::{self, *};
use super::*;
use proptest::prelude::*;

fn add(section: &str, text: &str) -> Splice {
    Splice::Add {
        section: section.into(),
        text: text.into(),
    }
}

fn apply(file: MemoryFile, text: &str, splices: &[Splice]) -> String {
    Document::parse(file, text).apply(splices, None)
}

#[test]
fn an_addition_goes_to_the_end_of_its_section() {
    let cases = [
        (State, "# S\n\n_Empty._\n", "", "- a", "# S\n\n- a\n"),
        (
            State,
            "# S\n\n_Empty._\n",
            "Ports",
            "- a",
            "# S\n\n## Ports\n\n- a\n",
        ),
        (State, "", "", "- a", "- a\n"),
        (State, "# S\n\n", "", "- a", "# S\n\n- a\n"),
        (State, "# S", "", "- a", "# S\n\n- a\n"),
        (
            State,
            "# S\n\n## A\n\n- x\n- y\n\n## B\n\ntext\n",
            "A",
            "- z",
            "# S\n\n## A\n\n- x\n- y\n- z\n\n## B\n\ntext\n",
        ),
        (
            State,
            "# S\n\n## A\n\n- x\n\n- y\n\n## B\n",
            "A",
            "- z",
            "# S\n\n## A\n\n- x\n\n- y\n\n- z\n\n## B\n",
        ),
        (
            State,
            "# S\n\n## A\n\n- x\n## B\n",
            "A",
            "text",
            "# S\n\n## A\n\n- x\n\ntext\n\n## B\n",
        ),
        (
            State,
            "# S\n\n## A\n### C\n- x\n",
            "A",
            "- z",
            "# S\n\n## A\n\n- z\n\n### C\n- x\n",
        ),
        (
            State,
            "# S\n\n## A\n\n- x\n",
            "",
            "- z",
            "# S\n\n- z\n\n## A\n\n- x\n",
        ),
        (
            State,
            "# S\n\n- x",
            "New",
            "- z",
            "# S\n\n- x\n\n## New\n\n- z\n",
        ),
        (
            Mistakes,
            "# M\n\n### a\n\ntext\n",
            "",
            "### b\n\nmore",
            "# M\n\n### a\n\ntext\n\n### b\n\nmore\n",
        ),
        // An H3 below an H2 entry would swallow it; it goes before it.
        (
            Decisions,
            "# D\n\n## a\n\ntext\n",
            "",
            "### b",
            "# D\n\n### b\n\n## a\n\ntext\n",
        ),
        (
            Decisions,
            "# D\n\n## a\n\ntext\n",
            "",
            "## b",
            "# D\n\n## a\n\ntext\n\n## b\n",
        ),
        (
            Decisions,
            "# D\n\n## G\n\n### a\n\n## H\n\n### b\n",
            "G",
            "### c",
            "# D\n\n## G\n\n### a\n\n### c\n\n## H\n\n### b\n",
        ),
        // A fence that is never closed would swallow it.
        (
            Todo,
            "- a\n\n```\nopen\n",
            "",
            "- z",
            "- z\n\n- a\n\n```\nopen\n",
        ),
    ];
    for (file, before, section, new, after) in cases {
        assert_eq!(
            apply(file, before, &[add(section, new)]),
            after,
            "{before:?}"
        );
    }
}

#[test]
fn a_removal_takes_its_blank_lines_along() {
    let cases = [
        ("- a\n- b\n- c\n", 1, "- a\n- c\n"),
        ("- a\n\n- b\n\n- c\n", 1, "- a\n\n- c\n"),
        ("- a\n- b\n\n## H\n", 1, "- a\n\n## H\n"),
        ("## H\n\npara\n\nnext\n", 0, "## H\n\nnext\n"),
        ("a\n\nb\n", 1, "a\n"),
        ("a\n\nb", 1, "a\n"),
        ("a\n\n\nb\n\n\n", 1, "a\n"),
        ("only\n", 0, ""),
    ];
    for (before, entry, after) in cases {
        assert_eq!(
            apply(State, before, &[Splice::Remove { entry }]),
            after,
            "{before:?}"
        );
    }
    let all = [0, 1, 2].map(|entry| Splice::Remove { entry });
    assert_eq!(
        apply(State, "# S\n\n## H\n\n- a\n\n- b\n\n- c\n", &all),
        "# S\n\n## H\n"
    );
}

#[test]
fn replacements_removals_and_additions_go_together() {
    let text = "---\ntype: todo\nlast_updated: 2020-01-01\n---\n# T\n\n- [ ] a\n- [ ] b\n- [ ] c\n";
    let doc = Document::parse(Todo, text);
    let splices = [
        Splice::Remove { entry: 1 },
        add("", "- [ ] d\n"),
        Splice::Replace {
            entry: 0,
            text: "- [ ] A\n".into(),
        },
        add("", "- [ ] e"),
    ];
    assert_eq!(
        doc.apply(&splices, Some(jiff::civil::date(2026, 1, 2))),
        "---\ntype: todo\nlast_updated: 2026-01-02\n---\n# T\n\n- [ ] A\n- [ ] c\n- [ ] d\n- [ ] e\n"
    );
    assert_eq!(doc.apply(&[Splice::Remove { entry: 99 }], None), text);
}

#[test]
fn lines_that_end_otherwise_are_the_same_text_and_what_comes_ends_as_they_do() {
    let text = "# T\n\n## S\n\n- a\n  - b\n\nA paragraph\nof two lines.\n";
    let returns = text.replace('\n', "\r\n");
    let (plain, other) = (Document::parse(Todo, text), Document::parse(Todo, &returns));
    let texts = |doc: &Document| {
        doc.entries()
            .iter()
            .map(|e| e.text.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(texts(&plain), texts(&other));
    assert_eq!(other.apply(&[], None), returns);
    let splices = [
        Splice::Replace {
            entry: 0,
            text: "- A\n  - B".into(),
        },
        add("S", "- c\n  - d"),
    ];
    let after = plain.apply(&splices, None).replace('\n', "\r\n");
    assert_eq!(other.apply(&splices, None), after);
}

fn document() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "## [AB]\n",
        "### [ab]\n",
        "- [a-c]{1,3}\n",
        "- [a-c]{1,3}\n  - [a-c]\n",
        "[a-c é]{1,6}\n",
        "\n",
        "\n\n",
        "```\n# x\n```\n",
        "\\| a \\|\n\\|---\\|\n\\| b \\|\n",
        "> q\n",
        "1\\. x\n",
    ];
    proptest::collection::vec(piece, 0..14).prop_map(|p| format!("# T\n\n{}", p.concat()))
}

proptest! {
    #[test]
    fn a_splice_leaves_every_other_byte_alone(text in document(), at in any::<prop::sample::Index>()) {
        for file in MemoryFile::ALL {
            let doc = Document::parse(file, &text);
            if doc.entries().is_empty() { continue; }
            let entry = at.index(doc.entries().len());
            let range = doc.entries()[entry].range.clone();
            let new = doc.apply(&[Splice::Replace { entry, text: "XYZ".into() }], None);
            prop_assert_eq!(&new, &format!("{}XYZ{}", &text[..range.start], &text[range.end..]));
            let without = doc.apply(&[Splice::Remove { entry }], None);
            let (head, tail) = (text[..range.start].trim_end(), text[range.end..].trim_start_matches('\n'));
            prop_assert!(without.starts_with(head));
            prop_assert!(without.trim_end().ends_with(tail.trim()));
        }
    }

    #[test]
    fn a_removal_leaves_the_other_entries_whole(text in document(), at in any::<prop::sample::Index>()) {
        for file in MemoryFile::ALL {
            let doc = Document::parse(file, &text);
            // Text between an H2 and its only H3 becomes the H2's own when the H3 goes.
            let has_intro = is_headed(file) && doc.entries().iter().any(|e| !e.text.starts_with('#'));
            // An indented block becomes part of a list item that comes to stand before it.
            let is_indented = doc.entries().iter().any(|e| e.text.starts_with(' '));
            if doc.entries().is_empty() || has_intro || is_indented { continue; }
            let entry = at.index(doc.entries().len());
            let mut others: Vec<&str> = doc.entries().iter().map(|e| e.text.as_str()).collect();
            others.remove(entry);
            let without = Document::parse(file, &doc.apply(&[Splice::Remove { entry }], None));
            let left: Vec<&str> = without.entries().iter().map(|e| e.text.as_str()).collect();
            prop_assert_eq!(left, others, "{}", without.text());
        }
    }

    #[test]
    fn an_addition_is_one_more_entry_and_every_other_byte_stays(text in document(), section in "|A|A › b|New") {
        for (file, new) in [(State, "- new\n  - child"), (Todo, "new text"), (Mistakes, "### new\n\ntext")] {
            let doc = Document::parse(file, &text);
            let out = doc.apply(&[add(&section, new)], None);
            let now = Document::parse(file, &out);
            prop_assert!(now.entries().iter().any(|e| e.text == new), "{}", out);
            prop_assert_eq!(now.entries().len(), doc.entries().len() + 1, "{}", out);
            let (a, b) = (text.as_bytes(), out.as_bytes());
            let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
            let tail = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
            prop_assert!(head + tail >= a.len(), "{}", out);
        }
    }
}
