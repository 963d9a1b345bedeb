//! Memory to the short context that the next agent is given.
