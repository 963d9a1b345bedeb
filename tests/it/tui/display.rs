//! What reaches the terminal: no byte of content that it would obey or hide, colours that any
//! palette can bear, and marks that need none.

use super::staged::{PORT, Staged, fact, hostile, port};
use crate::screen::Screen;
use crate::seed::{Seed, edit};
use crate::support::Home;
use memd::memory::MemoryFile::State;

/// Every `ESC [ … m` that was sent, by its parameters.
fn styles(screen: &Screen) -> Vec<String> {
    let text = String::from_utf8(screen.bytes().to_vec()).unwrap();
    let sequences = text.split("\x1b[").skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != ';')?;
        rest[end..].starts_with('m').then(|| rest[..end].to_owned())
    });
    sequences.collect()
}

/// Whether a style's parameters name a colour.
fn is_colour(style: &str) -> bool {
    let codes = style.split(';').filter_map(|code| code.parse().ok());
    codes
        .into_iter()
        .any(|code: u16| matches!(code, 30..=49 | 58 | 90..=107))
}

#[track_caller]
pub(super) fn assert_nothing_foreign(screen: &Screen) {
    let text = String::from_utf8(screen.bytes().to_vec()).unwrap();
    let obeyed = |c: char| {
        c.is_control() && c != '\x1b'
            || matches!(c, '\u{202A}'..='\u{202E}')
            || matches!(c, '\u{200B}'..='\u{200F}' | '\u{E0000}'..='\u{E01EF}' | '\u{FEFF}' | '\u{AD}')
    };
    assert!(!text.contains(obeyed), "{text:?}");
    // Of escape sequences only those of the screen: modes, moves, styles, clearing.
    for rest in text.split('\x1b').skip(1) {
        let rest = rest
            .strip_prefix('[')
            .unwrap_or_else(|| panic!("ESC {rest:?}"));
        let last = rest.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ';' | '?'));
        let last = last.chars().next().unwrap_or_default();
        assert!(
            matches!(last, 'm' | 'H' | 'J' | 'K' | 'h' | 'l' | 'C' | 'G'),
            "{rest:?}"
        );
    }
}

#[test]
fn what_a_terminal_obeys_or_hides_stands_there_as_tokens() {
    let staged = Staged::new(vec![hostile(1), fact(2)]);
    let mut screen = staged.review().size(120, 36).start();
    screen.wait_for("Plain");
    screen.wait_for("hidden");
    screen.quiet();
    // Wrapped or not, the content is there to its last character.
    let rows = screen.rows();
    let right = rows.iter().filter_map(|row| row.rsplit('│').next());
    let bare = |c: &char| !c.is_whitespace() && *c != '▌';
    let content: String = right.flat_map(str::chars).filter(bare).collect();
    for token in [
        "<U+001BESC>[31mred",
        "<U+001BESC>]52;c;x<U+0007BEL>",
        "<U+009BCSI>2J",
        "<U+202ERLO>right",
        "z<U+200BZWSP>w",
        "<TAG\"AB\">",
        "<U+0000NUL><U+0008BS>",
        "seen<U+000DCR>HIDDEN",
    ] {
        assert!(content.contains(token), "{token} in\n{}", screen.text());
    }
    assert!(!screen.shows("invisible 0"), "{}", screen.text());
    for key in [
        "d", "d", "t", "t", "t", "?", "Esc", "2", "3", "4", "1", "Enter",
    ] {
        screen.press(key);
        screen.quiet();
    }
    assert_nothing_foreign(&screen);
}

#[test]
fn names_of_projects_go_the_same_way_as_content() {
    let home = Home::new();
    let seed = Seed::new(&home, "demo\u{1b}]0;x\u{7}\u{202E}api");
    seed.stage(vec![fact(1)]);
    let mut screen = Screen::memd(&home, &seed.root, &["review"])
        .size(120, 36)
        .start();
    screen.wait_for("demo<U+001B ESC>]0;x<U+0007 BEL>");
    screen.quiet();
    assert_nothing_foreign(&screen);
    let title = String::from_utf8_lossy(screen.bytes()).contains("\x1b]");
    assert!(!title, "the terminal's title was set");
}

#[test]
fn without_colour_every_state_can_still_be_told() {
    let staged = Staged::new(vec![port(1, 9090), fact(2), fact(3), hostile(4)]);
    let mut screen = staged.review().env("NO_COLOR", "1").size(80, 40).start();
    screen.wait_ready();
    screen.press("a");
    screen.wait_for("[a]");
    screen.press("r");
    screen.wait_for("[r]");
    screen.quiet();
    for state in [
        "[a]",
        "[r]",
        "[ ]",
        "▌ [ ]",
        "- - The API",
        "+ - The API",
        "x FAIL",
    ] {
        assert!(screen.shows(state), "{state}\n{}", screen.text());
    }
    let colours: Vec<_> = styles(&screen)
        .into_iter()
        .filter(|s| is_colour(s))
        .collect();
    assert!(colours.is_empty(), "{colours:?}");
}

#[test]
fn colours_are_those_of_the_palette_on_the_terminals_own_background() {
    let staged = Staged::new(vec![port(1, 9090), fact(2), hostile(3)]);
    let mut screen = staged.review().size(120, 36).start();
    screen.wait_ready();
    for key in ["a", "d", "?", "Esc", "w", "Esc", "4", "1"] {
        screen.press(key);
        screen.quiet();
        for row in 0..36 {
            for cell in screen.cells(row) {
                assert_eq!(cell.bgcolor(), vt100::Color::Default, "{key}: {cell:?}");
                let bad = [0, 7, 8, 15].map(vt100::Color::Idx);
                assert!(!bad.contains(&cell.fgcolor()), "{key}: {cell:?}");
                let named = matches!(
                    cell.fgcolor(),
                    vt100::Color::Default | vt100::Color::Idx(..16)
                );
                assert!(named, "{key}: {cell:?}");
            }
        }
    }
    assert!(
        styles(&screen).iter().any(|s| is_colour(s)),
        "no colour at all"
    );
}

#[test]
fn a_terminal_that_knows_only_ascii_gets_nothing_else() {
    for env in [("LANG", "C"), ("TERM", "vt100"), ("MEMD_ASCII", "1")] {
        let german = edit(2, State, PORT, "- Größe 9090 日本.");
        let staged = Staged::new(vec![fact(1), german]);
        let mut screen = staged.review().env(env.0, env.1).size(120, 36).start();
        screen.wait_ready();
        for key in ["a", "?", "Esc", "w", "Esc", "t", "2", "3", "4", "1"] {
            screen.press(key);
            screen.quiet();
        }
        let chrome: Vec<char> = screen.text().chars().filter(|c| !c.is_ascii()).collect();
        let content: Vec<char> = "öß日本".chars().collect();
        assert!(
            chrome.iter().all(|c| content.contains(c)),
            "{env:?} {chrome:?}"
        );
    }
}

#[test]
fn a_trace_times_each_key_and_keeps_nothing_that_was_typed() {
    use std::os::unix::fs::PermissionsExt;
    let staged = Staged::facts(2);
    let trace = staged.home.path().join("trace.jsonl");
    let mut screen = staged
        .review()
        .env("MEMD_TUI_TRACE", trace.to_str().unwrap())
        .start();
    screen.wait_ready();
    screen.press_for("j", "▌ [ ] Fact 2");
    screen.press("/");
    screen.quiet();
    screen.send("sesame");
    screen.wait_for("sesame");
    screen.paste("pasted words");
    screen.quiet();
    screen.press("Esc");
    screen.press("Q");
    screen.finish();
    let mode = std::fs::metadata(&trace).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let text = std::fs::read_to_string(&trace).unwrap();
    let kinds: Vec<String> = text
        .lines()
        .map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            assert!(line["ms"].is_f64() && line["frame"].is_u64(), "{line}");
            line["kind"].as_str().unwrap().to_owned()
        })
        .collect();
    for kind in ["j", "/", "typed", "paste"] {
        assert!(kinds.iter().any(|k| k == kind), "{kind} in {kinds:?}");
    }
    assert!(
        !kinds.iter().any(|k| "esam".contains(k.as_str())),
        "{kinds:?}"
    );
    assert!(!text.contains("pasted"), "{text}");
}
