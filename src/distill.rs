//! Strings the steps together: read, digest, ask, propose, judge, stage.
