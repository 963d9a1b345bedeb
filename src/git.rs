//! The memory repository: the only user of git2.
