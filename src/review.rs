//! Deciding: what is shown of a proposal, and what a person's acts do to it. Pure.
//!
//! Owns the model of a review and the one function that changes it. Prints nothing, reads no
//! terminal, writes no memory: the shell carries out the effects it is handed.

pub mod diff;
