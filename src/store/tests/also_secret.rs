//! What a person called a secret counts only with its seal and the newest word on it, and is taken
//! out of everything staged.

use super::*;
use crate::redact::{Also, Part, Redactor};
use crate::source::{Place, Raw, Role};
use crate::trust::BreakKind;

const SECRET: &str = "seven blue geese";

fn redactor(case: &Case) -> Redactor {
    Redactor::new(&[], case.trust.redaction_key()).0
}

fn value(case: &Case) -> Also {
    redactor(case).also(SECRET).unwrap()
}

fn say(case: &Case, n: i64) -> crate::store::Rewritten {
    let (store, trust) = (&case.store, &case.trust);
    let said = store.set_also_secret(trust, &value(case), redactor(case), day(n));
    said.unwrap()
}

fn kept(case: &Case) -> usize {
    case.store.also_secret(&case.trust).unwrap().values.len()
}

#[test]
fn a_word_is_kept_and_can_be_taken_back() {
    let case = Case::new();
    let unset = |n| {
        let print = value(&case).fingerprint;
        let store = &case.store;
        store
            .unset_also_secret(&case.trust, &print, day(n))
            .unwrap();
    };
    unset(1);
    say(&case, 1);
    say(&case, 1);
    let all = case.store.also_secret(&case.trust).unwrap();
    assert_eq!(all.to_hide(), [value(&case)]);
    unset(2);
    unset(2);
    assert_eq!(kept(&case), 0);
    let acts = case.acts();
    assert_eq!(acts.iter().filter(|a| *a == "also-secret").count(), 3);
    assert_eq!(case.breaks(), []);
}

#[test]
fn what_stands_on_disk_goes_in_with_the_placeholder_and_is_not_blocked() {
    let case = Case::new();
    let mut proposal = case.make(1, &[]);
    proposal.kind = Kind::ChangedOnDisk;
    proposal.changes = vec![change(1, &format!("- the {SECRET}"))];
    case.store
        .stage(&case.trust, &proposal, &[], day(0))
        .unwrap();
    let done = say(&case, 1);
    assert_eq!((done.blocked, done.on_disk), (0, 1));
}

#[test]
fn a_row_that_was_changed_made_up_or_taken_away_counts_for_nothing_and_is_named() {
    let other = "f".repeat(32);
    for attack in [
        format!("UPDATE also_secret SET fingerprint = '{other}'"),
        "UPDATE also_secret SET bytes = 5".to_owned(),
        "UPDATE also_secret SET bytes = -5".to_owned(),
        "UPDATE also_secret SET head = 255 - head".to_owned(),
        "UPDATE also_secret SET at = 'x'".to_owned(),
        "UPDATE also_secret SET seal = ''".to_owned(),
        "DELETE FROM also_secret".to_owned(),
    ] {
        let case = Case::new();
        say(&case, 1);
        case.attack(&attack);
        let found: std::collections::BTreeSet<_> =
            case.breaks().iter().map(|b| b.title()).collect();
        assert_eq!(found.len(), 1, "{attack}");
        assert!(found.contains(BreakKind::AlsoSecret.title()), "{attack}");
        assert_eq!(kept(&case), 0, "{attack}");
    }
}

#[test]
fn no_more_are_kept_than_can_be_looked_for_quickly() {
    let case = Case::new();
    let (store, trust) = (&case.store, &case.trust);
    for n in 0..=crate::redact::also::MOST {
        let value = redactor(&case).also(&format!("{SECRET} {n}")).unwrap();
        let said = store.set_also_secret(trust, &value, redactor(&case), day(1));
        match n {
            n if n < crate::redact::also::MOST => drop(said.unwrap()),
            _ => assert!(matches!(said, Err(StoreError::TooManySecrets(_)))),
        }
    }
}

fn line(text: &str) -> crate::digest::Line {
    let plain = Redactor::new(&[], &[0; 32]).0;
    crate::digest::Line {
        n: 1,
        role: Role::User,
        text: plain.redact(&Raw::new(text), &Part::default()).0,
        place: Place {
            source: "/t".to_owned(),
            offset: 7,
        },
        session: "s".to_owned(),
        at: None,
        abandoned: false,
    }
}

/// Whether a text stands anywhere in the database's files.
fn is_in_files(case: &Case, text: &str) -> bool {
    let dir = case.store.path().parent().unwrap();
    std::fs::read_dir(dir).unwrap().any(|file| {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        memchr::memmem::find(&bytes, text.as_bytes()).is_some()
    })
}

#[test]
fn what_is_staged_loses_it_at_once_and_no_old_page_keeps_it() {
    let case = Case::new();
    let (store, trust) = (&case.store, &case.trust);
    let texts = [format!("- it is {SECRET}"), "- harmless".to_owned()];
    let mut changes: Vec<Change> = texts.iter().zip(1..).map(|(t, n)| change(n, t)).collect();
    changes.push(change(3, &format!("- {SECRET} again")));
    let mut proposal = case.make(1, &[]);
    proposal.changes = changes;
    proposal.summary = format!("knows {SECRET}");
    proposal.lines = vec![line(&format!("say {SECRET} aloud"))];
    store.stage(trust, &proposal, &[], day(0)).unwrap();
    let id = &proposal.id;
    let edited = Decision::Edited(format!("- less {SECRET}"));
    let seen = store.decide(trust, id, 1, edited, 0, day(0)).unwrap();
    store
        .decide(trust, id, 2, Decision::Accepted, seen, day(0))
        .unwrap();
    assert!(is_in_files(&case, SECRET));

    let done = say(&case, 1);
    assert_eq!(
        (done.proposals, done.blocked, done.is_wiped),
        (vec![id.clone()], 2, true)
    );
    let mark = format!("[REDACTED:also_secret#{}]", &value(&case).fingerprint[..4]);
    let now = store.proposal(trust, id).unwrap();
    assert_eq!(now.changes[0].text, format!("- it is {mark}"));
    assert_eq!(now.summary, format!("knows {mark}"));
    assert_eq!(now.lines[0].text.as_str(), format!("say {mark} aloud"));
    assert_eq!(now.hits[0].place, Some(now.lines[0].place.clone()));
    let journal = store.decisions(trust, id).unwrap();
    assert_eq!(
        journal.decision(1),
        Decision::Edited(format!("- less {mark}"))
    );
    assert_eq!(journal.decision(2), Decision::Accepted);
    for part in [SECRET, "seven blue", "blue geese"] {
        assert!(!is_in_files(&case, part), "{part}");
    }
    assert_eq!(case.breaks(), []);
    // The journal only grows again.
    let refused = store.raw().execute("UPDATE journal SET body = ''", []);
    assert!(refused.is_err());
}

#[test]
fn what_is_staged_by_one_that_did_not_know_the_word_loses_it_too() {
    let case = Case::new();
    say(&case, 1);
    let mut proposal = case.make(1, &["- new"]);
    proposal.changes[0] = change(1, &format!("- it is {SECRET}"));
    proposal.lines = vec![line(&format!("say {SECRET} aloud"))];
    case.store
        .stage(&case.trust, &proposal, &[], day(2))
        .unwrap();
    let staged = case.store.proposal(&case.trust, &proposal.id).unwrap();
    assert!(staged.changes[0].text.contains("[REDACTED:also_secret#"));
    assert!(!staged.lines[0].text.as_str().contains(SECRET));
    assert_eq!(case.breaks(), []);
}

#[test]
fn what_has_to_stay_is_counted_and_the_rest_of_it_goes() {
    let case = Case::new();
    let (store, trust) = (&case.store, &case.trust);
    let target = crate::proposal::Target {
        entry: None,
        text: format!("- {SECRET} stands"),
        hash: TextHash::of("- stands"),
        ordinal: 0,
    };
    let section = format!("About {SECRET}");
    let mut proposal = case.make(1, &["- new", "- other"]);
    proposal.changes[0].section.clone_from(&section);
    proposal.changes[1] = Change {
        op: Op::Edit,
        section: section.clone(),
        target: Some(target.clone()),
        ..proposal.changes[1].clone()
    };
    let mut said = line("harmless");
    said.session = format!("s {SECRET}");
    proposal.coverage = vec![crate::digest::Coverage {
        sessions: vec![said.session.clone()],
        ..Default::default()
    }];
    proposal.lines = vec![said];
    store.stage(trust, &proposal, &[], day(0)).unwrap();

    let done = say(&case, 1);
    assert_eq!((done.blocked, done.stays), (1, 2));
    let mark = format!("[REDACTED:also_secret#{}]", &value(&case).fingerprint[..4]);
    let now = store.proposal(trust, &proposal.id).unwrap();
    assert_eq!(now.changes[0].section, format!("About {mark}"));
    assert_eq!(now.changes[1].section, section);
    assert_eq!(now.changes[1].target.as_ref(), Some(&target));
    assert_eq!(now.lines[0].session, format!("s {mark}"));
    assert_eq!(now.coverage[0].sessions, [format!("s {mark}")]);
    assert_eq!(case.breaks(), []);
}

#[test]
fn a_cut_or_forged_chain_shows_nothing_of_what_was_called_a_secret() {
    for attack in [
        "DELETE FROM audit WHERE act = 'also-secret'",
        "INSERT INTO audit SELECT seq + 10, mac, at, act, project, subjects,
                                  replace(details, 'true', 'false'), mac FROM audit
         WHERE act = 'also-secret'",
        "UPDATE audit SET details = replace(details, 'true', 'false')",
    ] {
        let case = Case::new();
        say(&case, 1);
        case.attack(attack);
        assert_eq!(kept(&case), 1, "{attack}");
        assert!(!case.breaks().is_empty(), "{attack}");
    }
}

#[test]
fn files_that_are_kept_beside_the_database_are_named_where_they_hold_it_or_may() {
    let case = Case::new();
    let state = case.places().state;
    let row = |text: &str| {
        format!(
            "{}\n",
            serde_json::json!({"table": "records", "text": text})
        )
    };
    let write = |name: &str, text: &str| std::fs::write(state.join(name), text).unwrap();
    write(
        "given-up-0123456789abcdef-9.jsonl",
        &(row("nothing") + &row(&format!("a \"{SECRET}\""))),
    );
    write("given-up-0123456789abcdef-8.jsonl", &row("nothing"));
    write("kept-1.md", SECRET);
    write("memd.log.2", SECRET);
    write("key.txt", SECRET);
    write("damaged-4.db", "");
    let done = say(&case, 1);
    let holding = [
        "given-up-0123456789abcdef-9.jsonl",
        "kept-1.md",
        "memd.log.2",
    ];
    assert_eq!(done.beside, holding);
    assert_eq!(done.unseen, ["damaged-4.db"]);
}
