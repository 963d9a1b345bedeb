//! How to get rid of what a scan found: text for a person. Nothing of it is ever executed.

use crate::scan::{Kind, Report};
use std::path::Path;

/// What to do about a report's secrets, step by step.
pub(super) fn text(report: &Report, roots: &[&Path]) -> String {
    let mut steps = vec![ROTATE.to_owned()];
    for root in roots {
        let shown = root.to_string_lossy();
        let has = |kind| report.has(kind, &shown);
        let memory = quoted(&root.join(".memory").to_string_lossy());
        let top = quoted(&shown);
        if has(Kind::File) {
            steps.push(STANDING.replace("MEMORY", &memory));
        }
        if has(Kind::Staged) {
            steps.push(STAGED.to_owned());
        }
        if has(Kind::Noted) {
            steps.push(NOTED.to_owned());
        }
        if has(Kind::Accepted) {
            steps.push(ACCEPTED.to_owned());
        }
        if has(Kind::History) {
            steps.push(HISTORY.replace("MEMORY", &memory));
        }
        if has(Kind::ProjectHistory) {
            steps.push(PROJECT.replace("PROJECT", &top));
        }
    }
    if report
        .secrets
        .iter()
        .flat_map(|s| &s.places)
        .any(|p| p.kind == Kind::Kept)
    {
        steps.push(KEPT.to_owned());
    }
    steps.push(NO_SECRET.to_owned());
    let mut told = std::collections::BTreeSet::new();
    steps.retain(|step| told.insert(step.clone()));
    let numbered = steps.iter().zip(1..).map(|(step, n)| {
        let step = step.trim_end().replace('\n', "\n   ");
        format!("{n}. {step}\n")
    });
    format!("What to do:\n{}", numbered.collect::<String>())
}

/// A path as one word of a shell's, on one line whatever is in its name.
fn quoted(path: &str) -> String {
    if !path.contains(char::is_control) {
        return shell_words::quote(path).into_owned();
    }
    let byte = |byte: u8| match byte {
        b'\'' | b'\\' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\x{byte:02x}"),
    };
    format!("$'{}'", path.bytes().map(byte).collect::<String>())
}

const ROTATE: &str = "\
Revoke each of them where it was issued, and put the new one elsewhere. What stood in a file that
was committed, pushed or given to an agent counts as known.";

const STANDING: &str = "\
In MEMORY: edit the files, then `memd review` there to let your edits in. In
inbox/, delete the note, or run `memd distill`, which hides the secret, and decide on what it proposes:
then the note is gone.";

const STAGED: &str = "\
What is staged: reject the change in `memd review`.";

const NOTED: &str = "\
In the database, besides: call it a secret in `memd review --plain` (`*`; what you type is not
shown), and it is taken out of decided proposals and of what is noted of them. What was accepted
stays in them as well, and so do the audit chain and what an unfinished apply is about to write.";

const ACCEPTED: &str = "\
The database keeps each accepted version of an entry, sealed. Only you can read it, and it never
leaves this machine by memd. To begin anew, move memd.db and key out of memd's state folder; then
`memd init` in each project, and adopt in `memd review` what stands.";

const KEPT: &str = "\
In a file of memd's state folder, which only you can read: memd keeps it until you delete it
(docs/state.md says what each is). Delete it when you need it no more, or take the secret out.";

const HISTORY: &str = "\
In the history of MEMORY, once its files are clean. Commit ids change, and
`memd verify` names those that were memd's until you have said why: `memd verify --settle`. Write each secret on a line of its own
into a file outside of any repository that only you can read, here ~/memd-secrets:
  (umask 077; ${EDITOR:-vi} ~/memd-secrets)
  cp -a MEMORY ~/memory-before
  cd MEMORY
  git filter-repo --force --replace-text ~/memd-secrets --replace-message ~/memd-secrets
  git reflog expire --expire=now --expire-unreachable=now --all
  git gc --prune=now
  git push --force --all REMOTE      (if it has a remote, which git-filter-repo takes out: add it
                                      again; whoever cloned it clones anew)
  memd scan --history .
  rm -r ~/memory-before; shred -u ~/memd-secrets
Without git-filter-repo, and if its history is not worth keeping: `rm -rf .git` there, then
`memd init` begins a new one.";

const PROJECT: &str = "\
In the project's own history in PROJECT: an earlier tool committed
memory there. This takes all of .memory/ out of every commit; memory itself keeps its own history.
Tell whoever works on the project first: every commit id changes. For what commit messages hold,
write each secret on a line of its own into a file outside of any repository, here ~/memd-secrets:
  (umask 077; ${EDITOR:-vi} ~/memd-secrets)
  cp -a PROJECT ~/project-before
  cd PROJECT
  git rm -r -q --cached --ignore-unmatch .memory && git commit -q -m 'memory is no part of the project'
  git filter-repo --force --invert-paths --path-glob '*.memory/*' --replace-message ~/memd-secrets
  git reflog expire --expire=now --expire-unreachable=now --all
  git gc --prune=now
  git push --force --all REMOTE && git push --force --tags REMOTE
Without git-filter-repo, in place of its line (and a --msg-filter for messages):
  git filter-branch --index-filter 'git rm -r -q --cached --ignore-unmatch .memory' -- --all
  git for-each-ref --format='delete %(refname)' refs/original | git update-ref --stdin
If .memory is not there afterwards, take it from the copy. Every clone, fork and pull request of a
hosting service keeps the old commits until it is made anew.";

const NO_SECRET: &str = "\
What is none (a sample, a public id): call it no secret in `memd review`, on the redactions of a
proposal that holds it, and the next scan counts it only.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word_on_one_line() {
        assert_eq!(quoted("/a/b"), "/a/b");
        assert_eq!(quoted("/a b/it's"), r"'/a b/it'\''s'");
        assert_eq!(quoted("/a\n9. rm 'x' \u{1b}"), r"$'/a\x0a9. rm \'x\' \x1b'");
        assert_eq!(quoted("/é\r"), r"$'/\xc3\xa9\x0d'");
    }
}
