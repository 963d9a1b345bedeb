//! Deciding: a pure `update` over a model, shared by every screen; decisions are journalled as made.
