//! Content is there to its last glyph: wide characters, long paragraphs, and hostile text wherever
//! a proposal holds any.

use super::display::assert_nothing_foreign;
use super::staged::{Staged, fact};
use crate::screen::Screen;
use crate::seed::{Seed, addition, edit};
use crate::support::Home;
use jiff::Timestamp;
use memd::digest::Coverage;
use memd::id::ProposalId;
use memd::memory::MemoryFile::{State, Todo};
use memd::proposal::{Kind, Proposal, Usage};

/// What stands in the content's columns, with the bar taken off: the text right of the rule, if
/// there is one.
fn content(screen: &Screen, from: usize) -> Vec<String> {
    let all = screen.rows();
    let rows = all.iter().skip(from).take(all.len() - from - 1);
    let right = rows.map(|row| row.rsplit('│').next().unwrap_or_default());
    right
        .map(|row| row.trim_start_matches([' ', '▌']).to_owned())
        .collect()
}

#[test]
fn no_glyph_of_a_wide_line_is_lost_and_the_rule_is_unbroken() {
    let glyphs = "日本語の文字列漢字仮名交";
    for offset in [0, 1, 2, 3] {
        let wide = format!("{}{}", "x".repeat(offset), glyphs.repeat(9));
        let staged = Staged::new(vec![addition(1, Todo, &format!("- [ ] Wide\n  {wide}"))]);
        for (columns, rows) in [(80, 24), (81, 24), (120, 36), (121, 36)] {
            let mut screen = staged.review().size(columns, rows).start();
            screen.wait_ready();
            screen.quiet();
            let all: String = content(&screen, 3)
                .concat()
                .chars()
                .filter(|c| !c.is_whitespace() && *c != '+')
                .collect();
            assert!(all.contains(&wide), "{columns}:\n{}", screen.text());
            if columns >= 100 {
                // The rule stands in one column from below the title to the footer.
                let column = |row: &String| row.chars().position(|c| c == '│');
                let first = column(&screen.row(1));
                for row in 1..usize::from(rows) - 1 {
                    let cells = screen.cells(row);
                    let at = cells.iter().position(|c| c.contents() == "│");
                    assert_eq!(at, first, "row {row}\n{}", screen.text());
                }
            }
        }
    }
}

#[test]
fn joined_characters_reach_the_terminal_whole() {
    for what in ["👩‍👩‍👧‍👦", "🇫🇷", "e\u{301}"] {
        let text = format!("- [ ] Joined\n  {}", what.repeat(60));
        let staged = Staged::new(vec![addition(1, Todo, &text)]);
        let mut screen = staged.review().start();
        screen.wait_ready();
        screen.quiet();
        let bytes = String::from_utf8_lossy(screen.bytes()).into_owned();
        assert!(bytes.matches(what).count() >= 60, "{what:?}: {bytes:?}");
    }
}

#[test]
fn every_edit_of_a_long_paragraph_is_set_off_and_scrolled_to() {
    let filler = "and the paragraph goes on with the same words for long ".repeat(32);
    let old = format!("- The port is 500 {filler} the queue is Redis {filler} retries are five.");
    let new =
        format!("- The port is 9090 {filler} the queue is SQLite {filler} retries are three.");
    assert!(new.len() > 3_500);
    let home = Home::new();
    let seed = Seed::new(&home, "demo-api");
    seed.write(State, &old);
    seed.accept_all();
    let id = seed.stage(vec![edit(1, State, &old, &new)]);
    let staged = Staged { home, seed, id };
    let mut screen = staged.review().start();
    screen.wait_ready();
    screen.quiet();
    let mut set_off = String::new();
    for _ in 0..32 {
        for row in 4..23 {
            let cells = screen.cells(row);
            let is_word = |c: &&vt100::Cell| c.underline();
            let words: String = cells
                .iter()
                .filter(is_word)
                .map(vt100::Cell::contents)
                .collect();
            set_off.push_str(&words);
            let row = screen.row(row);
            let title = row.contains("] The port") || row.contains("\" ");
            assert!(title || !row.contains('…'), "{row}");
        }
        screen.press("J");
        screen.press("J");
        screen.press("J");
        screen.press("J");
        screen.quiet();
    }
    for word in ["9090", "SQLite", "three"] {
        assert!(set_off.contains(word), "{word} in {set_off}");
    }
}

/// A proposal in which what names things is hostile too.
fn named(seed: &Seed) -> ProposalId {
    const EVIL: &str = "\u{1b}]0;x\u{7}\u{9b}2J\u{202E}r\u{200B}\rH";
    let evil = |name: &str| format!("{name}{EVIL}");
    let id = ProposalId::random().unwrap();
    let line = serde_json::json!({
        "n": 1, "role": "user", "text": evil("Fact 1 of the port EVID"),
        "source": format!("/t{EVIL}.jsonl"), "offset": 40, "session": format!("S{EVIL}"),
        "at": "2026-09-30T14:02:00Z"
    });
    let coverage = Coverage {
        source: evil("/PATH"),
        sessions: vec![format!("S{EVIL}")],
        skipped: [(evil("SKIP"), 1)].into(),
        ..Coverage::default()
    };
    let now = Timestamp::now();
    let proposal = Proposal {
        id: id.clone(),
        project: seed.project.id.clone(),
        back: None,
        kind: Kind::Distill,
        created: now,
        trigger: evil("T"),
        usage: Usage {
            backend: "command".to_owned(),
            model: Some(evil("MODEL")),
            calls: 1,
            ..Usage::default()
        },
        summary: evil("SUMM"),
        lines: vec![serde_json::from_value(line).unwrap()],
        changes: vec![fact(1)],
        spans: Vec::new(),
        notes: Vec::new(),
        coverage: vec![coverage],
        hits: Vec::new(),
        dropped: Vec::new(),
    };
    seed.store.stage(&seed.trust, &proposal, &[], now).unwrap();
    id
}

#[test]
fn names_and_places_show_the_same_tokens_as_content() {
    let home = Home::new();
    let seed = Seed::new(&home, "api");
    let id = named(&seed);
    let staged = Staged { home, seed, id };
    let mut screen = staged.review().size(200, 50).start();
    screen.wait_ready();
    screen.quiet();
    let tokens = "<U+001BESC>]0;x<U+0007BEL><U+009BCSI>2J<U+202ERLO>r<U+200BZWSP><U+000DCR>H";
    let mut seen = String::new();
    for _ in 0..4 {
        let rows = content(&screen, 1).concat();
        seen.extend(rows.chars().filter(|c| !c.is_whitespace()));
        screen.press("t");
        screen.quiet();
    }
    for name in ["SUMM", "MODEL", "/PATH", "SKIP", "EVID"] {
        let told = format!("{name}{tokens}");
        assert!(seen.contains(&told), "{told}\n{}", screen.text());
    }
    // What does not fit the row above is cut, and that is said.
    assert!(seen.contains("T<U+001BESC>]0;x<U+0007BEL>"), "{seen}");
    assert!(seen.contains("[S<U+001BESC>]0;x<U+0007BEL>"), "{seen}");
    screen.press("A");
    screen.quiet();
    assert_nothing_foreign(&screen);
}
