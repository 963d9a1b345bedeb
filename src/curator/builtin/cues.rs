//! The cue tables: what words tell a decision, a cause, a fix, an open end, a fact, or noise.
//!
//! Data only. Each cue is a regular expression (case is ignored) with its weight, a sentence in
//! which it must be found and one in which it must not; one test runs them all.

mod label;
mod model;
mod shape;
mod user;

use regex::Regex;
use std::sync::LazyLock;

/// One cue.
pub(super) struct Cue {
    pattern: &'static str,
    weight: i32,
    #[cfg_attr(not(test), expect(dead_code, reason = "the table's own test reads it"))]
    yes: &'static str,
    #[cfg_attr(not(test), expect(dead_code, reason = "the table's own test reads it"))]
    no: &'static str,
}

const fn cue(weight: i32, pattern: &'static str, yes: &'static str, no: &'static str) -> Cue {
    Cue {
        pattern,
        weight,
        yes,
        no,
    }
}

/// A compiled table.
pub(super) struct Table(Vec<(Regex, i32)>);

impl Table {
    fn new(cues: &[Cue]) -> Self {
        Self(
            cues.iter()
                .filter_map(|c| Some((compile(c.pattern)?, c.weight)))
                .collect(),
        )
    }

    /// The weight of the strongest cue in a text; 0 when there is none.
    pub(super) fn weight(&self, text: &str) -> i32 {
        let hits = self.0.iter().filter(|(regex, _)| regex.is_match(text));
        hits.map(|(_, weight)| *weight).max().unwrap_or(0)
    }

    /// What a text says after its label, and the weight of the cue that found it. The label is the
    /// cue's first group.
    pub(super) fn after<'t>(&self, text: &'t str) -> Option<(&'t str, i32)> {
        self.0.iter().find_map(|(regex, weight)| {
            let found = regex.captures(text)?;
            let end = found.get(1).map_or(0, |label| label.end());
            Some((text[end..].trim(), *weight))
        })
    }

    /// Whether any cue is in a text.
    pub(super) fn finds(&self, text: &str) -> bool {
        self.0.iter().any(|(regex, _)| regex.is_match(text))
    }
}

fn compile(pattern: &str) -> Option<Regex> {
    Regex::new(&format!("(?i){pattern}")).ok()
}

macro_rules! tables {
    ($($(#[$doc:meta])* $name:ident = $cues:path;)*) => {
        $($(#[$doc])* pub(super) static $name: LazyLock<Table> = LazyLock::new(|| Table::new($cues));)*
        #[cfg(test)]
        const ALL: &[(&str, &[Cue])] = &[$((stringify!($name), $cues)),*];
    };
}

tables! {
    /// A label says: a decision.
    DECREE = label::DECREES;
    /// A label says: something to do.
    TASK = label::TASKS;
    /// A label says: to be kept.
    KEEPSAKE = label::KEEPSAKES;
    /// A user lays something down.
    RULE = user::RULES;
    /// A user reports that something is wrong.
    TROUBLE = user::TROUBLES;
    /// The model states a choice and its reason.
    SETTLED = model::SETTLINGS;
    /// A sentence names a cause.
    CAUSE = model::CAUSES;
    /// A sentence names a fix.
    FIX = model::FIXES;
    /// A sentence generalises: what to do from now on.
    LESSON = model::LESSONS;
    /// Something is left to do.
    OPEN = model::OPENINGS;
    /// A lasting property of the project or its surroundings.
    FACT = model::FACTS;
    /// Working talk that nobody wants to read again.
    NOISE = shape::NOISES;
    /// The steering of a session, not of a project.
    STEERING = user::STEERINGS;
    /// Says what was done.
    DONE = shape::DONES;
    /// Tells a story, or lists a part without naming the whole.
    PAST = shape::PASTS;
    /// What might be, not what is.
    HYPOTHESIS = user::HYPOTHESES;
    /// The model speaks of itself.
    SELF = shape::SELVES;
    /// A guess rather than a finding.
    HEDGE = shape::HEDGES;
    /// A question about how to go on, not about the project.
    PACE = user::PACES;
    /// A name, number, path, command: what makes a sentence about something.
    ANCHOR = shape::ANCHORS;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cue_finds_its_example_and_passes_over_the_other() {
        for (table, cues) in ALL {
            for cue in *cues {
                let regex = compile(cue.pattern).expect(cue.pattern);
                assert!(
                    regex.is_match(cue.yes),
                    "{table}: {} misses {:?}",
                    cue.pattern,
                    cue.yes
                );
                assert!(
                    !regex.is_match(cue.no),
                    "{table}: {} finds {:?}",
                    cue.pattern,
                    cue.no
                );
            }
        }
    }
}
