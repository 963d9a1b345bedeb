//! What becomes of a file: its loss, frontmatter, budget.

use super::*;

/// Decisions with 40 dated headings, and what of each body is kept.
fn forty(keep: impl Fn(usize) -> Option<bool>) -> String {
    (0..40)
        .filter_map(|n| {
            let heading = format!("### 2026-01-{:02} — Decision number {n}", n % 28 + 1);
            let body = format!(
                "Chosen for reason alpha{n} over beta{n}, which rules out gamma{n} for good."
            );
            keep(n).map(|full| {
                if full {
                    format!("{heading}\n\n{body}")
                } else {
                    heading
                }
            })
        })
        .collect::<Vec<_>>()
        .join("\n\n")
}

fn loss_of(reply: BodiesReply) -> Option<Verdict> {
    let memory = memory(&[(MemoryFile::Decisions, &forty(|_| Some(true)))]);
    let entries = known(&memory);
    let digest = Digest::default();
    let out = build(
        &Reply::Bodies(reply),
        &memory,
        &entries,
        &digest,
        &crate::config::Budgets::default(),
        &[],
    );
    let chosen: Vec<Chosen> = out.changes.iter().map(Chosen::of).collect();
    let said = Case::new(&memory, &[]).judge(&chosen);
    let file = said.files.get(&MemoryFile::Decisions)?;
    file.iter().find(|v| v.guard == "loss").cloned()
}

/// A reply whose body of decisions is this.
fn rewritten(keep: impl Fn(usize) -> Option<bool>) -> BodiesReply {
    BodiesReply {
        decisions_body: Some(forty(keep)),
        ..BodiesReply::default()
    }
}

/// The first 17 of the forty decisions stay.
fn some(n: usize) -> bool {
    n < 17
}

/// The other 23 as archived copies, so many of them differing by a word.
fn copies(wrong: usize) -> Vec<ArchivedText> {
    let copied = (17..40).map(|n| {
        let copy = forty(|m| (m == n).then_some(true));
        let word = if n < 17 + wrong { "before" } else { "over" };
        copy.replace("over", word)
    });
    let archived = |content| ArchivedText {
        source: "decisions.md".into(),
        content,
    };
    copied.map(archived).collect()
}

#[test]
fn a_reply_that_forgets_most_of_a_file_is_blocked_and_each_heading_is_named() {
    let said = loss_of(rewritten(|n| some(n).then_some(true))).unwrap();
    assert_eq!(said.level, Level::Block);
    for n in 17..40 {
        let name = format!("number {n}\"");
        assert!(said.reason.contains(&name), "{n}: {}", said.reason);
    }
    assert!(!said.reason.contains("number 16"));
}

#[test]
fn headings_that_stay_while_most_bodies_are_emptied_are_loss_too() {
    let emptied = loss_of(rewritten(|n| Some(some(n)))).unwrap();
    assert_eq!(emptied.level, Level::Block);
    for n in 17..40 {
        let name = format!("number {n}\"");
        assert!(emptied.reason.contains(&name), "{n}: {}", emptied.reason);
    }
    let one = loss_of(rewritten(|n| Some(n != 3)));
    assert_eq!(one, None, "one shortened entry is no loss");
}

#[test]
fn archived_copies_that_differ_by_a_word_are_counted_and_block() {
    let moved = |wrong| BodiesReply {
        archive_entries: copies(wrong),
        ..rewritten(|n| some(n).then_some(true))
    };
    let said = loss_of(moved(5)).unwrap();
    assert_eq!(said.level, Level::Block);
    assert!(
        said.reason.contains("5 archived copies do not match"),
        "{said:?}"
    );
    assert_eq!(loss_of(moved(0)), None, "whole copies are no loss");
}

#[test]
fn the_chosen_subset_is_what_is_judged() {
    let memory = memory(&[(MemoryFile::Decisions, &forty(|_| Some(true)))]);
    let edits: Vec<Change> = (0..40)
        .map(|n| Change {
            n: n + 1,
            ..against(
                change(Op::Edit, MemoryFile::Decisions, "### x"),
                &memory,
                n as usize,
            )
        })
        .collect();
    let all: Vec<Chosen> = edits.iter().map(Chosen::of).collect();
    let case = Case::new(&memory, &[]);
    assert_eq!(blocking(&case.judge(&all)), [LOSS]);
    assert!(case.judge(&all[..2]).files.is_empty());
}

#[test]
fn a_file_without_frontmatter_blocks_and_over_budget_warns() {
    let texts = [(MemoryFile::State, "# State\n\n- a\n".to_owned())];
    let memory = Memory::from_texts(&texts.into_iter().collect());
    let lines = [line(1, "user", "the page is off")];
    let case = Case::new(&memory, &lines);
    let add = change(Op::Add, MemoryFile::State, "- the page is off");
    assert_eq!(case.guards(&add), ["frontmatter:block"]);
    let memory = super::memory(&[]);
    let case = Case::new(&memory, &lines);
    let long = change(
        Op::Add,
        MemoryFile::State,
        &format!("- page is off {}", "x".repeat(10_000)),
    );
    assert_eq!(case.guards(&long), ["budget:warn"]);
}
