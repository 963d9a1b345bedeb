//! Foreign text on the screen: wherever it stands, what a terminal would obey or a reader would
//! not see stands there as a token.

use super::frames::{hostile, item, line, proposal, sqlite};
use super::{Fake, Screen};
use crate::digest::Coverage;
use crate::memory::MemoryFile;
use crate::proposal::{Change, Dropped, Kind, Level, Op, Verdict};
use crate::redact::Hit;
use crate::review::samples;
use crate::review::{Event, Item, SheetFile, Standing};
use crate::source::Role;
use crate::text::{TextHash, hidden};
use crate::tui::msg::Msg;

/// What every foreign text ends in.
const EVIL: &str =
    "\u{1b}]0;x\u{7}\u{9b}2J\u{202E}r\u{2066}\u{200B}\u{AD}\u{FEFF}\u{3164}\u{E0041}\0\u{8}\rH";

fn evil(name: &str) -> String {
    format!("{name}{EVIL}")
}

/// A proposal in which every foreign text is hostile.
fn everywhere() -> Item {
    let target = |text: &str| crate::proposal::Target {
        entry: None,
        text: text.to_owned(),
        hash: TextHash::of(text),
        ordinal: 0,
    };
    let change = |n: u32, op: Op, old: &str, new: String| Change {
        op,
        target: (!old.is_empty()).then(|| target(old)),
        text: new,
        section: evil("SECT"),
        reason: Some(evil("BECAUSE")),
        evidence: vec![1],
        also: vec![2],
        verdicts: vec![Verdict {
            guard: evil("GUARD"),
            level: Level::Warn,
            reason: evil("REASON"),
        }],
        ..samples::change(n, Level::Pass)
    };
    let mut proposal = proposal(
        "0000000a",
        vec![
            change(1, Op::Edit, &evil("- OLD"), evil("- NEW")),
            change(2, Op::Archive, &evil("- GOES"), String::new()),
            change(3, Op::Edit, &evil("- BASE"), evil("- OTHER")),
        ],
    );
    proposal.trigger = evil("TRIG");
    proposal.usage.model = Some(evil("MODEL"));
    proposal.summary = evil("SUMM");
    proposal.dropped = vec![Dropped {
        what: evil("WHAT"),
        why: evil("WHY"),
    }];
    let mut cited = line(1, Role::User, "");
    cited.text = crate::redact::Redacted::literal(
        "EVID\u{1b}]0;x\u{7}\u{9b}2J\u{202E}r\u{2066}\u{200B}\u{AD}\u{FEFF}\u{3164}\u{E0041}\0\u{8}\rH",
    );
    cited.session = evil("S1");
    let mut also = cited.clone();
    also.n = 2;
    proposal.lines = vec![cited.clone(), also];
    proposal.coverage = vec![Coverage {
        source: evil("/PATH"),
        sessions: vec![evil("S2")],
        skipped: [(evil("SKIP"), 1)].into(),
        unreadable: [(evil("BROKEN"), 1)].into(),
        ..Coverage::default()
    }];
    let mut place = cited.place.clone();
    place.source = evil("/HIT");
    proposal.hits = vec![Hit {
        rule: evil("RULE"),
        offset: 0,
        length: evil("LEN"),
        fingerprint: evil("F1"),
        confidence: Default::default(),
        pass: Default::default(),
        place: Some(place),
    }];
    let mut item = item(proposal);
    item.project = evil("PROJ");
    let now = evil("- NOW");
    item.judged.standing.insert(3, Standing::Changed { now });
    let verdict = samples::verdict(Level::Warn);
    let verdicts = vec![Verdict {
        reason: evil("FILE"),
        ..verdict
    }];
    item.judged.files.insert(MemoryFile::State, verdicts);
    item
}

/// All that a screen showed, blanks left out: a text may be wrapped anywhere.
#[derive(Default)]
struct Shown(String);

impl Shown {
    #[track_caller]
    fn look(&mut self, screen: &Screen<'_>) {
        let text = screen.text();
        let unseen = hidden(&text.replace('\n', " "));
        assert!(unseen.is_empty(), "{unseen:?} in {text:?}");
        // What stands right of the list is not cut.
        let right = text.lines().filter_map(|row| row.rsplit('│').next());
        let seen = right.flat_map(str::chars);
        self.0
            .extend(seen.filter(|c| !c.is_whitespace() && *c != '▌'));
        self.0.push('\n');
    }
}

#[test]
fn every_foreign_text_is_shown_with_its_hidden_characters_as_tokens() {
    let mut fake = Fake {
        items: vec![everywhere()],
        ..Fake::default()
    };
    for size in [(200, 60), (80, 24), (40, 8)] {
        let mut shown = Shown::default();
        let mut screen = Screen::new(&mut fake, size);
        for key in ["t", "t", "t", "t", "d", "d", "d", "Tab", "Tab", "A", "Esc"] {
            shown.look(&screen);
            screen.press(&[key]);
        }
        for key in ["R", "Esc", "D", "Esc", "?", "Esc", "i", "Esc"] {
            screen.press(&[key]);
            shown.look(&screen);
        }
        screen.engine.send(Msg::Say(evil("NOTICE")));
        shown.look(&screen);
        let id = screen.engine.app.review.open.clone().unwrap();
        let sheet = crate::review::Sheet {
            files: vec![SheetFile {
                name: evil("NAME"),
                goes_in: vec![(evil("GOESIN"), true)],
                ..SheetFile::default()
            }],
            rejected: vec![evil("REJ")],
            restored: vec![evil("RES")],
            warned: vec![(evil("WARNED"), evil("BY"))],
            subject: evil("SUBJECT"),
            notes: vec![evil("NOTE")],
            ..Default::default()
        };
        let planned = Event::Planned {
            proposal: id,
            sheet: Ok(sheet),
        };
        screen.engine.send(Msg::Review(planned));
        shown.look(&screen);
        for _ in 0..30 {
            screen.press(&["Space"]);
            shown.look(&screen);
        }
        if size.0 < 200 {
            continue;
        }
        let escape = "<U+001BESC>]0;x<U+0007BEL><U+009BCSI>2J<U+202ERLO>r<U+2066LRI><U+200BZWSP>";
        for name in [
            "MODEL", "SUMM", "WHAT", "WHY", "BECAUSE", "OLD", "NEW", "GOES", "BASE", "NOW",
            "OTHER", "GUARD", "REASON", "EVID", "/PATH", "SKIP", "BROKEN", "/HIT", "RULE", "PROJ",
            "FILE", "NOTICE", "NAME", "GOESIN", "REJ", "RES", "WARNED", "BY", "SUBJECT", "NOTE",
        ] {
            let told = format!("{name}{escape}");
            assert!(shown.0.contains(&told), "{told}");
        }
        // Of a session's id the first characters are shown.
        assert!(shown.0.contains("[S1<U+001BESC>]0;x<U+0007BEL>]"));
        let cited = format!("EVID{escape}<U+00ADSHY><U+FEFFBOM><U+3164HANGULFILLER>");
        assert!(shown.0.contains(&cited));
        assert!(
            shown.0.contains("<U+0008BS><U+000DCR>H[S1"),
            "a CR in a cited line"
        );
    }
}

#[test]
fn what_started_a_distill_which_session_and_which_model_are_foreign_too() {
    let mut item = sqlite();
    item.proposal.trigger = "T\u{1b}[2J".to_owned();
    item.proposal.usage.model = Some("M\u{9b}2J".to_owned());
    item.proposal.coverage = vec![Coverage {
        sessions: vec!["S\u{202E}x".to_owned()],
        ..Coverage::default()
    }];
    let mut fake = Fake {
        items: vec![item],
        ..Fake::default()
    };
    let mut shown = Shown::default();
    shown.look(&Screen::new(&mut fake, (200, 40)));
    for told in [
        "agoT<U+001BESC>[2J",
        "sessionS<U+202ERLO>x",
        "curatorM<U+009BCSI>2J",
    ] {
        assert!(shown.0.contains(told), "{told} in {}", shown.0);
    }
}

#[test]
fn a_carriage_return_stands_between_the_words_and_the_count_is_that_of_the_tokens() {
    let text = "- visible\rHIDDEN \u{202E}a\u{2066}b\u{202C} c\u{200B}d e\u{200D}f g\u{AD}h \u{FEFF}i \u{3164}j k\u{E0069}\u{E0067}\u{E006E}\u{E006F}\u{E0072}\u{E0065}";
    let change = Change {
        text: text.to_owned(),
        ..samples::change(1, Level::Pass)
    };
    let mut fake = Fake {
        items: vec![item(proposal("0000000a", vec![change]))],
        ..Fake::default()
    };
    let screen = Screen::new(&mut fake, (200, 40));
    let text = screen.text();
    assert!(text.contains("visible<U+000D CR>HIDDEN"), "{text}");
    assert!(text.contains("k<TAG \"ignore\">"), "{text}");
    let from = text.find("+ - visible").unwrap();
    let row = &text[from..];
    let tokens = row.matches("<U+").count() + row.matches("<TAG").count();
    assert_eq!(tokens, 10, "{row}");
    assert!(text.contains("invisible 10"), "{text}");
    for token in ["RLO", "LRI", "PDF", "ZWSP", "ZWJ", "00AD", "FEFF", "3164"] {
        assert!(row.contains(token), "{token} in {row}");
    }
}

#[test]
fn our_own_words_and_marks_are_ascii_where_nothing_else_is_known() {
    let mut ascii = sqlite();
    ascii.proposal.lines.clear();
    for change in &mut ascii.proposal.changes {
        change.text = change.text.replace('—', "-");
    }
    ascii.proposal.created = "2026-10-01T10:00:00Z".parse().unwrap();
    let mut other = hostile();
    other.proposal.lines.clear();
    let mut on_disk = sqlite();
    on_disk.proposal.kind = Kind::ChangedOnDisk;
    on_disk.proposal.id = "0000000c".parse().unwrap();
    on_disk.proposal.lines.clear();
    on_disk.proposal.changes.remove(2);
    on_disk.order.retain(|n| *n != 3);
    let long = "word ".repeat(2_000);
    let long = Change {
        text: format!("- {long}\n{}", "  - row\n".repeat(500)),
        ..samples::change(1, Level::Pass)
    };
    let long = item(proposal("0000000d", vec![long]));
    for size in [(120, 36), (80, 24), (40, 8)] {
        let items = vec![ascii.clone(), other.clone(), on_disk.clone(), long.clone()];
        let mut fake = Fake {
            items,
            busy: 1,
            ..Fake::default()
        };
        let mut screen = Screen::in_ascii(&mut fake, size);
        for keys in [
            "t t t t d d d Tab Tab + + + - j k f f f",
            "/ a Esc ? a Esc A Esc R Esc D Esc B x Enter Esc",
            "i x Esc Esc u Ctrl-r x b c n",
            ") t t t d d d a e w Esc ) b ) Enter",
            "( ( ( r w y Esc 2 ? Esc 3 ? Esc 4 ? Esc 1",
        ] {
            for key in keys.split(' ') {
                let chord = super::chord(key);
                let frame = screen.frame;
                screen.engine.send(Msg::Key { chord, frame });
                assert_ascii(&screen, key);
                screen.paint();
                assert_ascii(&screen, key);
                screen.wait(200);
            }
        }
    }
}

#[track_caller]
fn assert_ascii(screen: &Screen<'_>, key: &str) {
    let text = screen.text();
    assert!(text.is_ascii(), "after {key}:\n{text}");
}

#[test]
fn a_payload_far_to_the_right_or_far_below_is_read_to_its_end_before_it_is_accepted() {
    let wide = format!("- {}PAYLOAD", "quiet words go on ".repeat(280));
    let deep = format!("- Quiet\n{}  PAYLOAD", "\n".repeat(400));
    for text in [wide, deep] {
        let change = Change {
            text: text.clone(),
            verdicts: vec![Verdict {
                guard: "imperative".to_owned(),
                level: Level::Warn,
                reason: "tells the reader to do something".to_owned(),
            }],
            ..samples::change(1, Level::Warn)
        };
        let mut fake = Fake {
            items: vec![item(proposal("0000000a", vec![change]))],
            ..Fake::default()
        };
        let mut screen = Screen::new(&mut fake, (80, 24));
        screen.press(&["Enter"]);
        let mut seen = screen.text().contains("PAYLOAD");
        let mut pressed = 0;
        while screen.engine.app.item().unwrap().decisions.is_empty() && pressed < 60 {
            screen.press(&["a"]);
            pressed += 1;
            let decided = !screen
                .engine
                .app
                .item()
                .is_none_or(|i| i.decisions.is_empty());
            assert!(
                seen || !decided,
                "accepted before it was seen:\n{}",
                screen.text()
            );
            seen |= screen.text().contains("PAYLOAD");
        }
        assert!(seen && pressed < 60, "{}", screen.text());
    }
}

#[test]
fn a_box_drawn_in_the_content_stands_behind_its_mark_and_paints_nothing_outside_its_pane() {
    let boxed = "- Fact\n┌──────────────┐\n│ [A]ccept  [R]eject │\n└──────────────┘\n a accept  r reject  w apply";
    let change = Change {
        text: boxed.to_owned(),
        ..samples::change(1, Level::Pass)
    };
    let mut fake = Fake {
        items: vec![item(proposal("0000000a", vec![change]))],
        ..Fake::default()
    };
    let screen = Screen::new(&mut fake, (120, 36));
    let text = screen.text();
    for line in boxed.lines().skip(1) {
        let row = text
            .lines()
            .find(|row| row.contains(line.trim()) && row.contains('+'));
        let row = row.unwrap_or_else(|| panic!("{line} in\n{text}"));
        let (left, right) = row.split_once('│').unwrap();
        assert!(!left.contains("ccept"), "{row}");
        assert!(
            right.trim_start_matches([' ', '▌']).starts_with('+'),
            "{row}"
        );
    }
}
