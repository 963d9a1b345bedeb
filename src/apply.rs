//! From decisions to memory: first a plan, then all of it or nothing.
//!
//! [`plan`] is pure: it says byte for byte what an apply writes, which records it seals, what it
//! consumes and what stays undecided; the apply sheet shows it. [`execute`] does just that, in five
//! steps that a crash may cut anywhere, and [`recover`] finishes what was begun. [`adopt`] makes a
//! proposal of what stands on disk and nobody let in, [`unreviewed`] of what a policy let in.
//!
//! It never decides, and never overwrites a file that is not as it was planned over.

pub mod adopt;
mod asof;
mod auto;
mod begin;
mod by_hand;
mod confirm;
mod eligible;
mod execute;
mod files;
mod message;
pub mod over;
mod own;
mod plan;
mod records;
mod recover;
mod restore;
mod reverse;
mod settle;
mod splices;
mod staging;
mod take_back;
pub mod unreviewed;

pub use asof::{Wanted, restore};
pub use auto::{Rules, Unattended, Waits, auto, auto_watched};
pub use begin::{Begun, begin};
pub use by_hand::{Held, Keeper};
pub use confirm::{Confirmed, confirm, confirm_shown, sound};
pub use execute::{ApplyError, Done, Ground, Step, Watch, execute, go_on};
pub use files::archive_of;
pub use message::{
    Counts, TRAILER_AUDIT, TRAILER_KEY_AFTER, TRAILER_MANIFEST, TRAILER_PROPOSAL,
    TRAILER_SEALED_BY, said_by,
};
pub use own::{Wish, own};
pub use plan::{Blocked, By, Conflict, FileWrite, Inputs, Plan, PlanError, Policy, plan};
pub use recover::{Recovered, recover};
pub use reverse::reverse;
pub use staging::{Credentials, Staged};

#[cfg(test)]
mod tests;
