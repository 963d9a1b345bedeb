//! From a directory to a project: worktrees, nesting, identity.
