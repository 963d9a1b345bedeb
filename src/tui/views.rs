//! From the model to rows: each file builds the list, the content or the drawer of a view.

pub mod ask;
pub mod drawer;
pub mod footer;
pub mod header;
pub mod help;
pub mod outline;
pub mod small;
pub mod stream;
pub mod words;
