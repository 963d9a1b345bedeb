//! The full-screen review: four views over what is staged, what stands, what was archived and what
//! happened.
//!
//! Owns the terminal while it runs, the keys, the layout and the painting. Data goes one way: input
//! becomes a message, [`crate::review`] and this room's own model answer it, the views only read.
//! It holds no rules: what a key may do is decided in [`crate::review`], what is written in
//! [`crate::apply`]. Foreign text reaches a cell only as rows that passed [`crate::text::visible`].

pub mod action;
pub mod app;
pub mod areas;
pub mod arrange;
pub mod cache;
mod enabled;
pub mod engine;
pub mod frame;
pub mod hands;
pub mod input;
pub mod keymap;
pub mod lines;
mod markdown;
pub mod msg;
pub mod overlay;
pub mod page;
pub mod paint;
mod palette;
pub mod play;
pub mod rows;
pub mod runtime;
pub mod shelf;
pub mod signals;
pub mod term;
pub mod theme;
pub mod trace;
pub mod update;
pub mod view;
pub mod views;

#[cfg(test)]
mod tests;

pub use app::App;
pub use engine::{Engine, Outer};
pub use hands::Hands;
pub use update::update;
