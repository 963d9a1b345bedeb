//! Deciding: what a review knows, and what a person's acts do to it. Pure.
//!
//! Owns the model of a review, the closed set of events it hears, and the one function that
//! answers them ([`update`]) with effects for the shell to carry out. Prints nothing, reads no
//! terminal, asks no clock, writes nothing; of the effects only [`Effect::Apply`] makes the shell
//! write memory.

pub mod desk;
pub mod diff;
mod event;
mod item;
mod model;
mod questions;
pub mod said;
#[cfg(test)]
pub(crate) mod samples;
mod sheet;
#[cfg(test)]
mod tests;
mod update;
mod waiting;
mod words;

pub use event::{Action, Edit, Effect, Event};
pub use item::{ChangeRef, Group, Item, Judged, Size, Standing};
pub use model::{Ask, Model, Place};
pub use sheet::{Sheet, SheetFile};
pub use update::update;
pub use waiting::Waiting;
pub use words::{Marked, Spans};
