//! The full-screen review: four views over what is staged, what stands, what was archived and what
//! happened.
//!
//! Owns the terminal while it runs, the keys, the layout and the painting. Data goes one way: input
//! becomes a message, [`crate::review`] and this room's own model answer it, the views only read.
//! It holds no rules: what a key may do is decided in [`crate::review`], what is written in
//! [`crate::apply`]. Foreign text reaches a cell only as rows that passed [`crate::text::visible`].

pub mod frame;
pub mod input;
mod markdown;
pub mod paint;
pub mod rows;
pub mod signals;
pub mod term;
pub mod theme;
pub mod trace;
