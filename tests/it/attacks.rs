//! Hostile curators, stores and names against the real binary: what they bring is blocked, flagged
//! or shown escaped, and none of it reaches the brief without a person.

mod disk;
mod git;
pub mod lost;
mod marks;
mod obeying;
mod people;
mod replies;
pub mod scene;
mod texts;
mod unverified;
