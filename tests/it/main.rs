//! The one integration binary: hermetic, without network, without sleeps.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod across;
mod also_secret;
mod antigravity;
mod apply;
mod attacks;
mod audit;
mod auto;
mod boundaries;
mod brief;
mod browse;
mod by_hand;
mod claude;
mod codex;
mod contrib;
mod crash;
mod curator;
mod cut;
mod demo;
mod digest;
mod distill;
mod edge;
mod gemini;
mod git;
mod guard;
mod guards;
mod help;
mod history;
mod hooks;
mod inbox;
mod init;
mod integrations;
mod key;
mod leak;
mod load;
mod log;
mod on_disk;
mod place;
mod real;
mod recovering;
mod redact;
mod restore;
mod revert;
mod review;
mod scan;
mod screen;
mod seed;
mod settle;
mod stale;
mod support;
mod sweep;
mod switch;
mod terminal;
mod text;
mod transcript;
mod tui;
mod unreviewed;
mod verify;
mod world;
