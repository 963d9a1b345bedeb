//! Decisions to a plan, the plan to files, database and commit: all or nothing.
