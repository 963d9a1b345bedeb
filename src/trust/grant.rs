//! A person's leave to apply in one project without them.

use super::key::{Purpose, Trust};
use super::seal::{FORMAT, Fields, Seal, SealError};
use crate::id::ProjectId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What asks for an apply that no person decides on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Occasion {
    /// `memd distill --auto`, named by whoever runs it.
    Command,
    /// A hook of an AI tool.
    Hook,
    /// A sweep over all projects.
    Sweep,
}

impl Occasion {
    /// Its stable name, as stored.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Occasion::Command => "command",
            Occasion::Hook => "hook",
            Occasion::Sweep => "sweep",
        }
    }
}

/// What may be applied in a project without a person.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Nothing: everything is staged.
    #[default]
    Stages,
    /// What passes every guardrail without a warning, when `memd distill --auto` is run.
    Applies,
    /// That, and the same from hooks and sweeps.
    AppliesFromHooks,
}

impl Mode {
    /// Whether an apply without a person is allowed on this occasion.
    #[must_use]
    pub fn allows(self, occasion: Occasion) -> bool {
        match (self, occasion) {
            (Mode::Stages, _) | (Mode::Applies, Occasion::Hook | Occasion::Sweep) => false,
            (Mode::Applies, Occasion::Command) | (Mode::AppliesFromHooks, _) => true,
        }
    }

    /// Its stable name, for programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Mode::Stages => "stages",
            Mode::Applies => "applies",
            Mode::AppliesFromHooks => "applies-from-hooks",
        }
    }
}

/// The leave itself. Every field but the seal is sealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// Format of the seal.
    pub format: u32,
    /// The project; no other.
    pub project: ProjectId,
    /// Whether hooks and sweeps may too.
    pub hooks: bool,
    /// When it was given.
    pub at: Timestamp,
    /// Id of the key that sealed it.
    pub key: String,
    /// The seal; empty until [`Trust::seal_grant`].
    pub seal: Seal,
}

impl Grant {
    /// What it allows.
    #[must_use]
    pub fn mode(&self) -> Mode {
        match self.hooks {
            false => Mode::Applies,
            true => Mode::AppliesFromHooks,
        }
    }

    fn fields(&self) -> Fields {
        Fields::new("grant")
            .shown(&self.format)
            .text(&self.key)
            .shown(&self.project)
            .shown(&self.hooks)
            .shown(&self.at)
    }
}

impl Trust {
    /// The same with this key's seal on it.
    #[must_use]
    pub fn seal_grant(&self, mut grant: Grant) -> Grant {
        grant.format = FORMAT;
        self.key_id().clone_into(&mut grant.key);
        grant.seal = self.tag(Purpose::Grant, &grant.fields());
        grant
    }

    /// Whether it is as it was sealed.
    ///
    /// # Errors
    /// When it has no seal, or one that does not fit.
    pub fn verify_grant(&self, grant: &Grant) -> Result<(), SealError> {
        self.check_whole(
            Purpose::Grant,
            grant.format,
            &grant.key,
            &grant.fields(),
            &grant.seal,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changing_any_field_breaks_the_seal() {
        let trust = Trust::for_tests(1);
        let good = trust.seal_grant(Grant {
            format: 0,
            project: "0123456789abcdef".parse().unwrap(),
            hooks: false,
            at: Timestamp::UNIX_EPOCH,
            key: String::new(),
            seal: Seal::default(),
        });
        assert_eq!(trust.verify_grant(&good), Ok(()));
        let mutations: [fn(&mut Grant); 6] = [
            |g| g.format = 2,
            |g| g.project = "fedcba9876543210".parse().unwrap(),
            |g| g.hooks = true,
            |g| g.at = Timestamp::MAX,
            |g| g.key.clear(),
            |g| g.seal = Seal::default(),
        ];
        for (n, mutate) in mutations.iter().enumerate() {
            let mut bad = good.clone();
            mutate(&mut bad);
            assert!(trust.verify_grant(&bad).is_err(), "{n}");
        }
        assert!(Trust::for_tests(2).verify_grant(&good).is_err());
    }

    #[test]
    fn hooks_and_sweeps_need_to_be_named() {
        let all = [Occasion::Command, Occasion::Hook, Occasion::Sweep];
        let allowed = |mode: Mode| all.map(|o| mode.allows(o));
        assert_eq!(allowed(Mode::Stages), [false; 3]);
        assert_eq!(allowed(Mode::Applies), [true, false, false]);
        assert_eq!(allowed(Mode::AppliesFromHooks), [true; 3]);
    }
}
