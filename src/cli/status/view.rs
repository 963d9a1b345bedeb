//! What status says of a project, in its three forms.

use crate::cli::look::GONE;
use crate::text::{age, count};
use crate::trust::Mode;
use jiff::Timestamp;
use serde::Serialize;
use std::collections::BTreeMap;

/// So much of what cannot be read is named.
const NAMED: usize = 3;

/// The last applied distill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Last {
    /// When it was applied.
    pub at: Timestamp,
    /// What started it.
    pub trigger: String,
    /// Backend and model.
    pub curator: String,
    /// The curator's line.
    pub summary: String,
}

/// A memory file that is refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Refused {
    pub file: String,
    pub why: &'static str,
}

/// What is known of one project.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(super) struct View {
    pub project: String,
    /// Its id, as verify, history and audit name it; empty where the database holds nothing of it.
    pub id: String,
    pub root: String,
    /// Whether the database holds nothing of it: only the problem is known.
    #[serde(skip)]
    pub is_unknown: bool,
    /// Whether its folder is not there any more.
    pub gone: bool,
    /// What may be applied there without a person.
    pub mode: Mode,
    pub last_distill: Option<Last>,
    /// Sources with material nobody has read yet, and how much.
    pub pending_sources: usize,
    pub pending_bytes: u64,
    /// Sessions that only count as read: they were there before the project had a memory.
    pub before: usize,
    /// Session files and folders that cannot be read, and why; whose they are is not known.
    pub unread: Vec<String>,
    /// Proposals that wait for a person.
    pub staged: usize,
    pub oldest_staged: Option<Timestamp>,
    /// Notes in the inbox.
    pub inbox: usize,
    /// Entries on disk that nobody accepted, or that are not what was accepted.
    pub untrusted: usize,
    /// How many of them differ in which way: `unsealed` (nobody let it in), `edited`, `moved`,
    /// `doubled`, `older`, `came_back`, `seal` (its record does not hold), `missing`.
    pub on_disk: BTreeMap<&'static str, usize>,
    /// Memory files that are refused, and why.
    pub refused_files: Vec<Refused>,
    /// Those of them that were accepted and are not on disk any more.
    pub missing: usize,
    /// Those of them on disk that no review can offer as things stand.
    pub not_offered: usize,
    /// Whether nothing of it can be decided on before something else is mended.
    #[serde(skip)]
    pub is_hindered: bool,
    /// What keeps them from being offered.
    #[serde(skip)]
    pub not_offered_why: String,
    /// Entries that were let in unattended and no person has reviewed, lapsed ones included.
    pub unreviewed: usize,
    pub oldest_unreviewed: Option<Timestamp>,
    /// Those of them that have lapsed: no agent is given them.
    pub lapsed: usize,
    /// Applied distills whose commit is still to be made.
    pub commits_owed: usize,
    /// Whether an apply was begun and is not finished.
    pub cut_short: bool,
    /// Material set aside because distilling it kept failing, with the reason.
    pub parked: Vec<String>,
    /// US dollars for each accepted change, as far as curators told.
    pub usd_per_accepted: Option<f64>,
    /// The cap that keeps this day's sessions from being distilled by themselves.
    pub capped: Option<String>,
    /// What keeps status from saying more.
    pub problems: Vec<String>,
}

/// For people: a heading and what is worth saying.
pub(super) fn lines(view: &View, now: Timestamp) -> Vec<String> {
    let mut lines = vec![format!("{}  {}", view.project, view.root)];
    let mut say = |what: &str, text: String| lines.push(format!("  {what:<14}{text}"));
    if view.is_unknown {
        view.problems.iter().for_each(|p| say("problem", p.clone()));
        return lines;
    }
    if view.gone {
        say("gone", GONE.to_owned());
    }
    say("last distill", last(view.last_distill.as_ref(), now));
    say("sources", pending(view));
    if view.before > 0 {
        let what = count(view.before, "session", "sessions");
        say(
            "",
            format!("{what} from before memd init read by nobody: memd distill --from-start"),
        );
    }
    for unread in view.unread.iter().take(NAMED) {
        say("not read", unread.clone());
    }
    if view.unread.len() > NAMED {
        say("", format!("and {} more", view.unread.len() - NAMED));
    }
    let oldest = view
        .oldest_staged
        .map_or(String::new(), |t| format!(", oldest {}", age(t, now)));
    let on_disk = view.untrusted.saturating_sub(view.missing);
    let offered = on_disk.saturating_sub(view.not_offered);
    let is_offered = offered > 0 || view.missing > 0 && !view.is_hindered;
    say(
        "staged",
        match view.staged {
            0 if is_offered => "nothing but what is not accepted or missing below".to_owned(),
            0 => "nothing waits for you".to_owned(),
            n => format!("{}{oldest}: memd review", count(n, "proposal", "proposals")),
        },
    );
    say("without you", mode(view.mode).to_owned());
    say("inbox", count(view.inbox, "note", "notes"));
    if view.unreviewed > 0 {
        say("unreviewed", unreviewed(view, now));
    }
    if offered > 0 {
        let what = count(offered, "entry", "entries");
        say(
            "not accepted",
            format!("{what} on disk, left out of the brief: memd review"),
        );
    }
    if view.not_offered > 0 {
        let what = count(view.not_offered, "entry", "entries");
        let why = &view.not_offered_why;
        say(
            "not accepted",
            format!("{what} on disk, left out of the brief, which memd review cannot offer: {why}"),
        );
    }
    if view.missing > 0 {
        let what = count(
            view.missing,
            "entry that was let in",
            "entries that were let in",
        );
        let then = match view.is_hindered {
            true => "mend first what is named as a problem",
            false => "memd review",
        };
        say("missing", format!("{what}, not on disk any more: {then}"));
    }
    if view.commits_owed > 0 {
        let what = count(view.commits_owed, "commit", "commits");
        say(
            "owed",
            format!("{what}, made with the next review, distill or doctor"),
        );
    }
    if view.cut_short {
        let what = "1 apply was cut short; the next memd review or distill finishes it";
        say("unfinished", what.to_owned());
    }
    for parked in &view.parked {
        say("set aside", parked.clone());
    }
    if !view.parked.is_empty() {
        say(
            "",
            "memd distill --retry tries what is set aside again".to_owned(),
        );
    }
    if let Some(usd) = view.usd_per_accepted {
        say("cost", format!("${usd:.3} for each accepted change"));
    }
    for problem in &view.problems {
        say("problem", problem.clone());
    }
    lines
}

fn unreviewed(view: &View, now: Timestamp) -> String {
    let what = count(view.unreviewed, "entry", "entries");
    let oldest = view
        .oldest_unreviewed
        .map(|t| format!(", oldest {}", age(t, now)));
    let lapsed = match view.lapsed {
        0 => String::new(),
        n => format!(", {n} lapsed and left out of the brief"),
    };
    format!(
        "{what} applied unattended{}{lapsed}: memd review",
        oldest.unwrap_or_default()
    )
}

fn mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Stages => "stages only",
        Mode::Applies => "memd distill --auto applies what passes every guardrail",
        Mode::AppliesFromHooks => {
            "memd distill --auto, hooks and sweeps apply what passes every guardrail"
        }
    }
}

fn last(last: Option<&Last>, now: Timestamp) -> String {
    let Some(last) = last else {
        return "none yet".to_owned();
    };
    let summary = match last.summary.as_str() {
        "" => String::new(),
        summary => format!(": {summary}"),
    };
    format!(
        "{} ago, {}, {}{summary}",
        age(last.at, now),
        last.trigger,
        last.curator
    )
}

fn pending(view: &View) -> String {
    match view.pending_sources {
        0 if view.unread.is_empty() => "nothing new".to_owned(),
        0 => "nothing new in what can be read".to_owned(),
        n => format!(
            "{} with {} to read: memd distill",
            count(n, "session", "sessions"),
            bytes(view.pending_bytes)
        ),
    }
}

/// A size in its largest whole unit.
fn bytes(n: u64) -> String {
    match n {
        0..10_000 => format!("{n} bytes"),
        10_000..10_000_000 => format!("{} kB", n / 1_000),
        _ => format!("{} MB", n / 1_000_000),
    }
}

/// For a shell prompt: one line of `key=value`. Keys are only ever added; values are quoted for a
/// POSIX shell where they need it.
pub(super) fn porcelain(view: &View, now: Timestamp) -> String {
    let age = view
        .oldest_staged
        .map_or(0, |t| (now.as_second() - t.as_second()).max(0));
    let quoted = |text: &str| shell_words::quote(&crate::text::visible_line(text)).into_owned();
    format!(
        "project={} root={} staged={} oldest_seconds={age} pending_sources={} pending_bytes={} inbox={} untrusted={} owed={} parked={} unread={} cut_short={} gone={} unreviewed={} lapsed={} capped={} mode={}",
        quoted(&view.project),
        quoted(&view.root),
        view.staged,
        view.pending_sources,
        view.pending_bytes,
        view.inbox,
        view.untrusted,
        view.commits_owed,
        view.parked.len(),
        view.unread.len(),
        u8::from(view.cut_short),
        u8::from(view.gone),
        view.unreviewed,
        view.lapsed,
        u8::from(view.capped.is_some()),
        view.mode.name(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view() -> View {
        let at = |t: &str| t.parse().unwrap();
        View {
            project: "demo api".to_owned(),
            id: String::new(),
            on_disk: BTreeMap::new(),
            refused_files: Vec::new(),
            root: "/p/$(touch x)".to_owned(),
            is_unknown: false,
            gone: false,
            mode: Mode::AppliesFromHooks,
            last_distill: Some(Last {
                at: at("2026-10-01T10:00:00Z"),
                trigger: "session-end".to_owned(),
                curator: "claude haiku".to_owned(),
                summary: "Ports moved.".to_owned(),
            }),
            pending_sources: 2,
            pending_bytes: 123_456,
            before: 7,
            staged: 12,
            oldest_staged: Some(at("2026-09-22T11:00:00Z")),
            inbox: 1,
            untrusted: 6,
            missing: 2,
            is_hindered: false,
            not_offered: 1,
            not_offered_why: "take it out".to_owned(),
            unreviewed: 4,
            oldest_unreviewed: Some(at("2026-08-22T11:00:00Z")),
            lapsed: 1,
            commits_owed: 1,
            unread: ["a", "b", "c", "d"]
                .map(|s| format!("cannot read {s}"))
                .into(),
            cut_short: true,
            parked: vec!["/t.jsonl: the curator timed out 3 times".to_owned()],
            usd_per_accepted: Some(0.0321),
            capped: None,
            problems: Vec::new(),
        }
    }

    fn now() -> Timestamp {
        "2026-10-01T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn a_person_reads_what_waits_and_what_to_do() {
        insta::assert_snapshot!(lines(&view(), now()).join("\n"), @r"
        demo api  /p/$(touch x)
          last distill  2 hours ago, session-end, claude haiku: Ports moved.
          sources       2 sessions with 123 kB to read: memd distill
                        7 sessions from before memd init read by nobody: memd distill --from-start
          not read      cannot read a
          not read      cannot read b
          not read      cannot read c
                        and 1 more
          staged        12 proposals, oldest 9 days: memd review
          without you   memd distill --auto, hooks and sweeps apply what passes every guardrail
          inbox         1 note
          unreviewed    4 entries applied unattended, oldest 40 days, 1 lapsed and left out of the brief: memd review
          not accepted  3 entries on disk, left out of the brief: memd review
          not accepted  1 entry on disk, left out of the brief, which memd review cannot offer: take it out
          missing       2 entries that were let in, not on disk any more: memd review
          owed          1 commit, made with the next review, distill or doctor
          unfinished    1 apply was cut short; the next memd review or distill finishes it
          set aside     /t.jsonl: the curator timed out 3 times
                        memd distill --retry tries what is set aside again
          cost          $0.032 for each accepted change
        ");
        let on_disk = View {
            untrusted: 3,
            ..View::default()
        };
        let on_disk = lines(&on_disk, now()).join("\n");
        assert!(!on_disk.contains("nothing waits"), "{on_disk}");
        insta::assert_snapshot!(lines(&View::default(), now()).join("\n"), @r"

          last distill  none yet
          sources       nothing new
          staged        nothing waits for you
          without you   stages only
          inbox         0 notes
        ");
    }

    #[test]
    fn a_prompt_reads_one_line_that_a_shell_can_split() {
        let line = porcelain(&view(), now());
        assert_eq!(
            line,
            "project='demo api' root='/p/$(touch x)' staged=12 oldest_seconds=781200 pending_sources=2 pending_bytes=123456 inbox=1 untrusted=6 owed=1 parked=1 unread=4 cut_short=1 gone=0 unreviewed=4 lapsed=1 capped=0 mode=applies-from-hooks"
        );
        assert_eq!(shell_words::split(&line).unwrap().len(), 17);
    }
}
