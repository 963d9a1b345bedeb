//! memd in the settings of AI tools: which hooks, written how, and taken out again.
//!
//! [`Tool`] says what a tool wants; `edit` changes the text of its settings and nothing else in it:
//! every byte that is not ours stays. Pure but for reading and writing one file; who asks, shows and
//! records is the edge.

mod binary;
mod edit;
mod json;
mod ours;
mod record;
mod settings;
mod shown;
mod tool;

pub use binary::Binary;
pub use edit::{Change, Step, install, undo, uninstall};
pub use json::SyntaxError;
pub use ours::{OwnHook, command, own_hooks};
pub use record::{Record, former, newest};
pub use settings::{Settings, SettingsError};
pub use shown::shown;
pub use tool::{Hook, Tool};
