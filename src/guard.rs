//! Guardrails: what to say of a change, a file, a proposal. One guardrail a file, all pure.
