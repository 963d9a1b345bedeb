//! Labels by which a person says what a sentence is. Group 1 of a pattern, where it has one, is the
//! label itself and no part of what is said; a weight below 35 marks what may also steer a session.

use super::{Cue, cue};

pub(super) const DECREES: &[Cue] = &[cue(
    40,
    r"^((?:final |my |our )?(?:decision|decided|rule|policy|convention)\s?(?::|—|–)\s+)",
    "Decision: the queue is SQLite",
    "The decision: who takes it?",
)];

pub(super) const TASKS: &[Cue] = &[
    cue(
        40,
        r"^((?:todo|to-do|to do|fixme)\s?(?::|—|–)\s+)",
        "TODO: rotate the certificate",
        "the todo list is long",
    ),
    cue(
        30,
        r"^((?:please )?(?:(?:note to self|reminder)\s?(?::|,|—|–)\s+(?:remember |do(?: not|n[’']?t) forget )?|remember |do(?: not|n[’']?t) forget )to )\w",
        "Don't forget to rotate the certificate",
        "I remember to rotate it",
    ),
    cue(
        30,
        r"^(?:please )?do(?: not|n[’']?t) forget (?:the|about|our|my)\b",
        "don’t forget the staging certificate",
        "they forget the certificate",
    ),
];

pub(super) const KEEPSAKES: &[Cue] = &[
    cue(
        40,
        r"^((?:please )?(?:note to self|remember|reminder|do(?: not|n[’']?t) forget|for the record)(?: this)?\s?(?::|,|—|–)\s+(?:that )?)",
        "Note to self: the staging host has no IPv6",
        "we noted it to ourselves: nothing",
    ),
    cue(
        36,
        r"^((?:please )?(?:remember|keep in mind|do(?: not|n[’']?t) forget) that )",
        "Remember that staging has no IPv6",
        "do you remember that one",
    ),
];
