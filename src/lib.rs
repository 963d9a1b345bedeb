//! memd: a memory for AI coding tools that a human has read.
//!
//! This file is the map. Data goes one way:
//!
//! ```text
//!  source ─▶ digest ─▶ redact ─▶ curator ─▶ proposal ─▶ guard ─▶ review ─▶ apply ─▶ memory ─▶ brief
//! ```
//!
//! Each word is a module. A module knows those on its left only through their types, and holds the
//! rules of its own step; [`distill`] strings the steps up to staging together. The edge ([`cli`])
//! is the only room that prints, reads the environment or asks the clock.
//!
//! Words:
//!
//! * *source*: one place material comes from; a *span* is a byte range of it.
//! * *turn*: one message of a session; a *digest* is the numbered, redacted text made of turns.
//! * *entry*: the smallest piece of memory that is decided on; a *change* adds, edits or archives
//!   one; a *proposal* is the staged changes of one distill.
//! * *verdict*: what a guardrail says; *origin*: who said it; *seal*: proof that a person let an
//!   entry in.
//!
//! Invariants:
//!
//! 1. No text reaches a curator, a log, a screen or a file before it went through [`redact`].
//! 2. Nothing in `.memory/` changes and no span is consumed before a person has decided.
//! 3. What an agent is given ([`brief`]) is verified against its seal; the rest is left out.
//! 4. A crash at any moment leaves the old or the new, and the next start finishes the job.
//! 5. Foreign text reaches a terminal only through [`text::visible`].

// Base: values and small tools that every room may use.
pub mod fs;
pub mod id;
pub mod lock;
pub mod text;

// Settings, and from a directory to a project.
pub mod config;
pub mod project;

// The pipeline, by name: the map above has the order in which data flows.
pub mod apply;
pub mod brief;
pub mod curator;
pub mod digest;
pub mod guard;
pub mod memory;
pub mod proposal;
pub mod redact;
pub mod review;
pub mod source;

// What the pipeline stands on.
pub mod git;
pub mod store;
pub mod trust;

// What there is to look at.
pub mod browse;
pub mod scan;

// Strings the steps together, up to staging.
pub mod distill;

// Where it begins.
pub mod init;

// All projects at once.
pub mod sweep;

// What AI tools tell, and what is left to be done for it.
pub mod hook;
pub mod integrations;

// The edge.
pub mod cli;
pub mod tui;
