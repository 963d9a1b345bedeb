//! Settings: as typed in the file, then as meant.
//!
//! The file is `$XDG_CONFIG_HOME/memd/config.json`, with the keys and defaults of memd 0.3. Unknown
//! keys are kept when it is rewritten. A project's own tree never configures memd.

mod caps;
mod edit;
mod file;
mod impact;
mod lapses;
mod limits;
mod places;
mod reading;
mod settings;

pub use caps::{Caps, Reached, Spent, usd};
pub use file::{Config, ConfigError};
pub use impact::HighImpact;
pub use lapses::Lapses;
pub use limits::Limits;
pub use places::{NoHome, Places};
pub use settings::{Budgets, CuratorChoice, ProjectSettings, Settings};
