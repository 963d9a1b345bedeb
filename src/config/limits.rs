//! What guardrails are configured with.

use super::impact::HighImpact;
use super::settings::Budgets;

/// What guardrails go by besides what is proposed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Limits {
    /// How long a file may get.
    pub budgets: Budgets,
    /// Which entries are decided one by one.
    pub high_impact: HighImpact,
}
