//! The full-screen review as a person meets it: the real binary on a terminal with a screen.

mod applying;
mod content;
mod deciding;
mod display;
mod editor;
mod ends;
mod feel;
mod high_impact;
mod others;
mod plain;
mod rehearsal;
mod shelf;
mod sizes;
mod staged;
mod typed;
mod unattended;
