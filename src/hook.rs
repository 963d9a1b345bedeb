//! What AI tools tell by their hooks, and what is left for a worker to do.
//!
//! [`Payload`] reads the JSON of any tool, whole or broken; a [`Job`] is one file in the state folder:
//! what a hook asks for, written in a moment and done later by a process of its own. Nothing is lost
//! with a job: what it would read stays free, and a sweep finds it.

mod job;
mod payload;

pub use job::{Job, Jobs, Taken, What};
pub use payload::{Event, Payload};
