//! Whole reviews typed line by line, against hands that only remember.

use super::input::Script;
use super::plain::Plain;
use super::screen::Screen;
use crate::digest::Line;
use crate::id::ProposalId;
use crate::proposal::{Decision, Kind, Level, Op, Target};
use crate::review::desk::{Decisions, Desk, Done, NotDone};
use crate::review::samples::{item, proposal};
use crate::review::{ChangeRef, Item, Judged, Sheet, Waiting};
use crate::text::TextHash;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
struct Hands {
    journal: Vec<(u32, Decision)>,
    undone: Vec<(u32, Decision)>,
    log: Vec<String>,
    editor: Option<String>,
    /// What the editor was opened on.
    drafts: Vec<String>,
    refuse: bool,
    /// Texts that were put aside.
    kept: Vec<String>,
    /// Nothing can be put aside.
    full: bool,
    unkept: Vec<String>,
}

impl super::words::Words for Hands {}

impl Desk for Hands {
    fn save(&mut self, change: &ChangeRef, decision: &Decision) -> Result<(), String> {
        if self.refuse {
            return Err("already decided by another review".to_owned());
        }
        self.journal.push((change.n, decision.clone()));
        Ok(())
    }

    fn replay(&mut self, _: &ProposalId, times: usize, again: bool) -> Result<(), String> {
        let (from, to) = if again {
            (&mut self.undone, &mut self.journal)
        } else {
            (&mut self.journal, &mut self.undone)
        };
        to.extend((0..times).map_while(|_| from.pop()));
        Ok(())
    }

    fn decisions(&mut self, _: &ProposalId) -> Result<Decisions, String> {
        Ok(self.journal.iter().cloned().collect())
    }

    fn judge(&mut self, item: &Item) -> Result<Judged, String> {
        let mended =
            |n: u32| matches!(item.decision(n), Decision::Edited(text) if !text.contains("bad"));
        let mut judged = item.judged.clone();
        judged.changes.retain(|n, _| !mended(*n));
        Ok(judged)
    }

    fn edit(&mut self, item: &Item, n: u32) -> Result<String, String> {
        self.drafts.push(item.draft(n).to_owned());
        let text = self.editor.clone();
        text.map(|text| text.replace('#', &self.drafts.len().to_string()))
            .ok_or("the editor left it as it was".to_owned())
    }

    fn queue(&mut self) -> Result<Vec<Waiting>, String> {
        Ok(Vec::new())
    }

    fn open(&mut self, _: &ProposalId) -> Result<Item, String> {
        Err("it was read already".to_owned())
    }

    fn plan(&mut self, item: &Item) -> Result<Sheet, String> {
        Ok(Sheet {
            subject: "distill 0000000a".to_owned(),
            ..Sheet::of(item)
        })
    }

    fn apply(&mut self, item: &Item, because: Option<&str>) -> Result<Done, NotDone> {
        self.log
            .push(format!("apply {:?} {because:?}", item.chosen()));
        Ok(Done {
            left: item.undecided(),
            said: "applied".to_owned(),
            warnings: Vec::new(),
            requeue: false,
        })
    }

    fn keep(&mut self, text: String) -> Result<String, String> {
        if self.full {
            self.unkept.push(text);
            return Err("no space left on device".to_owned());
        }
        self.kept.push(text);
        Ok("kept-1.md".to_owned())
    }

    fn unkept(&mut self) -> Vec<String> {
        std::mem::take(&mut self.unkept)
    }

    fn discard(&mut self, id: &ProposalId) -> Result<(), String> {
        self.log.push(format!("discard {id}"));
        Ok(())
    }

    fn give_back(&mut self, id: &ProposalId, note: &str) -> Result<(), String> {
        self.log.push(format!("return {id}: {note}"));
        Ok(())
    }
}

fn play(hands: &mut Hands, items: Vec<Item>, typed: &str) -> String {
    let mut out = Vec::new();
    let mut input = Script(typed.lines());
    let now = "2026-10-01T12:00:00Z".parse().unwrap();
    let screen = Screen::new(&mut out, false);
    Plain::new(screen, &mut input, hands, now)
        .run(items.into_iter().map(Waiting::from).collect())
        .unwrap();
    String::from_utf8(out).unwrap()
}

const ID: &str = "0000000a";
use Level::{Block, Pass, Warn};

#[test]
fn accept_reject_and_apply_leave_the_skipped_one() {
    let mut hands = Hands::default();
    let out = play(
        &mut hands,
        vec![item(ID, 0, &[Pass; 3])],
        "a\nr\ns\nw\ny\nq",
    );
    assert_eq!(
        hands.journal,
        [(1, Decision::Accepted), (2, Decision::Rejected)]
    );
    assert_eq!(hands.log, ["apply [1] None"]);
    assert!(out.contains("1 rejected: Fact 2"), "{out}");
    assert!(out.contains("1 undecided"), "{out}");
    assert!(out.ends_with("`memd review` goes on from here\n"), "{out}");
}

#[test]
fn enter_and_words_decide_nothing() {
    let mut hands = Hands::default();
    let out = play(
        &mut hands,
        vec![item(ID, 0, &[Pass])],
        "\n  \naa\nyes\ny\nn\n",
    );
    assert_eq!(hands.journal, []);
    assert!(out.contains("Enter alone decides nothing"), "{out}");
    assert!(out.contains("\"aa\" is no key here"), "{out}");
}

#[test]
fn a_flagged_change_takes_a_second_a_and_names_the_flag() {
    let mut hands = Hands::default();
    let out = play(&mut hands, vec![item(ID, 0, &[Warn])], "a\n");
    assert_eq!(hands.journal, []);
    let asked =
        "! warn near-duplicate: repeats \"One writer\"\nflagged: read it to its end; a again";
    assert!(out.contains(asked), "{out}");
    play(&mut hands, vec![item(ID, 0, &[Warn])], "a\na\n");
    assert_eq!(hands.journal, [(1, Decision::Accepted)]);
}

#[test]
fn a_blocked_change_offers_no_a_until_an_edit_mends_it() {
    let mut hands = Hands {
        editor: Some("- Mended".to_owned()),
        ..Hands::default()
    };
    let out = play(&mut hands, vec![item(ID, 0, &[Block])], "a\ne\nw\ny\n");
    assert!(out.contains("x FAIL near-duplicate"), "{out}");
    assert!(out.contains("[r,s,e,u,b,w,D,B,q,*,?]"), "{out}");
    assert!(out.contains("[e] new: Mended"), "{out}");
    assert!(out.contains("cannot be accepted"), "{out}");
    assert_eq!(
        hands.journal,
        [(1, Decision::Edited("- Mended".to_owned()))]
    );
    assert_eq!(hands.log, ["apply [1] None"]);
    assert!(out.ends_with("nothing is left to review\n"), "{out}");
}

#[test]
fn an_edit_that_is_blocked_decides_nothing_and_is_gone_on_with() {
    let mut hands = Hands {
        editor: Some("- Still bad, try #".to_owned()),
        ..Hands::default()
    };
    let out = play(&mut hands, vec![item(ID, 0, &[Block, Pass])], "e\ne\nw\n");
    assert_eq!(hands.journal, []);
    assert_eq!(hands.drafts, ["- Fact 1", "- Still bad, try 1"]);
    let why = "not taken: near-duplicate: repeats \"One writer\"; e goes on from your text";
    assert_eq!(out.matches(why).count(), 2, "{out}");
    assert!(!out.contains("change 2 of 2"), "{out}");
    assert!(!out.contains("[e]"), "{out}");
}

#[test]
fn undo_goes_back_to_the_change_and_prints_it_again() {
    let mut hands = Hands::default();
    let out = play(&mut hands, vec![item(ID, 0, &[Pass; 2])], "r\nu\na\n");
    assert_eq!(hands.journal, [(1, Decision::Accepted)]);
    assert_eq!(out.matches("change 1 of 2").count(), 2, "{out}");
}

#[test]
fn all_are_accepted_only_after_the_text_of_each_was_shown() {
    let mut hands = Hands::default();
    let mut staged = proposal(ID, 0, &[Pass, Warn, Pass, Pass, Block]);
    for change in &mut staged.changes {
        change.text = format!("- Title {0}\n\nThe end of {0}.", change.n);
    }
    let staged = Item::new(staged, "p".to_owned(), &BTreeSet::new(), BTreeMap::new());
    let out = play(&mut hands, vec![staged], "A\ny\nw\ny\nq");
    let (before, after) = out.split_once("accept 3 changes, as shown above?").unwrap();
    for (n, decision) in &hands.journal {
        assert_eq!(*decision, Decision::Accepted);
        let text = format!("+ The end of {n}.");
        assert_eq!(before.matches(&text).count(), 1, "{text:?} in {before}");
    }
    let accepted: Vec<u32> = hands.journal.iter().map(|(n, _)| *n).collect();
    assert_eq!(accepted, [1, 3, 4]);
    let (asked, sheet) = after.split_once("apply proposal").unwrap();
    for flagged in [2, 5] {
        let named = format!("passed over: Title {flagged} (near-duplicate)");
        assert!(asked.contains(&named), "{asked}");
    }
    for n in [1, 3, 4] {
        assert!(sheet.contains(&format!("    [a] Title {n}\n")), "{sheet}");
    }
}

#[test]
fn discard_and_return_ask_first() {
    let mut hands = Hands::default();
    play(&mut hands, vec![item(ID, 0, &[Pass])], "D\nD\nd\n\nB\n\nq");
    assert_eq!(hands.log, Vec::<String>::new());
    let out = play(
        &mut hands,
        vec![item(ID, 0, &[Pass])],
        "B\nlook at the tests\ny",
    );
    assert_eq!(hands.log, ["return 0000000a: look at the tests"]);
    assert!(out.ends_with("nothing is left to review\n"), "{out}");
}

#[test]
fn a_proposal_of_nothing_and_a_discard_say_what_they_mean() {
    let out = play(&mut Hands::default(), vec![item(ID, 0, &[])], "q\n");
    let told = "the curator proposes nothing from 0 turns; D lets the material go, B gives it back with a note\n[w,D,B,q,*,?]";
    assert!(out.contains(told), "{out}");
    let out = play(
        &mut Hands::default(),
        vec![item(ID, 0, &[Pass])],
        "D\n\nq\n",
    );
    let told = "Each statement counts as rejected, and none is proposed again from this material";
    assert!(out.contains(told), "{out}");
}

#[test]
fn what_changed_on_disk_is_no_curators_word() {
    let mut staged = proposal(ID, 0, &[Pass]);
    staged.kind = Kind::ChangedOnDisk;
    staged.summary = "1 entry on disk".to_owned();
    let changed = Item::new(staged, "p".to_owned(), &BTreeSet::new(), BTreeMap::new());
    let out = play(&mut Hands::default(), vec![changed], "D\n\nq\n");
    assert!(!out.contains("curator:"), "{out}");
    assert!(
        out.contains("nobody let in is offered again next time"),
        "{out}"
    );
}

#[test]
fn what_cannot_be_adopted_is_not_said_to_be_adopted_by_a_key() {
    for (level, has) in [(Pass, true), (Block, false)] {
        let mut staged = proposal(ID, 0, &[level]);
        staged.kind = Kind::ChangedOnDisk;
        let changed = Item::new(staged, "p".to_owned(), &BTreeSet::new(), BTreeMap::new());
        let out = play(&mut Hands::default(), vec![changed], "q\n");
        assert!(out.contains("r takes it out of its file"), "{out}");
        assert_eq!(out.contains("a adopts"), has, "{out}");
    }
}

#[test]
fn what_was_made_from_no_material_is_not_given_back() {
    let mut staged = proposal(ID, 0, &[Pass]);
    staged.kind = Kind::ChangedOnDisk;
    let changed = Item::new(staged, "p".to_owned(), &BTreeSet::new(), BTreeMap::new());
    let mut hands = Hands::default();
    let out = play(&mut hands, vec![changed], "B\nq\n");
    assert_eq!(hands.log, Vec::<String>::new());
    assert!(!out.contains(",B,") && !out.contains("a note"), "{out}");
    assert!(out.contains("made from no material"), "{out}");
}

#[test]
fn the_second_of_two_reviewers_is_told() {
    let mut hands = Hands {
        refuse: true,
        ..Hands::default()
    };
    let out = play(&mut hands, vec![item(ID, 0, &[Pass])], "a\nq");
    assert!(out.contains("already decided by another review"), "{out}");
}

#[test]
fn a_change_is_printed_with_all_that_speaks_for_and_against_it() {
    let mut staged = proposal(ID, 0, &[Warn]);
    staged.trigger = "session-end".to_owned();
    staged.usage.backend = "claude".to_owned();
    staged.usage.model = Some("haiku".to_owned());
    let change = &mut staged.changes[0];
    change.op = Op::Edit;
    change.section = "Services".to_owned();
    change.text = "- The API listens on port 9090\u{202E} now.".to_owned();
    let old = "- The API listens on port 8080 now.";
    change.target = Some(Target {
        entry: None,
        text: old.to_owned(),
        hash: TextHash::of(old),
        ordinal: 0,
    });
    staged.lines = vec![
        serde_json::from_value::<Line>(serde_json::json!({
            "n": 1, "role": "user", "text": "we moved the API\u{1b}[2J to 9090", "source": "/t.jsonl",
            "offset": 41, "session": "7f3a91c2-1111", "at": "2026-09-30T14:02:00Z"
        }))
        .unwrap(),
    ];
    let item = Item::new(
        staged,
        "demo\u{1b}api".to_owned(),
        &BTreeSet::new(),
        BTreeMap::new(),
    );
    let out = play(&mut Hands::default(), vec![item], "q\n");
    insta::assert_snapshot!(out, @r#"
    demo<U+001B ESC>api  9 days ago  session-end  claude haiku
      proposal 0000000a  0 pass  1 warn  0 FAIL  redacted 0  invisible 1
      proposal 1 of 1, 1 change, 0 decided

    change 1 of 1  state.md › Services
      [ ] changed: The API listens on port 8080 now.
      ! warn near-duplicate: repeats "One writer"
        - - The API listens on port [-8080-] now.
        + - The API listens on port {+9090<U+202E RLO>+} now.
        origin user, 1 evidence line
        " line 1  30 Sep 14:02 user  session 7f3a91c2
        "   we moved the API<U+001B ESC>[2J to 9090
    [a,r,s,e,u,b,w,D,B,q,*,?] decisions are kept; `memd review` goes on from here
    "#);
}

#[test]
fn a_text_whose_change_is_gone_is_kept_and_the_next_proposal_follows() {
    let mut hands = Hands {
        editor: Some("- My text".to_owned()),
        refuse: true,
        ..Hands::default()
    };
    let items = vec![item(ID, 0, &[Pass]), item("0000000b", 1, &[Pass])];
    let out = play(&mut hands, items, "e\nq");
    assert_eq!(hands.kept, ["- My text"]);
    let said = "already decided by another review; your text is kept in kept-1.md";
    let (_, after) = out.split_once(said).unwrap();
    assert!(after.contains("proposal 1 of 1"), "{out}");
}

#[test]
fn a_text_that_was_not_taken_is_kept_when_its_proposal_goes() {
    let mut hands = Hands {
        editor: Some("- Still bad".to_owned()),
        refuse: true,
        ..Hands::default()
    };
    let out = play(&mut hands, vec![item(ID, 0, &[Block, Pass])], "e\nr\n");
    assert_eq!(hands.kept, ["- Still bad"]);
    assert!(out.contains("your text is kept in kept-1.md"), "{out}");
}

#[test]
fn on_a_full_disk_what_was_typed_is_printed_when_one_leaves() {
    for (editor, items) in [
        // The change is gone; the text was not taken.
        (
            "- My\n  text",
            vec![item(ID, 0, &[Pass]), item("0000000b", 1, &[Pass])],
        ),
        ("- Still bad\n  text", vec![item(ID, 0, &[Block, Pass])]),
    ] {
        let mut hands = Hands {
            editor: Some(editor.to_owned()),
            refuse: !editor.contains("bad"),
            full: true,
            ..Hands::default()
        };
        let out = play(&mut hands, items, "e\nq\n");
        let (_, after) = out.rsplit_once("could not be kept").unwrap();
        assert!(
            after.contains("no space left on device; this is it:"),
            "{out}"
        );
        let rows = editor.replace('\n', "\n  | ");
        assert!(after.contains(&format!("  | {rows}\n")), "{out}");
    }
}
