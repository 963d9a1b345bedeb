//! A review played without a terminal: what a person's acts do, and what they never do.

use super::samples::{item, proposal, verdict};
use super::*;
use crate::id::ProposalId;
use crate::proposal::{Decision, Kind, Level, Op, Target, Verdict};
use crate::text::TextHash;
use std::collections::{BTreeMap, BTreeSet};

/// A shell that paints everything and keeps a journal.
struct Shell {
    model: Model,
    frame: u64,
    journal: Vec<(u32, Decision)>,
    undone: Vec<(u32, Decision)>,
    effects: Vec<Effect>,
    /// Whether it shows what it is asked to show.
    paints: bool,
}

const ID: &str = "0000000a";
use Level::{Block, Pass, Warn};

impl Shell {
    fn new(levels: &[Level]) -> Self {
        let mut shell = Self {
            model: Model::new(vec![item(ID, 0, levels)]),
            frame: 0,
            journal: Vec::new(),
            undone: Vec::new(),
            effects: Vec::new(),
            paints: true,
        };
        shell.paint(true);
        shell
    }

    fn send(&mut self, event: Event) {
        for effect in update(&mut self.model, event) {
            self.effects.push(effect.clone());
            match effect {
                Effect::SaveDecision { change, decision } => {
                    self.journal.push((change.n, decision));
                    self.undone.clear();
                }
                Effect::Undo { proposal, times } => {
                    let (journal, undone) = (&mut self.journal, &mut self.undone);
                    undone.extend((0..times).map_while(|_| journal.pop()));
                    self.reload(proposal);
                }
                Effect::Redo { proposal, times } => {
                    let (journal, undone) = (&mut self.journal, &mut self.undone);
                    journal.extend((0..times).map_while(|_| undone.pop()));
                    self.reload(proposal);
                }
                Effect::Show(change) if self.paints => self.send(Event::Shown {
                    change,
                    frame: self.frame,
                    whole: true,
                }),
                _ => {}
            }
        }
    }

    fn reload(&mut self, proposal: ProposalId) {
        let decisions = self.journal.iter().cloned().collect();
        self.send(Event::Decisions {
            proposal,
            decisions,
        });
    }

    fn paint(&mut self, whole: bool) {
        self.frame += 1;
        if let Some(change) = self.model.current.clone() {
            let frame = self.frame;
            self.send(Event::Shown {
                change,
                frame,
                whole,
            });
        }
        self.send(Event::Asked { frame: self.frame });
    }

    /// A key, then a new frame.
    fn press(&mut self, action: Action) {
        self.queued(action);
        self.paint(true);
    }

    /// A key that was read together with the one before: nothing was painted in between.
    fn queued(&mut self, action: Action) {
        let frame = self.frame;
        self.send(Event::Act { action, frame });
    }

    fn decisions(&self) -> Vec<(u32, Decision)> {
        let item = self.model.current_item().unwrap();
        item.decisions.clone().into_iter().collect()
    }

    fn notice(&self) -> &str {
        self.model.notice.as_deref().unwrap_or_default()
    }

    fn current(&self) -> Option<u32> {
        self.model.current.as_ref().map(|c| c.n)
    }
}

/// What came out of the editor for change 1, and how it is judged.
fn edit(text: &str, level: Level) -> Result<Edit, String> {
    let changes = BTreeMap::from([(1, vec![verdict(level)])]);
    Ok(Edit {
        text: text.to_owned(),
        judged: Ok(Judged {
            changes,
            ..Judged::default()
        }),
    })
}

#[test]
fn a_r_s_decide_two_and_leave_one_and_go_on() {
    let mut shell = Shell::new(&[Pass, Pass, Pass, Pass]);
    for action in [Action::Accept, Action::Reject, Action::Skip] {
        shell.press(action);
    }
    assert_eq!(
        shell.decisions(),
        [(1, Decision::Accepted), (2, Decision::Rejected)]
    );
    assert_eq!(shell.current(), Some(4));
    shell.press(Action::Accept);
    assert_eq!(shell.current(), None, "what was skipped is not asked again");
}

#[test]
fn keys_in_one_batch_decide_once() {
    let mut shell = Shell::new(&[Pass, Pass, Pass]);
    for _ in 0..5 {
        shell.queued(Action::Accept);
    }
    assert_eq!(shell.decisions(), [(1, Decision::Accepted)]);
    assert!(shell.notice().starts_with("ignored"), "{}", shell.notice());
}

#[test]
fn moving_and_cancelling_never_decide() {
    let mut shell = Shell::new(&[Pass, Pass]);
    for action in [
        Action::Next,
        Action::Back,
        Action::Cancel,
        Action::Confirm,
        Action::NextProposal,
        Action::Skip,
        Action::Override("why".to_owned()),
    ] {
        shell.press(action);
    }
    assert_eq!(shell.decisions(), []);
    assert_eq!(shell.effects, []);
}

#[test]
fn a_blocked_change_is_not_accepted_and_says_why() {
    let mut shell = Shell::new(&[Block]);
    shell.press(Action::Accept);
    assert_eq!(shell.decisions(), []);
    shell.queued(Action::Accept);
    assert_eq!(
        shell.notice(),
        "cannot be accepted: near-duplicate: repeats \"One writer\"; edit or reject it"
    );
    shell.press(Action::Edit);
    let change = shell.model.current.clone().unwrap();
    assert_eq!(shell.effects, [Effect::Edit(change.clone())]);
    shell.send(Event::Edited {
        change,
        edit: edit("- Better", Pass),
    });
    assert_eq!(
        shell.decisions(),
        [(1, Decision::Edited("- Better".to_owned()))]
    );
}

#[test]
fn an_edit_that_is_still_blocked_is_no_decision_and_its_text_is_kept() {
    let mut shell = Shell::new(&[Block, Pass]);
    let change = shell.model.current.clone().unwrap();
    shell.send(Event::Edited {
        change: change.clone(),
        edit: edit("- Still bad", Block),
    });
    assert_eq!(
        shell.notice(),
        "not taken: near-duplicate: repeats \"One writer\"; e goes on from your text, r rejects the change"
    );
    assert_eq!((shell.decisions(), shell.current()), (vec![], Some(1)));
    assert_eq!(shell.effects, []);
    let drafted = |shell: &Shell| shell.model.current_item().unwrap().draft(1).to_owned();
    assert_eq!(drafted(&shell), "- Still bad");
    shell.send(Event::Edited {
        change: change.clone(),
        edit: Ok(Edit {
            text: "- Later".to_owned(),
            judged: Err("the disk is full".to_owned()),
        }),
    });
    assert!(shell.notice().contains("the disk is full"));
    assert_eq!(
        (shell.decisions(), drafted(&shell).as_str()),
        (vec![], "- Later")
    );
    shell.send(Event::Edited {
        change,
        edit: edit("- Good", Warn),
    });
    let decided = vec![(1, Decision::Edited("- Good".to_owned()))];
    assert_eq!((shell.decisions(), shell.current()), (decided, Some(2)));
    assert_eq!(drafted(&shell), "- Good");
}

#[test]
fn a_choice_that_is_blocked_later_keeps_the_sheet_shut() {
    let mut shell = Shell::new(&[Block]);
    let change = shell.model.current.clone().unwrap();
    shell.send(Event::Edited {
        change,
        edit: edit("- Better", Pass),
    });
    // What failed is gone at once.
    assert_eq!(shell.model.current_item().unwrap().block(1), None);
    let judged = |changes| Event::Judged {
        proposal: ID.parse().unwrap(),
        judged: Judged {
            changes,
            ..Judged::default()
        },
    };
    shell.send(judged(BTreeMap::from([(1, vec![verdict(Block)])])));
    shell.queued(Action::OpenSheet);
    assert!(shell.notice().contains("before applying"));
    shell.send(judged(BTreeMap::new()));
    shell.press(Action::OpenSheet);
    assert!(matches!(shell.effects.last(), Some(Effect::Plan(_))));
}

#[test]
fn a_change_is_accepted_only_after_its_end_was_shown() {
    let mut shell = Shell::new(&[Warn]);
    shell.model = Model::new(vec![item(ID, 0, &[Warn])]);
    shell.paint(false);
    shell.queued(Action::Accept);
    assert_eq!(shell.decisions(), []);
    assert!(matches!(shell.effects.last(), Some(Effect::ReadOn(_))));
    shell.paint(true);
    shell.press(Action::Accept);
    assert_eq!(shell.decisions(), [(1, Decision::Accepted)]);
}

#[test]
fn a_new_flag_must_be_painted_before_the_key_counts() {
    let mut shell = Shell::new(&[Pass]);
    let changes = BTreeMap::from([(1, vec![verdict(Warn)])]);
    shell.send(Event::Judged {
        proposal: ID.parse().unwrap(),
        judged: Judged {
            changes,
            ..Judged::default()
        },
    });
    shell.press(Action::Accept);
    assert_eq!(shell.decisions(), []);
    shell.press(Action::Accept);
    assert_eq!(shell.decisions(), [(1, Decision::Accepted)]);
}

#[test]
fn flagged_changes_come_first_and_accept_all_passes_them_over_by_name() {
    let mut shell = Shell::new(&[Pass, Warn, Pass]);
    assert_eq!(shell.current(), Some(2), "the flagged one is first");
    shell.queued(Action::AcceptAll);
    let Some((
        Ask::AcceptAll {
            numbers,
            titles,
            passed_over,
            ..
        },
        _,
    )) = &shell.model.ask
    else {
        panic!("not asked");
    };
    assert_eq!(numbers.as_slice(), [1, 3]);
    assert_eq!(titles[..], ["Fact 1", "Fact 3"]);
    assert_eq!(
        passed_over[..],
        [("Fact 2".to_owned(), "near-duplicate".to_owned())]
    );
    shell.queued(Action::Confirm);
    assert_eq!(
        shell.decisions(),
        [],
        "a `y` from before the question does not count"
    );
    shell.paint(true);
    shell.press(Action::Confirm);
    assert_eq!(
        shell.decisions(),
        [(1, Decision::Accepted), (3, Decision::Accepted)]
    );
    assert_eq!(
        shell.notice(),
        "2 changes accepted; 1 flagged and passed over: Fact 2 (near-duplicate)"
    );
    shell.press(Action::Undo);
    assert!(
        shell.decisions().is_empty(),
        "one undo takes the whole act back"
    );
    shell.press(Action::Redo);
    assert_eq!(shell.decisions().len(), 2);
}

#[test]
fn nothing_is_accepted_whose_text_was_not_painted() {
    let mut shell = Shell::new(&[Pass, Pass, Pass]);
    shell.paints = false;
    shell.queued(Action::AcceptAll);
    let n = |n| ChangeRef {
        proposal: ID.parse().unwrap(),
        n,
    };
    assert_eq!(shell.effects, [Effect::Show(n(2)), Effect::Show(n(3))]);
    shell.send(Event::Asked { frame: shell.frame });
    shell.queued(Action::Confirm);
    assert_eq!(shell.decisions(), [(1, Decision::Accepted)]);
    assert_eq!(
        shell.notice(),
        "1 change accepted; 2 not shown to the end and not accepted"
    );

    // The proposed text of a change that is shown as it was edited earlier is not shown yet.
    let edited = BTreeMap::from([(1, Decision::Edited("- Other".to_owned()))]);
    let edited = Item::new(
        proposal(ID, 0, &[Pass]),
        "p".to_owned(),
        &BTreeSet::new(),
        edited,
    );
    shell.model = Model::new(vec![edited]);
    shell.press(Action::Back);
    assert!(shell.model.is_seen(&n(1)));
    shell.queued(Action::Clear);
    assert!(!shell.model.is_seen(&n(1)));
}

#[test]
fn undo_and_redo_name_what_they_touch() {
    let mut shell = Shell::new(&[Pass, Pass]);
    shell.press(Action::Reject);
    shell.queued(Action::Undo);
    assert_eq!(shell.notice(), "Fact 1: was rejected, is undecided now");
    shell.paint(true);
    shell.queued(Action::Redo);
    assert_eq!(shell.notice(), "Fact 1: was undecided, is rejected now");
    shell.paint(true);
    shell.queued(Action::Redo);
    assert_eq!(shell.notice(), "nothing more to take back or do again");
}

#[test]
fn the_next_proposal_after_the_last_is_the_first_and_that_is_said() {
    let mut shell = Shell::new(&[Pass]);
    shell.queued(Action::NextProposal);
    assert!(shell.notice().contains("there is no other"));
    let two = vec![item(ID, 0, &[Pass]), item("0000000b", 1, &[Pass])];
    shell.model = Model::new(two);
    shell.queued(Action::NextProposal);
    assert_eq!(shell.notice(), "");
    shell.queued(Action::NextProposal);
    assert!(shell.notice().starts_with("that was the last proposal"));
    assert_eq!(shell.model.open, Some(ID.parse().unwrap()));
}

#[test]
fn what_goes_in_is_named_by_its_new_text() {
    let mut staged = proposal(ID, 0, &[Pass, Pass]);
    for change in &mut staged.changes {
        let old = format!("- Old {}", change.n);
        change.op = Op::Edit;
        change.target = Some(Target {
            entry: None,
            hash: TextHash::of(&old),
            text: old,
            ordinal: 0,
        });
    }
    let decisions = BTreeMap::from([
        (1, Decision::Edited("- Mine".to_owned())),
        (2, Decision::Rejected),
    ]);
    let item = Item::new(staged, "p".to_owned(), &BTreeSet::new(), decisions);
    assert_eq!(
        [item.title(1), item.title(2)],
        ["Mine".to_owned(), "Old 2".to_owned()]
    );
    let sheet = Sheet::of(&item);
    assert_eq!(sheet.files[0].goes_in, [("Mine".to_owned(), true)]);
}

#[test]
fn what_was_changed_on_disk_is_named_by_what_stands_until_it_is_put_back() {
    let mut staged = proposal(ID, 0, &[Pass, Pass]);
    staged.kind = Kind::ChangedOnDisk;
    for (change, op) in staged.changes.iter_mut().zip([Op::Edit, Op::Archive]) {
        let old = format!("- Old {}", change.n);
        change.op = op;
        change.text = match op {
            Op::Edit => "- Node 24.".to_owned(),
            _ => String::new(),
        };
        change.target = Some(Target {
            entry: None,
            hash: TextHash::of(&old),
            text: old,
            ordinal: 0,
        });
    }
    let decided = |one: Decision| {
        let decisions = BTreeMap::from([(1, one), (2, Decision::Accepted)]);
        Item::new(staged.clone(), "p".to_owned(), &BTreeSet::new(), decisions)
    };
    assert_eq!(decided(Decision::Undecided).title(1), "Node 24.");
    assert_eq!(decided(Decision::Rejected).title(1), "Old 1");
    let sheet = Sheet::of(&decided(Decision::Accepted));
    let lines = sheet.files.iter().flat_map(|f| &f.goes_in);
    let titles: Vec<_> = lines.map(|(title, _)| title.as_str()).collect();
    assert_eq!(titles, ["Node 24.", "to the archive: Old 2"]);
}

#[test]
fn only_what_was_made_from_material_and_is_whole_is_given_back() {
    let of = |kind, settled: &[u32]| {
        let mut staged = proposal(ID, 0, &[Pass, Pass]);
        staged.kind = kind;
        let settled = settled.iter().copied().collect();
        let item = Item::new(staged, "p".to_owned(), &settled, BTreeMap::new());
        item.why_not_given_back().is_none()
    };
    assert!(of(Kind::Distill, &[]));
    assert!(!of(Kind::Distill, &[1]));
    for kind in [
        Kind::ChangedOnDisk,
        Kind::Unreviewed,
        Kind::Revert,
        Kind::Own,
    ] {
        assert!(!of(kind, &[]), "{kind:?}");
    }
}

#[test]
fn only_a_yes_answers_a_question() {
    for action in [
        Action::Accept,
        Action::AcceptAll,
        Action::Cancel,
        Action::Skip,
    ] {
        let mut shell = Shell::new(&[Pass, Pass]);
        shell.press(Action::AcceptAll);
        shell.press(action);
        assert_eq!(shell.decisions(), []);
        assert!(shell.model.ask.is_none());
    }
}

#[test]
fn fifty_decisions_are_undone_and_done_again() {
    let mut shell = Shell::new(&[Pass; 50]);
    for n in 0..50 {
        shell.press(if n % 3 == 0 {
            Action::Reject
        } else {
            Action::Accept
        });
    }
    let decided = shell.decisions();
    assert_eq!(decided.len(), 50);
    for _ in 0..50 {
        shell.press(Action::Undo);
    }
    assert_eq!(shell.decisions(), []);
    for _ in 0..50 {
        shell.press(Action::Redo);
    }
    assert_eq!(shell.decisions(), decided);
}

fn sheet_with(guard: &str) -> Sheet {
    let block = Verdict {
        guard: guard.to_owned(),
        ..verdict(Block)
    };
    let file = SheetFile {
        text: None,
        name: "state.md".to_owned(),
        did: vec![("accepted", 1)],
        goes_in: Vec::new(),
        moved_in: 0,
        before: 900,
        after: 100,
        budget: Some(10_000),
        verdicts: vec![block],
    };
    Sheet {
        files: vec![file],
        ..Sheet::default()
    }
}

/// A shell with one accepted change and this sheet on screen.
fn on_sheet(sheet: Sheet) -> Shell {
    let mut shell = Shell::new(&[Pass]);
    shell.press(Action::Accept);
    shell.press(Action::OpenSheet);
    let proposal = ID.parse().unwrap();
    shell.send(Event::Planned {
        proposal,
        sheet: Ok(sheet),
    });
    shell.paint(true);
    shell
}

fn writes(shell: &Shell) -> bool {
    let writes = |e: &Effect| matches!(e, Effect::Apply { .. });
    shell.effects.iter().any(writes)
}

#[test]
fn only_a_yes_on_the_painted_sheet_writes() {
    for action in [
        Action::Accept,
        Action::OpenSheet,
        Action::Cancel,
        Action::Next,
    ] {
        let mut shell = on_sheet(Sheet::default());
        shell.press(action);
        assert!(!writes(&shell));
    }
    let mut shell = on_sheet(Sheet::default());
    shell.press(Action::Confirm);
    assert!(writes(&shell));
}

#[test]
fn of_what_blocks_a_file_only_the_loss_guard_yields_to_a_reason() {
    let mut shell = on_sheet(sheet_with("frontmatter"));
    shell.press(Action::Override("I know".to_owned()));
    shell.press(Action::Confirm);
    assert!(!writes(&shell));

    let mut shell = on_sheet(sheet_with(crate::guard::LOSS));
    shell.queued(Action::Override(" the service is gone ".to_owned()));
    shell.queued(Action::Confirm);
    assert!(!writes(&shell), "the changed sheet was not painted yet");
    shell.paint(true);
    shell.press(Action::Confirm);
    let because = Some("the service is gone".to_owned());
    let proposal = ID.parse().unwrap();
    assert!(shell.effects.contains(&Effect::Apply { proposal, because }));
}

#[test]
fn what_stays_undecided_is_still_there_after_the_apply() {
    let mut shell = Shell::new(&[Pass, Pass, Pass]);
    shell.press(Action::Accept);
    let proposal: ProposalId = ID.parse().unwrap();
    let left = Ok(vec![2, 3]);
    shell.send(Event::Applied {
        proposal: proposal.clone(),
        left,
    });
    assert_eq!(shell.current(), Some(2));
    shell.send(Event::Applied {
        proposal,
        left: Ok(Vec::new()),
    });
    assert!(shell.model.queue.is_empty());
    assert_eq!(shell.current(), None);
}

#[test]
fn the_queue_is_flagged_first_then_oldest_and_does_not_move_under_the_reader() {
    let ids = |model: &Model| -> Vec<String> {
        let id = |w: &Waiting| w.id.to_string();
        model.queue.iter().map(id).collect()
    };
    let (old, new) = (item("0000000b", 1, &[Pass]), item("0000000c", 9, &[Pass]));
    let flagged = item("0000000d", 5, &[Warn]);
    let mut model = Model::new(vec![new.clone(), old.clone()]);
    assert_eq!(ids(&model), ["0000000b", "0000000c"]);
    let open = model.open.clone();
    let all = vec![flagged.clone(), new.clone(), old.clone()];
    let _ = update(
        &mut model,
        Event::Loaded(all.iter().cloned().map(Waiting::from).collect()),
    );
    assert_eq!(ids(&model), ["0000000b", "0000000c", "0000000d"]);
    assert_eq!(model.open, open);
    assert_eq!(ids(&Model::new(all)), ["0000000d", "0000000b", "0000000c"]);
}

#[test]
fn decisions_of_an_earlier_review_are_taken_up() {
    let proposal = proposal(ID, 0, &[Pass, Pass]);
    let decisions = BTreeMap::from([(1, Decision::Rejected)]);
    let item = Item::new(proposal, "p".to_owned(), &BTreeSet::new(), decisions);
    let model = Model::new(vec![item]);
    assert_eq!(model.current.map(|c| c.n), Some(2));
}
